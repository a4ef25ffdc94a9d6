"""Power: twenty-one slots, five dice and the Power die; rules in `docs/rules/power.md`."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from operator import attrgetter
from typing import Any

from games import values as rules
from games.checks import (
    check_slot,
    corrected_number,
    is_legal_keep,
    numbered_faces,
    refusal,
    side_by_side,
    who_begins,
    with_item,
)
from games.dice import FACES, keeps_of, thrown_slots_of, with_new_faces
from games.game import Game
from games.notation.events import POWER_WORDS
from games.notation.verbs import Verb, pattern_verb
from games.notation.words import Words
from games.power import position
from games.power.sheet import (
    CROSSED_SLOT,
    MASK_BY_KIND,
    SLOTS_OF,
    UPPER_BONUSES,
    UPPER_SLOTS,
    FilledSlot,
    Kind,
    Sheet,
    Slot,
    base_score,
    upper_bonus,
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
    Cross,
    Score,
    State,
)
from games.power.wording import WORDING
from games.seats import roll_off_standing, without_player
from games.values import ROLL_OFF, WHO_BEGINS, Face, Options, OptionValue
from games.views import Goal

_OPTIONS: Mapping[str, tuple[OptionValue, ...]] = {"first": (ROLL_OFF, *range(MAX_PLAYERS))}
"""`first`: who begins, by a roll-off (the default) or the seat of that number, from 0."""


_THROWN_SLOTS = thrown_slots_of(len(DICE))
_KEEPS = keeps_of(len(DICE))
_KEEP_BY_SLOTS = {keep.slots: keep for keep in _KEEPS}
_KEEPS_WITH_POWER = tuple(keep for keep in _KEEPS if POWER_SLOT in keep.slots)
_ALL_SCORES = tuple(
    Score(kind, number) for kind in Kind for number in (FACES if kind is Kind.CHOICE else (0,))
)
_ALL_CROSSES = tuple(Cross(kind) for kind in Kind)


@lru_cache(maxsize=128)
def _cached_throw(seat: int, held: tuple[int, ...], roll: int, rolls: int) -> rules.Throw:
    return rules.Throw(
        seat, tuple(rules.Die(slot, DICE[slot]) for slot in _THROWN_SLOTS[held]), roll, rolls
    )


def _rolls_allowed(state: State) -> int:
    """How many rolls the turn may have, given what lies on the table."""
    if state.power == FREEZE or state.undoubled is not None:
        return state.roll
    return max(ROLLS_PER_TURN + (state.power == POWER), state.roll)


@cache
def _possible_scores(dice: tuple[int, ...]) -> tuple[Score, ...]:
    """The scores that ascending dice can make on an empty sheet; there are only 252 rolls."""
    return tuple(s for s in _ALL_SCORES if base_score(dice, SLOTS_OF[s.kind][0], s.number))


def _legal_keeps(state: State) -> tuple[rules.Keep, ...]:
    if state.roll >= _rolls_allowed(state):
        return ()
    return _KEEPS_WITH_POWER if state.roll == ROLLS_PER_TURN else _KEEPS


def _with_roll_off(state: State, throws: tuple[int, ...]) -> State:
    now = roll_off_standing(len(state.players), throws)
    return replace(state, first=now.seat if now.decided else None, seat=now.seat, roll_off=throws)


def _next_turn(state: State, sheets: tuple[Sheet, ...]) -> State:
    over = not sheets[state.seat].open
    steps = 1 if over else state.to_next(state.seat)
    seat = state.seat if over else (state.seat + steps) % len(sheets)
    turns, due, off = state.turns + steps, None if over else (), state.roll_off
    return State(
        state.players, sheets, state.first, seat, turns, held=due, roll_off=off, out=state.out
    )


def _without_first_half(state: State) -> State:
    """The state with the first half of a Double taken back: it was scored on a misread roll."""
    if state.undoubled is None:
        return state
    sheets = with_item(state.sheets, state.seat, state.undoubled)
    return replace(state, sheets=sheets, undoubled=None)


def _cell_text(slot: Slot, line: FilledSlot | None) -> str:
    if line is None:
        return "-"
    if line == CROSSED_SLOT:
        return "X"
    chosen = f"({line.number}) " if slot is Slot.CHOICE else ""
    return f"{chosen}{line.base} x{line.power} = {line.total}"


_KIND_BY_WORD = {kind.word: kind for kind in Kind}


def _read_score(words: Words) -> Score:
    kind = words.one_of(_KIND_BY_WORD, "a kind of slot")
    number = words.number(1, 6, "a number") if kind is Kind.CHOICE else 0
    return Score(kind, number)


_SCORE_WORDS = tuple(
    Score(kind, number).key for kind in Kind for number in (FACES if kind is Kind.CHOICE else (0,))
)
_VERBS: tuple[Verb[Any], ...] = (
    Verb("score", Score, attrgetter("key"), _read_score, actions=_SCORE_WORDS),
    pattern_verb("cross", Cross, "kind", Kind, "a kind of slot"),
)
"""`score three-alike`, `score choice 4`, `cross five-alike`."""


class Power(Game[State]):
    """Twenty-one slots, five dice and the Power die."""

    def start(self, players: Sequence[str], options: Options) -> State:
        """The first state: a roll-off, or the first turn where none is needed."""
        self.check_start(players, options)
        first = who_begins(options, len(players), roll_off=True)
        return State(tuple(players), (Sheet(),) * len(players), first, first or 0)

    def ask(self, state: State) -> rules.Ask | None:
        """A throw, a choice, or None when a sheet is full."""
        if state.held is not None:
            if state.first is None:
                return rules.Throw(state.seat, (rules.Die(0),), purpose="who-begins")
            kept_power = state.power == POWER and POWER_SLOT in state.held
            return _cached_throw(
                state.seat, state.held, state.roll + 1, ROLLS_PER_TURN + kept_power
            )
        if not state.roll:
            return None
        purpose = "score"
        if state.power == DOUBLE:
            purpose = "first-of-two" if state.undoubled is None else "second-of-two"
        return rules.Choose(state.seat, state.roll, _rolls_allowed(state), purpose)

    def choices(self, state: State) -> Sequence[rules.Choice]:
        """The scores that the roll allows, then the X's, then what may be kept for another roll."""
        if state.held is not None or not state.roll:
            return ()
        open_slots = state.sheets[state.seat].open
        scores = [
            s
            for s in _possible_scores(tuple(sorted(state.dice)))
            if open_slots & MASK_BY_KIND[s.kind]
        ]
        crosses = [x for x in _ALL_CROSSES if open_slots & MASK_BY_KIND[x.kind]]
        return (*scores, *crosses, *_legal_keeps(state))

    def preview(self, state: State, choice: rules.Choice) -> rules.Points | None:
        """How much a score adds to the grand total, and why; None for a `Keep`."""
        self._check_choice(state, choice)
        if isinstance(choice, rules.Keep):
            return None
        before = state.sheets[state.seat]
        after = self._filled_sheet(before, state, choice)
        power = MULTIPLIER[state.power] if isinstance(choice, Score) else 0
        bonus = upper_bonus(after.upper) - upper_bonus(before.upper)
        if bonus:
            reason = f"x{power} bonus {bonus}"
        elif power:
            face = state.power if state.power in (DOUBLE, FREEZE, POWER) else ""
            reason = f"{face} x{power}".strip()
        else:
            reason = ""
        return rules.Points(after.total - before.total, reason)

    def apply(self, state: State, event: rules.Event) -> State:
        """The state after an event."""
        if isinstance(event, rules.Rolled):
            return self._apply_rolled(state, event)
        if isinstance(event, rules.Corrected):
            return self._apply_corrected(state, event)
        if isinstance(event, rules.Left):
            gone = without_player(
                state, event, now=state.first is not None and self.ask(state) is not None
            )
            return _next_turn(gone, state.sheets) if event.seat == state.seat else gone
        self._check_choice(state, event)
        if isinstance(event, rules.Keep):
            return replace(state, held=event.slots)
        return self._after_scoring(state, event)

    def _apply_rolled(self, state: State, event: rules.Rolled) -> State:
        held = state.held
        if held is None:
            raise self._refusal(state, event)
        if state.first is None:
            one = numbered_faces(event.faces, 1)
            if one is None:
                raise self._refusal(state, event)
            return _with_roll_off(state, (*state.roll_off, *one))
        slots, faces, power = _THROWN_SLOTS[held], event.faces, state.power
        if slots[-1] == POWER_SLOT and len(faces) == len(slots):
            face = faces[-1]
            if not isinstance(face, str) or face not in MULTIPLIER:
                raise self._refusal(state, event)
            slots, faces, power = slots[:-1], faces[:-1], face
        found = numbered_faces(faces, len(slots))
        if found is None:
            raise self._refusal(state, event)
        dice = with_new_faces(state.dice, slots, found)
        return replace(state, roll=state.roll + 1, dice=dice, power=power, held=None)

    def _after_scoring(self, state: State, event: rules.Event) -> State:
        seat = state.seat
        before = state.sheets[seat]
        after = self._filled_sheet(before, state, event)
        sheets = with_item(state.sheets, seat, after)
        if state.power == DOUBLE and state.undoubled is None and after.open:
            return replace(state, sheets=sheets, undoubled=before)
        return _next_turn(state, sheets)

    def _filled_sheet(self, sheet: Sheet, state: State, event: rules.Event) -> Sheet:
        """The sheet with a score or an X written into it."""
        if isinstance(event, Score):
            slot = sheet.slot_to_score(event.kind)
            if slot is not None:
                points = base_score(state.dice, slot, event.number)
                return sheet.with_line(
                    slot, FilledSlot(points, MULTIPLIER[state.power], event.number)
                )
        elif isinstance(event, Cross):
            slot = sheet.slot_to_cross(event.kind)
            if slot is not None:
                return sheet.with_line(slot, CROSSED_SLOT)
        raise self._refusal(state, event)

    def _apply_corrected(self, state: State, event: rules.Corrected) -> State:
        check_slot(event, len(DICE))
        slot = event.slot
        if slot == POWER_SLOT:
            power = event.face
            if not isinstance(power, str) or power not in MULTIPLIER:
                raise rules.IllegalEvent(
                    f"expected a face of {', '.join(MULTIPLIER)}, got {power!r}"
                )
            if state.held is None and state.roll:
                return (
                    state
                    if power == state.power
                    else replace(_without_first_half(state), power=power)
                )
            raise self._refusal(state, event)
        face = corrected_number(event)
        if state.held is None and state.roll:
            # A correction that changes nothing must not take back the first half of a Double.
            if face == state.dice[slot]:
                return state
            return replace(_without_first_half(state), dice=with_item(state.dice, slot, face))
        if slot in self.aside(state):
            return _with_roll_off(state, (*state.roll_off[:-1], face))
        raise self._refusal(state, event)

    def _check_choice(self, state: State, choice: rules.Event) -> None:
        if state.held is None and state.roll:
            sheet = state.sheets[state.seat]
            if isinstance(choice, rules.Keep):
                legal = state.roll < _rolls_allowed(state) and is_legal_keep(choice, _KEEP_BY_SLOTS)
                if legal and (state.roll < ROLLS_PER_TURN or POWER_SLOT in choice.slots):
                    return
            elif isinstance(choice, Score):
                kind, number = choice.kind, choice.number
                if type(kind) is Kind and type(number) is int:
                    numbered = number in FACES if kind is Kind.CHOICE else not number
                    slot = sheet.slot_to_score(kind)
                    if numbered and slot is not None and base_score(state.dice, slot, number):
                        return
            elif (
                isinstance(choice, Cross)
                and type(choice.kind) is Kind
                and sheet.slot_to_cross(choice.kind) is not None
            ):
                return
        raise self._refusal(state, choice)

    def _refusal(self, state: State, event: rules.Event) -> rules.IllegalEvent:
        """The error for an event that is not legal now."""
        now, parts = self.ask(state), list[str]()
        if isinstance(now, rules.Throw):
            power = any(die.kind is rules.DieKind.POWER for die in now.dice)
            if numbered := len(now.dice) - power:
                parts.append(f"{numbered} faces from 1 to 6")
            parts += [f"a face of the Power die ({', '.join(POWER_WORDS)})"] if power else []
        keys = ", ".join(c.key for c in self.choices(state) if not isinstance(c, rules.Keep))
        or_hold = " or a hold of some dice" if _legal_keeps(state) else ""
        thrown, chosen = f"{' and '.join(parts)}, thrown", f"one of {keys}{or_hold}"
        return refusal(state.players, now, event, thrown=thrown, chosen=chosen)

    def dice(self, state: State) -> tuple[Face | None, ...]:
        """The five numbered dice and the Power die by slot; None for one still to be thrown."""
        if not state.roll:
            return (None,) * len(DICE)
        faces: tuple[Face, ...] = (*state.dice, state.power)
        if state.held is None:
            return faces
        return tuple(face if slot in state.held else None for slot, face in enumerate(faces))

    def aside(self, state: State) -> Mapping[int, Face]:
        """The die of the roll-off's last throw, until the next throw."""
        unplayed = not state.roll and not state.turns and not state.out
        return dict(enumerate(state.roll_off[-1:])) if unplayed else {}

    def sheet(self, state: State, seat: int) -> Sheet:
        """The sheet of a seat with its columns and sums."""
        return state.sheets[seat]

    def goals(self, state: State, seat: int) -> tuple[Goal, ...]:
        """The next bonus of the upper section, until the highest is reached."""
        upper = state.sheets[seat].upper
        step = next((step for step in reversed(UPPER_BONUSES) if upper < step[0]), None)
        return () if step is None else (Goal("upper", upper, *step),)

    def turn(self, state: State) -> int:
        """The number of the turn, from 1; 0 during the roll-off; the last one's at the end."""
        if state.first is None:
            return 0
        over = state.held is None and not state.roll
        return (state.turns - over) // len(state.players) + 1

    def closing(self, state: State, seat: int) -> str:
        """That one slot of a sheet is left."""
        rows = self.sheet(state, seat).rows
        return "one-slot-left" if sum(row.points is None for row in rows) == 1 else ""

    def describe(self, state: State) -> list[str]:
        """The sheets side by side in plain text, base and power before each total."""
        sheets = state.sheets
        table: list[tuple[str, Sequence[object]]] = [("", state.players)]
        for slot in Slot:
            if slot == UPPER_SLOTS:
                table.append(("bonus", [s.upper_bonus for s in sheets]))
            cells = [_cell_text(slot, s.lines[slot]) for s in sheets]
            table.append((slot.key, cells))
        table.append(("total", [s.total for s in sheets]))
        return side_by_side(table)


GAME = Power(
    name="power",
    edition="2009",
    min_players=MIN_PLAYERS,
    max_players=MAX_PLAYERS,
    options=_OPTIONS,
    option_words={"first": WHO_BEGINS},
    dice_kinds=DICE,
    latecomers=True,
    rarest=("five-alike",),
    verbs=_VERBS,
    example="4 4 4 4 6 double: five dice, then the Power die (x1 x2 x3 double freeze power)",
    keeps=_KEEPS,
    position_codec=position.CODEC,
    shared_rows=True,
    wording=WORDING,
    solver="games.strategy.power:PowerSolver",
)
