"""Positions of games with a sheet of boxes: checked, written and read, but for the sheets."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from games.boxes.sheets import BoxSheet
from games.boxes.state import ROLLS_PER_TURN, BoxState
from games.dice import FIVE_DICE
from games.notation import positions
from games.notation.words import MAX_SEATS, Words, quote

T = TypeVar("T", bound=BoxState[Any])


def check_box_position(
    state: BoxState[Any], boxes: int, scores: Callable[[tuple[int, ...]], Sequence[int]]
) -> None:
    """Makes sure that the parts of a state are consistent.

    Args:
        state: the state.
        boxes: how many boxes a sheet has.
        scores: what five dice score in each box.

    Raises:
        BadPosition: for inconsistent parts. BadOptions: for names that are not allowed.
    """
    seats = len(state.players)
    positions.check_players(state, 1, MAX_SEATS)
    positions.check_part(seats == len(state.sheets), "a sheet for each player", len(state.sheets))
    for sheet in state.sheets:
        sheet.check(scores)
    positions.check_part(state.seat in range(seats), "the seat of a player", state.seat)
    positions.check_out(state, state.seat)
    for throw in state.roll_off:
        positions.check_five(throw)
    totals = [sum(throw) for throw in state.roll_off]
    positions.check_roll_off(seats, totals, state.first, state.seat)
    _check_turns(state, boxes)
    _check_table(state)


def _check_turns(state: BoxState[Any], boxes: int) -> None:
    seats = len(state.players)
    filled = [sheet.filled for sheet in state.sheets]
    if state.first is None:
        positions.check_part(not any(filled), "empty sheets before the first turn", filled)
        return
    positions.check_part(state.first in range(seats), "the seat that began", state.first)
    if all(filled[seat] == boxes for seat in state.stay):
        seat = state.first
        seat = seat if seat in state.stay else (seat + state.to_next(seat)) % seats
        positions.check_part(state.seat == seat, f"seat {seat} at the end", state.seat)
        return
    behind = filled[state.seat]
    done = (state.seat - state.first) % seats
    for turn in range(seats):
        seat = (state.first + turn) % seats
        count, expected = filled[seat], behind + (turn < done)
        good = count == expected or (seat in state.out and count < expected)
        positions.check_part(good, f"{expected} boxes filled in turn", count)


def _check_table(state: BoxState[Any]) -> None:
    over = state.first is not None and not any(state.sheets[s].open for s in state.stay)
    if over or state.roll == 0:
        positions.check_part(state.roll == 0 and not state.dice, "no roll on the table", state.dice)
        due = None if over else ()
        positions.check_part(state.held == due, f"held {due}", state.held)
        return
    positions.check_part(state.first is not None, "a roll only after the roll-off", state.roll)
    positions.check_part(
        state.roll in range(1, ROLLS_PER_TURN + 1), f"roll 1 to {ROLLS_PER_TURN}", state.roll
    )
    positions.check_five(state.dice)
    held = state.held
    if held is not None:
        positions.check_part(
            state.roll < ROLLS_PER_TURN, f"no throw after roll {ROLLS_PER_TURN}", held
        )
        positions.check_held(held, FIVE_DICE)


def box_position_to_text(state: BoxState[Any]) -> str:
    """The state in one line, as `box_position_from_text` reads it."""
    parts = [f"seat {state.seat + 1}"]
    if state.first is not None:
        parts.append(f"first {state.first + 1}")
    if state.roll_off:
        parts.append("off " + " ".join("".join(map(str, throw)) for throw in state.roll_off))
    parts += positions.out_words(state.out)
    if state.roll:
        parts.append(f"roll {state.roll} dice {''.join(map(str, state.dice))}")
        if state.held is not None:
            parts.append(f"hold {positions.slots_word(state.held)}")
    for name, sheet in zip(state.players, state.sheets, strict=True):
        parts.append(f"| {quote(name)} {sheet.to_words()}")
    return " ".join(parts)


def box_position_from_text(words: Words, state: type[T], sheet: type[BoxSheet]) -> T:
    """The state that `box_position_to_text` wrote, not checked as a whole.

    Args:
        words: the words after the name of the game.
        state: the class of its states.
        sheet: the class of its sheets.

    Raises:
        RecordError: for words that are not a position.
    """
    words.literal("seat")
    seat = words.number(1, MAX_SEATS, "a seat") - 1
    first = None
    if positions.take_if_next(words, "first"):
        first = words.number(1, MAX_SEATS, "a seat") - 1
    throws = positions.read_several(words, "off", positions.read_five)
    out = positions.read_out(words)
    roll, faces = positions.read_roll(words, ROLLS_PER_TURN)
    held = None
    if roll and positions.take_if_next(words, "hold"):
        held = positions.read_slots(words, FIVE_DICE)
    players, sheets = [], []
    while positions.take_if_next(words, "|"):
        players.append(words.quoted("a name"))
        sheets.append(sheet.from_words(words))
    words.end("'|' and a player")
    if not roll and any(one.open for seat, one in enumerate(sheets) if seat not in out):
        held = ()
    return state(tuple(players), tuple(sheets), first, seat, roll, faces, held, throws, out=out)
