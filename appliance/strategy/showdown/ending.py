"""The Showdown round, played to win: the rest of it simulated after all that a turn can bring.

The throws that are left after a move are enumerated. Each state that they can lead to is played to
the end `GAMES` times with the same luck: a chance is off by `ERROR`, and within it points decide.
There everybody tries for the card that a pawn lands on, and from a Wild corner for the one with the
most chips to expect; nobody raises a stack.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from appliance.rules.dice import FACES
from appliance.rules.game import Choice, Choose, Keep
from appliance.rules.showdown import game as showdown
from appliance.rules.showdown.cards import CARDS
from appliance.rules.showdown.game import Pass, State, Stay, Step
from appliance.rules.showdown.play import use_of
from appliance.rules.showdown.state import ROLLS, SIDE, SPACES
from appliance.strategy.showdown.hint import groups
from appliance.strategy.showdown.worth import chances
from appliance.strategy.turn import HANDS, INDEX, Floats, best_use, keep_worth, weighed_keeps

GAMES = 300
ERROR = 0.03


def win(state: State) -> dict[Choice, float]:
    """The chance to win after each choice in the Showdown round; empty before."""
    if state.end is None or not isinstance(showdown.ask(state), Choose):
        return {}
    every = [c for c in showdown.choices(state) if not isinstance(c, Keep | Stay)]
    after = [showdown.apply(state, choice) for choice in every]
    found: dict[Choice, float] = dict(zip(every, _chances(state.seat, after), strict=True))
    if state.step is Step.LANDED:
        found[Stay()] = float(keep_worth(_hands(state), ROLLS)[INDEX[()]])
    elif state.roll < ROLLS:
        found |= weighed_keeps(keep_worth(_hands(state), ROLLS - state.roll), state.dice)
    return found


def _hands(state: State) -> Floats:
    """(252,) the chance to win with each hand where the pawn stands."""
    rolled = replace(state, step=Step.USE, roll=ROLLS, dice=HANDS[0])
    leaves, of = [showdown.apply(rolled, Pass())], [np.arange(len(HANDS))]
    for card, hands, _ in groups():
        dice = HANDS[hands[0]]
        if (use := use_of(state, card, dice)) is not None:
            leaves.append(showdown.apply(replace(rolled, dice=dice), use))
            of.append(hands)
    return best_use(zip(of, _chances(state.seat, leaves), strict=True))


def _chances(seat: int, states: Sequence[State]) -> list[float]:
    """The chance of a seat to win, from states between two moves of the Showdown round."""
    cards = [[stack for stack in state.cards if stack is not None] for state in states]
    space = np.array([stack.space for stack in cards[0]])
    lies = np.zeros(SPACES, np.intp)
    lies[space] = np.arange(CARDS)
    held = np.array([[(stack.seat, stack.chips) for stack in row] for row in cards], np.int8)
    owner, chips = np.repeat(held, GAMES, axis=0).transpose(2, 0, 1).copy()
    pawns = np.repeat([state.pawns for state in states], GAMES, axis=0)
    turns = np.repeat([state.turns for state in states], GAMES)
    players = len(states[0].players)
    for turn in range(turns.min(), states[0].end or 0):
        mover = (states[0].first + turn) % players
        on = np.flatnonzero((turns <= turn) & (mover not in states[0].out))
        # The same luck for all states, whatever happened before.
        luck = np.random.default_rng(turn)
        while len(on):
            red, rolled = luck.integers(1, len(FACES) + 1, GAMES), luck.random(GAMES)
            stands = (pawns[on, mover] + red[on % GAMES]) % SPACES
            wild, card = stands % SIDE == 0, lies[stands]
            wished = owner[on[wild]] != mover
            wished = wished * chances()[range(CARDS), chips[on[wild]]] * chips[on[wild]]
            card[wild] = wished.argmax(axis=1)
            theirs = owner[on, card] != mover
            taken = theirs & (rolled[on % GAMES] < chances()[card, chips[on, card]])
            owner[on[taken], card[taken]] = mover
            pawns[on, mover] = np.where(taken, space[card], stands)
            # From a card of one's own a pawn moves on.
            on = on[taken | ~(theirs | wild)]
    points = np.array([(chips * (owner == each)).sum(axis=1) for each in range(players)])
    first = points == points.max(axis=0)
    share = first[seat] / first.sum(axis=0)
    return [float(chance) for chance in share.reshape(-1, GAMES).mean(axis=1)]
