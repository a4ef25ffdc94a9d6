"""Classic: thirteen boxes, five dice, three rolls; rules in `docs/rules/classic.md`.

The module is a `Game` (see `appliance.rules.game`). Seats and slots count from 0. Besides the
interface it offers `sheet` for the board, `turn` for the record, and `position` to set up a
state without playing up to it.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from appliance.rules import checks
from appliance.rules import game as rules
from appliance.rules.classic import sheet as classic_sheet
from appliance.rules.classic.position import position as position
from appliance.rules.classic.position import position_from_text as position_from_text
from appliance.rules.classic.position import position_to_text as position_to_text
from appliance.rules.classic.sheet import BOXES, UPPER_BONUS, UPPER_BONUS_FROM
from appliance.rules.classic.sheet import Box as Box
from appliance.rules.classic.sheet import Sheet as Sheet
from appliance.rules.classic.state import MAX_PLAYERS as MAX_PLAYERS
from appliance.rules.classic.state import ROLLS_PER_TURN
from appliance.rules.classic.state import Score as Score
from appliance.rules.classic.state import State as State
from appliance.rules.classic.state import Zero as Zero
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
from appliance.rules.dice import (
    FIVE_DICE,
    FIVE_DICE_KEEPS,
    THROWN_SLOTS,
    five_dice_throw,
    with_new_faces,
)
from appliance.rules.notation.events import Verb, pattern_verb
from appliance.rules.seats import roll_off_standing, without_player

NAME = "classic"
TITLE = "CLASSIC"
EDITION = "2009"
KEEPS: tuple[rules.Keep, ...] = FIVE_DICE_KEEPS
MIN_PLAYERS = 1
OPTIONS: Mapping[str, tuple[rules.OptionValue, ...]] = {
    "first": (rules.ROLL_OFF, *range(MAX_PLAYERS))
}
"""`first`: who begins, by a roll-off (the default) or the seat of that number, from 0."""
OPTION_WORDS: Mapping[str, rules.OptionWords] = {"first": rules.WHO_BEGINS}
LATECOMERS = True
CELEBRATED: tuple[str, ...] = ("FIVE ALIKE", "JOKER")
EXAMPLE = "3 3 3 5 5: five dice, scored on an empty sheet"
DICE: tuple[rules.DieKind, ...] = (rules.DieKind.BLACK,) * FIVE_DICE

_SCORE_BY_BOX = tuple(Score(box) for box in Box)
_ZERO_BY_BOX = tuple(Zero(box) for box in Box)


def start(players: Sequence[str], options: rules.Options) -> State:
    """The first state: a roll-off, or the first turn where none is needed."""
    checks.check_start("Classic", players, range(MIN_PLAYERS, MAX_PLAYERS + 1), options, OPTIONS)
    first = checks.who_begins(options, len(players), roll_off=True)
    return State(tuple(players), (Sheet(),) * len(players), first, first or 0)


def ask(state: State) -> rules.Ask | None:
    """A throw, a choice, or None when every box of every sheet is filled."""
    if state.held is not None:
        if state.first is None:
            return five_dice_throw(state.seat, (), 1, 1, "WHO BEGINS")
        return five_dice_throw(state.seat, state.held, state.roll + 1, ROLLS_PER_TURN)
    return _cached_choose(state.seat, state.roll) if state.roll else None


@cache
def _cached_choose(seat: int, roll: int) -> rules.Choose:
    return rules.Choose(seat, roll, ROLLS_PER_TURN)


def choices(state: State) -> Sequence[rules.Choice]:
    """The boxes that the roll may be scored in, then zeros and, before roll 3, what may be kept."""
    if state.held is not None or not state.roll:
        return ()
    sheet = state.sheets[state.seat]
    scores = _scores(classic_sheet.legal_boxes(sheet, state.dice))
    zeros = _zeros(classic_sheet.boxes_to_give_up(sheet, state.dice))
    return scores + zeros + KEEPS if state.roll < ROLLS_PER_TURN else scores + zeros


@cache
def _scores(boxes: int) -> tuple[rules.Choice, ...]:
    return tuple([_SCORE_BY_BOX[box] for box in range(BOXES) if boxes >> box & 1])


@cache
def _zeros(boxes: int) -> tuple[rules.Choice, ...]:
    return tuple([_ZERO_BY_BOX[box] for box in range(BOXES) if boxes >> box & 1])


def preview(state: State, choice: rules.Choice) -> rules.Points | None:
    """How much a `Score` or a `Zero` adds to the total, and why; None for a `Keep`."""
    _check_choice(state, choice)
    if isinstance(choice, Zero):
        return rules.Points(0)
    if not isinstance(choice, Score):
        return None
    return classic_sheet.points_gained(state.sheets[state.seat], state.dice, choice.box)


def apply(state: State, event: rules.Event) -> State:
    """The state after an event."""
    if isinstance(event, rules.Rolled):
        return _apply_rolled(state, event)
    if isinstance(event, rules.Corrected):
        return _apply_corrected(state, event)
    if isinstance(event, rules.Left):
        gone = without_player(state, event, now=state.first is not None and ask(state) is not None)
        return _next_turn(gone, state.sheets) if event.seat == state.seat else gone
    _check_choice(state, event)
    if isinstance(event, rules.Keep):
        return _with_table(state, state.roll, state.dice, event.slots)
    if isinstance(event, Score):
        filled = classic_sheet.fill_box(state.sheets[state.seat], state.dice, event.box)
        return _after_scoring(state, filled)
    if isinstance(event, Zero):
        return _after_scoring(state, classic_sheet.give_up_box(state.sheets[state.seat], event.box))
    raise _refusal(state, event)


def _with_table(
    state: State, roll: int, dice: tuple[int, ...], held: tuple[int, ...] | None
) -> State:
    # Twice as fast as dataclasses.replace.
    players, sheets, off = state.players, state.sheets, state.roll_off
    return State(players, sheets, state.first, state.seat, roll, dice, held, off, out=state.out)


def _apply_rolled(state: State, event: rules.Rolled) -> State:
    held = state.held
    faces = None if held is None else checks.numbered_faces(event.faces, FIVE_DICE - len(held))
    if held is None or faces is None:
        raise _refusal(state, event)
    if state.first is None:
        return _with_roll_off(state, (*state.roll_off, faces))
    dice = with_new_faces(state.dice, held, faces) if held else faces
    return _with_table(state, state.roll + 1, dice, None)


def _with_roll_off(state: State, throws: tuple[tuple[int, ...], ...]) -> State:
    now = roll_off_standing(len(state.players), [sum(faces) for faces in throws])
    first = now.seat if now.decided else None
    return State(state.players, state.sheets, first, now.seat, roll_off=throws)


def _after_scoring(state: State, sheet: Sheet) -> State:
    return _next_turn(state, checks.with_item(state.sheets, state.seat, sheet))


def _next_turn(state: State, sheets: tuple[Sheet, ...]) -> State:
    seat = (state.seat + state.to_next(state.seat)) % len(sheets)
    # Everyone still in has had as many turns as the next player, or one more.
    over = not sheets[seat].open
    due = None if over else ()
    return State(
        state.players, sheets, state.first, seat, 0, (), due, state.roll_off, out=state.out
    )


def _apply_corrected(state: State, event: rules.Corrected) -> State:
    checks.check_slot(event, FIVE_DICE)
    slot, face = event.slot, checks.corrected_number(event)
    if state.held is None and state.roll:
        return _with_table(state, state.roll, checks.with_item(state.dice, slot, face), None)
    unplayed = not state.roll and all(not sheet.filled for sheet in state.sheets)
    if state.roll_off and unplayed and not state.out:
        last = checks.with_item(state.roll_off[-1], slot, face)
        return _with_roll_off(state, (*state.roll_off[:-1], last))
    raise _refusal(state, event)


def _check_choice(state: State, choice: rules.Event) -> None:
    if state.held is None and state.roll:
        if isinstance(choice, Score | Zero) and isinstance(choice.box, int):
            sheet = state.sheets[state.seat]
            if isinstance(choice, Score):
                boxes = classic_sheet.legal_boxes(sheet, state.dice)
            else:
                boxes = classic_sheet.boxes_to_give_up(sheet, state.dice)
            if 0 <= choice.box < BOXES and boxes >> choice.box & 1:
                return
        elif (
            isinstance(choice, rules.Keep)
            and state.roll < ROLLS_PER_TURN
            and choice.slots in THROWN_SLOTS
        ):
            return
    raise _refusal(state, choice)


def _refusal(state: State, event: rules.Event) -> rules.IllegalEvent:
    """The error for an event that is not legal now."""
    boxes = ", ".join(c.label for c in choices(state) if isinstance(c, Score))
    or_hold = " or a hold of four dice at most" if state.roll < ROLLS_PER_TURN else ""
    thrown = f"{FIVE_DICE - len(state.held or ())} faces from 1 to 6, thrown"
    chosen = f"a score in {boxes}{or_hold}"
    return checks.refusal(state.players, ask(state), event, thrown=thrown, chosen=chosen)


def dice(state: State) -> tuple[rules.Face | None, ...]:
    """The five dice by slot; None for one that is still to be thrown."""
    if state.held is None and state.roll:
        return state.dice
    held = state.held or ()
    return tuple(state.dice[slot] if slot in held else None for slot in range(FIVE_DICE))


def sheet(state: State, seat: int) -> Sheet:
    """The sheet of a seat with its sums, for the board."""
    return state.sheets[seat]


def goals(state: State, seat: int) -> tuple[rules.Goal, ...]:
    """The bonus of the upper section, until it is reached."""
    upper = state.sheets[seat].upper
    if upper >= UPPER_BONUS_FROM:
        return ()
    return (rules.Goal("UPPER", upper, UPPER_BONUS_FROM, UPPER_BONUS),)


def turn(state: State) -> int:
    """The number of the turn, from 1; 0 during the roll-off, 13 when the game is over."""
    if state.first is None:
        return 0
    return min(state.sheets[state.seat].filled + 1, BOXES)


def describe(state: State) -> list[str]:
    """The sheets side by side in plain text, the players' names on top."""
    return classic_sheet.describe_sheets(state.players, state.sheets)


VERBS: tuple[Verb[Any], ...] = (
    pattern_verb("score", Score, "box", Box),
    pattern_verb("zero", Zero, "box", Box),
)
"""`score full-house`, `zero aces`: the box as on the sheet, in lower case."""
