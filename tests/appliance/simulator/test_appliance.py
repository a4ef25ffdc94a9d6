"""From a rendered throw to lights on the board, through everything that is real."""

from collections.abc import Callable
from dataclasses import replace
from errno import ENOSPC
from pathlib import Path
from typing import Any, cast

import pytest

from appliance.alerts import Alert
from appliance.config import Config
from appliance.inputs import Button
from appliance.journal.files import folder_of
from appliance.journal.journal import Journal
from appliance.journal.sessions import load_session
from appliance.picture import Picture
from appliance.service.installation import CalibratedTray
from appliance.simulator.appliance import QUICK_STREAM, SimulatedAppliance, StreamSettings
from appliance.simulator.people.at_keys import (
    LOOK_AWAY_WARNING_S,
    MESSAGE_DURATION_S,
    PRESSED_TOO_LATE,
    TRAY_IS_BUSY,
)
from appliance.table.menu.prompting import NoticePrompt
from appliance.table.prompts.prompt import Prompt
from appliance.table.prompts.trouble import FacePrompt
from appliance.table.prompts.turn import ChoicePrompt, DicePrompt, ThrowPrompt
from appliance.table.session.prompting import prompt
from appliance.table.session.session import Session, Setup
from appliance.terminal.keyboard import (
    PEEK_ACTION,
    PEEK_HELD_ACTION,
    THROW_ACTION,
    UNKNOWN_ACTION,
    SeenAction,
)
from games.values import Keep, Rolled
from tests.appliance.service.test_disk_trouble import FailingDisk
from tests.appliance.table.scripted import ScriptedWatcher
from tests.builders import throw
from tests.rigs.examples import examples
from tests.rigs.proof.pictured_games import SIZE, SMALL

BUTTONS = Config().buttons
FRAMES = 900
SIGHT = QUICK_STREAM
SHARP = StreamSettings(SIZE, SMALL, 12.0)
"""Enough for no die to be asked about, wherever they come to lie."""
SOLO = Setup("classic", ("ANNA",), (("first", "roll-off"),))


@pytest.fixture(scope="module")
def looks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where it is kept how the tray and its dice look: it is the same in all these tests."""
    return tmp_path_factory.mktemp("looks")


def simulated(journal: Journal, seed: int, looks: Path) -> SimulatedAppliance:
    session = load_session(journal, SOLO)
    pins, lights = dict(BUTTONS.pins), BUTTONS.lights
    return SimulatedAppliance(session, journal, pins, lights, seed=seed, stream=SIGHT, folder=looks)


def test_the_first_prompt_is_on_the_lights_before_the_first_frame(looks: Path) -> None:
    with Journal(":memory:") as journal, simulated(journal, 1, looks) as played:
        played.wait_for_lights()
        assert played.frames == 0
        assert played.lights == played.appliance.picture is not None


def pass_news(played: SimulatedAppliance) -> None:
    """Waits for the news to pass: what was bet before stands over the question for a moment."""
    while played.appliance.shows_news:
        played.step()


@pytest.mark.slow
def test_all_others_look_away_before_a_player_sees_the_own_dice(
    tmp_path: Path, looks: Path
) -> None:
    setup = Setup("holdem", ("ANNA", "BOB"), (("stack", 100),))
    with Journal(tmp_path / "games.sqlite3") as journal:
        session = load_session(journal, setup)
        pins = dict(BUTTONS.pins)
        with SimulatedAppliance(
            session, journal, pins, BUTTONS.lights, seed=2, stream=SIGHT, person=True, folder=looks
        ) as played:
            for _ in range(6):
                played.step()
            pass_news(played)
            line = played.view().line
            for ends in (None, UNKNOWN_ACTION):
                played.obey([PEEK_ACTION])
                pages = getattr(played.appliance.prompt, "pages", ())
                assert any("LOOK AWAY" in page for page in pages)
                assert "All others, look away!" in played.view().line
                assert not played.view().secret
                seen, hidden_s = 0, played.time_s + LOOK_AWAY_WARNING_S
                while isinstance(played.appliance.prompt, NoticePrompt):
                    played.step()
                    secret = played.view().secret
                    assert bool(secret) == (
                        hidden_s <= played.time_s < hidden_s + MESSAGE_DURATION_S
                    )
                    seen += secret.startswith("For ")
                    if seen and ends is not None:
                        played.obey([ends])
                assert seen == (1 if ends else round(MESSAGE_DURATION_S * SIGHT.fps))
                # What is under the notice is shown with the next frame.
                played.step()
                pass_news(played)
                assert played.view().line == line
            played.obey([PEEK_HELD_ACTION])
            for _ in range(round((LOOK_AWAY_WARNING_S + 2 * MESSAGE_DURATION_S) * SIGHT.fps)):
                played.step()
            assert played.view().secret.startswith("For ")
            played.obey([UNKNOWN_ACTION])
            assert not played.view().secret
            played.step()
            pass_news(played)
            assert played.view().line == line


def shows_what_it_should(played: SimulatedAppliance) -> bool:
    """Waits until the lights, decoded from the SPI pins, are what the screens drew."""
    wanted = played.appliance.picture
    seen = played.pico.wait(lambda lights: Picture(lights.data) == wanted)
    return Picture(seen.data) == wanted


def now(played: SimulatedAppliance) -> Prompt:
    """The game's own prompt; over it there may be a notice."""
    return prompt(played.appliance.session)


@pytest.mark.slow
def test_a_turn_from_the_throw_to_the_score(tmp_path: Path, looks: Path) -> None:
    path = tmp_path / "games.sqlite3"
    with Journal(path) as journal, simulated(journal, 11, looks) as played:
        assert shows_what_it_should(played)
        counted = 0
        while not (played.appliance.session.scored or played.frames > FRAMES):
            played.step()
            session = played.appliance.session
            thrown = sum(isinstance(event, Rolled) for event in session.record.events)
            if thrown > counted:
                counted = thrown
                truth = [face for _, face in played.tray.lying().values()]
                read = session.record.dice
                assert sorted(read, key=str) == sorted(truth, key=str)
            played.let_play()
        session = played.appliance.session
        assert session.scored is not None, "no score within a minute of play"
        assert counted == played.player.hands.throws
        assert played.player.hands.misread == 0
        assert shows_what_it_should(played)
    with Journal(path) as journal:
        assert load_session(journal, SOLO).record.state == session.record.state


@pytest.mark.slow
def test_the_same_turn_goes_on_with_the_dice_still_in_the_tray(tmp_path: Path, looks: Path) -> None:
    path = tmp_path / "games.sqlite3"
    with Journal(path) as journal:
        number = load_session(journal, SOLO).record.serial
        journal.append(number, 0, ["roll 2 3 4 6 6", "holding 1 2 3"])
    with Journal(path) as journal, simulated(journal, 5, looks) as played:
        shown = now(played)
        assert isinstance(shown, DicePrompt)
        assert (shown.dice, shown.held) == ((2, 3, 4, 6, 6), (0, 1, 2))
        assert isinstance(shown_first := played.appliance.prompt, NoticePrompt)
        assert ("WELCOME BACK", "CLASSIC") in shown_first.pages
        for _ in range(90):
            played.step()
        assert played.appliance.prompt == now(played)
        assert played.appliance.session.record.events == (Rolled((2, 3, 4, 6, 6)),)
        for _ in range(2):
            played.obey([Button.OK])
            played.step()
        session = played.appliance.session
        assert session.record.rules.scores(session.record.state) == (21,)
        assert isinstance(now(played), ThrowPrompt)
        assert shows_what_it_should(played)


@pytest.mark.slow
def test_what_is_typed_after_a_button_is_done_after_it(tmp_path: Path, looks: Path) -> None:
    """Before, the dice were thrown for what the board had asked before the button."""
    path = tmp_path / "games.sqlite3"
    with Journal(path) as journal:
        number = load_session(journal, SOLO).record.serial
        journal.append(number, 0, ["roll 2 3 4 6 6", "holding 1 2 3 4 5"])
        session = load_session(journal, SOLO)
        with person_at_the_keyboard(journal, session, folder=looks) as played:
            for _ in range(90):
                played.step()
            # All dice are held: OK scores them, and only then is there something to throw.
            while not isinstance(now(played), ChoicePrompt):
                played.obey([Button.OK])
                played.step()
            played.obey([Button.OK, THROW_ACTION])
            assert isinstance(now(played), ThrowPrompt)
            assert played.player.hands.throws == 1


@pytest.mark.slow
def test_a_throw_can_only_be_taken_back_until_its_dice_are_read(
    tmp_path: Path, looks: Path
) -> None:
    """Before, what was pressed after it counted for the dice that lay there before."""
    setup = Setup("classic", ("ANNA", "BEN"), (("first", 0),))
    with (
        Journal(tmp_path / "games") as journal,
        person_at_the_keyboard(
            journal, load_session(journal, setup), folder=looks, stream=SHARP
        ) as played,
    ):

        def until(done: Callable[[Session], object]) -> Session:
            for _ in range(FRAMES):
                played.step()
                if done(played.appliance.session):
                    return cast(Session, played.appliance.session)
            raise AssertionError(played.view().line)

        for _ in range(20):
            played.step()
        played.obey([THROW_ACTION])
        until(lambda session: session.record.events)
        table = played.view().table
        assert table is not None
        pick = f"pick:{table.serial}:{table.asked}:0"
        # The dice are picked up, the tray is empty, they are thrown, they roll.
        for after in range(0, 40, examples(7, 3)):
            before = played.appliance.session
            played.obey([THROW_ACTION])
            for _ in range(after):
                played.step()
            if not played.throws:
                assert len(played.appliance.session.record.events) == 3
                break
            said = played.view().guidance
            assert [key.does for key in said.keys] == ["takes the throw back"]
            for action in (pick, Button.OK, Button.HOLD1, Button.HINT, THROW_ACTION, "long:ok"):
                played.obey([action])
                assert played.view().guidance.says == TRAY_IS_BUSY
                view = played.view()
                assert view.thrown and view.table is not None and view.table.busy
            session = played.appliance.session
            assert (session.record.log, session.mode) == (before.record.log, before.mode)
            played.obey([Button.BACK])
            assert not played.throws
            for _ in range(30):
                played.step()
            session = played.appliance.session
            assert (session.record.log, session.mode) == (before.record.log, before.mode)
            assert played.view().table == replace(table, news=None)
        assert after > 20
        # What was clicked at the dice before means nothing for these.
        seen = played.viewer.occasion
        played.obey([THROW_ACTION])
        until(lambda session: len(session.record.events) == 5)
        for late in (pick, Button.OK, THROW_ACTION):
            played.obey([SeenAction(late, seen)])
            assert played.view().line == PRESSED_TOO_LATE
        assert len(played.appliance.session.record.events) == 5
        played.obey([SeenAction(Button.OK, played.viewer.occasion)])
        assert isinstance(now(played), ChoicePrompt)


def person_at_the_keyboard(journal: Journal, session: Session | None, **more: Any) -> Any:
    pins, lights = dict(BUTTONS.pins), BUTTONS.lights
    seen = {"stream": SIGHT} | more
    return SimulatedAppliance(session, journal, pins, lights, seed=5, person=True, **seen)


@pytest.mark.slow
def test_a_turn_of_a_computer_passes_quickly_for_who_watches(tmp_path: Path, looks: Path) -> None:
    setup = Setup("classic", ("ROBO ***", "ANNA"), (("first", 0),))
    with (
        Journal(tmp_path / "games") as journal,
        person_at_the_keyboard(journal, load_session(journal, setup), folder=looks) as played,
    ):
        for _ in range(FRAMES):
            played.step()
            if getattr(played.appliance.prompt, "player", "") == "ANNA":
                break
        rolls = sum(isinstance(event, Rolled) for event in played.appliance.session.record.events)
        assert rolls >= 2
        assert played.tray.time_s == pytest.approx(played.time_s)
        # It takes some 20 s of the tray's time, as its dice are up for as long as it takes to read.
        assert played.paced_s < 6 < played.time_s
        watched_s, time_s = played.paced_s, played.time_s
        for _ in range(5):
            played.step()
        # Then time passes as always.
        assert played.paced_s - watched_s == pytest.approx(played.time_s - time_s)


@pytest.mark.slow
def test_dice_that_were_kept_stay_held_at_the_keyboard_until_let_go(
    tmp_path: Path, looks: Path
) -> None:
    setup = Setup("classic", ("ANNA",), (("first", 0),))
    with (
        Journal(tmp_path / "games") as journal,
        person_at_the_keyboard(journal, load_session(journal, setup), folder=looks) as played,
    ):

        def do(action: str, until: Callable[[Session], object]) -> Session:
            played.obey([action])
            for _ in range(FRAMES):
                played.step()
                if until(played.appliance.session):
                    return cast(Session, played.appliance.session)
            raise AssertionError(f"{action} did nothing: {played.view().line}")

        do(THROW_ACTION, lambda session: len(session.record.events) == 1)
        do(Button.HOLD1, lambda session: session.record.holds == {0})
        do(Button.HOLD3, lambda session: session.record.holds == {0, 2})
        again = do(
            THROW_ACTION, lambda session: len(session.record.events) == 3 and session.record.holds
        )
        assert again.record.events[1] == Keep((0, 2))
        for _ in range(8):
            played.step()
        assert played.appliance.session.record.holds == {0, 2}
        let_go = do(Button.HOLD1, lambda session: session.record.holds == {2})
        for _ in range(8):
            played.step()
        assert played.appliance.session.record.holds == let_go.record.holds
        last = do(THROW_ACTION, lambda session: len(session.record.events) == 5)
        assert last.record.events[3] == Keep((2,))


@pytest.mark.slow
def test_a_person_can_begin_by_calibrating(tmp_path: Path) -> None:
    for session in (None, SOLO):
        with Journal(tmp_path / f"games {session is None}") as journal:
            begun = None if session is None else load_session(journal, session)
            tray = CalibratedTray(tmp_path / "tray.profile")
            with person_at_the_keyboard(journal, begun, calibrated=tray) as played:
                assert played.wizard is None
                played.begin_calibration()
                played.step()
                assert played.wizard is not None


@pytest.mark.slow
def test_a_person_plays_in_a_tray_that_is_found_without_a_press(tmp_path: Path) -> None:
    tray = CalibratedTray(tmp_path / "tray.profile")
    with Journal(tmp_path / "games") as journal:
        begun = load_session(journal, SOLO)
        with person_at_the_keyboard(journal, begun, calibrated=tray, finds_tray=True) as played:
            said = set[tuple[str, str]]()
            while played.time_s < 5:
                if isinstance(played.appliance.prompt, NoticePrompt):
                    said.update(played.appliance.prompt.pages)
                played.step()
            assert tray.calibration is not None
            assert not tray.calibration.rim_known
            off_mm = tray.calibration.off_mm
    assert said == {("TRAY FOUND", f"WITHIN {off_mm:.1f} MM")}


@pytest.mark.slow
def test_what_players_answer_about_the_power_die_is_learnt_here_too(tmp_path: Path) -> None:
    tray = CalibratedTray(tmp_path / "tray.profile")
    setup = Setup("power", ("ANNA",), (("first", 0),))

    def named() -> list[str]:
        return [] if tray.calibration is None else [face.value for face in tray.calibration.answers]

    with Journal(tmp_path / "games") as journal:
        begun = load_session(journal, setup)
        with person_at_the_keyboard(journal, begun, calibrated=tray, finds_tray=True) as played:

            def asks() -> bool:
                return isinstance(played.appliance.prompt, FacePrompt)

            while tray.calibration is None or not isinstance(played.appliance.prompt, ThrowPrompt):
                played.step()
            played.obey([THROW_ACTION])
            while not asks():
                played.step()
            while asks():
                played.obey([Button.OK])
                played.step()
            assert named() == [], "they may still be corrected"
    assert len(named()) == 1, "the last throw counts when the appliance stops"


@pytest.mark.slow
def test_what_is_wrong_is_said_as_at_a_real_tray(tmp_path: Path, looks: Path) -> None:
    path = tmp_path / "games.sqlite3"
    files = FailingDisk(folder_of(path), patience_s=0.0)
    with Journal(path, files=files) as journal, simulated(journal, 11, looks) as played:
        files.code = ENOSPC
        played.appliance._tray.watcher = ScriptedWatcher(throw(2, 3, 4, 5, 5))
        played.step()
        assert played.appliance.disk is Alert.DISK_FULL
        assert played.appliance.alerts == (Alert.DISK_FULL,)
        files.code = 0
        for _ in range(60):
            played.step()
        assert not played.appliance.alerts
