"""The settings in the menu: brightness, house rules."""

from appliance.table.menu.console import Console
from appliance.table.menu.prompting import BrightnessPrompt, ListPrompt
from appliance.table.menu.requests import Remember, SetBrightness
from tests.appliance.table.menu.fake_service import BACK, KNOWN, LEFT, MENU, OK, RIGHT, FakeService


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


def test_rules_are_shown_and_changed_for_the_next_game() -> None:
    service = FakeService(Console(settings=KNOWN)).play("SHOWDOWN")
    service.happen(MENU)
    shown = service.choose("HOUSE RULES")
    assert shown == ListPrompt("WHO BEGINS", ("ANNA",), 0, 2, "")
    assert service.press(RIGHT) == ListPrompt("AFTER RAISE", ("NOW STOP",), 1, 2)
    shown = service.press(OK)
    assert shown == ListPrompt("AFTER RAISE", ("NOW STOP", "NEXT MOVE PAWN"), 1, 2)
    assert isinstance(service.requests[-1], Remember)
    service.press(BACK)
    service.choose("NEW GAME")
    service.choose("SHOWDOWN")
    shown = service.choose("ANNA BOB")
    assert shown == ListPrompt("AFTER RAISE?", ("MOVE PAWN",), 1, 2)
