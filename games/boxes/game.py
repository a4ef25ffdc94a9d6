"""Games with a sheet of boxes: roll-off, three rolls, a box each turn, and who leaves.

Such a game brings its boxes, its sheet, and what five dice score in each box:

    GAME = BoxGame(
        name="yatzy", edition="1", state=State, empty_sheet=Sheet(), box_scores=box_scores
    )

One whose boxes depend on each other, such as Classic with its jokers, is a subclass with `legal`,
`fill` or `reason` of its own.

Its options but for `first` are house rules. Those of `ORDER_OPTION` are here, for every game that
takes them into its options; any other changes what dice score, and `box_scores` takes it as a
keyword. `by_house` is the game by some of them, and all functions follow those of a state.
"""

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any, Self, TypeVar

from games import checks
from games import values as rules
from games.boxes.positions import box_codec
from games.boxes.sheets import BoxSheet, describe_sheets
from games.boxes.state import ROLLS_PER_TURN, BoxState, House, Score, Zero
from games.dice import (
    FIVE_DICE,
    FIVE_DICE_KEEP_BY_SLOTS,
    FIVE_DICE_KEEPS,
    THROWN_SLOTS,
    Pattern,
    five_dice_throw,
    with_new_faces,
)
from games.game import Game
from games.notation.positions import Codec
from games.notation.verbs import Verb, pattern_verb
from games.seats import roll_off_standing, without_player
from games.views import Goal

BOX_GAME_OPTIONS: Mapping[str, tuple[rules.OptionValue, ...]] = {
    "first": (rules.ROLL_OFF, *range(6))
}
"""`first`: who begins, by a roll-off (the default) or the seat of that number, from 0."""
ORDER_OPTION: Mapping[str, tuple[rules.OptionValue, ...]] = {"order": ("any", "top-down")}
"""`order`: whether boxes are filled in any order (the default) or from the top down."""
ORDER_WORDS: Mapping[str, rules.OptionWords] = {"order": rules.OptionWords("order", asked=False)}
T = TypeVar("T", bound=BoxState[Any])


@dataclass(frozen=True, eq=False, kw_only=True)
class BoxGame(Game[T]):
    """A game with a sheet of boxes.

    Attributes:
        state: the class of its states.
        empty_sheet: a sheet with all boxes open; its class says what the boxes are.
        box_scores: the scores of five dice in each box, as long as no box depends on another; takes
            each house rule that changes them as a keyword, with its default.
        takes_zeros: whether players may take a zero in a box although the roll fits it.
        boxes: all boxes in the order of the sheet; like the verbs and the codec, made of the rest.
        house: the house rules that it is played by.
    """

    options: Mapping[str, tuple[rules.OptionValue, ...]] = field(
        default_factory=lambda: BOX_GAME_OPTIONS
    )
    option_words: Mapping[str, rules.OptionWords] = field(
        default_factory=lambda: {"first": rules.WHO_BEGINS}
    )
    dice_kinds: tuple[rules.DieKind, ...] = (rules.DieKind.BLACK,) * FIVE_DICE
    latecomers: bool = True
    example: str = "3 3 3 5 5: five dice, scored on an empty sheet"
    keeps: tuple[rules.Keep, ...] = FIVE_DICE_KEEPS
    solver: str = "games.strategy.boxes:BoxSolver"
    state: type[T]
    empty_sheet: BoxSheet
    box_scores: Callable[..., Sequence[int]]
    takes_zeros: bool = False
    boxes: type[Pattern] = field(init=False)
    verbs: tuple[Verb[Any], ...] = field(init=False, repr=False)
    position_codec: Codec[T] = field(init=False, repr=False)
    house: House = field(default=(), init=False)
    _by_house: dict[House, Self] = field(init=False, repr=False)
    _scores_of: Callable[[int], tuple[rules.Choice, ...]] = field(init=False, repr=False)
    _zeros_of: Callable[[int], tuple[rules.Choice, ...]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        boxes = self.empty_sheet.BOX
        object.__setattr__(self, "boxes", boxes)
        object.__setattr__(self, "_by_house", {(): self})
        codec = box_codec(self.state, type(self.empty_sheet), self.by_house, self.options)
        object.__setattr__(self, "position_codec", codec)
        kinds = (("score", Score), ("zero", Zero))[: 1 + self.takes_zeros]
        verbs = tuple(pattern_verb(word, kind, "box", boxes) for word, kind in kinds)
        object.__setattr__(self, "verbs", verbs)
        object.__setattr__(self, "_scores_of", cache(_choices_for(Score, boxes)))
        object.__setattr__(self, "_zeros_of", cache(_choices_for(Zero, boxes)))

    def by_house(self, house: House) -> Self:
        """The game by these house rules: what it says of sheets and dice follows them."""
        if house not in self._by_house:
            found, scoring = copy(self), dict(house)
            scoring.pop("order", None)
            # All of them share what is kept here.
            object.__setattr__(found, "house", house)
            object.__setattr__(
                found, "box_scores", partial(self._by_house[()].box_scores, **scoring)
            )
            self._by_house[house] = found
        return self._by_house[house]

    @property
    def in_order(self) -> bool:
        """Whether boxes are filled from the top down."""
        return ("order", "top-down") in self.house

    def legal(self, sheet: Any, dice: tuple[int, ...]) -> int:
        """The boxes of a sheet that these dice may be scored in: bit b for box b."""
        found: int = sheet.open
        return found & -found if self.house and self.in_order else found

    def fill(self, sheet: Any, dice: tuple[int, ...], box: int) -> Any:
        """The sheet with these dice scored in an open box."""
        return sheet.with_points(box, self.box_scores(dice)[box])

    def gained(self, sheet: Any, dice: tuple[int, ...], box: int) -> rules.Points:
        """How much the total grows when these dice are scored in an open box, and why."""
        after = self.fill(sheet, dice, box)
        return rules.Points(after.total - sheet.total, self.reason(sheet, dice, after))

    def reason(self, sheet: Any, dice: tuple[int, ...], after: Any) -> str:
        """The keys of why the total grows as it does when these dice lead to the sheet `after`."""
        found: str = sheet.upper_reason(after)
        return found

    def zeros(self, sheet: Any, dice: tuple[int, ...]) -> int:
        """The open boxes that these dice fit but that may have a zero instead, as bits."""
        return 0

    def start(self, players: Sequence[str], options: rules.Options) -> T:
        """The first state: a roll-off, or the first turn where none is needed."""
        self.check_start(players, options)
        first = checks.who_begins(options, len(players), roll_off=True)
        sheets = (self.empty_sheet,) * len(players)
        chosen = {name: value for name, value in options.items() if name != "first"}
        house = tuple((n, v) for n, v in sorted(chosen.items()) if v != self.options[n][0])
        return self.state(tuple(players), sheets, first, first or 0, house=house)

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
        game = self if state.house is self.house else self.by_house(state.house)
        sheet, dice = state.sheets[state.seat], state.dice
        found = self._scores_of(game.legal(sheet, dice))
        if self.takes_zeros:
            found += self._zeros_of(game.zeros(sheet, dice))
        return found + FIVE_DICE_KEEPS if state.roll < ROLLS_PER_TURN else found

    def preview(self, state: T, choice: rules.Choice) -> rules.Points | None:
        """How much a box adds to the total, and why; None for a `Keep`."""
        if not self._is_legal(state, choice):
            raise self._refusal(state, choice)
        if isinstance(choice, Score):
            game = self.by_house(state.house)
            return game.gained(state.sheets[state.seat], state.dice, choice.box)
        return rules.Points(0) if isinstance(choice, Zero) else None

    def apply(self, state: T, event: rules.Event) -> T:
        """The state after an event."""
        if isinstance(event, rules.Rolled):
            return self._apply_rolled(state, event)
        if self._is_legal(state, event):
            if isinstance(event, rules.Keep):
                return state.with_turn(
                    state.sheets, state.seat, state.roll, state.dice, event.slots
                )
            sheet = state.sheets[state.seat]
            if isinstance(event, Score):
                game = self if state.house is self.house else self.by_house(state.house)
                return _next_turn(state, game.fill(sheet, state.dice, event.box))
            if isinstance(event, Zero):
                return _next_turn(state, sheet.with_points(event.box, 0))
        if isinstance(event, rules.Corrected):
            return self._apply_corrected(state, event)
        if isinstance(event, rules.Left):
            return self._apply_left(state, event)
        raise self._refusal(state, event)

    def _apply_rolled(self, state: T, event: rules.Rolled) -> T:
        if state.held is None:
            raise self._refusal(state, event)
        thrown = THROWN_SLOTS[state.held]
        faces = checks.numbered_faces(event.faces, len(thrown))
        if faces is None:
            raise self._refusal(state, event)
        if state.first is None:
            return _with_roll_off(state, (*state.roll_off, faces))
        dice = with_new_faces(state.dice, thrown, faces)
        return state.with_turn(state.sheets, state.seat, state.roll + 1, dice, None)

    def _apply_left(self, state: T, event: rules.Left) -> T:
        now = state.first is not None and self.ask(state) is not None
        gone = without_player(state, event, now=now)
        seat = state.seat
        return _next_turn(gone, state.sheets[seat]) if event.seat == seat else gone

    def _apply_corrected(self, state: T, event: rules.Corrected) -> T:
        checks.check_slot(event, FIVE_DICE)
        slot, face = event.slot, checks.corrected_number(event)
        if state.held is None and state.roll:
            dice = checks.with_item(state.dice, slot, face)
            return state.with_turn(state.sheets, state.seat, state.roll, dice, None)
        if self.aside(state):
            last = checks.with_item(state.roll_off[-1], slot, face)
            return _with_roll_off(state, (*state.roll_off[:-1], last))
        raise self._refusal(state, event)

    def _is_legal(self, state: T, choice: rules.Event) -> bool:
        """True if this is a choice, and legal now."""
        if state.held is not None or not state.roll:
            return False
        if isinstance(choice, rules.Keep):
            may_keep = state.roll < ROLLS_PER_TURN
            return may_keep and checks.is_legal_keep(choice, FIVE_DICE_KEEP_BY_SLOTS)
        game = self if state.house is self.house else self.by_house(state.house)
        if isinstance(choice, Score):
            bits = game.legal(state.sheets[state.seat], state.dice)
        elif isinstance(choice, Zero):
            bits = game.zeros(state.sheets[state.seat], state.dice)
        else:
            return False
        return type(choice.box) is self.boxes and bool(bits >> choice.box & 1)

    def _refusal(self, state: T, event: rules.Event) -> rules.IllegalEvent:
        """The error for an event that is not legal now."""
        boxes = ", ".join(c.key for c in self.choices(state) if isinstance(c, Score))
        or_hold = " or a hold of four dice at most" if state.roll < ROLLS_PER_TURN else ""
        thrown = f"{FIVE_DICE - len(state.held or ())} faces from 1 to 6, thrown"
        chosen = f"a score in {boxes}{or_hold}"
        return checks.refusal(state.players, self.ask(state), event, thrown=thrown, chosen=chosen)

    def dice(self, state: T) -> tuple[rules.Face | None, ...]:
        """The five dice by slot; None for one that is still to be thrown."""
        if state.held is None and state.roll:
            return state.dice
        held = state.held or ()
        return tuple([state.dice[slot] if slot in held else None for slot in range(FIVE_DICE)])

    def aside(self, state: T) -> Mapping[int, rules.Face]:
        """The dice of the roll-off's last throw, until the next throw."""
        unplayed = not state.roll and all(not sheet.filled for sheet in state.sheets)
        off = state.roll_off if unplayed and not state.out else ()
        return dict(enumerate(off[-1])) if off else {}

    def sheet(self, state: T, seat: int) -> Any:
        """The sheet of a seat with its sums."""
        return state.sheets[seat]

    def goals(self, state: T, seat: int) -> tuple[Goal, ...]:
        """The bonus of the upper section, until it is reached."""
        goals: tuple[Goal, ...] = state.sheets[seat].goals
        return goals

    def rounds(self, state: T) -> int:
        """One for each box."""
        return len(self.boxes)

    def closing(self, state: T, seat: int) -> str:
        """The last round, in which a seat has one box left."""
        return "last-round" if state.sheets[seat].open.bit_count() == 1 else ""

    def describe(self, state: T) -> list[str]:
        """The sheets side by side in plain text, the players' names on top."""
        return describe_sheets(state.players, state.sheets)

    def turn(self, state: T) -> int:
        """The number of the turn, from 1; 0 during the roll-off; the last when it is over."""
        if state.first is None:
            return 0
        filled: int = state.sheets[state.seat].filled
        return min(filled + 1, len(self.boxes))


def _with_roll_off(state: T, throws: tuple[tuple[int, ...], ...]) -> T:
    now = roll_off_standing(len(state.players), [sum(faces) for faces in throws])
    first = now.seat if now.decided else None
    return type(state)(
        state.players, state.sheets, first, now.seat, roll_off=throws, house=state.house
    )


def _next_turn(state: T, sheet: Any) -> T:
    """The state after a turn that leaves this sheet."""
    sheets = checks.with_item(state.sheets, state.seat, sheet)
    seat = (state.seat + state.to_next(state.seat)) % len(sheets)
    # Everyone still in has had as many turns as the next player, or one more.
    due = () if sheets[seat].open else None
    return state.with_turn(sheets, seat, 0, (), due)


def _choices_for(
    kind: Callable[[Pattern], rules.Choice], boxes: type[Pattern]
) -> Callable[[int], tuple[rules.Choice, ...]]:
    choice_of = [kind(box) for box in boxes]

    def found(bits: int) -> tuple[rules.Choice, ...]:
        return tuple([choice for box, choice in enumerate(choice_of) if bits >> box & 1])

    return found


@cache
def _cached_choose(seat: int, roll: int) -> rules.Choose:
    return rules.Choose(seat, roll, ROLLS_PER_TURN)
