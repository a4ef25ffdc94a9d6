"""Watches the tray: frames in, events out.

A cheap step looks at a small copy of every frame; the reader sees the full picture only while the
tray is quiet, no hand is in, and something is different from the last time. See
`docs/watching.md`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np

from vision.consensus import agree, merge
from vision.events import (
    Cleared,
    Found,
    Moved,
    PickedUp,
    Roll,
    TrackedDie,
    TrayChanged,
    TrayEvent,
)
from vision.frame import Frame, Image
from vision.motion import LONG_SIDE, Mask, Small, changed, shrink
from vision.presence import Obstacle, obstacle
from vision.reading import DieReading, TrayReading, TrayState
from vision.settle import Rest, Settling, crept
from vision.tracker import Tracker, edge_of, typical_edge
from vision.tremble import trembling

__all__ = [
    "Cleared",
    "Found",
    "Moved",
    "PickedUp",
    "Roll",
    "Timing",
    "TrackedDie",
    "TrayChanged",
    "TrayEvent",
    "TrayReader",
    "Watcher",
]

_FIRST_GUESS = LONG_SIDE / 28
"""Edge of a die on the small copy before one was read, pixels."""


class TrayReader(Protocol):
    """What the watcher needs of a reader."""

    def read(self, image: Image) -> TrayReading:
        """Reads a full picture (height, width, 3) of a tray at rest."""


@dataclass(frozen=True, slots=True)
class Timing:
    """How long things take, seconds of frame time.

    Attributes:
        glance: rest before the first careful reading.
        rest: rest before anything is told; a rolling die pauses for less.
        frames: quiet steps before anything is told, whatever the frame rate.
        doubt: rest after which a roll is told with its doubts.
        readings: careful readings of one rest, at most.
        obstacle: rest after which something large is taken for part of the scene.
    """

    glance: float = 0.09
    rest: float = 0.19
    frames: int = 5
    doubt: float = 1.0
    readings: int = 7
    obstacle: float = 20.0


@dataclass(frozen=True, slots=True)
class Trace:
    """What the cheap step saw in the last frame, for tuning.

    Attributes:
        state: of the tray.
        moving: pixels of the small copy that moved.
        hand: share of the small copy that a hand covers, 0 to 1.
        rest: how long it has been quiet.
        readings: careful readings of this rest so far.
    """

    state: TrayState
    moving: int
    hand: float
    rest: Rest
    readings: int


class Watcher:
    """Tells what happens in a tray from its frames.

    Args:
        reader: reads full pictures.
        tray: corners of the tray in the full picture, pixels; what moves outside is ignored.
            Without it the whole picture counts.
        timing: how long things take.
    """

    def __init__(
        self,
        reader: TrayReader,
        tray: Sequence[tuple[float, float]] | None = None,
        timing: Timing | None = None,
    ) -> None:
        self._reader = reader
        self._corners = tray
        self._timing = timing or Timing()
        self._expected: int | None = None
        self.reset()

    def reset(self) -> None:
        """Forgets everything seen; the next frame is the first."""
        self._tracker = Tracker()
        self._settling = Settling(_FIRST_GUESS)
        self._region: Mask | None = None
        self._reference: Small | None = None
        self._began = False  # whether a rest was ever told
        self._disturbed = True  # whether something happened since the last rest that was told
        self._state: TrayState | None = None
        self._readings: list[tuple[Frame, tuple[DieReading, ...]]] = []
        self._obstacle: Obstacle | None = None
        self._rest = Rest(0, 0.0)
        self._last_frame: Frame | None = None
        self._last_small: Small | None = None

    def expect(self, count: int | None) -> None:
        """Says how many dice the game expects in the tray; None if it does not know.

        Another number of dice is looked at longer before it is told. No die is made up or dropped.
        """
        self._expected = count

    @property
    def dice(self) -> tuple[TrackedDie, ...]:
        """The dice of the last rest, by slot."""
        return self._tracker.dice

    @property
    def trace(self) -> Trace:
        """What the cheap step saw in the last frame."""
        hand = 0.0 if self._obstacle is None else self._obstacle.share
        state = self._state or TrayState.MOVING
        return Trace(state, self._settling.moving, hand, self._rest, len(self._readings))

    def feed(self, frame: Frame) -> tuple[TrayEvent, ...]:
        """Takes the next frame and tells what it changes; frames come in the order of time."""
        small = shrink(frame.image, frame.small)
        self._last_frame, self._last_small = frame, small
        if self._reference is None or self._reference.log.shape != small.log.shape:
            self._start(small)
        quiet_before, last_rest = self._rest, self._settling.first
        self._rest = self._settling.step(frame, small)
        events: list[TrayEvent] = []
        if self._rest.frames == 0:
            if quiet_before.frames and self._interrupted(quiet_before) and last_rest is not None:
                events += self._tell(frame, small, last_rest, merge([r for _, r in self._readings]))
            self._readings = []
            self._disturbed = True
        if self._disturbed:
            self._obstacle = self._look_for_hand(small)
        if self._obstacle is not None:
            events += self._change(frame, TrayState.HAND)
            self._readings = []
            if self._rest.seconds < self._timing.obstacle:
                return tuple(events)
        elif self._rest.frames == 0 and self._disturbed:
            events += self._change(frame, TrayState.MOVING)
            return tuple(events)
        if self._disturbed:
            events += self._careful(frame, small)
        return tuple(events)

    def finish(self) -> tuple[TrayEvent, ...]:
        """Says what can be said when no more frames come: the end of a film.

        Dice that have come to rest for a moment, but not for as long as a camera that goes on
        would be given, are told if their readings agree.
        """
        first, small = self._settling.first, self._last_small
        frame = self._last_frame
        quiet = self._rest.frames >= 3 and self._obstacle is None and self._disturbed
        if frame is None or small is None or first is None or not quiet:
            return ()
        if self._began and not self._different(small):
            return ()
        dice = [r.dice for r in map(self._reader.read, (first.image, frame.image))]
        self._readings = [(first, dice[0]), (frame, dice[1])]
        if self._creeps(small) or not (agree(*dice) or self._rest.frames >= self._timing.frames):
            return ()
        return self._tell(frame, small, first, merge(dice))

    def _start(self, small: Small) -> None:
        frame = self._last_frame
        self.reset()
        self._last_frame, self._last_small = frame, small
        height, width = small.log.shape[:2]
        if self._corners is not None:
            region = np.zeros((height, width), np.uint8)
            corners = np.asarray(self._corners, np.float64) * small.scale
            cv2.fillPoly(region, [np.round(corners).astype(np.int32)], 255)
            self._region = region
        self._settling = Settling(_FIRST_GUESS, self._region)
        self._reference = small

    def _look_for_hand(self, small: Small) -> Obstacle | None:
        if self._reference is None:
            return None
        found = obstacle(self._reference, small, self._settling.die_px, self._region)
        if found is not None and found.ghost:
            # The reference shows a hand that has left since: take the place as it is now.
            self._reference = _healed(self._reference, small, found.mask)
            found = obstacle(self._reference, small, self._settling.die_px, self._region)
        return found

    def _careful(self, frame: Frame, small: Small) -> tuple[TrayEvent, ...]:
        """Reads the full picture when it is time to, and tells what the readings agree on."""
        timing, rest = self._timing, self._rest
        if rest.seconds < timing.glance - 1e-6 or rest.frames < 2:
            return ()
        if self._began and not self._different(small):
            if rest.seconds < timing.glance:
                return ()
            self._disturbed = False
            return self._change(frame, self._at_rest())
        due = timing.rest * len(self._readings)
        if len(self._readings) > 1:
            due = timing.rest + (timing.doubt - timing.rest) * (len(self._readings) - 1) / (
                timing.readings - 1
            )
        settled = rest.seconds >= timing.rest - 1e-6 and rest.frames >= timing.frames
        if rest.seconds < due - 1e-6 or (self._readings and not settled):
            return ()
        reading = self._reader.read(frame.image)
        if reading.tray in (TrayState.HAND, TrayState.MOVING):
            self._readings = []
            return ()
        self._readings.append((frame, reading.dice))
        if not settled or len(self._readings) < 2:
            return ()
        if self._creeps(small):
            self._rest = self._settling.later(frame)
            del self._readings[:-1]
            return ()
        dice = [r for _, r in self._readings]
        patient = rest.seconds >= timing.doubt - 1e-6
        expected = self._expected is None or len(dice[-1]) == self._expected
        started = self._settling.first or frame
        if patient:
            return self._tell(frame, small, started, merge(dice))
        if agree(dice[-1], dice[-2]) and (expected or not dice[-1]):
            return self._tell(frame, small, started, merge(dice[-2:]))
        return ()

    def _creeps(self, small: Small) -> bool:
        """Whether any die moved, however little, since the rest began."""
        first, first_small = self._settling.first, self._settling.first_small
        if first is None or first_small is None:
            return False
        last, dice = self._readings[-1]
        outlines = [np.asarray(die.outline, np.float64) for die in dice if die.outline]
        camera = trembling(first_small, small)
        return any(crept(first.image, last.image, outlines, camera, small.scale))

    def _interrupted(self, rest: Rest) -> bool:
        """Whether dice that had come to rest are being disturbed, but not moved, too early.

        Dice whose reading is in doubt are looked at longer; a hand that comes in during that time
        must not make the throw unseen.
        """
        timing, where = self._timing, self._settling.where
        settled = rest.seconds >= timing.rest - 1e-6 and rest.frames >= timing.frames
        if not settled or len(self._readings) < 2 or where is None or self._reference is None:
            return False
        dice = self._readings[-1][1]
        around = np.zeros_like(where)
        for die in dice:
            _fill(around, die, self._reference.scale, 1.6)
        return bool(dice) and not np.any(cv2.bitwise_and(where, around))

    def _different(self, small: Small) -> bool:
        """Whether anything that matters differs from the last rest that was told."""
        if self._reference is None:
            return True
        where = changed(self._reference, small, self._region)
        return int(np.count_nonzero(where)) > max(3.0, 0.05 * self._settling.die_px**2)

    def _tell(
        self, frame: Frame, small: Small, rest: Frame, dice: tuple[DieReading, ...]
    ) -> tuple[TrayEvent, ...]:
        """Turns a rest into events and remembers it."""
        unchanged = self._unchanged(small, [die.reading for die in self._tracker.dice])
        covered = self._covered()
        if self._obstacle is not None:
            dice = tuple(d for d in dice if not _overlaps(d, small.scale, self._obstacle.mask))
        events: list[TrayEvent] = []
        time_s = frame.time_s
        if not self._began:
            lying = [dice[i] for i in self._unchanged(small, dice)]
            found = self._tracker.found(lying)
            if found:
                events.append(Found(frame.index, time_s, found))
        had = bool(self._tracker.dice)
        now = self._tracker.compare(dice, unchanged if self._began else (), covered)
        if now.gone:
            events.append(PickedUp(frame.index, time_s, now.gone))
        if had and not now.dice:
            events.append(Cleared(frame.index, time_s))
            self._tracker.clear()
        if now.moved:
            events.append(Moved(frame.index, time_s, tuple(d.slot for d in now.moved), now.moved))
        self._began, self._disturbed = True, False
        self._reference, self._readings = small, []
        edge = typical_edge(dice)
        if edge is not None:
            self._settling.die_px = max(4.0, edge * small.scale)
        events += self._change(frame, self._at_rest())
        if now.thrown:
            events.append(Roll(frame.index, time_s, now.dice, rest.index))
        return tuple(events)

    def _unchanged(self, small: Small, dice: Sequence[DieReading]) -> list[int]:
        """Slots (or indices) of dice where the picture is as it was in the reference."""
        if self._reference is None:
            return []
        where = changed(self._reference, small)
        slots = [die.slot for die in self._tracker.dice] if self._began else range(len(dice))
        result = []
        for slot, die in zip(slots, dice, strict=True):
            around = np.zeros_like(where)
            _fill(around, die, small.scale, 1.2)
            limit = max(2.0, 0.04 * (edge_of(die) * small.scale) ** 2)
            if int(np.count_nonzero(cv2.bitwise_and(where, around))) <= limit:
                result.append(slot)
        return result

    def _covered(self) -> list[int]:
        if self._obstacle is None or self._reference is None:
            return []
        mask, scale = self._obstacle.mask, self._reference.scale
        return [d.slot for d in self._tracker.dice if _overlaps(d.reading, scale, mask)]

    def _at_rest(self) -> TrayState:
        return TrayState.STILL if self._tracker.dice else TrayState.EMPTY

    def _change(self, frame: Frame, state: TrayState) -> tuple[TrayEvent, ...]:
        if state is self._state:
            return ()
        self._state = state
        return (TrayChanged(frame.index, frame.time_s, state),)


def _fill(mask: Mask, die: DieReading, scale: float, grow: float) -> None:
    """Marks a die's top face, grown about its middle."""
    outline = np.asarray(die.outline, np.float64).reshape(-1, 2)
    if len(outline) == 0:
        return
    center = np.asarray(die.center)
    corners = np.round((center + (outline - center) * grow) * scale).astype(np.int32)
    cv2.fillPoly(mask, [corners], 255)


def _overlaps(die: DieReading, scale: float, mask: Mask) -> bool:
    """Whether at least a fifth of a die is under the mask."""
    around = np.zeros_like(mask)
    _fill(around, die, scale, 1.0)
    under = int(np.count_nonzero(cv2.bitwise_and(around, mask)))
    return under >= 0.2 * max(1, int(np.count_nonzero(around)))


def _healed(reference: Small, now: Small, mask: Mask) -> Small:
    """The reference with one place taken from this moment."""
    mask = cv2.dilate(mask, np.ones((7, 7), np.uint8)).astype(np.uint8)
    where = mask[:, :, None] > 0
    return Small(
        np.where(where, now.color, reference.color),
        np.where(where, now.log, reference.log),
        np.where(where, now.edges, reference.edges),
        reference.scale,
    )
