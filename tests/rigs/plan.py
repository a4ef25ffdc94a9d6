"""How a simple player decides: the same for one who sees the board and for one who only listens.

It is given facts, and knows neither games nor prompts. Boxes, cards and choices go by the keys of
the rules, such as `full-house`.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

NUMBERS = ("aces", "twos", "threes", "fours", "fives", "sixes")
LOOKED_AT = 3
"""So many choices of a list are looked at: the best come first."""
_PAR = {
    **{name: 5 * (face + 1) / 2 for face, name in enumerate(NUMBERS)},
    "ones": 2.5,
    "pair": 9,
    "two-pairs": 14,
    "three-alike": 20,
    "four-alike": 14,
    "full-house": 20,
    "small-straight": 20,
    "large-straight": 22,
    "chance": 22,
    "five-alike": 12,
    "yatzy": 12,
    "choice": 10,
    "other-choices": 99,
}
"""The points that a box brings by and by: less is no use of it."""
_WORTH_TAKING = 6
"""Points of a card for which no more dice are thrown."""


@dataclass(frozen=True, slots=True)
class Roll:
    """What one knows of a roll.

    Attributes:
        dice: numbers by place, and words for the Power die.
        roll: which roll of the turn it is.
        rolls: how many there may be.
        wanted: the boxes that are open, or the one card that the roll is for.
        made: the points of the best card that the dice make; 0 for none.
    """

    dice: Sequence[int | str]
    roll: int
    rolls: int
    wanted: Collection[str]
    made: int = 0


def places_to_hold(now: Roll) -> frozenset[int] | None:
    """The places of the dice to hold; None to throw no more."""
    if now.roll >= now.rolls or now.made >= _WORTH_TAKING:
        return None
    numbers = {place: face for place, face in enumerate(now.dice) if isinstance(face, int)}
    others = frozenset(
        p for p, face in enumerate(now.dice) if face in ("2", "3", "double", "power")
    )
    faces = [*numbers.values()]
    run = max((_run_from(low, faces) for low in range(1, 7)), key=len)
    straights = {"small-straight", "large-straight"} & {*now.wanted}
    if straights and len(run) == 5:
        return None
    if straights and len(run) == 4:
        if "large-straight" not in straights:
            return None
        return frozenset(next(p for p, face in numbers.items() if face == f) for f in run) | others
    counts = {face: faces.count(face) for face in faces}
    if "full-house" in now.wanted and sorted(counts.values()) == [2, 3]:
        return None
    aim = [name for name in now.wanted if name in NUMBERS] if len(now.wanted) == 1 else []
    best = NUMBERS.index(aim[0]) + 1 if aim else max(counts, key=lambda f: (counts[f], f))
    if counts.get(best, 0) == 5:
        return None
    return frozenset(p for p, face in numbers.items() if face == best) | others


def _run_from(low: int, faces: Collection[int]) -> tuple[int, ...]:
    """The faces that follow each other from one on."""
    run: tuple[int, ...] = ()
    while low in faces:
        run, low = (*run, low), low + 1
    return run


def best_choice(choices: Sequence[tuple[str, int]]) -> int:
    """Which of the choices looked at to take, by their boxes and points."""
    gains = [points - _PAR.get(box, 0) for box, points in choices]
    return gains.index(max(gains))


def is_bet_taken(label: str) -> bool:
    """Whether to take an act of a round of betting: little is bet, everything called."""
    return label.lower().startswith(("bet", "call", "all in"))
