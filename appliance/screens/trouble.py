"""What the appliance cannot make out: it says which die it is and what to do."""

from appliance.picture import Picture
from appliance.screens.drawing.film import pages
from appliance.screens.drawing.layout import dice_under, plural, shortened, two_lines
from appliance.table.prompts import ClashPrompt, CountPrompt, EntryPrompt, FacePrompt
from appliance.table.session.matching import Why
from vision.reading import DieState

_STATE = {DieState.LEANING: "LEANS", DieState.STACKED: "STACKED", DieState.COVERED: "HIDDEN"}
_ODD = {Why.HELD: "WAS HELD", Why.LAZY: "NOT THROWN", Why.CHANGED: "CHANGED"}


@pages.register
def _(prompt: FacePrompt) -> tuple[Picture, ...]:
    what = _STATE.get(prompt.state, "UNSURE") if prompt.state else "IS"
    what = "OUTSIDE" if prompt.aside else "TURNED" if prompt.turned else what
    # In a roll-off it is a player's.
    name = shortened(prompt.name, what)
    shown = []
    for blink, right in ((False, "OK"), (True, "< >")):
        dice = list(prompt.dice)
        dice[prompt.index] = None if blink else prompt.face
        canvas = dice_under((name, what), dice, (prompt.index,), right)
        shown.append(canvas.picture)
    if prompt.turned is not None:
        back = prompt.turned if isinstance(prompt.turned, int) else "IT"
        shown.append(two_lines(prompt.name, f"TURN TO {back}"))
    if prompt.aside or prompt.state in (DieState.LEANING, DieState.STACKED, DieState.COVERED):
        shown.append(two_lines(name, "THROW AGAIN", what))
        shown.append(two_lines("OR ENTER IT", "< > AND OK"))
    return tuple(shown)


@pages.register
def _(prompt: EntryPrompt) -> tuple[Picture, ...]:
    right = "< >" if None in prompt.dice else "OK"
    keys = "< > FACE" if prompt.name.startswith("POWER") else "1-5, P IS 6"
    texts = (prompt.name, prompt.player, keys if None in prompt.dice else "OK: COUNT")
    return tuple(
        dice_under((text, ""), prompt.dice, (prompt.index,), right).picture for text in texts
    )


@pages.register
def _(prompt: CountPrompt) -> tuple[Picture, ...]:
    see = two_lines(prompt.player, f"I SEE {prompt.seen}", "", f"NOT {prompt.expected}")
    if prompt.seen < prompt.expected:
        missing = prompt.missing or (plural(prompt.expected - prompt.seen),)
        named = tuple(two_lines(name, "MISSING") for name in missing)
        return (*named, see, two_lines("THROW AGAIN", "OR OK: ENTER"))
    return (two_lines("TAKE OUT", plural(prompt.seen - prompt.expected)), see)


@pages.register
def _(prompt: ClashPrompt) -> tuple[Picture, ...]:
    if prompt.why is Why.SAME:
        return (two_lines("SAME FACES:", "THROWN?"), two_lines("OK: YES", "BACK: NO"))
    name = prompt.name or f"DIE {prompt.slot + 1}"
    odd = two_lines(name, _ODD[prompt.why])
    if prompt.why is Why.LAZY:
        return (odd, two_lines(name, "THROW IT"), two_lines("OK: COUNT", "BACK: NO"))
    return (odd, two_lines("OK: COUNT", "BACK: NO"))
