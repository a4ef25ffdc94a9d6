"""The host's end of the scoreboard: pictures go out here.

For example:

    from appliance.devices.scoreboard import SerialScoreboard

    board = SerialScoreboard("/dev/dicetray-scoreboard", brightness=3)
    board.show(picture)  # never waits, whether a Pico is there or not
    board.close()
"""

from appliance.devices.scoreboard.base import LinkState, NullScoreboard, Scoreboard, Status
from appliance.devices.scoreboard.hello import Hello, LayoutFrom
from appliance.devices.scoreboard.serial_port import SerialScoreboard

__all__ = [
    "Hello",
    "LayoutFrom",
    "LinkState",
    "NullScoreboard",
    "Scoreboard",
    "SerialScoreboard",
    "Status",
]
