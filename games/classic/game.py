"""Classic: thirteen boxes, five dice, three rolls; rules in `docs/rules/classic.md`.

The module is a `Game` (see `games.game`). Seats and slots count from 0. Besides the
interface it offers `sheet` for the board, `turn` for the record, and `position` to set up a
state without playing up to it.
"""

from collections.abc import Mapping
from typing import Any

from games import game as rules
from games.boxes import BOX_GAME_OPTIONS, BoxGame, Zeros
from games.boxes import MAX_PLAYERS as MAX_PLAYERS
from games.classic import sheet as classic_sheet
from games.classic.position import position as position
from games.classic.position import position_from_text as position_from_text
from games.classic.position import position_to_text as position_to_text
from games.classic.sheet import Box as Box
from games.classic.sheet import Sheet as Sheet
from games.classic.state import Score as Score
from games.classic.state import State as State
from games.classic.state import Zero as Zero
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
from games.notation.events import Verb, pattern_verb

NAME = "classic"
EDITION = "2009"
KEEPS: tuple[rules.Keep, ...] = FIVE_DICE_KEEPS
MIN_PLAYERS = 1
OPTIONS: Mapping[str, tuple[rules.OptionValue, ...]] = BOX_GAME_OPTIONS
OPTION_WORDS: Mapping[str, rules.OptionWords] = {"first": rules.WHO_BEGINS}
LATECOMERS = True
RAREST: tuple[str, ...] = ("five-alike", "joker")
EXAMPLE = "3 3 3 5 5: five dice, scored on an empty sheet"
DICE: tuple[rules.DieKind, ...] = (rules.DieKind.BLACK,) * FIVE_DICE

_GAME = BoxGame(
    "Classic",
    State,
    Sheet(),
    Box,
    legal=classic_sheet.legal_boxes,
    fill=classic_sheet.fill_box,
    gained=classic_sheet.points_gained,
    score=Score,
    zeros=Zeros(Zero, classic_sheet.boxes_to_give_up, classic_sheet.give_up_box),
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

VERBS: tuple[Verb[Any], ...] = (
    pattern_verb("score", Score, "box", Box),
    pattern_verb("zero", Zero, "box", Box),
)
"""`score full-house`, `zero aces`: the box as on the sheet, in lower case."""
