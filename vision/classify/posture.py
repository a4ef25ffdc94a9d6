"""The posture classifier: a second network that says how a die lies, and what it shows.

A leaning die differs little from a flat one: a strip of side face where none should be, a shadow,
what it leans on. So this network is shown more than the face classifier: the die and what lies
within an edge of it, at the scale and in the plane of flat tops, turned so that the direction away
from the camera's foot points up, together with the slant of the line of sight. It is trained by
`scripts/training/train_faces.py`.
"""

from dataclasses import dataclass, replace

import numpy as np

from vision.classify.face import LOOKS_TO_AGREE, Pyramid
from vision.classify.network import network, planes_of, softmax
from vision.frame import Image
from vision.geometry.axes import top_edges
from vision.geometry.profile import Profile
from vision.geometry.view import TableView
from vision.image.arrays import Float32Array, FloatArray

POSTURE_PATCH_SIDE_PX = 64
POSTURE_PATCH_EDGE_PX = 28.0
"""Edge of a flat die in a patch."""
VALUE_CLASSES = 8
"""No face, 1 to 6, a symbol."""
POSTURE_CLASSES = 4
"""Flat, leaning, stacked, covered."""
FLAT, LEANING, STACKED, COVERED = range(POSTURE_CLASSES)
LEAN_OUTPUT_START = VALUE_CLASSES + POSTURE_CLASSES
"""After these the network outputs which way the top faces."""
POSTURE_WEIGHTS = "postures.onnx"
LOOKS_PER_POSTURE = 2.5
"""Cost of running the posture classifier on a die, in looks of the face classifier."""
LOOKS_PER_TOP = 2 * LOOKS_PER_POSTURE + LOOKS_TO_AGREE
"""Most that both networks take to judge a top once it is found, in looks of the face classifier."""

SLANT_KNOWN = 1.0
"""From a profile."""
SLANT_GUESSED = 0.5
"""From the place in the picture."""
SLANT_UNKNOWN = 0.0
MAX_SLANT = 1.2
DOUBTFUL_FLAT_RANGE = (0.1, 0.97)
"""Probabilities of lying flat between which a second opinion is taken."""


@dataclass(frozen=True, slots=True, eq=False)
class Sights:
    """How n dice are looked at, as parallel arrays.

    Attributes:
        centers: middles of the tops, pixels, (n, 2).
        axes: columns are the edges of a flat die to the right of the line of sight and towards
            the camera's foot, pixels, (n, 2, 2).
        slants: tangent of the line of sight's angle to the vertical, (n,).
        certainty: `SLANT_KNOWN`, `SLANT_GUESSED` or `SLANT_UNKNOWN`.
    """

    centers: FloatArray
    axes: FloatArray
    slants: FloatArray
    certainty: float


@dataclass(frozen=True, slots=True, eq=False)
class PostureEstimates:
    """The posture classifier's estimates for n dice.

    Attributes:
        values: probabilities of `VALUE_CLASSES`, (n, 8).
        postures: probabilities of `POSTURE_CLASSES`, (n, 4).
        leans: the horizontal part of the top's normal, x and y in the frame of the patch, (n, 2).
    """

    values: FloatArray
    postures: FloatArray
    leans: FloatArray


def sights_with(profile: Profile, centers: FloatArray, scale: float) -> Sights:
    """How a profile's camera sees flat dice at pixels (n, 2) of the working picture.

    `scale` is the size of the working picture over the profile's.
    """
    whole = (centers + 0.5) / scale - 0.5
    top = profile.die_edge_mm
    eye = -profile.rotation.T @ profile.translation
    ground = profile.to_mm(whole, top)
    reach, frame = _sight_frames(ground - eye[:2])
    axes = profile.axes_on(ground) * scale @ frame
    return Sights(centers, axes, reach / max(float(-eye[2]) - top, 1.0), SLANT_KNOWN)


def sights_of(view: TableView, centers: FloatArray, edges: FloatArray) -> Sights:
    """How a camera of which no profile tells sees flat dice.

    Args:
        view: the camera.
        centers: middles of the tops, pixels, (n, 2).
        edges: of squares of their areas, pixels, (n,).
    """
    ground, squares = view.on_table(centers)
    reach, frame = _sight_frames(ground)
    axes = squares @ frame
    return Sights(centers, axes * (edges / top_edges(axes))[:, None, None], reach, SLANT_GUESSED)


def _sight_frames(away: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Lengths (n,) of vectors from the camera's foot (n, 2); axes (n, 2, 2) of their patches."""
    reach = np.hypot(*away.T)
    up = np.where(reach[:, None] > 1e-6, away / np.maximum(reach, 1e-6)[:, None], (0.0, -1.0))
    # The patch's y points down, towards the foot; its x then keeps the picture's handedness.
    return reach, np.stack([np.stack([-up[:, 1], up[:, 0]], axis=1), -up], axis=2)


def without_view_side(sights: Sights) -> Sights:
    """Sights of which nothing is known about the side from which the camera looks."""
    return replace(sights, slants=np.zeros(len(sights.slants)), certainty=SLANT_UNKNOWN)


def without_stacking(postures: FloatArray) -> FloatArray:
    """Probabilities of postures, (n, 4), where what seems stacked counts as flat."""
    out = postures.copy()
    out[:, FLAT] += out[:, STACKED]
    out[:, STACKED] = 0
    return out


def posture_input(patches: Image, slants: FloatArray, certainty: FloatArray) -> Float32Array:
    """The network's input, (n, 5, side, side), from patches (n, side, side, 3) of 8 bits."""
    out = np.empty((len(patches), 5, *patches.shape[1:3]), dtype=np.float32)
    out[:, :3] = planes_of(patches)
    out[:, :3] /= np.float32(255)
    out[:, :3] -= np.float32(0.5)
    out[:, 3] = np.clip(slants, 0, MAX_SLANT)[:, None, None]
    out[:, 4] = certainty[:, None, None]
    return out


def classify_postures(pyramid: Pyramid, sights: Sights) -> PostureEstimates:
    """Runs the posture classifier on dice."""
    count = len(sights.centers)
    if count == 0:
        return PostureEstimates(
            np.zeros((0, VALUE_CLASSES)), np.zeros((0, POSTURE_CLASSES)), np.zeros((0, 2))
        )
    pyramid.spend(LOOKS_PER_POSTURE * count)
    patches = pyramid.patches(
        sights.centers, sights.axes, POSTURE_PATCH_SIDE_PX, POSTURE_PATCH_EDGE_PX
    )
    certainty = np.full(count, sights.certainty)
    out = network(POSTURE_WEIGHTS).ask(posture_input(patches, sights.slants, certainty))
    # A die and its mirror image lie the same way; in doubt, the mean of both opinions errs less.
    flat = softmax(out[:, VALUE_CLASSES:LEAN_OUTPUT_START])[:, FLAT]
    again = (flat > DOUBTFUL_FLAT_RANGE[0]) & (flat < DOUBTFUL_FLAT_RANGE[1])
    if again.any():
        pyramid.spend(LOOKS_PER_POSTURE * int(again.sum()))
        mirrored = np.ascontiguousarray(patches[again, :, ::-1])
        other = network(POSTURE_WEIGHTS).ask(
            posture_input(mirrored, sights.slants[again], certainty[again])
        )
        other[:, LEAN_OUTPUT_START : LEAN_OUTPUT_START + 1] *= -1
        out[again] = (out[again] + other) / 2
    return PostureEstimates(
        softmax(out[:, :VALUE_CLASSES]),
        softmax(out[:, VALUE_CLASSES:LEAN_OUTPUT_START]),
        out[:, LEAN_OUTPUT_START:],
    )
