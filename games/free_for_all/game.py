"""Free for All: cards to take, to steal and to bank; rules in `docs/rules/free-for-all.md`."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from games import checks
from games import values as rules
from games.dice import (
    FIVE_DICE,
    FIVE_DICE_KEEP_BY_SLOTS,
    FIVE_DICE_KEEPS,
    THROWN_SLOTS,
    five_dice_throw,
    with_new_faces,
)
from games.free_for_all import position, view
from games.free_for_all.cards import MAX_CARD_POINTS, Card, card_from_word
from games.free_for_all.course import (
    after_leaving,
    apply_use,
    bank_card,
    points_of_use,
    turn_up_card,
    uses_of_roll,
)
from games.free_for_all.deck import (
    CENTRE_SPACES,
    DEFAULT_DECK,
    DeckError,
    deck_from_text,
    deck_from_toml,
)
from games.free_for_all.state import (
    HOME_NAMES,
    MAX_PLAYERS,
    MIN_PLAYERS,
    ROLLS_PER_TURN,
    Bank,
    State,
    Steal,
    Step,
    Take,
    TakeFive,
    TurnUp,
    home_spaces,
)
from games.free_for_all.wording import WORDING
from games.game import Game
from games.notation.verbs import Verb, plain_verb
from games.notation.words import Words
from games.values import Pass
from games.views import SheetView, TableView

_OPTIONS: Mapping[str, tuple[rules.OptionValue, ...]] = {
    "first": tuple(range(MAX_PLAYERS)),
    "deck": ("virtual", "table"),
    "cards": (DEFAULT_DECK.text,),
    "bank": ("at-once", "when-full"),
}
"""`first`: the seat that the players chose to begin. `deck`: whether the appliance draws the cards
(`virtual`) or the players enter what they turn up on the table (`table`). `cards`: what the deck
holds, any text that `free_for_all.deck.Deck.text` writes. `bank`: whether a card is banked in the
next turn, or one of several once all home spaces are taken (for two or three players)."""


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
_VERBS: tuple[Verb[Any], ...] = (
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


_FEW_CARDS = 3
"""From this many cards on the deck is announced to run out."""
_FEW_CHIPS = 5
"""From this many chips on they are: a turn in which no card is taken needs three."""


class FreeForAll(Game[State]):
    """Cards in the centre and at home, and a deck that people may change."""

    def start(self, players: Sequence[str], options: rules.Options) -> State:
        """The first state: three cards must be turned up."""
        self.check_start(players, options)
        count = len(players)
        first = checks.who_begins(options, count) or 0
        chosen = self.chosen(options)
        kind, bank, text = chosen["deck"], chosen["bank"], chosen["cards"]
        if not isinstance(text, str):
            raise rules.BadOptions(
                f"option cards: expected a text such as 3*ones:1 …, got {text!r}"
            )
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

    def ask(self, state: State) -> rules.Ask | None:
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

    def choices(self, state: State) -> Sequence[rules.Choice]:
        """The uses that the roll may have and, before roll 3, what may be kept.

        When a card comes up, every different card that is left in the deck; at the start of a turn
        with several cards at home, those cards.
        """
        if state.step is Step.USE:
            again = self.keeps if state.roll < ROLLS_PER_TURN else ()
            return (*uses_of_roll(state), *again)
        if state.step is Step.BANK:
            homes = enumerate(state.homes[state.seat])
            return tuple(Bank(home, lying.card) for home, lying in homes if lying is not None)
        if state.step is Step.TURN_UP:
            return tuple(TurnUp(card) for card in dict.fromkeys(state.deck))
        return ()

    def preview(self, state: State, choice: rules.Choice) -> rules.Points | None:
        """The worth of a card, with the chips that come with it, and why; None for a `Keep`.

        The points of a card count once it is banked, those of the chips at once.
        """
        self._check_choice(state, choice)
        if isinstance(choice, Take | Steal | TakeFive | rules.Pass):
            return points_of_use(state, choice)
        if isinstance(choice, Bank | TurnUp):
            return rules.Points(choice.card.points)
        return None

    def apply(self, state: State, event: rules.Event) -> State:
        """The state after an event."""
        if isinstance(event, rules.Rolled):
            return self._apply_rolled(state, event)
        if isinstance(event, rules.Corrected):
            return self._apply_corrected(state, event)
        if isinstance(event, rules.Left):
            return after_leaving(state, event)
        self._check_choice(state, event)
        if isinstance(event, rules.Keep):
            return replace(state, step=Step.ROLL, held=event.slots)
        if isinstance(event, Take | Steal | TakeFive | rules.Pass):
            return apply_use(state, event)
        if isinstance(event, Bank):
            return bank_card(state, event.home)
        if isinstance(event, TurnUp):
            return turn_up_card(state, event)
        raise self._refusal(state, event)

    def _apply_rolled(self, state: State, event: rules.Rolled) -> State:
        found = None
        if state.step is Step.ROLL:
            found = checks.numbered_faces(event.faces, FIVE_DICE - len(state.held))
        if found is None:
            raise self._refusal(state, event)
        dice = with_new_faces(state.dice, THROWN_SLOTS[state.held], found)
        return replace(state, step=Step.USE, roll=state.roll + 1, dice=dice, held=())

    def _apply_corrected(self, state: State, event: rules.Corrected) -> State:
        checks.check_slot(event, FIVE_DICE)
        face = checks.corrected_number(event)
        if state.step is not Step.USE:
            raise self._refusal(state, event)
        return replace(state, dice=checks.with_item(state.dice, event.slot, face))

    def _check_choice(self, state: State, choice: rules.Event) -> None:
        if isinstance(choice, rules.Keep):
            legal = (
                state.step is Step.USE
                and state.roll < ROLLS_PER_TURN
                and checks.is_legal_keep(choice, FIVE_DICE_KEEP_BY_SLOTS)
            )
        elif state.step is Step.USE:
            # Older records name no points where cards worth different points lie apart.
            found = tuple(uses_of_roll(state))
            legal = any(checks.is_exactly(choice, use) for use in found) or (
                checks.is_exactly(choice, TakeFive())
                and any(isinstance(use, TakeFive) for use in found)
            )
        else:
            legal = any(checks.is_exactly(choice, one) for one in self.choices(state))
        if not legal:
            raise self._refusal(state, choice)

    def _refusal(self, state: State, event: rules.Event) -> rules.IllegalEvent:
        """The error for an event that is not legal now."""
        keys = [choice.key for choice in self.choices(state) if not isinstance(choice, rules.Keep)]
        or_hold = " or a hold of four dice at most" if 0 < state.roll < ROLLS_PER_TURN else ""
        thrown = f"{FIVE_DICE - len(state.held)} faces from 1 to 6, thrown"
        chosen = f"one of {', '.join(keys)}{or_hold}"
        return checks.refusal(state.players, self.ask(state), event, thrown=thrown, chosen=chosen)

    def first_throws(
        self, start: State, faces: Sequence[rules.Face]
    ) -> Iterator[tuple[State, Sequence[rules.Face]]]:
        """Each different card of the default deck in the centre once, as many at a time as fit."""
        cards = sorted(set(DEFAULT_DECK.cards))
        for first in range(0, len(cards), CENTRE_SPACES):
            state = start
            for card in cards[first : first + CENTRE_SPACES]:
                state = self.apply(state, TurnUp(card))
            yield state, faces

    def dice(self, state: State) -> tuple[rules.Face | None, ...]:
        """The five dice by slot; None for one that is still to be thrown."""
        if not state.dice:
            return (None,) * FIVE_DICE
        if state.step is not Step.ROLL:
            return state.dice
        return tuple(state.dice[slot] if slot in state.held else None for slot in range(FIVE_DICE))

    def outcome(self, state: State) -> rules.Outcome | None:
        """The points and who has the most; equal points share the win."""
        if state.step is not Step.OVER:
            return None
        return state.outcome(self.scores(state))

    def turn(self, state: State) -> int:
        """The number of the turn, from 1; 0 while the first three cards are turned up."""
        if state.step is Step.TURN_UP and not state.dice:
            return 0
        return state.turns // len(state.players) + 1

    def sheet(self, state: State, seat: int) -> SheetView:
        """The sheet of a seat."""
        return view.sheet(state, seat)

    def table_view(self, state: State) -> TableView:
        """The things on the table for all to see."""
        return view.table_view(state)

    def scores(self, state: State) -> tuple[int, ...]:
        """Points so far, one for each seat."""
        return view.scores(state)

    def closing(self, state: State, seat: int) -> str:
        """That cards, or else chips, run out."""
        return _running_out("card", len(state.deck), _FEW_CARDS) or _running_out(
            "chip", state.pile, _FEW_CHIPS
        )

    def banked(self, state: State) -> int:
        """The points of all cards that are banked."""
        return sum(int(card.points) for cards in state.banked for card in cards)

    def describe(self, state: State) -> Sequence[str]:
        """Lines of plain text that show how the game stands."""
        return view.describe(state)


def _running_out(what: str, left: int, few: int) -> str:
    if left > few:
        return ""
    return {0: f"no-{what}s-left", 1: f"1 {what}-left"}.get(left, f"{left} {what}s-left")


GAME = FreeForAll(
    name="free-for-all",
    edition="1",
    title="Free for All",
    min_players=MIN_PLAYERS,
    max_players=MAX_PLAYERS,
    options=_OPTIONS,
    option_words={
        "first": rules.WHO_BEGINS,
        "deck": rules.OptionWords("cards", {"virtual": "dealt-here", "table": "printed"}),
        "cards": rules.OptionWords("deck", {DEFAULT_DECK.text: "standard"}, other="own"),
        "bank": rules.OptionWords(
            "bank", {"at-once": "next-turn", "when-full": "when-full"}, most=3
        ),
    },
    dice_kinds=(rules.DieKind.BLACK,) * FIVE_DICE,
    rarest=("five-alike",),
    verbs=_VERBS,
    example="1 2 3 4 4: each card of the default deck as if it lay in the centre",
    keeps=FIVE_DICE_KEEPS,
    position_codec=position.CODEC,
    deck=rules.OptionFile(
        "cards",
        ("games.free_for_all", "deck.toml"),
        lambda text: deck_from_toml(text).text,
        lambda value: deck_from_text(value).text,
    ),
    wording=WORDING,
    solver="games.strategy.free_for_all:FreeForAllSolver",
)
