"""A simulated player who tells a referee what was really thrown and meant."""

from typing import Any

from appliance.simulator.people.player import SimulatedPlayer
from appliance.table.session.session import Session
from games.values import Choice, DieKind, ShownDie
from tests.rigs.proof.referee import Referee


class RefereedPlayer(SimulatedPlayer):
    """Tells the referee what was done once the appliance has counted it.

    Attributes:
        referee: the true account of the game; None before one has begun.
    """

    def __init__(self, *args: Any, **how: Any) -> None:
        self.referee: Referee | None = None
        super().__init__(*args, **how)

    def begin(self, session: Session) -> None:
        super().begin(session)
        self.referee = Referee(session.record.setup, session.record.events)

    def _note_lot_drawn(self, lot: Choice) -> None:
        if self.referee is not None:
            self.referee.drawn(lot)

    def _note_choice_counted(self, label: str) -> None:
        if self.referee is not None:
            self.referee.chosen(label)

    def _note_throw_counted(self) -> None:
        hands = self.hands
        if self.referee is not None and self.bag.dealt:
            kinds = [DieKind(hands.tray.kind(die).value) for die in hands.asked]
            shown = zip(kinds, (hands.faces[die] for die in hands.asked), strict=True)
            self.referee.shown([ShownDie(kind, int(face)) for kind, face in shown])
        elif self.referee is not None:
            self.referee.thrown(hands.faces, sorted(hands.pending))
        super()._note_throw_counted()
