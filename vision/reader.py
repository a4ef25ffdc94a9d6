"""The reader: one picture in, one reading out. It keeps nothing between pictures."""

import cv2
import numpy as np

from vision.frame import Image
from vision.kinds import kind_of
from vision.lattice import EDGE_OVER_STEP, Face, find_faces
from vision.pips import FloatArray, Pips, find_pips
from vision.profile import Profile
from vision.reading import Candidate, DieReading, DieState, TrayReading, TrayState

WORKING_SIDE = 1536
"""Pictures with a longer side are read at this size, in pixels."""
PATCH = 32
MIN_CONTRAST = 40.0
EDGE_OVER_RADIUS = 10.0
"""Edge of a die over the radius of its pips, where no other pip tells the scale."""


class Reader:
    """Reads still pictures.

    Args:
        profile: what is known of the installation; None for any picture.
    """

    def __init__(self, profile: Profile | None = None) -> None:
        self.profile = profile

    def read(self, image: Image) -> TrayReading:
        """Reads one picture, (height, width, 3), BGR."""
        scale = min(1.0, WORKING_SIDE / max(image.shape[:2]))
        if max(image.shape[:2]) < 300:
            scale = 2.0
        work = image
        if scale != 1.0:
            how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
            work = np.asarray(
                cv2.resize(image, None, fx=scale, fy=scale, interpolation=how), dtype=np.uint8
            )
        size = (work.shape[1], work.shape[0])
        faces: list[tuple[Face, Pips]] = []
        bright, dark = find_pips(work)
        for pips in (bright, dark):
            found = find_faces(pips, size)
            faces += [(face, pips) for face in found + _ones(pips)]
        scored = []
        for face, _ in faces:
            if face.aspect < 0.72 or face.residual > 0.2:
                continue
            look = _look(work, face)
            if look is None:
                continue
            short = float((look.extent < 0.38).mean())
            long = float((look.extent > 0.85).mean())
            if face.value < 4 and (short > 0.45 or long > 0.6):
                continue
            scored.append((face, look))
        scored.sort(key=lambda fl: -_rank(fl[0], fl[1]))
        dice: list[DieReading] = []
        taken: list[Face] = []
        for face, look in scored:
            if any(_overlap(face, other) for other in taken):
                continue
            taken.append(face)
            dice.append(_reading(face, look, scale, self.profile))
        dice.sort(key=lambda d: d.center)
        return TrayReading(TrayState.STILL if dice else TrayState.EMPTY, tuple(dice))


class _Look:
    """What the picture shows at a face: colours, evenness of the body, contrast of the pips."""

    def __init__(self, body: FloatArray, pip: FloatArray, even: float, extent: FloatArray) -> None:
        self.body, self.pip, self.even, self.extent = body, pip, even, extent


def _grid() -> FloatArray:
    axis = (np.arange(PATCH) + 0.5) / PATCH * EDGE_OVER_STEP - EDGE_OVER_STEP / 2
    return np.stack(np.meshgrid(axis, axis), axis=-1)


_PLACES = _grid()


def _look(image: Image, face: Face) -> _Look | None:
    unit = EDGE_OVER_STEP / PATCH
    matrix = np.zeros((2, 3))
    matrix[:, :2] = face.axes * unit
    matrix[:, 2] = np.array(face.center) + face.axes @ np.full(2, unit / 2 - EDGE_OVER_STEP / 2)
    patch = cv2.warpAffine(
        image,
        matrix,
        (PATCH, PATCH),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    ).astype(np.float64)
    step = float(np.sqrt(abs(np.linalg.det(face.axes))))
    reach = face.radius / step
    occupied = np.zeros(_PLACES.shape[:2], dtype=bool)
    near = np.zeros_like(occupied)
    for p in face_points(face):
        gap = np.hypot(*np.moveaxis(_PLACES - p, 2, 0))
        occupied |= gap < reach * 0.7
        near |= gap < reach * 1.45
    inner = (np.abs(_PLACES) < 1.5).all(axis=2)
    body_mask = inner & ~near
    if not occupied.any() or body_mask.sum() < 20:
        return None
    body = np.median(patch[body_mask], axis=0)
    pip = np.median(patch[occupied], axis=0)
    contrast = np.abs(pip - body).max()
    off = np.abs(patch[body_mask] - body).max(axis=1)
    tolerance = max(18.0, 0.4 * contrast)
    even = float((off < tolerance).mean())
    if contrast < MIN_CONTRAST:
        return None
    return _Look(
        body, pip, even, _extent(image, face, body, float(np.clip(0.25 * contrast, 18, 36)))
    )


_TURNS = np.exp(2j * np.pi * np.arange(24) / 24)
_STEPS = np.linspace(0.1, 1.3, 25)


def _extent(image: Image, face: Face, body: FloatArray, tolerance: float) -> FloatArray:
    """How far the body's colour reaches from the middle in 24 directions, in edges."""
    turn = face.axes[0, 0] + 1j * face.axes[1, 0]
    rays = _TURNS[:, None] * (turn / abs(turn)) * _STEPS[None] * face.edge
    x = np.rint(face.center[0] + rays.real).astype(np.intp)
    y = np.rint(face.center[1] + rays.imag).astype(np.intp)
    inside = (x >= 0) & (y >= 0) & (x < image.shape[1]) & (y < image.shape[0])
    pixels = image[np.clip(y, 0, image.shape[0] - 1), np.clip(x, 0, image.shape[1] - 1)]
    like = (np.abs(pixels - body).max(axis=2) < tolerance) & inside
    lattice = (np.stack([rays.real, rays.imag], axis=-1)) @ np.linalg.inv(face.axes).T
    reach = 1.5 * face.radius / (face.edge / EDGE_OVER_STEP)
    for p in face_points(face):
        like |= np.hypot(*np.moveaxis(lattice - p, 2, 0)) < reach
    gone = ~like
    gone[:, :-1] &= ~like[:, 1:]
    gone[:, -1] = True
    return np.asarray(_STEPS[gone.argmax(axis=1)], dtype=np.float64)


def face_points(face: Face) -> FloatArray:
    """Lattice points that the face's value occupies, in its own orientation."""
    shapes: dict[int, list[tuple[int, int]]] = {
        1: [(0, 0)],
        2: [(-1, -1), (1, 1)],
        3: [(-1, -1), (0, 0), (1, 1)],
        4: [(-1, -1), (1, -1), (-1, 1), (1, 1)],
        5: [(-1, -1), (1, -1), (-1, 1), (1, 1), (0, 0)],
        6: [(-1, -1), (1, -1), (-1, 1), (1, 1), (0, -1), (0, 1)],
    }
    points = np.array(shapes[face.value], dtype=np.float64)
    if face.turned:
        points = points @ np.array([[0.0, 1.0], [-1.0, 0.0]])
    return points


def _ones(pips: Pips) -> list[Face]:
    faces = []
    for i in range(len(pips)):
        aspect = float(pips.minor[i] / pips.major[i])
        if aspect < 0.72:
            continue
        step = float(pips.major[i]) * EDGE_OVER_RADIUS / EDGE_OVER_STEP
        faces.append(
            Face(
                1,
                (float(pips.xy[i, 0]), float(pips.xy[i, 1])),
                np.eye(2) * step,
                (i,),
                0.0,
                pips.bright,
                float(pips.major[i]),
                aspect,
            )
        )
    return faces


def _rank(face: Face, look: _Look) -> float:
    return face.value * look.even * face.aspect - 4 * face.residual


def _overlap(a: Face, b: Face) -> bool:
    gap = float(np.hypot(a.center[0] - b.center[0], a.center[1] - b.center[1]))
    return gap < 0.72 * max(a.edge, b.edge) or (gap < 0.8 * b.edge and a.edge < 0.7 * b.edge)


def _reading(face: Face, look: _Look, scale: float, profile: Profile | None) -> DieReading:
    kind = kind_of(look.body, look.pip, face.bright)
    good = look.even * face.aspect * max(0.0, 1 - 3 * face.residual)
    fits = float(((look.extent > 0.38) & (look.extent < 0.85)).mean())
    sure = good > 0.6 and look.even > 0.8 and (fits > 0.6 or face.value >= 4)
    confidence = float(np.clip(good, 0, 1))
    center = tuple((c + 0.5) / scale - 0.5 for c in face.center)
    mm = None
    if profile is not None:
        where = profile.to_mm(np.array([center]), profile.die_edge_mm)[0]
        mm = (float(where[0]), float(where[1]))
    outline = tuple(((x + 0.5) / scale - 0.5, (y + 0.5) / scale - 0.5) for x, y in face.outline())
    return DieReading(
        kind=kind,
        value=face.value,
        state=DieState.OK if sure else DieState.UNSURE,
        candidates=(Candidate(face.value, confidence),),
        confidence=confidence,
        center=(center[0], center[1]),
        outline=outline,
        mm=mm,
    )
