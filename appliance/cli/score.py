"""`dicetray score GAME DICE...`: what a throw is worth on an empty sheet, or in any position."""

import argparse
import json
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from appliance.cli.commands import report_bad_input
from appliance.cli.shared.game_names import game_name
from appliance.words import Label
from games import values as rules
from games.game import Game
from games.notation.events import POWER_WORDS, event_to_text, read_event
from games.notation.verbs import NamedHand
from games.notation.words import RecordError, Words
from games.record import position_from_text
from games.registry import GAMES, find_game

if TYPE_CHECKING:
    from appliance.cli.main import CommandParser

_NOTES_OF_HELP = """\
{games}

--position takes the line that `dicetray replay` prints last (in quotes): the throw is then made
there, and only what the game asks for next can be thrown.
"""
_NOBODY = "YOU"
"""Who throws where there is no game."""
_NOTES_COLUMNS = 99
_INDENT_COLUMNS = 15


def add_arguments(parser: "CommandParser") -> None:
    """Describes the command and its arguments."""
    parser.description = (
        "Lists every legal choice for a throw, the best first, with points and why."
    )
    parser.notes = _notes
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("game", metavar="GAME", help="one of the games below")
    faces = "the faces, such as 3 3 3 5 5 or 33355"
    parser.add_argument("dice", metavar="DICE", nargs="+", help=faces)
    parser.add_argument("--position", metavar="LINE", help="the position before the throw")
    holds = "also list which dice to hold, with what that scores on average"
    parser.add_argument("--holds", action="store_true", help=holds)
    parser.add_argument("--json", action="store_true", help="print one JSON object per choice")
    parser.set_defaults(func=run)


def _notes() -> str:
    lines = (f"{name:<{_INDENT_COLUMNS}}{game.example}" for name, game in GAMES.items())
    filled = partial(textwrap.fill, width=_NOTES_COLUMNS, subsequent_indent=" " * _INDENT_COLUMNS)
    return _NOTES_OF_HELP.format(games="\n".join(map(filled, lines)))


def run(args: argparse.Namespace) -> int:
    """Prints the choices; 2 for an unknown game or dice that it does not throw."""
    try:
        game = find_game(game_name(args.game))
        # Faces may be typed as one word, as in 33355.
        dice = [face for word in args.dice for face in (word if word.isdigit() else [word])]
        if args.position is None and (hand := game.name_hand(dice)) is not None:
            _print_hand(hand, as_json=args.json)
            return 0
        faces = _parse_faces(game, dice)
        found = list(legal_choices(game, faces, args.position, holds=args.holds))
    except rules.IllegalEvent as error:
        # The throw is reported as it was typed.
        expected = str(error).partition("; got ")[0]
        if args.position is None:
            expected = expected.removesuffix(f", thrown by {_NOBODY}")
        return report_bad_input("score", f"{expected}; found {' '.join(dice)}")
    except RecordError as error:
        foreign = "" if rules.DieKind.POWER in game.dice_kinds else f", {', '.join(POWER_WORDS)}"
        expected = error.expected.replace(foreign, "")
        return report_bad_input("score", f"expected {expected}, found {error.found}")
    except rules.RulesError as error:
        return report_bad_input("score", str(error))
    crossed_out = []
    for offer in sorted(found, key=Offer.rank):
        # Where a thing lies means nothing while there is no table.
        label = Label(offer.choice.thing if args.position is None else offer.choice.key)
        if args.json:
            print(json.dumps(offer.fields(game, label)))
        elif label.startswith(_CROSSED_OUT):
            crossed_out.append(label.removeprefix(_CROSSED_OUT))
        else:
            print(f"{label:<10} {offer}".rstrip())
    if crossed_out:
        print(f"or 0 points, on purpose, for {', '.join(crossed_out)}")
    return 0


_CROSSED_OUT = "0 "
"""The beginning of the label of a box that takes no points although the dice bring some."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A legal choice and what it scores; for dice to hold, what they bring, where that is known."""

    choice: rules.Choice
    points: rules.Points | None
    expects: float | None = None
    measure: rules.Measure = rules.Measure.TOTAL

    def rank(self) -> tuple[bool, float]:
        """Sort key: choices that score at once before the rest, in both the best first."""
        if self.points is not None:
            return False, -self.points.points
        return True, -(self.expects or 0.0)

    def __str__(self) -> str:
        if self.points is not None:
            return f"{self.points.points:>4}  {Label(self.points.reason)}"
        return (
            ""
            if self.expects is None
            else f"{self.expects:>6.1f}  {_WORDS_OF_MEASURE[self.measure]}"
        )

    def fields(self, game: Game[Any], label: str) -> dict[str, object]:
        """The JSON object."""
        points = self.points
        fields: dict[str, object] = {
            "choice": event_to_text(game, self.choice),
            "label": label,
            "points": points.points if points else None,
            "reason": Label(points.reason) if points else "",
        }
        if self.expects is None:
            return fields
        return {**fields, "expects": round(self.expects, 2), "measure": Label(self.measure)}


_WORDS_OF_MEASURE = {
    rules.Measure.TOTAL: "final total on average",
    rules.Measure.GAIN: "points on average",
    rules.Measure.WIN: "to win",
}


def legal_choices(
    game: Game[Any], faces: Sequence[rules.Face], position: str | None = None, *, holds: bool = True
) -> Iterator[Offer]:
    """The choices for a throw, with their points and, for dice to hold, what they may bring.

    Dice to hold are left out without `holds`: to weigh them takes far longer than all the rest.
    Without a position it is the first throw of a game that the first seat begins, or the throws
    that the game names, such as one for every few cards that can lie open. IllegalEvent for faces
    that the game does not ask for; RulesError for an invalid position or another game's.
    """
    if position is not None:
        where, state = position_from_text(position)
        if where.name != game.name:
            raise rules.RulesError(f"the position is one of {where.name}, not of {game.name}")
        yield from _choices_after(game, state, faces, holds=holds)
        return
    options = {name: 0 for name, words in game.option_words.items() if words.seat}
    names = [_NOBODY, *(f"P{seat + 1}" for seat in range(1, game.min_players))]
    throws = game.first_throws(game.start(names, options), faces)
    found = [
        {each.choice: each for each in _choices_after(game, *where, holds=holds)}
        for where in throws
    ]
    # What every throw offers depends on none of them and comes last.
    everywhere = set(found[0]).intersection(*found[1:])
    offered: dict[rules.Choice, Offer] = {}
    for each in found:
        offered |= {choice: each[choice] for choice in each if choice not in offered}
    for choice in sorted(offered, key=lambda choice: choice in everywhere):
        # What dice to hold may bring depends on what lies there.
        yield offered[choice] if len(found) == 1 else Offer(choice, offered[choice].points)


def _choices_after(
    game: Game[Any], state: Any, faces: Sequence[rules.Face], *, holds: bool
) -> Iterator[Offer]:
    """The choices after throwing these faces, as one throw or several in a row."""
    left = tuple(faces)
    while left:
        asked = game.ask(state)
        thrown = len(asked.dice) if isinstance(asked, rules.Throw) else len(left)
        state = game.apply(state, rules.Rolled(left[:thrown]))
        left = left[thrown:]
    choices = [each for each in game.choices(state) if holds or not isinstance(each, rules.Keep)]
    points = {choice: game.preview(state, choice) for choice in choices}
    if None not in points.values():
        yield from (Offer(choice, points[choice]) for choice in choices)
        return
    from games.strategy import advice

    worth, measure = advice.weigh(game, state)
    for choice in choices:
        expects = worth.get(choice) if points[choice] is None else None
        yield Offer(choice, points[choice], expects, measure)


def _parse_faces(game: Game[Any], words: Sequence[str]) -> tuple[rules.Face, ...]:
    roll = read_event(game, Words.of(f"roll {' '.join(words)}"))
    return roll.faces if isinstance(roll, rules.Rolled) else ()


def _print_hand(hand: NamedHand, *, as_json: bool) -> None:
    if as_json:
        fields = {
            "hand": hand.word,
            "label": Label(hand.word),
            "dice": hand.dice,
            "reason": hand.reason,
        }
        print(json.dumps(fields))
    else:
        print(f"{Label(hand.word):<10} {' '.join(hand.dice)}  {hand.reason}")
