"""`dicetray score GAME DICE...`: what a throw is worth on an empty sheet."""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from appliance.rules.game import Choice, Face, Keep, Points, Rolled, RulesError, Throw
from appliance.rules.notation import Recordable, RecordError, Words, event_to_text, read_event
from appliance.rules.registry import GAMES, find


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Adds the command to the program's."""
    parser = subparsers.add_parser(
        "score",
        help="list what a throw scores",
        description="Lists every legal choice for a throw on an empty sheet, with points and why.",
    )
    parser.add_argument("game", metavar="GAME", help=f"one of: {', '.join(GAMES)}")
    parser.add_argument("dice", metavar="DICE", nargs="+", help="the faces, such as 3 3 3 5 5")
    parser.add_argument("--holds", action="store_true", help="list the dice to hold, too")
    parser.add_argument("--json", action="store_true", help="print one JSON object a choice")
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Prints the choices; 2 for an unknown game or dice that it does not throw."""
    try:
        game = find(args.game)
        found = list(legal_choices(game, _faces(game, args.dice)))
    except RecordError as error:
        print(f"dicetray score: expected {error.expected}, found {error.found}", file=sys.stderr)
        return 2
    except RulesError as error:
        print(f"dicetray score: {error}", file=sys.stderr)
        return 2
    for choice, points in found:
        if isinstance(choice, Keep) and not args.holds:
            continue
        if args.json:
            print(json.dumps(_fields(game, choice, points)))
        else:
            told = f"{points.points:>4}  {points.reason}" if points else ""
            print(f"{choice.label:<10} {told}".rstrip())
    return 0


def legal_choices(
    game: Recordable[Any], faces: Sequence[Face]
) -> Iterator[tuple[Choice, Points | None]]:
    """The choices for the first throw of a game that the first seat begins, with their points.

    Where a turn begins with a throw of its own, as of the red die, its face comes first.

    Raises:
        IllegalEvent: for faces that the game does not ask for.
    """
    options = {"first": 0} if "first" in game.OPTIONS else {}
    state = game.start([f"P{seat + 1}" for seat in range(game.MIN_PLAYERS)], options)
    left = tuple(faces)
    while left:
        asked = game.ask(state)
        thrown = len(asked.dice) if isinstance(asked, Throw) else len(left)
        state = game.apply(state, Rolled(left[:thrown]))
        left = left[thrown:]
    for choice in game.choices(state):
        yield choice, game.preview(state, choice)


def _faces(game: Recordable[Any], words: Sequence[str]) -> tuple[Face, ...]:
    roll = read_event(game, Words.of(f"roll {' '.join(words)}"))
    return roll.faces if isinstance(roll, Rolled) else ()


def _fields(game: Recordable[Any], choice: Choice, points: Points | None) -> dict[str, object]:
    return {
        "choice": event_to_text(game, choice),
        "label": choice.label,
        "points": points.points if points else None,
        "reason": points.reason if points else "",
    }
