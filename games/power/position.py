"""Positions of Power: a state set up or written down without the events that led to it."""

import re
from typing import Any

from games.dice import FIVE_DICE
from games.notation import positions
from games.notation.events import POWER_WORDS
from games.notation.positions import Codec, Field, Form, Parts, number, one_of, word
from games.power import state as power
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

_LINE_WORD = re.compile(r"(?:([1-6])s)?([1-9][0-9]{0,2})x([1-3])")


def _make(*, players: tuple[str, ...], **fields: Any) -> power.State:
    """A state; `half` is the slot that the first half of a Double filled."""
    sheets = fields.setdefault("sheets", (Sheet(),) * len(players))
    seat, half = fields.get("seat", 0), fields.pop("half", None)
    if half is not None and seat < len(sheets):
        lines = sheets[seat].lines
        fields["undoubled"] = Sheet.of((*lines[:half], None, *lines[half + 1 :]))
    due = () if not fields.get("roll") and all(sheet.open for sheet in sheets) else None
    return power.State(players, **{"held": due, **fields})


def _parts(state: power.State) -> Parts:
    """Lines are checked slot by slot, their order within a kind, and the seat against the turns.

    How many slots a seat has filled is only bounded: a Double fills two in one turn.
    """
    for sheet in (*state.sheets, *([] if state.undoubled is None else [state.undoubled])):
        yield from _sheet(sheet)
    yield positions.out_part(state, state.seat)
    yield from positions.roll_off_parts(len(state.players), state.roll_off, state.first, state.seat)
    yield from _turns(state)
    yield from _table(state)
    yield from _double(state)


def _sheet(sheet: Sheet) -> Parts:
    for slot, line in zip(Slot, sheet.lines, strict=True):
        good = line is None or line == CROSSED_SLOT or _is_possible_line(slot, line)
        yield good, f"a line of {slot.key}", line
    for same in SLOTS_OF:
        # Scores fill the slots of a kind from the top, X's from the bottom.
        lines = [sheet.lines[slot] for slot in same]
        order = [1 if line is None else 2 * (line == CROSSED_SLOT) for line in lines]
        good = order == sorted(order)
        yield good, f"scores first and X's last in {same[0].kind.word}", order


def _is_possible_line(slot: Slot, line: FilledSlot) -> bool:
    if line.power not in (1, 2, 3) or (slot is Slot.CHOICE) != (line.number in range(1, 7)):
        return False
    if slot < UPPER_SLOTS:
        face = line.number or slot + 1
        return line.base in range(face, face * FIVE_DICE + 1, face)
    return line.base == FIXED_BASES[slot] if slot in FIXED_BASES else line.base in range(5, 31)


def _turns(state: power.State) -> Parts:
    filled = [sheet.filled for sheet in state.sheets]
    if state.first is None:
        yield not any(filled) and not state.turns, "empty sheets before the first turn", filled
        return
    seats = len(state.players)
    full = [seat for seat, count in enumerate(filled) if count == SLOTS]
    yield full in ([], [state.seat]), "no full sheet but that of the last player", full
    yield state.turns >= bool(full), "turns from 0", state.turns
    seat = (state.first + state.turns - bool(full)) % seats
    yield state.seat == seat, f"seat {seat} after {state.turns} turns", state.seat
    for who, count in enumerate(filled):
        played = (state.turns - (who - state.first) % seats + seats - 1) // seats
        half = who == state.seat and state.undoubled is not None
        least, most = 0 if who in state.out else played + half, 2 * played + half
        yield least <= count <= most, f"{least} to {most} slots of {who} filled", count


def _table(state: power.State) -> Parts:
    over = any(not sheet.open for sheet in state.sheets)
    rolls, held = power.ROLLS_PER_TURN, state.held
    free = 1 if over or state.first is None else rolls + 2
    yield from positions.roll_parts(state, range(free))
    yield bool(state.power) == (state.roll > 0), "a face of the Power die", state.power
    if over or not state.roll:
        due = None if over else ()
        yield held == due, f"held {due}", held
    elif held is not None:
        yield state.power != power.FREEZE, "no throw after Freeze", held
        fourth = state.power == power.POWER and power.POWER_SLOT in held
        good = state.roll < rolls or (state.roll == rolls and fourth)
        yield good, f"no throw after roll {state.roll}", held


def _double(state: power.State) -> Parts:
    if state.undoubled is None:
        return
    good = state.held is None and state.power == power.DOUBLE
    yield good, "a Double on the table", state.power
    now, before = state.sheets[state.seat], state.undoubled
    pairs = zip(before.lines, now.lines, strict=True)
    added = [after for first, after in pairs if first != after]
    one = len(added) == 1 and before.filled + 1 == now.filled
    yield one, "one more slot filled by the first half", now.filled - before.filled
    good = added[0] is not None and added[0].power in (0, power.MULTIPLIER[power.DOUBLE])
    yield good, "the first half doubled", added[0]


def _half(state: power.State) -> Slot | None:
    """The slot that the first half of a Double filled."""
    if state.undoubled is None:
        return None
    pairs = zip(Slot, state.undoubled.lines, state.sheets[state.seat].lines, strict=True)
    return next((slot for slot, before, after in pairs if before != after), None)


def _line_word(line: FilledSlot | None) -> str:
    if line is None or line == CROSSED_SLOT:
        return "X" if line else "-"
    chosen = f"{line.number}s" if line.number else ""
    return f"{chosen}{line.base}x{line.power}"


def _line_of_word(text: str) -> FilledSlot | None:
    found = _LINE_WORD.fullmatch(text)
    return FilledSlot(int(found[2]), int(found[3]), int(found[1] or 0)) if found else None


_LINE = word(
    _line_word,
    _line_of_word,
    "'-', 'X', or a base and a power such as 15x2 (6s18x3 in the choice slot)",
    {"-": None, "X": CROSSED_SLOT},
)
_SHEET = Form(
    lambda sheet: " ".join(map(_line_word, sheet.lines)),
    lambda words: Sheet.of([_LINE.read(words) for _ in Slot]),
)
CODEC = Codec(
    _make,
    table=(
        Field("seat", positions.SEAT),
        positions.FIRST,
        Field(
            "turns",
            number(0, positions.MAX_TURNS, "turns"),
            when=lambda state: state.first is not None,
        ),
        positions.ROLL_OFF,
        positions.OUT,
        positions.roll_field(power.ROLLS_PER_TURN + 1),
        positions.DICE,
        Field("", one_of(POWER_WORDS, "a face of the Power die"), "power", absent=""),
        positions.hold_field(len(power.DICE), lambda s: s.roll and s.held is not None),
        Field("half", one_of({s.name.lower(): s for s in Slot}, "a slot"), absent=None, get=_half),
    ),
    seat=(Field("", _SHEET, "sheets"),),
    parts=_parts,
)
"""The grammar is in `docs/rules/power.md`."""
