"""A scoreboard's description of itself, and the check that this host can work with it."""

import struct
from dataclasses import dataclass
from enum import IntEnum
from typing import Self

from appliance.picture import HEIGHT, WIDTH
from firmware import framing

_FAREWELL_SINCE = (1, 2)
_LAYOUT_SINCE = (1, 2)
_FLASH = "flash the firmware of this release (docs/scoreboard.md)"


class LayoutFrom(IntEnum):
    """Who says how a board's modules are mounted; the numbers of firmware/config.py."""

    DEFAULT = 0
    """Nobody: the firmware's default."""
    STORED = 1
    """Its layout.py, which `dicetray flash --layout` and LAYOUT write."""
    OWN = 2
    """The owner's local_config.py, which has the last word."""


@dataclass(frozen=True, slots=True)
class Hello:
    """The message HELLO.

    Attributes:
        protocol: major and minor version of the protocol.
        version: version of the firmware, such as "0.1.0".
        build: up to eight characters that distinguish builds of one version.
        width: columns of lights.
        height: rows of lights.
        linked: the board has heard from a host lately.
        brightness_limit: the highest brightness that it will use.
        boot: how often the board has started; 0 if it cannot count.
        unique_id: the chip's serial number, sixteen hexadecimal digits.
        free: free bytes of the board's heap at that time; 0 if it does not know.
        layout_from: who says how its modules are mounted; None if its firmware cannot be told.
        layout: the layout at its next start, as firmware/mounting.py encodes it; empty the same.
    """

    protocol: tuple[int, int]
    version: str = ""
    build: str = ""
    width: int = 0
    height: int = 0
    linked: bool = False
    brightness_limit: int = 0
    boot: int = 0
    unique_id: str = ""
    free: int = 0
    layout_from: LayoutFrom | None = None
    layout: bytes = b""

    @classmethod
    def from_payload(cls, payload: bytes) -> Self:
        """Reads the payload; with another major version only the protocol's numbers are known.

        Raises:
            ValueError: the payload is too short.
        """
        if len(payload) >= 2 and payload[0] != framing.PROTOCOL_MAJOR:
            return cls((payload[0], payload[1]))
        if len(payload) < framing.HELLO_BYTES:
            raise ValueError(
                f"HELLO has {framing.HELLO_BYTES} bytes or more, got {len(payload)}; {_FLASH}"
            )
        major, minor, v0, v1, v2, width, height, flags, limit, boot, unique_id, build = (
            struct.unpack_from(framing.HELLO_FORMAT, payload)
        )
        layout = payload[framing.HELLO_BYTES + framing.HELLO_FREE :][: framing.HELLO_LAYOUT]
        if (
            (major, minor) < _LAYOUT_SINCE
            or len(layout) < framing.HELLO_LAYOUT
            or layout[0] not in tuple(LayoutFrom)
        ):
            layout = b""
        return cls(
            protocol=(major, minor),
            version=f"{v0}.{v1}.{v2}",
            build=build.rstrip(b"\0").decode("ascii", "replace"),
            width=width,
            height=height,
            linked=bool(flags & framing.HELLO_LINKED),
            brightness_limit=limit,
            boot=boot,
            unique_id=unique_id.hex(),
            free=int.from_bytes(payload[framing.HELLO_BYTES :][: framing.HELLO_FREE], "little"),
            layout_from=LayoutFrom(layout[0]) if layout else None,
            layout=layout[1:],
        )

    @property
    def takes_farewell(self) -> bool:
        """True if its firmware knows FAREWELL; an older one would say NO LINK all the same."""
        return self.protocol >= _FAREWELL_SINCE

    def objection(self) -> str:
        """Why this host cannot work with that board and what to do; empty if it can."""
        return ": ".join(self.mismatch())

    def mismatch(self) -> tuple[str, str] | tuple[()]:
        """Why this host cannot work with that board, and what to do; nothing if it can."""
        if self.protocol[0] != framing.PROTOCOL_MAJOR:
            older = self.protocol[0] < framing.PROTOCOL_MAJOR
            what = _FLASH if older else "update dicetray, or " + _FLASH
            spoken, needed = "{}.{}".format(*self.protocol), f"{framing.PROTOCOL_MAJOR}.x is needed"
            return f"the scoreboard speaks protocol {spoken}, {needed}", what
        if (self.width, self.height) != (WIDTH, HEIGHT):
            found, needed = f"{self.width}x{self.height}", f"{WIDTH}x{HEIGHT}"
            what = "set COLUMNS and ROWS in its settings (dicetray flash --local-config FILE)"
            return f"the scoreboard has {found} lights, {needed} are needed", what
        return ()
