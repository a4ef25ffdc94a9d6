"""All boxes of a sheet in one picture: open ones by their signs, filled ones as a dash."""

from collections.abc import Sequence

from appliance.picture import HEIGHT, WIDTH, Picture
from appliance.screens.drawing.canvas import Canvas
from appliance.screens.drawing.film import pages
from appliance.screens.drawing.font import SMALL, TALL
from appliance.screens.drawing.layout import LOWER_LINE_ROW, shorten_to_fit, two_lines
from appliance.table.prompts.looking import StripPrompt
from appliance.words import say

_SIGNS = {
    "ACES": "1",
    "ONES": "1",
    "TWOS": "2",
    "THREES": "3",
    "FOURS": "4",
    "FIVES": "5",
    "SIXES": "6",
    "CHOICE": "?",
    "2 PAIRS": "2P",
    "TWO PAIRS": "2P",
    "3 ALIKE": "3A",
    "4 ALIKE": "4A",
    "FULL H": "FH",
    "FULL HOUSE": "FH",
    "SM STR": "SS",
    "SMALL STR": "SS",
    "LG STR": "LS",
    "LARGE STR": "LS",
    "CHANCE": "CH",
    "5 ALIKE": "5A",
    "FIVE ALIKE": "5A",
}
"""The signs of boxes and cards where there is room for two letters."""
_SLOT_NUMBERS = (" 1", " 2", " 3")
_MOST_PITCH = 7
_DASH_COLUMNS = 3
"""Columns of the dash that a filled box is."""


def sign_of(label: str) -> str:
    """The sign of a box or card in the chosen language, by its label."""
    base = _base_label(label)
    return say(_SIGNS[base]) if base in _SIGNS else say(label)[:2]


def _base_label(label: str) -> str:
    """A label without the number of one of several slots."""
    return label[:-2] if label not in _SIGNS and label.endswith(_SLOT_NUMBERS) else label


@pages.register
def _strip_pages(prompt: StripPrompt) -> tuple[Picture, ...]:
    if prompt.at is not None:
        return (_box_page(prompt, prompt.at),)
    # Whose boxes they are, and that those with a sign are the ones to fill.
    whose = two_lines(prompt.player, say("STILL OPEN"), str(prompt.total))
    return (_boxes_page(prompt), whose)


def _boxes_page(prompt: StripPrompt) -> Picture:
    """The numbers above, with the sum that the bonus counts; all others below."""
    canvas = Canvas()
    open_of: dict[str, list[bool]] = {}
    for label, points in prompt.boxes:
        open_of.setdefault(_base_label(label), []).append(points is None)
    upper = [label for label in open_of if len(_SIGNS.get(label, "")) == 1]
    goal = f"{prompt.goals[0].now}/{prompt.goals[0].needed}" if prompt.goals else say("BONUS")
    canvas.text(WIDTH - SMALL.width(goal), 1, goal, SMALL)
    pitch = min((WIDTH - SMALL.width(goal) - 2) // max(len(upper), 1), _MOST_PITCH)
    for n, label in enumerate(upper):
        if any(open_of[label]):
            canvas.text(n * pitch, 0, sign_of(label), TALL)
        else:
            canvas.block(n * pitch, 3, 3, 1)
    lower = {label: sign_of(label) for label in open_of if label not in upper}
    if sum(SMALL.width(sign) + 2 for sign in lower.values()) - 2 > WIDTH:
        # A letter is enough for what begins with one.
        lower = {k: sign[:1] if sign[0].isalpha() else sign for k, sign in lower.items()}
    widths = {k: SMALL.width(s) if any(open_of[k]) else _DASH_COLUMNS for k, s in lower.items()}
    spare = WIDTH - sum(widths.values())
    x = 0
    for n, (label, sign) in enumerate(lower.items()):
        slots, wide = open_of[label], widths[label]
        if any(slots):
            canvas.text(x, LOWER_LINE_ROW + 1, sign, SMALL)
        else:
            canvas.block(x, LOWER_LINE_ROW + 3, wide, 1)
        if len(slots) > 1:
            # A light for each slot that is still open.
            for light in range(sum(slots)):
                canvas.light(x + 2 * light, HEIGHT - 1)
        gaps = len(lower) - 1
        x += wide + (spare * (n + 1) // gaps - spare * n // gaps if gaps else 0)
    return canvas.picture


def _box_page(prompt: StripPrompt, at: int) -> Picture:
    canvas = Canvas()
    label, points = prompt.boxes[at]
    canvas.line(0, say(label), "-" if points is None else str(points))
    what = say("STILL OPEN" if points is None else "FILLED")
    rise = SMALL.rise(prompt.player + what)
    canvas.small_line(LOWER_LINE_ROW + rise, shorten_to_fit(prompt.player, what), what)
    draw_box_lights(canvas, [points is None for _, points in prompt.boxes], at, 2 - rise)
    return canvas.picture


def draw_box_lights(canvas: Canvas, is_open: Sequence[bool], at: int | None, tall: int = 2) -> None:
    """A row of lights on the lowest rows, one for each open box; thick at the box `at`."""
    count = len(is_open)
    for n, lit in enumerate(is_open):
        left, right = (WIDTH * edge // count for edge in (n, n + 1))
        if n == at:
            canvas.block(left, HEIGHT - tall, right - left - 1 + (count > _MOST_WIDE), tall)
        elif lit:
            canvas.block(left + (count <= _MOST_WIDE), HEIGHT - 1, 1 + (count <= _MOST_WIDE), 1)


_MOST_WIDE = 16
"""Up to this many boxes the light of each is two columns wide."""
