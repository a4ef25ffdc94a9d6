"""Check of the buttons' pins."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from typing import Any

import gpiozero

from appliance.devices.header import header_factory, pins_error, seen_chips
from appliance.diagnostics.base import Finding, Level, busy
from appliance.errors import HeaderError, PinsInUseError
from appliance.inputs import Button

_SUBJECT = "buttons"


def check_pins(
    pins: Mapping[Button, int], make_factory: Callable[[], Any] = header_factory
) -> Iterator[Finding]:
    """Checks that the BCM pins of the buttons can be used, and that no button is stuck."""
    try:
        factory = make_factory()
    except HeaderError as error:
        yield Finding(_SUBJECT, Level.WRONG, error.found, error.advice)
        return
    except Exception as error:  # gpiozero tries several libraries, each with errors of its own
        yield _finding_of_no_pins(error)
        return
    # What stays open would keep its pins, also for another factory of this process.
    with closing(factory):
        finding = _states_of_pins(pins, factory)
    yield finding


def _finding_of_no_pins(error: Exception) -> Finding:
    there = seen_chips()
    if there is None:
        found, advice = "no lgpio", "on a Raspberry Pi: apt install python3-lgpio"
    elif there:
        found, advice = ", ".join(map(str, there)), "report this line"
    else:
        found, advice = "no GPIO chip", "only a Raspberry Pi has these pins: --buttons keyboard"
    text = f"expected GPIO pins, found {found} ({error})"
    return Finding(_SUBJECT, Level.WRONG, text, advice)


def _states_of_pins(pins: Mapping[Button, int], factory: Any) -> Finding:
    stuck: list[str] = []
    for button, pin in pins.items():
        try:
            with gpiozero.Button(pin, pull_up=True, pin_factory=factory) as device:
                if device.is_pressed:
                    stuck.append(f"{button.value} (pin {pin:d})")
        except Exception as error:  # the library's own
            if isinstance(pins_error(error, "the pin"), PinsInUseError):
                return busy(_SUBJECT, "the pins")
            text = f"{button.value}: pin {pin:d} cannot be used ({error})"
            advice = "check whether something else uses it: docs/scoreboard.md has the wiring"
            return Finding(_SUBJECT, Level.WRONG, text, advice)
    if stuck:
        text = f"pressed now: {', '.join(stuck)}"
        advice = "if nobody presses, the button or its wire touches ground"
        return Finding(_SUBJECT, Level.WRONG, text, advice)
    chip = getattr(factory, "chip", None)
    seen = ", ".join(
        f"{each}, the header's" if each.number == chip else str(each) for each in seen_chips() or ()
    )
    text = f"{len(pins):d} pins, none pressed" + (f"; chips: {seen}" if seen else "")
    return Finding(_SUBJECT, Level.OK, text)
