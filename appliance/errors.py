"""Errors of the appliance. Each says what was expected, what was found and what to do."""

import errno
import logging
import re

from appliance.alerts import Alert

LOCAL_KINDS = ("file:", "dir:", "v4l2:", "usb:", "pi:", "phone:", "sim:")
"""The beginnings of camera names that are no addresses; an @ in one is part of a path."""

_WORD = r"(?:[^\s'\"]|['\"](?![.,;:)\]}'\"]{,9}(?:\s|$)))"
"""A sign of an address that stands in a text; a quotation mark inside a word does not end it."""

_NO_SCHEME = (
    rf"(?<![^\s'\"])(?!{'|'.join(LOCAL_KINDS)})[^\s'\":]*:(?!/)"
    rf"(?:{_WORD}*://.*@|{_WORD}+@){_WORD}*"
)
_AFTER_SCHEME = rf"(?<=://)(?P<rest>(?!\.\.\.(?:[\s'\",;]|: |$))(?:.*@)?{_WORD}*)"
_ADDRESS = re.compile(f"{_NO_SCHEME}|{_AFTER_SCHEME}")
"""A user and a password without a scheme, or after one without slashes; or else the rest of an
address after the scheme, unless that is left out already.

To the last @ of the line, as a password may have any sign in it, and a text may quote it. In one
pass, as a password may end in `://`.
"""

_QUERY = re.compile(r"^([^?&=#]*[?&=]|[^?]*\?).+", re.DOTALL)
"""Some cameras take their parameters without a question mark, as a part of the path."""


def without_user_and_query(where: str) -> str:
    """The rest of an address after its scheme, without user, password and parameters.

    Three dots if an @ comes after the host: a password may be on either side of it.
    """
    host = re.split(r"[/?#]", where, maxsplit=1)[0]
    if "@" in where[len(host) :]:
        return "..."
    return _QUERY.sub(r"\1...", where[host.rfind("@") + 1 :])


def without_passwords(text: str, *, only_scheme: bool = False) -> str:
    """A text whose addresses have no user, password or parameters; scheme, host and path stay.

    Args:
        text: what people read; an address in it ends at a space or a quotation mark.
        only_scheme: whether host and path go too.
    """

    def said(found: re.Match[str]) -> str:
        rest: str | None = found["rest"]
        if rest is None or (only_scheme and rest):
            return "..."
        return without_user_and_query(rest)

    return _ADDRESS.sub(said, text) if "@" in text or "://" in text else text


class DiscreetFormatter(logging.Formatter):
    """A message, and the traceback of its error if any, without passwords in addresses."""

    def format(self, record: logging.LogRecord) -> str:
        """The text of a record."""
        return without_passwords(super().format(record))


_ERROR_NUMBER = re.compile(r"\[(?:Errno|WinError) -?\d+\] ")
"""What Python writes before the system's words for an error."""


def printable(text: str) -> str:
    """A text made safe for a terminal or a log.

    Non-printable characters are escaped, the system's errors lose their numbers, and addresses lose
    what only their owner should know.
    """
    escaped = _ERROR_NUMBER.sub("", text)
    if not text.isprintable():
        escaped = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in escaped)
    return without_passwords(escaped)


class ApplianceError(Exception):
    """Base of everything that the appliance raises on purpose; the CLI then exits with status 2.

    Attributes:
        found: what was expected and what was found.
        advice: what to do; empty if there is nothing more to say.
        busy: whether another program is using what was needed.
    """

    def __init__(self, found: str = "", advice: str = "", *, busy: bool = False) -> None:
        found, advice = printable(found), printable(advice)
        super().__init__(f"{found}; {advice}" if advice else found)
        self.found, self.advice, self.busy = found, advice, busy


class CameraError(ApplianceError, OSError):
    """A camera or picture source that cannot be opened or has stopped delivering.

    Attributes:
        alert: what the board is to say; None for what it says of all cameras of its kind.
    """

    def __init__(
        self, found: str = "", advice: str = "", *, busy: bool = False, alert: Alert | None = None
    ) -> None:
        super().__init__(found, advice, busy=busy)
        self.alert = alert


class CameraStalled(CameraError):
    """A camera that is there but delivers no picture."""


class ConfigError(ApplianceError, ValueError):
    """A configuration that cannot be used; names file, line and what was expected."""

    alert = Alert.SETTINGS_WRONG


class ReportError(ApplianceError, ValueError):
    """A message that no tray of this version sends."""


class JournalError(ApplianceError, OSError):
    """A journal that cannot be read or written."""

    @property
    def alert(self) -> Alert:
        """The alert that the board shows, from the system's error code of its cause."""
        cause = self.__cause__
        if isinstance(cause, JournalError):
            return cause.alert
        if isinstance(cause, OSError):
            return _ALERT_BY_ERRNO.get(cause.errno or 0, Alert.DISK_FAULT)
        return Alert.DISK_FAULT

    @property
    def damaged(self) -> bool:
        """True if the file itself is damaged: waiting will not fix it."""
        return False


class StrangeJournal(JournalError):
    """An intact file that cannot be played with: from a later version, or from another program."""

    def __init__(self, found: str, advice: str, alert: Alert) -> None:
        super().__init__(found, advice)
        self._alert = alert

    @property
    def alert(self) -> Alert:
        """The alert that the board shows."""
        return self._alert


class DamagedGame(JournalError):
    """A game on disk that is not what was written."""

    @property
    def damaged(self) -> bool:
        """Waiting will not fix it."""
        return True


class JournalGone(JournalError):
    """The file, or the game in it, is not where it was saved."""

    @property
    def alert(self) -> Alert:
        """The alert that the board shows."""
        return Alert.GAMES_GONE

    @property
    def damaged(self) -> bool:
        """Waiting will not bring it back."""
        return True


class NoSuchGame(JournalError):
    """A number that no game in the journal has."""


_ALERT_BY_ERRNO = {
    errno.ENOSPC: Alert.DISK_FULL,
    errno.EDQUOT: Alert.DISK_FULL,
    errno.EROFS: Alert.DISK_READ_ONLY,
    errno.EAGAIN: Alert.GAMES_BUSY,
}


class StickError(ApplianceError, OSError):
    """A USB stick that is not there, or files shared with the process that deals with it."""


class StickGone(ApplianceError):
    """A USB stick that was pulled out while it was used.

    No OSError: whoever can do without one file of a stick cannot go on without the stick.
    """


class PowerError(ApplianceError, OSError):
    """A machine that refuses to be switched off."""


class PinsError(ApplianceError, OSError):
    """GPIO pins that cannot be used; the doctor finds out why."""

    alert = Alert.NO_HEADER


class PinsInUseError(PinsError):
    """GPIO pins that another program is using, or that are used twice."""

    alert = Alert.NO_BUTTONS


class HeaderError(PinsError):
    """A machine with GPIO chips, of which none is known to have the header's pins."""


class NoHeaderError(HeaderError):
    """A machine that is no Raspberry Pi: it has no header, whatever version runs on it."""


class ScoreboardError(ApplianceError, OSError):
    """A scoreboard that is not what it should be (wrong protocol version, wrong size)."""


class FirmwareError(ApplianceError):
    """A firmware package that is not what it should be, or a Pico that it cannot be written to."""
