"""Positions of Power that are set up equal those of real play; impossible ones are refused."""

from random import Random
from typing import Any

import pytest

from games import power
from games.chance import random_event
from games.notation.positions import BadPosition
from games.notation.words import RecordError, Words
from games.power import CROSSED_SLOT, FilledSlot, Sheet, Slot, State
from tests.rigs import set_up
from tests.rigs.examples import examples


def read(text: str) -> State:
    return power.GAME.position_from_text(Words.of(text))


@pytest.mark.parametrize("seed", range(examples(3, 12)))
def test_every_state_of_real_play_can_be_set_up_and_written_down(seed: int) -> None:
    random = Random(seed)
    names = ['An "n', "Bób|", "C;#[]", "D", "E", "F"][: seed % 6 + 1]
    state = power.GAME.start(names, {} if seed % 3 else {"first": seed % len(names)})
    while True:
        text = power.GAME.position_to_text(state)
        assert "\n" not in text
        again = read(text)
        assert again == state
        assert hash(again) == hash(state)
        event = random_event(power.GAME, state, random)
        if event is None:
            break
        state = power.GAME.apply(state, event)


def filled(*slots: Slot, **lines: FilledSlot) -> Sheet:
    values: list[FilledSlot | None] = [None] * 21
    for slot in slots:
        values[slot] = CROSSED_SLOT
    for name, line in lines.items():
        values[Slot[name]] = line
    return Sheet.of(values)


FULL = Sheet.of([CROSSED_SLOT] * 21)
DICE = (1, 2, 3, 4, 6)


@pytest.mark.parametrize(
    ("sheets", "fields", "expected"),
    [
        ([filled(TWOS=FilledSlot(7, 1))], {}, "a line of twos"),
        ([filled(TWOS=FilledSlot(12, 1))], {}, "a line of twos"),
        ([filled(TWOS=FilledSlot(4, 4))], {}, "a line of twos"),
        ([filled(TWOS=FilledSlot(4, 1, 2))], {}, "a line of twos"),
        ([filled(TWOS=FilledSlot(0, 1))], {}, "a line of twos"),
        ([filled(CHOICE=FilledSlot(12, 1))], {}, "a line of choice"),
        ([filled(CHOICE=FilledSlot(12, 1, 5))], {}, "a line of choice"),
        ([filled(FULL_HOUSE=FilledSlot(26, 1))], {}, "a line of full-house"),
        ([filled(CHANCE=FilledSlot(31, 1))], {}, "a line of chance"),
        ([filled(FIVE_ALIKE_1=FilledSlot(100, 1))], {}, "a line of five-alike 1"),
        ([filled(FIVE_ALIKE_2=FilledSlot(100, 1))], {}, "scores first and X's last in five-alike"),
        ([filled(Slot.THREE_ALIKE_1)], {}, "scores first and X's last in three-alike"),
        ([Sheet((None,) * 21, 0)], {}, "open slots as the lines say"),
        ([Sheet.of([None] * 20)], {}, "21 slots"),
        ([Sheet()], {"seat": 1}, "the seat of a player"),
        ([Sheet()] * 2, {"players": ["A"]}, "a sheet for each player"),
        ([], {"players": []}, "1 to 6 players"),
        ([Sheet()] * 2, {"seat": 1}, "seat 0 after 0 turns"),
        ([Sheet()], {"turns": 1}, "1 to 2 slots of 0 filled, got 0"),
        ([filled(Slot.ACES, Slot.TWOS, Slot.SIXES)], {"turns": 1}, "1 to 2 slots"),
        ([Sheet()], {"first": None}, "first as the roll-off has it"),
        ([Sheet()] * 2, {"first": None, "seat": 1}, "seat 0 to throw"),
        ([Sheet()] * 2, {"roll_off": (1, 6)}, "as the roll-off has"),
        ([Sheet()] * 2, {"roll_off": (1, 7)}, "a face from 1 to 6"),
        ([Sheet()] * 2, {"first": None, "turns": 1}, "empty sheets"),
        ([Sheet()], {"roll": 1}, "five faces"),
        ([Sheet()], {"roll": 1, "dice": DICE}, "a face of 1, 2, 3"),
        ([Sheet()], {"dice": DICE}, "no roll on the table"),
        ([Sheet()], {"roll": 5, "dice": DICE, "power": "1", "held": None}, "roll 1 to 4"),
        ([Sheet()], {"roll": 3, "dice": DICE, "power": "1"}, "no throw after roll 3"),
        ([Sheet()], {"roll": 3, "dice": DICE, "power": "power"}, "no throw after roll 3"),
        ([Sheet()], {"roll": 4, "dice": DICE, "power": "power", "held": (5,)}, "no throw after"),
        ([Sheet()], {"roll": 1, "dice": DICE, "power": "freeze"}, "no throw after Freeze"),
        ([Sheet()], {"roll": 1, "dice": DICE, "power": "1", "held": (1, 0)}, "slots from 0 to 5"),
        ([Sheet()], {"roll": 1, "dice": DICE, "power": "1", "held": tuple(range(6))}, "not all"),
        ([Sheet()], {"held": None}, "held ()"),
        ([filled(Slot.ACES)], {"undoubled": Sheet()}, "no half of a Double"),
        (
            [filled(Slot.ACES)],
            {"roll": 1, "dice": DICE, "power": "1", "held": None, "undoubled": Sheet()},
            "a Double on the table",
        ),
        (
            [Sheet()],
            {"roll": 1, "dice": DICE, "power": "double", "held": None, "undoubled": Sheet()},
            "1 to 1 slots",
        ),
        (
            [filled(ACES=FilledSlot(1, 3))],
            {"roll": 1, "dice": DICE, "power": "double", "held": None, "undoubled": Sheet()},
            "the first half doubled",
        ),
        ([FULL], {"turns": 21}, "held None"),
        ([FULL, FULL], {"turns": 42, "seat": 1, "held": None}, "no full sheet but"),
    ],
)
def test_what_cannot_come_about_is_refused(
    sheets: list[Sheet], fields: dict[str, Any], expected: str
) -> None:
    fields = dict(fields)
    players = fields.pop("players", ["A", "B"][: len(sheets)])
    with pytest.raises(BadPosition) as error:
        set_up.power(players, sheets, **fields)
    assert expected in str(error.value)


GOOD = 'seat 1 first 1 turns 2 roll 2 dice 35512 x3 hold 236 | "Ann" 3x2 X' + " -" * 19


def test_a_position_in_one_line() -> None:
    state = read(GOOD)
    assert power.GAME.position_to_text(state) == GOOD
    assert power.GAME.held(state) == (1, 2, 5)
    assert power.GAME.dice(state) == (None, 5, 5, None, None, "3")
    assert power.GAME.scores(state) == (6,)


def test_a_position_in_the_middle_of_a_double() -> None:
    text = (
        'seat 2 first 2 turns 0 off 1 6 roll 1 dice 44446 double half fours | "A"'
        + " -" * 21
        + ' | "B" - - - 16x2'
        + " -" * 17
    )
    state = read(text)
    assert power.GAME.position_to_text(state) == text
    assert state.undoubled == Sheet()


@pytest.mark.parametrize(
    ("old", "new", "column", "expected"),
    [
        ("seat 1", "seat 0", 6, "a seat from 1 to 6"),
        ("turns 2", "turns x", 22, "turns from 0"),
        ("roll 2", "roll 5", 29, "a roll from 1 to 4"),
        ("35512", "35517", 36, "five faces such as 35512"),
        ("x3", "3", 42, "a face of the Power die"),
        ("hold 236", "hold 32", 50, "dice such as 134"),
        ("hold 236", "hold 237", 50, "dice such as 134"),
        ('"Ann"', "Ann", 56, "a name in double quotes"),
        ("3x2 X", "3x4 X", 62, "a base and a power such as 15x2"),
        ("3x2 X", "0x0 X", 62, "a base and a power such as 15x2"),
        ("3x2 X", "0s3x2 X", 62, "a base and a power such as 15x2"),
        ("3x2 X", "3x2 x", 66, "'-', 'X'"),
    ],
)
def test_errors_in_a_position_say_where(old: str, new: str, column: int, expected: str) -> None:
    with pytest.raises(RecordError) as error:
        read(GOOD.replace(old, new, 1))
    assert (error.value.line, error.value.column) == (1, column)
    assert expected in error.value.expected
