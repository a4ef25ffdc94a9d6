"""Why a face of a die that lies flat is not read, in the order of what can be done about it."""

from enum import StrEnum

import numpy as np

from calibration.own_dice.pips import face_picture, measure_pips
from vision.frame import Image
from vision.reading import DieReading, DieState, Face, Kind

MAX_SHINING_SHARE = 0.08
"""Of a top that is as bright as the sensor can see; white dice aside."""
MIN_PLAIN_CONTRAST = 45.0
"""Grey levels between pips and body."""
MIN_SIX_ROWS = 0.62
"""Distance of the rows of a 6 over their length: where they are nearer, it looks like a 4 or 5."""
MAX_PIP_WIDTH = 0.30
MIN_PIP_WIDTH = 0.1
"""In edges."""


class WhyUnread(StrEnum):
    """A reason."""

    LEANS = "leans"
    ON_ANOTHER = "on another"
    COVERED = "covered"
    SHINES = "shines"
    PALE = "pale"
    NOT_LEARNT = "not learnt"
    ROWS = "rows"
    LARGE_PIPS = "large pips"
    SMALL_PIPS = "small pips"
    OTHER_COUNT = "other count"
    LIKE_POWER = "like power"
    NOT_SURE = "not sure"


WHY_ON_BOARD = {
    WhyUnread.LEANS: "LEANS",
    WhyUnread.ON_ANOTHER: "ON ANOTHER",
    WhyUnread.COVERED: "COVERED",
    WhyUnread.SHINES: "LAMP SHINES",
    WhyUnread.PALE: "PIPS TOO PALE",
    WhyUnread.NOT_LEARNT: "NOT LEARNT YET",
    WhyUnread.ROWS: "ROWS TOO CLOSE",
    WhyUnread.LARGE_PIPS: "PIPS TOO LARGE",
    WhyUnread.SMALL_PIPS: "PIPS TOO SMALL",
    WhyUnread.OTHER_COUNT: "PIPS UNCLEAR",
    WhyUnread.LIKE_POWER: "LIKE POWER DIE",
    WhyUnread.NOT_SURE: "NOT SURE",
}
"""The reasons in the board's words."""

_WHY_BY_STATE = {
    DieState.LEANING: WhyUnread.LEANS,
    DieState.STACKED: WhyUnread.ON_ANOTHER,
    DieState.COVERED: WhyUnread.COVERED,
}


def why_not_read(image: Image, die: DieReading, value: Face) -> WhyUnread:
    """Why a die was not read, or was read wrong.

    Args:
        image: the picture that was read.
        die: what the reader made of it.
        value: what it shows, as people say.
    """
    if die.state in _WHY_BY_STATE:
        return _WHY_BY_STATE[die.state]
    picture = face_picture(image, die)
    inner = picture[5:-5, 5:-5].reshape(-1, 3)
    body = np.median(inner, axis=0)
    if body.min() < 200 and float((inner.min(axis=1) >= 250).mean()) > MAX_SHINING_SHARE:
        pips = measure_pips(picture)
        if pips.count != value:
            return WhyUnread.SHINES
    if isinstance(value, str):
        return WhyUnread.NOT_LEARNT
    pips = measure_pips(picture)
    if pips.contrast < MIN_PLAIN_CONTRAST:
        return WhyUnread.PALE
    rows, width = pips.six_rows, pips.width
    if value == 6 and rows is not None and rows < MIN_SIX_ROWS:
        return WhyUnread.ROWS
    if width is not None and width > MAX_PIP_WIDTH:
        return WhyUnread.LARGE_PIPS
    if width is not None and width < MIN_PIP_WIDTH:
        return WhyUnread.SMALL_PIPS
    if die.kind is Kind.POWER:
        return WhyUnread.LIKE_POWER
    return WhyUnread.OTHER_COUNT if pips.count != value else WhyUnread.NOT_SURE
