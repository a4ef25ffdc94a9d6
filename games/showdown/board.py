"""Where the pawns and cards of Showdown are, for the board and for the players."""

from dataclasses import dataclass

from games.showdown.cards import CHIP_POINTS, MAX_CHIPS_BY_CARD, Card
from games.showdown.state import RING_SPACES, State, Step, is_wild
from games.views import Row, Sheet, TableItem, TableView


@dataclass(frozen=True, slots=True)
class Space:
    """A space of the ring.

    Attributes:
        number: from 0, clockwise from the corner of the first seat.
        wild: whether it is a Wild corner.
        card: the card on it, None for none.
        owner: the seat that controls the card, None for no card.
        chips: how many chips are on the card.
        pawns: the seats whose pawns stand here.
    """

    number: int
    wild: bool
    card: Card | None
    owner: int | None
    chips: int
    pawns: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Ring:
    """The whole board: its sixteen spaces in order, and the cards that are still beside it."""

    spaces: tuple[Space, ...]
    off: tuple[Card, ...]


def board(state: State) -> Ring:
    """Where the pawns and cards are."""
    cards = {
        stack.space: (card, stack)
        for card, stack in zip(Card, state.cards, strict=True)
        if stack is not None
    }
    spaces = []
    for number in range(RING_SPACES):
        pawns = tuple(seat for seat, space in enumerate(state.pawns) if space == number)
        card, stack = cards.get(number, (None, None))
        owner, chips = (stack.seat, stack.chips) if stack is not None else (None, 0)
        spaces.append(Space(number, is_wild(number), card, owner, chips, pawns))
    off = tuple(card for card in Card if state.cards[card] is None)
    return Ring(tuple(spaces), off)


def table_view(state: State) -> TableView:
    """The spaces of the ring with their cards and pawns, and the cards beside it.

    The note says how many dice of its number a number card takes: as many as it has chips for a
    card of another player, one more for the player's own.
    """
    now = board(state)
    here = state.pawns[state.seat]
    places = []
    for space in now.spaces:
        card, number = space.card, space.number
        key = "wild" if space.wild else "empty" if card is None else card.word
        note, needs, gain = "", 0, 0
        if card is not None and card.is_number:
            mine = space.owner == state.seat
            full = mine and space.chips == MAX_CHIPS_BY_CARD[card]
            needs = 0 if full else space.chips + mine
            gain = CHIP_POINTS * (1 if mine else needs)
            note = "full" if full else f"need {needs}"
        points = CHIP_POINTS * space.chips if card is not None else None
        aim = card is not None and number == here and state.step is not Step.MOVE
        owner, pawns = space.owner, space.pawns
        places.append(TableItem(key, points, note, owner, pawns, aim, needs=needs, gain=gain))
    beside = tuple(TableItem(c.word) for c in now.off)
    return TableView(tuple(places), ring=True, beside=beside, left_on_sheets=())


def sheet(state: State, seat: int) -> Sheet:
    """The twelve cards with what a player has on them: 0 on those of others, None off the board."""
    rows = []
    for card, stack in zip(Card, state.cards, strict=True):
        if stack is None:
            rows.append(Row(card.word, None))
        else:
            rows.append(Row(card.word, CHIP_POINTS * stack.chips if stack.seat == seat else 0))
    return Sheet(tuple(rows), sum(row.points or 0 for row in rows))


def describe(state: State) -> list[str]:
    """The ring, the cards beside the board and the points in plain text."""
    names = state.players
    now = board(state)
    lines = []
    for space in now.spaces:
        what = "wild" if space.wild else ""
        if space.card is not None and space.owner is not None:
            what = f"{space.card.word:<14} {space.chips} {names[space.owner]}"
        pawns = ", ".join(names[seat] for seat in space.pawns)
        lines.append(f"{space.number:>2} {what:<24} {f'< {pawns}' if pawns else ''}".rstrip())
    lines.append(f"off {', '.join(card.word for card in now.off) or '-'}")
    totals = (f"{name} {sheet(state, seat).total}" for seat, name in enumerate(names))
    lines.append(f"total {', '.join(totals)}")
    return lines
