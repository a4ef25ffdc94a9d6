"""Free for All: cards to take, to steal and to bank; rules in `docs/rules/free-for-all.md`.

The module is a `Game` (see `appliance.rules.game`). Seats, slots and spaces count from 0. Beside
the interface it offers `open_cards`, which lists what lies in the centre and at home, `turn` and
texts for the record, and `position` to set up a state without playing to it.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from appliance.rules import game as rules
from appliance.rules.checks import check_start, who_begins
from appliance.rules.defaults import LATECOMERS as LATECOMERS
from appliance.rules.defaults import LEGEND as LEGEND
from appliance.rules.defaults import goals as goals
from appliance.rules.defaults import held as held
from appliance.rules.defaults import hint as hint
from appliance.rules.defaults import kinds as kinds
from appliance.rules.defaults import name_hand as name_hand
from appliance.rules.defaults import unseen as unseen
from appliance.rules.dice import FIVE
from appliance.rules.free_for_all.cards import MOST_POINTS, card_from_word, strength
from appliance.rules.free_for_all.cards import Card as Card
from appliance.rules.free_for_all.cards import Kind as Kind
from appliance.rules.free_for_all.deck import CENTRE, DEFAULT, DeckError, from_text
from appliance.rules.free_for_all.play import apply as apply
from appliance.rules.free_for_all.play import ask as ask
from appliance.rules.free_for_all.play import choices as choices
from appliance.rules.free_for_all.play import preview as preview
from appliance.rules.free_for_all.position import position as position
from appliance.rules.free_for_all.position import position_from_text as position_from_text
from appliance.rules.free_for_all.position import position_to_text as position_to_text
from appliance.rules.free_for_all.state import HOME_NAMES, home_spaces, points
from appliance.rules.free_for_all.state import MAX_PLAYERS as MAX_PLAYERS
from appliance.rules.free_for_all.state import MIN_PLAYERS as MIN_PLAYERS
from appliance.rules.free_for_all.state import Bank as Bank
from appliance.rules.free_for_all.state import Lying as Lying
from appliance.rules.free_for_all.state import State as State
from appliance.rules.free_for_all.state import Steal as Steal
from appliance.rules.free_for_all.state import Step as Step
from appliance.rules.free_for_all.state import Take as Take
from appliance.rules.free_for_all.state import TakeFive as TakeFive
from appliance.rules.free_for_all.state import TurnUp as TurnUp
from appliance.rules.game import Pass as Pass
from appliance.rules.notation.events import Verb, Words, plain_verb

NAME = "free-for-all"
TITLE = "FREE FOR ALL"
EDITION = "1"
OPTIONS: Mapping[str, tuple[rules.OptionValue, ...]] = {
    "first": tuple(range(MAX_PLAYERS)),
    "deck": ("virtual", "table"),
    "cards": (DEFAULT.text,),
    "bank": ("at-once", "when-full"),
}
"""`first`: the seat that the players chose to begin. `deck`: whether the appliance draws the cards
(`virtual`) or the players enter what they turn up on the table (`table`). `cards`: what the deck
holds, any text that `free_for_all.deck.Deck.text` writes. `bank`: whether a card is banked in the
next turn, or one of several once all home spaces are taken (for two or three players)."""
OPTION_WORDS: Mapping[str, rules.OptionWords] = {
    "first": rules.WHO_BEGINS,
    "deck": rules.OptionWords("CARDS", {"virtual": "DEALT HERE", "table": "PRINTED"}),
    "cards": rules.OptionWords("DECK", {DEFAULT.text: "STANDARD"}, other="OWN"),
    "bank": rules.OptionWords("BANK", {"at-once": "NEXT TURN", "when-full": "WHEN FULL"}, most=3),
}
CELEBRATED: tuple[str, ...] = ("FIVE ALIKE", "5 ALIKE")
EXAMPLE = "1 2 3 4 4: each card of the default deck as if it lay in the centre"
DICE: tuple[rules.DieKind, ...] = (rules.DieKind.BLACK,) * FIVE


def start(players: Sequence[str], options: rules.Options) -> State:
    """The first state: three cards must be turned up."""
    check_start("Free for All", players, range(MIN_PLAYERS, MAX_PLAYERS + 1), options, OPTIONS)
    count = len(players)
    first = who_begins(options, count) or 0
    kind = options.get("deck", "virtual")
    if kind not in OPTIONS["deck"]:
        raise rules.BadOptions(f"option deck: expected 'virtual' or 'table', got {kind!r}")
    bank = options.get("bank", "at-once")
    if bank not in OPTIONS["bank"]:
        raise rules.BadOptions(f"option bank: expected 'at-once' or 'when-full', got {bank!r}")
    text = options.get("cards", DEFAULT.text)
    if not isinstance(text, str):
        raise rules.BadOptions(f"option cards: expected a text such as 3*ones:1 …, got {text!r}")
    try:
        deck = from_text(text)
    except DeckError as error:
        raise rules.BadOptions(f"option cards: {error}") from error
    return State(
        players=tuple(players),
        first=first,
        virtual=kind == "virtual",
        deck=deck.cards,
        apart=deck.apart,
        homes=((None,) * home_spaces(count),) * count,
        banked=((),) * count,
        banked_chips=(0,) * count,
        late=bank == "when-full",
    )


def first_throws(
    start: State, faces: Sequence[rules.Face]
) -> Iterator[tuple[State, Sequence[rules.Face]]]:
    """Each different card of the deck lies in the centre once, as many as there is room for."""
    cards = sorted(set(DEFAULT.cards))
    for first in range(0, len(cards), CENTRE):
        state = start
        for card in cards[first : first + CENTRE]:
            state = apply(state, TurnUp(card))
        yield state, faces


def dice(state: State) -> tuple[rules.Face | None, ...]:
    """The five dice by slot; None for one that is still to be thrown."""
    if not state.dice:
        return (None,) * FIVE
    if state.step is not Step.ROLL:
        return state.dice
    return tuple(state.dice[slot] if slot in state.held else None for slot in range(FIVE))


def scores(state: State) -> tuple[int, ...]:
    """The points of the cards and chips that each seat has banked."""
    rows = zip(state.banked, state.banked_chips, strict=True)
    return tuple(points(cards) + chips for cards, chips in rows)


def outcome(state: State) -> rules.Outcome | None:
    """The points and who has the most; equal points share the win."""
    if state.step is not Step.OVER:
        return None
    return state.outcome(scores(state))


def sheet(state: State, seat: int) -> rules.Sheet:
    """What a player has banked, for the board: None for a kind that the player has none of."""
    rows = []
    for kind in Kind:
        cards = [card for card in state.banked[seat] if card.kind is kind]
        rows.append(rules.Row(kind.label, points(cards) if cards else None))
    rows.append(rules.Row("CHIPS", state.banked_chips[seat]))
    return rules.Sheet(tuple(rows), scores(state)[seat])


def open_cards(state: State) -> tuple[rules.Row, ...]:
    """The cards that can be taken or stolen, named as in `choices`, with what they are worth.

    First the three of the centre with the chips under them (None for an empty space), then those
    at home.
    """
    rows = []
    for space in range(CENTRE):
        card = state.centre[space]
        worth = None if card is None else card.points + state.chips[space]
        rows.append(rules.Row(f"C{space + 1}" if card is None else Take(space, card).label, worth))
    for seat, homes in enumerate(state.homes):
        for home, lying in enumerate(homes):
            if lying is not None:
                rows.append(rules.Row(Steal(seat, home, lying.card).label, lying.card.points))
    return tuple(rows)


def table_view(state: State) -> rules.TableView:
    """The open cards as in `open_cards`, with what a roll must beat, and what is left beside."""
    places = []
    for space, (card, chips) in enumerate(zip(state.centre, state.chips, strict=True)):
        if card is not None:
            note = f"CHIPS +{chips}" if chips else ""
            worth = card.points + chips
            places.append(rules.TableItem(Take(space, card).label, worth, note, aim=True))
    for seat, homes in enumerate(state.homes):
        for home, lying in enumerate(homes):
            if lying is not None:
                card, note = lying.card, f"BEAT {strength(lying.dice, lying.card.kind)}"
                label = Steal(seat, home, card).label
                places.append(
                    rules.TableItem(label, card.points, note, seat, aim=seat != state.seat)
                )
    beside = (
        rules.TableItem("DECK", len(state.deck), "CARDS"),
        rules.TableItem("FIVE ALIKE", len(state.apart), "CARDS"),
        rules.TableItem("CHIPS LEFT", state.pile),
    )
    return rules.TableView(tuple(places), beside=beside)


def turn(state: State) -> int:
    """The number of the turn, from 1; 0 while the first three cards are turned up."""
    if state.step is Step.TURN_UP and not state.dice:
        return 0
    return state.turns // len(state.players) + 1


def describe(state: State) -> list[str]:
    """The centre, the chips and what each player has, in plain text."""
    lines = [f"deck {len(state.deck)}  five alike {len(state.apart)}  chips {state.pile}"]
    for row in open_cards(state):
        lines.append(f"{row.label:<12}{'-' if row.points is None else row.points:>4}")
    for seat, name in enumerate(state.players):
        cards, chips = state.banked[seat], state.banked_chips[seat]
        labels = ", ".join(card.label for card in cards) or "no cards"
        lines.append(f"{name}: {scores(state)[seat]} ({labels}; chips {chips})")
    return lines


def _card(words: Words) -> Card:
    card = card_from_word(words.peek())
    if card is None:
        words.fail("a card such as fours:4")
    words.take("a card")
    return card


def _read_take(words: Words) -> Take:
    card = _card(words)
    words.literal("from")
    return Take(words.number(1, CENTRE, "a space of the centre") - 1, card)


def _read_steal(words: Words) -> Steal:
    card = _card(words)
    words.literal("from")
    seat = words.number(1, MAX_PLAYERS, "a seat") - 1
    return Steal(seat, words.one_of(_HOMES, "a home space"), card)


def _read_five(words: Words) -> TakeFive:
    return TakeFive(words.number(1, MOST_POINTS, "points") if words else 0)


def _read_bank(words: Words) -> Bank:
    card = _card(words)
    words.literal("from")
    return Bank(words.one_of(_HOMES, "a home space"), card)


_ABC = HOME_NAMES.lower()
_HOMES = {name: home for home, name in enumerate(_ABC)}
VERBS: tuple[Verb[Any], ...] = (
    Verb("turn-up", TurnUp, lambda e: e.card.word, lambda words: TurnUp(_card(words))),
    Verb("bank", Bank, lambda e: f"{e.card.word} from {_ABC[e.home]}", _read_bank),
    Verb("take", Take, lambda e: f"{e.card.word} from {e.space + 1}", _read_take),
    Verb("steal", Steal, lambda e: f"{e.card.word} from {e.seat + 1} {_ABC[e.home]}", _read_steal),
    Verb("five-alike", TakeFive, lambda e: str(e.points or ""), _read_five),
    plain_verb("pass", Pass),
)
"""`turn-up fours:4`, `bank fours:4 from a`, `take fours:4 from 2`, `steal fours:4 from 2 a`,
`five-alike` (with the points where there are different ones), `pass`."""
