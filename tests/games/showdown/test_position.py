"""Positions of Showdown that no game can reach, and the lines that its page shows."""

from typing import Any

import pytest

from games.notation.positions import BadPosition
from games.record import position_from_text, position_to_text, read_record, replay, write_record
from games.showdown import GAME, Card, Stack, Step
from tests.paths import ROOT

ALL = {
    card: Stack(space, 0, 4 if card <= Card.SIXES else (3, 4, 5, 5, 7, 6)[card - 6])
    for card, space in zip(Card, (1, 2, 3, 5, 6, 7, 9, 10, 11, 13, 14, 15), strict=True)
}
ROLLED: dict[str, Any] = {"step": Step.USE, "red": 2, "origin": 0, "pawns": (2, 4)}


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"pawns": (0,)}, "pawns for each of 2 players"),
        ({"pawns": (0, 16)}, "a space from 0 to 15 for 'pawns', got 16"),
        ({"pawns": (1, 4)}, "a pawn on its corner, got 1"),
        ({"pawns": (3, 5), "turns": 1}, "a pawn on its corner, got 5"),
        ({"first": 2}, "the seat of a player for 'first'"),
        ({"cards": {Card.ACES: Stack(4, 0, 1)}}, "a diamond space of its own for aces, got 4"),
        ({"cards": {Card.ACES: Stack(16, 0, 1)}}, "for 'cards', got (Stack(space=16"),
        (
            {"cards": {Card.ACES: Stack(1, 0, 1), Card.TWOS: Stack(1, 1, 1)}},
            "a diamond space of its own for twos",
        ),
        ({"cards": {Card.ACES: Stack(1, 2, 1)}}, "a seat for aces, got 2"),
        ({"cards": {Card.ACES: Stack(1, 0, 5)}}, "a stack that aces can hold, got 5"),
        ({"cards": {Card.ACES: Stack(1, 0, 0)}}, "for 'cards', got (Stack(space=1"),
        ({"cards": {Card.CHANCE: Stack(1, 0, 5)}}, "a stack that chance can hold, got 5"),
        ({"cards": {Card.ACES: Stack(1, 0, 1)}, "turns": 0}, "at least 1 turns"),
        ({"end": 14}, "no end while cards are off the board"),
        ({"cards": ALL}, "the number of turns of the whole game"),
        ({"cards": ALL, "end": 13}, "an end after 14 turns or more"),
        ({"cards": ALL, "end": 20, "turns": 17}, "18 to 20 turns, got 17"),
        ({"cards": ALL, "end": 20, "turns": 20}, "a step as the turns have it"),
        ({"step": Step.OVER}, "a step as the turns have it"),
        ({"red": 7}, "a face from 1 to 6 for 'red'"),
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
        ({**ROLLED, "roll": 4, "dice": (1,) * 5}, "a roll from 1 to 3"),
        ({**ROLLED, "roll": 1, "dice": (1,) * 4}, "five faces such as 35512 for 'dice'"),
        ({**ROLLED, "roll": 1, "dice": (1, 1, 1, 1, 7)}, "five faces such as 35512 for 'dice'"),
        ({**ROLLED, "roll": 1, "dice": (1,) * 5, "held": (1,)}, "nothing held"),
        ({**ROLLED, "step": Step.ROLL, "roll": 3, "dice": (1,) * 5}, "roll 0 to 2, got 3"),
        ({**ROLLED, "step": Step.ROLL, "dice": (1,) * 5}, "none without one"),
        (
            {**ROLLED, "step": Step.ROLL, "roll": 1, "dice": (1,) * 5, "held": (1, 0)},
            "slots from 0 to 4, ascending, not all",
        ),
        (
            {**ROLLED, "step": Step.ROLL, "roll": 1, "dice": (1,) * 5, "held": (0, 1, 2, 3, 4)},
            "slots from 0 to 4, ascending, not all",
        ),
        ({"roll": 1, "dice": (1,) * 5, "step": Step.MOVE}, "roll 0 to 0, got 1"),
    ],
)
def test_a_position_that_cannot_be_is_refused(fields: dict[str, Any], expected: str) -> None:
    with pytest.raises(BadPosition) as error:
        GAME.position(**{"players": ["Ann", "Bob"], "pawns": (0, 4), **fields})
    assert expected in str(error.value)


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
    assert GAME.scores(replay(read_record(record))) == (60, 40)
