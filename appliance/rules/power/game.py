"""Power: twenty-one slots, five dice and the Power die; rules in `docs/rules/power.md`.

The module is a `Game` (see `appliance.rules.game`). Seats and dice count from 0; the numbered
dice are 0 to 4, the Power die is 5. Beside the interface it offers `turn` and texts for the
record, and `position` to set up a state without playing to it.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from appliance.rules.checks import check_start, who_begins
from appliance.rules.defaults import LEGEND as LEGEND
from appliance.rules.defaults import first_throws as first_throws
from appliance.rules.defaults import held as held
from appliance.rules.defaults import hint as hint
from appliance.rules.defaults import kinds as kinds
from appliance.rules.defaults import name_hand as name_hand
from appliance.rules.defaults import outcome as outcome
from appliance.rules.defaults import scores as scores
from appliance.rules.defaults import table_view as table_view
from appliance.rules.defaults import unseen as unseen
from appliance.rules.game import ROLL_OFF, WHO_BEGINS, Face, Goal, Options, OptionValue, OptionWords
from appliance.rules.notation.events import Verb, Words, pattern_verb
from appliance.rules.power.play import apply as apply
from appliance.rules.power.play import ask as ask
from appliance.rules.power.play import choices as choices
from appliance.rules.power.play import preview as preview
from appliance.rules.power.position import position as position
from appliance.rules.power.position import position_from_text as position_from_text
from appliance.rules.power.position import position_to_text as position_to_text
from appliance.rules.power.sheet import BONUSES, UPPER
from appliance.rules.power.sheet import CROSSED as CROSSED
from appliance.rules.power.sheet import FilledSlot as FilledSlot
from appliance.rules.power.sheet import Kind as Kind
from appliance.rules.power.sheet import Sheet as Sheet
from appliance.rules.power.sheet import Slot as Slot
from appliance.rules.power.state import DICE as DICE
from appliance.rules.power.state import MAX_PLAYERS as MAX_PLAYERS
from appliance.rules.power.state import MIN_PLAYERS as MIN_PLAYERS
from appliance.rules.power.state import Cross as Cross
from appliance.rules.power.state import Score as Score
from appliance.rules.power.state import State as State

NAME = "power"
TITLE = "POWER"
EDITION = "2009"
OPTIONS: Mapping[str, tuple[OptionValue, ...]] = {"first": (ROLL_OFF, *range(MAX_PLAYERS))}
"""`first`: who begins, by a roll-off (the default) or the seat of that number, from 0."""
OPTION_WORDS: Mapping[str, OptionWords] = {"first": WHO_BEGINS}
LATECOMERS = True
CELEBRATED: tuple[str, ...] = ("FIVE ALIKE",)
EXAMPLE = "4 4 4 4 6 double: five dice, then the Power die (x1 x2 x3 double freeze power)"


def start(players: Sequence[str], options: Options) -> State:
    """The first state: a roll-off, or the first turn where none is needed."""
    check_start("Power", players, range(MIN_PLAYERS, MAX_PLAYERS + 1), options, OPTIONS)
    first = who_begins(options, len(players), roll_off=True)
    return State(tuple(players), (Sheet(),) * len(players), first, first or 0)


def dice(state: State) -> tuple[Face | None, ...]:
    """The five numbered dice and the Power die by slot; None for one still to be thrown."""
    if not state.roll:
        return (None,) * len(DICE)
    faces: tuple[Face, ...] = (*state.dice, state.power)
    if state.held is None:
        return faces
    return tuple(face if slot in state.held else None for slot, face in enumerate(faces))


def sheet(state: State, seat: int) -> Sheet:
    """The sheet of a seat with its columns and sums, for the board."""
    return state.sheets[seat]


def goals(state: State, seat: int) -> tuple[Goal, ...]:
    """The next bonus of the upper section, until the highest is reached."""
    upper = state.sheets[seat].upper
    step = next((step for step in reversed(BONUSES) if upper < step[0]), None)
    return () if step is None else (Goal("UPPER", upper, *step),)


def turn(state: State) -> int:
    """The number of the turn, from 1; 0 during the roll-off; the last one's at the end."""
    if state.first is None:
        return 0
    over = state.held is None and not state.roll
    return (state.turns - over) // len(state.players) + 1


def roll_off(state: State) -> tuple[tuple[int, ...], ...]:
    """The throws of the roll-off in order; `roll_off.throwers` says whose they are."""
    return tuple((face,) for face in state.roll_off)


def describe(state: State) -> list[str]:
    """The sheets side by side in plain text, base and power before each total."""
    sheets = state.sheets
    table = [("", list(state.players))]
    for slot in Slot:
        if slot == UPPER:
            table.append(("BONUS", [str(s.upper_bonus) for s in sheets]))
        cells = [_cell(slot, s.lines[slot]) for s in sheets]
        table.append((slot.label, cells))
    table.append(("TOTAL", [str(s.total) for s in sheets]))
    columns = zip(*(cells for _, cells in table), strict=True)
    widths = [max(len(cell) for cell in column) + 2 for column in columns]
    return [
        f"{label:<10}" + "".join(f"{c:>{w}}" for c, w in zip(cells, widths, strict=True))
        for label, cells in table
    ]


def _cell(slot: Slot, line: FilledSlot | None) -> str:
    if line is None:
        return "-"
    if line == CROSSED:
        return "X"
    chosen = f"({line.number}) " if slot is Slot.CHOICE else ""
    return f"{chosen}{line.base} x{line.power} = {line.total}"


_KIND_WORDS = {kind.word: kind for kind in Kind}


def _write_score(score: Score) -> str:
    word = Kind(score.kind).word
    return f"{word} {score.number}" if score.number else word


def _read_score(words: Words) -> Score:
    kind = words.one_of(_KIND_WORDS, "a kind of slot")
    number = words.number(1, 6, "a number") if kind is Kind.CHOICE else 0
    return Score(kind, number)


VERBS: tuple[Verb[Any], ...] = (
    Verb("score", Score, _write_score, _read_score),
    pattern_verb("cross", Cross, "kind", Kind, "a kind of slot"),
)
"""`score three-alike`, `score choice 4`, `cross five-alike`."""
