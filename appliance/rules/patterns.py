"""Names of what dice may show, alike in all games: short on the board, plain in a record."""

from enum import IntEnum

_LABELS = {
    "THREE_ALIKE": "3 ALIKE",
    "FOUR_ALIKE": "4 ALIKE",
    "SMALL_STRAIGHT": "SMALL STR",
    "LARGE_STRAIGHT": "LARGE STR",
    "STRAIGHT_FLUSH": "STR FLUSH",
}


class Pattern(IntEnum):
    """What a box, card or hand asks of the dice; each game lists its own, in its own order."""

    @property
    def label(self) -> str:
        """The pattern in at most ten capitals, for the board."""
        return _LABELS.get(self.name, self.name.replace("_", " "))

    @property
    def word(self) -> str:
        """The pattern in the text of a record."""
        return self.name.lower().replace("_", "-")
