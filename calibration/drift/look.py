"""Where the tray is now and how it looks, from a camera's picture of a quiet tray."""

from dataclasses import dataclass
from typing import Protocol

from calibration.problems import Problem
from vision.frame import Image
from vision.geometry.profile import Profile
from vision.image.arrays import FloatArray

LIGHT_RANGE = (0.15, 3.0)
"""Range of changes in light, where no paper shows how bright pictures are; from 35 % to 180 %
nothing changes in the readings."""
MAX_EDGE_WIDENING = 1.8
"""Width of edges, as a multiple of what it was."""
MAX_VEIL = 0.25
"""Gain in dark places' light, as a share of bright ones': a smeared lens scatters."""


@dataclass(frozen=True, slots=True, eq=False)
class PoseEstimate:
    """The findings of one look.

    Attributes:
        rotation: of the camera now.
        translation: of the camera now.
        problem: what is odd; MOVED where the pose means nothing.
        detail: measured, expected and what to do.
        certain: whether it holds however far the tray has moved.
        exposure: factor by which pictures should be brighter, by the markers' paper; 1 is right.
    """

    rotation: FloatArray
    translation: FloatArray
    problem: Problem | None = None
    detail: str = ""
    certain: bool = False
    exposure: float = 1.0


@dataclass(frozen=True, slots=True)
class Unseen:
    """Too little is seen to say.

    Attributes:
        problem: what the board says if this persists.
        detail: measured, expected and what to do.
    """

    problem: Problem
    detail: str


class Inspector(Protocol):
    """Looks at what does not move in play: markers, or the rim."""

    def see(self, image: Image, profile: Profile) -> PoseEstimate | Unseen:
        """Looks at a picture.

        Args:
            image: of a tray in which nothing moves.
            profile: where the tray is believed to be.
        """


def light_or_lens_problem(light: float, softer: float, veil: float) -> tuple[Problem | None, str]:
    """The fault of the light or the lens, and words for it; None and an empty text if all is well.

    Args:
        light: the light now, as a share of the light there was.
        softer: the width of edges, as a multiple of what it was.
        veil: how much brighter dark places are, as a share of the bright ones.
    """
    if not LIGHT_RANGE[0] <= light <= LIGHT_RANGE[1]:
        return (
            Problem.TOO_DARK if light < 1 else Problem.TOO_BRIGHT,
            f"there is {light:.0%} of the light that there was when it was calibrated, expected "
            f"{LIGHT_RANGE[0]:.0%} to {LIGHT_RANGE[1]:.0%}; put the light back or calibrate again",
        )
    if softer > MAX_EDGE_WIDENING or veil > MAX_VEIL:
        return (
            Problem.LENS_DIRTY,
            f"edges are {softer:.1f} times as wide as when calibrated, and dark places lighter "
            f"by {max(veil, 0):.0%} of white; clean the lens",
        )
    return None, ""
