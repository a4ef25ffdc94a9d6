"""The parts of a game of Classic: the choices and the state."""

from dataclasses import dataclass

from games.boxes import MAX_PLAYERS as MAX_PLAYERS
from games.boxes import ROLLS_PER_TURN as ROLLS_PER_TURN
from games.boxes import BoxState
from games.classic.sheet import Box, Sheet
from games.game import Choice


@dataclass(frozen=True, slots=True)
class Score(Choice):
    """Score the roll on the table in this box."""

    box: Box

    @property
    def key(self) -> str:
        """The box."""
        return Box(self.box).word


@dataclass(frozen=True, slots=True)
class Zero(Choice):
    """Take a zero in this box although the roll on the table fits it."""

    box: Box

    @property
    def key(self) -> str:
        """A zero, and the box."""
        return f"zero {Box(self.box).word}"


@dataclass(frozen=True, slots=True)
class State(BoxState[Sheet]):
    """A game of Classic between two events."""
