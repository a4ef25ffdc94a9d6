"""The clauses of Classic, by number (see `docs/rules/classic.md`)."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import product

import pytest

from appliance.words import Label
from games import classic
from games.boxes import Score
from games.classic import Box, Sheet, State
from games.values import (
    BadOptions,
    Choose,
    Corrected,
    DieKind,
    IllegalEvent,
    Keep,
    Points,
    Rolled,
    Throw,
)
from tests.builders import play_text

UPPER = tuple(Box)[:6]
LOWER = tuple(Box)[6:]


play = partial(play_text, classic.GAME)


def solo(filled: dict[Box, int], bonuses: int = 0) -> State:
    """A solo game at the start of a turn with these boxes filled."""
    return classic.GAME.position(
        players=["A"], sheets=[replace(Sheet.of([filled.get(box) for box in Box]), bonuses=bonuses)]
    )


def boxes(state: State) -> list[Box]:
    return [Box(choice.box) for choice in classic.GAME.choices(state) if isinstance(choice, Score)]


def preview_of(state: State, box: Box) -> Points | None:
    return classic.GAME.preview(state, Score(box))


def scored(filled: dict[Box, int], faces: Sequence[int], box: Box) -> int:
    """The points that a roll scores in a box of a sheet, by preview and by playing it."""
    state = classic.GAME.apply(solo(filled), Rolled(tuple(faces)))
    points = preview_of(state, box)
    after = classic.GAME.apply(state, Score(box))
    assert points is not None
    assert classic.GAME.scores(after)[0] - classic.GAME.scores(state)[0] == points.points
    return points.points


# 1. Players, and who begins.


@pytest.mark.parametrize("players", [1, 2, 3, 4, 5, 6])
def test_classic_1_one_to_six_players(players: int) -> None:
    state = classic.GAME.start([f"P{n}" for n in range(players)], {})
    assert classic.GAME.scores(state) == (0,) * players


@pytest.mark.parametrize("players", [0, 7])
def test_classic_1_no_other_number_of_players(players: int) -> None:
    with pytest.raises(BadOptions, match=f"1 to 6 players, got {players}"):
        classic.GAME.start([f"P{n}" for n in range(players)], {})


def test_classic_1_highest_total_of_five_dice_begins() -> None:
    state = classic.GAME.start(["Ann", "Bob", "Cid"], {})
    for seat, faces in enumerate([(1, 2, 3, 4, 5), (6, 6, 6, 1, 1), (5, 5, 5, 1, 1)]):
        asked = classic.GAME.ask(state)
        assert isinstance(asked, Throw)
        assert (asked.seat, asked.purpose) == (seat, "who-begins")
        assert [die.slot for die in asked.dice] == [0, 1, 2, 3, 4]
        assert {die.kind for die in asked.dice} == {DieKind.BLACK}
        state = classic.GAME.apply(state, Rolled(faces))
    asked = classic.GAME.ask(state)
    assert isinstance(asked, Throw)
    assert (asked.seat, asked.roll, asked.rolls, asked.purpose) == (1, 1, 3, "roll")


def test_classic_1_ties_throw_again_among_themselves() -> None:
    state = play("roll 6 6 6 1 1; roll 1 1 1 1 1; roll 5 5 5 3 2", players=3)
    assert state.first is None
    assert state.seat == 0
    state = play("roll 1 1 1 1 1", state)
    assert state.seat == 2
    state = play("roll 1 1 1 1 1", state)
    assert (state.first, state.seat) == (None, 0)
    state = play("roll 1 1 1 1 1; roll 1 1 1 1 2", state)
    assert (state.first, state.seat) == (2, 2)


def test_classic_1_play_passes_to_the_left() -> None:
    state = classic.GAME.start(["A", "B", "C"], {"first": 1})
    order = []
    while (asked := classic.GAME.ask(state)) is not None:
        order.append(asked.seat)
        state = play("roll 1 1 2 3 3", state)
        state = classic.GAME.apply(state, classic.GAME.choices(state)[0])
    assert order == [1, 2, 0] * 13


def test_classic_1_solo_needs_no_roll_off() -> None:
    asked = classic.GAME.ask(classic.GAME.start(["A"], {"first": "roll-off"}))
    assert isinstance(asked, Throw)
    assert (asked.seat, asked.roll, asked.purpose) == (0, 1, "roll")


@pytest.mark.parametrize("first", [True, False, 2, -1, "1", "nobody", 1.0])
def test_classic_1_the_first_seat_must_be_there(first: object) -> None:
    with pytest.raises(BadOptions, match="option first"):
        classic.GAME.start(["A", "B"], {"first": first})  # type: ignore[dict-item]


def test_classic_1_other_options_and_names_are_refused() -> None:
    with pytest.raises(BadOptions, match="no option 'jokers'"):
        classic.GAME.start(["A"], {"jokers": True})
    for names in (["A", ""], ["A", "  "], ["A\nB"], "AB", [None]):
        with pytest.raises(BadOptions, match="name"):
            classic.GAME.start(names, {})  # type: ignore[arg-type]


# 2. A turn.


def test_classic_2_up_to_three_rolls() -> None:
    state = classic.GAME.start(["A"], {})
    for roll in (1, 2, 3):
        asked = classic.GAME.ask(state)
        assert isinstance(asked, Throw)
        assert (asked.seat, asked.roll, asked.rolls, len(asked.dice)) == (0, roll, 3, 5)
        state = classic.GAME.apply(state, Rolled((1, 2, 3, 4, 6)))
        assert classic.GAME.ask(state) == Choose(0, roll, 3)
        if roll < 3:
            state = classic.GAME.apply(state, Keep(()))
    assert not any(isinstance(choice, Keep) for choice in classic.GAME.choices(state))
    with pytest.raises(IllegalEvent):
        classic.GAME.apply(state, Keep(()))


def test_classic_2_may_stop_after_any_roll() -> None:
    for rolls in ("roll 1 2 3 4 6", "roll 1 2 3 4 6; hold 1; roll 1 1 1 1"):
        state = play(rolls + "; score chance")
        assert state.sheets[0].filled == 1


def test_classic_2_any_dice_may_be_kept_or_thrown() -> None:
    state = play("roll 1 2 3 4 6")
    keeps = [choice for choice in classic.GAME.choices(state) if isinstance(choice, Keep)]
    every = {tuple(s for s in range(5) if mask >> s & 1) for mask in range(31)}
    assert {keep.slots for keep in keeps} == every
    assert len(keeps) == 31
    with pytest.raises(IllegalEvent):
        classic.GAME.apply(state, Keep((0, 1, 2, 3, 4)))


def test_classic_2_kept_dice_may_be_thrown_again() -> None:
    state = play("roll 6 6 6 1 2; hold 1 2 3; roll 3 4; hold 4 5; roll 1 1 1")
    assert classic.GAME.dice(state) == (1, 1, 1, 3, 4)


def test_classic_2_only_the_dice_asked_for_are_thrown() -> None:
    state = play("roll 6 1 6 2 6; hold 1 3 5")
    asked = classic.GAME.ask(state)
    assert isinstance(asked, Throw)
    assert [die.slot for die in asked.dice] == [1, 3]
    assert classic.GAME.held(state) == (0, 2, 4)
    assert classic.GAME.dice(state) == (6, None, 6, None, 6)
    for faces in [(), (1,), (1, 2, 3), (1, 2, 3, 4, 5), (0, 1), (1, 7), ("1", 2), (True, 2)]:
        with pytest.raises(IllegalEvent, match="2 faces from 1 to 6"):
            classic.GAME.apply(state, Rolled(faces))
    state = play("roll 4 5", state)
    assert classic.GAME.dice(state) == (6, 4, 6, 5, 6)


def test_classic_2_one_box_a_turn_and_each_box_once() -> None:
    state = play("roll 1 2 3 4 6; score chance")
    state = play("roll 1 2 3 4 6", state)
    assert Box.CHANCE not in boxes(state)
    with pytest.raises(IllegalEvent, match="expected a score in aces"):
        classic.GAME.apply(state, Score(Box.CHANCE))


def test_classic_2_score_or_zero_in_any_open_box() -> None:
    state = play("roll 1 1 2 2 3")
    assert boxes(state) == list(Box)
    assert scored({}, (1, 1, 2, 2, 3), Box.LARGE_STRAIGHT) == 0


def test_classic_2_dice_are_gone_between_turns() -> None:
    state = play("roll 1 2 3 4 6; score chance")
    assert classic.GAME.dice(state) == (None,) * 5
    assert classic.GAME.held(state) == ()
    assert classic.GAME.choices(state) == ()


# 3. What the boxes score.


@pytest.mark.parametrize("faces", list(product((1, 2, 3, 4, 5, 6), repeat=2)))
def test_classic_3_upper_boxes_add_their_number(faces: tuple[int, int]) -> None:
    roll = (*faces, 2, 5, 5)
    for box in UPPER:
        number = box + 1
        assert scored({}, roll, box) == sum(face for face in roll if face == number)


@pytest.mark.parametrize(
    ("upper", "bonus"),
    [
        ((3, 6, 9, 12, 15, 18), 35),
        ((2, 6, 9, 12, 15, 18), 0),
        ((4, 6, 9, 12, 15, 18), 35),
        ((0, 0, 3, 12, 20, 30), 35),
        ((0, 0, 0, 12, 20, 30), 0),
        ((5, 10, 15, 20, 25, 30), 35),
        ((0, 0, 0, 0, 0, 0), 0),
    ],
)
def test_classic_3_bonus_at_63(upper: tuple[int, ...], bonus: int) -> None:
    state = solo(dict(zip(UPPER, upper, strict=True)))
    sheet = classic.GAME.sheet(state, 0)
    assert (sheet.upper, sheet.upper_bonus) == (sum(upper), bonus)
    assert classic.GAME.scores(state) == (sum(upper) + bonus,)


def test_classic_3_bonus_is_named_by_the_score_that_earns_it() -> None:
    filled = dict(zip(UPPER[1:], (6, 9, 12, 15, 18), strict=True))
    state = classic.GAME.apply(solo(filled), Rolled((1, 1, 1, 2, 3)))
    assert preview_of(state, Box.ACES) == Points(38, "upper +35")
    state = classic.GAME.apply(solo(filled), Rolled((1, 1, 4, 2, 3)))
    assert preview_of(state, Box.ACES) == Points(2)


@pytest.mark.parametrize(
    ("faces", "scores"),
    [
        ((1, 2, 2, 4, 6), {}),
        ((2, 2, 2, 4, 6), {Box.THREE_ALIKE: 16}),
        ((6, 2, 6, 2, 1), {}),
        ((5, 3, 5, 3, 5), {Box.THREE_ALIKE: 21, Box.FULL_HOUSE: 25}),
        ((4, 4, 6, 4, 4), {Box.THREE_ALIKE: 22, Box.FOUR_ALIKE: 22}),
        ((4, 4, 4, 4, 4), {Box.THREE_ALIKE: 20, Box.FOUR_ALIKE: 20, Box.FIVE_ALIKE: 50}),
        ((4, 1, 3, 2, 4), {Box.SMALL_STRAIGHT: 30}),
        ((5, 4, 3, 2, 5), {Box.SMALL_STRAIGHT: 30}),
        ((3, 4, 5, 6, 1), {Box.SMALL_STRAIGHT: 30}),
        ((1, 2, 3, 5, 6), {}),
        ((5, 4, 3, 2, 1), {Box.SMALL_STRAIGHT: 30, Box.LARGE_STRAIGHT: 40}),
        ((2, 6, 4, 3, 5), {Box.SMALL_STRAIGHT: 30, Box.LARGE_STRAIGHT: 40}),
    ],
)
def test_classic_3_lower_boxes(faces: tuple[int, ...], scores: dict[Box, int]) -> None:
    expected = dict.fromkeys(LOWER, 0) | {Box.CHANCE: sum(faces)} | scores
    assert {box: scored({}, faces, box) for box in LOWER} == expected


# 4. Five alike.


def test_classic_4_bonus_each_time_the_fifty_box_holds_50() -> None:
    state = play("roll 4 4 4 4 4; score five-alike")
    for turn, box in enumerate(["fours", "three-alike", "large-straight"], start=1):
        state = play(f"roll 4 4 4 4 4; score {box}", state)
        assert classic.GAME.sheet(state, 0).bonuses == turn
    assert classic.GAME.scores(state) == (50 + 20 + 20 + 40 + 300,)


def test_classic_4_reason_is_named() -> None:
    state = classic.GAME.apply(solo({Box.FIVE_ALIKE: 50}), Rolled((4,) * 5))
    assert preview_of(state, Box.FOURS) == Points(120, "joker +100")
    state = classic.GAME.apply(solo({Box.FIVE_ALIKE: 50, Box.FOURS: 8}), Rolled((4,) * 5))
    assert preview_of(state, Box.FULL_HOUSE) == Points(125, "joker +100")
    state = classic.GAME.apply(solo({Box.FIVE_ALIKE: 0, Box.FOURS: 8}), Rolled((4,) * 5))
    assert preview_of(state, Box.FULL_HOUSE) == Points(25, "joker")


def test_classic_4_both_bonuses_at_once() -> None:
    filled = dict(zip(UPPER[:5], (3, 6, 9, 12, 15), strict=True)) | {Box.FIVE_ALIKE: 50}
    state = classic.GAME.apply(solo(filled), Rolled((6,) * 5))
    assert preview_of(state, Box.SIXES) == Points(165, "joker +100 upper +35")


def test_classic_4_no_bonus_but_joker_after_a_zero() -> None:
    state = play("roll 1 2 3 4 6; score five-alike; roll 3 3 3 3 3")
    assert boxes(state) == [Box.THREES]
    state = play("score threes; roll 3 3 3 3 3; score large-straight", state)
    assert classic.GAME.sheet(state, 0).bonuses == 0
    assert classic.GAME.scores(state) == (15 + 40,)


def test_classic_4_no_joker_while_the_box_is_open() -> None:
    state = play("roll 5 5 5 5 5")
    assert boxes(state) == list(Box)
    expected = dict.fromkeys(Box, 0) | {
        Box.FIVES: 25,
        Box.THREE_ALIKE: 25,
        Box.FOUR_ALIKE: 25,
        Box.FIVE_ALIKE: 50,
        Box.CHANCE: 25,
    }
    assert {box: scored({}, (5,) * 5, box) for box in Box} == expected
    # The upper box being filled changes nothing: full house and straights stay at zero.
    for box in (Box.FULL_HOUSE, Box.SMALL_STRAIGHT, Box.LARGE_STRAIGHT):
        assert scored({Box.FIVES: 5}, (5,) * 5, box) == 0


def test_classic_4_the_first_five_alike_may_go_elsewhere_without_a_bonus() -> None:
    state = play("roll 5 5 5 5 5; score chance; roll 5 5 5 5 5; score five-alike")
    assert classic.GAME.scores(state) == (75,)


# 5. The joker's order is forced.


@pytest.mark.parametrize("held", [0, 50])
@pytest.mark.parametrize("face", [1, 2, 3, 4, 5, 6])
def test_classic_5a_joker_goes_to_its_upper_box_first(face: int, held: int) -> None:
    state = classic.GAME.apply(solo({Box.FIVE_ALIKE: held}), Rolled((face,) * 5))
    assert boxes(state) == [Box(face - 1)]
    for box in Box:
        if box != face - 1:
            with pytest.raises(IllegalEvent):
                classic.GAME.apply(state, Score(box))
    assert scored({Box.FIVE_ALIKE: held}, (face,) * 5, Box(face - 1)) == 5 * face + 2 * held


@pytest.mark.parametrize("held", [0, 50])
@pytest.mark.parametrize("face", [1, 2, 3, 4, 5, 6])
def test_classic_5b_then_to_any_open_lower_box(face: int, held: int) -> None:
    filled = {Box.FIVE_ALIKE: held, Box(face - 1): 0}
    state = classic.GAME.apply(solo(filled), Rolled((face,) * 5))
    lower = [box for box in LOWER if box is not Box.FIVE_ALIKE]
    assert boxes(state) == lower
    total = 5 * face
    expected = [total, total, 25, 30, 40, total]
    assert [scored(filled, (face,) * 5, box) - 2 * held for box in lower] == expected


@pytest.mark.parametrize("held", [0, 50])
def test_classic_5c_then_zero_in_any_open_upper_box(held: int) -> None:
    filled = {Box.FIVE_ALIKE: held, Box.FOURS: 8, Box.FULL_HOUSE: 0, Box.SMALL_STRAIGHT: 0}
    filled |= {Box.LARGE_STRAIGHT: 0, Box.CHANCE: 20, Box.THREE_ALIKE: 0, Box.FOUR_ALIKE: 0}
    state = classic.GAME.apply(solo(filled), Rolled((4,) * 5))
    rest = [box for box in UPPER if box is not Box.FOURS]
    assert boxes(state) == rest
    for box in rest:
        # The bonus is earned even where the box gets a zero.
        assert scored(filled, (4,) * 5, box) == 2 * held


def test_classic_5_joker_leaves_the_choice_to_roll_on() -> None:
    state = classic.GAME.apply(solo({Box.FIVE_ALIKE: 50}), Rolled((4,) * 5))
    assert sum(isinstance(choice, Keep) for choice in classic.GAME.choices(state)) == 31
    state = play("hold 1 2 3 4; roll 5; score chance", state)
    assert classic.GAME.sheet(state, 0).bonuses == 0


# 6. The end.


def fill(state: State) -> State:
    """Fills the boxes in sheet order with the same dull roll."""
    while classic.GAME.ask(state) is not None:
        state = play("roll 1 1 2 2 4", state)
        state = classic.GAME.apply(state, classic.GAME.choices(state)[0])
    return state


@pytest.mark.parametrize("players", [1, 2, 6])
def test_classic_6_ends_when_every_box_is_filled(players: int) -> None:
    names = [f"P{n}" for n in range(players)]
    state = classic.GAME.start(names, {"first": players - 1})
    for scored_boxes in range(13 * players):
        assert classic.GAME.outcome(state) is None
        assert sum(sheet.filled for sheet in state.sheets) == scored_boxes
        state = play("roll 1 1 2 2 4", state)
        state = classic.GAME.apply(state, classic.GAME.choices(state)[0])
    assert classic.GAME.ask(state) is None
    assert classic.GAME.choices(state) == ()
    assert classic.GAME.outcome(state) is not None
    for event in (Rolled((1,) * 5), Keep(()), Score(Box.ACES), Corrected(0, 1)):
        with pytest.raises(IllegalEvent, match="the game is over"):
            classic.GAME.apply(state, event)


def test_classic_6_highest_grand_total_wins() -> None:
    sheets = [Sheet.of([0] * 12 + [total]) for total in (20, 29, 7)]
    outcome = classic.GAME.outcome(
        classic.GAME.position(players=["A", "B", "C"], sheets=sheets, held=None)
    )
    assert outcome is not None
    assert (outcome.scores, outcome.winners) == ((20, 29, 7), (1,))


def test_classic_6_equal_totals_share_the_win() -> None:
    sheets = [Sheet.of([0] * 12 + [total]) for total in (20, 29, 29)]
    outcome = classic.GAME.outcome(
        classic.GAME.position(players=["A", "B", "C"], sheets=sheets, held=None)
    )
    assert outcome is not None
    assert (outcome.winners, outcome.reason) == ((1, 2), "shared-win")


def test_classic_6_bonuses_count_for_the_win() -> None:
    rich = replace(Sheet.of([1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 50, 5]), bonuses=2)
    plain = Sheet.of([5, 10, 15, 20, 25, 30, 30, 30, 0, 0, 0, 0, 5])
    outcome = classic.GAME.outcome(
        classic.GAME.position(players=["A", "B"], sheets=[rich, plain], held=None)
    )
    assert outcome is not None
    assert (outcome.scores, outcome.winners) == ((256, 205), (0,))


# 7. Extremes.


def test_classic_7_the_highest_game_is_1575() -> None:
    state = play("roll 1 1 1 1 1; score five-alike")
    turns = [
        (n, word) for n, word in enumerate(["aces", "twos", "threes", "fours", "fives", "sixes"], 1)
    ]
    turns += [(6, "three-alike"), (6, "four-alike"), (6, "full-house"), (6, "small-straight")]
    turns += [(6, "large-straight"), (6, "chance")]
    for face, word in turns:
        state = play(f"roll {' '.join([str(face)] * 5)}; score {word}", state)
    sheet = classic.GAME.sheet(state, 0)
    assert (sheet.upper, sheet.upper_bonus, sheet.lower) == (105, 35, 235)
    assert sheet.bonuses == 12
    assert sheet.total == 1575
    outcome = classic.GAME.outcome(state)
    assert outcome is not None
    assert outcome.scores == (1575,)


def test_classic_7_the_lowest_game_is_5() -> None:
    state = classic.GAME.start(["A"], {})
    turns = dict.fromkeys(Box, "2 3 4 6 6") | {Box.CHANCE: "1 1 1 1 1"}
    turns |= {Box.TWOS: "1 3 4 5 5", Box.THREES: "1 2 4 6 6", Box.FOURS: "1 2 3 5 5"}
    turns |= {Box.SIXES: "1 2 3 5 5", Box.SMALL_STRAIGHT: "1 1 2 2 3"}
    for box, faces in turns.items():
        state = play(f"roll {faces}; score {box.word}", state)
    assert classic.GAME.scores(state) == (5,)


def test_classic_7_solo_play_is_won_by_the_player() -> None:
    outcome = classic.GAME.outcome(fill(classic.GAME.start(["A"], {})))
    assert outcome is not None
    assert outcome.winners == (0,)


# Corrections.


def test_a_corrected_die_of_a_roll() -> None:
    wrong = play("roll 6 6 6 1 2; fix 4 to 6; fix 2 to 1")
    assert wrong == play("roll 6 1 6 6 2")


def test_a_corrected_die_may_change_what_is_legal() -> None:
    state = classic.GAME.apply(solo({Box.FIVE_ALIKE: 50}), Rolled((4, 4, 4, 4, 1)))
    assert boxes(state) != [Box.FOURS]
    assert boxes(classic.GAME.apply(state, Corrected(4, 4))) == [Box.FOURS]


def test_a_corrected_roll_off() -> None:
    state = play("roll 6 6 6 1 1; roll 1 1 1 1 1", players=2)
    assert state.first == 0
    assert play("fix 1 to 6; fix 2 to 6; fix 3 to 6", state).first is None
    assert play("fix 1 to 6; fix 2 to 6; fix 3 to 6; fix 4 to 2", state).first == 1
    assert play("fix 2 to 3", play("roll 6 6 6 1 1", players=2)).roll_off == ((6, 3, 6, 1, 1),)


@pytest.mark.parametrize(
    "text",
    [
        "roll 6 6 6 1 2; hold 1 2 3",  # a throw is due
        "roll 6 6 6 1 2; score sixes",  # nothing lies on the table
        "",
    ],
)
def test_no_correction_without_a_roll_on_the_table(text: str) -> None:
    with pytest.raises(IllegalEvent):
        classic.GAME.apply(play(text), Corrected(0, 1))


@pytest.mark.parametrize(("slot", "face"), [(5, 1), (-1, 1), (0, 0), (0, 7), (0, "1"), (True, 2)])
def test_no_correction_to_what_is_not_there(slot: int, face: int) -> None:
    state = play("roll 6 6 6 1 2")
    with pytest.raises(IllegalEvent, match="expected a"):
        classic.GAME.apply(state, Corrected(slot, face))


def test_the_roll_off_is_settled_once_the_first_turn_is_thrown() -> None:
    state = play("roll 6 6 6 1 1; roll 1 1 1 1 1; roll 1 2 3 4 6", players=2)
    assert play("fix 1 to 6", state).roll_off == state.roll_off
    with pytest.raises(IllegalEvent):
        play("score chance; fix 1 to 6", state)


# The board.


def test_labels_fit_the_board_and_differ() -> None:
    labels = [Label(choice.key) for choice in classic.GAME.choices(play("roll 1 2 3 4 6"))]
    assert len(set(labels)) == len(labels) == 44 + 7
    assert all(len(label) <= 10 and label == label.upper() for label in labels)


def test_choices_come_in_sheet_order_before_the_holds() -> None:
    choices = classic.GAME.choices(play("roll 1 2 3 4 6; score fives; roll 1 2 3 4 6"))
    scores = [choice.box for choice in choices if isinstance(choice, Score)]
    assert scores == [box for box in Box if box is not Box.FIVES]
    assert all(isinstance(choice, Score) for choice in choices[: len(scores)])


def test_the_sheet_for_the_board() -> None:
    state = play("roll 6 6 6 1 1; score sixes; roll 5 5 5 5 5; score five-alike")
    sheet = classic.GAME.sheet(state, 0)
    assert [(row.key, row.points) for row in sheet.rows if row.points is not None] == [
        ("sixes", 18),
        ("five-alike", 50),
    ]
    assert (sheet.upper, sheet.lower, sheet.total) == (18, 50, 68)


def test_an_error_says_what_was_expected() -> None:
    state = play("roll 6 6 6 1 2")
    with pytest.raises(IllegalEvent, match=r"expected a score in aces, .* chosen by A; got Rolled"):
        classic.GAME.apply(state, Rolled((1, 1, 1, 1, 1)))
    for box in (-1, 13, None, "aces"):
        with pytest.raises(IllegalEvent):
            classic.GAME.apply(state, Score(box))  # type: ignore[arg-type]
        with pytest.raises(IllegalEvent):
            classic.GAME.preview(state, Score(box))  # type: ignore[arg-type]


def test_preview_of_a_hold_is_nothing() -> None:
    assert classic.GAME.preview(play("roll 6 6 6 1 2"), Keep((0, 1, 2))) is None
