"""The clauses of Hold'em by number (`docs/rules/holdem.md`); pots and hands have separate files."""

from dataclasses import replace
from functools import partial

import pytest

from games import holdem
from games.holdem import State
from games.holdem.course import begin_hand
from games.holdem.state import AllIn, Bet, Call, Check, Declare, Fold, Raise, Seat, Stage
from games.holdem.view import view
from games.values import (
    BadOptions,
    Choose,
    Corrected,
    Die,
    DieKind,
    IllegalEvent,
    OptionValue,
    Outcome,
    Points,
    Recoloured,
    Reveal,
    Rolled,
    Shown,
    ShownDie,
    Throw,
)
from tests.builders import play_text
from tests.rigs.event_texts import events_from_text

FLOP = "show red 4 yellow 4 black 2"
TURN = "show white 1"
RIVER = "show white 6"
SHOW = {
    # Each pocket makes only two pairs, one of them the pair of fours on the table.
    0: "show red 1 red 3; declare two-pairs",
    1: "show black 6 black 3; declare two-pairs",
    2: "show white 2 white 3; declare two-pairs",
}


def start(players: int = 3, **options: OptionValue) -> State:
    return holdem.GAME.start(list("ABCDEF"[:players]), options)


play = partial(play_text, holdem.GAME)


def labels(state: State) -> list[str]:
    return [choice.key for choice in holdem.GAME.choices(state)]


def seat(state: State) -> int:
    now = holdem.GAME.ask(state)
    assert now is not None
    return now.seat


def speakers(text: str, state: State) -> list[int]:
    """The seat that was asked for each event."""
    found = []
    for event in events_from_text(holdem.GAME, text):
        found.append(seat(state))
        state = holdem.GAME.apply(state, event)
    return found


def deal(*chips: int, dealer: int = 0) -> State:
    """The first hand of players who have these chips before the ante."""
    names = tuple("ABCDEF"[: len(chips)])
    fresh = State(names, tuple(map(Seat, chips)), pockets=(None,) * len(chips))
    return holdem.GAME.position(begin_hand(fresh, dealer))


# 1. Players, dice, chips.


@pytest.mark.parametrize("players", [0, 1, 7])
def test_holdem_1_two_to_six_players(players: int) -> None:
    with pytest.raises(BadOptions, match="2 to 6"):
        holdem.GAME.start(["A"] * players, {})


@pytest.mark.parametrize("players", range(2, 7))
def test_holdem_1_equal_stacks_of_300_unless_an_option_says_else(players: int) -> None:
    for options, chips in (({}, 300), ({"stack": 50}, 50)):
        state = start(players, **options)
        assert [s.chips + s.paid for s in state.seats] == [chips] * players


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"stack": 305}, "option stack"),
        ({"stack": "300"}, "option stack"),
        ({"dealer": 3}, "seat from 0 to 2"),
        ({"dealer": False}, "option dealer"),
        ({"flop_again": "twice"}, "option flop_again"),
        ({"blinds": 10}, "no option 'blinds'"),
    ],
)
def test_holdem_1_options_are_checked(options: dict[str, OptionValue], words: str) -> None:
    with pytest.raises(BadOptions, match=words):
        start(3, **options)


def test_holdem_1_only_dice_of_the_four_colours() -> None:
    state = play("check; check; check", start())
    for bad in (ShownDie(DieKind.POWER, 1), ShownDie(DieKind.RED, 7), ShownDie(DieKind.RED, True)):
        with pytest.raises(IllegalEvent):
            holdem.GAME.apply(
                state, Shown((bad, ShownDie(DieKind.RED, 1), ShownDie(DieKind.RED, 2)))
            )


def test_holdem_1_a_sixth_die_of_a_colour_is_refused() -> None:
    state = play("check; check; check; show red 1 red 2 red 3; bet 10; call 10; call 10", start())
    state = play("show red 4; check; check; check; show red 5; check; check; check", state)
    with pytest.raises(IllegalEvent, match="five red dice"):
        play("show red 6 black 1", state)
    # A colour misread earlier can still be put right.
    state = play("recolour 5 to white; show red 6 black 1", state)
    assert holdem.GAME.kinds(state)[4:6] == (DieKind.WHITE, DieKind.RED)


# 2. A hand begins.


def test_holdem_2_everyone_antes_10() -> None:
    state = start()
    assert holdem.GAME.scores(state) == (290, 290, 290)
    assert [s.paid for s in state.seats] == [10, 10, 10]


def test_holdem_2_the_pockets_are_hidden_until_the_showdown() -> None:
    state = start()
    assert holdem.GAME.dice(state) == (None,) * 5
    for who in range(3):
        seen = view(state, who)
        assert [p.pocket for p in seen.players] == [(None, None)] * 3
        assert holdem.GAME.sheet(state, who).rows[-1].points is None


def test_holdem_2_the_first_dealer_is_chosen() -> None:
    assert [start(3, dealer=d).dealer for d in range(3)] == [0, 1, 2]
    assert start().dealer == 0


def test_holdem_2_a_roll_off_for_the_dealer_with_ties_thrown_again() -> None:
    state = start(3, dealer="roll-off")
    assert holdem.GAME.ask(state) == Throw(0, (Die(0),), purpose="who-deals")
    assert holdem.GAME.turn(state) == 0
    text = "roll 5; roll 2; roll 5; roll 1; roll 3"
    assert speakers(text, state) == [0, 1, 2, 0, 2]
    state = play(text, state)
    assert (state.dealer, state.stage, state.hand) == (2, Stage.OPEN, 1)
    assert state.roll_off == (5, 2, 5, 1, 3)


@pytest.mark.parametrize("faces", [(), (1, 2), (0,), (7,), ("power",), (True,)])
def test_holdem_2_a_roll_off_takes_one_face(faces: tuple[int, ...]) -> None:
    with pytest.raises(IllegalEvent):
        holdem.GAME.apply(start(3, dealer="roll-off"), Rolled(faces))


# 3. Betting.


def test_holdem_3_betting_begins_left_of_the_dealer_and_goes_clockwise() -> None:
    assert speakers("check; check; check; check", start(4, dealer=1)) == [2, 3, 0, 1]


def test_holdem_3_check_bet_or_fold_while_there_is_no_bet() -> None:
    assert labels(start()) == ["check", "bet 10", "fold"]
    assert labels(play("check", start())) == ["check", "bet 10", "fold"]


def test_holdem_3_call_raise_or_fold_once_there_is_a_bet() -> None:
    assert labels(play("bet 10", start())) == ["call 10", "raise 10", "fold"]
    with pytest.raises(IllegalEvent):
        play("bet 10; check", start())


def test_holdem_3_open_and_flop_bet_and_raise_at_most_10() -> None:
    flop = play(f"check; check; check; {FLOP}", start())
    for state in (start(), flop):
        for illegal in (Bet(20), Bet(0), Bet(5), Bet(-10)):
            with pytest.raises(IllegalEvent):
                holdem.GAME.apply(state, illegal)
        with pytest.raises(IllegalEvent):
            holdem.GAME.apply(holdem.GAME.apply(state, Bet(10)), Raise(20))


def test_holdem_3_turn_and_river_bet_and_raise_at_most_20() -> None:
    turn = play(f"check; check; check; {FLOP}; bet 10; call 10; call 10; {TURN}", start())
    river = play(f"check; check; check; {RIVER}", turn)
    for state in (turn, river):
        assert labels(state) == ["check", "bet 10", "bet 20", "fold"]
        after = play("bet 10", state)
        assert labels(after) == ["call 10", "raise 10", "raise 20", "fold"]
        assert labels(play("raise 20", after)) == ["call 30", "raise 10", "raise 20", "fold"]


def test_holdem_3_at_most_three_raises_a_round() -> None:
    state = play("bet 10; raise 10; raise 10; raise 10", start())
    assert labels(state) == ["call 20", "fold"]
    state = play("call 20", state)
    assert labels(state) == ["call 10", "fold"]
    # The next round allows three raises again.
    state = play(f"call 10; {FLOP}; bet 10; raise 10; raise 10", state)
    assert labels(state) == ["call 20", "raise 10", "fold"]


def test_holdem_3_the_round_ends_when_all_have_put_in_the_same_and_nobody_raises() -> None:
    text = "check; bet 10; call 10; raise 10; call 20; call 10; call 10"
    state = start(4, dealer=3)
    assert speakers(text, state) == [0, 1, 2, 3, 0, 1, 2]
    assert labels(play("check; bet 10; call 10; raise 10; call 20", state)) == [
        "call 10",
        "raise 10",
        "fold",
    ]
    state = play("check; bet 10; call 10; raise 10; call 20; call 10", state)
    assert labels(state) == ["call 10", "raise 10", "fold"]
    state = play("call 10", state)
    assert state.stage is Stage.FLOP
    assert [s.paid for s in state.seats] == [30] * 4
    assert [s.bet for s in state.seats] == [0] * 4


def test_holdem_3_who_raised_is_not_asked_again() -> None:
    state = play("bet 10; raise 10; call 20", start(3, dealer=2))
    assert seat(state) == 0
    assert play("call 10", state).stage is Stage.FLOP


def test_holdem_3_all_in_when_the_chips_do_not_reach_for_a_call() -> None:
    state = play("bet 10; raise 10", deal(20, 300, 300))
    assert labels(state) == ["all-in", "fold"]
    assert holdem.GAME.preview(state, AllIn()) == Points(-10, "all-in")
    state = play("all-in", state)
    assert (state.seats[0].chips, state.seats[0].paid) == (0, 20)
    with pytest.raises(IllegalEvent):
        play("all-in", start())


def test_holdem_3_a_call_or_bet_may_take_the_last_chips() -> None:
    state = play("bet 10", deal(300, 300, 20))
    assert labels(state) == ["call 10", "fold"]
    assert holdem.GAME.preview(state, Call(10)) == Points(-10, "all-in")
    state = deal(300, 20, 300)
    assert labels(state) == ["check", "bet 10", "fold"]
    assert holdem.GAME.preview(state, Bet(10)) == Points(-10, "all-in")
    turn = play(f"check; check; check; {FLOP}; bet 10; call 10; call 10; {TURN}", start())
    seats = (turn.seats[0], replace(turn.seats[1], chips=10), turn.seats[2])
    assert labels(replace(turn, seats=seats)) == ["check", "bet 10", "fold"]


def test_holdem_3_one_who_is_all_in_is_asked_no_more() -> None:
    state = play("check; check; bet 10; call 10; call 10", deal(300, 20, 300))
    state = play(FLOP, state)
    assert speakers("check; check", state) == [2, 0]
    assert play("check; check", state).due == 3


def test_holdem_3_no_betting_while_fewer_than_two_can_bet() -> None:
    state = play("bet 10; call 10; call 10", deal(300, 20, 20))
    state = play(f"{FLOP}; {TURN}; {RIVER}", state)
    assert state.stage is Stage.SHOWDOWN
    # Without betting nobody has checked: the Flop is not thrown again.
    assert state.thrown == 1


def test_holdem_3_all_in_by_the_ante() -> None:
    state = deal(300, 10, 300)
    assert speakers("check; check", state) == [2, 0]
    assert play("check; check", state).stage is Stage.FLOP
    for chips in ((10, 10, 10), (300, 10, 10)):
        state = deal(*chips)
        assert (state.stage, state.due) == (Stage.FLOP, 3)
        assert play(f"{FLOP}; {TURN}; {RIVER}", state).stage is Stage.SHOWDOWN


def test_holdem_3_no_raise_that_nobody_is_left_to_answer() -> None:
    state = play("bet 10; raise 10", deal(300, 20, 30))
    # Seat 1 is all-in with 10, seat 2 with 20: seat 0 can only call.
    assert labels(state) == ["call 20", "fold"]


def test_holdem_3_what_the_previews_say() -> None:
    state = play("bet 10", start())
    assert holdem.GAME.preview(state, Call(10)) == Points(-10, "pot 50")
    assert holdem.GAME.preview(state, Raise(10)) == Points(-20, "pot 60")
    assert holdem.GAME.preview(state, Fold()) == Points(0, "leaves 10")
    assert holdem.GAME.preview(start(), Check()) == Points(0, "pot 30")
    with pytest.raises(IllegalEvent):
        holdem.GAME.preview(state, Check())


# 4. The community dice.


def test_holdem_4_three_dice_for_the_flop_then_one_and_one() -> None:
    state = play("check; check; check", start(3, dealer=1))
    dice = tuple(Die(slot) for slot in range(3))
    assert holdem.GAME.ask(state) == Throw(1, dice, 1, 3, "flop", coloured=True)
    state = play(f"{FLOP}; bet 10; call 10; call 10", state)
    assert holdem.GAME.ask(state) == Throw(1, (Die(3),), 2, 3, "turn", coloured=True)
    assert holdem.GAME.held(state) == (0, 1, 2)
    state = play(f"{TURN}; check; check; check", state)
    assert holdem.GAME.ask(state) == Throw(1, (Die(4),), 3, 3, "river", coloured=True)
    state = play(RIVER, state)
    assert holdem.GAME.dice(state) == (4, 4, 2, 1, 6)
    assert holdem.GAME.ask(state) == Choose(2, 3, 3, "river")


@pytest.mark.parametrize("text", ["show red 4", "show red 4 red 4 red 4 red 4", "roll 4 4 4"])
def test_holdem_4_no_other_number_of_dice_and_no_dice_without_colours(text: str) -> None:
    state = play("check; check; check", start())
    with pytest.raises(IllegalEvent, match="3 dice with colours"):
        play(text, state)


def test_holdem_4_a_flop_that_all_check_is_thrown_again_each_time() -> None:
    state = play(f"check; check; check; {FLOP}; check; check; check", start())
    kinds = (DieKind.RED, DieKind.YELLOW, DieKind.BLACK)
    dice = tuple(Die(slot, kind) for slot, kind in enumerate(kinds))
    assert holdem.GAME.ask(state) == Throw(0, dice, 1, 3, "flop-again", coloured=True)
    assert holdem.GAME.dice(state) == (None,) * 5
    for _ in range(5):
        state = play("show black 6 red 5 yellow 5", state)
        assert holdem.GAME.ask(state) == Choose(1, 1, 3, "flop")
        assert holdem.GAME.dice(state) == (6, 5, 5, None, None)
        state = play("check; check; check", state)
        assert isinstance(now := holdem.GAME.ask(state), Throw)
        assert now.purpose == "flop-again"
    state = play("show black 6 red 5 yellow 5; check; bet 10; call 10; call 10", state)
    assert state.stage is Stage.TURN


def test_holdem_4_the_same_three_dice_are_thrown_again() -> None:
    state = play(f"check; check; check; {FLOP}; check; check; check", start())
    with pytest.raises(IllegalEvent, match="red, yellow, black"):
        play("show red 4 yellow 4 white 2", state)
    # A colour misread the first time can be put right.
    assert play("recolour 3 to white; show red 4 yellow 4 white 2", state).thrown == 2


def test_holdem_4_a_new_round_follows_the_new_flop() -> None:
    state = play(f"check; check; check; {FLOP}; check; check; check; {FLOP}", start())
    assert labels(state) == ["check", "bet 10", "fold"]
    assert speakers("bet 10; raise 10; call 20; call 10", state) == [1, 2, 0, 1]


def test_holdem_4_one_bet_or_all_but_one_folding_keeps_the_flop() -> None:
    state = play(f"check; check; check; {FLOP}", start())
    assert play("check; check; bet 10; call 10; call 10", state).stage is Stage.TURN
    assert play("fold; fold", state).stage is Stage.PAY


def test_holdem_4_those_who_fold_do_not_hinder_a_new_flop() -> None:
    state = play(f"check; check; check; {FLOP}; check; fold; check", start())
    assert (state.stage, state.due, state.thrown) == (Stage.FLOP, 3, 1)


@pytest.mark.parametrize(("option", "throws"), [("never", 1), ("once", 2)])
def test_holdem_4_house_rule_for_the_flop(option: str, throws: int) -> None:
    state = play("check; check; check", start(flop_again=option))
    for _ in range(throws):
        state = play(f"{FLOP}; check; check; check", state)
    assert (state.stage, state.thrown) == (Stage.TURN, throws)


def test_holdem_4_open_turn_and_river_go_on_when_all_check() -> None:
    state = play("check; check; check", start())
    assert state.stage is Stage.FLOP
    state = play(f"{FLOP}; bet 10; call 10; call 10; {TURN}; check; check; check", state)
    assert state.stage is Stage.RIVER
    assert play(f"{RIVER}; check; check; check", state).stage is Stage.SHOWDOWN


# 5. The showdown.


def at_showdown(state: State | None = None) -> State:
    text = f"check; check; check; {FLOP}; bet 10; call 10; call 10; {TURN}; check; check; check"
    return play(f"{text}; {RIVER}; check; check; check", state or start())


def test_holdem_5_all_who_did_not_fold_show_from_the_dealers_left_on() -> None:
    state = at_showdown()
    for who in (1, 2, 0):
        assert holdem.GAME.ask(state) == Reveal(who, (Die(5), Die(6)))
        assert holdem.GAME.held(state) == (0, 1, 2, 3, 4)
        assert not holdem.GAME.choices(state)
        shown, declare = SHOW[who].split("; ")
        state = play(shown, state)
        assert holdem.GAME.ask(state) == Choose(who, purpose="best-hand")
        state = play(declare, state)
    assert state.stage is Stage.PAY


def test_holdem_5_who_folded_shows_nothing() -> None:
    state = play(f"check; check; fold; {FLOP}; bet 10; call 10; {TURN}; check; check", start())
    state = play(f"{RIVER}; check; check", state)
    assert speakers(f"{SHOW[1]}; {SHOW[2]}", state) == [1, 1, 2, 2]
    state = play(f"{SHOW[1]}; {SHOW[2]}", state)
    assert state.stage is Stage.PAY
    assert view(state, 1).players[0].pocket == ()


def test_holdem_5_the_best_hand_is_the_only_one_to_declare() -> None:
    state = play("show red 1 red 3", at_showdown())
    assert labels(state) == ["two-pairs"]
    (declare,) = holdem.GAME.choices(state)
    assert isinstance(declare, Declare)
    assert holdem.GAME.preview(state, declare) == Points(0, "44116")
    with pytest.raises(IllegalEvent, match="two-pairs"):
        play("declare flush", state)


def test_holdem_5_the_best_five_of_seven_take_the_pot() -> None:
    # 66442 beats 44226 and 44116.
    state = play(f"{SHOW[1]}; {SHOW[2]}; {SHOW[0]}", at_showdown())
    assert seat(state) == 1
    (take,) = holdem.GAME.choices(state)
    assert take.key == "take-pot"
    assert holdem.GAME.preview(state, take) == Points(60, "two-pairs")
    state = play("take-pot", state)
    assert [s.chips + s.paid for s in state.seats] == [280, 340, 280]


def test_holdem_5_the_community_dice_may_be_the_hand_of_all() -> None:
    state = play("check; check; check; show red 5 black 4 white 3", start())
    state = play("bet 10; call 10; call 10; show yellow 2; check; check; check", state)
    state = play("show yellow 6; check; check; check", state)
    state = play("show white 6 white 6; declare straight; show black 2 black 3", state)
    state = play("declare straight; show yellow 1 red 1; declare straight", state)
    # All have 65432. With the white 6 seat 1 still has two of a colour, as the table has; seat 2
    # makes three black dice.
    assert seat(state) == 2


def test_holdem_5_when_all_but_one_have_folded_that_player_shows_nothing() -> None:
    state = play("bet 10; fold; fold", start())
    assert holdem.GAME.ask(state) == Choose(1, purpose="pot")
    (take,) = holdem.GAME.choices(state)
    assert holdem.GAME.preview(state, take) == Points(40, "all-folded")
    state = play("take-pot", state)
    assert [s.chips + s.paid for s in state.seats] == [290, 320, 290]
    assert state.pockets == (None, None, None)


# 9. The next hand, and the end.


def test_holdem_9_the_dealer_passes_to_the_left() -> None:
    state = start()
    dealers = []
    for _ in range(4):
        dealers.append(state.dealer)
        state = play("fold; fold; take-pot", state)
    assert dealers == [0, 1, 2, 0]
    assert holdem.GAME.turn(state) == 5


def test_holdem_9_out_of_chips_is_out_of_the_game() -> None:
    state = play("check; bet 10; call 10; call 10", deal(300, 300, 20))
    state = play(f"{FLOP}; bet 10; call 10; {TURN}; check; check; {RIVER}; check; check", state)
    state = play(f"{SHOW[1]}; {SHOW[2]}; {SHOW[0]}; take-pot", state)
    assert holdem.GAME.scores(state)[2] == 0
    assert view(state, 0).players[2].out
    # Seat 1 deals now; seat 2 is passed over as dealer too.
    assert state.dealer == 1
    assert speakers("check; check", state) == [0, 1]
    state = play("fold; take-pot", state)
    assert state.dealer == 0


def test_holdem_9_the_last_one_in_wins() -> None:
    state = play(f"bet 10; call 10; call 10; {FLOP}; {TURN}; {RIVER}", deal(20, 300, 20))
    state = play(f"{SHOW[1]}; {SHOW[2]}; {SHOW[0]}; take-pot", state)
    assert holdem.GAME.outcome(state) == Outcome((0, 340, 0), (1,), "last-one-in")
    assert holdem.GAME.ask(state) is None
    assert not holdem.GAME.choices(state)
    with pytest.raises(IllegalEvent, match="over"):
        play("check", state)


def five_flush(text: str) -> State:
    """A showdown of three after a Flop of three red fours; seat 2 is all-in by the ante."""
    state = play("check; check; show red 4 red 4 red 4", deal(300, 300, 10))
    state = play(f"bet 10; call 10; {TURN}; check; check; {RIVER}; check; check", state)
    return play(text, state)


def test_holdem_9_a_flush_of_five_alike_wins_the_game_at_once() -> None:
    # Seat 2 has a share in the main pot only; it takes the side pot as well.
    text = "show black 1 black 2; declare full-house; show red 4 red 4; declare five-flush"
    state = five_flush(f"{text}; show white 4 white 4; declare five-alike")
    assert [pot.chips for pot in view(state, 0).pots] == [30, 20]
    assert seat(state) == 2
    (take,) = holdem.GAME.choices(state)
    assert holdem.GAME.preview(state, take) == Points(50, "five-flush")
    state = play("take-pot", state)
    assert holdem.GAME.outcome(state) == Outcome((280, 280, 50), (2,), "five-flush")


def test_holdem_9_a_flush_of_five_alike_that_lies_on_the_table_is_shared() -> None:
    state = play("fold; check; check; show red 4 red 4 red 4; bet 10; call 10", start())
    state = play("show red 4; check; check; show red 4; check; check", state)
    state = play("show black 1 black 2; declare five-flush; show white 1 white 2", state)
    state = play("declare five-flush; take-pot", state)
    assert holdem.GAME.outcome(state) == Outcome((300, 290, 310), (0, 2), "five-flush")


def test_holdem_9_a_flush_of_five_alike_that_is_not_shown_wins_nothing_more() -> None:
    state = play("check; check; check; show red 4 red 4 red 4; bet 10; fold; fold", start())
    assert holdem.GAME.outcome(play("take-pot", state)) is None


# Corrections.


def test_a_misread_face_or_colour_is_put_right_at_once() -> None:
    base = play("check; check; check", start())
    right = play(f"{FLOP}; check", base)
    wrong = play("show red 3 yellow 4 white 2; check", base)
    assert wrong != right
    assert play("fix 1 to 4; recolour 3 to black", wrong) == right


def test_a_pocket_is_put_right_before_it_is_declared() -> None:
    right = play("show red 1 red 3", at_showdown())
    wrong = play("show red 1 yellow 5", at_showdown())
    assert labels(wrong) == ["two-pairs"]
    assert play("fix 7 to 3; recolour 7 to red", wrong) == right
    assert play("fix 6 to 1; recolour 6 to red", right) == right


def test_community_dice_are_put_right_until_the_pot_is_taken() -> None:
    state = play(f"{SHOW[1]}; {SHOW[2]}; {SHOW[0]}", at_showdown())
    assert seat(state) == 1
    # With a 1 for the 6 of the River seat 0 has 111 44.
    state = play("fix 5 to 1", state)
    assert seat(state) == 0
    assert holdem.GAME.preview(state, holdem.GAME.choices(state)[0]) == Points(60, "full-house")


def test_the_last_throw_of_the_roll_off_is_put_right() -> None:
    base = play("roll 2", start(2, dealer="roll-off"))
    assert play("roll 3; fix 1 to 1", base) == play("roll 1", base)
    assert play("fix 1 to 5", base) == play("roll 5", start(2, dealer="roll-off"))
    for illegal in ("roll 3; check; fix 1 to 1", "fix 2 to 1", "fix 1 to x1", "recolour 1 to red"):
        with pytest.raises(IllegalEvent):
            play(illegal, base)


def test_nothing_is_put_right_when_the_game_is_over() -> None:
    state = play(f"bet 10; call 10; call 10; {FLOP}; {TURN}; {RIVER}", deal(20, 300, 20))
    state = play(f"{SHOW[1]}; {SHOW[2]}; {SHOW[0]}; take-pot", state)
    with pytest.raises(IllegalEvent, match="over"):
        play("fix 1 to 1", state)


@pytest.mark.parametrize(
    "event",
    [
        Corrected(3, 4),
        Corrected(5, 4),
        Corrected(-1, 4),
        Corrected(0, 7),
        Corrected(0, "power"),
        Corrected(0, True),
        Recoloured(0, DieKind.POWER),
        Recoloured(6, DieKind.RED),
    ],
)
def test_what_does_not_lie_open_cannot_be_put_right(event: Corrected | Recoloured) -> None:
    state = play(f"check; check; check; {FLOP}", start())
    with pytest.raises(IllegalEvent):
        holdem.GAME.apply(state, event)


def test_no_correction_makes_a_sixth_die_of_a_colour() -> None:
    state = play("check; check; check; show red 1 red 2 red 3; bet 10; call 10; call 10", start())
    state = play("show red 4; check; check; check; show red 5; check; check; check", state)
    state = play("show black 1 black 2", state)
    with pytest.raises(IllegalEvent, match="five red dice"):
        play("recolour 6 to red", state)
