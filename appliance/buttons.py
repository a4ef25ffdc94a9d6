"""The buttons and their lights, through gpiozero. The one seam to the players' fingers."""

from collections.abc import Collection, Mapping
from queue import Empty, SimpleQueue
from typing import Any, Self

import gpiozero

from appliance.table.inputs import HOLDS, Button, Pressed

BOUNCE_S = 0.02
"""Seconds during which a contact that bounces counts as one press."""

LONG_S = 1.0
"""Seconds after which a press is a long one."""


class Buttons:
    """Turns gpiozero's callbacks into a queue of presses that the main loop empties.

    Args:
        pins: BCM pin of each button; buttons are wired to ground, with pull-ups.
        lights: BCM pin of the light beside each hold button, in slot order; may be empty.
        pin_factory: gpiozero's pin factory; None takes gpiozero's default.
        bounce_s: debounce time in seconds; None switches it off (for mock pins).
    """

    def __init__(
        self,
        pins: Mapping[Button, int],
        lights: Collection[int] = (),
        *,
        pin_factory: Any = None,
        bounce_s: float | None = BOUNCE_S,
    ) -> None:
        self._queue: SimpleQueue[Pressed] = SimpleQueue()
        self._long: set[Button] = set()
        self._devices: list[gpiozero.Device] = []
        self._lights: list[gpiozero.LED] = []
        try:
            for button, pin in pins.items():
                device = gpiozero.Button(
                    pin,
                    pull_up=True,
                    bounce_time=bounce_s,
                    hold_time=LONG_S,
                    pin_factory=pin_factory,
                )
                self._devices.append(device)
                device.when_held = self._held(button)
                device.when_released = self._released(button)
            for pin in lights:
                self._lights.append(gpiozero.LED(pin, pin_factory=pin_factory))
        except BaseException:
            self.close()
            raise

    def _held(self, button: Button) -> Any:
        def callback() -> None:
            self._long.add(button)
            self._queue.put(Pressed(button, long=True))

        return callback

    def _released(self, button: Button) -> Any:
        def callback() -> None:
            if button in self._long:
                self._long.discard(button)
            else:
                self._queue.put(Pressed(button))

        return callback

    def poll(self) -> tuple[Pressed, ...]:
        """The presses since the last call, oldest first; never waits."""
        presses: list[Pressed] = []
        while True:
            try:
                presses.append(self._queue.get_nowait())
            except Empty:
                return tuple(presses)

    def light(self, slots: Collection[int]) -> None:
        """Lights the lamps of these hold slots and no others."""
        for slot, lamp in enumerate(self._lights[: len(HOLDS)]):
            lamp.value = slot in slots

    def close(self) -> None:
        """Gives the pins back."""
        for device in (*self._devices, *self._lights):
            device.close()
        self._devices.clear()
        self._lights.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
