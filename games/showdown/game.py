"""Showdown: pawns on a ring, twelve cards to place and take; rules in `docs/rules/showdown.md`."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from games import checks
from games import values as rules
from games.dice import (
    FIVE_DICE,
    FIVE_DICE_KEEP_BY_SLOTS,
    FIVE_DICE_KEEPS,
    THROWN_SLOTS,
    five_alike,
    five_dice_throw,
    with_new_faces,
)
from games.game import Game
from games.notation.verbs import Verb, pattern_verb, plain_verb
from games.seats import without_player
from games.showdown import board, position
from games.showdown import state as showdown
from games.showdown.cards import CHIP_POINTS, Card, chips_by_card, combination_chips
from games.showdown.state import (
    MAX_PLAYERS,
    MIN_PLAYERS,
    MoveOn,
    Place,
    Raise,
    Stack,
    State,
    Stay,
    Step,
    Take,
)
from games.showdown.wording import WORDING
from games.values import Pass
from games.views import SheetView, TableView

_OPTIONS: Mapping[str, tuple[rules.OptionValue, ...]] = {
    "first": tuple(range(MAX_PLAYERS)),
    "showdown_raise_continues": (False, True),
}
"""`first`: the seat that the players chose to begin. `showdown_raise_continues`: the house rule
that a raise in the Showdown round is followed by another move instead of ending the turn."""


_LANDING_CHOICES = (MoveOn(), Stay())


def _purpose_of_roll(state: State) -> str:
    """The purpose for which the black dice are rolled."""
    space = state.pawns[state.seat]
    if showdown.is_wild(space):
        return "wild"
    card = state.card_at(space)
    stack = None if card is None else state.cards[card]
    if stack is None:
        return "place"
    return "raise" if stack.seat == state.seat else "take"


def _named_choice(choice: rules.Choice) -> str:
    verb = f"{type(choice).__name__.lower()} " if isinstance(choice, Place | Take | Raise) else ""
    return f"{verb}{choice.key}"


Use = Place | Take | Raise
"""A use of a roll."""


def next_empty_space(state: State, space: int) -> int:
    """The space itself if a card may be placed there, else the next such space clockwise.

    There is one as long as a card is off the board, as there is a diamond space for each card.
    """
    taken = {stack.space for stack in state.cards if stack is not None}
    ring = ((space + step) % showdown.RING_SPACES for step in range(showdown.RING_SPACES))
    return next(s for s in ring if not showdown.is_wild(s) and s not in taken)


def move_pawn(state: State, origin: int, red: int) -> State:
    """The state after the red die showed `red` for a pawn on `origin`.

    Black dice on the table stay as they are when a correction moves the pawn: where it stands
    matters only once a roll is used. But on a card of one's own none can have been thrown yet.
    """
    space = (origin + red) % showdown.RING_SPACES
    moved = replace(
        state, pawns=checks.with_item(state.pawns, state.seat, space), red=red, origin=origin
    )
    landing = showdown.landing_step(moved)
    if landing is not Step.ROLL:
        return replace(moved, step=landing, roll=0, dice=(), held=())
    return replace(moved, step=Step.USE if state.step is Step.USE else Step.ROLL)


def uses_of_roll(state: State) -> Iterator[Use]:
    """The uses of the roll on the table, in the order of the cards."""
    return (use for card in Card if (use := use_for_card(state, card)) is not None)


def use_for_card(state: State, card: Card, roll: tuple[int, ...] = ()) -> Use | None:
    """How a roll, by default that on the table, may be used for this card; None if it may not.

    Five alike places any card or takes any that another player has. Otherwise the dice must make
    the card, and the pawn must be able to reach it: any card from a Wild corner, those off the
    board from an empty space, and a card on the board from its own space.
    """
    dice = roll or state.dice
    five, chips = five_alike(dice), combination_chips(dice)[card]
    if not (five or chips):
        return None
    space = state.pawns[state.seat]
    stack = state.cards[card]
    if stack is None:
        return Place(card) if five or state.card_at(space) is None else None
    reached = showdown.is_wild(space) or stack.space == space
    if stack.seat == state.seat:
        return Raise(card) if reached and chips > stack.chips else None
    return Take(card) if five or (reached and chips >= stack.chips) else None


def points_gained(state: State, use: Use) -> rules.Points:
    """How much a use of the roll adds to the player's points, and why."""
    card = Card(use.card)
    chips = chips_by_card(state.dice)[card]
    stack = state.cards[card]
    before = stack.chips if stack is not None else 0
    points = CHIP_POINTS * (chips - before if isinstance(use, Raise) else chips)
    if five_alike(state.dice) and not isinstance(use, Raise):
        return rules.Points(points, "five-alike")
    if isinstance(use, Place):
        return rules.Points(points, "place")
    if not card.is_number:
        return rules.Points(points, "take")
    return rules.Points(points, f"{'beats' if chips > before else 'meets'} {before}")


def apply_use(state: State, use: Use) -> State:
    """The state after the roll is used: card, chips and pawn in place, and the turn moved on.

    In the Showdown round the player moves again after taking a card (and, by the house rule, after
    a raise); everything else ends the turn.
    """
    card, seat = Card(use.card), state.seat
    stack = state.cards[card]
    space = next_empty_space(state, state.pawns[seat]) if stack is None else stack.space
    chips = chips_by_card(state.dice)[card]
    cards: tuple[Stack | None, ...] = checks.with_item(state.cards, card, Stack(space, seat, chips))
    after = replace(state, cards=cards, pawns=checks.with_item(state.pawns, seat, space))
    goes_on = isinstance(use, Take) or (isinstance(use, Raise) and state.raise_continues)
    return move_again(after) if state.in_showdown and goes_on else end_turn(after)


def move_again(state: State) -> State:
    """The state when the same player throws the red die next."""
    return replace(state, step=Step.MOVE, red=0, origin=0, roll=0, dice=(), held=())


def end_turn(state: State) -> State:
    """The state after the turn; the turn that places the last card begins the Showdown round.

    The turns of those who have left pass unplayed; the last one remaining has won.
    """
    turns = state.turns + 1
    end = state.end
    if end is None and None not in state.cards:
        end = turns + len(state.players)
    alone = len(state.stay) == 1
    after = replace(move_again(state), turns=turns, end=end)
    while after.seat in after.out and after.turns != end and not alone:
        after = replace(after, turns=after.turns + 1)
    return replace(after, step=Step.OVER) if alone or after.turns == end else after


_VERBS: tuple[Verb[Any], ...] = (
    pattern_verb("place", Place, "card", Card),
    pattern_verb("take", Take, "card", Card),
    pattern_verb("raise", Raise, "card", Card),
    plain_verb("pass", Pass),
    plain_verb("stay", Stay),
    plain_verb("move-on", MoveOn),
)
"""`place full-house`, `take aces`, `raise fours`, `pass`, `stay`, `move-on`."""


class Showdown(Game[State]):
    """Pawns on a ring, twelve cards to place and take."""

    def start(self, players: Sequence[str], options: rules.Options) -> State:
        """The first state: every pawn on its corner, all cards off the board."""
        self.check_start(players, options)
        first = checks.who_begins(options, len(players)) or 0
        goes_on = bool(self.chosen(options)["showdown_raise_continues"])
        pawns = tuple(showdown.SPACES_PER_SIDE * seat for seat in range(len(players)))
        return State(tuple(players), pawns, first=first, raise_continues=goes_on)

    def ask(self, state: State) -> rules.Ask | None:
        """A throw, a choice, or None when the Showdown round is over."""
        if state.step is Step.MOVE:
            return rules.Throw(
                state.seat, (rules.Die(showdown.RED_SLOT, rules.DieKind.RED),), purpose="red-die"
            )
        if state.step is Step.LANDED:
            return rules.Choose(state.seat, purpose="own-card")
        if state.step is Step.ROLL:
            return five_dice_throw(
                state.seat,
                state.held,
                state.roll + 1,
                showdown.ROLLS_PER_TURN,
                _purpose_of_roll(state),
            )
        if state.step is Step.USE:
            return rules.Choose(
                state.seat, state.roll, showdown.ROLLS_PER_TURN, _purpose_of_roll(state)
            )
        return None

    def choices(self, state: State) -> Sequence[rules.Choice]:
        """The uses that the roll may have, a pass and, before roll 3, what may be kept.

        On a card of one's own, before the roll: moving on or staying.
        """
        if state.step is Step.LANDED:
            return _LANDING_CHOICES
        if state.step is not Step.USE:
            return ()
        again = self.keeps if state.roll < showdown.ROLLS_PER_TURN else ()
        return (*uses_of_roll(state), rules.Pass(), *again)

    def preview(self, state: State, choice: rules.Choice) -> rules.Points | None:
        """How much a choice adds to the player's points, and why; None for a `Keep`."""
        self._check_choice(state, choice)
        if isinstance(choice, rules.Keep):
            return None
        if isinstance(choice, Place | Take | Raise):
            return points_gained(state, choice)
        if isinstance(choice, MoveOn):
            return rules.Points(0, "red-die")
        if isinstance(choice, Stay):
            card = state.card_at(state.pawns[state.seat])
            stack = None if card is None else state.cards[card]
            return rules.Points(0, f"beat {stack.chips}" if stack else "")
        return rules.Points(0)

    def apply(self, state: State, event: rules.Event) -> State:
        """The state after an event."""
        if isinstance(event, rules.Rolled):
            return self._apply_rolled(state, event)
        if isinstance(event, rules.Corrected):
            return self._apply_corrected(state, event)
        if isinstance(event, rules.Left):
            gone = without_player(state, event, now=state.step is not Step.OVER)
            return end_turn(gone) if len(gone.stay) == 1 or event.seat == state.seat else gone
        self._check_choice(state, event)
        if isinstance(event, rules.Keep):
            return replace(state, step=Step.ROLL, held=event.slots)
        if isinstance(event, Place | Take | Raise):
            return apply_use(state, event)
        if isinstance(event, MoveOn):
            return move_again(state)
        if isinstance(event, Stay):
            return replace(state, step=Step.ROLL, roll=0, dice=(), held=())
        return end_turn(state)

    def _apply_rolled(self, state: State, event: rules.Rolled) -> State:
        red = state.step is Step.MOVE
        count = 1 if red else FIVE_DICE - len(state.held)
        found = (
            checks.numbered_faces(event.faces, count) if red or state.step is Step.ROLL else None
        )
        if found is None:
            raise self._refusal(state, event)
        if red:
            return move_pawn(state, state.pawns[state.seat], found[0])
        dice = with_new_faces(state.dice, THROWN_SLOTS[state.held], found)
        return replace(state, step=Step.USE, roll=state.roll + 1, dice=dice, held=())

    def _apply_corrected(self, state: State, event: rules.Corrected) -> State:
        checks.check_slot(event, showdown.RED_SLOT + 1)
        slot, face = event.slot, checks.corrected_number(event)
        if slot == showdown.RED_SLOT and state.red:
            # A correction that changes nothing must not take back a choice to stay.
            return state if face == state.red else move_pawn(state, state.origin, face)
        if slot != showdown.RED_SLOT and state.step is Step.USE:
            return replace(state, dice=checks.with_item(state.dice, slot, face))
        raise self._refusal(state, event)

    def _check_choice(self, state: State, choice: rules.Event) -> None:
        if state.step is Step.LANDED and isinstance(choice, MoveOn | Stay):
            return
        if state.step is Step.USE:
            if isinstance(choice, rules.Pass):
                return
            if (
                isinstance(choice, rules.Keep)
                and state.roll < showdown.ROLLS_PER_TURN
                and checks.is_legal_keep(choice, FIVE_DICE_KEEP_BY_SLOTS)
            ):
                return
            if (
                isinstance(choice, Place | Take | Raise)
                and type(choice.card) is Card
                and choice == use_for_card(state, choice.card)
            ):
                return
        raise self._refusal(state, choice)

    def _refusal(self, state: State, event: rules.Event) -> rules.IllegalEvent:
        """The error for an event that is not legal now."""
        red = state.step is Step.MOVE
        what = "the red die" if red else f"{FIVE_DICE - len(state.held)} black dice"
        names = [
            _named_choice(choice)
            for choice in self.choices(state)
            if not isinstance(choice, rules.Keep)
        ]
        or_hold = (
            " or a hold of four dice at most" if 0 < state.roll < showdown.ROLLS_PER_TURN else ""
        )
        thrown, chosen = f"faces from 1 to 6 of {what}, thrown", f"{', '.join(names)}{or_hold}"
        return checks.refusal(state.players, self.ask(state), event, thrown=thrown, chosen=chosen)

    def first_throws(
        self, start: State, faces: Sequence[rules.Face]
    ) -> tuple[tuple[State, Sequence[rules.Face]], ...]:
        """The first throws; five dice alone are the black ones, after the pawn has moved by one."""
        return ((start, (1, *faces) if len(faces) == FIVE_DICE else faces),)

    def dice(self, state: State) -> tuple[rules.Face | None, ...]:
        """The black dice by slot; None for one that is to be thrown.

        The red die is the sixth while it is to be thrown or a choice depends on it.
        """
        if state.step is Step.USE:
            return state.dice
        blank: tuple[rules.Face | None, ...] = (None,) * FIVE_DICE
        if state.step in (Step.MOVE, Step.LANDED):
            return (*blank, state.red if state.step is Step.LANDED else None)
        return tuple(state.dice[slot] if slot in state.held else None for slot in range(FIVE_DICE))

    def aside(self, state: State) -> Mapping[int, rules.Face]:
        """The red die, until it is thrown again or the roll is used."""
        return {showdown.RED_SLOT: state.red} if state.red else {}

    def scores(self, state: State) -> tuple[int, ...]:
        """Ten points for each chip that a seat has on the board."""
        points = [0] * len(state.players)
        for stack in state.cards:
            if stack is not None:
                points[stack.seat] += CHIP_POINTS * stack.chips
        return tuple(points)

    def outcome(self, state: State) -> rules.Outcome | None:
        """The points and who has the most; equal points share the win."""
        if state.step is not Step.OVER:
            return None
        return state.outcome(self.scores(state))

    def turn(self, state: State) -> int:
        """The number of the turn, from 1, the same for all seats; the last one's at the end."""
        over = state.step is Step.OVER
        return (state.turns - over) // len(state.players) + 1

    def sheet(self, state: State, seat: int) -> SheetView:
        """The sheet of a seat."""
        return board.sheet(state, seat)

    def table_view(self, state: State) -> TableView:
        """The things on the table for all to see."""
        return board.table_view(state)

    def closing(self, state: State, seat: int) -> str:
        """The round after the last card was placed."""
        return "showdown-round" if state.end is not None else ""

    def describe(self, state: State) -> Sequence[str]:
        """Lines of plain text that show how the game stands."""
        return board.describe(state)


GAME = Showdown(
    name="showdown",
    edition="1991",
    min_players=MIN_PLAYERS,
    max_players=MAX_PLAYERS,
    options=_OPTIONS,
    option_words={
        "first": rules.WHO_BEGINS,
        "showdown_raise_continues": rules.OptionWords(
            "after-raise", {False: "stop", True: "move-on"}
        ),
    },
    dice_kinds=(*(rules.DieKind.BLACK,) * FIVE_DICE, rules.DieKind.RED),
    rarest=("five-alike",),
    verbs=_VERBS,
    example="5 5 5 2 2: the black dice, the pawn on an empty space; of six dice the first is red",
    keeps=FIVE_DICE_KEEPS,
    position_codec=position.CODEC,
    wording=WORDING,
    solver="games.strategy.showdown:ShowdownSolver",
)
