"""Chances in Hold'em against a plain count of everything that can be drawn."""

from itertools import combinations, product

import numpy as np
import pytest

from games import holdem
from games.dice import FACES
from games.holdem.evaluator import DICE_PER_SUIT, SUITS, best_five
from games.holdem.state import BETTING_STAGES, Declare, Stage, State
from games.strategy.holdem.hint import hint
from games.strategy.holdem.odds import chance_of_shown, colour_chances, unseen_colours
from games.strategy.holdem.vectorised import strengths
from games.values import DieKind, Measure, ShownDie
from tests.games.strategy.positions import decisions

RED, BLACK, WHITE, YELLOW = SUITS
COMMUNITY = (
    ShownDie(RED, 3),
    ShownDie(RED, 3),
    ShownDie(BLACK, 5),
    ShownDie(WHITE, 6),
    ShownDie(YELLOW, 1),
)


def bag(seen: tuple[ShownDie, ...]) -> list[DieKind]:
    left = [suit for suit in SUITS for _ in range(DICE_PER_SUIT)]
    for die in seen:
        left.remove(die.kind)
    return left


def counted(mine: tuple[ShownDie, ShownDie], community: tuple[ShownDie, ...]) -> float:
    """The chance against one hidden pocket, counted die by die from the bag."""
    ours = best_five((*community, *mine))[0]
    won = total = 0.0
    left = bag((*community, *mine))
    for a, b in combinations(range(len(left)), 2):
        for first, second in product(FACES, repeat=2):
            pocket = (ShownDie(left[a], first), ShownDie(left[b], second))
            theirs = best_five((*community, *pocket))[0]
            won += 1.0 if theirs < ours else 0.5 if theirs == ours else 0.0
            total += 1
    return won / total


@pytest.mark.parametrize(
    "mine",
    [
        (ShownDie(RED, 3), ShownDie(BLACK, 4)),
        (ShownDie(YELLOW, 2), ShownDie(YELLOW, 2)),
        (ShownDie(RED, 1), ShownDie(RED, 6)),
    ],
    ids=["three", "pair", "four-red"],
)
def test_the_chance_of_shown_dice_is_that_of_counting(mine: tuple[ShownDie, ShownDie]) -> None:
    assert chance_of_shown(COMMUNITY, mine, [], 1) == pytest.approx(counted(mine, COMMUNITY))


def test_shown_hands_of_others_decide() -> None:
    three = (ShownDie(RED, 3), ShownDie(BLACK, 4))
    pair = (ShownDie(YELLOW, 2), ShownDie(WHITE, 2))
    assert chance_of_shown(COMMUNITY, three, [pair], 0) == 1
    assert chance_of_shown(COMMUNITY, pair, [three], 2) == 0
    same = ShownDie(WHITE, 3), ShownDie(YELLOW, 4)
    tied = chance_of_shown(COMMUNITY, same, [same], 0)
    assert tied == pytest.approx(0.5)
    alone = chance_of_shown(COMMUNITY, three, [], 2)
    assert chance_of_shown(COMMUNITY, three, [pair], 1) > alone


def test_two_hidden_hands_are_drawn_from_one_bag() -> None:
    """Against a simulation of 20,000 throws, whose standard deviation is 0.0035."""
    mine = (ShownDie(RED, 3), ShownDie(BLACK, 4))
    left = np.array([SUITS.index(kind) for kind in bag((*COMMUNITY, *mine))])
    random = np.random.default_rng(5)
    games = 20_000
    drawn = left[random.permuted(np.tile(np.arange(len(left)), (games, 1)), axis=1)[:, :4]]
    thrown = random.integers(1, 7, (games, 4))
    suits = np.tile([SUITS.index(die.kind) for die in COMMUNITY], (games, 1))
    faces = np.tile([die.face for die in COMMUNITY], (games, 1))
    one, other = (
        strengths(np.hstack([suits, drawn[:, pair]]), np.hstack([faces, thrown[:, pair]]))
        for pair in (slice(0, 2), slice(2, 4))
    )
    dice = (*COMMUNITY, *mine)
    (ours,) = strengths([[SUITS.index(d.kind) for d in dice]], [[d.face for d in dice]])
    ties = (one == ours).astype(int) + (other == ours)
    won = ((one <= ours) & (other <= ours)) / (1 + ties)
    assert chance_of_shown(COMMUNITY, mine, [], 2) == pytest.approx(won.mean(), abs=0.014)


def test_colours_are_drawn_without_putting_back() -> None:
    left = unseen_colours(COMMUNITY)
    assert left == (3, 4, 4, 4)
    pairs = colour_chances(left, 2)
    assert sum(pairs) == pytest.approx(1)
    assert pairs[0] == pytest.approx(3 * 2 / (15 * 14))
    assert pairs[1] == pytest.approx(2 * 3 * 4 / (15 * 14))


def test_bets_get_odds_by_what_may_be_held() -> None:
    stages = (*BETTING_STAGES, Stage.SHOWDOWN, Stage.PAY)
    found: dict[Stage, State] = {}
    for seed in range(40):
        for state in decisions("holdem", 2 + seed % 2, seed, events=90):
            found.setdefault(state.stage, state)
        if len(found) == len(stages):
            break
    for stage in stages:
        advised = hint(found[stage])
        assert advised is not None
        assert advised.measure is Measure.WIN
        if stage in BETTING_STAGES:
            wins = [row.win for row in advised.odds]
            assert advised.choice is None
            assert wins == sorted(wins, reverse=True)
            assert 0 <= wins[-1] < wins[0] <= 1
        else:
            assert advised.choice in holdem.GAME.choices(found[stage])
            assert 0 <= advised.expects <= 1
            assert not advised.odds


def test_the_first_to_show_gets_a_chance_and_the_last_one_knows() -> None:
    known = []
    for seed in range(30):
        for state in decisions("holdem", 2, seed, events=60):
            choices = holdem.GAME.choices(state)
            if isinstance(choices[0], Declare) and len(state.order) == 1:
                advised = hint(state)
                assert advised is not None
                known.append(advised.expects)
    assert known
    assert set(known) <= {0.0, 0.5, 1.0}
