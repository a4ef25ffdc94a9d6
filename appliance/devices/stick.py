"""The port to the USB stick: small files in memory, shared with the processes that may access it.

The appliance itself never touches a stick, whose file system can hang or lie. A separate process
does (`dicetray stick`), and so does root's part of an upgrade (`systemd/upgrade.sh`).
"""

import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from appliance.errors import StickError
from vision.files.ordinary import make_file, open_to_read, remove_file, rename_file, write_all

FOLDER = Path("/run/dicetray")
SAVE_WORD = "SAVE GAMES"
RESTORE_WORD = "RESTORE"
OTHERS_WORD = "RESTORE OTHERS"
OURS_WORD = "OURS"
CALIBRATION_WORD = "CALIBRATION"
UPDATE_WORD = "UPDATE"
OFFER_FILE = "offer"
"""File with what the board offers: a word a line, and behind tabs what is said about it."""
REQUEST_FILE = "ask"
"""File with the one that was chosen."""
ANSWER_FILE = "answer"
"""File with the lines that the board shows then."""
REMINDER_INTERVAL_S = 7 * 86400.0


class StickFolder:
    """Both ends of the folder.

    Args:
        folder: where the files are.
        kept: the folder with the games; copies of them and reminders are noted there.
        now_s: seconds of the wall clock.
    """

    def __init__(self, folder: Path, kept: Path, now_s: Callable[[], float] = time.time) -> None:
        self._folder, self._kept, self._now_s = folder, kept, now_s

    def put(self, name: str, *lines: str) -> None:
        """Writes a file in one step; StickError if that fails."""
        new = self._folder / f"{name}.new"
        try:
            write_all(new, "".join(f"{line}\n" for line in lines).encode())
            rename_file(new, self._folder / name)
        except OSError as error:
            raise StickError(f"{new}: cannot be written: {error.strerror}") from error

    def lines(self, name: str, *, take: bool = False) -> tuple[str, ...]:
        """The lines of a file, deleted if they are taken; none if there is no such file."""
        with suppress(OSError, ValueError), open_to_read(self._folder / name) as file:
            if take:
                remove_file(self._folder / name)
            return tuple(file.read(4000).decode().splitlines())
        return ()

    def ask(self, word: str) -> None:
        """Requests this; an upgrade is left to root, which looks for a file of that name."""
        self.put("update" if word == UPDATE_WORD else REQUEST_FILE, word)

    def note(self, name: str = "copied") -> None:
        """Notes that the games were copied, or that their owners were reminded."""
        with suppress(OSError):
            make_file(self._kept / name)
            os.utime(self._kept / name, (self._now_s(), self._now_s()))

    def reminds(self) -> bool:
        """True if a week has passed since the first call or the last reminder, without a copy."""
        since_s = -1.0
        with suppress(OSError):
            since_s = self._now_s() - (self._kept / "reminded").stat().st_mtime
        # Otherwise a clock that was set back could make it wait for years.
        if not 0 <= since_s < REMINDER_INTERVAL_S:
            self.note("reminded")
        return since_s >= REMINDER_INTERVAL_S and not (self._kept / "copied").exists()
