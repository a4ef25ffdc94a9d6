"""How the wizard advances: one event in, the next state out."""

import math
from dataclasses import replace
from itertools import takewhile

from calibration.rim.rectangles import FLOOR_RATIO_RANGE
from calibration.wizard import state
from calibration.wizard.stages import (
    CHECK_THROWS,
    DICE_SETS,
    FLOOR_STEPS,
    WizardStage,
    WizardStep,
    stage_after,
)


def advance(wizard: state.Wizard, event: state.Event) -> state.Wizard:
    """The wizard after an event; its requests are to be carried out before the next event.

    A measurement for any stage but the present one changes nothing.
    """
    wizard = replace(wizard, requests=())
    if wizard.ended and not isinstance(event, state.NotStored):
        return wizard
    match event:
        case state.Press():
            return _after_press(replace(wizard, refusal=None), event)
        case state.Seen(stage, verdict) if stage == wizard.stage:
            # A refusal stands until the live verdict finds the same fault itself.
            refusal = wizard.refusal if verdict.good else None
            return replace(wizard, seen=event, refusal=refusal)
        case state.Took(stage, draft) if wizard.waiting and stage == wizard.stage:
            rough = (
                state.warning_if_rough(draft, wizard.sight)
                if stage.step is WizardStep.RIM and not wizard.warned
                else None
            )
            if rough is not None:
                # Said once: players with neither a board nor a better ruler may continue.
                return replace(wizard, waiting=False, refusal=rough, warned=True)
            return _go_on(replace(wizard, draft=draft))
        case state.Refused(stage, verdict) if wizard.waiting and stage == wizard.stage:
            return replace(wizard, waiting=False, refusal=verdict)
        case state.Locked(controls):
            return replace(wizard, controls=dict(controls))
        case state.Rested(dice) if (
            wizard.stage.step is WizardStep.CHECK and 0 < len(dice) <= state.MAX_CHECKED_DICE
        ):
            return replace(wizard, throw=state.CheckedThrow(dice, tuple(die.value for die in dice)))
        case state.NotStored() if wizard.stage.step is WizardStep.RESULT:
            return replace(wizard, ended=False, refusal=state.NOT_STORED)
        case _:
            return wizard


def _go_on(wizard: state.Wizard, skip: bool = False) -> state.Wizard:
    """The next stage; this one is kept so that BACK can return to it."""
    stage = stage_after(wizard.stage, wizard.dice, skip)
    if stage.step is WizardStep.RIM and wizard.draft is not None and wizard.draft.layout is None:
        # Only markers lie as high as the rim.
        stage = stage_after(stage, wizard.dice)
    return _go_to(wizard, stage)


def _go_to(wizard: state.Wizard, stage: WizardStage) -> state.Wizard:
    here = replace(wizard, behind=(), waiting=False, requests=(), refusal=None)
    return replace(here, behind=(*wizard.behind, here), stage=stage, seen=None, throw=None)


def _go_back(wizard: state.Wizard) -> state.Wizard:
    if not wizard.behind:
        return replace(wizard, ended=True, waiting=False, requests=(state.Restore(),))
    before = wizard.behind[-1]
    # What the stage returned to had measured is measured again.
    draft = wizard.behind[-2].draft if len(wizard.behind) > 1 else None
    again = replace(before, behind=wizard.behind[:-1], draft=draft, seen=None)
    return (
        replace(again, requests=(state.Unlock(),))
        if again.stage.step is WizardStep.LIGHT
        else again
    )


def _after_press(wizard: state.Wizard, press: state.Press) -> state.Wizard:
    step = wizard.stage.step
    if step is WizardStep.CHECK:
        return _press_in_check(wizard, press)
    match press.key:
        case state.Key.BACK:
            return _go_back(wizard)
        case state.Key.OK if step is WizardStep.RESULT:
            return _store_profile(wizard)
        case state.Key.OK if wizard.no_markers:
            # A size entered for the previous profile is shown along with what is found.
            return (
                _search_by_rim(wizard)
                if wizard.floor_mm
                else _go_to(wizard, WizardStage(WizardStep.WIDTH))
            )
        case state.Key.OK if step in FLOOR_STEPS:
            measured = replace(wizard, floor_mm=wizard.floor)
            return _search_by_rim(measured) if step is WizardStep.DEPTH else _go_on(measured)
        case state.Key.OK if wizard.seen is not None and wizard.seen.verdict.good:
            if step is WizardStep.LIGHT:
                return replace(_go_on(wizard), requests=(state.Lock(),))
            return replace(wizard, waiting=True, requests=(state.TakePictures(wizard.stage),))
        case state.Key.LEFT | state.Key.RIGHT:
            by = state.STEPS_OF_LONG_PRESS if press.long else 1
            return _after_left_or_right(wizard, by if press.key is state.Key.RIGHT else -by)
        case _:
            return wizard


def _after_left_or_right(wizard: state.Wizard, by: int) -> state.Wizard:
    """LEFT and RIGHT choose, where there is something to choose; RIGHT skips what is optional."""
    match wizard.stage.step:
        case WizardStep.TRAY if wizard.by_rim:
            return _ask_floor_again(wizard)
        case WizardStep.WIDTH | WizardStep.DEPTH as step:
            resized = _resize_floor(wizard.floor, step, by * state.FLOOR_STEP_MM)
            return replace(wizard, floor_mm=resized)
        case WizardStep.RIM:
            lowest, highest = state.RIM_HEIGHT_RANGE_MM
            height = min(max(wizard.rim_mm + by * state.RIM_STEP_MM, lowest), highest)
            return replace(wizard, rim_mm=height, rim_set=True, waiting=False)
        case WizardStep.DICE:
            chosen = (wizard.dice_set + (1 if by > 0 else -1)) % len(DICE_SETS)
            return replace(wizard, dice_set=chosen, seen=None, waiting=False)
        case WizardStep.POWER | WizardStep.HOLDER if by > 0:
            return _skip_stage(wizard)
        case _:
            return wizard


def _search_by_rim(wizard: state.Wizard) -> state.Wizard:
    return replace(_go_to(wizard, WizardStage(WizardStep.TRAY)), by_rim=True)


def _ask_floor_again(wizard: state.Wizard) -> state.Wizard:
    """Back to the question of how large the floor is, showing what was entered."""
    before = takewhile(
        lambda one: one.stage.step is WizardStep.LIGHT or one.no_markers, wizard.behind
    )
    return replace(
        wizard,
        behind=tuple(before),
        stage=WizardStage(WizardStep.WIDTH),
        seen=None,
        refusal=None,
        waiting=False,
    )


def _resize_floor(floor: tuple[float, float], step: WizardStep, by: float) -> tuple[float, float]:
    """The floor with another width or depth, millimetres; the width is never the smaller one."""
    width, depth = floor
    least, most = state.FLOOR_SIDE_RANGE_MM
    if step is WizardStep.WIDTH:
        width = min(max(width + by, least), most)
    else:
        depth += by
    narrowest = max(least, float(math.ceil(width / FLOOR_RATIO_RANGE[1])))
    return width, min(max(depth, narrowest), width)


def _skip_stage(wizard: state.Wizard) -> state.Wizard:
    draft = wizard.draft
    if draft is not None and wizard.stage.step is WizardStep.POWER:
        # Some faces without the others would be worse than none.
        draft = replace(draft, profile=replace(draft.profile, power_faces=()))
    return _go_on(replace(wizard, draft=draft), skip=True)


def _press_in_check(wizard: state.Wizard, press: state.Press) -> state.Wizard:
    throw = wizard.throw
    if throw is None:
        return _go_back(wizard) if press.key is state.Key.BACK else wizard
    count, chosen = len(throw.dice), throw.chosen
    match press.key:
        case state.Key.HOLD if press.slot < count:
            throw = replace(throw, chosen=None if chosen == press.slot else press.slot)
        case state.Key.LEFT | state.Key.RIGHT if chosen is None:
            throw = replace(throw, chosen=0 if press.key is state.Key.RIGHT else count - 1)
        case state.Key.LEFT | state.Key.RIGHT:
            throw = _step_face(throw, chosen or 0, 1 if press.key is state.Key.RIGHT else -1)
        case state.Key.OK | state.Key.BACK if chosen is not None:
            throw = replace(throw, chosen=None)
        case state.Key.OK:
            return _count_throw(wizard, throw)
        case state.Key.BACK:
            return replace(wizard, throw=None)
        case _:
            pass
    return replace(wizard, throw=throw)


def _step_face(throw: state.CheckedThrow, which: int, by: int) -> state.CheckedThrow:
    faces = throw.dice[which].faces
    now = throw.faces[which]
    if now in faces:
        face = faces[(faces.index(now) + by) % len(faces)]
    else:
        face = faces[0] if by > 0 else faces[-1]
    corrected = (*throw.faces[:which], face, *throw.faces[which + 1 :])
    return replace(throw, faces=corrected)


def _count_throw(wizard: state.Wizard, throw: state.CheckedThrow) -> state.Wizard:
    check = wizard.check.with_throw(*throw.claimed_and_wrong)
    done = replace(wizard, check=check, throws=wizard.throws + 1, throw=None)
    if done.throws < CHECK_THROWS:
        return done
    # Coming back restarts the check: the ten throws belong together.
    before = replace(wizard, check=type(check)(), throws=0, throw=None)
    return replace(_go_on(before), check=check, throws=done.throws)


def _store_profile(wizard: state.Wizard) -> state.Wizard:
    if wizard.draft is None:
        return wizard
    calibration = replace(wizard.draft, check=wizard.check, controls=wizard.controls)
    return replace(wizard, ended=True, requests=(state.Store(calibration),))
