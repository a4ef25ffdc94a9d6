"""Is the tray where it was, is the light what it was, is the lens clean?

A watch is fed frames of a quiet tray, with or without dice in it. It looks only at what is round
the floor: markers near where they were, or else the rim. A small shift that several looks agree on
is followed; a large one is reported, and the profile is no longer trusted. A hand over the rim
hides it for a while and means nothing.
"""

from dataclasses import dataclass, replace

import numpy as np

from calibration.calibration import Calibration
from calibration.drift.look import Inspector, Unseen
from calibration.drift.markers import MarkerInspector
from calibration.drift.rim import RimInspector
from calibration.problems import Problem
from vision.frame import Frame
from vision.geometry.camera import rotation_of, vector_of
from vision.geometry.profile import Profile
from vision.image.arrays import FloatArray

STILL_MM = 0.35
"""Shifts below this are the noise of the measurement."""
FOLLOW_MM = 8.0
"""Greatest shift of any corner of the tray that is followed: half a die."""
_AGREE_MM = 0.5
_AGREE_LOOKS = 3
_LOST_LOOKS = 8


@dataclass(frozen=True, slots=True)
class Fine:
    """Everything is as it was (again)."""


@dataclass(frozen=True, slots=True, eq=False)
class Shifted:
    """The tray has moved a little; this is the calibration for where it is now.

    Attributes:
        calibration: with the new pose.
        shift_mm: of the corner of the tray that moved most.
    """

    calibration: Calibration
    shift_mm: float


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something has to be done.

    Attributes:
        problem: the words for the board: TRAY MOVED, MARKER HIDDEN, LIGHT CHANGED, CLEAN THE LENS.
        trusted: whether readings may still be used.
        detail: measured, expected and what to do.
    """

    problem: Problem
    trusted: bool
    detail: str


DriftEvent = Fine | Shifted | Trouble


def inspector_of(calibration: Calibration) -> Inspector:
    """The inspector for an installation.

    Raises:
        ValueError: there are neither markers nor a picture of the empty tray to compare with.
    """
    if calibration.layout is not None and calibration.look is not None:
        return MarkerInspector(calibration.layout, calibration.look)
    return RimInspector(calibration.profile)


def shift_between(profile: Profile, rotation: FloatArray, translation: FloatArray) -> float:
    """How far the tray's corners have moved in the picture, in millimetres at the dice's tops."""
    tops = np.column_stack([profile.tray, np.full(len(profile.tray), -profile.die_edge_mm)])
    before = profile.to_pixels(tops)
    now = replace(profile.pinhole, rotation=rotation, translation=translation).to_pixels(tops)
    scale = np.array([profile.edge_pixels((x, y)) for x, y in before.tolist()])
    return float((np.linalg.norm(now - before, axis=1) / scale * profile.die_edge_mm).max())


class DriftWatch:
    """Watches one installation; nothing here reads a clock.

    Args:
        calibration: of the installation that is watched.
        inspector: looks at what is round the floor; by default at the markers, or at the
            rim where there are none.
        every_s: seconds between looks while all is fine. After something odd, every frame that is
            fed is looked at until all is fine again.

    Attributes:
        calibration: the calibration as it is now, with followed shifts.
        trusted: whether readings may be used.

    Raises:
        ValueError: there is nothing to watch.
    """

    def __init__(
        self, calibration: Calibration, inspector: Inspector | None = None, *, every_s: float = 20.0
    ) -> None:
        self.calibration = calibration
        self.trusted = True
        self._inspector = inspector or inspector_of(calibration)
        self._every_s = every_s
        self._next_s: float | None = None
        self._poses: list[tuple[FloatArray, FloatArray]] = []
        self._lost = 0
        self._odd: list[Problem] = []
        self._reported: Problem | None = None

    def feed(self, frame: Frame) -> tuple[DriftEvent, ...]:
        """Looks at a frame if it is time to.

        Args:
            frame: a full picture of a tray in which nothing moves.
        """
        if self._next_s is not None and frame.time_s < self._next_s:
            return ()
        estimate = self._inspector.see(frame.image, self.calibration.profile)
        if isinstance(estimate, Unseen):
            return self._missing(estimate)
        if estimate.problem is Problem.MOVED:
            return self._odd_look(estimate.problem, estimate.detail)
        shift = shift_between(self.calibration.profile, estimate.rotation, estimate.translation)
        # A tray that has moved far need not be located reliably on every look.
        self._lost = self._lost + 1 if shift > FOLLOW_MM else 0
        if shift > STILL_MM:
            return self._moved(estimate.rotation, estimate.translation, shift)
        self._poses.clear()
        if estimate.problem is not None:
            return self._odd_look(estimate.problem, estimate.detail)
        return self._fine(frame.time_s)

    def _missing(self, unseen: Unseen) -> tuple[DriftEvent, ...]:
        self._lost += 1
        self._poses.clear()
        if self._lost < _LOST_LOOKS:
            return ()
        return self._report(Trouble(unseen.problem, False, unseen.detail))

    def _moved(
        self, rotation: FloatArray, translation: FloatArray, shift: float
    ) -> tuple[DriftEvent, ...]:
        self._poses.append((rotation, translation))
        # Nothing is read while it is unclear where the tray is.
        self.trusted = self.trusted and shift <= FOLLOW_MM
        recent = self._poses[-_AGREE_LOOKS:]
        profile = self.calibration.profile
        now = replace(profile, rotation=rotation, translation=translation)
        agreed = len(recent) == _AGREE_LOOKS and all(
            shift_between(now, *pose) <= _AGREE_MM for pose in recent[:-1]
        )
        if shift > FOLLOW_MM and (agreed or self._lost >= _LOST_LOOKS):
            return self._report(
                Trouble(
                    Problem.MOVED,
                    False,
                    f"the tray has moved by {shift:.0f} mm, expected at most {FOLLOW_MM:.0f}; put "
                    "it back or calibrate again",
                )
            )
        if shift > FOLLOW_MM or not agreed:
            return ()
        turn = np.mean([vector_of(r) for r, _ in recent], axis=0)
        middle = np.mean([t for _, t in recent], axis=0)
        self.calibration = replace(
            self.calibration,
            profile=replace(profile, rotation=rotation_of(turn), translation=middle, empty=None),
        )
        self._poses.clear()
        self._reported, self.trusted = None, True
        return (Shifted(self.calibration, shift),)

    def _odd_look(self, problem: Problem, detail: str) -> tuple[DriftEvent, ...]:
        self._odd.append(problem)
        if self._odd[-_AGREE_LOOKS:] != [problem] * _AGREE_LOOKS:
            return ()
        # Less light or a smear makes readings unsure, not wrong; displaced markers make them wrong.
        return self._report(Trouble(problem, problem is not Problem.MOVED, detail))

    def _report(self, trouble: Trouble) -> tuple[DriftEvent, ...]:
        self.trusted = trouble.trusted
        if self._reported is trouble.problem:
            return ()
        self._reported = trouble.problem
        return (trouble,)

    def _fine(self, time_s: float) -> tuple[DriftEvent, ...]:
        self._odd.clear()
        self._next_s = time_s + self._every_s
        self.trusted = True
        if self._reported is None:
            return ()
        self._reported = None
        return (Fine(),)
