"""The bag and the cups of Hold'em at the simulated table: twenty dice, drawn blind."""

from collections.abc import Mapping, Sequence

import numpy as np

from appliance.rules.holdem_hand import OF_A_SUIT, SUITS
from vision.reading import Kind

BAG: Mapping[int, Kind] = {
    number: Kind(SUITS[number // OF_A_SUIT].value) for number in range(OF_A_SUIT * len(SUITS))
}
"""The dice of the bag by number."""


class Bag:
    """Which dice are in the bag, under the cups and thrown for all.

    Args:
        rng: draws.

    Attributes:
        flop: the dice of the Flop, which may be thrown again.
        cups: the two dice under each player's cup.
    """

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self._inside: list[int] = []
        self.flop: tuple[int, ...] = ()
        self.cups: dict[str, tuple[int, ...]] = {}

    def deal(self, players: Sequence[str]) -> None:
        """Puts all dice back, shakes the bag, and draws two dice for each player."""
        self._inside = [int(die) for die in self._rng.permutation(len(BAG))]
        self.flop = ()
        self.cups = {player: self.draw(2) for player in players}

    def draw(self, count: int) -> tuple[int, ...]:
        """Draws dice blind."""
        return tuple(self._inside.pop() for _ in range(count))

    def throw_for_all(self, purpose: str, count: int) -> tuple[int, ...]:
        """The dice for a throw that the board calls this; those of the Flop may come again."""
        if purpose == "FLOP AGAIN" and self.flop:
            return self.flop
        dice = self.draw(count)
        if purpose.startswith("FLOP"):
            self.flop = dice
        return dice
