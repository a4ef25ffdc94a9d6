"""The appliance itself: its state, new dice, shutting down."""

import pytest

from appliance.inputs import SHUT_DOWN, Button
from appliance.table.menu.asking import console_prompt
from appliance.table.menu.console import Waited, with_refusal
from appliance.table.menu.main_menu import Menu
from appliance.table.menu.prompting import ListPrompt, NoticePrompt, QuestionPrompt
from appliance.table.menu.requests import AnswerDice, ShowAbout, ShutDown
from appliance.table.menu.upkeep import GoodBye, Off, OtherDice
from appliance.table.prompts.turn import ThrowPrompt
from tests.appliance.table.menu.fake_service import BACK, LEFT, MENU, OK, RIGHT, FakeService


def test_about_is_asked_for_and_shown() -> None:
    service = FakeService()
    shown = service.choose("ABOUT")
    assert shown == ListPrompt("SOFTWARE", ("1",), 0, 2, "")
    assert service.press(RIGHT) == ListPrompt("FIRMWARE", ("2",), 1, 2, "")
    assert service.requests == [ShowAbout(), ShowAbout()]


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


def test_shutting_down_is_asked_about_once() -> None:
    service = FakeService()
    service.happen(SHUT_DOWN, SHUT_DOWN)
    assert [type(p) for p in service.console.pages] == [Menu, Off]
