"""How the wizard advances: one event in, the next state out."""

import math
from dataclasses import replace
from itertools import takewhile

from calibration.rim.rectangles import RATIO
from calibration.wizard import state
from calibration.wizard.stages import DICE_SETS, OF_FLOOR, THROWS, WizardStage, WizardStep, after


def advance(wizard: state.Wizard, event: state.Event) -> state.Wizard:
    """The wizard after an event; its requests are to be carried out before the next event.

    A measurement for any stage but the present one changes nothing.
    """
    wizard = replace(wizard, requests=())
    if wizard.ended and not isinstance(event, state.NotStored):
        return wizard
    match event:
        case state.Press():
            return _pressed(replace(wizard, refusal=None), event)
        case state.Seen(stage, verdict) if stage == wizard.stage:
            # A refusal stands until the live verdict finds the same fault itself.
            refusal = wizard.refusal if verdict.good else None
            return replace(wizard, seen=event, refusal=refusal)
        case state.Took(stage, draft) if wizard.waiting and stage == wizard.stage:
            rough = (
                state.roughly(draft, wizard.known_lens)
                if stage.step is WizardStep.RIM and not wizard.warned
                else None
            )
            if rough is not None:
                # Said once: players with neither a board nor a better ruler may continue.
                return replace(wizard, waiting=False, refusal=rough, warned=True)
            return _on(replace(wizard, draft=draft))
        case state.Refused(stage, verdict) if wizard.waiting and stage == wizard.stage:
            return replace(wizard, waiting=False, refusal=verdict)
        case state.Locked(controls):
            return replace(wizard, controls=dict(controls))
        case state.Rested(dice) if (
            wizard.stage.step is WizardStep.CHECK and 0 < len(dice) <= state.MOST_DICE
        ):
            return replace(wizard, throw=state.CheckedThrow(dice, tuple(die.value for die in dice)))
        case state.NotStored() if wizard.stage.step is WizardStep.RESULT:
            return replace(wizard, ended=False, refusal=state.NOT_STORED)
        case _:
            return wizard


def _on(wizard: state.Wizard, skip: bool = False) -> state.Wizard:
    """The next stage; this one is kept so that BACK can return to it."""
    stage = after(wizard.stage, wizard.dice, skip)
    if stage.step is WizardStep.RIM and wizard.draft is not None and wizard.draft.layout is None:
        # Only markers lie as high as the rim.
        stage = after(stage, wizard.dice)
    return _on_to(wizard, stage)


def _on_to(wizard: state.Wizard, stage: WizardStage) -> state.Wizard:
    here = replace(wizard, behind=(), waiting=False, requests=(), refusal=None)
    return replace(here, behind=(*wizard.behind, here), stage=stage, seen=None, throw=None)


def _back(wizard: state.Wizard) -> state.Wizard:
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


def _pressed(wizard: state.Wizard, press: state.Press) -> state.Wizard:
    step = wizard.stage.step
    if step is WizardStep.CHECK:
        return _checking(wizard, press)
    match press.key:
        case state.Key.BACK:
            return _back(wizard)
        case state.Key.OK if step is WizardStep.RESULT:
            return _store(wizard)
        case state.Key.OK if wizard.no_markers:
            # A size entered for the previous profile is shown along with what is found.
            return (
                _by_rim(wizard)
                if wizard.floor_mm
                else _on_to(wizard, WizardStage(WizardStep.WIDTH))
            )
        case state.Key.OK if step in OF_FLOOR:
            measured = replace(wizard, floor_mm=wizard.floor)
            return _by_rim(measured) if step is WizardStep.DEPTH else _on(measured)
        case state.Key.OK if wizard.seen is not None and wizard.seen.verdict.good:
            if step is WizardStep.LIGHT:
                return replace(_on(wizard), requests=(state.Lock(),))
            return replace(wizard, waiting=True, requests=(state.TakePictures(wizard.stage),))
        case state.Key.LEFT | state.Key.RIGHT:
            by = state.LONG_STEPS if press.long else 1
            return _turned(wizard, by if press.key is state.Key.RIGHT else -by)
        case _:
            return wizard


def _turned(wizard: state.Wizard, by: int) -> state.Wizard:
    """LEFT and RIGHT choose, where there is something to choose; RIGHT skips what is optional."""
    match wizard.stage.step:
        case WizardStep.TRAY if wizard.by_rim:
            return _other_floor(wizard)
        case WizardStep.WIDTH | WizardStep.DEPTH as step:
            return replace(wizard, floor_mm=_resized(wizard.floor, step, by * state.FLOOR_STEP_MM))
        case WizardStep.RIM:
            height = min(
                max(wizard.rim_mm + by * state.RIM_STEP_MM, state.RIM_MM[0]), state.RIM_MM[1]
            )
            return replace(wizard, rim_mm=height, rim_set=True, waiting=False)
        case WizardStep.DICE:
            chosen = (wizard.dice_set + (1 if by > 0 else -1)) % len(DICE_SETS)
            return replace(wizard, dice_set=chosen, seen=None, waiting=False)
        case WizardStep.POWER | WizardStep.HOLDER if by > 0:
            return _skipped(wizard)
        case _:
            return wizard


def _by_rim(wizard: state.Wizard) -> state.Wizard:
    return replace(_on_to(wizard, WizardStage(WizardStep.TRAY)), by_rim=True)


def _other_floor(wizard: state.Wizard) -> state.Wizard:
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


def _resized(floor: tuple[float, float], step: WizardStep, by: float) -> tuple[float, float]:
    """The floor with another width or depth, millimetres; the width is never the smaller one."""
    width, depth = floor
    least, most = state.FLOOR_MM
    if step is WizardStep.WIDTH:
        width = min(max(width + by, least), most)
    else:
        depth += by
    narrowest = max(least, float(math.ceil(width / RATIO[1])))
    return width, min(max(depth, narrowest), width)


def _skipped(wizard: state.Wizard) -> state.Wizard:
    draft = wizard.draft
    if draft is not None and wizard.stage.step is WizardStep.POWER:
        # Some faces without the others would be worse than none.
        draft = replace(draft, profile=replace(draft.profile, power_faces=()))
    return _on(replace(wizard, draft=draft), skip=True)


def _checking(wizard: state.Wizard, press: state.Press) -> state.Wizard:
    throw = wizard.throw
    if throw is None:
        return _back(wizard) if press.key is state.Key.BACK else wizard
    count, chosen = len(throw.dice), throw.chosen
    match press.key:
        case state.Key.HOLD if press.slot < count:
            throw = replace(throw, chosen=None if chosen == press.slot else press.slot)
        case state.Key.LEFT | state.Key.RIGHT if chosen is None:
            throw = replace(throw, chosen=0 if press.key is state.Key.RIGHT else count - 1)
        case state.Key.LEFT | state.Key.RIGHT:
            throw = _with_face(throw, chosen or 0, 1 if press.key is state.Key.RIGHT else -1)
        case state.Key.OK | state.Key.BACK if chosen is not None:
            throw = replace(throw, chosen=None)
        case state.Key.OK:
            return _counted(wizard, throw)
        case state.Key.BACK:
            return replace(wizard, throw=None)
        case _:
            pass
    return replace(wizard, throw=throw)


def _with_face(throw: state.CheckedThrow, which: int, by: int) -> state.CheckedThrow:
    faces = throw.dice[which].faces
    now = throw.faces[which]
    if now in faces:
        face = faces[(faces.index(now) + by) % len(faces)]
    else:
        face = faces[0] if by > 0 else faces[-1]
    corrected = (*throw.faces[:which], face, *throw.faces[which + 1 :])
    return replace(throw, faces=corrected)


def _counted(wizard: state.Wizard, throw: state.CheckedThrow) -> state.Wizard:
    check = wizard.check.with_throw(*throw.claimed_and_wrong)
    done = replace(wizard, check=check, throws=wizard.throws + 1, throw=None)
    if done.throws < THROWS:
        return done
    # Coming back restarts the check: the ten throws belong together.
    before = replace(wizard, check=type(check)(), throws=0, throw=None)
    return replace(_on(before), check=check, throws=done.throws)


def _store(wizard: state.Wizard) -> state.Wizard:
    if wizard.draft is None:
        return wizard
    calibration = replace(wizard.draft, check=wizard.check, controls=wizard.controls)
    return replace(wizard, ended=True, requests=(state.Store(calibration),))
