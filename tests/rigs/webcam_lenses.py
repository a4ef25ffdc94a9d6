"""Webcams as they are rendered: five lenses, none of which is just what the product assumes."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.markers.printed import printed_plate
from simulator.render.dice_model import STANDARD_STYLES, DieStyle, flat_die
from simulator.render.pinhole import look_down
from simulator.render.prints import Print
from simulator.render.renderer import with_metered_exposure
from simulator.render.scene import Scene
from tests.rigs.webcam import SIZE
from vision.reading import Kind


@dataclass(frozen=True, slots=True)
class WebcamLens:
    """The lens of a webcam.

    Attributes:
        name: what it is called in a table.
        usb_id: numbers of maker and product; empty where the product does not know the webcam.
        view: angle across the diagonal, as its maker publishes it.
        focal_share: of the picture's width.
        k1: distortion.
        k2: likewise.
    """

    name: str
    usb_id: str
    view: float
    focal_share: float
    k1: float = 0.0
    k2: float = 0.0

    @property
    def usual_distance_mm(self) -> float:
        """From which dice are as large as below a C920 at 350 mm."""
        return 350.0 * self.focal_share / LENSES[1].focal_share


def _share(view: float) -> float:
    return float(np.hypot(*SIZE)) / 2 / float(np.tan(np.radians(view) / 2)) / SIZE[0]


LENSES = (
    WebcamLens("C270", "046d:0825", 55.0, 1.09, -0.05, 0.2),
    WebcamLens("C920", "046d:082d", 78.0, 0.745, 0.09, -0.2),
    WebcamLens("Brio", "046d:085e", 90.0, _share(88.0), -0.03),
    WebcamLens("90 degrees", "", 90.0, _share(91.0), -0.13, 0.02),
    WebcamLens("100 degrees", "", 100.0, _share(101.0), -0.14, 0.02),
)

_BLUE = replace(STANDARD_STYLES[Kind.RED], body=(0.33, 0.06, 0.015))
SETS: dict[str, tuple[tuple[Kind, DieStyle | None], ...]] = {
    "black": ((Kind.BLACK, None),) * 5,
    "white": ((Kind.WHITE, None),) * 5,
    "red": ((Kind.RED, None),) * 5,
    "yellow": ((Kind.YELLOW, None),) * 5,
    "blue": ((Kind.RED, _BLUE),) * 5,
    "mixed": tuple(
        (kind, None) for kind in (Kind.BLACK, Kind.WHITE, Kind.WHITE, Kind.RED, Kind.YELLOW)
    ),
}
"""Five dice each."""
_SPOTS_MM = ((-60, -30), (50, -35), (0, 5), (-55, 35), (60, 30))


def over_set(
    seed: int,
    lens: WebcamLens,
    lean: float,
    dice: Sequence[tuple[Kind, DieStyle | None]] = SETS["black"],
) -> Scene:
    """A webcam that looks at the middle of five dice in a lid.

    Args:
        seed: of faces, places, turns and the way that it leans.
        lens: the webcam's.
        lean: angle between its view and straight down, degrees.
        dice: what lies there.
    """
    rng = np.random.default_rng((seed, 55))
    faces = [int(face) for face in rng.integers(1, 7, len(dice))]
    bodies = tuple(
        flat_die(
            kind, face, (x + rng.uniform(-8, 8), y + rng.uniform(-8, 8)), rng.uniform(0, 6.2), style
        )
        for (kind, style), face, (x, y) in zip(dice, faces, _SPOTS_MM, strict=True)
    )
    way = rng.uniform(0, 2 * np.pi)
    tilt = (lean * float(np.cos(way)), lean * float(np.sin(way)))
    # The middle of the picture is the middle of the dice.
    eye = -lens.usual_distance_mm * np.array(look_down(SIZE, tilt=tilt).rotation)[2]
    camera = look_down(SIZE, -float(eye[2]), (float(eye[0]), float(eye[1])), tilt)
    focal = lens.focal_share * SIZE[0]
    camera = replace(camera, focal=(focal, focal), distortion=(lens.k1, lens.k2, 0.0, 0.0))
    return with_metered_exposure(Scene(camera=camera, dice=bodies), 0.15)


def with_marker(scene: Scene, seed: int = 0) -> Scene:
    """The scene with a printed marker that lies among the dice."""
    rng = np.random.default_rng((seed, 57))
    place = (float(rng.uniform(-20, 20)), float(rng.uniform(-50, -45)))
    marker = Print(printed_plate(0), place, float(rng.uniform(-0.5, 0.5)))
    return replace(scene, prints=(marker,))
