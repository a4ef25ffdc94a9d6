"""Live cameras whose frames come one by one, as they are asked for.

A real camera delivers a frame only as time goes by. A fake one that its reading thread may ask
without a pause delivers as many as the thread gets through before the test looks.
"""

from collections.abc import Iterator
from threading import Condition
from typing import TypeVar

from appliance.devices.camera.threaded import Device, LiveCamera, Shot
from vision.frame import Frame

Live = TypeVar("Live", bound=LiveCamera)


class _Demand:
    """How many frames one opening of a camera has been asked for."""

    def __init__(self) -> None:
        self._news = Condition()
        self._asked = 0
        self._ended = False

    def ask(self) -> None:
        with self._news:
            self._asked += 1
            self._news.notify_all()

    def end(self) -> None:
        """Nothing waits any longer: whoever wanted frames has gone."""
        with self._news:
            self._ended = True
            self._news.notify_all()

    def wait(self) -> None:
        with self._news:
            self._news.wait_for(lambda: self._asked or self._ended)
            self._asked -= 1


class _OnDemand:
    """A device that takes its next picture once somebody wants it."""

    def __init__(self, device: Device, demand: _Demand) -> None:
        self._device, self._demand = device, demand

    def open(self) -> None:
        self._device.open()

    def grab(self) -> Shot:
        self._demand.wait()
        return self._device.grab()

    def close(self) -> None:
        self._device.close()


def on_demand(camera: Live) -> Live:
    """The same camera, whose thread takes a picture for each frame that is asked for."""
    make, frames, close = camera._make, camera.frames, camera.close
    demand = _Demand()

    def asked() -> Iterator[Frame]:
        nonlocal demand
        demand = mine = _Demand()
        coming = frames()
        try:
            while True:
                mine.ask()
                try:
                    frame = next(coming)
                except StopIteration:
                    return
                yield frame
        finally:
            mine.end()
            coming.close()  # type: ignore[attr-defined]

    def closed() -> None:
        demand.end()
        close()

    changed = {
        "_make": lambda: _OnDemand(make(), demand),
        "frames": asked,
        "close": closed,
    }
    vars(camera).update(changed)
    return camera
