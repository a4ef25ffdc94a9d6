"""Checks of the machine: temperature, memory, supply, clock, disk, and the systemd service.

The firmware's word `get_throttled` has a bit for each problem now and, 16 bits higher, since the
start (https://www.raspberrypi.com/documentation/computers/os.html#get_throttled).
"""

import os
import subprocess
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from pathlib import Path

from appliance.devices.power import may_power_off
from appliance.diagnostics.base import Finding, Level
from vision.files.system import Disk, disk_of

SYS = Path("/sys")
"""Where Linux exposes its devices."""

MIN_HOT_C = 75.0
"""Degrees Celsius from which people should be told; the Pi slows itself down at 80 to 85."""

_MIN_TOO_HOT_C = 80.0
_SINCE_START_SHIFT = 16
_BYTES_PER_MB = 1_000_000
_UNDER_VOLTAGE_BIT = 1 << 0
_SLOWED_BITS = 1 << 1 | 1 << 2 | 1 << 3
_EARLIEST_DATE = date(2026, 1, 1)
"""No correct clock shows an earlier date: the program is not older."""


def processor_celsius(sys: Path = SYS) -> float | None:
    """The processor's temperature; None where it is not reported."""
    try:
        return int((sys / "class/thermal/thermal_zone0/temp").read_text()) / 1000
    except (OSError, ValueError):
        return None


def check_temperature(sys: Path = SYS) -> Iterator[Finding]:
    """Checks that the processor is not too hot."""
    degrees = processor_celsius(sys)
    if degrees is None:
        yield Finding("temperature", Level.NOTE, "this machine does not report it")
        return
    shown = f"{degrees:.0f} °C"
    if degrees >= _MIN_TOO_HOT_C:
        text = f"{shown}, so hot that the Pi slows down"
        advice = "give the Pi's case openings or a heat sink; keep it out of the sun"
        yield Finding("temperature", Level.WRONG, text, advice)
    elif degrees >= MIN_HOT_C:
        yield Finding("temperature", Level.NOTE, f"{shown}, warm; above 80 °C the Pi slows down")
    else:
        yield Finding("temperature", Level.OK, shown)


MEMINFO = Path("/proc/meminfo")
"""Where Linux says how much memory there is."""

_MIN_FREE_MEMORY_MB = 40
_SMALL_MEMORY_MB = 1000
_MAX_KEPT_SHARE = 1 / 3


def check_memory(meminfo: Path = MEMINFO) -> Iterator[Finding]:
    """Checks that programs find memory, of which a Zero 2 W may have set half apart.

    What it sets apart for graphics and camera (CMA) is 256 MB, unless it is told otherwise:
    picamera2's issues 46 and 1358. Programs can use only some of that.
    """
    try:
        lines = (line.split() for line in meminfo.read_text().splitlines())
        found = {words[0]: int(words[1]) * 1024 // _BYTES_PER_MB for words in lines if words}
        total, free = found["MemTotal:"], found["MemAvailable:"]
    except (OSError, ValueError, KeyError, IndexError):
        yield Finding("memory", Level.NOTE, "this machine does not report it")
        return
    kept, text = found.get("CmaTotal:", 0), f"{free} of {total} MB are free"
    if free < _MIN_FREE_MEMORY_MB:
        advice = "end other programs; use Raspberry Pi OS Lite, which has no desktop"
        yield Finding("memory", Level.WRONG, text, advice)
    elif total < _SMALL_MEMORY_MB and kept > _MAX_KEPT_SHARE * total:
        text += f", and {kept} MB are set apart for graphics and camera"
        advice = "let it be 128: docs/installing.md, “On a Pi with 512 MB”"
        yield Finding("memory", Level.NOTE, text, advice)
    else:
        yield Finding("memory", Level.OK, text)


def throttled_word(sys: Path = SYS) -> int | None:
    """The firmware's word about throttling; None where there is no such firmware."""
    for path in sorted(sys.glob("devices/platform/soc*/*firmware/get_throttled")):
        try:
            return int(path.read_text(), 16)
        except (OSError, ValueError):
            continue
    return None


class VoltageWatch:
    """Notices a voltage that is too low now, or was since it was last asked.

    Args:
        word: the firmware's word; None where there is no such firmware.
    """

    def __init__(self, word: Callable[[], int | None] = throttled_word) -> None:
        self._word = word
        # What happened before the program was there is the doctor's business.
        self._before = (word() or 0) >> _SINCE_START_SHIFT & _UNDER_VOLTAGE_BIT

    def is_low(self) -> bool:
        """True if it is, or was for a moment; asks the firmware, which takes some milliseconds."""
        flags = self._word() or 0
        since_start = flags >> _SINCE_START_SHIFT & _UNDER_VOLTAGE_BIT
        news, self._before = since_start and not self._before, since_start
        return bool(flags & _UNDER_VOLTAGE_BIT or news)


def senses_voltage(sys: Path = SYS) -> bool:
    """True if this machine would notice a low voltage: all Pis do but the Zeros.

    Raspberry Pi's documentation, "Power supply warnings".
    """
    try:
        model = (sys / "firmware/devicetree/base/model").read_text()
    except (OSError, ValueError):
        return True
    return not model.startswith("Raspberry Pi Zero")


def check_supply(
    word: Callable[[], int | None] = throttled_word,
    senses: Callable[[], bool] = senses_voltage,
) -> Iterator[Finding]:
    """Checks that the supply's voltage is and was not too low, the usual problem with a Pi."""
    flags = word()
    if flags is None:
        yield Finding("power supply", Level.NOTE, "this machine does not report whether it is weak")
        return
    before = flags >> _SINCE_START_SHIFT
    advice = (
        "use the Pi's own supply and a short, thick cable; give the scoreboard a supply of its own"
    )
    if flags & _UNDER_VOLTAGE_BIT:
        yield Finding("power supply", Level.WRONG, "its voltage is too low now", advice)
    elif before & _UNDER_VOLTAGE_BIT:
        yield Finding("power supply", Level.WRONG, "its voltage was too low since start", advice)
    elif (flags | before) & _SLOWED_BITS:
        text = "the voltage is good, but the Pi was slowed down since start"
        if not senses():
            text = (
                "the Pi was slowed down since start; a Zero cannot tell whether its voltage is low"
            )
        yield Finding("power supply", Level.NOTE, text, "look at its temperature")
    elif not senses():
        text = "a Pi Zero cannot tell whether its voltage is too low"
        yield Finding("power supply", Level.NOTE, text)
    else:
        yield Finding("power supply", Level.OK, "its voltage was good since start")


def check_clock(today: Callable[[], date] = date.today) -> Iterator[Finding]:
    """Checks that the clock can be right. Games do not depend on it."""
    day = today()
    if day < _EARLIEST_DATE:
        text = f"it says {day}, which cannot be right; only dates in logs are wrong"
        yield Finding("clock", Level.NOTE, text)
    else:
        yield Finding("clock", Level.OK, f"{day}")


SERVICE_UNIT = "dicetray.service"
_UNIT_PROPERTIES = ("LoadState", "ActiveState", "SubState", "NRestarts", "Result", "UnitFileState")
_MANY_RESTARTS = 3


def show() -> Mapping[str, str] | None:
    """Systemd's properties of the service; None where there is no systemd."""
    command = ["systemctl", "show", SERVICE_UNIT, f"--property={','.join(_UNIT_PROPERTIES)}"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return dict(line.split("=", 1) for line in done.stdout.splitlines() if "=" in line)


def check_service(show: Callable[[], Mapping[str, str] | None] = show) -> Iterator[Finding]:
    """Checks that the service is installed, starts with the machine, runs, and keeps running."""
    found = show()
    if found is None:
        yield Finding("service", Level.NOTE, "this machine has no systemd that answers")
        return
    state = found.get("ActiveState", "")
    restarts = int(found.get("NRestarts") or 0)
    level, advice = Level.NOTE, ""
    if found.get("LoadState") != "loaded":
        text, advice = "is not installed", "sudo systemd/install.sh in dicetray's folder"
    elif state == "failed":
        level = Level.WRONG
        text = f"has failed ({found.get('Result', 'unknown'):s}) after {restarts:d} restarts"
        advice = "see the end of its log: journalctl -u dicetray -n 50"
    elif state != "active":
        text = f"is not running ({state:s} {found.get('SubState', ''):s})"
        advice = "start it: sudo systemctl start dicetray"
    elif found.get("UnitFileState") not in ("enabled", "enabled-runtime"):
        text = "runs, but will not start with the machine"
        advice = "sudo systemctl enable dicetray"
    elif restarts >= _MANY_RESTARTS:
        text = f"runs, but was restarted {restarts:d} times"
        advice = "see why: journalctl -u dicetray | grep -i error"
    else:
        level, text = Level.OK, f"runs, restarted {restarts:d} times"
    yield Finding("service", level, text, advice)


def check_power_off(ask: Callable[[], str] = may_power_off) -> Iterator[Finding]:
    """Checks that this user may switch the machine off, as the service must for SHUT DOWN."""
    subject = "switching off"
    again = "run the installer again: its polkit rule lets the service's user shut down"
    match ask():
        case "yes":
            yield Finding(subject, Level.OK, "this user may switch the machine off")
        case "challenge":
            text = "this user may only with a password, or a program keeps the machine on for now"
            advice = (
                "the service's user needs no password: sudo -u dicetray dicetray doctor --only "
                "power; what keeps it on: systemd-inhibit --list"
            )
            yield Finding(subject, Level.NOTE, text, advice)
        case "inhibited":
            text = "a program keeps the machine on for now, such as an update"
            yield Finding(subject, Level.NOTE, text, "see which: systemd-inhibit --list")
        case "no":
            yield Finding(subject, Level.WRONG, "this user may not switch the machine off", again)
        case "na":
            yield Finding(subject, Level.NOTE, "this machine cannot switch itself off")
        case _:
            yield Finding(subject, Level.NOTE, "logind does not answer: SHUT DOWN cannot work")


MIN_FREE_MB = 200
"""Free megabytes below which people should be told."""

_MIN_USABLE_MB = 20


def check_disk(folder: Path, disk_of: Callable[[Path], Disk] = disk_of) -> Iterator[Finding]:
    """Checks that the games' folder can be written, and measures the room left."""
    try:
        disk = disk_of(folder)
    except OSError as error:
        text = f"the folder {folder} cannot be used: {error.strerror}"
        advice = "install dicetray again, or correct `journal` in the configuration"
        yield Finding("disk", Level.WRONG, text, advice)
        return
    free = disk.free_bytes // _BYTES_PER_MB
    level = Level.WRONG
    if disk.read_only:
        text = f"{folder} is on a disk that can only be read"
        advice = (
            "a worn card does that: save the games with `dicetray games export`, use a new card"
        )
    elif not os.access(folder, os.W_OK):
        level, text = Level.NOTE, f"{folder} cannot be written by this user; {free:d} MB are free"
        advice = "run doctor as the service's user: sudo -u dicetray dicetray doctor"
    elif free < _MIN_USABLE_MB:
        text, advice = f"{free:d} MB are free, too few to save games", "delete files"
    elif free < MIN_FREE_MB:
        level, text, advice = Level.NOTE, f"{free:d} MB are free", "delete files before it is full"
    else:
        level, text, advice = Level.OK, f"{folder}, {free:d} MB are free", ""
    yield Finding("disk", level, text, advice)
