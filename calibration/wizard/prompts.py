"""What the board says at each stage."""

from dataclasses import dataclass

from calibration.accuracy import accuracy_on_board, dice_needed, next_goal
from calibration.problems import Problem
from calibration.wizard.stages import (
    CHECK_THROWS,
    COUNTED_STEPS,
    FLOOR_STEPS,
    TAKES_PER_FACE,
    WizardStage,
    WizardStep,
)
from calibration.wizard.state import Wizard
from vision.reading import POWER_FACES, Face


@dataclass(frozen=True, slots=True)
class StagePrompt:
    """A stage before the check.

    Attributes:
        title: what it is about.
        place: which step of how many, such as 3/9.
        says: what to do, one line per page.
        problem: why it is refused; empty where it is not.
        quality: of what is seen, 0 to 1; None before anything was seen.
        good: whether OK continues.
        beside: what LEFT and RIGHT do, in one line; empty where they do nothing.
        outline: where the tray was found, as `Seen.outline`; empty where it is not shown.
    """

    title: str
    place: str
    says: tuple[str, ...]
    problem: str
    quality: float | None
    good: bool
    beside: str = ""
    outline: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True, slots=True)
class CheckPrompt:
    """A throw of the check.

    Attributes:
        number: of this throw, from 1.
        count: how many there are.
        faces: what the dice show; None while waiting for a throw.
        chosen: the die that is being corrected.
    """

    number: int
    count: int
    faces: tuple[Face | None, ...] | None
    chosen: int | None


@dataclass(frozen=True, slots=True)
class ResultPrompt:
    """The accuracy statement, two lines per page; OK keeps the profile.

    Attributes:
        pages: of two lines each.
        problem: why it could not be kept; empty where nothing is wrong.
    """

    pages: tuple[tuple[str, str], ...]
    problem: str = ""


WizardPrompt = StagePrompt | CheckPrompt | ResultPrompt

_LINES_BY_STEP: dict[WizardStep, tuple[str, ...]] = {
    WizardStep.LIGHT: ("LIGHT ON", "LAY IN DICE", "HANDS OFF"),
    WizardStep.TRAY: ("TAKE DICE OUT", "4 MARKERS", "ALL IN SIGHT"),
    WizardStep.EMPTY: ("TAKE ALL OUT", "HANDS OFF"),
    WizardStep.HOLDER: ("DICE IN HOLDER", "FIRST AND LAST", "OR RIGHT: NONE"),
}


def wizard_prompt(wizard: Wizard) -> WizardPrompt:
    """What the board says now."""
    match wizard.stage.step:
        case WizardStep.CHECK:
            throw = wizard.throw
            return CheckPrompt(
                wizard.throws + 1,
                CHECK_THROWS,
                None if throw is None else throw.faces,
                None if throw is None else throw.chosen,
            )
        case WizardStep.RESULT:
            refusal = wizard.refusal
            problem = "" if refusal is None or refusal.problem is None else refusal.problem.value
            return ResultPrompt(result_pages(wizard), problem)
        case step:
            return _stage_prompt(wizard, step)


def result_pages(wizard: Wizard) -> tuple[tuple[str, str], ...]:
    """What was found, and what more dice would show."""
    check = wizard.check
    pages = [accuracy_on_board(check)]
    goal = next_goal(check)
    more = dice_needed(check, goal) if check.dice else 0
    if more:
        pages.append((f"{more} MORE", f"FOR < {goal * 100:g}%"))
    off = None if wizard.draft is None else wizard.draft.off_mm
    if off is not None:
        pages.append(("PLACES", f"WITHIN {off:.1f} MM"))
    return tuple(pages)


def _stage_prompt(wizard: Wizard, step: WizardStep) -> StagePrompt:
    # The size of the floor cannot be seen: there is nothing to check.
    verdict = None if step in FLOOR_STEPS else wizard.verdict
    counted = WizardStep.TRAY if step in FLOOR_STEPS else step
    problem = "" if verdict is None or verdict.problem is None else verdict.problem.value
    return StagePrompt(
        title=_stage_title(wizard.stage),
        place=f"{COUNTED_STEPS.index(counted) + 1}/{len(COUNTED_STEPS)}",
        says=_lines_to_say(wizard),
        problem=problem,
        quality=None if verdict is None else verdict.quality,
        good=verdict is not None and verdict.good,
        beside=_line_beside(wizard),
        outline=() if wizard.seen is None else wizard.seen.outline,
    )


def _stage_title(stage: WizardStage) -> str:
    if stage.step is not WizardStep.POWER:
        return stage.step.value
    return f"FACE {POWER_FACES.index(stage.face) + 1} {'AB'[stage.take % TAKES_PER_FACE]}"


def _lines_to_say(wizard: Wizard) -> tuple[str, ...]:
    stage, verdict = wizard.stage, wizard.verdict
    match stage.step:
        case _ if verdict is not None and verdict.problem is Problem.GLARE_DIE:
            return ("MOVE THE DIE", "OR THE LAMP", "PAPER OVER LAMP")
        case WizardStep.TRAY if wizard.by_rim:
            return _lines_about_floor(wizard)
        case WizardStep.TRAY if wizard.no_markers:
            return ("USE THE RIM?", "OK: USE RIM")
        case step if step in FLOOR_STEPS:
            return ()
        case WizardStep.RIM:
            seen = wizard.seen is not None and wizard.seen.found > 0
            entered = f"OR RIM {wizard.rim_mm:g} MM" if wizard.rim_set else "OR SET RIM"
            return ("BOARD SEEN",) if seen else ("LAY IN BOARD", entered)
        case WizardStep.DICE:
            return ("LAY IN APART", wizard.dice.title)
        case WizardStep.POWER if stage.take:
            return ("TURN IT A BIT", _line_to_show_face(stage))
        case WizardStep.POWER:
            return (_line_to_show_face(stage), "ONLY POWER DIE")
        case step:
            return _LINES_BY_STEP[step]


def _lines_about_floor(wizard: Wizard) -> tuple[str, ...]:
    width, depth = wizard.floor
    size = f"{width:.0f}x{depth:.0f} MM"
    seen = wizard.seen
    if seen is None or seen.off_mm is None:
        return (size, "HANDS OFF")
    return ("IS THIS IT?", size, f"WITHIN {seen.off_mm:.1f} MM")


def _line_to_show_face(stage: WizardStage) -> str:
    return f"SHOW {stage.face.upper()}"


def _line_beside(wizard: Wizard) -> str:
    match wizard.stage.step:
        case WizardStep.TRAY if wizard.by_rim:
            return "< OTHER SIZE >"
        case WizardStep.WIDTH:
            return f"< {wizard.floor[0]:.0f} MM >"
        case WizardStep.DEPTH:
            return f"< {wizard.floor[1]:.0f} MM >"
        case WizardStep.RIM:
            return f"< {wizard.rim_mm:g} MM >"
        case WizardStep.DICE:
            return "< OTHER SET >"
        case WizardStep.POWER | WizardStep.HOLDER:
            return "RIGHT: SKIP"
        case _:
            return ""
