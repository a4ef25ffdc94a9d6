"""How the simulated players play Hold'em: the bag, the cups, bets and colours."""

from appliance.inputs import HOLDS, Button
from appliance.simulator.people.answerer import Answerer
from appliance.table.session.holdem_prompts import (
    BetPrompt,
    ColourPrompt,
    DealPrompt,
    HandPrompt,
    PotPrompt,
    ShowPrompt,
)

STAYS = 0.8
"""Share of the lists of bets in which this player does not want to fold."""


class Better(Answerer):
    """Deals, bets, shows pocket dice, and tells colours."""

    def _tell_colour(self, prompt: ColourPrompt) -> None:
        if not prompt.pending and self._puts_right is None:
            self._fingers.press(Button.BACK)
            return
        body = self._bodies[self._slot_named(prompt.name)]
        right = self._tray.kind(body).value == prompt.kind.value
        if right and not prompt.pending:
            self._puts_right = None
        self._fingers.press(Button.OK if right else Button.RIGHT)

    def _throw_coloured(self, prompt: DealPrompt | ShowPrompt) -> None:
        if isinstance(prompt, ShowPrompt):
            self._show(prompt.player)
            return
        if prompt.surplus:
            self._tray.pick_up(list(self._tray.lying()))
            return
        if not self._pending:
            self._asked = self._bag.throw_for_all(prompt.purpose, prompt.count)
            self._first_slot = len(prompt.dice)
        self._throw(self._asked)

    def _show(self, player: str) -> None:
        """Lays the pocket dice into the tray; those of all may stay there or not."""
        others = [b for cup in self._bag.cups.values() for b in cup if b in self._tray.lying()]
        if others and float(self._rng.random()) < 0.7:
            self._tray.pick_up(others)
        elif self._tray.lying() and float(self._rng.random()) < 0.2:
            self._tray.pick_up(list(self._tray.lying()))
        self._asked, self._first_slot = self._bag.cups[player], 5
        for die in self._asked:
            if die not in self._pending:
                self._faces[die] = int(self._rng.integers(6)) + 1
        self._pending.update(self._asked)
        self._waits = True
        self._let_fall({die: self._faces[die] for die in self._asked}, well=True)

    def _play_holdem(self, prompt: BetPrompt | HandPrompt | PotPrompt) -> None:
        if isinstance(prompt, HandPrompt):
            self._mean(prompt.label)
            return
        if isinstance(prompt, PotPrompt):
            self._bag.deal(self._players)
            self._mean("TAKE POT")
            return
        if not self._bag.cups:
            self._bag.deal(self._players)
        for slot, die in enumerate(prompt.dice):
            body = self._bodies.get(slot, -1)
            if body in self._faces and (die.face, die.kind.value) != (
                self._faces[body],
                self._tray.kind(body).value,
            ):
                self._puts_right = slot
                self._fingers.hold(HOLDS[slot])
                return
        if self._rights is None:
            self._rights = int(self._rng.integers(prompt.count))
        folds = prompt.label == "FOLD" and float(self._rng.random()) < STAYS
        if self._rights or folds:
            self._rights = max(0, self._rights - 1)
            self._fingers.press(Button.RIGHT)
            return
        self._mean(prompt.label)
