"""Positions of Classic: a state set up or written down without the events that led to it."""

from collections.abc import Sequence

from appliance.rules.checks import check_names
from appliance.rules.classic import sheet as classic_sheet
from appliance.rules.classic.sheet import BOXES, MAX_PLAYERS, ROLLS, UPPER, Box, Sheet, State
from appliance.rules.dice import FIVE
from appliance.rules.notation.events import Words, quote
from appliance.rules.notation.positions import (
    check,
    check_five,
    check_held,
    check_out,
    five,
    next_is,
    out_words,
    read_out,
    slots,
    slots_word,
)
from appliance.rules.roll_off import standing


def position(
    players: Sequence[str],
    sheets: Sequence[Sheet],
    *,
    seat: int = 0,
    first: int | None = 0,
    roll: int = 0,
    dice: tuple[int, ...] = (),
    held: tuple[int, ...] | None = (),
    roll_off: tuple[tuple[int, ...], ...] = (),
    out: tuple[int, ...] = (),
) -> State:
    """A state of Classic from its parts, with the same meaning as in `State`.

    Scores are checked box by box (no 7 under twos, no 26 for a full house), bonuses against the
    five-alike box and the boxes that are filled; the turns of the seats against each other.

    Raises:
        BadPosition: for parts that do not go together. BadOptions: for names that cannot be.
    """
    state = State(tuple(players), tuple(sheets), first, seat, roll, dice, held, roll_off, out=out)
    check_names(players)
    check(1 <= len(players) <= MAX_PLAYERS, f"1 to {MAX_PLAYERS} players", len(players))
    check(len(players) == len(sheets), "a sheet for each player", len(sheets))
    for sheet in sheets:
        _check_sheet(sheet)
    check(seat in range(len(players)), "the seat of a player", seat)
    check_out(state, seat)
    for throw in roll_off:
        check_five(throw)
    if first is None or roll_off:
        now = standing(len(players), [sum(throw) for throw in roll_off])
        decided = now.seat if now.decided else None
        check(first == decided, f"first as the roll-off has it, {decided},", first)
        check(first is not None or seat == now.seat, f"seat {now.seat} to throw", seat)
    _check_turns(state)
    _check_table(state)
    return state


def _check_sheet(sheet: Sheet) -> None:
    check(len(sheet.boxes) == BOXES, f"{BOXES} boxes", len(sheet.boxes))
    check(sheet == Sheet.of(sheet.boxes, sheet.bonuses), "open boxes as the scores say", sheet)
    for box in Box:
        points = sheet.boxes[box]
        check(points is None or points in _possible(box), f"a score of {box.label}", points)
    earned = max(sheet.filled - 1, 0) if sheet.boxes[Box.FIVE_ALIKE] == 50 else 0
    check(0 <= sheet.bonuses <= earned, f"0 to {earned} five-alike bonuses", sheet.bonuses)


def _possible(box: Box) -> range | tuple[int, ...]:
    """The scores that a box can have."""
    if box < UPPER:
        return range(0, (box + 1) * FIVE + 1, box + 1)
    if box in (Box.THREE_ALIKE, Box.FOUR_ALIKE, Box.CHANCE):
        return (0, *range(5, 31))
    return (0, classic_sheet.FIXED[box])


def _check_turns(state: State) -> None:
    seats = len(state.players)
    filled = [sheet.filled for sheet in state.sheets]
    if state.first is None:
        check(not any(filled), "empty sheets before the first turn", filled)
        return
    check(state.first in range(seats), "the seat that began", state.first)
    if all(filled[seat] == BOXES for seat in state.stay):
        seat = state.first
        seat = seat if seat in state.stay else (seat + state.to_next(seat)) % seats
        check(state.seat == seat, f"seat {seat} at the end", state.seat)
        return
    behind = filled[state.seat]
    done = (state.seat - state.first) % seats
    for turn in range(seats):
        seat = (state.first + turn) % seats
        count, expected = filled[seat], behind + (turn < done)
        good = count == expected or (seat in state.out and count < expected)
        check(good, f"{expected} boxes filled in turn", count)


def _check_table(state: State) -> None:
    over = state.first is not None and not any(state.sheets[s].open for s in state.stay)
    if over or state.roll == 0:
        check(state.roll == 0 and not state.dice, "no roll on the table", state.dice)
        due = None if over else ()
        check(state.held == due, f"held {due}", state.held)
        return
    check(state.first is not None, "a roll only after the roll-off", state.roll)
    check(state.roll in range(1, ROLLS + 1), f"roll 1 to {ROLLS}", state.roll)
    check_five(state.dice)
    held = state.held
    if held is not None:
        check(state.roll < ROLLS, f"no throw after roll {ROLLS}", held)
        check_held(held, FIVE)


def position_to_text(state: State) -> str:
    """The state in one line; the grammar is in `docs/rules/classic.md`."""
    parts = [f"seat {state.seat + 1}"]
    if state.first is not None:
        parts.append(f"first {state.first + 1}")
    if state.roll_off:
        parts.append("off " + " ".join("".join(map(str, throw)) for throw in state.roll_off))
    parts += out_words(state.out)
    if state.roll:
        parts.append(f"roll {state.roll} dice {''.join(map(str, state.dice))}")
        if state.held is not None:
            parts.append(f"hold {slots_word(state.held)}")
    for name, sheet in zip(state.players, state.sheets, strict=True):
        boxes = " ".join("-" if points is None else str(points) for points in sheet.boxes)
        parts.append(f"| {quote(name)} {boxes} bonuses {sheet.bonuses}")
    return " ".join(parts)


def position_from_text(words: Words) -> State:
    """The state that `position_to_text` wrote.

    Raises:
        RecordError: for words that are none. BadPosition: for a position that cannot be.
    """
    words.literal("seat")
    seat = words.number(1, MAX_PLAYERS, "a seat") - 1
    first = None
    if next_is(words, "first"):
        first = words.number(1, MAX_PLAYERS, "a seat") - 1
    throws = []
    if next_is(words, "off"):
        throws.append(five(words))
        while words.peek().isdecimal():
            throws.append(five(words))
    out = read_out(words)
    roll, faces = 0, tuple[int, ...]()
    held: tuple[int, ...] | None = None
    if next_is(words, "roll"):
        roll = words.number(1, ROLLS, "a roll")
        words.literal("dice")
        faces = five(words)
        if next_is(words, "hold"):
            held = slots(words, FIVE)
    players, sheets = [], []
    while next_is(words, "|"):
        players.append(words.quoted("a name"))
        boxes = [_points(words) for _ in Box]
        words.literal("bonuses")
        sheets.append(Sheet.of(boxes, words.number(0, BOXES - 1, "the five-alike bonuses")))
    words.end("'|' and a player")
    if not roll and any(sheet.open for seat, sheet in enumerate(sheets) if seat not in out):
        held = ()
    return position(
        players,
        sheets,
        seat=seat,
        first=first,
        roll=roll,
        dice=faces,
        held=held,
        roll_off=tuple(throws),
        out=out,
    )


def _points(words: Words) -> int | None:
    return None if next_is(words, "-") else words.number(0, 50, "'-' or the points of a box")
