"""All boxes of a sheet at once: the open ones by their signs, and what dice bring in each."""

from collections.abc import Iterator, Sequence

from appliance.picture import HEIGHT, WIDTH, Picture
from appliance.screens.drawing.canvas import MIN_TEXT_GAP, Canvas
from appliance.screens.drawing.film import first_within_a_cycle, pages
from appliance.screens.drawing.font import NARROW, SMALL, TALL
from appliance.screens.drawing.layout import LOWER_LINE_ROW, shorten_to_fit, two_lines
from appliance.screens.tables import (
    MOST_LINES,
    MOST_SCREENS,
    Cell,
    Line,
    packed,
    pages_of_lines,
    two_tables,
)
from appliance.table.prompts.looking import StripPrompt
from appliance.words import Label, say

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


def sign_of(label: str) -> str:
    """The sign of a box or card in the chosen language, by its label."""
    base = _base_label(label)
    return say(_SIGNS[base]) if base in _SIGNS else say(label)[:2]


def is_number_sign(sign: str) -> bool:
    """True for the sign of a box or card of a number."""
    return sign.isdigit()


def _base_label(label: str) -> str:
    """A label without the number of one of several slots."""
    return label[:-2] if label not in _SIGNS and label.endswith(_SLOT_NUMBERS) else label


@pages.register
def _strip_pages(prompt: StripPrompt) -> tuple[Picture, ...]:
    if prompt.at is not None:
        return (_box_page(prompt, prompt.at),)
    if prompt.pays:
        return _paying_pages(prompt)
    # Whose boxes they are, and that those with a sign are the ones to fill.
    whose = two_lines(prompt.player, say("STILL OPEN"), str(prompt.total))
    return (_boxes_page(prompt), whose)


def _paying_pages(prompt: StripPrompt) -> tuple[Picture, ...]:
    """What the dice would bring in each open box, on two screens: the most first, then the rest.

    Each box that brings something is an entry in words; all others are one line, as is the sum
    that a bonus counts. If there is no room or time for all, what brings least joins the others.
    """
    worth = list[tuple[int, str]]()
    others = list[int]()
    for base, labels in _by_base(prompt).items():
        pays = [prompt.pays[at] for at in labels if prompt.boxes[at][1] is None]
        if best := max((p for p in pays if p is not None), default=0):
            # Slots of a kind bring the same: the kind is enough.
            worth.append((best, base if len(labels) > 1 else prompt.boxes[labels[0]][0]))
        elif pays:
            others.append(0)
    worth.sort(key=lambda each: -each[0])
    return first_within_a_cycle(_paying_forms(prompt, worth, others), MOST_SCREENS)


def _paying_forms(
    prompt: StripPrompt, worth: Sequence[tuple[int, str]], others: Sequence[int]
) -> Iterator[Sequence[Picture]]:
    """The pages on what dice bring, in ever fewer letters: in words, and in tables."""
    for told in range(len(worth), -1, -1):
        rest = (*others, *(points for points, _ in worth[told:]))
        for lines in _forms(prompt, worth[:told], rest):
            if len(lines) <= MOST_LINES:
                yield pages_of_lines(lines)
        yield from map(two_tables, _cells(prompt, worth[:told], rest))


def _cells(
    prompt: StripPrompt, worth: Sequence[tuple[int, str]], rest: Sequence[int]
) -> Iterator[list[Cell]]:
    """The cells of two tables of what dice bring: numbers by their sign, all others in words."""
    told = [(points, label, sign_of(label)) for points, label in worth]
    told.sort(key=lambda each: is_number_sign(each[2]))
    cells = [
        Cell(sign if is_number_sign(sign) else in_short(label), str(points))
        for points, label, sign in told
    ]
    sums = [Cell(say(Label(goal.key)), f"{goal.now}/{goal.needed}") for goal in prompt.goals[:1]]
    if rest:
        yield [*cells, Cell(say("REST"), _span(rest)), *sums]
    if not any(rest):
        yield [*cells, *sums]


def _forms(
    prompt: StripPrompt, worth: Sequence[tuple[int, str]], rest: Sequence[int]
) -> Iterator[list[Line]]:
    """The lines of what dice bring, ever shorter: whole words under a title come first."""
    figures = [(f"+{points}", label) for points, label in worth]
    long = [(say(label), figure) for figure, label in figures]
    short = [(in_short(label, figure), figure) for figure, label in figures]
    least = [(say("REST" if worth else "ALL"), _span(rest))] if rest else []
    goals = prompt.goals[:1]
    bonus = [_bonus(f"{goal.now}/{goal.needed}", say(Label(goal.key))) for goal in goals]
    title = [(say("YOU CAN SCORE:"), "")]
    yield [*title, *long, *least, *bonus]
    yield [*title, *packed([*long, *least]), *bonus]
    yield [*long, *least, *bonus]
    yield [*packed([*long, *least]), *bonus]
    yield [*packed([*short, *least]), *bonus]
    yield packed([*short, *least, *((say(Label(g.key)), f"{g.now}/{g.needed}") for g in goals)])


def _bonus(sum_text: str, part: str) -> Line:
    """The sum that a bonus counts, and that it does."""
    told = f"{part} {say('BONUS')}"
    fits = NARROW.width(told) + MIN_TEXT_GAP + NARROW.width(sum_text) <= WIDTH
    return (told if fits else part), sum_text


def in_short(label: str, figure: str = "0") -> str:
    """A box in the form that it has beside other words."""
    if isinstance(label, Label) and not is_number_sign(sign_of(label)):
        return say(Label(f"{label.key} {figure}")).removesuffix(f" {figure}")
    return say(f"{label} {figure}").removesuffix(f" {figure}")


def _span(points: Sequence[int]) -> str:
    """The least and the most of some points."""
    return f"{min(points)}-{max(points)}" if max(points) > min(points) else str(max(points))


def _by_base(prompt: StripPrompt) -> dict[str, list[int]]:
    """The boxes by their label without a number, of which slots of a kind have the same."""
    found: dict[str, list[int]] = {}
    for at, (label, _) in enumerate(prompt.boxes):
        found.setdefault(_base_label(label), []).append(at)
    return found


def _boxes_page(prompt: StripPrompt) -> Picture:
    """The numbers above, with the sum that the bonus counts; all others below.

    A box that is filled leaves its place dark. Where a kind has several slots, a bar of two lights
    below its sign stands for each that is open.
    """
    canvas = Canvas()
    by_base = _by_base(prompt)
    left_of = {b: sum(prompt.boxes[at][1] is None for at in slots) for b, slots in by_base.items()}
    slotted = any(len(slots) > 1 for slots in by_base.values())
    upper = [label for label in by_base if len(_SIGNS.get(label, "")) == 1]
    goal = f"{prompt.goals[0].now}/{prompt.goals[0].needed}" if prompt.goals else say("BONUS")
    canvas.text(WIDTH - SMALL.width(goal), 1, goal, SMALL)
    pitch = min((WIDTH - SMALL.width(goal) - 2) // max(len(upper), 1), _MOST_PITCH)
    for n, label in enumerate(upper):
        if left_of[label]:
            canvas.text(n * pitch, 0, sign_of(label), TALL)
    lower = {label: sign_of(label) for label in by_base if label not in upper}
    if sum(SMALL.width(sign) + 2 for sign in lower.values()) - 2 > WIDTH:
        # A letter is enough for what begins with one.
        lower = {k: sign[:1] if sign[0].isalpha() else sign for k, sign in lower.items()}
    wide = {
        label: max(SMALL.width(sign), 3 * left_of[label] - 1 if slotted else 0)
        for label, sign in lower.items()
    }
    spare = WIDTH - sum(wide.values())
    x, gaps = 0, len(lower) - 1
    for n, (label, sign) in enumerate(lower.items()):
        if left_of[label]:
            canvas.text(x, LOWER_LINE_ROW + 1, sign, SMALL)
        if slotted:
            for slot in range(left_of[label]):
                canvas.block(x + 3 * slot, HEIGHT - 1, 2, 1)
        x += wide[label] + (spare * (n + 1) // gaps - spare * n // gaps if gaps else 0)
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
