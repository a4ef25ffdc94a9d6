"""Kills a process that plays, again and again, and checks what it left on disk."""

import os
import random
import signal
import sys
from dataclasses import dataclass
from pathlib import Path

from appliance.journal.log import line_to_text
from appliance.journal.mending import open_and_mend
from appliance.journal.sessions import load_session
from tests.appliance.journal import endless_game


@dataclass(frozen=True, slots=True)
class Shown:
    """The board's last state: the game's number and its log."""

    game: int = 0
    log: str = ""


def last_shown(output: str, before: Shown) -> Shown:
    """The state that the last whole line of a process's output tells."""
    whole = output[: output.rfind("\n") + 1].splitlines()
    if not whole:
        return before
    game, _, log = whole[-1].partition("|")
    return Shown(int(game), log)


def play_and_kill(path: Path, seed: int, before: Shown) -> Shown:
    """Forks a process that plays on and kills it at a random moment; what it last showed."""
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read_end)
        # Replaces the file behind `print`, which a test may have captured.
        sys.stdout = os.fdopen(write_end, "w")
        try:
            endless_game.main(str(path), seed)
        finally:
            os._exit(1)
    os.close(write_end)
    pieces = []
    # Counted in bytes of output, so the kill comes in the middle of whatever is going on.
    wanted = random.Random(seed).randint(1, 40_000)
    with os.fdopen(read_end, "rb") as output:
        while wanted > 0 and (piece := output.read1(min(wanted, 4096))):
            pieces.append(piece)
            wanted -= len(piece)
        os.kill(child, signal.SIGKILL)
        pieces.append(output.read())
    os.waitpid(child, 0)
    return last_shown(b"".join(pieces).decode(), before)


def check(path: Path, shown: Shown) -> None:
    """Checks that all that was shown is there after a start, and that the game can be resumed.

    Raises:
        AssertionError: saying what does not hold.
    """
    journal, mended = open_and_mend(path)
    with journal:
        # What was written anew without memory, or on a failing disk, is told until it is read.
        assert mended is None or not any(one.lost for one in mended.damages), mended
        if not shown.game:
            return
        saved = journal.load(shown.game)
        assert ";".join(saved.lines).startswith(shown.log), (saved.lines, shown.log)
        last = journal.last()
        assert last is not None
        if last.ended:
            return
        session = load_session(journal, None)
        assert (
            tuple(line_to_text(session.record.setup, line) for line in session.record.log)
            == last.lines
        )
