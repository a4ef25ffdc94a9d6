"""TRY A TURN: a newcomer throws, holds, chooses and scores, told step by step what to do.

The turn is one of Classic in a game of its own, of which nothing is kept. BACK ends it at once.
"""

from dataclasses import dataclass, replace

from appliance.inputs import Button, Pressed
from appliance.table.menu.console import Console, SettingUp
from appliance.table.menu.prompting import LessonPrompt
from appliance.table.prompts.prompt import Prompt
from appliance.table.prompts.turn import ChoicePrompt, DicePrompt, ThrowPrompt
from appliance.table.session.modes import Playing
from appliance.table.session.prompting import prompt
from appliance.table.session.session import Session, Setup, new_session
from appliance.table.session.step import Input, step
from appliance.table.session.tray import TrackedDice
from appliance.words import say
from games.values import Choice, Keep

LESSON_SERIAL = -1
"""The serial of its game, which no journal knows."""

_STEPS = (
    ("THROW 5 DICE", "INTO THE TRAY"),
    ("KEEP GOOD DICE:", "BUTTONS 1 TO 5"),
    ("A LINE: HELD.", "NOW THE OTHERS"),
    ("ENOUGH? OK:", "CHOOSE A BOX"),
    ("< > SHOW BOXES", "OK TAKES ONE"),
    ("THAT IS A TURN", "OK: READ ON"),
    ("A MISTAKE?", "BACK UNDOES IT"),
    ("WHAT IS BEST?", "HINT TELLS YOU"),
    ("ALL ELSE: HOLD", "OK FOR THE MENU"),
)
"""The lesson's steps, two lines each; from `_SCORED` on only to be read."""
_THROW, _HOLD, _OTHERS, _ENOUGH, _CHOOSE, _SCORED = range(6)
_IN_DOUBT = ("NOT SURE, SO", "IT ASKS YOU")
_LAST_ROLL = ("3 ROLLS ARE ALL", "OK: NOW A BOX")


def open_lesson(console: Console) -> Console:
    """Begins the lesson, over the game or the menu."""
    setup = Setup("classic", (say("YOU"),), (("first", 0),))
    session = replace(new_session(setup, LESSON_SERIAL), tray=console.tray)
    return console.push(Lesson(session))


@dataclass(frozen=True, slots=True)
class Lesson(SettingUp):
    """A turn that counts nowhere.

    Attributes:
        session: the turn so far.
        read: which step is read, once something was scored.
        acted: whether the newcomer has just done something: what it did is shown first.
    """

    session: Session
    read: int = _SCORED
    acted: bool = False

    @property
    def at(self) -> int:
        """Which step comes next, from 0. What was left out does not come again."""
        events = self.session.record.events
        if any(isinstance(e, Choice) and not isinstance(e, Keep) for e in events):
            return self.read
        match self._asked:
            case ChoicePrompt():
                return _CHOOSE
            case DicePrompt(roll=1, held=held):
                return _OTHERS if held else _HOLD
            case DicePrompt():
                return _ENOUGH
            case _:
                return _THROW

    @property
    def _asked(self) -> Prompt:
        """The game's question, behind what is looked at."""
        shown = prompt(self.session)
        return prompt(replace(self.session, mode=Playing())) if shown.only_looked_at else shown

    def prompt(self, console: Console) -> Prompt:
        """The step to take next, and what the board shows of it in a game."""
        at = self.at
        if at >= _SCORED:
            return LessonPrompt(_STEPS[at], at, len(_STEPS))
        asked, lines = self._asked, _STEPS[at]
        if isinstance(asked, DicePrompt) and not asked.may_roll:
            lines = _LAST_ROLL
        elif not isinstance(asked, ThrowPrompt | DicePrompt | ChoicePrompt):
            lines = _IN_DOUBT
        return LessonPrompt(lines, at, len(_STEPS), prompt(self.session), self.acted)

    def pressed(self, console: Console, press: Pressed) -> Console:
        """BACK and a long OK end it, HINT tells the step again; all else is as in a game."""
        if press.button is Button.BACK:
            return _leave_lesson(console)
        if press.long and press.button is Button.OK:
            return _leave_lesson(console).close()
        if self.at >= _SCORED:
            return self._read_on(console, press.button)
        if press.button is Button.HINT:
            return console.replace_top(replace(self, acted=False))
        return self.happened(console, press)

    def _read_on(self, console: Console, button: Button) -> Console:
        if button is Button.LEFT:
            return console.replace_top(replace(self, read=max(self.read - 1, _SCORED)))
        if self.read + 1 == len(_STEPS):
            return _leave_lesson(console)
        return console.replace_top(replace(self, read=self.read + 1))

    def happened(self, console: Console, happened: Input) -> Console:
        """The console after a press, or something in the tray, that belongs to the lesson."""
        after = replace(self, session=step(self.session, happened))
        acted = isinstance(happened, Pressed) and after.at == self.at
        return console.replace_top(replace(after, acted=acted))


def _leave_lesson(console: Console) -> Console:
    """The console without the lesson; a game below asks for its throw with what lies there now."""
    console, session = console.back(), console.session
    if session is None:
        return console
    tracked = TrackedDice(by_hand=session.tracked.by_hand)
    return replace(console, session=replace(session, tray=console.tray, tracked=tracked))
