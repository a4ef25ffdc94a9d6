"""Positions of Classic: a state set up or written down without the events that led to it."""

from appliance.rules.classic import sheet as classic_sheet
from appliance.rules.classic.sheet import BOXES, UPPER_BOXES, Box, Sheet
from appliance.rules.classic.state import MAX_PLAYERS, ROLLS_PER_TURN, State
from appliance.rules.dice import FIVE_DICE
from appliance.rules.notation import positions
from appliance.rules.notation.events import Words, quote


def position(state: State) -> State:
    """The state itself, after a check that its parts are consistent.

    Scores are checked box by box (no 7 under twos, no 26 for a full house), bonuses against the
    five-alike box and the boxes filled, and the turns of the seats against each other.

    Raises:
        BadPosition: for inconsistent parts. BadOptions: for names that are not allowed.
    """
    seats = len(state.players)
    positions.check_players(state, 1, MAX_PLAYERS)
    positions.check_part(seats == len(state.sheets), "a sheet for each player", len(state.sheets))
    for sheet in state.sheets:
        _check_sheet(sheet)
    positions.check_part(state.seat in range(seats), "the seat of a player", state.seat)
    positions.check_out(state, state.seat)
    for throw in state.roll_off:
        positions.check_five(throw)
    positions.check_roll_off(
        seats, [sum(throw) for throw in state.roll_off], state.first, state.seat
    )
    _check_turns(state)
    _check_table(state)
    return state


def _check_sheet(sheet: Sheet) -> None:
    positions.check_part(len(sheet.boxes) == BOXES, f"{BOXES} boxes", len(sheet.boxes))
    positions.check_part(
        sheet == Sheet.of(sheet.boxes, sheet.bonuses), "open boxes as the scores say", sheet
    )
    for box in Box:
        points = sheet.boxes[box]
        positions.check_part(
            points is None or points in _possible_scores(box), f"a score of {box.label}", points
        )
    earned = max(sheet.filled - 1, 0) if sheet.boxes[Box.FIVE_ALIKE] == 50 else 0
    positions.check_part(
        0 <= sheet.bonuses <= earned, f"0 to {earned} five-alike bonuses", sheet.bonuses
    )


def _possible_scores(box: Box) -> range | tuple[int, ...]:
    """The scores that a box can have."""
    if box < UPPER_BOXES:
        return range(0, (box + 1) * FIVE_DICE + 1, box + 1)
    if box in (Box.THREE_ALIKE, Box.FOUR_ALIKE, Box.CHANCE):
        return (0, *range(5, 31))
    return (0, classic_sheet.FIXED_SCORES[box])


def _check_turns(state: State) -> None:
    seats = len(state.players)
    filled = [sheet.filled for sheet in state.sheets]
    if state.first is None:
        positions.check_part(not any(filled), "empty sheets before the first turn", filled)
        return
    positions.check_part(state.first in range(seats), "the seat that began", state.first)
    if all(filled[seat] == BOXES for seat in state.stay):
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


def _check_table(state: State) -> None:
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


def position_to_text(state: State) -> str:
    """The state in one line; the grammar is in `docs/rules/classic.md`."""
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
        boxes = " ".join("-" if points is None else str(points) for points in sheet.boxes)
        parts.append(f"| {quote(name)} {boxes} bonuses {sheet.bonuses}")
    return " ".join(parts)


def position_from_text(words: Words) -> State:
    """The state that `position_to_text` wrote.

    Raises:
        RecordError: for words that are not a position. BadPosition: for an impossible one.
    """
    words.literal("seat")
    seat = words.number(1, MAX_PLAYERS, "a seat") - 1
    first = None
    if positions.take_if_next(words, "first"):
        first = words.number(1, MAX_PLAYERS, "a seat") - 1
    throws = positions.read_several(words, "off", positions.read_five)
    out = positions.read_out(words)
    roll, faces = positions.read_roll(words, ROLLS_PER_TURN)
    held = None
    if roll and positions.take_if_next(words, "hold"):
        held = positions.read_slots(words, FIVE_DICE)
    players, sheets = [], []
    while positions.take_if_next(words, "|"):
        players.append(words.quoted("a name"))
        boxes = [_read_points(words) for _ in Box]
        words.literal("bonuses")
        sheets.append(Sheet.of(boxes, words.number(0, BOXES - 1, "the five-alike bonuses")))
    words.end("'|' and a player")
    if not roll and any(sheet.open for seat, sheet in enumerate(sheets) if seat not in out):
        held = ()
    names = tuple(players)
    return position(State(names, tuple(sheets), first, seat, roll, faces, held, throws, out=out))


def _read_points(words: Words) -> int | None:
    if positions.take_if_next(words, "-"):
        return None
    return words.number(0, 50, "'-' or the points of a box")
