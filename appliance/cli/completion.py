"""`dicetray completion`: Tab completion for a shell, printed or saved where the shell looks."""

import argparse
import os
from collections.abc import Iterator
from pathlib import Path

from appliance.cli.shared.saved import OutputError
from vision.files.ordinary import open_to_write, ordinary_path

SHELLS = ("bash", "zsh", "fish")
"""The shells whose scripts can be made and saved."""

NAMES_OF_FILES = {"file", "picture"}
"""Arguments that name files without being converted to paths."""


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Describes the command and its arguments."""
    command.description = (
        "Prints a script that completes commands and options with the Tab key. "
        "Make it again after an upgrade, for new commands."
    )
    command.add_argument("shell", nargs="?", choices=SHELLS, help="default: the one you use")
    command.add_argument(
        "--save", action="store_true", help="save it where the shell looks, for you alone"
    )
    command.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Prints or saves the script; OutputError if it cannot be saved."""
    shell = args.shell or own_shell()
    text = completion(shell)
    if not args.save:
        print(text)
        return 0
    file = place(shell)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with open_to_write(file) as out:
            out.write(f"{text}\n".encode())
    except OSError as error:
        raise OutputError(f"{file}: cannot be written: {error.strerror}") from error
    print(f"{file} is saved; a new {shell} completes `dicetray`")
    if shell == "zsh":
        print("if it does not, add this to ~/.zshrc, before compinit: fpath+=~/.zfunc")
    return 0


def own_shell() -> str:
    """The shell of whoever runs this; bash if it is none of ours."""
    name = Path(os.environ.get("SHELL", "")).name
    return name if name in SHELLS else "bash"


def place(shell: str) -> Path:
    """The file in the user's home that a shell reads completions of `dicetray` from.

    Sources: bash-completion's README ("BASH_COMPLETION_USER_DIR", by default
    XDG_DATA_HOME/bash-completion), fish's documentation ("Where to put completions").
    OutputError where there is no home.
    """
    try:
        home = Path.home()
    except RuntimeError as error:
        raise OutputError("there is no home folder to save it in: set HOME") from error
    data = Path(os.environ.get("XDG_DATA_HOME") or home / ".local/share")
    settings = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config")
    own = os.environ.get("BASH_COMPLETION_USER_DIR")
    bash = Path(own) if own else data / "bash-completion"
    return {
        "bash": bash / "completions/dicetray",
        "zsh": home / ".zfunc/_dicetray",
        "fish": settings / "fish/completions/dicetray.fish",
    }[shell]


def completion(shell: str) -> str:
    """The script that a shell reads; running it needs neither shtab nor this program."""
    # Here, so that no other command loads them.
    import shtab

    from appliance.cli.main import parser

    whole = parser()
    for action in _arguments(whole):
        names = {action.dest, str(action.metavar).lower()}
        if (
            action.type in (Path, ordinary_path)
            or names & NAMES_OF_FILES
            or action.dest == "journal"
        ):
            action.complete = shtab.FILE  # type: ignore[attr-defined]
    return str(shtab.complete(whole, shell))


def _arguments(of: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """The arguments of a parser and of all its subparsers."""
    for action in of._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for each in action.choices.values():
                yield from _arguments(each)
