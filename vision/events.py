"""Events in the tray over time, as the watcher reports them."""

from dataclasses import dataclass
from typing import NewType

from vision.reading import DieReading, TrayState

TrackId = NewType("TrackId", int)
"""The tracker's number of a die while it lies in the tray, from 0; a game has slots of its own."""


@dataclass(frozen=True, slots=True)
class TrackedDie:
    """A die lying in the tray.

    Attributes:
        track_id: its number while it lies there; thrown dice get free ones from left to right.
        reading: how it was read.
        thrown: whether it came to rest there since the last roll.
        rolled: whether it was seen to roll there by itself, with no hand near; set with the `Roll`.
    """

    track_id: TrackId
    reading: DieReading
    thrown: bool
    rolled: bool = False


@dataclass(frozen=True, slots=True)
class TrayEvent:
    """Base of what the watcher reports.

    Attributes:
        frame: index of the frame in which it was noticed.
        time_s: that frame's time in seconds.
    """

    frame: int
    time_s: float


@dataclass(frozen=True, slots=True)
class TrayChanged(TrayEvent):
    """The state of the tray as a whole has changed."""

    state: TrayState


@dataclass(frozen=True, slots=True)
class Roll(TrayEvent):
    """Dice that were thrown have come to rest; reported once for each throw.

    Attributes:
        dice: all dice lying in the tray, by number.
        rest_frame: the first frame in which they lay still.
    """

    dice: tuple[TrackedDie, ...]
    rest_frame: int

    @property
    def sure(self) -> bool:
        """True if every value is claimed."""
        return all(die.reading.sure for die in self.dice)


@dataclass(frozen=True, slots=True)
class Found(TrayEvent):
    """Dice that were already in the tray when watching began; reported once."""

    dice: tuple[TrackedDie, ...]


@dataclass(frozen=True, slots=True)
class PickedUp(TrayEvent):
    """Dice were taken away; their numbers are free."""

    track_ids: tuple[TrackId, ...]


@dataclass(frozen=True, slots=True)
class Moved(TrayEvent):
    """Dice were pushed or turned without a throw; they may show another value.

    Or they have not moved and can now be read for sure, because a hand or a shadow has gone.

    Attributes:
        track_ids: which dice.
        dice: the same dice as they lie now.
    """

    track_ids: tuple[TrackId, ...]
    dice: tuple[TrackedDie, ...] = ()


@dataclass(frozen=True, slots=True)
class Cleared(TrayEvent):
    """The tray is empty; all numbers are free."""
