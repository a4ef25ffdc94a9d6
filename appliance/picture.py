"""The picture that a scoreboard shows: one bit for each light."""

from dataclasses import dataclass, field, replace
from typing import Self

from appliance.inputs import Button

WIDTH = 64
HEIGHT = 16
BRIGHTEST = 15
BRIGHTNESS_LEVELS = range(BRIGHTEST + 1)
"""From the dimmest (data sheet of the MAX7219, 19-4452, table 7: intensity register)."""
BRIGHTNESS_TEXT = f"0 to {BRIGHTEST}"
LETTERS_OF_DRAWING = 4
"""A drawing takes as long to read as this many letters."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A 64x16 picture of lights.

    Attributes:
        data: 128 bytes, row by row from the top, eight lights a byte, the leftmost light in the
            most significant bit; the same order as the payload of a FRAME on the link.
        offers: the buttons whose effect can be read on it, of those that do something of which
            other pages of the same film may say nothing. Pictures are equal if their lights are.
        words: the texts on it, in the order in which they were drawn.
        drawings: how many dice, crowns and the like are on it.
    """

    data: bytes = bytes(WIDTH * HEIGHT // 8)
    offers: frozenset[Button] = field(default=frozenset(), compare=False)
    words: tuple[str, ...] = field(default=(), compare=False)
    drawings: int = field(default=0, compare=False)

    def __post_init__(self) -> None:
        if len(self.data) != WIDTH * HEIGHT // 8:
            raise ValueError(
                f"a picture has {WIDTH * HEIGHT // 8} bytes, got {len(self.data)}; "
                "build it with Canvas"
            )

    @property
    def letters(self) -> int:
        """How many letters there are to read: digits and signs are letters, a drawing is four."""
        return sum(map(len, "".join(self.words).split())) + LETTERS_OF_DRAWING * self.drawings

    def offering(self, *buttons: Button) -> Self:
        """This picture, from which it can be read what these buttons do."""
        return replace(self, offers=frozenset(buttons))

    def is_lit(self, x: int, y: int) -> bool:
        """True if the light in column x (from the left) and row y (from the top) is on."""
        return bool(self.data[y * (WIDTH // 8) + x // 8] & (0x80 >> x % 8))

    def rows(self, on: str = "#", off: str = ".") -> tuple[str, ...]:
        """The picture as 16 strings of 64 characters, for golden files and terminals."""
        return tuple(
            "".join(on if self.is_lit(x, y) else off for x in range(WIDTH)) for y in range(HEIGHT)
        )
