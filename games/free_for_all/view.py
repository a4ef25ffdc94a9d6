"""The visible part of Free for All: the cards to take and to steal, and what each has banked."""

from games.free_for_all.cards import Kind, strength
from games.free_for_all.deck import CENTRE_SPACES
from games.free_for_all.state import State, Steal, Take, total_points
from games.views import Row, Sheet, TableItem, TableView


def scores(state: State) -> tuple[int, ...]:
    """The points of the cards and chips that each seat has banked."""
    rows = zip(state.banked, state.banked_chips, strict=True)
    return tuple(total_points(cards) + chips for cards, chips in rows)


def sheet(state: State, seat: int) -> Sheet:
    """The cards and chips a player has banked: None for a kind that the player has none of."""
    rows = []
    for kind in Kind:
        cards = [card for card in state.banked[seat] if card.kind is kind]
        rows.append(Row(f"kind {kind.word}", total_points(cards) if cards else None))
    rows.append(Row("chips", state.banked_chips[seat]))
    return Sheet(tuple(rows), scores(state)[seat])


def open_cards(state: State) -> tuple[Row, ...]:
    """The cards that can be taken or stolen, named as in `choices`, with what they are worth.

    First the three of the centre with the chips under them (None for an empty space), then those
    at home.
    """
    rows = []
    for space in range(CENTRE_SPACES):
        card = state.centre[space]
        worth = None if card is None else card.points + state.chips[space]
        rows.append(Row(f"c{space + 1}" if card is None else Take(space, card).key, worth))
    for seat, homes in enumerate(state.homes):
        for home, lying in enumerate(homes):
            if lying is not None:
                rows.append(Row(Steal(seat, home, lying.card).key, lying.card.points))
    return tuple(rows)


def table_view(state: State) -> TableView:
    """The cards of `open_cards` with what a roll must beat, and what is left beside them."""
    places = []
    for space, (card, chips) in enumerate(zip(state.centre, state.chips, strict=True)):
        if card is not None:
            note = f"chips +{chips}" if chips else ""
            worth = card.points + chips
            key = Take(space, card).key
            places.append(TableItem(key, worth, note, aim=True, chips=chips))
    for seat, homes in enumerate(state.homes):
        for home, lying in enumerate(homes):
            if lying is not None:
                card, figure = lying.card, strength(lying.dice, lying.card.kind)
                key, aim = Steal(seat, home, card).key, seat != state.seat
                needs = figure + 1 if aim else 0
                places.append(
                    TableItem(key, card.points, f"beat {figure}", seat, aim=aim, needs=needs)
                )
    beside = (
        TableItem("deck", len(state.deck), "cards"),
        TableItem("five-alike", len(state.apart), "cards"),
        TableItem("chips-left", state.pile),
    )
    return TableView(tuple(places), beside=beside, left_on_sheets=("chips",))


def describe(state: State) -> list[str]:
    """The centre, the chips and what each player has, in plain text."""
    lines = [f"deck {len(state.deck)}  five alike {len(state.apart)}  chips {state.pile}"]
    for row in open_cards(state):
        lines.append(f"{row.key:<18}{'-' if row.points is None else row.points:>4}")
    for seat, name in enumerate(state.players):
        cards, chips = state.banked[seat], state.banked_chips[seat]
        words = ", ".join(card.word for card in cards) or "no cards"
        lines.append(f"{name}: {scores(state)[seat]} ({words}; chips {chips})")
    return lines
