"""The examples and the testable sentences of Free for All's booklet, in its order."""

from functools import partial

import pytest

from games import free_for_all as ffa
from games.free_for_all import Card, Kind, Lying, State, Steal, Step, Take
from games.values import Draw, Keep, Points, Throw
from tests.builders import play_text

THREE_UP = "turn-up twos:2; turn-up three-alike:4; turn-up large-straight:8"


play = partial(play_text, ffa.GAME, players=4)


def uses(state: State) -> list[str]:
    return [choice.key for choice in ffa.GAME.choices(state) if not isinstance(choice, Keep)]


# The three examples. The pictures of the dice are lost; the text is true of the dice used here.


@pytest.mark.parametrize("dice", ["2 2 2 4 5", "2 2 2 1 3", "6 2 2 3 2"])
def test_example_twos_or_three_of_a_kind(dice: str) -> None:
    state = play(f"{THREE_UP}; roll {dice}")
    assert uses(state) == ["c1 twos", "c2 three-alike", "pass"]
    points = [ffa.GAME.preview(state, choice) for choice in ffa.GAME.choices(state)[:2]]
    assert points == [Points(2), Points(4)]
    state = play("take three-alike:4 from 2", state)
    lying = state.homes[0][0]
    assert lying is not None
    assert lying.card == Card(Kind.THREE_ALIKE, 4)


@pytest.mark.parametrize("two_fives", ["5 5 1 2 6", "5 5 6 6 6"])
def test_example_three_fives_beat_two_fives(two_fives: str) -> None:
    up = "turn-up fives:5; turn-up three-alike:4; turn-up large-straight:8"
    state = play(f"{up}; roll {two_fives}; take fives:5 from 1; turn-up sixes:6")
    for dice, beats in (("5 5 5 1 1", True), ("5 5 1 1 1", False), ("5 5 4 4 3", False)):
        assert ("1a fives" in uses(play(f"roll {dice}", state))) is beats
    state = play("roll 5 5 5 1 1; steal fives:5 from 1 a", state)
    assert state.homes[0] == (None,)
    assert state.homes[1] == (Lying(Card(Kind.FIVES, 5), (5, 5, 5, 1, 1)),)


def test_example_a_small_straight_with_a_higher_total() -> None:
    up = "turn-up small-straight:5; turn-up three-alike:4; turn-up large-straight:8"
    state = play(f"{up}; roll 1 2 3 4 4; take small-straight:5 from 1; turn-up sixes:6")
    for dice, beats in (
        ("1 2 3 4 5", True),
        ("3 4 5 6 1", True),
        ("1 2 3 4 6", True),
        ("1 2 3 4 4", False),
        ("1 2 3 4 3", False),
        ("6 6 5 5 4", False),
    ):
        assert ("1a small-straight" in uses(play(f"roll {dice}", state))) is beats
    state = play("roll 3 4 5 6 1; steal small-straight:5 from 1 a", state)
    assert state.homes[1] == (Lying(Card(Kind.SMALL_STRAIGHT, 5), (3, 4, 5, 6, 1)),)


# The sentences.


def test_contents() -> None:
    state = ffa.GAME.start(list("ABCDEF"), {})
    assert len(state.deck) + len(state.apart) == 36
    assert state.pile == 36
    assert len(state.players) * 5 == 30


def test_setup_six_cards_removed_and_three_drawn() -> None:
    state = play(THREE_UP)
    assert (len(state.apart), len(state.deck), None in state.centre) == (6, 27, False)
    assert state.chips == (0, 0, 0)


def test_cards_a_number_card_needs_one_or_more_of_the_number() -> None:
    for number, kind in enumerate(tuple(Kind)[:6], start=1):
        word = Card(kind, number).word
        state = play(f"turn-up {word}; turn-up three-alike:4; turn-up four-alike:6")
        for count in range(6):
            other = number % 6 + 1
            dice = " ".join(map(str, [number] * count + [other] * (5 - count)))
            taken = Take(0, Card(kind, number)) in ffa.GAME.choices(play(f"roll {dice}", state))
            assert taken is (count > 0)


def test_cards_a_five_alike_card_is_worth_ten() -> None:
    state = play(f"{THREE_UP}; roll 3 3 3 3 3; five-alike")
    for _ in range(3):
        state = play("roll 1 3 3 4 6; pass", state)
    assert ffa.GAME.scores(state) == (10, 0, 0, 0)


def test_chips_a_player_who_takes_no_centre_card_places_one_below_each() -> None:
    state = play(f"{THREE_UP}; roll 1 3 3 4 6; pass; roll 1 3 3 4 6; pass")
    assert (state.chips, state.pile) == ((2, 2, 2), 30)
    state = play("roll 2 3 3 4 6; take twos:2 from 1", state)
    assert ffa.GAME.scores(state) == (0, 0, 2, 0)


@pytest.mark.parametrize(
    ("dice", "kind"),
    [
        ("3 4 5 6 1", Kind.SMALL_STRAIGHT),
        ("2 3 4 5 6", Kind.LARGE_STRAIGHT),
        ("2 2 3 3 3", Kind.FULL_HOUSE),
        ("4 4 4 1 2", Kind.THREE_ALIKE),
        ("4 4 4 4 2", Kind.THREE_ALIKE),
        ("4 4 4 4 2", Kind.FOUR_ALIKE),
        ("4 4 4 4 4", Kind.FOUR_ALIKE),
        ("1 3 3 4 6", Kind.CHANCE),
    ],
)
def test_combinations(dice: str, kind: Kind) -> None:
    card = next(card for card in ffa.GAME.start(["A", "B"], {}).deck if card.kind is kind)
    state = play(f"turn-up {card.word}; turn-up ones:1; turn-up ones:1; roll {dice}")
    assert Take(0, card) in ffa.GAME.choices(state)


def test_play_bank_it_on_the_next_turn_if_nobody_stole_it() -> None:
    state = play(f"{THREE_UP}; roll 2 2 1 3 5; take twos:2 from 1; turn-up chance:4")
    kept = play("roll 1 3 3 4 6; pass; roll 1 3 3 4 6; pass; roll 1 3 3 4 6; pass", state)
    assert kept.banked[0] == (Card(Kind.TWOS, 2),)
    stolen = play("roll 2 2 2 3 5; steal twos:2 from 1 a", state)
    stolen = play("roll 1 3 3 4 6; pass; roll 1 3 3 4 6; pass", stolen)
    assert stolen.banked[0] == ()
    # The thief banks it on his own next turn.
    stolen = play("roll 1 3 3 4 6; pass", stolen)
    assert stolen.banked[1] == (Card(Kind.TWOS, 2),)


def test_play_a_banked_card_can_no_longer_be_stolen() -> None:
    state = play(f"{THREE_UP}; roll 2 1 1 3 5; take twos:2 from 1; turn-up chance:4")
    state = play("roll 1 3 3 4 6; pass; roll 1 3 3 4 6; pass; roll 1 3 3 4 6; pass", state)
    state = play("roll 1 3 3 4 6; pass; roll 2 2 2 2 2", state)
    assert not any(isinstance(choice, Steal) for choice in ffa.GAME.choices(state))


def test_play_up_to_three_rolls_then_stop() -> None:
    state = play(f"{THREE_UP}; roll 1 3 3 4 6; hold 2 3; roll 3 5 5; hold none; roll 1 3 3 4 6")
    assert uses(state) == ["pass"]
    assert len(ffa.GAME.choices(state)) == 1
    assert ffa.GAME.preview(state, ffa.GAME.choices(state)[0]) == Points(0, "bust")


def test_play_a_match_of_several_cards_takes_one() -> None:
    state = play(f"{THREE_UP}; roll 2 2 2 4 5; take twos:2 from 1; turn-up chance:4")
    assert state.seat == 1
    assert sum(lying is not None for homes in state.homes for lying in homes) == 1


def test_play_five_alike_steals_a_five_alike_card_of_a_lower_number_only() -> None:
    state = play(f"{THREE_UP}; roll 3 3 3 3 3; five-alike")
    assert "1a five-alike" in uses(play("roll 4 4 4 4 4", state))
    assert "1a five-alike" not in uses(play("roll 3 3 3 3 3", state))
    assert "1a five-alike" not in uses(play("roll 2 2 2 2 2", state))
    assert "five-alike" in uses(play("roll 2 2 2 2 2", state))


def test_ending_a_turn_replaces_the_card_or_places_chips_never_both() -> None:
    state = play(f"{THREE_UP}; roll 2 2 1 3 5; take twos:2 from 1")
    assert isinstance(ffa.GAME.ask(state), Draw)
    assert state.pile == 36
    state = play("turn-up chance:4; roll 2 2 2 3 5; steal twos:2 from 1 a", state)
    assert isinstance(ffa.GAME.ask(state), Throw)
    assert (state.pile, state.chips) == (33, (1, 1, 1))


def test_end_when_the_deck_runs_out() -> None:
    state = ffa.GAME.start(["A", "B"], {"cards": "4*chance:4 6*five-alike:10"})
    state = play("turn-up chance:4; turn-up chance:4; turn-up chance:4", state)
    state = play("roll 1 3 3 4 6; take chance:4 from 1; turn-up chance:4", state)
    state = play("roll 1 3 3 4 6; take chance:4 from 1", state)
    assert (state.step, ffa.GAME.scores(state)) == (Step.OVER, (0, 0))


def test_end_when_the_chips_run_out() -> None:
    state = play(THREE_UP)
    for _ in range(12):
        state = play("roll 1 3 3 4 6; pass", state)
    assert (state.pile, state.chips, ffa.GAME.outcome(state)) == (0, (12, 12, 12), None)
    assert ffa.GAME.outcome(play("roll 1 3 3 4 6; pass", state)) is not None
    # Somebody may still take the last twelve chips.
    rich = play("roll 2 2 1 3 5; take twos:2 from 1; turn-up chance:4", state)
    assert ffa.GAME.scores(rich) == (12, 0, 0, 0)


def test_variations_home_spaces() -> None:
    assert [len(ffa.GAME.start(list("ABCDEF"[:n]), {}).homes[0]) for n in (2, 3, 4, 5, 6)] == [
        3,
        2,
        1,
        1,
        1,
    ]
