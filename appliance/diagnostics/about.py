"""Lines of the menu's ABOUT: versions, and the state of each part, as a label and a few words."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from secrets import randbelow, token_hex
from socket import gethostname

from appliance.devices.scoreboard import Status
from appliance.diagnostics.machine import (
    SYS,
    check_supply,
    processor_celsius,
    senses_voltage,
    throttled_word,
)
from appliance.journal.origin import own_version
from vision.files.system import Disk, disk_of

Line = tuple[str, str]
NETWORK_FILE = Path("/run/dicetray-network/said")
"""The file in which `systemd/network.sh` describes the network."""
_BYTES_PER_GB = 1_000_000_000
_LINES_ON_POWER = {"WRONG": "TOO WEAK", "OK": "GOOD"}


def about(
    board: Status | None,
    frames_s: float | None,
    folder: Path | None,
    *,
    sys: Path = SYS,
    disk_of: Callable[[Path], Disk] = disk_of,
) -> tuple[Line, ...]:
    """Lines for the board, those asked for most first.

    Args:
        board: the state of the link to the scoreboard; None where there is none.
        frames_s: frames per second that the camera delivers now; None if it delivers none.
        folder: where the games are kept; None if they are not.
        sys: where Linux exposes its devices.
        disk_of: asks the system about the disk of a folder.
    """
    lines: list[Line] = [("SOFTWARE", own_version())]
    if board is not None:
        hello = board.hello
        lines.append(("FIRMWARE", hello.version if board.connected and hello else "NO LINK"))
        if board.connected and hello and hello.build:
            lines.append(("BUILD", hello.build.upper()[:8]))
    lines.append(("CAMERA", "NO PICTURE" if frames_s is None else f"{frames_s:.0f} FPS"))
    lines += _disk_line(folder, disk_of) if folder is not None else []
    degrees = processor_celsius(sys)
    lines += [] if degrees is None else [("TEMP", f"{degrees:.0f} C")]
    supply = next(
        iter(check_supply(lambda: throttled_word(sys), lambda: senses_voltage(sys)))
    ).level
    lines += [("SUPPLY", _LINES_ON_POWER[supply])] if supply in _LINES_ON_POWER else []
    return tuple(lines)


def network(port: int, said: Path = NETWORK_FILE) -> tuple[Line, ...]:
    """A new PIN for a score page on this port, and lines about the network for the board."""
    pin = f"{randbelow(1_000_000):06d}{token_hex(16)}"
    lines = [("PIN", pin), ("ADDRESS", f"HTTP:// {gethostname()} .LOCAL:{port}")]
    with suppress(OSError, ValueError):
        parts = (line.partition(" ") for line in said.read_text()[:400].splitlines())
        lines += [(label, text) for label, _, text in parts]
    return tuple(lines)


def _disk_line(folder: Path, disk_of: Callable[[Path], Disk]) -> list[Line]:
    try:
        disk = disk_of(folder)
    except OSError:
        return [("DISK", "MISSING")]
    if disk.read_only:
        return [("DISK", "READ ONLY")]
    free = disk.free_bytes / _BYTES_PER_GB
    return [("DISK", f"{min(free, 9999):.{0 if free >= 10 else 1}f} GB FREE")]
