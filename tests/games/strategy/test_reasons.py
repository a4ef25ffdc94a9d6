"""Why a hint says what it does: by the values of the solver, for any game."""

from dataclasses import replace
from random import Random

import pytest

from games import yatzy
from games.boxes import Score
from games.chance import random_event
from games.classic import GAME, Box, Sheet, State
from games.strategy import advice
from games.strategy.aims import aim_of
from games.strategy.solver import reason_by_chance, reason_by_worth
from games.strategy.turn import HANDS
from games.values import Choice, Choose, Keep, Pass, Rolled, Throw

KEEP, ALL = Keep((0,)), Keep(())
CHANCE, SIXES = Score(Box.CHANCE), Score(Box.SIXES)


def thrown(faces: tuple[int, ...], roll: int = 1, filled: tuple[Box, ...] = ()) -> State:
    """These dice after this many rolls, with zeros in these boxes."""
    state = GAME.start(["ANNA"], {})
    boxes = [0 if box in filled else None for box in Box]
    state = replace(state, sheets=(Sheet.of(boxes),))
    for number in range(roll):
        state = GAME.apply(GAME.apply(state, ALL) if number else state, Rolled(faces))
    return state


@pytest.mark.parametrize(
    ("state", "advised", "reason"),
    [
        (thrown((3, 3, 1, 5, 6)), "hold 12", "threes + bonus"),
        (thrown((3, 3, 3, 3, 6)), "hold 1234", "for five-alike"),
        (thrown((3, 3, 3, 3, 6), 1, (Box.FIVE_ALIKE, Box.THREES)), "hold 1234", "for four-alike"),
        (thrown((2, 3, 4, 5, 5)), "hold 1234", "for large-straight"),
        (thrown((6, 6, 6, 5, 5), 3), "three-alike", "now +28"),
        (thrown((6, 6, 6, 6, 5), 3), "sixes", "bonus 63"),
        (thrown((1, 1, 2, 4, 6), 3), "aces", "saves twos"),
        (thrown((1, 1, 2, 4, 6), 3, (*Box,)[1:]), "aces", "only-choice"),
    ],
)
def test_a_box_is_named_by_what_it_brings_now_or_later(
    state: State, advised: str, reason: str
) -> None:
    hint = advice.hint(GAME, state)
    assert hint is not None
    assert hint.choice is not None
    assert (hint.choice.key, hint.reason) == (advised, reason)


def test_dice_that_cannot_earn_the_bonus_are_held_for_their_number_alone() -> None:
    hint = advice.hint(GAME, thrown((3, 3, 1, 5, 6), 1, (Box.FIVES, Box.SIXES, Box.FOURS)))
    assert hint is not None
    assert hint.reason == "for threes"


@pytest.mark.parametrize("seed", range(3))
def test_in_a_fixed_order_dice_are_held_for_the_box_that_is_due(seed: int) -> None:
    chance, due = Random(seed), 0
    state = yatzy.GAME.start(["ANNA"], {"order": "top-down"})
    while isinstance(yatzy.GAME.ask(state), Throw | Choose):
        hint = advice.hint(yatzy.GAME, state)
        if hint is None or hint.choice is None:
            event = random_event(yatzy.GAME, state, chance)
        else:
            event = hint.choice
            box = yatzy.GAME.boxes((state.sheets[0].open & -state.sheets[0].open).bit_length() - 1)
            if " + " in hint.reason or hint.reason.startswith("for "):
                assert box.word in hint.reason.split()
                due += 1
        assert event is not None
        state = yatzy.GAME.apply(state, event)
    assert due > 5


@pytest.mark.parametrize(("kept", "key"), [((3, 3), "threes"), ((3, 4), "small-straight")])
def test_what_other_numbers_are_held_for_is_no_use_of_one_number(
    kept: tuple[int, ...], key: str
) -> None:
    threes = [index for index, hand in enumerate(HANDS) if hand.count(3) > 1]
    straights = [index for index, hand in enumerate(HANDS) if {3, 4} <= {*hand}]
    rest = ("", list(range(len(HANDS))), 0.0, 0.0)
    uses = [rest, ("small-straight", straights, 5.0, 5.0), ("threes", threes, 30.0, 30.0)]
    assert aim_of(kept, 1, uses) == key


@pytest.mark.parametrize(
    ("choice", "worth", "reason"),
    [
        (KEEP, {KEEP: 385.0, CHANCE: 300.0}, "throw +85"),
        (CHANCE, {CHANCE: 251.8, KEEP: 251.8, SIXES: 245.6}, "better +6.2"),
        (CHANCE, {CHANCE: 251.8, KEEP: 251.79}, "all-alike"),
        (CHANCE, {CHANCE: 251.8, KEEP: 260.0}, "best-known"),
        (KEEP, {KEEP: 385.0, ALL: 384.0, CHANCE: 300.0}, "throw +85"),
        (CHANCE, {KEEP: 180.0, CHANCE: 300.0}, "throw -120"),
        (CHANCE, {KEEP: 180.0, CHANCE: 300.0, SIXES: 296.75}, "better +3.2"),
        (KEEP, {KEEP: 5.0, ALL: 2.5}, "better +2.5"),
        (KEEP, {KEEP: 5.0, ALL: 5.01}, "all-alike"),
        (KEEP, {KEEP: 5.0}, "only-choice"),
        (Pass(), {KEEP: 5.0}, "best-known"),
    ],
)
def test_another_throw_is_compared_with_what_there_is_now(
    choice: Choice, worth: dict[Choice, float], reason: str
) -> None:
    assert reason_by_worth(choice, worth) == reason


def test_a_chance_to_win_is_compared_with_the_next_best() -> None:
    assert reason_by_chance(KEEP, {KEEP: 0.64, CHANCE: 0.52, SIXES: 0.1}) == "win +12%"
    assert reason_by_chance(KEEP, {KEEP: 0.64, CHANCE: 0.638}) == ""
