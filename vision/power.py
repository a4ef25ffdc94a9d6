"""The Power die's faces, whatever is printed on them: learnt from pictures, told again by shape.

A face is cut out as seen from straight above and becomes its *print*: light and colour of the
body are taken out, what is left is projected on the one colour difference that the print makes.
Prints are compared by normalised correlation (J. P. Lewis, Fast normalized cross-correlation,
Vision Interface 1995) within a disc, over all turns, small shifts and sizes: every learnt print is
kept at 72 turns as unit vectors, so that all comparisons are one product of two matrices.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import Blurred, NoPrint, TooAlike, WhitedOut
from vision.frame import Image
from vision.reading import POWER_FACES

FACE_SIDE = 48
"""Side of a face's patch, pixels."""
FACE_SPAN = 1.2
"""Side of a face's patch, die edges: a little of the surroundings is seen too."""
EDGE = FACE_SIDE / FACE_SPAN
"""Edge of the die in a patch, pixels."""

_SETTLED = 0.95  # likeness that needs no second look
_ALL = len(POWER_FACES)
_SIDE = 24  # of what is compared, pixels
_DISC = 0.42  # radius of what is compared, edges; the rim beyond is rounded and shines
_TURNS = 72
_SHIFTS = 3  # steps each way in which a face may lie beside its place
_SIZES = (0.94, 1.0, 1.06)
_RIM = (0.34, 0.42)  # radii between which the rounded rim of the face fades out, edges
_WHITE = 232  # grey level of what is white, in the darkest channel
_WHITE_CONTRAST = 70.0  # of a print on a white body; less is what glare leaves
_LIFT = 60.0  # grey levels that glare adds to the darkest channel
_STROKE = 0.24  # edges; strokes of a print are thinner
_FULL = 95  # percentile of a face that counts as full print: glints are cut there
_ROUNDS = 6
_FINE = 1.0  # of the coarse scale: detail that is compared lies between these two blurs
_COARSE = 3.5

MAX_WHITE = 0.5
"""Share of the face that glare may cover where it is learnt."""
MIN_CONTRAST = 9.0
"""Grey levels that the print must differ from the body by."""
MIN_SHARPNESS = 0.2
"""Least change within a fortieth of an edge, over the whole step at an edge of the print."""
MAX_ALIKE = 0.95
"""Two faces more alike than this cannot be told apart in bad light."""

# Chosen by how often they hold on prints of our own renderings, see docs/vision.md. The logarithm
# of the odds of a face against "none of these" is _SLOPE * (likeness - _EVEN); more is asked where
# not all faces are known, as an unknown one may look much like a known one.
_SLOPE = 30.0
_EVEN = 0.74
_SLOPE_SOME = 40.0
_EVEN_SOME = 0.88
_APART = 9.0

FloatArray = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Match:
    """What a patch shows.

    Attributes:
        faces: value and probability (0 to 1) of each learnt face, most probable first.
        none: probability that it shows none of them.
        likeness: correlation with the most probable face, -1 to 1.
    """

    faces: tuple[tuple[str, float], ...]
    none: float
    likeness: float


@dataclass(frozen=True)
class LearnedFaces:
    """Faces ready to be told again.

    Attributes:
        prints: value and print of each take, the print 8 bits grey, (FACE_SIDE, FACE_SIDE); one
            value may have several takes.
    """

    prints: tuple[tuple[str, NDArray[np.uint8]], ...]

    @property
    def values(self) -> tuple[str, ...]:
        """The faces known, each once, in the order learnt."""
        return tuple(dict.fromkeys(value for value, _ in self.prints))

    @cached_property
    def _bank(self) -> FloatArray:
        """All takes at all turns as unit vectors, (takes * _TURNS, n)."""
        rows = [_turned(_unpacked(picture)) for _, picture in self.prints]
        return np.concatenate(rows) if rows else np.zeros((0, int(_disc().sum())), np.float32)

    @cached_property
    def alike(self) -> dict[tuple[str, str], float]:
        """How alike two different faces are at most, -1 to 1."""
        found: dict[tuple[str, str], float] = {}
        for value, picture in self.prints:
            for other, likeness in self._compare(_unpacked(picture))[0].items():
                if other != value:
                    both = max(likeness, found.get((other, value), -1.0))
                    found[value, other] = found[other, value] = both
        return found

    def likenesses(self, patch: Image) -> dict[str, float]:
        """The best correlation of a patch (FACE_SIDE, FACE_SIDE, 3) with each face."""
        return self._compare(print_of(patch))[0]

    def offset(self, patch: Image) -> NDArray[np.float64]:
        """How far beside its middle a patch shows its most likely face, edges right and down."""
        return self._compare(print_of(patch))[1]

    def _compare(self, picture: FloatArray) -> tuple[dict[str, float], NDArray[np.float64]]:
        best = dict.fromkeys(self.values, -1.0)
        if not best:
            return best, np.zeros(2)
        # Either may be lighter where light falls badly: glare makes the body lighter than print.
        scores = np.abs(self._bank @ _windows(picture).T)
        takes = scores.max(axis=1).reshape(len(self.prints), _TURNS).max(axis=1)
        for (value, _), score in zip(self.prints, takes, strict=True):
            best[value] = max(best[value], float(score))
        side = 2 * _SHIFTS + 1
        y, x = divmod(int(scores.max(axis=0).argmax()) % (side * side), side)
        return best, (np.array([x, y]) - _SHIFTS) * (2 * _DISC / _SIDE)


def match(patch: Image, faces: LearnedFaces) -> Match:
    """Tells which face a patch shows.

    Args:
        patch: BGR, (FACE_SIDE, FACE_SIDE, 3), see `cut`.
        faces: what was learnt.
    """
    return judged(faces.likenesses(patch), faces.alike)


def match_at(
    image: Image, center: NDArray[np.float64], axes: NDArray[np.float64], faces: LearnedFaces
) -> Match:
    """Tells which face lies at a place of a picture that is known to about a tenth of an edge.

    Args:
        image: BGR.
        center: middle of the top face, pixels, (2,).
        axes: columns are the edges of a top face, pixels, (2, 2); its turn does not matter.
        faces: what was learnt.
    """
    patch = cut(image, center, axes)
    first = match(patch, faces)
    off = faces.offset(patch)
    if first.likeness > _SETTLED or float(np.hypot(*off)) < 0.02:
        return first
    # Body and rim are told apart best in a patch that has the face in its middle.
    second = match(cut(image, center + axes @ off, axes), faces)
    return max(first, second, key=lambda found: found.likeness)


def judged(found: dict[str, float], alike: dict[tuple[str, str], float]) -> Match:
    """Turns likenesses into probabilities.

    Faces that share much of their print, such as ringed digits, are told apart by how much nearer
    one is than the other, measured against how near the two are to each other.
    """
    if not found:
        return Match((), 1.0, -1.0)
    values = sorted(found, key=lambda value: -found[value])
    best = values[0]
    slope, even = (_SLOPE, _EVEN) if len(found) >= _ALL else (_SLOPE_SOME, _EVEN_SOME)
    odds = [np.exp(slope * (found[best] - even))]
    for value in values[1:]:
        margin = (found[best] - found[value]) / (1.0 - min(alike[best, value], 0.99))
        odds.append(odds[0] * np.exp(-_APART * margin))
    total = 1.0 + float(sum(odds))
    shares = [(value, float(each) / total) for value, each in zip(values, odds, strict=True)]
    return Match(tuple(sorted(shares, key=lambda s: -s[1])), 1.0 / total, found[best])


def learn(patches: Sequence[tuple[str, Image]], known: LearnedFaces | None = None) -> LearnedFaces:
    """Learns faces from patches, several of one value if there are.

    Args:
        patches: value and patch, BGR, (FACE_SIDE, FACE_SIDE, 3), see `cut`.
        known: faces learnt before, to which these are added.

    Raises:
        WhitedOut: glare hides a face.
        NoPrint: a face shows no print.
        Blurred: a face is out of focus or was moved.
        TooAlike: two faces of different value look the same.
    """
    faces = known or LearnedFaces(())
    for value, patch in patches:
        check(value, patch)
        new = LearnedFaces(((value, _packed(print_of(patch))),))
        for other, likeness in faces._compare(_unpacked(new.prints[0][1]))[0].items():
            if other != value and likeness > MAX_ALIKE:
                raise TooAlike(value, other, likeness)
        faces = LearnedFaces(faces.prints + new.prints)
    return faces


def check(value: str, patch: Image) -> None:
    """Refuses a patch from which a face cannot be learnt; raises what `learn` does."""
    white = whited_out(patch)
    if white > MAX_WHITE:
        raise WhitedOut(value, white)
    contrast, sharpness = _strength(patch)
    if contrast < MIN_CONTRAST:
        raise NoPrint(value, contrast)
    if sharpness < MIN_SHARPNESS:
        raise Blurred(value, sharpness)


def cut(image: Image, center: NDArray[np.float64], axes: NDArray[np.float64]) -> Image:
    """Cuts the patch of a face out of a picture.

    Args:
        image: BGR.
        center: middle of the top face, pixels, (2,).
        axes: columns are the edges of a top face, pixels, (2, 2); its turn does not matter.
    """
    unit = axes / EDGE
    # Coarse pixels are made from fine ones by averaging, else they alias.
    shrink = max(1, int(np.sqrt(abs(np.linalg.det(unit)))))
    side = FACE_SIDE * shrink
    matrix = np.empty((2, 3))
    matrix[:, :2] = unit / shrink
    matrix[:, 2] = center - matrix[:, :2] @ np.full(2, (side - 1) / 2)
    patch = cv2.warpAffine(
        image,
        matrix,
        (side, side),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    if shrink > 1:
        patch = cv2.resize(patch, (FACE_SIDE, FACE_SIDE), interpolation=cv2.INTER_AREA)
    return np.asarray(patch, dtype=np.uint8)


def whited_out(patch: Image) -> float:
    """Share of a face that glare covers: spots wider than any stroke that reach the face's rim.

    A print may be wide and white too, but keeps away from the rim.
    """
    face = _inner()
    low = cv2.GaussianBlur(patch, (0, 0), 1.0).min(axis=2)
    white = float((low[face] >= _WHITE).mean())
    if white > 0.5 and _strength(patch)[0] < _WHITE_CONTRAST:
        return white
    body = float(np.percentile(low[face], 10))
    bright = np.where(face & (low >= body + _LIFT), np.uint8(255), np.uint8(0))
    across = max(3, round(_STROKE * EDGE))
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (across, across))
    spots = np.asarray(cv2.morphologyEx(bright, cv2.MORPH_OPEN, disc), np.uint8)
    count, labels = cv2.connectedComponents(spots)
    rim = face & ~_inner(0.38)
    at_rim = np.zeros(count, np.bool_)
    at_rim[np.unique(labels[rim])] = True
    at_rim[0] = False
    return float(np.count_nonzero(at_rim[labels])) / float(face.sum())


def print_of(patch: Image) -> FloatArray:
    """The print on a face, (FACE_SIDE, FACE_SIDE): 0 on the body, clipped where it is strong."""
    rough = _projected(patch)
    strength = float(np.percentile(np.abs(rough[_inner()]), _FULL))
    return np.asarray(np.clip(rough / max(strength, 1.0), -1.0, 1.0), np.float32)


def _projected(patch: Image) -> FloatArray:
    """What differs from the body, along the print's own colour difference.

    The body is a quadratic surface in each channel, fitted by iteratively reweighted least
    squares with the weights of Geman and McClure (1987): shade and soft glare are in it, the
    print is not.
    """
    pixels = cv2.GaussianBlur(patch, (0, 0), 0.7).astype(np.float32).reshape(-1, 3)
    inside = _inner().ravel()
    basis, seen, fade = _basis(), pixels[inside], _fade()[_inner()]
    inner_basis = basis[inside]
    left = seen - np.median(seen, axis=0)
    fit = np.zeros((basis.shape[1], 3), np.float32)
    for _ in range(_ROUNDS):
        size = (left**2).sum(axis=1)
        scale = max(float(np.median(size)), 4.0) * 4.0
        weight = (scale / (scale + size)) ** 2 * fade
        held = inner_basis * weight[:, None]
        normal = held.T @ inner_basis + 1e-3 * np.eye(basis.shape[1], dtype=np.float32)
        fit = np.linalg.solve(normal, held.T @ seen)
        left = seen - inner_basis @ fit
    left *= fade[:, None]
    _, vectors = np.linalg.eigh((left.T @ left).astype(np.float64))
    along = vectors[:, -1].astype(np.float32)
    line = ((pixels - basis @ fit) @ along).reshape(FACE_SIDE, FACE_SIDE)
    return np.asarray(line * _fade(), np.float32)


@lru_cache(maxsize=1)
def _fade() -> FloatArray:
    """Weight of each pixel of a patch: the rounded rim of the face fades out."""
    axis = (np.arange(FACE_SIDE) - (FACE_SIDE - 1) / 2) / EDGE
    radius = np.hypot(axis[:, None], axis[None, :])
    return np.asarray(np.clip((_RIM[1] - radius) / (_RIM[1] - _RIM[0]), 0, 1), np.float32)


@lru_cache(maxsize=1)
def _basis() -> FloatArray:
    """Terms of a quadratic surface at each pixel of a patch, (n, 6)."""
    axis = (np.arange(FACE_SIDE) - (FACE_SIDE - 1) / 2) / (FACE_SIDE / 2)
    y, x = (part.ravel() for part in np.meshgrid(axis, axis, indexing="ij"))
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=1).astype(np.float32)


def _strength(patch: Image) -> tuple[float, float]:
    """Contrast of the print in grey levels, and how steep its edges are against what they part."""
    line = _projected(patch)
    inside = _inner(0.36)
    low, high = (float(v) for v in np.percentile(line[inside], (4, 96)))
    gx = cv2.Sobel(line, cv2.CV_32F, 1, 0, scale=1 / 8)
    gy = cv2.Sobel(line, cv2.CV_32F, 0, 1, scale=1 / 8)
    slope = np.asarray(cv2.magnitude(gx, gy))[inside]
    around = np.ones((9, 9), np.uint8)
    parted = np.asarray(cv2.dilate(line, around) - cv2.erode(line, around))[inside]
    steep = slope >= np.percentile(slope, 85)
    return high - low, float(np.median(slope[steep] / np.maximum(parted[steep], 1.0)))


@lru_cache(maxsize=4)
def _inner(radius: float = 0.42) -> NDArray[np.bool_]:
    """Marks a disc of a patch."""
    axis = (np.arange(FACE_SIDE) - (FACE_SIDE - 1) / 2) / EDGE
    return np.asarray(np.hypot(axis[:, None], axis[None, :]) <= radius)


@lru_cache(maxsize=1)
def _disc() -> NDArray[np.bool_]:
    """Marks what is compared of a (_SIDE, _SIDE) window."""
    axis = (np.arange(_SIDE) - (_SIDE - 1) / 2) / (_SIDE / 2)
    return np.asarray(np.hypot(axis[:, None], axis[None, :]) <= 1.0)


def _sampled(picture: FloatArray, side: int, turn: float, size: float) -> FloatArray:
    """The middle of a print at the coarse scale, turned by an angle in radians."""
    step = _DISC * EDGE / (_SIDE / 2) * size
    c, s = np.cos(turn) * step, np.sin(turn) * step
    unit = np.array([[c, -s], [s, c]])
    matrix = np.empty((2, 3))
    matrix[:, :2] = unit
    matrix[:, 2] = np.full(2, (FACE_SIDE - 1) / 2) - unit @ np.full(2, (side - 1) / 2)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(picture, matrix, (side, side), flags=flags), np.float32)


def _turned(picture: FloatArray) -> FloatArray:
    """A print at all turns, as unit vectors (_TURNS, n)."""
    picture = _details(picture)
    angles = 2 * np.pi * np.arange(_TURNS) / _TURNS
    return _units(np.stack([_sampled(picture, _SIDE, a, 1.0)[_disc()] for a in angles]))


def _windows(picture: FloatArray) -> FloatArray:
    """A print at small shifts and sizes, as unit vectors (m, n)."""
    picture = _details(picture)
    side = _SIDE + 2 * _SHIFTS
    rows = []
    for size in _SIZES:
        wide = _sampled(picture, side, 0.0, size)
        for y in range(2 * _SHIFTS + 1):
            for x in range(2 * _SHIFTS + 1):
                rows.append(wide[y : y + _SIDE, x : x + _SIDE][_disc()])
    return _units(np.stack(rows))


def _details(picture: FloatArray) -> FloatArray:
    """A print without its coarse form, which many prints share: ink in the middle, none around."""
    fine = cv2.GaussianBlur(picture, (0, 0), _FINE)
    return np.asarray(fine - cv2.GaussianBlur(picture, (0, 0), _COARSE), np.float32)


def _units(rows: FloatArray) -> FloatArray:
    rows = rows - rows.mean(axis=1, keepdims=True)
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.maximum(length, 1e-6), np.float32)


def _packed(picture: FloatArray) -> NDArray[np.uint8]:
    return np.clip(np.rint(128 + picture * 127), 0, 255).astype(np.uint8)


def _unpacked(picture: NDArray[np.uint8]) -> FloatArray:
    return ((picture.astype(np.float32) - 128) / 127).astype(np.float32)
