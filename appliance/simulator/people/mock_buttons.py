"""Buttons on gpiozero's mock pins: presses go through the same code as real ones."""

import time
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from gpiozero.pins.mock import MockFactory

from appliance.devices.buttons import LONG_PRESS_S
from appliance.inputs import Button

_HOLD_MARGIN_S = 0.3
"""Lets gpiozero's own thread notice before the button is released, even on a busy machine."""


class MockButtons:
    """Presses buttons by driving mock pins, as one hand does.

    Args:
        factory: gpiozero's mock pin factory, also given to `Buttons`.
        pins: BCM pin of each button.
        clock: seconds; gpiozero times long presses in real time.
        hold_s: seconds after which it takes a press for a long one.
    """

    def __init__(
        self,
        factory: MockFactory,
        pins: Mapping[Button, int],
        clock: Callable[[], float] = time.monotonic,
        hold_s: float = LONG_PRESS_S,
    ) -> None:
        self._factory = factory
        self._pins = pins
        self._clock = clock
        self._hold_s = hold_s
        self._down: dict[Button, float] = {}
        self._next = deque[tuple[Button, ...]]()

    def _pin(self, button: Button) -> Any:
        return self._factory.pin(self._pins[button])

    def press(self, button: Button) -> None:
        """Presses a button and releases it."""
        self._clear_pin_records()
        self._pin(button).drive_low()
        self._pin(button).drive_high()

    def hold(self, *buttons: Button) -> None:
        """Presses buttons together and keeps them down until `release_held` finds it long enough.

        While others are down it waits for them: one long press after another is no chord.
        """
        if self.busy:
            self._next.append(buttons)
        else:
            self._hold(buttons)

    def _hold(self, buttons: tuple[Button, ...]) -> None:
        self._clear_pin_records()
        for button in buttons:
            self._pin(button).drive_low()
            self._down[button] = self._clock() + self._hold_s + _HOLD_MARGIN_S

    def release_held(self) -> None:
        """Releases buttons that were down long enough; to be called often."""
        now = self._clock()
        for button in [b for b, until in self._down.items() if until <= now]:
            del self._down[button]
            self._pin(button).drive_high()
        if self._next and not self._down:
            self._hold(self._next.popleft())

    def _clear_pin_records(self) -> None:
        """Clears what mock pins record, lamps too: every state they were in, thousands an hour."""
        for pin in self._factory.pins.values():
            pin.clear_states()

    @property
    def busy(self) -> bool:
        """True while a button is down."""
        return bool(self._down)
