"""The examples, figures and turns of Showdown's booklet, with exactly the cards it lists."""

from collections.abc import Mapping
from functools import partial

import pytest

from games import showdown
from games.showdown import Card, Place, Raise, Stack, State, Step, Take
from games.showdown.board import board
from games.values import Choice, IllegalEvent, Keep, Pass, Points, Rolled
from tests.builders import play_text

BOB = 0
LESLIE = 1
PLAYERS = ("Bob", "Leslie")
CORNER = 0
"""Where Bob's pawn starts his turns in these tests."""

ACES, TWOS, THREES, FOURS, FIVES, SIXES, THREE, FOUR, HOUSE, SMALL, LARGE, CHANCE = Card


play = partial(play_text, showdown.GAME)


def uses(state: State) -> dict[Choice, int]:
    """The uses of the roll on the table and the points that each brings, without the pass."""
    found = {}
    for choice in showdown.GAME.choices(state):
        preview = showdown.GAME.preview(state, choice)
        if preview is not None and not isinstance(choice, Pass):
            found[choice] = preview.points
    return found


def with_cards(cards: Mapping[Card, Stack], bob: int = CORNER, leslie: int = 4) -> State:
    """Bob's turn, with these cards on the board."""
    turns = 2 * len(cards)
    return showdown.GAME.position(players=PLAYERS, pawns=(bob, leslie), cards=cards, turns=turns)


def final_roll(faces: str, state: State | None = None) -> State:
    """Bob moves to space 1 and throws these dice on the first roll."""
    return play(f"roll 1; roll {' '.join(faces)}", state or with_cards({}))


PLACE_EXAMPLES = {
    "two aces": ("11345", ACES, 20, {THREES: 10, FOURS: 10, FIVES: 10}),
    "three sixes": ("66614", SIXES, 30, {ACES: 10, FOURS: 10, THREE: 30}),
    "three of a kind": ("44425", THREE, 30, {TWOS: 10, FOURS: 30, FIVES: 10}),
    "four of a kind": ("22226", FOUR, 40, {TWOS: 40, SIXES: 10, THREE: 30}),
    "full house, threes up": ("33355", HOUSE, 50, {THREES: 30, FIVES: 20, THREE: 30}),
    "full house, fives up": ("55533", HOUSE, 50, {THREES: 20, FIVES: 30, THREE: 30}),
    "small straight from 1": ("12344", SMALL, 50, {ACES: 10, TWOS: 10, THREES: 10, FOURS: 20}),
    "small straight from 1, and a 6": (
        "12346",
        SMALL,
        50,
        {ACES: 10, TWOS: 10, THREES: 10, FOURS: 10, SIXES: 10},
    ),
    "small straight from 2": ("23452", SMALL, 50, {TWOS: 20, THREES: 10, FOURS: 10, FIVES: 10}),
    "small straight from 3": ("34563", SMALL, 50, {THREES: 20, FOURS: 10, FIVES: 10, SIXES: 10}),
    "large straight from 1": (
        "12345",
        LARGE,
        70,
        {SMALL: 50, ACES: 10, TWOS: 10, THREES: 10, FOURS: 10, FIVES: 10},
    ),
    "large straight from 2": (
        "23456",
        LARGE,
        70,
        {SMALL: 50, TWOS: 10, THREES: 10, FOURS: 10, FIVES: 10, SIXES: 10},
    ),
    "chance": ("66634", CHANCE, 60, {THREES: 10, FOURS: 10, SIXES: 30, THREE: 30}),
}
"""The roll, the card placed, its points, and what else the booklet says could be placed."""


@pytest.mark.parametrize("example", PLACE_EXAMPLES)
def test_showdown_7_example_of_placing(example: str) -> None:
    faces, card, points, instead = PLACE_EXAMPLES[example]
    state = final_roll(faces)
    expected: dict[Choice, int] = {Place(other): worth for other, worth in instead.items()}
    expected[Place(card)] = points
    assert uses(state) == expected
    after = showdown.GAME.apply(state, Place(card))
    assert after.cards[card] == Stack(1, BOB, points // 10)
    assert showdown.GAME.scores(after) == (points, 0)
    assert after.seat == LESLIE


@pytest.mark.parametrize("faces", ["12356", "12456", "11223", "33344"])
def test_showdown_7_no_small_straight_without_four_in_sequence(faces: str) -> None:
    assert Place(SMALL) not in uses(final_roll(faces))


@pytest.mark.parametrize("faces", ["12346", "13456", "23446"])
def test_showdown_7_no_large_straight_without_five_in_sequence(faces: str) -> None:
    assert Place(LARGE) not in uses(final_roll(faces))


def test_showdown_7_one_to_four_sixes_are_ten_to_forty_points() -> None:
    for faces, points in {"61111": 10, "66111": 20, "66611": 30, "66661": 40}.items():
        assert uses(final_roll(faces))[Place(SIXES)] == points


# Figures 1 to 3.


def test_showdown_7_figure_1_a_full_house_is_taken_only_with_a_full_house() -> None:
    state = with_cards({HOUSE: Stack(3, LESLIE, 5)})
    state = play("roll 3", state)
    for faces in ("66634", "44442", "23456", "33221"):
        assert uses(play(f"roll {' '.join(faces)}", state)) == {}
    taken = play("roll 3 3 2 2 2", state)
    assert uses(taken) == {Take(HOUSE): 50}
    after = showdown.GAME.apply(taken, Take(HOUSE))
    assert after.cards[HOUSE] == Stack(3, BOB, 5)
    assert showdown.GAME.scores(after) == (50, 0)


def test_showdown_7_figure_2_threes_with_two_chips_need_two_threes_or_more() -> None:
    state = play("roll 2", with_cards({THREES: Stack(2, LESLIE, 2)}))
    assert uses(play("roll 3 1 2 4 5", state)) == {}
    for faces, points in {"33124": 20, "33312": 30, "33331": 40}.items():
        rolled = play(f"roll {' '.join(faces)}", state)
        assert uses(rolled) == {Take(THREES): points}
        after = showdown.GAME.apply(rolled, Take(THREES))
        assert after.cards[THREES] == Stack(2, BOB, points // 10)
        assert showdown.GAME.scores(after) == (points, 0)
    missed = play("roll 3 1 2 4 5; pass", state)
    assert missed.cards == state.cards
    assert missed.pawns[BOB] == 2
    assert missed.seat == LESLIE


def test_showdown_7_figure_3_own_fours_go_from_one_chip_to_three() -> None:
    state = play("roll 5", with_cards({FOURS: Stack(5, BOB, 1)}))
    assert showdown.GAME.scores(state) == (10, 0)
    rolled = play("stay; roll 4 4 4 1 2", state)
    assert uses(rolled) == {Raise(FOURS): 20}
    assert showdown.GAME.preview(rolled, Raise(FOURS)) == Points(20, "beats 1")
    after = showdown.GAME.apply(rolled, Raise(FOURS))
    assert after.cards[FOURS] == Stack(5, BOB, 3)
    assert showdown.GAME.scores(after) == (30, 0)
    assert (after.seat, after.pawns[BOB]) == (LESLIE, 5)


def test_showdown_7_figure_3_a_try_that_does_not_beat_the_card_ends_the_turn() -> None:
    state = play("roll 5", with_cards({FOURS: Stack(5, BOB, 3)}))
    rolled = play("stay; roll 4 4 4 1 2", state)
    assert uses(rolled) == {}
    after = play("pass", rolled)
    assert after.cards == state.cards
    assert (after.seat, after.pawns[BOB]) == (LESLIE, 5)


# The turns of Bob and Leslie. The pictures of the cards beside the board are lost: these are the
# three that Bob could choose from, as the booklet says, and others that his dice do not make.

OFF = (THREES, FOURS, SIXES, THREE, FOUR, SMALL, LARGE, CHANCE)
BEFORE_BOB = {
    ACES: Stack(11, BOB, 2),
    TWOS: Stack(1, LESLIE, 2),
    FIVES: Stack(7, BOB, 3),
    HOUSE: Stack(9, LESLIE, 5),
}
BOBS = "roll 3; roll 2 2 1 3 6; hold 1 2; roll 6 6 5; hold 3 4 5; roll 5 6; place chance"


def test_showdown_7_bobs_turn() -> None:
    state = with_cards(BEFORE_BOB, bob=2, leslie=6)
    assert board(state).off == OFF
    state = play("roll 3", state)
    assert state.pawns == (5, 6)
    state = play("roll 2 2 1 3 6; hold 1 2", state)
    assert showdown.GAME.dice(state) == (2, 2, None, None, None)
    state = play("roll 6 6 5", state)
    assert state.dice == (2, 2, 6, 6, 5)
    # He keeps the sixes and the five, and picks up the twos that he had kept before.
    state = play("hold 3 4 5; roll 5 6", state)
    assert sorted(state.dice) == [5, 5, 6, 6, 6]
    assert uses(state) == {Place(SIXES): 30, Place(THREE): 30, Place(CHANCE): 60}
    assert not any(isinstance(choice, Keep) for choice in showdown.GAME.choices(state))
    before = showdown.GAME.scores(state)
    after = play("place chance", state)
    assert after.cards[CHANCE] == Stack(5, BOB, 6)
    assert showdown.GAME.scores(after) == (before[BOB] + 60, before[LESLIE])
    assert (after.seat, after.step) == (LESLIE, Step.MOVE)
    assert after == play(BOBS, with_cards(BEFORE_BOB, bob=2, leslie=6))


def test_showdown_7_leslies_turn() -> None:
    state = play(BOBS, with_cards(BEFORE_BOB, bob=2, leslie=9))
    assert state.seat == LESLIE
    state = play("roll 2", state)
    assert state.pawns == (5, 11)
    state = play("roll 1 2 4 5 6", state)
    assert uses(state) == {}
    state = play("hold 1; roll 1 1 1 6", state)
    # She could stop now and take the card.
    assert uses(state) == {Take(ACES): 40}
    state = play("hold 1 2 3 4; roll 3", state)
    assert uses(state) == {Take(ACES): 40}
    bob, leslie = showdown.GAME.scores(state)
    after = play("take aces", state)
    assert after.cards[ACES] == Stack(11, LESLIE, 4)
    assert showdown.GAME.scores(after) == (bob - 20, leslie + 40)
    assert (after.seat, after.pawns) == (BOB, (5, 11))


def test_showdown_7_leslies_turn_no_other_card_may_be_taken_or_placed() -> None:
    state = play(BOBS, with_cards(BEFORE_BOB, bob=2, leslie=9))
    state = play("roll 2; roll 1 1 5 5 5", state)
    assert uses(state) == {Take(ACES): 20}
    for event in (Place(THREE), Take(FIVES), Raise(HOUSE)):
        with pytest.raises(IllegalEvent):
            showdown.GAME.apply(state, event)


def test_showdown_7_dice_saved_may_be_thrown_again() -> None:
    state = play("roll 1; roll 1 1 1 2 3; hold 1 2 3; roll 4 5", with_cards({}))
    assert Keep((3, 4)) in showdown.GAME.choices(state)
    state = showdown.GAME.apply(state, Keep(()))
    assert showdown.GAME.apply(state, Rolled((6, 6, 6, 6, 6))).dice == (6,) * 5
