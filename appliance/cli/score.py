"""`dicetray score GAME DICE...`: what a throw is worth on an empty sheet, or in any position."""

import argparse
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from appliance.rules.dice import FIVE
from appliance.rules.free_for_all import game as free_for_all
from appliance.rules.free_for_all.deck import CENTRE
from appliance.rules.free_for_all.deck import DEFAULT as DEFAULT_DECK
from appliance.rules.game import (
    Choice,
    DieKind,
    Face,
    Keep,
    Points,
    Rolled,
    RulesError,
    ShownDie,
    Throw,
)
from appliance.rules.holdem import game as holdem
from appliance.rules.holdem.evaluator import OF_A_SUIT, SUITS, Hand, best, surplus
from appliance.rules.notation.events import (
    Recordable,
    RecordError,
    Words,
    event_to_text,
    read_event,
)
from appliance.rules.record import position_from_text
from appliance.rules.registry import GAMES, find
from appliance.rules.showdown import game as showdown

_NOTES = """\
classic        3 3 3 5 5: five dice, scored on an empty sheet
power          4 4 4 4 6 double: five dice, then the Power die (x1 x2 x3 double freeze power)
showdown       5 5 5 2 2: the black dice, the pawn on an empty space; of six dice the first is red
free-for-all   1 2 3 4 4: each card of the default deck as if it lay in the centre
holdem         r5 b5 w5 y5 r6 r1 b2: five to seven dice with their colours, red, black, white or
               yellow; names the best hand

--position takes the line that `dicetray replay` prints last (in quotes): the throw is then made
there, and only what the game asks for next can be thrown.
"""
_COLOURS: Mapping[str, DieKind] = {kind.value[0]: kind for kind in SUITS}
_COLOURED = re.compile(r"([rbwy])([1-6])")
_MOST_DICE = 7


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Adds the command to the program's."""
    parser = subparsers.add_parser(
        "score",
        help="list what a throw scores",
        description="Lists every legal choice for a throw, with points and why.",
        epilog=_NOTES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("game", metavar="GAME", help=f"one of: {', '.join(GAMES)}")
    parser.add_argument("dice", metavar="DICE", nargs="+", help="the faces, such as 3 3 3 5 5")
    parser.add_argument("--position", metavar="LINE", help="where the throw is made")
    parser.add_argument("--holds", action="store_true", help="list the dice to hold, too")
    parser.add_argument("--json", action="store_true", help="print one JSON object a choice")
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Prints the choices; 2 for an unknown game or dice that it does not throw."""
    try:
        game = find(args.game)
        if args.game == holdem.NAME and args.position is None:
            _print_hand(*best(_coloured(args.dice)), as_json=args.json)
            return 0
        found = list(legal_choices(game, _faces(game, args.dice), args.position))
    except RecordError as error:
        print(f"dicetray score: expected {error.expected}, found {error.found}", file=sys.stderr)
        return 2
    except RulesError as error:
        print(f"dicetray score: {error}", file=sys.stderr)
        return 2
    for choice, points in found:
        if isinstance(choice, Keep) and not args.holds:
            continue
        # Which space of the centre a card would lie on says nothing when all of them are shown.
        label = choice.label
        if isinstance(choice, free_for_all.Take) and args.position is None:
            label = choice.card.label
        if args.json:
            print(json.dumps(_fields(game, choice, label, points)))
        else:
            told = f"{points.points:>4}  {points.reason}" if points else ""
            print(f"{label:<10} {told}".rstrip())
    return 0


def legal_choices(
    game: Recordable[Any], faces: Sequence[Face], position: str | None = None
) -> Iterator[tuple[Choice, Points | None]]:
    """The choices for a throw, with their points.

    Without a position it is the first throw of a game that the first seat begins. Where a turn
    begins with a throw of its own, as of the red die, its face comes first; five dice alone are
    the black ones of a pawn that moved by one. In Free for All each different card of the default
    deck is offered as if it lay in the centre.

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
    options = {"first": 0} if "first" in game.OPTIONS else {}
    start = game.start([f"P{seat + 1}" for seat in range(game.MIN_PLAYERS)], options)
    if game.NAME == free_for_all.NAME:
        yield from _each_card(game, start, faces)
    elif game.NAME == showdown.NAME and len(faces) == FIVE:
        yield from _throw(game, start, (1, *faces))
    else:
        yield from _throw(game, start, faces)


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


def _each_card(
    game: Recordable[Any], start: Any, faces: Sequence[Face]
) -> Iterator[tuple[Choice, Points | None]]:
    """The choices when every different card of the deck lies open, three at a time.

    Cards come first, then what does not depend on them.
    """
    cards = sorted(set(DEFAULT_DECK.cards))
    others: dict[Choice, Points | None] = {}
    for first in range(0, len(cards), CENTRE):
        state = start
        for card in cards[first : first + CENTRE]:
            state = game.apply(state, free_for_all.TurnUp(card))
        for choice, points in _throw(game, state, faces):
            if isinstance(choice, free_for_all.Take):
                yield choice, points
            else:
                others.setdefault(choice, points)
    yield from others.items()


def _faces(game: Recordable[Any], words: Sequence[str]) -> tuple[Face, ...]:
    roll = read_event(game, Words.of(f"roll {' '.join(words)}"))
    return roll.faces if isinstance(roll, Rolled) else ()


def _coloured(words: Sequence[str]) -> tuple[ShownDie, ...]:
    """Dice of Hold'em from words such as `r5`.

    Raises:
        RulesError: for other words, a number of dice that is not 5 to 7, or a sixth of a colour.
    """
    dice = []
    for word in words:
        found = _COLOURED.fullmatch(word)
        if found is None:
            raise RulesError(f"expected a colour and a face such as r5 (r b w y), found {word!r}")
        dice.append(ShownDie(_COLOURS[found[1]], int(found[2])))
    if not FIVE <= len(dice) <= _MOST_DICE:
        raise RulesError(f"expected {FIVE} to {_MOST_DICE} dice, found {len(dice)}")
    if (kind := surplus(dice)) is not None:
        raise RulesError(f"expected at most {OF_A_SUIT} dice of a colour, found more {kind} ones")
    return tuple(dice)


def _print_hand(hand: Hand, dice: Sequence[ShownDie], *, as_json: bool) -> None:
    order = {face: place for place, face in reversed(list(enumerate(hand.faces)))}
    told = [f"{die.kind[0]}{die.face}" for die in sorted(dice, key=lambda die: order[die.face])]
    alike = f"{hand.alike} of a colour"
    if as_json:
        fields = {"hand": hand.rank.word, "label": hand.rank.label, "dice": told, "reason": alike}
        print(json.dumps(fields))
    else:
        print(f"{hand.rank.label:<10} {' '.join(told)}  {alike}")


def _fields(
    game: Recordable[Any], choice: Choice, label: str, points: Points | None
) -> dict[str, object]:
    return {
        "choice": event_to_text(game, choice),
        "label": label,
        "points": points.points if points else None,
        "reason": points.reason if points else "",
    }
