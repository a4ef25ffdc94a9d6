"""A two-minute tutorial that leads a newcomer through a turn at the keyboard, a line per step."""

from collections.abc import Callable
from dataclasses import dataclass

from appliance.simulator.people.roller import Roller
from appliance.table.prompts.hints import HintPrompt
from appliance.table.prompts.looking import UndoPrompt
from appliance.table.prompts.prompt import Prompt
from appliance.table.prompts.trouble import ClashPrompt, CountPrompt, FacePrompt
from appliance.table.prompts.turn import ChoicePrompt, DicePrompt, ThrowPrompt
from appliance.words import say
from simulator.motion.acts import Mishap

ShowsDone = Callable[[Prompt | None, Prompt], bool]
"""A check that the board's previous and present prompts show that something was done."""


@dataclass(frozen=True, slots=True)
class TutorialStep:
    """One step.

    Attributes:
        line: what to do, and why.
        done: whether the board shows that it was done.
        follows: whether it counts only after the step before it; others may be done early.
        mishap: what goes wrong with the throw that this step asks for.
    """

    line: str
    done: ShowsDone
    follows: bool = False
    mishap: Mishap | None = None


def _board_shows(*kinds: type) -> ShowsDone:
    return lambda _, now: isinstance(now, kinds)


def _score_was_entered(before: Prompt | None, now: Prompt) -> bool:
    return isinstance(before, ChoicePrompt) and isinstance(now, ThrowPrompt)


TUTORIAL_STEPS = (
    TutorialStep(
        "SPACE throws the five dice. The camera reads them when they stop.",
        _board_shows(DicePrompt),
    ),
    TutorialStep(
        "1 to 5 hold a die or let it go. Hold the dice you want to keep.",
        lambda _, now: isinstance(now, DicePrompt) and bool(now.held),
    ),
    TutorialStep(
        "SPACE rolls the others. Three rolls make a turn.",
        lambda _, now: isinstance(now, DicePrompt) and now.roll > 1,
    ),
    TutorialStep("h asks for a hint: what is best to hold or to score.", _board_shows(HintPrompt)),
    TutorialStep(
        "h or b closes the hint. ENTER ends the rolls: now choose a box.",
        _board_shows(ChoicePrompt),
    ),
    TutorialStep(
        "LEFT and RIGHT go through the boxes, ENTER scores. A zero needs a second ENTER.",
        _score_was_entered,
    ),
    TutorialStep("A mistake? u offers to undo it.", _board_shows(UndoPrompt)),
    TutorialStep(
        "ENTER undoes the choice.",
        _board_shows(ChoicePrompt, DicePrompt),
        follows=True,
    ),
    TutorialStep("Score again: ENTER, arrows, ENTER.", _score_was_entered, follows=True),
    TutorialStep(
        "Not every throw lands well. SPACE: this time a die will lean.",
        _board_shows(FacePrompt, CountPrompt, ClashPrompt),
        follows=True,
        mishap=Mishap.LEANING,
    ),
    TutorialStep(
        "It asks rather than guesses. SPACE throws again; or arrows and ENTER say what it shows.",
        _board_shows(DicePrompt),
        follows=True,
    ),
)

FINISHED_LINE = "That is all there is to it. Play on as long as you like; q quits."


class Tutorial:
    """Moves on to the next step when the board shows that one was done."""

    def __init__(self, hands: Roller) -> None:
        self._hands = hands
        self._done: set[int] = set()
        self._next = 0
        self._before: Prompt | None = None

    def see(self, prompt: Prompt) -> str:
        """The line to show with the board's present prompt."""
        self._done |= {
            number
            for number, step in enumerate(TUTORIAL_STEPS)
            if (not step.follows or number - 1 in self._done) and step.done(self._before, prompt)
        }
        self._before = prompt
        while self._next in self._done:
            self._next += 1
            if self._next < len(TUTORIAL_STEPS):
                self._hands.next_mishap = TUTORIAL_STEPS[self._next].mishap
        if self._next == len(TUTORIAL_STEPS):
            return say(FINISHED_LINE)
        return say(
            "{step} of {count}: {line}",
            step=self._next + 1,
            count=len(TUTORIAL_STEPS),
            line=say(TUTORIAL_STEPS[self._next].line),
        )
