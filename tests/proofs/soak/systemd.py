"""A stand-in for systemd: it starts the appliance again, and writes down how starts ended.

The record is the real one (`appliance.service.starts`), on the room's clock.
"""

from pathlib import Path

from appliance.service.phase import Phase
from appliance.service.starts import RUNNING, STARTS_FILE, Starts

RESTART_S = 7.0
"""Seconds of room time that a start which crashes takes, with systemd's pause."""

FOR_GOOD = 12
"""So many starts crash until it is mended, unless a safe mode leaves out where they do."""


class Systemd:
    """Starts of the appliance, of which some may be made to crash.

    Args:
        folder: what a power cut empties.

    Attributes:
        failing: how many of the next starts crash; none where it is left out.
        phase: where they do.
        crashed: how many did so far.
    """

    def __init__(self, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        self._folder = folder
        self.failing = self.crashed = self._in_a_row = 0
        self.phase = Phase.VOICE
        self.starts = Starts()

    def begin(self) -> bool:
        """Begins a start; False if it crashes."""
        self.starts = Starts(self._folder, "the year's")
        self.starts.begin()
        self.starts.enter(self.phase.key)
        if not self.failing or self.phase in self.starts.left_out:
            self._in_a_row = 0
            return True
        self.failing -= 1
        self._in_a_row += 1
        self.note_crash()
        return False

    @property
    def failed_for_good(self) -> bool:
        """True if no start before this one has left out what crashes."""
        return self._in_a_row == FOR_GOOD

    def note_running(self) -> None:
        """The first prompt is there."""
        self.starts.enter(RUNNING)

    def note_crash(self) -> None:
        """What the unit's ExecStopPost does after an end that was none in order."""
        self.crashed += 1
        if self._record.exists():
            with self._record.open("a") as file:
                file.write(" exit-code\n")

    def note_end(self) -> None:
        """The same after an end in order; a power cut, too, leaves no record."""
        self._record.unlink(missing_ok=True)

    @property
    def _record(self) -> Path:
        return self._folder / STARTS_FILE
