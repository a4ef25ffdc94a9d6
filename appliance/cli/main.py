"""The command `dicetray`: one subcommand per module in `appliance.cli`."""

import argparse
import os
import sys
from contextlib import suppress
from importlib import import_module
from io import TextIOWrapper

from appliance.cli.commands import COMMANDS, DRAWING_LINE
from appliance.cli.shared.stopping import StopRequests, status_when_told

# A shell waits for `--help`: what it does not need is imported where it is needed.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence
    from typing import NoReturn

    from _typeshed import SupportsWrite

    from appliance.service.phases import Phases

LIBRARY_ENVIRONMENT = {
    # Camera problems are reported once, in our words.
    "OPENCV_LOG_LEVEL": "ERROR",
    # Larger pictures, of whatever kind, are refused before they are decoded.
    "OPENCV_IO_MAX_IMAGE_PIXELS": "64000000",
    # Matrices are small here: NumPy's second thread would waste half a core spinning.
    "OPENBLAS_NUM_THREADS": "1",
}
"""Environment variables that OpenCV and NumPy read when they are first imported."""

FIRST_PAGE = """\
dicetray reads real dice in a tray, and keeps score.

Without any hardware:
  dicetray play                      watch a game, play one, or learn the keys in two minutes
  dicetray read PHOTO                read the dice in a photograph
  dicetray score classic 3 3 5 3 5   every choice for a throw, with its points

With your own dice and a camera above them:
  dicetray look                      what it sees, what would help, and a game

After a game:
  dicetray review                    the costliest choices
  dicetray stats                     who wins, and are the dice fair?

  dicetray doctor                    check everything and say what to do
  dicetray --help                    all commands
  dicetray COMMAND --help            one of them, with examples
"""
"""The page that `dicetray` alone prints."""


class CommandParser(argparse.ArgumentParser):
    """A parser whose help has examples; fails if help cannot be written, which argparse ignores.

    Attributes:
        notes: makes the text below the arguments, once somebody wants it; None for none.
    """

    notes: "Callable[[], str] | None" = None

    def format_help(self) -> str:
        """The help; that of the program itself lists the commands, without examples."""
        if self.notes is not None:
            self.epilog = self.notes()
        if " " not in self.prog:
            return super().format_help()
        from importlib.resources import files

        lines = files("appliance.cli").joinpath("examples.txt").read_text("utf-8").splitlines()
        fit = [f"  {line}\n" for line in lines if f"{line} ".startswith(f"{self.prog} ")]
        return super().format_help() + "\nexamples:\n" + "".join(fit)

    def parse_known_args(  # type: ignore[override]
        self, args: "Sequence[str] | None" = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Parses; refuses what is left, with the usage of the subcommand it was meant for."""
        found, left = super().parse_known_args(args, namespace)
        if left:
            meant = did_you_mean(left[0], self._option_string_actions)
            self.error(f"unrecognized arguments: {' '.join(left)}{meant}")
        return found, left

    def error(self, message: str) -> "NoReturn":
        """Ends with the usage and a line; one that lacks an action says which there are."""
        groups = [] if self._subparsers is None else self._subparsers._group_actions
        for action in groups:
            if message.endswith(f": {action.metavar}"):
                message = f"{message} ({', '.join(action.choices or ())})"
        super().error(message)

    def _check_value(self, action: argparse.Action, value: object) -> None:
        if value == "help" and action.nargs == argparse.PARSER:
            self.print_help()
            self.exit()
        meant = ""
        if action.choices is not None and value not in action.choices:
            meant = did_you_mean(str(value), map(str, action.choices))
        if meant:
            # Nobody reads twenty names to find the one that is there already.
            raise argparse.ArgumentError(action, f"expected another word, found {value!r}{meant}")
        super()._check_value(action, value)

    def _print_message(self, message: str, file: "SupportsWrite[str] | None" = None) -> None:
        print(message, end="", file=file)
        sys.stdout.flush()


def did_you_mean(word: str, names: "Iterable[str]") -> str:
    """The end of a message on a word that is none of these names; empty if none is like it."""
    from difflib import get_close_matches

    close = get_close_matches(word, list(names), n=1, cutoff=0.7)
    return f"; did you mean {close[0]}?" if close else ""


class PrintVersion(argparse.Action):
    """Prints the version of what is installed, and ends."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        """Ends the program; the version is looked up in the files of the installation."""
        from appliance.journal.origin import own_version

        parser._print_message(f"dicetray {own_version()}\n", sys.stdout)
        parser.exit()


def parser(names: "Collection[str] | None" = None) -> argparse.ArgumentParser:
    """The parser; the subcommands named here, or all, are imported and have their arguments."""
    about = "Reads dice in a tray, keeps score and shows it on an LED scoreboard."
    top = CommandParser(prog="dicetray", description=about)
    top.add_argument("--version", action=PrintVersion, nargs=0, help="print the version")
    subparsers = top.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name, text in COMMANDS.items():
        command = subparsers.add_parser(name, help=text)
        if names is None or name in names:
            module = import_module(f"appliance.cli.{name.replace('-', '_')}")
            module.add_arguments(command)
    return top


def named_command(arguments: "Sequence[str]") -> "Collection[str]":
    """The subcommand that these arguments name; empty if they name none."""
    first = next((word for word in arguments if not word.startswith("-")), "")
    # The service starts in half the time without imports of commands that it never runs.
    return (first,) if first in COMMANDS else ()


def main(arguments: "Sequence[str] | None" = None) -> int:
    """Runs a command.

    Returns the exit status: that of the command; 2 for bad input, with one line on stderr; 70 for a
    bug in the program, with a sentence on stderr and a report in a file; 128 and a signal's number
    if that ended a command that was not done.
    """
    # A stream closed before we started becomes the null device, so that no file gets its number.
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115
    if sys.platform == "win32":
        # Into a file or a pipe it would write letters of the country, which lack ours.
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, TextIOWrapper):
                stream.reconfigure(encoding="utf-8")
    with StopRequests.all_raise():
        status = _run_command(sys.argv[1:] if arguments is None else arguments)
    try:
        sys.stdout.flush()
    except OSError:
        # Keeps the interpreter from retrying at exit what there is no room for.
        with suppress(OSError):
            sys.stdout.close()
    return status


def _run_command(arguments: "Sequence[str]") -> int:
    args = argparse.Namespace()
    try:
        return _parse_and_run(arguments, args)
    except KeyboardInterrupt as told:
        # A service is done when it is told so.
        return 0 if getattr(args, "ends_when_told", False) else status_when_told(told)
    except Exception as error:
        from appliance.cli.shared.failing import report

        return report(error, args, arguments)


def _parse_and_run(arguments: "Sequence[str]", args: argparse.Namespace) -> int:
    for name, value in LIBRARY_ENVIRONMENT.items():
        os.environ.setdefault(name, value)
    if not arguments:
        print(FIRST_PAGE, end="", flush=True)
        return 0
    if arguments[0] == "help":
        arguments = (*arguments[1:], "--help")
    names = named_command(arguments)
    if "run" in names:
        args.phases = _begin_start()
    # Plain `play` has a question of its own to show.
    if "play" in names and arguments[1:] and sys.stdout.isatty():
        print(DRAWING_LINE, file=sys.stderr, flush=True)
    parser(names).parse_args(arguments, args)
    # What reports a failure is there before anything can fail, such as for want of memory.
    from appliance.cli.shared.failing import log_to_stderr, report_folders, thread_errors_reported

    log_to_stderr()
    with thread_errors_reported(arguments, report_folders(args)):
        try:
            status: int = args.func(args)
        except SystemExit as told:
            # A part of it, such as another's game, cannot end the program without a word.
            raise RuntimeError(f"a part of the program has asked to exit: {told!r}") from told
    # Here, not at interpreter exit, where an error would be printed.
    sys.stdout.flush()
    return status


def _begin_start() -> "Phases":
    """The start of the service: systemd hears of it before anything is loaded that may hang."""
    from appliance.service.phase import Phase
    from appliance.service.phases import Phases

    phases = Phases.of_service()
    phases.begin(Phase.PLUG_INS)
    from appliance.cli.run import usual_board
    from appliance.devices.camera.kinds import CAMERAS_GROUP, kinds
    from games.plugins import leave_out
    from games.registry import GROUP, load_others

    phases.watch(usual_board)
    if phases.leaves_out(Phase.PLUG_INS):
        leave_out(GROUP, CAMERAS_GROUP)
    # All that others bring is loaded now, not when the settings name a camera of theirs.
    kinds()
    load_others()
    return phases
