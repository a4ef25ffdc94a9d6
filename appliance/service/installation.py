"""The tray's calibration: loaded, stored, redone, and reported on the board.

A damaged profile does not keep the appliance from starting: the previous one is used, and the board
says so. `guard` watches the tray with it.
"""

import logging
from collections.abc import Callable, Mapping
from itertools import chain
from pathlib import Path

from appliance.devices.camera import Camera
from appliance.service.devices import Tray
from appliance.service.dice_learning import DiceLearning
from appliance.service.guard import Guard
from appliance.service.new_dice import NewDice
from appliance.service.ports import Activity, Exposing
from calibration import store
from calibration.accuracy import accuracy_on_board, unread_on_board
from calibration.calibration import Calibration
from calibration.difference import lines_of, measured_after
from calibration.errors import RefusedError, StoreError
from calibration.markers.lens import MODULE_3_SIGHT
from calibration.own_dice import MIN_CORRECTED, WHY_ON_BOARD, FaceRecord, known_colours
from calibration.problems import Problem
from calibration.self_calibration import entered_rim
from calibration.store import DamagedError
from vision.frame import Frame
from vision.geometry.profile import Profile
from vision.geometry.sight import Sight
from vision.watch.darker import Exposure

log = logging.getLogger(__name__)


class CalibratedTray:
    """A tray and its calibration, stored and used.

    Args:
        path: the profile's file, which need not exist; None for a tray without one.
        strict: whether a missing or damaged profile is a StoreError, as when no board can say so;
            nothing is learnt of the tray then.
        known: whether a profile that is there is of this tray; else only a new one counts, and it
            is all right if there is none.
        rim_mm: height of the rim above the floor as entered; 0 where nobody has.
        geometry: of the view, to read with while there is no calibration; it is not stored, as the
            camera may hang anywhere.

    Attributes:
        calibration: the calibration; None while there is none.
        notices: pages that the board has not shown yet.
        refused: why markers that are seen cannot be used; None where that is not so.
        unstored: how many changes to the calibration are not stored yet.
        exposing: the camera's exposure, where it can be locked.
        shutter: the same where it can be reduced for a moment.
        guard: makes watchers for the calibration, and says what is wrong.
        new_dice: asks whether dice that seem to be others are new ones.
        learning: learns from what happens in the games.
    """

    def __init__(
        self,
        path: Path | None,
        strict: bool = False,
        known: bool = True,
        rim_mm: float = 0.0,
        geometry: Calibration | None = None,
    ) -> None:
        self._path = path
        self._geometry, self._known = geometry, known
        self.rim = entered_rim(rim_mm) if rim_mm else None
        self.notices: list[tuple[str, str]] = []
        self.calibration = self._load(path, strict) if path is not None and known else None
        self._before: Calibration | None = None
        if self.rim and self.calibration and not self.calibration.rim_known:
            # Now that somebody has entered it, the tray is measured again.
            self._before, self.calibration = self.calibration, None
        self.refused: RefusedError | None = None
        self._told = set[Problem]()
        self.unstored = 0
        self.exposing: Exposing | None = None
        self.shutter: Exposure | None = None
        self._camera: Camera | None = None
        self.guard = Guard(lambda: self.read_with, self, None if strict else self)
        self.new_dice = NewDice(self, self.guard.renew)
        self.learning = DiceLearning(self, self.new_dice, self.guard)

    def _load(self, path: Path, strict: bool) -> Calibration | None:
        if not strict and not store.profile_exists(path):
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
        """Stores a new calibration; StoreError if it cannot be written, and the old one stays."""
        if self._path is None:
            raise StoreError("expected a file to keep the profile in; name one with --profile")
        store.save(self._path, calibration)
        self.calibration, self._before = calibration, None
        self.on_tray_refused(None)
        self.learning.forget()

    def on_tray_found(self, calibration: Calibration) -> None:
        """Keeps the calibration of a tray that was found without asking anybody."""
        log.info(
            "the tray was found by its markers: places within %.1f mm", calibration.off_mm or 0.0
        )
        self.on_tray_refused(None)
        before, self._before = self._before, None
        found = measured_after(before, calibration)
        self.store_learnt(found)
        self.notices.append(("TRAY FOUND", f"WITHIN {calibration.off_mm or 0.0:.1f} MM"))
        self.notices += () if found.since is None else lines_of(found.since)

    def on_tray_refused(self, refused: RefusedError | None) -> None:
        """Says once why markers that are seen cannot be used; takes that back once it is mended."""
        before, self.refused = self.refused, refused
        if before is not None and before.problem.lines in self.notices:
            self.notices.remove(before.problem.lines)
        if refused is not None and refused.problem not in self._told:
            self._told.add(refused.problem)
            log.info("the markers cannot be used: %s", refused)
            self.notices.append(refused.problem.lines)

    def on_tray_not_found(self) -> None:
        """Says that the tray is not known, where somebody expects that it is."""
        if not self._known:
            return
        self.notices.append(("TRAY NOT KNOWN", "CALIBRATE?"))

    def store_learnt(self, calibration: Calibration) -> None:
        """Keeps what was learnt of the tray; it is used even if it cannot be stored."""
        if self.calibration is not None:
            # Checks are counted here.
            calibration = calibration.with_check(self.calibration.check)
            if calibration.profile.die_edge_mm == self.calibration.profile.die_edge_mm:
                # So are the dice, unless they are others now.
                calibration = calibration.with_dice_known_as(self.calibration)
        self.store(calibration)

    def use(self, calibration: Calibration) -> None:
        """Uses a calibration that is stored together with later ones."""
        self.calibration = calibration
        self.unstored += 1

    def store(self, calibration: Calibration) -> None:
        """Keeps a calibration; it is used even if it cannot be stored."""
        self.calibration = calibration
        self.unstored = 0
        if self._path is None:
            return
        try:
            store.save(self._path, calibration)
        except StoreError as error:
            log.warning("%s", error)

    @property
    def sight(self) -> Sight | None:
        """The camera and the part of its sensor that pictures show, where they do not say.

        Rendered pictures are those of a Camera Module 3; other cameras say what they are.
        """
        return MODULE_3_SIGHT if self._camera is None else None

    def calibrate(self) -> Activity:
        """Starts the calibration; afterwards `guard.watcher` makes a watcher with the result."""
        # Imported when somebody calibrates: the wizard is of no use before.
        from appliance.service.calibration import Calibrating

        return Calibrating(
            self.keep,
            known=self.calibration or self._before,
            exposing=self.exposing,
            shutter=self,
            floor_mm=self.floor_mm,
            sight=self.sight,
            rim=self.rim,
        )

    @property
    def read_with(self) -> Calibration | None:
        """The calibration that dice are read with, else the geometry of the view, if any."""
        return self.calibration or self._geometry

    def profile(self) -> Profile | None:
        """The geometry that frames are read with; None while there is none."""
        return None if self.read_with is None else self.read_with.profile

    def check_view(self, frame: Frame) -> None:
        """Checks that a frame is as the profile's; `OtherView` if it is not."""
        if self.read_with is not None:
            self.read_with.profile.check_view(frame.size, frame.sight)

    @property
    def floor_mm(self) -> tuple[float, float] | None:
        """The floor's size as entered for this calibration, so that nobody is asked twice."""
        return None if self.calibration is None else self.calibration.floor_mm

    @property
    def controls(self) -> Mapping[str, float]:
        """The values to lock the camera to, by control name; empty if not known."""
        return {} if self.calibration is None else self.calibration.controls

    def note_camera(self, camera: Camera) -> Camera:
        """Takes note of the camera that was opened, for the calibration; returns it."""
        self._camera = camera
        self.exposing = camera if isinstance(camera, Exposing) else None
        self.shutter = camera if isinstance(camera, Exposure) else None
        return camera

    def darken(self, share: float) -> bool:
        """Requests frames at this share of the usual exposure; returns whether the camera can."""
        return self.shutter is not None and self.shutter.darken(share)

    def brighten(self) -> None:
        """Requests the usual exposure again."""
        if self.shutter is not None:
            self.shutter.brighten()

    def say_next_notice(
        self, say: Callable[[tuple[str, str]], None], *, busy: bool = False
    ) -> None:
        """Says on the board what has come up since the last call, one thing at a time."""
        if self.notices and not busy:
            say(self.notices.pop(0))

    def watched(self) -> Tray:
        """The tray as the appliance has it."""
        watch = self.guard.watcher
        return Tray(watch(), watch, self.calibrate, self.new_dice.answer, self.learning.judge_face)

    def about(self) -> tuple[tuple[str, str], ...]:
        """Lines for the menu's ABOUT."""
        if self.calibration is None:
            why = () if self.refused is None else (self.refused.problem.lines,)
            return (("TRAY", "NOT MEASURED"), *why)
        first, second = accuracy_on_board(self.calibration.check)
        size = f"{self.calibration.profile.die_edge_mm:g} MM"
        lines: tuple[tuple[str, str], ...] = (("DICE CHECKED", first), ("ACCURACY", second))
        lines += (*unread_on_board(self.calibration.check), ("DICE", size))
        known = known_colours(self.calibration.profile.confirmed)
        lines += tuple(("COLOUR", name.upper()) for name in known)
        lines += tuple(chain.from_iterable(map(_about_face, self.calibration.own_dice.troubled)))
        off, since = self.calibration.off_mm, self.calibration.since
        places = () if off is None else (("POSITIONS", f"WITHIN {off:.1f} MM"),)
        # Dice alone may make a print seem small that is as it should be.
        scale, known_print = self.calibration.print_scale, self.calibration.print_known
        printed = (("PRINTED", f"AT {scale:.0%}"),) if known_print else ()
        return (*lines, *places, *printed, *(() if since is None else lines_of(since)))


def _about_face(face: FaceRecord) -> tuple[tuple[str, str], ...]:
    """Two pages on a face: what is amiss with it, and why."""
    if face.corrected >= MIN_CORRECTED:
        said = f"{face.corrected} WRONG OF {face.times}"
    else:
        said = f"ASKED {face.asked} OF {face.times}"
    return ((face.name.upper(), said), (face.name.upper(), WHY_ON_BOARD[face.why]))
