"""What simulated players do first: throw dice, see what the board made of them, keep account."""

from collections.abc import Sequence

import numpy as np

from appliance.inputs import Button
from appliance.rules.game import Choice, DieKind, ShownDie
from appliance.service.ports import Happened
from appliance.simulator.people.cups import Bag
from appliance.simulator.people.referee import Umpire
from appliance.simulator.people.roller import Hands as Hands
from appliance.simulator.people.roller import Roller, throws_counted
from appliance.simulator.people.roller import Tray as Tray
from appliance.table.session.session import Drawn, Session
from vision.events import Found, Roll


class Thrower(Roller):
    """Throws dice, and keeps account of what they show.

    What the dice really show and what was really meant goes to an umpire; when it is written down
    there is told by the appliance (a throw was counted), what is written comes from the player.

    Args:
        tray: the dice.
        fingers: on the buttons.
        rng: decides what the dice will show.
        think_s: seconds between actions, of the frames' time.
        clumsy: share of throws, holds and presses in which something goes wrong.

    Attributes:
        umpire: the true account of the game; None before one has begun.
        done: whether the end of the game was seen.
    """

    def __init__(
        self,
        tray: Tray,
        fingers: Hands,
        rng: np.random.Generator,
        *,
        think_s: float = 0.5,
        clumsy: float = 0.0,
    ) -> None:
        super().__init__(tray, fingers, rng, clumsy=clumsy)
        self._think_s = think_s
        self._next_s = 0.0
        self._bag = Bag(rng)
        self.umpire: Umpire | None = None
        self.done = False

    def _forget(self) -> None:
        super()._forget()
        self._wants: tuple[int, ...] | None = None
        self._presses_holds = True
        self._chooses = False
        self._misses = 0
        self._tries = 0
        self._meant: str | None = None
        self._slipped = self._regrets = False
        self._rights: int | None = None
        self._puts_right: int | None = None
        self._players: tuple[str, ...] = ()

    @property
    def regrets(self) -> bool:
        """Whether the last choice was wrong and is about to be taken back."""
        return self._regrets

    def begin(self, session: Session) -> None:
        """A game begins, or goes on with what is on record."""
        super().begin(session)
        self._players = session.setup.players
        if session.setup.game != "holdem" or not session.events:
            # A game that was left may have been one with cups.
            self._bag.cups.clear()
        self.umpire = Umpire(session.setup, session.events)

    def notice(self, happened: Happened) -> None:
        """Sees which die the board means by which slot, and when something was counted."""
        session = happened.session
        if session is None:
            return
        if session.serial != self._serial:
            self.begin(session)
        umpire = self.umpire
        if isinstance(happened.input, Roll | Found):
            # What is told while the hand is at work is no answer to its throw.
            if self._waits and not self._tray.busy:
                self._waits = False
                self._next_s = happened.time_s + self._think_s
            self._look(happened.input.dice, session)
        if len(session.events) == self._known or umpire is None:
            return
        grown = len(session.events) > self._known
        self._known = len(session.events)
        if not grown:
            self._regrets = False
        throws, self._counted = self._counted, throws_counted(session)
        if self._counted > throws:
            self._throw_counted(umpire)
        elif isinstance(happened.input, Drawn):
            if not self._regrets:
                umpire.drawn(happened.input.lot)
        elif grown and self._meant is not None and isinstance(session.events[-1], Choice):
            umpire.chosen(self._meant)
            self._meant = self._rights = None
            self._wants = None
        elif grown and self._slipped and isinstance(session.events[-1], Choice):
            # Only now: a press may get lost where the appliance is started anew.
            self._slipped, self._regrets = False, True

    def _throw_counted(self, umpire: Umpire) -> None:
        if self._shows_colours:
            dice = self._asked
            kinds = [DieKind(self._tray.kind(die).value) for die in dice]
            shown = zip(kinds, (self._faces[die] for die in dice), strict=True)
            umpire.shown([ShownDie(kind, int(face)) for kind, face in shown])
        else:
            umpire.thrown(self._faces, sorted(self._pending))
        self._pending.clear()
        self._wants = self._rights = None
        self._chooses = False

    @property
    def _shows_colours(self) -> bool:
        return bool(self._bag.cups)

    def _throw_first(self, slots: Sequence[int]) -> None:
        self._bag.cups.clear()
        super()._throw_first(slots)

    def _mean(self, label: str, *, asks_again: bool = False) -> None:
        self._slipped = self._slips("wrong choice", 0.3)
        if self._slipped:
            self._meant = None
        elif not asks_again:
            self._meant = label
        self._fingers.press(Button.OK)
