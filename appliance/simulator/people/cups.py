"""The bag and the cups of Hold'em at the simulated table: twenty dice, drawn blind."""

from collections.abc import Mapping, Sequence

import numpy as np

from games.holdem.evaluator import BAG as COLOURS
from games.holdem.state import POCKET_DICE, State
from games.values import Face, ShownDie
from vision.reading import Kind

KINDS_IN_BAG: Mapping[int, Kind] = {number: Kind(kind.value) for number, kind in enumerate(COLOURS)}
"""The dice in the bag, by number."""


class Bag:
    """Tracks which dice are in the bag, under the cups and thrown for all.

    Attributes:
        flop: the dice of the Flop, which may be thrown again.
        cups: the two dice under each player's cup.
    """

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self._inside: list[int] = []
        self.flop: tuple[int, ...] = ()
        self.cups: dict[str, tuple[int, ...]] = {}

    @property
    def dealt(self) -> bool:
        """True while dice lie under cups."""
        return bool(self.cups)

    def deal(self, players: Sequence[str]) -> None:
        """Puts all dice back, shakes the bag, and draws two dice for each player."""
        self._inside = [int(die) for die in self._rng.permutation(len(KINDS_IN_BAG))]
        self.flop = ()
        self.cups = {player: self.draw(2) for player in players}

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
        state: the hand as it stands.

    Attributes:
        cups: the two dice under each player's cup, by seat, including those of a shown pocket.
        faces: what each drawn die shows.
        common: the community dice that count, in the order in which they were thrown.
    """

    def __init__(self, rng: np.random.Generator, state: State) -> None:
        self._rng = rng
        self._bag = [int(die) for die in rng.permutation(len(KINDS_IN_BAG))]
        self.faces: dict[int, Face] = {}
        self.common: list[int] = []
        self.cups: dict[int, tuple[int, ...]] = {}
        self.follow(state, ())
        shown = {seat: pocket for seat, pocket in enumerate(state.pockets) if pocket}
        for seat, pocket in shown.items():
            self.cups[seat] = tuple(self._take_recorded(die) for die in pocket)
        for seat in range(len(state.players)):
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

    def follow(self, state: State, thrown: Sequence[int]) -> None:
        """Updates which community dice count; those of a throw taken back return to the bag.

        Args:
            state: the hand as it stands now.
            thrown: the dice of the last throw.
        """
        while len(self.common) > len(state.community):
            self._bag.append(self.common.pop())
        for die in state.community[len(self.common) :]:
            fresh = [body for body in thrown if body in self._bag]
            alike = [body for body in fresh if KINDS_IN_BAG[body].value == die.kind.value]
            self.common.append(self._take_recorded(die, alike or fresh))

    def _take_recorded(self, die: ShownDie, among: Sequence[int] = ()) -> int:
        """Takes out of the bag a die that can be the one on record."""
        alike = [body for body in self._bag if KINDS_IN_BAG[body].value == die.kind.value]
        body = (*among, *alike, *self._bag)[0]
        self._bag.remove(body)
        self.faces.setdefault(body, die.face)
        return body
