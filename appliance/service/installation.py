"""The tray's calibration: loaded, kept, made again, and said on the board.

A damaged profile does not keep the appliance from starting: the one before is used, and the board
says so. `guard` watches the tray by it; dice that were read wrongly are counted.
"""

import logging
from collections.abc import Callable, Mapping
from pathlib import Path

from appliance.devices.camera import Camera
from appliance.service.calibration import Calibrating, Exposing
from appliance.service.guard import Guard
from appliance.service.ports import Activity, Happened
from appliance.table.session.session import faces_on_record
from calibration import store
from calibration.accuracy import board_lines
from calibration.calibration import Calibration
from calibration.errors import StoreError
from calibration.store import DamagedError
from vision.events import Roll
from vision.geometry.profile import Profile
from vision.watch.darker import Exposure

log = logging.getLogger(__name__)


class CorrectionCount:
    """Listens to what happens in a game and reports how many dice were wrong, a throw at a time.

    What was put right counts when the next throw comes: until then it may be taken back.
    """

    def __init__(self, report: Callable[[int], None]) -> None:
        self._report = report
        self._wrong = 0

    def forget(self) -> None:
        """What was counted so far belongs to a calibration that is over."""
        self._wrong = 0

    def __call__(self, happened: Happened) -> None:
        """Looks at what players put right."""
        if isinstance(happened.input, Roll):
            self.finish()
        if happened.session is None:
            return
        shown = faces_on_record(happened.session).values()
        self._wrong = sum(d.reading.sure and d.reading.value != face for d, face in shown)

    def finish(self) -> None:
        """Counts what the last throw has shown."""
        wrong, self._wrong = self._wrong, 0
        if wrong:
            self._report(wrong)


class CalibratedTray:
    """A tray and its calibration, kept and used.

    Args:
        path: the profile's file, which need not be there; None for a tray without one.
        strict: a missing or damaged profile is a StoreError, as where no board could say so.

    Attributes:
        calibration: the calibration; None while there is none.
        notices: pages for the board that nobody has said yet.
        exposing: the camera's exposure, where it can be locked.
        shutter: the same where it can be less for a moment.
        guard: makes watchers for the calibration, and says what is wrong.
        corrections: counts what players put right; is given all that happens.
    """

    def __init__(self, path: Path | None, strict: bool = False) -> None:
        self._path = path
        self.notices: list[tuple[str, str]] = []
        self.calibration = None if path is None else self._loaded(path, strict)
        self.exposing: Exposing | None = None
        self.shutter: Exposure | None = None
        self.guard = Guard(lambda: self.calibration, self)
        self.corrections = CorrectionCount(self.count_misread)

    def _loaded(self, path: Path, strict: bool) -> Calibration | None:
        if not strict and not store.is_there(path):
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

    def keep(self, calibration: Calibration) -> None:
        """Keeps a new calibration; StoreError if it cannot be written, and the old one stays."""
        if self._path is None:
            raise StoreError("expected a file to keep the profile in; name one with --profile")
        store.save(self._path, calibration)
        self.calibration = calibration
        self.corrections.forget()

    def count_misread(self, wrong: int) -> None:
        """So many dice were read wrongly; the statement of how right reading is gets worse."""
        if self.calibration is None:
            return
        # Only dice that players checked count: play alone never makes the statement better.
        calibration = self.calibration.with_check(self.calibration.check.with_throw(wrong, wrong))
        try:
            if self._path is not None:
                store.save(self._path, calibration)
        except StoreError as error:
            log.warning("%s", error)
        self.calibration = calibration

    def calibrate(self) -> Activity:
        """Begins the calibration; afterwards `watcher` gives one for what was found out."""
        return Calibrating(self.keep, exposing=self.exposing, shutter=self, floor_mm=self.floor_mm)

    def profile(self) -> Profile | None:
        """The geometry that frames are read by; None while there is none."""
        return None if self.calibration is None else self.calibration.profile

    @property
    def floor_mm(self) -> tuple[float, float] | None:
        """The floor's size as entered for this calibration, so that nobody is asked twice."""
        return None if self.calibration is None else self.calibration.floor_mm

    @property
    def controls(self) -> Mapping[str, float]:
        """What the camera shall be locked to, by its names of controls; empty if not known."""
        return {} if self.calibration is None else self.calibration.controls

    def opened(self, camera: Camera) -> Camera:
        """Takes note of the camera that was opened, for the calibration; gives it back."""
        self.exposing = camera if isinstance(camera, Exposing) else None
        self.shutter = camera if isinstance(camera, Exposure) else None
        return camera

    def darken(self, share: float) -> bool:
        """Asks the camera for frames with this share of the usual exposure; whether it can."""
        return self.shutter is not None and self.shutter.darken(share)

    def brighten(self) -> None:
        """Asks it for the usual exposure again."""
        if self.shutter is not None:
            self.shutter.brighten()

    def speak(self, say: Callable[[tuple[str, str]], None]) -> None:
        """Says on the board what has come up since the last call, one thing at a time."""
        if self.notices:
            say(self.notices.pop(0))

    def about(self) -> tuple[tuple[str, str], ...]:
        """Lines for the menu's ABOUT."""
        if self.calibration is None:
            return (("TRAY", "NOT MEASURED"),)
        first, second = board_lines(self.calibration.check)
        lines = (("DICE CHECKED", first), ("ACCURACY", second))
        off = self.calibration.off_mm
        return lines if off is None else (*lines, ("PLACES", f"WITHIN {off:.1f} MM"))
