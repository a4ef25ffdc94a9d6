"""The simulated tray as a player sees it, and what calibration would find out about its camera."""

from collections.abc import Mapping
from contextlib import suppress

import numpy as np

from simulator.camera import FULL_SIZE_PX
from simulator.motion.simulated_tray import SimulatedTray
from simulator.motion.throwing import ThrowPlanner, plan_throw
from simulator.render import dice_model
from simulator.render.pinhole import CameraModel
from simulator.render.scene import Scene, camera_parameters
from vision.geometry.profile import Profile
from vision.reading import Face, Kind

LyingDice = dict[int, tuple[tuple[float, float], Face | None]]
"""Centre of the top face, pixels, and the face of each die; None for one that leans."""


class WatchedTray(SimulatedTray):
    """The simulated tray for players, with places in pixels of full pictures.

    Args:
        seed: as for any simulated tray, like `kinds`, `scene` and `plan`.
        kinds: which die each number is.
        scene: tray, light and camera.
        size: of the full pictures.
        plan: how thrown dice move.
    """

    def __init__(
        self,
        seed: int,
        kinds: Mapping[int, Kind],
        scene: Scene | None = None,
        *,
        size: tuple[int, int] = FULL_SIZE_PX,
        plan: ThrowPlanner = plan_throw,
    ) -> None:
        super().__init__(seed, kinds, scene, plan=plan)
        self._size = size
        self._places: dict[int, tuple[float, float]] = {}
        self._cached: tuple[object, LyingDice] | None = None

    def kind(self, die: int) -> Kind:
        """Which kind of die this is."""
        return self._kinds[die]

    def knock(self, slot: int, by_mm: float = 18.0) -> None:
        """Pushes a die aside where there is room; its face stays up."""
        with suppress(ValueError):
            super().knock(slot, by_mm)

    def lying(self) -> LyingDice:
        """Dice in the tray: centre of the top face in pixels, and its face; None if it leans."""
        if self._cached is not None and self._cached[0] is self.resting and not self.busy:
            return self._cached[1]
        camera = self.scene(self._size).camera
        found = {slot: _top_in_picture(die, camera) for slot, die in self.present().items()}
        self._cached = None if self.busy else (self.resting, found)
        self._places |= {slot: place for slot, (place, _) in found.items()}
        return found

    def places(self) -> dict[int, tuple[float, float]]:
        """Where each die lies, or lay before it was picked up, in pixels."""
        self.lying()
        return self._places


def _top_in_picture(
    die: dice_model.DieBody, camera: CameraModel
) -> tuple[tuple[float, float], Face | None]:
    """Centre of a die's top face in the picture, and what it shows; None if it leans."""
    x, y = camera.project(dice_model.top_face_points(die, np.zeros((1, 2))))[0]
    _, tilt = dice_model.top_slot(die)
    return (float(x), float(y)), None if tilt > dice_model.MIN_LEANING_DEG else dice_model.face_up(
        die
    )


def geometry_of_tray(tray: SimulatedTray, size: tuple[int, int] = FULL_SIZE_PX) -> Profile:
    """The simulated camera's profile as calibration would find it, for full pictures of a size."""
    return camera_parameters(tray.scene(size))
