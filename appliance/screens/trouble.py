"""Dice that the appliance cannot make out: the screens say which die it is and what to do."""

from collections.abc import Sequence

from appliance.inputs import Button
from appliance.picture import WIDTH, Picture
from appliance.screens.drawing.canvas import MIN_TEXT_GAP
from appliance.screens.drawing.film import pages, within_a_cycle
from appliance.screens.drawing.font import NARROW
from appliance.screens.drawing.layout import (
    dice_count,
    dice_under,
    shorten_to_fit,
    two_lines,
    two_lines_with_place,
)
from appliance.table.prompts.trouble import ClashPrompt, CountPrompt, EntryPrompt, FacePrompt
from appliance.table.session.matching import Why
from appliance.words import Label, say
from games.values import Face
from vision.reading import DieState

_STATE_WORDS = {
    DieState.LEANING: "LEANS",
    DieState.STACKED: "STACKED",
    DieState.COVERED: "NOT SEEN",
}
_CLASH_WORDS = {Why.HELD: "WAS HELD", Why.LAZY: "NOT THROWN", Why.CHANGED: "CHANGED"}


@pages.register
def _face_pages(prompt: FacePrompt) -> tuple[Picture, ...]:
    what = _STATE_WORDS.get(prompt.state, "UNSURE") if prompt.state else "IS"
    what = say("OUTSIDE" if prompt.aside else "TURNED" if prompt.turned else what)
    # In a roll-off the name is a player's.
    name = shorten_to_fit(say(prompt.name), what)
    dice, marked = list(prompt.dice), (prompt.index,)
    dice[prompt.index] = prompt.face
    again = prompt.aside or prompt.state in _THROWN_AGAIN
    right = "OK" if prompt.face is not None else "< >"
    buttons = (Button.OK,) if prompt.face is not None else ()
    if prompt.turned is not None:
        todo = two_lines(_was(say(prompt.name), prompt.turned), say("TURN IT BACK"))
    elif again:
        todo = two_lines(say("THROW AGAIN"), say("OR ENTER IT"), "", "< >")
    elif prompt.face is None:
        return (dice_under((name, what), dice, marked, right).picture,)
    else:
        # What it is, and what to do if it is not, over the dice that OK counts.
        headers = ((name, ""), (say("WRONG?"), "< >"))
        drawn = (dice_under(header, dice, marked, right).picture for header in headers)
        return tuple(page.offering(*buttons) for page in drawn)
    return (dice_under((name, what), dice, marked, right).picture.offering(*buttons), todo)


_THROWN_AGAIN = (DieState.LEANING, DieState.STACKED, DieState.COVERED)
"""What can be seen of a die in such a state may be wrong."""


@pages.register
def _entry_pages(prompt: EntryPrompt) -> tuple[Picture, ...]:
    whole, name = None not in prompt.dice, say(prompt.name)
    keys = say("< > FACE" if prompt.name.startswith("POWER") else "1-5, P IS 6")
    ok = say("OK: COUNT")
    header, right = ((shorten_to_fit(name, ok), ok), "OK") if whole else ((name, ""), "< >")
    dice = dice_under(header, prompt.dice, (prompt.index,), right).picture
    offered = dice.offering(*(Button.OK,) * whole)
    return (offered, two_lines(prompt.player, name if whole else keys))


@pages.register
def _count_pages(prompt: CountPrompt) -> tuple[Picture, ...]:
    ok, seen = say("OK: ENTER"), say("I SEE {dice}", dice=prompt.seen)
    see = two_lines(shorten_to_fit(prompt.player, seen), ok, seen)
    again = two_lines(say("THROW AGAIN"), ok)
    if prompt.seen > prompt.expected:
        surplus = str(prompt.seen - prompt.expected)
        return within_a_cycle((two_lines(say("TAKE OUT"), ok, surplus), see, again))
    missing = tuple(map(say, prompt.missing))
    if not 0 < len(missing) <= _MOST_NAMED:
        missing = (dice_count(prompt.expected - prompt.seen),)
    first, *others = (two_lines(*_beside(name, say("MISSING"), ok)) for name in missing)
    return within_a_cycle((first, see, *others, again))


_MOST_NAMED = 2
"""Up to so many missing dice are named: there is no time for more."""


def _beside(name: str, what: str, ok: str) -> tuple[str, str, str]:
    """A die, what is the matter with it, and what OK does, as far as that fits on two lines."""
    fits = NARROW.width(name) + MIN_TEXT_GAP + NARROW.width(what) <= WIDTH
    return (name, ok, what) if fits else (name, what, "OK")


@pages.register
def _clash_pages(prompt: ClashPrompt) -> tuple[Picture, ...]:
    no = say("BACK: NO")
    if prompt.why is Why.SAME:
        asks = two_lines(say("SAME FACES:"), say("THROWN?"), "", "OK")
        return _answered((asks, two_lines(say("OK: YES"), no)))
    name = say(prompt.name or Label(f"die {prompt.slot + 1}"))
    face = prompt.now
    counts = _count(face)
    # Where it lies in the row of dice is marked below its name.
    odd = _of_die(prompt, *_beside(name, say(_CLASH_WORDS[prompt.why]), counts))
    if not prompt.back:
        again = "THROW IT" if prompt.why is Why.LAZY else "THROW AGAIN"
        return (odd, two_lines(say(again), say("OR OK: COUNT")))
    turned = prompt.why is Why.HELD and prompt.idle
    if isinstance(prompt.was, int) and isinstance(prompt.now, int):
        # Both numbers, and what becomes of each.
        first = _of_die(prompt, _was(name, prompt.was), counts)
        return _answered((first, two_lines(counts, _count_anyhow(prompt.was))))
    if turned:
        return _answered((odd, two_lines(say("TURN IT BACK"), no, "", "OK")))
    todo = say("THROW IT") if prompt.why is Why.LAZY else counts
    return _answered((odd, two_lines(todo, no, "OK" if prompt.why is Why.LAZY else "")))


def _of_die(prompt: ClashPrompt, *texts: str) -> Picture:
    """Lines about a die; where it has a number, with its place among the dice."""
    if prompt.slot < _MARKED and (
        not prompt.name or prompt.name == Label(f"die {prompt.slot + 1}")
    ):
        return two_lines_with_place(texts, prompt.slot)
    return two_lines(*texts)


_MARKED = 5
"""So many dice lie in the row whose places are marked."""


def _answered(shown: Sequence[Picture]) -> tuple[Picture, ...]:
    """Pages that all say what OK does; BACK counts where it is named."""
    back = say("BACK: NO").partition(":")[0]
    return tuple(
        page.offering(Button.OK, *(Button.BACK for word in page.words if word.startswith(back)))
        for page in shown
    )


def _count(face: Face | None) -> str:
    """What OK does with a die that shows this."""
    return say("OK: COUNT {face}", face=face) if isinstance(face, int) else say("OK: COUNT")


def _count_anyhow(face: Face) -> str:
    """What BACK does with a die that was this before."""
    return say("BACK: COUNT {face}", face=face)


def _was(name: str, face: Face | None) -> str:
    """A die with the number that it showed, where that is known."""
    return say("{die} WAS {face}", die=name, face=face) if isinstance(face, int) else name
