"""`dicetray calibrate`: the calibration in a terminal, with the same wizard as on the board."""

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from appliance.config import Config, load
from appliance.config.paths import profile_file, state_folder
from appliance.errors import ConfigError
from vision.files.ordinary import ordinary_path

if TYPE_CHECKING:
    from appliance.devices.camera import Camera
    from appliance.service.installation import CalibratedTray
    from appliance.terminal.keyboard import Keyboard
    from appliance.terminal.screen import TerminalView
    from appliance.web.page import BrowserPage
    from calibration.calibration import Calibration
    from calibration.problems import Verdict
    from calibration.wizard.prompts import WizardPrompt
    from vision.frame import Frame
    from vision.geometry.sight import Sight


CORNER_COUNT = 4
CALIBRATION_LOG = "calibrate.log"
"""Log file beside the games: what the program says while calibration is drawn in a terminal."""
_BUTTON_OF_ARROW: Mapping[str, str] = {"up": "hold1", "down": "hold2"}
"""The buttons that other arrows of a keyboard press: while somebody points, up and down."""
POINTING_ADVICE = "to point at them instead, leave them out, with --board terminal in a terminal"
EXIT_NOT_MADE = 1
"""Exit status where no profile was made."""

KEY_LINE = "Return: OK   b: BACK   arrows: LEFT and RIGHT   < >: ten steps   1-6: HOLD   q: leave"


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Describes the command and its arguments."""
    command.description = (
        "Creates the calibration profile used to read the dice, in five short items: tray, "
        "Power die, holder, a card that tells the size of the print, and a check. Each is kept at "
        f"once. The same wizard is in the appliance's menu. {KEY_LINE}."
    )
    add = command.add_argument
    add("--config", type=ordinary_path, help="configuration file (TOML)")
    add("--camera", metavar="SPEC", help="v4l2:N or pi; default: configured")
    add("--profile", type=ordinary_path, help="where to keep the profile")
    corners = (
        "the floor's corners in the picture, pixels, from the top left clockwise; left out, you "
        "point at them"
    )
    add("--corners", nargs="*", metavar="X,Y", help=corners)
    floor = "width and depth of the floor, millimetres: of a tray without markers"
    add("--floor", metavar="WxD", help=floor)
    board = "draw board and picture here, or on a page, instead of printing the instructions"
    add("--board", choices=("terminal", "browser"), help=board)
    buttons = "the keys of this terminal or the page"
    add("--buttons", choices=("keyboard", "browser"), help=buttons)
    switch = partial(add, action="store_true")
    switch("--simulate", help="a simulated person follows the wizard with a rendered tray")
    no_markers = "with --simulate: a rendered tray without markers"
    switch("--no-markers", help=no_markers)
    add("--seed", type=int, default=0, help="which tray is rendered; default: 0")
    command.set_defaults(func=main)


def main(args: argparse.Namespace) -> int:
    """Guides through the calibration; 1 if no profile was made."""
    config = load(args.config) if args.config else Config()
    if args.corners is not None and args.floor is None:
        raise ConfigError("--corners needs --floor: measure the floor with a ruler")
    if args.no_markers and not args.simulate:
        raise ConfigError(
            "expected --simulate with --no-markers; at a real tray without markers leave it out, "
            "the board asks"
        )
    page = "browser" in (args.board, args.buttons)
    drawn = not args.simulate and (page or (args.board == "terminal" and sys.stdout.isatty()))
    if args.corners and len(args.corners) != CORNER_COUNT:
        found = f"--corners: expected four pairs of numbers, found {len(args.corners)}"
        raise ConfigError(found, POINTING_ADVICE)
    # Typing mistakes are reported before a camera is opened.
    floor = _given_floor_mm(args)
    _given_corners(args)
    if floor and not (drawn or args.simulate):
        raise ConfigError("--floor: expected the floor's four --corners in pixels", POINTING_ADVICE)
    if args.simulate:
        return _calibrate_simulated_tray(args, config)
    return _calibrate_real_tray(args, config, drawn, page)


def _calibrate_simulated_tray(args: argparse.Namespace, config: Config) -> int:
    """A simulated user follows the wizard."""
    import numpy as np

    from appliance.service.calibration import Calibrating
    from appliance.service.installation import CalibratedTray
    from appliance.simulator.people.calibration_user import CalibrationUser, StillCamera
    from calibration.markers.lens import MODULE_3_SIGHT
    from simulator.scenes.installations import random_installation

    # Nothing measured on a rendered tray may replace the real tray's profile.
    path = args.profile or profile_file(config).with_name("simulated.profile")
    where = random_installation(args.seed)
    if args.no_markers:
        where = replace(where, scene=replace(where.scene, prints=()))
    camera = StillCamera(where.scene, args.seed)
    shape = camera.take().image.shape
    pointed = _given_calibration(args, shape, _given_corners(args), MODULE_3_SIGHT)
    tray = CalibratedTray(path)
    floor = _given_floor_mm(args)
    activity = Calibrating(
        tray.keep,
        exposing=camera,
        pointed=pointed,
        floor_mm=floor or tray.floor_mm,
        by_corners=floor is not None,
        report=prompt_printer(),
    )
    user = CalibrationUser(activity, camera, where, np.random.default_rng(args.seed))
    run = user.follow()
    if run.calibration is None:
        said = run.problem.value if run.problem is not None else "GAVE UP"
        print(f"no profile: {run.page.value}: {said}: {run.detail}")
        return EXIT_NOT_MADE
    return _print_accuracy(run.calibration, path)


def _calibrate_real_tray(args: argparse.Namespace, config: Config, drawn: bool, paged: bool) -> int:
    """Somebody follows the wizard with the keys of this terminal or of a page."""
    from appliance.cli.shared.boards import open_page
    from appliance.cli.shared.cameras import Cameras, print_invitation
    from appliance.service.installation import CalibratedTray
    from appliance.terminal.keyboard import REAL_DICE_HELP, Keyboard
    from appliance.terminal.log import TerminalLog
    from appliance.terminal.screen import TerminalView

    if not (paged or sys.stdin.isatty()):
        raise ConfigError(
            "keys are read from a terminal, and standard input is not one; calibrate "
            "with the scoreboard's menu, or try --simulate"
        )
    path = args.profile or profile_file(config)
    with ExitStack() as stack:
        tray = CalibratedTray(path, rim_mm=config.tray.rim_mm)
        source = args.camera or config.camera.source
        invite = partial(print_invitation, False)
        cameras = Cameras(stack, invite, config.camera.password_file)
        cameras.wait_for_phone(source)
        camera = stack.enter_context(closing(tray.note_camera(cameras.open(source, tray.controls))))
        page = open_page(stack) if paged else None
        keyboard = page or stack.enter_context(closing(Keyboard()))
        screen: TerminalView | BrowserPage | None = page
        if drawn:
            screen = page or stack.enter_context(closing(TerminalView(sys.stdout, REAL_DICE_HELP)))
            stack.enter_context(TerminalLog(state_folder() / CALIBRATION_LOG).taken())
        else:
            print(KEY_LINE)
        watched = watched_frames(camera, keyboard, screen)
        calibration = _follow_wizard(watched, screen, args, tray)
    if calibration is None:
        print("no profile was made")
        return EXIT_NOT_MADE
    return _print_accuracy(calibration, path)


def watched_frames(
    camera: "Camera",
    keyboard: "Keyboard | BrowserPage",
    screen: "TerminalView | BrowserPage | None",
) -> "Iterator[tuple[Frame, Sequence[str]]]":
    """The camera's frames, each with what was typed since the one before, until somebody leaves."""
    from appliance.terminal.keyboard import QUIT_ACTION

    for frame in camera.frames():
        actions = keyboard.poll()
        if QUIT_ACTION in actions:
            return
        if screen is not None:
            screen.obey(actions)
        yield frame, actions


def _follow_wizard(
    watched: "Iterable[tuple[Frame, Sequence[str]]]",
    screen: "TerminalView | BrowserPage | None",
    args: argparse.Namespace,
    tray: "CalibratedTray",
) -> "Calibration | None":
    """The calibration that was made; None if there is none by the end."""
    from appliance.inputs import Pressed
    from appliance.service.calibration import Calibrating
    from appliance.terminal.keyboard import press_of
    from appliance.terminal.pointing import place_of

    activity: Calibrating | None = None
    floor = _given_floor_mm(args)
    for frame, actions in watched:
        if activity is None:
            shape = frame.image.shape
            activity = Calibrating(
                tray.keep,
                known=tray.calibration,
                exposing=tray.exposing,
                shutter=tray,
                pointed=_given_calibration(args, shape, _given_corners(args), frame.sight),
                floor_mm=floor or tray.floor_mm,
                by_corners=floor is not None,
                sight=frame.sight,
                rim=tray.rim,
                report=prompt_printer() if screen is None else None,
            )
        activity.feed(frame)
        for action in actions:
            if activity.pointing is not None and (place := place_of(action)) is not None:
                activity.point(*place)
            elif isinstance(press := press_of(_BUTTON_OF_ARROW.get(action, action)), Pressed):
                activity.press(press)
        if screen is not None and frame.exposure == 1.0:
            screen.draw(activity.view(frame, activity.picture(frame.time_s)))
        if activity.done:
            break
    return None if activity is None else activity.calibration


def _print_accuracy(calibration: "Calibration", path: Path) -> int:
    from calibration.accuracy import accuracy_statement
    from calibration.difference import lines_of

    print(f"{path}: {accuracy_statement(calibration.check)}")
    if calibration.since is not None:
        told = "; ".join(" ".join(lines).lower() for lines in lines_of(calibration.since))
        print(f"compared with the calibration before: {told or 'all is as before'}")
    return 0


def _given_calibration(
    args: argparse.Namespace,
    shape: tuple[int, ...],
    corners: Sequence[tuple[float, float]],
    sight: "Sight | None",
) -> "Calibration | None":
    """The tray from its corners, where they were given, in pictures of a shape and sight."""
    if not corners:
        return None
    from calibration.errors import RefusedError
    from calibration.flat import geometry_of_corners

    floor = _parse_pair(args.floor, "x", "--floor")
    try:
        return geometry_of_corners(corners, (shape[1], shape[0]), sight, floor_mm=floor)
    except RefusedError as error:
        raise ConfigError(f"--corners: {error.detail}") from error


def _given_corners(args: argparse.Namespace) -> list[tuple[float, float]]:
    """The corners that were given, pixels; empty for none."""
    return [_parse_pair(text, ",", "--corners") for text in args.corners or ()]


def _given_floor_mm(args: argparse.Namespace) -> tuple[float, float] | None:
    """The size of a floor whose corners are to be pointed at; None where they need not be."""
    from calibration.wizard.state import FLOOR_SIDE_RANGE_MM

    if args.floor is None or args.corners:
        return None
    width, depth = _parse_pair(args.floor, "x", "--floor")
    least, most = FLOOR_SIDE_RANGE_MM
    if not (least <= width <= most and least <= depth <= most):
        raise ConfigError(
            f"--floor: expected a width and a depth of {least:g} to {most:g} mm, found {args.floor}"
        )
    return width, depth


def _parse_pair(text: str, between: str, name: str) -> tuple[float, float]:
    try:
        first, second = (float(part) for part in text.split(between))
    except ValueError:
        wanted = f"12{between}34"
        raise ConfigError(f"{name}: expected two numbers as in {wanted}, found {text!r}") from None
    return first, second


def prompt_printer() -> "Callable[[WizardPrompt, Verdict | None], None]":
    """Prints each new prompt on a line, with what was measured."""
    from appliance.service.guide import wizard_guidance

    last = ""

    def report(said: "WizardPrompt", verdict: "Verdict | None") -> None:
        nonlocal last
        before, last = last, wizard_guidance(said).says
        detail = "" if verdict is None or verdict.good else f" ({verdict.detail})"
        if last != before:
            print(last + detail, flush=True)

    return report
