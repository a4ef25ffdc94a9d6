"""Watches the tray: frames in, events out.

A cheap step looks at a small copy of every frame; the reader sees the full picture only while the
tray is quiet, no hand is in it, and something has changed since the last time. See
`docs/seeing.md`.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.errors import Unreadable
from vision.events import (
    Cleared,
    Found,
    Moved,
    PickedUp,
    Roll,
    TrackedDie,
    TrackId,
    TrayChanged,
    TrayEvent,
)
from vision.frame import Frame, Image
from vision.geometry.profile import Profile
from vision.image.arrays import Mask
from vision.reading import DieReading, DieState, Kind, TrayReading, TrayState
from vision.watch.consensus import claims_agree, is_conclusive, is_stable, merge_readings
from vision.watch.darker import Darker, DarkReader, Exposure, TrayReader
from vision.watch.gate import TIME_EPSILON_S, Gate
from vision.watch.hand import Obstacle
from vision.watch.motion import SMALL_LONG_SIDE_PX, Small, shrink
from vision.watch.reference import Reference, is_covered, mark_tops
from vision.watch.rolling import Rolling, any_die_rolls
from vision.watch.settling import Rest, Settling, dice_that_crept
from vision.watch.shake import camera_shake
from vision.watch.tracker import (
    MAX_KEPT_DISTANCE_EDGES,
    Tracker,
    edge_of,
    pair_nearest,
    typical_edge,
)

# Edge of a die on the small copy before one is read.
_FIRST_GUESS_EDGE_PX = SMALL_LONG_SIDE_PX / 28

MAX_DIE_WIDTH_SHARE = 0.15
"""Nothing wider than this share of the picture's longer side, and nothing in doubt, says how large
dice are: an empty box may look like a die, and no die would be large enough to be seen after it."""
_MIN_QUIET_STEPS = 2  # a picture delivered twice makes one
_MIN_PAUSE_STEPS = 3  # before a rest is reported because the video ends
_MAX_PASSED_FRAMES = 2  # that are looked at after all when one has changed
_MIN_RETRY_AFTER_S = 4.0  # an unreadable picture costs more than others


@dataclass(frozen=True, slots=True)
class Timing:
    """How long things take, seconds of frame time.

    Attributes:
        glance: rest before the first careful reading.
        rest: rest before anything is reported; a rolling die pauses for less.
        frames: quiet steps before anything is reported, whatever the frame rate.
        doubt: rest after which a roll is reported with its doubts, at the latest.
        readings: careful readings of one rest, at most.
        obstacle: rest after which something large becomes part of the reference.
    """

    glance: float = 0.09
    rest: float = 0.16
    frames: int = 5
    doubt: float = 1.0
    readings: int = 7
    obstacle: float = 20.0


@dataclass(frozen=True, slots=True)
class Trace:
    """The findings of the cheap step in the last frame that was looked at, for tuning.

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
    """Reports what happens in a tray from its frames.

    Args:
        reader: reads full pictures.
        tray: corners of the tray in the full picture, pixels; what moves outside is ignored.
            Without it the whole picture counts.
        timing: how long things take.
        edge: of a die in the full picture, pixels; if None, learnt from the dice that are read.
        darker: requests darker frames where a lamp washes out dice; None if none are available.

    Attributes:
        unread: why nothing could be claimed about the tray when last read; None if it could.
    """

    def __init__(
        self,
        reader: TrayReader,
        tray: Sequence[tuple[float, float]] | None = None,
        timing: Timing | None = None,
        edge: float | None = None,
        darker: Darker | None = None,
    ) -> None:
        self._reader = reader
        self._darker = darker
        self._edge = edge
        self._corners = tray
        self._timing = timing or Timing()
        self._expected: int | None = None
        self._full_side: int | None = None
        self.reset()

    def reset(self) -> None:
        """Forgets everything seen; the next frame is the first."""
        self._tracker = Tracker()
        self._settling = Settling(_FIRST_GUESS_EDGE_PX)
        self._rolling = Rolling()
        self._reference: Reference | None = None
        self._gate = Gate()
        self._passed: deque[Frame] = deque(maxlen=_MAX_PASSED_FRAMES)
        self._began = False  # whether a rest was ever reported
        self._disturbed = True  # whether something happened since the last reported rest
        self._state: TrayState | None = None
        self._readings: list[tuple[DieReading, ...]] = []
        self._lit: list[tuple[Image, TrayReading]] = []
        self._forget_readings()
        self._obstacle: Obstacle | None = None
        self._rest = Rest(0, 0.0)
        self._last: tuple[Frame, Small] | None = None
        self._retry_after_s = 0.0
        self.unread: Unreadable | None = None

    def expect(self, count: int | None) -> None:
        """Says how many dice the game expects in the tray; None if it does not know.

        Any other number of dice is looked at longer before a report. No die is made up or dropped.
        """
        self._expected = count

    @property
    def dice(self) -> tuple[TrackedDie, ...]:
        """The dice of the last rest, by number."""
        return self._tracker.dice

    @property
    def reported(self) -> bool:
        """True once the present rest was fully reported: nothing is read until something moves."""
        return self._began and not self._disturbed

    @property
    def trace(self) -> Trace:
        """The findings of the cheap step in the last frame that was looked at."""
        hand = 0.0 if self._obstacle is None else self._obstacle.share
        state = self._state or TrayState.MOVING
        return Trace(state, self._settling.moving, hand, self._rest, len(self._readings))

    def feed(self, frame: Frame) -> tuple[TrayEvent, ...]:
        """Takes the next frame and reports what it changes; frames come in order of time."""
        if frame.exposure < 1.0:
            return self._take_darker(frame)
        if self._disturbed:
            self._gate.forget()
        elif not self._gate.may_have_changed(frame):
            self._passed.append(frame)
            return ()
        events: list[TrayEvent] = []
        if self._passed:
            # Movement is what differs from the frame before, as if all had been looked at; what
            # came little by little may have begun some frames ago.
            again = list(self._passed) if self._gate.surprised else [self._passed[-1]]
            self._passed.clear()
            self._pass_over(again[0])
            for passed in again[1:]:
                events += self._look(passed)
        return (*events, *self._look(frame))

    def _pass_over(self, frame: Frame) -> None:
        """Takes a frame as quiet, and so all before it."""
        small = self._small_copy(frame)
        self._settling.pass_over(small)
        self._last = frame, small

    def _look(self, frame: Frame) -> tuple[TrayEvent, ...]:
        """Takes a frame that may show something new."""
        small = self._small_copy(frame)
        reference = self._reference
        if reference is None or reference.picture.log.shape != small.log.shape:
            self.reset()
            reference = self._reference = Reference(small, self._corners)
            self._settling = Settling(_small_edge_px(small, self._edge), reference.region)
            self._gate = Gate(reference.region)
        events: list[TrayEvent] = []
        before, self._last = self._last, (frame, small)
        rest, first = self._rest, self._settling.first
        around = mark_tops(small, self._readings[-1], 1.6) if self._readings else None
        self._rest = self._settling.step(frame, small, around)
        if self._rest.frames == 0:
            self._retry_after_s = 0.0
        if self._rest.frames == 0 and not (self._settling.drifted and not self._disturbed):
            if before is not None and first is not None and self._is_only_interrupted(rest, around):
                events += self._report_rest(
                    reference, *before, first, merge_readings(self._readings)
                )
            self._forget_readings()
            self._disturbed = True
        if not self._disturbed:
            self._settling.let_go()
            return tuple(events)
        self._obstacle = reference.hand(
            small, self._settling.die_px, quiet=self._rest.frames >= _MIN_QUIET_STEPS
        )
        thing = None if self._obstacle is None else self._obstacle.mask
        self._rolling.see(self._settling.where, thing)
        if self._obstacle is not None:
            events += self._change_state(frame, TrayState.HAND)
            if self._rest.seconds < self._timing.obstacle:
                self._forget_readings()
                return tuple(events)
        elif self._rest.frames == 0:
            rolls = self._state is TrayState.ROLLING or any_die_rolls(
                self._settling.where, reference.region, self._settling.die_px
            )
            moves = TrayState.ROLLING if rolls else TrayState.MOVING
            events += self._change_state(frame, moves)
            return tuple(events)
        return (*events, *self._read_when_due(reference, frame, small))

    def _small_copy(self, frame: Frame) -> Small:
        """The small copy; the full picture is not touched if the camera supplies a small one."""
        if frame.small is None:
            return shrink(frame.image)
        if self._full_side is None:
            self._full_side = frame.long_side
        return shrink(frame.small, self._full_side)

    def finish(self) -> tuple[TrayEvent, ...]:
        """Reports what can be reported when no more frames come: the end of a video.

        Dice that have been at rest for a moment, but not as long as a live camera would be
        given, are reported with whatever doubt two readings leave.
        """
        reference, first = self._reference, self._settling.first
        quiet = self._rest.frames >= _MIN_PAUSE_STEPS and self._obstacle is None and self._disturbed
        if reference is None or self._last is None or first is None or not quiet:
            return ()
        frame, small = self._last
        if self._began and not reference.different(small, self._settling.die_px):
            return ()
        self._readings = []
        for image in (first.image, frame.image):
            if (reading := self._try_read(image)) is None:
                return ()
            self._readings.append(self._without_phantoms(reference, small, reading.dice))
        while self._any_die_creeps(frame, small):
            self._rest = self._settling.later(frame)
            if self._rest.frames < _MIN_PAUSE_STEPS:
                return ()
        first = self._settling.first or first
        return self._report_rest(reference, frame, small, first, merge_readings(self._readings))

    def _read_when_due(
        self, reference: Reference, frame: Frame, small: Small
    ) -> tuple[TrayEvent, ...]:
        """Reads the full picture when it is due, and reports what the readings agree on."""
        timing, rest, first = self._timing, self._rest, self._settling.first
        if first is None or rest.frames < 2 or rest.seconds < timing.glance - TIME_EPSILON_S:
            return ()
        # A difference, once seen, lasts for the whole rest, as nothing moves in it.
        fresh = self._began and not self._readings
        if fresh and not reference.different(small, self._settling.die_px):
            self._disturbed = False
            self.unread = None  # the tray is as it was when reported
            self._rolling.clear()
            return self._change_state(frame, self._rest_state())
        settled = self._has_settled(rest)
        if self._readings and (
            not settled or rest.seconds < self._next_reading_s() - TIME_EPSILON_S
        ):
            return ()
        if self._awaits_darker(frame) and len(self._readings) >= 2:
            return ()
        if rest.seconds < self._retry_after_s:
            return ()
        if (reading := self._try_read(frame.image)) is None:
            # While nothing moves there is little hope, so retry less and less often.
            self._retry_after_s = max(_MIN_RETRY_AFTER_S, 2 * rest.seconds)
        if reading is None or reading.tray.is_busy:
            self._readings = []
            return ()
        self._readings.append(self._without_phantoms(reference, small, reading.dice))
        self._lit = [*self._lit[-1:], (frame.image, reading)]
        if self._darker is not None:
            few = len(self._readings[-1]) < (self._expected or 0)
            self._darker.ask(frame, self._readings[-1], few)
        if not settled or len(self._readings) < 2:
            return ()
        if self._any_die_creeps(frame, small):
            self._rest = self._settling.later(frame)
            del self._readings[:-1]
            return ()
        dice = merge_readings(self._readings)
        agreed = claims_agree(*self._readings[-2:]) and all(is_conclusive(die) for die in dice)
        agreed = agreed or (is_stable(self._readings) and not self._awaits_darker(frame))
        if (
            agreed and self._has_expected_count(dice)
        ) or rest.seconds >= timing.doubt - TIME_EPSILON_S:
            return self._report_rest(reference, frame, small, first, dice)
        return ()

    def _awaits_darker(self, frame: Frame) -> bool:
        """True while a darker frame may still show what this one does not."""
        early = self._rest.seconds < self._timing.doubt - TIME_EPSILON_S
        return early and self._darker is not None and self._darker.waits(frame)

    def _has_expected_count(self, dice: Sequence[DieReading]) -> bool:
        return self._expected in (None, 0, len(dice)) or not dice

    def _forget_readings(self) -> None:
        self._readings, self._lit = [], []
        if self._darker is not None:
            self._darker.rest_anew()

    def _take_darker(self, frame: Frame) -> tuple[TrayEvent, ...]:
        """Reads a frame that is darker than usual; it says nothing about movement."""
        first, die_px = self._settling.first, self._settling.die_px
        if self._darker is None or not self._darker.take(frame, die_px):
            return ()
        if self._last is None or self._reference is None or first is None or len(self._lit) < 2:
            return ()
        usual, small = self._last
        if len(self._readings) < 2 or self._any_die_creeps(usual, small):
            return ()
        try:
            again = self._darker.read(self._lit)
        except Unreadable:
            return ()
        self._readings = [self._without_phantoms(self._reference, small, one.dice) for one in again]
        dice = merge_readings(self._readings)
        # What is in doubt now stays so, unless a die leans or is missing.
        if is_stable([*self._readings, self._readings[-1]]) and self._has_expected_count(dice):
            return self._report_rest(self._reference, frame, small, first, dice)
        return ()

    def _try_read(self, image: Image) -> TrayReading | None:
        """A reading of a full picture; None if nothing can be claimed about it."""
        try:
            reading = self._reader.read(image).unless_crowded()
        except Unreadable as error:
            self.unread = error
            return None
        self.unread = None
        return reading

    def _has_settled(self, rest: Rest) -> bool:
        timing = self._timing
        return rest.seconds >= timing.rest - TIME_EPSILON_S and rest.frames >= timing.frames

    def _next_reading_s(self) -> float:
        """When the next careful reading of this rest is due, seconds of rest."""
        # Later readings seldom resolve a doubt that the next frames leave: they are spaced out.
        timing, done = self._timing, len(self._readings)
        if done < 2:
            return timing.rest
        share = (done - 1) / (timing.readings - 2)
        return timing.rest + (timing.doubt - timing.rest) * share * share

    def _without_phantoms(
        self, reference: Reference, small: Small, dice: Sequence[DieReading]
    ) -> tuple[DieReading, ...]:
        """The dice without those that the reader sees where no die has come to lie."""
        # What has faintly resembled a die from the start is more likely glare or grain.
        tracked = [die.reading for die in self._tracker.dice]
        return tuple(
            die
            for die, same in zip(dice, reference.unchanged(small, dice), strict=True)
            if not same
            or (not self._began and (die.state is not DieState.UNSURE or _has_symbol(die)))
            or pair_nearest(tracked, [die], MAX_KEPT_DISTANCE_EDGES)
        )

    def _any_die_creeps(self, frame: Frame, small: Small) -> bool:
        """True if any die moved, however little, since the rest began."""
        first, first_small = self._settling.first, self._settling.first_small
        if first is None or first_small is None:
            return False
        outlines = [np.asarray(die.outline, np.float64) for die in self._readings[-1]]
        camera = camera_shake(first_small, small)
        return any(dice_that_crept(first.image, frame.image, outlines, camera, small.scale))

    def _is_only_interrupted(self, rest: Rest, around: Mask | None) -> bool:
        """True if dice at rest but still in doubt are only being disturbed, not moved."""
        # A hand that comes in while they are looked at longer must not make the throw go unseen.
        if not self._has_settled(rest) or len(self._readings) < 2 or around is None:
            return False
        return not np.any(cv2.bitwise_and(self._settling.where, around))

    def _report_rest(
        self,
        reference: Reference,
        frame: Frame,
        small: Small,
        rest: Frame,
        dice: tuple[DieReading, ...],
    ) -> tuple[TrayEvent, ...]:
        """Turns a rest into events and remembers it."""
        index, time_s = frame.index, frame.time_s
        events: list[TrayEvent] = []
        hidden: list[TrackId] = []
        if self._obstacle is not None:
            mask = self._obstacle.mask
            dice = tuple(die for die in dice if not is_covered(small, die, mask))
            hidden = [d.track_id for d in self._tracker.dice if is_covered(small, d.reading, mask)]
        if not self._began:
            same = reference.unchanged(small, dice)
            found = self._tracker.found([d for d, s in zip(dice, same, strict=True) if s])
            if found:
                events.append(Found(index, time_s, found))
        tracked = self._tracker.dice
        same = reference.unchanged(small, [die.reading for die in tracked])
        untouched = [die.track_id for die, is_same in zip(tracked, same, strict=True) if is_same]
        now = self._tracker.compare(dice, untouched, hidden)
        if now.gone:
            events.append(PickedUp(index, time_s, now.gone))
        if tracked and not now.dice:
            events.append(Cleared(index, time_s))
        if now.moved:
            events.append(Moved(index, time_s, tuple(die.track_id for die in now.moved), now.moved))
        reference.renew(small, None if self._obstacle is None else self._obstacle.mask)
        self._began, self._disturbed = True, False
        self._forget_readings()
        sized = [
            die
            for die in dice
            if die.sure and edge_of(die) <= MAX_DIE_WIDTH_SHARE * frame.long_side
        ]
        if self._edge is None and sized:
            self._settling.die_px = _small_edge_px(small, typical_edge(sized))
        events += self._change_state(frame, self._rest_state())
        if now.thrown:
            events.append(Roll(index, time_s, self._with_rolled(small, now.dice), rest.index))
        self._rolling.clear()
        return tuple(events)

    def _with_rolled(self, small: Small, dice: tuple[TrackedDie, ...]) -> tuple[TrackedDie, ...]:
        """The dice, with `rolled` set for thrown ones that were seen to roll."""
        alone, die_px = self._rolling.alone, self._settling.die_px
        return tuple(
            replace(d, rolled=d.thrown and alone(mark_tops(small, [d.reading], 1.1), die_px))
            for d in dice
        )

    def _rest_state(self) -> TrayState:
        return TrayState.STILL if self._tracker.dice else TrayState.EMPTY

    def _change_state(self, frame: Frame, state: TrayState) -> tuple[TrayEvent, ...]:
        if state is self._state:
            return ()
        self._state = state
        return (TrayChanged(frame.index, frame.time_s, state),)


def watcher_for(reader: DarkReader, profile: Profile, camera: Exposure | None = None) -> Watcher:
    """A watcher for an installation, which knows where dice may lie and how large they are.

    If a `camera` can take darker frames, they are read too where a lamp washes out dice.
    """
    darker = None if camera is None else Darker(reader, camera)
    return Watcher(reader, profile.dice_pixels(), edge=profile.usual_edge(), darker=darker)


def _small_edge_px(small: Small, edge: float | None) -> float:
    """Edge of a die on the small copy, pixels; from the full picture's `edge` if known."""
    return _FIRST_GUESS_EDGE_PX if edge is None else max(4.0, edge * small.scale)


def _has_symbol(die: DieReading) -> bool:
    """True if a die shows a symbol, learnt or not."""
    return die.kind is Kind.POWER or die.faceless
