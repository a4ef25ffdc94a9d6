"""A solver: what it answers, and what it answers by default.

A game names the class of its solver in `Game.solver`; `advice` makes one value of it with the first
hint. A solver is a subclass with what it knows better, of the game's own state:

    class HighDiceSolver(Solver[State]):
        measure = Measure.GAIN

        def weigh(self, state: State) -> Mapping[Choice, float]:
            ...
"""

from collections.abc import Mapping
from typing import Any, ClassVar, Generic, TypeVar

from games.game import Game, Played
from games.values import Choice, Hint, Keep, Measure

State = TypeVar("State", bound=Played)
_ALIKE = 0.05
"""A lead of so few points would be written as none."""
_MANY = 9.95
"""So many points are written without tenths."""


def best_hint(weighed: Mapping[Choice, float], measure: Measure) -> Hint | None:
    """The hint for the choice worth most, the first of equals; None where there is no choice."""
    if not weighed:
        return None
    choice = max(weighed, key=lambda choice: weighed[choice])
    return Hint(choice, weighed[choice], measure)


def reason_by_worth(choice: Choice, weighed: Mapping[Choice, float]) -> str:
    """How much better a choice is than the next best, which it throws again for or does not.

    `throw +3.2`: dice are thrown again, and points at once would be worth so much less. `throw
    -120`: another throw would cost so much. Else `better +3.2`, or that all are alike, or that it
    is the only one. What is just as good does not count: nobody need be told why it is not taken.
    """
    others = {other: worth for other, worth in weighed.items() if other != choice}
    if not others or choice not in weighed:
        return "best-known" if others else "only-choice"
    if max(abs(weighed[choice] - worth) for worth in others.values()) < _ALIKE:
        return "all-alike"
    others = {other: worth for other, worth in others.items() if weighed[choice] - worth >= _ALIKE}
    if not others:
        return "best-known"
    throws = isinstance(choice, Keep)
    unlike = [worth for other, worth in others.items() if isinstance(other, Keep) is not throws]
    next_best = max(unlike or others.values())
    if unlike and not throws:
        # What else could be done at once may come closer.
        next_best = max(others.values())
    lead = weighed[choice] - next_best
    if throws and unlike:
        return f"throw {signed(lead)}"
    if unlike and max(unlike) == next_best:
        return f"throw {signed(-lead)}"
    return f"better {signed(lead)}"


def reason_by_chance(choice: Choice, chances: Mapping[Choice, float]) -> str:
    """How much likelier a choice wins than the next best; empty if it makes no difference."""
    others = [chance for other, chance in chances.items() if other != choice]
    percent = round(100 * (chances[choice] - max(others, default=chances[choice])))
    return f"win {percent:+d}%" if percent > 0 else ""


def signed(points: float) -> str:
    """Points with their sign, in tenths where there are few: `+3.2`, `-120`."""
    return f"{points:+.1f}" if abs(points) < _MANY else f"{points:+.0f}"


WORDS_OF_REASONS = (
    *("for", "throw", "better", "now", "saves", "bonus", "win"),
    *("only-choice", "all-alike", "best-known", "points-decide", "see-your-row"),
)
"""The keys that reasons are made of, but for what belongs to a game."""


class Solver(Generic[State]):
    """The best choices of one game, by its rules.

    Attributes:
        game: the game.
        measure: what `weigh` counts.
        chance_error: how far a chance of `win_chances` may be off; by default only by rounding.
    """

    measure: ClassVar[Measure] = Measure.TOTAL
    chance_error: ClassVar[float] = 1e-6

    def __init__(self, game: Game[Any]) -> None:
        self.game = game

    def hint(self, state: State) -> Hint | None:
        """The best choice by `weigh`, the first of equals; odds where only the player can decide.

        None where nobody chooses.
        """
        return best_hint(self.weigh(state), self.measure)

    def reason(self, state: State, choice: Choice, weighed: Mapping[Choice, float]) -> str:
        """The keys of why a choice is the best, as in `Hint.reason`.

        By default how much better than the next best it is, in what `weighed` counts.

        Args:
            state: where somebody chooses.
            choice: one of the choices.
            weighed: all of them, by `weigh`.
        """
        if not weighed and len(self.game.choices(state)) > 1:
            return "best-known"
        return reason_by_worth(choice, weighed)

    def weigh(self, state: State) -> Mapping[Choice, float]:
        """The expected value of each choice; empty where nobody chooses, or nobody knows."""
        return {}

    def win_chances(self, state: State) -> Mapping[Choice, float]:
        """The chance to win after each choice near the end of a game of several; else empty."""
        return {}

    def expected_total(self, state: State, seat: int) -> float | None:
        """The final total of a seat's sheet that may be expected between turns, if known."""
        return None

    def softness(self, weighed: Mapping[Choice, float]) -> float:
        """How much a computer that plays well hardly minds losing, in units of `measure`.

        Args:
            weighed: the choices it has, by `weigh`.
        """
        return 1.0
