"""The Power die's faces, whatever is printed on them: learnt from pictures, recognised by shape.

Prints (`print.py`) are compared by normalised correlation (J. P. Lewis, Fast normalized
cross-correlation, Vision Interface 1995) within a disc, over all rotations, small shifts and sizes:
every learnt print is kept at 72 rotations as unit vectors, so that all comparisons are a single
matrix product.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import TooAlike
from vision.frame import Image
from vision.geometry.profile import FACE_SIDE, PowerFace
from vision.image.arrays import BoolArray, Float32Array, FloatArray, GreyImage, IndexArray
from vision.image.warping import warped
from vision.power_die.print import (
    MAX_FACE_RADIUS_EDGES,
    PRINT_PATCH_EDGE_PX,
    check,
    cut_face,
    print_of,
    print_to_learn,
    print_without_glare,
)
from vision.reading import POWER_FACES

MIN_CLAIM_PROBABILITY = 0.93
"""Of a face that is claimed."""
MAX_FACE_LIKENESS = 0.95
"""Two faces more alike than this cannot be told apart in bad light."""

MIN_TURNED_LIKENESS = 0.75
"""Two faces more alike than this are nearly each other when turned: a 1 upside down was a 3."""
MIN_LIKENESS_OF_TURNED = 0.9
"""A face that is like another one turned must be as like its own print as this; otherwise the other
is as likely."""

_MIN_SETTLED_LIKENESS = 0.95  # at one size, that needs no closer look
_MIN_SETTLED_PROBABILITY = 0.98  # the same for the probability of a face
_MIN_LIKENESS = 0.5  # at one size, below which no closer look finds a face
_MAX_CENTRED_OFFSET_EDGES = 0.02  # of a face from the middle of its patch
_FACE_COUNT = len(POWER_FACES)
_WINDOW_SIDE_PX = 24  # that is compared
_TURN_COUNT = 72
_MAX_SHIFT_STEPS = 3  # off its place, each way
_COMPARED_SIZES = (0.94, 1.0, 1.06)
# Detail that is compared lies between these two blurs of a patch.
_FINE_BLUR_PX = 1.0
_COARSE_BLUR_PX = 3.5

# Chosen by how often they hold on prints that we rendered, see docs/seeing.md. The log odds of a
# face against "none of these" are _LIKENESS_SLOPE * (likeness - _EVEN_LIKENESS); more is required
# where not all faces are known, as an unknown one may closely resemble a known one.
_LIKENESS_SLOPE = 30.0
_EVEN_LIKENESS = 0.74
_LIKENESS_SLOPE_IF_SOME_KNOWN = 40.0
_EVEN_LIKENESS_IF_SOME_KNOWN = 0.88
_MARGIN_SLOPE = 9.0


@dataclass(frozen=True, slots=True)
class Match:
    """The faces that a patch may show.

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
    """Faces ready to be recognised again.

    Attributes:
        prints: value and print of each take, the print 8 bits grey, (FACE_SIDE, FACE_SIDE); one
            value may have several takes.
    """

    prints: tuple[tuple[str, NDArray[np.uint8]], ...]

    @classmethod
    def of(cls, faces: Iterable[PowerFace]) -> "LearnedFaces":
        """From the faces that a profile keeps."""
        return cls(tuple((face.value, face.patch) for face in faces))

    @property
    def values(self) -> tuple[str, ...]:
        """The faces known, each once, in the order learnt."""
        return tuple(dict.fromkeys(value for value, _ in self.prints))

    @cached_property
    def _rotated_prints(self) -> Float32Array:
        """All takes at all rotations as unit vectors, (takes * _TURN_COUNT, n)."""
        rows = [_all_turns(_unpack_print(picture)) for _, picture in self.prints]
        return np.concatenate(rows) if rows else np.zeros((0, int(_disc_mask().sum())), np.float32)

    @cached_property
    def alike(self) -> dict[tuple[str, str], float]:
        """The highest likeness of each two different faces, -1 to 1."""
        found: dict[tuple[str, str], float] = {}
        for value, picture in self.prints:
            for other, likeness in self._correlate(_unpack_print(picture))[0].items():
                if other != value:
                    both = max(likeness, found.get((other, value), -1.0))
                    found[value, other] = found[other, value] = both
        return found

    def _correlate(
        self, picture: Float32Array, sizes: tuple[float, ...] = _COMPARED_SIZES
    ) -> tuple[dict[str, float], FloatArray]:
        """The best correlation of a print with each face, and the likeliest one's offset, edges."""
        best = dict.fromkeys(self.values, -1.0)
        if not best:
            return best, np.zeros(2)
        # In bad light either may be lighter: glare makes the body lighter than the print.
        scores = self._rotated_prints @ _shifted_windows(picture, sizes).T
        turns = np.maximum(scores.max(axis=1), -scores.min(axis=1))
        for (value, _), score in zip(
            self.prints, turns.reshape(-1, _TURN_COUNT).max(1), strict=True
        ):
            best[value] = max(best[value], float(score))
        side = 2 * _MAX_SHIFT_STEPS + 1
        window = int(np.abs(scores[turns.argmax()]).argmax())
        y, x = divmod(window % (side * side), side)
        return best, (np.array([x, y]) - _MAX_SHIFT_STEPS) * (
            2 * MAX_FACE_RADIUS_EDGES / _WINDOW_SIDE_PX
        )


def match_at(image: Image, center: FloatArray, axes: FloatArray, faces: LearnedFaces) -> Match:
    """Recognises the face at a place in a picture, known to about a tenth of an edge.

    Args:
        image: BGR.
        center: middle of the top face, pixels, (2,).
        axes: columns are the edges of a top face, pixels, (2, 2); its rotation does not matter.
        faces: what was learnt.
    """
    patch = cut_face(image, center, axes)
    likenesses, off = faces._correlate(print_of(patch), (1.0,))
    rough = best_match(likenesses, faces.alike)
    plain = rough.likeness > _MIN_SETTLED_LIKENESS or (
        rough.faces and rough.faces[0][1] > _MIN_SETTLED_PROBABILITY
    )
    if plain:
        return rough
    found = [rough]
    if rough.likeness >= _MIN_LIKENESS:
        if float(np.hypot(*off)) > _MAX_CENTRED_OFFSET_EDGES:
            # Body and rim are told apart best in a patch centred on the face.
            patch = cut_face(image, center + axes @ off, axes)
        found.append(best_match(faces._correlate(print_of(patch))[0], faces.alike))
    best = max(found, key=lambda one: one.likeness)
    if not best.faces or best.faces[0][1] >= MIN_CLAIM_PROBABILITY:
        return best
    clear = best_match(faces._correlate(print_without_glare(patch)[0])[0], faces.alike)
    return max(best, clear, key=lambda one: one.likeness)


def best_match(found: dict[str, float], alike: dict[tuple[str, str], float]) -> Match:
    """Turns likenesses into probabilities.

    Faces that share much of their print, such as ringed digits, are told apart by how much
    closer one is than the other, relative to how alike the two are. Where one is nearly the other
    turned, and the picture is not plainly one of them, both are as likely.
    """
    if not found:
        return Match((), 1.0, -1.0)
    values = sorted(found, key=lambda value: -found[value])
    best = values[0]
    slope, even = (
        (_LIKENESS_SLOPE, _EVEN_LIKENESS)
        if len(found) >= _FACE_COUNT
        else (_LIKENESS_SLOPE_IF_SOME_KNOWN, _EVEN_LIKENESS_IF_SOME_KNOWN)
    )
    odds = [np.exp(slope * (found[best] - even))]
    for value in values[1:]:
        margin = (found[best] - found[value]) / (1.0 - min(alike[best, value], 0.99))
        turned = alike[best, value] > MIN_TURNED_LIKENESS
        if turned and found[best] < MIN_LIKENESS_OF_TURNED:
            margin = 0.0
        odds.append(odds[0] * np.exp(-_MARGIN_SLOPE * margin))
    total = 1.0 + float(sum(odds))
    shares = [(value, float(each) / total) for value, each in zip(values, odds, strict=True)]
    return Match(tuple(sorted(shares, key=lambda s: -s[1])), 1.0 / total, found[best])


def learn(patches: Sequence[tuple[str, Image]], before: LearnedFaces | None = None) -> LearnedFaces:
    """Learns faces from patches; a value may have several.

    Args:
        patches: value and patch, BGR, (FACE_SIDE, FACE_SIDE, 3), see `cut_face`.
        before: faces learnt before, to which these are added.

    Raises:
        WhitedOut: glare hides a face.
        NoPrint: a face shows no print.
        Blurred: a face is out of focus or motion-blurred.
        TooAlike: two faces of different value look the same.
    """
    faces = before or LearnedFaces(())
    for value, patch in patches:
        check(value, patch)
        levels = np.clip(np.rint(128 + print_to_learn(patch) * 127), 0, 255).astype(np.uint8)
        new = LearnedFaces(((value, levels),))
        for other, likeness in faces._correlate(_unpack_print(new.prints[0][1]))[0].items():
            if other != value and likeness > MAX_FACE_LIKENESS:
                raise TooAlike(value, other, likeness)
        faces = LearnedFaces(faces.prints + new.prints)
    return faces


def likeness_of_prints(one: GreyImage, other: GreyImage) -> float:
    """How alike two learnt prints (FACE_SIDE, FACE_SIDE) are, turned as fits best, -1 to 1."""
    return LearnedFaces((("", one),))._correlate(_unpack_print(other))[0][""]


@lru_cache(maxsize=1)
def _disc_mask() -> BoolArray:
    """Marks the part of a window of `_WINDOW_SIDE_PX` that is compared."""
    axis = (np.arange(_WINDOW_SIDE_PX) - (_WINDOW_SIDE_PX - 1) / 2) / (_WINDOW_SIDE_PX / 2)
    return np.asarray(np.hypot(axis[:, None], axis[None, :]) <= 1.0)


@lru_cache(maxsize=1)
def _shifted_disc_indices() -> IndexArray:
    """Where the disc lies in a larger window at all shifts, (shifts, n), as flat indices."""
    rows, columns = np.nonzero(_disc_mask())
    steps = np.arange(2 * _MAX_SHIFT_STEPS + 1)
    down, right = (part.reshape(-1, 1) for part in np.meshgrid(steps, steps, indexing="ij"))
    return np.asarray((down + rows) * (_WINDOW_SIDE_PX + 2 * _MAX_SHIFT_STEPS) + right + columns)


def _samples(
    picture: Float32Array, side: int, ways: Iterable[tuple[float, float]]
) -> list[Float32Array]:
    """The middle of a print at the coarse scale, for each way: rotated (radians), and its size."""
    patches = []
    for turn, size in ways:
        step = MAX_FACE_RADIUS_EDGES * PRINT_PATCH_EDGE_PX / (_WINDOW_SIDE_PX / 2) * size
        c, s = np.cos(turn) * step, np.sin(turn) * step
        unit = np.array([[c, -s], [s, c]])
        matrix = np.empty((2, 3))
        matrix[:, :2] = unit
        matrix[:, 2] = np.full(2, (FACE_SIDE - 1) / 2) - unit @ np.full(2, (side - 1) / 2)
        patches.append(warped(picture, matrix, (side, side), inverse=True))
    return patches


def _all_turns(picture: Float32Array) -> Float32Array:
    """A print at all rotations, as unit vectors (_TURN_COUNT, n)."""
    picture = _extract_detail(picture)
    ways = [(turn, 1.0) for turn in 2 * np.pi * np.arange(_TURN_COUNT) / _TURN_COUNT]
    return _unit_vectors(
        np.stack([one[_disc_mask()] for one in _samples(picture, _WINDOW_SIDE_PX, ways)])
    )


def _shifted_windows(picture: Float32Array, sizes: tuple[float, ...]) -> Float32Array:
    """A print at small shifts and some sizes, as unit vectors (m, n)."""
    picture = _extract_detail(picture)
    side = _WINDOW_SIDE_PX + 2 * _MAX_SHIFT_STEPS
    wide = [one.ravel() for one in _samples(picture, side, [(0.0, size) for size in sizes])]
    return _unit_vectors(np.concatenate([one[_shifted_disc_indices()] for one in wide]))


def _extract_detail(picture: Float32Array) -> Float32Array:
    """A print without its coarse form, which many prints share: ink in the middle, none around."""
    fine = cv2.GaussianBlur(picture, (0, 0), _FINE_BLUR_PX)
    return np.asarray(fine - cv2.GaussianBlur(picture, (0, 0), _COARSE_BLUR_PX), np.float32)


def _unit_vectors(rows: Float32Array) -> Float32Array:
    rows = rows - rows.mean(axis=1, keepdims=True)
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.maximum(length, 1e-6), np.float32)


def _unpack_print(picture: NDArray[np.uint8]) -> Float32Array:
    return ((picture.astype(np.float32) - 128) / 127).astype(np.float32)
