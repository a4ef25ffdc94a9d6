"""Pictures in time: pages that take turns, small animations, short celebrations.

Everything here is pure, so that no press waits for it; any press ends a celebration.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, singledispatch

from appliance.inputs import Button
from appliance.picture import HEIGHT, WIDTH, Picture
from appliance.screens.drawing.canvas import Canvas
from appliance.table.prompts.prompt import Prompt

LETTERS_PER_S = 12.0
"""Letters a second that a page leaves time for, as children read them."""
SETTLE_S = 0.5
"""Seconds for the eyes to find the beginning of a page."""
LEAST_PAGE_S = 1.5
"""Seconds that a page stays with however little on it: people look at their dice, too."""
MOST_CYCLE_S = 6.0
"""Seconds in which all that the prompt of a game says comes round again."""
_ROUNDING_S = 1e-6
LEISURE_S = 3.0
"""Seconds at least that the first page of a menu stays."""
ANIMATION_FRAME_S = 0.15
"""Seconds that each picture of an animation stays."""


@dataclass(frozen=True, slots=True)
class Still:
    """A picture and how many seconds it stays."""

    picture: Picture
    seconds: float

    @classmethod
    def to_read(cls, page: Picture) -> "Still":
        """A page that stays for as long as it takes to read."""
        return cls(page, reading_s(page))


def reading_s(page: Picture) -> float:
    """Seconds that it takes to read a page."""
    return _reading_letters_s(page.letters)


def _reading_letters_s(letters: int) -> float:
    return max(letters / LETTERS_PER_S + SETTLE_S, LEAST_PAGE_S)


def letters_of(*texts: str) -> int:
    """How many letters texts have, without blanks."""
    return len("".join("".join(texts).split()))


def letters_left(*pages: Picture | int) -> int:
    """How many letters one more page may have if all of them are to come round in a cycle.

    Args:
        pages: the others, or how many letters such a page has.
    """
    letters = (page if isinstance(page, int) else page.letters for page in pages)
    left_s = MOST_CYCLE_S - sum(map(_reading_letters_s, letters)) - SETTLE_S
    return int(LETTERS_PER_S * (left_s + _ROUNDING_S))


def are_within_a_cycle(letters: Iterable[int]) -> bool:
    """True if a cycle has time for pages with so many letters each."""
    return sum(map(_reading_letters_s, letters)) <= MOST_CYCLE_S + _ROUNDING_S


def within_a_cycle(pages: Sequence[Picture]) -> tuple[Picture, ...]:
    """The pages in this order, without those that a cycle has no time for after those before."""
    shown, left_s = list[Picture](), MOST_CYCLE_S
    for page in dict.fromkeys(pages):
        if not shown or reading_s(page) <= left_s + _ROUNDING_S:
            shown.append(page)
            left_s -= reading_s(page)
    return tuple(shown)


def first_within_a_cycle(
    forms: Iterable[Sequence[Picture]], most: int | None = None
) -> tuple[Picture, ...]:
    """The first of some forms of the same pages that a cycle has time for; empty ones are none.

    Of the last one, if none fits, what fits.

    Args:
        forms: the pages in ever fewer letters.
        most: how many pages there may be; any number if left out.
    """
    shown: Sequence[Picture] = ()
    for shown in filter(None, forms):
        in_time = are_within_a_cycle(page.letters for page in shown)
        if in_time and (most is None or len(shown) <= most):
            return tuple(shown)
    return within_a_cycle(shown)[:most]


def opening_of(*parts: tuple[int, Sequence[Still]]) -> tuple[Still, ...]:
    """The parts of an opening in this order, as many of them as a cycle has time for.

    Args:
        parts: the rank of each and its pictures; where not all fit, the lowest ranks stay.
    """
    left_s, stay = MOST_CYCLE_S + _ROUNDING_S, set[int]()
    for at, (_, stills) in sorted(enumerate(parts), key=lambda part: part[1][0]):
        seconds = sum(still.seconds for still in stills)
        if seconds <= left_s:
            stay.add(at)
            left_s -= seconds
    return tuple(still for at, (_, stills) in enumerate(parts) if at in stay for still in stills)


@dataclass(frozen=True, slots=True)
class Film:
    """A prompt on the board: the opening once, then the loop again and again.

    An opening `hides` the prompt if a press would do something that is not in sight meanwhile, such
    as bet, or enter a throw.
    """

    loop: tuple[Still, ...]
    opening: tuple[Still, ...] = ()
    hides: bool = False

    @classmethod
    def of_pages(
        cls, pages: Sequence[Picture], opening: Sequence[Still] = (), first_s: float = 0.0
    ) -> "Film":
        """Pages that take turns, each for as long as it takes to read; the first for `first_s`."""
        first, *others = map(Still.to_read, pages)
        first = replace(first, seconds=max(first.seconds, first_s))
        return cls((first, *others), tuple(opening))

    @property
    def length_s(self) -> float:
        """Seconds until everything was shown once."""
        return sum(still.seconds for still in (*self.opening, *self.loop))

    @property
    def turn_s(self) -> float:
        """Seconds in which all of it can be read, where dice roll on and on, too."""
        return max(self.length_s, reading_s(self.loop[0].picture))

    def is_opening_at(self, time_s: float) -> bool:
        """True while the opening is up, `time_s` seconds after the film began."""
        return time_s < sum(still.seconds for still in self.opening)

    @property
    def offers(self) -> frozenset[Button]:
        """The buttons whose effect can be read on some page of the loop."""
        return frozenset[Button]().union(*(still.picture.offers for still in self.loop))

    def takes(self, button: Button, page: Picture | None) -> bool:
        """True if a button acts while a page is up: others may tell what it does, but not this."""
        return button not in self.offers or (page is not None and button in page.offers)

    def offered_from_s(self, button: Button) -> float:
        """Seconds of the loop before the first page that offers a button; 0 if none does."""
        before_s = 0.0
        for still in self.loop:
            if button in still.picture.offers:
                return before_s
            before_s += still.seconds
        return 0.0

    @property
    def pictures(self) -> tuple[Picture, ...]:
        """The pictures in the order in which they come up, those of the opening first."""
        return tuple(still.picture for still in (*self.opening, *self.loop))

    def picture_at(self, time_s: float) -> Picture:
        """The picture that is up `time_s` seconds after the film began."""
        for still in self.opening:
            if time_s < still.seconds:
                return still.picture
            time_s -= still.seconds
        time_s %= sum(still.seconds for still in self.loop)
        for still in self.loop:
            if time_s < still.seconds:
                return still.picture
            time_s -= still.seconds
        return self.loop[0].picture


def animation_stills(pictures: Sequence[Picture]) -> tuple[Still, ...]:
    """Pictures that follow each other fast enough to look like motion."""
    return tuple(Still(picture, ANIMATION_FRAME_S) for picture in pictures)


@singledispatch
def pages(prompt: Prompt) -> tuple[Picture, ...]:
    """The pages of a prompt, what to do now first. Each kind of prompt registers its own.

    TypeError for a prompt that has no screen.
    """
    raise TypeError(f"no screen for {type(prompt).__name__}")


@singledispatch
def film(prompt: Prompt) -> Film:
    """A prompt in time: its pages in turn, where no animation is registered for it."""
    return Film.of_pages(pages(prompt), first_s=LEISURE_S if prompt.at_leisure else 0.0)


_FIREWORK_BURSTS = ((16, 8, 0), (48, 7, 3), (32, 8, 6))
"""Where fireworks burst, and in which frame."""
_SPARK_DIRECTIONS = (
    (2, 0),
    (-2, 0),
    (0, 1),
    (0, -1),
    (2, 1),
    (2, -1),
    (-2, 1),
    (-2, -1),
    (1, 2),
    (-1, -2),
)
"""The directions in which the sparks of a burst fly, in columns and rows per frame."""
_FIREWORK_FRAMES = 12
_SPARK_LIFE_FRAMES = 6


@cache
def fireworks() -> tuple[Picture, ...]:
    """Three bursts of sparks, 12 pictures."""
    shown = []
    for frame in range(_FIREWORK_FRAMES):
        canvas = Canvas()
        for x, y, begins in _FIREWORK_BURSTS:
            age = frame - begins
            if 0 <= age < _SPARK_LIFE_FRAMES:
                for dx, dy in _SPARK_DIRECTIONS:
                    # Two lights to a spark while it is young, so that it draws a trail.
                    for reach in {age, max(age - 1, 0)}:
                        at = x + dx * reach, y + dy * reach
                        if 0 <= at[0] < WIDTH and 0 <= at[1] < HEIGHT:
                            canvas.light(*at)
        shown.append(canvas.picture)
    return tuple(shown)


@cache
def curtain() -> tuple[Picture, ...]:
    """A curtain of light that closes from both sides, 8 pictures."""
    shown = []
    for frame in range(1, 9):
        canvas = Canvas()
        wide = frame * WIDTH // 16
        canvas.block(0, 0, wide, HEIGHT)
        canvas.block(WIDTH - wide, 0, wide, HEIGHT)
        shown.append(canvas.picture)
    return tuple(shown)


def flashing_pictures(picture: Picture) -> tuple[Picture, ...]:
    """A picture that alternates with its inverse, three times."""
    opposite = replace(picture, data=bytes(byte ^ 0xFF for byte in picture.data))
    return (opposite, picture) * 3
