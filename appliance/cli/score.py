"""`dicetray score GAME DICE...`: what a throw is worth on an empty sheet, or in any position."""

import argparse
import json
import sys
import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

from appliance.cli.commands import COMMANDS
from appliance.errors import printable
from appliance.rules.game import Choice, Face, Keep, Points, Rolled, RulesError, Throw
from appliance.rules.notation.events import (
    NamedHand,
    Recordable,
    RecordError,
    Words,
    event_to_text,
    read_event,
)
from appliance.rules.record import position_from_text
from appliance.rules.registry import GAMES, find

_NOTES = """\
{games}

--position takes the line that `dicetray replay` prints last (in quotes): the throw is then made
there, and only what the game asks for next can be thrown.
"""
_NOTES_WIDTH, _INDENT = 99, 15


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Adds the command to the program's."""
    examples = (
        textwrap.fill(
            f"{name:<{_INDENT}}{game.EXAMPLE}", _NOTES_WIDTH, subsequent_indent=" " * _INDENT
        )
        for name, game in GAMES.items()
    )
    parser = subparsers.add_parser(
        "score",
        help=COMMANDS["score"],
        description="Lists every legal choice for a throw, the best first, with points and why.",
        epilog=_NOTES.format(games="\n".join(examples)),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("game", metavar="GAME", help=f"one of: {', '.join(GAMES)}")
    parser.add_argument(
        "dice", metavar="DICE", nargs="+", help="the faces, such as 3 3 3 5 5 or 33355"
    )
    parser.add_argument("--position", metavar="LINE", help="where the throw is made")
    parser.add_argument("--holds", action="store_true", help="list the dice to hold, too")
    parser.add_argument("--json", action="store_true", help="print one JSON object a choice")
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Prints the choices; 2 for an unknown game or dice that it does not throw."""
    try:
        game = find("-".join(args.game.lower().split()))
        dice = _words(args.dice)
        if args.position is None and (hand := game.name_hand(dice)) is not None:
            _print_hand(hand, as_json=args.json)
            return 0
        found = list(legal_choices(game, _faces(game, dice), args.position))
    except RecordError as error:
        print(f"dicetray score: expected {error.expected}, found {error.found}", file=sys.stderr)
        return 2
    except RulesError as error:
        print(f"dicetray score: {printable(str(error))}", file=sys.stderr)
        return 2
    found.sort(key=lambda item: -item[1].points if item[1] else 1)
    for choice, points in found:
        if isinstance(choice, Keep) and not args.holds:
            continue
        # Where a thing would lie says nothing while there is no table.
        label = choice.thing if args.position is None else choice.label
        if args.json:
            print(json.dumps(_fields(game, choice, label, points)))
        else:
            points_text = f"{points.points:>4}  {points.reason}" if points else ""
            print(f"{label:<10} {points_text}".rstrip())
    return 0


def legal_choices(
    game: Recordable[Any], faces: Sequence[Face], position: str | None = None
) -> Iterator[tuple[Choice, Points | None]]:
    """The choices for a throw, with their points.

    Without a position it is the first throw of a game that the first seat begins, or the throws
    that the game names, such as one for each few cards that can lie open.

    Raises:
        IllegalEvent: for faces that the game does not ask for.
        RulesError: for a position that is none, or another game's.
    """
    if position is not None:
        where, state = position_from_text(position)
        if where.NAME != game.NAME:
            raise RulesError(f"expected a position of {game.NAME}, found one of {where.NAME}")
        yield from _throw(game, state, faces)
        return
    options = {name: 0 for name, words in game.OPTION_WORDS.items() if words.seat}
    start = game.start([f"P{seat + 1}" for seat in range(game.MIN_PLAYERS)], options)
    found = [dict(_throw(game, *where)) for where in game.first_throws(start, faces)]
    # What is offered everywhere depends on none of them and comes last.
    everywhere = set(found[0]).intersection(*found[1:])
    offered: dict[Choice, Points | None] = {}
    for each in found:
        offered |= {choice: each[choice] for choice in each if choice not in offered}
    yield from sorted(offered.items(), key=lambda item: item[0] in everywhere)


def _throw(
    game: Recordable[Any], state: Any, faces: Sequence[Face]
) -> Iterator[tuple[Choice, Points | None]]:
    """The choices after the throws that faces are, one throw after the other."""
    left = tuple(faces)
    while left:
        asked = game.ask(state)
        thrown = len(asked.dice) if isinstance(asked, Throw) else len(left)
        state = game.apply(state, Rolled(left[:thrown]))
        left = left[thrown:]
    for choice in game.choices(state):
        yield choice, game.preview(state, choice)


def _words(dice: Sequence[str]) -> list[str]:
    """The faces, each a word of its own, also of somebody who typed 33355."""
    return [face for word in dice for face in (word if word.isdigit() else [word])]


def _faces(game: Recordable[Any], words: Sequence[str]) -> tuple[Face, ...]:
    roll = read_event(game, Words.of(f"roll {' '.join(words)}"))
    return roll.faces if isinstance(roll, Rolled) else ()


def _print_hand(hand: NamedHand, *, as_json: bool) -> None:
    if as_json:
        fields = {"hand": hand.word, "label": hand.label, "dice": hand.dice, "reason": hand.reason}
        print(json.dumps(fields))
    else:
        print(f"{hand.label:<10} {' '.join(hand.dice)}  {hand.reason}")


def _fields(
    game: Recordable[Any], choice: Choice, label: str, points: Points | None
) -> dict[str, object]:
    return {
        "choice": event_to_text(game, choice),
        "label": label,
        "points": points.points if points else None,
        "reason": points.reason if points else "",
    }
