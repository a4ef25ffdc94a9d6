"""What the service reports to systemd: that it starts, is ready and lives.

The protocol of sd_notify(3): datagrams of `KEY=value` lines to the socket named in NOTIFY_SOCKET.
"""

import os
import socket
from collections.abc import Mapping

from appliance.errors import ApplianceError

MORE_S = 60
"""Seconds that systemd waits after each step of a start for the next one; a step that hangs is
still ended, but a slow card may take as many as it needs."""


class NotifyError(ApplianceError, OSError):
    """systemd's socket cannot be reached."""


class Notifier:
    """Talks to systemd; where nobody listens, it says nothing.

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
        """Whether systemd has started the program and listens."""
        return bool(self._address)

    def starting(self, step: str) -> None:
        """The next step of a start begins, for `systemctl status`; asks systemd for more time."""
        self.status(step)
        self._send(f"EXTEND_TIMEOUT_USEC={MORE_S * 1_000_000}")

    def ready(self) -> None:
        """The first prompt is on the board."""
        self._send("READY=1")

    def alive(self) -> None:
        """The main loop went round once more; feeds the watchdog."""
        self._send("WATCHDOG=1")

    def status(self, text: str) -> None:
        """How things are, one line, as `systemctl status` shows it; sent when it changes."""
        if text != self._status:
            self._status = text
            self._send(f"STATUS={text}")

    def stopping(self) -> None:
        """The program ends in order."""
        self._send("STOPPING=1")

    def _send(self, line: str) -> None:
        if not self._address:
            return
        key = line.partition("=")[0]
        self._unsent[key] = line
        try:
            kind = socket.SOCK_DGRAM | socket.SOCK_CLOEXEC | socket.SOCK_NONBLOCK
            with socket.socket(socket.AF_UNIX, kind) as out:
                for waiting, text in tuple(self._unsent.items()):
                    out.sendto(text.encode(), self._address)
                    del self._unsent[waiting]
        except BlockingIOError:
            # Nobody reads just now, and the loop must not wait: the next call tries again.
            return
        except OSError as error:
            raise NotifyError(
                f"expected systemd to listen at {self._address!r}, found: {error.strerror}",
                "start dicetray with systemctl, or without NOTIFY_SOCKET",
            ) from error
