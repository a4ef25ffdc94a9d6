"""`dicetray doctor`: looks at everything and says what is wrong and what to do."""

import argparse
import io
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import ExitStack, suppress
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from appliance.config import Config
from appliance.config.parsing import load_with_mistakes
from appliance.config.paths import DEFAULT_FILE
from appliance.diagnostics import Finding, Level
from appliance.errors import CameraError
from vision.files.ordinary import ordinary_path

if TYPE_CHECKING:
    from vision.geometry.profile import Profile

EXIT_TROUBLE = 1
"""Exit status when something is wrong."""

PHONE_TRIES = 20
"""Times three seconds that a phone has to show its first picture."""

CHECK_SUBJECTS = (
    "config",
    "service",
    "power",
    "supply",
    "temperature",
    "memory",
    "clock",
    "disk",
    "games",
    "camera",
    "profile",
    "dice",
    "buttons",
    "scoreboard",
    "voice",
)
"""Subjects that can be checked, in the order of the report."""

SUBJECT_OF_TITLE = {
    "configuration": "config",
    "switching off": "power",
    "power supply": "supply",
    "scoreboard's usb": "scoreboard",
    "scoreboard's link": "scoreboard",
    "scoreboard's firmware": "scoreboard",
    "scoreboard's memory": "scoreboard",
}
"""Subjects by the titles of the report's lines, where these differ."""


def subject_named(text: str) -> str:
    """An argument type: a subject by its name, or as the report calls it."""
    name = text.lower()
    return SUBJECT_OF_TITLE.get(name, name)


BENCH_STEPS = ("pico", "lights", "buttons", "lamp", "camera", "heat")
"""The steps of `--bench`, in this order."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describes the command and its arguments."""
    parser.description = (
        "Checks one thing after another and says OK, or what is wrong and what to do. "
        "Exit status 1 if anything is wrong."
    )
    add = parser.add_argument
    add("--config", type=Path, help=f"configuration; default: {DEFAULT_FILE}")
    add("--port", help="the scoreboard's serial port; default: the configured one")
    add("--camera", metavar="SPEC", help="the camera; default: the configured one")
    add(
        "--only",
        nargs="+",
        type=subject_named,
        choices=CHECK_SUBJECTS,
        metavar="SUBJECT",
        help=", ".join(CHECK_SUBJECTS),
    )
    add(
        "--bundle",
        type=ordinary_path,
        metavar="FILE.tar.gz",
        help="write what the report, the configuration and the service's log say, but nothing that "
        "is yours, into an archive for those who help you",
    )
    bench = "check a new build step by step; all steps, or some of: "
    add(
        "--bench",
        nargs="*",
        choices=BENCH_STEPS,
        metavar="STEP",
        help=bench + ", ".join(BENCH_STEPS),
    )
    tried = "with --bench: the buttons, or keys if you have none; --port and --camera take sim"
    add("--buttons", choices=("gpio", "keyboard"), default="gpio", help=tried)
    add("--with-names", action="store_true", help="include the players' names")
    add("--with-games", action="store_true", help="include the games, without names")
    add("--with-pictures", action="store_true", help="include the pictures that were kept")
    parser.set_defaults(func=run)


def checks(
    config: Config, port: str, camera: str = ""
) -> dict[str, Callable[[], Iterable[Finding]]]:
    """The checks of devices and disk by subject; a new one is added here."""
    from appliance.config.paths import journal_path, profile_file
    from appliance.diagnostics import machine

    journal, profile = journal_path(config), profile_file(config)
    return {
        "service": machine.check_service,
        "power": machine.check_power_off,
        "supply": machine.check_supply,
        "temperature": machine.check_temperature,
        "memory": machine.check_memory,
        "clock": machine.check_clock,
        "disk": lambda: machine.check_disk(journal.parent),
        "games": lambda: _check_games(journal),
        "camera": lambda: _check_camera(config, camera),
        "profile": lambda: _check_profile(profile),
        "dice": lambda: _check_dice(profile),
        "buttons": lambda: _check_buttons(config),
        "scoreboard": lambda: _check_scoreboard(port or config.scoreboard.port),
        "voice": lambda: _check_voice(config),
    }


# What a check takes is imported with it: `--only clock` waits for no camera.


def _check_games(journal: Path) -> Iterator[Finding]:
    from appliance.diagnostics.plugins import check_games_of_packages
    from appliance.diagnostics.saved_games import check_journal

    yield from check_journal(journal)
    yield from check_games_of_packages()


def _check_camera(config: Config, camera: str) -> Iterator[Finding]:
    from appliance.cli.shared.cameras import Cameras, print_invitation
    from appliance.config.paths import profile_file
    from appliance.diagnostics.camera import check_camera, open_password
    from appliance.diagnostics.plugins import check_cameras_of_packages

    source = camera or config.camera.source
    yield from open_password(config.camera.source)
    with ExitStack() as stack:
        invite = partial(print_invitation, False)
        cameras = Cameras(stack, invite, config.camera.password_file)
        with suppress(CameraError):
            cameras.wait_for_phone(source, PHONE_TRIES)
        yield from check_camera(source, cameras.open, _usable_profile(profile_file(config)))
    yield from check_cameras_of_packages()


def _usable_profile(file: Path) -> "Profile | None":
    """The profile; None if there is none that can be used, which has its own check."""
    if not file.exists():
        return None
    from calibration.errors import StoreError
    from vision.errors import ProfileError

    with suppress(ProfileError, StoreError):
        return _load_profile(file)
    return None


def _check_profile(file: Path) -> Iterator[Finding]:
    from appliance.diagnostics.profile import check_profile

    return check_profile(file, _load_profile)


def _load_profile(file: Path) -> "Profile":
    from calibration.store import load_profile

    return load_profile(file)


def _check_dice(file: Path) -> Iterable[Finding]:
    """The dice that are known; nothing where there is no profile, which has its own check."""
    if not file.exists():
        return ()
    from appliance.diagnostics.own_dice import check_own_dice
    from calibration.store import load

    return check_own_dice(file, load)


def _check_buttons(config: Config) -> Iterator[Finding]:
    from appliance.diagnostics.pins import check_pins

    return check_pins(dict(config.buttons.pins))


def _check_scoreboard(port: str) -> Iterator[Finding]:
    from appliance.diagnostics.scoreboard import check_scoreboard

    return check_scoreboard(port)


def _check_voice(config: Config) -> Iterator[Finding]:
    from appliance.diagnostics.sound import check_voice

    return check_voice(config.sound.voice)


def read_config(path: Path | None) -> tuple[Config, tuple[Finding, ...]]:
    """The configuration to continue with, and the findings about it.

    What is wrong in it is not the end: the other checks use what is right, and defaults.
    """
    file = path or DEFAULT_FILE
    if path is None and not file.exists():
        text = f"no {file}: defaults are used"
        return Config(), (Finding("configuration", Level.NOTE, text),)
    config, mistakes = load_with_mistakes(file)
    if not mistakes:
        return config, (Finding("configuration", Level.OK, str(file)),)
    advice = "correct it, then: dicetray config check; until then the default is checked instead"
    found = [Finding("configuration", Level.WRONG, str(mistake), advice) for mistake in mistakes]
    return config, tuple(found)


def of_this_machine(
    config: Config, args: argparse.Namespace
) -> tuple[Config, Collection[str], tuple[Finding, ...]]:
    """The configuration and the subjects to check here, and findings on what is left out.

    A PC is asked for nothing that only an appliance has, unless somebody names it.
    """
    wanted = args.only or CHECK_SUBJECTS
    if args.port or (args.only and "camera" not in args.only):
        return config, wanted, ()
    from appliance.devices.header import is_raspberry_pi
    from appliance.diagnostics import pc

    if pc.is_appliance(config, is_pi=is_raspberry_pi):
        return config, wanted, ()
    findings = [] if args.only else [pc.what_a_pc_lacks()]
    left_out = set() if args.only else set(pc.APPLIANCE_ONLY)
    if "camera" in wanted and not args.camera:
        from appliance.devices.camera.webcams import webcams_here

        config, no_webcam = pc.with_webcam(config, webcams_here(), asked=bool(args.only))
        if no_webcam is not None:
            findings.append(no_webcam)
            left_out.add("camera")
    return config, [name for name in wanted if name not in left_out], tuple(findings)


def run(args: argparse.Namespace) -> int:
    """Runs the checks; 1 if any has found something wrong."""
    if args.bench is not None:
        from appliance.cli.shared.first_build import device_findings

        return print_findings(device_findings(args, args.bench or BENCH_STEPS))
    config, about_config = read_config(args.config)
    config, wanted, about_machine = of_this_machine(config, args)
    chosen = [
        check for name, check in checks(config, args.port, args.camera).items() if name in wanted
    ]
    report = io.StringIO()

    def kept() -> Iterator[Finding]:
        first = (*(about_config if "config" in wanted else ()), *about_machine)
        for finding in chain(first, chain.from_iterable(check() for check in chosen)):
            report.writelines(f"{line}\n" for line in finding.lines())
            yield finding

    status = print_findings(kept())
    if args.bundle:
        from appliance.diagnostics.bundle import Asked, write_bundle

        asked = Asked(args.with_names, args.with_games, args.with_pictures)
        for name in write_bundle(args.bundle, report.getvalue(), args.config, config, asked):
            print(f"{args.bundle}: {name}")
    return status


def print_findings(findings: Iterable[Finding], out: TextIO | None = None) -> int:
    """Prints findings as they come and returns the exit status."""
    status = 0
    for finding in findings:
        for line in finding.lines():
            print(line, file=out, flush=True)
        if finding.level is Level.WRONG:
            status = EXIT_TROUBLE
    return status
