"""Which faces of the owner's dice are not read well, with pictures for a terminal."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import cv2
import numpy as np

from appliance.diagnostics.base import Finding, Level
from calibration.calibration import Calibration
from calibration.errors import StoreError
from calibration.own_dice import MIN_CORRECTED, FaceRecord, OwnDice, WhyUnread, known_colours
from vision.errors import ProfileError
from vision.frame import Image

DRAWING_SIZE = (32, 16)
"""Columns and rows: letters are twice as high as wide."""
_INK = " .:-=+*#%@"
"""From dark to light, as on a dark terminal."""

WHY_AND_ADVICE = {
    WhyUnread.LEANS: ("it leaned", "throw it again"),
    WhyUnread.ON_ANOTHER: ("it lay on another die", "throw it again"),
    WhyUnread.COVERED: ("something covered it", "keep hands and cups away until the dice are read"),
    WhyUnread.SHINES: ("a lamp shone in it", "move the lamp to the side, or make its light softer"),
    WhyUnread.PALE: ("its pips hardly stand out", "use dice whose pips differ more from the body"),
    WhyUnread.NOT_LEARNT: (
        "this print is not learnt",
        "answer its questions; after two that agree it is read",
    ),
    WhyUnread.ROWS: ("its rows of pips are very close together", "answer its questions"),
    WhyUnread.LARGE_PIPS: ("its pips are very large", "answer its questions"),
    WhyUnread.SMALL_PIPS: ("its pips are very small", "hang the camera lower, if you can"),
    WhyUnread.OTHER_COUNT: (
        "its pips cannot be told from other spots",
        "look at the picture: is it a scratch, dirt, or an ornament?",
    ),
    WhyUnread.LIKE_POWER: ("it looks like a Power die", "answer its questions"),
    WhyUnread.NOT_SURE: ("no single reason was found", "more light from the side may help"),
}


def check_own_dice(path: Path, load: Callable[[Path], Calibration]) -> Iterator[Finding]:
    """Findings on the known dice; none where there is no profile, which has its own check."""
    subject = "dice"
    with suppress(StoreError, ProfileError):
        if not path.exists():
            return
        known = load(path)
        own = known.own_dice
        colours = ", ".join(known_colours(known.profile.confirmed)) or "colours not learnt yet"
        text = f"{known.profile.die_edge_mm:g} mm, {colours}{_pips_in_words(own)}"
        if own.faces:
            read, times = (sum(getattr(f, what) for f in own.faces) for what in ("read", "times"))
            text += f"; lately {read:d} of {times:d} were read right without a question"
        yield Finding(subject, Level.OK, text)
        for face in own.troubled:
            why, advice = WHY_AND_ADVICE[face.why]
            drawing = () if face.picture is None else in_letters(face.picture)
            yield Finding(subject, Level.NOTE, f"{_often(face)}; {why}", advice, drawing)


def _pips_in_words(own: OwnDice) -> str:
    if own.pip_share is None:
        return ""
    rows = own.six_rows
    near = "" if rows is None else f", rows of the 6 {rows:.0%} as far apart as long"
    return f"; pips {own.pip_share:.0%} of the edge{near}"


def _often(face: FaceRecord) -> str:
    if face.corrected >= MIN_CORRECTED:
        return f"{face.name} was read wrong {face.corrected:d} times of {face.times:d}"
    return f"{face.name} was asked about {face.asked:d} times of {face.times:d}"


def in_letters(picture: Image) -> tuple[str, ...]:
    """A picture in letters, the darkest of it as blanks."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    small = cv2.resize(grey, DRAWING_SIZE, interpolation=cv2.INTER_AREA).astype(np.float64)
    low, high = float(small.min()), float(small.max())
    levels = (small - low) / max(high - low, 1.0) * (len(_INK) - 1)
    return tuple("".join(_INK[round(level)] for level in row) for row in levels)
