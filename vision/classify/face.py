"""The face classifier: what a small patch shows in its middle, whatever its rotation.

It is trained by `scripts/training/train_faces.py`; `scripts.training.drawn` draws the patches.
"""

import math
from dataclasses import dataclass

import numpy as np

from vision.classify.network import centred, network, softmax
from vision.frame import Image
from vision.geometry.axes import turned
from vision.image.arrays import BoolArray, FloatArray, IndexArray
from vision.image.numeric import halved
from vision.image.warping import warp_square
from vision.reading import Kind

FACE_PATCH_SIDE_PX = 48
FACE_PATCH_EDGE_PX = 24.0
"""Edge of the die in a patch."""
FACE_CLASSES = 10
"""No face, 1 to 6, a symbol, leaning, covered."""
SYMBOL = 7
LEANING = 8
COVERED = 9
KINDS = (Kind.BLACK, Kind.RED, Kind.WHITE, Kind.YELLOW, Kind.POWER, Kind.OTHER)
POSE_OUTPUTS = 5
"""Middle (2), logarithm of the size, cosine and sine of four times the turn."""
FACE_WEIGHTS = "faces.onnx"

MAX_LOOKS = 2400
"""Work by the networks on a picture, in looks of the face classifier: about 0.25 s on one core of a
laptop. Photographs take up to 1,150, calibrated trays 220."""


LOOKS_TO_AGREE = 4
"""Looks that `agreed_faces` takes at each place, from as many sides."""


@dataclass(frozen=True, slots=True, eq=False)
class FaceEstimates:
    """The network's estimates for n places, as parallel arrays.

    Attributes:
        faces: probabilities, (n, 10), see `FACE_CLASSES`.
        kinds: probabilities, (n, 6), in the order of `KINDS`; given that there is a face.
        centers: where the middle of the top is, pixels, (n, 2).
        axes: columns are the edges of an unturned top, pixels, (n, 2, 2).
        turns: yaw of the top within a quarter turn, radians, (n,).
    """

    faces: FloatArray
    kinds: FloatArray
    centers: FloatArray
    axes: FloatArray
    turns: FloatArray

    @property
    def _all_arrays(self) -> tuple[FloatArray, ...]:
        return self.faces, self.kinds, self.centers, self.axes, self.turns

    def take(self, keep: BoolArray | IndexArray) -> "FaceEstimates":
        """The places chosen by a mask or by indices."""
        return FaceEstimates(*(part[keep] for part in self._all_arrays))

    def joined(self, other: "FaceEstimates") -> "FaceEstimates":
        """These and the others."""
        pairs = zip(self._all_arrays, other._all_arrays, strict=True)
        return FaceEstimates(*(np.concatenate(pair) for pair in pairs))


NO_ESTIMATES = FaceEstimates(
    np.zeros((0, FACE_CLASSES)),
    np.zeros((0, len(KINDS))),
    np.zeros((0, 2)),
    np.zeros((0, 2, 2)),
    np.zeros(0),
)
"""The network's estimates for no places."""


class Pyramid:
    """A picture at full, half, quarter ... size, for patches of any scale without aliasing.

    It keeps account of the networks' work on it.
    """

    def __init__(self, image: Image) -> None:
        self._levels = [image]
        self._looks = 0.0

    @property
    def looks_left(self) -> float:
        """The rest of `MAX_LOOKS`; whoever looks at many places stops before it is below 0."""
        return MAX_LOOKS - self._looks

    def spend(self, looks: float) -> None:
        """Accounts for work about to be done, in looks of the face classifier."""
        self._looks += looks

    def level(self, step: int) -> Image:
        """The picture at 1 / 2**step of its size."""
        while len(self._levels) <= step:
            last = self._levels[-1]
            if min(last.shape[:2]) < 4:
                return last
            self._levels.append(halved(last))
        return self._levels[step]

    def patch(
        self,
        center: FloatArray,
        axes: FloatArray,
        side: int = FACE_PATCH_SIDE_PX,
        edge: float = FACE_PATCH_EDGE_PX,
    ) -> Image:
        """Cuts one patch, (side, side, 3); see `patches`."""
        patch: Image = self.patches(center[None], axes[None], side, edge)[0]
        return patch

    def patches(
        self,
        centers: FloatArray,
        axes: FloatArray,
        side: int = FACE_PATCH_SIDE_PX,
        edge: float = FACE_PATCH_EDGE_PX,
    ) -> Image:
        """Cuts patches, (n, side, side, 3), each with a top in its middle.

        Args:
            centers: middles of the tops, pixels, (n, 2).
            axes: columns are the edges along the patch's x and y, pixels, (n, 2, 2).
            side: side of the patch, pixels.
            edge: edge of the die in the patch, pixels.
        """
        patches = np.empty((len(centers), side, side, 3), np.uint8)
        half = (side - 1) / 2
        # In plain Python: NumPy's overhead on so few numbers exceeds the work.
        places = zip(patches, centers.tolist(), axes.tolist(), strict=True)
        for patch, (x, y), ((a, b), (c, d)) in places:
            least = min(math.hypot(a, c), math.hypot(b, d))
            step = max(0, math.floor(math.log2(max(least, 1.0) / edge)))
            shrink = 2.0**step
            unit = shrink * edge
            a, b, c, d = a / unit, b / unit, c / unit, d / unit
            right = (x + 0.5) / shrink - 0.5 - (a + b) * half
            down = (y + 0.5) / shrink - 0.5 - (c + d) * half
            warp_square(self.level(step), np.array(((a, b, right), (c, d, down))), patch)
        return patches


def classify_faces(pyramid: Pyramid, centers: FloatArray, axes: FloatArray) -> FaceEstimates:
    """Runs the network on places: centres (n, 2) and axes (n, 2, 2) in pixels."""
    if len(centers) == 0:
        return NO_ESTIMATES
    pyramid.spend(len(centers))
    out = network(FACE_WEIGHTS).ask(centred(pyramid.patches(centers, axes)))
    pose = out[:, -POSE_OUTPUTS:]
    return FaceEstimates(
        faces=softmax(out[:, : -len(KINDS) - POSE_OUTPUTS]),
        kinds=softmax(out[:, -len(KINDS) - POSE_OUTPUTS : -POSE_OUTPUTS]),
        centers=centers + np.einsum("nij,nj->ni", axes, pose[:, :2]),
        axes=axes * np.exp(np.clip(pose[:, 2], -0.5, 0.5))[:, None, None],
        turns=np.arctan2(pose[:, 4], pose[:, 3]) / 4,
    )


def agreed_faces(pyramid: Pyramid, centers: FloatArray, axes: FloatArray) -> FloatArray:
    """The faces of `classify_faces`, (n, 10), as the geometric mean of looks from four sides."""
    sides = [turned(axes, k * math.pi / 2) for k in range(LOOKS_TO_AGREE)]
    places = np.tile(centers, (LOOKS_TO_AGREE, 1))
    looks = classify_faces(pyramid, places, np.concatenate(sides)).faces
    # The errors of the four differ, so their mean errs less.
    return softmax(np.log(looks).reshape(LOOKS_TO_AGREE, len(centers), FACE_CLASSES).mean(axis=0))
