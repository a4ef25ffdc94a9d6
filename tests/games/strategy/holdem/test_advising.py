"""Advice on bets in Hold'em: checked against exact counts, and never based on hidden dice."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import holdem
from games.holdem.evaluator import BAG, SUITS
from games.holdem.state import BETTING_STAGES, Bet, Call, Fold, Pocket, Raise, Seat, State
from games.registry import find_game
from games.strategy import advice
from games.strategy.holdem.advising import (
    compare_pockets,
    odds_by_hand,
    pocket_index,
    pockets,
    weigh,
)
from games.strategy.holdem.odds import (
    colour_chances,
    colours_left,
    pocket_strengths,
    possible_draws,
    unseen_colours,
)
from games.values import ShownDie
from scripts.count_holdem_open import pocket_shares
from tests.builders import play_text
from tests.games.strategy.positions import decisions
from tests.rigs.examples import examples

RED, BLACK, WHITE, YELLOW = SUITS
COMMUNITY = tuple(map(ShownDie, (RED, RED, BLACK, WHITE, YELLOW), (3, 3, 5, 6, 1)))
FIRE: Pocket = (ShownDie(BLACK, 3), ShownDie(WHITE, 3))
AIR: Pocket = (ShownDie(BLACK, 2), ShownDie(WHITE, 1))


def exact_shares(community: tuple[ShownDie, ...], opponents: int) -> np.ndarray:
    """(360,) the share of the pot over all boards, each opponent as if the others had not drawn."""
    left, found = unseen_colours(community), np.zeros(360)
    coming = possible_draws(5 - len(community))
    for colours, chance in zip(
        coming.colours, colour_chances(left, 5 - len(community)), strict=True
    ):
        if chance:
            worth = pocket_strengths(community, colours, coming.faces)
            after = colours_left(left, colours)
            shares = pocket_shares(worth, after, opponents, exact=False)
            found += chance * shares.mean(axis=0).ravel()
    return found


@pytest.mark.parametrize(("lying", "error"), [(4, 0.03), (5, 0.02)])
def test_chances_are_near_those_of_counting(lying: int, error: float) -> None:
    found = compare_pockets(COMMUNITY[:lying])
    for opponents in (1, 3):
        off = found.shares(opponents) - exact_shares(COMMUNITY[:lying], opponents)
        assert np.abs(off[found.prior > 0]).max() < error
        assert abs(off @ found.prior) < 0.005


@pytest.mark.parametrize("lying", [0, 3, 4, 5])
def test_nobody_wins_more_than_another_on_the_whole(lying: int) -> None:
    found = compare_pockets(COMMUNITY[:lying])
    for opponents in (1, 2, 5):
        assert found.prior @ found.shares(opponents) == pytest.approx(1 / (opponents + 1))
    assert found.prior.sum() == pytest.approx(1)
    assert found.won + found.won.T == pytest.approx(np.ones((360, 360)))


def test_every_pocket_has_its_place() -> None:
    assert len(set(pockets())) == 360
    for colours, faces in pockets()[::7]:
        one, other = (ShownDie(SUITS[c], f) for c, f in zip(colours, faces, strict=True))
        assert pockets()[pocket_index((one, other))][0] == colours
        assert sorted(pockets()[pocket_index((other, one))][1]) == sorted(faces)


ON_THE_RIVER = (
    "check; check; show red 3 red 3 black 5; bet 10; call 10; show white 6; check; check;"
    "show yellow 1"
)


def river(bets: str = "", stack: int = 300) -> State:
    """A two-player hand on the river, after these bets there."""
    text = "; ".join(filter(None, (ON_THE_RIVER, bets)))
    return play_text(holdem.GAME, text, players=2, dealer=0, stack=stack)


def best(state: State, pocket: Pocket) -> object:
    worth = advice.bets(state, pocket)
    return max(worth, key=worth.__getitem__)


def test_what_is_strong_is_bet_and_raised_and_what_is_weak_is_folded() -> None:
    assert best(river(), FIRE) == Bet(20)
    assert isinstance(best(river("bet 20"), FIRE), Raise)
    assert best(river("bet 20; raise 20"), AIR) == Fold()
    # With a pair of threes on the board, ten more chips into a pot of 50 are worth a call.
    assert isinstance(best(river("bet 10"), (AIR[0], ShownDie(WHITE, 6))), Call | Raise)


def test_who_has_bet_more_is_taken_for_stronger() -> None:
    quiet, loud = river("bet 10"), river("bet 20")
    low, high = (weigh(state)[Call(n)] for state, n in ((quiet, 10), (loud, 20)))
    won = compare_pockets(COMMUNITY).shares(1)
    # As a share of the pot, calling the higher bet brings less.
    middle = (won > 0.3) & (won < 0.7)
    assert ((low + 10) / 60 > (high + 20) / 80)[middle].all()


def test_a_short_stack_plays_for_what_it_can_win() -> None:
    state = river("bet 20")
    seats = (Seat(10, paid=20, live=True), state.seats[1])
    speaker = state.betting.queue[0]
    short = replace(state, seats=seats if speaker == 0 else seats[::-1])
    worth = weigh(short)
    # 20 + 10 of one's own against as much from the opponent.
    assert max(each.max() for each in worth.values()) <= 50 + 1e-9


@settings(max_examples=examples(3, 6))
@given(seed=st.integers(0, 10**6), players=st.integers(2, 6))
def test_advice_is_legal_and_never_by_hidden_dice(seed: int, players: int) -> None:
    random = Random(seed)
    states = [s for s in decisions("holdem", players, seed, events=40) if s.stage in BETTING_STAGES]
    state = random.choice(states)
    before = advice.hint(find_game("holdem"), state)
    assert before is not None
    labels = {choice.key for choice in holdem.GAME.choices(state)}
    assert {row.advice for row in before.odds} <= labels
    assert all(0 <= row.win <= 1 for row in before.odds)
    left = list(BAG)
    for die in state.community:
        left.remove(die.kind)
    random.shuffle(left)
    dice = [ShownDie(kind, random.randint(1, 6)) for kind in left]
    hidden = tuple((dice[2 * seat], dice[2 * seat + 1]) for seat in range(players))
    peeped = replace(state, pockets=hidden)
    assert advice.hint(find_game("holdem"), peeped) == before
    assert odds_by_hand(state) == odds_by_hand(peeped)
