"""What the players are doing with a session: its modes."""

from dataclasses import dataclass

from appliance.rules.game import DieKind, Face, Hint
from appliance.table.session.matching import Answer, Clash, Miscount


@dataclass(frozen=True, slots=True)
class Playing:
    """Nothing special: the game waits for a throw or a decision, the board shows the dice."""


@dataclass(frozen=True, slots=True)
class Browsing:
    """The player looks through the choices.

    Attributes:
        index: the choice shown, in the order of `ranked_choices`.
        confirm: the board asks whether a score of zero is really meant.
    """

    index: int
    confirm: bool = False


@dataclass(frozen=True, slots=True)
class EnteringFace:
    """A die was not read for sure; the players enter its value or throw it again.

    Attributes:
        answer: the throw that it belongs to; None when a die of the roll on the table is put right.
        faces: faces entered or read so far, by slot.
        slot: the die asked about.
        face: the face shown as the proposal.
    """

    answer: Answer | None
    faces: tuple[tuple[int, Face], ...]
    slot: int
    face: Face


@dataclass(frozen=True, slots=True)
class EnteringColour:
    """The colour of a die is in doubt, or cannot be; the players enter it.

    Attributes:
        answer: the throw that it waits for; None when a die on the table is put right.
        faces: the faces of that throw by slot; of the die that is put right, its face alone.
        kinds: colours entered by the players so far, by slot.
        slot: the die asked about; it may be one that lay on the table before the throw.
        kind: the colour shown as the proposal.
    """

    answer: Answer | None
    faces: tuple[tuple[int, Face], ...]
    kinds: tuple[tuple[int, DieKind], ...]
    slot: int
    kind: DieKind


@dataclass(frozen=True, slots=True)
class EnteringThrow:
    """The players enter a throw that the camera cannot see.

    Attributes:
        kept: the slots of the dice that were not thrown.
        faces: what was entered so far, by slot; None for a die that has no face yet.
        slot: the die that LEFT and RIGHT change.
    """

    kept: tuple[int, ...]
    faces: tuple[tuple[int, Face | None], ...]
    slot: int


@dataclass(frozen=True, slots=True)
class Turned:
    """A die of the roll on the table was turned by mistake; it is turned back, or entered.

    Attributes:
        slot: which die.
        face: the face that the players propose; at first the one on record.
    """

    slot: int
    face: Face


@dataclass(frozen=True, slots=True)
class Miscounted:
    """The number of dice in the tray is wrong."""

    miscount: Miscount


@dataclass(frozen=True, slots=True)
class Clashing:
    """The throw contradicts the holds: the players decide."""

    clash: Clash


@dataclass(frozen=True, slots=True)
class Undoing:
    """The board shows what would be taken back: `steps` choices from the end."""

    steps: int = 1


@dataclass(frozen=True, slots=True)
class ViewingSheet:
    """The players look at the scores: which seat, which row is on top."""

    seat: int
    row: int = 0


@dataclass(frozen=True, slots=True)
class Hinting:
    """The players asked for a hint, or for what is waited for.

    Attributes:
        back: what they were doing before.
        hint: the answer of a solver; None until it is there, and where no decision is due.
        answered: whether the solver was asked and knew nothing.
    """

    back: "Mode"
    hint: Hint | None = None
    answered: bool = False


Mode = (
    Playing
    | Browsing
    | EnteringFace
    | EnteringColour
    | EnteringThrow
    | Turned
    | Miscounted
    | Clashing
    | Undoing
    | ViewingSheet
    | Hinting
)
