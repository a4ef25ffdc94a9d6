"""Damages the files of a running game, plays on, starts again, and counts what is lost silently."""

import logging
import random
import re
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import count, islice
from pathlib import Path

import numpy as np
from appliance.journal.recovery import open_or_salvage

from appliance.errors import JournalError
from appliance.journal.journal import Journal
from appliance.journal.log import line_to_text
from appliance.journal.sessions import load_session
from appliance.picture import Picture
from appliance.service.appliance import Appliance
from tests.appliance.journal import endless_game
from vision.frame import Frame

FRAMES_A_SECOND = (5, 40)
"""At the first rate the appliance looks after its files every 10 frames, at the second every 80."""

MOST_FRAMES_MORE = 400

BLANK = np.zeros((4, 4, 3), np.uint8)

BLOCK_BYTES = 4096
SECTOR_BYTES = 512


def one_bit(data: bytearray, rng: random.Random) -> None:
    """One bit is another."""
    data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)


def few_bytes(data: bytearray, rng: random.Random) -> None:
    """Up to eight bytes are others."""
    at = rng.randrange(len(data))
    for place in range(at, min(len(data), at + rng.randint(2, 8))):
        data[place] = rng.randrange(256)


def sector_of_zeros(data: bytearray, rng: random.Random) -> None:
    """A sector is empty."""
    at = rng.randrange(len(data)) // SECTOR_BYTES * SECTOR_BYTES
    data[at : at + SECTOR_BYTES] = bytes(len(data[at : at + SECTOR_BYTES]))


def block_of_zeros(data: bytearray, rng: random.Random) -> None:
    """A block is empty, as cards lose them."""
    at = rng.randrange(len(data)) // BLOCK_BYTES * BLOCK_BYTES
    data[at : at + BLOCK_BYTES] = bytes(len(data[at : at + BLOCK_BYTES]))


def legal_face(data: bytearray, rng: random.Random) -> None:
    """In a roll that was written, one face is another: a change of a few bits that looks legal."""
    rolls = [at for at in range(len(data)) if data.startswith(b"roll ", at)]
    if rolls:
        at = rng.choice(rolls) + 5 + 2 * rng.randrange(3)
        if data[at : at + 1].isdigit():
            data[at] = ord("1") + (data[at] - ord("1") + 1) % 6


def all_zeros(data: bytearray, _: random.Random) -> None:
    """Everything is empty."""
    data[:] = bytes(len(data))


Damage = Callable[[bytearray, random.Random], None]

KINDS: dict[str, Damage] = {
    "one bit": one_bit,
    "a few bytes": few_bytes,
    "a sector of zeros": sector_of_zeros,
    "a block of zeros": block_of_zeros,
    "another legal face": legal_face,
    "nothing but zeros": all_zeros,
}
FILES = ("", "-wal")
ENDS = ("closed", "killed")


class Words(logging.Handler):
    """What the appliance says about its games."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.name.startswith("appliance.devices"):
            # Of another line.
            return
        # The buttons, pressed at random, have something to say too.
        if re.search("journal|games|saved|line", said := record.getMessage()):
            self.said.append(said)


class Board:
    """Keeps the lines of each game whose picture it was shown."""

    def __init__(self) -> None:
        self.appliance: Appliance | None = None
        self.shown: dict[int, tuple[str, ...]] = {}

    def show(self, picture: Picture) -> None:
        """The lines that are on the disk, by now at least."""
        assert self.appliance is not None
        if self.appliance.console.session is None or self.appliance.disk is not None:
            return
        session = self.appliance.session
        self.shown[session.serial] = tuple(
            line_to_text(session.setup, line) for line in session.log
        )


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a damage: shown lines that are gone or others, and what was said about it."""

    kind: str
    file: str
    end: str
    lost: int
    said: tuple[str, ...] = field(default=())

    @property
    def silent(self) -> bool:
        """Whether lines are lost without a word."""
        return self.lost > 0 and not self.said


def try_damage(folder: Path, kind: str, file: str, end: str, seed: int) -> Outcome:
    """Plays a while, damages a file, plays on, ends, and starts from what then lies there."""
    rng = random.Random(f"{kind} {file} {end} {seed}")
    path = folder / "games.sqlite3"
    words = Words()
    logging.getLogger("appliance").addHandler(words)
    board = Board()
    journal = Journal(path)
    try:
        session = load_session(journal, endless_game.SETUP)
        appliance = Appliance(
            session, journal, endless_game.Throws(rng), board, endless_game.Presses(rng)
        )
        board.appliance = appliance
        appliance.start()
        rate = rng.choice(FRAMES_A_SECOND)
        frames = (Frame(BLANK, index / rate, index) for index in count())
        _play(appliance, islice(frames, rng.randint(20, 120)))
        damaged = path.with_name(path.name + file)
        for _ in range(MOST_FRAMES_MORE):
            # The log is empty after each turn.
            if damaged.exists() and damaged.stat().st_size:
                break
            _play(appliance, islice(frames, 1))
        damage_file(damaged, KINDS[kind], rng)
        _play(appliance, islice(frames, rng.choice((0, rng.randint(0, 20), rng.randint(0, 150)))))
        shown = dict(board.shown)
        left = folder / "left"
        left.mkdir()
        if end == "closed":
            journal.close()
        for suffix in ("", "-wal", "-shm"):
            there = path.with_name(path.name + suffix)
            if there.exists():
                shutil.copyfile(there, left / there.name)
        lost = _start_again(left / path.name, shown, words)
    finally:
        logging.getLogger("appliance").removeHandler(words)
        journal.close()
    return Outcome(kind, file or "file", end, lost, tuple(words.said))


def _play(appliance: Appliance, frames: Iterable[Frame]) -> None:
    for frame in frames:
        appliance.feed(frame)


def damage_file(file: Path, how: Damage, rng: random.Random) -> None:
    """Damages a file in place: SQLite may have it open. One that is empty, or not there, stays."""
    if not file.exists() or not file.stat().st_size:
        return
    with file.open("r+b") as opened:
        data = bytearray(opened.read())
        how(data, rng)
        opened.seek(0)
        opened.write(data)


def _start_again(path: Path, shown: dict[int, tuple[str, ...]], words: Words) -> int:
    """How many of the shown lines a start does not find."""
    try:
        journal, salvage = open_or_salvage(path)
    except JournalError as error:
        words.said.append(str(error))
        return sum(map(len, shown.values()))
    if salvage is not None:
        words.said.append(salvage.sentence)
    lost = 0
    with journal:
        for number, lines in shown.items():
            try:
                found = journal.load(number).lines
            except JournalError as error:
                # A game that is not there is not mentioned by a start.
                words.said.extend([] if "there is no game" in str(error) else [str(error)])
                found = ()
            same = next(
                (n for n, (a, b) in enumerate(zip(found, lines, strict=False)) if a != b),
                min(len(found), len(lines)),
            )
            lost += len(lines) - same
    return lost
