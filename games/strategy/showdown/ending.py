"""The Showdown round, played to win: the rest is simulated after everything a turn can bring.

The throws left after a move are enumerated. Each state that they can lead to is played to the end
`SIMULATED_GAMES` times with the same luck: a chance is off by `CHANCE_ERROR`, and within that
points decide. In these games everybody tries for the card that their pawn lands on, and from a Wild
corner for the one with the most expected chips; nobody raises a stack.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from games import showdown
from games.dice import FACES
from games.showdown import State, Stay, Step
from games.showdown.cards import CARD_COUNT
from games.showdown.game import use_for_card
from games.showdown.state import RING_SPACES, ROLLS_PER_TURN, SPACES_PER_SIDE
from games.strategy.showdown.hint import hand_groups
from games.strategy.showdown.worth import chances_to_make
from games.strategy.turn import (
    HANDS,
    KEEP_INDEX,
    Floats,
    best_use_worth,
    keep_worth,
    weighed_keeps,
)
from games.values import Choice, Choose, Keep, Pass

SIMULATED_GAMES = 300
CHANCE_ERROR = 0.03


def win_chances(state: State) -> dict[Choice, float]:
    """The chance to win after each choice in the Showdown round; empty before."""
    if state.end is None or not isinstance(showdown.GAME.ask(state), Choose):
        return {}
    every = [c for c in showdown.GAME.choices(state) if not isinstance(c, Keep | Stay)]
    after = [showdown.GAME.apply(state, choice) for choice in every]
    chances_after = _simulated_chances(state.seat, after)
    found: dict[Choice, float] = dict(zip(every, chances_after, strict=True))
    if state.step is Step.LANDED:
        found[Stay()] = float(keep_worth(_chance_by_hand(state), ROLLS_PER_TURN)[KEEP_INDEX[()]])
    elif state.roll < ROLLS_PER_TURN:
        found |= weighed_keeps(
            keep_worth(_chance_by_hand(state), ROLLS_PER_TURN - state.roll), state.dice
        )
    return found


def _chance_by_hand(state: State) -> Floats:
    """(252,) the chance to win with each hand where the pawn stands."""
    rolled = replace(state, step=Step.USE, roll=ROLLS_PER_TURN, dice=HANDS[0])
    leaves, of = [showdown.GAME.apply(rolled, Pass())], [np.arange(len(HANDS))]
    for card, hands, _ in hand_groups():
        dice = HANDS[hands[0]]
        if (use := use_for_card(state, card, dice)) is not None:
            leaves.append(showdown.GAME.apply(replace(rolled, dice=dice), use))
            of.append(hands)
    return best_use_worth(zip(of, _simulated_chances(state.seat, leaves), strict=True))


def _simulated_chances(seat: int, states: Sequence[State]) -> list[float]:
    """The chance that a seat wins, from states between two moves of the Showdown round."""
    cards = [[stack for stack in state.cards if stack is not None] for state in states]
    space = np.array([stack.space for stack in cards[0]])
    lies = np.zeros(RING_SPACES, np.intp)
    lies[space] = np.arange(CARD_COUNT)
    held = np.array([[(stack.seat, stack.chips) for stack in row] for row in cards], np.int8)
    owner, chips = np.repeat(held[..., 0], SIMULATED_GAMES, axis=0), held[..., 1].astype(np.intp)
    made = chances_to_make()[range(CARD_COUNT), chips]
    wish = made * chips
    pawns = np.repeat([state.pawns for state in states], SIMULATED_GAMES, axis=0)
    turns = np.repeat([state.turns for state in states], SIMULATED_GAMES)
    players = len(states[0].players)
    for turn in range(turns.min(), states[0].end or 0):
        mover = (states[0].first + turn) % players
        on = np.flatnonzero((turns <= turn) & (mover not in states[0].out))
        # The same luck for all states, whatever happened before.
        luck = np.random.default_rng(turn)
        while len(on):
            red = luck.integers(1, len(FACES) + 1, SIMULATED_GAMES)
            rolled = luck.random(SIMULATED_GAMES)
            of, number = np.divmod(on, SIMULATED_GAMES)
            stands = (pawns[on, mover] + red[number]) % RING_SPACES
            wild, card = stands % SPACES_PER_SIDE == 0, lies[stands]
            card[wild] = ((owner[on[wild]] != mover) * wish[of[wild]]).argmax(axis=1)
            theirs = owner[on, card] != mover
            taken = theirs & (rolled[number] < made[of, card])
            owner[on[taken], card[taken]] = mover
            pawns[on, mover] = np.where(taken, space[card], stands)
            # From a card of one's own a pawn moves on.
            on = on[taken | ~(theirs | wild)]
    owners = owner.reshape(len(states), SIMULATED_GAMES, CARD_COUNT)
    points = np.array([((owners == n) @ chips[:, :, None]).ravel() for n in range(players)])
    first = points == points.max(axis=0)
    share = first[seat] / first.sum(axis=0)
    return [float(chance) for chance in share.reshape(-1, SIMULATED_GAMES).mean(axis=1)]
