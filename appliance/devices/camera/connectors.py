"""Which of the cameras on a Pi's own connectors is used: a Pi 5 has two connectors.

libcamera lists cameras on USB, too; those are for `v4l2:`, and are left out here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from appliance.errors import CameraError

Listed = Mapping[str, Any]
"""A camera as picamera2's `global_camera_info` lists it, with `Model` and `Id`."""


@dataclass(slots=True)
class Connectors:
    """The cameras that were found on the connectors, and the one that was chosen at the board.

    The main loop and the thread that reads the camera share it; each attribute is replaced whole.

    Attributes:
        there: the cameras' names, as they were listed last; two of one kind have their numbers.
        chosen: one of these names; empty where nobody has chosen.
    """

    there: tuple[str, ...] = ()
    chosen: str = ""

    def choose(self, listed: Sequence[Listed], configured: str = "") -> tuple[int, Listed] | None:
        """The number of the camera to use in a list, and its entry; None where there is no camera.

        What was chosen at the board comes first, then what is configured, then the first camera.

        Args:
            listed: as libcamera has them.
            configured: a number or a sensor's name; empty for none.

        Raises:
            CameraError: there are cameras, but not the chosen one.
        """
        here = [(n, camera) for n, camera in enumerate(listed) if "usb" not in camera["Id"].lower()]
        names = [str(camera["Model"]) for _, camera in here]
        # Two of one kind are told apart by their numbers.
        names = [f"{name} {k}" if names.count(name) > 1 else name for k, name in enumerate(names)]
        self.there = tuple(names)
        if not here:
            return None
        wanted = self.chosen or configured
        if not wanted:
            return here[0]
        for k, (name, entry) in enumerate(zip(names, here, strict=True)):
            if wanted in (str(k), name, entry[1]["Model"]):
                return entry
        found = ", ".join(f"{k} ({name})" for k, name in enumerate(names))
        raise CameraError(
            f"pi: expected the camera {wanted}, found {found}",
            "look at its ribbon cable, or choose another one: MENU, CAMERA, or camera= in [camera]",
        )
