"""What a viewer of a simulated board sees, and waits to see."""

import threading
import time
from collections.abc import Callable, Iterable

from appliance.simulator.pico.max7219 import ChipChain, Lights
from appliance.simulator.pico.pico import PinRecord


class Display:
    """The chain of chips, written by one thread and watched by any."""

    def __init__(self, chain: ChipChain) -> None:
        self._chain = chain
        self._changed = threading.Condition()
        self._seen: Lights | None = None

    def lights(self) -> Lights:
        """What shines now."""
        with self._changed:
            if self._seen is None:
                self._seen = self._chain.lights()
            return self._seen

    def wait(self, condition: Callable[[Lights], bool], timeout: float) -> Lights:
        """Waits until the lights fulfil a condition and returns them.

        Raises:
            TimeoutError: they have not within `timeout` seconds.
        """
        end = time.monotonic() + timeout
        with self._changed:
            while not condition(lights := self.lights()):
                left = end - time.monotonic()
                if left <= 0 or not self._changed.wait(left):
                    rows = "\n".join(lights.picture.rows())
                    raise TimeoutError(f"not within {timeout} s; the board shows\n{rows}")
            return lights

    def take(self, records: Iterable[PinRecord]) -> list[PinRecord]:
        """Shifts and latches what the pins say; returns the records that are not for the chips."""
        others = []
        latched = False
        with self._changed:
            for record in records:
                if record.kind == "S":
                    self._chain.shift(record.data)
                elif record.kind != "C":
                    others.append(record)
                elif record.data == b"\x01":
                    self._chain.latch()
                    latched = True
            if latched:
                self._seen = None
                self._changed.notify_all()
        return others
