"""Positions of Classic that no game can reach."""

from dataclasses import replace
from typing import Any, cast

import pytest

from games.classic import GAME, Box, Sheet
from games.notation.positions import BadPosition


def filled(*boxes: Box, bonuses: int = 0, **points: int) -> Sheet:
    values: list[int | None] = [None] * 13
    for box in boxes:
        values[box] = 0
    for name, value in points.items():
        values[Box[name]] = value
    return replace(Sheet.of(values), bonuses=bonuses)


FULL = Sheet.of([0] * 12 + [5])


@pytest.mark.parametrize(
    ("sheets", "fields", "expected"),
    [
        ([filled(TWOS=7)], {}, "a score of twos, got 7"),
        ([filled(TWOS=12)], {}, "a score of twos, got 12"),
        ([filled(ACES=-1)], {}, "the points of a box from 0 to 50"),
        ([filled(FULL_HOUSE=26)], {}, "a score of full-house"),
        ([filled(CHANCE=4)], {}, "a score of chance"),
        ([filled(THREE_ALIKE=31)], {}, "a score of three-alike"),
        ([filled(FIVE_ALIKE=50, bonuses=1)], {}, "0 to 0 five-alike bonuses, got 1"),
        ([filled(FIVE_ALIKE=0, ACES=5, bonuses=1)], {}, "0 to 0 five-alike bonuses"),
        ([filled(ACES=5, bonuses=-1)], {}, "five-alike bonuses"),
        ([Sheet((None,) * 13, 0, 0)], {}, "what is read as it is written"),
        ([Sheet.of([None] * 12)], {}, "the points of a box"),
        ([Sheet.of([None] * 14)], {}, "'bonuses'"),
        ([filled(ACES=cast(int, 3.0))], {}, "the points of a box"),
        ([filled(ACES=True)], {}, "the points of a box"),
        (
            [filled(FIVE_ALIKE=50, bonuses=cast(int, 0.0))],
            {},
            "the five-alike bonuses from 0 to 12",
        ),
        ([Sheet()], {"roll": 0.0}, "a roll from 1 to 3"),
        ([Sheet()], {"seat": False}, "the seat of a player"),
        ([Sheet()], {"seat": 1}, "the seat of a player"),
        ([Sheet()] * 2, {"players": ["A"]}, "sheets for each of 1 players"),
        ([], {"players": []}, "1 to 6 players"),
        ([Sheet()] * 2, {"out": (1, 0)}, "other seats out"),
        ([Sheet()] * 2, {"seat": 1}, "1 boxes filled in turn, got 0"),
        ([Sheet(), filled(Box.ACES)], {}, "0 boxes filled in turn, got 1"),
        ([filled(Box.ACES), Sheet()], {}, "1 boxes filled in turn, got 0"),
        ([Sheet()], {"first": None}, "first as the roll-off has it"),
        ([Sheet()] * 2, {"first": None, "seat": 1}, "seat 0 to throw"),
        ([filled(Box.ACES)] * 2, {"first": None}, "empty sheets"),
        ([Sheet()] * 2, {"roll_off": ((1, 1, 1, 1, 1), (6, 1, 1, 1, 1))}, "as the roll-off has"),
        ([Sheet()] * 2, {"roll_off": ((1, 1, 1, 1), (6, 1, 1, 1, 1))}, "five faces"),
        ([Sheet()], {"roll": 1}, "dice with a roll"),
        ([Sheet()], {"roll": 1, "dice": (1, 2, 3, 4, 7)}, "five faces"),
        ([Sheet()], {"dice": (1, 2, 3, 4, 6)}, "none without one"),
        ([Sheet()], {"roll": 4, "dice": (1, 2, 3, 4, 6), "held": None}, "a roll from 1 to 3"),
        ([Sheet()], {"roll": 3, "dice": (1, 2, 3, 4, 6), "held": ()}, "no throw can follow"),
        ([Sheet()], {"roll": 1, "dice": (1, 2, 3, 4, 6), "held": (1, 0)}, "slots from 0 to 4"),
        ([Sheet()], {"roll": 1, "dice": (1, 2, 3, 4, 6), "held": (0, 1, 2, 3, 4)}, "not all"),
        ([Sheet()], {"held": None}, "held ()"),
        ([FULL], {"held": ()}, "held None"),
        ([FULL, FULL], {"seat": 1, "held": None}, "seat 0 at the end"),
    ],
)
def test_what_cannot_come_about_is_refused(
    sheets: list[Sheet], fields: dict[str, Any], expected: str
) -> None:
    with pytest.raises(BadPosition) as error:
        GAME.position(**{"players": ["A", "B"][: len(sheets)], "sheets": sheets, **fields})
    assert expected in str(error.value)
