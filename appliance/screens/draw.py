"""Draws every prompt as one or more 64x16 pictures."""

from appliance.picture import WIDTH, Picture
from appliance.rules.game import DieKind
from appliance.screens import hints as hints
from appliance.screens import holdem as holdem
from appliance.screens import menus as menus
from appliance.screens.canvas import DIE, Canvas
from appliance.screens.film import film as film
from appliance.screens.film import pages as pages
from appliance.screens.font import SMALL
from appliance.screens.layout import BOTTOM, at_right, plural, split, two_lines
from appliance.screens.layout import dice as draw_dice
from appliance.table.matching import Why
from appliance.table.prompts import (
    ChoicePrompt,
    ClashPrompt,
    CountPrompt,
    DicePrompt,
    NewGamePrompt,
    OverPrompt,
    SheetPrompt,
    TellPrompt,
    ThrowPrompt,
    UndoPrompt,
)
from vision.reading import DieState, TrayState

_TELL = {
    DieState.LEANING: "LEANS",
    DieState.STACKED: "STACKED",
    DieState.COVERED: "HIDDEN",
}


_ODD = {Why.HELD: "WAS HELD", Why.LAZY: "NOT THROWN", Why.CHANGED: "CHANGED"}


@pages.register
def _(prompt: ThrowPrompt) -> tuple[Picture, ...]:
    right = f"{prompt.roll}/{prompt.rolls}" if prompt.rolls > 1 else ""
    if prompt.tray in (TrayState.MOVING, TrayState.HAND):
        return (two_lines(prompt.player, "ROLLING", right, ".."),)
    number = len(prompt.slots)
    throw = f"THROW {number}" if prompt.kind in (None, DieKind.BLACK) else f"THROW {prompt.kind}"
    wait = "TAKE DICE" if prompt.take else throw.upper()
    waiting: tuple[Picture, ...] = (two_lines(prompt.player, wait, right),)
    if prompt.rolls == 1:
        waiting += (two_lines(prompt.player, prompt.purpose),)
    if prompt.scored is None:
        return waiting
    scored = prompt.scored
    told = (scored.choice.label, *split(scored.reason))
    news = tuple(two_lines(prompt.scorer, line, f"+{scored.points}") for line in told)
    return (*news, *waiting)


@pages.register
def _(prompt: DicePrompt) -> tuple[Picture, ...]:
    right = f"{prompt.roll}/{prompt.rolls}" if prompt.rolls > 1 else ""
    busy = prompt.tray in (TrayState.MOVING, TrayState.HAND)
    canvas = Canvas()
    canvas.line(0, prompt.remark or prompt.player, right)
    room = draw_dice(canvas, prompt.dice, prompt.held)
    todo = "..." if busy else "ROLL" if prompt.may_roll else "OK"
    if room >= SMALL.width(todo):
        at_right(canvas, BOTTOM, todo, room)
    first = canvas.picture
    if prompt.remark or busy:
        return (first,)
    if not prompt.may_roll:
        return (first, two_lines(prompt.player, prompt.purpose, right, "OK"))
    return (first, two_lines("ROLL AGAIN", f"OR {prompt.purpose}", "", "OK"))


@pages.register
def _(prompt: ChoicePrompt) -> tuple[Picture, ...]:
    points = str(prompt.points.points)
    if prompt.confirm:
        return (two_lines(prompt.label, "ZERO? OK", "0"),)
    canvas = Canvas()
    canvas.line(0, prompt.label, points)
    # A scroll bar on the lowest row says where in the list this is.
    left, right = (WIDTH * i // prompt.count for i in (prompt.index, prompt.index + 1))
    for x in range(left, right):
        canvas.light(x, BOTTOM + DIE)
    if prompt.dice:
        room = draw_dice(canvas, prompt.dice)
        at_right(canvas, BOTTOM, "OK?" if room >= SMALL.width("OK?") else "?", room)
    else:
        canvas.line(BOTTOM, prompt.player, "OK?")
    first = canvas.picture
    reasons = split(prompt.points.reason) or (prompt.label,)
    return (first, first, *(two_lines(r, prompt.player, points) for r in reasons))


@pages.register
def _(prompt: TellPrompt) -> tuple[Picture, ...]:
    what = _TELL.get(prompt.state, "UNSURE") if prompt.state else "IS"
    what = "OUTSIDE" if prompt.aside else "TURNED" if prompt.turned else what
    shown = []
    for blink in (False, True):
        canvas = Canvas()
        canvas.line(0, prompt.name, what)
        dice = list(prompt.dice)
        dice[prompt.index] = None if blink else prompt.face
        room = draw_dice(canvas, dice, (prompt.index,))
        at_right(canvas, BOTTOM, "<>" if blink else "OK", room)
        shown.append(canvas.picture)
    if prompt.turned is not None:
        back = prompt.turned if isinstance(prompt.turned, int) else "IT"
        shown.append(two_lines(prompt.name, f"TURN TO {back}"))
    if prompt.aside or prompt.state in (DieState.LEANING, DieState.STACKED, DieState.COVERED):
        shown.append(two_lines(prompt.name, "THROW AGAIN", what))
    return tuple(shown)


@pages.register
def _(prompt: CountPrompt) -> tuple[Picture, ...]:
    see = two_lines(prompt.player, f"I SEE {prompt.seen}", "", f"NOT {prompt.expected}")
    if prompt.seen < prompt.expected:
        missing = prompt.missing or (plural(prompt.expected - prompt.seen),)
        named = tuple(two_lines(name, "MISSING") for name in missing)
        return (see, *named, two_lines("OK: TELL", "OR THROW"))
    return (see, two_lines("TAKE OUT", plural(prompt.seen - prompt.expected)))


@pages.register
def _(prompt: ClashPrompt) -> tuple[Picture, ...]:
    name = prompt.name or f"DIE {prompt.slot + 1}"
    odd = two_lines(name, _ODD[prompt.why])
    if prompt.why is Why.LAZY:
        return (odd, two_lines(name, "THROW IT"), two_lines("OK: COUNT", "BACK: NO"))
    return (odd, two_lines("OK: COUNT", "BACK: NO"))


@pages.register
def _(prompt: UndoPrompt) -> tuple[Picture, ...]:
    return (two_lines("UNDO?", prompt.label, "OK"),)


@pages.register
def _(prompt: SheetPrompt) -> tuple[Picture, ...]:
    canvas = Canvas()
    for y, (label, text) in zip((0, BOTTOM), prompt.rows, strict=False):
        canvas.line(y, label, text)
    rows = canvas.picture
    if prompt.index:
        return (rows,)
    return (two_lines(prompt.player, "TOTAL", "", str(prompt.total)), rows, rows)


@pages.register
def _(prompt: OverPrompt) -> tuple[Picture, ...]:
    verb = "WINS" if len(prompt.winners) == 1 else "WIN"
    won = [two_lines(name, verb, "", str(dict(prompt.totals)[name])) for name in prompt.winners]
    if len(prompt.totals) == 1:
        name, total = prompt.totals[0]
        won = [two_lines(name, "TOTAL", "", str(total))]
    listed = []
    for i in range(0, len(prompt.totals) if len(prompt.totals) > 1 else 0, 2):
        canvas = Canvas()
        for y, (name, total) in zip((0, BOTTOM), prompt.totals[i : i + 2], strict=False):
            canvas.line(y, name, str(total))
        listed.append(canvas.picture)
    return (*won, *listed, two_lines("GAME OVER", "OK: AGAIN"))


@pages.register
def _(prompt: NewGamePrompt) -> tuple[Picture, ...]:
    return (two_lines("NEW GAME?", "OK", "", "BACK: NO"),)
