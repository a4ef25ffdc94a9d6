"""The desk: everything around the games with buttons alone, requests carried out in memory."""

from dataclasses import dataclass, field, replace

import pytest

from appliance.inputs import SHUT_DOWN, Button, Pressed
from appliance.rules.game import Rolled
from appliance.rules.registry import GAMES
from appliance.table.menu.console import Aside, Desk, Notice, Waited, opened, refused, told, welcome
from appliance.table.menu.main_menu import GoodBye, Menu, Off
from appliance.table.menu.name_entry import Entry
from appliance.table.menu.new_game import PickName
from appliance.table.menu.prompting import (
    BrightnessPrompt,
    DeskPrompt,
    ListPrompt,
    NamePrompt,
    NoticePrompt,
    QuestionPrompt,
    RollOffPrompt,
    desk_prompt,
)
from appliance.table.menu.requests import (
    BeginGame,
    Calibrate,
    LookAround,
    OpenGame,
    Remember,
    Request,
    SetBrightness,
    ShutDown,
)
from appliance.table.menu.settings import Settings
from appliance.table.menu.step import Happening, advance
from appliance.table.prompts import (
    CountPrompt,
    DicePrompt,
    OverPrompt,
    SheetPrompt,
    TellPrompt,
    ThrowPrompt,
)
from appliance.table.session.session import Session, Setup, new_session
from tests.builders import throw as dice
from vision.events import Cleared, Found, TrayChanged
from vision.reading import DieState, TrayState

OK, BACK, LEFT, RIGHT = Button.OK, Button.BACK, Button.LEFT, Button.RIGHT
MENU = Pressed(OK, long=True)
KNOWN = Settings(("ANNA", "BOB"), (Setup("classic", ("ANNA", "BOB")),))


@dataclass
class House:
    """Does what the desk wants as the service does, and keeps games in a list."""

    desk: Desk = field(default_factory=lambda: Desk(settings=KNOWN))
    saved: dict[int, Session] = field(default_factory=dict)
    requests: list[Request] = field(default_factory=list)

    def happen(self, *happened: Happening) -> DeskPrompt:
        for one in happened:
            desk, requests = advance(self.desk, one)
            assert desk.requests == ()
            self.requests += requests
            for request in requests:
                desk = self.carry_out(desk, request)
            self.desk = desk
            if desk.session is not None:
                self.saved[desk.session.serial] = desk.session
        return desk_prompt(self.desk)

    def press(self, *buttons: Button) -> DeskPrompt:
        return self.happen(*(Pressed(b) for b in buttons))

    def carry_out(self, desk: Desk, request: Request) -> Desk:
        match request:
            case BeginGame(setup):
                session = new_session(setup, len(self.saved) + 1)
                desk = replace(desk, settings=desk.settings.begun(setup))
                return self.with_aside(opened(desk, session))
            case OpenGame(number):
                session = self.saved[number]
                return self.with_aside(opened(desk, session, welcome(session, "GOES ON")))
            case LookAround():
                return told(desk, (("SOFTWARE", "1"), ("FIRMWARE", "2")))
            case _:
                return desk

    def with_aside(self, desk: Desk) -> Desk:
        present = desk.session.serial if desk.session else None
        asides = [
            Aside(n, s.setup.game, s.setup.players)
            for n, s in self.saved.items()
            if n != present and s.log and s.rules.ask(s.state) is not None
        ]
        return replace(desk, aside=tuple(reversed(asides)))

    def choose(self, text: str) -> DeskPrompt:
        """Goes through the list with RIGHT until this is shown, and takes it."""
        for _ in range(60):
            shown = desk_prompt(self.desk)
            assert isinstance(shown, ListPrompt), shown
            if " ".join(shown.lines) == text:
                return self.press(OK)
            self.press(RIGHT)
        raise AssertionError(f"{text} is not in the list")

    def type(self, name: str) -> DeskPrompt:
        """Enters a name letter by letter and finishes it with END."""
        for letter in name:
            self.turn_to(letter)
            self.press(OK)
        self.turn_to("")
        return self.press(OK)

    def turn_to(self, letter: str) -> None:
        for _ in range(60):
            shown = desk_prompt(self.desk)
            assert isinstance(shown, NamePrompt), shown
            if shown.entry.letter == letter:
                return
            self.press(RIGHT)
        raise AssertionError(f"{letter!r} is not in the ring")

    def aside(self) -> list[Aside]:
        return list(self.desk.aside)

    @property
    def session(self) -> Session:
        assert self.desk.session is not None
        return self.desk.session

    def play(self, game: str = "CLASSIC") -> "House":
        """Begins a game of the last players, the first of whom begins."""
        if self.desk.session is not None:
            self.happen(MENU)
        for text in ("NEW GAME", game, "ANNA BOB"):
            self.choose(text)
            if isinstance(desk_prompt(self.desk), QuestionPrompt):
                self.press(OK)
        while (shown := desk_prompt(self.desk)) and isinstance(shown, ListPrompt):
            who = shown.title in ("WHO BEGINS?", "WHO DEALS?")
            self.press(*((RIGHT, OK) if who else (OK,)))
        return self


def test_a_fresh_appliance_begins_a_game_with_new_names() -> None:
    house = House(Desk())
    shown = desk_prompt(house.desk)
    assert shown == ListPrompt("MENU", ("NEW GAME",), 0, 4)
    house.choose("NEW GAME")
    house.choose("SHOWDOWN")
    house.choose("2 PLAYERS")
    house.choose("NEW NAME")
    house.type("EVE-1")
    house.choose("NEW NAME")
    house.type("O'DAN JR")
    house.choose("MOVE ON")
    house.choose("O'DAN JR")
    assert house.requests == [
        BeginGame(
            Setup(
                "showdown",
                ("EVE-1", "O'DAN JR"),
                (("first", 1), ("showdown_raise_continues", True)),
            )
        )
    ]
    shown = desk_prompt(house.desk)
    assert isinstance(shown, ThrowPrompt)
    assert shown.player == "O'DAN JR"
    assert house.desk.settings.names == ("EVE-1", "O'DAN JR")


def test_what_was_played_last_is_shown_first() -> None:
    before = Setup("showdown", ("ANNA", "BOB"), (("showdown_raise_continues", True),))
    house = House(Desk(settings=Settings(("CLEO",)).begun(before)))
    house.press(OK)
    assert desk_prompt(house.desk) == ListPrompt("WHICH GAME?", ("SHOWDOWN",), 2, 5)
    house.press(OK)
    assert desk_prompt(house.desk) == ListPrompt("WHO PLAYS?", ("ANNA BOB",), 0, 4)
    house.press(OK)
    assert desk_prompt(house.desk) == ListPrompt("AFTER RAISE?", ("MOVE ON",), 1, 2)


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
    house = House(Desk(settings=Settings().begun(Setup("classic", players))))
    house.press(OK)
    house.choose(GAMES[game].TITLE)
    prompt = desk_prompt(house.desk)
    assert isinstance(prompt, ListPrompt)
    assert prompt.lines == (shown,)


def test_back_goes_one_step_back_everywhere() -> None:
    house = House(Desk(settings=KNOWN))
    for text in ("NEW GAME", "SHOWDOWN", "3 PLAYERS", "ANNA", "BOB", "NEW NAME"):
        house.choose(text)
    house.type("X")
    house.choose("STOP")
    house.choose("ROLL-OFF")
    house.happen(dice(3))
    assert house.press(BACK) == RollOffPrompt("ANNA", False, None, TrayState.EMPTY)
    house.press(BACK)
    titles = []
    for _ in range(12):
        shown = desk_prompt(house.desk)
        if isinstance(shown, ListPrompt):
            titles.append((shown.title, shown.lines))
        elif isinstance(shown, NamePrompt):
            titles.append(("typing", (shown.entry.text,)))
        if titles[-1][0] == "MENU":
            break
        house.press(BACK)
    assert titles == [
        ("WHO BEGINS?", ("ROLL-OFF",)),
        ("AFTER RAISE?", ("STOP",)),
        ("typing", ("X",)),
        ("typing", ("",)),
        ("PLAYER 3?", ("NEW NAME",)),
        ("PLAYER 2?", ("BOB",)),
        ("PLAYER 1?", ("ANNA",)),
        ("WHO PLAYS?", ("3 PLAYERS",)),
        ("WHICH GAME?", ("SHOWDOWN",)),
        ("MENU", ("NEW GAME",)),
    ]
    assert house.requests == []


def test_names_are_checked_where_they_are_entered() -> None:
    house = House(Desk(settings=KNOWN))
    for text in ("NEW GAME", "CLASSIC", "2 PLAYERS", "ANNA", "NEW NAME"):
        house.choose(text)
    assert house.type("") == NamePrompt(1, desk_entry(house), "NO NAME")
    assert house.type(" ") == NamePrompt(1, desk_entry(house), "NO NAME")
    shown = house.type("ANNA")
    assert isinstance(shown, NamePrompt)
    assert shown.remark == "TAKEN"
    assert house.press(BACK) == NamePrompt(1, Entry("ANN", "A"), "")
    shown = house.happen(Pressed(OK, long=True))
    assert isinstance(shown, ListPrompt)
    assert shown.title == "WHO BEGINS?"


def desk_entry(house: House) -> Entry:
    shown = desk_prompt(house.desk)
    assert isinstance(shown, NamePrompt)
    return shown.entry


def test_the_longest_name_leads_to_its_end() -> None:
    house = House(Desk(settings=KNOWN))
    for text in ("NEW GAME", "CLASSIC", "1 PLAYER", "NEW NAME"):
        house.choose(text)
    house.press(*[OK] * 8)
    shown = desk_prompt(house.desk)
    assert isinstance(shown, NamePrompt)
    assert (shown.entry.text, shown.entry.letter) == ("AAAAAAAA", "")
    house.press(RIGHT)
    house.press(OK)
    assert house.session.setup.players == ("AAAAAAAA",)


def test_a_name_taken_in_an_earlier_seat_is_not_offered_again() -> None:
    house = House(Desk(settings=KNOWN))
    for text in ("NEW GAME", "CLASSIC", "2 PLAYERS", "BOB"):
        house.choose(text)
    assert isinstance(house.desk.page, PickName)
    shown = desk_prompt(house.desk)
    assert isinstance(shown, ListPrompt)
    assert (shown.lines, shown.count) == (("ANNA",), 2)


@pytest.mark.parametrize("game", ["classic", "power", "holdem"])
def test_a_game_with_a_roll_off_of_its_own_has_no_second_one(game: str) -> None:
    house = House(Desk(settings=KNOWN))
    for text in ("NEW GAME", GAMES[game].TITLE, "ANNA BOB"):
        house.choose(text)
    while not isinstance(shown := house.press(OK), ThrowPrompt | CountPrompt):
        assert isinstance(shown, ListPrompt), shown
    begun = house.requests[-1]
    assert isinstance(begun, BeginGame)
    assert "roll-off" in dict(begun.setup.options).values()
    assert isinstance(shown, ThrowPrompt)
    assert shown.purpose in ("WHO BEGINS", "WHO DEALS")


@pytest.mark.parametrize("game", ["showdown", "free-for-all"])
def test_a_roll_off_in_the_tray_decides_who_begins(game: str) -> None:
    house = House(Desk(settings=KNOWN))
    for text in ("NEW GAME", GAMES[game].TITLE, "ANNA BOB"):
        house.choose(text)
    while not isinstance(shown := house.press(OK), RollOffPrompt):
        assert isinstance(shown, ListPrompt), shown
    assert shown == RollOffPrompt("ANNA", False, None, TrayState.EMPTY)
    assert house.happen(dice(4)) == RollOffPrompt("BOB", False, ("ANNA", 4), TrayState.EMPTY)
    # Two dice at once, a doubtful die, then a tie.
    assert house.happen(dice(4, 2, 3)) == CountPrompt("BOB", 3, 1)
    shown = house.happen(dice(4, 3, new=[1], state=DieState.UNSURE))
    assert isinstance(shown, TellPrompt)
    assert (shown.name, shown.face) == ("BOB", 3)
    house.press(RIGHT)
    assert house.press(OK) == RollOffPrompt("ANNA", True, ("BOB", 4), TrayState.EMPTY)
    house.happen(dice(1))
    house.happen(dice(1, 6, new=[1]))
    begun = house.requests[-1]
    assert isinstance(begun, BeginGame)
    assert dict(begun.setup.options)["first"] == 1
    assert not house.session.events or house.session.events[0] != Rolled((6,))


def test_a_roll_off_can_be_told_and_taken_back_with_buttons() -> None:
    house = House(Desk(settings=KNOWN))
    for text in ("NEW GAME", "SHOWDOWN", "ANNA BOB", "STOP", "ROLL-OFF"):
        house.choose(text)
    house.press(OK, LEFT, OK)
    assert desk_prompt(house.desk) == RollOffPrompt("BOB", False, ("ANNA", 6), TrayState.EMPTY)
    house.press(OK, BACK)
    assert isinstance(desk_prompt(house.desk), RollOffPrompt)
    house.press(BACK)
    assert desk_prompt(house.desk) == RollOffPrompt("ANNA", False, None, TrayState.EMPTY)
    house.press(OK, OK, OK, RIGHT, OK)
    assert dict(house.session.setup.options)["first"] == 1


def test_the_menu_leads_back_to_the_game_as_it_was() -> None:
    house = House().play()
    house.happen(dice(1, 2, 3, 4, 6), Pressed(Button.HOLD1))
    before = house.session
    for item in ("SCORES", "BRIGHTNESS", "RULES", "ABOUT", "SHUT DOWN"):
        house.happen(MENU)
        house.choose(item)
        house.press(RIGHT, LEFT, BACK)
        house.press(BACK)
        assert house.session == before
        assert isinstance(desk_prompt(house.desk), DicePrompt)
    house.happen(MENU)
    house.choose("GO ON")
    assert house.session == before
    house.happen(MENU, MENU)
    assert house.session == before
    assert not any(isinstance(r, ShutDown | BeginGame) for r in house.requests[1:])


def test_a_question_about_a_throw_waits_below_the_menu() -> None:
    house = House().play()
    shown = house.happen(dice(1, 2, 3))
    assert isinstance(shown, CountPrompt)
    house.happen(MENU)
    house.choose("SCORES")
    assert isinstance(desk_prompt(house.desk), SheetPrompt)
    house.press(OK, RIGHT, BACK, BACK)
    assert desk_prompt(house.desk) == shown


def test_the_sheets_of_all_players_can_be_looked_at() -> None:
    house = House().play()
    house.happen(MENU)
    house.choose("SCORES")
    names = set()
    for _ in range(4):
        shown = desk_prompt(house.desk)
        assert isinstance(shown, SheetPrompt)
        names.add(shown.player)
        house.press(OK)
    assert names == {"ANNA", "BOB"}


def test_a_throw_closes_the_menu_and_counts() -> None:
    house = House().play()
    house.happen(MENU)
    house.choose("BRIGHTNESS")
    shown = house.happen(dice(1, 2, 3, 4, 6))
    assert isinstance(shown, DicePrompt)
    assert house.session.events == (Rolled((1, 2, 3, 4, 6)),)


def test_a_throw_while_a_new_game_is_set_up_is_not_one_of_the_present_game() -> None:
    house = House().play()
    house.happen(dice(1, 2, 3, 4, 6), MENU)
    house.choose("NEW GAME")
    house.press(OK)
    before = house.session
    house.happen(dice(6, 6, 6, 6, 6), Found(0, 0.0, dice(6, 6).dice), dice(1))
    assert house.session == before
    house.press(BACK, BACK, BACK)
    assert isinstance(desk_prompt(house.desk), DicePrompt)


def test_a_new_game_keeps_the_present_one_which_goes_on_later() -> None:
    house = House().play()
    house.happen(dice(1, 2, 3, 4, 6))
    first = house.session
    house.happen(MENU)
    assert house.choose("NEW GAME") == QuestionPrompt("NEW GAME?", ("THIS GAME", "IS KEPT"))
    house.press(BACK, BACK)
    assert house.session == first
    house.play("POWER")
    assert house.session.setup.game == "power"
    assert house.aside() == [Aside(1, "classic", ("ANNA", "BOB"))]
    house.happen(MENU)
    house.choose("OLD GAMES")
    assert desk_prompt(house.desk) == ListPrompt("CLASSIC", ("ANNA BOB",), 0, 1)
    shown = house.press(OK)
    assert shown == NoticePrompt((("GOES ON", "CLASSIC"), ("ANNA", "YOUR TURN")))
    assert house.session.events == first.events
    # Nothing was played in the other one, so there is nothing to go on with.
    assert house.aside() == []
    assert isinstance(house.happen(Waited()), DicePrompt)


def test_the_end_of_a_game_offers_another_one() -> None:
    house = House(Desk(settings=Settings().begun(Setup("classic", ("ANNA",)))))
    house.press(OK, OK, OK)
    for _ in range(13):
        house.happen(dice(6, 6, 6, 6, 6), Cleared(0, 0.0))
        rolled = house.session.events
        house.press(OK, OK)
        if house.session.events == rolled:
            # A zero is confirmed.
            house.press(OK)
    assert isinstance(desk_prompt(house.desk), OverPrompt)
    shown = house.press(OK)
    assert isinstance(shown, ListPrompt)
    assert shown.lines == ("PLAY AGAIN",)
    house.press(BACK)
    assert isinstance(desk_prompt(house.desk), OverPrompt)
    house.press(OK, OK)
    assert house.session.serial == 2
    assert house.session.setup.players == ("ANNA",)
    assert house.session.events == ()


def test_brightness_is_live_and_remembered() -> None:
    house = House().play()
    house.requests.clear()
    house.happen(MENU)
    house.choose("BRIGHTNESS")
    assert house.press(RIGHT, RIGHT) == BrightnessPrompt(5)
    assert [r for r in house.requests if isinstance(r, SetBrightness)] == [
        SetBrightness(4),
        SetBrightness(5),
    ]
    house.press(OK)
    kept = house.requests[-1]
    assert isinstance(kept, Remember)
    assert kept.settings.brightness == 5
    house.choose("BRIGHTNESS")
    assert house.press(*[LEFT] * 20) == BrightnessPrompt(0)
    house.press(BACK)
    assert house.requests[-2] == SetBrightness(5)
    assert house.desk.settings.brightness == 5
    house.choose("BRIGHTNESS")
    assert house.press(*[RIGHT] * 20) == BrightnessPrompt(15)


def test_rules_are_shown_and_changed_for_the_next_game() -> None:
    house = House(Desk(settings=KNOWN)).play("SHOWDOWN")
    house.happen(MENU)
    shown = house.choose("RULES")
    assert shown == ListPrompt("WHO BEGINS", ("ANNA",), 0, 2, "")
    assert house.press(RIGHT) == ListPrompt("AFTER RAISE", ("NOW STOP",), 1, 2)
    shown = house.press(OK)
    assert shown == ListPrompt("AFTER RAISE", ("NOW STOP", "NEXT MOVE ON"), 1, 2)
    assert isinstance(house.requests[-1], Remember)
    house.press(BACK)
    house.choose("NEW GAME")
    house.choose("SHOWDOWN")
    shown = house.choose("ANNA BOB")
    assert shown == ListPrompt("AFTER RAISE?", ("MOVE ON",), 1, 2)


def test_about_is_asked_for_and_told() -> None:
    house = House()
    shown = house.choose("ABOUT")
    assert shown == ListPrompt("SOFTWARE", ("1",), 0, 2, "")
    assert house.press(RIGHT) == ListPrompt("FIRMWARE", ("2",), 1, 2, "")
    assert house.requests == [LookAround(), LookAround()]


def test_calibration_is_called_where_there_is_one() -> None:
    house = House(Desk(settings=KNOWN, can_calibrate=True))
    house.choose("CALIBRATE")
    assert house.requests == [Calibrate()]


@pytest.mark.parametrize("deep", [False, True])
def test_left_and_right_together_shut_down_from_anywhere(deep: bool) -> None:
    house = House().play()
    if deep:
        house.happen(MENU)
        house.choose("NEW GAME")
    shown = house.happen(SHUT_DOWN)
    assert shown == QuestionPrompt("SHUT DOWN?")
    before = house.desk.pages[:-1]
    house.happen(SHUT_DOWN)
    house.press(BACK)
    assert house.desk.pages == before
    house.happen(SHUT_DOWN)
    house.press(OK)
    assert house.requests[-1] == ShutDown()
    assert isinstance(house.desk.page, GoodBye)
    house.press(*Button)
    assert isinstance(house.desk.page, GoodBye)
    assert house.requests.count(ShutDown()) == 1


def test_a_shut_down_that_is_refused_leads_back() -> None:
    house = House().play()
    house.happen(SHUT_DOWN)
    house.press(OK)
    house.desk = refused(house.desk, "CANNOT", "SHUT DOWN")
    assert desk_prompt(house.desk) == NoticePrompt((("CANNOT", "SHUT DOWN"),))
    assert isinstance(house.happen(Waited()), ThrowPrompt)


def test_a_notice_over_the_game_is_in_nobodys_way_and_one_over_a_page_is_read_first() -> None:
    house = House().play()
    house.happen(dice(1, 2, 3, 4, 6))
    house.desk = replace(house.desk, notice=Notice((("WELCOME", "BACK"),)))
    house.happen(TrayChanged(0, 0.0, TrayState.STILL))
    assert isinstance(desk_prompt(house.desk), NoticePrompt)
    house.press(Button.HOLD2)
    assert house.session.holds == {1}
    house.happen(MENU)
    house.desk = replace(house.desk, notice=Notice((("GAME 3", "IS DAMAGED"),)))
    house.press(OK)
    assert house.desk.page == Menu(0)
    house.desk = replace(house.desk, notice=Notice((("WELCOME", "BACK"),)))
    house.happen(TrayChanged(0, 0.0, TrayState.HAND))
    assert house.desk.notice is None


def test_a_new_game_knows_what_lies_in_the_tray() -> None:
    house = House()
    house.happen(TrayChanged(0, 0.0, TrayState.STILL), dice(1, 2, 3, 4, 5))
    house.play()
    assert (house.session.tray, house.session.lying) == (TrayState.STILL, 5)


def test_shutting_down_is_asked_about_once() -> None:
    house = House()
    house.happen(SHUT_DOWN, SHUT_DOWN)
    assert [type(p) for p in house.desk.pages] == [Menu, Off]
