"""Looking at sheets and tables: every row and place is on a page, in an order people expect."""

import re
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from appliance.inputs import Button, Pressed
from appliance.screens.draw import pages
from appliance.screens.drawing.film import MOST_CYCLE_S, reading_s
from appliance.table.prompts.looking import (
    PlacePrompt,
    SheetPrompt,
    StripPrompt,
    TablePrompt,
)
from appliance.table.prompts.turn import ChoicePrompt, DicePrompt, ThrowPrompt
from appliance.table.session.listing import ranked_choices
from appliance.table.session.modes import Browsing, ViewingSheet
from appliance.table.session.prompting import prompt
from appliance.table.session.session import Session, Setup, new_session
from appliance.table.session.sheets import places_looked_over, sheet_prompt, table_spots
from appliance.table.session.step import step
from appliance.words import Label
from games.chance import random_event
from games.registry import GAMES
from games.values import Choose, Throw
from tests.builders import steps
from tests.rigs.strict_drawing import strict_drawing
from vision.events import TrayChanged
from vision.reading import TrayState

NAMES = ("ANNA", "BOB", "CLEO")
Page = SheetPrompt | PlacePrompt


def played(name: str, events: int = 60, seed: int = 5) -> Session:
    game, random = GAMES[name], Random(seed)
    session = new_session(Setup(name, NAMES))
    state: Any = session.record.state
    for _ in range(events):
        event = random_event(game, state, random)
        if event is not None:
            state = game.apply(state, event)
    return replace(session, record=replace(session.record, state=state))


def every_page(session: Session, seat: int) -> list[Page]:
    first = sheet_prompt(session, ViewingSheet(seat))
    return [sheet_prompt(session, ViewingSheet(seat, row)) for row in range(first.count)]


@pytest.mark.parametrize("name", GAMES)
def test_every_row_of_every_sheet_is_on_a_page_once(name: str) -> None:
    session = played(name)
    for seat, player in enumerate(NAMES):
        pages = every_page(session, seat)
        assert [page.index for page in pages] == list(range(pages[0].count))
        assert {page.player for page in pages} == {player}
        rows = [row for page in pages if isinstance(page, SheetPrompt) for row in page.rows]
        read = GAMES[name].sheet(session.record.state, seat)
        assert [label for label, _ in rows] == [Label(row.key) for row in read.rows]
        first = pages[0]
        assert isinstance(first, SheetPrompt)
        assert (first.total, first.rows) == (read.total, ())
        assert first.goals == tuple(GAMES[name].goals(session.record.state, seat))
        assert sheet_prompt(session, ViewingSheet(seat, -1)) == pages[-1]
        assert sheet_prompt(session, ViewingSheet(seat, len(pages))) == first


@pytest.mark.parametrize("name", ["showdown", "free-for-all", "holdem"])
def test_every_place_of_the_table_is_on_a_page(name: str) -> None:
    session = played(name)
    view = GAMES[name].table_view(session.record.state)
    for seat in range(len(NAMES)):
        found = [page.spot for page in every_page(session, seat) if isinstance(page, PlacePrompt)]
        beside = () if view.ring else view.beside
        labels = sorted(Label(place.key) for place in (*view.places, *beside))
        assert sorted(spot.label for spot in found) == labels
        for spot in found:
            assert spot.mine == (spot.owner == NAMES[seat])


def test_the_ring_is_shown_from_the_own_pawn_on() -> None:
    session = played("showdown")
    pawns = session.record.state.pawns
    for seat in range(len(NAMES)):
        pages = every_page(session, seat)
        walk = [page.spot for page in pages if isinstance(page, PlacePrompt)]
        assert walk[0].here
        table = table_spots(session, seat)
        assert table is not None
        assert walk == [table.spots[(pawns[seat] + n) % 16] for n in range(16)]


def test_the_table_is_shown_while_throwing_deciding_and_choosing() -> None:
    for name in ("showdown", "free-for-all"):
        game, random = GAMES[name], Random(1)
        session = new_session(Setup(name, NAMES))
        seen = set()
        for _ in range(200):
            event = random_event(game, session.record.state, random)
            if event is None:
                break
            session = replace(session, record=session.record.played(event))
            asked = game.ask(session.record.state)
            if asked is None:
                break
            shown = prompt(session)
            assert isinstance(shown, ThrowPrompt | DicePrompt | ChoicePrompt)
            assert shown.table == table_spots(session, asked.seat)
            assert shown.table is not None
            seen.add(type(shown))
            if isinstance(shown, DicePrompt):
                choosing = prompt(replace(session, mode=Browsing(0)))
                assert isinstance(choosing, ChoicePrompt)
                assert choosing.table == shown.table
                assert choosing.purpose == Label(asked.purpose)
                assert shown.purpose in (Label(asked.purpose), "PASS")
        assert {ThrowPrompt, DicePrompt} <= seen


def test_games_with_sheets_alone_have_no_table() -> None:
    for name in ("classic", "power"):
        assert table_spots(played(name), 0) is None


def test_buttons_page_through_the_sheet_and_ok_shows_the_next_player() -> None:
    session = replace(played("power"), mode=ViewingSheet(0))
    count = sheet_prompt(session, ViewingSheet(0)).count
    assert count == 12
    shown = []
    for _ in range(count):
        shown.append(prompt(session))
        session = step(session, Pressed(Button.RIGHT))
    assert shown == every_page(session, 0)
    assert prompt(session) == shown[0]
    assert prompt(step(session, Pressed(Button.LEFT))) == shown[-1]
    other = prompt(step(step(session, Pressed(Button.RIGHT)), Pressed(Button.OK)))
    assert other == every_page(session, 1)[0]


def before_a_throw(name: str, seed: int = 5) -> Session:
    """A game in which somebody is about to begin a turn."""
    game, random = GAMES[name], Random(seed)
    session = new_session(Setup(name, NAMES))
    for number in range(400):
        ask = game.ask(session.record.state)
        if number > 60 and isinstance(ask, Throw) and ask.roll == 1:
            return session
        event = random_event(game, session.record.state, random)
        if event is None:
            break
        session = replace(session, record=session.record.played(event))
    raise AssertionError("expected a turn that begins")


@pytest.mark.parametrize("name", ["classic", "power", "showdown", "free-for-all"])
@pytest.mark.parametrize("button", [Button.LEFT, Button.RIGHT])
def test_one_press_before_a_throw_shows_all_at_once_and_more_walk_over_it(
    name: str, button: Button
) -> None:
    session = before_a_throw(name)
    waiting = prompt(session)
    assert isinstance(waiting, ThrowPrompt)
    looked = step(session, Pressed(button))
    whole = prompt(looked)
    assert isinstance(whole, StripPrompt | TablePrompt)
    assert (whole.player, whole.at) == (waiting.player, None)
    if isinstance(whole, StripPrompt):
        seat = NAMES.index(whole.player)
        rows = GAMES[name].sheet(session.record.state, seat).rows
        assert whole.boxes == tuple((Label(row.key), row.points) for row in rows)
    walked = []
    while True:
        looked = step(looked, Pressed(button))
        now = prompt(looked)
        assert isinstance(now, StripPrompt | TablePrompt)
        if now.at is None:
            break
        walked.append(now.at)
    assert sorted(walked) == list(range(places_looked_over(session)))
    assert whole == now
    if isinstance(whole, TablePrompt) and whole.table.ring and button is Button.RIGHT:
        assert walked[0] == whole.table.here


def dice_to_decide_about(name: str, seed: int) -> Session:
    """A game in which somebody has rolled and holds two dice, some of the dice make something."""
    game, random = GAMES[name], Random(seed)
    session = new_session(Setup(name, NAMES))
    for number in range(600):
        shown = prompt(session)
        if number > 40 and isinstance(shown, DicePrompt) and shown.may_roll and shown.may_throw:
            return steps(session, Pressed(Button.HOLD1), Pressed(Button.HOLD3))
        event = random_event(game, session.record.state, random)
        if event is None:
            break
        session = replace(session, record=session.record.played(event))
    raise AssertionError("expected a roll")


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", ["classic", "yatzy", "power", "showdown", "free-for-all"])
@pytest.mark.parametrize("button", [Button.LEFT, Button.RIGHT])
def test_one_press_at_a_roll_shows_what_everything_would_pay_now_and_changes_nothing(
    name: str, button: Button, seed: int
) -> None:
    session = dice_to_decide_about(name, seed)
    rules, state = session.record.rules, session.record.state
    ask = rules.ask(state)
    assert isinstance(ask, Choose)
    worth = {choice: rules.preview(state, choice) for choice in ranked_choices(session)}
    looked = step(session, Pressed(button))
    whole = prompt(looked)
    with strict_drawing():
        shown = pages(whole)
    assert sum(map(reading_s, shown)) <= MOST_CYCLE_S
    words = {word for page in shown for word in page.words}
    # Chips stand apart from what a card gives.
    figures = {
        sum(map(int, word.split("+"))) for word in words if re.fullmatch(r"\d+(\+\d+)?", word)
    }
    if isinstance(whole, StripPrompt):
        best = {
            max(p.points for c, p in worth.items() if p is not None and c.entry == entry)
            for entry in {choice.entry for choice in worth}
        }
        told = {text.lstrip("+") for word in words for text in word.split()}
        assert {str(points) for points in best if points} <= told
        assert len(shown) <= 2
        assert {points for points in whole.pays if points} <= best
    else:
        assert isinstance(whole, TablePrompt)
        on_table = {spot.label for spot in (*whole.table.spots, *whole.table.beside)}
        for choice, points in worth.items():
            if Label(choice.key) in on_table and points is not None and points.points:
                assert f"+{points.points}" in words or points.points in figures
    # Looking changes nothing, and so does any other press.
    assert looked.record == session.record
    for back in (Button.BACK, Button.OK, Button.HOLD1):
        assert step(looked, Pressed(back)) == session
    # Another press walks on through the list.
    assert isinstance(prompt(step(looked, Pressed(Button.RIGHT))), ChoicePrompt)


@pytest.mark.parametrize("name", ["classic", "power", "showdown", "free-for-all"])
@pytest.mark.parametrize("button", [Button.OK, Button.BACK, Button.HOLD1])
def test_any_other_press_leaves_the_strip_and_does_nothing_else(name: str, button: Button) -> None:
    session = replace(before_a_throw(name), scored=None)
    looked = step(session, Pressed(Button.RIGHT))
    assert step(looked, Pressed(button)) == session
    assert step(step(looked, Pressed(Button.LEFT)), Pressed(button)) == session


def test_dice_that_roll_end_the_look() -> None:
    session = before_a_throw("classic")
    looked = step(session, Pressed(Button.RIGHT))
    rolling = step(looked, TrayChanged(0, 0.0, TrayState.ROLLING))
    assert isinstance(prompt(rolling), ThrowPrompt)
    assert prompt(rolling) == prompt(step(session, TrayChanged(0, 0.0, TrayState.ROLLING)))


def test_games_without_boxes_or_table_to_look_over_say_what_they_wait_for() -> None:
    session = new_session(Setup("classic", NAMES, (("first", "roll-off"),)))
    assert isinstance(prompt(step(session, Pressed(Button.RIGHT))), ThrowPrompt)
    assert places_looked_over(new_session(Setup("holdem", NAMES))) == 0


@pytest.mark.parametrize("name", ["classic", "power"])
def test_a_choice_shows_the_open_boxes_and_which_one_it_fills(name: str) -> None:
    game, random = GAMES[name], Random(2)
    session = new_session(Setup(name, NAMES))
    for _ in range(60):
        event = random_event(game, session.record.state, random)
        assert event is not None
        session = replace(session, record=session.record.played(event))
        ask = game.ask(session.record.state)
        if not isinstance(ask, Choose):
            continue
        rows = game.sheet(session.record.state, ask.seat).rows
        for index, choice in enumerate(ranked_choices(session)):
            shown = prompt(replace(session, mode=Browsing(index)))
            assert isinstance(shown, ChoicePrompt)
            assert shown.boxes == tuple(row.points is None for row in rows)
            if shown.box is not None:
                after = game.sheet(game.apply(session.record.state, choice), ask.seat).rows
                assert rows[shown.box].points is None
                assert after[shown.box].points is not None


def test_what_the_dice_make_is_marked_on_the_table() -> None:
    game, random = GAMES["free-for-all"], Random(1)
    session = new_session(Setup("free-for-all", NAMES))
    marked = 0
    for _ in range(300):
        event = random_event(game, session.record.state, random)
        if event is None:
            break
        session = replace(session, record=session.record.played(event))
        shown = prompt(session)
        if isinstance(shown, DicePrompt):
            assert shown.table is not None
            made = {Label(choice.key) for choice in game.choices(session.record.state)}
            for spot in shown.table.spots:
                assert spot.fits == (spot.label in made)
                marked += spot.fits
    assert marked > 10
