"""The tray as it is known: its profile on disk, the watcher that lives by it, what players judged.

A damaged profile does not keep the appliance from starting: the one before is used and said so.
While playing the markers, or the rim without them, are looked at now and then; a small shift is
followed as soon as the tray is empty, after a large one nothing is read until the tray is back or
calibrated anew.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from appliance.alerts import Alert
from appliance.devices.camera import Camera
from appliance.service.appliance import Happened
from appliance.service.calibration import Calibrating, Exposing, watching
from appliance.service.corrections import faces_on_record
from appliance.service.ports import Activity, Watching
from calibration import store
from calibration.accuracy import board_lines
from calibration.calibration import Calibration
from calibration.drift.watch import DriftEvent, DriftWatch, Followed, Trouble
from calibration.errors import StoreError
from calibration.problems import Problem
from calibration.store import DamagedError
from calibration.uncalibrated import UncalibratedReader
from vision.errors import OutOfMemory, TooManySpots, Unreadable, memory_watched
from vision.events import Roll, TrayChanged, TrayEvent
from vision.frame import Frame
from vision.reading import TrayState
from vision.watch.watcher import Watcher

log = logging.getLogger(__name__)

_ALERTS = {
    Problem.MOVED: Alert.TRAY_MOVED,
    Problem.HIDDEN: Alert.MARKER_HIDDEN,
    Problem.LIGHT_CHANGED: Alert.LIGHT_CHANGED,
    Problem.LENS_DIRTY: Alert.LENS_DIRTY,
}


class KnownTray:
    """What calibration knows of this tray, kept and used.

    Args:
        path: the profile's file, which need not be there; None for a tray that is not known.
        strict: a missing or damaged profile is an error, as where no board could say so.

    Attributes:
        known: the calibration; None while there is none.
        notices: pages for the board that nobody has said yet.
        exposing: the camera's exposure, where it can be locked.

    Raises:
        StoreError: the profile cannot be used, where `strict`.
    """

    def __init__(self, path: Path | None, strict: bool = False) -> None:
        self._path = path
        self.notices: list[tuple[str, str]] = []
        self.known = None if path is None else self._loaded(path, strict)
        self.exposing: Exposing | None = None
        self._wrong = 0
        self._guard: GuardedWatcher | None = None
        self._watcher: Reading | None = None
        self._unread: Unreadable | None = None

    def _loaded(self, path: Path, strict: bool) -> Calibration | None:
        if not strict and not path.exists() and not store.previous_of(path).exists():
            self.notices.append(("TRAY NOT KNOWN", "CALIBRATE?"))
            return None
        try:
            return store.load(path)
        except DamagedError as error:
            if strict:
                raise
            log.error("%s", error)
            if error.previous is None:
                self.notices.append(("PROFILE BROKEN", "CALIBRATE?"))
                return None
            self.notices.append(("PROFILE BROKEN", "OLD ONE IS USED"))
            return store.load(error.previous)

    def keep(self, known: Calibration) -> None:
        """Keeps a new calibration.

        Raises:
            StoreError: it cannot be written; the old one stays.
        """
        if self._path is None:
            raise StoreError("expected a file to keep the profile in; name one with --profile")
        store.save(self._path, known)
        self.known = known
        self._wrong = 0

    def watcher(self) -> Watching:
        """A watcher that reads with what is known."""
        self._guard = None
        self._watcher = self._made()
        return self._watcher

    def _made(self) -> "Reading":
        if self.known is None:
            return Watcher(UncalibratedReader())
        try:
            self._guard = GuardedWatcher(self.known)
        except ValueError as error:
            log.warning("nobody looks whether the tray moves: %s", error)
            return watching(self.known)
        return self._guard

    def calibrate(self) -> Activity:
        """Begins the calibration; afterwards `watcher` gives one for what was found out."""
        return Calibrating(self.keep, exposing=self.exposing, floor_mm=self.floor_mm)

    @property
    def floor_mm(self) -> tuple[float, float] | None:
        """The floor's size as it was told for what is known, so that nobody is asked twice."""
        return None if self.known is None else self.known.floor_mm

    @property
    def controls(self) -> Mapping[str, float]:
        """What the camera shall be locked to, by its names of controls; empty if not known."""
        return {} if self.known is None else self.known.controls

    def opened(self, camera: Camera) -> Camera:
        """Takes note of the camera that was opened, for the calibration; gives it back."""
        self.exposing = camera if isinstance(camera, Exposing) else None
        return camera

    def speak(self, say: Callable[[tuple[str, str]], None]) -> None:
        """Says on the board what has come up since the last call, one thing at a time."""
        if self.notices:
            say(self.notices.pop(0))

    def alerts(self, _: Frame) -> frozenset[Alert]:
        """What is wrong with the set-up now."""
        trouble = None if self._guard is None else self._guard.trouble
        found = set() if trouble is None else {_ALERTS[trouble]}
        before, self._unread = self._unread, None if self._watcher is None else self._watcher.unread
        if self._unread is not None:
            if type(before) is not type(self._unread):
                log.warning("%s", self._unread)
            crowded = isinstance(self._unread, TooManySpots)
            found.add(Alert.TOO_MANY_SPOTS if crowded else Alert.MEMORY_FULL)
        return frozenset(found)

    def __call__(self, happened: Happened) -> None:
        """Counts what players put right; told of everything that happens in a game.

        What was put right counts when the next throw comes: until then it may be taken back.
        """
        if isinstance(happened.input, Roll):
            self._count()
        if happened.session is None:
            return
        shown = faces_on_record(happened.session).values()
        self._wrong = sum(d.reading.sure and d.reading.value != face for d, face in shown)

    def finish(self) -> None:
        """Counts what the last throw has shown."""
        self._count()

    def _count(self) -> None:
        wrong, self._wrong = self._wrong, 0
        if not wrong or self.known is None:
            return
        # Only judged dice count, so that the statement never becomes better by play alone.
        known = self.known.with_check(self.known.check.with_throw(wrong, wrong))
        try:
            if self._path is not None:
                store.save(self._path, known)
        except StoreError as error:
            log.warning("%s", error)
        self.known = known

    def about(self) -> tuple[tuple[str, str], ...]:
        """Lines for the menu's ABOUT."""
        if self.known is None:
            return (("TRAY", "NOT MEASURED"),)
        first, second = board_lines(self.known.check)
        lines = (("DICE JUDGED", first), ("ACCURACY", second))
        off = self.known.off_mm
        return lines if off is None else (*lines, ("PLACES", f"WITHIN {off:.1f} MM"))


class Reading(Watching, Protocol):
    """A watcher that says when it cannot read."""

    @property
    def unread(self) -> Unreadable | None:
        """Why nothing can be claimed of the tray as it is; None if it can be read."""


class Drifting(Protocol):
    """What looks whether the tray is where it was."""

    @property
    def trusted(self) -> bool:
        """Whether readings may be used."""

    def feed(self, frame: Frame) -> tuple[DriftEvent, ...]:
        """Looks at a frame of a quiet tray."""


class GuardedWatcher:
    """A watcher that looks now and then whether the tray is where it was.

    Args:
        known: the calibration.
        drift: looks at the markers or the rim; by default as they are known.
        make: makes a watcher for what is known.

    Attributes:
        trouble: what is wrong; None while all is fine.

    Raises:
        ValueError: there are neither markers nor a rim to look at.
    """

    def __init__(
        self,
        known: Calibration,
        drift: Drifting | None = None,
        make: Callable[[Calibration], Reading] = watching,
    ) -> None:
        self._drift = drift or DriftWatch(known)
        self._make = make
        self._watcher = make(known)
        self._state = TrayState.EMPTY
        self._expected: int | None = None
        self._moved: Calibration | None = None
        self.trouble: Problem | None = None

    def feed(self, frame: Frame) -> Sequence[TrayEvent]:
        """What is new in the tray with this frame; nothing while readings cannot be trusted."""
        if self._state in (TrayState.EMPTY, TrayState.STILL):
            self._look(frame)
        if not self._drift.trusted:
            return ()
        if self._moved is not None and self._state is TrayState.EMPTY:
            self._watcher, self._moved = self._make(self._moved), None
            self._watcher.expect(self._expected)
        events = self._watcher.feed(frame)
        for event in events:
            if isinstance(event, TrayChanged):
                self._state = event.state
        return events

    def finish(self) -> Sequence[TrayEvent]:
        """What can still be told when no frame follows."""
        return self._watcher.finish()

    @property
    def unread(self) -> Unreadable | None:
        """Why nothing can be claimed of the tray; None if it can be read."""
        return self._watcher.unread

    def expect(self, count: int | None) -> None:
        """How many dice the game needs in the tray."""
        self._expected = count
        self._watcher.expect(count)

    def _look(self, frame: Frame) -> None:
        try:
            with memory_watched():
                events = self._drift.feed(frame)
        except OutOfMemory as error:
            log.warning("nobody looked whether the tray has moved: %s", error)
            return
        for event in events:
            self.trouble = event.problem if isinstance(event, Trouble) else None
            if isinstance(event, Trouble):
                log.warning("%s: %s", event.problem, event.detail)
            elif isinstance(event, Followed):
                log.info("the tray has moved by %.1f mm: followed", event.shift_mm)
                self._moved = event.known
