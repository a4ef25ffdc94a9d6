"""A first evening: nobody spells a name, and newcomers are told how a game goes."""

from dataclasses import replace
from pathlib import Path

import pytest

from appliance.inputs import Button, Pressed, Typed
from appliance.journal.mending import open_and_mend
from appliance.screens.draw import pages
from appliance.table.menu.asking import console_prompt
from appliance.table.menu.console import Console
from appliance.table.menu.draft import Draft
from appliance.table.menu.final_scores import FinalScore, best_scores
from appliance.table.menu.new_game import PickName, Typing
from appliance.table.menu.preferences import HouseRules
from appliance.table.menu.prompting import ListPrompt, NoticePrompt, TellingPrompt
from appliance.table.menu.roll_off import RollOff
from appliance.table.menu.settings import Settings
from appliance.table.menu.step import advance
from appliance.table.prompts.hints import WaitPrompt
from appliance.table.prompts.turn import DicePrompt, ThrowPrompt
from appliance.table.session.session import Setup, new_session
from games.registry import GAMES
from tests.appliance.table.menu.fake_service import FakeService
from tests.builders import die, roll
from tests.rigs.at_table import AtTable
from tests.rigs.spoken import spoken
from tests.rigs.strict_drawing import strict_drawing

OK, BACK, LEFT, RIGHT = map(Pressed, (Button.OK, Button.BACK, Button.LEFT, Button.RIGHT))
HINT = Pressed(Button.HINT)
HOLD_OK = Pressed(Button.OK, long=True)
FRESH = Settings(("PLAYER 1", "PLAYER 2"))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", ["en", "de"])
def test_four_play_at_once_without_names(game: str, language: str) -> None:
    with spoken(language):
        settings = FRESH.with_spoken_names()
        service = FakeService(Console(settings=settings))
        presses = [OK, *[RIGHT] * list(GAMES).index(game), OK]
        shown = service.happen(*presses)
        while isinstance(shown, ListPrompt) and shown.lines != ("4 PLAYERS",):
            presses.append(RIGHT)
            shown = service.happen(RIGHT)
        shown = service.happen(OK)
        assert isinstance(shown, ListPrompt)
        assert shown.lines == ("PLAY NOW",)
        service.happen(OK)
        word = "SPIELER" if language == "de" else "PLAYER"
        if isinstance(service.console.page, RollOff):
            players = service.console.page.draft.players
        else:
            assert service.console.session is not None
            players = service.console.session.record.setup.players
        assert players == tuple(f"{word} {n}" for n in (1, 2, 3, 4))


def test_a_first_evening_of_four_at_classic_takes_six_presses() -> None:
    service = FakeService(Console(settings=FRESH))
    shown = service.happen(OK, OK, RIGHT, RIGHT, OK, OK)
    assert isinstance(shown, ThrowPrompt)
    assert (shown.player, shown.purpose) == ("PLAYER 1", "WHO BEGINS")


def test_where_names_are_known_playing_without_comes_last() -> None:
    service = FakeService(Console(settings=Settings(("ANNA", "PLAYER 2"))))
    shown = service.happen(OK, OK, OK)
    assert isinstance(shown, ListPrompt)
    assert shown.lines == ("ANNA",)
    shown = service.happen(LEFT)
    assert isinstance(shown, ListPrompt)
    assert shown.lines == ("PLAY NOW",)


def test_each_player_without_a_name_is_offered_once() -> None:
    with spoken("de"):
        settings = Settings(("PLAYER 1", "SPIELER 2", "ANNA"), (Setup("classic", ("PLAYER 1",)),))
        service = FakeService(Console(settings=settings.with_spoken_names()))
        seen: list[str] = []
        shown = service.happen(OK, OK)
        assert isinstance(shown, ListPrompt)
        assert shown.lines == ("SPIELER 1",)
        shown = service.happen(RIGHT, RIGHT, OK)
        for _ in range(shown.count if isinstance(shown, ListPrompt) else 0):
            assert isinstance(shown, ListPrompt)
            seen.append(*shown.lines)
            shown = service.happen(RIGHT)
    assert seen == ["ANNA", "SPIELER 1", "COMPUTER", "NEW NAME", "PLAY NOW"]


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_page_of_what_is_told_fits(language: str) -> None:
    with spoken(language), strict_drawing():
        for game in GAMES.values():
            assert len(game.telling) == 5
            for number, lines in enumerate(game.telling):
                assert pages(TellingPrompt(lines, number, 5))


@pytest.mark.parametrize("game", GAMES)
def test_hint_tells_how_the_game_shown_goes(game: str) -> None:
    service = FakeService(Console(settings=FRESH))
    service.happen(OK, *[RIGHT] * list(GAMES).index(game))
    asked = console_prompt(service.console)
    told = GAMES[game].telling
    assert service.happen(HINT) == TellingPrompt(told[0], 0, 5)
    assert service.happen(RIGHT, OK) == TellingPrompt(told[2], 2, 5)
    assert service.happen(LEFT) == TellingPrompt(told[1], 1, 5)
    assert service.happen(LEFT, LEFT, LEFT) == TellingPrompt(told[0], 0, 5)
    assert service.happen(OK, OK, OK, HINT) == TellingPrompt(told[4], 4, 5)
    assert service.happen(OK) == asked
    assert service.happen(HINT, BACK) == asked


def test_in_everybodys_first_turn_hint_tells_it_and_later_what_is_awaited() -> None:
    setup = Setup("classic", ("ANNA", "BOB"), (("first", 0),))
    service = FakeService(Console(new_session(setup), settings=FRESH))
    for _ in ("ANNA", "BOB"):
        assert isinstance(service.happen(HINT), TellingPrompt)
        # A throw takes it away and counts.
        shown = service.happen(roll(*(die(slot, 3) for slot in range(5))))
        assert isinstance(shown, DicePrompt)
        service.happen(OK, OK)
    shown = service.happen(HINT)
    assert isinstance(shown, WaitPrompt)


def test_rules_tell_the_game_and_house_rules_have_their_own_entry() -> None:
    service = FakeService(Console(settings=FRESH))
    service.choose("RULES")
    assert isinstance(service.choose("HOLD'EM"), TellingPrompt)
    setup = Setup("power", ("ANNA", "BOB"))
    service = FakeService(Console(new_session(setup), settings=FRESH))
    service.happen(HOLD_OK)
    assert service.choose("RULES") == TellingPrompt(GAMES["power"].telling[0], 0, 5)
    service.happen(BACK)
    service.choose("HOUSE RULES")
    assert isinstance(service.console.page, HouseRules)


def test_a_name_can_come_later_while_a_game_is_going_on() -> None:
    setup = Setup("classic", ("PLAYER 1", "PLAYER 2"), (("first", 0),))
    service = FakeService(Console(new_session(setup), settings=Settings(("ANNA", "PLAYER 1"))))
    service.happen(roll(*(die(slot, 3) for slot in range(5))), OK, OK, HOLD_OK)
    before = service.session
    service.choose("PLAYERS")
    shown = console_prompt(service.console)
    assert isinstance(shown, ListPrompt)
    assert (shown.title, shown.lines) == ("GIVE A NAME?", ("PLAYER 1",))
    service.choose("PLAYER 1")
    # A known one, or a new one.
    assert service.choose("ANNA") == NoticePrompt((("PLAYER 1:", "ANNA"),))
    assert service.session.record.setup.players == ("ANNA", "PLAYER 2")
    assert service.session.record.state.players == ("ANNA", "PLAYER 2")
    assert service.session.record.events == before.record.events
    service.happen(BACK, HOLD_OK)
    service.choose("PLAYERS")
    service.choose("PLAYER 2")
    service.choose("NEW NAME")
    service.type("BEN")
    assert service.session.record.setup.players == ("ANNA", "BEN")
    assert service.session.record.rules.scores(service.session.record.state) == (50, 0)
    # Everybody has one now: nobody is asked any more.
    service.happen(BACK, HOLD_OK)
    service.choose("PLAYERS")
    shown = console_prompt(service.console)
    assert isinstance(shown, ListPrompt)
    assert shown.title == "WHO LEAVES?"


def test_a_name_given_later_is_on_disk_and_the_game_goes_on_with_it(tmp_path: Path) -> None:
    setup = Setup("classic", ("PLAYER 1", "PLAYER 2"), (("first", 0),))
    at = AtTable(tmp_path / "games", setup)
    for _ in range(9):
        at.go_on()
    lines = at.session.record.log
    draft = Draft("classic", 2, setup.players, names=1)
    at.appliance.console = at.appliance.console.push(PickName(draft))
    at.wait(5)
    at.press(Button.OK)
    assert isinstance(at.appliance.console.page, Typing)
    for letter in "BO":
        at.appliance.console = advance(at.appliance.console, Typed(letter))[0]
    at.wait()
    at.press(Button.OK, Button.OK)
    names = ("PLAYER 1", "BO")
    assert (at.session.record.setup.players, at.session.record.log) == (names, lines)
    again = AtTable(tmp_path / "games", None)
    assert (again.session.record.setup.players, again.session.record.log) == (names, lines)
    assert again.session.record.state == at.session.record.state
    for _ in range(6):
        again.go_on()
    saved = again.journal.load(again.session.record.serial)
    assert (saved.players, len(saved.lines) > len(lines)) == (names, True)
    again.journal.verify()
    again.journal.close()
    journal, mended = open_and_mend(tmp_path / "games")
    journal.close()
    assert mended is None


def test_a_press_on_a_page_that_tells_changes_nothing_in_the_game() -> None:
    session = new_session(Setup("classic", ("ANNA", "BOB"), (("first", 0),)))
    for button in Button:
        service = FakeService(Console(session, settings=FRESH))
        service.happen(HINT, Pressed(button))
        assert replace(service.session, remark="") == session


def test_records_list_a_player_without_a_name_once() -> None:
    scores = [FinalScore("classic", "PLAYER 1", 200), FinalScore("classic", "SPIELER 1", 250)]
    assert best_scores(scores) == (FinalScore("classic", "PLAYER 1", 250),)
    with spoken("de"):
        assert best_scores(scores) == (FinalScore("classic", "SPIELER 1", 250),)
