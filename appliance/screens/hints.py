"""Hints on the board: the dice to hold underlined, or the choice, and what may be expected."""

from appliance.picture import Picture
from appliance.rules.power.state import POWER_SLOT
from appliance.screens.drawing.canvas import Canvas
from appliance.screens.drawing.film import pages
from appliance.screens.drawing.layout import BOTTOM, dice_under, two_lines
from appliance.strategy.hint import Measure
from appliance.table.session.hinting import HintPrompt, WaitPrompt


def expectation(expects: float, measure: Measure) -> str:
    """What may be expected, such as `43%`, `231` or `+4.5`."""
    if measure is Measure.WIN:
        return f"{100 * expects:.0f}%"
    if measure is Measure.TOTAL:
        return f"{expects:.0f}"
    # Adding 0.0 turns a rounded -0.0 into 0.0.
    return f"{round(expects, 1) + 0.0:+.1f}"


@pages.register
def _(prompt: HintPrompt) -> tuple[Picture, ...]:
    if prompt.odds:
        return _odds(prompt)
    told = expectation(prompt.expects, prompt.measure)
    expects = two_lines(prompt.measure, prompt.player, told)
    if prompt.hold is None:
        return (two_lines(prompt.purpose, prompt.label, "HINT", "OK"), expects)
    held = " ".join("P" if slot == POWER_SLOT else str(slot + 1) for slot in prompt.hold)
    todo = f"HOLD {held}" if held else "THROW ALL"
    return (dice_under((todo, ""), prompt.dice, prompt.hold, "OK?").picture, expects)


def _odds(prompt: HintPrompt) -> tuple[Picture, ...]:
    """One page that says what the figures are, then two rows of them on each."""
    shown = [two_lines("CHANCE TO", "WIN WITH")]
    for at in range(0, len(prompt.odds), 2):
        canvas = Canvas()
        for y, odds in zip((0, BOTTOM), prompt.odds[at : at + 2], strict=False):
            canvas.line(y, odds.label, expectation(odds.win, Measure.WIN))
        shown.append(canvas.picture)
    return tuple(shown)


@pages.register
def _(prompt: WaitPrompt) -> tuple[Picture, ...]:
    return tuple(two_lines(top, bottom) for top, bottom in prompt.pages)
