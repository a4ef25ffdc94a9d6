"""Prompts about what the appliance cannot make out, and about what contradicts the game."""

from dataclasses import dataclass

from appliance.rules.game import Face
from appliance.table.prompts.prompt import Prompt
from appliance.table.prompts.turn import Dice
from appliance.table.session.matching import Why
from vision.reading import DieState


@dataclass(frozen=True, slots=True)
class FacePrompt(Prompt):
    """Asks which face a die shows: LEFT and RIGHT change it, OK accepts, or it is thrown again.

    Attributes:
        name: the die, as the board calls it.
        index: its position in `dice`.
        face: the one proposed; None where nobody has proposed one.
        state: how it was read; None when a die on record is being corrected.
        dice: the other dice of the throw; None for those not known yet.
        aside: whether it lies outside the tray.
        turned: the face on record, if the die was turned by mistake; otherwise None.
    """

    name: str
    index: int
    face: Face | None
    state: DieState | None
    dice: Dice
    aside: bool = False
    turned: Face | None = None


@dataclass(frozen=True, slots=True)
class EntryPrompt(Prompt):
    """A throw that the camera cannot see is being entered.

    `dice` are those thrown, and those kept if there is room, None for one without a face yet;
    `index` says which of them is marked, and `name` what the board calls it.
    """

    player: str
    name: str
    dice: Dice
    index: int


@dataclass(frozen=True, slots=True)
class CountPrompt(Prompt):
    """Says that the number of dice in the tray is wrong, and which are missing if that is known.

    `again`: it was as wrong before they were thrown again.
    """

    player: str
    seen: int
    expected: int
    missing: tuple[str, ...] = ()
    again: bool = False


@dataclass(frozen=True, slots=True)
class ClashPrompt(Prompt):
    """Says that a throw contradicts the holds; OK counts it as it lies, BACK does not.

    If more dice must be thrown before anything counts, there is no way back (`back`). `idle`: only
    held dice were moved or turned. `was` is what the die showed before, `now` what it shows, None
    if that is not known. `again`: throwing again has not helped.
    """

    slot: int
    why: Why
    name: str = ""
    back: bool = True
    idle: bool = False
    was: Face | None = None
    now: Face | None = None
    again: bool = False
