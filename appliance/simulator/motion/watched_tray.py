"""The simulated tray as a player sees it, and what calibration would find out about its camera."""

from collections.abc import Mapping, Sequence
from contextlib import suppress

import numpy as np

from appliance.rules.game import Face
from appliance.simulator.camera import SIZE
from appliance.simulator.motion.simulated_tray import DieThrow, Mishap, SimulatedTray
from appliance.simulator.render import dice_model
from appliance.simulator.render.pinhole import CameraModel
from appliance.simulator.render.scene import camera_parameters
from vision.geometry.profile import Profile
from vision.reading import Kind

Lying = dict[int, tuple[tuple[float, float], Face | None]]
"""Middle of the top face, pixels, and the face of each die; None for one that leans."""


class WatchedTray:
    """The simulated tray as a player sees it.

    Args:
        tray: the tray.
        kinds: which die each number is.
        size: of the full pictures, in whose pixels places are given.
    """

    def __init__(
        self, tray: SimulatedTray, kinds: Mapping[int, Kind], size: tuple[int, int] = SIZE
    ) -> None:
        self._tray = tray
        self._kinds = kinds
        self._size = size
        self._places: dict[int, tuple[float, float]] = {}
        self._cached: tuple[object, Lying] | None = None

    @property
    def busy(self) -> bool:
        """Whether the hand is at work or dice roll."""
        return self._tray.busy

    def play_with(self, kinds: Mapping[int, Kind]) -> None:
        """Takes the dice of another game, from the next throw on."""
        self._kinds = kinds
        self._tray.play_with(kinds)

    def kind(self, die: int) -> Kind:
        """Which kind of die this is."""
        return self._kinds[die]

    def throw(self, faces: Mapping[int, Face], mishaps: Mapping[int, Mishap]) -> None:
        """Takes these dice, throws them, and they show these faces, unless something goes wrong."""
        self._tray.throw([DieThrow(d, face, mishaps.get(d)) for d, face in sorted(faces.items())])

    def rest_hand(self) -> None:
        """Lets a hand rest in the tray for a while."""
        self._tray.rest_hand()

    def knock(self, die: int) -> None:
        """Pushes a die aside where there is room; its face stays up."""
        with suppress(ValueError):
            self._tray.knock(die)

    def turn(self, die: int, face: Face) -> None:
        """Turns a die where it lies, so that it shows another face."""
        self._tray.turn(die, face)

    def set_aside(self, dice: Sequence[int]) -> None:
        """Puts dice into the holder beside the tray, as they lie."""
        self._tray.set_aside(dice)

    def pick_up(self, dice: Sequence[int]) -> None:
        """Takes these dice out of the tray."""
        self._tray.pick_up(dice)

    def lying(self) -> Lying:
        """Dice in the tray: middle of the top face in pixels, and its face; None if it leans."""
        tray = self._tray
        if self._cached is not None and self._cached[0] is tray.resting and not tray.busy:
            return self._cached[1]
        camera = tray.scene(self._size).camera
        found = {slot: _seen(die, camera) for slot, die in tray.present().items()}
        self._cached = None if tray.busy else (tray.resting, found)
        self._places |= {slot: place for slot, (place, _) in found.items()}
        return found

    def places(self) -> dict[int, tuple[float, float]]:
        """Where each die lies, or lay before it was picked up, in pixels."""
        self.lying()
        return self._places


def _seen(die: dice_model.DieBody, camera: CameraModel) -> tuple[tuple[float, float], Face | None]:
    """Middle of a die's top face in the picture, and what it shows; None if it leans."""
    x, y = camera.project(dice_model.top_face(die, np.zeros((1, 2))))[0]
    _, tilt = dice_model.slot_up(die)
    return (float(x), float(y)), None if tilt > dice_model.LEANING_DEGREES else dice_model.face_up(
        die
    )


def profile_of(tray: SimulatedTray, size: tuple[int, int] = SIZE) -> Profile:
    """What calibration would find out about the simulated camera, for full pictures of a size."""
    return camera_parameters(tray.scene(size))
