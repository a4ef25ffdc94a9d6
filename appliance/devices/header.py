"""The pins of the Raspberry Pi's header, for gpiozero.

The kernel has a GPIO chip for the header and, on most models, others for what is on the board. Its
number is not fixed: on a Pi 5 it has been 4, then 0 (raspberrypi/linux pull request 6144), then 11
to 15 with the others (adafruit/Adafruit_Blinka issue 1119); gpiozero knows 4 and 0. Its label is
its driver's name, and stays.
"""

import os
import re
import warnings
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import gpiozero

from appliance.errors import HeaderError, NoHeaderError, PinsError, PinsInUseError

CHIP_LABELS = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""The label of the header's chip on a Pi 5, a Pi 4, and all before (drivers/pinctrl/pinctrl-rp1.c
and bcm/pinctrl-bcm2835.c of raspberrypi/linux)."""

_DEV = Path("/dev")
_MODEL = Path("/proc/device-tree/model")
"""The kernel's device tree names the machine; a PC has none."""
_CHIP_NAME = re.compile(r"gpiochip([0-9]+)")


@dataclass(frozen=True, slots=True)
class Chip:
    """A GPIO chip.

    Attributes:
        number: of its device, /dev/gpiochipN.
        label: its driver's name; empty where it cannot be opened.
    """

    number: int
    label: str

    def __str__(self) -> str:
        return f"gpiochip{self.number} ({self.label or 'cannot be opened'})"


def chips(lgpio: Any, dev: Path) -> tuple[Chip, ...]:
    """All GPIO chips of this machine, by their numbers.

    Args:
        lgpio: the module; its `gpio_get_chip_info` returns status, number of lines, name and label
            (lgpio 0.2.2.0, lgpio_extra.py).
        dev: folder of the devices.
    """
    numbers = (
        int(found[1]) for path in dev.iterdir() if (found := _CHIP_NAME.fullmatch(path.name))
    )
    return tuple(Chip(number, _chip_label(lgpio, number)) for number in sorted(numbers))


def _chip_label(lgpio: Any, number: int) -> str:
    try:
        handle = lgpio.gpiochip_open(number)
        try:
            return str(lgpio.gpio_get_chip_info(handle)[3])
        finally:
            lgpio.gpiochip_close(handle)
    except lgpio.error:
        return ""


def seen_chips() -> tuple[Chip, ...] | None:
    """All GPIO chips of this machine; None where there is no lgpio to ask them."""
    try:
        return chips(import_module("lgpio"), _DEV)
    except ImportError:
        return None


def header_factory() -> Any:
    """Gpiozero's factory for the header's pins.

    It is lgpio's on the header's chip; gpiozero's own choice where the environment names one, where
    there is no lgpio, or no chip at all.

    Raises:
        HeaderError: there are chips, none of which is the header's.
        Exception: whatever gpiozero and the libraries it tries raise where there are no pins.
    """
    if "GPIOZERO_PIN_FACTORY" in os.environ:
        return _gpiozeros_choice()
    try:
        lgpio = import_module("lgpio")
    except ImportError:
        return _gpiozeros_choice()
    there = chips(lgpio, _DEV)
    if not there:
        return _gpiozeros_choice()
    for label in CHIP_LABELS:
        for chip in there:
            if chip.label == label:
                return import_module("gpiozero.pins.lgpio").LGPIOFactory(chip=chip.number)
    found = ", ".join(map(str, there))
    locked = not all(chip.label for chip in there)
    advice = "add the user to the group gpio" if locked else "report this line: it is a new model"
    raise HeaderError(
        f"expected the GPIO chip of a Raspberry Pi's header ({', '.join(CHIP_LABELS)}), "
        f"found {found}",
        advice,
    )


def use_header() -> None:
    """From now on gpiozero's devices are on the header's pins, unless another factory was set.

    Raises:
        Exception: as `header_factory`.
    """
    if gpiozero.Device.pin_factory is None:
        gpiozero.Device.pin_factory = header_factory()


def is_raspberry_pi(model: Path | None = None) -> bool:
    """True if this machine is a Raspberry Pi.

    Args:
        model: where the kernel names the machine; None for the usual place.
    """
    try:
        return (model or _MODEL).read_text("ascii").startswith("Raspberry Pi")
    except (OSError, ValueError):
        return False


def pins_error(error: Exception, wanted: str, model: Path | None = None) -> PinsError:
    """The meaning of an error of gpiozero, or of the library below it, for the pins wanted.

    lgpio raises errors of its own: "GPIO busy" where another program has the pin (lgErr.c of
    joan2937/lg); gpiozero says "in use" where this one has.

    Args:
        error: what it raised.
        wanted: what the pins are for.
        model: as `is_raspberry_pi` takes it.
    """
    text = str(error).lower()
    kind = PinsInUseError if "busy" in text or "in use" in text else PinsError
    if isinstance(error, PinsInUseError):
        return error
    if kind is PinsError and not is_raspberry_pi(model):
        if isinstance(error, PinsError):
            return NoHeaderError(error.found, error.advice)
        return NoHeaderError(
            f"expected {wanted}, found no Raspberry Pi ({error})",
            "see `dicetray doctor --only buttons`; play with keys: --buttons keyboard, or browser",
        )
    if isinstance(error, PinsError):
        return error
    return kind(
        f"expected {wanted}, found none that can be used ({error})",
        "look at them with `dicetray doctor --only buttons`, or run without: --buttons none",
    )


def _gpiozeros_choice() -> Any:
    with warnings.catch_warnings():
        # It warns about each missing library, and raises if there is none.
        warnings.simplefilter("ignore")
        return gpiozero.Device._default_pin_factory()
