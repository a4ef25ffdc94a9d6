"""Lets single allocations fail while a camera's thread hands over a picture; prints who then hangs.

In a process of its own: what fails may also be an allocation of another thread.
"""

import importlib
import threading
from contextlib import suppress
from functools import partial

import numpy as np

from appliance.devices.camera.threaded import LiveCamera, Shot
from appliance.errors import CameraError

ALLOCATIONS = 60
"""More than handing over a picture takes."""

PATIENCE_S = 5.0

_hooks = importlib.import_module("_testcapi")
_PICTURE = np.zeros((9, 16, 3), np.uint8)


class Starved:
    """A device whose third picture is handed over with the nth allocation failing."""

    def __init__(self, nth: int) -> None:
        self._nth = nth
        self._count = 0

    def open(self) -> None:
        """It is there."""

    def grab(self) -> Shot:
        """The next picture."""
        self._count += 1
        if self._count == 3:
            _hooks.set_nomemory(self._nth, self._nth + 1)
        elif self._count > 3:
            _hooks.remove_mem_hooks()
        return Shot(_PICTURE, self._count / 10)

    def close(self) -> None:
        """From here on there is enough."""
        _hooks.remove_mem_hooks()


def _look(camera: LiveCamera) -> None:
    """Takes pictures until a later one than the starved has come, or the camera has failed."""
    with suppress(CameraError, MemoryError):
        for frame in camera.frames():
            if frame.index > 8:
                break


def main() -> None:
    """Prints the allocations whose failure leaves whoever looks waiting for ever."""
    for nth in range(1, ALLOCATIONS):
        camera = LiveCamera("starved", partial(Starved, nth), stall_s=0.5, wait=lambda _: None)
        looking = threading.Thread(target=_look, args=(camera,), daemon=True)
        looking.start()
        looking.join(PATIENCE_S)
        _hooks.remove_mem_hooks()
        if looking.is_alive():
            print(nth)


if __name__ == "__main__":
    main()
