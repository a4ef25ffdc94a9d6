"""The phases of a start: systemd hears of each, and what each took goes to the log in the end."""

import logging
import os
import time
from collections.abc import Callable
from pathlib import Path

from appliance.service.systemd import Notifier

log = logging.getLogger(__name__)


def process_age_s() -> float:
    """Seconds since this process was started; 0 where the system does not say."""
    try:
        # Field 22 of proc(5)'s stat, counted behind the name, which may hold anything.
        fields = Path("/proc/self/stat").read_text().rpartition(")")[2].split()
        started_s = int(fields[19]) / os.sysconf("SC_CLK_TCK")
        return time.clock_gettime(time.CLOCK_BOOTTIME) - started_s
    except (OSError, ValueError, IndexError, AttributeError):
        return 0.0


class Phases:
    """The phases of a start, one after the other; systemd grants more time for each.

    `age_s` are the seconds since the process began; `taken` has name and seconds of each phase that
    is over.
    """

    def __init__(self, notifier: Notifier, age_s: Callable[[], float] = process_age_s) -> None:
        self._notifier = notifier
        self._age_s = age_s
        self._name = "starts Python"
        self._since_s = 0.0
        self._delivers = False
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

    def delivers(self) -> None:
        """A picture came; the first is announced."""
        if not self._delivers:
            self._delivers = True
            log.info("first picture from the camera after %.2f s", self._age_s())

    def _end(self) -> None:
        now_s = self._age_s()
        self.taken.append((self._name, now_s - self._since_s))
        self._since_s = now_s
