"""Positions of Showdown that are set up equal those of real play; impossible ones are refused."""

from random import Random
from typing import Any

import pytest

from games import showdown
from games.chance import random_event
from games.notation.positions import BadPosition
from games.notation.words import RecordError
from games.record import (
    position_from_text,
    position_to_text,
    read_record,
    replay,
    write_record,
)
from games.showdown import Card, Stack, Step
from games.values import BadOptions
from tests.paths import ROOT
from tests.rigs import set_up
from tests.rigs.examples import examples


@pytest.mark.parametrize("seed", [0, 5, 1, 4][: examples(2, 4)])
def test_every_state_of_real_play_can_be_set_up_and_written_down(seed: int) -> None:
    random = Random(seed)
    names = ['An "n', "Bób|", "C;#[]", "D"][: 2 + seed % 3]
    options = {"first": seed % 2, "showdown_raise_continues": seed > 2}
    state = showdown.GAME.start(names, options)
    steps = set()
    while True:
        again = set_up.showdown(
            state.players,
            pawns=state.pawns,
            cards={card: s for card in Card if (s := state.cards[card]) is not None},
            first=state.first,
            turns=state.turns,
            end=state.end,
            raise_continues=state.raise_continues,
            step=state.step,
            red=state.red,
            origin=state.origin,
            roll=state.roll,
            dice=state.dice,
            held=state.held,
        )
        assert again == state
        assert hash(again) == hash(state)
        text = position_to_text(showdown.GAME, state)
        assert "\n" not in text
        assert position_from_text(text) == (showdown.GAME, state)
        steps.add(state.step)
        event = random_event(showdown.GAME, state, random)
        if event is None:
            break
        state = showdown.GAME.apply(state, event)
    assert steps == set(Step)


def test_a_position_reads_as_it_is_written() -> None:
    text = (
        "showdown turns 4 first 2 step roll red 2 from 1 roll 2 dice 33126 hold 12 "
        '| "Ann" 9 | "Bob" 3 | threes 3 1 2 chance 5 2 6'
    )
    game, state = position_from_text(text)
    assert game is showdown.GAME
    assert state == set_up.showdown(
        ["Ann", "Bob"],
        pawns=(9, 3),
        cards={Card.THREES: Stack(3, 0, 2), Card.CHANCE: Stack(5, 1, 6)},
        first=1,
        turns=4,
        step=Step.ROLL,
        red=2,
        origin=1,
        roll=2,
        dice=(3, 3, 1, 2, 6),
        held=(0, 1),
    )
    assert position_to_text(showdown.GAME, state) == text


ALL = {
    card: Stack(space, 0, 4 if card <= Card.SIXES else (3, 4, 5, 5, 7, 6)[card - 6])
    for card, space in zip(Card, (1, 2, 3, 5, 6, 7, 9, 10, 11, 13, 14, 15), strict=True)
}
ROLLED: dict[str, Any] = {"step": Step.USE, "red": 2, "origin": 0, "pawns": (2, 4)}


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"pawns": (0,)}, "a pawn for each player"),
        ({"pawns": (0, 16)}, "a space from 0 to 15, got 16"),
        ({"pawns": (1, 4)}, "a pawn on its corner, got 1"),
        ({"pawns": (3, 5), "turns": 1}, "a pawn on its corner, got 5"),
        ({"first": 2}, "the seat that began"),
        ({"cards": {Card.ACES: Stack(4, 0, 1)}}, "a diamond space of its own for aces, got 4"),
        ({"cards": {Card.ACES: Stack(16, 0, 1)}}, "a diamond space of its own for aces, got 16"),
        (
            {"cards": {Card.ACES: Stack(1, 0, 1), Card.TWOS: Stack(1, 1, 1)}},
            "a diamond space of its own for twos",
        ),
        ({"cards": {Card.ACES: Stack(1, 2, 1)}}, "a seat for aces, got 2"),
        ({"cards": {Card.ACES: Stack(1, 0, 5)}}, "a stack that aces can hold, got 5"),
        ({"cards": {Card.ACES: Stack(1, 0, 0)}}, "a stack that aces can hold, got 0"),
        ({"cards": {Card.CHANCE: Stack(1, 0, 5)}}, "a stack that chance can hold, got 5"),
        ({"cards": {Card.ACES: Stack(1, 0, 1)}, "turns": 0}, "at least 1 turns"),
        ({"end": 14}, "no end while cards are off the board"),
        ({"cards": ALL}, "the number of turns of the whole game"),
        ({"cards": ALL, "end": 13}, "an end after 14 turns or more"),
        ({"cards": ALL, "end": 20, "turns": 17}, "18 to 20 turns, got 17"),
        ({"cards": ALL, "end": 20, "turns": 20}, "a step as the turns have it"),
        ({"step": Step.OVER}, "a step as the turns have it"),
        ({"red": 7}, "a face of the red die"),
        ({"origin": 1}, "no red die on the table"),
        ({"red": 3, "pawns": (2, 4), "turns": 2}, "a pawn moved by 3 from 0, got 2"),
        ({"step": Step.ROLL}, "the face that the red die showed"),
        ({"step": Step.ROLL, "red": 1, "origin": 16, "turns": 2}, "a space from 0 to 15"),
        ({**ROLLED, "step": Step.LANDED}, "a step of roll, use"),
        (
            {**ROLLED, "cards": {Card.ACES: Stack(2, 0, 4)}, "turns": 2, "roll": 1},
            "a step of move",
        ),
        (ROLLED, "roll 1 to 3, got 0"),
        ({**ROLLED, "roll": 4, "dice": (1,) * 5}, "roll 1 to 3, got 4"),
        ({**ROLLED, "roll": 1, "dice": (1,) * 4}, "five faces 1 to 6"),
        ({**ROLLED, "roll": 1, "dice": (1, 1, 1, 1, 7)}, "five faces 1 to 6"),
        ({**ROLLED, "roll": 1, "dice": (1,) * 5, "held": (1,)}, "slots to hold"),
        ({**ROLLED, "step": Step.ROLL, "roll": 3, "dice": (1,) * 5}, "roll 0 to 2, got 3"),
        ({**ROLLED, "step": Step.ROLL, "dice": (1,) * 5}, "no black dice on the table"),
        (
            {**ROLLED, "step": Step.ROLL, "roll": 1, "dice": (1,) * 5, "held": (1, 0)},
            "slots to hold",
        ),
        (
            {**ROLLED, "step": Step.ROLL, "roll": 1, "dice": (1,) * 5, "held": (0, 1, 2, 3, 4)},
            "slots to hold",
        ),
        ({"roll": 1, "dice": (1,) * 5}, "roll 0 to 0, got 1"),
    ],
)
def test_a_position_that_cannot_be_is_refused(fields: dict[str, Any], expected: str) -> None:
    with pytest.raises(BadPosition) as error:
        set_up.showdown(["Ann", "Bob"], **{"pawns": (0, 4), **fields})
    assert expected in str(error.value)


def test_players_of_a_position_are_checked() -> None:
    with pytest.raises(BadPosition, match="2 to 4 players, got 1"):
        set_up.showdown(["Ann"], pawns=(0,))
    with pytest.raises(BadOptions):
        set_up.showdown(["Ann", ""], pawns=(0, 4))


START = 'showdown turns 0 first 1 step move | "Ann" 0 | "Bob" 4 |'


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("turns 0", "^turn 0", "'turns'"),
        ("first 1", "first ^5", "a seat from 1 to 4"),
        ("step move", "step ^walk", "a step (move, landed, roll, use, over)"),
        ("move |", "move red ^7 from 0 |", "a face from 1 to 6"),
        ("move |", "move red 3 ^of 0 |", "'from'"),
        ("move |", "use roll 1 dice ^1234 |", "five faces such as 35512"),
        ("move |", "roll roll 1 dice 12345 ^|", "'hold'"),
        ("move |", "roll roll 1 dice 12345 hold ^71 |", "dice such as 134, or none"),
        ('"Bob" 4', '"Bob" ^16', "a space from 0 to 15"),
        ('"Bob" 4 |', '"Bob" 4^', "'|'"),
        ("4 |", "4 | ^nines 1 1 1", "a card (aces, twos,"),
        ("4 |", "4 | aces 1 1 ^8", "chips from 1 to 7"),
        ("4 |", "4 | aces 1 1 1 ^aces 2 1 1", "a card (twos, threes,"),
    ],
)
def test_a_text_that_is_no_position_is_refused_with_the_place(
    old: str, new: str, expected: str
) -> None:
    assert position_from_text(START)
    before, caret, after = START.replace(old, new, 1).partition("^")
    assert caret
    with pytest.raises(RecordError) as error:
        position_from_text(before + after)
    assert error.value.column == len(before) + 1
    assert error.value.expected.startswith(expected)


def test_a_text_of_a_position_that_cannot_be_is_refused() -> None:
    with pytest.raises(BadPosition):
        position_from_text(START.replace('"Ann" 0', '"Ann" 1'))


def test_the_record_and_the_position_that_the_page_shows_are_read() -> None:
    page = ROOT / "docs" / "rules" / "showdown.md"
    text = page.read_text(encoding="utf-8").partition("## In a record")[2]
    shown = [line[4:] if line else "" for line in text.split("\n") if line[:4] in ("", "    ")]
    lines = "\n".join(shown).strip("\n").split("\n")
    position = lines.pop()
    game, state = position_from_text(position)
    assert position == position_to_text(game, state)
    record = "\n".join(lines).rstrip("\n") + "\n"
    assert write_record(read_record(record)) == record
    assert showdown.GAME.scores(replay(read_record(record))) == (60, 40)
