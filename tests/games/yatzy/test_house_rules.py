"""Yatzy by house rules: what they change, how they are written down, and what games are worth."""

from itertools import product
from random import Random
from typing import Any

import pytest

from games import yatzy
from games.boxes import Score, house_words
from games.chance import random_event
from games.dice import FIVE_DICE, rolls
from games.notation.positions import BadPosition
from games.record import Record, position_from_text, position_to_text, read_record, replay
from games.record import write_record as to_text
from games.strategy import advice
from games.strategy.boxes import BoxSolver
from games.strategy.boxes.values import load_values
from games.values import BadOptions, Choose, Options, Points, Rolled
from games.yatzy import GAME, Box, box_scores
from scripts.solve_boxes import houses_of
from scripts.solving.solver import solve
from scripts.solving.table import tabulate
from tests.rigs.examples import examples

WORTH = {
    "": 248.4399893779,
    "house_of_five=true": 248.4680909173,
    "two_pairs_of_four=true": 248.6440589438,
    "house_of_five=true two_pairs_of_four=true": 248.6748826884,
    "order=top-down": 122.5585273964,
    "house_of_five=true order=top-down": 122.6063535064,
    "order=top-down two_pairs_of_four=true": 123.1945781081,
    "house_of_five=true order=top-down two_pairs_of_four=true": 123.2424042180,
}
"""What a whole game is worth by best play, by yatzy-solver 1.0.0 (`yatzy-scandinavian` with `fh5`,
`tp4` and `forced`)."""
HOUSES = {house_words(house): house for house in houses_of(GAME)}
EVERY = [dict(house) for house in HOUSES.values()]


def thrown(options: Options, *dice: int) -> Any:
    return GAME.apply(GAME.start(["ANNA"], options), Rolled(dice))


def scored(options: Options, box: Box, *dice: int) -> Points | None:
    return GAME.preview(thrown(options, *dice), Score(box))


def test_there_are_eight_ways_to_play() -> None:
    assert set(HOUSES) == set(WORTH)


def test_four_alike_are_two_pairs_where_the_family_says_so() -> None:
    for dice, two in (((4, 4, 4, 4, 1), 16), ((4,) * 5, 16), ((4, 4, 4, 2, 1), 0)):
        assert scored({}, Box.TWO_PAIRS, *dice) == Points(0)
        assert scored({"two_pairs_of_four": True}, Box.TWO_PAIRS, *dice) == Points(two)
    assert scored({"two_pairs_of_four": True}, Box.TWO_PAIRS, 3, 3, 5, 5, 1) == Points(16)


def test_five_alike_are_a_house_where_the_family_says_so() -> None:
    assert scored({}, Box.FULL_HOUSE, *(6,) * 5) == Points(0)
    assert scored({"house_of_five": True}, Box.FULL_HOUSE, *(6,) * 5) == Points(30)


def test_no_other_box_changes() -> None:
    changed = {
        (box, dice)
        for dice, _ in rolls(FIVE_DICE)
        for box in Box
        if box_scores(dice)[box] != box_scores(dice, True, True)[box]
    }
    assert {box for box, _ in changed} == {Box.TWO_PAIRS, Box.FULL_HOUSE}
    assert len(changed) == 6 * 5 + 6 + 6


def test_boxes_are_filled_from_the_top_down() -> None:
    state = GAME.start(["ANNA"], {"order": "top-down"})
    for box in Box:
        state = GAME.apply(state, Rolled((6, 6, 6, 6, 6)))
        assert [c.box for c in GAME.choices(state) if isinstance(c, Score)] == [box]
        state = GAME.apply(state, Score(box))
    assert GAME.ask(state) is None


@pytest.mark.parametrize("options", EVERY, ids=str)
def test_games_are_written_and_read_again(options: Options) -> None:
    random, names = Random(4), ("ANNA", "BEN")
    state, events = GAME.start(names, options), []
    while (event := random_event(GAME, state, random)) is not None:
        assert position_from_text(position_to_text(GAME, state)) == (GAME, state)
        events.append(event)
        state = GAME.apply(state, event)
    kept = Record("yatzy", "1", names, tuple(sorted(options.items())), tuple(events))
    assert read_record(to_text(kept)) == kept
    assert replay(kept) == state


def test_a_position_names_them_first_and_only_where_there_are_some() -> None:
    assert position_to_text(GAME, GAME.start(["A"], {})).startswith("yatzy seat 1")
    line = position_to_text(GAME, GAME.start(["A"], {"order": "top-down", "house_of_five": True}))
    assert line.startswith("yatzy house house_of_five=true order=top-down seat 1")
    state = GAME.position(players=["A"], house=[("order", "top-down")], first=0)
    assert state == GAME.start(["A"], {"order": "top-down"})


@pytest.mark.parametrize(
    ("house", "boxes", "expected"),
    [
        ((), "- - - - - - - 24 - - - - - - -", "a score of two-pairs, got 24"),
        ((("order", "top-down"),), "- 4 - - - - - - - - - - - - -", "filled from the top down"),
    ],
)
def test_what_they_do_not_allow_is_refused(house: Any, boxes: str, expected: str) -> None:
    words = f"house {house_words(house)} " if house else ""
    with pytest.raises(BadPosition, match=expected):
        position_from_text(f'yatzy {words}seat 1 first 1 | "A" {boxes}')


def test_what_the_family_allows_is_a_position() -> None:
    line = 'house two_pairs_of_four=true seat 1 first 1 | "A" - - - - - - - 24 - - - - - - -'
    assert position_from_text(f"yatzy {line}")[1].sheets[0].total == 24


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"order": "bottom-up"}, "option order: expected 'any' or 'top-down', got 'bottom-up'"),
        ({"house_of_five": 1}, "option house_of_five: expected False or True, got 1"),
    ],
)
def test_other_values_are_refused(options: Options, expected: str) -> None:
    with pytest.raises(BadOptions, match=expected):
        GAME.start(["A"], options)


@pytest.mark.slow
@pytest.mark.parametrize("words", WORTH)
def test_hints_know_what_a_game_is_worth(words: str) -> None:
    values = load_values(GAME.by_house(HOUSES[words]))
    assert values is not None
    expected = advice.expected_total(GAME, GAME.start(["ANNA"], dict(HOUSES[words])), 0)
    assert expected == pytest.approx(WORTH[words], abs=0.5 / values.steps_per_point + 1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("words", [words for words in WORTH if "order" in words])
def test_the_order_is_solved_to_the_last_digit(words: str) -> None:
    assert solve(tabulate(GAME.by_house(HOUSES[words]))).game == pytest.approx(
        WORTH[words], rel=0, abs=1e-9
    )


@pytest.mark.slow
def test_a_hint_follows_the_rules_of_the_game_that_is_played() -> None:
    for options in EVERY:
        state, random = GAME.start(["ANNA", "BEN"], {"first": 0, **options}), Random(2)
        while (event := random_event(GAME, state, random)) is not None:
            if isinstance(GAME.ask(state), Choose) and random.random() < 0.2:
                hint = advice.hint(GAME, state)
                assert hint is not None
                assert hint.choice in GAME.choices(state)
            state = GAME.apply(state, event)


@pytest.mark.slow
def test_play_by_hints_in_order_gets_what_it_is_worth() -> None:
    solver, random = BoxSolver(GAME), Random(122)
    totals: list[int] = []
    for _ in range(examples(15, 100)):
        state = GAME.start(["ANNA"], {"order": "top-down"})
        while (event := random_event(GAME, state, random)) is not None:
            hint = solver.hint(state)
            state = GAME.apply(state, event if hint is None or hint.choice is None else hint.choice)
        totals += GAME.scores(state)
    # A game varies by some 35 points.
    assert sum(totals) / len(totals) == pytest.approx(WORTH["order=top-down"], abs=4 * 35 / 15**0.5)


def test_all_ways_differ_and_each_house_is_one_game() -> None:
    games = [GAME.by_house(house) for house in HOUSES.values()]
    assert len(set(map(id, games))) == 8
    assert all(a is b.by_house(a.house) for a, b in product(games, games))
    assert yatzy.GAME.by_house(()) is GAME
