"""Rolling for who begins, in the tray or with buttons."""

import pytest

from appliance.table.menu.asking import console_prompt
from appliance.table.menu.console import Console
from appliance.table.menu.prompting import ListPrompt, RollOffPrompt
from appliance.table.menu.requests import BeginGame
from appliance.table.prompts.trouble import CountPrompt, FacePrompt
from appliance.table.prompts.turn import ThrowPrompt
from appliance.words import Label
from games.values import Rolled
from tests.appliance.table.menu.fake_service import BACK, KNOWN, LEFT, OK, RIGHT, FakeService
from tests.builders import throw as dice
from vision.reading import DieState, TrayState


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
