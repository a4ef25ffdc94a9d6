"""The buttons and their lights, through gpiozero: the one port for what players press."""

import logging
import math
import time
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Lock
from typing import Any, Self

import gpiozero

from appliance.devices.header import pins_error, use_header
from appliance.inputs import CHORDS, HOLD_BUTTONS, Button, Chord, Pressed

log = logging.getLogger(__name__)

DEBOUNCE_S = 0.02
"""Seconds within which a bouncing contact counts as one press."""

LONG_PRESS_S = 1.0
"""Seconds after which a press is a long one."""

LOST_EDGE_S = 0.1
"""Seconds for which a contact must differ from what was reported of it: then an edge was lost.

It is a few times the debounce time, within which they always differ. The kernel, or lgpio, now and
then reports a press but never its release (https://github.com/joan2937/lg/issues/18); gpiozero then
takes the contact for held down, and ignores the next press.
"""

_CONTACTS_INTERVAL_S = 0.05
"""Seconds between two looks at all contacts, which only find what no edge has told."""

STUCK_S = 10.0
"""Seconds for which a contact must be closed without a break to be stuck: nobody presses so long.

Something stands on the button, or its wire is pinched. A contact that was closed from the start is
found by this too: there was no edge that anybody could be told of.
"""


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

    def now_down(self) -> frozenset[Button]:
        """The buttons that went down and were not released."""
        with self._lock:
            return frozenset(self._down)

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
        clock: seconds, for finding edges that were lost.

    Raises:
        PinsInUseError: something else is using them.
        PinsError: there are no pins, or they cannot be used.
        HeaderError: which chip has the header's pins is not known.
    """

    def __init__(
        self,
        pins: Mapping[Button, int],
        lights: Collection[int] = (),
        *,
        pin_factory: Any = None,
        bounce_s: float | None = DEBOUNCE_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._queue: SimpleQueue[Pressed | Chord] = SimpleQueue()
        self._presses = Presses(self._queue.put)
        self._names = tuple(pins)
        self._clock = clock
        self._next_look_s = -math.inf
        self._differs_since_s: dict[Button, float] = {}
        self._closed_since_s: dict[Button, float] = {}
        self._stuck: frozenset[Button] = frozenset()
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
                device.when_held = _callback_if_closed(device, self._presses.held, button)
                device.when_released = _callback_for(self._presses.up, button)
            for pin in lights:
                self._lights.append(gpiozero.LED(pin, pin_factory=pin_factory))
        except BaseException as error:
            self.close()
            if isinstance(error, Exception):
                raise pins_error(error, "GPIO pins for the buttons") from error
            raise

    def poll(self) -> tuple[Pressed | Chord, ...]:
        """The presses since the last call, oldest first; never waits."""
        now_s = self._clock()
        if self._stuck or now_s >= self._next_look_s:
            self._next_look_s = now_s + _CONTACTS_INTERVAL_S
            closed = self.down()
            self._make_up_for_lost_edges(closed, now_s)
            self._find_stuck(closed, now_s)
        presses: list[Pressed | Chord] = []
        with suppress(Empty):
            while True:
                presses.append(self._queue.get_nowait())
        return tuple(presses)

    def stuck(self) -> frozenset[Button]:
        """The buttons that, at the last poll, had been closed for `STUCK_S` without a break."""
        return self._stuck

    def _find_stuck(self, closed: frozenset[Button], now_s: float) -> None:
        since_s = self._closed_since_s
        self._closed_since_s = {button: since_s.get(button, now_s) for button in closed}
        stuck = frozenset(
            button for button, from_s in self._closed_since_s.items() if now_s - from_s >= STUCK_S
        )
        for button in sorted(stuck - self._stuck):
            log.warning(
                "the button %s has been closed for %.0f s: is something on it, or is it wired to"
                " ground?",
                button,
                STUCK_S,
            )
        for button in sorted(self._stuck - stuck):
            log.info("the button %s is open again", button)
        self._stuck = stuck

    def _make_up_for_lost_edges(self, pressed: frozenset[Button], now_s: float) -> None:
        """Reports what contacts do now where that has differed from what was reported for long."""
        reported = self._presses.now_down()
        # Once closed, there are names but no devices, as in `down`.
        for button, device in zip(self._names, self._devices, strict=False):
            closed = button in pressed
            if closed is (button in reported):
                self._differs_since_s.pop(button, None)
            elif now_s - self._differs_since_s.setdefault(button, now_s) >= LOST_EDGE_S:
                # A contact that was closed from the start is no lost edge: gpiozero knows of it.
                self._differs_since_s[button] = math.inf
                # What a pin's own callback calls: gpiozero must know of it too, or it would take
                # the next edge for no change.
                device._fire_events(device.pin_factory.ticks(), closed)
                if closed is (button in self._presses.now_down()):
                    edge = "pressed" if closed else "released"
                    log.info("the button %s was %s, but nobody was told", button, edge)

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
        try:
            with ThreadPoolExecutor(len(devices) + 1) as pool:
                list(pool.map(lambda device: device.close(), devices))
        except RuntimeError:
            # Where no thread can be made, that is what ends the program, and is to be said.
            for device in devices:
                device.close()
        self._devices.clear()
        self._lights.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _callback_if_closed(
    device: gpiozero.Button, what: Callable[[Button], None], button: Button
) -> Any:
    """For a button that was held: only its contact tells whether it still is."""

    def callback() -> None:
        if device.is_pressed:
            what(button)

    return callback


def _callback_for(what: Callable[[Button], None], button: Button) -> Any:
    def callback() -> None:
        what(button)

    return callback
