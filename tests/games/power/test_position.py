"""Positions of Power that no game can reach."""

from typing import Any

import pytest

from games.notation.positions import BadPosition
from games.power import CROSSED_SLOT, GAME, FilledSlot, Sheet, Slot


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
        ([filled(TWOS=FilledSlot(4, 4))], {}, "a base and a power"),
        ([filled(TWOS=FilledSlot(4, 1, 2))], {}, "a line of twos"),
        ([filled(TWOS=FilledSlot(0, 1))], {}, "a base and a power"),
        ([filled(CHOICE=FilledSlot(12, 1))], {}, "a line of choice"),
        ([filled(CHOICE=FilledSlot(12, 1, 5))], {}, "a line of choice"),
        ([filled(FULL_HOUSE=FilledSlot(26, 1))], {}, "a line of full-house"),
        ([filled(CHANCE=FilledSlot(31, 1))], {}, "a line of chance"),
        ([filled(FIVE_ALIKE_1=FilledSlot(100, 1))], {}, "a line of five-alike 1"),
        ([filled(FIVE_ALIKE_2=FilledSlot(100, 1))], {}, "scores first and X's last in five-alike"),
        ([filled(Slot.THREE_ALIKE_1)], {}, "scores first and X's last in three-alike"),
        ([Sheet((None,) * 21, 0)], {}, "what is read as it is written"),
        ([Sheet.of([None] * 20)], {}, "a base and a power"),
        ([Sheet()], {"seat": 1}, "the seat of a player"),
        ([Sheet()] * 2, {"players": ["A"]}, "sheets for each of 1 players"),
        ([], {"players": []}, "1 to 6 players"),
        ([Sheet()] * 2, {"seat": 1}, "seat 0 after 0 turns"),
        ([Sheet()], {"turns": 1}, "1 to 2 slots of 0 filled, got 0"),
        ([filled(Slot.ACES, Slot.TWOS, Slot.SIXES)], {"turns": 1}, "1 to 2 slots"),
        ([Sheet()], {"first": None}, "first as the roll-off has it"),
        ([Sheet()] * 2, {"first": None, "seat": 1}, "seat 0 to throw"),
        ([Sheet()] * 2, {"roll_off": (1, 6)}, "as the roll-off has"),
        ([Sheet()] * 2, {"roll_off": (1, 7)}, "a face from 1 to 6"),
        ([Sheet()] * 2, {"first": None, "turns": 1}, "empty sheets"),
        ([Sheet()], {"roll": 1}, "dice with a roll"),
        ([Sheet()], {"roll": 1, "dice": DICE}, "a face of the Power die"),
        ([Sheet()], {"dice": DICE}, "none without one"),
        ([Sheet()], {"roll": 5, "dice": DICE, "power": "1", "held": None}, "a roll from 1 to 4"),
        ([Sheet()], {"roll": 3, "dice": DICE, "power": "1", "held": ()}, "no throw after"),
        (
            [Sheet()],
            {"roll": 3, "dice": DICE, "power": "power", "held": ()},
            "no throw after roll 3",
        ),
        ([Sheet()], {"roll": 4, "dice": DICE, "power": "power", "held": (5,)}, "no throw after"),
        (
            [Sheet()],
            {"roll": 1, "dice": DICE, "power": "freeze", "held": ()},
            "no throw after Freeze",
        ),
        ([Sheet()], {"roll": 1, "dice": DICE, "power": "1", "held": (1, 0)}, "slots from 0 to 5"),
        ([Sheet()], {"roll": 1, "dice": DICE, "power": "1", "held": tuple(range(6))}, "not all"),
        ([Sheet()], {"held": None}, "held ()"),
        ([filled(Slot.ACES)], {"undoubled": Sheet()}, "a Double on the table"),
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
        ([FULL], {"turns": 21, "held": ()}, "held None"),
        ([FULL, FULL], {"turns": 42, "seat": 1, "held": None}, "no full sheet but"),
    ],
)
def test_what_cannot_come_about_is_refused(
    sheets: list[Sheet], fields: dict[str, Any], expected: str
) -> None:
    with pytest.raises(BadPosition) as error:
        GAME.position(**{"players": ["A", "B"][: len(sheets)], "sheets": sheets, **fields})
    assert expected in str(error.value)
