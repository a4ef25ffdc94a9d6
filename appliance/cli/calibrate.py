"""`dicetray calibrate`: the calibration in a terminal, with the same wizard as on the board."""

import argparse
import sys
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from appliance.cli.commands import COMMANDS
from appliance.cli.stopping import stopping_on_signals
from appliance.config import Config, load
from appliance.config.paths import profile_file
from appliance.errors import ConfigError

if TYPE_CHECKING:
    from calibration.calibration import Calibration
    from calibration.problems import Verdict
    from calibration.wizard.prompts import WizardPrompt


CORNERS = 4
NOT_MADE = 1
"""Exit status where no profile was made."""

HELP = "Return: OK   b: BACK   arrows: LEFT and RIGHT   < >: ten steps   1-6: HOLD   q: leave"


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Adds the subcommand."""
    command = subparsers.add_parser(
        "calibrate",
        help=COMMANDS["calibrate"],
        description="Creates the calibration profile used to read the dice, step by step: light, "
        "tray, empty tray, dice, Power die, and a check of ten throws. The same wizard is in the "
        "appliance's "
        "menu. " + HELP + ".",
    )
    command.add_argument("--config", type=Path, help="configuration file (TOML)")
    command.add_argument("--camera", metavar="SPEC", help="v4l2:N or pi; default: configured")
    command.add_argument("--profile", type=Path, help="where to keep the profile")
    command.add_argument(
        "--corners",
        nargs=CORNERS,
        metavar="X,Y",
        help="the floor's corners in the picture, pixels, from the top left clockwise, for a tray "
        "without markers",
    )
    command.add_argument(
        "--floor",
        metavar="WxD",
        help="width and depth of the floor in millimetres, for a tray without markers: it is found "
        "by its rim, or by --corners",
    )
    command.add_argument(
        "--simulate",
        action="store_true",
        help="a simulated person follows the wizard at a rendered tray",
    )
    command.add_argument(
        "--no-markers",
        action="store_true",
        help="with --simulate: no markers are glued on the rim of the rendered tray",
    )
    command.add_argument("--seed", type=int, default=0, help="which tray is rendered; default: 0")
    command.set_defaults(func=main)


def main(args: argparse.Namespace) -> int:
    """Leads through the calibration; 1 if no profile was made."""
    config = load(args.config) if args.config else Config()
    if args.corners is not None and args.floor is None:
        raise ConfigError("expected --floor with --corners; measure the floor with a ruler")
    if args.no_markers and not args.simulate:
        raise ConfigError(
            "expected --simulate with --no-markers; at a real tray without markers leave it out, "
            "the board asks"
        )
    # What was mistyped is said before a camera is opened.
    _floor(args)
    _corners(args)
    if args.simulate:
        return _simulated(args, config)
    return _real(args, config)


def _simulated(args: argparse.Namespace, config: Config) -> int:
    """A simulated user follows the wizard."""
    import numpy as np

    from appliance.service.calibration import Calibrating
    from appliance.service.installation import CalibratedTray
    from appliance.simulator.people.calibration_user import CalibrationUser, StillCamera
    from appliance.simulator.scenes.installations import installation

    # Nothing that was measured at a rendered tray may take the place of the real one's profile.
    path = args.profile or profile_file(config).with_name("simulated.profile")
    where = installation(args.seed)
    if args.no_markers:
        where = replace(where, scene=replace(where.scene, prints=()))
    camera = StillCamera(where.scene, args.seed)
    given = _given(args, camera.take().image.shape)
    tray = CalibratedTray(path)
    floor = _floor(args)
    activity = Calibrating(
        tray.keep,
        exposing=camera,
        given=given,
        floor_mm=floor or tray.floor_mm,
        by_rim=floor is not None,
        report=Reporter(),
    )
    user = CalibrationUser(activity, camera, where, np.random.default_rng(args.seed))
    run = user.follow()
    if run.calibration is None:
        said = run.problem.value if run.problem is not None else "GAVE UP"
        print(f"no profile: {run.stage.step.value}: {said}: {run.detail}")
        return NOT_MADE
    return _report(run.calibration, path)


def _real(args: argparse.Namespace, config: Config) -> int:
    from appliance.devices.camera import open_camera
    from appliance.inputs import Button, Pressed
    from appliance.service.calibration import Calibrating
    from appliance.service.installation import CalibratedTray
    from appliance.terminal.keyboard import LONG, QUIT, Keyboard

    if not sys.stdin.isatty():
        raise ConfigError(
            "expected a terminal to read keys from, standard input is none; calibrate at the "
            "board's menu, or try --simulate"
        )
    path = args.profile or profile_file(config)
    buttons = set(Button)
    with ExitStack() as stack:
        stack.enter_context(stopping_on_signals())
        tray = CalibratedTray(path)
        source = args.camera or config.camera.source
        camera = stack.enter_context(closing(tray.opened(open_camera(source, tray.controls))))
        keyboard = stack.enter_context(Keyboard())
        print(HELP)
        activity: Calibrating | None = None
        for frame in camera.frames():
            if activity is None:
                given, floor = _given(args, frame.image.shape), _floor(args)
                activity = Calibrating(
                    tray.keep,
                    exposing=tray.exposing,
                    given=given,
                    floor_mm=floor or tray.floor_mm,
                    by_rim=floor is not None,
                    report=Reporter(),
                )
            activity.feed(frame)
            for action in keyboard.poll():
                if action == QUIT:
                    return NOT_MADE
                name = action.removeprefix(LONG)
                if name in buttons:
                    activity.press(Pressed(Button(name), long=name != action))
            if activity.done:
                break
        if activity is None or activity.calibration is None:
            print("no profile was made")
            return NOT_MADE
        return _report(activity.calibration, path)


def _report(calibration: "Calibration", path: Path) -> int:
    from calibration.accuracy import statement

    print(f"{path}: {statement(calibration.check)}")
    return 0


def _given(args: argparse.Namespace, shape: tuple[int, ...]) -> "Calibration | None":
    """The tray from its corners, where they were given.

    Raises:
        ConfigError: what was given is no tray.
    """
    if args.corners is None:
        return None
    from calibration.errors import RefusedError
    from calibration.markers.lens import camera_module_3
    from calibration.rim.corners import from_corners

    corners = _corners(args)
    floor = _pair(args.floor, "x", "--floor")
    try:
        return from_corners(camera_module_3((shape[1], shape[0])), corners, floor)
    except RefusedError as error:
        raise ConfigError(f"--corners: {error.detail}") from error


def _corners(args: argparse.Namespace) -> list[tuple[float, float]]:
    """The corners that were given, pixels; empty for none.

    Raises:
        ConfigError: one is no pair of numbers.
    """
    return [_pair(text, ",", "--corners") for text in args.corners or ()]


def _floor(args: argparse.Namespace) -> tuple[float, float] | None:
    """The size of a floor that is to be found by its rim.

    Raises:
        ConfigError: it is none of a tray.
    """
    if args.floor is None or args.corners is not None:
        return None
    width, depth = _pair(args.floor, "x", "--floor")
    if not (60 <= depth <= width <= 600):
        raise ConfigError(
            f"--floor: expected a width and a smaller depth of 60 to 600 mm, found {args.floor}"
        )
    return width, depth


def _pair(text: str, between: str, name: str) -> tuple[float, float]:
    try:
        first, second = (float(part) for part in text.split(between))
    except ValueError:
        wanted = f"12{between}34"
        raise ConfigError(f"{name}: expected two numbers as in {wanted}, found {text!r}") from None
    return first, second


class Reporter:
    """Says each new prompt in a line, with what was measured."""

    def __init__(self) -> None:
        self._last = ""

    def __call__(self, said: "WizardPrompt", verdict: "Verdict | None") -> None:
        """Prints it, unless it is what was said last."""
        text = _sentence(said)
        detail = "" if verdict is None or verdict.good else f" ({verdict.detail})"
        if text != self._last:
            self._last = text
            print(text + detail, file=sys.stdout, flush=True)


def _sentence(said: "WizardPrompt") -> str:
    from calibration.wizard.prompts import CheckPrompt, StagePrompt

    match said:
        case StagePrompt():
            first = said.problem or ("good: OK" if said.good else "")
            # As on the board's pages; what LEFT and RIGHT do may be what is asked for.
            asks = [line for line in (first, *said.says, said.beside) if line]
            return f"{said.place} {said.title}: {', '.join(asks)}"
        case CheckPrompt(faces=None):
            return f"check, throw {said.number} of {said.count}: throw the dice"
        case CheckPrompt():
            faces = " ".join("?" if face is None else str(face) for face in said.faces or ())
            chosen = "" if said.chosen is None else f"; die {said.chosen + 1} is being put right"
            return f"check, throw {said.number} of {said.count}: {faces}{chosen}"
        case _:
            return "; ".join(" ".join(lines) for lines in said.pages)
