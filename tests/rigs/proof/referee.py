"""An account of a game kept apart from the appliance, from what was really thrown and meant.

The simulated player gives the referee the true faces of the dice and the choices that it meant to
make. What the camera saw, what the table made of it and what the journal keeps play no part, so
equal scores at the end show that nothing was lost, doubled or misread on the way.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from appliance.table.session.session import Setup
from appliance.words import Label
from games.values import (
    Choice,
    Choose,
    Event,
    Face,
    IllegalEvent,
    Keep,
    Outcome,
    Reveal,
    Rolled,
    Shown,
    ShownDie,
    Throw,
)


class RefereeError(Exception):
    """The game on the board has diverged from the true one."""


class Referee:
    """Keeps the score of one game.

    Dice are known by the player's numbers, which are the slots of the game: 0 to 4 the black dice,
    5 the odd one. In Hold'em only their colours and faces count.

    Args:
        setup: the game, players and options.
        events: what has happened so far, if the game is resumed.

    Attributes:
        events: the true record.
    """

    def __init__(self, setup: Setup, events: Sequence[Event] = ()) -> None:
        self._rules = setup.rules
        self._state: Any = self._rules.start(setup.players, dict(setup.options))
        self.events: list[Event] = []
        for event in events:
            self._apply(event)

    def _apply(self, event: Event) -> None:
        try:
            self._state = self._rules.apply(self._state, event)
        except IllegalEvent as error:
            raise RefereeError(f"counted what was not done: {error}") from None
        self.events.append(event)

    def thrown(self, faces: Mapping[int, Face], dice: Sequence[int]) -> None:
        """Records a throw that counts.

        Args:
            faces: what each die shows.
            dice: those that were thrown since the last throw that counted.

        Raises:
            RefereeError: no throw was due.
        """
        ask = self._rules.ask(self._state)
        if isinstance(ask, Choose):
            on_table = range(len(self._rules.dice(self._state)))
            self._apply(Keep(tuple(slot for slot in on_table if slot not in dice)))
            ask = self._rules.ask(self._state)
        if not isinstance(ask, Throw):
            raise RefereeError(f"expected {ask}, but a throw was counted")
        if missing := [die.slot for die in ask.dice if die.slot not in faces]:
            raise RefereeError(f"expected a throw of {ask.dice}, but {missing} were not thrown")
        self._apply(Rolled(tuple(faces[die.slot] for die in ask.dice)))

    def shown(self, dice: Sequence[ShownDie]) -> None:
        """Records dice that lie open and whose colours count.

        Raises:
            RefereeError: none were due.
        """
        ask = self._rules.ask(self._state)
        if not isinstance(ask, Throw | Reveal):
            raise RefereeError(f"expected {ask}, but dice were counted")
        self._apply(Shown(tuple(dice)))

    def chosen(self, label: str) -> None:
        """Records a choice by its name on the board.

        Raises:
            RefereeError: there is no such choice.
        """
        choices = [c for c in self._rules.choices(self._state) if not isinstance(c, Keep)]
        found = next((c for c in choices if Label(c.key) == label), None)
        if found is None:
            labels = ", ".join(Label(c.key) for c in choices)
            raise RefereeError(f"expected one of {labels or 'no choices'}, but {label} was chosen")
        self._apply(found)

    def drawn(self, lot: Choice) -> None:
        """Records a lot that chance has drawn."""
        self._apply(lot)

    @property
    def scores(self) -> tuple[int, ...]:
        """The points so far, by seat."""
        return self._rules.scores(self._state)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None before."""
        return self._rules.outcome(self._state)
