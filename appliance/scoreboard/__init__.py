"""The host's end of the scoreboard: pictures go out here."""

from appliance.scoreboard.base import MemoryScoreboard, NullScoreboard, Scoreboard, State, Status
from appliance.scoreboard.hello import Hello
from appliance.scoreboard.serial_port import SerialScoreboard

__all__ = [
    "Hello",
    "MemoryScoreboard",
    "NullScoreboard",
    "Scoreboard",
    "SerialScoreboard",
    "State",
    "Status",
]
