"""`dicetray doctor --bench`: the devices of a new build, real or simulated."""

import argparse
import sys
import time
import warnings
from collections.abc import Callable, Collection, Generator, Iterator
from contextlib import ExitStack, closing
from functools import partial

from appliance.cli.shared.boards import NO_PORTS
from appliance.cli.shared.cameras import Cameras, print_invitation
from appliance.cli.shared.launch import SIMULATED
from appliance.config import Config, load
from appliance.config.paths import DEFAULT_FILE, state_folder
from appliance.devices.buttons import Buttons
from appliance.devices.camera.naming import parse_spec
from appliance.devices.scoreboard.serial_port import SerialScoreboard
from appliance.diagnostics import Finding, Level, bench
from appliance.diagnostics.machine import show
from appliance.diagnostics.scoreboard import MAX_LINK_S, check_scoreboard
from appliance.errors import ApplianceError, PinsError, ScoreboardError
from appliance.picture import Picture
from appliance.service.modules import BoardLayouts
from appliance.terminal.keyboard import ACTION_OF_KEY, QUIT_ACTION, TYPED_PREFIX, Keyboard
from appliance.terminal.screen import board_lines
from vision.frame import Frame, Image

BENCH_PICTURE = "bench.png"
"""File in the user's folder: what should be seen, beside what is seen."""


def device_findings(
    args: argparse.Namespace,
    steps: Collection[str],
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[Finding]:
    """The findings of these steps, as they come; `clock` gives seconds.

    ApplianceError if the service holds the devices, there is no terminal, or a name is wrong.
    """
    file = args.config or DEFAULT_FILE
    config = load(file) if args.config or file.exists() else Config()
    source = args.camera or config.camera.source
    if source != SIMULATED:
        parse_spec(source)
    if (show() or {}).get("ActiveState") in ("active", "activating", "reloading"):
        found = "the devices are in use: dicetray.service is running"
        raise ApplianceError(found, "stop it first: sudo systemctl stop dicetray")
    picture = state_folder() / BENCH_PICTURE
    lit_since_s: float | None = None
    with ExitStack() as stack:
        keyboard = stack.enter_context(closing(Keyboard()))
        console = bench.BenchConsole(lambda: typed_keys(keyboard.poll(naming=True)))
        if {"pico", "lights"} & set(steps):
            yield from _check_scoreboard(
                console, args.port or config.scoreboard.port, config, steps
            )
        if "buttons" in steps:
            yield from _check_buttons(console, config, args.buttons == "keyboard")
        if "lamp" in steps:
            for finding in bench.check_lamp(console):
                # While it warms up, the camera can be checked.
                lit_since_s = clock() if finding.level is Level.OK else None
                yield finding
        if "camera" in steps:
            frames = stack.enter_context(closing(_frames_of(source, config)))
            yield from bench.check_picture(console, source, frames, _expected_picture, picture)
        if "heat" in steps:
            yield from bench.check_heat(console, lit_since_s, clock)


def typed_keys(actions: Collection[str]) -> list[str]:
    """The characters and button names in a keyboard's actions; KeyboardInterrupt for q."""
    keys = list[str]()
    for action in actions:
        keys += action.removeprefix(TYPED_PREFIX) if action.startswith(TYPED_PREFIX) else [action]
    meant = [ACTION_OF_KEY.get(key.encode(), key) for key in keys]
    if QUIT_ACTION in meant:
        raise KeyboardInterrupt
    return meant


def _check_scoreboard(
    console: bench.BenchConsole, port: str, config: Config, steps: Collection[str]
) -> Iterator[Finding]:
    with ExitStack() as stack:
        if port == SIMULATED:
            if sys.platform == "win32":
                raise ScoreboardError(NO_PORTS, "play with --board terminal or --board browser")
            from appliance.simulator.devices import start_board

            port = start_board(stack).device
        right = True
        for finding in check_scoreboard(port):
            right &= finding.level is not Level.WRONG
            yield finding
        if right and "lights" in steps:
            board = SerialScoreboard(port, brightness=config.scoreboard.brightness)
            stack.enter_context(closing(board))
            board.wait(lambda status: status.connected, MAX_LINK_S)

            def shown(picture: Picture) -> None:
                print(*board_lines(picture), sep="\n")
                board.show(picture)

            yield from bench.check_lights(console, shown, BoardLayouts(board))


def _check_buttons(
    console: bench.BenchConsole, config: Config, keyboard: bool
) -> Iterator[Finding]:
    pins = dict(config.buttons.pins)
    lamps = config.buttons.lights
    try:
        with ExitStack() as stack:
            # Gpiozero warns about each missing library, and raises if there is none.
            warnings.simplefilter("ignore")
            contacts = console if keyboard else stack.enter_context(Buttons(pins, lamps))
            yield from bench.check_buttons(console, contacts, pins, len(lamps))
    except PinsError as error:
        advice = "`dicetray doctor --only buttons` says more"
        yield Finding("buttons", Level.WRONG, error.found, advice)


def _frames_of(source: str, config: Config) -> Generator[Frame]:
    if source == SIMULATED:
        from appliance.simulator.people.calibration_user import StillCamera
        from simulator.scenes.installations import random_installation

        still = StillCamera(random_installation(1).scene)
        while True:
            yield still.take()
    with ExitStack() as stack:
        invite = partial(print_invitation, False)
        cameras = Cameras(stack, invite, config.camera.password_file)
        cameras.wait_for_phone(source)
        yield from stack.enter_context(closing(cameras.open(source))).frames()


def _expected_picture() -> Image:
    from simulator.scenes.installations import standard_picture

    return standard_picture()
