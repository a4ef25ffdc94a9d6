"""Errors of the appliance. Each says what was expected, what was found and what to do."""

import sqlite3

from appliance.alerts import Alert


class ApplianceError(Exception):
    """Base of everything that the appliance raises on purpose; the CLI turns it into exit 2."""


class CameraError(ApplianceError, OSError):
    """A camera or picture source that cannot be opened or has stopped delivering."""


class CameraStalled(CameraError):
    """A camera that is there but delivers no picture."""


class ConfigError(ApplianceError, ValueError):
    """A configuration that cannot be used; names file, line and what was expected."""


class JournalError(ApplianceError, OSError):
    """A journal that cannot be read or written."""

    @property
    def alert(self) -> Alert:
        """What the board says of it, by SQLite's code of the error that caused it."""
        code = getattr(self.__cause__, "sqlite_errorcode", 0) & 0xFF
        return _DISK.get(code, Alert.DISK_FAULT)


_DISK = {
    sqlite3.SQLITE_FULL: Alert.DISK_FULL,
    sqlite3.SQLITE_READONLY: Alert.DISK_READ_ONLY,
}


class PowerError(ApplianceError, OSError):
    """A machine that does not let itself be switched off."""


class PinsError(ApplianceError, OSError):
    """GPIO pins that are not there or that somebody else has."""


class ScoreboardError(ApplianceError, OSError):
    """A scoreboard that is not what it should be (wrong protocol version, wrong size)."""


class FirmwareError(ApplianceError):
    """A firmware package that is not what it should be, or a Pico that it cannot be put on."""
