"""Dice that the appliance cannot make out: the screens say which die it is and what to do."""

from appliance.inputs import Button
from appliance.picture import Picture
from appliance.screens.drawing.film import pages
from appliance.screens.drawing.layout import dice_count, dice_under, shorten_to_fit, two_lines
from appliance.table.prompts.trouble import ClashPrompt, CountPrompt, EntryPrompt, FacePrompt
from appliance.table.session.matching import Why
from appliance.words import say
from games.values import Face
from vision.reading import DieState

_STATE_WORDS = {DieState.LEANING: "LEANS", DieState.STACKED: "STACKED", DieState.COVERED: "HIDDEN"}
_CLASH_WORDS = {Why.HELD: "WAS HELD", Why.LAZY: "NOT THROWN", Why.CHANGED: "CHANGED"}


@pages.register
def _face_pages(prompt: FacePrompt) -> tuple[Picture, ...]:
    what = _STATE_WORDS.get(prompt.state, "UNSURE") if prompt.state else "IS"
    what = say("OUTSIDE" if prompt.aside else "TURNED" if prompt.turned else what)
    # In a roll-off the name is a player's.
    name = shorten_to_fit(say(prompt.name), what)
    dice, marked = list(prompt.dice), (prompt.index,)
    dice[prompt.index] = prompt.face
    if prompt.face is None:
        shown = [dice_under((name, what), dice, marked, "< >").picture]
    else:
        headers = ((name, what), (say("WRONG?"), "< >"))
        drawn = (dice_under(header, dice, marked, "OK").picture for header in headers)
        shown = [picture.offering(Button.OK) for picture in drawn]
    if prompt.turned is not None:
        shown.append(two_lines(_was(say(prompt.name), prompt.turned), say("TURN IT BACK")))
    if prompt.aside or prompt.state in (DieState.LEANING, DieState.STACKED, DieState.COVERED):
        shown.append(two_lines(name, say("THROW AGAIN"), what))
        if prompt.face is None:
            shown.append(two_lines(say("OR ENTER IT"), say("< > AND OK")))
    return tuple(shown)


@pages.register
def _entry_pages(prompt: EntryPrompt) -> tuple[Picture, ...]:
    right = "< >" if None in prompt.dice else "OK"
    keys = say("< > FACE" if prompt.name.startswith("POWER") else "1-5, P IS 6")
    todo = keys if None in prompt.dice else say("OK: COUNT")
    texts = (say(prompt.name), prompt.player, todo)
    drawn = (dice_under((text, ""), prompt.dice, (prompt.index,), right) for text in texts)
    offered = () if None in prompt.dice else (Button.OK,)
    return tuple(canvas.picture.offering(*offered) for canvas in drawn)


@pages.register
def _count_pages(prompt: CountPrompt) -> tuple[Picture, ...]:
    seen, needed = (say("I SEE {dice}", dice=prompt.seen), say("NOT {dice}", dice=prompt.expected))
    see = two_lines(prompt.player, seen, "", needed)
    todo = two_lines(say("THROW AGAIN"), say("OR OK: ENTER")).offering(Button.OK)
    if prompt.seen < prompt.expected:
        missing = tuple(map(say, prompt.missing)) or (dice_count(prompt.expected - prompt.seen),)
        named = tuple(two_lines(name, say("MISSING")) for name in missing)
        return (*named, see, todo)
    surplus = two_lines(say("TAKE OUT"), dice_count(prompt.seen - prompt.expected))
    return (surplus, see, todo)


@pages.register
def _clash_pages(prompt: ClashPrompt) -> tuple[Picture, ...]:
    no = say("BACK: NO")
    if prompt.why is Why.SAME:
        answers = two_lines(say("OK: YES"), no).offering(Button.OK, Button.BACK)
        return (two_lines(say("SAME FACES:"), say("THROWN?")), answers)
    name = say(prompt.name or f"DIE {prompt.slot + 1}")
    odd = two_lines(name, say(_CLASH_WORDS[prompt.why]))
    idle = prompt.why is Why.HELD and prompt.idle
    face = prompt.now
    counts = say("OK: COUNT {face}", face=face) if isinstance(face, int) else say("OK: COUNT")
    todo = two_lines(counts, no).offering(Button.OK, Button.BACK)
    if not prompt.back:
        again = "THROW IT" if prompt.why is Why.LAZY else "THROW AGAIN"
        todo = two_lines(say(again), say("OR OK: COUNT")).offering(Button.OK)
    if idle:
        return (odd, two_lines(_was(name, prompt.was), say("TURN IT BACK")), todo)
    if prompt.why is Why.LAZY and prompt.back:
        return (odd, two_lines(name, say("THROW IT")), todo)
    return (odd, todo)


def _was(name: str, face: Face | None) -> str:
    """A die with the number that it showed, where that is known."""
    return say("{die} WAS {face}", die=name, face=face) if isinstance(face, int) else name
