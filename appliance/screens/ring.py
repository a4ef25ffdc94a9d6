"""The table of Showdown: what dice bring, whose the cards around the ring are, single places."""

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import NamedTuple, Self

from appliance.picture import WIDTH, Picture
from appliance.screens.drawing.canvas import MIN_TEXT_GAP, Canvas
from appliance.screens.drawing.film import first_within_a_cycle, letters_of
from appliance.screens.drawing.font import NARROW, SMALL
from appliance.screens.drawing.layout import (
    LOWER_LINE_ROW,
    draw_page_bar,
    shorten_to_fit,
    two_lines,
)
from appliance.screens.standing import labels
from appliance.screens.strip import in_rows, in_short, number_of
from appliance.screens.tables import (
    MOST_LINES,
    MOST_SCREENS,
    Line,
    after_verb,
    listed,
    packed,
    pages_of_lines,
    readable_pages,
)
from appliance.table.prompts.looking import Spot, TableSpots
from appliance.table.prompts.wording import COUNTS
from appliance.words import say


class _Group(NamedTuple):
    """Whose some cards are, ever shorter, and their names in each of `_NAMINGS`."""

    titles: tuple[str, ...]
    names: tuple[Sequence[str], ...]
    mine: bool = False

    @classmethod
    def of_cards(cls, titles: tuple[str, ...], cards: Sequence[str], mine: bool = False) -> Self:
        """The cards with these labels."""
        return cls(titles, tuple(_names_of(cards, name_of) for name_of in _NAMINGS), mine)

    def lines(self, naming: int, shorter: int, columns: int = WIDTH) -> list[Line]:
        """Whose they are and their names, which go on in further lines of so many columns."""
        return listed(self.names[naming], self.titles[min(shorter, len(self.titles) - 1)], columns)


def _names_of(cards: Sequence[str], name_of: Callable[[str], str]) -> list[str]:
    """The names of cards: numbers that are digits first, from three in a row on as `1-3`."""
    names = [*map(name_of, cards)]
    digits = [int(name) for name in names if name.isdigit()]
    return [*in_rows(digits), *(name for name in names if not name.isdigit())]


def _digit_or_name(card: str) -> str:
    """A card of a number by its digit, any other by its name: short forms must be learnt."""
    return number_of(card) or say(card)


def _digit_or_short_name(card: str) -> str:
    """The same in ever fewer letters."""
    return number_of(card) or in_short(card)


_NAMINGS: tuple[Callable[[str], str], ...] = (say, _digit_or_name, _digit_or_short_name)
"""How a card is named, ever shorter."""
_TITLES = range(1, 4)
"""The titles of a group that have room for cards beside them, ever shorter."""


def owners_pages(table: TableSpots) -> tuple[Picture, ...]:
    """Whose the cards are, one's own first, and which nobody has: in words, on two screens.

    Where there is no room for that they take more screens; without time for these, the last
    of them are left out.
    """
    return first_within_a_cycle(_forms_of_owners((*_owned(table), *_free(table))))


def _forms_of_owners(groups: Sequence[_Group]) -> Iterator[Sequence[Picture]]:
    """The pages on whose the cards are, in ever fewer letters."""
    apart = [(group.titles[0], ", ".join(group.names[0])) for group in groups]
    if len(apart) <= MOST_SCREENS and all(NARROW.width(names) <= WIDTH for _, names in apart):
        yield [two_lines(*line) for line in apart]
    fewer = (groups[:told] for told in range(len(groups) - 1, 0, -1))
    whole = [lines for told in (groups, *_with_rest(groups)) for lines in _all_forms(told)]
    yield from (readable_pages(lines, MOST_SCREENS) for lines in whole)
    yield from map(readable_pages, whole)
    yield from (readable_pages(lines) for told in fewer for lines in _all_forms(told))


def _with_rest(groups: Sequence[_Group]) -> Iterator[Sequence[_Group]]:
    """The groups, one of them with the rest of the cards: the longest first, one's own last."""
    if len(groups) == 1:
        yield [_told_as(groups[0], say("ALL"))]
        return
    letters = [letters_of(*group.names[0]) for group in groups]
    for at in sorted(range(len(groups)), key=lambda at: (groups[at].mine, -letters[at])):
        rest = _told_as(groups[at], say("THE REST"))
        yield [*groups[:at], rest, *groups[at + 1 :]]


def _told_as(group: _Group, text: str) -> _Group:
    """A group with a text in place of its cards."""
    return group._replace(names=((text,),) * len(_NAMINGS))


def paying_pages(table: TableSpots) -> tuple[Picture, ...]:
    """What dice bring on the cards, the most first, or what the card takes that they are for.

    Then, as far as two screens have room and time, which cards nobody has, and whose the others
    are, all in words.
    """
    return first_within_a_cycle(_forms_of_roll(table), MOST_SCREENS)


def _forms_of_roll(table: TableSpots) -> Iterator[Sequence[Picture]]:
    """The pages on what dice bring now and on all other cards, in ever fewer letters."""
    groups = [*_free(table), *_owned(table)]
    in_words, short, in_digits = (
        _brought(table, name_of) for name_of in (say, in_short, _digit_or_short_name)
    )
    taken = [line for spot in table.aims for line in _taking(spot)]
    title = (say("YOU CAN SCORE:" if in_words else "NOTHING YET"), "")
    verb = say("WIN")
    firsts = [[title, *in_words], *(after_verb(verb, some) for some in (in_words, short)), short]
    if not in_words:
        firsts = [taken or [title]]
    for told in range(len(groups), -1, -1):
        others = [
            lines
            for some in (groups[:told], *(_with_rest(groups) if told == len(groups) > 0 else ()))
            for lines in _all_forms(some)
        ]
        for first, rest in product(firsts, others):
            yield readable_pages([*first, *rest], MOST_SCREENS)
    yield pages_of_lines(packed(in_digits)[:MOST_LINES])


def _brought(table: TableSpots, name_of: Callable[[str], str]) -> list[Line]:
    """The cards on which dice bring something, the most first; equals together."""
    cards, lines = (*table.spots, *table.beside), list[Line]()
    for points in sorted({spot.pays for spot in cards if spot.pays is not None}, reverse=True):
        figure = f"+{points}"
        labels = [spot.label for spot in cards if spot.pays == points]
        room = WIDTH - MIN_TEXT_GAP - NARROW.width(figure)
        told = _Group(("",), (_names_of(labels, name_of),)).lines(0, 0, room)
        lines += [(text.removesuffix(","), figure) for text, _ in told]
    return lines


def _all_forms(groups: Sequence[_Group]) -> Iterator[list[Line]]:
    """The lines of all groups, in ever fewer letters."""
    for naming, shorter in product(range(len(_NAMINGS)), _TITLES):
        yield from _arrangements(groups, naming, shorter)


def _arrangements(groups: Sequence[_Group], naming: int, shorter: int) -> Iterator[list[Line]]:
    """The lines of all groups, two short ones on one; these come first, or last."""
    told = [group.lines(naming, shorter) for group in groups]
    short = packed([lines[0] for lines in told if len(lines) == 1])
    long = [line for lines in told if len(lines) > 1 for line in lines]
    yield [*short, *long]
    if short and long:
        yield [*long, *short]


def _free(table: TableSpots) -> Iterator[_Group]:
    """The cards that nobody has and the dice do not bring."""
    if cards := tuple(spot.label for spot in table.beside if spot.pays is None):
        yield _Group.of_cards((say("NOBODY HAS"), say("FREE:")), cards)


def _owned(table: TableSpots) -> Iterator[_Group]:
    """The cards by whose they are, one's own first."""
    mine = {spot.owner for spot in table.spots if spot.mine}
    owners = labels(sorted({spot.owner for spot in table.spots if spot.owner}))
    for label in sorted(owners, key=lambda label: label.name not in mine):
        cards = tuple(spot.label for spot in table.spots if spot.owner == label.name)
        if label.name in mine:
            yield _Group.of_cards((say("YOU HAVE"), say("YOU:")), cards, mine=True)
            continue
        room = WIDTH - NARROW.width(say("{player} HAS", player=""))
        first, *cut = (label.cut_to(wide, NARROW) for wide in (room, *_ROOMS))
        titles = (say("{player} HAS", player=first), *(f"{name}:" for name in cut))
        yield _Group.of_cards(titles, cards)


_ROOMS = (WIDTH // 2, WIDTH // 4, WIDTH // 8)
"""Columns for a name before cards, ever fewer."""


def _taking(spot: Spot) -> Iterator[Line]:
    """What a card takes, with a verb where there is room, whose it is and what it is worth."""
    told, worth = told_need(spot), str(spot.points or "")
    yield told if NARROW.width(told) <= WIDTH else needed_dice(spot), ""
    yield whose_card(spot, worth), worth


def whose_card(spot: Spot, worth: str) -> str:
    """Whose card the dice are thrown for, short enough for what it is worth to stand beside it."""
    if spot.mine:
        return say("YOUR CARD")
    if not spot.owner:
        return say(spot.note)
    room = say("{player}'S CARD", player=worth)
    return say("{player}'S CARD", player=shorten_to_fit(spot.owner, room))


def needed_dice(spot: Spot) -> str:
    """A card with how many dice of its number a roll needs, such as `2 FOURS`, or `ONE 4`."""
    if spot.needs == 1:
        return say("ONE {face}", face=number_of(spot.label))
    label = say(spot.label)
    return f"{spot.needs} {label}" if spot.needs else label


def told_need(spot: Spot) -> str:
    """What a card of a number takes, and what for; of any other card its name."""
    if not spot.needs:
        return say(spot.label)
    if spot.mine:
        # In digits only where there is no room for a word: `4 SIXES` could be two things.
        in_words = f"{say(COUNTS[spot.needs]).upper()} {say(spot.label)}"
        forms = [f"{dice}: +{spot.gain}" for dice in (in_words, needed_dice(spot))]
        return forms[NARROW.width(forms[0]) > WIDTH]
    return say("{dice} WINS IT" if spot.needs == 1 else "{dice} WIN IT", dice=needed_dice(spot))


def spot_pages(spot: Spot, index: int = 0, count: int = 1) -> tuple[Picture, ...]:
    """A place in words: what it is and its number, what it takes, whose it is, who stands there.

    Where a cycle has no time for all of this under its name, that stands there once; then pawns
    share lines. A bar at the right shows which page of a longer list it is.
    """
    room = WIDTH if count == 1 else WIDTH - 2
    title = say(spot.label), "" if spot.points is None else str(spot.points)
    told = [*_needed(spot, room)] if spot.owner or spot.note else []
    pawns = [_named(name, say("PAWN ON IT"), room) for name in spot.pawns]
    each, names = [*told, *pawns] or [("", "")], labels(spot.pawns)
    shorter = [name.cut_to(_ROOMS[-1], NARROW) for name in names], [name.short for name in names]
    together = [[*told, *_sharing_lines(some, room)] for some in shorter]
    forms = [[(title, line) for line in each]]
    forms += [_in_pairs(title, *lines) for lines in (each, *together)]
    return first_within_a_cycle(
        [_two_lines_of_list(*pair, room, index, count) for pair in pairs] for pairs in forms
    )


def _in_pairs(*lines: Line) -> list[tuple[Line, Line]]:
    """The lines, two on a page."""
    return [(lines[at], (*lines, ("", ""))[at + 1]) for at in range(0, len(lines), 2)]


def _sharing_lines(pawns: Sequence[str], room: int) -> Iterator[Line]:
    """Pawns by short names, as many on a line as it has room for."""
    here, names = say("PAWN ON IT"), ""
    for name in pawns:
        longer = f"{names} {name}".strip()
        if names and NARROW.width(longer) + MIN_TEXT_GAP + SMALL.width(here) > room:
            yield names, here
            longer = name
        names = longer
    if names:
        yield names, here


def _needed(spot: Spot, room: int) -> Iterator[tuple[str, str]]:
    """Whose a card is, and what the player who looks needs for it."""
    if spot.needs and spot.owner and number_of(spot.label):
        yield (say("YOURS"), "") if spot.mine else _named(spot.owner, say("HAS IT"), room)
        yield told_need(spot), ""
        return
    if spot.owner and not spot.note:
        yield _named(spot.owner, say("HAS IT"), room)
        return
    note = say(spot.note)
    whose = say("YOURS") if spot.mine else spot.owner
    yield (shorten_to_fit(whose, note, room) if whose else ""), note


def _named(name: str, what: str, room: int) -> tuple[str, str]:
    """A player and what is said of the player: as one text where that fits."""
    if SMALL.width(f"{name} {what}") <= room:
        return f"{name} {what}", ""
    return shorten_to_fit(name, what, room), what


def _two_lines_of_list(upper: Line, lower: Line, room: int, index: int, count: int) -> Picture:
    """Two lines with a bar that shows which page of a list they are."""
    canvas = Canvas()
    canvas.line(0, *upper, room)
    canvas.line(LOWER_LINE_ROW, *lower, room)
    draw_page_bar(canvas, index, count)
    return canvas.picture
