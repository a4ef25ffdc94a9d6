"""`dicetray new-game NAME`: the package of a game of your own, small and complete."""

import argparse
import keyword
import re
import sys
from pathlib import Path
from string import Template

from appliance.cli.commands import report_bad_input
from appliance.cli.shared.saved import OutputError
from games.registry import GAMES
from vision.files.ordinary import open_to_write

_NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Describes the command and its arguments."""
    command.description = (
        "Makes the folder NAME with a package of a game: a sheet with eight boxes, to be changed. "
        "Once it is installed beside dicetray, the game is in the menu."
    )
    command.add_argument("name", metavar="NAME", help="small letters and dashes, such as my-dice")
    command.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Makes the package and says what to do next; 2 for a bad name or a folder that is there."""
    name, folder = args.name, Path(args.name)
    module = name.replace("-", "_")
    if not _NAME.fullmatch(name):
        return report_bad_input(
            "new-game", f"expected small letters, digits and dashes, found {name!r}"
        )
    if keyword.iskeyword(module) or module in sys.stdlib_module_names:
        return report_bad_input("new-game", f"{name} is a word of Python's own; choose another")
    if name in GAMES:
        return report_bad_input("new-game", f"there is a game {name} already; choose another name")
    if folder.exists():
        return report_bad_input("new-game", f"{folder} is there already; choose another name")
    title = name.replace("-", " ").title()
    words = {"name": name, "module": module, "title": title}
    files = {"pyproject.toml": _PYPROJECT, f"{module}.py": _GAME, f"test_{module}.py": _TEST}
    try:
        folder.mkdir()
        for file, text in files.items():
            with open_to_write(folder / file) as out:
                out.write(Template(text).substitute(words).encode())
    except OSError as error:
        raise OutputError(f"{folder}: cannot be written: {error.strerror}") from error
    print(Template(_NEXT).substitute(words), end="")
    return 0


_NEXT = """\
$name/ is made: $module.py is the game, test_$module.py its test. Next:
  python3 -m pip install -e $name       beside dicetray, in the same environment
  python3 -m pytest $name               its test
  dicetray score $name 33355            what a throw scores
  dicetray play --game $name            a game, in the terminal
  dicetray doctor --only games         whether it is found
"""

_PYPROJECT = """\
[build-system]
requires = ["setuptools"]
build-backend = "setuptools.build_meta"

[project]
name = "$name"
version = "0.1"
requires-python = ">=3.11"
dependencies = ["dicetray"]

[project.entry-points."dicetray.games"]
$name = "$module:GAME"

[tool.setuptools]
py-modules = ["$module"]
"""

_GAME = '''\
"""$title: eight boxes, five dice, three rolls."""

from dataclasses import dataclass

from games.boxes import BoxGame, BoxSheet, BoxState, all_open
from games.dice import FACES, Pattern, alike, sum_of


class Box(Pattern):
    """The boxes in the order of the sheet; the first six are for a number each."""

    ONES = 0
    TWOS = 1
    THREES = 2
    FOURS = 3
    FIVES = 4
    SIXES = 5
    THREE_ALIKE = 6
    CHANCE = 7


@dataclass(frozen=True, slots=True)
class Sheet(BoxSheet):
    """One player's sheet."""

    BOX = Box
    UPPER_BONUS = 50
    boxes: tuple[int | None, ...] = (None,) * len(Box)
    open: int = all_open(Box)


def box_scores(dice: tuple[int, ...]) -> tuple[int, ...]:
    """The scores of five dice in each box."""
    upper = (sum_of(dice, face) for face in FACES)
    return (*upper, sum(dice) if alike(dice, 3) else 0, sum(dice))


@dataclass(frozen=True, slots=True)
class State(BoxState[Sheet]):
    """A game between two events."""


GAME = BoxGame(
    name="$name",
    edition="1",
    title="$title",
    state=State,
    empty_sheet=Sheet(),
    box_scores=box_scores,
)
'''

_TEST = '''\
"""$title: its boxes score what they should, and whole games can be played and written down."""

from random import Random

from games.chance import random_event
from games.notation.words import Words
from games.strategy.boxes import BoxSolver
from games.values import Choose

from $module import GAME, Box, box_scores


def test_boxes_score() -> None:
    assert box_scores((3, 3, 3, 5, 5))[Box.THREES] == 9
    assert box_scores((3, 3, 3, 5, 5))[Box.THREE_ALIKE] == 19
    assert box_scores((1, 2, 3, 4, 6))[Box.THREE_ALIKE] == 0


def test_whole_games_are_played_and_written_down() -> None:
    random, state = Random(1), GAME.start(["ANNA", "BEN"], {})
    while (event := random_event(GAME, state, random)) is not None:
        line = GAME.position_to_text(state)
        assert GAME.position_from_text(Words.of(line)) == state
        state = GAME.apply(state, event)
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.scores == GAME.scores(state)


def test_there_are_hints() -> None:
    solver, random = BoxSolver(GAME), Random(2)
    state = GAME.start(["ANNA"], {})
    while (event := random_event(GAME, state, random)) is not None:
        if isinstance(GAME.ask(state), Choose):
            hint = solver.hint(state)
            assert hint is not None
            event = hint.choice or event
        state = GAME.apply(state, event)
    assert GAME.scores(state)[0] > 60
'''
