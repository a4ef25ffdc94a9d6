"""Salvages the damaged files of a killed game in two ways: page by page, and from a copy.

The copy is one of the whole journal (`VACUUM INTO`), as it could be made and checked after each
game; what the game going on has is then read by SQLite alone.
"""

import random
import shutil
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path
from unittest.mock import patch

from appliance.journal.recovery import BESIDE, beside, readable
from appliance.journal.wal import log_of

from appliance.chance import random_game
from appliance.journal import recovery
from appliance.journal.journal import Journal
from appliance.journal.sessions import load_session
from appliance.rules.classic import game as classic
from appliance.rules.notation.events import event_to_text
from appliance.service.appliance import Appliance
from tests.appliance.journal import endless_game
from tests.appliance.journal.rotting import BLANK, MOST_FRAMES_MORE, Board, Damage, damage_file
from vision.frame import Frame

WAYS = ("pages", "copy")

Lines = dict[int, tuple[str, ...]]
"""The lines of games by number."""


@dataclass(frozen=True, slots=True)
class Killed:
    """What a killed game left.

    Attributes:
        file: the journal; SQLite's log and index are beside it.
        copy: made when the last game had ended.
        ended: the lines of the games before.
        present: those that were shown of the game that was going on.
    """

    file: Path
    copy: Path
    ended: Lines
    present: Lines


def killed_game(folder: Path, games: int, seed: int) -> Killed:
    """Plays a while after some games of Classic, and stops with lines in SQLite's log."""
    path, copy, left = folder / "games.sqlite3", folder / "copy", folder / "left"
    left.mkdir()
    rng = random.Random(seed)
    board, ended = Board(), Lines()
    with closing(Journal(path)) as journal:
        for number, texts in _ended_games(games, rng):
            begun = journal.begin("classic", classic.EDITION, ("ANNA", "BOB"), [], "1.0.0")
            assert begun == number
            journal.append(number, 0, texts, ended=True)
            ended[number] = texts
        journal.checkpoint()
        journal.copy(copy)
        session = load_session(journal, endless_game.SETUP)
        throws, presses = endless_game.Throws(rng), endless_game.Presses(rng)
        board.appliance = Appliance(session, journal, throws, board, presses)
        board.appliance.start()
        least, log = rng.randint(20, 120), log_of(path)
        for index in islice(count(), least + MOST_FRAMES_MORE):
            if index >= least and log.exists() and log.stat().st_size:
                break
            board.appliance.feed(Frame(BLANK, index * endless_game.FRAME_S, index))
        for suffix in ("", *BESIDE):
            shutil.copyfile(beside(path, suffix), beside(left / path.name, suffix))
    return Killed(left / path.name, copy, ended, board.shown)


def _ended_games(games: int, rng: random.Random) -> Iterator[tuple[int, tuple[str, ...]]]:
    for number in range(1, games + 1):
        events, _ = random_game(classic, ("ANNA", "BOB"), {}, rng)
        yield number, tuple(event_to_text(classic, event) for event in events)


def lost_by(way: str, killed: Killed, folder: Path, how: Damage, file: str, seed: int) -> list[int]:
    """Damages a copy of what was left; lines lost of games that had ended, and of the present one.

    `file` is the suffix of the one that is damaged.
    """
    path = folder / killed.file.name
    for suffix in ("", *BESIDE):
        shutil.copyfile(beside(killed.file, suffix), beside(path, suffix))
    damage_file(beside(path, file), how, random.Random(seed))
    found = Lines()
    if way == "copy":
        with patch.object(recovery, "rows_on", lambda _: ()):
            saved = (*readable(killed.copy).games, *readable(path).games)
    else:
        saved = readable(path).games
    for game in saved:
        found[game.id] = max(found.get(game.id, ()), game.lines, key=len)
    return [_lost(lines, found) for lines in (killed.ended, killed.present)]


def _lost(wanted: Lines, found: Lines) -> int:
    lost = 0
    for number, lines in wanted.items():
        pairs = enumerate(zip(lines, found.get(number, ()), strict=False))
        same = min(len(lines), len(found.get(number, ())))
        lost += len(lines) - next((n for n, (one, other) in pairs if one != other), same)
    return lost
