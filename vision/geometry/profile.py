"""The profile of an installation: what calibration found out. For its file see `profile_file`."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.errors import OtherView, ProfileError
from vision.frame import Image
from vision.geometry.axes import top_edge
from vision.geometry.camera import PinholeCamera
from vision.geometry.sight import Sight, Size
from vision.image.arrays import FloatArray, GreyImage
from vision.reading import Kind

MAX_HOLDER_DISTANCE_MM = 40.0
"""From the tray's floor to dice in a holder about which nothing else is known."""
DIE_EDGE_MM = 16.0
"""Edge of the usual small die, in millimetres."""
_MAX_CORNER_PX = 1e6  # from the picture's corner to a tray's, with any camera
FACE_SIDE = 48
"""Side of the patch of a Power die's face, pixels."""


@dataclass(frozen=True, slots=True, eq=False)
class PowerFace:
    """One learnt face of the Power die.

    Attributes:
        value: one of `POWER_FACES`.
        patch: its print seen from straight above, grey, (FACE_SIDE, FACE_SIDE), 8 bits; see
            `vision.power_die.faces`. Several takes of one value may be kept.
    """

    value: str
    patch: GreyImage


@dataclass(frozen=True, slots=True)
class DieColour:
    """How one kind of die looks in this light.

    Attributes:
        kind: the kind.
        body: BGR, 0 to 255.
        pip: BGR, 0 to 255.
        count: how many of them the set has.
    """

    kind: Kind
    body: tuple[float, float, float]
    pip: tuple[float, float, float]
    count: int


@dataclass(frozen=True, slots=True, eq=False)
class Profile:
    """One installation: camera, tray and dice.

    World coordinates are millimetres with the origin in the middle of the tray's floor, x to the
    right and y down as seen in the picture, z away from the camera: the floor is z = 0 and the
    top of a flat die z = -`die_edge_mm`.

    Attributes:
        size: width and height of the pictures, pixels.
        camera: camera matrix, (3, 3), pixels, pixel centres at whole numbers.
        distortion: OpenCV's k1, k2, p1, p2[, k3], (4,) or (5,).
        rotation: world to camera, (3, 3).
        translation: world to camera, millimetres, (3,).
        tray: corners of the floor, clockwise in the picture, millimetres, (n, 2), n >= 3.
        die_edge_mm: edge of the dice.
        power_faces: the learnt faces of the Power die; may be none.
        empty: a picture of the empty tray, of the same size; None if not taken.
        colours: how the dice of the set look in this light; may be none.
        holders: corners of the zone beside the tray where held dice stand, millimetres, (n, 2);
            None if there are none. Calibration stores it beside the profile.
        only_holders: whether dice stand in no other place beside the tray. If not, those that are
            sure count wherever they stand, once the empty tray is known.
        sight: what the pictures show of which camera's sensor; None where the camera cannot say,
            and in older profiles.
        confirmed: how dice looked whose faces people have confirmed, the Power die's too; dice of
            other colours may be in play.
    """

    size: tuple[int, int]
    camera: FloatArray
    distortion: FloatArray
    rotation: FloatArray
    translation: FloatArray
    tray: FloatArray
    die_edge_mm: float = DIE_EDGE_MM
    power_faces: tuple[PowerFace, ...] = ()
    empty: Image | None = None
    colours: tuple[DieColour, ...] = ()
    holders: FloatArray | None = None
    only_holders: bool = True
    sight: Sight | None = None
    confirmed: tuple[DieColour, ...] = ()

    def __post_init__(self) -> None:
        width, height = self.size
        if width < 16 or height < 16:
            raise ProfileError(f"size: expected at least 16x16 pixels, found {width}x{height}")
        _check_shape("camera", self.camera, (3, 3))
        _check_shape("rotation", self.rotation, (3, 3))
        _check_shape("translation", self.translation, (3,))
        if self.distortion.shape not in ((4,), (5,)) or not np.isfinite(self.distortion).all():
            raise ProfileError("distortion: expected 4 or 5 finite numbers")
        for name, zone in (("tray", self.tray), ("holders", self.holders)):
            if zone is not None and (zone.ndim != 2 or zone.shape[1] != 2 or len(zone) < 3):
                raise ProfileError(f"{name}: expected three or more corners of two numbers")
        if not np.isfinite(self.tray).all():
            raise ProfileError("tray: expected finite numbers")
        if not np.allclose(self.rotation @ self.rotation.T, np.eye(3), atol=1e-3):
            raise ProfileError("rotation: not a rotation; calibrate again")
        if not (math.isfinite(self.die_edge_mm) and 4 <= self.die_edge_mm <= 60):
            raise ProfileError(f"die_edge_mm: expected 4 to 60, found {self.die_edge_mm}")
        self._check_in_view()
        for face in self.power_faces:
            if face.patch.shape != (FACE_SIDE, FACE_SIDE):
                raise ProfileError(f"power_faces: expected patches of {FACE_SIDE}x{FACE_SIDE}")

    def check_view(self, size: Size, sight: Sight | None) -> None:
        """Checks that pictures are as those that the profile was made with, as far as is known.

        Args:
            size: their width and height, pixels.
            sight: what they show; None if their camera cannot say.

        Raises:
            OtherView: they are not: places in them mean something else.
        """
        same = self.sight is None or sight is None or self.sight.matches(sight, size)
        if size != self.size or not same:
            raise OtherView(_view_words(self.size, self.sight), _view_words(size, sight))

    def _check_in_view(self) -> None:
        """Checks that camera and tray fit together: nothing else would reveal an absurd number."""
        middle = (self.tray.max(axis=0) + self.tray.min(axis=0)) / 2
        with np.errstate(all="ignore"):
            seen = self.to_pixels(np.array([(*middle, -self.die_edge_mm)]))[0]
            edge = self.edge_pixels((float(seen[0]), float(seen[1])))
            floor = self.to_pixels(np.pad(self.tray, ((0, 0), (0, 1))))
            corners = np.array([*self.tray_pixels(), *floor, seen])
        if not (np.abs(corners) < _MAX_CORNER_PX).all() or not 1 <= edge <= max(self.size):
            raise ProfileError(
                "camera, translation, tray: the tray would not be in view; calibrate again"
            )

    @property
    def held_anywhere(self) -> bool:
        """True if dice beside the tray may stand where no holder is known to be."""
        return self.holders is None or not self.only_holders

    @property
    def has_dark_pips(self) -> bool:
        """True if dice with dark pips may be in play: not if all of a known set have light ones."""
        return not self.colours or any(sum(c.pip) < sum(c.body) for c in self.colours)

    @property
    def pinhole(self) -> PinholeCamera:
        """The camera with its pose."""
        return PinholeCamera(self.camera, self.distortion, self.rotation, self.translation)

    def to_pixels(self, points: FloatArray) -> FloatArray:
        """Where world points (n, 3) appear in the picture, (n, 2)."""
        return self.pinhole.to_pixels(points)

    def tray_pixels(self) -> tuple[tuple[float, float], ...]:
        """The tray's corners in the picture, at the height of die tops: the area dice cover."""
        return self.tops(self.tray)

    def dice_pixels(self) -> tuple[tuple[float, float], ...]:
        """The outline of all places where dice may lie, holders included, as for `tray_pixels`."""
        if self.holders is None:
            return self.tray_pixels()
        places = np.concatenate([self.tray, self.holders]).astype(np.float32)
        return self.tops(np.asarray(cv2.convexHull(places), np.float64).reshape(-1, 2))

    def holder_pixels(self) -> tuple[tuple[float, float], ...]:
        """The corners of the holders in the picture, as for `tray_pixels`; empty if none."""
        return () if self.holders is None else self.tops(self.holders)

    def held(self, place: FloatArray) -> bool:
        """True if a place in millimetres, (2,), is in the holders and not in the tray."""
        if self.holders is None:
            return False
        x, y = float(place[0]), float(place[1])
        zones = (self.holders, self.tray)
        within = [cv2.pointPolygonTest(z.astype(np.float32), (x, y), False) >= 0 for z in zones]
        return within == [True, False]

    def inside_mm(self, place: FloatArray) -> float:
        """How far a place, (2,), lies inside the floor, millimetres; negative outside it."""
        outline = self.tray.astype(np.float32).reshape(-1, 1, 2)
        return float(cv2.pointPolygonTest(outline, (float(place[0]), float(place[1])), True))

    def tops(self, places: FloatArray) -> tuple[tuple[float, float], ...]:
        """Where places (n, 2), millimetres, appear in the picture at the height of the tops."""
        tops = np.full((len(places), 1), -self.die_edge_mm)
        return tuple((x, y) for x, y in self.to_pixels(np.hstack([places, tops])).tolist())

    def to_mm(self, pixels: FloatArray, height_mm: float) -> FloatArray:
        """Where the rays of pixels (n, 2) meet the plane `height_mm` above the floor, (n, 2).

        The tops of flat dice lie at `die_edge_mm`.
        """
        return self.pinhole.to_plane(pixels, height_mm)

    def axes(self, centers: FloatArray) -> FloatArray:
        """Axes of flat tops seen at pixels (n, 2), as (n, 2, 2).

        Columns are one die edge along the world's x and y, pixels.
        """
        return self.axes_on(self.to_mm(centers, self.die_edge_mm))

    def axes_on(self, middles: FloatArray) -> FloatArray:
        """Axes (n, 2, 2), pixels, of tops whose middles are at places (n, 2), millimetres."""
        if len(middles) == 0:
            return np.zeros((0, 2, 2))
        half = self.die_edge_mm / 2
        ends = np.full((4, len(middles), 3), -self.die_edge_mm)
        ends[:, :, :2] = middles + half * np.array([[(1, 0)], [(-1, 0)], [(0, 1)], [(0, -1)]])
        seen = self.to_pixels(ends.reshape(-1, 3)).reshape(4, -1, 2)
        return np.stack([seen[0] - seen[1], seen[2] - seen[3]], axis=2)

    def around(self, beside_mm: float) -> FloatArray:
        """The corners of the floor with a margin of `beside_mm` around it, millimetres, (n, 2)."""
        outwards = np.sign(self.tray - self.tray.mean(axis=0))
        return np.asarray(self.tray + outwards * beside_mm, np.float64)

    def region(self, beside_mm: float) -> tuple[int, int, int, int]:
        """Where dice may lie, within `beside_mm` of the floor: left, top, right, bottom, pixels."""
        grown = self.around(beside_mm)
        if self.holders is not None:
            grown = np.concatenate([grown, self.holders])
        points = [
            self.to_pixels(np.column_stack([grown, np.full(len(grown), -height)]))
            for height in (0.0, self.die_edge_mm)
        ]
        width, height = self.size
        low = np.floor(np.concatenate(points).min(axis=0)).clip(0, (width - 1, height - 1))
        high = np.ceil(np.concatenate(points).max(axis=0)).clip(1, self.size)
        left, top, right, bottom = (int(v) for v in (*low, *high))
        if right - left < 16 or bottom - top < 16:
            return 0, 0, width, height
        return left, top, right, bottom

    def cropped(self, left: int, top: int, right: int, bottom: int) -> "Profile":
        """The profile for a part of its pictures."""
        camera = self.camera.copy()
        camera[:2, 2] -= (left, top)
        empty = None if self.empty is None else self.empty[top:bottom, left:right]
        size = (right - left, bottom - top)
        return replace(self, size=size, camera=camera, empty=empty, sight=None)

    def edge_pixels(self, center: tuple[float, float]) -> float:
        """Edge in pixels of a flat die whose top's middle is seen at `center`."""
        return top_edge(self.axes(np.array([center], dtype=np.float64))[0])

    def usual_edge(self) -> float:
        """Edge in pixels of a flat die in the middle of the picture."""
        return self.edge_pixels((self.size[0] / 2, self.size[1] / 2))


def _view_words(size: Size, sight: Sight | None) -> str:
    return f"{size[0]}x{size[1]}" + ("" if sight is None else f" from {sight}")


def _check_shape(name: str, array: FloatArray, shape: Sequence[int]) -> None:
    if array.shape != tuple(shape) or not np.isfinite(array).all():
        raise ProfileError(f"{name}: expected finite numbers of shape {tuple(shape)}")
