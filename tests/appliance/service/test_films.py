"""Pages and animations at the table: time drives them, any press ends them at once."""

from pathlib import Path

import numpy as np

from appliance.inputs import Button, Pressed
from appliance.journal.journal import Journal
from appliance.journal.sessions import load_session
from appliance.picture import Picture
from appliance.screens.draw import film, pages
from appliance.service.appliance import Appliance
from appliance.service.devices import Devices, Tray
from appliance.table.prompts.turn import ChoicePrompt, DicePrompt, ThrowPrompt
from appliance.table.session.session import Setup
from tests.appliance.table.scripted import ScriptedKeys, ScriptedWatcher
from tests.builders import throw
from vision.events import TrayChanged
from vision.frame import Frame
from vision.reading import TrayState

BLANK = np.zeros((4, 4, 3), np.uint8)
SIXES = throw(6, 6, 6, 6, 6)


class Film:
    """A board that remembers everything it was shown."""

    def __init__(self) -> None:
        self.shown: list[Picture] = []

    def show(self, picture: Picture) -> None:
        self.shown.append(picture)


def test_a_press_ends_an_animation_in_the_same_frame(tmp_path: Path) -> None:
    with Journal(tmp_path / "games") as journal:
        watcher, keys, board = ScriptedWatcher(), ScriptedKeys(), Film()
        made = Appliance(
            Devices(board, keys),
            Tray(watcher),
            journal,
            session=load_session(journal, Setup("classic", ("ANNA",))),
        )
        made.start()
        watcher.events = [SIXES]
        made.feed(Frame(BLANK, 1.0, 0))
        rolled = made.prompt
        assert isinstance(rolled, DicePrompt)
        flashing = film(rolled).opening
        assert made.picture == flashing[0].picture
        keys.presses = [Pressed(Button.OK)]
        made.feed(Frame(BLANK, 1.03, 1))
        choosing = made.prompt
        assert isinstance(choosing, ChoicePrompt)
        assert made.picture == pages(choosing)[0]


def test_dice_tumble_while_they_roll_and_the_board_is_not_sent_what_it_shows(
    tmp_path: Path,
) -> None:
    with Journal(tmp_path / "games") as journal:
        watcher, keys, board = ScriptedWatcher(), ScriptedKeys(), Film()
        made = Appliance(
            Devices(board, keys),
            Tray(watcher),
            journal,
            session=load_session(journal, Setup("classic", ("ANNA",))),
        )
        made.start()
        watcher.events = [TrayChanged(0, 0.0, TrayState.ROLLING)]
        for index in range(31):
            made.feed(Frame(BLANK, index / 30, index))
        # A second of pictures shown for 0.15 s each, plus the one at the start.
        assert 7 <= len(board.shown) <= 9
        assert all(one != other for one, other in zip(board.shown, board.shown[1:], strict=False))


def test_a_page_is_not_cut_short_by_what_it_does_not_show(tmp_path: Path) -> None:
    with Journal(tmp_path / "games") as journal:
        watcher, keys, board = ScriptedWatcher(), ScriptedKeys(), Film()
        setup = Setup("free-for-all", ("ANNA", "BOB"))
        made = Appliance(
            Devices(board, keys),
            Tray(watcher),
            journal,
            session=load_session(journal, setup),
        )
        made.start()
        made.feed(Frame(BLANK, 0.0, 0))
        watcher.events = [TrayChanged(0, 0.0, TrayState.HAND)]
        asked = made.prompt
        assert asked is not None
        first_s = film(asked).loop[0].seconds
        made.feed(Frame(BLANK, first_s - 0.1, 1))
        shown = made.prompt
        assert isinstance(shown, ThrowPrompt)
        assert shown.tray is TrayState.HAND
        assert made.picture == pages(shown)[0]
        made.feed(Frame(BLANK, first_s + 0.1, 2))
        assert made.picture == pages(shown)[1]
