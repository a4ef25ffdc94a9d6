"""Common rules of games with a sheet of boxes: roll-off, three rolls, a box each turn, who leaves.

Such a game brings its sheet, a `BoxSheet`, and what a roll is worth in each box; `BoxGame` is the
rest of the functions of a `Game` (see `games.game`), to be taken over into the module:

    GAME = BoxGame(title="Yatzy", sheet=Sheet(), ...)
    start, ask, choices, apply = GAME.start, GAME.ask, GAME.choices, GAME.apply
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Generic, Self, TypeVar

from games import checks
from games import game as rules
from games.box_sheets import BoxSheet, describe_sheets
from games.dice import (
    FIVE_DICE,
    FIVE_DICE_KEEPS,
    THROWN_SLOTS,
    Pattern,
    five_dice_throw,
    with_new_faces,
)
from games.seats import Seated, roll_off_standing, without_player
from games.views import Goal

MAX_PLAYERS = 6
ROLLS_PER_TURN = 3
BOX_GAME_OPTIONS: Mapping[str, tuple[rules.OptionValue, ...]] = {
    "first": (rules.ROLL_OFF, *range(MAX_PLAYERS))
}
"""`first`: who begins, by a roll-off (the default) or the seat of that number, from 0."""


S = TypeVar("S", bound=BoxSheet)


@dataclass(frozen=True, slots=True)
class BoxState(Seated, Generic[S]):
    """A game between two events.

    Attributes:
        sheets: one for each seat.
        first: the seat that began; None while the roll-off is open.
        seat: whose turn it is, or who throws next in the roll-off.
        roll: how many rolls of the turn are on record, 0 to 3.
        dice: the five faces of the last roll of the turn by slot; empty before the first.
        held: the slots kept for the throw that is due; None when no throw is due: then a choice
            is, or, with `roll` 0, the game is over.
        roll_off: the throws of the roll-off in order.
    """

    sheets: tuple[S, ...]
    first: int | None = 0
    seat: int = 0
    roll: int = 0
    dice: tuple[int, ...] = ()
    held: tuple[int, ...] | None = ()
    roll_off: tuple[tuple[int, ...], ...] = ()

    def with_table(self, roll: int, dice: tuple[int, ...], held: tuple[int, ...] | None) -> Self:
        """The state with another roll on the table."""
        # Twice as fast as dataclasses.replace.
        return type(self)(
            self.players,
            self.sheets,
            self.first,
            self.seat,
            roll,
            dice,
            held,
            self.roll_off,
            out=self.out,
        )


@dataclass(frozen=True, slots=True)
class ScoreBox(rules.Choice):
    """Score the roll on the table in this box; each game has a class of its own for it."""

    box: Pattern

    @property
    def key(self) -> str:
        """The box."""
        return self.box.word


@dataclass(frozen=True, slots=True)
class Zeros:
    """How a game lets players take a zero in a box although the roll on the table fits it.

    Attributes:
        choice: the class of the choice, made from a box.
        allowed: the boxes of a sheet where it is possible with these dice, as bits.
        take: the sheet with a zero in an open box.
    """

    choice: Callable[[Any], rules.Choice]
    allowed: Callable[[Any, tuple[int, ...]], int]
    take: Callable[[Any, int], Any]


T = TypeVar("T", bound=BoxState[Any])


class BoxGame(Generic[T]):
    """A game with a sheet of boxes, but for its sheet.

    Args:
        title: as people write it, for errors.
        state: the class of its states.
        sheet: an empty sheet.
        boxes: all boxes in the order of the sheet.
        legal: the boxes of a sheet that these dice may be scored in: bit b for box b.
        fill: the sheet with these dice scored in an open box.
        gained: how much the total grows by that, and why.
        score: the class of the choice to score in a box, made from the box.
        zeros: how zeros are taken where the roll fits; None where nobody may.
    """

    def __init__(
        self,
        title: str,
        state: type[T],
        sheet: BoxSheet,
        boxes: type[Pattern],
        *,
        legal: Callable[[Any, tuple[int, ...]], int],
        fill: Callable[[Any, tuple[int, ...], int], Any],
        gained: Callable[[Any, tuple[int, ...], int], rules.Points],
        score: Callable[[Any], rules.Choice],
        zeros: Zeros | None = None,
    ) -> None:
        self._title = title
        self._state = state
        self._sheet = sheet
        self._legal = legal
        self._fill = fill
        self._gained = gained
        self._zeros = zeros
        self._score_of = {box: score(box) for box in boxes}
        self._box_of = {choice: box for box, choice in self._score_of.items()}
        self._zero_of = {box: zeros.choice(box) for box in boxes} if zeros else {}
        self._zeroed = {choice: box for box, choice in self._zero_of.items()}
        self._scores = cache(self._choices_for(self._score_of))
        self._zero_choices = cache(self._choices_for(self._zero_of))

    @staticmethod
    def _choices_for(
        choice_of: Mapping[Any, rules.Choice],
    ) -> Callable[[int], tuple[rules.Choice, ...]]:
        def found(bits: int) -> tuple[rules.Choice, ...]:
            return tuple([choice for box, choice in choice_of.items() if bits >> box & 1])

        return found

    def start(self, players: Sequence[str], options: rules.Options) -> T:
        """The first state: a roll-off, or the first turn where none is needed."""
        counts = range(1, MAX_PLAYERS + 1)
        checks.check_start(self._title, players, counts, options, BOX_GAME_OPTIONS)
        first = checks.who_begins(options, len(players), roll_off=True)
        return self._state(tuple(players), (self._sheet,) * len(players), first, first or 0)

    def ask(self, state: T) -> rules.Ask | None:
        """A throw, a choice, or None when every box of every sheet is filled."""
        if state.held is not None:
            if state.first is None:
                return five_dice_throw(state.seat, (), 1, 1, "who-begins")
            return five_dice_throw(state.seat, state.held, state.roll + 1, ROLLS_PER_TURN)
        return _cached_choose(state.seat, state.roll) if state.roll else None

    def choices(self, state: T) -> Sequence[rules.Choice]:
        """The boxes for the roll, then zeros and, before roll 3, what may be kept."""
        if state.held is not None or not state.roll:
            return ()
        found = self._boxes_of(state)
        return found + FIVE_DICE_KEEPS if state.roll < ROLLS_PER_TURN else found

    def _boxes_of(self, state: T) -> tuple[rules.Choice, ...]:
        sheet = state.sheets[state.seat]
        scores = self._scores(self._legal(sheet, state.dice))
        if self._zeros is None:
            return scores
        return scores + self._zero_choices(self._zeros.allowed(sheet, state.dice))

    def preview(self, state: T, choice: rules.Choice) -> rules.Points | None:
        """How much a box adds to the total, and why; None for a `Keep`."""
        self._check_choice(state, choice)
        if choice in self._zeroed:
            return rules.Points(0)
        if choice not in self._box_of:
            return None
        return self._gained(state.sheets[state.seat], state.dice, self._box_of[choice])

    def apply(self, state: T, event: rules.Event) -> T:
        """The state after an event."""
        if isinstance(event, rules.Rolled):
            return self._apply_rolled(state, event)
        if isinstance(event, rules.Corrected):
            return self._apply_corrected(state, event)
        if isinstance(event, rules.Left):
            return self._apply_left(state, event)
        self._check_choice(state, event)
        if isinstance(event, rules.Keep):
            return state.with_table(state.roll, state.dice, event.slots)
        sheet = state.sheets[state.seat]
        if event in self._box_of:
            return self._after_turn(state, self._fill(sheet, state.dice, self._box_of[event]))
        if self._zeros is not None and event in self._zeroed:
            return self._after_turn(state, self._zeros.take(sheet, self._zeroed[event]))
        raise self._refusal(state, event)

    def _apply_rolled(self, state: T, event: rules.Rolled) -> T:
        held = state.held
        faces = None if held is None else checks.numbered_faces(event.faces, FIVE_DICE - len(held))
        if held is None or faces is None:
            raise self._refusal(state, event)
        if state.first is None:
            return self._with_roll_off(state, (*state.roll_off, faces))
        dice = with_new_faces(state.dice, held, faces) if held else faces
        return state.with_table(state.roll + 1, dice, None)

    def _apply_left(self, state: T, event: rules.Left) -> T:
        now = state.first is not None and self.ask(state) is not None
        gone = without_player(state, event, now=now)
        return self._next_turn(gone, state.sheets) if event.seat == state.seat else gone

    def _with_roll_off(self, state: T, throws: tuple[tuple[int, ...], ...]) -> T:
        now = roll_off_standing(len(state.players), [sum(faces) for faces in throws])
        first = now.seat if now.decided else None
        return self._state(state.players, state.sheets, first, now.seat, roll_off=throws)

    def _after_turn(self, state: T, sheet: Any) -> T:
        return self._next_turn(state, checks.with_item(state.sheets, state.seat, sheet))

    def _next_turn(self, state: T, sheets: tuple[Any, ...]) -> T:
        seat = (state.seat + state.to_next(state.seat)) % len(sheets)
        # Everyone still in has had as many turns as the next player, or one more.
        due = () if sheets[seat].open else None
        return self._state(
            state.players, sheets, state.first, seat, 0, (), due, state.roll_off, out=state.out
        )

    def _apply_corrected(self, state: T, event: rules.Corrected) -> T:
        checks.check_slot(event, FIVE_DICE)
        slot, face = event.slot, checks.corrected_number(event)
        if state.held is None and state.roll:
            return state.with_table(state.roll, checks.with_item(state.dice, slot, face), None)
        unplayed = not state.roll and all(not sheet.filled for sheet in state.sheets)
        if state.roll_off and unplayed and not state.out:
            last = checks.with_item(state.roll_off[-1], slot, face)
            return self._with_roll_off(state, (*state.roll_off[:-1], last))
        raise self._refusal(state, event)

    def _check_choice(self, state: T, choice: rules.Event) -> None:
        """Makes sure that a choice is legal now; raises IllegalEvent."""
        if state.held is None and state.roll:
            if isinstance(choice, rules.Keep):
                if state.roll < ROLLS_PER_TURN and choice.slots in THROWN_SLOTS:
                    return
            elif choice in self._boxes_of(state):
                return
        raise self._refusal(state, choice)

    def _refusal(self, state: T, event: rules.Event) -> rules.IllegalEvent:
        """The error for an event that is not legal now."""
        boxes = ", ".join(c.key for c in self.choices(state) if c in self._box_of)
        or_hold = " or a hold of four dice at most" if state.roll < ROLLS_PER_TURN else ""
        thrown = f"{FIVE_DICE - len(state.held or ())} faces from 1 to 6, thrown"
        chosen = f"a score in {boxes}{or_hold}"
        return checks.refusal(state.players, self.ask(state), event, thrown=thrown, chosen=chosen)

    def dice(self, state: T) -> tuple[rules.Face | None, ...]:
        """The five dice by slot; None for one that is still to be thrown."""
        if state.held is None and state.roll:
            return state.dice
        held = state.held or ()
        return tuple(state.dice[slot] if slot in held else None for slot in range(FIVE_DICE))

    def sheet(self, state: T, seat: int) -> Any:
        """The sheet of a seat with its sums."""
        return state.sheets[seat]

    def goals(self, state: T, seat: int) -> tuple[Goal, ...]:
        """The bonus of the upper section, until it is reached."""
        goals: tuple[Goal, ...] = state.sheets[seat].goals
        return goals

    def describe(self, state: T) -> list[str]:
        """The sheets side by side in plain text, the players' names on top."""
        return describe_sheets(state.players, state.sheets)

    def turn(self, state: T) -> int:
        """The number of the turn, from 1; 0 during the roll-off; the last when it is over."""
        if state.first is None:
            return 0
        filled: int = state.sheets[state.seat].filled
        return min(filled + 1, len(self._score_of))


@cache
def _cached_choose(seat: int, roll: int) -> rules.Choose:
    return rules.Choose(seat, roll, ROLLS_PER_TURN)
