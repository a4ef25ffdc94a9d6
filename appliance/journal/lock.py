"""Lets only one program at a time play with the games of a file.

The lock is an advisory one on a file beside it (`flock(2)`). It ends with the process, however that
ends, so a file left behind by a power cut keeps nobody out. The journal itself is not locked that
way: SQLite's own locks on it would go with the first descriptor that is closed.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from appliance.alerts import Alert
from appliance.errors import JournalError, StrangeJournal
from vision.ordinary import NotOrdinary, check_ordinary


def refuse_strange(path: Path) -> None:
    """StrangeJournal unless an ordinary file has this name, or nothing yet.

    Anything else would be taken for damaged games, and put aside.
    """
    try:
        check_ordinary(path)
    except NotOrdinary as error:
        raise StrangeJournal(
            f"{path}: expected a file with games, or none yet, found {error.found}",
            "name another file as `journal` under [games], or with --journal",
            Alert.GAMES_FOREIGN,
        ) from error
    except OSError:
        # Opening it says what the system says.
        return


@contextmanager
def claimed(path: Path | str) -> Iterator[None]:
    """Keeps other programs from playing with these games, ":memory:" excepted; all can read them.

    StrangeJournal if they, or the lock, are no ordinary file; JournalError if another program is
    playing with them. Where no lock can be made, as on a
    read-only card, nobody can play either: opening the journal reports that.
    """
    with ExitStack() as stack:
        lock = None
        if str(path) != ":memory:":
            refuse_strange(Path(path))
            refuse_strange(Path(f"{path}.lock"))
            lock = _open_lock_file(f"{path}.lock")
        if lock is not None:
            stack.callback(os.close, lock)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise JournalError(
                    f"{path}: expected games that nobody plays with, found another dicetray that "
                    "does",
                    "end that one first, or name another file with --journal",
                ) from error
        yield


def _open_lock_file(path: str) -> int | None:
    # Read access is enough for a lock, and O_NONBLOCK keeps a FIFO from blocking.
    for flags in (os.O_RDONLY, os.O_RDONLY | os.O_CREAT):
        with suppress(OSError):
            return os.open(path, flags | os.O_NONBLOCK, 0o644)
    return None
