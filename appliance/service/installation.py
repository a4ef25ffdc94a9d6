"""The tray as it is known: its profile on disk, the watcher that lives by it, what players judged.

A damaged profile does not keep the appliance from starting: the one before is used and said so.
While playing the markers, or the rim without them, are looked at now and then; a small shift is
followed as soon as the tray is empty, after a large one nothing is read until the tray is back or
calibrated anew.
"""

import logging
from collections.abc import Callable, Mapping
from pathlib import Path

from appliance.alerts import Alert
from appliance.devices.camera import Camera
from appliance.service.calibration import Calibrating, Exposing, watching
from appliance.service.guard import GuardedWatcher, Reading
from appliance.service.ports import Activity, Happened, Watching
from appliance.table.session.session import faces_on_record
from calibration import store
from calibration.accuracy import board_lines
from calibration.calibration import Calibration
from calibration.errors import StoreError
from calibration.problems import Problem
from calibration.readers import UncalibratedReader
from calibration.store import DamagedError
from vision.errors import TooManySpots, Unreadable
from vision.events import Roll
from vision.frame import Frame
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
