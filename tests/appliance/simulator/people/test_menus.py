"""People who have never read the manual: from the menu to shutting down, by buttons and dice."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import numpy as np
import pytest

from appliance.config import Config
from appliance.inputs import SHUT_DOWN, Button, Chord, Pressed
from appliance.journal.journal import Journal
from appliance.journal.summary import resume_saved
from appliance.picture import Picture
from appliance.service.appliance import Appliance
from appliance.service.devices import Devices, Tray
from appliance.simulator.appliance import QUICK_STREAM, SimulatedAppliance
from appliance.simulator.people.menu_user import MenuUser, Wishes, next_menu_press
from appliance.simulator.people.player import SimulatedPlayer
from appliance.simulator.people.ports import kinds_of_dice_in
from appliance.table.menu.name_entry import Entry
from appliance.table.menu.options import option_title
from appliance.table.menu.prompting import (
    BrightnessPrompt,
    ListPrompt,
    NamePrompt,
    NoticePrompt,
    QuestionPrompt,
    RollOffPrompt,
)
from appliance.table.prompts.looking import SheetPrompt
from appliance.table.prompts.prompt import Prompt
from appliance.table.prompts.turn import ThrowPrompt
from appliance.table.session.session import Session
from appliance.words import Label
from games.registry import GAMES
from tests.rigs.memory_scoreboard import MemoryScoreboard
from tests.rigs.proof.unpictured_tray import UnpicturedTray
from vision.events import TrayEvent
from vision.frame import Frame

BUTTONS = Config().buttons
FRAMES = 900
BLANK = np.zeros((4, 4, 3), np.uint8)


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal(tmp_path / "games.sqlite3") as made:
        yield made


def shows(simulated: SimulatedAppliance) -> Prompt:
    return simulated.appliance.prompt


def lights_show_it(simulated: SimulatedAppliance) -> bool:
    """Waits until the lights, decoded from the SPI pins, are what the screens drew."""
    wanted = simulated.appliance.picture
    seen = simulated.pico.wait(lambda lights: Picture(lights.data) == wanted)
    return Picture(seen.data) == wanted


def set_up(simulated: SimulatedAppliance, wishes: Wishes) -> Session:
    """Walks the menus and throws the roll-off, until the game begins."""
    user = MenuUser(simulated.mock_buttons, wishes, think_s=0.0)
    before = simulated.appliance.console.session
    while simulated.appliance.console.session is before and simulated.frames < FRAMES:
        if user.act(shows(simulated), simulated.time_s):
            simulated.appliance.presses()
            # More than twenty presses a second are taken for a contact that bounces.
            simulated.step()
            continue
        assert isinstance(shows(simulated), RollOffPrompt)
        simulated.step()
        simulated.let_play()
    session = simulated.appliance.session
    assert session is not before, f"no game begun, the board shows {shows(simulated)}"
    return session


class Hands:
    """Buttons without wires, with the presses that gpiozero would report."""

    def __init__(self) -> None:
        self._presses: list[Pressed | Chord] = []

    def press(self, button: Button) -> None:
        self._presses.append(Pressed(button))

    def hold(self, button: Button) -> None:
        self._presses.append(Pressed(button, long=True))

    def together(self, chord: Chord) -> None:
        self._presses.append(chord)

    def poll(self) -> tuple[Pressed | Chord, ...]:
        presses, self._presses = tuple(self._presses), []
        return presses

    def stuck(self) -> frozenset[Button]:
        """None of them."""
        return frozenset()

    def light(self, slots: frozenset[int]) -> None:
        """Has no lamps."""


class Table:
    """Board, buttons, journal and service without pictures: the tray reports what lies in it."""

    def __init__(self, journal: Journal, session: Session | None, seed: int = 3) -> None:
        self.hands, self.board = Hands(), MemoryScoreboard()
        self._random = Random(seed)
        self._rng = np.random.default_rng(seed)
        self._index = 0
        self.throws = 0
        self.sit_down("")
        self.appliance = Appliance(
            Devices(self.board, self.hands, dim=self.board.set_brightness, chance=self._random),
            Tray(self),
            journal,
            session=session,
            listen=lambda happened: self.player.notice(happened),
        )
        self.appliance.start()

    def sit_down(self, game: str) -> None:
        """Takes the dice of a game."""
        self.tray = UnpicturedTray(self._random, kinds_of_dice_in(game))
        self.player = SimulatedPlayer(self.tray, self.hands, self._rng, think_s=0.0)

    def feed(self, frame: Frame) -> Sequence[TrayEvent]:
        return self.tray.events()

    def finish(self) -> Sequence[TrayEvent]:
        return ()

    def expect(self, count: int | None) -> None:
        """Sees what is there without knowing how many to expect."""

    def step(self) -> Prompt:
        self.appliance.feed(Frame(BLANK, 10.0 * self._index, self._index))
        self._index += 1
        assert self.board.picture == self.appliance.picture
        return self.shows()

    def shows(self) -> Prompt:
        return self.appliance.prompt

    def press(self, *buttons: Button) -> Prompt:
        for button in buttons:
            self.hands.press(button)
        return self.step()

    def choose(self, item: str) -> Prompt:
        for _ in range(20):
            shown = self.shows()
            assert isinstance(shown, ListPrompt), shown
            if shown.lines == (item,):
                return self.press(Button.OK)
            self.press(Button.RIGHT)
        raise AssertionError(f"{item} is not in the list")

    def set_up(self, wishes: Wishes) -> Session:
        """Walks the menus and throws the roll-off, until the game begins."""
        user = MenuUser(self.hands, wishes, think_s=0.0)
        before = self.appliance.console.session
        self.sit_down("")
        for _ in range(400):
            shown = self.shows()
            if not user.act(shown, 0.0):
                assert isinstance(shown, RollOffPrompt), shown
                self.throws += 1
                self.player.act(shown, 10.0 * self._index)
            self.step()
            session = self.appliance.console.session
            if session is not None and session is not before:
                self.sit_down(session.record.setup.game)
                self.player.begin(session)
                self.step()
                return self.appliance.session
        raise AssertionError(f"no game begun, the board shows {self.shows()}")

    def play(self, seats: int) -> Session:
        """Plays until this many players have been asked for something in the game itself."""
        asked: set[int] = set()
        for _ in range(2000):
            session = self.appliance.session
            ask = session.record.ask
            assert ask is not None, "the game ended within its first turns"
            asked |= {ask.seat}
            if len(asked) >= seats and len(session.record.events) > 12:
                return session
            self.player.act(self.shows(), 10.0 * self._index)
            self.step()
        raise AssertionError(f"no end of the turns, the board shows {self.shows()}")


RULES = {
    "AFTER RAISE": "MOVE PAWN",
    "CARDS": "DEALT HERE",
    "CHIPS EACH": "500",
    "FLOP AGAIN": "ONCE",
}


@pytest.mark.parametrize("game", GAMES)
def test_an_evening_from_the_menu_to_shutting_down(game: str, tmp_path: Path) -> None:
    title = Label(game)
    with Journal(tmp_path / "games") as journal:
        table = Table(journal, None)
        assert isinstance(table.step(), ListPrompt)
        session = table.set_up(Wishes(title, ("EVA", "BO"), rules=RULES))
        assert session.record.setup.players == ("EVA", "BO")
        chosen = {title_of(session, name): value for name, value in session.record.setup.options}
        assert chosen.get("AFTER RAISE", True) is True
        assert (chosen.get("CHIPS EACH", 500), chosen.get("FLOP AGAIN", "once")) == (500, "once")
        assert table.throws >= 2 or "roll-off" in chosen.values()
        played = table.play(2)

        table.hands.hold(Button.OK)
        table.step()
        assert isinstance(table.choose("SCORES"), SheetPrompt)
        table.press(Button.BACK)
        table.choose("BRIGHTNESS")
        assert table.press(*[Button.RIGHT] * 4) == BrightnessPrompt(7)
        assert table.board.brightness == 7
        table.press(Button.OK)
        assert table.appliance.session.record.state == played.record.state

        again = table.set_up(Wishes("CLASSIC", ("BO",)))
        assert again.record.setup.players == ("BO",)
        assert resume_saved(journal.load(played.record.serial)).record.state == played.record.state
        table.hands.together(SHUT_DOWN)
        assert table.step() == QuestionPrompt("SHUT DOWN?")
        table.press(Button.OK)
        assert table.appliance.ended
    # Power comes back another day; names and brightness are known, the old game is offered.
    with Journal(tmp_path / "games") as journal:
        table = Table(journal, None, seed=4)
        assert table.board.brightness == 7
        table.choose("OLD GAMES")
        table.press(Button.OK)
        assert table.appliance.session.record.state == played.record.state
        names = table.appliance.console.settings.names
        assert names[:2] == ("BO", "EVA")


@pytest.mark.slow
def test_a_roll_off_is_read_from_pictures(journal: Journal) -> None:
    simulated = SimulatedAppliance(
        None,
        journal,
        dict(BUTTONS.pins),
        BUTTONS.lights,
        seed=3,
        stream=QUICK_STREAM,
    )
    with simulated:
        simulated.step()
        assert lights_show_it(simulated)
        session = set_up(simulated, Wishes("SHOWDOWN", ("EVA", "BO"), rules=RULES))
        assert simulated.player.hands.throws >= 2
        assert dict(session.record.setup.options)["showdown_raise_continues"] is True
        for _ in range(2):
            simulated.step()
        assert isinstance(shows(simulated), ThrowPrompt | NoticePrompt)
        assert lights_show_it(simulated)


def title_of(session: Session, name: str) -> str:
    return option_title(session.record.setup.game, name)


def test_a_user_takes_a_listed_name_and_types_a_new_one() -> None:
    wishes = Wishes("POWER", ("ANNA", "O'DAN"))
    assert next_menu_press(ListPrompt("PLAYER 1?", ("BOB",), 0, 3), wishes) is Button.RIGHT
    assert next_menu_press(ListPrompt("PLAYER 1?", ("ANNA",), 1, 3), wishes) is Button.OK
    assert next_menu_press(ListPrompt("PLAYER 2?", ("NEW NAME",), 2, 3), wishes) is Button.OK
    assert next_menu_press(NamePrompt(1, Entry("O"), ""), wishes) is Button.LEFT
    assert next_menu_press(NamePrompt(1, Entry("O'D", "B"), ""), wishes) is Button.LEFT
    assert next_menu_press(NamePrompt(1, Entry("O'X", "B"), ""), wishes) is Button.BACK
    assert next_menu_press(NamePrompt(1, Entry("O'DAN", ""), ""), wishes) is Button.OK
    assert next_menu_press(ListPrompt("CHIPS EACH?", ("300",), 0, 10), wishes) is Button.OK
