"""Checks of the Raspberry Pi itself: its temperature, its supply, its clock.

The firmware's word `get_throttled` has a bit for each trouble now and, 16 bits higher, since the
start (https://www.raspberrypi.com/documentation/computers/os.html#get_throttled).
"""

from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

from appliance.diagnostics.base import Finding, Level

SYS = Path("/sys")
"""Where Linux shows its devices."""

HOT_C = 75.0
"""Degrees Celsius from which somebody should know; the Pi slows itself down at 80 to 85."""

_TOO_HOT_C = 80.0
_SINCE_START = 16
_UNDER_VOLTAGE = 1 << 0
_SLOWED = 1 << 1 | 1 << 2 | 1 << 3
_EARLIEST = date(2026, 1, 1)
"""No clock that is right shows an earlier day: the program is not older."""


def celsius(sys: Path = SYS) -> float | None:
    """The processor's temperature; None where it is not reported."""
    try:
        return int((sys / "class/thermal/thermal_zone0/temp").read_text()) / 1000
    except (OSError, ValueError):
        return None


def check_temperature(sys: Path = SYS) -> Iterator[Finding]:
    """Whether the processor is too hot."""
    degrees = celsius(sys)
    if degrees is None:
        yield Finding("temperature", Level.NOTE, "this machine does not report it")
        return
    shown = f"{degrees:.0f} °C"
    if degrees >= _TOO_HOT_C:
        text = f"{shown}, so hot that the Pi slows down"
        advice = "give the Pi's case openings or a heat sink; keep it out of the sun"
        yield Finding("temperature", Level.WRONG, text, advice)
    elif degrees >= HOT_C:
        yield Finding("temperature", Level.NOTE, f"{shown}, warm; above 80 °C the Pi slows down")
    else:
        yield Finding("temperature", Level.OK, shown)


def throttled_word(sys: Path = SYS) -> int | None:
    """The firmware's word about throttling; None where there is no such firmware."""
    for path in sorted(sys.glob("devices/platform/soc*/*firmware/get_throttled")):
        try:
            return int(path.read_text(), 16)
        except (OSError, ValueError):
            continue
    return None


def check_supply(word: Callable[[], int | None] = throttled_word) -> Iterator[Finding]:
    """Whether the supply's voltage is or was too low: the usual trouble with a Pi."""
    flags = word()
    if flags is None:
        yield Finding("power supply", Level.NOTE, "this machine does not report whether it is weak")
        return
    before = flags >> _SINCE_START
    advice = (
        "use the Pi's own supply and a short, thick cable; give the scoreboard a supply of its own"
    )
    if flags & _UNDER_VOLTAGE:
        yield Finding("power supply", Level.WRONG, "its voltage is too low now", advice)
    elif before & _UNDER_VOLTAGE:
        yield Finding("power supply", Level.WRONG, "its voltage was too low since start", advice)
    elif (flags | before) & _SLOWED:
        text = "the voltage is good, but the Pi was slowed down since start"
        yield Finding("power supply", Level.NOTE, text, "look at its temperature")
    else:
        yield Finding("power supply", Level.OK, "its voltage was good since start")


def check_clock(today: Callable[[], date] = date.today) -> Iterator[Finding]:
    """Whether the clock can be right. Games do not depend on it."""
    day = today()
    if day < _EARLIEST:
        text = f"it says {day}, which cannot be right; only dates in logs are wrong"
        yield Finding("clock", Level.NOTE, text)
    else:
        yield Finding("clock", Level.OK, f"{day}")
