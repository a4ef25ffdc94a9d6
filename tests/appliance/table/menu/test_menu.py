"""The console: everything around the games with buttons alone, requests carried out in memory."""

from dataclasses import dataclass, field, replace

import pytest

from appliance.inputs import SHUT_DOWN, Button, Pressed, Typed
from appliance.rules.game import Rolled
from appliance.rules.registry import GAMES
from appliance.table.menu import main_menu
from appliance.table.menu.asking import console_prompt
from appliance.table.menu.console import (
    Aside,
    Console,
    Equipment,
    GamesKept,
    Notice,
    Waited,
    open_session,
    resume_notice,
    with_refusal,
)
from appliance.table.menu.final_scores import FinalScore, best_scores
from appliance.table.menu.main_menu import GoodBye, Menu, Off, OtherDice, Records
from appliance.table.menu.name_entry import Entry
from appliance.table.menu.new_game import PickName, play_again
from appliance.table.menu.options import seat_option
from appliance.table.menu.prompting import (
    BrightnessPrompt,
    ListPrompt,
    NamePrompt,
    NoticePrompt,
    QuestionPrompt,
    RollOffPrompt,
)
from appliance.table.menu.requests import (
    AnswerDice,
    BeginGame,
    Calibrate,
    NamePlayer,
    OpenGame,
    Remember,
    Request,
    SetBrightness,
    ShowAbout,
    ShutDown,
)
from appliance.table.menu.settings import Settings
from appliance.table.menu.step import Happening, advance
from appliance.table.prompts import (
    CountPrompt,
    DicePrompt,
    FacePrompt,
    OverPrompt,
    Prompt,
    SheetPrompt,
    ThrowPrompt,
)
from appliance.table.session.recording import with_player_named
from appliance.table.session.session import Session, Setup, new_session
from appliance.table.session.tray import TraySeen
from appliance.words import Label
from tests.builders import throw as dice
from vision.events import Cleared, Found, TrayChanged
from vision.reading import DieState, TrayState

OK, BACK, LEFT, RIGHT = Button.OK, Button.BACK, Button.LEFT, Button.RIGHT
MENU = Pressed(OK, long=True)
KNOWN = Settings(("ANNA", "BOB"), (Setup("classic", ("ANNA", "BOB")),))


@dataclass
class FakeService:
    """Carries out the console's requests as the service does, and keeps games in a dictionary."""

    console: Console = field(default_factory=lambda: Console(settings=KNOWN))
    saved: dict[int, Session] = field(default_factory=dict)
    requests: list[Request] = field(default_factory=list)

    def happen(self, *happened: Happening) -> Prompt:
        for one in happened:
            console, requests = advance(self.console, one)
            assert console.requests == ()
            self.requests += requests
            for request in requests:
                console = self.carry_out(console, request)
            self.console = console
            if console.session is not None:
                self.saved[console.session.record.serial] = console.session
        return console_prompt(self.console)

    def press(self, *buttons: Button) -> Prompt:
        return self.happen(*(Pressed(b) for b in buttons))

    def carry_out(self, console: Console, request: Request) -> Console:
        match request:
            case BeginGame(setup, after):
                session = new_session(setup, len(self.saved) + 1)
                settings = console.settings.with_game_begun(setup)
                kept = replace(console.kept, ended=after)
                console = replace(console, settings=settings, kept=kept)
                return self.with_aside(open_session(console, session))
            case OpenGame(number):
                session = self.saved[number]
                notice = resume_notice(session, "GOES ON")
                return self.with_aside(open_session(console, session, notice))
            case NamePlayer(seat, name) if console.session is not None:
                return replace(console, session=with_player_named(console.session, seat, name))
            case ShowAbout():
                return replace(
                    console, equipment=Equipment(about=(("SOFTWARE", "1"), ("FIRMWARE", "2")))
                )
            case _:
                return console

    def with_aside(self, console: Console) -> Console:
        present = console.session.record.serial if console.session else None
        asides = [
            Aside(n, s.record.setup.game, s.record.setup.players)
            for n, s in self.saved.items()
            if n != present and s.record.log and s.record.ask is not None
        ]
        return replace(console, kept=replace(console.kept, aside=tuple(reversed(asides))))

    def choose(self, text: str) -> Prompt:
        """Goes through the list with RIGHT until this is shown, and selects it."""
        for _ in range(60):
            shown = console_prompt(self.console)
            assert isinstance(shown, ListPrompt), shown
            if " ".join(shown.lines) == text:
                return self.press(OK)
            self.press(RIGHT)
        raise AssertionError(f"{text} is not in the list")

    def type(self, name: str) -> Prompt:
        """Enters a name letter by letter and finishes it with END."""
        for letter in name:
            self.turn_to(letter)
            self.press(OK)
        self.turn_to("")
        return self.press(OK)

    def turn_to(self, letter: str) -> None:
        for _ in range(60):
            shown = console_prompt(self.console)
            assert isinstance(shown, NamePrompt), shown
            if shown.entry.letter == letter:
                return
            self.press(RIGHT)
        raise AssertionError(f"{letter!r} is not in the ring")

    def aside(self) -> list[Aside]:
        return list(self.console.kept.aside)

    @property
    def session(self) -> Session:
        assert self.console.session is not None
        return self.console.session

    def play(self, game: str = "CLASSIC") -> "FakeService":
        """Begins a game with the last players, the first of whom begins."""
        if self.console.session is not None:
            self.happen(MENU)
        for text in ("NEW GAME", game, "ANNA BOB"):
            self.choose(text)
            if isinstance(console_prompt(self.console), QuestionPrompt):
                self.press(OK)
        while (shown := console_prompt(self.console)) and isinstance(shown, ListPrompt):
            who = shown.title in ("WHO BEGINS?", "WHO DEALS?")
            self.press(*((RIGHT, OK) if who else (OK,)))
        return self


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
    service.choose("MOVE ON")
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
    assert console_prompt(service.console) == ListPrompt("AFTER RAISE?", ("MOVE ON",), 1, 2)


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


@pytest.mark.parametrize("game", ["classic", "power", "holdem"])
def test_a_game_with_a_roll_off_of_its_own_has_no_second_one(game: str) -> None:
    service = FakeService(Console(settings=KNOWN))
    for text in ("NEW GAME", Label(game), "ANNA BOB"):
        service.choose(text)
    while not isinstance(shown := service.press(OK), ThrowPrompt | CountPrompt):
        assert isinstance(shown, ListPrompt), shown
    begun = service.requests[-1]
    assert isinstance(begun, BeginGame)
    assert "roll-off" in dict(begun.setup.options).values()
    assert isinstance(shown, ThrowPrompt)
    assert shown.purpose in ("WHO BEGINS", "WHO DEALS")


@pytest.mark.parametrize("game", ["showdown", "free-for-all"])
def test_a_roll_off_in_the_tray_decides_who_begins(game: str) -> None:
    service = FakeService(Console(settings=KNOWN))
    for text in ("NEW GAME", Label(game), "ANNA BOB"):
        service.choose(text)
    while not isinstance(shown := service.press(OK), RollOffPrompt):
        assert isinstance(shown, ListPrompt), shown
    assert shown == RollOffPrompt("ANNA", False, None, TrayState.EMPTY)
    assert service.happen(dice(4)) == RollOffPrompt("BOB", False, ("ANNA", 4), TrayState.EMPTY)
    # Two dice at once, a doubtful die, then a tie.
    assert service.happen(dice(4, 2, 3)) == CountPrompt("BOB", 3, 1)
    shown = service.happen(dice(4, 3, new=[1], state=DieState.UNSURE))
    assert isinstance(shown, FacePrompt)
    assert (shown.name, shown.face, shown.state) == ("BOB", 3, DieState.UNSURE)
    service.press(RIGHT)
    assert service.press(OK) == RollOffPrompt("ANNA", True, ("BOB", 4), TrayState.EMPTY)
    service.happen(dice(1))
    service.happen(dice(1, 6, new=[1]))
    begun = service.requests[-1]
    assert isinstance(begun, BeginGame)
    assert dict(begun.setup.options)["first"] == 1
    assert not service.session.record.events or service.session.record.events[0] != Rolled((6,))


def test_a_roll_off_can_be_entered_and_taken_back_with_buttons() -> None:
    service = FakeService(Console(settings=KNOWN))
    for text in ("NEW GAME", "SHOWDOWN", "ANNA BOB", "STOP", "ROLL-OFF"):
        service.choose(text)
    service.press(OK, LEFT, OK)
    assert console_prompt(service.console) == RollOffPrompt(
        "BOB", False, ("ANNA", 6), TrayState.EMPTY
    )
    service.press(OK)
    entered = console_prompt(service.console)
    assert isinstance(entered, FacePrompt)
    assert entered.state is None, "nobody says that it is unsure"
    service.press(BACK)
    assert isinstance(console_prompt(service.console), RollOffPrompt)
    service.press(BACK)
    assert console_prompt(service.console) == RollOffPrompt("ANNA", False, None, TrayState.EMPTY)
    service.press(OK, OK, OK)
    open_question = console_prompt(service.console)
    assert isinstance(open_question, FacePrompt)
    assert open_question.face is None, "OK cannot count what nobody has said"
    service.press(RIGHT, OK, OK, RIGHT, RIGHT, OK)
    assert dict(service.session.record.setup.options)["first"] == 1


def test_the_menu_leads_back_to_the_game_as_it_was() -> None:
    service = FakeService().play()
    service.happen(dice(1, 2, 3, 4, 6), Pressed(Button.HOLD1))
    before = service.session
    for item in ("SCORES", "BRIGHTNESS", "RULES", "ABOUT", "SHUT DOWN"):
        service.happen(MENU)
        service.choose(item)
        service.press(RIGHT, LEFT, BACK)
        service.press(BACK)
        assert service.session == before
        assert isinstance(console_prompt(service.console), DicePrompt)
    service.happen(MENU)
    service.choose("GO ON")
    assert service.session == before
    service.happen(MENU, MENU)
    assert service.session == before
    assert not any(isinstance(r, ShutDown | BeginGame) for r in service.requests[1:])


def test_a_question_about_a_throw_waits_below_the_menu() -> None:
    service = FakeService().play()
    shown = service.happen(dice(1, 2, 3))
    assert isinstance(shown, CountPrompt)
    service.happen(MENU)
    service.choose("SCORES")
    assert isinstance(console_prompt(service.console), SheetPrompt)
    service.press(OK, RIGHT, BACK, BACK)
    assert console_prompt(service.console) == shown


def test_the_sheets_of_all_players_can_be_looked_at() -> None:
    service = FakeService().play()
    service.happen(MENU)
    service.choose("SCORES")
    names = set()
    for _ in range(4):
        shown = console_prompt(service.console)
        assert isinstance(shown, SheetPrompt)
        names.add(shown.player)
        service.press(OK)
    assert names == {"ANNA", "BOB"}


def test_a_throw_closes_the_menu_and_counts() -> None:
    service = FakeService().play()
    service.happen(MENU)
    service.choose("BRIGHTNESS")
    shown = service.happen(dice(1, 2, 3, 4, 6))
    assert isinstance(shown, DicePrompt)
    assert service.session.record.events == (Rolled((1, 2, 3, 4, 6)),)


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


def test_a_new_game_keeps_the_present_one_which_goes_on_later() -> None:
    service = FakeService().play()
    service.happen(dice(1, 2, 3, 4, 6))
    first = service.session
    service.happen(MENU)
    assert service.choose("NEW GAME") == QuestionPrompt("NEW GAME?", ("THIS GAME", "IS KEPT"))
    service.press(BACK, BACK)
    assert service.session == first
    service.play("POWER")
    assert service.session.record.setup.game == "power"
    assert service.aside() == [Aside(1, "classic", ("ANNA", "BOB"))]
    service.happen(MENU)
    service.choose("OLD GAMES")
    assert console_prompt(service.console) == ListPrompt("CLASSIC", ("ANNA BOB",), 0, 1)
    shown = service.press(OK)
    assert shown == NoticePrompt((("GOES ON", "CLASSIC"), ("ANNA", "YOUR TURN")))
    assert service.session.record.events == first.record.events
    # Nothing was played in the other one, so there is nothing to resume.
    assert service.aside() == []
    assert isinstance(service.happen(Waited()), DicePrompt)


def test_the_end_of_a_game_offers_another_one() -> None:
    service = FakeService(Console(settings=Settings().with_game_begun(Setup("classic", ("ANNA",)))))
    service.press(OK, OK, OK)
    for _ in range(13):
        service.happen(dice(6, 6, 6, 6, 6), Cleared(0, 0.0))
        rolled = service.session.record.events
        service.press(OK, OK)
        if service.session.record.events == rolled:
            # A zero has to be confirmed.
            service.press(OK)
    assert isinstance(console_prompt(service.console), OverPrompt)
    shown = service.happen(MENU)
    assert isinstance(shown, ListPrompt)
    assert shown.lines == ("PLAY AGAIN",)
    service.press(BACK)
    assert isinstance(console_prompt(service.console), OverPrompt)
    assert service.press(OK) == QuestionPrompt("PLAY AGAIN?")
    assert isinstance(service.press(BACK), OverPrompt)
    service.press(OK, OK)
    assert service.session.record.serial == 2
    assert service.session.record.setup.players == ("ANNA",)
    assert service.session.record.events == ()
    # One press too many loses nothing: BACK leads to the end of the previous game.
    service.press(BACK)
    assert service.session.record.serial == 1
    assert service.console.over
    # The first press takes the notice away.
    service.press(OK, OK, OK)
    service.happen(dice(6, 6, 6, 6, 6))
    service.press(BACK)
    assert service.session.record.serial == 3


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


def test_records_are_the_best_of_each_game_and_player() -> None:
    scores = (
        FinalScore("power", "BOB", 300),
        FinalScore("classic", "ANNA", 120),
        FinalScore("classic", "BOB", 200),
        FinalScore("classic", "ANNA", 254),
        FinalScore("classic", "BOB", 9),
    )
    found = best_scores(scores)
    assert [(s.game, s.player, s.points) for s in found] == [
        ("classic", "ANNA", 254),
        ("classic", "BOB", 200),
        ("power", "BOB", 300),
    ]
    service = FakeService(Console(kept=GamesKept(finished=True)))
    assert service.choose("RECORDS") == NoticePrompt((("STILL", "COUNTING"),), passing=False)
    # There is nothing to turn to yet.
    service.press(RIGHT)
    service.choose("RECORDS")
    service.console = replace(service.console, kept=GamesKept(records=found))
    assert console_prompt(service.console) == ListPrompt("CLASSIC", ("ANNA",), 0, 3, "254")
    assert service.press(LEFT) == ListPrompt("POWER", ("BOB",), 2, 3, "300")
    assert isinstance(service.press(OK), ListPrompt)
    assert isinstance(service.console.page, Menu)


def test_a_record_takes_turns_where_a_line_has_no_room() -> None:
    console = Console(kept=GamesKept(records=(FinalScore("holdem", "GRÜNDLICHERR", 1800),)))
    assert Records().prompt(console) == ListPrompt("HOLD'EM", ("GRÜNDLICHERR", "1800"), 0, 1, "")
    empty = NoticePrompt((("NO GAME", "FINISHED"),), passing=False)
    assert Records().prompt(Console(kept=GamesKept(records=()))) == empty


def test_brightness_is_live_and_remembered() -> None:
    service = FakeService().play()
    service.requests.clear()
    service.happen(MENU)
    service.choose("BRIGHTNESS")
    assert service.press(RIGHT, RIGHT) == BrightnessPrompt(5)
    assert [r for r in service.requests if isinstance(r, SetBrightness)] == [
        SetBrightness(4),
        SetBrightness(5),
    ]
    service.press(OK)
    kept = service.requests[-1]
    assert isinstance(kept, Remember)
    assert kept.settings.brightness == 5
    service.choose("BRIGHTNESS")
    assert service.press(*[LEFT] * 20) == BrightnessPrompt(0)
    service.press(BACK)
    assert service.requests[-2] == SetBrightness(5)
    assert service.console.settings.brightness == 5
    service.choose("BRIGHTNESS")
    assert service.press(*[RIGHT] * 20) == BrightnessPrompt(15)


def test_numbers_of_a_rule_are_listed_in_rising_order_from_the_default() -> None:
    service = FakeService(Console(settings=KNOWN))
    service.happen(MENU)
    service.choose("NEW GAME")
    service.choose("HOLD'EM")
    shown = service.choose("ANNA BOB")
    assert shown == ListPrompt("CHIPS EACH?", ("300",), 5, 10)
    assert service.press(LEFT) == ListPrompt("CHIPS EACH?", ("250",), 4, 10)
    assert service.press(RIGHT, RIGHT) == ListPrompt("CHIPS EACH?", ("400",), 6, 10)


def test_rules_are_shown_and_changed_for_the_next_game() -> None:
    service = FakeService(Console(settings=KNOWN)).play("SHOWDOWN")
    service.happen(MENU)
    shown = service.choose("HOUSE RULES")
    assert shown == ListPrompt("WHO BEGINS", ("ANNA",), 0, 2, "")
    assert service.press(RIGHT) == ListPrompt("AFTER RAISE", ("NOW STOP",), 1, 2)
    shown = service.press(OK)
    assert shown == ListPrompt("AFTER RAISE", ("NOW STOP", "NEXT MOVE ON"), 1, 2)
    assert isinstance(service.requests[-1], Remember)
    service.press(BACK)
    service.choose("NEW GAME")
    service.choose("SHOWDOWN")
    shown = service.choose("ANNA BOB")
    assert shown == ListPrompt("AFTER RAISE?", ("MOVE ON",), 1, 2)


def test_about_is_asked_for_and_shown() -> None:
    service = FakeService()
    shown = service.choose("ABOUT")
    assert shown == ListPrompt("SOFTWARE", ("1",), 0, 2, "")
    assert service.press(RIGHT) == ListPrompt("FIRMWARE", ("2",), 1, 2, "")
    assert service.requests == [ShowAbout(), ShowAbout()]


def test_calibration_is_called_where_there_is_one() -> None:
    service = FakeService(Console(settings=KNOWN, equipment=Equipment(can_calibrate=True)))
    service.choose("CALIBRATE")
    assert service.requests == [Calibrate()]


def test_whether_dice_of_another_size_are_new_is_answered_once() -> None:
    for button, new in ((OK, True), (BACK, False)):
        service = FakeService()
        service.console = service.console.push(OtherDice(16.0, 18.0))
        asked = QuestionPrompt("NEW DICE?", ("16 MM", "NOW 18 MM"))
        assert console_prompt(service.console) == asked
        assert service.press(LEFT) == asked
        assert service.press(button) != asked
        assert service.requests == [AnswerDice(new)]


@pytest.mark.parametrize("deep", [False, True])
def test_left_and_right_together_shut_down_from_anywhere(deep: bool) -> None:
    service = FakeService().play()
    if deep:
        service.happen(MENU)
        service.choose("NEW GAME")
    shown = service.happen(SHUT_DOWN)
    assert shown == QuestionPrompt("SHUT DOWN?")
    before = service.console.pages[:-1]
    service.happen(SHUT_DOWN)
    service.press(BACK)
    assert service.console.pages == before
    service.happen(SHUT_DOWN)
    service.press(OK)
    assert service.requests[-1] == ShutDown()
    assert isinstance(service.console.page, GoodBye)
    service.press(*Button)
    assert isinstance(service.console.page, GoodBye)
    assert service.requests.count(ShutDown()) == 1


def test_a_shut_down_that_is_refused_leads_back() -> None:
    service = FakeService().play()
    service.happen(SHUT_DOWN)
    service.press(OK)
    service.console = with_refusal(service.console, "CANNOT", "SHUT DOWN")
    assert console_prompt(service.console) == NoticePrompt((("CANNOT", "SHUT DOWN"),))
    assert isinstance(service.happen(Waited()), ThrowPrompt)


def test_a_notice_is_read_first_over_the_game_as_over_a_page() -> None:
    service = FakeService().play()
    service.happen(dice(1, 2, 3, 4, 6))
    service.console = replace(service.console, notice=Notice((("WELCOME", "BACK"),)))
    service.happen(TrayChanged(0, 0.0, TrayState.STILL))
    assert isinstance(console_prompt(service.console), NoticePrompt)
    service.press(Button.HOLD2)
    assert isinstance(console_prompt(service.console), DicePrompt)
    assert service.session.record.holds == frozenset()
    service.press(Button.HOLD2)
    assert service.session.record.holds == {1}
    service.happen(MENU)
    service.console = replace(service.console, notice=Notice((("GAME 3", "IS DAMAGED"),)))
    service.press(OK)
    assert service.console.page == Menu(0)
    service.console = replace(service.console, notice=Notice((("WELCOME", "BACK"),)))
    service.happen(TrayChanged(0, 0.0, TrayState.HAND))
    assert service.console.notice is None


def test_a_new_game_knows_what_lies_in_the_tray() -> None:
    service = FakeService()
    service.happen(TrayChanged(0, 0.0, TrayState.STILL), dice(1, 2, 3, 4, 5))
    service.play()
    assert service.session.tray == TraySeen(TrayState.STILL, 5)


def test_shutting_down_is_asked_about_once() -> None:
    service = FakeService()
    service.happen(SHUT_DOWN, SHUT_DOWN)
    assert [type(p) for p in service.console.pages] == [Menu, Off]


def test_a_stick_is_offered_at_the_menu_and_over_no_other_page() -> None:
    menu, words = main_menu.over_menu(Console()), ("SAVE GAMES",)
    assert main_menu.with_stick(menu, words).page == main_menu.Stick()
    away = main_menu.with_stick(main_menu.with_stick(menu, words), ())
    assert away.page == main_menu.Menu()
    about = menu.push(main_menu.About())
    assert main_menu.with_stick(about, words).page == main_menu.About()
