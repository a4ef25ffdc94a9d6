"""Finds a tray that nobody has calibrated: by its four markers, while games are already played.

Throws are read without a calibration meanwhile. Once the markers lie still in good light the camera
is locked, the calibration kept, and everything read with it from then on.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

from appliance.service.new_dice import NewDice
from appliance.service.ports import Exposing
from calibration.calibration import Calibration
from calibration.errors import RefusedError
from calibration.markers.bundle import RimHeight
from calibration.problems import Problem
from calibration.self_calibration import Brighter, SelfCalibration
from vision.errors import OutOfMemory, Unreadable
from vision.events import TrayChanged, TrayEvent
from vision.frame import Frame
from vision.geometry.sight import Sight
from vision.image.memory import memory_watched
from vision.reading import TrayState
from vision.watch.watching import ReadingWatcher

log = logging.getLogger(__name__)

PATIENCE_S = 20.0
"""Without four markers in view for so long, it is said that the tray is not known."""
ROLLING_S = 1.5
"""Dice roll for so long at most; what still moves then is no throw."""
QUIET = (TrayState.EMPTY, TrayState.STILL)


class Finder(Protocol):
    """The port of a search for the tray: facts that are known, and somebody to tell."""

    @property
    def exposing(self) -> Exposing | None:
        """The camera's exposure, where it can be locked."""

    @property
    def rim(self) -> RimHeight | None:
        """The rim's height, where somebody has entered it."""

    @property
    def sight(self) -> Sight | None:
        """The camera and the part of its sensor that pictures show, where frames do not say."""

    @property
    def new_dice(self) -> NewDice:
        """Asks whether dice that seem to be others are new ones."""

    def on_tray_found(self, calibration: Calibration) -> None:
        """Keeps the calibration."""

    def store_learnt(self, calibration: Calibration) -> None:
        """Keeps what has been learnt of the tray since."""

    def on_tray_refused(self, refused: RefusedError | None) -> None:
        """Says why markers that are seen cannot be used; None once that has changed."""

    def on_tray_not_found(self) -> None:
        """Says that the tray is not known."""


class FindingWatcher:
    """A watcher without a calibration that gives way to one with it, once it has found the tray.

    Args:
        finder: knows what is known, and keeps what is found.
        plain: reads without a calibration.
        calibrated: makes the watcher that follows.
    """

    def __init__(
        self,
        finder: Finder,
        plain: ReadingWatcher,
        calibrated: Callable[[], ReadingWatcher | None],
    ) -> None:
        self._finder = finder
        self._calibrated = calibrated
        self._search: SelfCalibration | None = None
        self._refused: RefusedError | None = None
        self._since_s: float | None = None
        self._state = TrayState.EMPTY
        self._moves_since_s: float | None = None
        self._expected: int | None = None
        self._over = False
        self.watcher = plain

    def feed(self, frame: Frame) -> Sequence[TrayEvent]:
        """The events in the tray that are new with this frame."""
        if not self._over and frame.exposure == 1.0 and self._may_look(frame.time_s):
            self._look(frame)
        events = self.watcher.feed(frame)
        for event in events:
            if isinstance(event, TrayChanged):
                self._state = event.state
        return events

    def _may_look(self, time_s: float) -> bool:
        """True while nothing moves, or all moves for longer than dice roll: a focus may hunt."""
        if self._state in QUIET:
            self._moves_since_s = None
            return True
        if self._moves_since_s is None:
            self._moves_since_s = time_s
        return self._state.moves and time_s - self._moves_since_s >= ROLLING_S

    def finish(self) -> Sequence[TrayEvent]:
        """The events that can still be reported when no frame follows."""
        return self.watcher.finish()

    @property
    def unread(self) -> Unreadable | None:
        """Why nothing can be claimed about the tray; None if it can be read."""
        return self.watcher.unread

    def expect(self, count: int | None) -> None:
        """How many dice the game needs in the tray."""
        self._expected = count
        self.watcher.expect(count)

    def _look(self, frame: Frame) -> None:
        finder = self._finder
        exposing = finder.exposing
        if self._search is None:
            # The camera is open by now.
            self._search = SelfCalibration(finder.rim, finder.sight, exposes=exposing is not None)
            self._since_s = frame.time_s
            if exposing is not None:
                exposing.unlock()
        try:
            with memory_watched():
                seen = self._search.feed(frame)
        except OutOfMemory as error:
            log.warning("cannot look for the tray: %s", error)
            return
        trouble = self._search.trouble
        if self._state not in QUIET and _problem(trouble) is not Problem.BLURRED:
            # Whoever moves something hides markers meanwhile.
            trouble = self._refused
        match seen:
            case Brighter(factor) if exposing is not None:
                exposing.expose(factor)
            case Calibration():
                controls = {} if exposing is None else exposing.lock()
                finder.on_tray_found(replace(seen, controls=controls))
                if exposing is not None:
                    exposing.keep()
                self._over = True
                self.watcher = self._calibrated() or self.watcher
                self.watcher.expect(self._expected)
            case _ if _problem(trouble) is not _problem(self._refused):
                self._refused = trouble
                finder.on_tray_refused(trouble)
            case _ if self._refused is not None:
                # More is known than that the tray is not.
                self._since_s = None
            case _ if self._since_s is not None and frame.time_s - self._since_s >= PATIENCE_S:
                self._since_s = None
                finder.on_tray_not_found()


def _problem(refused: RefusedError | None) -> Problem | None:
    return None if refused is None else refused.problem
