"""Rolling for who begins, for games whose own rules let the players decide it."""

from dataclasses import dataclass, replace

from appliance.inputs import Button, Pressed, neighbour
from appliance.table.menu.console import Console, SettingUp
from appliance.table.menu.draft import Draft, request_game
from appliance.table.menu.prompting import RollOffPrompt
from appliance.table.prompts.prompt import Prompt
from appliance.table.prompts.trouble import CountPrompt, FacePrompt
from appliance.words import Verbatim
from games.dice import FACES
from games.seats import roll_off_standing, throwers
from vision.events import TrackedDie
from vision.reading import DieState


@dataclass(frozen=True, slots=True)
class RollOff(SettingUp):
    """One die each decides who begins, in a game whose own rules have no roll-off.

    Attributes:
        draft: the game.
        totals: the faces so far, in the order in which they were thrown.
        enters: whether the players are entering a face.
        face: the face that they propose, or that was read with doubt; None for none yet.
        thrown: how many dice were thrown at once instead of one; 0 when nothing is wrong.
        state: how the die whose face is asked about was read; None if players enter it.
    """

    draft: Draft
    totals: tuple[int, ...] = ()
    enters: bool = False
    face: int | None = None
    thrown: int = 0
    state: DieState | None = None

    def prompt(self, console: Console) -> Prompt:
        """Whose die is waited for, or what was wrong with it."""
        players = self.draft.players
        now = roll_off_standing(self.draft.count, self.totals)
        if self.enters:
            return FacePrompt(Verbatim(players[now.seat]), 0, self.face, self.state, (None,))
        if self.thrown:
            return CountPrompt(players[now.seat], self.thrown, 1)
        last = None
        if self.totals:
            thrower = throwers(self.draft.count, self.totals)[-1]
            last = players[thrower], self.totals[-1]
        tray = console.tray
        return RollOffPrompt(players[now.seat], now.again, last, tray.state, tray.blind)

    def pressed(self, console: Console, press: Pressed) -> Console:
        """LEFT, RIGHT and OK enter a die, BACK takes the last one back."""
        button = press.button
        if button is Button.BACK:
            if self.enters or self.thrown:
                return console.replace_top(RollOff(self.draft, self.totals))
            if not self.totals:
                return console.back()
            return console.replace_top(RollOff(self.draft, self.totals[:-1]))
        if button not in (Button.LEFT, Button.RIGHT, Button.OK):
            return console
        if not self.enters:
            return console.replace_top(RollOff(self.draft, self.totals, enters=True))
        if button is Button.OK:
            return console if self.face is None else self._count_die(console, self.face)
        return console.replace_top(replace(self, face=neighbour(FACES, self.face, button)))

    def rolled(self, console: Console, dice: tuple[TrackedDie, ...]) -> Console:
        """Counts a single die, or asks about one in doubt; others lying there do not count."""
        thrown = [die for die in dice if die.thrown]
        if len(thrown) != 1:
            after = RollOff(self.draft, self.totals, thrown=len(thrown))
            return console.replace_top(after)
        reading = thrown[0].reading
        likely = [c.value for c in reading.candidates if isinstance(c.value, int)]
        if reading.sure and isinstance(reading.value, int):
            return self._count_die(console, reading.value)
        face = reading.value if isinstance(reading.value, int) else next(iter(likely), None)
        after = RollOff(self.draft, self.totals, True, face, state=reading.state)
        return console.replace_top(after)

    def _count_die(self, console: Console, face: int) -> Console:
        totals = (*self.totals, face)
        now = roll_off_standing(self.draft.count, totals)
        after = console.replace_top(RollOff(self.draft, totals))
        return request_game(after, self.draft, now.seat) if now.decided else after
