"""What is heard in a turn."""

from pathlib import Path

import numpy as np

from appliance.alerts import Alert
from appliance.devices.buzzer import Sound
from appliance.devices.scoreboard import MemoryScoreboard
from appliance.inputs import Button, Pressed
from appliance.journal.database import Journal
from appliance.journal.library import load_session
from appliance.service.appliance import Appliance, Around
from appliance.table.session.session import Setup
from tests.appliance.table.scripted import ScriptedWatcher
from vision.events import Roll, TrackedDie
from vision.frame import Frame
from vision.reading import DieReading, DieState, Kind


class Heard:
    def __init__(self) -> None:
        self.sounds: list[Sound] = []
        self.ticks = 0

    def play(self, sound: Sound, time_s: float) -> None:
        self.sounds.append(sound)

    def tick(self, time_s: float) -> None:
        self.ticks += 1


def roll(state: DieState = DieState.OK) -> Roll:
    dice = tuple(
        TrackedDie(slot, DieReading(Kind.BLACK, 4, state, (), 1.0, (slot * 30.0, 0.0), ()), True)
        for slot in range(5)
    )
    return Roll(0, 0.0, dice, 0)


def test_a_roll_a_question_and_what_is_wrong_are_heard(tmp_path: Path) -> None:
    heard = Heard()
    with Journal(tmp_path / "games.sqlite3") as journal:
        session = load_session(journal, Setup("classic", ("ANNA",), ()))
        board = MemoryScoreboard()
        appliance = Appliance(
            session, journal, ScriptedWatcher(), board, around=Around(sounds=heard)
        )
        appliance.start()
        appliance.happen(roll())
        assert heard.sounds == [Sound.READ]
        appliance.happen(Pressed(Button.HOLD1))
        assert heard.sounds == [Sound.READ]
        appliance.happen(roll(DieState.UNSURE))
        assert heard.sounds[-1] is Sound.NEED
        count = len(heard.sounds)
        appliance.warn(Alert.CAMERA_GONE)
        appliance.warn(Alert.CAMERA_GONE)
        assert heard.sounds[count:] == [Sound.WRONG]
        appliance.feed(Frame(np.zeros((4, 4, 3), np.uint8), 1.0, 1))
        assert heard.ticks
