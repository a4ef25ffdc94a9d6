"""How much work goes into a picture."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Quality:
    """How much work goes into a picture.

    Attributes:
        oversample: rays a pixel and axis on dice.
        shadow_rays: rays a light for the shadows of dice.
        background_rays: rays a light for the shadows of the tray.
        fast: takes noise from a kept field and leaves out bloom and colour fringes.
    """

    oversample: int = 3
    shadow_rays: int = 16
    background_rays: int = 24
    fast: bool = False


STILL = Quality()
LIVE = Quality(oversample=2, shadow_rays=4, background_rays=24, fast=True)

GLANCE = Quality(oversample=1, shadow_rays=2, background_rays=6, fast=True)
"""For small pictures that are only compared with one another, never read."""
