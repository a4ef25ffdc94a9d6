"""Positions of Free for All: a state set up or written down without what led to it."""

from typing import Any

from games.dice import FIVE_DICE
from games.free_for_all import state as free_for_all
from games.free_for_all.cards import Card, Kind, card_from_word, makes
from games.free_for_all.deck import CENTRE_SPACES, DEFAULT_DECK, cards_to_text, stack_from_word
from games.free_for_all.state import ROLLS_PER_TURN, TOTAL_CHIPS, Lying, Step, home_spaces
from games.notation import positions
from games.notation.positions import (
    FIVE,
    Codec,
    Field,
    Form,
    Parts,
    number,
    one_of,
    several,
    word,
)
from games.notation.words import Words


def _make(*, players: tuple[str, ...], **fields: Any) -> free_for_all.State:
    """A state; by default nobody has anything, and the cards of the usual deck are in it.

    Cards in piles may come in any order.
    """
    if spaces := fields.pop("spaces", ()):
        fields["centre"] = tuple(space and space[0] for space in spaces)
        fields["chips"] = tuple(space[1] if space else 0 for space in spaces)
    seats = len(players)
    centre = fields.setdefault("centre", (None,) * CENTRE_SPACES)
    roll = Step.USE if fields.get("roll") and "held" not in fields else Step.ROLL
    table: dict[str, Any] = {
        "first": 0,
        "virtual": True,
        "deck": DEFAULT_DECK.cards,
        "apart": DEFAULT_DECK.apart,
        "step": Step.TURN_UP if None in centre else roll,
        "homes": ((None,) * home_spaces(seats),) * seats,
        "banked": ((),) * seats,
        "banked_chips": (0,) * seats,
    }
    table |= fields
    table |= {name: tuple(sorted(table[name])) for name in ("deck", "apart")}
    table["banked"] = tuple(tuple(sorted(cards)) for cards in table["banked"])
    return free_for_all.State(players, **table)


def _parts(state: free_for_all.State) -> Parts:
    """Decks differ, so cards are not counted."""
    yield positions.out_part(state, *(() if state.step is Step.OVER else (state.seat,)))
    yield from _cards(state)
    yield from _homes(state)
    yield from _table(state)


def _cards(state: free_for_all.State) -> Parts:
    lying = tuple(card for card in state.centre if card is not None)
    for card in (*state.deck, *lying):
        yield card.kind is not Kind.FIVE_ALIKE, "five alike apart from the deck", card
    for card in state.apart:
        yield card.kind is Kind.FIVE_ALIKE, "only five alike apart", card
    whole = len(state.centre) == len(state.chips) == CENTRE_SPACES
    yield whole, f"{CENTRE_SPACES} spaces in the centre, with chips", (state.centre, state.chips)
    missing = state.centre.count(None)
    one = "one empty space in the centre"
    if state.step is Step.TURN_UP:
        yield missing > 0, "an empty space in the centre", missing
        yield missing <= len(state.deck), "enough cards in the deck", len(state.deck)
        setting_up = not state.dice and state.turns == 0
        gap = state.centre == (*lying, *(None,) * missing)
        yield missing == 1 or (setting_up and gap), one, missing
    elif missing:
        yield state.step is Step.OVER and not state.deck, "no empty space", missing
        yield missing == 1, one, missing


def _homes(state: free_for_all.State) -> Parts:
    seats = len(state.players)
    spaces = home_spaces(seats)
    for home in state.homes:
        yield len(home) == spaces, f"{spaces} home spaces for each of {seats}", len(home)
        for lying in filter(None, home):
            good = makes(lying.dice, lying.card.kind)
            yield good, f"five dice that make {lying.card.word}", lying.dice
    mine = sum(lying is not None for lying in state.homes[state.seat])
    if state.step is Step.BANK:
        yield mine > 1, "several cards at home to choose from", mine
    elif state.step in (Step.ROLL, Step.USE):
        yield mine < spaces, "a free home space after banking", mine


def _table(state: free_for_all.State) -> Parts:
    yield state.pile >= 0, f"{TOTAL_CHIPS} chips at most", TOTAL_CHIPS - state.pile
    for card, chips in zip(state.centre, state.chips, strict=True):
        yield chips >= 0, "chips from 0", chips
        yield card is not None or chips == 0, "no chips where no card lies", chips
    alone = len(state.stay) == 1
    yield from positions.roll_parts(
        state,
        {
            Step.TURN_UP: range(ROLLS_PER_TURN + 1),
            Step.BANK: range(1),
            Step.ROLL: range(ROLLS_PER_TURN),
            Step.USE: range(1, ROLLS_PER_TURN + 1),
            Step.OVER: range(1) if alone else range(1, ROLLS_PER_TURN + 1),
        }[state.step],
    )
    if not state.roll or state.step is not Step.ROLL:
        yield not state.held, "nothing held without a throw", state.held


def _spaces(state: free_for_all.State) -> list[tuple[Card, int] | None]:
    pairs = zip(state.centre, state.chips, strict=False)
    return [(card, chips) if card else None for card, chips in pairs]


def _read_cards(words: Words) -> tuple[Card, ...]:
    return tuple(card for stack in _STACKS.read(words) for card in stack)


def _space_of_word(text: str) -> tuple[Card, int] | None:
    name, _, chips = text.partition("+")
    card, good = card_from_word(name), chips.isascii() and chips.isdecimal() and len(chips) <= 2
    return (card, int(chips)) if card and good else None


def _lying_of_word(text: str) -> Lying | None:
    name, _, dice = text.partition("@")
    card, good = card_from_word(name), len(dice) == FIVE_DICE and set(dice) <= set("123456")
    return Lying(card, tuple(map(int, dice))) if card and good else None


_ENDS = frozenset(("", "|", "chips", "home", "banked"))
_STACKS = several(word(str, stack_from_word, "cards such as 3*ones:1, or '|'"), _ENDS)
_CARDS = Form(cards_to_text, _read_cards, "cards in the order of a deck")
_SPACE = word(
    lambda space: f"{space[0].word}+{space[1]}" if space else "-",
    _space_of_word,
    "'-', or a card and its chips such as fours:4+2",
    {"-": None},
)
_CENTRE = Form(
    lambda spaces: " ".join(map(_SPACE.write, spaces)),
    lambda words: [_SPACE.read(words) for _ in range(CENTRE_SPACES)],
)
_LYING = word(
    lambda lying: f"{lying.card.word}@{FIVE.write(lying.dice)}" if lying else "-",
    _lying_of_word,
    "'-', or a card and its dice such as fours:4@44162",
    {"-": None},
)
CODEC = Codec(
    _make,
    table=(
        Field("first", positions.SEAT),
        Field("turns", number(0, positions.MAX_TURNS, "turns")),
        Field("", one_of({"virtual": True, "table": False}, "a deck"), "virtual"),
        Field("late", positions.FLAG, absent=False),
        Field("", one_of({step.value: step for step in Step}, "a step"), "step"),
        positions.OUT,
        positions.roll_field(ROLLS_PER_TURN),
        positions.DICE,
        positions.hold_field(FIVE_DICE, lambda s: s.roll and s.step is Step.ROLL),
    ),
    rows=(
        Field("deck", _CARDS),
        Field("apart", _CARDS),
        Field("centre", _CENTRE, "spaces", get=_spaces),
    ),
    seat=(
        Field("chips", number(0, TOTAL_CHIPS, "chips"), "banked_chips"),
        Field("home", several(_LYING, _ENDS), "homes"),
        Field("banked", _CARDS),
    ),
    parts=_parts,
)
"""The grammar is in `docs/rules/free-for-all.md`."""
