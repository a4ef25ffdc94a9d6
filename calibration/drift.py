"""Is the tray where it was, is the light what it was, is the lens clean?

A watch that is fed frames of a quiet tray, with dice in it or without: only the markers on the rim
are looked at, near where they were, so that a look costs a few milliseconds. A shift that several
looks agree on is followed, if it is small; a large one is told, and the profile is no longer
trusted. A hand over the rim hides markers for a while and means nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.adjust import project, rotation_of, vector_of
from calibration.edges import light_of
from calibration.fiducials import Marker, find_markers
from calibration.known import Calibration, Look
from calibration.lens import Lens
from calibration.printed import MARKER_MM
from calibration.problems import Problem
from vision.frame import Frame
from vision.profile import Profile

Floats = NDArray[np.float64]

STILL_MM = 0.35
"""Shifts below this are the noise of the measurement."""
FOLLOW_MM = 8.0
"""Greatest shift of any corner of the tray that is followed: half a die."""
_AGREE_MM = 0.5
_AGREE_LOOKS = 3
_LOST_LOOKS = 8
_FIT_PX = 1.5
_LIGHT = (0.55, 1.6)
"""Change of the paper's light within which reading is as good as it was."""
_SOFTER = 1.8
_VEIL = 0.25
"""Greatest growth of the ink's light, as a share of the paper's: a smeared lens scatters."""


@dataclass(frozen=True, slots=True)
class Fine:
    """All is as it was (again)."""


@dataclass(frozen=True, slots=True, eq=False)
class Followed:
    """The tray has moved a little; this is the calibration for where it is now.

    Attributes:
        known: with the new pose.
        shift_mm: of the corner of the tray that moved most.
    """

    known: Calibration
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


DriftEvent = Fine | Followed | Trouble


def look_of(markers: Sequence[Marker]) -> Look:
    """How the four markers look now, to compare with later."""
    if len(markers) != 4:
        raise ValueError(f"expected four markers, found {len(markers)}")

    def four(values: Sequence[float]) -> tuple[float, float, float, float]:
        a, b, c, d = values
        return (a, b, c, d)

    return Look(
        four([m.square.white for m in markers]),
        four([m.square.black for m in markers]),
        four([m.square.width * MARKER_MM / m.side for m in markers]),
    )


def lens_of(profile: Profile) -> Lens:
    """The lens of a profile."""
    distortion = np.zeros(4)
    distortion[:] = profile.distortion[:4]
    return Lens(profile.size, profile.camera, distortion, "the profile's")


def pose_from(lens: Lens, layout: Floats, pixels: Floats) -> tuple[Floats, Floats, float]:
    """Rotation, translation and misfit (pixels) of a camera that sees known level points.

    The plane's two solutions (Collins and Bartoli 2014, OpenCV's IPPE) are told apart by their
    misfit and refined by Levenberg and Marquardt's method.

    Args:
        lens: the camera's.
        layout: world points (n, 3), all at one height.
        pixels: where they are seen, (n, 2).
    """
    height = float(layout[:, 2].mean())
    level = layout.copy()
    level[:, 2] = 0.0
    _, turns, shifts, _ = cv2.solvePnPGeneric(
        level, pixels, lens.matrix, lens.distortion, flags=cv2.SOLVEPNP_IPPE
    )
    best: tuple[Floats, Floats, float] | None = None
    for turn, shift in zip(turns, shifts, strict=True):
        fine_turn, fine_shift = cv2.solvePnPRefineLM(
            level, pixels, lens.matrix, lens.distortion, turn.copy(), shift.copy()
        )
        rotation = rotation_of(np.asarray(fine_turn, np.float64))
        translation = np.asarray(fine_shift, np.float64).ravel()
        off = project(lens, rotation, translation, level) - pixels
        misfit = float(np.sqrt((off**2).sum(axis=1).mean()))
        if best is None or misfit < best[2]:
            # Back from the plane's frame to the world's.
            best = (rotation, translation - rotation @ np.array((0.0, 0.0, height)), misfit)
    assert best is not None
    return best


def shift_between(profile: Profile, rotation: Floats, translation: Floats) -> float:
    """How far the tray's corners have moved in the picture, in millimetres of the dice's tops."""
    tops = np.column_stack([profile.tray, np.full(len(profile.tray), -profile.die_edge_mm)])
    before = profile.to_pixels(tops)
    now = project(lens_of(profile), rotation, translation, tops)
    scale = np.array([profile.edge_pixels((x, y)) for x, y in before.tolist()])
    return float((np.linalg.norm(now - before, axis=1) / scale * profile.die_edge_mm).max())


class DriftWatch:
    """Watches one installation; nothing here reads a clock.

    Args:
        known: the calibration; it must have a layout and a look.
        every_s: seconds between looks while all is fine. After something odd every frame that is
            fed is looked at, until it is clear.

    Attributes:
        known: the calibration as it is now, with followed shifts.
        trusted: whether readings may be used.
    """

    def __init__(self, known: Calibration, every_s: float = 20.0) -> None:
        if known.layout is None or known.look is None:
            raise ValueError("expected a calibration with markers; calibrate with markers")
        self.known = known
        self.trusted = True
        self._layout: Floats = known.layout
        self._look: Look = known.look
        self._every_s = every_s
        self._next_s: float | None = None
        self._poses: list[tuple[Floats, Floats]] = []
        self._lost = 0
        self._odd: list[Problem] = []
        self._told: Problem | None = None

    def feed(self, frame: Frame) -> tuple[DriftEvent, ...]:
        """Looks at a frame if it is time to.

        Args:
            frame: full pictures of a tray in which nothing moves.
        """
        if self._next_s is not None and frame.time_s < self._next_s:
            return ()
        markers = self._find(frame)
        if len(markers) < 3:
            return self._missing(markers)
        self._lost = 0
        order = sorted(markers)
        pixels = np.concatenate([markers[k].corners for k in order])
        lens = lens_of(self.known.profile)
        rotation, translation, misfit = pose_from(lens, self._layout[order].reshape(-1, 3), pixels)
        if misfit > _FIT_PX:
            return self._odd_look(
                Problem.MOVED,
                f"the markers no longer fit one another ({misfit:.1f} pixels, expected "
                f"{_FIT_PX}); was one moved?",
            )
        shift = shift_between(self.known.profile, rotation, translation)
        if shift > STILL_MM:
            return self._moved(rotation, translation, shift)
        self._poses.clear()
        problem, detail = self._judged(markers)
        if problem is not None:
            return self._odd_look(problem, detail)
        return self._fine(frame.time_s)

    def _find(self, frame: Frame) -> dict[int, Marker]:
        """The markers near where they were, else anywhere."""
        profile = self.known.profile
        lens = lens_of(profile)
        height, width = frame.image.shape[:2]
        found: dict[int, Marker] = {}
        for k in range(4):
            corners = project(lens, profile.rotation, profile.translation, self._layout[k])
            middle = corners.mean(axis=0)
            reach = float(np.linalg.norm(corners - middle, axis=1).max()) * 1.9
            left, top = (max(0, int(v)) for v in middle - reach)
            right = min(width, int(middle[0] + reach) + 1)
            bottom = min(height, int(middle[1] + reach) + 1)
            if right - left > 16 and bottom - top > 16:
                near = find_markers(frame.image, (slice(top, bottom), slice(left, right)))
                if k in near:
                    found[k] = near[k]
        return found if len(found) >= 3 else find_markers(frame.image)

    def _missing(self, markers: dict[int, Marker]) -> tuple[DriftEvent, ...]:
        self._lost += 1
        self._poses.clear()
        if self._lost < _LOST_LOOKS:
            return ()
        return self._tell(
            Trouble(
                Problem.HIDDEN,
                False,
                f"only {len(markers)} of four markers have been seen for a while; clear the rim, "
                "or calibrate again",
            )
        )

    def _moved(self, rotation: Floats, translation: Floats, shift: float) -> tuple[DriftEvent, ...]:
        self._poses.append((rotation, translation))
        # While it is not clear where the tray is nothing is read.
        self.trusted = self.trusted and shift <= FOLLOW_MM
        recent = self._poses[-_AGREE_LOOKS:]
        if len(recent) < _AGREE_LOOKS:
            return ()
        profile = self.known.profile
        now = replace(profile, rotation=rotation, translation=translation)
        if any(shift_between(now, *pose) > _AGREE_MM for pose in recent[:-1]):
            return ()
        if shift > FOLLOW_MM:
            return self._tell(
                Trouble(
                    Problem.MOVED,
                    False,
                    f"the tray has moved by {shift:.0f} mm, expected at most {FOLLOW_MM:.0f}; put "
                    "it back or calibrate again",
                )
            )
        turn = np.mean([vector_of(r) for r, _ in recent], axis=0)
        middle = np.mean([t for _, t in recent], axis=0)
        self.known = replace(
            self.known,
            profile=replace(profile, rotation=rotation_of(turn), translation=middle, empty=None),
        )
        self._poses.clear()
        self._told, self.trusted = None, True
        return (Followed(self.known, shift),)

    def _judged(self, markers: dict[int, Marker]) -> tuple[Problem | None, str]:
        def light(level: float) -> float:
            return float(light_of(np.array([round(level)], np.uint8))[0])

        order = sorted(markers)
        squares = [markers[k].square for k in order]
        look = self._look
        ratio = float(
            np.median(
                [light(s.white) / light(look.white[k]) for k, s in zip(order, squares, strict=True)]
            )
        )
        veil = float(
            np.median(
                [
                    light(s.black) / light(s.white) - light(look.black[k]) / light(look.white[k])
                    for k, s in zip(order, squares, strict=True)
                ]
            )
        )
        softer = float(
            np.median(
                [
                    s.width * MARKER_MM / markers[k].side / max(look.width_mm[k], 0.3)
                    for k, s in zip(order, squares, strict=True)
                ]
            )
        )
        if not _LIGHT[0] <= ratio <= _LIGHT[1] or max(s.white for s in squares) > 252:
            return (
                Problem.LIGHT_CHANGED,
                f"paper gets {ratio:.0%} of the light that it got when calibrated, expected "
                f"{_LIGHT[0]:.0%} to {_LIGHT[1]:.0%}; put the light back or calibrate again",
            )
        if softer > _SOFTER or veil > _VEIL:
            return (
                Problem.LENS_DIRTY,
                f"edges are {softer:.1f} times as wide as when calibrated, and black is brighter "
                f"by {max(veil, 0):.0%} of white; clean the lens",
            )
        return None, ""

    def _odd_look(self, problem: Problem, detail: str) -> tuple[DriftEvent, ...]:
        self._odd.append(problem)
        if self._odd[-_AGREE_LOOKS:] != [problem] * _AGREE_LOOKS:
            return ()
        # Less light or a smear make readings unsure, not wrong; markers out of place do.
        return self._tell(Trouble(problem, problem is not Problem.MOVED, detail))

    def _tell(self, trouble: Trouble) -> tuple[DriftEvent, ...]:
        self.trusted = trouble.trusted
        if self._told is trouble.problem:
            return ()
        self._told = trouble.problem
        return (trouble,)

    def _fine(self, time_s: float) -> tuple[DriftEvent, ...]:
        self._odd.clear()
        self._next_s = time_s + self._every_s
        self.trusted = True
        if self._told is None:
            return ()
        self._told = None
        return (Fine(),)
