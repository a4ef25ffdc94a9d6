"""Checks of the scoreboard: its USB device, its port, the link, its firmware."""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

from appliance.devices.flash.layouts import name_of, wiring_of
from appliance.devices.flash.package import Package
from appliance.devices.scoreboard import Hello, LayoutFrom
from appliance.devices.scoreboard.base import Fault, LinkState, Status
from appliance.devices.scoreboard.link import NOT_OPENED
from appliance.devices.scoreboard.serial_port import Backoff, SerialScoreboard
from appliance.devices.scoreboard.usb import SYSFS, missing_port, usb_device_behind
from appliance.diagnostics.base import Finding, Level, busy

_USB_SUBJECT = "scoreboard's USB"
_LINK_SUBJECT = "scoreboard's link"
_FIRMWARE_SUBJECT = "scoreboard's firmware"
_LAYOUT_SUBJECT = "scoreboard's layout"
_HEAP_SUBJECT = "scoreboard's memory"

_MIN_FREE_HEAP_BYTES = 32_000
"""Free bytes of a board's heap below which something is wrong; a Pico has about 200,000."""

MAX_LINK_S = 12.0
"""Long enough for a board to start, or for one at its prompt to be restarted."""

Look = Callable[[str, float], Status]


def look(port: str, seconds: float) -> Status:
    """Links to a board briefly and returns how far that got.

    It ends early when the board is linked or refused, or trying the port has failed.
    """
    # One try: its result must be seen here before the next one.
    once = Backoff(first=seconds, cap=seconds, refused=seconds)
    with closing(SerialScoreboard(port, backoff=once)) as board:
        try:
            return board.wait(
                # Closed: the try has failed, and the reason says why.
                lambda status: (
                    status.connected
                    or status.state is LinkState.REFUSED
                    or (status.state is LinkState.CLOSED and status.reason != NOT_OPENED)
                ),
                seconds,
            )
        except TimeoutError:
            return board.status


def check_scoreboard(
    port: str,
    *,
    package: Package | None = None,
    sysfs: Path = SYSFS,
    look: Look = look,
) -> Iterator[Finding]:
    """Checks everything about the scoreboard, each part after those it depends on.

    Args:
        port: the configured serial port.
        package: the firmware that belongs to this program; None for the one shipped with it.
        sysfs: where Linux lists USB devices.
        look: links to the board.
    """
    if not Path(port).exists():
        yield Finding(_USB_SUBJECT, Level.WRONG, *missing_port(port, sysfs))
        return
    device = usb_device_behind(port, sysfs)
    if device is None:
        yield Finding(_USB_SUBJECT, Level.NOTE, f"{port} is there, but not on USB (a UART?)")
    elif device.is_micropython:
        yield Finding(_USB_SUBJECT, Level.OK, f"{port} is {device}")
    else:
        yield Finding(
            _USB_SUBJECT,
            Level.WRONG,
            f"{port} is {device}, no Pico with MicroPython",
            "set `port` in the configuration to the scoreboard's; if this is the board's Pico, "
            "copy MicroPython onto it and run `dicetray flash`",
        )
    status = look(port, MAX_LINK_S)
    if not status.connected:
        yield _finding_of_no_link(status)
        return
    yield Finding(_LINK_SUBJECT, Level.OK, f"HELLO came, {status.damaged:d} damaged frames")
    yield from _finding_of_firmware(status, package or Package.shipped())


_ADVICE_ON_FAULT = {
    Fault.OTHER: "if this is the scoreboard's port, run `dicetray flash`; else correct `port` "
    "in the configuration",
    Fault.PROMPT: "plug the board in again; if that does not help, run `dicetray flash`",
    Fault.FORBIDDEN: "add the user to the group dialout and log in again",
    Fault.NONE: "plug the board in again; look at its lights: DICETRAY and a version must appear",
}


def _finding_of_no_link(status: Status) -> Finding:
    reason = status.reason or "no HELLO came"
    if status.fault is Fault.BUSY:
        return busy(_LINK_SUBJECT, "the port")
    if status.state is LinkState.REFUSED:
        mismatch = status.hello.mismatch() if status.hello is not None else ()
        problem, advice = mismatch or (reason, "plug the board in again")
        return Finding(_LINK_SUBJECT, Level.WRONG, problem, f"{advice}; or run `dicetray flash`")
    return Finding(_LINK_SUBJECT, Level.WRONG, reason, _ADVICE_ON_FAULT[status.fault])


def _finding_of_firmware(status: Status, package: Package) -> Iterator[Finding]:
    hello = status.hello
    if hello is None:
        return
    found = f"version {hello.version:s} build {hello.build:s}"
    if (hello.version, hello.build) == (package.version, package.build):
        yield Finding(_FIRMWARE_SUBJECT, Level.OK, found)
    else:
        text = f"{found}, this program brings {package.version:s} build {package.build:s}"
        yield Finding(_FIRMWARE_SUBJECT, Level.NOTE, text, "run `dicetray flash` when convenient")
    yield _finding_of_layout(hello)
    if 0 < hello.free < _MIN_FREE_HEAP_BYTES:
        text = f"only {hello.free:d} bytes are free, it needs more than {_MIN_FREE_HEAP_BYTES:d}"
        advice = "run `dicetray flash`; a large local_config.py also takes memory"
        yield Finding(_HEAP_SUBJECT, Level.WRONG, text, advice)
    elif hello.free:
        yield Finding(_HEAP_SUBJECT, Level.OK, f"{hello.free:d} bytes are free")


def _finding_of_layout(hello: Hello) -> Finding:
    """How the board's modules are mounted, and who says so."""
    if hello.layout_from is None:
        text = f"firmware {hello.version:s} cannot store how its modules are mounted"
        return Finding(_LAYOUT_SUBJECT, Level.NOTE, text, "run `dicetray flash` when convenient")
    wiring = wiring_of(hello.layout)
    name = (wiring and name_of(wiring)) or "one without a name"
    match hello.layout_from:
        case LayoutFrom.DEFAULT:
            text = f"{name}, the default; nobody has chosen one yet"
            advice = "the board asks when the appliance starts; or: dicetray doctor --bench lights"
            return Finding(_LAYOUT_SUBJECT, Level.NOTE, text, advice)
        case LayoutFrom.STORED:
            return Finding(_LAYOUT_SUBJECT, Level.OK, f"{name}, stored on the board")
        case LayoutFrom.OWN:
            return Finding(_LAYOUT_SUBJECT, Level.OK, f"{name}, from its local_config.py")
