"""Showdown's last round and its end, corrected readings, and the texts that describe a game."""

from collections.abc import Mapping
from functools import partial

import pytest

from games import showdown
from games.showdown import Card, MoveOn, Place, Raise, Stack, State, Stay, Step, Take
from games.showdown.board import board
from games.values import (
    Choice,
    Choose,
    Corrected,
    Event,
    IllegalEvent,
    Keep,
    Outcome,
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
MISS = "roll 1 1 2 2 3; hold none; roll 1 1 2 2 3; hold none; roll 1 1 2 2 3; pass"


play = partial(play_text, showdown.GAME)


def uses(state: State) -> set[Choice]:
    """The uses of the roll on the table, apart from the pass and the holds."""
    return {c for c in showdown.GAME.choices(state) if not isinstance(c, Keep | Pass)}


def full_board(owners: Mapping[Card, int], chips: Mapping[Card, int]) -> dict[Card, Stack]:
    """All cards in order on the diamond spaces; by default Bob's, with full stacks."""
    return {
        card: Stack(space, owners.get(card, BOB), chips.get(card, FULL[card]))
        for card, space in zip(Card, DIAMONDS, strict=True)
    }


def round_two(
    owners: Mapping[Card, int] | None = None,
    chips: Mapping[Card, int] | None = None,
    pawns: tuple[int, ...] = (0, 4),
    *,
    raise_continues: bool = False,
) -> State:
    """Ann begins the Showdown round."""
    count = len(pawns)
    return showdown.GAME.position(
        players=NAMES[:count],
        pawns=pawns,
        cards=full_board(owners or {}, chips or {}),
        turns=12 * count,
        end=13 * count,
        raise_continues=raise_continues,
    )


def refused(state: State, *events: Event) -> None:
    for event in events:
        with pytest.raises(IllegalEvent):
            showdown.GAME.apply(state, event)


def throws_red(state: State, seat: int) -> bool:
    asked = showdown.GAME.ask(state)
    return isinstance(asked, Throw) and asked.seat == seat and asked.purpose == "red-die"


# 5. The Showdown round.


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("placer", [0, 1, 2, 3])
def test_showdown_5_begins_left_of_who_placed_the_last_card_and_gives_one_turn_each(
    seats: int, placer: int
) -> None:
    placer %= seats
    cards = full_board({}, {})
    del cards[CHANCE]
    pawns = (0, 4, 8, 12)[:seats]
    pawns = (*pawns[:placer], 12, *pawns[placer + 1 :])
    turns = 12 * seats + placer
    state = showdown.GAME.position(players=NAMES[:seats], pawns=pawns, cards=cards, turns=turns)
    assert not state.in_showdown
    state = play("roll 3; roll 6 6 6 6 5; place chance", state)
    assert state.in_showdown
    assert throws_red(state, (placer + 1) % seats)
    order = []
    while (asked := showdown.GAME.ask(state)) is not None:
        order.append(asked.seat)
        state = next_turn(state)
    assert order == [(placer + 1 + n) % seats for n in range(seats)]
    assert showdown.GAME.outcome(state) is not None


def next_turn(state: State) -> State:
    """Moves until the pawn is on a Wild corner or another's card, then misses."""
    seat = state.seat
    while state.step is not Step.ROLL:
        red = next(
            red
            for red in range(1, 7)
            if (card := state.card_at((state.pawns[seat] + red) % 16)) is None
            or ((stack := state.cards[card]) is not None and stack.seat != seat)
        )
        state = showdown.GAME.apply(state, Rolled((red,)))
    return play("roll 1 1 2 2 3; pass", state)


def test_showdown_5_the_last_card_may_be_placed_by_five_alike() -> None:
    cards = full_board({}, {})
    del cards[CHANCE]
    state = showdown.GAME.position(players=NAMES[:2], pawns=(0, 4), cards=cards, turns=24)
    state = play("roll 1; roll 2 2 2 2 2; place chance", state)
    assert state.cards[CHANCE] == Stack(15, ANN, 6)
    assert (state.in_showdown, state.end) == (True, 27)
    assert throws_red(state, BOB)


def test_showdown_5_each_card_taken_is_followed_by_another_move() -> None:
    state = play("roll 1; roll 1 1 1 1 2; take aces", round_two())
    assert throws_red(state, ANN)
    assert state.pawns[ANN] == 1
    state = play("roll 1; roll 2 2 2 2 1; take twos", state)
    assert throws_red(state, ANN)
    state = play(f"roll 1; {MISS}", state)
    assert throws_red(state, BOB)
    assert state.pawns[ANN] == 3
    assert showdown.GAME.scores(state)[ANN] == 80


def test_showdown_5_a_black_roll_that_takes_nothing_ends_the_turn() -> None:
    assert throws_red(play(f"roll 1; {MISS}", round_two()), BOB)
    # So does one that could have taken the card.
    assert throws_red(play("roll 1; roll 1 1 1 1 2; pass", round_two()), BOB)


def test_showdown_5_anothers_card_only_that_card() -> None:
    state = play("roll 5; roll 1 1 1 1 2", round_two(chips={ACES: 1, FOURS: 1}))
    assert state.card_at(5) is FOURS
    assert uses(state) == set()


OWN = {TWOS: ANN, LARGE: ANN, SIXES: ANN}


def test_showdown_5_own_card_move_on_again_or_stay() -> None:
    state = play("roll 2", round_two(OWN, {TWOS: 2}))
    assert showdown.GAME.ask(state) == Choose(ANN, purpose="own-card")
    assert showdown.GAME.choices(state) == (MoveOn(), Stay())
    moved = play("move-on; roll 1", state)
    assert (moved.seat, moved.pawns[ANN]) == (ANN, 3)


@pytest.mark.parametrize("card", [LARGE, SIXES])
def test_showdown_5_own_card_that_can_hold_no_more_leaves_only_moving_on(card: Card) -> None:
    space = DIAMONDS[card]
    state = play("roll 2", round_two(OWN, {TWOS: 2}, pawns=(space - 2, 4)))
    assert state.pawns[ANN] == space
    assert throws_red(state, ANN)
    assert showdown.GAME.choices(state) == ()


@pytest.mark.parametrize("roll", ["roll 2 2 2 1 1; raise twos", "roll 2 2 2 1 1; pass", MISS])
def test_showdown_5_after_a_try_to_raise_made_or_not_the_turn_ends(roll: str) -> None:
    state = play(f"roll 2; stay; {roll}", round_two(OWN, {TWOS: 2}))
    assert throws_red(state, BOB)
    stack = state.cards[TWOS]
    assert stack == Stack(2, ANN, 3 if "raise" in roll else 2)


def test_showdown_5_house_rule_a_made_raise_is_followed_by_another_move() -> None:
    before = round_two(OWN, {TWOS: 2}, raise_continues=True)
    state = play("roll 2; stay; roll 2 2 2 1 1; raise twos", before)
    assert throws_red(state, ANN)
    assert state.cards[TWOS] == Stack(2, ANN, 3)
    assert throws_red(play(f"roll 2; stay; {MISS}", before), BOB)
    assert throws_red(play("roll 2; stay; roll 2 2 2 1 1; pass", before), BOB)


def test_showdown_5_house_rule_is_an_option_off_by_default_and_for_the_round_only() -> None:
    assert showdown.GAME.options["showdown_raise_continues"] == (False, True)
    assert showdown.GAME.start(NAMES, {}) == showdown.GAME.start(
        NAMES, {"showdown_raise_continues": False}
    )
    assert showdown.GAME.start(NAMES, {"showdown_raise_continues": True}).raise_continues
    cards = {TWOS: Stack(2, ANN, 1)}
    state = showdown.GAME.position(
        players=NAMES[:2], pawns=(0, 4), cards=cards, turns=2, raise_continues=True
    )
    assert throws_red(play("roll 2; stay; roll 2 2 2 1 1; raise twos", state), BOB)


def test_showdown_5_wild_taking_or_raising_only() -> None:
    state = play("roll 4", round_two(OWN, {TWOS: 2, ACES: 2, FIVES: 1}, pawns=(12, 4)))
    assert state.pawns[ANN] == 0
    rolled = play("roll 1 1 2 2 2", state)
    assert uses(rolled) == {Take(ACES), Raise(TWOS), Take(THREE), Take(HOUSE)}
    assert not any(isinstance(choice, Place) for choice in showdown.GAME.choices(rolled))
    taken = play("take full-house", rolled)
    assert throws_red(taken, ANN)
    assert taken.pawns[ANN] == DIAMONDS[HOUSE]
    raised = play("raise twos", rolled)
    assert throws_red(raised, BOB)
    assert raised.pawns[ANN] == 2
    missed = play("roll 1 2 3 3 6; pass", state)
    assert throws_red(missed, BOB)
    assert missed.pawns[ANN] == 0


def test_showdown_5_house_rule_holds_on_a_wild_corner_too() -> None:
    state = round_two(OWN, {TWOS: 2}, pawns=(12, 4), raise_continues=True)
    assert throws_red(play("roll 4; roll 2 2 2 1 1; raise twos", state), ANN)


def test_showdown_5_five_alike_takes_any_card_and_the_turn_goes_on() -> None:
    state = play("roll 1; roll 5 5 5 5 5", round_two(OWN, {TWOS: 2}))
    assert uses(state) == {Take(card) for card in Card if card not in OWN}
    state = play("take chance", state)
    assert throws_red(state, ANN)
    assert state.pawns[ANN] == DIAMONDS[CHANCE]
    # Even if the roll was meant to raise one's own card, since a card was taken.
    state = play("roll 2; stay; roll 5 5 5 5 5; take chance", round_two(OWN, {TWOS: 2}))
    assert throws_red(state, ANN)


def test_showdown_5_a_card_taken_twice_in_the_round_changes_hands_twice() -> None:
    state = play(f"roll 1; roll 1 1 1 1 2; take aces; roll 1; {MISS}", round_two(chips={ACES: 1}))
    assert state.cards[ACES] == Stack(1, ANN, 4)
    state = play("roll 4; roll 1 1 1 1 3", state)
    assert state.pawns[BOB] == 8
    assert Take(ACES) in uses(state)
    assert showdown.GAME.apply(state, Take(ACES)).cards[ACES] == Stack(1, BOB, 4)


# 6. The end.


def last_turn(owners: Mapping[Card, int]) -> State:
    """Bob's turn, the last of the game, with his pawn just before the large straight."""
    return showdown.GAME.position(
        players=NAMES[:2], pawns=(0, 13), cards=full_board(owners, {}), turns=25, end=26
    )


def test_showdown_6_most_points_win() -> None:
    owners = dict.fromkeys((LARGE, CHANCE, HOUSE, SMALL, FOUR, ACES, TWOS), ANN)
    state = play(f"roll 1; {MISS}", last_turn(owners))
    assert showdown.GAME.ask(state) is None
    assert showdown.GAME.choices(state) == ()
    assert showdown.GAME.outcome(state) == Outcome((350, 190), (ANN,), "")


def test_showdown_6_the_last_turn_counts() -> None:
    owners = dict.fromkeys((LARGE, CHANCE, HOUSE, SMALL), ANN)
    state = play(f"roll 1; roll 2 3 4 5 6; take large-straight; roll 2; {MISS}", last_turn(owners))
    assert state.pawns[BOB] == 0
    assert showdown.GAME.outcome(state) == Outcome((160, 380), (BOB,), "")


def test_showdown_6_equal_points_share_the_win() -> None:
    owners = dict.fromkeys((LARGE, CHANCE, HOUSE, SMALL, FOUR), ANN)
    state = play(f"roll 1; {MISS}", last_turn(owners))
    assert showdown.GAME.outcome(state) == Outcome((270, 270), (ANN, BOB), "shared-win")


def test_showdown_6_nothing_is_played_after_the_end() -> None:
    state = play(f"roll 1; {MISS}", last_turn({LARGE: ANN}))
    assert showdown.GAME.outcome(state) is not None
    for event in (Rolled((1,)), Pass(), Stay(), MoveOn(), Keep(()), Corrected(5, 2), Take(ACES)):
        with pytest.raises(IllegalEvent, match="the game is over"):
            showdown.GAME.apply(state, event)


def test_showdown_6_no_outcome_before_the_end() -> None:
    assert showdown.GAME.outcome(showdown.GAME.start(NAMES, {})) is None
    assert showdown.GAME.outcome(last_turn({})) is None


# Corrected readings.


def test_a_black_die_is_corrected_while_the_roll_is_on_the_table() -> None:
    state = play("roll 1; roll 1 1 2 2 3", showdown.GAME.start(NAMES, {}))
    assert play("fix 5 to 6", state) == play(
        "roll 1; roll 1 1 2 2 6", showdown.GAME.start(NAMES, {})
    )


@pytest.mark.parametrize("slot", [-1, 6, True])
def test_a_correction_of_no_die_is_refused(slot: int) -> None:
    refused(play("roll 1; roll 1 1 2 2 3", showdown.GAME.start(NAMES, {})), Corrected(slot, 3))


@pytest.mark.parametrize("face", [0, 7, True, "2"])
@pytest.mark.parametrize("slot", [0, 5])
def test_a_correction_to_no_face_is_refused(slot: int, face: int | str) -> None:
    refused(play("roll 1; roll 1 1 2 2 3", showdown.GAME.start(NAMES, {})), Corrected(slot, face))


def test_nothing_to_correct_before_the_first_throw_nor_black_dice_to_be_thrown() -> None:
    state = showdown.GAME.start(NAMES, {})
    refused(state, Corrected(5, 1), Corrected(0, 1))
    refused(play("roll 1", state), Corrected(0, 1))
    refused(play("roll 1; roll 1 2 3 4 5; hold 1 2", state), Corrected(0, 6))


def own_twos() -> State:
    cards = {TWOS: Stack(2, ANN, 2), THREES: Stack(3, BOB, 2), HOUSE: Stack(5, ANN, 5)}
    return showdown.GAME.position(players=NAMES[:2], pawns=(0, 4), cards=cards, turns=4)


@pytest.mark.parametrize("wrong", range(1, 7))
@pytest.mark.parametrize("right", range(1, 7))
def test_the_red_die_is_corrected_at_once(wrong: int, right: int) -> None:
    state = own_twos()
    corrected = play(f"roll {wrong}; fix 6 to {right}", state)
    assert corrected == play(f"roll {right}", state)


def test_the_red_die_is_corrected_later_and_the_black_dice_stay() -> None:
    state = play("roll 1; roll 3 3 3 1 2; hold 1 2 3; roll 1 4", own_twos())
    assert uses(state) == {Place(ACES), Place(FOURS), Place(THREE)}
    right = play("fix 6 to 3", state)
    assert right == play("roll 3; roll 3 3 3 1 2; hold 1 2 3; roll 1 4", own_twos())
    assert uses(right) == {Take(THREES)}
    while_held = play("roll 1; roll 3 3 3 1 2; hold 1 2; fix 6 to 3", own_twos())
    assert while_held == play("roll 3; roll 3 3 3 1 2; hold 1 2", own_twos())


def test_the_red_die_corrected_to_an_own_card_takes_the_black_dice_back() -> None:
    state = play("roll 1; roll 3 3 3 1 2; hold 1 2; fix 6 to 2", own_twos())
    assert state == play("roll 2", own_twos())
    assert showdown.GAME.choices(state) == (MoveOn(), Stay())
    assert play("roll 1; roll 3 3 3 1 2; fix 6 to 5", own_twos()) == play("roll 5", own_twos())


def test_the_red_die_corrected_after_a_choice_to_stay() -> None:
    state = play("roll 2; stay", own_twos())
    assert play("fix 6 to 3", state) == play("roll 3", own_twos())
    assert play("fix 6 to 2", state) == state


def test_the_red_die_cannot_be_corrected_once_it_was_thrown_again_or_the_turn_ended() -> None:
    refused(play("roll 2; move-on", own_twos()), Corrected(5, 1))
    refused(play("roll 1; roll 1 1 2 2 3; pass", own_twos()), Corrected(5, 2))


def test_the_last_throw_of_the_red_die_is_what_is_corrected() -> None:
    state = play("roll 5; roll 1; fix 6 to 2", own_twos())
    assert state.pawns[ANN] == 7


# The texts that describe a game.


def test_events_that_are_not_asked_for_say_what_is() -> None:
    state = showdown.GAME.start(NAMES, {})
    with pytest.raises(IllegalEvent, match="of the red die, thrown by Ann; got Pass"):
        showdown.GAME.apply(state, Pass())
    state = play("roll 1", state)
    with pytest.raises(IllegalEvent, match="of 5 black dice, thrown by Ann"):
        showdown.GAME.apply(state, Rolled((1,)))
    state = play("roll 1 1 2 2 2", state)
    with pytest.raises(IllegalEvent, match=r"place aces, place twos, .*pass or a hold of four"):
        showdown.GAME.apply(state, Take(ACES))


@pytest.mark.parametrize("faces", [(), (0,), (7,), (True,), ("1",), (1, 2), (1.0,)])
def test_faces_that_the_red_die_does_not_have_are_refused(faces: tuple[int, ...]) -> None:
    refused(showdown.GAME.start(NAMES, {}), Rolled(faces))


def test_cards_that_do_not_exist_are_refused() -> None:
    state = play("roll 1; roll 1 1 1 1 1", showdown.GAME.start(NAMES, {}))
    for card in (-1, 12, 99):
        refused(state, Place(card))  # type: ignore[arg-type]
    refused(state, Event())


def test_preview_is_only_of_legal_choices() -> None:
    state = play("roll 1; roll 1 1 2 2 3", showdown.GAME.start(NAMES, {}))
    assert showdown.GAME.preview(state, Keep((0, 1))) is None
    with pytest.raises(IllegalEvent):
        showdown.GAME.preview(state, Place(SIXES))
    landed = play("roll 2", own_twos())
    assert showdown.GAME.preview(landed, MoveOn()) == Points(0, "red-die")


def test_board_says_where_pawns_and_cards_are() -> None:
    state = own_twos()
    ring = board(state)
    two = ring.spaces[2]
    assert (two.card, two.owner, two.chips, two.pawns) == (TWOS, ANN, 2, ())
    assert ring.spaces[4].pawns == (BOB,)
    assert set(ring.off) == set(Card) - {TWOS, THREES, HOUSE}


def test_sheet_has_a_row_a_card_open_while_it_is_off_the_board() -> None:
    sheet = showdown.GAME.sheet(own_twos(), ANN)
    points = {row.key: row.points for row in sheet.rows}
    assert [row.key for row in sheet.rows] == [card.word for card in Card]
    assert points["twos"] == 20
    assert points["threes"] == 0
    assert points["full-house"] == 50
    assert points["aces"] is None
    assert sheet.total == 70 == showdown.GAME.scores(own_twos())[ANN]


def test_describe_shows_the_ring_the_cards_off_and_the_points() -> None:
    lines = showdown.GAME.describe(own_twos())
    assert len(lines) == 18
    assert lines[2].split() == ["2", "twos", "2", "Ann"]
    assert lines[4].split() == ["4", "wild", "<", "Bob"]
    assert lines[16].startswith("off aces, fours, ")
    assert lines[17] == "total Ann 70, Bob 20"


def test_turns_are_numbered_by_rounds() -> None:
    state = showdown.GAME.start(NAMES[:2], {"first": 1})
    seen = []
    for _ in range(4):
        seen.append(showdown.GAME.turn(state))
        state = play("roll 1; roll 1 1 2 2 3; pass", state)
    assert seen == [1, 1, 2, 2]
    over = play(f"roll 1; {MISS}", last_turn({LARGE: ANN}))
    assert showdown.GAME.turn(over) == showdown.GAME.turn(last_turn({LARGE: ANN})) == 13
