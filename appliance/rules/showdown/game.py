"""Showdown: pawns on a ring, twelve cards to place and take; rules in `docs/rules/showdown.md`.

The module is a `Game` (see `appliance.rules.game`). Seats, slots and spaces count from 0; the
black dice are slots 0 to 4, the red die is slot 5. Beside the interface it offers `board`, which
says where pawns and cards are, `turn` and texts for the record, and `position` to set up a state
without playing to it.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from appliance.rules import game as rules
from appliance.rules.checks import check_start, who_begins
from appliance.rules.defaults import LATECOMERS as LATECOMERS
from appliance.rules.defaults import LEGEND as LEGEND
from appliance.rules.defaults import goals as goals
from appliance.rules.defaults import held as held
from appliance.rules.defaults import hint as hint
from appliance.rules.defaults import kinds as kinds
from appliance.rules.defaults import name_hand as name_hand
from appliance.rules.defaults import unseen as unseen
from appliance.rules.dice import FIVE
from appliance.rules.game import Pass as Pass
from appliance.rules.game import Sheet as Sheet
from appliance.rules.notation.events import Verb, pattern_verb, plain_verb
from appliance.rules.showdown.board import board as board
from appliance.rules.showdown.board import describe as describe
from appliance.rules.showdown.board import sheet as sheet
from appliance.rules.showdown.board import table_view as table_view
from appliance.rules.showdown.cards import CHIP
from appliance.rules.showdown.cards import Card as Card
from appliance.rules.showdown.play import apply as apply
from appliance.rules.showdown.play import ask as ask
from appliance.rules.showdown.play import choices as choices
from appliance.rules.showdown.play import preview as preview
from appliance.rules.showdown.position import position as position
from appliance.rules.showdown.position import position_from_text as position_from_text
from appliance.rules.showdown.position import position_to_text as position_to_text
from appliance.rules.showdown.state import MAX_PLAYERS as MAX_PLAYERS
from appliance.rules.showdown.state import MIN_PLAYERS as MIN_PLAYERS
from appliance.rules.showdown.state import SIDE
from appliance.rules.showdown.state import MoveOn as MoveOn
from appliance.rules.showdown.state import Place as Place
from appliance.rules.showdown.state import Raise as Raise
from appliance.rules.showdown.state import Stack as Stack
from appliance.rules.showdown.state import State as State
from appliance.rules.showdown.state import Stay as Stay
from appliance.rules.showdown.state import Step as Step
from appliance.rules.showdown.state import Take as Take

NAME = "showdown"
TITLE = "SHOWDOWN"
EDITION = "1991"
OPTIONS: Mapping[str, tuple[rules.OptionValue, ...]] = {
    "first": tuple(range(MAX_PLAYERS)),
    "showdown_raise_continues": (False, True),
}
"""`first`: the seat that the players chose to begin. `showdown_raise_continues`: the house rule
that a raise in the Showdown round is followed by another move instead of ending the turn."""
OPTION_WORDS: Mapping[str, rules.OptionWords] = {
    "first": rules.WHO_BEGINS,
    "showdown_raise_continues": rules.OptionWords("AFTER RAISE", {False: "STOP", True: "MOVE ON"}),
}
CELEBRATED: tuple[str, ...] = ("FIVE ALIKE",)
EXAMPLE = "5 5 5 2 2: the black dice, the pawn on an empty space; of six dice the first is red"
DICE: tuple[rules.DieKind, ...] = (*(rules.DieKind.BLACK,) * FIVE, rules.DieKind.RED)


def start(players: Sequence[str], options: rules.Options) -> State:
    """The first state: every pawn on its corner, all cards off the board."""
    check_start("Showdown", players, range(MIN_PLAYERS, MAX_PLAYERS + 1), options, OPTIONS)
    first = who_begins(options, len(players)) or 0
    goes_on = options.get("showdown_raise_continues", False)
    if not isinstance(goes_on, bool):
        raise rules.BadOptions(
            f"option showdown_raise_continues: expected a yes or no, got {goes_on!r}"
        )
    pawns = tuple(SIDE * seat for seat in range(len(players)))
    return State(tuple(players), pawns, first=first, raise_continues=goes_on)


def first_throws(
    start: State, faces: Sequence[rules.Face]
) -> tuple[tuple[State, Sequence[rules.Face]], ...]:
    """The first throws; five dice alone are the black ones of a pawn that moved by one."""
    return ((start, (1, *faces) if len(faces) == FIVE else faces),)


def dice(state: State) -> tuple[rules.Face | None, ...]:
    """The black dice by slot, None for one that is to be thrown.

    While the red die is what a choice is about, or is to be thrown, it is the sixth.
    """
    if state.step is Step.USE:
        return state.dice
    blank: tuple[rules.Face | None, ...] = (None,) * FIVE
    if state.step in (Step.MOVE, Step.LANDED):
        return (*blank, state.red if state.step is Step.LANDED else None)
    return tuple(state.dice[slot] if slot in state.held else None for slot in range(FIVE))


def scores(state: State) -> tuple[int, ...]:
    """Ten points for each chip that a seat has on the board."""
    points = [0] * len(state.players)
    for stack in state.cards:
        if stack is not None:
            points[stack.seat] += CHIP * stack.chips
    return tuple(points)


def outcome(state: State) -> rules.Outcome | None:
    """The points and who has the most; equal points share the win."""
    if state.step is not Step.OVER:
        return None
    return state.outcome(scores(state))


def turn(state: State) -> int:
    """The number of the turn, from 1, alike for all seats; the last one's when the game is over."""
    over = state.step is Step.OVER
    return (state.turns - over) // len(state.players) + 1


VERBS: tuple[Verb[Any], ...] = (
    pattern_verb("place", Place, "card", Card),
    pattern_verb("take", Take, "card", Card),
    pattern_verb("raise", Raise, "card", Card),
    plain_verb("pass", Pass),
    plain_verb("stay", Stay),
    plain_verb("move-on", MoveOn),
)
"""`place full-house`, `take aces`, `raise fours`, `pass`, `stay`, `move-on`."""
