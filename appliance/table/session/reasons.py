"""Reasons to hold dice, in two words: what a person would say who looks at dice and sheet.

The solvers weigh all that may become of a throw, and have no such reason. This one is read off the
dice that are held and what is still open for them.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from appliance.table.session.session import Session
from appliance.words import Label
from games.values import Choose, Face

_NUMBERS = (("aces", "ones"), ("twos",), ("threes",), ("fours",), ("fives",), ("sixes",))
_FIVE_ALIKE, _FOUR_ALIKE, _THREE_ALIKE = ("five-alike",), ("four-alike",), ("three-alike",)
_FULL_HOUSE, _TWO_PAIRS = ("full-house",), ("two-pairs",)
_LARGE = ("large-straight",)
_SMALL = ("small-straight",)
_CHANCE = ("chance",)
_WIDEST_RUN = 4
"""Between the lowest and the highest of five numbers in a row."""


def reason_to_hold(session: Session, slots: Sequence[int]) -> str:
    """The reason to hold these dice, such as "FOR THREES"; empty where nobody could say."""
    dice = session.record.dice
    faces = [dice[slot] for slot in slots if slot < len(dice)]
    numbers = [face for face in faces if isinstance(face, int)]
    wanted = open_labels(session)
    for names in _aims(numbers):
        for name in names:
            if name in wanted:
                return f"FOR {wanted[name]}"
    return ""


def _aims(held: Sequence[Face]) -> Iterator[Sequence[str]]:
    """The aims that these numbers are on the way to, the likeliest first."""
    numbers = [face for face in held if isinstance(face, int)]
    if not numbers:
        return
    often = Counter(numbers).most_common()
    (face, most), different = often[0], len(often)
    if different == 1:
        if most >= _WIDEST_RUN:
            yield _FIVE_ALIKE
        yield _NUMBERS[face - 1]
        alike = [_THREE_ALIKE, _FOUR_ALIKE, _FIVE_ALIKE]
        yield from alike if most < len(alike) else alike[::-1]
        yield from (_FULL_HOUSE, _TWO_PAIRS)
    elif different == 2 and min(times for _, times in often) > 1:
        yield from (_FULL_HOUSE, _TWO_PAIRS)
    elif different == len(numbers) and max(numbers) - min(numbers) <= _WIDEST_RUN:
        yield from (_LARGE, _SMALL) if different >= _WIDEST_RUN else (_SMALL, _LARGE)
    yield _CHANCE


def open_labels(session: Session) -> Mapping[str, str]:
    """The labels of boxes that are open, or of cards that the dice may be used for, by their keys.

    Keys and labels are without places and numbers.
    """
    rules, state = session.record.rules, session.record.state
    ask = rules.ask(state)
    if not isinstance(ask, Choose):
        return {}
    table = rules.table_view(state)
    aims = [place for place in table.places if place.aim] or (table.beside if table.ring else ())
    rows = [row for row in rules.sheet(state, ask.seat).rows if row.points is None]
    keys = [thing.key for thing in (aims if table.places else rows)]
    return dict(_without_place(key, Label(key)) for key in keys)


def _without_place(key: str, label: str) -> tuple[str, str]:
    """A key and its label without a place before them, such as `c1`, and a number behind them."""
    first, _, rest = key.partition(" ")
    if rest and any(map(str.isdigit, first)):
        return rest, label.partition(" ")[2]
    if rest and key[-1].isdigit():
        return key.rpartition(" ")[0], label.rpartition(" ")[0]
    return key, label
