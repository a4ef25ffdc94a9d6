"""What the board may have to say: a prompt is a value that the screens draw.

In all of them `player` is whose turn it is, `dice` are faces by slot, `tray` is what is going on in
the tray, `table` what lies on the table for everyone (None: nothing), `index` a position in a list.
"""

from dataclasses import dataclass

from appliance.rules.game import DieKind, Face, Points
from appliance.table.session.hinting import HintPrompt, WaitPrompt
from appliance.table.session.holdem_prompts import BetPrompt, HoldemPrompt
from appliance.table.session.matching import Why
from appliance.table.session.session import Scored
from appliance.table.session.sheets import MapPrompt as MapPrompt
from appliance.table.session.sheets import PlacePrompt as PlacePrompt
from appliance.table.session.sheets import SheetPrompt as SheetPrompt
from appliance.table.session.sheets import Spot as Spot
from appliance.table.session.sheets import TableSpots as TableSpots
from vision.reading import DieState, TrayState

Dice = tuple[Face | None, ...]

MAX_DICE_SIDE_BY_SIDE = 6
"""How many dice the board shows side by side."""


@dataclass(frozen=True, slots=True)
class ThrowPrompt:
    """Waits for a throw.

    Attributes:
        roll: which roll of the turn is next, from 1.
        rolls: how many rolls the turn may have.
        slots: the dice to throw, by slot.
        kind: their kind, if they are all of the same one.
        dice: the dice already on the table; None for those to be thrown.
        take: dice of an earlier turn still lie in the tray.
        scored: the result of the previous turn, while it is news.
        odd: the kind of the last die, if it alone differs from the others.
        blind: the camera cannot see the tray; OK lets the players enter the throw.
    """

    player: str
    roll: int
    rolls: int
    purpose: str
    slots: tuple[int, ...]
    kind: DieKind | None
    dice: Dice
    tray: TrayState
    take: bool
    scored: Scored | None = None
    scorer: str = ""
    table: TableSpots | None = None
    odd: DieKind | None = None
    blind: bool = False


@dataclass(frozen=True, slots=True)
class DicePrompt:
    """Shows the dice and waits for holds, another throw, or OK for the choices.

    Attributes:
        roll: which roll lies on the table.
        rolls: how many rolls the turn may have.
        held: slots held by buttons.
        may_roll: whether another throw is allowed.
        remark: a short remark on the last press or throw.
        blind: the camera cannot see the tray; RIGHT lets the players enter another throw.
        decided: whether a computer has decided which dice to hold; None for a person.
    """

    player: str
    roll: int
    rolls: int
    dice: Dice
    held: tuple[int, ...]
    purpose: str
    may_roll: bool
    tray: TrayState
    remark: str = ""
    table: TableSpots | None = None
    blind: bool = False
    decided: bool | None = None


@dataclass(frozen=True, slots=True)
class ThinkingPrompt:
    """A computer player is about to decide, or to show its dice.

    In a round of betting, `bet` is what a person would be shown.
    """

    player: str
    bet: BetPrompt | None = None


@dataclass(frozen=True, slots=True)
class ChoicePrompt:
    """Shows one choice of the list and waits for OK, LEFT, RIGHT or BACK.

    Attributes:
        points: what it scores, and why.
        dice: the dice it concerns; empty if there are none.
        confirm: whether OK was pressed for a zero and must be pressed again.
    """

    player: str
    label: str
    points: Points
    index: int
    count: int
    dice: Dice
    confirm: bool = False
    table: TableSpots | None = None
    purpose: str = ""


@dataclass(frozen=True, slots=True)
class FacePrompt:
    """Asks which face a die shows: LEFT and RIGHT change it, OK accepts, or it is thrown again.

    Attributes:
        name: the die, as the board calls it.
        index: its position in `dice`.
        state: how it was read; None when a die on record is being corrected.
        dice: the other dice of the throw; None for those not known yet.
        aside: whether it lies outside the tray.
        turned: the face on record, if the die was turned by mistake; otherwise None.
    """

    name: str
    index: int
    face: Face
    state: DieState | None
    dice: Dice
    aside: bool = False
    turned: Face | None = None


@dataclass(frozen=True, slots=True)
class EntryPrompt:
    """A throw that the camera cannot see is being entered.

    `dice` are those thrown, and those kept if there is room, None for one without a face yet;
    `index` says which of them is marked, and `name` what the board calls it.
    """

    player: str
    name: str
    dice: Dice
    index: int


@dataclass(frozen=True, slots=True)
class CountPrompt:
    """Says that the number of dice in the tray is wrong, and which are missing if that is known."""

    player: str
    seen: int
    expected: int
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ClashPrompt:
    """Says that a throw contradicts the holds; OK counts it as it lies, BACK does not.

    If more dice must be thrown before anything counts, there is no way back (`back`).
    """

    slot: int
    why: Why
    name: str = ""
    back: bool = True


@dataclass(frozen=True, slots=True)
class UndoPrompt:
    """Shows what would be taken back."""

    label: str
    steps: int


@dataclass(frozen=True, slots=True)
class OverPrompt:
    """The game is over: who won, and all totals, best first."""

    winners: tuple[str, ...]
    totals: tuple[tuple[str, int], ...]


Prompt = (
    ThrowPrompt
    | DicePrompt
    | ThinkingPrompt
    | ChoicePrompt
    | FacePrompt
    | EntryPrompt
    | CountPrompt
    | ClashPrompt
    | UndoPrompt
    | SheetPrompt
    | MapPrompt
    | PlacePrompt
    | OverPrompt
    | HoldemPrompt
    | HintPrompt
    | WaitPrompt
)
