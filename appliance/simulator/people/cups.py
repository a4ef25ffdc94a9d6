"""The bag and the cups at the simulated table, where dice are drawn blind and hidden."""

from collections.abc import Mapping, Sequence

import numpy as np

from games.values import Face, ShownDie
from games.views import BetsView
from vision.reading import Kind

POCKET_DICE = 2
"""How many dice each player hides under a cup."""


class Bag:
    """Tracks which dice are in the bag, under the cups and thrown for all.

    Attributes:
        size: how many dice the game has.
        flop: the dice of the Flop, which may be thrown again.
        cups: the two dice under each player's cup.
    """

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self._inside: list[int] = []
        self.size = 0
        self.flop: tuple[int, ...] = ()
        self.cups: dict[str, tuple[int, ...]] = {}

    @property
    def dealt(self) -> bool:
        """True while dice lie under cups."""
        return bool(self.cups)

    def deal(self, players: Sequence[str]) -> None:
        """Puts all dice back, shakes the bag, and draws two dice for each player."""
        self._inside = [int(die) for die in self._rng.permutation(self.size)]
        self.flop = ()
        self.cups = {player: self.draw(POCKET_DICE) for player in players}

    def draw(self, count: int) -> tuple[int, ...]:
        """Draws dice blind."""
        return tuple(self._inside.pop() for _ in range(count))

    def throw_for_all(self, purpose: str, count: int) -> tuple[int, ...]:
        """The dice for a throw with this purpose; those of the Flop may be thrown again."""
        if purpose == "FLOP AGAIN" and self.flop:
            return self.flop
        dice = self.draw(count)
        if purpose.startswith("FLOP"):
            self.flop = dice
        return dice


class DealtHand:
    """One hand as people hold it: the dice under each cup, and the community dice.

    When a hand is resumed whose deal is not known, as after a restart, it is dealt again around the
    dice that have been shown.

    Args:
        rng: draws the dice and throws them under the cups.
        bets: the hand as it stands.
        kinds: the dice in the bag, by number.

    Attributes:
        cups: the two dice under each player's cup, by seat, including those of a shown pocket.
        faces: what each drawn die shows.
        common: the community dice that count, in the order in which they were thrown.
    """

    def __init__(self, rng: np.random.Generator, bets: BetsView, kinds: Mapping[int, Kind]) -> None:
        self._kinds = kinds
        self._bag = [int(die) for die in rng.permutation(len(kinds))]
        self.faces: dict[int, Face] = {}
        self.common: list[int] = []
        self.cups: dict[int, tuple[int, ...]] = {}
        self.follow(bets, ())
        shown = {seat: pocket for seat, pocket in enumerate(bets.pockets) if pocket}
        for seat, pocket in shown.items():
            self.cups[seat] = tuple(self._take_recorded(die) for die in pocket)
        for seat in range(len(bets.pockets)):
            if seat not in self.cups:
                self.cups[seat] = tuple(self._bag.pop() for _ in range(POCKET_DICE))
        for die in self.hidden():
            self.faces.setdefault(die, int(rng.integers(6)) + 1)

    def hidden(self) -> frozenset[int]:
        """The dice under the cups."""
        return frozenset(die for cup in self.cups.values() for die in cup)

    def next_from_bag(self, count: int) -> tuple[int, ...]:
        """The dice that the dealer draws blind; they stay in the bag until their throw counts."""
        return tuple(self._bag[:count])

    def follow(self, bets: BetsView, thrown: Sequence[int]) -> None:
        """Updates which community dice count; those of a throw taken back return to the bag.

        Args:
            bets: the hand as it stands now.
            thrown: the dice of the last throw.
        """
        while len(self.common) > len(bets.community):
            self._bag.append(self.common.pop())
        for die in bets.community[len(self.common) :]:
            fresh = [body for body in thrown if body in self._bag]
            alike = [body for body in fresh if self._kinds[body].value == die.kind.value]
            self.common.append(self._take_recorded(die, alike or fresh))

    def _take_recorded(self, die: ShownDie, among: Sequence[int] = ()) -> int:
        """Takes out of the bag a die that can be the one on record."""
        alike = [body for body in self._bag if self._kinds[body].value == die.kind.value]
        body = (*among, *alike, *self._bag)[0]
        self._bag.remove(body)
        self.faces.setdefault(body, die.face)
        return body
