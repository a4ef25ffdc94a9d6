"""Positions of Power: a state set up or written down without the events that led to it."""

import re
from dataclasses import replace

from games.dice import FIVE_DICE
from games.notation import positions
from games.notation.events import POWER_WORDS, face_to_text
from games.notation.words import Words, quote
from games.power.sheet import (
    CROSSED_SLOT,
    FIXED_BASES,
    SLOTS,
    SLOTS_OF,
    UPPER_SLOTS,
    FilledSlot,
    Sheet,
    Slot,
)
from games.power.state import (
    DICE,
    DOUBLE,
    FREEZE,
    MAX_PLAYERS,
    MIN_PLAYERS,
    MULTIPLIER,
    POWER,
    POWER_SLOT,
    ROLLS_PER_TURN,
    State,
)

_LINE_WORD = re.compile(r"(?:([1-6])s)?([1-9][0-9]{0,2})x([1-3])")


def position(state: State) -> State:
    """The state itself, after a check that its parts are consistent.

    Lines are checked slot by slot, their order within a kind, and the seat to play against the
    turns. How many slots a seat has filled is only bounded: a Double fills two in one turn.

    Raises:
        BadPosition: for inconsistent parts. BadOptions: for names that are not allowed.
    """
    seats = len(state.players)
    positions.check_players(state, MIN_PLAYERS, MAX_PLAYERS)
    positions.check_part(len(state.sheets) == seats, "a sheet for each player", len(state.sheets))
    for sheet in (*state.sheets, *([] if state.undoubled is None else [state.undoubled])):
        _check_sheet(sheet)
    positions.check_part(state.seat in range(seats), "the seat of a player", state.seat)
    positions.check_out(state, state.seat)
    for face in state.roll_off:
        positions.check_part(face in range(1, 7), "a face from 1 to 6", face)
    positions.check_roll_off(seats, state.roll_off, state.first, state.seat)
    _check_turns(state)
    _check_table(state)
    return state


def _check_sheet(sheet: Sheet) -> None:
    positions.check_part(len(sheet.lines) == SLOTS, f"{SLOTS} slots", len(sheet.lines))
    positions.check_part(sheet == Sheet.of(sheet.lines), "open slots as the lines say", sheet)
    for slot in Slot:
        line = sheet.lines[slot]
        if line not in (None, CROSSED_SLOT):
            positions.check_part(_is_possible_line(slot, line), f"a line of {slot.key}", line)
    for same in SLOTS_OF:
        # Scores fill the slots of a kind from the top, X's from the bottom.
        lines = [sheet.lines[slot] for slot in same]
        order = [1 if line is None else 2 * (line == CROSSED_SLOT) for line in lines]
        good = order == sorted(order)
        positions.check_part(good, f"scores first and X's last in {same[0].kind.word}", order)


def _is_possible_line(slot: Slot, line: FilledSlot | None) -> bool:
    if line is None or line.power not in (1, 2, 3):
        return False
    if (slot is Slot.CHOICE) != (line.number in range(1, 7)):
        return False
    if slot < UPPER_SLOTS:
        number = line.number or slot + 1
        return line.base in range(number, number * FIVE_DICE + 1, number)
    return line.base == FIXED_BASES[slot] if slot in FIXED_BASES else line.base in range(5, 31)


def _check_turns(state: State) -> None:
    filled = [sheet.filled for sheet in state.sheets]
    if state.first is None:
        positions.check_part(
            not any(filled) and not state.turns, "empty sheets before the first turn", filled
        )
        return
    seats = len(state.players)
    positions.check_part(state.first in range(seats), "the seat that began", state.first)
    full = [seat for seat, count in enumerate(filled) if count == SLOTS]
    positions.check_part(
        full in ([], [state.seat]), "no full sheet but that of the last player", full
    )
    positions.check_part(state.turns >= bool(full), "turns from 0", state.turns)
    seat = (state.first + state.turns - bool(full)) % seats
    positions.check_part(state.seat == seat, f"seat {seat} after {state.turns} turns", state.seat)
    for number, count in enumerate(filled):
        played = (state.turns - (number - state.first) % seats + seats - 1) // seats
        half = number == state.seat and state.undoubled is not None
        least, most = 0 if number in state.out else played + half, 2 * played + half
        positions.check_part(
            least <= count <= most, f"{least} to {most} slots of {number} filled", count
        )


def _check_table(state: State) -> None:
    over = any(not sheet.open for sheet in state.sheets)
    if over or state.roll == 0:
        nothing = state.roll == 0 and not state.dice and not state.power
        positions.check_part(nothing, "no roll on the table", (state.dice, state.power))
        positions.check_part(state.undoubled is None, "no half of a Double", state.undoubled)
        due = None if over else ()
        positions.check_part(state.held == due, f"held {due}", state.held)
        return
    positions.check_part(state.first is not None, "a roll only after the roll-off", state.roll)
    positions.check_part(
        state.roll in range(1, ROLLS_PER_TURN + 2), f"roll 1 to {ROLLS_PER_TURN + 1}", state.roll
    )
    positions.check_five(state.dice)
    positions.check_part(
        state.power in MULTIPLIER, f"a face of {', '.join(MULTIPLIER)}", state.power
    )
    if state.held is not None:
        positions.check_part(state.power != FREEZE, "no throw after Freeze", state.held)
        fourth = state.roll == ROLLS_PER_TURN and state.power == POWER and POWER_SLOT in state.held
        positions.check_part(
            state.roll < ROLLS_PER_TURN or fourth, f"no throw after roll {state.roll}", state.held
        )
        positions.check_held(state.held, len(DICE))
    if state.undoubled is not None:
        positions.check_part(
            state.held is None and state.power == DOUBLE, "a Double on the table", state.power
        )
        now, before = state.sheets[state.seat], state.undoubled
        pairs = list(zip(before.lines, now.lines, strict=True))
        one = sum(a != b for a, b in pairs) == 1 and before.filled + 1 == now.filled
        positions.check_part(
            one, "one more slot filled by the first half", now.filled - before.filled
        )
        added = next(b for a, b in pairs if a != b)
        good = added == CROSSED_SLOT or (added is not None and added.power == MULTIPLIER[DOUBLE])
        positions.check_part(good, "the first half doubled", added)


def position_to_text(state: State) -> str:
    """The state in one line; the grammar is in `docs/rules/power.md`."""
    parts = [f"seat {state.seat + 1}"]
    if state.first is not None:
        parts.append(f"first {state.first + 1} turns {state.turns}")
    if state.roll_off:
        parts.append("off " + " ".join(map(str, state.roll_off)))
    parts += positions.out_words(state.out)
    if state.roll:
        dice = "".join(map(str, state.dice))
        parts.append(f"roll {state.roll} dice {dice} {face_to_text(state.power)}")
        if state.held is not None:
            parts.append("hold " + positions.slots_word(state.held))
    if state.undoubled is not None:
        pairs = zip(Slot, state.undoubled.lines, state.sheets[state.seat].lines, strict=True)
        half = next(slot for slot, before, after in pairs if before != after)
        parts.append(f"half {half.name.lower()}")
    for name, sheet in zip(state.players, state.sheets, strict=True):
        parts.append(f"| {quote(name)} {' '.join(map(_line_word, sheet.lines))}")
    return " ".join(parts)


def _line_word(line: FilledSlot | None) -> str:
    if line is None:
        return "-"
    if line == CROSSED_SLOT:
        return "X"
    number = f"{line.number}s" if line.number else ""
    return f"{number}{line.base}x{line.power}"


def position_from_text(words: Words) -> State:
    """The state that `position_to_text` wrote.

    Raises:
        RecordError: for words that are not a position. BadPosition: for an impossible one.
    """
    words.literal("seat")
    seat = words.number(1, MAX_PLAYERS, "a seat") - 1
    first, turns = None, 0
    if positions.take_if_next(words, "first"):
        first = words.number(1, MAX_PLAYERS, "a seat") - 1
        words.literal("turns")
        turns = words.number(0, positions.MAX_TURNS, "turns")
    throws = positions.read_several(words, "off", lambda words: words.number(1, 6, "a face"))
    out = positions.read_out(words)
    roll, faces = positions.read_roll(words, ROLLS_PER_TURN + 1)
    power, held, half = "", None, None
    if roll:
        power = words.one_of(POWER_WORDS, "a face of the Power die")
        if positions.take_if_next(words, "hold"):
            held = positions.read_slots(words, len(DICE))
        if positions.take_if_next(words, "half"):
            half = words.one_of({slot.name.lower(): slot for slot in Slot}, "a slot")
    players, sheets = [], []
    while positions.take_if_next(words, "|"):
        players.append(words.quoted("a name"))
        sheets.append(Sheet.of([_read_line(words) for _ in Slot]))
    words.end("'|' and a player")
    if not roll and all(sheet.open for sheet in sheets):
        held = ()
    undoubled = None
    if half is not None and seat < len(sheets):
        lines = sheets[seat].lines
        undoubled = Sheet.of((*lines[:half], None, *lines[half + 1 :]))
    state = State(tuple(players), tuple(sheets), first, seat, turns, roll_off=throws, out=out)
    return position(
        replace(state, roll=roll, dice=faces, power=power, held=held, undoubled=undoubled)
    )


def _read_line(words: Words) -> FilledSlot | None:
    if positions.take_if_next(words, "-"):
        return None
    if positions.take_if_next(words, "X"):
        return CROSSED_SLOT
    found = _LINE_WORD.fullmatch(words.peek())
    if found is None:
        words.fail("'-', 'X', or a base and a power such as 15x2 (6s18x3 in the choice slot)")
    words.take("a line")
    number, points, power = found.groups()
    return FilledSlot(int(points), int(power), int(number or 0))
