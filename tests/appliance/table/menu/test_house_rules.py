"""House rules that nobody is asked about: in the menu, kept in the settings, in every game."""

import pytest

from appliance.inputs import Button, Pressed
from appliance.table.menu.console import Console
from appliance.table.menu.draft import Draft
from appliance.table.menu.new_game import _ask_rules, play_again
from appliance.table.menu.options import options_asked, options_offered
from appliance.table.menu.prompting import ListPrompt
from appliance.table.menu.requests import BeginGame
from appliance.table.menu.settings import from_text
from appliance.table.session.session import Setup, new_session
from tests.appliance.table.menu.fake_service import FakeService


@pytest.fixture
def service() -> FakeService:
    setup = Setup("yatzy", ("ANNA", "BEN"), (("first", 0),))
    return FakeService(Console(new_session(setup)))


def begun(console: Console) -> Setup:
    """The game that the console has asked for last."""
    (request,) = [r for r in console.requests if isinstance(r, BeginGame)]
    return request.setup


def change(service: FakeService, title: str) -> ListPrompt:
    """Goes to a house rule and changes it for the next game."""
    service.happen(Pressed(Button.OK, long=True))
    shown = service.choose("HOUSE RULES")
    assert isinstance(shown, ListPrompt)
    while shown.title != title:
        found = service.happen(Pressed(Button.RIGHT))
        assert isinstance(found, ListPrompt)
        shown = found
    changed = service.happen(Pressed(Button.OK))
    assert isinstance(changed, ListPrompt)
    return changed


def test_yatzy_has_three_and_asks_about_none() -> None:
    assert options_asked("yatzy") == ()
    assert options_offered("yatzy") == ("two_pairs_of_four", "house_of_five", "order")
    assert options_offered("classic") == ()


def test_the_menu_changes_them_for_the_next_game(service: FakeService) -> None:
    assert change(service, "2 PAIRS OF 4").lines == ("NOW NO", "NEXT YES")


def test_every_next_game_has_them(service: FakeService) -> None:
    change(service, "ORDER")
    console = service.console
    assert from_text(console.settings.text) == console.settings
    asked = _ask_rules(console, Draft("yatzy", 2, ("ANNA", "BEN")))
    assert service.console is console
    draft = asked.page.draft  # type: ignore[union-attr]
    assert dict(draft.options) == {"order": "top-down"}
    assert dict(begun(play_again(console)).options) == {"first": 1, "order": "top-down"}


def test_a_game_without_any_is_begun_as_before(service: FakeService) -> None:
    assert dict(begun(play_again(service.console)).options) == {"first": 1}
    change(service, "ORDER")
    service.happen(Pressed(Button.OK))
    assert dict(begun(play_again(service.console)).options) == {"first": 1}
