"""Positions of Classic: a state set up or written down without the events that led to it."""

from dataclasses import replace

from games.box_positions import (
    box_position_from_text,
    box_position_to_text,
    check_box_position,
    check_boxes,
)
from games.classic.sheet import BOXES, Box, Sheet, ordinary_scores
from games.classic.state import State
from games.notation import positions
from games.notation.events import Words


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
    check_boxes(sheet, ordinary_scores)
    earned = max(sheet.filled - 1, 0) if sheet.boxes[Box.FIVE_ALIKE] == 50 else 0
    positions.check_part(
        0 <= sheet.bonuses <= earned, f"0 to {earned} five-alike bonuses", sheet.bonuses
    )


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
    bonuses = words.number(0, BOXES - 1, "the five-alike bonuses")
    return replace(Sheet.of(boxes), bonuses=bonuses)
