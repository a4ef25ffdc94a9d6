"""Damages the files of a running game, plays on, starts again, and counts what is lost silently.

Before it some games have ended, and are in a pack. What is hit is chosen: the game going on, ended
games, the places and names of either, and what else lies there.
"""

import logging
import random
import re
import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import count, islice
from pathlib import Path

import numpy as np

from appliance.errors import JournalError
from appliance.journal.files import folder_of
from appliance.journal.journal import Journal
from appliance.journal.log import line_to_text
from appliance.journal.mending import open_and_mend
from appliance.journal.sessions import load_session
from appliance.journal.sums import SECTOR_BYTES
from appliance.picture import Picture
from appliance.service.appliance import Appliance
from appliance.service.devices import Devices, Tray
from games import classic
from games.chance import random_game
from games.notation.events import event_to_text
from tests.appliance.journal import endless_game
from vision.frame import Frame

FRAMES_A_SECOND = (5, 40)
"""At the first rate the appliance looks after its files every 10 frames, at the second every 80."""

BLANK = np.zeros((4, 4, 3), np.uint8)

BLOCK_BYTES = 4096


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

NEIGHBOURS = "64 kB over neighbours"
"""Other bytes from some place of a file on, and in the files after it in its folder."""

ALL_KINDS = (*KINDS, NEIGHBOURS)
_NEIGHBOURS_BYTES = 64 << 10

GOING = ("going", "going, second")
ENDED = ("ended", "ended, second")
OTHERS = ("index", "tray", "settings", "name", "name, second")
TARGETS = (*GOING, *ENDED, *OTHERS)
"""Files to damage. With a `name` it is the name of the game going on that is gone, and the file."""

ENDS = ("closed", "killed")

ENDED_GAMES = 6


class Words(logging.Handler):
    """The appliance's words about its games."""

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
        self.shown[session.record.serial] = tuple(
            line_to_text(session.record.setup, line) for line in session.record.log
        )


@dataclass(frozen=True, slots=True)
class Hit:
    """A damage: what kind, and of what."""

    kind: str
    target: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of damages: shown lines that are gone or others, and what was said about it.

    Attributes:
        hits: the damages, one after the other.
        end: how the program ended.
        ended: lines lost of games that had ended.
        going: lines lost of the one that was going on.
        lines: how many lines the one that was going on has.
        said: about games, in the log.
    """

    hits: tuple[Hit, ...]
    end: str
    ended: int
    going: int
    lines: int
    said: tuple[str, ...] = field(default=())

    @property
    def silent(self) -> bool:
        """True if lines are lost without a word."""
        return self.ended + self.going > 0 and not self.said


def make_ended_games(folder: Path, seed: int) -> dict[int, tuple[str, ...]]:
    """Makes a journal with some games that ended, all but the last in a pack; their lines."""
    rng = random.Random(seed)
    ended = {}
    with Journal(folder / "games.sqlite3") as journal:
        for _ in range(ENDED_GAMES):
            events, _ = random_game(classic.GAME, ("ANNA", "BOB"), {}, rng)
            texts = tuple(event_to_text(classic.GAME, event) for event in events)
            number = journal.begin("classic", classic.GAME.edition, ("ANNA", "BOB"), (), "1.0.0")
            journal.append(number, 0, texts, ended=True)
            ended[number] = texts
            while journal.tidy():
                pass
    return ended


def try_damages(folder: Path, hits: Sequence[Hit], end: str, seed: int) -> Outcome:
    """Plays a while, damages something, plays on, ends, and starts from what then lies there."""
    rng = random.Random(f"{hits} {end} {seed}")
    path = folder / "games.sqlite3"
    ended = make_ended_games(folder, seed)
    words = Words()
    logging.getLogger("appliance").addHandler(words)
    board = Board()
    journal, _ = open_and_mend(path)
    try:
        session = load_session(journal, endless_game.SETUP)
        appliance = Appliance(
            Devices(board, endless_game.Presses(rng)),
            Tray(endless_game.Throws(rng)),
            journal,
            session=session,
        )
        board.appliance = appliance
        appliance.start()
        rate = rng.choice(FRAMES_A_SECOND)
        frames = (Frame(BLANK, index / rate, index) for index in count())
        _play(appliance, islice(frames, rng.randint(20, 400)))
        for hit in hits:
            damage(path, hit, rng)
            _play(
                appliance, islice(frames, rng.choice((0, rng.randint(0, 20), rng.randint(0, 150))))
            )
        going = {n: lines for n, lines in board.shown.items() if n not in ended}
        if end == "closed":
            journal.close()
        left = folder / "left"
        shutil.copytree(folder, left, ignore=shutil.ignore_patterns("left", "*.lock"))
        lost = _start_again(left / path.name, (ended, going), words)
    finally:
        logging.getLogger("appliance").removeHandler(words)
        journal.close()
    lines = sum(map(len, going.values()))
    return Outcome(tuple(hits), end, lost[0], lost[1], lines, tuple(words.said))


def _play(appliance: Appliance, frames: Iterable[Frame]) -> None:
    for frame in frames:
        appliance.feed(frame)


def damage(path: Path, hit: Hit, rng: random.Random) -> None:
    """Damages one place of what is to be hit, if it is there."""
    place = folder_of(path) / "second" if hit.target.endswith(", second") else folder_of(path)
    what = hit.target.removesuffix(", second")
    if what == "index":
        files = [path]
    elif what in ("tray", "settings"):
        files = [place / what]
    else:
        files = sorted((place / ("packs" if what == "ended" else "going")).glob("*-*"))[-1:]
    if what == "name":
        for file in files:
            file.unlink()
    for file in files if what != "name" else ():
        if hit.kind == NEIGHBOURS and file.exists():
            over_neighbours(file, rng)
        elif hit.kind != NEIGHBOURS:
            damage_file(file, KINDS[hit.kind], rng)


def over_neighbours(file: Path, rng: random.Random) -> None:
    """Other bytes from some place of a file on, and in the files that follow it in its folder."""
    left = _NEIGHBOURS_BYTES
    for number, each in enumerate(sorted(p for p in file.parent.glob("*") if p >= file)):
        if not each.is_file():
            continue
        at = rng.randrange(each.stat().st_size + 1) if number == 0 else 0
        size = min(left, each.stat().st_size - at)
        with each.open("r+b") as opened:
            opened.seek(at)
            opened.write(rng.randbytes(size))
        left -= size


def damage_file(file: Path, how: Damage, rng: random.Random) -> None:
    """Damages a file in place: it may be open. One that is empty, or not there, stays."""
    if not file.exists() or not file.stat().st_size:
        return
    with file.open("r+b") as opened:
        data = bytearray(opened.read())
        how(data, rng)
        opened.seek(0)
        opened.write(data)


def _start_again(
    path: Path, shown: Sequence[dict[int, tuple[str, ...]]], words: Words
) -> list[int]:
    """How many of the shown lines a start does not find, by what games they are of."""
    try:
        journal, mended = open_and_mend(path)
    except JournalError as error:
        words.said.append(str(error))
        return [sum(map(len, games.values())) for games in shown]
    if mended is not None:
        words.said.append(mended.sentence)
    with journal:
        while journal.tidy():
            pass
        return [
            sum(_lost(journal, number, lines, words) for number, lines in games.items())
            for games in shown
        ]


def _lost(journal: Journal, number: int, lines: tuple[str, ...], words: Words) -> int:
    try:
        found = journal.load(number).lines
    except JournalError as error:
        # A game that is not there is not mentioned by a start.
        words.said.extend([] if "there is no game" in str(error) else [str(error)])
        return len(lines)
    pairs = enumerate(zip(found, lines, strict=False))
    same = next((n for n, (a, b) in pairs if a != b), min(len(found), len(lines)))
    return len(lines) - same
