"""The port: what every scoreboard can do."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from appliance.devices.scoreboard.hello import Hello
from appliance.errors import ScoreboardError
from appliance.picture import BRIGHTNESS_LEVELS, BRIGHTNESS_TEXT, Picture


class LinkState(StrEnum):
    """How far the link to a scoreboard has got."""

    CLOSED = "closed"
    """No port is open."""
    LISTENING = "listening"
    """A port is open, nothing has been heard from a scoreboard's firmware yet."""
    GREETING = "greeting"
    """The firmware runs and has been asked who it is."""
    LINKED = "linked"
    """Pictures go out."""
    REFUSED = "refused"
    """The board is not one that this host can work with."""


class Fault(StrEnum):
    """Why a board is not linked, for callers that say what to do."""

    NONE = "none"
    """Nothing is known to be wrong, or none of the faults below."""
    BUSY = "busy"
    """Another program has the port."""
    FORBIDDEN = "forbidden"
    """This user may not open the port."""
    OTHER = "stranger"
    """No scoreboard's firmware speaks on the port."""
    PROMPT = "prompt"
    """MicroPython speaks, but the firmware does not run."""


@dataclass(frozen=True, slots=True)
class Status:
    """The status of the link.

    Attributes:
        state: how far it has got.
        reason: why it is not linked and what to do, a sentence; empty while linked.
        hello: what the board last said about itself.
        brightness: of the lights now, as the board last reported; None before it has.
        limited: the board is less bright than requested, to spare its power supply.
        sent: pictures sent, repeats included.
        shown: pictures that the board has acknowledged.
        repeats: pictures and settings sent again because no acknowledgement came.
        reboots: how often the board was found to have restarted.
        opened: how often the port was opened.
        damaged: frames received with a wrong checksum or format.
        fault: why it is not linked, where that is known.
    """

    state: LinkState = LinkState.CLOSED
    reason: str = ""
    hello: Hello | None = None
    brightness: int | None = None
    limited: bool = False
    sent: int = 0
    shown: int = 0
    repeats: int = 0
    reboots: int = 0
    opened: int = 0
    damaged: int = 0
    fault: Fault = Fault.NONE

    @property
    def connected(self) -> bool:
        """True while pictures reach the board."""
        return self.state is LinkState.LINKED


class Scoreboard(Protocol):
    """Shows pictures."""

    def show(self, picture: Picture) -> None:
        """Shows a picture as soon as it can; never waits, and a newer picture replaces it."""

    def set_brightness(self, level: int) -> None:
        """Sets the brightness, one of `BRIGHTNESS_LEVELS`; the board may use less.

        Raises:
            ValueError: the level is out of bounds.
        """

    def try_layout(self, layout: bytes | None) -> None:
        """Draws pictures from now on for modules that are mounted like this; never waits.

        Args:
            layout: as `firmware.mounting` encodes it; None for the one that the board has stored.
                Firmware before 1.0.0 keeps to its own.
        """

    def store_layout(self, layout: bytes) -> None:
        """Makes this the board's layout for ever; waits two seconds at most for its answer.

        Raises:
            ScoreboardError: it was not stored, and why.
        """

    def say_farewell(self) -> None:
        """Tells the board that the machine goes off, so that it stays dark instead of NO LINK.

        Waits a second at most for its answer. Nothing is shown any more; close it next.
        """

    @property
    def status(self) -> Status:
        """The status of the link."""

    def close(self) -> None:
        """Releases the scoreboard; a second call does nothing."""


def checked_level(level: int) -> int:
    """The level, if it is valid.

    Raises:
        ValueError: it is none of `BRIGHTNESS_LEVELS`.
    """
    if level not in BRIGHTNESS_LEVELS:
        raise ValueError(f"brightness: expected {BRIGHTNESS_TEXT}, got {level}")
    return level


class NullScoreboard:
    """A scoreboard that nobody sees."""

    def show(self, picture: Picture) -> None:
        """Does nothing."""

    def set_brightness(self, level: int) -> None:
        """Does nothing but check the level."""
        checked_level(level)

    def try_layout(self, layout: bytes | None) -> None:
        """Does nothing."""

    def store_layout(self, layout: bytes) -> None:
        """Raises ScoreboardError."""
        raise ScoreboardError("no scoreboard is configured")

    def say_farewell(self) -> None:
        """Does nothing."""

    @property
    def status(self) -> Status:
        """Always closed."""
        return Status(reason="no scoreboard is configured")

    def close(self) -> None:
        """Does nothing."""
