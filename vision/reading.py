"""Readings: values with their doubt. See `docs/house.md`."""

from dataclasses import dataclass
from enum import StrEnum

from vision.errors import TooManySpots

Face = int | str
"""1 to 6 for a numbered die; one of `POWER_FACES` for the Power die."""

NUMBERS: tuple[int, ...] = (1, 2, 3, 4, 5, 6)
POWER_FACES: tuple[str, ...] = ("1", "2", "3", "double", "freeze", "power")


class Kind(StrEnum):
    """Which die it is, by its body and pips."""

    BLACK = "black"
    RED = "red"
    WHITE = "white"
    YELLOW = "yellow"
    POWER = "power"
    OTHER = "other"

    @property
    def faces(self) -> tuple[Face, ...]:
        """All that such a die may show; an unknown one may be the Power die, too."""
        if self is Kind.POWER:
            return POWER_FACES
        return (*NUMBERS, *POWER_FACES) if self is Kind.OTHER else NUMBERS


class DieState(StrEnum):
    """The state of a die, which decides if its value may be used."""

    OK = "ok"
    UNSURE = "unsure"
    LEANING = "leaning"
    STACKED = "stacked"
    COVERED = "covered"


class TrayState(StrEnum):
    """The state of the tray as a whole."""

    EMPTY = "empty"
    MOVING = "moving"
    """Something moves, which may be a hand that is coming or has just gone."""
    ROLLING = "rolling"
    """Dice were seen to roll, and have not come to rest."""
    HAND = "hand"
    STILL = "still"

    @property
    def moves(self) -> bool:
        """True while something moves that was not told to be a hand."""
        return self in (TrayState.MOVING, TrayState.ROLLING)

    @property
    def is_busy(self) -> bool:
        """True while dice or a hand move in it."""
        return self.moves or self is TrayState.HAND


@dataclass(frozen=True, slots=True)
class Candidate:
    """A face that a die may show, with its probability (0 to 1)."""

    value: Face
    probability: float


@dataclass(frozen=True, slots=True)
class DieReading:
    """One die as seen in one picture.

    Attributes:
        kind: the kind of die.
        value: the face read, or None where not even a guess makes sense.
        state: only `DieState.OK` is a claim; anything else must be asked about.
        candidates: faces that it may show, most probable first.
        confidence: probability (0 to 1) that the value is right.
        center: middle of the top face, pixels of the picture read.
        outline: corners of the top face, pixels, clockwise.
        mm: middle of the top face on the tray in millimetres, with a profile; else None.
        aside: whether it lies beside the tray's floor, as in a holder; needs a profile.
        held: whether it stands in the holders, or in one that nobody has shown; then not aside.
    """

    kind: Kind
    value: Face | None
    state: DieState
    candidates: tuple[Candidate, ...]
    confidence: float
    center: tuple[float, float]
    outline: tuple[tuple[float, float], ...]
    mm: tuple[float, float] | None = None
    aside: bool = False
    held: bool = False

    @property
    def sure(self) -> bool:
        """True if the value is claimed."""
        return self.state is DieState.OK and self.value is not None

    @property
    def faceless(self) -> bool:
        """True if it lies plainly, and shows a symbol whose meaning nobody has shown."""
        return self.state is DieState.UNSURE and self.value is None


@dataclass(frozen=True, slots=True)
class TrayReading:
    """All dice of one picture.

    Attributes:
        tray: what the tray is like.
        dice: ordered left to right.
        crowded: whether more in view may be dice than could be looked at, as on a carpet: only the
            most prominent places were, so some dice may be missing.
    """

    tray: TrayState
    dice: tuple[DieReading, ...]
    crowded: bool = False

    def unless_crowded(self) -> "TrayReading":
        """This reading, as long as it says something.

        Raises:
            TooManySpots: more in view may be dice than could be looked at, and none is sure.
        """
        if self.crowded and not any(die.sure for die in self.dice):
            raise TooManySpots
        return self
