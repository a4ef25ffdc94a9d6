"""The clauses of Showdown, by number (see `docs/rules/showdown.md`)."""

from collections.abc import Mapping
from functools import partial

import pytest

from appliance.words import Label
from games import showdown
from games.showdown import Card, MoveOn, Place, Raise, Stack, State, Stay, Step, Take
from games.showdown.board import board
from games.values import (
    BadOptions,
    Choice,
    Choose,
    Die,
    DieKind,
    Event,
    IllegalEvent,
    Keep,
    OptionValue,
    Pass,
    Points,
    Rolled,
    Throw,
)
from tests.builders import play_text

ANN = 0
BOB = 1
NAMES = ("Ann", "Bob", "Cid", "Dan")
ACES, TWOS, THREES, FOURS, FIVES, SIXES, THREE, FOUR, HOUSE, SMALL, LARGE, CHANCE = Card
DIAMONDS = (1, 2, 3, 5, 6, 7, 9, 10, 11, 13, 14, 15)
FULL = (4, 4, 4, 4, 4, 4, 3, 4, 5, 5, 7, 6)


play = partial(play_text, showdown.GAME)


def uses(state: State) -> set[Choice]:
    """The uses of the roll on the table, apart from the pass and the holds."""
    return {c for c in showdown.GAME.choices(state) if not isinstance(c, Keep | Pass)}


def preview_of(state: State, choice: Choice) -> Points | None:
    return showdown.GAME.preview(state, choice)


def part_one(
    cards: Mapping[Card, Stack], pawns: tuple[int, ...] = (0, 4), seat: int = ANN
) -> State:
    """The start of a turn of `seat` before the Showdown round, with these cards on the board."""
    players = NAMES[: len(pawns)]
    turns = len(pawns) * (len(cards) + 1) + seat
    return showdown.GAME.position(players=players, pawns=pawns, cards=cards, turns=turns)


def refused(state: State, *events: Event) -> None:
    for event in events:
        with pytest.raises(IllegalEvent):
            showdown.GAME.apply(state, event)


# 1. Players, pawns and the ring.


@pytest.mark.parametrize("players", [2, 3, 4])
def test_showdown_1_two_to_four_players_on_their_corners(players: int) -> None:
    state = showdown.GAME.start(NAMES[:players], {})
    assert state.pawns == (0, 4, 8, 12)[:players]
    assert showdown.GAME.scores(state) == (0,) * players


@pytest.mark.parametrize("players", [0, 1, 5])
def test_showdown_1_no_other_number_of_players(players: int) -> None:
    with pytest.raises(BadOptions, match=f"2 to 4 players, got {players}"):
        showdown.GAME.start([f"P{n}" for n in range(players)], {})


def test_showdown_1_sixteen_spaces_four_wild_corners_three_diamonds_between() -> None:
    spaces = board(showdown.GAME.start(NAMES, {})).spaces
    assert [space.number for space in spaces] == list(range(16))
    assert [space.number for space in spaces if space.wild] == [0, 4, 8, 12]
    assert [space.pawns for space in spaces if space.wild] == [(0,), (1,), (2,), (3,)]
    assert all(space.card is None and space.chips == 0 for space in spaces)


@pytest.mark.parametrize("first", [0, 1, 2])
def test_showdown_1_the_players_choose_who_begins_and_play_goes_clockwise(first: int) -> None:
    state = showdown.GAME.start(NAMES[:3], {"first": first})
    order = []
    for _ in range(5):
        asked = showdown.GAME.ask(state)
        assert asked is not None
        order.append(asked.seat)
        state = play("roll 1; roll 1 1 2 2 3; pass", state)
    assert order == [(first + n) % 3 for n in range(5)]


@pytest.mark.parametrize(
    "options",
    [
        {"first": 3},
        {"first": -1},
        {"first": True},
        {"first": "roll-off"},
        {"showdown_raise_continues": 1},
        {"rolls": 3},
    ],
)
def test_showdown_1_other_options_are_refused(options: dict[str, OptionValue]) -> None:
    with pytest.raises(BadOptions):
        showdown.GAME.start(NAMES[:3], options)


@pytest.mark.parametrize("players", ["Ann", ["Ann", ""], ["Ann", "\n"]])
def test_showdown_1_names_must_be_names(players: list[str] | str) -> None:
    with pytest.raises(BadOptions):
        showdown.GAME.start(players, {})


def test_showdown_1_more_than_one_pawn_may_stand_on_a_space() -> None:
    state = play("roll 4; roll 1 1 2 2 3; pass", showdown.GAME.start(NAMES[:2], {}))
    assert state.pawns == (4, 4)
    assert board(state).spaces[4].pawns == (0, 1)


# 2. Cards and chips.


def test_showdown_2_twelve_cards_and_their_labels() -> None:
    assert board(showdown.GAME.start(NAMES, {})).off == tuple(Card)
    assert len(Card) == 12
    assert all(len(Label(card.word)) <= 10 and card.word == card.word.lower() for card in Card)


@pytest.mark.parametrize(
    ("faces", "chips"),
    [
        ("11111", dict(zip(Card, FULL, strict=True))),
        ("22223", {TWOS: 4, THREES: 1, THREE: 3, FOUR: 4}),
        ("33322", {TWOS: 2, THREES: 3, THREE: 3, HOUSE: 5}),
        ("12345", {ACES: 1, TWOS: 1, THREES: 1, FOURS: 1, FIVES: 1, SMALL: 5, LARGE: 7}),
        ("34566", {THREES: 1, FOURS: 1, FIVES: 1, SIXES: 2, SMALL: 5}),
        ("66553", {SIXES: 2, FIVES: 2, THREES: 1, CHANCE: 6}),
        ("66543", {SIXES: 2, FIVES: 1, FOURS: 1, THREES: 1, SMALL: 5}),
        ("44112", {FOURS: 2, ACES: 2, TWOS: 1}),
    ],
)
def test_showdown_2_chips_of_a_roll(faces: str, chips: dict[Card, int]) -> None:
    state = play(f"roll 1; roll {' '.join(faces)}", showdown.GAME.start(NAMES[:2], {}))
    assert uses(state) == {Place(card) for card in chips}
    for card, count in chips.items():
        points = preview_of(state, Place(card))
        assert points is not None
        assert points.points == 10 * count
        after = showdown.GAME.apply(state, Place(card))
        assert after.cards[card] == Stack(1, ANN, count)
        assert showdown.GAME.scores(after) == (10 * count, 0)


@pytest.mark.parametrize(("faces", "enough"), [("66651", False), ("66661", True), ("66666", True)])
def test_showdown_2_chance_from_a_total_of_25(faces: str, enough: bool) -> None:
    state = play(f"roll 1; roll {' '.join(faces)}", showdown.GAME.start(NAMES[:2], {}))
    assert (Place(CHANCE) in uses(state)) == enough


def test_showdown_2_there_is_no_card_for_five_alike() -> None:
    assert not any("five-al" in card.word for card in Card)


# 3. A turn.


def test_showdown_3_red_die_then_up_to_three_rolls_of_the_black_dice() -> None:
    state = showdown.GAME.start(NAMES[:2], {})
    assert showdown.GAME.ask(state) == Throw(ANN, (Die(5, DieKind.RED),), purpose="red-die")
    assert showdown.GAME.choices(state) == ()
    assert showdown.GAME.dice(state) == (None,) * 6
    state = play("roll 3", state)
    assert state.pawns == (3, 4)
    black = tuple(Die(slot) for slot in range(5))
    assert showdown.GAME.ask(state) == Throw(ANN, black, 1, 3, "place")
    assert showdown.GAME.dice(state) == (None,) * 5
    state = play("roll 1 2 2 4 6", state)
    assert showdown.GAME.ask(state) == Choose(ANN, 1, 3, "place")
    assert showdown.GAME.dice(state) == (1, 2, 2, 4, 6)
    state = play("hold 2 3", state)
    assert showdown.GAME.ask(state) == Throw(ANN, (Die(0), Die(3), Die(4)), 2, 3, "place")
    assert showdown.GAME.held(state) == (1, 2)
    assert showdown.GAME.dice(state) == (None, 2, 2, None, None)
    state = play("roll 2 5 5; hold none; roll 1 1 1 3 4", state)
    assert showdown.GAME.ask(state) == Choose(ANN, 3, 3, "place")
    assert not any(isinstance(choice, Keep) for choice in showdown.GAME.choices(state))
    refused(state, Keep(()), Keep((0,)))


def test_showdown_3_all_holds_of_four_dice_or_fewer_after_rolls_one_and_two() -> None:
    state = play("roll 1; roll 1 1 2 2 3", showdown.GAME.start(NAMES[:2], {}))
    holds = [choice for choice in showdown.GAME.choices(state) if isinstance(choice, Keep)]
    assert len(holds) == len(set(holds)) == 31
    refused(state, Keep((0, 1, 2, 3, 4)), Keep((1, 0)), Keep((0, 0)), Keep((5,)))


def test_showdown_3_the_pawn_moves_clockwise_and_round_the_ring() -> None:
    for red in range(1, 7):
        state = part_one({}, (13, 4))
        assert play(f"roll {red}", state).pawns == ((13 + red) % 16, 4)


def test_showdown_3_empty_space_only_cards_off_the_board() -> None:
    state = part_one({ACES: Stack(9, BOB, 1), TWOS: Stack(10, ANN, 1)})
    state = play("roll 1; roll 1 1 2 2 3", state)
    assert uses(state) == {Place(THREES)}
    assert preview_of(state, Place(THREES)) == Points(10, "place")
    refused(state, Take(ACES), Raise(TWOS), Place(ACES), Place(FIVES), Take(THREES))
    after = showdown.GAME.apply(state, Place(THREES))
    assert after.cards[THREES] == Stack(1, ANN, 1)
    assert after.pawns == (1, 4)
    assert showdown.GAME.ask(after) == Throw(BOB, (Die(5, DieKind.RED),), purpose="red-die")


def test_showdown_3_anothers_number_card_needs_as_many_dice_as_chips() -> None:
    state = play("roll 2", part_one({TWOS: Stack(2, BOB, 3)}))
    assert showdown.GAME.ask(state) == Throw(ANN, tuple(map(Die, range(5))), 1, 3, "take")
    assert uses(play("roll 2 2 1 3 4", state)) == set()
    meets = play("roll 2 2 2 3 4", state)
    assert uses(meets) == {Take(TWOS)}
    assert preview_of(meets, Take(TWOS)) == Points(30, "meets 3")
    beats = play("roll 2 2 2 2 4", state)
    assert preview_of(beats, Take(TWOS)) == Points(40, "beats 3")
    after = showdown.GAME.apply(beats, Take(TWOS))
    assert after.cards[TWOS] == Stack(2, ANN, 4)
    assert showdown.GAME.scores(after) == (40, 0)
    assert after.seat == BOB


@pytest.mark.parametrize(
    ("card", "makes", "fails"),
    [
        (THREE, "11123", "11223"),
        (FOUR, "11112", "11122"),
        (HOUSE, "66655", "66654"),
        (SMALL, "34561", "12356"),
        (LARGE, "23456", "13456"),
        (CHANCE, "66643", "66642"),
    ],
)
def test_showdown_3_anothers_combination_card_needs_it(card: Card, makes: str, fails: str) -> None:
    state = play("roll 2", part_one({card: Stack(2, BOB, FULL[card])}))
    rolled = play(f"roll {' '.join(makes)}", state)
    assert uses(rolled) == {Take(card)}
    assert preview_of(rolled, Take(card)) == Points(10 * FULL[card], "take")
    assert uses(play(f"roll {' '.join(fails)}", state)) == set()


def test_showdown_3_own_number_card_move_on_or_roll_to_beat_it() -> None:
    state = play("roll 2", part_one({TWOS: Stack(2, ANN, 2)}))
    assert showdown.GAME.ask(state) == Choose(ANN, purpose="own-card")
    assert showdown.GAME.choices(state) == (MoveOn(), Stay())
    assert showdown.GAME.dice(state) == (None, None, None, None, None, 2)
    assert preview_of(state, Stay()) == Points(0, "beat 2")
    refused(state, Rolled((3,)), Rolled((1, 2, 3, 4, 5)), Keep(()), Pass(), Raise(TWOS))
    stayed = play("stay", state)
    assert showdown.GAME.ask(stayed) == Throw(ANN, tuple(map(Die, range(5))), 1, 3, "raise")
    assert uses(play("roll 2 2 1 1 1", stayed)) == set()
    made = play("roll 2 2 2 2 1", stayed)
    assert uses(made) == {Raise(TWOS)}
    assert preview_of(made, Raise(TWOS)) == Points(20, "beats 2")
    raised = showdown.GAME.apply(made, Raise(TWOS))
    assert raised.cards[TWOS] == Stack(2, ANN, 4)
    assert raised.seat == BOB
    failed = play("roll 2 2 1 1 1; pass", stayed)
    assert failed.cards == state.cards
    assert failed.seat == BOB


def test_showdown_3_moving_on_from_an_own_card_goes_by_the_red_die_again_and_again() -> None:
    state = part_one({TWOS: Stack(2, ANN, 2), FIVES: Stack(5, ANN, 1)})
    state = play("roll 2; move-on", state)
    assert showdown.GAME.ask(state) == Throw(ANN, (Die(5, DieKind.RED),), purpose="red-die")
    state = play("roll 3; move-on; roll 1", state)
    assert state.pawns == (6, 4)
    assert uses(play("roll 1 1 2 2 3", state)) == {Place(ACES), Place(THREES)}


@pytest.mark.parametrize("card", [TWOS, THREE, FOUR, HOUSE, SMALL, LARGE, CHANCE])
def test_showdown_3_other_own_cards_leave_only_moving_on(card: Card) -> None:
    state = play("roll 2", part_one({card: Stack(2, ANN, FULL[card])}))
    assert showdown.GAME.ask(state) == Throw(ANN, (Die(5, DieKind.RED),), purpose="red-die")
    assert showdown.GAME.choices(state) == ()
    refused(state, Stay(), MoveOn(), Rolled((1, 2, 3, 4, 5)))
    assert play("roll 1", state).pawns == (3, 4)


WILD_CARDS = {
    TWOS: Stack(13, BOB, 2),
    THREES: Stack(14, BOB, 3),
    FOURS: Stack(1, ANN, 1),
    FIVES: Stack(2, ANN, 2),
    HOUSE: Stack(5, BOB, 5),
    THREE: Stack(6, ANN, 3),
}


def test_showdown_3_wild_place_take_or_raise_any_card_the_roll_makes() -> None:
    state = play("roll 2", part_one(WILD_CARDS, (14, 4)))
    assert state.pawns[ANN] == 0
    asked = showdown.GAME.ask(state)
    assert isinstance(asked, Throw)
    assert asked.purpose == "wild"
    assert uses(play("roll 2 2 4 4 6", state)) == {Take(TWOS), Raise(FOURS), Place(SIXES)}
    assert uses(play("roll 3 3 4 5 5", state)) == set()
    assert uses(play("roll 5 5 5 2 2", state)) == {Take(TWOS), Raise(FIVES), Take(HOUSE)}
    assert uses(play("roll 1 2 3 4 6", state)) == {Place(ACES), Place(SIXES), Place(SMALL)}


def test_showdown_3_wild_placing_moves_the_pawn_to_the_next_empty_space() -> None:
    state = play("roll 2; roll 2 2 4 4 6", part_one(WILD_CARDS, (14, 4)))
    after = showdown.GAME.apply(state, Place(SIXES))
    # Spaces 1 and 2 are covered.
    assert after.cards[SIXES] == Stack(3, ANN, 1)
    assert after.pawns[ANN] == 3


def test_showdown_3_wild_the_next_empty_space_is_never_a_wild_one() -> None:
    cards = {**WILD_CARDS, ACES: Stack(3, BOB, 4), FOUR: Stack(7, BOB, 4)}
    state = play("roll 2; roll 2 2 4 4 6; place sixes", part_one(cards, (14, 4)))
    assert state.cards[SIXES] == Stack(9, ANN, 1)
    assert state.pawns[ANN] == 9


def test_showdown_3_wild_taking_and_raising_move_the_pawn_to_the_card() -> None:
    state = play("roll 2; roll 2 2 4 4 6", part_one(WILD_CARDS, (14, 4)))
    taken = showdown.GAME.apply(state, Take(TWOS))
    assert taken.cards[TWOS] == Stack(13, ANN, 2)
    assert taken.pawns[ANN] == 13
    raised = showdown.GAME.apply(state, Raise(FOURS))
    assert raised.cards[FOURS] == Stack(1, ANN, 2)
    assert raised.pawns[ANN] == 1
    assert preview_of(state, Raise(FOURS)) == Points(10, "beats 1")


def test_showdown_3_wild_nothing_possible_the_pawn_stays() -> None:
    state = play("roll 2; roll 3 3 4 5 5; hold 1 2 3; roll 5 5; hold none", part_one({}, (14, 4)))
    state = play("roll 1 1 2 2 3; pass", state)
    assert (state.pawns[ANN], state.seat) == (0, BOB)
    assert state.cards == (None,) * 12


@pytest.mark.parametrize("cards", [{}, {ACES: Stack(2, BOB, 1)}, {ACES: Stack(2, ANN, 1)}])
def test_showdown_3_a_made_roll_may_be_declined(cards: dict[Card, Stack]) -> None:
    state = play("roll 2", part_one(cards))
    stay = "stay; " if state.step is Step.LANDED else ""
    state = play(f"{stay}roll 1 1 1 1 2", state)
    assert uses(state)
    assert preview_of(state, Pass()) == Points(0)
    after = showdown.GAME.apply(state, Pass())
    assert after.cards == state.cards
    assert (after.seat, after.pawns) == (BOB, (2, 4))


def test_showdown_3_one_card_a_turn_in_the_first_part() -> None:
    state = play("roll 2; roll 1 1 1 1 2; take aces", part_one({ACES: Stack(2, BOB, 1)}))
    assert state.seat == BOB


def test_showdown_3_choices_have_a_stable_order() -> None:
    state = play("roll 2; roll 2 2 4 4 6; hold none; roll 2 2 4 4 6", part_one(WILD_CARDS, (14, 4)))
    first = showdown.GAME.choices(state)
    assert first[:4] == (Take(TWOS), Raise(FOURS), Place(SIXES), Pass())
    assert first == showdown.GAME.choices(state)


# 4. Five alike.

FIVE_CARDS = {
    ACES: Stack(2, BOB, 4),
    TWOS: Stack(3, BOB, 1),
    HOUSE: Stack(5, BOB, 5),
    FOURS: Stack(6, ANN, 1),
    LARGE: Stack(7, ANN, 7),
}
OFF = set(Card) - set(FIVE_CARDS)
ALL_FIVE = {Place(card) for card in OFF} | {Take(ACES), Take(TWOS), Take(HOUSE)}


@pytest.mark.parametrize(
    ("pawn", "red"),
    [(15, 2), (0, 2), (0, 5), (11, 1), (15, 1)],
    ids=["empty", "anothers number", "anothers house", "wild", "own corner"],
)
def test_showdown_4_five_alike_controls_any_card_anywhere(pawn: int, red: int) -> None:
    state = play(f"roll {red}; roll 3 3 3 3 3", part_one(FIVE_CARDS, (pawn, 4)))
    assert uses(state) == ALL_FIVE
    for use in uses(state):
        points = preview_of(state, use)
        assert isinstance(use, Place | Take)
        assert points == Points(10 * FULL[use.card], "five-alike")
        after = showdown.GAME.apply(state, use)
        stack = after.cards[use.card]
        assert stack is not None
        assert (stack.seat, stack.chips, stack.space) == (ANN, FULL[use.card], after.pawns[ANN])
        assert after.seat == BOB


@pytest.mark.parametrize(
    ("pawn", "red", "space"),
    [(15, 2, 1), (0, 2, 9), (0, 1, 1), (6, 2, 9), (11, 1, 13), (12, 3, 15)],
)
def test_showdown_4_five_alike_places_here_or_on_the_next_empty_space(
    pawn: int, red: int, space: int
) -> None:
    cards = {**FIVE_CARDS, THREE: Stack(10, BOB, 3), CHANCE: Stack(11, ANN, 6)}
    cards[SMALL] = Stack(cards.pop(LARGE).space, ANN, 5)
    state = part_one(cards, (pawn, 4))
    after = play(f"roll {red}; roll 3 3 3 3 3; place large-straight", state)
    assert after.cards[LARGE] == Stack(space, ANN, 7)
    assert after.pawns[ANN] == space


def test_showdown_4_five_alike_takes_any_card_and_the_pawn_goes_there() -> None:
    state = play("roll 1; roll 6 6 6 6 6; take full-house", part_one(FIVE_CARDS))
    assert state.cards[HOUSE] == Stack(5, ANN, 5)
    assert state.pawns[ANN] == 5
    assert showdown.GAME.scores(state) == (50 + 10 + 70, 50)


def test_showdown_4_number_cards_get_four_chips_whatever_the_number() -> None:
    state = play("roll 1; roll 6 6 6 6 6; take aces", part_one(FIVE_CARDS))
    assert state.cards[ACES] == Stack(2, ANN, 4)
    state = play("roll 1; roll 6 6 6 6 6; place fives", part_one(FIVE_CARDS))
    assert state.cards[FIVES] == Stack(1, ANN, 4)


@pytest.mark.parametrize("roll", [1, 2, 3])
def test_showdown_4_five_alike_on_any_black_roll(roll: int) -> None:
    state = play("roll 1", part_one(FIVE_CARDS))
    for _ in range(roll - 1):
        state = play("roll 1 2 3 4 6; hold none", state)
    state = play("roll 3 3 3 3 3", state)
    assert uses(state) == ALL_FIVE


def test_showdown_4_five_alike_while_raising_an_own_card() -> None:
    state = play("roll 6; stay; roll 3 3 3 3 3", part_one(FIVE_CARDS))
    assert uses(state) == ALL_FIVE
    after = showdown.GAME.apply(state, Place(CHANCE))
    assert after.cards[CHANCE] == Stack(9, ANN, 6)
    # The ordinary rules allow the raise too.
    state = play("roll 6; stay; roll 4 4 4 4 4", part_one(FIVE_CARDS))
    assert uses(state) == ALL_FIVE | {Raise(FOURS)}
    assert preview_of(state, Raise(FOURS)) == Points(30, "beats 1")
    assert showdown.GAME.apply(state, Raise(FOURS)).cards[FOURS] == Stack(6, ANN, 4)


def test_showdown_4_five_alike_of_another_number_raises_no_own_card() -> None:
    for text in ("roll 6; stay; roll 3 3 3 3 3", "roll 4; roll 3 3 3 3 3"):
        state = play(text, part_one(FIVE_CARDS))
        refused(state, Raise(FOURS), Take(FOURS), Raise(LARGE))


def test_showdown_4_what_the_ordinary_rules_allow_is_allowed_too() -> None:
    # From a Wild corner, the ordinary rules allow raising one's own card of that number.
    state = play("roll 1; roll 4 4 4 4 4", part_one(FIVE_CARDS, (11, 4)))
    assert uses(state) == ALL_FIVE | {Raise(FOURS)}


def test_showdown_4_five_of_a_number_do_not_raise_four_chips() -> None:
    cards = {**FIVE_CARDS, FOURS: Stack(6, ANN, 4)}
    state = play("roll 1; roll 4 4 4 4 4", part_one(cards, (11, 4)))
    assert uses(state) == ALL_FIVE


def test_showdown_4_five_alike_may_be_declined() -> None:
    state = play("roll 1; roll 3 3 3 3 3; pass", part_one(FIVE_CARDS))
    assert state.seat == BOB
