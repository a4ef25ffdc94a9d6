"""What the wizard knows, what comes in, and what it asks of callers with pictures and a disk."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from calibration.accuracy import Check
from calibration.calibration import Calibration
from calibration.markers.lens import MODULE_3_SIGHT, known_camera
from calibration.problems import Problem, Verdict
from calibration.wizard.stages import DICE_SETS, DiceSet, WizardStage, WizardStep
from vision.geometry.sight import Sight
from vision.reading import POWER_FACES, Face, Kind

USUAL_RIM_HEIGHT_MM = 22.0
RIM_HEIGHT_RANGE_MM = (5.0, 60.0)
"""Heights of the rim that can be entered."""
RIM_STEP_MM = 0.5
"""Of LEFT and RIGHT."""
USUAL_FLOOR_MM = (216.0, 152.0)
FLOOR_SIDE_RANGE_MM = (60.0, 600.0)
"""Sides of the floor that can be entered."""
FLOOR_STEP_MM = 1.0
"""Of LEFT and RIGHT."""
STEPS_OF_LONG_PRESS = 10
"""How many steps LEFT and RIGHT move when they are held down."""


class Key(StrEnum):
    """The buttons that do something here."""

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
        stage: what was asked for when they were measured; at any other stage they are ignored.
        verdict: whether that is good enough.
        found: how many of the things asked for were seen.
        outline: corners of the tray where it was found by its rim, shares of the picture's width
            and height.
        off_mm: how far off places may be where it was found by its rim; None where it was not.
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
    """What was asked for was measured carefully; `draft` includes it."""

    stage: WizardStage
    draft: Calibration


@dataclass(frozen=True, slots=True)
class Refused:
    """It was measured and is not good enough after all."""

    stage: WizardStage
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Locked:
    """The values that the camera was locked to, by control name."""

    controls: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class SeenDie:
    """A die of a throw as it was read; `sure` if its value was claimed."""

    kind: Kind
    value: Face | None
    sure: bool

    @property
    def faces(self) -> tuple[Face, ...]:
        """All faces that it may show."""
        return POWER_FACES if self.kind is Kind.POWER else (1, 2, 3, 4, 5, 6)


@dataclass(frozen=True, slots=True)
class Rested:
    """A throw came to rest; at most `MAX_CHECKED_DICE` can be shown and checked."""

    dice: tuple[SeenDie, ...]


@dataclass(frozen=True, slots=True)
class NotStored:
    """The profile could not be written."""


Event = Press | Seen | Took | Refused | Locked | Rested | NotStored

MAX_CHECKED_DICE = 7

MAX_OFF_MM = 0.5
"""Accuracy promised for places on the tops of dice, anywhere in the tray."""


@dataclass(frozen=True, slots=True)
class Unlock:
    """Let the camera adjust itself."""


@dataclass(frozen=True, slots=True)
class Lock:
    """Keep the camera as it is now; to be answered by `Locked`, where it can be locked."""


@dataclass(frozen=True, slots=True)
class TakePictures:
    """Measure carefully; to be answered by `Took` or `Refused`."""

    stage: WizardStage


@dataclass(frozen=True, slots=True, eq=False)
class Store:
    """Keep this; to be answered by `NotStored` if that fails."""

    calibration: Calibration


@dataclass(frozen=True, slots=True)
class Restore:
    """No profile was made: put the camera back as it was before."""


Request = Unlock | Lock | TakePictures | Store | Restore


@dataclass(frozen=True, slots=True)
class CheckedThrow:
    """A throw to be checked.

    Attributes:
        dice: as read.
        faces: what they show, as far as is known.
        chosen: which of them is being corrected.
    """

    dice: tuple[SeenDie, ...]
    faces: tuple[Face | None, ...]
    chosen: int | None = None

    @property
    def claimed_and_wrong(self) -> tuple[int, int]:
        """How many dice were claimed, and how many of them wrongly.

        Of two dice one above the other either may seem to lie further left, so two whose values
        somebody swapped were read correctly.
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
        draft: what was measured so far; None before the tray is found.
        behind: the wizard as it was at each earlier stage, without its own `behind`.
        seen: what the last frames show; None before the first measurement.
        refusal: why the last OK was refused; None if it was accepted, or not pressed.
        waiting: whether a requested measurement is awaited.
        dice_set: index into `DICE_SETS`.
        rim_mm: height of the rim as entered, millimetres.
        rim_set: whether somebody has entered it.
        warned: whether it was said that places may be further off than they should be.
        given: the tray as somebody gave it by its corners; then no markers are searched for.
        floor_mm: width and depth of the floor as entered, now or for the previous profile; None
            where nobody has entered them.
        by_rim: whether the tray is to be found by its rim; else by its markers.
        sight: what the pictures show of which camera's sensor; None where that is not known.
        controls: what the camera was locked to.
        throw: the throw to be checked.
        throws: how many were checked.
        check: their result.
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
    rim_mm: float = USUAL_RIM_HEIGHT_MM
    rim_set: bool = False
    warned: bool = False
    given: Calibration | None = None
    floor_mm: tuple[float, float] | None = None
    by_rim: bool = False
    sight: Sight | None = MODULE_3_SIGHT
    controls: Mapping[str, float] = field(default_factory=dict)
    throw: CheckedThrow | None = None
    throws: int = 0
    check: Check = field(default_factory=Check)
    ended: bool = False
    requests: tuple[Request, ...] = ()

    @property
    def floor(self) -> tuple[float, float]:
        """Width and depth of the floor as entered, or of usual trays, millimetres."""
        return self.floor_mm or USUAL_FLOOR_MM

    @property
    def no_markers(self) -> bool:
        """Whether markers are searched for and none is seen: the rim may serve instead."""
        looked = self.stage.step is WizardStep.TRAY and not self.by_rim and self.given is None
        problem = None if self.seen is None else self.seen.verdict.problem
        return looked and problem is Problem.NO_MARKERS

    @property
    def dice(self) -> DiceSet:
        """The dice that are shown."""
        return DICE_SETS[self.dice_set]

    @property
    def verdict(self) -> Verdict | None:
        """The verdict on the set-up now: a refusal, else what the last frames show."""
        return self.refusal or (self.seen.verdict if self.seen else None)


NOT_STORED = Verdict(0.0, Problem.NOT_SAVED, "the profile cannot be written; is the disk full?")


def warning_if_rough(
    calibration: Calibration, sight: Sight | None = MODULE_3_SIGHT
) -> Verdict | None:
    """The warning where places may be further off than they should be; None if they may not."""
    off = calibration.off_mm
    if off is None or off <= MAX_OFF_MM:
        return None
    if known_camera(sight) is None:
        camera = "this camera" if sight is None else f"the camera {sight.model}"
        return Verdict(
            0.5,
            Problem.LENS_UNKNOWN,
            f"places may be wrong by {off:.1f} mm, as the lens of {camera} is not known; OK keeps "
            "it so",
        )
    return Verdict(
        0.5,
        Problem.ROUGH,
        f"places may be wrong by {off:.1f} mm, expected at most {MAX_OFF_MM} mm; lay the printed "
        "board into the tray, or measure the rim to a quarter of a millimetre and set its height "
        "with LEFT and RIGHT; OK keeps it so",
    )


def begin_wizard(
    given: Calibration | None = None,
    floor_mm: tuple[float, float] | None = None,
    by_rim: bool = False,
    sight: Sight | None = MODULE_3_SIGHT,
) -> Wizard:
    """The wizard at its first stage.

    Args:
        given: the tray, where its corners were given by hand.
        floor_mm: width and depth of the floor, where they are known.
        by_rim: whether the tray is to be found by its rim without searching for markers first.
        sight: what the pictures show of which camera's sensor; None where that is not known.
    """
    return Wizard(
        given=given,
        floor_mm=floor_mm,
        by_rim=by_rim,
        sight=sight,
        requests=(Unlock(),),
    )
