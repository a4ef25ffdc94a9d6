"""The body of the loop with a watcher that reports what a test puts into it."""

import errno
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from appliance.alerts import Alert
from appliance.errors import JournalError
from appliance.inputs import Button, Pressed
from appliance.journal.files import Files
from appliance.journal.journal import Journal
from appliance.journal.sessions import load_session
from appliance.picture import Picture
from appliance.screens.drawing.layout import two_lines
from appliance.service.appliance import Appliance
from appliance.service.devices import Devices, Tray
from appliance.service.ports import Happened
from appliance.service.presenter import PAUSE_S
from appliance.table.prompts.turn import OverPrompt
from appliance.table.session.session import Setup
from tests.appliance.table.scripted import ScriptedKeys, ScriptedWatcher
from tests.builders import throw as roll
from vision.events import Cleared, TrayEvent
from vision.frame import Frame

SETUP = Setup("classic", ("ANNA",))
BLANK = np.zeros((4, 4, 3), np.uint8)


class Board:
    """Remembers pictures, and what was in the journal when each was shown."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        self.shown: list[tuple[Picture, tuple[str, ...]]] = []

    def show(self, picture: Picture) -> None:
        saved = self.journal.last()
        self.shown.append((picture, saved.lines if saved else ()))


def frames(count: int, after_s: float = 0.0) -> Iterator[Frame]:
    for index in range(count):
        yield Frame(BLANK, after_s + (index + 1) / 30, index)


def appliance(journal: Journal, *events: TrayEvent, setup: Setup | None = SETUP) -> Appliance:
    session = load_session(journal, setup)
    made = Appliance(
        Devices(Board(journal), ScriptedKeys()),
        Tray(ScriptedWatcher(*events)),
        journal,
        session=session,
    )
    made.start()
    return made


def watcher(made: Appliance) -> ScriptedWatcher:
    assert isinstance(made._tray.watcher, ScriptedWatcher)
    return made._tray.watcher


def keys(made: Appliance) -> ScriptedKeys:
    assert isinstance(made._presses._keys, ScriptedKeys)
    return made._presses._keys


def feed(made: Appliance, count: int = 1) -> None:
    for frame in frames(count, made._tick.time_s):
        made.feed(frame)


def press(made: Appliance, *buttons: Button) -> None:
    """Presses buttons one after the other, each once what the one before did could be read."""
    for button in buttons:
        keys(made).presses = [Pressed(button)]
        made.feed(Frame(BLANK, made._tick.time_s + PAUSE_S, 0))


def test_what_the_board_shows_is_in_the_journal(tmp_path: Path) -> None:
    with Journal(tmp_path / "games") as journal:
        made = appliance(journal, roll(1, 2, 3, 4, 6))
        feed(made)
        keys(made).presses = [Pressed(Button.HOLD1)]
        feed(made)
        assert keys(made).lit == {0}
        board = made._presenter._board
        assert isinstance(board, Board)
        assert [lines for _, lines in board.shown] == [
            (),
            ("roll 1 2 3 4 6",),
            ("roll 1 2 3 4 6", "holding 1"),
        ]


def test_a_new_start_goes_on_with_the_same_turn(tmp_path: Path) -> None:
    path = tmp_path / "games"
    with Journal(path) as journal:
        made = appliance(journal, roll(1, 2, 3, 4, 6))
        feed(made)
        keys(made).presses = [Pressed(Button.HOLD1), Pressed(Button.HOLD3)]
        feed(made)
        before = made.session
    with Journal(path) as journal:
        again = appliance(journal, setup=None)
        assert again.session.state == before.state
        assert again.session.holds == {0, 2}
        assert again.session.serial == before.serial
        # The first press takes WELCOME BACK away.
        press(again, Button.OK, Button.OK, Button.OK)
        assert again.session.rules.scores(again.session.state) == (30,)


def test_a_line_that_cannot_be_written_is_not_shown_and_not_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    with Journal(tmp_path / "games") as journal:
        made = appliance(journal, roll(1, 2, 3, 4, 6))
        monkeypatch.setattr(Files, "append", refuse)
        before = made.session
        feed(made)
        assert made.session == before
        assert made.disk is Alert.DISK_READ_ONLY
        assert made.picture == two_lines("DISK LOCKED", "NOT SAVED")


def test_a_finished_game_is_marked_and_a_new_one_begins(tmp_path: Path) -> None:
    path = tmp_path / "games"
    with Journal(path) as journal:
        made = appliance(journal)
        for _ in range(13):
            watcher(made).events = [roll(6, 6, 6, 6, 6)]
            feed(made)
            watcher(made).events = [Cleared(0, 0.0)]
            press(made, Button.OK, Button.OK)
            if made.prompt.__class__.__name__ == "ChoicePrompt":
                press(made, Button.OK)
        assert isinstance(made.prompt, OverPrompt)
        saved = journal.last()
        assert saved is not None
        assert saved.ended
        press(made, Button.OK, Button.OK, Button.OK)
        assert made.session.serial == saved.id + 1
        newest = journal.last()
        assert newest is not None
        assert (newest.id, newest.lines, newest.ended) == (saved.id + 1, (), False)


def test_undo_is_written_down_and_nothing_is_erased(tmp_path: Path) -> None:
    with Journal(tmp_path / "games") as journal:
        made = appliance(journal, roll(1, 2, 3, 4, 6))
        feed(made)
        press(made, Button.OK, Button.OK, Button.BACK, Button.OK)
        assert made.session.rules.scores(made.session.state) == (0,)
        saved = journal.last()
        assert saved is not None
        assert saved.lines == ("roll 1 2 3 4 6", "score small-straight", "undo 1")


def test_another_setup_begins_a_new_game_and_the_same_one_goes_on(tmp_path: Path) -> None:
    with Journal(tmp_path / "games") as journal:
        first = load_session(journal, SETUP)
        assert load_session(journal, SETUP).serial == first.serial
        other = load_session(journal, Setup("classic", ("ANNA", "BOB")))
        assert other.serial == first.serial + 1
        assert load_session(journal, other.setup, fresh=True).serial == other.serial + 1


def test_lines_that_do_not_replay_are_named_and_kept(tmp_path: Path) -> None:
    with Journal(tmp_path / "games") as journal:
        session = load_session(journal, SETUP)
        journal.append(session.serial, 0, ["roll 1 2 3 4 5", "score nonsense"])
        with pytest.raises(JournalError, match=r"line 2, column 7.*begin a new game"):
            load_session(journal, None)
        assert load_session(journal, SETUP, fresh=True).serial == session.serial + 1
        with pytest.raises(JournalError, match="no saved game"):
            load_session(Journal(":memory:"), None)


def test_vision_learns_how_many_dice_are_due(tmp_path: Path) -> None:
    with Journal(tmp_path / "games") as journal:
        made = appliance(journal, roll(1, 2, 3, 4, 6))
        assert watcher(made).expected == 5
        feed(made)
        for event in [roll(1, 2, 3, 4, 5), roll(1, 2, 3, 4, 6)]:
            made.happen(event)
        assert watcher(made).expected is None


def test_a_film_may_end_right_after_the_throw(tmp_path: Path) -> None:
    with Journal(tmp_path / "games") as journal:
        made = appliance(journal, roll(1, 2, 3, 4, 6))
        made.finish()
        assert len(made.session.events) == 1


def test_listeners_hear_of_everything(tmp_path: Path) -> None:
    heard: list[Happened] = []
    with Journal(tmp_path / "games") as journal:
        session = load_session(journal, SETUP)
        made = Appliance(
            Devices(Board(journal)),
            Tray(ScriptedWatcher(roll(1, 2, 3, 4, 6))),
            journal,
            session=session,
            listen=heard.append,
        )
        feed(made)
    assert [t.input for t in heard] == [roll(1, 2, 3, 4, 6)]
    assert heard[0].session is not None
    assert len(heard[0].session.events) == 1
