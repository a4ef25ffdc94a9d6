"""Nobody waits for what is learnt of a tray; what is thrown meanwhile is refused, not lost."""

import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from appliance.config import Config
from appliance.journal.journal import Journal
from appliance.journal.sessions import load_session
from appliance.simulator.appliance import SimulatedAppliance, StreamSettings
from appliance.simulator.people.at_keys import TRAY_IS_NOT_DRAWN
from appliance.table.prompts.turn import ThrowPrompt
from appliance.table.session.session import Setup
from appliance.terminal.keyboard import THROW_ACTION
from games.values import Rolled
from simulator.motion.learning_watcher import LearningWatcher, Lesson
from simulator.motion.simulated_tray import SimulatedTray
from simulator.motion.watched_tray import geometry_of_tray
from tests.appliance.table.scripted import ScriptedWatcher
from tests.builders import throw
from tests.rigs.proof.pictured_games import SIZE, SMALL
from vision.events import TrayEvent
from vision.frame import Frame
from vision.geometry.profile import Profile

FRAME = Frame(np.zeros((9, 16, 3), np.uint8), 0.0, 0)
SOLO = Setup("classic", ("ANNA",), (("first", 0),))


class HeldBackLesson:
    """A lesson that goes on until the test lets it end."""

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.may_end = threading.Event()
        self.lesson = Lesson(self._learn)

    def _learn(self) -> Profile:
        self.begun.set()
        assert self.may_end.wait(60)
        return geometry_of_tray(SimulatedTray(1), (160, 90))


def watching(lesson: Lesson, events: Sequence[TrayEvent]) -> tuple[LearningWatcher, list[Profile]]:
    made = list[Profile]()

    def make(profile: Profile) -> ScriptedWatcher:
        made.append(profile)
        watcher = ScriptedWatcher()
        watcher.events = list(events)
        return watcher

    return LearningWatcher(lesson, make), made


def test_it_sees_nothing_until_the_lesson_is_over_and_everything_after_it() -> None:
    held = HeldBackLesson()
    watcher, made = watching(held.lesson, [throw(1, 2, 3, 4, 5)])
    assert watcher.feed(FRAME) == ()
    assert not held.begun.is_set(), "the first frame is for the first prompt"
    assert watcher.feed(FRAME) == ()
    assert held.begun.wait(60)
    watcher.expect(3)
    assert watcher.feed(FRAME) == watcher.finish() == ()
    assert not held.lesson.over
    assert made == []
    held.may_end.set()
    learnt = held.lesson.profile()
    assert watcher.feed(FRAME) == (throw(1, 2, 3, 4, 5),)
    assert made == [learnt]
    watcher.feed(FRAME)
    assert len(made) == 1


def test_a_lesson_that_fails_says_so_where_it_is_wanted() -> None:
    def fail() -> Profile:
        raise RuntimeError("no tray")

    lesson = Lesson(fail)
    with pytest.raises(RuntimeError, match="no tray"):
        lesson.profile()
    watcher, _ = watching(lesson, ())
    with pytest.raises(RuntimeError, match="no tray"):
        watcher.feed(FRAME)


@pytest.mark.slow
def test_the_first_prompt_comes_before_the_tray_is_learnt(tmp_path: Path) -> None:
    buttons = Config().buttons
    with (
        Journal(tmp_path / "games.sqlite3") as journal,
        SimulatedAppliance(
            load_session(journal, SOLO),
            journal,
            dict(buttons.pins),
            buttons.lights,
            seed=3,
            stream=StreamSettings(SIZE, SMALL, 12.0),
            person=True,
            folder=tmp_path,
            waits_for_tray=False,
        ) as simulated,
    ):
        simulated.step()
        assert isinstance(simulated.appliance.prompt, ThrowPrompt)
        ready_at_first = simulated.is_ready
        assert not ready_at_first
        simulated.obey([THROW_ACTION])
        assert simulated.view().guidance.says == TRAY_IS_NOT_DRAWN
        assert not simulated.tray.busy
        simulated.step()
        lesson = simulated._learnt.lesson
        assert lesson is not None
        lesson.profile()
        assert simulated.is_ready
        # What was pressed too early is done now, once.
        for _ in range(300):
            simulated.step()
        (event,) = simulated.appliance.session.record.events
        assert isinstance(event, Rolled)
        assert len(list(tmp_path.glob("rendered-*.profile"))) == 1
