"""All boxes of a sheet at once: the open ones in words, and what dice bring in each."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import groupby, product

from appliance.picture import HEIGHT, WIDTH, Picture
from appliance.screens.drawing.canvas import Canvas
from appliance.screens.drawing.film import first_within_a_cycle, pages
from appliance.screens.drawing.font import SMALL
from appliance.screens.drawing.layout import LOWER_LINE_ROW, shorten_to_fit, two_lines
from appliance.screens.tables import (
    MOST_LINES,
    MOST_SCREENS,
    Cell,
    Line,
    ever_fewer,
    listed,
    packed,
    pages_of_lines,
    readable_pages,
    two_tables,
)
from appliance.table.prompts.looking import StripPrompt
from appliance.words import Label, say
from games.views import Goal

_NUMBERS = {
    "ACES": "1",
    "ONES": "1",
    "TWOS": "2",
    "THREES": "3",
    "FOURS": "4",
    "FIVES": "5",
    "SIXES": "6",
}
_SLOT_NUMBERS = (" 1", " 2", " 3")


def number_of(label: str) -> str:
    """The digit of a box or card of a number, by its label; nothing for any other."""
    return _NUMBERS.get(label, "")


def _base_label(label: str) -> str:
    """A label without the number of one of several slots."""
    return label[:-2] if label.endswith(_SLOT_NUMBERS) else label


@pages.register
def _strip_pages(prompt: StripPrompt) -> tuple[Picture, ...]:
    if prompt.at is not None:
        return (_box_page(prompt, prompt.at),)
    if prompt.pays:
        return _paying_pages(prompt)
    if all(points is not None for _, points in prompt.boxes):
        # Some games write down rows as they come.
        return (two_lines(prompt.player, say("TOTAL"), "", str(prompt.total)),)
    return first_within_a_cycle(_open_forms(prompt), MOST_SCREENS)


def _open_forms(prompt: StripPrompt) -> Iterator[Sequence[Picture]]:
    """The pages on which boxes are still open, and the sum that a bonus counts, in words.

    Where few are filled, it is these that are named. In ever fewer letters; at last some boxes are
    left out, and it is said how many.
    """
    still, filled = list[str](), list[str]()
    for base, slots in _by_base(prompt).items():
        is_open = any(prompt.boxes[at][1] is None for at in slots)
        (still if is_open else filled).append(base if len(slots) > 1 else prompt.boxes[slots[0]][0])
    bonuses = [*([_bonus(goal)] for goal in prompt.goals[:1]), []]
    # Of a kind with several boxes one is open as long as any of them is.
    every = all(points is None for _, points in prompt.boxes)
    whole = say("ALL BOXES OPEN" if every else "ALL KINDS OPEN")
    ways = [*product(bonuses, range(len(_NAMINGS)), (prompt.player, ""))]
    for bonus, naming, player in ways:
        for lines in _all_open(still, filled, naming, player, whole):
            yield readable_pages([*lines, *bonus], MOST_SCREENS)
    for (told, more), (bonus, naming, player) in product(ever_fewer(still), ways):
        lines = _still_open(told, naming, player)
        yield readable_pages([*lines, more, *bonus], MOST_SCREENS)


def _all_open(
    still: Sequence[str], filled: Sequence[str], naming: int, player: str, whole: str
) -> Iterator[list[Line]]:
    """Which boxes are open, or that all are but those that are filled, with fewer names.

    The text `whole` says that all are.
    """
    whose = [(player, "")] if player else []
    if not filled:
        yield [*whose, (whole, "")]
    elif len(filled) < len(still):
        yield [*whose, *listed(_NAMINGS[naming](filled), say("ALL OPEN BUT"))]
    if still:
        yield _still_open(still, naming, player)


def _still_open(labels: Sequence[str], naming: int, player: str) -> list[Line]:
    """Boxes that are open, under whose they are, or behind a short word."""
    names = _NAMINGS[naming](labels)
    if not player:
        return listed(names, say("OPEN:"))
    what = say("STILL OPEN")
    return [(shorten_to_fit(player, what), what), *listed(names)]


def _in_words(labels: Sequence[str]) -> list[str]:
    """Boxes by their whole names."""
    return [*map(long_name, labels)]


def _in_digits(labels: Sequence[str], short: bool = False) -> list[str]:
    """The numbers among them by digits, behind what these are."""
    numbers = [label for label in labels if number_of(label)]
    name_of = in_short if short else long_name
    others = [name_of(label) for label in labels if label not in numbers]
    if len(numbers) < _LEAST_DIGITS:
        return [*_in_words(numbers), *others]
    digits = in_rows(int(number_of(label)) for label in numbers)
    return [say("NUMBERS {digits}", digits=" ".join(digits)), *others]


_LEAST_DIGITS = 2
_NAMINGS = (_in_words, _in_digits, partial(_in_digits, short=True))
"""How boxes are named, ever shorter."""


def in_rows(digits: Iterable[int]) -> list[str]:
    """Digits in order, from three in a row on as `1-3`."""
    told = list[str]()
    for _, some in groupby(enumerate(sorted(digits)), lambda each: each[1] - each[0]):
        row = [f"{digit}" for _, digit in some]
        told += [f"{row[0]}-{row[-1]}"] if len(row) >= _LEAST_ROW else row
    return told


_LEAST_ROW = 3


def long_name(name: str) -> str:
    """A box or card by its name, with as much of it as a line has room for."""
    return say(_LONG_NAMES.get(name, name))


_LONG_NAMES = {"FULL H": "FULL HOUSE", "SM STR": "SMALL STR", "LG STR": "LARGE STR"}


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
    """The cells of two tables of what dice bring: numbers by their digit, all others in words."""
    told = sorted(worth, key=lambda each: bool(number_of(each[1])))
    cells = [Cell(number_of(label) or in_short(label), str(points)) for points, label in told]
    sums = [Cell(say("BONUS"), f"{goal.now}/{goal.needed}") for goal in prompt.goals[:1]]
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
    bonus = [*map(_bonus, goals)]
    title = [(say("YOU CAN SCORE:"), "")]
    yield [*title, *long, *least, *bonus]
    yield [*title, *packed([*long, *least]), *bonus]
    yield [*long, *least, *bonus]
    yield [*packed([*long, *least]), *bonus]
    yield [*packed([*short, *least]), *bonus]
    yield packed([*short, *least, *((say("BONUS"), f"{g.now}/{g.needed}") for g in goals)])
    yield packed([*short, *least])


def _bonus(goal: Goal) -> Line:
    """The sum that a bonus counts, of how much."""
    return say("BONUS {now} OF {needed}", now=goal.now, needed=goal.needed), ""


def in_short(label: str, figure: str = "0") -> str:
    """A box in the form that it has beside other words."""
    if isinstance(label, Label) and not number_of(label):
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
