"""What is worth a sound: a roll that was read, a question, a press that does not count."""

from appliance.devices.buzzer import Sound
from appliance.rules.game import Rolled, Shown
from appliance.table.session.modes import Clashing, Colouring, Miscounted, Telling, Turned
from appliance.table.session.session import Session

_QUESTIONS = (Telling, Colouring, Turned, Miscounted, Clashing)


def sound_of(before: Session | None, after: Session | None) -> Sound | None:
    """The sound that belongs to a step of the session; None for most."""
    if before is None or after is None or before.serial != after.serial:
        return None
    if isinstance(after.mode, _QUESTIONS) and type(after.mode) is not type(before.mode):
        return Sound.NEED
    new = after.events[len(before.events) :]
    if any(isinstance(event, Rolled | Shown) for event in new):
        return Sound.READ
    if after.remark and after.remark != before.remark:
        return Sound.WRONG
    return None
