"""A game in review: which decisions cost most by the hints, and luck separated from skill.

A decision costs how much more the best choice was worth by the hint at that moment. Where hints
know what a whole game is worth, luck is the rest: points = par + luck - what decisions cost.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.computers import strength_of
from games.game import Game
from games.holdem.course import computer_pocket
from games.holdem.state import BETTING_STAGES
from games.holdem.state import State as HoldemState
from games.record import Record, game_states
from games.registry import find_game
from games.strategy import advice
from games.values import Choice, Choose, Draw

MAX_WORST_DECISIONS = 3
"""How many decisions of each player are shown."""
NO_LUCK = "Luck is not told apart: the hints of this game estimate a turn, not the whole game."
NO_LUCK_BETS = "Luck is not told apart: bets are judged where the hidden dice came to be known."


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision.

    Attributes:
        seat: whose it was.
        turn: the number of the turn, from 1.
        dice: those on the table, by slot, with a - for one that was still to be thrown.
        chosen: the key of what was chosen.
        best: the key of the best choice by the hints.
        cost: how much more the best choice was worth, in units of the hints.
        reason: the keys of why, as in `Hint.reason`; empty where nothing was lost.
    """

    seat: int
    turn: int
    dice: str
    chosen: str
    best: str
    cost: float
    reason: str = ""


@dataclass(frozen=True, slots=True)
class PlayerReview:
    """How a player did.

    Attributes:
        player: the name.
        points: at the end, or so far.
        cost: what all decisions cost together, in units of the hints.
        worst: the decisions that cost most, the costliest first.
        par: the points expected before the first turn; None where hints do not know the game.
        luck: points beyond par that decisions do not explain; None where par is.
    """

    player: str
    points: int
    cost: float
    worst: tuple[Decision, ...]
    par: float | None
    luck: float | None


def review_in_steps(record: Record) -> Iterator[tuple[PlayerReview, ...] | None]:
    """How everybody did, in steps of an event or a hint: None after each, finally the result."""
    game = find_game(record.game)
    walk: list[Any] = []
    found: list[Decision] = []
    for state in game_states(record):
        walk.append(state)
        yield None
    for event, state in zip(record.events, walk, strict=False):
        ask = game.ask(state)
        if isinstance(event, Choice) and isinstance(ask, Choose) and not isinstance(ask, Draw):
            worth = _worth_of_choices(game, record, state, walk)
            if event in worth:
                best = max(worth, key=lambda choice: worth[choice])
                dice = " ".join("-" if face is None else str(face) for face in game.dice(state))
                cost = worth[best] - worth[event]
                if cost > 0 and _hint_advised(game, state, event):
                    # Near the end a hint looks at the chance to win, and points alone do not count.
                    best, cost = event, 0.0
                turn = game.turn(state)
                why = advice.find_solver(game).reason(state, best, worth) if cost > 0 else ""
                found.append(Decision(ask.seat, turn, dice, event.key, best.key, cost, why))
            yield None
    yield _player_reviews(record, walk[0], walk[-1], found)


def review_game(record: Record) -> tuple[PlayerReview, ...]:
    """How everybody did, by all decisions of the game."""
    *_, result = review_in_steps(record)
    return result or ()


def _hint_advised(game: Game[Any], state: Any, choice: Choice) -> bool:
    hint = None if isinstance(state, HoldemState) else advice.best_move(game, state)
    return hint is not None and hint.choice == choice


def _worth_of_choices(
    game: Game[Any], record: Record, state: Any, walk: Sequence[Any]
) -> Mapping[Choice, float]:
    if not isinstance(state, HoldemState):
        return advice.weigh(game, state)[0]
    if state.stage not in BETTING_STAGES:
        return {}
    seat = state.betting.queue[0]
    computer = strength_of(record.players[seat]) is not None
    known = computer_pocket(record.seed, state, seat) if computer and record.seed else None
    shown = (later.pockets[seat] for later in walk if later.hand == state.hand)
    known = known or next((pocket for pocket in shown if pocket), None)
    return advice.bets(state, known) if known else {}


def _player_reviews(
    record: Record, first: Any, last: Any, found: Sequence[Decision]
) -> tuple[PlayerReview, ...]:
    game = find_game(record.game)
    over = game.outcome(last) is not None
    lines = []
    for seat, points in enumerate(game.scores(last)):
        own = sorted((d for d in found if d.seat == seat), key=lambda d: -d.cost)
        cost = sum(decision.cost for decision in own)
        par = advice.expected_total(game, first, seat)
        now = points if over else advice.expected_total(game, last, seat)
        luck = None if par is None or now is None else now - par + cost
        worst = tuple(decision for decision in own[:MAX_WORST_DECISIONS] if decision.cost > 0)
        lines.append(PlayerReview(record.players[seat], points, cost, worst, par, luck))
    return tuple(lines)
