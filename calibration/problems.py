"""Problems of a set-up, in the board's words, and verdicts on single measurements.

What keeps markers that are seen from being used has two lines, in a game as in CALIBRATE.

A `Verdict` says how good one thing is, from 0 to 1 for a live bar, and which `Problem` refuses it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType


class Problem(StrEnum):
    """A reason to refuse; the value is what the board says, in capital letters."""

    TOO_DARK = "TOO DARK"
    TOO_BRIGHT = "TOO BRIGHT"
    UNEVEN = "LIGHT UNEVEN"
    FLICKER = "LIGHT FLICKERS"
    GLARE_LEFT = "GLARE LEFT"
    GLARE_RIGHT = "GLARE RIGHT"
    GLARE_TOP = "GLARE TOP"
    GLARE_BOTTOM = "GLARE BOTTOM"
    GLARE_MIDDLE = "GLARE MIDDLE"
    BLURRED = "BLURRED"
    NOT_STEADY = "KEEP STILL"
    CUT_OFF = "TRAY CUT OFF"
    HIDDEN = "MARKER HIDDEN"
    NO_MARKERS = "NO MARKERS"
    MARKERS_MIXED = "MARKERS MIXED"
    MARKER_TURNED = "MARKER TURNED"
    UNLEVEL = "MARKERS UNEVEN"
    UNCUT = "CUT THE SHEET"
    PRINT_SMALL = "PRINT TOO SMALL"
    PRINT_LARGE = "PRINT TOO LARGE"
    OTHER_LENS = "OTHER LENS?"
    TILTED = "LOOK STRAIGHT"
    TOO_FAR = "CAMERA TOO FAR"
    BAD_FIT = "MEASURE AGAIN"
    TOO_MANY_SPOTS = "TOO MANY SPOTS"
    NOT_EMPTY = "TRAY NOT EMPTY"
    NO_DICE = "NO DICE"
    TOO_ALIKE = "FACES TOO ALIKE"
    ONE_DIE = "ONE DIE ONLY"
    OTHER_FACE = "ANOTHER FACE"
    NO_PRINT = "NO PRINT SEEN"
    GLARE_DIE = "GLARE ON DIE"
    NO_BOARD = "NO BOARD SEEN"
    NO_CARD = "NO CARD SEEN"
    CARD_LOW = "CARD ON RIM"
    TAKE_CARD = "TAKE CARD AWAY"
    LENS_DIRTY = "CLEAN THE LENS"
    MOVED = "TRAY MOVED"
    NOT_SAVED = "NOT SAVED"
    TRAY_FIRST = "FIRST: TRAY"
    UNCHANGED = "NOTHING NEW"
    LOOKING = "LOOKING..."
    NO_THROW = "NO THROW YET"
    TOO_MANY_DICE = "7 DICE AT MOST"

    @property
    def lines(self) -> tuple[str, str]:
        """The upper and the lower line: what is wrong and what to do, which may be empty."""
        return self.value, _CURES.get(self, "")


_CURES: Mapping[Problem, str] = MappingProxyType(
    {
        Problem.TOO_DARK: "MORE LIGHT",
        Problem.TOO_BRIGHT: "LESS LIGHT",
        Problem.GLARE_LEFT: "MOVE THE LAMP",
        Problem.GLARE_RIGHT: "MOVE THE LAMP",
        Problem.GLARE_TOP: "MOVE THE LAMP",
        Problem.GLARE_BOTTOM: "MOVE THE LAMP",
        Problem.GLARE_MIDDLE: "MOVE THE LAMP",
        Problem.BLURRED: "FOCUS? LENS?",
        Problem.NOT_STEADY: "HANDS OFF",
        Problem.CUT_OFF: "ALL IN SIGHT",
        Problem.HIDDEN: "CLEAR IT",
        Problem.MARKERS_MIXED: "AS ON THE SHEET",
        Problem.MARKER_TURNED: "ALL UPRIGHT",
        Problem.UNLEVEL: "FLAT ON RIM?",
        Problem.UNCUT: "GLUE ON RIM",
        Problem.PRINT_SMALL: "PRINT AT 100%",
        Problem.PRINT_LARGE: "PRINT AT 100%",
        Problem.OTHER_LENS: "LEAN THE SHEET",
        Problem.NO_CARD: "LAY IT ANEW",
        Problem.CARD_LOW: "NOT IN TRAY",
        Problem.TAKE_CARD: "NONE? HOLD BACK",
        Problem.TILTED: "DOWN",
        Problem.TOO_FAR: "NEARER",
    }
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """How good something is.

    Attributes:
        quality: 0 is useless, 1 as good as it gets.
        problem: why it is refused, in the board's words; None where it is good enough.
        detail: measured, expected and what to do, for a terminal.
    """

    quality: float
    problem: Problem | None = None
    detail: str = ""

    @property
    def good(self) -> bool:
        """True if it is good enough to continue."""
        return self.problem is None


def quality_between(value: float, bad: float, good: float) -> float:
    """Where a value lies between bad (0) and good (1), in either order, clamped to 0 to 1."""
    return min(1.0, max(0.0, (value - bad) / (good - bad)))


def verdict_if(good: bool, quality: float, problem: Problem, detail: str) -> Verdict:
    """The quality if it is good enough; otherwise at most 0.45, and what is wrong."""
    return Verdict(quality) if good else Verdict(min(quality, 0.45), problem, detail)


def combined_verdict(verdicts: Sequence[Verdict]) -> Verdict:
    """One verdict of several: the first problem, and the worst quality.

    Their order is that in which to solve problems: what is too dark also looks blurred.
    """
    quality = min((v.quality for v in verdicts), default=1.0)
    for verdict in verdicts:
        if verdict.problem is not None:
            return Verdict(min(quality, 0.45), verdict.problem, verdict.detail)
    return Verdict(quality)
