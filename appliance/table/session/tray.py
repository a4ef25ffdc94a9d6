"""The tray as it was last seen, and the dice of the last throw in it."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from games.values import Slot
from vision.events import (
    Cleared,
    Found,
    PickedUp,
    Roll,
    TrackedDie,
    TrackId,
    TrayChanged,
    TrayEvent,
)
from vision.reading import TrayState


@dataclass(frozen=True, slots=True)
class TraySeen:
    """The tray as it was last seen.

    Attributes:
        state: what goes on in it.
        lying: dice in it when it was last still.
        blind: whether the camera cannot see it, so that throws must be entered.
    """

    state: TrayState = TrayState.EMPTY
    lying: int = 0
    blind: bool = False

    def after(self, happened: TrayEvent) -> "TraySeen":
        """The tray as it is seen after something happened in it."""
        match happened:
            case TrayChanged(state=state):
                return replace(self, state=state)
            case Roll(dice=dice) | Found(dice=dice):
                return replace(self, lying=len(dice))
            case PickedUp(track_ids=taken):
                return replace(self, lying=max(0, self.lying - len(taken)))
            case Cleared():
                return replace(self, lying=0)
        return self


@dataclass(frozen=True, slots=True)
class TrackedDice:
    """The dice of the last throw, by the tracker's numbers.

    Attributes:
        seen: the dice as they lie now.
        places: the game's slot for each of them.
        loose: those thrown since the last roll that counted.
        gone: slots whose dice were seen being taken out since the last roll that counted.
        pushed: those that moved, but seemed not to be thrown, since a hand or dice last did.
        by_hand: whether the last throw was entered, and none has been seen since.
    """

    seen: tuple[TrackedDie, ...] = ()
    places: tuple[tuple[TrackId, Slot], ...] = ()
    loose: frozenset[TrackId] = frozenset()
    gone: frozenset[Slot] = frozenset()
    pushed: frozenset[TrackId] = frozenset()
    by_hand: bool = False

    @property
    def slots(self) -> dict[TrackId, Slot]:
        """The game's slot for each of them."""
        return dict(self.places)

    @property
    def came(self) -> tuple[TrackedDie, ...]:
        """The dice that lie there since the last roll that counted."""
        return tuple(die for die in self.seen if die.track_id in self.loose)

    @property
    def slots_left(self) -> set[Slot | None]:
        """The slots of the dice that lay there before; None for a die without one."""
        slots = self.slots
        return {slots.get(d.track_id) for d in self.seen if d.track_id not in self.loose}

    def placed(self, slots: Mapping[TrackId, Slot]) -> "TrackedDice":
        """The dice in these slots of the game."""
        return replace(self, places=tuple(slots.items()))

    def lain_before(self) -> "TrackedDice":
        """The dice where all of them count as having lain there before."""
        return replace(self, loose=frozenset(), pushed=frozenset())

    def counted(self) -> "TrackedDice":
        """The dice once the throw counts."""
        return replace(self, loose=frozenset(), gone=frozenset(), pushed=frozenset())

    def without(self, taken: Collection[TrackId]) -> "TrackedDice":
        """The dice after some were taken out of the tray."""
        return replace(
            self,
            seen=tuple(die for die in self.seen if die.track_id not in taken),
            loose=self.loose.difference(taken),
            gone=self.gone.union(slot for die, slot in self.places if die in taken),
        )
