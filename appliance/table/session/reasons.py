"""What dice are held for, in two words: what a person would say who looks at dice and sheet.

The solvers weigh all that may become of a throw, and have no such reason. This one is read off the
dice that are held and what is still open for them.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from appliance.rules.game import Choose, Face
from appliance.table.session.session import Session
from appliance.table.session.sheets import table_spots

_NUMBERS = (("ACES", "ONES"), ("TWOS",), ("THREES",), ("FOURS",), ("FIVES",), ("SIXES",))
_FIVE_ALIKE = ("FIVE ALIKE", "5 ALIKE")
_FOUR_ALIKE, _THREE_ALIKE = ("4 ALIKE",), ("3 ALIKE",)
_FULL_HOUSE, _TWO_PAIRS = ("FULL HOUSE", "FULL H"), ("TWO PAIRS",)
_LARGE, _SMALL = ("LARGE STR", "LG STR"), ("SMALL STR", "SM STR")
_CHANCE = ("CHANCE",)
_PLACE_LETTERS = "C123456"
_WIDEST_RUN = 4
"""Between the lowest and the highest of five numbers in a row."""


def reason_to_hold(session: Session, slots: Sequence[int]) -> str:
    """What these dice are held for, such as "FOR THREES"; empty where nobody could say."""
    dice = session.rules.dice(session.state)
    faces = [dice[slot] for slot in slots if slot < len(dice)]
    numbers = [face for face in faces if isinstance(face, int)]
    wanted = open_labels(session)
    for names in _aims(numbers):
        for name in names:
            if name in wanted:
                return f"FOR {name}"
    return ""


def _aims(held: Sequence[Face]) -> Iterator[Sequence[str]]:
    """What these numbers are on the way to, the likeliest meaning first."""
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


def open_labels(session: Session) -> Collection[str]:
    """The boxes that are open, or the cards that the dice may be used for, without their places."""
    ask = session.rules.ask(session.state)
    if not isinstance(ask, Choose):
        return ()
    table = table_spots(session, ask.seat)
    if table is None:
        rows = session.rules.sheet(session.state, ask.seat).rows
        labels = [row.label for row in rows if row.points is None]
        return {label.rstrip(" 123") if label[-2:-1] == " " else label for label in labels}
    spots = table.aims or (table.beside if table.ring else ())
    return {
        spot.label.split(" ", 1)[1] if spot.label[0] in _PLACE_LETTERS and not table.ring
        else spot.label
        for spot in spots
    }  # fmt: skip
