"""Where camera, floor and markers are: everything that was seen, adjusted at once.

A bundle adjustment over one view (Levenberg 1944, Marquardt 1963; see `fitting`).
The unknowns are the camera's pose, the position and rotation of each marker on the rim, the height
of the rim, the position of the board if it lies on the floor, and small corrections to the lens.
Each marker is a level square of known size at the height of the rim; the board's corners are known
on the board. Each value known beforehand enters as one more observation, with its doubt. The spread
of the result follows from the same equations.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.calibration import SPREADS_OF_WORST_PLACE
from calibration.errors import RefusedError
from calibration.markers.aruco import Marker
from calibration.markers.charuco import CharucoCorners
from calibration.markers.fitting import fit, jacobian_of
from calibration.markers.lens import KNOWN_LENS_DOUBT, Lens, LensDoubt
from calibration.markers.printed import MARKER_MM
from calibration.problems import Problem
from vision.geometry.camera import PinholeCamera, rotation_of, vector_of
from vision.geometry.profile import DIE_EDGE_MM
from vision.image.arrays import FloatArray

MARKER_SPREAD_PX = 0.12
"""Of a marker's corner in rendered pictures."""
BOARD_SPREAD_PX = 0.08
INSET_SPREAD_PX = 0.03
"""Of the inset that remains after correcting for thinner or wider ink."""
MAX_RMS_PX = 0.6
MAX_LENS_SPREADS = 4.0
"""A focal length that is so many doubts away from what is known is that of another lens."""
MIN_OTHER_FOCAL = 0.06
"""Of the focal length: a lens that was measured is not another for less."""
TOLD_TILT_DEG = 30
"""The most that people are told a camera may lean.

Up to there places are as right as they are said to be in 97 to 98 of a hundred drawn set-ups at 12,
20, 25 and 30 degrees (`scripts/bench_self_calibration.py --geometry --seed 100 --tilt`), and 72 %
of the dice are read at 30, none of 110 wrongly (without `--geometry`).
"""
MAX_TILT_DEG = TOLD_TILT_DEG + 2.0
"""The most that is accepted, above that by more than the tilt's own spread: nobody measures it
exactly, and a lens that nothing is known of tells it to a degree or two."""
_SPREADS_OF_ONE_CAUSE = 2.0 / SPREADS_OF_WORST_PLACE
"""By how much more than other spreads that counts which has a single cause, so that nineteen of
twenty places are within `SPREADS_OF_WORST_PLACE` of it."""

_MARKER_CORNERS_MM = MARKER_MM / 2 * np.array(((-1, -1), (1, -1), (1, 1), (-1, 1)))


@dataclass(frozen=True, slots=True)
class RimHeight:
    """The rim as it is known: its height above the floor and how sure that is, millimetres."""

    mm: float = 22.0
    doubt: float = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class PlacedTray:
    """Camera, floor and markers in one frame: the profile's.

    The origin lies on the floor below the middle of the four markers, x runs right along the tray,
    y down in the picture, z into the floor.

    Attributes:
        lens: with its corrections.
        rotation: world to camera, (3, 3).
        translation: world to camera, millimetres, (3,).
        layout: corners of the markers, (4, 4, 3) millimetres, each from its own top left clockwise.
        rim_mm: height of the rim above the floor.
        rms_px: root mean square distance between what was seen and what should have been.
        doubt_mm: one standard deviation of a place on the tops of dice, at the worst corner.
        tilt_deg: between the camera's axis and the vertical.
    """

    lens: Lens
    rotation: FloatArray
    translation: FloatArray
    layout: FloatArray
    rim_mm: float
    rms_px: float
    doubt_mm: float
    tilt_deg: float

    @property
    def camera(self) -> PinholeCamera:
        """The camera at its pose."""
        return self.lens.placed(self.rotation, self.translation)


_KNOWN_BEFOREHAND = 7
"""How many unknowns are known beforehand, with a doubt.

They come first: focal length, centre, k1, k2, rim's height, inset. The camera's rotation and
translation follow, then position and rotation of each marker and each board.
"""
_RIM = 5  # which of them is the rim's height


class _Bundle:
    """Predicts from a vector of unknowns what should be seen, and compares."""

    def __init__(
        self,
        lens: Lens,
        doubt: LensDoubt,
        markers: Sequence[Marker],
        boards: Sequence[CharucoCorners],
        rim: RimHeight,
    ) -> None:
        self.lens = lens
        self.rim = rim
        self.boards = boards
        self.markers = markers
        self.sides = np.array([marker.side for marker in markers])
        self.seen = np.concatenate([m.corners for m in markers] + [b.pixels for b in boards])
        spreads = [np.full(4 * len(markers), MARKER_SPREAD_PX)]
        spreads += [np.full(len(b.pixels), BOARD_SPREAD_PX) for b in boards]
        self.spread = np.concatenate(spreads)
        off = doubt.centre * lens.size[0]
        self.doubts = np.array(
            (doubt.focal, off, off, doubt.k1, doubt.k2, rim.doubt, INSET_SPREAD_PX)
        )

    def initial_unknowns(self) -> FloatArray:
        """Initial values: a camera that looks straight down, and what follows from that."""
        focal = float(self.lens.matrix[0, 0])
        away = focal * MARKER_MM / self.sides.mean()
        middles = np.array([m.corners.mean(axis=0) for m in self.markers])
        flat = self.lens.undistort(middles) * away
        along = (flat[1] - flat[0]) + (flat[2] - flat[3])
        yaw = float(np.arctan2(along[1], along[0]))
        c, s = np.cos(yaw), np.sin(yaw)
        turn = np.array(((c, -s, 0), (s, c, 0), (0, 0, 1)))
        centre = flat.mean(axis=0)
        places = (flat - centre) @ turn[:2, :2]
        shift = np.array((centre[0], centre[1], away + self.rim.mm))
        unknowns = [np.zeros(_KNOWN_BEFOREHAND), vector_of(turn), shift]
        unknowns += [np.array((x, y, 0.0)) for x, y in places]
        for board in self.boards:
            found = self.lens.placed(turn, shift).to_plane(board.pixels, 0.0)
            middle, place = board.places[:, :2].mean(axis=0), found.mean(axis=0)
            a, b = board.places[:, :2] - middle, found - place
            angle = float(np.arctan2((a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum(), (a * b).sum()))
            corner = _move_points(-middle[None], np.array((*place, angle)))[0]
            unknowns.append(np.array((*corner, angle)))
        return np.concatenate(unknowns)

    def lens_of(self, x: FloatArray) -> Lens:
        matrix = self.lens.matrix.copy()
        matrix[0, 0] *= np.exp(x[0])
        matrix[1, 1] *= np.exp(x[0])
        matrix[0, 2] += x[1]
        matrix[1, 2] += x[2]
        distortion = self.lens.distortion.copy()
        distortion[:2] += x[3:5]
        return replace(self.lens, matrix=matrix, distortion=distortion)

    def camera_of(self, x: FloatArray) -> PinholeCamera:
        return self.lens_of(x).placed(*pose_of(x))

    def layout_of(self, x: FloatArray) -> FloatArray:
        places = self.places_of(x)
        c, s = np.cos(places[:, 2]), np.sin(places[:, 2])
        turns: FloatArray = np.array(((c, s), (-s, c))).transpose(2, 0, 1)
        layout = np.full((len(places), 4, 3), -(self.rim.mm + x[5]))
        layout[..., :2] = _MARKER_CORNERS_MM @ turns + places[:, None, :2]
        return layout

    def places_of(self, x: FloatArray) -> FloatArray:
        first = _KNOWN_BEFOREHAND + 6
        return x[first : first + 3 * len(self.markers)].reshape(-1, 3)

    def points_of(self, x: FloatArray) -> FloatArray:
        first = _KNOWN_BEFOREHAND + 6 + 3 * len(self.markers)
        layout = self.layout_of(x)
        middles = layout.mean(axis=1, keepdims=True)
        inset = x[6]
        shares = 1 - 2 * inset / self.sides
        parts = [(middles + (layout - middles) * shares[:, None, None]).reshape(-1, 3)]
        for k, board in enumerate(self.boards):
            flat = _move_points(board.places[:, :2], x[first + 3 * k : first + 3 * k + 3])
            parts.append(np.column_stack([flat, np.zeros(len(flat))]))
        return np.concatenate(parts)

    def misfit_px(self, x: FloatArray) -> FloatArray:
        """Differences (n, 2) between seen and expected points, pixels."""
        return self.seen - self.camera_of(x).to_pixels(self.points_of(x))

    def residuals(self, x: FloatArray) -> FloatArray:
        """All residuals in units of their doubts, and three more that fix the frame."""
        off = (self.misfit_px(x) / self.spread[:, None]).ravel()
        middles = self.places_of(x)[:, :2]
        along = (middles[1] - middles[0]) + (middles[2] - middles[3])
        frame = np.array((*middles.mean(axis=0), along[1] / 2)) / 1e-3
        return np.concatenate([off, x[:_KNOWN_BEFOREHAND] / self.doubts, frame])


def pose_of(x: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Rotation and translation among the unknowns.

    The height grows with the focal length, of which a level tray hardly tells it apart: so the
    search goes straight along that valley.
    """
    translation = x[_KNOWN_BEFOREHAND + 3 : _KNOWN_BEFOREHAND + 6].copy()
    translation[2] *= np.exp(x[0])
    return rotation_of(x[_KNOWN_BEFOREHAND : _KNOWN_BEFOREHAND + 3]), translation


def _difference_steps(count: int) -> FloatArray:
    """Finite-difference steps: coarser for pixels and millimetres than for turns and shares."""
    steps = np.full(count, 1e-5)
    steps[[1, 2, 5, 6]] = 1e-3
    # OpenCV treats rotations below 1e-5 as none.
    steps[_KNOWN_BEFOREHAND : _KNOWN_BEFOREHAND + 3] = 1e-4
    steps[_KNOWN_BEFOREHAND + 3 : _KNOWN_BEFOREHAND + 6] = 1e-3
    return steps


def _move_points(points: FloatArray, place: FloatArray) -> FloatArray:
    """Points (n, 2) turned by place[2] and moved by place[:2]."""
    c, s = np.cos(place[2]), np.sin(place[2])
    return np.asarray(points @ np.array(((c, s), (-s, c))) + place[:2], np.float64)


def place_tray(
    lens: Lens,
    markers: Sequence[Marker],
    boards: Sequence[CharucoCorners] = (),
    rim: RimHeight | None = None,
    doubt: LensDoubt = KNOWN_LENS_DOUBT,
) -> PlacedTray:
    """Finds camera, floor and markers from one camera position.

    Args:
        lens: the lens, as far as it is known.
        markers: the four markers, in order; their corners may be means over many pictures.
        boards: the board lying flat on the floor, once for each place it was laid; with at
            least one, the height of the rim and the scale are measured and need not be known.
        rim: what is known of the rim's height.
        doubt: how far the lens may be off.

    Raises:
        RefusedError: what was seen does not fit together, or the camera is tilted too far.
    """
    rim_height = rim or (RimHeight(22.0, 8.0) if boards else RimHeight())
    bundle = _Bundle(lens, doubt, markers, boards, rim_height)
    start = bundle.initial_unknowns()
    found = fit(bundle.residuals, start, _difference_steps(len(start)))
    x = found.x
    rms = float(np.sqrt(np.mean(np.sum(bundle.misfit_px(x) ** 2, axis=1))))
    rotation, translation = pose_of(x)
    tilt = float(np.degrees(np.arccos(np.clip(rotation[2, 2], -1, 1))))
    if not np.isfinite(x).all() or rms > MAX_RMS_PX:
        raise RefusedError(
            Problem.UNLEVEL,
            f"the markers fit only to {rms:.2f} pixels (at most {MAX_RMS_PX}); are they flat, "
            f"on the same rim and printed {MARKER_MM:g} mm wide (check with the ruler)?",
        )
    covariance = found.covariance(2 * len(bundle.seen))
    if abs(x[0]) > max(MAX_LENS_SPREADS * doubt.focal, MIN_OTHER_FOCAL):
        raise RefusedError(
            Problem.OTHER_LENS,
            f"the focal length looks {np.exp(x[0]):.0%} of what is known of this camera's, to "
            f"{doubt.focal:.1%}; is there another lens on it? Measure it with the printed board",
        )
    if tilt - _tilt_spread_deg(x, covariance) > MAX_TILT_DEG:
        raise RefusedError(
            Problem.TILTED,
            f"the camera tilts by {tilt:.0f} degrees, at most {TOLD_TILT_DEG} are allowed",
            degrees=tilt,
        )
    placed = PlacedTray(
        lens=bundle.lens_of(x),
        rotation=rotation,
        translation=translation.copy(),
        layout=bundle.layout_of(x),
        rim_mm=float(rim_height.mm + x[5]),
        rms_px=rms,
        doubt_mm=0.0,
        tilt_deg=tilt,
    )
    return replace(placed, doubt_mm=_worst_spread_mm(bundle, x, covariance, placed))


def _tilt_spread_deg(x: FloatArray, covariance: FloatArray) -> float:
    """One standard deviation of the tilt between the camera's axis and the vertical."""

    def tilt(at: FloatArray) -> FloatArray:
        rotation, _ = pose_of(at)
        return np.degrees(np.arccos(np.clip(rotation[2:, 2], -1, 1)))

    slope = jacobian_of(tilt, x, _difference_steps(len(x)))
    return float(np.sqrt((slope @ covariance @ slope.T).item()))


def _worst_spread_mm(
    bundle: _Bundle, x: FloatArray, covariance: FloatArray, placed: PlacedTray
) -> float:
    """The worst spread, over the tray's corners, of a place read on the plane of the tops, mm.

    Where the camera leans, another height of the rim shifts all places alike, and nothing else
    does so much: such a single cause counts more.
    """
    inner = placed.layout[[0, 1, 2, 3], [2, 3, 0, 1]].copy()
    inner[:, 2] = -DIE_EDGE_MM
    pixels = placed.camera.to_pixels(inner)

    def read(at: FloatArray) -> FloatArray:
        return bundle.camera_of(at).to_plane(pixels, DIE_EDGE_MM)

    slopes = jacobian_of(read, x, _difference_steps(len(x)))
    spread = (slopes @ covariance @ slopes.T).diagonal().reshape(-1, 2)
    by_rim = slopes @ covariance[:, _RIM] / np.sqrt(covariance[_RIM, _RIM])
    shift = by_rim.reshape(-1, 2).mean(axis=0)
    more = (_SPREADS_OF_ONE_CAUSE**2 - 1) * float(shift @ shift)
    return float(np.sqrt(spread.sum(axis=1).max() + more))
