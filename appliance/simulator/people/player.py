"""A player who looks at the board and the dice, throws, and presses buttons.

Computer players press nothing, but their dice are thrown for them.
"""

from collections.abc import Sequence

import numpy as np

from appliance.inputs import HOLD_BUTTONS, Button
from appliance.service.ports import Happened
from appliance.simulator.people.answerer import Answerer
from appliance.simulator.people.better import Better
from appliance.simulator.people.chooser import Chooser
from appliance.simulator.people.cups import Bag
from appliance.simulator.people.ports import Presser, Tray
from appliance.simulator.people.roller import Intent, Roller, count_throws_on_record
from appliance.table.menu.prompting import NoticePrompt, RollOffPrompt
from appliance.table.prompts import betting
from appliance.table.prompts.looking import UndoPrompt
from appliance.table.prompts.prompt import Prompt
from appliance.table.prompts.turn import ChoicePrompt, DicePrompt, OverPrompt, ThrowPrompt
from appliance.table.session.session import Decided, Drawn, Session
from games.computers import strength_of
from games.values import Choice, Keep
from vision.events import Found, Roll


def must_throw_for_computer(prompt: Prompt) -> bool:
    """True if dice are to be thrown for a computer player now."""
    return strength_of(prompt.thrower) is not None


READING_PATIENCE_S = 4.0
"""Seconds that this player waits for the board after a throw before doing something else."""


class SimulatedPlayer:
    """Plays all seats: throws when the board says so, holds, looks through the list, chooses.

    Args:
        tray: the dice.
        buttons: to be pressed.
        rng: decides what the dice will show, and what the player does.
        think_s: seconds between actions, in the frames' time.
        clumsy: share of throws, holds and presses in which something goes wrong.
        chooser: how dice are held and scored.
        better: how bets are made.

    Attributes:
        hands: throw the dice.
        bag: the bag and the cups of a game of bets.
        done: whether the end of the game was seen.
    """

    def __init__(
        self,
        tray: Tray,
        buttons: Presser,
        rng: np.random.Generator,
        *,
        think_s: float = 0.5,
        clumsy: float = 0.0,
        chooser: type[Chooser] = Chooser,
        better: type[Better] = Better,
    ) -> None:
        self.hands = Roller(tray, rng, clumsy=clumsy)
        self.bag = Bag(rng)
        self._buttons = buttons
        self._rng = rng
        self._think_s = think_s
        self._next_s = 0.0
        self._counted_events = 0
        self._part_types = chooser, better
        self.done = False
        self._begin_afresh((), 0)

    def _begin_afresh(self, players: Sequence[str], shared: int) -> None:
        chooser, better = self._part_types
        self._intent = Intent()
        self._chooser = chooser(self.hands, self._buttons, self._intent)
        self._answerer = Answerer(self.hands, self._buttons, self.bag, self._intent)
        self._better = better(self.hands, self._buttons, self.bag, self._intent, players, shared)

    @property
    def regrets(self) -> bool:
        """True if the last choice was wrong and is about to be taken back."""
        return self._intent.regrets

    def begin(self, session: Session) -> None:
        """Begins a game, or resumes one from what is on record."""
        self.hands.begin(session)
        bets = session.record.rules.bets(session.record.state)
        self._begin_afresh(session.record.setup.players, 0 if bets is None else bets.shared)
        self.bag.size = len(session.record.rules.dice_kinds)
        self._note_rules(session)
        self._counted_events = len(session.record.events)
        if not session.record.kinds or not session.record.events:
            # The game that was left may have been one with cups.
            self.bag.cups.clear()

    def _note_rules(self, session: Session) -> None:
        """A player knows the rules: which dice may be kept."""
        keeps = (choice for choice in session.record.choices if isinstance(choice, Keep))
        self._intent.allowed = frozenset(keep.slots for keep in keeps)

    def notice(self, happened: Happened) -> None:
        """Notes which die the board means by each slot, and when something was counted."""
        session = happened.session
        if session is None:
            if self.hands.serial:
                self.hands.leave_game()
            return
        if session.record.serial != self.hands.serial:
            self.begin(session)
        if isinstance(happened.input, Roll | Found):
            self._note_reading(happened.input, session, happened.time_s)
        self._note_rules(session)
        grown = len(session.record.events) - self._counted_events
        if not grown:
            return
        self._counted_events = len(session.record.events)
        if grown < 0:
            self._intent.regrets = False
        scored = session.scored if isinstance(happened.input, Decided) else None
        bets = session.record.rules.bets(session.record.state)
        if scored is not None and scored.points > 0 and bets is not None:
            # A person who takes the pot puts the dice back before; nobody else does it here.
            self.bag.deal(session.record.setup.players)
        counted_before = self.hands.counted
        self.hands.counted = count_throws_on_record(session)
        if self.hands.counted > counted_before:
            self._note_throw_counted()
        elif isinstance(happened.input, Drawn):
            if not self._intent.regrets:
                self._note_lot_drawn(happened.input.lot)
        elif grown > 0 and isinstance(session.record.events[-1], Choice):
            self._note_choice_on_record()

    def _note_reading(self, event: Roll | Found, session: Session, time_s: float) -> None:
        hands = self.hands
        # What is reported while the hand is at work is not about its throw.
        if hands.waits and not hands.tray.busy:
            hands.waits = False
            self._next_s = time_s + self._think_s
        hands.match_bodies_to_slots(event.dice, session, by_colour=self.bag.dealt)

    def _note_choice_on_record(self) -> None:
        """A choice is on record: the intended one, or one by a slip that is then regretted."""
        intent = self._intent
        if intent.label is not None:
            self._note_choice_counted(intent.label)
            intent.label = None
            intent.looks = None
            intent.keeps = None
        elif intent.slipped:
            # Only now: a press may get lost when the appliance restarts.
            intent.slipped = False
            intent.regrets = True

    def _note_lot_drawn(self, lot: Choice) -> None:
        """The appliance has drawn a lot; for subclasses that keep their own account."""

    def _note_choice_counted(self, label: str) -> None:
        """The appliance has counted an intended choice; likewise."""

    def _note_throw_counted(self) -> None:
        self.hands.pending.clear()
        self._intent.keeps = self._intent.looks = None
        self._chooser.throw_counted()

    def act(self, prompt: Prompt, time_s: float) -> None:
        """Does the next thing, if it is time and nothing is going on in the tray."""
        hands = self.hands
        if hands.tray.busy or self.done:
            # Somebody who has thrown gives the board time to read.
            self._next_s = time_s + (READING_PATIENCE_S if hands.waits else self._think_s)
            return
        if time_s < self._next_s:
            return
        hands.waits = False
        self._next_s = time_s + self._think_s
        self._answerer.see(prompt)
        if self._intent.regrets:
            # A wrong choice is taken back: BACK asks, OK does it.
            self._buttons.press(Button.OK if isinstance(prompt, UndoPrompt) else Button.BACK)
        elif not self._press_something_useless(prompt):
            self._respond(prompt)
        if hands.waits:
            # Even if nothing is seen of the throw, as when the camera has gone black.
            self._next_s = time_s + READING_PATIENCE_S

    def _respond(self, prompt: Prompt) -> None:
        if prompt.awaits_computer or self._better.answers(prompt) or self._answerer.answers(prompt):
            return
        match prompt:
            case DicePrompt() if must_throw_for_computer(prompt):
                free = [slot for slot in range(len(prompt.dice)) if slot not in prompt.held]
                self.hands.throw([self.hands.body_of_slot(slot) for slot in free])
            case ThrowPrompt():
                # Cups of a game that was left are put away.
                self.bag.cups.clear()
                self.hands.throw_first(prompt.slots)
            case RollOffPrompt():
                self.bag.cups.clear()
                self.hands.throw((0,))
            case DicePrompt():
                self._chooser.decide(prompt)
            case ChoicePrompt():
                self._chooser.choose(prompt)
            case OverPrompt():
                self.done = True
            case NoticePrompt():
                self._read(prompt)
            case _:
                self._buttons.press(Button.BACK)

    def _read(self, notice: NoticePrompt) -> None:
        if not notice.passing:
            self._buttons.press(Button.OK)

    def _press_something_useless(self, prompt: Prompt) -> bool:
        """Presses something useless now and then; returns whether it did."""
        harmless = (
            DicePrompt
            | ChoicePrompt
            | ThrowPrompt
            | betting.BetPrompt
            | betting.DealPrompt
            | betting.ShowPrompt
        )
        if not isinstance(prompt, harmless) or not self.hands.slip("wrong press", 0.3):
            return False
        buttons = [Button.LEFT, Button.RIGHT, Button.BACK, Button.HINT, *HOLD_BUTTONS]
        self._buttons.press(buttons[int(self._rng.integers(len(buttons)))])
        return True
