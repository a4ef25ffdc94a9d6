"""The reader: one picture in, one reading out. It keeps nothing between pictures."""

from dataclasses import dataclass

import cv2
import numpy as np

from vision import facenet
from vision.candidates import Places, propose_patterns, propose_rest
from vision.errors import ProfileError
from vision.facenet import Opinions, Pyramid
from vision.frame import Image
from vision.kinds import checked_kind, face_colours
from vision.lattice import Face, find_faces
from vision.pips import FloatArray, Pips, find_pips
from vision.profile import Profile
from vision.reading import (
    POWER_FACES,
    Candidate,
    DieReading,
    DieState,
    Kind,
    TrayReading,
    TrayState,
)

WORKING_SIDE = 1536
"""Pictures with a longer side are read at this size, in pixels."""
SMALL_SIDE = 1150
"""Smaller pictures are enlarged towards this size, to double at most: pips need pixels."""
FACE_THRESHOLD = 0.5
"""Places that the network gives less than this as a face are no dice."""
APART = 0.85
"""Middles of two tops are at least this many edges apart."""


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    center: FloatArray
    axes: FloatArray
    turn: float
    faces: FloatArray
    kinds: FloatArray
    lattice: Face | None
    count: int

    @property
    def edge(self) -> float:
        return _edge(self.axes)

    @property
    def spin(self) -> FloatArray:
        c, s = np.cos(self.turn), np.sin(self.turn)
        return np.array([[c, -s], [s, c]])

    def outline(self) -> FloatArray:
        angle = self.turn + np.pi / 2 * np.arange(4) - 3 * np.pi / 4
        corners = np.stack([np.cos(angle), np.sin(angle)], axis=1) / np.sqrt(2)
        return np.asarray(self.center + corners @ self.axes.T, dtype=np.float64)


def _edge(axes: FloatArray) -> float:
    return float(np.sqrt(abs(np.linalg.det(axes))))


class Reader:
    """Reads still pictures.

    Args:
        profile: what is known of the installation; None for any picture.
    """

    def __init__(self, profile: Profile | None = None) -> None:
        self.profile = profile

    def read(self, image: Image) -> TrayReading:
        """Reads one picture, (height, width, 3), BGR.

        Raises:
            ProfileError: the profile is for pictures of another size.
        """
        height, width = image.shape[:2]
        if self.profile is not None and self.profile.size != (width, height):
            raise ProfileError(
                f"the profile is for pictures of {self.profile.size[0]}x{self.profile.size[1]}, "
                f"this one is {width}x{height}; calibrate with this camera's pictures"
            )
        side = max(height, width)
        scale = min(WORKING_SIDE / side, 1.0) if side > SMALL_SIDE else min(SMALL_SIDE / side, 2.0)
        work = _resize(image, scale)
        found = find_dice(work, self.profile, scale)
        dice = [self._reading(work, one, scale) for one in found]
        dice.sort(key=lambda d: d.center)
        return TrayReading(TrayState.STILL if dice else TrayState.EMPTY, tuple(dice))

    def _reading(self, work: Image, one: _Found, scale: float) -> DieReading:
        value_p = one.faces[1:7]
        total = float(one.faces[1:].sum())
        symbol = float(one.faces[facenet.SYMBOL])
        kind = facenet.KINDS[int(one.kinds.argmax())]
        order = np.argsort(-value_p)
        value: int | None = int(order[0]) + 1
        confidence = float(value_p[order[0]])
        if symbol > confidence:
            value, kind, confidence = None, Kind.POWER, 0.0
        elif kind is Kind.POWER:
            kind = Kind.OTHER
        else:
            body, pip = face_colours(work, one.center, one.axes @ one.spin)
            kind = checked_kind(kind, body, pip)
        state = _state(one, value, confidence)
        if state in (DieState.LEANING, DieState.COVERED):
            value, confidence = None, 0.0
        if kind is Kind.POWER:
            # Its faces are printed anew by every maker: unlearnt, each is as likely.
            candidates = tuple(Candidate(face, 1 / len(POWER_FACES)) for face in POWER_FACES)
        else:
            candidates = tuple(
                Candidate(int(k) + 1, float(value_p[k]) / max(total, 1e-9))
                for k in order[:3]
                if value_p[k] > 0.01 * total
            )
        center = (one.center + 0.5) / scale - 0.5
        corners = (one.outline() + 0.5) / scale - 0.5
        mm = None
        if self.profile is not None:
            where = self.profile.to_mm(center[None], self.profile.die_edge_mm)[0]
            mm = (float(where[0]), float(where[1]))
        return DieReading(
            kind=kind,
            value=value,
            state=state,
            candidates=candidates,
            confidence=confidence,
            center=(float(center[0]), float(center[1])),
            outline=tuple((float(x), float(y)) for x, y in corners),
            mm=mm,
        )


def _state(one: _Found, value: int | None, confidence: float) -> DieState:
    if one.faces[facenet.LEANING] > max(confidence, one.faces[facenet.COVERED]):
        return DieState.LEANING
    if one.faces[facenet.COVERED] > confidence:
        return DieState.COVERED
    if value is not None and confidence >= _needed(value, one):
        return DieState.OK
    return DieState.UNSURE


def _needed(value: int, one: _Found) -> float:
    """The probability that a claim needs, by how well the pips found one by one bear it out."""
    lattice = 0 if one.lattice is None else one.lattice.value
    if lattice > value or one.count > value:
        return 2.0
    if value in (lattice, one.count):
        return 0.8 if value >= 4 else 0.95
    return 0.98


def _resize(image: Image, scale: float) -> Image:
    if scale == 1.0:
        return image
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    return np.asarray(
        cv2.resize(image, None, fx=scale, fy=scale, interpolation=how), dtype=np.uint8
    )


def find_dice(image: Image, profile: Profile | None, scale: float) -> list[_Found]:
    """Finds the tops of dice in a picture of working size, `scale` times the profile's."""
    size = (image.shape[1], image.shape[0])
    pips = find_pips(image)
    faces = [face for polarity in pips for face in find_faces(polarity, size)]
    pyramid = Pyramid(image)
    seen = _look_twice(pyramid, propose_patterns(faces), profile, scale)
    centers, edges = propose_rest(image, faces, pips)
    settled = seen.faces[:, 0] < SETTLED
    if settled.any() and len(edges):
        # What lies on a die that is found already needs no look: its pips, mostly.
        gap = np.hypot(*np.moveaxis(centers[:, None] - seen.centers[settled][None], 2, 0))
        reach = np.array([_edge(axes) for axes in seen.axes[settled]]) * ON_DIE
        free = (gap > reach[None]).all(axis=1)
        centers, edges = centers[free], edges[free]
    rest = _look_twice(pyramid, (centers, edges), profile, scale)
    return _suppress(seen.joined(rest), faces, pips)


def _look_twice(
    pyramid: Pyramid, places: Places, profile: Profile | None, scale: float
) -> Opinions:
    """Looks at places, and again where the first look puts what it took for a face."""
    centers, edges = places
    if profile is None:
        axes = edges[:, None, None] * np.eye(2)
    else:
        axes = profile.axes((centers + 0.5) / scale - 0.5) * scale
        known = np.sqrt(np.abs(np.linalg.det(axes)))
        fits = np.abs(np.log(edges / known)) < SIZE_DOUBT
        ground = profile.to_mm((centers + 0.5) / scale - 0.5, profile.die_edge_mm)
        fits &= np.array([_near_tray(profile, place) for place in ground], dtype=bool)
        centers, axes = centers[fits], axes[fits]
    first = facenet.look(pyramid, centers, axes)
    promising = first.faces[:, 0] < PROMISING
    return facenet.look(pyramid, first.centers[promising], first.axes[promising])


SETTLED = 0.1
"""Places that the network gives less than this as no face need no rival."""
ON_DIE = 0.55
"""Places nearer than this to the middle of a die found lie on it, edges."""


def _near_tray(profile: Profile, place: FloatArray) -> bool:
    """Whether a place in millimetres is in the tray or in a holder at its side."""
    outline = profile.tray.astype(np.float32).reshape(-1, 1, 2)
    inside = cv2.pointPolygonTest(outline, (float(place[0]), float(place[1])), True)
    return inside > -HOLDER_MM


HOLDER_MM = 40.0
"""How far beside the tray's floor dice may stand in a holder, millimetres."""
PROMISING = 0.97
SIZE_DOUBT = 0.4
MAX_ASKEW = np.radians(18)
"""A pattern that lies otherwise than its die is that of a neighbour, or of no die."""


def _suppress(seen: Opinions, faces: list[Face], pips: tuple[Pips, Pips]) -> list[_Found]:
    """Keeps the best of places that cannot all be tops."""
    score = 1 - seen.faces[:, 0]
    kept: list[_Found] = []
    for i in np.argsort(-score):
        if score[i] < FACE_THRESHOLD:
            break
        center, edge = seen.centers[i], _edge(seen.axes[i])
        if any(
            np.hypot(*(center - other.center)) < APART * max(edge, other.edge) for other in kept
        ):
            continue
        lattice = _support(center, edge, float(seen.turns[i]), faces)
        kept.append(
            _Found(
                center,
                seen.axes[i],
                float(seen.turns[i]),
                seen.faces[i],
                seen.kinds[i],
                lattice,
                max(_count(found, center, seen.axes[i], float(seen.turns[i])) for found in pips),
            )
        )
    return kept


def _count(pips: Pips, center: FloatArray, axes: FloatArray, turn: float) -> int:
    """How many spots that may be pips of this face lie on it."""
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    inside = (pips.xy - center) @ np.linalg.inv(axes @ spin).T
    good = (np.abs(inside) < 0.4).all(axis=1) & (pips.minor > 0.55 * pips.major)
    size = pips.major / _edge(axes)
    good &= (size > 0.055) & (size < 0.16)
    if not good.any():
        return 0
    # Scratches and reflections are weaker than the pips beside them.
    return int((pips.contrast[good] > 0.5 * pips.contrast[good].max()).sum())


def _support(center: FloatArray, edge: float, turn: float, faces: list[Face]) -> Face | None:
    """The lattice pattern at a place, the one with most pips."""
    for face in sorted(faces, key=lambda f: (-f.value, f.residual)):
        gap = float(np.hypot(center[0] - face.center[0], center[1] - face.center[1]))
        yaw = np.arctan2(face.axes[1, 0], face.axes[0, 0])
        askew = abs((yaw - turn + np.pi / 4) % (np.pi / 2) - np.pi / 4)
        if askew > MAX_ASKEW:
            continue
        if gap < 0.2 * edge and 0.65 < face.edge / edge < 1.4 and face.residual < 0.2:
            return face
    return None
