"""The buttons and their lights, through gpiozero: the one port for what players press."""

from collections.abc import Callable, Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Lock
from typing import Any, Self

import gpiozero

from appliance.devices.header import use_header
from appliance.errors import PinsError
from appliance.inputs import CHORDS, HOLD_BUTTONS, Button, Chord, Pressed

DEBOUNCE_S = 0.02
"""Seconds within which a bouncing contact counts as one press."""

LONG_PRESS_S = 1.0
"""Seconds after which a press is a long one."""


class Presses:
    """Turns what contacts do into short presses, long presses and chords.

    Pure bookkeeping without a clock: the caller knows when a button has been down for
    `LONG_PRESS_S`. Methods may be called from any thread.

    Args:
        put: called with every press and chord.
    """

    def __init__(self, put: Callable[[Pressed | Chord], None]) -> None:
        self._put = put
        self._lock = Lock()
        self._down: set[Button] = set()
        self._held: set[Button] = set()
        self._reported: set[Button] = set()

    def down(self, button: Button) -> None:
        """A button goes down."""
        with self._lock:
            self._down.add(button)

    def held(self, button: Button) -> None:
        """A button has been down for a second."""
        with self._lock:
            if button not in self._down:
                return
            self._held.add(button)
            for chord in CHORDS:
                if button in chord.buttons and chord.buttons <= self._down:
                    # Whether the others were held long enough is known only once they report it.
                    if chord.buttons <= self._held and not chord.buttons & self._reported:
                        self._reported |= chord.buttons
                        self._put(chord)
                    return
            self._report_long(button)

    def up(self, button: Button) -> None:
        """A button is released."""
        with self._lock:
            if button not in self._down:
                return
            if button in self._held:
                self._report_long(button)
            elif button not in self._reported:
                self._put(Pressed(button))
            for buttons in (self._down, self._held, self._reported):
                buttons.discard(button)

    def _report_long(self, button: Button) -> None:
        if button not in self._reported:
            self._reported.add(button)
            self._put(Pressed(button, long=True))


class Buttons:
    """Turns gpiozero's callbacks into a queue of presses that the main loop empties.

    Args:
        pins: BCM pin of each button; buttons are wired to ground, with pull-ups.
        lights: BCM pin of the light beside each hold button, in slot order; may be empty.
        pin_factory: gpiozero's pin factory; None takes that of the header.
        bounce_s: debounce time in seconds; None switches it off (for mock pins).

    Raises:
        PinsError: there are no pins, or something else is using them.
        HeaderError: which chip has the header's pins is not known.
    """

    def __init__(
        self,
        pins: Mapping[Button, int],
        lights: Collection[int] = (),
        *,
        pin_factory: Any = None,
        bounce_s: float | None = DEBOUNCE_S,
    ) -> None:
        self._queue: SimpleQueue[Pressed | Chord] = SimpleQueue()
        self._presses = Presses(self._queue.put)
        self._names = tuple(pins)
        self._devices: list[gpiozero.Device] = []
        self._lights: list[gpiozero.LED] = []
        try:
            if pin_factory is None:
                use_header()
            for button, pin in pins.items():
                device = gpiozero.Button(
                    pin, bounce_time=bounce_s, hold_time=LONG_PRESS_S, pin_factory=pin_factory
                )
                self._devices.append(device)
                device.when_pressed = _callback_for(self._presses.down, button)
                device.when_held = _callback_for(self._presses.held, button)
                device.when_released = _callback_for(self._presses.up, button)
            for pin in lights:
                self._lights.append(gpiozero.LED(pin, pin_factory=pin_factory))
        except BaseException as error:
            self.close()
            # lgpio raises errors of its own that are not gpiozero's.
            if isinstance(error, Exception) and not isinstance(error, PinsError):
                raise PinsError(
                    f"expected GPIO pins for the buttons, found none that can be used ({error})",
                    "look at them with `dicetray doctor --only buttons`, or run without: "
                    "--buttons none",
                ) from error
            raise

    def poll(self) -> tuple[Pressed | Chord, ...]:
        """The presses since the last call, oldest first; never waits."""
        presses: list[Pressed | Chord] = []
        with suppress(Empty):
            while True:
                presses.append(self._queue.get_nowait())
        return tuple(presses)

    def down(self) -> frozenset[Button]:
        """The buttons whose contacts are closed now."""
        devices = zip(self._names, self._devices, strict=False)
        return frozenset(name for name, device in devices if device.is_pressed)

    def light(self, slots: Collection[int]) -> None:
        """Lights the lamps of these hold slots and no others."""
        for slot, lamp in enumerate(self._lights[: len(HOLD_BUTTONS)]):
            lamp.value = slot in slots

    def close(self) -> None:
        """Releases the pins."""
        devices = (*self._devices, *self._lights)
        # A button's thread checks every tenth of a second whether to end: close all at once.
        with ThreadPoolExecutor(len(devices) + 1) as pool:
            list(pool.map(lambda device: device.close(), devices))
        self._devices.clear()
        self._lights.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _callback_for(what: Callable[[Button], None], button: Button) -> Any:
    def callback() -> None:
        what(button)

    return callback
