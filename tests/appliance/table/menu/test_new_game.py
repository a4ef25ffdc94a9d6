"""Setting up a game step by step, with buttons or a keyboard."""

import pytest

from appliance.inputs import Pressed, Typed
from appliance.table.menu.asking import console_prompt
from appliance.table.menu.console import Console
from appliance.table.menu.name_entry import Entry
from appliance.table.menu.new_game import PickName, play_again
from appliance.table.menu.options import seat_option
from appliance.table.menu.prompting import ListPrompt, NamePrompt, RollOffPrompt
from appliance.table.menu.requests import BeginGame
from appliance.table.menu.settings import Settings
from appliance.table.prompts.turn import DicePrompt, ThrowPrompt
from appliance.table.session.session import Setup, new_session
from appliance.table.session.tray import TraySeen
from appliance.words import Label
from games.registry import GAMES
from tests.appliance.table.menu.fake_service import BACK, KNOWN, LEFT, MENU, OK, RIGHT, FakeService
from tests.builders import throw as dice
from vision.events import Found, TrayChanged
from vision.reading import TrayState


def test_a_fresh_appliance_begins_a_game_with_new_names() -> None:
    service = FakeService(Console())
    shown = console_prompt(service.console)
    assert shown == ListPrompt("MENU", ("NEW GAME",), 0, 7)
    service.choose("NEW GAME")
    service.choose("SHOWDOWN")
    service.choose("2 PLAYERS")
    service.choose("NEW NAME")
    service.type("EVE-1")
    service.choose("NEW NAME")
    service.type("O'DAN JR")
    service.choose("MOVE PAWN")
    service.choose("O'DAN JR")
    assert service.requests == [
        BeginGame(
            Setup(
                "showdown",
                ("EVE-1", "O'DAN JR"),
                (("first", 1), ("showdown_raise_continues", True)),
            )
        )
    ]
    shown = console_prompt(service.console)
    assert isinstance(shown, ThrowPrompt)
    assert shown.player == "O'DAN JR"
    assert service.console.settings.names == ("EVE-1", "O'DAN JR")


def test_what_was_played_last_is_shown_first() -> None:
    before = Setup("showdown", ("ANNA", "BOB"), (("showdown_raise_continues", True),))
    service = FakeService(Console(settings=Settings(("CLEO",)).with_game_begun(before)))
    service.press(OK)
    assert console_prompt(service.console) == ListPrompt(
        "WHICH GAME?", ("SHOWDOWN",), 2, len(GAMES)
    )
    service.press(OK)
    assert console_prompt(service.console) == ListPrompt("WHO PLAYS?", ("ANNA BOB",), 0, 4)
    service.press(OK)
    assert console_prompt(service.console) == ListPrompt("AFTER RAISE?", ("MOVE PAWN",), 1, 2)


@pytest.mark.parametrize(
    ("players", "game", "shown"),
    [
        (("A",), "showdown", "2 PLAYERS"),
        (("A", "B", "C", "D", "E", "F"), "showdown", "4 PLAYERS"),
        (("A",), "classic", "A"),
    ],
)
def test_where_the_same_players_cannot_play_the_nearest_number_is_shown(
    players: tuple[str, ...], game: str, shown: str
) -> None:
    service = FakeService(Console(settings=Settings().with_game_begun(Setup("classic", players))))
    service.press(OK)
    service.choose(Label(game))
    prompt = console_prompt(service.console)
    assert isinstance(prompt, ListPrompt)
    assert prompt.lines == (shown,)


def test_back_goes_one_step_back_everywhere() -> None:
    service = FakeService(Console(settings=KNOWN))
    for text in ("NEW GAME", "SHOWDOWN", "3 PLAYERS", "ANNA", "BOB", "NEW NAME"):
        service.choose(text)
    service.type("X")
    service.choose("STOP")
    service.choose("ROLL-OFF")
    service.happen(dice(3))
    assert service.press(BACK) == RollOffPrompt("ANNA", False, None, TrayState.EMPTY)
    service.press(BACK)
    titles = []
    for _ in range(12):
        shown = console_prompt(service.console)
        if isinstance(shown, ListPrompt):
            titles.append((shown.title, shown.lines))
        elif isinstance(shown, NamePrompt):
            titles.append(("typing", (shown.entry.text,)))
        if titles[-1][0] == "MENU":
            break
        service.press(BACK)
    assert titles == [
        ("WHO BEGINS?", ("ROLL-OFF",)),
        ("AFTER RAISE?", ("STOP",)),
        ("typing", ("X",)),
        ("typing", ("",)),
        ("PLAYER 3?", ("NEW NAME",)),
        ("PLAYER 2?", ("BOB",)),
        ("PLAYER 1?", ("ANNA",)),
        ("HOW MANY?", ("3 PLAYERS",)),
        ("WHICH GAME?", ("SHOWDOWN",)),
        ("MENU", ("NEW GAME",)),
    ]
    assert service.requests == []


def test_names_are_checked_where_they_are_entered() -> None:
    service = FakeService(Console(settings=KNOWN))
    for text in ("NEW GAME", "CLASSIC", "2 PLAYERS", "ANNA", "NEW NAME"):
        service.choose(text)
    assert service.type("") == NamePrompt(1, console_entry(service), "NO NAME")
    assert service.type(" ") == NamePrompt(1, console_entry(service), "NO NAME")
    shown = service.type("ANNA")
    assert isinstance(shown, NamePrompt)
    assert shown.remark == "TAKEN"
    assert service.press(BACK) == NamePrompt(1, Entry("ANN", "A"), "")
    shown = service.happen(Pressed(OK, long=True))
    assert isinstance(shown, ListPrompt)
    assert shown.title == "WHO BEGINS?"


def test_a_name_is_typed_where_there_is_a_keyboard() -> None:
    service = FakeService(Console(settings=KNOWN))
    service.happen(Typed("Q"))
    for text in ("NEW GAME", "CLASSIC", "2 PLAYERS"):
        service.choose(text)
    # Nobody is asked for a name yet.
    assert service.happen(Typed("Q")) == ListPrompt("PLAYER 1?", ("ANNA",), 0, 6)
    service.choose("NEW NAME")
    assert service.happen(Typed("\u0142u")) == NamePrompt(0, Entry("\u0141U", ""), "")
    assert service.happen(Typed("<k ")) == NamePrompt(0, Entry("\u0141UK ", ""), "")
    assert service.press(BACK, BACK) == NamePrompt(0, Entry("\u0141U", ""), "")
    service.happen(Typed("kasz"))
    shown = service.press(OK)
    assert isinstance(shown, ListPrompt)
    assert shown.title == "PLAYER 2?"
    service.choose("NEW NAME")
    for letter in "gr\u00fcndlicherr":
        service.happen(Typed(letter))
    service.happen(Typed("X"))
    service.press(OK)
    service.choose("GR\u00dcNDLICHERR")
    assert service.session.record.setup.players == ("\u0141UKASZ", "GR\u00dcNDLICHERR")


def test_typing_and_the_ring_can_be_mixed() -> None:
    service = FakeService(Console(settings=KNOWN))
    for text in ("NEW GAME", "CLASSIC", "1 PLAYER", "NEW NAME"):
        service.choose(text)
    service.press(OK)
    assert service.happen(Typed("be")) == NamePrompt(0, Entry("ABE", ""), "")
    # One step to the right of the end is A.
    assert service.press(RIGHT, OK) == NamePrompt(0, Entry("ABEA", "A"), "")
    assert service.press(BACK) == NamePrompt(0, Entry("ABE", "A"), "")
    assert service.press(BACK) == NamePrompt(0, Entry("AB", "E"), "")


def console_entry(service: FakeService) -> Entry:
    shown = console_prompt(service.console)
    assert isinstance(shown, NamePrompt)
    return shown.entry


def test_the_longest_name_leads_to_its_end() -> None:
    service = FakeService(Console(settings=KNOWN))
    for text in ("NEW GAME", "CLASSIC", "1 PLAYER", "NEW NAME"):
        service.choose(text)
    service.press(*[OK] * 12)
    shown = console_prompt(service.console)
    assert isinstance(shown, NamePrompt)
    assert (shown.entry.text, shown.entry.letter) == ("AAAAAAAAAAAA", "")
    service.press(RIGHT)
    service.press(OK)
    assert service.session.record.setup.players == ("AAAAAAAAAAAA",)


def test_a_name_taken_in_an_earlier_seat_is_not_offered_again() -> None:
    service = FakeService(Console(settings=KNOWN))
    for text in ("NEW GAME", "CLASSIC", "2 PLAYERS", "BOB"):
        service.choose(text)
    assert isinstance(service.console.page, PickName)
    shown = console_prompt(service.console)
    assert isinstance(shown, ListPrompt)
    assert (shown.lines, shown.count) == (("ANNA",), 4)


def test_a_throw_while_a_new_game_is_set_up_is_not_one_of_the_present_game() -> None:
    service = FakeService().play()
    service.happen(dice(1, 2, 3, 4, 6), MENU)
    service.choose("NEW GAME")
    service.press(OK)
    before = service.session
    service.happen(dice(6, 6, 6, 6, 6), Found(0, 0.0, dice(6, 6).dice), dice(1))
    assert service.session == before
    service.press(BACK, BACK, BACK)
    assert isinstance(console_prompt(service.console), DicePrompt)


@pytest.mark.parametrize(
    ("game", "first", "following"),
    [
        ("classic", "roll-off", "roll-off"),
        ("classic", 0, 1),
        ("showdown", 1, 0),
        ("holdem", 0, 1),
    ],
)
def test_the_next_player_begins_the_same_game_played_again(
    game: str, first: int | str, following: int | str
) -> None:
    option = seat_option(game)
    setup = Setup(game, ("ANNA", "BOB"), ((option, first),))
    asked = play_again(Console(session=new_session(setup, 7))).requests
    (begins,) = asked
    assert isinstance(begins, BeginGame)
    assert begins.after == 7
    assert begins.setup.players == ("ANNA", "BOB")
    assert dict(begins.setup.options)[option] == following
    new_session(begins.setup)


def test_numbers_of_a_rule_are_listed_in_rising_order_from_the_default() -> None:
    service = FakeService(Console(settings=KNOWN))
    service.happen(MENU)
    service.choose("NEW GAME")
    service.choose("HOLD'EM")
    shown = service.choose("ANNA BOB")
    assert shown == ListPrompt("CHIPS EACH?", ("300",), 5, 10)
    assert service.press(LEFT) == ListPrompt("CHIPS EACH?", ("250",), 4, 10)
    assert service.press(RIGHT, RIGHT) == ListPrompt("CHIPS EACH?", ("400",), 6, 10)


def test_a_new_game_knows_what_lies_in_the_tray() -> None:
    service = FakeService()
    service.happen(TrayChanged(0, 0.0, TrayState.STILL), dice(1, 2, 3, 4, 5))
    service.play()
    assert service.session.tray == TraySeen(TrayState.STILL, 5)
