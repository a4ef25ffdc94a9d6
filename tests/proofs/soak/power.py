"""The soaked appliance's disk: it may refuse, be slow, or lose its power at any write.

After a cut it holds what POSIX allows (`tests.appliance.journal.crash_disk`): a stand-in for the
card, under the real journal.
"""

import os
import shutil
from collections import deque
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import BinaryIO

from appliance.journal.mending import PATIENCE_S
from tests.appliance.journal.crash_disk import Disk, RecordingFiles

SLOW_SYNC_S = 2.0
"""Seconds that a worn card may take for a sync."""

STATES = 4
"""Of what a cut may leave, one of which is chosen."""


class PowerCut(BaseException):
    """The power is gone: nothing that comes after this reaches the disk."""


class SoakedFiles(RecordingFiles):
    """Files on a disk that may refuse to write, be slow, or lose its power.

    Args:
        folder: where they are.
        pass_time: lets the room's time pass, in seconds.

    Attributes:
        error: the system's error number for every write; 0 while the disk is fine.
        slow: whether each sync takes `SLOW_SYNC_S`.
    """

    def __init__(self, folder: Path, pass_time: Callable[[float], None]) -> None:
        super().__init__(folder)
        self._patience_s = PATIENCE_S
        self.error = 0
        self.slow = False
        self._pass_time = pass_time
        self._disk: Disk | None = None
        self._steps_left = 0
        self.tape = deque(maxlen=0)

    # Power.

    def cut_after(self, steps: int) -> None:
        """Cuts the power in so many steps of the disk."""
        self._steps_left = steps
        self._disk = self.begin_tape()

    @property
    def cut_is_due(self) -> bool:
        """True until the power is cut."""
        return self._disk is not None

    def leave_state(self, random: Random) -> None:
        """Leaves on the disk one of the states that the cut may have left."""
        assert self._disk is not None
        for operation in self.tape:
            self._disk.do(operation)
        state = random.choice(list(self._disk.states(STATES, random)))
        self._disk, self.tape = None, deque(maxlen=0)
        self.close()
        shutil.rmtree(self.folder, ignore_errors=True)
        for name, data in state.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)

    def _step(self) -> None:
        if self._disk is not None:
            self._steps_left -= 1
            if self._steps_left < 0:
                raise PowerCut
        super()._step()

    # What the disk refuses.

    def _write(self, name: str, file: BinaryIO, data: bytes, at: int) -> None:
        if self.error:
            # A disk that is full takes some of it.
            super()._write(name, file, data[: len(data) // 2], at)
            self._refuse(name)
        super()._write(name, file, data, at)

    def _rename(self, old: str, new: str) -> None:
        self._refuse(new)
        super()._rename(old, new)

    def _unlink(self, name: str) -> None:
        self._refuse(name)
        super()._unlink(name)

    def _sync(self, name: str, file: BinaryIO) -> None:
        if self.slow:
            self._pass_time(SLOW_SYNC_S)
        super()._sync(name, file)

    def _refuse(self, name: str) -> None:
        if self.error:
            raise OSError(self.error, os.strerror(self.error), name)
