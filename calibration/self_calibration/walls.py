"""How deep a tray is, by where its walls meet the floor.

Seen from above, the foot of a wall seems to lie farther in than the rim's edge: by parallax, and by
how much the wall slopes. Each wall is averaged along its length.
"""

from collections.abc import Sequence

import cv2
import numpy as np

from calibration.calibration import Calibration
from vision.frame import Image
from vision.image.arrays import FloatArray
from vision.image.numeric import log_levels
from vision.image.warping import sampled

HEIGHTS_MM = np.arange(0.0, 64.0)
"""Of the rim above the floor, about which something is said."""
STEP_MM = 0.25
_BEYOND_MM = 4.0
_DEEPEST_MM = 64.0
_STEEPEST = 0.2  # tangent of how far walls lean outwards
_SLOPES = np.linspace(0.0, _STEEPEST, 11)
_RIM_MM = 2.0  # so far inwards from the plates what is seen is the rim's own edge
_FOOT_SHARE = 0.5  # of the sharpest edge, that the foot of a wall is expected to have
_NO_FOOT = 0.16  # how likely no foot is seen beside the rim's edge, as on a mat
_NOTHING = 0.04  # how likely a wall's foot is where no edge is seen
_SMOOTHED_MM = 0.7
_WITHIN_MM = 0.5
_ELSE = 0.02  # how likely what is seen is not walls at all
_LOOKS_THAT_COUNT = 1.5  # however many: what is taken for a foot is so in all of them
_SAMPLES = 120
_LENGTH_SHARE = 0.7  # of a wall, between the plates


def likely_rims(image: Image, calibration: Calibration) -> FloatArray:
    """How likely each of `HEIGHTS_MM` is by what is seen of the walls; they add up to 1.

    Args:
        image: the picture; dice may lie in the tray.
        calibration: with four markers; for prints that are not as large as they should be heights
            are as much off.
    """
    score = np.zeros((len(HEIGHTS_MM), len(_SLOPES)))
    for away, above, colours in wall_profiles(image, calibration):
        edges, beside = _edges(colours)
        foot = (away - _SLOPES * HEIGHTS_MM[:, None]) * above / (above + HEIGHTS_MM[:, None])
        inwards = away - foot
        # Weak texture is no edge where the rim has a sharp one.
        sharpest = max(
            float(np.percentile(edges[beside > _RIM_MM], 99)),
            _FOOT_SHARE * float(edges.max()),
            1e-6,
        )
        seen = np.minimum(np.interp(inwards, beside, edges / sharpest), 1.0) ** 2
        score += np.log(_NOTHING + np.where(inwards < _RIM_MM, _NO_FOOT, seen))
    likely = np.exp(score - score.max()).sum(axis=1)
    likely = (1 - _ELSE) * likely / likely.sum() + _ELSE / len(likely)
    return np.asarray(likely, np.float64)


def likely_by_all(throws: Sequence[FloatArray]) -> FloatArray:
    """How likely heights are by the pictures of several throws, as `likely_rims` gives them."""
    looks = min(len(throws), _LOOKS_THAT_COUNT)
    likely = np.prod(throws, axis=0) ** (looks / len(throws))
    return np.asarray((1 - _ELSE) * likely / likely.sum() + _ELSE / len(likely), np.float64)


def _edges(colours: FloatArray) -> tuple[FloatArray, FloatArray]:
    """How sharply a profile (n, 3) changes at each step, and how far inwards that is, mm: (n,)."""
    size = round(6 * _SMOOTHED_MM / STEP_MM) | 1
    kernel = cv2.getGaussianKernel(size, _SMOOTHED_MM / STEP_MM).ravel()
    # By ratios of light: walls throw shadows on the floor.
    padded = np.pad(log_levels(colours), ((size, size), (0, 0)), mode="edge")
    slopes = [np.convolve(slope, kernel, "same") for slope in np.gradient(padded, axis=0).T]
    edges = np.sqrt(np.square(slopes).sum(axis=0))[size:-size]
    reach = np.ones((round(2 * _WITHIN_MM / STEP_MM) | 1, 1))
    widened = cv2.dilate(edges.reshape(-1, 1), reach).ravel()
    beside = np.arange(len(edges)) * STEP_MM - _BEYOND_MM
    return np.asarray(widened, np.float64), np.asarray(beside, np.float64)


def wall_profiles(
    image: Image, calibration: Calibration
) -> tuple[tuple[float, float, FloatArray], ...]:
    """What is seen across each wall that shows its inside.

    Returns:
        For each such wall: distance of its rim from below the camera, height of the camera above
        the rim, millimetres, and colours (n, 3) from a little beyond the rim inwards, `STEP_MM`
        apart.
    """
    profile, rim = calibration.profile, calibration.rim_mm or 0.0
    camera = profile.pinhole
    eye = camera.position
    above = float(-eye[2]) - rim
    corners = profile.tray
    middle = corners.mean(axis=0)
    found = []
    for k in range(4):
        one, other = corners[k], corners[(k + 1) % 4]
        along = (other - one) / np.linalg.norm(other - one)
        outwards = np.array((along[1], -along[0]))
        if outwards @ (one - middle) < 0:
            outwards = -outwards
        away = float(outwards @ ((one + other) / 2 - eye[:2]))
        inwards = max(0.0, away) * _DEEPEST_MM / (above + _DEEPEST_MM) + _STEEPEST * _DEEPEST_MM
        if away <= 0:
            continue
        steps = np.arange(-_BEYOND_MM, inwards, STEP_MM)
        sides = np.linspace(-0.5, 0.5, _SAMPLES) * _LENGTH_SHARE * np.linalg.norm(other - one)
        places = (one + other) / 2 - steps[:, None, None] * outwards + sides[None, :, None] * along
        world = np.column_stack([places.reshape(-1, 2), np.full(places[..., 0].size, -rim)])
        pixels = camera.to_pixels(world).reshape(*places.shape[:2], 2)
        seen = sampled(image, pixels)
        found.append((away, above, np.asarray(np.median(seen, axis=1), np.float64)))
    return tuple(found)
