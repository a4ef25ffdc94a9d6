"""The service's reports to systemd: how its start gets on, that it is ready and alive.

The protocol of sd_notify(3): datagrams of `KEY=value` lines to the socket named in NOTIFY_SOCKET.
"""

import os
import socket
import sys
from collections.abc import Mapping

from appliance.errors import ApplianceError


class NotifyError(ApplianceError, OSError):
    """systemd's socket cannot be reached."""


class Notifier:
    """Sends sd_notify messages; does nothing outside systemd.

    The address is the socket's path, or a name in the abstract namespace with `@` in front; empty
    when the program was not started by systemd.
    """

    def __init__(self, address: str = "") -> None:
        self._address = f"\0{address[1:]}" if address.startswith("@") else address
        self._status = ""
        self._unsent: dict[str, str] = {}

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> "Notifier":
        """The notifier that systemd's environment asks for."""
        return cls(environment.get("NOTIFY_SOCKET", ""))

    @property
    def listened_to(self) -> bool:
        """True if systemd started the program and listens."""
        return bool(self._address)

    def extend(self, seconds: int) -> None:
        """A start or an end gets on: systemd is to end it if it hears nothing for so long."""
        self._send(f"EXTEND_TIMEOUT_USEC={seconds * 1_000_000}")

    def ready(self) -> None:
        """The first prompt is on the board."""
        self._send("READY=1")

    def alive(self) -> None:
        """The main loop has completed another round; feeds the watchdog."""
        self._send("WATCHDOG=1")

    def status(self, text: str) -> None:
        """How things are, in one line for `systemctl status`; sent when it changes."""
        if text != self._status:
            self._status = text
            self._send(f"STATUS={text}")

    def stopping(self) -> None:
        """The program is ending in an orderly way."""
        self._send("STOPPING=1")

    def _send(self, line: str) -> None:
        if sys.platform != "linux" or not self._address:
            return
        key = line.partition("=")[0]
        self._unsent[key] = line
        try:
            kind = socket.SOCK_DGRAM | socket.SOCK_CLOEXEC | socket.SOCK_NONBLOCK
            with socket.socket(socket.AF_UNIX, kind) as out:
                for waiting, text in tuple(self._unsent.items()):
                    out.sendto(text.encode(), self._address)
                    # A start is watched from a second thread, which may have sent it meanwhile.
                    self._unsent.pop(waiting, None)
        except BlockingIOError:
            # Nobody is reading just now, and the loop must not wait: the next call tries again.
            return
        except OSError as error:
            raise NotifyError(
                f"systemd does not listen at {self._address!r}: {error.strerror}",
                "start dicetray with systemctl, or without NOTIFY_SOCKET",
            ) from error
