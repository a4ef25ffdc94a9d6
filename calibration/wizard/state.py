"""What the wizard knows, what comes in, and what it asks of whoever has pictures and a disk."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from calibration.accuracy import Check
from calibration.calibration import Calibration
from calibration.problems import Problem, Verdict
from calibration.wizard.stages import DICE_SETS, DiceSet, WizardStage, WizardStep
from vision.reading import POWER_FACES, Face, Kind

USUAL_RIM_MM = 22.0
RIM_MM = (5.0, 60.0)
RIM_STEP_MM = 0.5
"""Heights of the rim that can be entered, and what LEFT and RIGHT change, millimetres."""
USUAL_FLOOR_MM = (216.0, 152.0)
FLOOR_MM = (60.0, 600.0)
FLOOR_STEP_MM = 1.0
"""Sides of the floor that can be entered, and what LEFT and RIGHT change, millimetres."""
LONG_STEPS = 10
"""So many steps LEFT and RIGHT go when they are held down."""


class Key(StrEnum):
    """The buttons that mean something here."""

    OK = "ok"
    BACK = "back"
    LEFT = "left"
    RIGHT = "right"
    HOLD = "hold"


@dataclass(frozen=True, slots=True)
class Press:
    """A button was pressed, or held down; `slot` says which of the hold buttons, from 0."""

    key: Key
    slot: int = 0
    long: bool = False


@dataclass(frozen=True, slots=True)
class Seen:
    """What the last frames show.

    Attributes:
        stage: what was asked for when they were measured; later it means nothing.
        verdict: whether that is good enough.
        found: how many of the things asked for were seen.
        outline: corners of the tray where it was found by its rim, shares of the picture's width
            and height.
        off_mm: by how much places may be wrong where it was found so; None where it was not.
        shines: whether a lamp may hide what a darker picture would show.
    """

    stage: WizardStage
    verdict: Verdict
    found: int = 0
    outline: tuple[tuple[float, float], ...] = ()
    off_mm: float | None = None
    shines: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Took:
    """What was asked for was measured with all care; `draft` knows it too."""

    stage: WizardStage
    draft: Calibration


@dataclass(frozen=True, slots=True)
class Refused:
    """It was measured and is not good enough after all."""

    stage: WizardStage
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Locked:
    """What the camera was locked to, by the names of its controls."""

    controls: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class SeenDie:
    """A die of a throw as it was read; `sure` if its value was claimed."""

    kind: Kind
    value: Face | None
    sure: bool

    @property
    def faces(self) -> tuple[Face, ...]:
        """All that it may show."""
        return POWER_FACES if self.kind is Kind.POWER else (1, 2, 3, 4, 5, 6)


@dataclass(frozen=True, slots=True)
class Rested:
    """A throw came to rest; at most `MOST_DICE` can be shown and checked."""

    dice: tuple[SeenDie, ...]


@dataclass(frozen=True, slots=True)
class NotStored:
    """The profile could not be written."""


Event = Press | Seen | Took | Refused | Locked | Rested | NotStored

MOST_DICE = 7

MOST_OFF_MM = 0.5
"""What is promised of places on the tops of dice, anywhere in the tray."""


@dataclass(frozen=True, slots=True)
class Unlock:
    """The camera shall adjust itself."""


@dataclass(frozen=True, slots=True)
class Lock:
    """The camera shall stay as it is now; to be answered by `Locked`, where it can."""


@dataclass(frozen=True, slots=True)
class TakePictures:
    """Measure with all care; to be answered by `Took` or `Refused`."""

    stage: WizardStage


@dataclass(frozen=True, slots=True, eq=False)
class Store:
    """Keep this; to be answered by `NotStored` if that fails."""

    calibration: Calibration


@dataclass(frozen=True, slots=True)
class Restore:
    """Nothing was made: the camera shall be as it was before."""


Request = Unlock | Lock | TakePictures | Store | Restore


@dataclass(frozen=True, slots=True)
class CheckedThrow:
    """A throw to be checked.

    Attributes:
        dice: as read.
        faces: what they show, as far as is known.
        chosen: which of them is being put right.
    """

    dice: tuple[SeenDie, ...]
    faces: tuple[Face | None, ...]
    chosen: int | None = None

    @property
    def claimed_and_wrong(self) -> tuple[int, int]:
        """How many dice were claimed, and how many of them wrongly.

        Of two dice one above the other either may seem to lie further left, so two whose values
        somebody changed for each other's were read rightly.
        """
        claimed = [(d, t) for d, t in zip(self.dice, self.faces, strict=True) if d.sure]
        off = [(die.kind, die.value, face) for die, face in claimed if die.value != face]
        read = Counter((kind, value) for kind, value, _ in off)
        return len(claimed), (read - Counter((kind, face) for kind, _, face in off)).total()


@dataclass(frozen=True, slots=True, eq=False)
class Wizard:
    """Everything the wizard knows.

    Attributes:
        stage: what is asked for.
        draft: what was found out so far; None before there is a tray.
        behind: the wizard as it was at each stage before, without what lay behind it then.
        seen: what the last frames show; None before the first measurement.
        refusal: why the last OK was not taken; None if it was, or was not pressed.
        waiting: whether a measurement was asked for.
        dice_set: index in `DICE_SETS`.
        rim_mm: height of the rim as entered, millimetres.
        warned: whether it was said that places may be wrong by more than they should.
        given: the tray as somebody gave it by its corners; then no markers are looked for.
        floor_mm: width and depth of the floor as entered, now or for the profile before; None
            where nobody has entered them.
        by_rim: whether the tray is to be found by its rim; else by its markers.
        controls: what the camera was locked to.
        throw: the throw to be checked.
        throws: how many were checked.
        check: what they said.
        ended: whether it is over.
        requests: what is to be done, oldest first.
    """

    stage: WizardStage = field(default_factory=lambda: WizardStage(WizardStep.LIGHT))
    draft: Calibration | None = None
    behind: tuple["Wizard", ...] = ()
    seen: Seen | None = None
    refusal: Verdict | None = None
    waiting: bool = False
    dice_set: int = 0
    rim_mm: float = USUAL_RIM_MM
    warned: bool = False
    given: Calibration | None = None
    floor_mm: tuple[float, float] | None = None
    by_rim: bool = False
    controls: Mapping[str, float] = field(default_factory=dict)
    throw: CheckedThrow | None = None
    throws: int = 0
    check: Check = field(default_factory=Check)
    ended: bool = False
    requests: tuple[Request, ...] = ()

    @property
    def floor(self) -> tuple[float, float]:
        """Width and depth of the floor as entered, or as trays usually are, millimetres."""
        return self.floor_mm or USUAL_FLOOR_MM

    @property
    def no_markers(self) -> bool:
        """Whether markers are looked for and none is seen: the rim may do instead."""
        looked = self.stage.step is WizardStep.TRAY and not self.by_rim and self.given is None
        problem = None if self.seen is None else self.seen.verdict.problem
        return looked and problem is Problem.NO_MARKERS

    @property
    def dice(self) -> DiceSet:
        """The dice that are shown."""
        return DICE_SETS[self.dice_set]

    @property
    def verdict(self) -> Verdict | None:
        """What is to be said of the set-up now: a refusal, else what the last frames show."""
        return self.refusal or (self.seen.verdict if self.seen else None)


NOT_STORED = Verdict(0.0, Problem.NOT_SAVED, "the profile cannot be written; is the disk full?")


def roughly(calibration: Calibration) -> Verdict | None:
    """What is to be said where places may be wrong by more than they should; None if not."""
    off = calibration.off_mm
    if off is None or off <= MOST_OFF_MM:
        return None
    return Verdict(
        0.5,
        Problem.ROUGH,
        f"places may be wrong by {off:.1f} mm, expected at most {MOST_OFF_MM} mm; lay the printed "
        "board into the tray, or measure the rim to a quarter of a millimetre; OK keeps it so",
    )


def begin(
    given: Calibration | None = None,
    floor_mm: tuple[float, float] | None = None,
    by_rim: bool = False,
) -> Wizard:
    """The wizard at its first stage.

    Args:
        given: the tray, where its corners were given by hand.
        floor_mm: width and depth of the floor, where they are known.
        by_rim: whether the tray is to be found by its rim without looking for markers first.
    """
    return Wizard(given=given, floor_mm=floor_mm, by_rim=by_rim, requests=(Unlock(),))
