"""The parts of a game of Hold'em: stages, seats, the choices and the state."""

from dataclasses import dataclass
from enum import StrEnum

from games.holdem.evaluator import Rank
from games.seats import Seated
from games.values import Choice, ShownDie

MIN_PLAYERS = 2
MAX_PLAYERS = 6
POCKET_DICE = 2
"""How many dice each player hides under the cup."""
COMMUNITY_DICE = 5
"""How many dice are thrown for all; their slots are 0 to 4, a shown pocket's 5 and 6."""


class Stage(StrEnum):
    """Where a hand stands."""

    ROLL_OFF = "roll-off"
    OPEN = "open"
    FLOP = "flop"
    TURN = "turn"
    RIVER = "river"
    SHOWDOWN = "showdown"
    PAY = "pay"
    OVER = "over"


BETTING_STAGES = (Stage.OPEN, Stage.FLOP, Stage.TURN, Stage.RIVER)
"""The stages with a round of betting, in order."""
COMMUNITY_BY_STAGE = {Stage.OPEN: 0, Stage.FLOP: 3, Stage.TURN: 4, Stage.RIVER: 5}
"""How many community dice lie on the table in each of them."""


@dataclass(frozen=True, slots=True)
class Seat:
    """The chips in front of one player, and those bet in this hand.

    Attributes:
        chips: the chips that are not in a pot; 0 for one who is all-in or out of the game.
        paid: the chips put into the pots in this hand.
        bet: those of them that were put in during this round of betting.
        live: whether the player holds dice in this hand and has not folded.
    """

    chips: int
    paid: int = 0
    bet: int = 0
    live: bool = False

    @property
    def active(self) -> bool:
        """True if the player can still bet in this hand."""
        return self.live and self.chips > 0


@dataclass(frozen=True, slots=True)
class Betting:
    """A round of betting.

    Attributes:
        queue: the seats that are still to speak, in order; empty when the round is over.
        high: what each must have put in during the round to stay in.
        raises: how many raises there were.
        checked: whether somebody has checked.
    """

    queue: tuple[int, ...] = ()
    high: int = 0
    raises: int = 0
    checked: bool = False


Pocket = tuple[ShownDie, ShownDie]


@dataclass(frozen=True, slots=True)
class State(Seated):
    """A game of Hold'em between two events. Hidden dice are in no state before they are shown.

    Attributes:
        seats: chips and bets by seat.
        again: how often the Flop may be thrown again in a hand; None for no limit.
        stage: where the hand stands.
        hand: the number of the hand, from 1; 0 during the roll-off.
        dealer: the seat that deals or, during the roll-off, throws next.
        betting: the round of betting; an empty one between rounds.
        community: the dice thrown for all, by slot.
        due: how many community dice must be thrown now, the last of the stage; 0 when none.
        thrown: how often the Flop was thrown.
        pockets: the pocket dice that were shown, by seat; None for those not shown.
        order: the seats that are still to show and declare, in order, at the showdown.
        roll_off: the throws of the roll-off in order.
        won: who won at the end of the game.
    """

    seats: tuple[Seat, ...]
    again: int | None = None
    stage: Stage = Stage.ROLL_OFF
    hand: int = 0
    dealer: int = 0
    betting: Betting = Betting()
    community: tuple[ShownDie, ...] = ()
    due: int = 0
    thrown: int = 0
    pockets: tuple[Pocket | None, ...] = ()
    order: tuple[int, ...] = ()
    roll_off: tuple[int, ...] = ()
    won: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Check(Choice):
    """Stay in without a bet, while there is none."""


@dataclass(frozen=True, slots=True)
class _WithChips:
    chips: int

    @property
    def key(self) -> str:
        """Names the chips."""
        return f"{type(self).__name__.lower()} {self.chips}"


@dataclass(frozen=True, slots=True)
class Bet(_WithChips, Choice):
    """Put in the first chips of a round."""


@dataclass(frozen=True, slots=True)
class Call(_WithChips, Choice):
    """Match the bet with this many more chips."""


@dataclass(frozen=True, slots=True)
class Raise(_WithChips, Choice):
    """Call, and put in this many chips beyond it."""


@dataclass(frozen=True, slots=True)
class AllIn(Choice):
    """Put in all the chips that are left, fewer than a call needs."""


@dataclass(frozen=True, slots=True)
class Fold(Choice):
    """Leave the hand; what was put in stays."""


@dataclass(frozen=True, slots=True)
class Declare(Choice):
    """Name the best hand that the dice make."""

    rank: Rank

    @property
    def key(self) -> str:
        """The hand."""
        return Rank(self.rank).word


@dataclass(frozen=True, slots=True)
class TakePot(Choice):
    """End the hand: the pots go to those who won them."""
