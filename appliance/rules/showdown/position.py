"""Positions of Showdown: a state set up or written down without the events that led to it."""

from dataclasses import replace

from appliance.rules.dice import FACES, FIVE
from appliance.rules.notation.events import Words, quote
from appliance.rules.notation.positions import (
    MANY,
    check,
    check_five,
    check_out,
    check_players,
    next_is,
    out_words,
    read_out,
    read_roll,
    slots_word,
)
from appliance.rules.showdown.cards import CARDS, FULL, Card, can_hold
from appliance.rules.showdown.play import landing_step
from appliance.rules.showdown.state import (
    MAX_PLAYERS,
    MIN_PLAYERS,
    ROLLS,
    SIDE,
    SPACES,
    Stack,
    State,
    Step,
    is_wild,
)

_MOST_CHIPS = max(FULL)


def position(state: State) -> State:
    """The state itself, after a look at whether its parts go together.

    Raises:
        BadPosition: for parts that do not go together. BadOptions: for names that cannot be.
    """
    check_players(state, MIN_PLAYERS, MAX_PLAYERS)
    seats = len(state.players)
    check(state.first in range(seats), "the seat that began", state.first)
    check(len(state.pawns) == seats, "a pawn for each player", len(state.pawns))
    check_out(state, *(() if state.step is Step.OVER else (state.seat,)))
    for space in state.pawns:
        check(space in range(SPACES), f"a space from 0 to {SPACES - 1}", space)
    _check_cards(state)
    _check_turns(state)
    _check_move(state)
    _check_table(state)
    return state


def _check_cards(state: State) -> None:
    taken = set()
    for card, stack in zip(Card, state.cards, strict=True):
        if stack is None:
            continue
        free = stack.space in range(SPACES) and not is_wild(stack.space)
        free = free and stack.space not in taken
        check(free, f"a diamond space of its own for {card.label}", stack.space)
        taken.add(stack.space)
        check(stack.seat in range(len(state.players)), f"a seat for {card.label}", stack.seat)
        check(can_hold(card, stack.chips), f"a stack that {card.label} can hold", stack.chips)


def _check_turns(state: State) -> None:
    placed = CARDS - state.cards.count(None)
    turns, end, seats = state.turns, state.end, len(state.players)
    if placed < CARDS:
        check(end is None, "no end while cards are off the board", end)
        check(turns >= placed, f"at least {placed} turns for as many cards", turns)
        over = False
    else:
        check(end is not None, "the number of turns of the whole game", end)
        end = end or 0
        check(end - seats >= CARDS, f"an end after {CARDS + seats} turns or more", end)
        check(end - seats <= turns <= end, f"{end - seats} to {end} turns", turns)
        over = turns == end
    over = over or len(state.stay) == 1
    check((state.step is Step.OVER) == over, "a step as the turns have it", state.step)
    if turns < seats:
        unmoved = range(turns + (state.step is not Step.MOVE), seats)
        for seat in ((state.first + number) % seats for number in unmoved):
            check(state.pawns[seat] == SIDE * seat, "a pawn on its corner", state.pawns[seat])


def _check_move(state: State) -> None:
    red, origin = state.red, state.origin
    check(red in (0, *FACES), "a face of the red die, or 0", red)
    check(origin in range(SPACES), f"a space from 0 to {SPACES - 1}", origin)
    if state.step is Step.OVER or (state.step is Step.MOVE and not red):
        check(red == 0 and origin == 0, "no red die on the table", (red, origin))
        return
    space = state.pawns[state.seat]
    check(red > 0, "the face that the red die showed", red)
    check(space == (origin + red) % SPACES, f"a pawn moved by {red} from {origin}", space)
    landing = landing_step(state)
    fits = {
        Step.ROLL: (Step.ROLL, Step.USE),
        Step.LANDED: (Step.LANDED, Step.ROLL, Step.USE),
        Step.MOVE: (Step.MOVE,),
    }[landing]
    check(state.step in fits, f"a step of {', '.join(fits)}", state.step)


def _check_table(state: State) -> None:
    roll, dice, held = state.roll, state.dice, state.held
    rolls = {Step.ROLL: range(ROLLS), Step.USE: range(1, ROLLS + 1)}.get(state.step, range(1))
    check(roll in rolls, f"roll {rolls.start} to {rolls.stop - 1}", roll)
    if not roll:
        check(not dice and not held, "no black dice on the table", dice or held)
        return
    check_five(dice)
    slots = tuple(slot for slot in range(FIVE) if slot in held)
    good = held == slots and len(held) < FIVE and not (held and state.step is Step.USE)
    check(good, f"slots to hold for a throw, from 0 to {FIVE - 1}, ascending, not all", held)


def position_to_text(state: State) -> str:
    """The state in one line; the grammar is in `docs/rules/showdown.md`."""
    parts = [f"turns {state.turns} first {state.first + 1}"]
    if state.end is not None:
        parts.append(f"end {state.end}")
    if state.raise_continues:
        parts.append("raise-continues")
    parts += out_words(state.out)
    parts.append(f"step {state.step.value}")
    if state.red:
        parts.append(f"red {state.red} from {state.origin}")
    if state.roll:
        parts.append(f"roll {state.roll} dice {''.join(map(str, state.dice))}")
        if state.step is Step.ROLL:
            parts.append("hold " + slots_word(state.held))
    for name, space in zip(state.players, state.pawns, strict=True):
        parts.append(f"| {quote(name)} {space}")
    parts.append("|")
    for card, stack in zip(Card, state.cards, strict=True):
        if stack is not None:
            parts.append(f"{card.word} {stack.space} {stack.seat + 1} {stack.chips}")
    return " ".join(parts)


def position_from_text(words: Words) -> State:
    """The state that `position_to_text` wrote.

    Raises:
        RecordError: for words that are none. BadPosition: for a position that cannot be.
    """
    words.literal("turns")
    turns = words.number(0, MANY, "turns that are over")
    words.literal("first")
    first = words.number(1, MAX_PLAYERS, "a seat") - 1
    end = words.number(0, MANY, "turns") if next_is(words, "end") else None
    raise_continues = next_is(words, "raise-continues")
    out = read_out(words)
    words.literal("step")
    step = words.one_of({step.value: step for step in Step}, "a step")
    red, origin, held = 0, 0, tuple[int, ...]()
    if next_is(words, "red"):
        red = words.number(1, 6, "a face")
        words.literal("from")
        origin = words.number(0, SPACES - 1, "a space")
    roll, faces = read_roll(words, ROLLS)
    if roll and step is Step.ROLL:
        words.literal("hold")
        held = () if next_is(words, "none") else _held(words)
    players, pawns = [], []
    words.literal("|")
    while words.peek().startswith('"'):
        players.append(words.quoted("a name"))
        pawns.append(words.number(0, SPACES - 1, "a space"))
        words.literal("|")
    cards: dict[Card, Stack] = {}
    table = {card.word: card for card in Card}
    while words:
        card = words.one_of(table, "a card")
        space = words.number(0, SPACES - 1, "a space")
        seat = words.number(1, MAX_PLAYERS, "a seat") - 1
        cards[card] = Stack(space, seat, words.number(1, _MOST_CHIPS, "chips"))
        del table[card.word]
    stacks = tuple(cards.get(card) for card in Card)
    state = State(
        tuple(players), tuple(pawns), stacks, first, turns, end, raise_continues, step, out=out
    )
    return position(replace(state, red=red, origin=origin, roll=roll, dice=faces, held=held))


def _held(words: Words) -> tuple[int, ...]:
    text = words.peek()
    if not text or not set(text) <= set("123456"):
        words.fail("dice such as 134, or none")
    words.take("dice")
    return tuple(int(number) - 1 for number in text)
