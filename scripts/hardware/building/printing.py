"""Checks that a part prints as it lies: whole, on the bed, without support; and measures its holes.

Parts are trimesh meshes as laid by `Part.laid`: the bed is z 0, lengths are in millimetres.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scripts.hardware.building import sizes

Mesh = Any
"""A trimesh mesh."""
MAX_OVERHANG_DEGREES = 46.0
"""Degrees from vertical that a face may overhang; printers manage 45, the rest is rounding."""
_ON_BED = 0.02


@dataclass(frozen=True, slots=True)
class Verdict:
    """The findings about a part.

    Attributes:
        watertight: whether its surface is closed, and encloses one body.
        size: of its bounding box.
        overhang: area that overhangs by more than `MAX_OVERHANG_DEGREES`, square millimetres.
    """

    watertight: bool
    size: tuple[float, float, float]
    overhang: float

    @property
    def faults(self) -> list[str]:
        """Why it cannot be printed; empty if it can."""
        found = [] if self.watertight else ["expected a closed surface, found gaps"]
        if max(self.size[:2]) > sizes.BED:
            wide, deep = self.size[:2]
            found.append(
                f"expected at most {sizes.BED:g} x {sizes.BED:g}, found {wide:.1f} x {deep:.1f}"
            )
        if self.overhang > 0.5:
            found.append(f"expected no overhang, found {self.overhang:.1f} mm2")
        return found


def overhang(mesh: Mesh) -> float:
    """Area of faces that overhang more than a printer can build without support."""
    down = -np.asarray(mesh.face_normals)[:, 2]
    high = np.asarray(mesh.triangles)[:, :, 2].max(axis=1) > _ON_BED
    hanging = high & (down > np.sin(np.radians(MAX_OVERHANG_DEGREES)))
    return float(np.asarray(mesh.area_faces)[hanging].sum())


def judge(mesh: Mesh) -> Verdict:
    """Judges if a part can be printed."""
    low, high = np.asarray(mesh.bounds)
    whole = bool(mesh.is_watertight) and bool(mesh.is_winding_consistent) and mesh.body_count == 1
    size = tuple(float(side) for side in high - low)
    return Verdict(whole, (size[0], size[1], size[2]), overhang(mesh))


def outline(mesh: Mesh, height: float) -> NDArray[np.float64]:
    """Points (n, 2) where a horizontal plane at some height cuts a part."""
    from trimesh.intersections import mesh_plane

    cut = mesh_plane(mesh, plane_normal=(0, 0, 1), plane_origin=(0, 0, height))
    return np.asarray(cut, np.float64).reshape(-1, 3)[:, :2]


def measured_hole(
    points: NDArray[np.float64], place: Sequence[float], wide: float
) -> tuple[float, float, float] | None:
    """The hole at a place: x and y of its middle and its diameter, or None where there is none.

    Args:
        points: as `outline` returns them.
        place: where it should be.
        wide: diameter that it should have.
    """
    near = points[np.hypot(*(points - place).T) < wide / 2 + 0.6]
    if len(near) < 12:
        return None
    (left, top), (right, bottom) = near.min(axis=0), near.max(axis=0)
    middle = ((left + right) / 2, (top + bottom) / 2)
    angles = np.sort(np.arctan2(near[:, 1] - middle[1], near[:, 0] - middle[0]))
    if np.diff(angles, append=angles[0] + 2 * np.pi).max() > np.pi / 4:
        return None
    return (float(middle[0]), float(middle[1]), float(max(right - left, bottom - top)))
