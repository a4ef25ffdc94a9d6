"""The host's end of the scoreboard: pictures go out here."""

from appliance.devices.scoreboard.base import (
    LinkState,
    MemoryScoreboard,
    NullScoreboard,
    Scoreboard,
    Status,
)
from appliance.devices.scoreboard.hello import Hello
from appliance.devices.scoreboard.serial_port import SerialScoreboard

__all__ = [
    "Hello",
    "LinkState",
    "MemoryScoreboard",
    "NullScoreboard",
    "Scoreboard",
    "SerialScoreboard",
    "Status",
]
