"""Positions of Free for All: those of real play can be set up, impossible ones are refused."""

from random import Random
from typing import Any

import pytest

from games import free_for_all as ffa
from games.chance import random_event
from games.free_for_all import Card, Kind, Lying, State, Step
from games.notation.positions import BadPosition
from games.notation.words import RecordError, Words
from games.values import BadOptions
from tests.rigs import set_up
from tests.rigs.examples import examples

ONES = Card(Kind.ONES, 1)
CHANCE = Card(Kind.CHANCE, 4)
FIVE = Card(Kind.FIVE_ALIKE, 10)
DICE = (1, 2, 3, 4, 6)


def read(text: str) -> State:
    return ffa.GAME.position_from_text(Words.of(text))


@pytest.mark.parametrize("seed", range(examples(4, 15)))
def test_every_state_of_real_play_can_be_set_up_and_written_down(seed: int) -> None:
    random = Random(seed)
    names = ['An "n', "Bób|", "C;#[]", "D", "E", "F"][: seed % 5 + 2]
    cards = {} if seed % 3 else {"cards": "5*chance:4 6*five-alike:10"}
    state = ffa.GAME.start(names, {"deck": ("virtual", "table")[seed % 2], "first": 1, **cards})
    while True:
        text = ffa.GAME.position_to_text(state)
        assert "\n" not in text
        again = read(text)
        assert again == state
        assert hash(again) == hash(state)
        event = random_event(ffa.GAME, state, random)
        if event is None:
            break
        state = ffa.GAME.apply(state, event)


def some_state(**fields: Any) -> State:
    players = fields.pop("players", ["A", "B", "C", "D"])
    return set_up.free_for_all(players, **{"deck": [ONES], "centre": (ONES, ONES, CHANCE)} | fields)


def home(*lying: Lying) -> list[tuple[Lying | None, ...]]:
    return [(card,) for card in lying] + [(None,)] * (4 - len(lying))


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"players": ["A"]}, "2 to 6 players"),
        ({"first": 4}, "the seat that began"),
        ({"turns": -1}, "turns from 0"),
        ({"centre": (ONES, ONES)}, "3 spaces in the centre"),
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
        ({"homes": [(None,)] * 3}, "home spaces for each player"),
        ({"homes": [(None, None)] * 4}, "1 home spaces for each of 4"),
        ({"banked": [[]] * 3}, "banked cards for each player"),
        ({"homes": home(Lying(ONES, (2, 3, 4, 5, 6)))}, "dice that make ones:1"),
        ({"homes": home(Lying(FIVE, (6, 6, 6, 6, 5)))}, "dice that make five-alike:10"),
        ({"homes": home(Lying(CHANCE, (6, 6, 6, 6)))}, "five faces"),
        ({"homes": home(Lying(CHANCE, DICE))}, "a free home space"),
        ({"step": Step.BANK}, "several cards at home"),
        ({"chips": (0, 0)}, "3 numbers of chips"),
        ({"chips": (0, 0, -1)}, "chips from 0"),
        ({"banked_chips": (1, 2, 3)}, "chips for each player"),
        ({"chips": (12, 12, 12), "banked_chips": (1, 0, 0, 0)}, "36 chips at most"),
        (
            {"step": Step.TURN_UP, "centre": (None, ONES, ONES), "chips": (1, 0, 0)},
            "no chips where no card lies",
        ),
        ({"dice": DICE}, "no roll on the table"),
        ({"roll": 1}, "five faces"),
        ({"roll": 3, "dice": DICE}, "no throw after roll 3"),
        ({"roll": 4, "dice": DICE, "step": Step.USE}, "roll 1 to 3"),
        ({"roll": 1, "dice": DICE, "held": (0, 1, 2, 3, 4)}, "not all"),
        ({"roll": 1, "dice": DICE, "held": (1, 0)}, "ascending"),
        ({"roll": 1, "dice": DICE, "held": (1,), "step": Step.USE}, "nothing held"),
        ({"step": Step.USE}, "roll 1 to 3"),
        ({"step": Step.OVER}, "roll 1 to 3"),
    ],
)
def test_what_cannot_come_about_is_refused(fields: dict[str, Any], expected: str) -> None:
    with pytest.raises(BadPosition) as error:
        some_state(**fields)
    assert expected in str(error.value)


def test_names_that_cannot_be_are_refused() -> None:
    with pytest.raises(BadOptions):
        some_state(players=["A", ""])


GOOD = (
    "first 2 turns 5 virtual roll roll 1 dice 14461 hold 23 | deck 2*ones:1 1*chance:4"
    " | apart 6*five-alike:10 | centre ones:1+2 fours:4+0 chance:4+1"
    ' | "Ann" chips 3 home - banked 1*ones:1 | "Bob" chips 0 home fours:4@44123 banked'
    ' | "Cid" chips 0 home - banked | "Dee" chips 0 home - banked'
)


def test_a_position_in_one_line() -> None:
    state = read(GOOD)
    assert ffa.GAME.position_to_text(state) == GOOD
    assert state.seat == 2
    assert ffa.GAME.held(state) == (1, 2)
    assert ffa.GAME.dice(state) == (None, 4, 4, None, None)
    assert ffa.GAME.scores(state) == (4, 0, 0, 0)
    assert state.pile == 36 - 6


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("first 2", "first 0", "a seat from 1 to 6"),
        ("virtual", "paper", "a deck (virtual, table)"),
        ("virtual roll", "virtual rolling", "a step (turn-up"),
        ("14461", "14467", "five faces"),
        ("hold 23", "hold 32", "dice such as 134"),
        ("2*ones:1 ", "2*ones ", "cards such as 3*ones:1"),
        ("2*ones:1 ", "2*ones:101 ", "cards such as 3*ones:1"),
        ("ones:1+2", "ones:1", "a card and its chips"),
        ("ones:1+2", "ones:1+٣", "a card and its chips"),
        ("chips 3", "chips 37", "chips from 0 to 36"),
        ("fours:4@44123", "fours:4@4412", "a card and its dice"),
        ('"Ann"', "Ann", "a name in double quotes"),
        ("| centre", "| center", "'centre'"),
    ],
)
def test_errors_in_a_position_say_where(old: str, new: str, expected: str) -> None:
    with pytest.raises(RecordError) as error:
        read(GOOD.replace(old, new, 1))
    assert expected in error.value.expected
    assert 0 <= error.value.column - 1 - GOOD.index(old) <= len(old)
