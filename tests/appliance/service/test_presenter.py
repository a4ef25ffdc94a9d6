"""What is heard in a turn."""

from pathlib import Path

import numpy as np

from appliance.alerts import Alert
from appliance.devices.buzzer import Sound
from appliance.inputs import Button, Pressed
from appliance.journal.database import Journal
from appliance.journal.sessions import load_session
from appliance.service.appliance import Appliance
from appliance.service.environment import Environment
from appliance.table.session.session import Setup
from tests.appliance.table.scripted import ScriptedWatcher
from tests.builders import throw
from tests.rigs.memory_scoreboard import MemoryScoreboard
from vision.frame import Frame
from vision.reading import DieState


class Heard:
    def __init__(self) -> None:
        self.sounds: list[Sound] = []
        self.ticks = 0

    def play(self, sound: Sound, time_s: float) -> None:
        self.sounds.append(sound)

    def tick(self, time_s: float) -> None:
        self.ticks += 1


def test_a_roll_a_question_and_what_is_wrong_are_heard(tmp_path: Path) -> None:
    heard = Heard()
    with Journal(tmp_path / "games.sqlite3") as journal:
        session = load_session(journal, Setup("classic", ("ANNA",), ()))
        board = MemoryScoreboard()
        appliance = Appliance(
            session, journal, ScriptedWatcher(), board, environment=Environment(sounds=heard)
        )
        appliance.start()
        appliance.happen(throw(4, 4, 4, 4, 4))
        assert heard.sounds == [Sound.READ]
        appliance.happen(Pressed(Button.HOLD1))
        assert heard.sounds == [Sound.READ]
        appliance.happen(throw(4, 4, 4, 4, 4, state=DieState.UNSURE))
        assert heard.sounds[-1] is Sound.NEED
        count = len(heard.sounds)
        appliance.warn(Alert.CAMERA_GONE)
        appliance.warn(Alert.CAMERA_GONE)
        assert heard.sounds[count:] == [Sound.WRONG]
        appliance.feed(Frame(np.zeros((4, 4, 3), np.uint8), 1.0, 1))
        assert heard.ticks
