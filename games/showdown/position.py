"""Positions of Showdown: a state set up or written down without the events that led to it."""

from collections.abc import Mapping, Sequence
from typing import Any

from games.dice import FIVE_DICE
from games.notation import positions
from games.notation.positions import Codec, Field, Form, Parts, number, one_of
from games.notation.words import Words
from games.showdown import state as showdown
from games.showdown.cards import CARD_COUNT, MAX_CHIPS_BY_CARD, Card, can_hold
from games.showdown.state import Stack, Step

_SPACES = range(showdown.RING_SPACES)
_SPACE = number(0, _SPACES[-1], "a space")
_MAX_CHIPS = max(MAX_CHIPS_BY_CARD)


def _make(
    *,
    players: tuple[str, ...],
    cards: Mapping[Card, Stack] | Sequence[Stack | None] = (None,) * CARD_COUNT,
    **fields: Any,
) -> showdown.State:
    """A state with these cards on the ring; by default as many turns are over."""
    corners = tuple(showdown.SPACES_PER_SIDE * seat for seat in range(len(players)))
    stacks = tuple(map(cards.get, Card)) if isinstance(cards, Mapping) else tuple(cards)
    turns = len(stacks) - stacks.count(None)
    step = Step.USE if fields.get("roll") else Step.MOVE
    table = {"pawns": corners, "turns": turns, "step": step, **fields}
    return showdown.State(players, cards=stacks, **table)


def _parts(state: showdown.State) -> Parts:
    yield positions.out_part(state, *(() if state.step is Step.OVER else (state.seat,)))
    yield from _cards(state)
    yield from _turns(state)
    yield from _move(state)
    yield from _table(state)


def _cards(state: showdown.State) -> Parts:
    taken = set()
    for card, stack in zip(Card, state.cards, strict=True):
        if stack is None:
            continue
        free = stack.space in _SPACES and not showdown.is_wild(stack.space)
        free = free and stack.space not in taken
        yield free, f"a diamond space of its own for {card.word}", stack.space
        taken.add(stack.space)
        yield stack.seat in range(len(state.players)), f"a seat for {card.word}", stack.seat
        yield can_hold(card, stack.chips), f"a stack that {card.word} can hold", stack.chips


def _turns(state: showdown.State) -> Parts:
    placed = CARD_COUNT - state.cards.count(None)
    turns, end, seats = state.turns, state.end, len(state.players)
    if placed < CARD_COUNT:
        yield end is None, "no end while cards are off the board", end
        yield turns >= placed, f"at least {placed} turns for as many cards", turns
    else:
        yield end is not None, "the number of turns of the whole game", end
        least = (end or 0) - seats
        yield least >= CARD_COUNT, f"an end after {CARD_COUNT + seats} turns or more", end
        yield least <= turns <= least + seats, f"{least} to {end} turns", turns
    over = turns == end or len(state.stay) == 1
    yield (state.step is Step.OVER) == over, "a step as the turns have it", state.step
    for turn in range(turns + (state.step is not Step.MOVE), seats):
        seat = (state.first + turn) % seats
        corner = showdown.SPACES_PER_SIDE * seat
        yield state.pawns[seat] == corner, "a pawn on its corner", state.pawns[seat]


def _move(state: showdown.State) -> Parts:
    red, origin = state.red, state.origin
    if state.step is Step.OVER or (state.step is Step.MOVE and not red):
        yield red == 0 and origin == 0, "no red die on the table", (red, origin)
        return
    space = state.pawns[state.seat]
    yield red > 0, "the face that the red die showed", red
    moved = space == (origin + red) % showdown.RING_SPACES
    yield moved, f"a pawn moved by {red} from {origin}", space
    fits = {
        Step.ROLL: (Step.ROLL, Step.USE),
        Step.LANDED: (Step.LANDED, Step.ROLL, Step.USE),
        Step.MOVE: (Step.MOVE,),
    }[showdown.landing_step(state)]
    yield state.step in fits, f"a step of {', '.join(fits)}", state.step


def _table(state: showdown.State) -> Parts:
    most = showdown.ROLLS_PER_TURN
    rolls = {Step.ROLL: range(most), Step.USE: range(1, most + 1)}.get(state.step, range(1))
    yield from positions.roll_parts(state, rolls)
    if not state.roll or state.step is not Step.ROLL:
        yield not state.held, "nothing held without a throw", state.held


def _write_cards(cards: tuple[Stack | None, ...]) -> str:
    there = ((card, stack) for card, stack in zip(Card, cards, strict=True) if stack is not None)
    return " ".join(f"{c.word} {s.space} {s.seat + 1} {s.chips}" for c, s in there)


def _read_cards(words: Words) -> tuple[Stack | None, ...]:
    cards: dict[Card, Stack] = {}
    table = {card.word: card for card in Card}
    while words.peek() not in ("", "|"):
        card = words.one_of(table, "a card")
        space, seat = _SPACE.read(words), positions.SEAT.read(words)
        cards[card] = Stack(space, seat, words.number(1, _MAX_CHIPS, "chips"))
        del table[card.word]
    return tuple(map(cards.get, Card))


_WORDS = tuple(card.word for card in Card)
_CARDS = Form(
    _write_cards,
    _read_cards,
    f"a card ({', '.join(_WORDS)})",
    begins=("", *_WORDS),
)
_TURNS = number(0, positions.MAX_TURNS, "turns")
CODEC = Codec(
    _make,
    table=(
        Field("turns", _TURNS),
        Field("first", positions.SEAT),
        Field("end", _TURNS, absent=None),
        Field("raise-continues", positions.FLAG, "raise_continues", absent=False),
        positions.OUT,
        Field("step", one_of({step.value: step for step in Step}, "a step")),
        Field("red", number(1, 6, "a face"), absent=0),
        Field("from", _SPACE, "origin", when=lambda state: state.red),
        positions.roll_field(showdown.ROLLS_PER_TURN),
        positions.DICE,
        positions.hold_field(FIVE_DICE, lambda s: s.roll and s.step is Step.ROLL),
    ),
    seat=(Field("", _SPACE, "pawns"),),
    rows=(Field("", _CARDS, "cards"),),
    rows_last=True,
    parts=_parts,
)
"""The grammar is in `docs/rules/showdown.md`."""
