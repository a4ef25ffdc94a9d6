"""Positions of Free for All that no game can reach."""

from typing import Any

import pytest

from games.free_for_all import GAME, Card, Kind, Lying, Step
from games.notation.positions import BadPosition

ONES = Card(Kind.ONES, 1)
CHANCE = Card(Kind.CHANCE, 4)
FIVE = Card(Kind.FIVE_ALIKE, 10)
DICE = (1, 2, 3, 4, 6)
BASE: dict[str, Any] = {
    "players": ["A", "B", "C", "D"],
    "deck": [ONES],
    "centre": (ONES, ONES, CHANCE),
    "step": Step.ROLL,
}


def home(*lying: Lying) -> list[tuple[Lying | None, ...]]:
    return [(card,) for card in lying] + [(None,)] * (4 - len(lying))


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"players": ["A"]}, "2 to 6 players"),
        ({"first": 4}, "the seat of a player for 'first'"),
        ({"turns": -1}, "turns from 0"),
        ({"centre": (ONES, ONES)}, "a card and its chips"),
        ({"centre": (ONES, ONES, None)}, "no empty space"),
        ({"centre": (ONES, ONES, FIVE)}, "five alike apart from the deck"),
        ({"deck": [FIVE]}, "five alike apart from the deck"),
        ({"apart": [ONES]}, "only five alike apart"),
        ({"step": Step.TURN_UP}, "an empty space in the centre"),
        ({"step": Step.TURN_UP, "centre": (ONES, None, None)}, "enough cards in the deck"),
        (
            {"step": Step.TURN_UP, "centre": (None, None, ONES), "deck": [ONES] * 5},
            "one empty space",
        ),
        (
            {"step": Step.TURN_UP, "centre": (ONES, None, None), "deck": [ONES] * 5, "turns": 1},
            "one empty space",
        ),
        ({"homes": [(None,)] * 3}, "homes for each of 4 players"),
        ({"homes": [(None, None)] * 4}, "1 home spaces for each of 4"),
        ({"banked": [[]] * 3}, "banked for each of 4 players"),
        ({"homes": home(Lying(ONES, (2, 3, 4, 5, 6)))}, "dice that make ones:1"),
        ({"homes": home(Lying(FIVE, (6, 6, 6, 6, 5)))}, "dice that make five-alike:10"),
        ({"homes": home(Lying(CHANCE, (6, 6, 6, 6)))}, "a card and its dice"),
        ({"homes": home(Lying(CHANCE, DICE))}, "a free home space"),
        ({"step": Step.BANK}, "several cards at home"),
        ({"chips": (0, 0)}, "a card and its chips"),
        ({"chips": (0, 0, -1)}, "a card and its chips"),
        ({"banked_chips": (1, 2, 3)}, "banked_chips for each of 4 players"),
        ({"chips": (12, 12, 12), "banked_chips": (1, 0, 0, 0)}, "36 chips at most"),
        (
            {"step": Step.TURN_UP, "centre": (None, ONES, ONES), "chips": (1, 0, 0)},
            "no chips where no card lies",
        ),
        ({"dice": DICE}, "none without one"),
        ({"roll": 1}, "dice with a roll"),
        ({"roll": 3, "dice": DICE}, "roll 0 to 2"),
        ({"roll": 4, "dice": DICE, "step": Step.USE}, "a roll from 1 to 3"),
        ({"roll": 1, "dice": DICE, "held": (0, 1, 2, 3, 4)}, "not all"),
        ({"roll": 1, "dice": DICE, "held": (1, 0)}, "ascending"),
        ({"roll": 1, "dice": DICE, "held": (1,), "step": Step.USE}, "nothing held"),
        ({"step": Step.USE}, "roll 1 to 3"),
        ({"step": Step.OVER}, "roll 1 to 3"),
    ],
)
def test_what_cannot_come_about_is_refused(fields: dict[str, Any], expected: str) -> None:
    with pytest.raises(BadPosition) as error:
        GAME.position(**BASE | fields)
    assert expected in str(error.value)
