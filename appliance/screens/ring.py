"""The table of Showdown: whose the cards around the ring are, and single places in words."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from appliance.picture import WIDTH, Picture
from appliance.screens.drawing.canvas import DIE_SIZE, MIN_TEXT_GAP, Canvas
from appliance.screens.drawing.film import first_within_a_cycle
from appliance.screens.drawing.font import NARROW, SMALL
from appliance.screens.drawing.layout import (
    LOWER_LINE_ROW,
    draw_page_bar,
    shorten_to_fit,
    two_lines,
)
from appliance.screens.standing import ShortName, labels
from appliance.screens.strip import is_number_sign, place_of_sign, sign_of
from appliance.screens.tables import Line, pages_of_lines
from appliance.table.prompts.looking import Spot, TableSpots
from appliance.words import say


class _Group(NamedTuple):
    """What is said of whose some cards are, ever shorter, and their labels."""

    titles: tuple[str, ...]
    cards: tuple[str, ...]

    def with_cards(self, texts: Iterable[str], between: str = " ", shorter: int = 0) -> Line:
        """Whose they are in one of the forms, and the cards in words or by signs."""
        title = self.titles[min(shorter, len(self.titles) - 1)]
        return title, between.join(texts)

    def forms(self) -> Iterator[Line]:
        """A line on whose they are, a line on the cards, in ever fewer letters."""
        names, signs = [*map(say, self.cards)], [*map(sign_of, self.cards)]
        # A digit tells a number, but the letters of any other sign have to be learnt.
        mixed = [
            sign if is_number_sign(sign) else name for sign, name in zip(signs, names, strict=True)
        ]
        yield self.with_cards(names, ", ")
        yield self.with_cards(mixed, ", ")
        # `6 LS` could be six of them.
        yield self.with_cards(signs, ", ")
        yield self.with_cards(signs)


def owners_pages(table: TableSpots) -> tuple[Picture, ...]:
    """Whose the cards are, one's own first, and which nobody has: a page each, in words.

    Where there is no room or time for that, a card is its sign; then two are on a page, too.
    """
    return first_within_a_cycle(_forms_of_groups(tuple(_groups(table))))


def _forms_of_groups(groups: Sequence[_Group]) -> Iterator[Sequence[Picture]]:
    """The pages on whose the cards are, in ever fewer letters."""
    for apart in zip(*(group.forms() for group in groups), strict=True):
        if all(NARROW.width(text) <= WIDTH for line in apart for text in line):
            yield [two_lines(*line) for line in apart]
    for shorter in range(3):
        signs = ((group, map(sign_of, group.cards)) for group in groups)
        lines = (_in_lines(group.with_cards(cards, shorter=shorter)) for group, cards in signs)
        yield pages_of_lines([*chain.from_iterable(lines)])


def _groups(table: TableSpots) -> Iterator[_Group]:
    """The cards by whose they are, one's own first; then those that nobody has."""
    mine = {spot.owner for spot in table.spots if spot.mine}
    for label in sorted(_owners(table), key=lambda label: label.name not in mine):
        cards = tuple(spot.label for spot in table.spots if spot.owner == label.name)
        room = WIDTH - NARROW.width(say("{player} HAS", player=""))
        named = tuple(label.cut_to(wide, NARROW) for wide in (room, WIDTH // 2, WIDTH // 4))
        first = say("YOU HAVE") if label.name in mine else say("{player} HAS", player=named[0])
        yield _Group((first, *(f"{name}:" for name in named[1:])), cards)
    if table.beside:
        left = say("{count} LEFT", count=len(table.beside))
        yield _Group((left,), tuple(spot.label for spot in table.beside))


def _in_lines(line: Line) -> Iterator[Line]:
    """A text and signs behind it, those that it has no room for on lines of their own."""
    left, signs = line[0], line[1].split()
    while left or signs:
        count = len(signs)
        while count and NARROW.width(" ".join((left, *signs[:count]))) > WIDTH - MIN_TEXT_GAP:
            count -= 1
        yield left, " ".join(signs[:count])
        left, signs = "", signs[count:]


def _owners(table: TableSpots) -> tuple[ShortName, ...]:
    """The labels of those who have a card."""
    return labels(sorted({spot.owner for spot in table.spots if spot.owner}))


_CELLS_IN_A_ROW = 3
_CELL_COLUMNS = 22


def ring_cards_pages(table: TableSpots) -> tuple[Picture, ...]:
    """All cards of a ring, numbers first, then the others: a page of six each.

    Beside the sign of a card stands what the dice on the table would bring there, on a lit ground;
    else whose it is and, of a number, how many dice of it a roll needs. A card alone is left.
    """
    cards = [spot for spot in (*table.spots, *table.beside) if spot.points is not None]
    cards += table.beside
    cards = sorted(dict.fromkeys(cards), key=lambda spot: place_of_sign(spot.label))
    names = {label.name: label for label in _owners(table)}
    groups = [
        [spot for spot in cards if is_number_sign(sign_of(spot.label)) is numbers]
        for numbers in (True, False)
    ]
    shown = []
    for group in filter(None, groups):
        canvas = Canvas()
        for n, spot in enumerate(group):
            x = n % _CELLS_IN_A_ROW * _CELL_COLUMNS
            y = 1 if n < _CELLS_IN_A_ROW else LOWER_LINE_ROW + 2
            _draw_ring_card(canvas, spot, names, (x, y))
        shown.append(canvas.picture)
    return tuple(shown)


def _draw_ring_card(
    canvas: Canvas, spot: Spot, names: dict[str, ShortName], place: tuple[int, int]
) -> None:
    (x, y), texts = place, [sign_of(spot.label)]
    if spot.pays is not None:
        texts.append(f"+{spot.pays}")
    elif spot.owner:
        texts += [names[spot.owner].short, f"{spot.needs}+" if spot.needs else ""]
    room = min(_CELL_COLUMNS - 1, WIDTH - x)
    gap = 2 if sum(map(NARROW.width, texts)) + 2 * len(texts) <= room else 1
    at = x + 1 * (spot.pays is not None)
    for text in filter(None, texts):
        at += canvas.text(at, y, text, NARROW) + gap
    if spot.pays is not None:
        canvas.invert(x, y - 1, min(at - gap + 1, WIDTH) - x, DIE_SIZE)


def needed_dice(spot: Spot) -> str:
    """A card with how many dice of its number a roll needs, such as `2 FOURS`."""
    label = say(spot.label)
    return f"{spot.needs} {label}" if spot.needs else label


def told_need(spot: Spot) -> str:
    """What a card of a number takes, with a verb; of any other card its name."""
    if not spot.needs:
        return say(spot.label)
    return say("{dice}: POINTS" if spot.mine else "{dice} WIN IT", dice=needed_dice(spot))


def spot_pages(spot: Spot, index: int = 0, count: int = 1) -> tuple[Picture, ...]:
    """A place in words: what it is and its number, what it takes, whose it is, who stands there.

    A bar at the right shows which page of a longer list it is.
    """
    room = WIDTH if count == 1 else WIDTH - 2
    below = [_needed(spot, room)] if spot.owner or spot.note else []
    if not below and not spot.pawns:
        below = [("", "")]
    below += (_named(name, say("IS HERE"), room) for name in spot.pawns)
    shown = []
    for left, right in below:
        canvas = _spot_canvas(spot, room, index, count)
        canvas.line(LOWER_LINE_ROW, left, right, room)
        shown.append(canvas.picture)
    return tuple(shown)


def _needed(spot: Spot, room: int) -> tuple[str, str]:
    """Whose a card is, and what the player who looks needs for it."""
    if spot.needs and spot.owner and is_number_sign(sign_of(spot.label)):
        needs = say("YOU NEED {count}", count=spot.needs)
        return shorten_to_fit(say("YOURS") if spot.mine else spot.owner, needs, room), needs
    if spot.owner and not spot.note:
        return _named(spot.owner, say("HAS IT"), room)
    note = say(spot.note)
    whose = say("YOURS") if spot.mine else spot.owner
    return (shorten_to_fit(whose, note, room) if whose else ""), note


def _named(name: str, what: str, room: int) -> tuple[str, str]:
    """A player and what is said of the player: as one text where that fits."""
    if SMALL.width(f"{name} {what}") <= room:
        return f"{name} {what}", ""
    return shorten_to_fit(name, what, room), what


def _spot_canvas(spot: Spot, room: int, index: int, count: int) -> Canvas:
    canvas = Canvas()
    canvas.line(0, say(spot.label), "" if spot.points is None else str(spot.points), room)
    draw_page_bar(canvas, index, count)
    return canvas
