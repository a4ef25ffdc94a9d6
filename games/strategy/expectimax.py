"""The player of games that have no solver: it looks ahead through the throws of its own turn.

It knows the rules by `ask`, `choices`, `apply` and `scores` only. A choice is worth what the turn
then brings in points, less the mean of what it brings the others: the best of what can be chosen
after each throw, averaged over the throws (expectimax; D. Michie, "Game-playing and game-learning
automata", 1966). How far it looks is a matter of `BUDGET`: where the throws are too many, some are
drawn, with the same luck for all choices; where they are too many even for that, the turn is taken
to stop, and throws that can still come then count for nothing. All luck is drawn from the position,
so that the same position brings the same decision.

How long it takes is bounded, whatever the game: a plan that proves to be too much work is given up,
and each choice is worth what it brings at once (`MOST_STATES`).
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from itertools import product
from math import prod
from random import Random
from typing import Any

from games import chance
from games.actions import alike_choices
from games.dice import FACES, POWER_FACES, rolls
from games.game import Game
from games.strategy.solver import Solver
from games.values import (
    Ask,
    Choice,
    Choose,
    Die,
    DieKind,
    Draw,
    Event,
    Face,
    Keep,
    Measure,
    Reveal,
    Rolled,
    Throw,
)

BUDGET = 5_000
"""How many states it plans to look at for a decision, about."""
MOST_STATES = 8_000
"""How many it looks at for certain at most, and one more for each choice. In our games a state
takes 10 to 25 microseconds on a PC, and so 0.2 s in all."""
FEWEST_THROWS = 16
"""How many throws a choice is looked through at least; with fewer, the luckiest may seem best. So
that is done only where there is so much to do after each throw that more would be too many."""
MOST_THROWS = 512
"""How many throws are drawn by luck for a choice at most."""
SOFT_SHARE = 0.1
"""How much it hardly minds losing when it plays well, as a share of what it expects of the turn."""


class Expectimax(Solver[Any]):
    """The solver of any game."""

    measure = Measure.GAIN

    def weigh(self, state: Any) -> Mapping[Choice, float]:
        """The points that the turn brings after each choice; empty where nobody chooses."""
        asked = self.game.ask(state)
        if not isinstance(asked, Choose) or isinstance(asked, Draw) or asked.reported:
            return {}
        turn = _Turn(self.game, state, asked.seat)
        every = alike_choices(self.game, state)
        # At the end of each way it tries all that scores at once, about as much as now.
        few = MOST_STATES // 8
        ways = BUDGET / (1 + turn.states_at_once(state, few))
        fewest = min(FEWEST_THROWS, max(int(ways / len(every)), 2))
        for throws, budget, states in (
            (fewest, ways, MOST_STATES - 2 * few),
            (1, 0, few),
        ):
            turn.plan(throws, states)
            with suppress(_TooManyStates):
                return turn.weigh(state, budget)
        return turn.weigh_at_once(state)

    def softness(self, weighed: Mapping[Choice, float]) -> float:
        """A share of what the turn brings."""
        return SOFT_SHARE * max(map(abs, weighed.values()), default=0.0) or 1.0


class _TooManyStates(Exception):
    """A plan has looked at as many states as it may."""


class _Turn:
    """The turn of a seat that is being looked through, from a state on."""

    def __init__(self, game: Game[Any], state: Any, seat: int) -> None:
        self.game = game
        self._seat = seat
        self._number = game.turn(state)
        self._before = 0.0
        self._before = self.lead(state)
        self._luck = game.position_to_text(state)
        self._sides = cache(self._sides_of_slot)
        self._fewest = self._left = 0

    def plan(self, fewest: int, states: int) -> None:
        """From now on at least this many throws are looked through, and this many states at most.

        More states raise _TooManyStates.
        """
        self._fewest, self._left = fewest, states

    def states_at_once(self, state: Any, most: int) -> int:
        """How many states there are to look at until the turn is over, if nothing is thrown."""
        self.plan(1, most)
        with suppress(_TooManyStates):
            self._best(state, 0)
        return most - max(self._left, 0)

    def _after(self, state: Any, event: Event) -> Any:
        self._left -= 1
        if self._left < 0:
            raise _TooManyStates
        return self.game.apply(state, event)

    def lead(self, state: Any) -> float:
        """The points by which the seat leads the mean of the others, from before the choice on."""
        scores = self.game.scores(state)
        others = [points for seat, points in enumerate(scores) if seat != self._seat]
        return scores[self._seat] - sum(others) / max(len(others), 1) - self._before

    def is_over(self, asked: Ask | None, state: Any) -> bool:
        """True if what is asked for no longer belongs to the turn."""
        return asked is None or asked.seat != self._seat or self.game.turn(state) != self._number

    def weigh(self, state: Any, budget: float) -> dict[Choice, float]:
        """The worth of each choice; of those that keep the same faces, one is looked through."""
        found = dict[Choice, float]()
        every = alike_choices(self.game, state)
        for alike in every:
            worth = self.worth(self._after(state, alike[0]), budget / len(every))
            found |= dict.fromkeys(alike, worth)
        return found

    def weigh_at_once(self, state: Any) -> dict[Choice, float]:
        """The points that each choice brings by itself."""
        return {
            choice: self.lead(self.game.apply(state, choice)) for choice in self.game.choices(state)
        }

    def worth(self, state: Any, budget: float) -> float:
        """What the turn brings from a state on."""
        asked = self.game.ask(state)
        if self.is_over(asked, state):
            return self.lead(state)
        if isinstance(asked, Choose) and not isinstance(asked, Draw):
            return self._best(state, budget)
        assert asked is not None
        outcomes = list(self._outcomes(state, asked, int(budget)))
        if not outcomes:
            return self.lead(state)
        each = (budget - len(outcomes)) / len(outcomes)
        total = sum(
            count * self.worth(self._after(state, event), each) for event, count in outcomes
        )
        return total / sum(count for _, count in outcomes)

    def _best(self, state: Any, budget: float) -> float:
        """The worth of the best choice; if the budget is used up, of those that throw nothing."""
        choices = self.game.choices(state)
        if budget >= self._fewest * len(choices):
            return max(self.weigh(state, budget).values())
        found = [self._worth_at_once(self._after(state, choice)) for choice in _stops(choices)]
        return max(found, default=self.lead(state))

    def _worth_at_once(self, state: Any) -> float:
        asked = self.game.ask(state)
        over = self.is_over(asked, state) or not isinstance(asked, Choose)
        return self.lead(state) if over else self._best(state, 0)

    def _outcomes(self, state: Any, asked: Ask, most: int) -> Iterator[tuple[Event, int]]:
        """What chance can bring, and how often: all of it, or `most` of it by luck."""
        if isinstance(asked, Draw):
            yield from Counter(asked.lots).items()
        elif isinstance(asked, Throw) and not asked.coloured:
            # All of them are hardly more than some, and are exact.
            if _count_of_throws(asked.dice) <= 2 * most:
                yield from _all_throws(asked.dice)
            elif most >= self._fewest:
                numbers = range(min(most, MOST_THROWS))
                yield from ((self._throw(asked.dice, number), 1) for number in numbers)
        elif isinstance(asked, Throw | Reveal) and most >= self._fewest:
            for number in range(min(most, MOST_THROWS)):
                random = Random(f"{self._luck} {number}")
                yield chance.draw(self.game, state, random), 1

    def _throw(self, dice: Sequence[Die], number: int) -> Rolled:
        """A throw in which a die of a slot shows the same, whichever others are thrown."""
        return Rolled(tuple(_faces(die.kind)[self._sides(die.slot)[number]] for die in dice))

    def _sides_of_slot(self, slot: int) -> Sequence[int]:
        return Random(f"{self._luck} {slot}").choices(range(len(FACES)), k=MOST_THROWS)


def _stops(choices: Sequence[Choice]) -> Sequence[Choice]:
    """The choices but those to throw again."""
    return [choice for choice in choices if not isinstance(choice, Keep)]


def _faces(kind: DieKind) -> Sequence[Face]:
    return POWER_FACES if kind is DieKind.POWER else FACES


def _groups(dice: Sequence[Die]) -> Counter[DieKind]:
    return Counter(die.kind for die in dice)


def _count_of_throws(dice: Sequence[Die]) -> int:
    """How many different throws there are; dice of a kind are alike."""
    kinds = _groups(dice).items()
    return prod(6 if kind is DieKind.POWER else len(rolls(count)) for kind, count in kinds)


def _all_throws(dice: Sequence[Die]) -> Iterator[tuple[Rolled, int]]:
    """The different throws, and how often they come up."""
    kinds = list(_groups(dice))
    each: list[Sequence[tuple[tuple[Face, ...], int]]] = [
        [((face,), 1) for face in POWER_FACES] if kind is DieKind.POWER else rolls(count)
        for kind, count in _groups(dice).items()
    ]
    for parts in product(*each):
        left = {kind: iter(faces) for kind, (faces, _) in zip(kinds, parts, strict=True)}
        yield Rolled(tuple(next(left[die.kind]) for die in dice)), prod(ways for _, ways in parts)
