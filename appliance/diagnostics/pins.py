"""Check of the buttons' pins."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from typing import Any

import gpiozero

from appliance.devices.header import header_factory
from appliance.diagnostics.base import Finding, Level, busy
from appliance.errors import HeaderError
from appliance.inputs import Button

_SUBJECT = "buttons"


def check_pins(
    pins: Mapping[Button, int], make_factory: Callable[[], Any] = header_factory
) -> Iterator[Finding]:
    """Whether the BCM pins of the buttons can be used, and whether a button is stuck."""
    try:
        factory = make_factory()
    except HeaderError as error:
        yield Finding(_SUBJECT, Level.WRONG, error.found, error.advice)
        return
    except Exception as error:  # gpiozero tries several libraries, each with errors of its own
        text = f"expected GPIO pins, found none that can be used ({error})"
        advice = "on a Raspberry Pi: apt install python3-lgpio, and add the user to the group gpio"
        yield Finding(_SUBJECT, Level.WRONG, text, advice)
        return
    # What stays open would keep its pins, also for another factory of this process.
    with closing(factory):
        finding = _states_of_pins(pins, factory)
    yield finding


def _states_of_pins(pins: Mapping[Button, int], factory: Any) -> Finding:
    stuck: list[str] = []
    for button, pin in pins.items():
        try:
            with gpiozero.Button(pin, pull_up=True, pin_factory=factory) as device:
                if device.is_pressed:
                    stuck.append(f"{button.value} (pin {pin})")
        except Exception as error:  # the library's own
            if "busy" in str(error).lower():
                return busy(_SUBJECT, "the pins")
            text = f"{button.value}: pin {pin} cannot be used ({error})"
            advice = "check whether something else uses it: docs/scoreboard.md has the wiring"
            return Finding(_SUBJECT, Level.WRONG, text, advice)
    if stuck:
        text = f"pressed now: {', '.join(stuck)}"
        advice = "if nobody presses, the button or its wire touches ground"
        return Finding(_SUBJECT, Level.WRONG, text, advice)
    return Finding(_SUBJECT, Level.OK, f"{len(pins)} pins, none pressed")
