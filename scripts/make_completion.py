#!/usr/bin/env python3
"""Prints a shell's Tab completion for `dicetray`.

    .venv/bin/python scripts/make_completion.py bash

docs/installing.md says where it goes. shtab makes it from the program's own parser; the result
needs neither shtab nor this program. Make it again after an upgrade for new commands.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import shtab

sys.path.insert(0, str(Path(__file__).parents[1]))

from appliance.cli.main import parser
from vision.ordinary import ordinary_path

FILES = {"file", "picture"}
"""Arguments that name files without being converted to paths."""


def arguments(of: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """The arguments of a parser and of all its subparsers."""
    for action in of._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for each in action.choices.values():
                yield from arguments(each)


def completion(shell: str) -> str:
    """The text that the shell reads."""
    whole = parser()
    for action in arguments(whole):
        names = {action.dest, str(action.metavar).lower()}
        if action.type in (Path, ordinary_path) or names & FILES or action.dest == "journal":
            action.complete = shtab.FILE  # type: ignore[attr-defined]
    return str(shtab.complete(whole, shell))


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("shell", choices=shtab.SUPPORTED_SHELLS)
    print(completion(options.parse_args().shell))
    return 0


if __name__ == "__main__":
    sys.exit(main())
