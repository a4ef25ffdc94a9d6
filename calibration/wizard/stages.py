"""What the wizard asks for, one thing after another."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from vision.reading import POWER_FACES, Kind

TAKES_PER_FACE = 2
"""Of the Power die, which is turned between them."""
CHECK_THROWS = 10


class WizardStep(StrEnum):
    """The steps in order; the value is their title on the board."""

    LIGHT = "LIGHT"
    TRAY = "TRAY"
    WIDTH = "FLOOR WIDTH"
    DEPTH = "FLOOR DEPTH"
    RIM = "RIM"
    EMPTY = "EMPTY TRAY"
    DICE = "ALL DICE"
    POWER = "POWER DIE"
    HOLDER = "HOLDER"
    CHECK = "CHECK"
    RESULT = "RESULT"


FLOOR_STEPS = (WizardStep.WIDTH, WizardStep.DEPTH)
"""Asked about a tray without markers; then the tray is searched for again, by its rim."""

COUNTED_STEPS: tuple[WizardStep, ...] = tuple(
    step for step in WizardStep if step not in FLOOR_STEPS
)
"""The steps as the board counts them; some are skipped where they are not needed."""


@dataclass(frozen=True, slots=True)
class WizardStage:
    """One thing that is asked for.

    Attributes:
        step: the step.
        face: which face of the Power die; empty in the other steps.
        take: which picture of it, from 0.
    """

    step: WizardStep
    face: str = ""
    take: int = 0


@dataclass(frozen=True, slots=True)
class DiceSet:
    """Dice that belong together.

    Attributes:
        title: on the board.
        counts: how many of each kind.
    """

    title: str
    counts: Mapping[Kind, int]

    @property
    def has_power(self) -> bool:
        """Whether the Power die is among them."""
        return self.counts.get(Kind.POWER, 0) > 0


def _dice_set(title: str, **counts: int) -> DiceSet:
    return DiceSet(title, MappingProxyType({Kind(name): n for name, n in counts.items()}))


DICE_SETS: tuple[DiceSet, ...] = (
    _dice_set("5 RED POWER", black=5, red=1, power=1),
    _dice_set("5 BLACK", black=5),
    _dice_set("5 AND RED", black=5, red=1),
    _dice_set("5 AND POWER", black=5, power=1),
    _dice_set("HOLD'EM 20", red=5, black=5, white=5, yellow=5),
    _dice_set("ALL 21", red=5, black=5, white=5, yellow=5, power=1),
)
"""The sets that can be shown; the first is what the box of the four games holds."""


def stage_after(stage: WizardStage, dice: DiceSet, skip: bool = False) -> WizardStage:
    """What is asked for next; `skip` leaves out the rest of this step.

    Raises:
        ValueError: it is the last stage.
    """
    if stage.step is WizardStep.POWER and not skip:
        if stage.take + 1 < TAKES_PER_FACE:
            return WizardStage(WizardStep.POWER, stage.face, stage.take + 1)
        follows = POWER_FACES.index(stage.face) + 1
        if follows < len(POWER_FACES):
            return WizardStage(WizardStep.POWER, POWER_FACES[follows])
    if stage.step in FLOOR_STEPS:
        return WizardStage(WizardStep.DEPTH if stage.step is WizardStep.WIDTH else WizardStep.TRAY)
    if stage.step is WizardStep.RESULT:
        raise ValueError("nothing follows the result")
    step = COUNTED_STEPS[COUNTED_STEPS.index(stage.step) + 1]
    if step is WizardStep.POWER:
        return (
            WizardStage(step, POWER_FACES[0]) if dice.has_power else WizardStage(WizardStep.HOLDER)
        )
    return WizardStage(step)
