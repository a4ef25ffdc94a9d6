"""Yatzy: fifteen boxes, five dice, three rolls; rules in `docs/rules/yatzy.md`.

The module is a `Game` (see `games.game`); all but the sheet it shares with Classic.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from games import game as rules
from games.box_positions import (
    box_position_from_text,
    box_position_to_text,
    check_box_position,
    check_boxes,
)
from games.boxes import BOX_GAME_OPTIONS, BoxGame, BoxState, ScoreBox
from games.boxes import MAX_PLAYERS as MAX_PLAYERS
from games.defaults import DICE_KEYS as DICE_KEYS
from games.defaults import first_throws as first_throws
from games.defaults import held as held
from games.defaults import hint as hint
from games.defaults import kinds as kinds
from games.defaults import name_hand as name_hand
from games.defaults import outcome as outcome
from games.defaults import scores as scores
from games.defaults import table_view as table_view
from games.defaults import unseen as unseen
from games.dice import FIVE_DICE, FIVE_DICE_KEEPS
from games.notation.events import Verb, Words, pattern_verb
from games.yatzy import sheet as yatzy_sheet
from games.yatzy.sheet import BOXES
from games.yatzy.sheet import Box as Box
from games.yatzy.sheet import Sheet as Sheet

NAME = "yatzy"
EDITION = "1"
MIN_PLAYERS = 1
OPTIONS: Mapping[str, tuple[rules.OptionValue, ...]] = BOX_GAME_OPTIONS
OPTION_WORDS: Mapping[str, rules.OptionWords] = {"first": rules.WHO_BEGINS}
LATECOMERS = True
RAREST: tuple[str, ...] = ("yatzy",)
EXAMPLE = "3 3 3 5 5: five dice, scored on an empty sheet"
DICE: tuple[rules.DieKind, ...] = (rules.DieKind.BLACK,) * FIVE_DICE
KEEPS: tuple[rules.Keep, ...] = FIVE_DICE_KEEPS


@dataclass(frozen=True, slots=True)
class Score(ScoreBox):
    """Score the roll on the table in this box, with 0 if it does not fit."""


@dataclass(frozen=True, slots=True)
class State(BoxState[Sheet]):
    """A game of Yatzy between two events."""


_GAME = BoxGame(
    "Yatzy",
    State,
    Sheet(),
    Box,
    legal=yatzy_sheet.legal_boxes,
    fill=yatzy_sheet.fill_box,
    gained=yatzy_sheet.points_gained,
    score=Score,
)
start = _GAME.start
ask = _GAME.ask
choices = _GAME.choices
preview = _GAME.preview
apply = _GAME.apply
dice = _GAME.dice
turn = _GAME.turn
sheet = _GAME.sheet
goals = _GAME.goals
describe = _GAME.describe


def position(state: State) -> State:
    """The state itself, after a check that its parts are consistent.

    Raises:
        BadPosition: for inconsistent parts. BadOptions: for names that are not allowed.
    """
    check_box_position(state, BOXES, partial(check_boxes, scores=yatzy_sheet.box_scores))
    return state


def position_to_text(state: State) -> str:
    """The state in one line; the grammar is that of `docs/rules/classic.md`, without bonuses."""
    return box_position_to_text(state, lambda _: "")


def position_from_text(words: Words) -> State:
    """The state that `position_to_text` wrote.

    Raises:
        RecordError: for words that are not a position. BadPosition: for an impossible one.
    """
    return position(box_position_from_text(words, State, BOXES, lambda boxes, _: Sheet.of(boxes)))


VERBS: tuple[Verb[Any], ...] = (pattern_verb("score", Score, "box", Box),)
"""`score full-house`: the box as on the sheet, in lower case."""
