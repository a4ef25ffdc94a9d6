"""Free for All: cards to take, to steal and to bank; rules in `docs/rules/free-for-all.md`.

The module is a `Game` (see `appliance.rules.game`). Seats, slots and spaces count from 0. Besides
the interface it offers `open_cards`, which lists what lies in the centre and at home, `turn` and
texts for the record, and `position` to set up a state without playing up to it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from appliance.rules import checks
from appliance.rules import game as rules
from appliance.rules.defaults import DICE_KEYS as DICE_KEYS
from appliance.rules.defaults import LATECOMERS as LATECOMERS
from appliance.rules.defaults import goals as goals
from appliance.rules.defaults import held as held
from appliance.rules.defaults import hint as hint
from appliance.rules.defaults import kinds as kinds
from appliance.rules.defaults import name_hand as name_hand
from appliance.rules.defaults import unseen as unseen
from appliance.rules.dice import (
    FIVE_DICE,
    FIVE_DICE_KEEPS,
    THROWN_SLOTS,
    five_alike,
    five_dice_throw,
    with_new_faces,
)
from appliance.rules.free_for_all.cards import (
    MAX_CARD_POINTS,
    beats,
    card_from_word,
    makes,
    strength,
)
from appliance.rules.free_for_all.cards import Card as Card
from appliance.rules.free_for_all.cards import Kind as Kind
from appliance.rules.free_for_all.deck import CENTRE_SPACES, DEFAULT_DECK, DeckError, deck_from_text
from appliance.rules.free_for_all.position import position as position
from appliance.rules.free_for_all.position import position_from_text as position_from_text
from appliance.rules.free_for_all.position import position_to_text as position_to_text
from appliance.rules.free_for_all.state import (
    HOME_NAMES,
    ROLLS_PER_TURN,
    Home,
    home_spaces,
    total_points,
)
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
from appliance.rules.seats import without_player
from appliance.rules.views import Row, Sheet, TableItem, TableView

NAME = "free-for-all"
EDITION = "1"
KEEPS: tuple[rules.Keep, ...] = FIVE_DICE_KEEPS
OPTIONS: Mapping[str, tuple[rules.OptionValue, ...]] = {
    "first": tuple(range(MAX_PLAYERS)),
    "deck": ("virtual", "table"),
    "cards": (DEFAULT_DECK.text,),
    "bank": ("at-once", "when-full"),
}
"""`first`: the seat that the players chose to begin. `deck`: whether the appliance draws the cards
(`virtual`) or the players enter what they turn up on the table (`table`). `cards`: what the deck
holds, any text that `free_for_all.deck.Deck.text` writes. `bank`: whether a card is banked in the
next turn, or one of several once all home spaces are taken (for two or three players)."""
OPTION_WORDS: Mapping[str, rules.OptionWords] = {
    "first": rules.WHO_BEGINS,
    "deck": rules.OptionWords("cards", {"virtual": "dealt-here", "table": "printed"}),
    "cards": rules.OptionWords("deck", {DEFAULT_DECK.text: "standard"}, other="own"),
    "bank": rules.OptionWords("bank", {"at-once": "next-turn", "when-full": "when-full"}, most=3),
}
RAREST: tuple[str, ...] = ("five-alike",)
EXAMPLE = "1 2 3 4 4: each card of the default deck as if it lay in the centre"
DICE: tuple[rules.DieKind, ...] = (rules.DieKind.BLACK,) * FIVE_DICE


def start(players: Sequence[str], options: rules.Options) -> State:
    """The first state: three cards must be turned up."""
    checks.check_start(
        "Free for All", players, range(MIN_PLAYERS, MAX_PLAYERS + 1), options, OPTIONS
    )
    count = len(players)
    first = checks.who_begins(options, count) or 0
    kind = options.get("deck", "virtual")
    if kind not in OPTIONS["deck"]:
        raise rules.BadOptions(f"option deck: expected 'virtual' or 'table', got {kind!r}")
    bank = options.get("bank", "at-once")
    if bank not in OPTIONS["bank"]:
        raise rules.BadOptions(f"option bank: expected 'at-once' or 'when-full', got {bank!r}")
    text = options.get("cards", DEFAULT_DECK.text)
    if not isinstance(text, str):
        raise rules.BadOptions(f"option cards: expected a text such as 3*ones:1 …, got {text!r}")
    try:
        deck = deck_from_text(text)
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


Use = Take | Steal | TakeFive | rules.Pass
"""What ends a turn."""


def uses_of_roll(state: State) -> Iterator[Use]:
    """Everything that the roll can be used for: centre, homes, five alike, and a pass."""
    for space, card in enumerate(state.centre):
        if card is not None and makes(state.dice, card.kind):
            yield Take(space, card)
    others = ((seat, homes) for seat, homes in enumerate(state.homes) if seat != state.seat)
    for seat, homes in others:
        for home, lying in enumerate(homes):
            if lying is not None and beats(state.dice, lying.dice, lying.card.kind):
                yield Steal(seat, home, lying.card)
    if state.apart and five_alike(state.dice):
        worths = sorted({card.points for card in state.apart}, reverse=True)
        yield from [TakeFive(worth) for worth in worths] if len(worths) > 1 else [TakeFive()]
    yield rules.Pass()


def five_card(state: State, use: TakeFive) -> Card:
    """The card that is taken from those apart."""
    return next(card for card in state.apart if use.points in (0, card.points))


def points_of_use(state: State, use: Use) -> rules.Points:
    """What a use brings if its card is banked, chips included, and what it is up against.

    The card of a turn that ends the game is never banked.
    """
    over = ends_game(state, use)
    if isinstance(use, Take):
        chips = state.chips[use.space]
        if over:
            return rules.Points(chips, "ends-game")
        return rules.Points(use.card.points + chips, f"chips +{chips}" if chips else "")
    if over:
        return rules.Points(0, "ends-game")
    if isinstance(use, Steal):
        lying = state.homes[use.seat][use.home]
        against = strength(lying.dice, lying.card.kind) if lying is not None else 0
        return rules.Points(use.card.points, f"beats {against}")
    if isinstance(use, TakeFive):
        return rules.Points(five_card(state, use).points)
    useful = any(not isinstance(other, rules.Pass) for other in uses_of_roll(state))
    return rules.Points(0, "" if useful else "bust")


def ends_game(state: State, use: Use) -> bool:
    """Whether this turn ends the game."""
    return not state.deck if isinstance(use, Take) else state.pile < CENTRE_SPACES


def apply_use(state: State, use: Use) -> State:
    """The state after a legal use of the roll."""
    over = ends_game(state, use)
    if isinstance(use, Take):
        state = _with_card_at_home(state, use.card)
        centre = checks.with_item(state.centre, use.space, None)
        chips = checks.with_item(state.chips, use.space, 0)
        had = state.banked_chips[state.seat] + state.chips[use.space]
        banked = checks.with_item(state.banked_chips, state.seat, had)
        step = Step.OVER if over else Step.TURN_UP
        return replace(state, centre=centre, chips=chips, banked_chips=banked, step=step)
    if isinstance(use, Steal):
        robbed = checks.with_item(state.homes[use.seat], use.home, None)
        state = replace(state, homes=checks.with_item(state.homes, use.seat, robbed))
        state = _with_card_at_home(state, use.card)
    elif isinstance(use, TakeFive):
        card = five_card(state, use)
        state = _with_card_at_home(replace(state, apart=_without_card(state.apart, card)), card)
    if over:
        return replace(state, step=Step.OVER)
    return _next_turn(replace(state, chips=tuple(n + 1 for n in state.chips)))


def _without_card(cards: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    """The cards without one card equal to this one."""
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]


def _with_card_at_home(state: State, card: Card) -> State:
    """The state with the card on the player's first free home space, with the dice as they lie."""
    mine = state.homes[state.seat]
    mine = checks.with_item(mine, mine.index(None), Lying(card, state.dice))
    return replace(state, homes=checks.with_item(state.homes, state.seat, mine))


def turn_up_card(state: State, event: TurnUp) -> State:
    """The state after a card from the deck has come to the centre."""
    state = replace(
        state,
        deck=_without_card(state.deck, event.card),
        centre=checks.with_item(state.centre, state.centre.index(None), event.card),
    )
    if None in state.centre:
        return state
    # Without dice on the table it was the last card of the set-up.
    return _next_turn(state) if state.dice else begin_turn(state)


def _next_turn(state: State) -> State:
    turns = state.turns + state.to_next(state.seat)
    return begin_turn(replace(state, turns=turns, roll=0, dice=(), held=()))


def _after_leaving(state: State, event: rules.Left) -> State:
    """The state after a player has left: the cards at home stay there, and may be stolen."""
    state = without_player(state, event, now=state.step not in (Step.TURN_UP, Step.OVER))
    if len(state.stay) == 1:
        return replace(state, step=Step.OVER, roll=0, dice=(), held=())
    # A turn that is cut short puts no chips under the cards.
    return _next_turn(state) if event.seat == state.seat else state


def begin_turn(state: State) -> State:
    """The start of a turn: a card at home is banked; with several, the player must choose."""
    homes = state.homes[state.seat]
    lying = [home for home, card in enumerate(homes) if card is not None]
    if state.late and len(lying) < len(homes):
        return replace(state, step=Step.ROLL)
    if len(lying) > 1:
        return replace(state, step=Step.BANK)
    return bank_card(state, lying[0]) if lying else replace(state, step=Step.ROLL)


def bank_card(state: State, home: int) -> State:
    """The state after the card on a home space of the player is banked."""
    mine: Home = state.homes[state.seat]
    lying = mine[home]
    cards = state.banked[state.seat]
    if lying is not None:
        cards = tuple(sorted((*cards, lying.card)))
    return replace(
        state,
        homes=checks.with_item(state.homes, state.seat, checks.with_item(mine, home, None)),
        banked=checks.with_item(state.banked, state.seat, cards),
        step=Step.ROLL,
    )


def ask(state: State) -> rules.Ask | None:
    """A card from the deck, a choice, a throw, or None when the game is over."""
    if state.step is Step.ROLL:
        return five_dice_throw(state.seat, state.held, state.roll + 1, ROLLS_PER_TURN)
    if state.step is Step.USE:
        return rules.Choose(state.seat, state.roll, ROLLS_PER_TURN, "take")
    if state.step is Step.BANK:
        return rules.Choose(state.seat, purpose="bank")
    if state.step is Step.OVER:
        return None
    if state.virtual:
        lots = tuple(TurnUp(card) for card in state.deck)
        return rules.Draw(state.seat, purpose="new-card", lots=lots)
    return rules.Choose(state.seat, purpose="new-card", reported=True)


def choices(state: State) -> Sequence[rules.Choice]:
    """What the roll may be used for and, before roll 3, what may be kept.

    When a card comes up, every different card that is left in the deck; at the start of a turn
    with several cards at home, those cards.
    """
    if state.step is Step.USE:
        again = KEEPS if state.roll < ROLLS_PER_TURN else ()
        return (*uses_of_roll(state), *again)
    if state.step is Step.BANK:
        homes = enumerate(state.homes[state.seat])
        return tuple(Bank(home, lying.card) for home, lying in homes if lying is not None)
    if state.step is Step.TURN_UP:
        return tuple(TurnUp(card) for card in dict.fromkeys(state.deck))
    return ()


def preview(state: State, choice: rules.Choice) -> rules.Points | None:
    """What a card is worth, with the chips that come with it, and why; None for a `Keep`.

    The points of a card count once it is banked, those of the chips at once.
    """
    _check_choice(state, choice)
    if isinstance(choice, Take | Steal | TakeFive | rules.Pass):
        return points_of_use(state, choice)
    if isinstance(choice, Bank | TurnUp):
        return rules.Points(choice.card.points)
    return None


def apply(state: State, event: rules.Event) -> State:
    """The state after an event."""
    if isinstance(event, rules.Rolled):
        return _apply_rolled(state, event)
    if isinstance(event, rules.Corrected):
        return _apply_corrected(state, event)
    if isinstance(event, rules.Left):
        return _after_leaving(state, event)
    _check_choice(state, event)
    if isinstance(event, rules.Keep):
        return replace(state, step=Step.ROLL, held=event.slots)
    if isinstance(event, Take | Steal | TakeFive | rules.Pass):
        return apply_use(state, event)
    if isinstance(event, Bank):
        return bank_card(state, event.home)
    if isinstance(event, TurnUp):
        return turn_up_card(state, event)
    raise _refusal(state, event)


def _apply_rolled(state: State, event: rules.Rolled) -> State:
    found = None
    if state.step is Step.ROLL:
        found = checks.numbered_faces(event.faces, FIVE_DICE - len(state.held))
    if found is None:
        raise _refusal(state, event)
    dice = with_new_faces(state.dice, state.held, found)
    return replace(state, step=Step.USE, roll=state.roll + 1, dice=dice, held=())


def _apply_corrected(state: State, event: rules.Corrected) -> State:
    checks.check_slot(event, FIVE_DICE)
    face = checks.corrected_number(event)
    if state.step is not Step.USE:
        raise _refusal(state, event)
    return replace(state, dice=checks.with_item(state.dice, event.slot, face))


def _check_choice(state: State, choice: rules.Event) -> None:
    if isinstance(choice, rules.Keep):
        legal = (
            state.step is Step.USE and state.roll < ROLLS_PER_TURN and choice.slots in THROWN_SLOTS
        )
    elif state.step is Step.USE:
        # Older records name no points where cards worth different points lie apart.
        legal = choice in (found := tuple(uses_of_roll(state))) or (
            choice == TakeFive() and any(isinstance(use, TakeFive) for use in found)
        )
    else:
        legal = choice in choices(state)
    if not legal:
        raise _refusal(state, choice)


def _refusal(state: State, event: rules.Event) -> rules.IllegalEvent:
    """The error for an event that is not legal now."""
    keys = [choice.key for choice in choices(state) if not isinstance(choice, rules.Keep)]
    or_hold = " or a hold of four dice at most" if 0 < state.roll < ROLLS_PER_TURN else ""
    thrown = f"{FIVE_DICE - len(state.held)} faces from 1 to 6, thrown"
    chosen = f"one of {', '.join(keys)}{or_hold}"
    return checks.refusal(state.players, ask(state), event, thrown=thrown, chosen=chosen)


def first_throws(
    start: State, faces: Sequence[rules.Face]
) -> Iterator[tuple[State, Sequence[rules.Face]]]:
    """Each different card of the default deck in the centre once, as many at a time as fit."""
    cards = sorted(set(DEFAULT_DECK.cards))
    for first in range(0, len(cards), CENTRE_SPACES):
        state = start
        for card in cards[first : first + CENTRE_SPACES]:
            state = apply(state, TurnUp(card))
        yield state, faces


def dice(state: State) -> tuple[rules.Face | None, ...]:
    """The five dice by slot; None for one that is still to be thrown."""
    if not state.dice:
        return (None,) * FIVE_DICE
    if state.step is not Step.ROLL:
        return state.dice
    return tuple(state.dice[slot] if slot in state.held else None for slot in range(FIVE_DICE))


def scores(state: State) -> tuple[int, ...]:
    """The points of the cards and chips that each seat has banked."""
    rows = zip(state.banked, state.banked_chips, strict=True)
    return tuple(total_points(cards) + chips for cards, chips in rows)


def outcome(state: State) -> rules.Outcome | None:
    """The points and who has the most; equal points share the win."""
    if state.step is not Step.OVER:
        return None
    return state.outcome(scores(state))


def sheet(state: State, seat: int) -> Sheet:
    """What a player has banked: None for a kind that the player has none of."""
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
                card, note = lying.card, f"beat {strength(lying.dice, lying.card.kind)}"
                key = Steal(seat, home, card).key
                places.append(TableItem(key, card.points, note, seat, aim=seat != state.seat))
    beside = (
        TableItem("deck", len(state.deck), "cards"),
        TableItem("five-alike", len(state.apart), "cards"),
        TableItem("chips-left", state.pile),
    )
    return TableView(tuple(places), beside=beside)


def turn(state: State) -> int:
    """The number of the turn, from 1; 0 while the first three cards are turned up."""
    if state.step is Step.TURN_UP and not state.dice:
        return 0
    return state.turns // len(state.players) + 1


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


def _read_card(words: Words) -> Card:
    card = card_from_word(words.peek())
    if card is None:
        words.fail("a card such as fours:4")
    words.take("a card")
    return card


def _read_take(words: Words) -> Take:
    card = _read_card(words)
    words.literal("from")
    return Take(words.number(1, CENTRE_SPACES, "a space of the centre") - 1, card)


def _read_steal(words: Words) -> Steal:
    card = _read_card(words)
    words.literal("from")
    seat = words.number(1, MAX_PLAYERS, "a seat") - 1
    return Steal(seat, words.one_of(_HOME_BY_LETTER, "a home space"), card)


def _read_five(words: Words) -> TakeFive:
    return TakeFive(words.number(1, MAX_CARD_POINTS, "points") if words else 0)


def _read_bank(words: Words) -> Bank:
    card = _read_card(words)
    words.literal("from")
    return Bank(words.one_of(_HOME_BY_LETTER, "a home space"), card)


_HOME_BY_LETTER = {name: home for home, name in enumerate(HOME_NAMES)}
VERBS: tuple[Verb[Any], ...] = (
    Verb("turn-up", TurnUp, lambda e: e.card.word, lambda words: TurnUp(_read_card(words))),
    Verb(
        "bank",
        Bank,
        lambda e: f"{e.card.word} from {HOME_NAMES[e.home]}",
        _read_bank,
        actions=tuple(HOME_NAMES),
        action=lambda e: HOME_NAMES[e.home],
    ),
    Verb(
        "take",
        Take,
        lambda e: f"{e.card.word} from {e.space + 1}",
        _read_take,
        actions=tuple(str(space + 1) for space in range(CENTRE_SPACES)),
        action=lambda e: str(e.space + 1),
    ),
    Verb(
        "steal",
        Steal,
        lambda e: f"{e.card.word} from {e.seat + 1} {HOME_NAMES[e.home]}",
        _read_steal,
        actions=tuple(f"{seat + 1} {home}" for seat in range(MAX_PLAYERS) for home in HOME_NAMES),
        action=lambda e: f"{e.seat + 1} {HOME_NAMES[e.home]}",
    ),
    Verb(
        "five-alike",
        TakeFive,
        lambda e: str(e.points or ""),
        _read_five,
        actions=("", *(str(points) for points in range(1, MAX_CARD_POINTS + 1))),
    ),
    plain_verb("pass", Pass),
)
"""`turn-up fours:4`, `bank fours:4 from a`, `take fours:4 from 2`, `steal fours:4 from 2 a`,
`five-alike` (with the points where they differ), `pass`."""
