"""Weighs bets in Hold'em: the chips that each act brings, against what the others may hold.

Nobody's hidden dice are known. The boards that can still come are sampled, the same ones for all
pockets (`SAMPLED_BOARDS` of them with a fixed seed: a chance is off by 0.02 on average); every
pocket is compared with every other on each. What an opponent has put in indicates how strong those
dice may be, and a bet makes those fold for whom a call does not pay. Bets in later rounds are left
out.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from games.holdem.betting import SMALLEST_CHIP, Act, cost_of_act, legal_acts
from games.holdem.evaluator import SUITS
from games.holdem.state import (
    COMMUNITY_DICE,
    POCKET_DICE,
    Bet,
    Fold,
    Pocket,
    Raise,
    State,
)
from games.strategy.holdem.odds import (
    colour_chances,
    pocket_strengths,
    possible_draws,
    unseen_colours,
)
from games.strategy.holdem.vectorised import to_hand
from games.strategy.turn import Floats
from games.strategy.winning import QUADRATURE_NODES, QUADRATURE_WEIGHTS
from games.values import Odds, ShownDie

SAMPLED_BOARDS = 72
BET_STRENGTH_EXPONENT = 0.25
"""How much likelier each chip put in beyond the ante makes strong dice."""


def weigh(state: State) -> dict[Act, Floats]:
    """The chips that each legal act brings from here on, (360,) by the pocket of the speaker."""
    speaker = state.betting.queue[0]
    found = compare_pockets(state.community)
    prior, strong = found.prior, found.won @ found.prior
    rivals = [seat for i, seat in enumerate(state.seats) if seat.live and i != speaker]
    exponents = [
        BET_STRENGTH_EXPONENT * (seat.paid - SMALLEST_CHIP) / SMALLEST_CHIP for seat in rivals
    ]
    held = [prior * strong**exponent for exponent in exponents]
    lying = sum(seat.paid for seat in state.seats)
    worth: dict[Act, Floats] = {}
    for act in legal_acts(state):
        price = cost_of_act(state, act)
        mine = state.seats[speaker].paid + price
        others = [seat for i, seat in enumerate(state.seats) if i != speaker]
        pot = mine + sum(min(mine, seat.paid + seat.chips * seat.live) for seat in others)
        share, alone = np.ones(len(prior)), 1.0
        for seat, range_ in zip(rivals, held, strict=True):
            # They fold what is not worth the call.
            raised = isinstance(act, Bet | Raise)
            stays = range_ * (strong * pot >= (mine - seat.paid if raised else 0))
            alone *= 1 - stays.sum() / range_.sum()
            share *= found.won @ stays / max(stays.sum(), 1e-12)
        if isinstance(act, Fold):
            worth[act] = np.zeros(len(prior))
        else:
            worth[act] = alone * lying + (1 - alone) * (share * pot - price)
    return worth


def odds_by_hand(state: State) -> list[Odds]:
    """The chance to win with each hand that may be held, and the act that brings it the most."""
    found, worth = compare_pockets(state.community), weigh(state)
    names = [pocket_type(*pocket) for pocket in pockets()]
    if state.community:
        lying = pocket_strengths(state.community, (), np.zeros((1, 0), np.int64))
        names = [to_hand(made).rank.word for made in lying.ravel().tolist()]
    share = found.shares(sum(seat.live for seat in state.seats) - 1)
    every = []
    for name in set(names):
        held = found.prior * (np.array(names) == name)
        if held.any():
            held /= held.sum()
            best = max((float(held @ each), act.key) for act, each in worth.items())
            every.append(Odds(name, float(held @ share), best[1]))
    return every


def pockets() -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Colours and faces of all pockets, in the order of all arrays here."""
    every = possible_draws(POCKET_DICE)
    return [(pair, tuple(faces)) for pair in every.colours for faces in every.faces.tolist()]


def pocket_type(colours: tuple[int, ...], faces: tuple[int, ...]) -> str:
    """The key of a pocket before the Flop: the pair, else whether it has one colour."""
    if faces[0] == faces[1]:
        return f"pair-of {faces[0]}"
    return "one-colour" if colours[0] == colours[1] else "two-colours"


def pocket_index(pocket: Pocket) -> int:
    """The index of a pocket in `pockets`."""
    dice = sorted((SUITS.index(die.kind), die.face) for die in pocket)
    colours, faces = zip(*dice, strict=True)
    return pockets().index((colours, faces))


@dataclass(frozen=True, slots=True)
class PocketComparison:
    """All 360 pockets against each other, on the boards that may still come.

    `prior` (360,) is the chance that each is held, `won` (360, 360) that one beats another, a tie
    counting half; `below` and `equal` (boards, 360) that it beats or ties with an unknown one.
    """

    prior: Floats
    won: Floats
    below: Floats
    equal: Floats

    def shares(self, opponents: int) -> Floats:
        """(360,) the share of the pot against this many unknown pockets, as in `win_shares`."""
        ties = zip(QUADRATURE_NODES, QUADRATURE_WEIGHTS, strict=True)
        each = [w * (self.below + x * self.equal) ** opponents for x, w in ties]
        return np.asarray(np.sum(each, axis=0).mean(axis=0))


@lru_cache(maxsize=8)
def compare_pockets(community: tuple[ShownDie, ...]) -> PocketComparison:
    """All pockets, compared on boards that contain these dice."""
    random = np.random.default_rng(SAMPLED_BOARDS)
    coming, left = COMMUNITY_DICE - len(community), unseen_colours(community)
    bag = np.repeat(np.arange(len(SUITS)), left)
    throws = possible_draws(POCKET_DICE).throws
    prior = np.repeat(colour_chances(left, POCKET_DICE), throws) / throws
    boards = np.arange(SAMPLED_BOARDS if coming else 1)
    # The first two dice to come show each pair of faces as often as any other.
    faces = [boards % 6, boards // 6 % 6, *(random.permutation(boards % 6) for _ in range(3))]
    beaten, below, equal = np.zeros((len(prior), len(prior)), np.int16), [], []
    for shown in np.array(faces).T[:, :coming] + 1:
        colours = random.choice(bag, coming, replace=False).tolist()
        worth = pocket_strengths(community, colours, shown[None]).ravel()
        beaten += worth[:, None] > worth
        _, at = np.unique(worth, return_inverse=True)
        alike = np.bincount(at, prior)
        below.append((np.cumsum(alike) - alike)[at])
        equal.append(alike[at])
    won = 0.5 + (beaten - beaten.T) / (2 * len(boards))
    return PocketComparison(prior, won, np.array(below), np.array(equal))
