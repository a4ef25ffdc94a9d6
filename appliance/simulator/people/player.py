"""A player who looks at the board and the dice, throws, and presses buttons."""

from collections import Counter
from collections.abc import Sequence

from appliance.inputs import HOLDS, Button
from appliance.rules.game import Face, Points
from appliance.simulator.people.better import Better
from appliance.simulator.people.thrower import Hands as Hands
from appliance.table.menu.prompting import DeskPrompt, NoticePrompt, RollOffPrompt
from appliance.table.prompts import (
    ChoicePrompt,
    ClashPrompt,
    CountPrompt,
    DicePrompt,
    OverPrompt,
    TellPrompt,
    ThrowPrompt,
    UndoPrompt,
)
from appliance.table.session.holdem_prompts import (
    BetPrompt,
    ColourPrompt,
    DealPrompt,
    HandPrompt,
    PotPrompt,
    ShowPrompt,
)
from vision.reading import Kind

PATIENCE_S = 4.0
"""Seconds that this player waits for the board after a throw before doing something else."""

STOPS = 0.1
"""Share of decisions in which this player scores although dice may be thrown again."""


def keep(dice: Sequence[Face | None]) -> tuple[int, ...]:
    """The slots that a simple player keeps: a run of four, else what there is most of.

    A Power die is kept, whatever it shows.
    """
    power = tuple(i for i, f in enumerate(dice) if isinstance(f, str))
    return (*_keep_numbered(dice[: len(dice) - len(power)]), *power)


def _keep_numbered(dice: Sequence[Face | None]) -> tuple[int, ...]:
    faces = [f for f in dice if isinstance(f, int)]
    for run in ((2, 3, 4, 5), (1, 2, 3, 4), (3, 4, 5, 6)):
        if set(run) <= set(faces):
            return tuple(sorted(dice.index(n) for n in run))
    face, count = max(Counter(faces).items(), key=lambda item: (item[1], item[0]))
    pairs = [f for f, n in Counter(faces).items() if n == 2]
    if count == 2 and len(pairs) == 2:
        return tuple(i for i, f in enumerate(dice) if f in pairs)
    return tuple(i for i, f in enumerate(dice) if f == face)


class SimulatedPlayer(Better):
    """Plays all seats: throws when the board says so, holds, looks through the list, chooses."""

    def act(self, prompt: DeskPrompt, time_s: float) -> None:
        """Does the next thing, if it is time and nothing is going on in the tray."""
        if self._tray.busy or self.done:
            # Somebody who has thrown gives the board time to read.
            self._next_s = time_s + (PATIENCE_S if self._waits else self._think_s)
            return
        if time_s < self._next_s:
            return
        self._waits = False
        self._next_s = time_s + self._think_s
        if not isinstance(prompt, CountPrompt | TellPrompt | ColourPrompt):
            self._misses = self._tries = 0
        if self._regrets:
            self._take_back(prompt)
        elif not self._pressed_wrong(prompt):
            self._answer(prompt)
        if self._waits:
            # Also where nothing is seen of the throw, as by a camera that has gone black.
            self._next_s = time_s + PATIENCE_S

    def _answer(self, prompt: DeskPrompt) -> None:
        match prompt:
            case ThrowPrompt():
                self._throw_first(prompt.slots)
            case RollOffPrompt():
                self._throw_off()
            case DicePrompt():
                self._decide(prompt)
            case ChoicePrompt():
                self._choose(prompt)
            case BetPrompt() | HandPrompt() | PotPrompt():
                self._play_holdem(prompt)
            case DealPrompt() | ShowPrompt():
                self._throw_coloured(prompt)
            case TellPrompt():
                self._tell(prompt)
            case ColourPrompt():
                self._tell_colour(prompt)
            case ClashPrompt():
                self._resolve(prompt)
            case CountPrompt():
                self._recount(prompt)
            case OverPrompt():
                self.done = True
            case NoticePrompt():
                pass
            case _:
                self._fingers.press(Button.BACK)

    def _throw_off(self) -> None:
        # Cups of a game that was left are put away.
        self._bag.cups.clear()
        self._throw((0,))

    def _decide(self, prompt: DicePrompt) -> None:
        lying = self._tray.lying()
        shown = [(slot, face) for slot, face in enumerate(prompt.dice) if face is not None]
        misread = [slot for slot, face in shown if self._true(slot) not in (None, face)]
        if misread:
            self._puts_right = misread[0]
            self._fingers.hold(HOLDS[misread[0]])
            return
        if self._wants is None:
            self._plan(prompt)
        wants = self._wants or ()
        self._chooses = not prompt.may_roll or len(wants) == len(prompt.dice)
        if self._chooses:
            self._fingers.press(Button.OK)
            return
        kept = [self._bodies.get(slot, slot) for slot in wants]
        away = [body for body in kept if body not in lying]
        aim = wants if self._presses_holds or away else ()
        wrong = [s for s in range(len(prompt.dice)) if (s in aim) != (s in prompt.held)]
        if wrong:
            self._fingers.press(HOLDS[wrong[0]])
            return
        loose = [body for body in kept if body not in self._saved]
        if loose and not away and self._trifles(loose):
            return
        turned = [b for b in kept if b in lying and lying[b][1] not in (None, self._faces[b])]
        if turned:
            self._tray.turn(turned[0], self._faces[turned[0]])
            return
        thrown = [s for s in range(len(prompt.dice)) if s not in wants]
        if wants and self._slips("held die thrown", 0.5):
            thrown.append(wants[0])
        elif len(thrown) > 1 and self._slips("die forgotten", 0.5):
            thrown.pop()
        self._throw_slots(thrown)

    def _true(self, slot: int) -> Face | None:
        return self._faces.get(self._bodies.get(slot, -1))

    def _plan(self, prompt: DicePrompt) -> None:
        every = tuple(range(len(prompt.dice)))
        stops = float(self._rng.random()) < STOPS
        self._wants = every if stops or None in prompt.dice else keep(prompt.dice)
        self._presses_holds = float(self._rng.random()) < 0.7

    def _trifles(self, kept: Sequence[int]) -> bool:
        """Whether something happened to a kept die before the throw."""
        if self._slips("held die knocked", 0.5):
            self._tray.knock(kept[0])
            return True
        if self._tray.kind(kept[0]) is not Kind.POWER and self._slips("held die turned", 0.4):
            face = self._faces[kept[0]]
            self._tray.turn(kept[0], int(face) % 6 + 1)
            return True
        if self._slips("held dice put aside", 0.4):
            self._saved |= {b for b in kept if self._tray.kind(b) is not Kind.POWER}
            self._tray.set_aside(sorted(self._saved))
            return True
        return False

    def _choose(self, prompt: ChoicePrompt) -> None:
        if prompt.confirm and self._slipped:
            # The board asks whether it was meant; it was not.
            self._slipped = False
            self._fingers.press(Button.BACK)
            return
        if prompt.dice and not self._chooses:
            # The list came up by a slip: the dice come first.
            self._fingers.press(Button.BACK)
            return
        if self._rights is None:
            self._rights = int(self._rng.integers(min(prompt.count, 4)))
        if self._rights and not prompt.confirm:
            self._rights -= 1
            self._fingers.press(Button.RIGHT)
            return
        asks_again = prompt.points == Points(0) and not prompt.confirm
        self._mean(prompt.label, asks_again=asks_again)

    def _take_back(self, prompt: DeskPrompt) -> None:
        """Takes a wrong choice back: BACK asks, OK does it."""
        self._fingers.press(Button.OK if isinstance(prompt, UndoPrompt) else Button.BACK)

    def _pressed_wrong(self, prompt: DeskPrompt) -> bool:
        """Whether the player has pressed something useless."""
        harmless = DicePrompt | ChoicePrompt | ThrowPrompt | BetPrompt | DealPrompt | ShowPrompt
        if not isinstance(prompt, harmless) or not self._slips("wrong press", 0.3):
            return False
        buttons = [Button.LEFT, Button.RIGHT, Button.BACK, Button.HINT, *HOLDS]
        self._fingers.press(buttons[int(self._rng.integers(len(buttons)))])
        return True
