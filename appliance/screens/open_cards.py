"""Cards that lie open: in the centre with their chips, and what others have at home.

What the dice win is told in words; the others are in tables.
"""

from collections.abc import Mapping, Sequence

from appliance.picture import WIDTH, Picture
from appliance.screens.drawing.film import MOST_CYCLE_S, letters_of, reading_s, within_a_cycle
from appliance.screens.drawing.font import NARROW, SMALL
from appliance.screens.drawing.layout import fits_small_line, two_lines
from appliance.screens.standing import ShortName, labels
from appliance.screens.strip import sign_of
from appliance.screens.tables import Cell, pages_in_words, split_into_tables, tables
from appliance.table.prompts.looking import Spot, TableSpots
from appliance.table.prompts.wording import CARD_PLACE
from appliance.words import say


def card_name(label: str) -> str:
    """The card that a label names, without its place."""
    return CARD_PLACE.sub("", label)


def choice_name(label: str) -> str:
    """A choice by its label; of a card on the table only its name."""
    return long_name(card_name(label)) if CARD_PLACE.match(label) else say(label)


def cards_pages(
    table: TableSpots, at: int | None = None, after: Sequence[Picture] = ()
) -> tuple[Picture, ...]:
    """All cards that may be won: those that the dice win in words, the others in tables.

    In a table stands whose a card is and its sign, and under them what it brings with its chips, or
    what a roll needs. With `at` only the table that has that card, on a lit ground. Own cards are
    not among them. All others are told in words, too, if there is time for that and for the pages
    `after` these, which are among them.
    """
    spots = [(number, spot) for number, spot in enumerate(table.spots) if not spot.mine]
    owners = labels(list(dict.fromkeys(spot.owner for _, spot in spots if spot.owner)))
    names = {label.name: label for label in owners}
    if at is not None:
        cells = [_sign_cell(spot, names, number == at) for number, spot in spots]
        part = next(p for p in split_into_tables(cells) if any(cell.lit for cell in p))
        return tuple(tables(part))
    made = [_word_cell(spot, names) for _, spot in spots if spot.fits]
    others = [spot for _, spot in spots if not spot.fits]
    in_words = pages_in_words([_word_cell(spot, names) for spot in others])
    in_signs = tables([_sign_cell(spot, names) for spot in others])
    won = pages_in_words(made)
    not_yet = [two_lines(say("NOT YET:"), "")] if made and others else []
    lit = tables([_sign_cell(spot, names, spot.fits) for _, spot in spots])
    forms = ([*won, *not_yet, *in_words], [*won, *not_yet, *in_signs], [*won, *in_signs], lit)
    whole = ((*form, *after) for form in forms)
    return within_a_cycle(next((f for f in whole if sum(map(reading_s, f)) <= MOST_CYCLE_S), lit))


def winning_title(table: TableSpots) -> Picture | None:
    """The page that says that the dice win what comes next; None if they win nothing."""
    made = any(spot.fits for spot in table.spots)
    return two_lines(say("THESE DICE"), say("WIN NOW:")) if made else None


def _word_cell(spot: Spot, names: Mapping[str, ShortName]) -> Cell:
    """A card that the dice win, by its name, with as much of its owner's as fits."""
    card, figures = long_name(card_name(spot.label)), _figures(spot)
    if not spot.owner:
        return Cell(card, figures)
    room = WIDTH - SMALL.width(f" {card}") - SMALL.width(figures) - 3
    return Cell(f"{names[spot.owner].cut_to(room, SMALL)} {card}".strip(), figures)


def _sign_cell(spot: Spot, names: Mapping[str, ShortName], lit: bool = False) -> Cell:
    """A card by its sign, with whose it is."""
    sign = sign_of(card_name(spot.label))
    whose = f"{names[spot.owner].short} " if spot.owner else ""
    return Cell(f"{whose}{sign}", _figures(spot), lit)


def _figures(spot: Spot) -> str:
    """What a card gives, with its chips apart; or what a roll needs for another's."""
    if spot.owner and not spot.fits:
        return f"{spot.needs}+" if spot.needs else ""
    points = spot.points or 0
    return f"{points - spot.chips}+{spot.chips}" if spot.chips else str(points)


def winnable_page(table: TableSpots, header: tuple[str, str], letters: int) -> Picture:
    """What there is to win: the best card in words, and one more in short, or in words, too.

    Above or below it stand the texts of the header. First come cards that the dice win, then those
    of the centre; where dice can win something and do not, that is said. The page has at most so
    many `letters`.
    """
    spots = _to_win(table)
    left = letters - letters_of(*header)
    if not spots:
        return two_lines(header[0], "", header[1])
    owners = labels(list(dict.fromkeys(spot.owner for spot in spots if spot.owner)))
    names = {label.name: label for label in owners}
    card, worth = long_name(card_name(spots[0].label)), str(spots[0].points)
    left -= letters_of(card, worth)
    other = next(iter(spots[1:2]), None)
    if not any(header):
        second = long_name(card_name(other.label)) if other else ""
        told = say("OR {card}", card=second) if other else ""
        at_right = str(other.points) if other else ""
        wide = NARROW.width(told) + 3 + NARROW.width(at_right) > WIDTH
        if other and (wide or letters_of(told, at_right) > left):
            told = say("OR {card}", card=sign_of(card_name(other.label)))
        return two_lines(card, told, worth, at_right)
    own, ok = header
    texts = _in_short(other, names) if other else ("",)
    if not own:
        room = WIDTH - SMALL.width(ok) - 3
        fitting = (text for text in texts if SMALL.width(text) <= room and letters_of(text) <= left)
        return two_lines(card, ok, worth, next(fitting, ""))
    # Two in short are more than one in words.
    told = f"{card} {worth}"
    if not fits_small_line(told, texts[-1]) or letters_of(texts[-1]) > left:
        told = f"{sign_of(card_name(spots[0].label))} {worth}"
    return two_lines(own, told, ok, texts[-1])


def _to_win(table: TableSpots) -> list[Spot]:
    """The cards to be won: those that the dice win first, then those of the centre."""
    spots = (spot for spot in table.spots if not spot.mine)
    return sorted(spots, key=lambda spot: (not spot.fits, bool(spot.owner)))


def least_to_win(table: TableSpots) -> str:
    """What `winnable_page` says at least of the cards."""
    best, *others = (*_to_win(table)[:2],) or (None,)
    told = f"{long_name(card_name(best.label))} {best.points}" if best else ""
    return f"{told} {_in_short(others[0], {})[-1]}" if others else told


def _in_short(spot: Spot, names: Mapping[str, ShortName]) -> tuple[str, ...]:
    """A card as another choice, ever shorter."""
    sign = sign_of(card_name(spot.label))
    label = names.get(spot.owner)
    whose = (label.name, label.short, label.letter) if label else ()
    cards = (*(f"{name} {sign}" for name in whose), sign)
    return (*(say("OR {card}", card=card) for card in cards), f"/ {sign}")


def long_name(name: str) -> str:
    """A card by its name, with as much of it as a line has room for."""
    return say(_LONG_NAMES.get(name, name))


_LONG_NAMES = {"FULL H": "FULL HOUSE", "SM STR": "SMALL STR", "LG STR": "LARGE STR"}


def place_name(spot: Spot) -> str:
    """Where a card lies in the centre, in words."""
    found = CARD_PLACE.match(spot.label)
    return say("CENTRE {space}", space=found[1]) if found and found[1] else ""


def told_spot(table: TableSpots, at: int) -> Spot:
    """The place that is told in words: one of those on the table, or what lies beside them."""
    everything: Sequence[Spot] = (*table.spots, *table.beside)
    return everything[at % len(everything)]
