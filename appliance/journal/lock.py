"""Lets only one program at a time play with the games of a file.

The lock is an advisory one on a file beside it (`flock(2)`). It ends with the process, however that
ends, so a file left behind by a power cut keeps nobody out. Earlier versions claim the same file.
"""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from appliance.alerts import Alert
from appliance.errors import JournalError, StrangeJournal
from appliance.journal.files import folder_of
from vision.files.ordinary import (
    NotOrdinary,
    OwnedByOther,
    check_ordinary,
    check_owner,
    open_to_lock,
)
from vision.files.system import lock_handle

LOCK = ".lock"
_BESIDE = ("", "-wal", "-shm", "-journal")
"""The suffixes of the files that SQLite opens by the name of a database."""

_WRITTEN_BESIDE = (LOCK, ".new")
"""The suffixes of what else is opened or made there by whoever plays."""


def _parts(folder: Path) -> Iterator[Path]:
    """The folder of the games and what it is made of, but not each game."""
    yield folder
    if folder.is_dir():
        for part in folder.iterdir():
            yield part
            if part.is_dir():
                yield from (inner for inner in part.iterdir() if not inner.suffix)


def refuse_strange(path: Path, *, writing: bool = False) -> None:
    """StrangeJournal unless ordinary files have this name and those made of it, or nothing yet.

    Anything else would be taken for damaged games, and put aside. With `writing`, root is refused
    what belongs to another user.
    """
    try:
        for suffix in _BESIDE + _WRITTEN_BESIDE * writing:
            file = path.with_name(path.name + suffix)
            # A folder comes to no harm; SQLite says that it cannot open its log.
            check_ordinary(file, folder=suffix in _BESIDE[1:])
            if writing:
                check_owner(file)
        for part in _parts(folder_of(path)):
            check_ordinary(part, folder=True)
            if writing:
                check_owner(part)
    except NotOrdinary as error:
        raise StrangeJournal(
            f"{error.filename}: expected a file with games, or none yet, found {error.found}",
            "name another file as `journal` under [games], or with --journal",
            Alert.GAMES_FOREIGN,
        ) from error
    except OwnedByOther as error:
        raise StrangeJournal(
            str(error), f"run it as their owner: sudo -u {error.owner} ...", Alert.GAMES_FOREIGN
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
            refuse_strange(Path(path), writing=True)
            # By whatever link the games are named.
            lock = open_to_lock(Path(f"{os.path.realpath(path)}{LOCK}"))
        if lock is not None:
            stack.callback(os.close, lock)
            try:
                lock_handle(lock)
            except BlockingIOError as error:
                raise JournalError(
                    f"{path}: another dicetray is using these games",
                    "end that one first, or name another file with --journal",
                ) from error
        yield
