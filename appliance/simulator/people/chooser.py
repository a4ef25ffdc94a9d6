"""How the simulated player holds dice and chooses what to score."""

from collections import Counter
from collections.abc import Sequence

from appliance.inputs import HOLD_BUTTONS, Button
from appliance.simulator.people.ports import Presser
from appliance.simulator.people.roller import Intent, Roller
from appliance.table.prompts.turn import OTHER_CHOICES, ChoicePrompt, DicePrompt
from appliance.words import Label
from games.values import Face, Points
from vision.reading import Kind

_REFUSED = "NOT NOW"
"""The remark on a throw or a correction that the rules do not allow."""
STOP_PROBABILITY = 0.1
"""Share of decisions in which this player scores although dice may be thrown again."""
PRESSES_HOLDS_PROBABILITY = 0.7
"""Share of throws before which the hold buttons are pressed even if no kept die has been lifted."""


def slots_worth_keeping(dice: Sequence[Face | None]) -> tuple[int, ...]:
    """The slots a simple player keeps: a run of four, else two pairs or the most frequent face.

    A Power die is kept, whatever it shows.
    """
    power = tuple(i for i, f in enumerate(dice) if isinstance(f, str))
    return (*_numbered_slots_worth_keeping(dice[: len(dice) - len(power)]), *power)


def _numbered_slots_worth_keeping(dice: Sequence[Face | None]) -> tuple[int, ...]:
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
        self._is_scoring = False

    def throw_counted(self) -> None:
        """The appliance has counted the throw: another decision is due."""
        self._is_scoring = False

    def decide(self, prompt: DicePrompt) -> None:
        """Does the next thing towards a throw: corrects what was misread, plans, holds, throws."""
        refused = prompt.remark == _REFUSED or self._threw_what_must_stay(prompt)
        if refused and self._put_back(prompt):
            return
        misread = self._misread_slot(prompt)
        if misread is not None:
            self._intent.puts_right = misread
            self._buttons.hold(HOLD_BUTTONS[misread])
            return
        keeps = self._slots_to_keep(prompt)
        self._is_scoring = not prompt.may_roll or len(keeps) == len(prompt.dice)
        if self._is_scoring and prompt.purpose == "PASS":
            # The board takes it at once.
            self._intent.choose(prompt.purpose, self._hands, self._buttons)
            return
        if self._is_scoring:
            self._buttons.press(Button.OK)
            return
        lying = self._hands.tray.lying()
        kept = [self._hands.body_of_slot(slot) for slot in keeps]
        all_lie = all(body in lying for body in kept)
        wrong = self._slot_held_wrongly(prompt, keeps if self._presses_holds or not all_lie else ())
        if wrong is not None:
            self._buttons.press(HOLD_BUTTONS[wrong])
            return
        if all_lie and self._disturb_kept_dice(kept):
            return
        if not self._turn_back_kept_die(kept):
            self._throw_dice_not_kept(prompt, keeps)

    def _threw_what_must_stay(self, prompt: DicePrompt) -> bool:
        """True if dice were thrown that do not count, as the rules want others to be kept."""
        pending = self._hands.pending
        slots = range(len(prompt.dice))
        kept = tuple(slot for slot in slots if self._hands.body_of_slot(slot) not in pending)
        return bool(pending) and kept not in self._intent.allowed

    def _put_back(self, prompt: DicePrompt) -> bool:
        """Turns dice back to what the board shows; returns whether there were any."""
        hands = self._hands
        by_slot = enumerate(prompt.dice)
        shown = {hands.body_of_slot(slot): face for slot, face in by_slot if face is not None}
        wrong = {body: face for body, face in shown.items() if hands.faces.get(body) != face}
        lying = hands.tray.lying()
        for body, face in wrong.items():
            hands.faces[body] = face
            if body in lying:
                hands.tray.turn(body, face)
        hands.pending.clear()
        return bool(wrong)

    def _misread_slot(self, prompt: DicePrompt) -> int | None:
        """The first slot for which the board shows another face than its die; None if all agree.

        Dice that were thrown and did not count show something else, but were not misread.
        """
        for slot, face in enumerate(prompt.dice):
            if face is None or self._hands.bodies.get(slot, -1) in {-1, *self._hands.pending}:
                continue
            if self._hands.faces.get(self._hands.bodies[slot]) not in (None, face):
                return slot
        return None

    def _slots_to_keep(self, prompt: DicePrompt) -> tuple[int, ...]:
        """The slots to keep, planned once for each throw."""
        intent = self._intent
        if intent.keeps is None:
            intent.keeps = self._nearest_allowed(self.plan_slots_to_keep(prompt), prompt)
            self._presses_holds = float(self._hands.rng.random()) < PRESSES_HOLDS_PROBABILITY
        if prompt.remark == "MUST STAY":
            # A player who reads this holds what the board holds.
            intent.keeps = tuple(sorted({*intent.keeps, *prompt.held}))
            self._presses_holds = True
        return intent.keeps

    def _nearest_allowed(self, plan: tuple[int, ...], prompt: DicePrompt) -> tuple[int, ...]:
        """The slots most like those planned that may be kept; all where no throw is allowed."""
        every = tuple(range(len(prompt.dice)))
        allowed = self._intent.allowed
        if plan == every or plan in allowed or not allowed:
            return plan
        return min(sorted(allowed), key=lambda slots: len({*slots} ^ {*plan}))

    def plan_slots_to_keep(self, prompt: DicePrompt) -> tuple[int, ...]:
        """The slots to keep."""
        stops = float(self._hands.rng.random()) < STOP_PROBABILITY
        if stops or None in prompt.dice:
            return tuple(range(len(prompt.dice)))
        return slots_worth_keeping(prompt.dice)

    def _slot_held_wrongly(self, prompt: DicePrompt, keeps: Sequence[int]) -> int | None:
        """The first slot that the board holds and should not, or the reverse; None if all agree."""
        slots = range(len(prompt.dice))
        return next((slot for slot in slots if (slot in keeps) != (slot in prompt.held)), None)

    def _disturb_kept_dice(self, bodies: Sequence[int]) -> bool:
        """Knocks, turns or puts aside kept dice now and then; returns whether it did."""
        hands, tray = self._hands, self._hands.tray
        kept = [body for body in bodies if body not in hands.saved]
        if not kept:
            return False
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

    def _turn_back_kept_die(self, kept: Sequence[int]) -> bool:
        """Turns back a kept die that lies with another face; returns whether there was one."""
        faces, lying = self._hands.faces, self._hands.tray.lying()
        for body in kept:
            if body in lying and lying[body][1] not in (None, faces[body]):
                self._hands.tray.turn(body, faces[body])
                return True
        return False

    def _throw_dice_not_kept(self, prompt: DicePrompt, keeps: Sequence[int]) -> None:
        """Throws the other dice; now and then one too many or one too few."""
        hands = self._hands
        thrown = [slot for slot in range(len(prompt.dice)) if slot not in keeps]
        allowed = self._intent.allowed
        more = tuple(sorted((*keeps, *thrown[-1:])))
        # Nobody throws what the rules do not let them throw, not even by a slip.
        if keeps and tuple(keeps[1:]) in allowed and hands.slip("held die thrown", 0.5):
            thrown.append(keeps[0])
        elif len(thrown) > 1 and more in allowed and hands.slip("die forgotten", 0.5):
            thrown.pop()
        hands.throw([hands.body_of_slot(slot) for slot in thrown])

    def choose(self, prompt: ChoicePrompt) -> None:
        """Looks through the list of what can be scored, and chooses."""
        hands, intent = self._hands, self._intent
        if prompt.confirm and intent.slipped:
            # The board asks whether it was meant; it was not.
            intent.slipped = False
            self._buttons.press(Button.BACK)
            return
        if prompt.dice and not self._is_scoring:
            # The list came up by a slip: the dice come first.
            self._buttons.press(Button.BACK)
            return
        if prompt.label == Label(OTHER_CHOICES):
            # Of those that score less somebody takes one now and then.
            self._buttons.press(Button.OK)
            return
        if intent.looks is None:
            intent.looks = int(hands.rng.integers(min(prompt.count, 4)))
        if intent.looks and not prompt.confirm:
            intent.looks -= 1
            self._buttons.press(Button.RIGHT)
            return
        asks_again = prompt.points == Points(0) and not prompt.confirm
        intent.choose(prompt.label, hands, self._buttons, asks_again=asks_again)
