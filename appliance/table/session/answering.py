"""Answering on a page: a face or a colour is pointed at for the die that a question is about."""

from dataclasses import dataclass, replace

from appliance.inputs import Button, Picked, Pressed
from appliance.table.session import modes
from appliance.table.session.coloured import dice_in_bag
from appliance.table.session.matching import Why
from appliance.table.session.picking import moment_of
from appliance.table.session.presses import pressed
from appliance.table.session.session import Session
from appliance.table.session.throws import faces_of, is_power
from games.values import DieKind, Face, Slot


@dataclass(frozen=True, slots=True)
class Question:
    """A question about one die: what it shows, which colour it has, or whether it counts.

    Attributes:
        slot: the die.
        answers: all that it can be, in the same order whatever is proposed; empty where yes or no
            is the answer.
        guess: what is proposed; None where nothing is.
    """

    slot: Slot
    answers: tuple[Face | DieKind, ...]
    guess: Face | DieKind | None


def question_of(session: Session) -> Question | None:
    """The question about one die that is asked now; None where none is."""
    match mode := modes.mode_behind_hint(session.mode):
        case modes.EnteringFace() | modes.Turned():
            power = is_power(session, mode.slot) or isinstance(mode.face, str)
            return Question(mode.slot, faces_of(power), mode.face)
        case modes.EnteringColour():
            return Question(mode.slot, tuple(dice_in_bag(session)), mode.kind)
        case modes.Clashing(clash) if clash.why is not Why.SAME:
            return Question(clash.slot, (), None)
        case _:
            return None


def answered(session: Session, pick: Picked) -> Session:
    """The session with a question answered; unchanged if it was not shown like this."""
    question, now = question_of(session), moment_of(session)
    shown = question is not None and (pick.game, pick.asked) == (now.game, now.number)
    if question is None or not shown or pick.slot != question.slot:
        return session
    if not 0 <= pick.index < len(question.answers):
        return session
    answer = question.answers[pick.index]
    mode = modes.mode_behind_hint(session.mode)
    if isinstance(mode, modes.EnteringColour) and isinstance(answer, DieKind):
        mode = replace(mode, kind=answer)
    elif isinstance(mode, modes.EnteringFace | modes.Turned):
        mode = replace(mode, face=answer)
    return pressed(replace(session, mode=mode), Pressed(Button.OK))
