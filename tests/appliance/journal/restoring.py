"""Restores a stick while people play: two programs at one journal at once."""

import random
import time
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from appliance.errors import JournalError
from appliance.journal.journal import Journal
from appliance.journal.mending import PATIENCE_S
from appliance.journal.reader import JournalReader
from appliance.journal.saved_game import SavedGame
from appliance.journal.stick_copies import compare, restore
from appliance.journal.stick_saving import save
from tests.rigs.stored_games import games_of

ROLL = "roll 1 2 3 4 5 power"
ENDED, ASIDE = 6, 3


@dataclass(frozen=True, slots=True)
class Played:
    """Lines that the players' program wrote, by number, and how often it had to wait and retry."""

    lines: dict[int, list[str]]
    last: int
    refused: int


def prepare(folder: Path) -> tuple[Path, Path, list[SavedGame]]:
    """A new card with two games, the first gone on with elsewhere; a stick, and what is on it."""
    old, new, stick = folder / "old", folder / "new", folder / "stick"
    for made in (old, new, stick):
        made.mkdir()
    with Journal(new / "games.sqlite3") as games:
        for _ in range(2):
            games.append(games.begin("power", "2009", ["ZOE"], (), "1.1.0"), 0, [ROLL])
        save(games, stick, folder / "none")
    with Journal(old / "games.sqlite3") as games:
        found = compare(games, stick, calibrated=False)
        restore(games, found)
        games.open(1)
        games.append(1, 1, ["keep 1", ROLL])
        for n in range(ENDED + ASIDE):
            number = games.begin("power", "2009", [f"ANNA {n}"], (), "1.1.0")
            games.append(number, 0, [ROLL] * (n + 1), ended=n < ENDED)
        while games.tidy():
            pass
        save(games, stick, folder / "none")
        there = games_of(games)
    return new / "games.sqlite3", stick, there


def play(path: Path, seed: int) -> Played:
    """Begins games and plays them, as the appliance does: what is refused is tried again."""
    chance = random.Random(seed)
    lines: dict[int, list[str]] = {}
    refused = number = 0
    with Journal(path, patience_s=PATIENCE_S) as games:
        for turn in range(8):
            time.sleep(chance.random() * 0.004)
            while True:
                try:
                    number = games.begin("power", "2009", [f"BEN {turn}"], (), "1.1.0")
                    break
                except JournalError:
                    refused += 1
            lines[number] = []
            for _ in range(chance.randint(1, 3)):
                games.append(number, len(lines[number]), [ROLL])
                lines[number].append(ROLL)
                games.copy()
            games.append(number, len(lines[number]), ["keep 1"], ended=turn % 2 == 0)
            lines[number].append("keep 1")
            while chance.random() < 0.7:
                try:
                    games.tidy()
                except JournalError:
                    refused += 1
    return Played(lines, number, refused)


def bring(path: Path, stick: Path, seed: int) -> None:
    """Restores what is on the stick."""
    time.sleep(random.Random(seed).random() * 0.02)
    with Journal(path) as games:
        restore(games, compare(games, stick, calibrated=False))


def restore_while_playing(folder: Path, seed: int) -> Played:
    """Does both at once; raises AssertionError if a number came twice, or a line is lost."""
    path, stick, there = prepare(folder)
    with get_context("fork").Pool(2) as pool:
        playing = pool.apply_async(play, (path, seed))
        bringing = pool.apply_async(bring, (path, stick, seed + 1))
        played = playing.get(60)
        bringing.get(60)
    with JournalReader(path) as games:
        found = games_of(games)
        last = games.last()
    by_number = {game.id: game for game in found}
    assert len(by_number) == len(found), "a number came twice"
    for number, lines in played.lines.items():
        assert list(by_number[number].lines) == lines
    assert last is not None
    assert last.id == played.last
    lines_of = {game.identity: game.lines for game in found}
    for game in there:
        assert lines_of[game.identity] == game.lines
    assert len(found) == len(there) + len(played.lines)
    return played
