"""Positions of Showdown: a state set up or written down without the events that led to it."""

from dataclasses import replace

from games.dice import FACES, FIVE_DICE
from games.notation import positions
from games.notation.words import Words, quote
from games.showdown import state as showdown
from games.showdown.cards import CARD_COUNT, MAX_CHIPS_BY_CARD, Card, can_hold

_MAX_CHIPS = max(MAX_CHIPS_BY_CARD)


def position(state: showdown.State) -> showdown.State:
    """The state itself, after a check that its parts are consistent.

    Raises:
        BadPosition: for inconsistent parts. BadOptions: for names that are not allowed.
    """
    positions.check_players(state, showdown.MIN_PLAYERS, showdown.MAX_PLAYERS)
    seats = len(state.players)
    positions.check_part(state.first in range(seats), "the seat that began", state.first)
    positions.check_part(len(state.pawns) == seats, "a pawn for each player", len(state.pawns))
    positions.check_out(state, *(() if state.step is showdown.Step.OVER else (state.seat,)))
    for space in state.pawns:
        positions.check_part(
            space in range(showdown.RING_SPACES),
            f"a space from 0 to {showdown.RING_SPACES - 1}",
            space,
        )
    _check_cards(state)
    _check_turns(state)
    _check_move(state)
    _check_table(state)
    return state


def _check_cards(state: showdown.State) -> None:
    taken = set()
    for card, stack in zip(Card, state.cards, strict=True):
        if stack is None:
            continue
        free = stack.space in range(showdown.RING_SPACES) and not showdown.is_wild(stack.space)
        free = free and stack.space not in taken
        positions.check_part(free, f"a diamond space of its own for {card.word}", stack.space)
        taken.add(stack.space)
        positions.check_part(
            stack.seat in range(len(state.players)), f"a seat for {card.word}", stack.seat
        )
        positions.check_part(
            can_hold(card, stack.chips), f"a stack that {card.word} can hold", stack.chips
        )


def _check_turns(state: showdown.State) -> None:
    placed = CARD_COUNT - state.cards.count(None)
    turns, end, seats = state.turns, state.end, len(state.players)
    if placed < CARD_COUNT:
        positions.check_part(end is None, "no end while cards are off the board", end)
        positions.check_part(turns >= placed, f"at least {placed} turns for as many cards", turns)
        over = False
    else:
        positions.check_part(end is not None, "the number of turns of the whole game", end)
        end = end or 0
        positions.check_part(
            end - seats >= CARD_COUNT,
            f"an end after {CARD_COUNT + seats} turns or more",
            end,
        )
        positions.check_part(end - seats <= turns <= end, f"{end - seats} to {end} turns", turns)
        over = turns == end
    over = over or len(state.stay) == 1
    positions.check_part(
        (state.step is showdown.Step.OVER) == over, "a step as the turns have it", state.step
    )
    if turns < seats:
        unmoved = range(turns + (state.step is not showdown.Step.MOVE), seats)
        for seat in ((state.first + number) % seats for number in unmoved):
            positions.check_part(
                state.pawns[seat] == showdown.SPACES_PER_SIDE * seat,
                "a pawn on its corner",
                state.pawns[seat],
            )


def _check_move(state: showdown.State) -> None:
    red, origin = state.red, state.origin
    positions.check_part(red in (0, *FACES), "a face of the red die, or 0", red)
    positions.check_part(
        origin in range(showdown.RING_SPACES),
        f"a space from 0 to {showdown.RING_SPACES - 1}",
        origin,
    )
    if state.step is showdown.Step.OVER or (state.step is showdown.Step.MOVE and not red):
        positions.check_part(red == 0 and origin == 0, "no red die on the table", (red, origin))
        return
    space = state.pawns[state.seat]
    positions.check_part(red > 0, "the face that the red die showed", red)
    positions.check_part(
        space == (origin + red) % showdown.RING_SPACES,
        f"a pawn moved by {red} from {origin}",
        space,
    )
    landing = showdown.landing_step(state)
    fits = {
        showdown.Step.ROLL: (showdown.Step.ROLL, showdown.Step.USE),
        showdown.Step.LANDED: (showdown.Step.LANDED, showdown.Step.ROLL, showdown.Step.USE),
        showdown.Step.MOVE: (showdown.Step.MOVE,),
    }[landing]
    positions.check_part(state.step in fits, f"a step of {', '.join(fits)}", state.step)


def _check_table(state: showdown.State) -> None:
    roll, dice, held = state.roll, state.dice, state.held
    rolls = {
        showdown.Step.ROLL: range(showdown.ROLLS_PER_TURN),
        showdown.Step.USE: range(1, showdown.ROLLS_PER_TURN + 1),
    }.get(state.step, range(1))
    positions.check_part(roll in rolls, f"roll {rolls.start} to {rolls.stop - 1}", roll)
    if not roll:
        positions.check_part(not dice and not held, "no black dice on the table", dice or held)
        return
    positions.check_five(dice)
    slots = tuple(slot for slot in range(FIVE_DICE) if slot in held)
    good = (
        held == slots and len(held) < FIVE_DICE and not (held and state.step is showdown.Step.USE)
    )
    positions.check_part(
        good, f"slots to hold for a throw, from 0 to {FIVE_DICE - 1}, ascending, not all", held
    )


def position_to_text(state: showdown.State) -> str:
    """The state in one line; the grammar is in `docs/rules/showdown.md`."""
    parts = [f"turns {state.turns} first {state.first + 1}"]
    if state.end is not None:
        parts.append(f"end {state.end}")
    if state.raise_continues:
        parts.append("raise-continues")
    parts += positions.out_words(state.out)
    parts.append(f"step {state.step.value}")
    if state.red:
        parts.append(f"red {state.red} from {state.origin}")
    if state.roll:
        parts.append(f"roll {state.roll} dice {''.join(map(str, state.dice))}")
        if state.step is showdown.Step.ROLL:
            parts.append("hold " + positions.slots_word(state.held))
    for name, space in zip(state.players, state.pawns, strict=True):
        parts.append(f"| {quote(name)} {space}")
    parts.append("|")
    for card, stack in zip(Card, state.cards, strict=True):
        if stack is not None:
            parts.append(f"{card.word} {stack.space} {stack.seat + 1} {stack.chips}")
    return " ".join(parts)


def position_from_text(words: Words) -> showdown.State:
    """The state that `position_to_text` wrote.

    Raises:
        RecordError: for words that are not a position. BadPosition: for an impossible one.
    """
    words.literal("turns")
    turns = words.number(0, positions.MAX_TURNS, "turns that are over")
    words.literal("first")
    first = words.number(1, showdown.MAX_PLAYERS, "a seat") - 1
    end = None
    if positions.take_if_next(words, "end"):
        end = words.number(0, positions.MAX_TURNS, "turns")
    raise_continues = positions.take_if_next(words, "raise-continues")
    out = positions.read_out(words)
    words.literal("step")
    step = words.one_of({step.value: step for step in showdown.Step}, "a step")
    red, origin, held = 0, 0, tuple[int, ...]()
    if positions.take_if_next(words, "red"):
        red = words.number(1, 6, "a face")
        words.literal("from")
        origin = words.number(0, showdown.RING_SPACES - 1, "a space")
    roll, faces = positions.read_roll(words, showdown.ROLLS_PER_TURN)
    if roll and step is showdown.Step.ROLL:
        words.literal("hold")
        held = () if positions.take_if_next(words, "none") else _read_held(words)
    players, pawns = [], []
    words.literal("|")
    while words.peek().startswith('"'):
        players.append(words.quoted("a name"))
        pawns.append(words.number(0, showdown.RING_SPACES - 1, "a space"))
        words.literal("|")
    cards: dict[Card, showdown.Stack] = {}
    table = {card.word: card for card in Card}
    while words:
        card = words.one_of(table, "a card")
        space = words.number(0, showdown.RING_SPACES - 1, "a space")
        seat = words.number(1, showdown.MAX_PLAYERS, "a seat") - 1
        cards[card] = showdown.Stack(space, seat, words.number(1, _MAX_CHIPS, "chips"))
        del table[card.word]
    stacks = tuple(cards.get(card) for card in Card)
    state = showdown.State(
        tuple(players), tuple(pawns), stacks, first, turns, end, raise_continues, step, out=out
    )
    return position(replace(state, red=red, origin=origin, roll=roll, dice=faces, held=held))


def _read_held(words: Words) -> tuple[int, ...]:
    text = words.peek()
    if not text or not set(text) <= set("123456"):
        words.fail("dice such as 134, or none")
    words.take("dice")
    return tuple(int(number) - 1 for number in text)
