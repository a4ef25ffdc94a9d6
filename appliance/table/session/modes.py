"""The modes of a session: what the players are doing with it."""

from dataclasses import dataclass

from appliance.table.session.matching import Answer, Clash, Miscount
from games.values import DieKind, Face, Hint, Slot


@dataclass(frozen=True, slots=True)
class Playing:
    """Nothing special: the game waits for a throw or a decision, the board shows the dice."""


@dataclass(frozen=True, slots=True)
class Browsing:
    """The player looks through the choices, in the order of `listed_choices`.

    With `confirm`, the board asks whether a score of zero, or folding, is really meant. Behind the
    entries of the list, one for each box or card, is one more that opens the choices which score
    `less` in the same boxes; it has the index of the first of those.
    """

    index: int
    confirm: bool = False
    less: bool = False


@dataclass(frozen=True, slots=True)
class EnteringFace:
    """A die was not read with certainty; the players enter its value or throw it again.

    `answer` is the throw that it belongs to, None when a die of the roll on the table is being
    corrected; `faces` are those entered or read so far, by slot, and `face` is the one proposed,
    None where nobody has proposed one yet.
    """

    answer: Answer | None
    faces: tuple[tuple[Slot, Face], ...]
    slot: Slot
    face: Face | None


@dataclass(frozen=True, slots=True)
class EnteringColour:
    """The colour of a die is in doubt, or impossible; the players enter it.

    Attributes:
        answer: the throw waiting for it; None when a die on the table is being corrected.
        faces: the faces of that throw by slot; when correcting a die, its face alone.
        kinds: colours entered by the players so far, by slot.
        slot: the die asked about; it may be one that lay on the table before the throw.
        kind: the colour proposed; None where nobody has proposed one yet.
    """

    answer: Answer | None
    faces: tuple[tuple[Slot, Face], ...]
    kinds: tuple[tuple[Slot, DieKind], ...]
    slot: Slot
    kind: DieKind | None


@dataclass(frozen=True, slots=True)
class EnteringThrow:
    """The players enter a throw that the camera cannot see, or cannot tell from other dice.

    `faces` are those so far by slot, None for a die without one yet; LEFT and RIGHT change that of
    `slot`. The dice in the slots `kept` were not thrown. If the dice are in `sight`, only too many
    of them, another throw takes the place of the one being entered.
    """

    kept: tuple[Slot, ...]
    faces: tuple[tuple[Slot, Face | None], ...]
    slot: Slot
    sight: bool = False


@dataclass(frozen=True, slots=True)
class Turned:
    """A die of the roll on the table was turned by mistake; the players turn it back or enter it.

    `face` is what the players propose, at first the one on record.
    """

    slot: Slot
    face: Face


@dataclass(frozen=True, slots=True)
class Miscounted:
    """The number of dice in the tray is wrong; `again`: as it was before they were thrown again."""

    miscount: Miscount
    again: bool = False


@dataclass(frozen=True, slots=True)
class Clashing:
    """The throw contradicts the holds: the players decide.

    `again`: dice were thrown again, and the same is odd about the same die.
    """

    clash: Clash
    again: bool = False


@dataclass(frozen=True, slots=True)
class Undoing:
    """The board shows what would be taken back: `steps` choices from the end.

    With 0 steps, it shows what the last undo took back, and would put that back.
    """

    steps: int = 1


@dataclass(frozen=True, slots=True)
class ViewingSheet:
    """The players look at the scores: which seat, which row is on top."""

    seat: int
    row: int = 0


@dataclass(frozen=True, slots=True)
class LookingOver:
    """The player asked looks over the own boxes, or the table; `at` is the one told in words.

    None tells none; what follows are the places in the order in which LEFT and RIGHT walk before a
    throw. After one they walk on through the list of choices.
    """

    at: int | None = None


@dataclass(frozen=True, slots=True)
class Hinting:
    """The players asked for a hint, or what the game is waiting for; they then return to `back`.

    The hint is None until a solver provides one, if no decision is due, and if the solver was asked
    (`answered`) and had none. Of a hint with odds, `row` is looked at, or all if None.
    """

    back: "Mode"
    hint: Hint | None = None
    answered: bool = False
    row: int | None = None


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
    | LookingOver
    | Hinting
)


def mode_behind_hint(mode: Mode) -> Mode:
    """The mode behind a hint, else the mode itself."""
    return mode.back if isinstance(mode, Hinting) else mode


ThrowInDoubt = EnteringFace | EnteringColour | Miscounted | Clashing
"""The modes in which a throw may be waiting for an answer."""

Asking = ThrowInDoubt | Turned
"""The modes that ask about the dice in the tray."""

Answerable = Asking | EnteringThrow | Browsing | Undoing
"""The modes in which an answer makes something count, or takes back what did."""
