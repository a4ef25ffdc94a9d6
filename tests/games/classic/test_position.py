"""Positions that are set up equal those reached in play, and impossible ones are refused."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from games import classic
from games.chance import random_event
from games.classic import Box, Sheet
from games.notation.positions import BadPosition
from games.notation.words import RecordError
from games.record import position_from_text, position_to_text
from tests.rigs import set_up
from tests.rigs.examples import examples


@pytest.mark.parametrize("seed", range(examples(3, 12)))
def test_every_state_of_real_play_can_be_set_up_and_written_down(seed: int) -> None:
    random = Random(seed)
    names = ['An "n', "Bób|", "C;#[]", "D", "E", "F"][: seed % 6 + 1]
    state = classic.GAME.start(names, {} if seed % 3 else {"first": seed % len(names)})
    while True:
        again = set_up.classic(
            state.players,
            [replace(Sheet.of(sheet.boxes), bonuses=sheet.bonuses) for sheet in state.sheets],
            seat=state.seat,
            first=state.first,
            roll=state.roll,
            dice=state.dice,
            held=state.held,
            roll_off=state.roll_off,
        )
        assert again == state
        assert hash(again) == hash(state)
        text = position_to_text(classic.GAME, state)
        assert "\n" not in text
        assert position_from_text(text) == (classic.GAME, state)
        event = random_event(classic.GAME, state, random)
        if event is None:
            break
        state = classic.GAME.apply(state, event)


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
        ([filled(ACES=-1)], {}, "a score of aces"),
        ([filled(FULL_HOUSE=26)], {}, "a score of full-house"),
        ([filled(CHANCE=4)], {}, "a score of chance"),
        ([filled(THREE_ALIKE=31)], {}, "a score of three-alike"),
        ([filled(FIVE_ALIKE=50, bonuses=1)], {}, "0 to 0 five-alike bonuses, got 1"),
        ([filled(FIVE_ALIKE=0, ACES=5, bonuses=1)], {}, "0 to 0 five-alike bonuses"),
        ([filled(ACES=5, bonuses=-1)], {}, "five-alike bonuses"),
        ([Sheet((None,) * 13, 0, 0)], {}, "open boxes as the scores say"),
        ([Sheet.of([None] * 12)], {}, "13 boxes"),
        ([Sheet()], {"seat": 1}, "the seat of a player"),
        ([Sheet()] * 2, {"players": ["A"]}, "a sheet for each player"),
        ([], {"players": []}, "1 to 6 players"),
        ([Sheet()] * 2, {"seat": 1}, "1 boxes filled in turn, got 0"),
        ([Sheet(), filled(Box.ACES)], {}, "0 boxes filled in turn, got 1"),
        ([filled(Box.ACES), Sheet()], {}, "1 boxes filled in turn, got 0"),
        ([Sheet()], {"first": None}, "first as the roll-off has it"),
        ([Sheet()] * 2, {"first": None, "seat": 1}, "seat 0 to throw"),
        ([filled(Box.ACES)] * 2, {"first": None}, "empty sheets"),
        ([Sheet()] * 2, {"roll_off": ((1, 1, 1, 1, 1), (6, 1, 1, 1, 1))}, "as the roll-off has"),
        ([Sheet()] * 2, {"roll_off": ((1, 1, 1, 1), (6, 1, 1, 1, 1))}, "five faces"),
        ([Sheet()], {"roll": 1}, "five faces"),
        ([Sheet()], {"roll": 1, "dice": (1, 2, 3, 4, 7)}, "five faces"),
        ([Sheet()], {"dice": (1, 2, 3, 4, 6)}, "no roll on the table"),
        ([Sheet()], {"roll": 4, "dice": (1, 2, 3, 4, 6), "held": None}, "roll 1 to 3"),
        ([Sheet()], {"roll": 3, "dice": (1, 2, 3, 4, 6), "held": ()}, "no throw after roll 3"),
        ([Sheet()], {"roll": 1, "dice": (1, 2, 3, 4, 6), "held": (1, 0)}, "slots from 0 to 4"),
        ([Sheet()], {"roll": 1, "dice": (1, 2, 3, 4, 6), "held": (0, 1, 2, 3, 4)}, "not all"),
        ([Sheet()], {"held": None}, "held ()"),
        ([FULL], {}, "held None"),
        ([FULL, FULL], {"seat": 1, "held": None}, "seat 0 at the end"),
    ],
)
def test_what_cannot_come_about_is_refused(
    sheets: list[Sheet], fields: dict[str, Any], expected: str
) -> None:
    players = fields.pop("players", ["A", "B"][: len(sheets)])
    with pytest.raises(BadPosition) as error:
        set_up.classic(players, sheets, **fields)
    assert expected in str(error.value)


GOOD = (
    'classic seat 1 first 1 roll 2 dice 35512 hold 23 | "Ann" 3 - - - - - - - - - - - - bonuses 0'
)


def test_a_position_in_one_line() -> None:
    _, state = position_from_text(GOOD)
    assert position_to_text(classic.GAME, state) == GOOD
    assert classic.GAME.held(state) == (1, 2)
    assert classic.GAME.dice(state) == (None, 5, 5, None, None)


@pytest.mark.parametrize(
    ("old", "new", "column", "expected"),
    [
        ("classic", "clasic", 1, "a game (classic"),
        ("seat 1", "seat 0", 14, "a seat from 1 to 6"),
        ("seat 1", "seat ١", 14, "a seat from 1 to 6"),
        ("roll 2", "roll 4", 29, "a roll from 1 to 3"),
        ("35512", "35517", 36, "five faces such as 35512"),
        ("35512", "3551", 36, "five faces such as 35512"),
        ("hold 23", "hold 32", 47, "dice such as 134"),
        ("hold 23", "hold 26", 47, "dice such as 134"),
        ('"Ann"', "Ann", 52, "a name in double quotes"),
        ('"Ann" 3', '"Ann" x', 58, "'-' or the points"),
        (" bonuses 0", "", 83, "'bonuses'"),
        (" bonuses 0", " bonuses 0 1", 94, "'|' and a player"),
    ],
)
def test_errors_in_a_position_say_where(old: str, new: str, column: int, expected: str) -> None:
    with pytest.raises(RecordError) as error:
        position_from_text(GOOD.replace(old, new, 1))
    assert (error.value.line, error.value.column) == (1, column)
    assert expected in error.value.expected
