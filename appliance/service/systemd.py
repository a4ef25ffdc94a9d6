"""What the service reports to systemd: the phases of its start, that it is ready and alive.

The protocol of sd_notify(3): datagrams of `KEY=value` lines to the socket named in NOTIFY_SOCKET.
"""

import logging
import os
import socket
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from appliance.errors import ApplianceError

STEP_TIMEOUT_S = 60
"""How long systemd waits after each step of a start for the next one; a step that hangs is still
ended, but a slow card may take as long as it needs in all."""


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
        """Whether systemd started the program and listens."""
        return bool(self._address)

    def starting(self, step: str) -> None:
        """The next step of a start begins, for `systemctl status`; asks systemd for more time."""
        self.status(step)
        self._send(f"EXTEND_TIMEOUT_USEC={STEP_TIMEOUT_S * 1_000_000}")

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
                    del self._unsent[waiting]
        except BlockingIOError:
            # Nobody is reading just now, and the loop must not wait: the next call tries again.
            return
        except OSError as error:
            raise NotifyError(
                f"systemd does not listen at {self._address!r}: {error.strerror}",
                "start dicetray with systemctl, or without NOTIFY_SOCKET",
            ) from error


log = logging.getLogger(__name__)


def process_age_s() -> float:
    """Seconds since this process was started; 0 where the system does not say."""
    if sys.platform != "linux":
        return 0.0
    try:
        # Field 22 of proc(5)'s stat, counted from the end of the name, which may hold anything.
        fields = Path("/proc/self/stat").read_text().rpartition(")")[2].split()
        started_s = int(fields[19]) / os.sysconf("SC_CLK_TCK")
        return time.clock_gettime(time.CLOCK_BOOTTIME) - started_s
    except (OSError, ValueError, IndexError):
        return 0.0


class Phases:
    """The phases of a start, one after the other; systemd grants more time for each.

    `age_s` returns the seconds since the process began; `taken` has the name and seconds of each
    phase that is over.
    """

    def __init__(self, notifier: Notifier, age_s: Callable[[], float] = process_age_s) -> None:
        self._notifier = notifier
        self._age_s = age_s
        self._name = "starts Python"
        self._since_s = 0.0
        self._has_frame = False
        self.taken: list[tuple[str, float]] = []

    def begin(self, name: str) -> None:
        """The next phase, named for `systemctl status`."""
        self._end()
        self._name = name
        self._notifier.starting(name)

    def ready(self) -> None:
        """The first prompt is on the board."""
        self._end()
        self._notifier.ready()
        took = ", ".join(f"{name} {seconds:.2f}" for name, seconds in self.taken)
        log.info("first prompt after %.2f s: %s", self._since_s, took)

    def note_first_frame(self) -> None:
        """A picture has come; the first is logged."""
        if not self._has_frame:
            self._has_frame = True
            log.info("first picture from the camera after %.2f s", self._age_s())

    def _end(self) -> None:
        now_s = self._age_s()
        self.taken.append((self._name, now_s - self._since_s))
        self._since_s = now_s
