"""Check of the buttons' pins."""

import warnings
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import gpiozero

from appliance.diagnostics.base import Finding, Level, busy
from appliance.inputs import Button

_SUBJECT = "buttons"


def default_factory() -> Any:
    """Gpiozero's own choice of a pin factory; raises where there are no pins."""
    with warnings.catch_warnings():
        # It warns about each missing library, and raises if there is none.
        warnings.simplefilter("ignore")
        return gpiozero.Device._default_pin_factory()


def check_pins(
    pins: Mapping[Button, int], make_factory: Callable[[], Any] = default_factory
) -> Iterator[Finding]:
    """Whether the BCM pins of the buttons can be used, and whether a button is stuck."""
    try:
        factory = make_factory()
    except Exception as error:  # gpiozero tries several libraries, each with errors of its own
        text = f"expected GPIO pins, found none that can be used ({error})"
        advice = "on a Raspberry Pi: apt install python3-lgpio, and add the user to the group gpio"
        yield Finding(_SUBJECT, Level.WRONG, text, advice)
        return
    stuck: list[str] = []
    for button, pin in pins.items():
        try:
            with gpiozero.Button(pin, pull_up=True, pin_factory=factory) as device:
                if device.is_pressed:
                    stuck.append(f"{button.value} (pin {pin})")
        except Exception as error:  # as above
            if "busy" in str(error).lower():
                yield busy(_SUBJECT, "the pins")
            else:
                text = f"{button.value}: pin {pin} cannot be used ({error})"
                advice = "check whether something else uses it: docs/scoreboard.md has the wiring"
                yield Finding(_SUBJECT, Level.WRONG, text, advice)
            return
    if stuck:
        text = f"pressed now: {', '.join(stuck)}"
        advice = "if nobody presses, the button or its wire touches ground"
        yield Finding(_SUBJECT, Level.WRONG, text, advice)
    else:
        yield Finding(_SUBJECT, Level.OK, f"{len(pins)} pins, none pressed")
