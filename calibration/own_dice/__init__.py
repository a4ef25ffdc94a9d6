"""Knowledge of the owner's dice: their colours, their pips, and which faces are not read well.

For example:

    from calibration.own_dice import with_throw

    profile, own = with_throw(profile, own, picture, confirmed_dice)
    print([face.name for face in own.troubled])
"""

from calibration.own_dice.learning import (
    ConfirmedDie,
    jumped_to,
    with_look,
    with_new_colours,
    with_throw,
)
from calibration.own_dice.reasons import WHY_ON_BOARD, WhyUnread, why_not_read
from calibration.own_dice.record import (
    MIN_CORRECTED,
    FaceRecord,
    OwnDice,
    known_colours,
    own_dice_data,
    own_dice_from_data,
)

__all__ = [
    "MIN_CORRECTED",
    "WHY_ON_BOARD",
    "ConfirmedDie",
    "FaceRecord",
    "OwnDice",
    "WhyUnread",
    "jumped_to",
    "known_colours",
    "own_dice_data",
    "own_dice_from_data",
    "why_not_read",
    "with_look",
    "with_new_colours",
    "with_throw",
]
