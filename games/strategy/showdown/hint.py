"""Hints for Showdown: exact expectation over the rest of the turn.

All remaining throws of the black dice are enumerated, and so are the red throws that may follow in
the turn: moving on from one's own card and, in the Showdown round, the moves after each card taken.
Those further moves are valued on the board as it lies (value iteration over the sixteen spaces),
ignoring that a card just taken is then one's own. What comes after the turn is in `worth`; that a
pawn may stand better or worse afterwards is ignored, too.
"""

from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from games import showdown
from games.dice import FACES, five_alike
from games.showdown.cards import chips_by_card
from games.showdown.game import Use, use_for_card
from games.showdown.state import RING_SPACES, ROLLS_PER_TURN, is_wild, landing_step
from games.strategy import turn
from games.strategy.aims import Aim, aim_of
from games.strategy.showdown.worth import Outlook
from games.strategy.turn import HANDS, KEEP_INDEX, Floats, keep_worth, weighed_keeps
from games.values import Choice, Choose, Keep

_MAX_ITERATIONS = 60
"""Of values; each further move in a turn is less likely."""
_CONVERGED_POINTS = 0.05
"""Points by which values may still change when the iteration stops."""


def weigh(state: showdown.State) -> dict[Choice, float]:
    """The gain of each choice by the end of the turn; empty where there is no choice."""
    if not isinstance(showdown.GAME.ask(state), Choose):
        return {}
    view = TurnView.of(state)
    space = state.pawns[state.seat]
    found: dict[Choice, float] = {}
    for choice in showdown.GAME.choices(state):
        if isinstance(choice, showdown.Place | showdown.Take | showdown.Raise):
            found[choice] = view.gain_of_use(choice, state.dice)
        elif isinstance(choice, showdown.MoveOn):
            found[choice] = _worth_of_moves(view)[space]
        elif isinstance(choice, showdown.Stay):
            hands = _worth_by_hand(view, space, _worth_of_further_moves(view))
            found[choice] = float(keep_worth(hands, ROLLS_PER_TURN)[KEEP_INDEX[()]])
        elif not isinstance(choice, Keep):
            found[choice] = 0.0
    if state.step is showdown.Step.USE and state.roll < ROLLS_PER_TURN:
        hands = _worth_by_hand(view, space, _worth_of_further_moves(view))
        found |= weighed_keeps(keep_worth(hands, ROLLS_PER_TURN - state.roll), state.dice)
    return found


def aim(state: showdown.State, keep: Keep) -> str:
    """The card that dice are held for; empty where none is."""
    view = TurnView.of(state)
    space = _equivalent_space(view, state.pawns[state.seat])
    further = _worth_of_further_moves(view)
    uses: list[Aim] = [("", slice(None), 0.0, 0.0)]
    for hands, gain, goes_on, at, card in _hand_uses(view, space):
        worth = gain + goes_on * further[at]
        uses.append((card.word, hands, worth, worth))
    kept = [state.dice[slot] for slot in keep.slots]
    return aim_of(kept, ROLLS_PER_TURN - state.roll, uses) if kept else ""


_SPACES_REACHED = (np.array(FACES)[:, None] + range(RING_SPACES)) % RING_SPACES


@dataclass(frozen=True, slots=True)
class TurnView:
    """The part of a state that matters for the rest of a turn, wherever the pawn stands.

    Attributes:
        cards: as in the state.
        outlook: how the game continues after the turn.
        take_goes_on: whether another move follows when a card is taken.
        raise_goes_on: whether one follows when a stack of one's own is raised.
    """

    cards: tuple[showdown.Stack | None, ...]
    outlook: Outlook
    take_goes_on: bool
    raise_goes_on: bool

    @classmethod
    def of(cls, state: showdown.State) -> "TurnView":
        """The view of the seat whose turn it is."""
        further = state.in_showdown
        return cls(state.cards, Outlook.of(state), further, further and state.raise_continues)

    def with_pawn_on(self, space: int) -> showdown.State:
        """A state in which the pawn has come to a space."""
        seats = self.outlook.seats
        names, pawns = ("",) * seats, (space,) * seats
        return showdown.State(names, pawns, self.cards, self.outlook.seat, step=showdown.Step.USE)

    def gain_of_chips(self, card: showdown.Card, chips: int) -> float:
        """The gain of having this many chips on a card, in points."""
        # Where the card ends up makes no difference.
        new = self.outlook.worth(card, showdown.Stack(0, self.outlook.seat, chips))
        return new - self.outlook.worth(card, self.cards[card])

    def gain_of_use(self, use: Use, dice: tuple[int, ...]) -> float:
        """The gain of a use of a roll by the end of the turn."""
        card = showdown.Card(use.card)
        gain = self.gain_of_chips(card, chips_by_card(dice)[card])
        stack = self.cards[card]
        if stack is not None and self.another_move_follows(use):
            gain += _worth_of_moves(self)[stack.space]
        return gain

    def another_move_follows(self, use: Use) -> bool:
        """True if another move follows."""
        if isinstance(use, showdown.Take):
            return self.take_goes_on
        return isinstance(use, showdown.Raise) and self.raise_goes_on


@lru_cache(maxsize=64)
def _worth_of_moves(view: TurnView) -> tuple[float, ...]:
    """The worth of a throw of the red die from each space."""
    values = np.zeros(RING_SPACES)
    steps = [landing_step(view.with_pawn_on(space)) for space in range(RING_SPACES)]
    moved = np.array([step is showdown.Step.MOVE for step in steps])
    choosing = np.array([step is showdown.Step.LANDED for step in steps])
    equivalent = [_equivalent_space(view, space) for space in range(RING_SPACES)]
    kinds = sorted({equivalent[space] for space in range(RING_SPACES) if not moved[space]})
    column = np.array([0 if moved[s] else kinds.index(equivalent[s]) for s in range(RING_SPACES)])
    for _ in range(_MAX_ITERATIONS):
        further = values if view.take_goes_on else np.zeros(RING_SPACES)
        hands = np.stack([_worth_by_hand(view, kind, further) for kind in kinds], axis=1)
        rolled = keep_worth(hands, ROLLS_PER_TURN)[KEEP_INDEX[()]][column]
        landed = np.where(moved, values, np.where(choosing, np.maximum(rolled, values), rolled))
        after = landed[_SPACES_REACHED].mean(axis=0)
        change = np.abs(after - values).max()
        values = after
        if change < _CONVERGED_POINTS:
            break
    return tuple(values.tolist())


def _worth_of_further_moves(view: TurnView) -> Floats:
    """(16,) what further moves are worth from each space, if any can follow a use of the dice."""
    return np.array(_worth_of_moves(view)) if view.take_goes_on else np.zeros(RING_SPACES)


def _equivalent_space(view: TurnView, space: int) -> int:
    """The first space with the same uses: all corners are alike, and so are all empty spaces."""
    if is_wild(space):
        return 0
    taken = {stack.space for stack in view.cards if stack is not None}
    if space in taken:
        return space
    return next(s for s in range(RING_SPACES) if not is_wild(s) and s not in taken)


def _worth_by_hand(view: TurnView, space: int, further: Floats) -> Floats:
    """(252,) what each hand is worth on a space when it is used in the best way, or not at all."""
    uses = _hand_uses(view, _equivalent_space(view, space))
    return turn.best_use_worth(
        (hands, gain + goes_on * further[at]) for hands, gain, goes_on, at, _ in uses
    )


@lru_cache(maxsize=128)
def _hand_uses(
    view: TurnView, space: int
) -> tuple[tuple[NDArray[np.intp], float, bool, int, showdown.Card], ...]:
    """The uses of hands: which hands, the gain, whether a move follows, from where; the card."""
    state = view.with_pawn_on(space)
    found = []
    for card, hands, chips in hand_groups():
        use = use_for_card(state, card, HANDS[hands[0]])
        if use is not None:
            stack = view.cards[card]
            target = stack.space if stack is not None else 0
            gain, goes_on = view.gain_of_chips(card, chips), view.another_move_follows(use)
            found.append((hands, gain, goes_on, target, card))
    return tuple(found)


@cache
def hand_groups() -> tuple[tuple[showdown.Card, NDArray[np.intp], int], ...]:
    """The hands that put equally many chips on a card, five alike separately: card, hands, chips.

    The rules ask no more of a hand than this, so one of each group stands for all.
    """
    groups: dict[tuple[showdown.Card, int, bool], list[int]] = {}
    for index, hand in enumerate(HANDS):
        for card, chips in zip(showdown.Card, chips_by_card(hand), strict=True):
            if chips:
                groups.setdefault((card, chips, five_alike(hand) > 0), []).append(index)
    return tuple((card, np.array(hands), chips) for (card, chips, _), hands in groups.items())
