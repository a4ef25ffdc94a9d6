"""The developer's example of a screen: a page, a drawing and a scene, and no other file."""

from dataclasses import replace

import pytest

from appliance.inputs import Button, Pressed
from appliance.screens.draw import film, pages
from appliance.table.menu import main_menu
from appliance.table.menu.asking import console_prompt
from appliance.table.menu.console import Console
from appliance.table.menu.prompting import ListPrompt
from appliance.table.menu.step import advance
from appliance.table.session.session import Setup, new_session
from tests.docs.seats import ENTRY, SCENE, SeatPrompt, Seats
from tests.docs.test_new_game import GUIDE
from tests.rigs import gallery

PLAYERS = ("ANNA", "BOB", "CLEO")


@pytest.fixture
def console(monkeypatch: pytest.MonkeyPatch) -> Console:
    """The menu over a game, as if the screen's line were among its entries."""
    monkeypatch.setattr(main_menu, "MENU_ENTRIES", (*main_menu.MENU_ENTRIES, ENTRY))
    return press(Console(new_session(Setup("classic", PLAYERS))), Button.OK, long=True)


def press(console: Console, button: Button, *, long: bool = False) -> Console:
    after, requests = advance(console, Pressed(button, long=long))
    assert not requests
    assert film(console_prompt(after)).pictures
    return after


def chosen(console: Console, word: str) -> Console:
    for _ in main_menu.MENU_ENTRIES:
        shown = console_prompt(console)
        assert isinstance(shown, ListPrompt)
        if shown.lines == (word,):
            return press(console, Button.OK)
        console = press(console, Button.RIGHT)
    raise AssertionError(f"the menu has no {word}")


def test_the_menu_leads_to_it_and_presses_lead_through_it(console: Console) -> None:
    there = chosen(console, "SEATS")
    assert console_prompt(there) == SeatPrompt("ANNA", 0, 3)
    assert console_prompt(press(there, Button.RIGHT)) == SeatPrompt("BOB", 1, 3)
    assert console_prompt(press(there, Button.LEFT)) == SeatPrompt("CLEO", 2, 3)
    assert isinstance(console_prompt(press(there, Button.BACK)), ListPrompt)
    assert press(there, Button.OK, long=True).page is None
    assert console_prompt(there).can_do().line == "ANNA: 1/3. ← → show others, b goes back"


def test_the_menu_offers_it_where_it_makes_sense(console: Console) -> None:
    without = replace(console, session=None, pages=())
    with pytest.raises(AssertionError, match="no SEATS"):
        chosen(without, "SEATS")
    assert console_prompt(without.push(Seats())) == SeatPrompt("NOBODY", 0, 1)


def test_each_seat_has_a_picture_of_its_own() -> None:
    drawn = {pages(SeatPrompt(name, seat, 3)) for seat, name in enumerate(PLAYERS)}
    assert len(drawn) == 3


def test_the_gallery_shows_its_scene(monkeypatch: pytest.MonkeyPatch) -> None:
    assert f"{SCENE.name}.svg" not in gallery.drawings()
    last = gallery.SITUATIONS[-1]
    menus = replace(last, scenes=(*last.scenes, SCENE))
    monkeypatch.setattr(gallery, "SITUATIONS", (*gallery.SITUATIONS[:-1], menus))
    assert gallery.drawings()[f"{SCENE.name}.svg"] == gallery.svg(gallery.pictures(SCENE))
    assert f"{SCENE.says}\n\n![{SCENE.name}](screens/{SCENE.name}.svg)" in gallery.page("screens")


def test_the_guide_shows_where_the_example_is() -> None:
    assert "(../tests/docs/seats.py)" in GUIDE.read_text(encoding="utf-8")
