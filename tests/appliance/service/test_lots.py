"""Lots are final: neither an undo nor a restart draws another card."""

from pathlib import Path
from random import Random

import numpy as np

from appliance.cli.main import main
from appliance.inputs import Button, Pressed
from appliance.journal.journal import Journal
from appliance.journal.log import blank_seeds
from appliance.journal.sessions import load_session
from appliance.journal.summary import record_of
from appliance.service.appliance import Appliance
from appliance.service.devices import Devices, Tray
from appliance.table.session.session import Setup, next_lot, resume
from games.free_for_all import TurnUp
from games.record import drawn_fairly, read_record
from tests.appliance.table.scripted import ScriptedKeys, ScriptedWatcher
from tests.builders import copy_games
from tests.builders import throw as roll
from tests.rigs.dropped import closed_when_dropped
from tests.rigs.memory_scoreboard import MemoryScoreboard
from vision.frame import Frame

SETUP = Setup("free-for-all", ("ANNA", "BOB"))


class Bench:
    """The appliance with a journal; each new one is a restart."""

    def __init__(self, path: Path, chance: int) -> None:
        self.journal = Journal(path)
        closed_when_dropped(self.journal.files)
        self.watcher, self.keys = ScriptedWatcher(), ScriptedKeys()
        self.appliance = Appliance(
            Devices(MemoryScoreboard(), self.keys, chance=Random(chance)),
            Tray(self.watcher),
            self.journal,
            session=load_session(self.journal, SETUP),
        )
        self.appliance.start()
        self.index = 0

    def press(self, *buttons: Button) -> None:
        self.keys.presses += [Pressed(button) for button in buttons]
        self.index += 1
        frame = Frame(np.zeros((4, 4, 3), np.uint8), self.index / 30, self.index)
        self.appliance.feed(frame)

    def throw(self, *faces: int) -> None:
        self.watcher.events = [roll(*faces)]
        self.press()

    @property
    def centre(self) -> list[str]:
        return [e.card.word for e in self.appliance.session.record.events if isinstance(e, TurnUp)]

    def take(self) -> None:
        """Takes the best card after a throw of 1, 2, 3, 4 and 6."""
        self.throw(1, 2, 3, 4, 6)
        self.press(Button.OK)
        self.press(Button.OK)


def test_an_undo_draws_the_same_card_again(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "games", 1)
    bench.take()
    drawn = bench.centre
    assert len(drawn) == 4
    for _ in range(3):
        bench.press(Button.BACK)
        bench.press(Button.OK)
        assert len(bench.centre) == 3
        bench.press(Button.OK)
        bench.press(Button.OK)
        assert bench.centre == drawn


def test_a_restart_draws_what_was_to_come(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "games", 1)
    expected = next_lot(bench.appliance.session)
    coming = []
    for chance in range(3):
        copy = tmp_path / f"copy{chance}"
        copy_games(bench.journal.path, copy)
        again = Bench(copy, 50 + chance)
        assert again.appliance.session.record.seed == bench.appliance.session.record.seed
        again.take()
        coming.append(again.centre[3])
    assert expected is None
    assert len(set(coming)) == 1
    seeds = {Bench(tmp_path / f"new{n}", n).appliance.session.record.seed for n in range(5)}
    assert len(seeds) == 5


def test_a_game_without_a_seed_goes_on(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "games", 1)
    session = bench.appliance.session
    older = resume(SETUP, session.record.log[1:], session.record.serial)
    assert older.record.state == session.record.state
    assert (older.record.seed, next_lot(older)) == ("", None)


def test_the_seed_is_told_when_the_game_is_over(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "games", 1)
    seed = bench.appliance.session.record.seed
    while (
        bench.appliance.session.record.rules.outcome(bench.appliance.session.record.state) is None
    ):
        running = bench.journal.load(1)
        assert record_of(running).seed == ""
        assert seed not in "".join(map(blank_seeds, running.lines))
        bench.take()
    bench.journal.close()
    file = tmp_path / "record"
    argv = ["games", "export", "--journal", str(tmp_path / "games"), "--output", str(file)]
    assert main(argv) == 0
    record = read_record(file.read_text(encoding="utf-8"))
    assert record.seed == seed
    assert drawn_fairly(record)
    file.write_text(file.read_text(encoding="utf-8").replace(seed, "0" * 16), encoding="utf-8")
    assert not drawn_fairly(read_record(file.read_text(encoding="utf-8")))
