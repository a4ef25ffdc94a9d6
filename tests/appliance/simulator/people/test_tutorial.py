"""The tutorial moves on when the board shows that a step was done."""

from dataclasses import replace
from typing import Any

import numpy as np

from appliance.simulator.people.roller import Roller
from appliance.simulator.people.tutorial import FINISHED_LINE, TUTORIAL_STEPS, Tutorial
from appliance.table.menu.prompting import NoticePrompt
from appliance.table.prompts.hints import HintPrompt
from appliance.table.prompts.looking import UndoPrompt
from appliance.table.prompts.prompt import Prompt
from appliance.table.prompts.trouble import FacePrompt
from appliance.table.prompts.turn import ChoicePrompt, DicePrompt, ThrowPrompt
from games.values import Points
from simulator.motion.acts import Mishap
from vision.reading import DieState, TrayState

ALL = (0, 1, 2, 3, 4)
THROW = ThrowPrompt("YOU", 1, 3, "", ALL, None, TrayState.STILL, take=False)
ROLLED = DicePrompt("YOU", 1, 3, (1, 1, 2, 3, 4), (), "", may_roll=True, tray=TrayState.STILL)
HELD = replace(ROLLED, held=(0, 1))
CHOICE = ChoicePrompt("YOU", "ONES", Points(2), 0, 13, (1, 1, 2, 3, 4))
LEANS = FacePrompt("2ND DIE", 1, 3, DieState.LEANING, (1, None, 2, 3, 4))
HINT = HintPrompt.__new__(HintPrompt)
UNDO = UndoPrompt("ANNA", "ONES", 1)

WAY: tuple[Prompt, ...] = (
    ROLLED,
    HELD,
    replace(HELD, roll=2),
    HINT,
    CHOICE,
    THROW,
    UNDO,
    CHOICE,
    THROW,
    LEANS,
    ROLLED,
)


class Thrown:
    """A tray that records what went wrong with each throw."""

    def __init__(self) -> None:
        self.mishaps: list[dict[int, Mishap]] = []

    def kind(self, die: int) -> Any:
        return None

    def throw(self, faces: dict[int, Any], mishaps: dict[int, Mishap]) -> None:
        self.mishaps.append(dict(mishaps))


def hands(tray: Thrown) -> Roller:
    return Roller(tray, np.random.default_rng(1))  # type: ignore[arg-type]


def test_each_step_is_shown_until_the_board_shows_that_it_was_done() -> None:
    tutorial = Tutorial(hands(Thrown()))
    assert len(WAY) == len(TUTORIAL_STEPS)
    shown = [tutorial.see(THROW)]
    for prompt in WAY:
        meanwhile = CHOICE if prompt is THROW else NoticePrompt((("WELCOME", "BACK"),))
        assert tutorial.see(meanwhile) == shown[-1]
        shown.append(tutorial.see(prompt))
    assert shown == [
        *(f"{k + 1} of 11: {step.line}" for k, step in enumerate(TUTORIAL_STEPS)),
        FINISHED_LINE,
    ]


def test_the_throw_that_lands_badly_is_the_one_it_speaks_of_and_no_other() -> None:
    tray = Thrown()
    roller = hands(tray)
    tutorial = Tutorial(roller)
    for prompt in (THROW, *WAY[:-2]):
        roller.throw(ALL)
        tutorial.see(prompt)
    roller.throw(ALL)
    roller.throw(ALL)
    assert tray.mishaps == [*({} for _ in WAY[:-1]), {0: Mishap.LEANING}, {}]


def test_all_lines_fit_a_terminal() -> None:
    tutorial = Tutorial(hands(Thrown()))
    lines = [tutorial.see(THROW), *(tutorial.see(prompt) for prompt in WAY)]
    assert max(map(len, lines)) <= 100


def test_what_is_done_early_is_not_asked_for_again() -> None:
    tutorial = Tutorial(hands(Thrown()))
    for prompt in (THROW, ROLLED, HINT, ROLLED, CHOICE, THROW):
        line = tutorial.see(prompt)
        assert "h asks" not in line
    assert line == f"7 of 11: {TUTORIAL_STEPS[6].line}"
    assert tutorial.see(ROLLED) == f"2 of 11: {TUTORIAL_STEPS[1].line}"
    tutorial.see(HELD)
    tutorial.see(replace(HELD, roll=2))
    assert tutorial.see(THROW) == f"7 of 11: {TUTORIAL_STEPS[6].line}"


def test_it_leaves_its_line_when_somebody_does_something_else() -> None:
    tutorial = Tutorial(hands(Thrown()))
    for prompt in (THROW, ROLLED):
        tutorial.see(prompt)
    # Nothing is held: they choose at once.
    assert tutorial.see(CHOICE) == f"4 of 11: {TUTORIAL_STEPS[3].line}"
    assert tutorial.see(HINT) == f"6 of 11: {TUTORIAL_STEPS[5].line}"
    assert tutorial.see(CHOICE) == f"6 of 11: {TUTORIAL_STEPS[5].line}"
    last = replace(ROLLED, roll=3, may_roll=False)
    for prompt in (THROW, ROLLED, last):
        line = tutorial.see(prompt)
    assert line == f"5 of 11: {TUTORIAL_STEPS[4].line}"


def test_an_undo_done_early_leaves_nothing_to_score_again() -> None:
    tutorial = Tutorial(hands(Thrown()))
    for prompt in (THROW, ROLLED, UNDO, ROLLED, HELD, replace(HELD, roll=2), HINT, CHOICE):
        tutorial.see(prompt)
    assert tutorial.see(THROW) == f"10 of 11: {TUTORIAL_STEPS[9].line}"
