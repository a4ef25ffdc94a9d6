"""Cards that lie open: in the centre with their chips, and what others have at home.

They are told in words; where there is no time for all, some are left out.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product

from appliance.picture import WIDTH, Picture
from appliance.screens.drawing.canvas import MIN_TEXT_GAP
from appliance.screens.drawing.film import first_within_a_cycle, letters_of
from appliance.screens.drawing.font import NARROW, SMALL
from appliance.screens.drawing.layout import two_lines
from appliance.screens.standing import ShortName, labels
from appliance.screens.strip import long_name, number_of
from appliance.screens.tables import (
    MOST_SCREENS,
    Line,
    after_verb,
    ever_fewer,
    packed,
    pages_of_lines,
    readable_pages,
    with_verb,
)
from appliance.table.prompts.looking import Spot, TableSpots
from appliance.table.prompts.wording import CARD_PLACE
from appliance.words import say


def card_name(label: str) -> str:
    """The card that a label names, without its place."""
    return CARD_PLACE.sub("", label)


def choice_name(label: str) -> str:
    """A choice by its label; of a card on the table only its name."""
    return long_name(card_name(label)) if CARD_PLACE.match(label) else say(label)


def cards_pages(table: TableSpots, left: Sequence[Line] = ()) -> tuple[Picture, ...]:
    """The cards that may be won, in words on two screens: first those in the centre.

    Of others' cards it is told what a roll needs; own ones are not among them. Then comes what is
    `left`. What there is no room for is left out, and how many cards that are is said.
    """
    spots = _mixed([spot for spot in table.spots if not spot.mine])
    owners = labels(list(dict.fromkeys(spot.owner for spot in spots if spot.owner)))
    names = {label.name: label for label in owners}
    return first_within_a_cycle(_forms_of_cards(spots, names, left), MOST_SCREENS)


_CENTRE_FIRST = 2
"""So many cards of the centre are told before one of others'."""


def _mixed(spots: Sequence[Spot]) -> list[Spot]:
    """Cards of the centre, those with most points first, with one of others' early among them."""
    free = sorted((spot for spot in spots if not spot.owner), key=_most_first)
    taken = [spot for spot in spots if spot.owner]
    return [*free[:_CENTRE_FIRST], *taken[:1], *free[_CENTRE_FIRST:], *taken[1:]]


def _most_first(spot: Spot) -> int:
    """Orders cards, those with most points first."""
    return -(spot.points or 0)


def _forms_of_cards(
    spots: Sequence[Spot], names: Mapping[str, ShortName], left: Sequence[Line]
) -> Iterator[Sequence[Picture]]:
    """The pages on cards that may be won, in ever fewer letters, at last on fewer cards."""
    every = [(spots, left)] if spots else []
    for told, end in (*every, *((some, [more]) for some, more in ever_fewer(spots))):
        free = [spot for spot in told if not spot.owner]
        taken = [spot for spot in told if spot.owner]
        for last, cards in product((end, ()), _in_words(free, names)):
            for first, others in product(_headed(cards), _to_take(taken, names)):
                yield readable_pages([*first, *others, *last], MOST_SCREENS)
    yield pages_of_lines(left)


def _headed(cards: Sequence[Line]) -> Iterator[Sequence[Line]]:
    """Cards below a title, or behind a verb."""
    yield [(say("YOU CAN WIN:"), ""), *cards]
    yield after_verb(say("WIN"), cards)
    yield [(say("YOU CAN WIN:"), ""), *packed(cards)]
    yield packed(after_verb(say("WIN"), cards))


def _to_take(spots: Sequence[Spot], names: Mapping[str, ShortName]) -> Iterator[Sequence[Line]]:
    """Others' cards with what a roll needs, each on two lines."""
    plain = [replace(spot, needs=0, pays=None) for spot in spots]
    for in_words in _in_words(plain, names):
        cards = zip((card for card, _ in in_words), map(_needed, spots), strict=True)
        yield [(text, "") for card, needs in cards for text in (card, needs) if text]


def _needed(spot: Spot) -> str:
    """What a roll needs for another's card: so many of its number, or so many pips in all."""
    if not spot.needs:
        return ""
    number = number_of(card_name(spot.label))
    told = "YOU NEED {dice}" if number else "{total} PIPS OR MORE"
    return say(told, dice=spot.needs, total=spot.needs)


def _in_words(spots: Sequence[Spot], names: Mapping[str, ShortName]) -> Iterator[list[Line]]:
    """A line on each of some cards, ever shorter: at last its owner is told by a letter or two."""
    yield [_word_line(spot, names) for spot in spots]
    yield [_word_line(spot, names, short_name) for spot in spots]
    shortest = {name: label._replace(name=label.short) for name, label in names.items()}
    yield [_word_line(spot, shortest, short_name) for spot in spots]


def winning_pages(table: TableSpots) -> tuple[Picture, ...]:
    """What the dice on the table win, in words, and what they do not yet: two screens at most.

    Where there is no room for all, the last ones of the others are left out.
    """
    spots = [spot for spot in table.spots if not spot.mine]
    owners = labels(list(dict.fromkeys(spot.owner for spot in spots if spot.owner)))
    names = {label.name: label for label in owners}
    made = sorted((spot for spot in spots if spot.fits), key=_most_first)
    others = _mixed([spot for spot in spots if not spot.fits])
    return first_within_a_cycle(_winning_forms(made, others, names), MOST_SCREENS)


def _winning_forms(
    made: Sequence[Spot], others: Sequence[Spot], names: Mapping[str, ShortName]
) -> Iterator[Sequence[Picture]]:
    """The pages on the cards that dice win, and on all others, in ever fewer letters."""
    title = [(say("YOU CAN WIN:"), "")] if made else []
    for told in range(len(others), -1, -1):
        in_words = zip(_in_words(made, names), _in_words(others[:told], names), strict=True)
        for won, not_yet in in_words:
            with_verbs = list(filter(None, (with_verb(say("WIN"), line) for line in won)))
            all_verbs = with_verbs if len(with_verbs) == len(won) else [*title, *won]
            firsts = (all_verbs, [*title, *packed(won)], after_verb(say("WIN"), won), packed(won))
            for first, rest in product(firsts, (not_yet, packed(not_yet))):
                lines = [*first, *after_verb(say("NOT YET:"), rest)]
                yield readable_pages(lines, MOST_SCREENS)
    yield pages_of_lines(packed(list(_in_words(made, names))[-1]))


def _word_line(
    spot: Spot, names: Mapping[str, ShortName], name_of: Callable[[str], str] = long_name
) -> Line:
    """A card by its name, with as much of its owner's as fits, and its figures."""
    card, figures = name_of(card_name(spot.label)), _figures(spot)
    if not spot.owner:
        return card, figures
    beside = f"{_owner_of('')} {card}"
    # A column is free between the name and what follows it.
    room = WIDTH - SMALL.width(beside) - 1 - SMALL.width(figures) - MIN_TEXT_GAP
    name = names[spot.owner].cut_to(room, SMALL)
    return f"{_owner_of(name)} {card}" if name else card, figures


def _owner_of(name: str) -> str:
    """A name before what is that player's."""
    return say("{player}'S", player=name)


def _figures(spot: Spot) -> str:
    """What a card gives, with its chips; or what a roll needs for another's."""
    if spot.owner and not spot.fits:
        return f"{spot.needs}+" if spot.needs else ""
    # The chips come with the card: one gets all of that.
    return f"+{spot.points or 0}"


def winnable_page(table: TableSpots, header: tuple[str, str], letters: int) -> Picture:
    """What there is to win: the best card in words, and one more in short, or in words, too.

    Above or below it stand the texts of the header. First come cards that the dice win, then those
    of the centre; where dice can win something and do not, that is said. The page has at most so
    many `letters`.
    """
    spots = _to_win(table)[:2]
    if not spots:
        return two_lines(header[0], "", header[1])
    shown = (header[0], "", header[1], "")
    for shown in _best_and_another(spots, *header):
        top, bottom, top_right, bottom_right = shown
        fits = all(
            NARROW.width(left) + bool(left and right) * MIN_TEXT_GAP + NARROW.width(right) <= WIDTH
            for left, right in ((top, top_right), (bottom, bottom_right))
        )
        if fits and letters_of(*shown) <= letters:
            break
    return two_lines(*shown)


def _best_and_another(
    spots: Sequence[Spot], own: str, ok: str
) -> Iterator[tuple[str, str, str, str]]:
    """The texts of a page on one or two cards, ever shorter: left and right, above and below."""
    owners = labels(list(dict.fromkeys(spot.owner for spot in spots if spot.owner)))
    names = {label.name: label for label in owners}
    best, others = spots[0], spots[1:]
    in_words = _forms(best, {}), _forms(others[0], names) if others else ("",)
    for sign, first, another in product(("+", ""), *in_words):
        worth = f"{sign}{best.points or 0}"
        figure = f"{sign}{others[0].points or 0}" if others else ""
        if ok and not own and best.fits:
            # What OK takes is behind it; beneath it is what it takes as well, or does not yet.
            is_made = bool(others) and others[0].fits
            text, both = "OR {card}" if is_made else "TRY {card}", f"{another} {figure}"
            taken = [
                say(text, card=both),
                say(text, card=another),
                *([both, another] if is_made else ()),
            ]
            for below in taken if another else [""]:
                yield ok, below, f"{first} {worth}", ""
            continue
        # What the dice do not win yet is no other choice beside what they win.
        other = "TRY {card}" if best.fits and others and not others[0].fits else "OR {card}"
        for told in (say(other, card=another), another) if another else ("",):
            if own:
                yield own, f"{first} {worth}", ok, told
            elif ok:
                yield say("TRY {card}", card=first), told, worth, ok
            else:
                yield first, told, worth, figure
    # With one card alone, at last without its figure.
    short = short_name(card_name(best.label))
    told = short if best.fits else say("TRY {card}", card=short)
    for worth in (f"+{best.points or 0}", ""):
        yield own or ok, told, ok if own else "", worth


def _forms(spot: Spot, names: Mapping[str, ShortName]) -> tuple[str, ...]:
    """A card in words, ever shorter, with its owner's name among these."""
    card = card_name(spot.label)
    forms = (long_name(card), short_name(card))
    if spot.owner not in names:
        return forms
    owner = _owner_of(names[spot.owner].name)
    return (*(f"{owner} {form}" for form in forms), *forms)


def short_name(card: str) -> str:
    """A card in the form that its name has beside other words."""
    return say(f"{card} 0").removesuffix(" 0")


def _to_win(table: TableSpots) -> list[Spot]:
    """The cards to be won: those that the dice win first, then those of the centre."""
    spots = (spot for spot in table.spots if not spot.mine)
    return sorted(spots, key=lambda spot: (not spot.fits, bool(spot.owner)))


def least_to_win(table: TableSpots) -> str:
    """What `winnable_page` says at least of the cards, beside what OK does."""
    spots = _to_win(table)[:2]
    cards = [short_name(card_name(spot.label)) for spot in spots]
    worth = [f"+{spot.points}" for spot in spots[:1]]
    is_second_made = len(spots) > 1 and spots[1].fits
    return " ".join((say("OR {card}" if is_second_made else "TRY {card}", card=""), *cards, *worth))


def place_name(spot: Spot) -> str:
    """Where a card lies in the centre, in words."""
    found = CARD_PLACE.match(spot.label)
    return say("CENTRE {space}", space=found[1]) if found and found[1] else ""


def told_spot(table: TableSpots, at: int) -> Spot:
    """The place that is told in words: one of those on the table, or what lies beside them."""
    everything: Sequence[Spot] = (*table.spots, *table.beside)
    return everything[at % len(everything)]
