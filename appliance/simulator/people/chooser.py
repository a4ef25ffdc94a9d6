"""How the simulated player holds dice and chooses what to score."""

from collections import Counter
from collections.abc import Sequence

from appliance.inputs import HOLDS, Button
from appliance.rules.game import Face, Points
from appliance.simulator.people.ports import Presser
from appliance.simulator.people.roller import Intent, Roller
from appliance.table.prompts import ChoicePrompt, DicePrompt
from vision.reading import Kind

STOP_PROBABILITY = 0.1
"""Share of decisions in which this player scores although dice may be thrown again."""


def keep(dice: Sequence[Face | None]) -> tuple[int, ...]:
    """The slots a simple player keeps: a run of four, else two pairs or the most frequent face.

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


class Chooser:
    """Holds, throws the other dice, looks through the list, chooses."""

    def __init__(self, hands: Roller, buttons: Presser, intent: Intent) -> None:
        self._hands = hands
        self._buttons = buttons
        self._intent = intent
        self._presses_holds = True
        self._chooses = False

    def throw_counted(self) -> None:
        """The appliance has counted the throw: another decision is due."""
        self._chooses = False

    def decide(self, prompt: DicePrompt) -> None:
        """Corrects what was misread, plans, holds and throws."""
        hands, intent = self._hands, self._intent
        lying = hands.tray.lying()
        shown = [(slot, face) for slot, face in enumerate(prompt.dice) if face is not None]
        true = {slot: hands.faces.get(body) for slot, body in hands.bodies.items()}
        misread = [slot for slot, face in shown if true.get(slot) not in (None, face)]
        if misread:
            intent.puts_right = misread[0]
            self._buttons.hold(HOLDS[misread[0]])
            return
        if intent.keeps is None:
            intent.keeps = self.plan(prompt)
            self._presses_holds = float(hands.rng.random()) < 0.7
        if prompt.remark == "MUST STAY":
            # A player who reads this holds what the board holds.
            intent.keeps, self._presses_holds = tuple(sorted({*intent.keeps, *prompt.held})), True
        keeps = intent.keeps
        self._chooses = not prompt.may_roll or len(keeps) == len(prompt.dice)
        if self._chooses:
            self._buttons.press(Button.OK)
            return
        kept = [hands.body(slot) for slot in keeps]
        away = [body for body in kept if body not in lying]
        aim = keeps if self._presses_holds or away else ()
        wrong = [s for s in range(len(prompt.dice)) if (s in aim) != (s in prompt.held)]
        if wrong:
            self._buttons.press(HOLDS[wrong[0]])
            return
        loose = [body for body in kept if body not in hands.saved]
        if loose and not away and self._trifles(loose):
            return
        turned = [b for b in kept if b in lying and lying[b][1] not in (None, hands.faces[b])]
        if turned:
            hands.tray.turn(turned[0], hands.faces[turned[0]])
            return
        thrown = [s for s in range(len(prompt.dice)) if s not in keeps]
        if keeps and hands.slip("held die thrown", 0.5):
            thrown.append(keeps[0])
        elif len(thrown) > 1 and hands.slip("die forgotten", 0.5):
            thrown.pop()
        hands.throw([hands.body(slot) for slot in thrown])

    def plan(self, prompt: DicePrompt) -> tuple[int, ...]:
        """The slots to keep."""
        stops = float(self._hands.rng.random()) < STOP_PROBABILITY
        if stops or None in prompt.dice:
            return tuple(range(len(prompt.dice)))
        return keep(prompt.dice)

    def _trifles(self, kept: Sequence[int]) -> bool:
        """Lets something happen to a kept die before the throw; returns whether it did."""
        hands, tray = self._hands, self._hands.tray
        if hands.slip("held die knocked", 0.5):
            tray.knock(kept[0])
            return True
        if tray.kind(kept[0]) is not Kind.POWER and hands.slip("held die turned", 0.4):
            tray.turn(kept[0], int(hands.faces[kept[0]]) % 6 + 1)
            return True
        if hands.slip("held dice put aside", 0.4):
            hands.saved |= {b for b in kept if tray.kind(b) is not Kind.POWER}
            tray.set_aside(sorted(hands.saved))
            return True
        return False

    def choose(self, prompt: ChoicePrompt) -> None:
        """Looks through the list of what can be scored, and chooses."""
        hands, intent = self._hands, self._intent
        if prompt.confirm and intent.slipped:
            # The board asks whether it was meant; it was not.
            intent.slipped = False
            self._buttons.press(Button.BACK)
            return
        if prompt.dice and not self._chooses:
            # The list came up by a slip: the dice come first.
            self._buttons.press(Button.BACK)
            return
        if intent.looks is None:
            intent.looks = int(hands.rng.integers(min(prompt.count, 4)))
        if intent.looks and not prompt.confirm:
            intent.looks -= 1
            self._buttons.press(Button.RIGHT)
            return
        asks_again = prompt.points == Points(0) and not prompt.confirm
        intent.choose(prompt.label, hands, self._buttons, asks_again=asks_again)
