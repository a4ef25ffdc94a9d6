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


Fits = Callable[[Prompt], bool]
"""A check that what a line says can be done while the board shows a prompt."""


def _board_shows(*kinds: type) -> ShowsDone:
    return lambda _, now: isinstance(now, kinds)


def _while_board_shows(*kinds: type) -> Fits:
    return lambda now: isinstance(now, kinds)


def _may_roll(now: Prompt) -> bool:
    return isinstance(now, DicePrompt) and now.may_roll


@dataclass(frozen=True, slots=True)
class TutorialStep:
    """One step.

    Attributes:
        line: what to do, and why.
        done: whether the board shows that it was done.
        fits: whether it can be done while the board shows a prompt.
        waits: whether it is shown only after the step before it.
        follows: whether it also counts only after that; others may be done early.
        mishap: what goes wrong with the throw that this step asks for.
    """

    line: str
    done: ShowsDone
    fits: Fits
    waits: bool = False
    follows: bool = False
    mishap: Mishap | None = None


def _score_was_entered(before: Prompt | None, now: Prompt) -> bool:
    return isinstance(before, ChoicePrompt) and isinstance(now, ThrowPrompt)


_TO_THROW = _while_board_shows(ThrowPrompt)
_TO_CHOOSE = _while_board_shows(DicePrompt, ChoicePrompt, HintPrompt)

TUTORIAL_STEPS = (
    TutorialStep(
        "SPACE throws the five dice. The camera reads them when they stop.",
        _board_shows(DicePrompt),
        _TO_THROW,
    ),
    TutorialStep(
        "1 to 5 hold a die or let it go. Hold the dice you want to keep.",
        lambda _, now: isinstance(now, DicePrompt) and bool(now.held),
        _may_roll,
    ),
    TutorialStep(
        "SPACE rolls the others. Three rolls make a turn.",
        lambda _, now: isinstance(now, DicePrompt) and now.roll > 1,
        _may_roll,
    ),
    TutorialStep(
        "h asks for a hint: what is best to hold or to score.",
        _board_shows(HintPrompt),
        _TO_CHOOSE,
    ),
    TutorialStep(
        "h or b closes the hint. ENTER ends the rolls: now choose a box.",
        _board_shows(ChoicePrompt),
        _while_board_shows(DicePrompt, HintPrompt),
    ),
    TutorialStep(
        "LEFT and RIGHT go through the boxes, ENTER scores. A zero needs a second ENTER.",
        _score_was_entered,
        _while_board_shows(ChoicePrompt, HintPrompt),
    ),
    TutorialStep(
        "A mistake? u offers to undo it.", _board_shows(UndoPrompt), _TO_THROW, waits=True
    ),
    TutorialStep(
        "ENTER undoes the choice.",
        _board_shows(ChoicePrompt, DicePrompt),
        _while_board_shows(UndoPrompt),
        follows=True,
    ),
    TutorialStep(
        "Score again: ENTER, arrows, ENTER.", _score_was_entered, _TO_CHOOSE, follows=True
    ),
    TutorialStep(
        "Not every throw lands well. SPACE: this time a die will lean.",
        _board_shows(FacePrompt, CountPrompt, ClashPrompt),
        _TO_THROW,
        follows=True,
        mishap=Mishap.LEANING,
    ),
    TutorialStep(
        "When unsure, dicetray asks. SPACE throws again; or arrows and ENTER say what it shows.",
        _board_shows(DicePrompt),
        _while_board_shows(FacePrompt, CountPrompt, ClashPrompt),
        follows=True,
    ),
)

FINISHED_LINE = "That is all there is to it. Play on as long as you like; q quits."


class Tutorial:
    """Shows the first step that is not done yet and can be done now: what else is done is fine."""

    def __init__(self, hands: Roller) -> None:
        self._hands = hands
        self._done: set[int] = set()
        self._shown: int | None = None
        self._before: Prompt | None = None

    def see(self, prompt: Prompt) -> str:
        """The line to show with the board's present prompt."""
        self._done |= {
            number
            for number, step in enumerate(TUTORIAL_STEPS)
            if (not step.follows or number - 1 in self._done) and step.done(self._before, prompt)
        }
        self._before = prompt
        left = [n for n in range(len(TUTORIAL_STEPS)) if n not in self._done]
        if not left:
            return say(FINISHED_LINE)
        every = range(len(TUTORIAL_STEPS))
        fitting = [n for n in every if self._fits(n, prompt)]
        # Where nothing new can be done, what was done before is said again. While something else is
        # on the board, such as a menu, the line stays.
        stays = self._shown if self._shown in left else left[0]
        shown = next((n for n in fitting if n in left), fitting[-1] if fitting else stays)
        if shown != self._shown:
            self._shown = shown
            self._hands.next_mishap = TUTORIAL_STEPS[shown].mishap
        return say(
            "{step} of {count}: {line}",
            step=shown + 1,
            count=len(TUTORIAL_STEPS),
            line=say(TUTORIAL_STEPS[shown].line),
        )

    def _fits(self, number: int, prompt: Prompt) -> bool:
        """True if a step can be done now."""
        step = TUTORIAL_STEPS[number]
        waits = (step.waits or step.follows) and number - 1 not in self._done
        return not waits and step.fits(prompt)
