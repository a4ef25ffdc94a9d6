"""Faults of the appliance that can occur during a game, in the board's words."""

from collections.abc import Iterable
from enum import Enum


class Alert(Enum):
    """Two lines for the board: what is wrong, what to do. The most urgent first."""

    DISK_FULL = ("DISK FULL", "NOT SAVED")
    DISK_READ_ONLY = ("DISK LOCKED", "NOT SAVED")
    DISK_FAULT = ("DISK FAULT", "NOT SAVED")
    GAMES_BUSY = ("GAMES IN USE", "NOT SAVED")
    GAMES_GONE = ("GAMES GONE", "NOT SAVED")
    GAMES_NEWER = ("NEWER GAMES", "UPDATE IT")
    GAMES_FOREIGN = ("NOT MY GAMES", "MOVE FILE")
    SETTINGS_WRONG = ("SETTINGS", "ARE WRONG")
    NO_BUTTONS = ("NO BUTTONS", "PINS IN USE?")
    NO_HEADER = ("NO BUTTONS", "RUN DOCTOR")
    SAFE_MODE = ("SAFE MODE", "RUN DOCTOR")
    CAMERA_GONE = ("NO CAMERA", "PLUG IT IN")
    RIBBON_LOOSE = ("NO CAMERA", "CABLE LOOSE?")
    PHONE_GONE = ("NO PHONE", "OFF? WI-FI?")
    PHONE_ASLEEP = ("PHONE SLEEPS", "WAKE IT UP")
    PHONE_SLOW = ("SLOW WI-FI", "GO NEARER")
    STREAM_GONE = ("NO PICTURES", "APP? WI-FI?")
    CAMERA_HANGS = ("CAMERA", "HANGS...")
    CAMERA_FROZEN = ("CAMERA", "IS STUCK")
    BLACK = ("ALL BLACK", "LAMP? CAP?")
    DARK = ("TOO DARK", "MORE LIGHT")
    BRIGHT = ("TOO BRIGHT", "LESS LIGHT")
    LIGHT_NOT_HELD = ("LIGHT NOT HELD", "RESTART IT")
    OTHER_VIEW = ("OTHER VIEW", "CALIBRATE")
    TOO_MANY_SPOTS = ("TOO MANY SPOTS", "PLAIN FLOOR?")
    MEMORY_FULL = ("NO MEMORY", "RESTART IT")
    LOW_VOLTAGE = ("LOW VOLTAGE", "WEAK SUPPLY?")
    BUTTON_STUCK = ("BUTTON STUCK", "IS IGNORED")
    VOICE_SILENT = ("NO SOUND", "SPEAKER?")
    NOT_SHARP = ("NOT SHARP", "FOCUS? LENS?")
    TRAY_MOVED = ("TRAY MOVED", "CALIBRATE")
    MARKER_HIDDEN = ("MARKER HIDDEN", "CLEAR IT")
    LITTLE_LIGHT = ("LITTLE LIGHT", "MORE LIGHT")
    MUCH_LIGHT = ("MUCH LIGHT", "LESS LIGHT")
    LENS_DIRTY = ("BLURRED", "CLEAN LENS")

    @property
    def lines(self) -> tuple[str, str]:
        """The upper and the lower line."""
        return self.value

    @property
    def sentence(self) -> str:
        """Its words for the log and for `systemctl status`."""
        return " - ".join(self.value).lower()


_URGENCY = {alert: place for place, alert in enumerate(Alert)}

BLINDING_ALERTS = frozenset(
    {
        Alert.SAFE_MODE,
        Alert.CAMERA_GONE,
        Alert.RIBBON_LOOSE,
        Alert.PHONE_GONE,
        Alert.PHONE_ASLEEP,
        Alert.PHONE_SLOW,
        Alert.STREAM_GONE,
        Alert.CAMERA_HANGS,
        Alert.CAMERA_FROZEN,
        Alert.BLACK,
        Alert.DARK,
        Alert.BRIGHT,
        Alert.LIGHT_NOT_HELD,
        Alert.OTHER_VIEW,
        Alert.TOO_MANY_SPOTS,
        Alert.MEMORY_FULL,
        Alert.TRAY_MOVED,
    }
)
"""With any of these no throw is read: the players are invited to enter it."""

CAMERA_ALERTS = frozenset(
    {
        Alert.CAMERA_GONE,
        Alert.RIBBON_LOOSE,
        Alert.PHONE_GONE,
        Alert.PHONE_ASLEEP,
        Alert.PHONE_SLOW,
        Alert.STREAM_GONE,
        Alert.CAMERA_HANGS,
        Alert.CAMERA_FROZEN,
    }
)
"""All that is said during a calibration: it gets no frames then.

Of anything else it says itself what it sees, or it can wait.
"""


def by_urgency(alerts: Iterable[Alert]) -> tuple[Alert, ...]:
    """Each of them once, the most urgent first."""
    return tuple(sorted(set(alerts), key=_URGENCY.__getitem__))
