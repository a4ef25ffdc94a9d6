"""Sends a scoreboard's Pico to its REPL or boot loader."""

import time
from collections.abc import Callable

from appliance.devices.scoreboard.serial_port import PORT_ERRORS, Port, open_port, why_not
from appliance.errors import ScoreboardError
from firmware import framing

LISTEN = 4.0
"""A board that starts says HELLO within two seconds, a running one at least twice a second."""


def ask(
    path: str,
    request: bytes,
    *,
    seconds: float = LISTEN,
    opener: Callable[[str], Port] = open_port,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> bool:
    """Asks the firmware to leave for the REPL or the boot loader.

    Args:
        path: the serial port.
        request: `framing.SERVICE_REPL` or `framing.SERVICE_BOOTLOADER`.
        seconds: how long to listen for a running firmware.
        opener: opens the port.
        clock: seconds, never going back.
        sleep: waits.

    Returns:
        Whether a firmware was heard and asked; False if none speaks, as at the REPL.

    Raises:
        ScoreboardError: the port cannot be opened or used.
    """
    try:
        port = opener(path)
    except PORT_ERRORS as error:
        raise ScoreboardError(why_not(path, error)[0]) from error
    try:
        if not _heard(port, clock() + seconds, clock, sleep):
            return False
        versions = bytes((framing.PROTOCOL_MAJOR, framing.PROTOCOL_MINOR))
        port.write(framing.encode(framing.HELLO_REQUEST, 0, versions))
        port.write(framing.encode(framing.SERVICE, 1, request))
        # What was written is to leave before the port is closed.
        sleep(0.2)
    except PORT_ERRORS as error:
        raise ScoreboardError(f"the port {path} is gone: {error}; is the cable in?") from error
    finally:
        port.close()
    return True


def _heard(
    port: Port, end: float, clock: Callable[[], float], sleep: Callable[[float], None]
) -> bool:
    """Waits for any valid frame: before one, a byte 03 would be Ctrl-C."""
    parser = framing.Parser()
    while clock() < end:
        data = port.read(256)
        if parser.feed(data, 0, len(data)):
            return True
        sleep(0.02)
    return False
