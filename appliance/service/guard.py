"""Watches throws, and whether the tray is still where it was.

During play the markers, or the rim where there are none, are checked now and then. A small shift is
followed as soon as the tray is empty, a larger one that all markers agree on at once. After any
other nothing is read until the tray is back or recalibrated. Nor is it from pictures of another
camera, size or part of the sensor than the profile was made with.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Protocol

from appliance.alerts import Alert
from appliance.service.finding import Finder, FindingWatcher
from calibration.calibration import Calibration
from calibration.drift import (
    MAX_FOLLOWED_SHIFT_MM,
    DriftEvent,
    DriftWatch,
    Relight,
    Shifted,
    Trouble,
)
from calibration.holder import HolderPlaces
from calibration.problems import Problem
from calibration.readers import UncalibratedReader, calibrated_watcher
from calibration.self_calibration import (
    CONFIRMING_THROWS,
    EmptyTray,
    SelfCalibration,
    Size,
    ThrownDice,
)
from vision.errors import OtherView, OutOfMemory, TooManySpots, Unreadable, VisionError
from vision.events import Found, Moved, Roll, TrackedDie, TrayChanged, TrayEvent
from vision.frame import Frame, Image
from vision.geometry.profile import Profile
from vision.geometry.sight import Sight
from vision.image.memory import memory_watched
from vision.reading import TrayState
from vision.watch.darker import Exposure
from vision.watch.watcher import Watcher
from vision.watch.watching import ReadingWatcher, Watching

log = logging.getLogger(__name__)

LOOK_INTERVAL_S = 5.0
"""Between two looks at the markers while all is fine: no throw is read long after a knock."""


class DriftDetector(Protocol):
    """Checks whether the tray is where it was."""

    @property
    def trusted(self) -> bool:
        """True while readings may be used."""

    def feed(self, frame: Frame, *, quiet: bool = True) -> tuple[DriftEvent, ...]:
        """Looks at a frame of a tray that is quiet, or may be."""


class GuardedWatcher:
    """A watcher that checks now and then whether the tray is where it was.

    Args:
        calibration: where the tray and its markers are.
        drift: checks the markers or the rim; by default as calibrated.
        make: makes a watcher for a calibration.
        finder: keeps what is learnt of the tray; None where that is not wanted.

    `trouble` is what is wrong, `last_throw` a picture of the dice as they were read
    last.

    ValueError where there are neither markers nor a rim to look at.
    """

    def __init__(
        self,
        calibration: Calibration,
        drift: DriftDetector | None = None,
        make: Callable[[Calibration], ReadingWatcher] = calibrated_watcher,
        finder: Finder | None = None,
    ) -> None:
        self._drift = drift or self._watch_drift(calibration)
        self._finder = finder
        self._board: SelfCalibration | None = None
        if finder is not None and not calibration.rim_known:
            sight = calibration.profile.sight
            self._board = SelfCalibration(sight=sight, board=True, lens=calibration.lens)
        self._calibration = calibration
        self._unlocked = False
        self._empty = EmptyTray(calibration.profile.empty)
        self._trial: tuple[Image, Sequence[TrackedDie]] | None = None
        self._dice = ThrownDice(learns_rim=finder is not None and not calibration.rim_learnt)
        self._holder = HolderPlaces()
        self._throws_of_size = 0
        self.last_throw: Image | None = None
        self._make = make
        self._watcher = make(calibration)
        self._state = TrayState.EMPTY
        self._expected: int | None = None
        self._moved: Calibration | None = None
        self._far = False
        self.trouble: Problem | None = None

    def feed(self, frame: Frame) -> Sequence[TrayEvent]:
        """The events that are new with this frame; none while readings cannot be trusted."""
        usual = frame.exposure == 1.0
        if usual and not self._state.moves:
            self._check_drift(frame)
        # A sheet that lies there is as large as a hand.
        if usual and not self._state.moves:
            self._look_for_board(frame)
        if usual and not self._drift.trusted:
            return ()
        if usual:
            # Players should see what the frame before has shown first.
            throw, self._trial = self._trial, None
            self._learn_empty_tray(frame, throw)
            self._learn_from_dice(throw)
        if self._moved is not None and (self._far or self._state is TrayState.EMPTY):
            self._watcher, self._moved = self._make(self._moved), None
            self._watcher.expect(self._expected)
        events = self._watcher.feed(frame)
        for event in events:
            if isinstance(event, TrayChanged):
                self._state = event.state
            elif isinstance(event, Moved):
                self._learn_holder(event.dice)
            elif isinstance(event, Roll) and usual:
                self._trial = frame.image, event.dice
            if isinstance(event, Roll | Found | Moved) and usual:
                self.last_throw = frame.image
        return events if self._drift.trusted else ()

    def finish(self) -> Sequence[TrayEvent]:
        """The events that can still be reported when no frame follows."""
        return self._watcher.finish()

    @property
    def unread(self) -> Unreadable | None:
        """Why nothing can be claimed about the tray; None if it can be read."""
        return self._watcher.unread

    def expect(self, count: int | None) -> None:
        """How many dice the game needs in the tray."""
        self._expected = count
        self._watcher.expect(count)

    def _shifted(self, now: Calibration) -> Calibration:
        """The calibration for where the tray is now; what was learnt since is kept."""
        return replace(self._calibration.measured_anew(now), controls=self._calibration.controls)

    def _watch_drift(self, calibration: Calibration) -> DriftWatch:
        return DriftWatch(calibration, every_s=LOOK_INTERVAL_S, exposes=self._exposes)

    def _exposes(self) -> bool:
        return self._finder is not None and self._finder.exposing is not None

    def _follow_light(self, factor: float) -> None:
        """Sets the camera to another light, and locks it once the markers' paper is right."""
        exposing = None if self._finder is None else self._finder.exposing
        if exposing is None:
            return
        if factor != 1.0:
            if not self._unlocked:
                exposing.unlock()
            self._unlocked = True
            exposing.expose(factor)
        elif self._unlocked:
            self._unlocked = False
            log.info("the camera has followed another light")
            self._calibration = replace(self._calibration, controls=exposing.lock())
            exposing.keep()
            if self._finder is not None:
                self._finder.store_learnt(self._calibration)

    def _look_for_board(self, frame: Frame) -> None:
        """The printed board, whenever it lies in the tray, makes places exact."""
        if self._board is None or self._finder is None:
            return
        try:
            with memory_watched():
                found = self._board.feed(frame)
        except OutOfMemory as error:
            log.warning("cannot look for the printed board: %s", error)
            return
        if isinstance(found, Calibration):
            self._board = None
            log.info("the printed board was seen: places within %.1f mm", found.off_mm or 0.0)
            calibration = self._use(self._calibration.measured_anew(found))
            self._drift = self._watch_drift(calibration)
            self._empty.forget()

    def _learn_empty_tray(
        self, frame: Frame, trial: tuple[Image, Sequence[TrackedDie]] | None
    ) -> None:
        """Takes a picture of the tray whenever it lies empty, and tries it out in some throws."""
        if self._finder is None or self._calibration.layout is None:
            return
        try:
            with memory_watched():
                if self._state is not TrayState.EMPTY:
                    self._empty.disturb()
                elif self._empty.see(frame, self._calibration.profile):
                    log.info("the empty tray looks otherwise: its picture is not used any more")
                    self._read_with_empty_tray(None)
                if trial is not None:
                    image, dice = trial
                    found = [die.reading for die in dice]
                    if self._empty.try_out(self._calibration, image, found, self._expected):
                        log.info("the empty tray was learnt")
                        self._read_with_empty_tray(self._empty.picture)
        except (OutOfMemory, VisionError) as error:
            log.warning("cannot learn how the empty tray looks: %s", error)

    def _read_with_empty_tray(self, picture: Image | None) -> None:
        """Reads with a picture of the empty tray, or without, once it is empty."""
        profile = replace(self._calibration.profile, empty=picture)
        self._use(replace(self._calibration, profile=profile), at_once=False)

    def _learn_from_dice(self, throw: tuple[Image, Sequence[TrackedDie]] | None) -> None:
        """Learns how large the dice are, and with them how high the rim stands.

        Where throws have shown the size before, people are asked.
        """
        if self._finder is None or throw is None:
            return
        before = self._calibration
        image, dice = throw
        try:
            with memory_watched():
                found = self._dice.see(before, image, [die.reading for die in dice])
        except (OutOfMemory, VisionError) as error:
            log.warning("cannot tell how large the dice are: %s", error)
            return
        if isinstance(found, Calibration):
            edge = found.profile.die_edge_mm
            log.info(
                "a rim of %.0f mm was learnt, dice of %g mm: places within %.1f mm",
                *(found.rim_mm or 0.0, edge, found.off_mm or 0.0),
            )
            self._drift = self._watch_drift(self._use(found, at_once=False))
            self._confirm_size(edge == before.profile.die_edge_mm)
        elif isinstance(found, float) and self._finder.new_dice.note_size(found):
            log.info("dice of %g mm were learnt", found)
            self.renew(before.with_dice_of(found))
            if self._calibration.layout is not None:
                self._finder.store_learnt(self._calibration)
        elif found is Size.AGREES:
            self._confirm_size(True)

    def _confirm_size(self, agrees: bool) -> None:
        """Takes note of a throw of the size that is believed, or now is; some make it known."""
        if self._calibration.size_known:
            return
        self._throws_of_size = self._throws_of_size + 1 if agrees else 0
        if self._throws_of_size == CONFIRMING_THROWS:
            self._calibration = replace(self._calibration, size_known=True)
            if self._calibration.layout is not None and self._finder is not None:
                self._finder.store_learnt(self._calibration)

    def _learn_holder(self, dice: Sequence[TrackedDie]) -> None:
        """Takes note of where dice are put to keep them."""
        if self._finder is None or self._calibration.layout is None:
            return
        found = self._holder.see(self._calibration, [die.reading for die in dice])
        if found is not None:
            log.info("the place of kept dice was learnt")
            self._use(found, at_once=False)

    def renew(self, calibration: Calibration) -> None:
        """Reads with what is known of the dice now, once the tray is empty."""
        if calibration.profile.die_edge_mm != self._calibration.profile.die_edge_mm:
            self._throws_of_size = 0
        # The tray may have been followed since.
        self._calibration = self._moved = calibration.measured_anew(self._calibration)
        self._far = False

    def _use(self, calibration: Calibration, *, at_once: bool = True) -> Calibration:
        """Keeps a calibration, and reads with it from the next frame on, or once all is empty."""
        self._calibration = self._moved = calibration
        self._far = at_once
        if self._finder is not None:
            self._finder.store_learnt(calibration)
        return calibration

    def _check_drift(self, frame: Frame) -> None:
        try:
            with memory_watched():
                # To the watcher a tray that was pushed may be a hand: all of the picture differs.
                quiet = self._state is not TrayState.HAND
                events = self._drift.feed(frame, quiet=quiet)
        except OutOfMemory as error:
            log.warning("cannot tell whether the tray has moved: %s", error)
            return
        for event in events:
            if isinstance(event, Relight):
                self._follow_light(event.factor)
                continue
            self.trouble = event.problem if isinstance(event, Trouble) else None
            if isinstance(event, Trouble):
                log.warning("%s: %s", event.problem, event.detail)
            elif isinstance(event, Shifted):
                log.info("the tray has moved by %.1f mm: followed", event.shift_mm)
                self._calibration = self._moved = self._shifted(event.calibration)
                self._empty.forget()
                # A rim is compared with the picture of the empty tray, which a shift spoils.
                if self._finder is not None and self._calibration.layout is not None:
                    self._finder.store_learnt(self._calibration)
                # Dice that lie there keep their places through a small shift, not through others.
                self._far = event.shift_mm > MAX_FOLLOWED_SHIFT_MM


class FittingWatcher:
    """A watcher of those pictures that are as the profile's: of the same camera and sight.

    Places in others mean something else, so nothing is said about them.

    Args:
        profile: what the pictures must be like.
        watcher: gets those that are.

    Attributes:
        watcher: the same.
    """

    def __init__(self, profile: Profile, watcher: ReadingWatcher) -> None:
        self._profile, self.watcher = profile, watcher
        self._other: OtherView | None = None
        self._checked = False
        self._sight: Sight | None = None

    def feed(self, frame: Frame) -> Sequence[TrayEvent]:
        """The events that are new with this frame; none if its picture is another."""
        # The size of pictures of the same sight stays; to ask for it may mean to render one.
        if not self._checked or frame.sight != self._sight:
            self._checked, self._sight, self._other = False, frame.sight, None
            try:
                self._profile.check_view(frame.size, frame.sight)
            except OtherView as error:
                self._other = error
                return ()
            self._checked = True
        return self.watcher.feed(frame)

    def finish(self) -> Sequence[TrayEvent]:
        """The events that can still be reported when no frame follows."""
        return self.watcher.finish()

    @property
    def unread(self) -> Unreadable | None:
        """Why nothing can be claimed about the tray; None if it can be read."""
        return self._other or self.watcher.unread

    def expect(self, count: int | None) -> None:
        """How many dice the game needs in the tray."""
        self.watcher.expect(count)


_ALERT_BY_PROBLEM = {
    Problem.MOVED: Alert.TRAY_MOVED,
    Problem.HIDDEN: Alert.MARKER_HIDDEN,
    Problem.TOO_DARK: Alert.LITTLE_LIGHT,
    Problem.TOO_BRIGHT: Alert.MUCH_LIGHT,
    Problem.LENS_DIRTY: Alert.LENS_DIRTY,
}

_ALERT_BY_REASON: Mapping[type[Unreadable], Alert] = {
    TooManySpots: Alert.TOO_MANY_SPOTS,
    OutOfMemory: Alert.MEMORY_FULL,
    OtherView: Alert.OTHER_VIEW,
}

LIGHT_ALERT_S = 12.0
"""Little light may stay all evening, and is mostly still read well."""


class Guard:
    """Makes watchers for the present calibration, and says what is wrong with tray and pictures.

    Args:
        calibration: returns it; None while there is none.
        camera: takes darker frames; None where it cannot.
        finder: looks for a tray that is not calibrated, and keeps what is learnt of one that is;
            None where nothing is to be learnt, as from a film.
    """

    def __init__(
        self,
        calibration: Callable[[], Calibration | None],
        camera: Exposure | None = None,
        finder: Finder | None = None,
    ) -> None:
        self._calibration = calibration
        self._finder = finder
        self._make = partial(calibrated_watcher, camera=camera)
        self._guarded: GuardedWatcher | None = None
        self._watcher: ReadingWatcher | None = None
        self._unread: Unreadable | None = None
        self._other_light_s: float | None = None

    def watcher(self) -> Watching:
        """A watcher that reads with the present calibration."""
        self._guarded = None
        self._watcher = self._calibrated_watcher()
        if self._watcher is None:
            self._watcher = Watcher(UncalibratedReader())
            if self._finder is not None:
                self._watcher = FindingWatcher(
                    self._finder, self._watcher, self._calibrated_watcher
                )
        return self._watcher

    def _calibrated_watcher(self) -> ReadingWatcher | None:
        calibration = self._calibration()
        if calibration is None:
            return None
        watcher: ReadingWatcher
        try:
            watcher = self._guarded = GuardedWatcher(
                calibration, make=self._make, finder=self._finder
            )
        except ValueError as error:
            log.warning("cannot watch whether the tray moves: %s", error)
            watcher = self._make(calibration)
        return FittingWatcher(calibration.profile, watcher)

    @property
    def last_throw(self) -> Image | None:
        """A picture of the last throw; None where there was none, or it may lie elsewhere now."""
        return None if self._guarded is None else self._guarded.last_throw

    def renew(self, calibration: Calibration) -> None:
        """Reads with what is known of the dice now, where something is read."""
        if self._guarded is not None:
            self._guarded.renew(calibration)

    def alerts(self, frame: Frame) -> frozenset[Alert]:
        """The alerts on the set-up now; that the light has changed is said for a while."""
        trouble = None if self._guarded is None else self._guarded.trouble
        if trouble not in (Problem.TOO_DARK, Problem.TOO_BRIGHT):
            self._other_light_s = None
        elif self._other_light_s is None:
            self._other_light_s = frame.time_s
        elif frame.time_s - self._other_light_s >= LIGHT_ALERT_S:
            trouble = None
        found = set() if trouble is None else {_ALERT_BY_PROBLEM[trouble]}
        before, self._unread = self._unread, None if self._watcher is None else self._watcher.unread
        if self._unread is not None:
            if type(before) is not type(self._unread):
                log.warning("%s", self._unread)
            found.add(_ALERT_BY_REASON[type(self._unread)])
        return frozenset(found)
