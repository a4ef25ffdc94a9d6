"""The host's end of the scoreboard: pictures go out here."""

from appliance.devices.scoreboard.base import (
    MemoryScoreboard,
    NullScoreboard,
    Scoreboard,
    State,
    Status,
)
from appliance.devices.scoreboard.hello import Hello
from appliance.devices.scoreboard.serial_port import SerialScoreboard

__all__ = [
    "Hello",
    "MemoryScoreboard",
    "NullScoreboard",
    "Scoreboard",
    "SerialScoreboard",
    "State",
    "Status",
]
