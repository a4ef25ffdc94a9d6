"""Hold'em: dice in four colours, hidden pockets, bets. The rules are in `docs/rules/holdem.md`."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from games import values as rules
from games.checks import is_exactly, is_numbered_face, refusal, who_begins
from games.game import Game
from games.holdem import betting, position, view
from games.holdem import course as hands
from games.holdem import state as holdem
from games.holdem.betting import Act
from games.holdem.evaluator import BAG, Rank, is_bag_die
from games.holdem.state import MAX_PLAYERS, MIN_PLAYERS, State
from games.holdem.verbs import VERBS, name_hand
from games.holdem.view import chips_gained
from games.holdem.wording import WORDING
from games.notation.verbs import NamedHand
from games.seats import roll_off_standing
from games.views import BetsView, SheetView, TableView

_FLOP_REPEATS_BY_OPTION = {"always": None, "once": 1, "never": 0}
_OPTIONS: Mapping[str, tuple[rules.OptionValue, ...]] = {
    "stack": (300, 50, 100, 150, 200, 250, 400, 500, 750, 1000),
    "dealer": (*range(MAX_PLAYERS), rules.ROLL_OFF),
    "flop_again": tuple(_FLOP_REPEATS_BY_OPTION),
}
"""`stack`: the chips of each player at the start. `dealer`: the seat that deals first, from 0, or a
roll-off with one die each. `flop_again`: how often a Flop that all check is thrown again."""

_ROLL_BY_STAGE = {holdem.Stage.FLOP: 1, holdem.Stage.TURN: 2, holdem.Stage.RIVER: 3}


def _community_throw(state: State) -> rules.Throw:
    stage = state.stage
    again = stage is holdem.Stage.FLOP and state.thrown
    slots = range(holdem.COMMUNITY_BY_STAGE[stage] - state.due, holdem.COMMUNITY_BY_STAGE[stage])
    dice = tuple(
        rules.Die(slot, state.community[slot].kind) if again else rules.Die(slot) for slot in slots
    )
    purpose = "flop-again" if again else stage.value
    thrower = hands.seat_or_next_present(state, state.dealer)
    return rules.Throw(
        thrower, dice, _ROLL_BY_STAGE[stage], len(_ROLL_BY_STAGE), purpose, coloured=True
    )


def _with_roll_off(state: State, throws: tuple[int, ...]) -> State:
    now = roll_off_standing(len(state.players), throws)
    state = replace(state, dealer=now.seat, roll_off=throws)
    return hands.begin_hand(state, now.seat) if now.decided else state


def _before_roll_off(state: State) -> State:
    """The state in which the roll-off began."""
    stacks = tuple(holdem.Seat(seat.chips + seat.paid) for seat in state.seats)
    return State(state.players, stacks, state.again, pockets=(None,) * len(stacks))


def _roll_off_stands(state: State) -> bool:
    """True while nothing has happened since the last throw of the roll-off."""
    if not state.roll_off or state.hand > 1 or state.out:
        return False
    return _with_roll_off(_before_roll_off(state), state.roll_off) == state


class Holdem(Game[State]):
    """Dice in four colours, hidden pockets, bets."""

    def start(self, players: Sequence[str], options: rules.Options) -> State:
        """The first state: the first hand, with the antes in, or a roll-off for the dealer."""
        self.check_start(players, options)
        chosen = self.chosen(options)
        seats = (holdem.Seat(int(chosen["stack"])),) * len(players)
        again = _FLOP_REPEATS_BY_OPTION[str(chosen["flop_again"])]
        state = State(tuple(players), seats, again, pockets=(None,) * len(players))
        dealer = who_begins(chosen, len(players), "dealer", roll_off=True)
        return state if dealer is None else hands.begin_hand(state, dealer)

    def ask(self, state: State) -> rules.Ask | None:
        """A throw of community dice, a bet, pocket dice, what they make, or the end of the hand."""
        stage = state.stage
        if stage is holdem.Stage.ROLL_OFF:
            return rules.Throw(state.dealer, (rules.Die(0),), purpose="who-deals")
        if stage is holdem.Stage.SHOWDOWN:
            seat = state.order[0]
            if state.pockets[seat] is None:
                return rules.Reveal(seat, tuple(map(rules.Die, hands.POCKET_SLOTS)))
            return rules.Choose(seat, purpose="best-hand")
        if stage is holdem.Stage.PAY:
            winner = hands.main_pot_winner(state)
            return rules.Choose(hands.seat_or_next_present(state, winner), purpose="pot")
        if stage is holdem.Stage.OVER:
            return None
        if state.due:
            return _community_throw(state)
        roll = _ROLL_BY_STAGE.get(stage, 0)
        return rules.Choose(state.betting.queue[0], roll, len(_ROLL_BY_STAGE), stage.value)

    def choices(self, state: State) -> Sequence[Act | holdem.Declare | holdem.TakePot]:
        """The choices of the seat that is asked, the bets in ascending order and `Fold` last."""
        if state.stage in holdem.BETTING_STAGES:
            return betting.legal_acts(state)
        if state.stage is holdem.Stage.SHOWDOWN:
            made = hands.best_hand(state, state.order[0])
            return (holdem.Declare(made[0].rank),) if made else ()
        return (holdem.TakePot(),) if state.stage is holdem.Stage.PAY else ()

    def preview(self, state: State, choice: rules.Choice) -> rules.Points | None:
        """How much the chips of the seat that is asked grow (less than 0 for a bet), and why."""
        return chips_gained(state, self._check_choice(state, choice))

    def asks_again(self, state: State, choice: rules.Choice) -> bool:
        """Whether people are asked twice: about leaving the hand."""
        return isinstance(choice, holdem.Fold) or super().asks_again(state, choice)

    def apply(self, state: State, event: rules.Event) -> State:
        """The state after an event."""
        if isinstance(event, rules.Rolled):
            return self._apply_rolled(state, event)
        if isinstance(event, rules.Shown):
            return self._apply_shown(state, event)
        if isinstance(event, rules.Corrected | rules.Recoloured):
            return self._apply_corrected(state, event)
        if isinstance(event, rules.Left):
            return hands.remove_player(state, event)
        choice = self._check_choice(state, event)
        if isinstance(choice, holdem.Declare):
            return hands.declare_hand(state)
        if isinstance(choice, holdem.TakePot):
            return hands.pay_out(state)
        return hands.advance_hand(betting.apply_act(state, choice))

    def _check_choice(
        self, state: State, event: rules.Event
    ) -> Act | holdem.Declare | holdem.TakePot:
        """The legal choice that an event stands for."""
        for choice in self.choices(state):
            if is_exactly(event, choice):
                return choice
        raise self._refusal(state, event)

    def _apply_rolled(self, state: State, event: rules.Rolled) -> State:
        faces = event.faces
        if (
            state.stage is not holdem.Stage.ROLL_OFF
            or len(faces) != 1
            or not is_numbered_face(faces[0])
        ):
            raise self._refusal(state, event)
        return _with_roll_off(state, (*state.roll_off, int(faces[0])))

    def _apply_shown(self, state: State, event: rules.Shown) -> State:
        now = self.ask(state)
        dice = event.dice
        if not isinstance(now, rules.Throw | rules.Reveal) or state.stage is holdem.Stage.ROLL_OFF:
            raise self._refusal(state, event)
        if len(dice) != len(now.dice) or not all(map(is_bag_die, dice)):
            raise self._refusal(state, event)
        if isinstance(now, rules.Reveal):
            after = hands.show_pocket(state, now.seat, (dice[0], dice[1]))
        else:
            colours = sorted(die.kind for die in now.dice)
            if now.purpose == "flop-again" and sorted(die.kind for die in dice) != colours:
                raise self._refusal(state, event)
            after = hands.add_community_dice(state, tuple(dice))
        return hands.checked_by_bag(after)

    def _apply_corrected(self, state: State, event: rules.Corrected | rules.Recoloured) -> State:
        if isinstance(event, rules.Corrected) and _roll_off_stands(state):
            if type(event.slot) is not int or event.slot or not is_numbered_face(event.face):
                raise rules.IllegalEvent(f"expected slot 0 and a face from 1 to 6, got {event!r}")
            return _with_roll_off(_before_roll_off(state), (*state.roll_off[:-1], int(event.face)))
        if state.stage is holdem.Stage.OVER:
            raise self._refusal(state, event)
        return hands.correct_die(state, event)

    def aside(self, state: State) -> Mapping[int, rules.Face]:
        """The die of the roll-off's last throw, or those of a Flop that is to be thrown again."""
        if _roll_off_stands(state):
            return dict(enumerate(state.roll_off[-1:]))
        open_now = dict(enumerate(self.dice(state)))
        return {
            slot: die.face for slot, die in enumerate(state.community) if open_now[slot] is None
        }

    def _refusal(self, state: State, event: rules.Event) -> rules.IllegalEvent:
        """The error for an event that is not legal now."""
        now = self.ask(state)
        what = "faces from 1 to 6" if state.stage is holdem.Stage.ROLL_OFF else "dice with colours"
        if isinstance(now, rules.Throw) and now.purpose == "flop-again":
            what = f"dice ({', '.join(die.kind for die in now.dice)})"
        count = len(now.dice) if isinstance(now, rules.Throw | rules.Reveal) else 0
        keys = ", ".join(choice.key for choice in self.choices(state))
        return refusal(state.players, now, event, thrown=f"{count} {what}, shown", chosen=keys)

    def scores(self, state: State) -> tuple[int, ...]:
        """The chips in front of each seat; those in the pots belong to nobody yet."""
        return tuple(seat.chips for seat in state.seats)

    def outcome(self, state: State) -> rules.Outcome | None:
        """The chips of all seats and who won: the last one left, or those with a five flush."""
        if state.stage is not holdem.Stage.OVER:
            return None
        last = len(state.won) == 1
        flush = hands.game_winners(state)
        reason = Rank.FIVE_FLUSH.word if flush else "last-one-in" if last else ""
        return rules.Outcome(self.scores(state), state.won, reason)

    def turn(self, state: State) -> int:
        """The number of the hand, from 1; 0 during the roll-off."""
        return state.hand

    def dice(self, state: State) -> tuple[rules.Face | None, ...]:
        """The dice on the table by slot."""
        return hands.dice(state)

    def held(self, state: State) -> tuple[int, ...]:
        """The slots that stay when dice are thrown."""
        return hands.held(state)

    def kinds(self, state: State) -> tuple[rules.DieKind | None, ...]:
        """The colours of the dice on the table by slot."""
        return hands.kinds(state)

    def unseen(self, state: State) -> Sequence[rules.DieKind]:
        """The colours that the dice asked for may have."""
        return hands.unseen(state)

    def sheet(self, state: State, seat: int) -> SheetView:
        """The sheet of a seat."""
        return view.sheet(state, seat)

    def table_view(self, state: State) -> TableView:
        """The things on the table for all to see."""
        return view.table_view(state)

    def bets(self, state: State) -> BetsView:
        """The bets and the dice that lie open."""
        return view.bets(state)

    def hidden_dice(self, seed: str, state: State, seat: int) -> holdem.Pocket:
        """The pocket dice of a computer."""
        return hands.computer_pocket(seed, state, seat)

    def name_hand(self, words: Sequence[str]) -> NamedHand | None:
        """The best hand of some dice."""
        return name_hand(words)

    def describe(self, state: State) -> Sequence[str]:
        """Lines of plain text that show how the game stands."""
        return view.describe(state)


GAME = Holdem(
    name="holdem",
    edition="2004",
    title="Hold'em",
    min_players=MIN_PLAYERS,
    max_players=MAX_PLAYERS,
    options=_OPTIONS,
    option_words={
        "stack": rules.OptionWords("chips-each"),
        "dealer": rules.OptionWords("who-deals", seat=True),
        "flop_again": rules.OptionWords("flop-again"),
    },
    dice_kinds=BAG,
    dice_keys=(
        ("die", holdem.COMMUNITY_DICE),
        ("pocket", holdem.POCKET_DICE),
    ),
    rarest=("five-alike", "five-flush"),
    verbs=VERBS,
    example=(
        "r5 b5 w5 y5 r6 r1 b2: five to seven dice with their colours, red, black, white or yellow; "
        "names the best hand"
    ),
    position_codec=position.CODEC,
    wording=WORDING,
    solver="games.strategy.holdem:HoldemSolver",
)
