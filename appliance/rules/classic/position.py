"""Positions of Classic: a state set up or written down without the events that led to it."""

from appliance.rules.box_positions import (
    box_position_from_text,
    box_position_to_text,
    check_box_position,
)
from appliance.rules.classic import sheet as classic_sheet
from appliance.rules.classic.sheet import BOXES, UPPER_BOXES, Box, Sheet
from appliance.rules.classic.state import State
from appliance.rules.dice import FIVE_DICE
from appliance.rules.notation import positions
from appliance.rules.notation.events import Words


def position(state: State) -> State:
    """The state itself, after a check that its parts are consistent.

    Scores are checked box by box (no 7 under twos, no 26 for a full house), bonuses against the
    five-alike box and the boxes filled, and the turns of the seats against each other.

    Raises:
        BadPosition: for inconsistent parts. BadOptions: for names that are not allowed.
    """
    check_box_position(state, BOXES, _check_sheet)
    return state


def _check_sheet(sheet: Sheet) -> None:
    positions.check_part(len(sheet.boxes) == BOXES, f"{BOXES} boxes", len(sheet.boxes))
    positions.check_part(
        sheet == Sheet.of(sheet.boxes, sheet.bonuses), "open boxes as the scores say", sheet
    )
    for box in Box:
        points = sheet.boxes[box]
        positions.check_part(
            points is None or points in _possible_scores(box), f"a score of {box.word}", points
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


def position_to_text(state: State) -> str:
    """The state in one line; the grammar is in `docs/rules/classic.md`."""
    return box_position_to_text(state, lambda sheet: f" bonuses {sheet.bonuses}")


def position_from_text(words: Words) -> State:
    """The state that `position_to_text` wrote.

    Raises:
        RecordError: for words that are not a position. BadPosition: for an impossible one.
    """
    return position(box_position_from_text(words, State, BOXES, _read_sheet))


def _read_sheet(boxes: list[int | None], words: Words) -> Sheet:
    words.literal("bonuses")
    return Sheet.of(boxes, words.number(0, BOXES - 1, "the five-alike bonuses"))
