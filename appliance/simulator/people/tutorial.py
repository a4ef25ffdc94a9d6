"""Two minutes that lead a newcomer through a turn at the keyboard: one line for each step."""

from collections.abc import Callable
from dataclasses import dataclass

from appliance.simulator.motion.acts import Mishap
from appliance.simulator.people.roller import Roller
from appliance.table.menu.prompting import ConsolePrompt
from appliance.table.prompts import (
    ChoicePrompt,
    ClashPrompt,
    CountPrompt,
    DicePrompt,
    FacePrompt,
    ThrowPrompt,
    UndoPrompt,
)
from appliance.table.session.hinting import HintPrompt


@dataclass(frozen=True, slots=True)
class TutorialStep:
    """One step.

    Attributes:
        line: what to do, and why.
        done: whether what the board says now shows that it was done.
        mishap: what goes wrong with the throw that this step asks for.
    """

    line: str
    done: Callable[[ConsolePrompt], bool]
    mishap: Mishap | None = None


def _shows(*kinds: type) -> Callable[[ConsolePrompt], bool]:
    return lambda prompt: isinstance(prompt, kinds)


STEPS = (
    TutorialStep(
        "SPACE throws the five dice. The camera reads them once they lie still.", _shows(DicePrompt)
    ),
    TutorialStep(
        "1 to 5 hold a die, and let go of it. Hold the dice you want to keep.",
        lambda prompt: isinstance(prompt, DicePrompt) and bool(prompt.held),
    ),
    TutorialStep(
        "SPACE rolls the others. Three rolls make a turn.",
        lambda prompt: isinstance(prompt, DicePrompt) and prompt.roll > 1,
    ),
    TutorialStep("h asks for a hint: what is best to hold or to score.", _shows(HintPrompt)),
    TutorialStep(
        "h or b closes the hint. ENTER ends the rolls: now choose a box.", _shows(ChoicePrompt)
    ),
    TutorialStep(
        "LEFT and RIGHT look through the boxes, ENTER scores. A zero is asked twice.",
        _shows(ThrowPrompt),
    ),
    TutorialStep("A mistake? u offers to undo it.", _shows(UndoPrompt)),
    TutorialStep("ENTER undoes the choice.", _shows(ChoicePrompt, DicePrompt)),
    TutorialStep("Score again: ENTER, arrows, ENTER.", _shows(ThrowPrompt)),
    TutorialStep(
        "Not every throw lands well. SPACE: this time a die comes to lean.",
        _shows(FacePrompt, CountPrompt, ClashPrompt),
        Mishap.LEANING,
    ),
    TutorialStep(
        "It asks rather than guesses. SPACE throws again; or arrows and ENTER say what it shows.",
        _shows(DicePrompt),
    ),
)

FINISHED = "That is all there is to it. Play on as long as you like; q quits."


class Tutorial:
    """Goes on to the next step when the board shows that one was done.

    Args:
        hands: throw the dice.
    """

    def __init__(self, hands: Roller) -> None:
        self._hands = hands
        self._next = 0

    def see(self, prompt: ConsolePrompt) -> str:
        """The line to show with what the board says now."""
        while self._next < len(STEPS) and STEPS[self._next].done(prompt):
            self._next += 1
            if self._next < len(STEPS):
                self._hands.next_mishap = STEPS[self._next].mishap
        if self._next == len(STEPS):
            return FINISHED
        return f"{self._next + 1} of {len(STEPS)}: {STEPS[self._next].line}"
