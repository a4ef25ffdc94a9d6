"""A card that takes seconds for each write: the loop must come round before the watchdog bites."""

from pathlib import Path
from random import Random
from typing import BinaryIO

import numpy as np
import pytest

from appliance.alerts import Alert
from appliance.inputs import SHUT_DOWN, Button, Pressed
from appliance.journal.files import Files, folder_of
from appliance.journal.journal import Journal
from appliance.journal.mending import open_and_mend
from appliance.journal.sessions import load_session
from appliance.service.appliance import Appliance
from appliance.service.devices import Devices, Tray
from appliance.service.steady import MAX_PRESSES_IN_WINDOW, SteadyButtons
from appliance.table.menu.requests import BeginGame
from appliance.table.prompts.turn import ChoicePrompt, DicePrompt
from appliance.table.session.session import Setup
from tests.appliance.table.scripted import ScriptedKeys, ScriptedWatcher
from tests.builders import throw as roll
from tests.rigs.dropped import closed_when_dropped
from tests.rigs.memory_scoreboard import MemoryScoreboard
from vision.frame import Frame

SETUP = Setup("classic", ("ANNA",), ())
WATCHDOG_S = 15.0
HOLDS = (Button.HOLD1, Button.HOLD2, Button.HOLD3, Button.HOLD4, Button.HOLD5)


class SlowFiles(Files):
    """Each sync advances the card's own clock by some seconds."""

    sync_s = 0.0
    now_s = 0.0

    def _sync(self, name: str, file: BinaryIO) -> None:
        super()._sync(name, file)
        self.now_s += self.sync_s

    def _sync_names(self, folder: str) -> None:
        super()._sync_names(folder)
        self.now_s += self.sync_s


class Bench:
    def __init__(self, path: Path, setup: Setup | None, sync_s: float) -> None:
        open_and_mend(path)[0].close()
        self.card = closed_when_dropped(SlowFiles(folder_of(path)))
        self.journal = Journal(path, files=self.card)
        self.watcher, self.keys = ScriptedWatcher(), ScriptedKeys()
        self.appliance = Appliance(
            Devices(MemoryScoreboard(), self.keys, chance=Random(3), clock=lambda: self.card.now_s),
            Tray(self.watcher),
            self.journal,
            session=load_session(self.journal, setup) if setup else None,
        )
        self.appliance.start()
        self.index = 0
        for _ in range(4):
            # What follows a game that begins is written.
            self.card.now_s += 5.0
            self.round()
        self.card.sync_s = sync_s

    def round(self, *buttons: Button) -> float:
        """One round of the loop with these presses; returns the seconds that it took."""
        self.index += 1
        self.card.now_s += 0.03
        self.keys.presses += [Pressed(button) for button in buttons]
        began_s = self.card.now_s
        self.appliance.feed(Frame(np.zeros((4, 4, 3), np.uint8), began_s, self.index))
        return self.card.now_s - began_s


def test_presses_that_came_together_are_one_write(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "games", SETUP, sync_s=3.0)
    bench.watcher.events = [roll(1, 2, 3, 4, 5)]
    assert bench.round() == pytest.approx(3.0)
    assert bench.round(*HOLDS) == pytest.approx(3.0)
    assert bench.appliance.session.record.holds == {0, 1, 2, 3, 4}
    saved = bench.journal.load(bench.appliance.session.record.serial)
    assert saved.lines[-1] == "holding 1 2 3 4 5"
    assert len(saved.lines) == 6


def test_what_a_round_has_no_time_for_waits_in_its_order(tmp_path: Path) -> None:
    setup = Setup("free-for-all", ("ANNA", "BOB"))
    slow = Bench(tmp_path / "slow", setup, sync_s=3.0)
    quick = Bench(tmp_path / "quick", setup, sync_s=0.0)
    heard = [Button.OK, *HOLDS, Button.OK, Button.LEFT, Button.OK] * 4
    for bench in (slow, quick):
        bench.watcher.events = [roll(1, 2, 3, 4, 5, 6)]
    longest_s = max(slow.round(*heard), *(slow.round() for _ in range(40)))
    quick.round(*heard)
    assert longest_s < WATCHDOG_S
    assert slow.appliance.session.record.log == quick.appliance.session.record.log
    assert slow.appliance.console.pages == quick.appliance.console.pages


def test_a_press_that_waits_is_not_for_what_comes_up_meanwhile(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "games", SETUP, sync_s=3.0)
    bench.watcher.events = [roll(1, 2, 3, 4, 5)]
    # Meant for the question before these dice, which are on the disk only after 3 s.
    bench.round(Button.OK)
    for _ in range(3):
        bench.round()
    shown = bench.appliance.prompt
    assert isinstance(shown, DicePrompt)
    # What is pressed at the dice counts.
    bench.round(Button.HOLD1, Button.OK)
    assert bench.appliance.session.record.holds == {0}
    assert isinstance(bench.appliance.prompt, ChoicePrompt)


@pytest.mark.parametrize("game", ["free-for-all", "holdem", "classic"])
def test_a_game_of_six_begins_within_the_watchdogs_time(tmp_path: Path, game: str) -> None:
    bench = Bench(tmp_path / "games", None, sync_s=3.0)
    bench.appliance._saved.asked.append(BeginGame(Setup(game, tuple("ABCDEF"))))
    began_s = bench.card.now_s
    bench.appliance._inbox.take_consequences()
    assert bench.card.now_s - began_s < WATCHDOG_S
    assert bench.appliance.session.record.setup.game == game


def test_a_contact_that_bounces_does_not_hold_up_the_loop(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "games", SETUP, sync_s=0.1)
    bench.watcher.events = [roll(1, 2, 3, 4, 5)]
    bench.round()
    owed, longest_s = 0.0, 0.0
    for _ in range(2000):
        before_s = bench.card.now_s
        longest_s = max(longest_s, bench.round(*[Button.HOLD1] * int(owed)))
        owed += 25 * (bench.card.now_s - before_s) - int(owed)
    assert longest_s < 1.0
    assert bench.appliance.stuck
    # All other buttons still count.
    bench.round(Button.HOLD2)
    assert 1 in bench.appliance.session.record.holds


def test_a_button_that_never_opens_is_told_of(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "games", SETUP, sync_s=0.1)
    bench.round()
    assert not bench.appliance.stuck
    bench.keys.closed = frozenset({Button.HOLD3})
    bench.round()
    assert bench.appliance.stuck == {Alert.BUTTON_STUCK}


def test_a_button_counts_again_after_it_was_quiet() -> None:
    steady = SteadyButtons()
    press, other = Pressed(Button.OK), Pressed(Button.BACK)
    assert steady.debounce([press], 0.0) == [press]
    assert steady.debounce([press] * MAX_PRESSES_IN_WINDOW, 1.0) == []
    assert steady.stuck == {Button.OK}
    assert steady.debounce([press, other, SHUT_DOWN], 3.0) == [other, SHUT_DOWN]
    assert steady.debounce([], 4.9) == []
    assert steady.stuck
    assert steady.debounce([press], 6.1) == [press]
    assert not steady.stuck


def test_fast_fingers_count_also_when_a_round_was_slow() -> None:
    steady = SteadyButtons()
    presses = [Pressed(Button.HOLD1)] * 120
    steady.debounce([], 0.0)
    # Ten a second, then twelve hundred.
    assert steady.debounce(presses, 12.0) == presses
    assert steady.debounce(presses, 12.1) == []
