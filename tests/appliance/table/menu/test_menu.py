"""The console: everything around the games with buttons alone, requests carried out in memory."""

from dataclasses import replace

from appliance.inputs import Button, Pressed
from appliance.table.menu import main_menu, upkeep
from appliance.table.menu.asking import console_prompt
from appliance.table.menu.console import Aside, Console, Equipment, Notice, Waited
from appliance.table.menu.main_menu import Menu
from appliance.table.menu.prompting import ListPrompt, NoticePrompt, QuestionPrompt
from appliance.table.menu.requests import BeginGame, Calibrate, ShutDown
from appliance.table.menu.settings import Settings
from appliance.table.prompts.looking import SheetPrompt
from appliance.table.prompts.trouble import CountPrompt
from appliance.table.prompts.turn import DicePrompt, OverPrompt
from appliance.table.session.session import Setup
from games.values import Rolled
from tests.appliance.table.menu.fake_service import BACK, KNOWN, LEFT, MENU, OK, RIGHT, FakeService
from tests.builders import throw as dice
from vision.events import Cleared, TrayChanged
from vision.reading import TrayState


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


def test_a_throw_closes_the_menu_and_counts() -> None:
    service = FakeService().play()
    service.happen(MENU)
    service.choose("BRIGHTNESS")
    shown = service.happen(dice(1, 2, 3, 4, 6))
    assert isinstance(shown, DicePrompt)
    assert service.session.record.events == (Rolled((1, 2, 3, 4, 6)),)


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


def test_calibration_is_called_where_there_is_one() -> None:
    service = FakeService(Console(settings=KNOWN, equipment=Equipment(can_calibrate=True)))
    service.choose("CALIBRATE")
    assert service.requests == [Calibrate()]


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


def test_a_stick_is_offered_at_the_menu_and_over_no_other_page() -> None:
    menu, words = main_menu.over_menu(Console()), ("SAVE GAMES",)
    assert main_menu.with_stick(menu, words).page == upkeep.Stick()
    away = main_menu.with_stick(main_menu.with_stick(menu, words), ())
    assert away.page == main_menu.Menu()
    about = menu.push(upkeep.About())
    assert main_menu.with_stick(about, words).page == upkeep.About()
