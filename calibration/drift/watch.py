"""Is the tray where it was, is the light what it was, is the lens clean?

A watch is fed frames of a quiet tray, with or without dice in it. It looks only at what is round
the floor: markers near where they were, or else the rim. A shift that several looks agree on is
followed: however large, if four markers agree on it in each of these looks; else if it is small. A
large one is reported otherwise, and the profile is no longer trusted. A hand over the rim hides it
for a while and means nothing.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

import numpy as np

from calibration.calibration import Calibration
from calibration.difference import hanging_of
from calibration.drift.look import Inspector, PoseEstimate, Unseen
from calibration.drift.markers import MarkerInspector
from calibration.drift.rim import RimInspector
from calibration.markers.bundle import MAX_TILT_DEG
from calibration.problems import Problem
from vision.frame import Frame
from vision.geometry.camera import rotation_of, vector_of
from vision.geometry.profile import Profile
from vision.image.arrays import FloatArray

MAX_NOISE_MM = 0.35
"""Smaller shifts are the noise of the measurement."""
MAX_FOLLOWED_SHIFT_MM = 8.0
"""Greatest shift of any corner of the tray that is followed at once: half a die.

Four markers that agree are followed farther.
"""
LARGE_SHIFT_STEADY_S = 1.0
"""All looks must agree on a larger shift for so long: hands hold nothing as still."""
_MAX_DISAGREEMENT_MM = 0.5
_LOOKS_TO_AGREE = 3
_LOOKS_UNTIL_LOST = 8
RELIGHT_S = 8.0
"""So long the camera may take to follow another light, before somebody is asked to change it."""
_UNQUIET_INTERVAL_S = 0.5  # the search for markers that a hand hides takes long
_OF_LIGHT = (Problem.TOO_DARK, Problem.TOO_BRIGHT)


@dataclass(frozen=True, slots=True)
class Fine:
    """Everything is as it was (again)."""


@dataclass(frozen=True, slots=True, eq=False)
class Shifted:
    """The tray, or the camera, has moved; this is the calibration for where it is now.

    Attributes:
        calibration: with the new pose.
        shift_mm: of the corner of the tray that moved most.
    """

    calibration: Calibration
    shift_mm: float


@dataclass(frozen=True, slots=True)
class Relight:
    """The light is another: the camera should follow it.

    Attributes:
        factor: by which pictures should be brighter; 1 once the camera is to be locked again.
    """

    factor: float


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something has to be done.

    Attributes:
        problem: the words for the board: TRAY MOVED, MARKER HIDDEN, TOO DARK, TOO BRIGHT, CLEAN THE
            LENS.
        trusted: whether readings may still be used.
        detail: measured, expected and what to do.
    """

    problem: Problem
    trusted: bool
    detail: str


DriftEvent = Fine | Shifted | Relight | Trouble


@dataclass(frozen=True, slots=True, eq=False)
class _Pose:
    """A pose seen at a time, and whether it may be followed however far it is."""

    time_s: float
    rotation: FloatArray
    translation: FloatArray
    certain: bool


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


def _shows_all_markers(estimate: PoseEstimate | Unseen) -> bool:
    return isinstance(estimate, PoseEstimate) and estimate.certain


class DriftWatch:
    """Watches one installation; nothing here reads a clock.

    Args:
        calibration: of the installation that is watched.
        inspector: looks at what is round the floor; by default at the markers, or at the
            rim where there are none.
        every_s: seconds between looks while all is fine. After something odd, every frame that is
            fed is looked at until all is fine again.
        exposes: whether the camera's exposure can be set now, so that it can follow the light.

    Attributes:
        calibration: the calibration as it is now, with followed shifts.
        trusted: whether readings may be used.

    Raises:
        ValueError: there is nothing to watch.
    """

    def __init__(
        self,
        calibration: Calibration,
        *,
        every_s: float = 20.0,
        exposes: Callable[[], bool] = lambda: False,
    ) -> None:
        self.calibration = calibration
        self.trusted = True
        self._inspector = inspector_of(calibration)
        self._every_s = every_s
        self._next_s: float | None = None
        self._poses: list[_Pose] = []
        self._lost_looks = 0
        self._recent_problems: list[Problem] = []
        self._reported: Problem | None = None
        self._exposes = exposes
        self._light_is_lost = False
        self._relit_since_s: float | None = None

    def feed(self, frame: Frame, *, quiet: bool = True) -> tuple[DriftEvent, ...]:
        """Looks at a frame if it is time to.

        Args:
            frame: a full picture of a tray in which nothing moves.
            quiet: whether that is sure. Else something large lies there, a hand perhaps, or a knock
                has moved all of the picture: only four markers that agree count.
        """
        if self._next_s is not None and frame.time_s < self._next_s:
            return ()
        estimate = self._inspector.see(frame.image, self.calibration.profile)
        if not quiet and self.trusted and not _shows_all_markers(estimate):
            self._poses.clear()
            self._next_s = frame.time_s + _UNQUIET_INTERVAL_S
            return ()
        if isinstance(estimate, Unseen):
            return self._note_unseen(estimate)
        if estimate.problem is Problem.MOVED:
            return self._note_problem(estimate.problem, estimate.detail)
        shift = shift_between(self.calibration.profile, estimate.rotation, estimate.translation)
        if shift > MAX_NOISE_MM:
            pose = (estimate.rotation, estimate.translation, estimate.certain)
            return self._note_shift(_Pose(frame.time_s, *pose), shift)
        self._lost_looks = 0
        self._poses.clear()
        relit = self._follow_light(frame.time_s, estimate)
        if relit:
            return relit
        if estimate.problem is not None:
            return self._note_problem(estimate.problem, estimate.detail)
        return self._note_fine(frame.time_s)

    def _note_unseen(self, unseen: Unseen) -> tuple[DriftEvent, ...]:
        self._lost_looks += 1
        self._poses.clear()
        if self._lost_looks < _LOOKS_UNTIL_LOST:
            return ()
        return self._report_once(Trouble(unseen.problem, False, unseen.detail))

    def _note_shift(self, pose: _Pose, shift: float) -> tuple[DriftEvent, ...]:
        """A pose other than the calibration's: follows it, reports it, or waits for more looks."""
        before = self._poses[-1] if self._poses else None
        steady = before is not None and self._distance_mm(before, pose) <= _MAX_DISAGREEMENT_MM
        # A tray that has moved far need not be located reliably on every look.
        far = shift > MAX_FOLLOWED_SHIFT_MM
        settling = pose.certain and (before is None or steady)
        self._lost_looks = self._lost_looks + 1 if far and not settling else 0
        # Nothing is read while it is unclear where the tray is.
        self.trusted = self.trusted and not far
        self._poses = self._agreeing_poses(pose)
        recent = self._poses[-_LOOKS_TO_AGREE:]
        agreed = len(self._poses) >= _LOOKS_TO_AGREE
        if far and agreed and all(one.certain for one in recent):
            if pose.time_s - self._poses[0].time_s < LARGE_SHIFT_STEADY_S:
                return ()
        elif far and (agreed or self._lost_looks >= _LOOKS_UNTIL_LOST):
            return self._report_once(self._trouble_of_shift(recent, shift))
        elif far or not agreed:
            return ()
        turn = np.mean([vector_of(one.rotation) for one in recent], axis=0)
        middle = np.mean([one.translation for one in recent], axis=0)
        profile = self.calibration.profile
        self.calibration = replace(
            self.calibration,
            hung=hanging_of(self.calibration),
            profile=replace(profile, rotation=rotation_of(turn), translation=middle, empty=None),
        )
        self._poses.clear()
        self._lost_looks = 0
        self._reported = None
        self.trusted = True
        return (Shifted(self.calibration, shift),)

    def _trouble_of_shift(self, recent: Sequence[_Pose], shift: float) -> Trouble:
        """The trouble that a large shift is to people where it cannot be followed."""
        level = recent[-1].rotation[2, 2] >= np.cos(np.radians(MAX_TILT_DEG))
        unsure = not all(pose.certain for pose in recent)
        if self.calibration.layout is not None and level and unsure:
            return Trouble(
                Problem.HIDDEN,
                False,
                f"the tray has moved by {shift:.0f} mm, and not all four markers show where; "
                "expected them in sight; clear the rim",
            )
        return Trouble(
            Problem.MOVED,
            False,
            f"the tray has moved by {shift:.0f} mm, expected at most "
            f"{MAX_FOLLOWED_SHIFT_MM:.0f} mm, or to be at rest; put it back or calibrate again",
        )

    def _follow_light(self, time_s: float, estimate: PoseEstimate) -> tuple[DriftEvent, ...]:
        """The events by which the camera follows another light; none where it is to do nothing."""
        off = estimate.problem in _OF_LIGHT
        if self._relit_since_s is None:
            recent = self._recent_problems[-_LOOKS_TO_AGREE + 1 :]
            # A shadow that passes is no other light.
            lasting = off and recent == [estimate.problem] * (_LOOKS_TO_AGREE - 1)
            if not lasting or self._light_is_lost or not self._exposes():
                return ()
            self._relit_since_s = time_s
        over = time_s - self._relit_since_s >= RELIGHT_S
        if not over and (off or estimate.exposure != 1.0):
            return (Relight(estimate.exposure),)
        self._relit_since_s = None
        # What the camera cannot follow is for people to change.
        self._light_is_lost = off
        return (Relight(1.0),)

    def _distance_mm(self, one: _Pose, other: _Pose) -> float:
        """How far apart two poses put the tray's corners, millimetres."""
        here = replace(
            self.calibration.profile, rotation=other.rotation, translation=other.translation
        )
        return shift_between(here, one.rotation, one.translation)

    def _agreeing_poses(self, now: _Pose) -> list[_Pose]:
        """The poses up to the present one, back to the first that does not agree with it."""
        found = takewhile(
            lambda pose: self._distance_mm(pose, now) <= _MAX_DISAGREEMENT_MM, reversed(self._poses)
        )
        return [*reversed(list(found)), now]

    def _note_problem(self, problem: Problem, detail: str) -> tuple[DriftEvent, ...]:
        self._recent_problems.append(problem)
        if self._recent_problems[-_LOOKS_TO_AGREE:] != [problem] * _LOOKS_TO_AGREE:
            return ()
        # Less light or a smear makes readings unsure, not wrong; displaced markers make them wrong.
        return self._report_once(Trouble(problem, problem is not Problem.MOVED, detail))

    def _report_once(self, trouble: Trouble) -> tuple[DriftEvent, ...]:
        self.trusted = trouble.trusted
        if self._reported is trouble.problem:
            return ()
        self._reported = trouble.problem
        return (trouble,)

    def _note_fine(self, time_s: float) -> tuple[DriftEvent, ...]:
        self._recent_problems.clear()
        self._light_is_lost = False
        self._next_s = time_s + self._every_s
        self.trusted = True
        if self._reported is None:
            return ()
        self._reported = None
        return (Fine(),)
