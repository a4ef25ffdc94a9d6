"""Views of every game's table, and the bonuses ahead, at any point in random games."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from appliance.words import Label
from games import classic, free_for_all, holdem, power, showdown
from games.chance import random_event
from games.classic import Sheet as ClassicSheet
from games.free_for_all.view import open_cards
from games.power.sheet import FilledSlot
from games.power.sheet import Sheet as PowerSheet
from games.registry import GAMES
from games.values import Options
from games.views import Goal

NAMES = ("ANNA", "BOB", "CLEO")
LONGEST = 10


def states(name: str, seed: int) -> list[Any]:
    game, random = GAMES[name], Random(seed)
    options: Options = {"stack": 50} if name == "holdem" else {}
    state = game.start(NAMES, options)
    found = [state]
    while len(found) < 400 and (event := random_event(game, state, random)) is not None:
        state = game.apply(state, event)
        found.append(state)
    return found


@pytest.mark.parametrize("name", GAMES)
def test_labels_and_notes_are_short_and_seats_exist(name: str) -> None:
    for state in states(name, 1):
        view = GAMES[name].table_view(state)
        for place in (*view.places, *view.beside):
            assert 0 < len(Label(place.key)) <= LONGEST
            assert len(Label(place.note)) <= LONGEST
            seats = [*place.pawns, *([] if place.owner is None else [place.owner])]
            assert set(seats) <= set(range(len(NAMES)))
        for seat in range(len(NAMES)):
            for goal in GAMES[name].goals(state, seat):
                assert goal.now < goal.needed
                assert goal.bonus > 0


def test_the_ring_of_showdown_has_every_card_and_pawn_once() -> None:
    for state in states("showdown", 2):
        view = showdown.GAME.table_view(state)
        assert view.ring
        assert len(view.places) == 16
        labels = [p.key for p in (*view.places, *view.beside) if p.key not in ("wild", "empty")]
        assert sorted(labels) == sorted(card.word for card in showdown.Card)
        assert sorted(seat for p in view.places for seat in p.pawns) == [0, 1, 2]
        owned = [0] * len(NAMES)
        for place in view.places:
            if place.owner is not None:
                owned[place.owner] += place.points or 0
        assert tuple(owned) == showdown.GAME.scores(state)


def test_a_number_card_of_showdown_says_how_many_it_takes() -> None:
    state = showdown.GAME.position(
        players=NAMES,
        pawns=(1, 4, 8),
        first=2,
        cards={
            showdown.Card.FOURS: showdown.Stack(1, 1, 3),
            showdown.Card.TWOS: showdown.Stack(2, 0, 2),
            showdown.Card.SIXES: showdown.Stack(3, 0, 4),
            showdown.Card.CHANCE: showdown.Stack(5, 1, 6),
        },
    )
    assert state.seat == 0
    notes = {place.key: place.note for place in showdown.GAME.table_view(state).places}
    assert (notes["fours"], notes["twos"]) == ("need 3", "need 3")
    assert (notes["sixes"], notes["chance"], notes["wild"]) == ("full", "", "")


def test_the_open_cards_of_free_for_all_agree_with_the_list_of_the_rules() -> None:
    beaten = 0
    for state in (state for seed in range(6) for state in states("free-for-all", seed)):
        view = free_for_all.GAME.table_view(state)
        rows = [row for row in open_cards(state) if row.points is not None]
        assert [(p.key, p.points) for p in view.places] == [(r.key, r.points) for r in rows]
        notes = {p.key: p.note for p in view.places if p.owner is not None}
        for choice in free_for_all.GAME.choices(state):
            if isinstance(choice, free_for_all.Steal):
                points = free_for_all.GAME.preview(state, choice)
                assert points is not None
                if points.reason.startswith("beats"):
                    assert notes[choice.key] == points.reason.replace("beats", "beat")
                    beaten += 1
        assert view.beside[0].points == len(state.deck)
    assert beaten


def test_the_pots_of_holdem_and_the_chips_in_front_are_all_chips() -> None:
    for state in states("holdem", 4):
        places = holdem.GAME.table_view(state).places
        whole = sum(place.points or 0 for place in places)
        assert whole == 50 * len(NAMES)
        assert sum(place.key == "dealer" for place in places) == 1


def test_the_goal_of_the_upper_section_is_the_next_bonus() -> None:
    boxes = (3, 6, 9, 12, 15, 17, *(None,) * 7)
    start = classic.GAME.start(NAMES, {"first": 0})
    below = replace(start, sheets=(ClassicSheet.of(boxes), *start.sheets[1:]))
    assert classic.GAME.goals(below, 0) == (Goal("upper", 62, 63, 35),)
    reached = replace(start, sheets=(ClassicSheet.of((4, *boxes[1:])), *start.sheets[1:]))
    assert classic.GAME.goals(reached, 0) == ()
    for total, goals in (
        (0, (Goal("upper", 0, 150, 50),)),
        (150, (Goal("upper", 150, 200, 100),)),
        (201, (Goal("upper", 201, 300, 200),)),
        (300, ()),
    ):
        lines: list[FilledSlot | None] = [None] * 21
        lines[0] = FilledSlot(total, 1)
        state = power.GAME.start(NAMES, {"first": 0})
        sheets = (PowerSheet.of(lines), *state.sheets[1:])
        assert power.GAME.goals(replace(state, sheets=sheets), 0) == goals
