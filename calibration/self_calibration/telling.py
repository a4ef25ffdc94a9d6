"""When it is said why markers that are seen cannot be used, and which of several reasons."""

from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from calibration.errors import RefusedError
from calibration.markers.aruco import Marker
from calibration.problems import Problem
from vision.watch.gate import TIME_EPSILON_S

TELL_AFTER_S = 5.0
"""Markers are in view and cannot be used for so long before that is said."""
_HUNTS_AFTER_S = 4.0
"""Sooner for a focus that hunts: at first it may be too far off for any marker to be seen."""
_MIN_SWINGS = 4  # between sharp and soft, until that is clear; a hand that passes makes two
MIN_SEEN = 2
"""So many of the four are those of a tray: a single one may lie beside dice to show the angle."""
_FOCUS_RATIO = 1.8
"""Widths of edges that differ so much within a few seconds are those of a focus that hunts."""
_MIN_EDGE_PX = 1.0  # narrower edges are all sharp
_OF_A_BLUR = (None, Problem.NOT_STEADY, Problem.HIDDEN, Problem.CUT_OFF, Problem.BLURRED)
"""What is found in single pictures of a focus that hunts, or of a tray that is carried."""


@dataclass(frozen=True, slots=True)
class Look:
    """One look at the tray.

    Attributes:
        time_s: of its frame.
        seen: how many of the four markers are seen.
        edge_px: width of their edges; None where none is seen.
        refused: why they cannot be used; None if they can, or are not there.
        carried: whether they lie elsewhere than where they were seen last.
    """

    time_s: float
    seen: int
    edge_px: float | None = None
    refused: RefusedError | None = None
    carried: bool = False

    @classmethod
    def of(cls, time_s: float, found: Sequence[Marker]) -> "Look":
        """The look that has found some markers."""
        edges = sorted(marker.square.width for marker in found)
        edge_px = edges[len(edges) // 2] if edges else None
        return cls(time_s, len({marker.corner for marker in found}), edge_px)


class Telling:
    """The last looks, and what they come to.

    Attributes:
        trouble: what is to be said now; None where nothing is.
    """

    def __init__(self) -> None:
        self._looks: deque[Look] = deque()
        self.trouble: RefusedError | None = None

    def note(self, look: Look) -> None:
        """One more look; the latest few seconds count."""
        if look.seen < MIN_SEEN and not self._looks:
            return
        self._looks.append(look)
        begin_s = look.time_s - TELL_AFTER_S + TIME_EPSILON_S
        # The one before the last seconds shows that they were as long.
        while len(self._looks) > 1 and self._looks[1].time_s <= begin_s:
            self._looks.popleft()
        if all(one.seen < MIN_SEEN for one in self._looks):
            self._looks.clear()
            self.trouble = None
        elif self._looks[0].time_s <= begin_s or self._hunts_clearly(look.time_s):
            self.trouble = self._most_often(look)

    @property
    def waits(self) -> bool:
        """True while markers are in view and it is not clear yet what is to be said of them."""
        return bool(self._looks) and self.trouble is None

    def _most_often(self, last: Look) -> RefusedError | None:
        """The reason of most looks, if most have one and the last one still does."""
        if last.refused is None and not self._focus_hunts():
            return None
        refused = [one.refused for one in self._looks if one.refused is not None]
        if 2 * len(refused) < len(self._looks):
            return None
        problem, _ = Counter(one.problem for one in refused).most_common(1)[0]
        if problem in _OF_A_BLUR and self._was_carried:
            return None
        if problem in _OF_A_BLUR and self._focus_hunts():
            return RefusedError(
                Problem.BLURRED,
                "the picture is sharp and soft in turns; set the focus by hand, or lay something "
                "with a pattern in the tray",
            )
        return next(one for one in reversed(refused) if one.problem is problem)

    def _focus_hunts(self) -> bool:
        soft = (one.edge_px is not None and one.edge_px > self._soft_px for one in self._looks)
        return any(soft) and not self._was_carried

    @property
    def _was_carried(self) -> bool:
        """True if the tray was moved meanwhile, which smears a picture in any focus."""
        return any(one.carried for one in self._looks)

    def _hunts_clearly(self, now_s: float) -> bool:
        """True once the picture has become sharp and soft again and again."""
        if now_s - self._looks[0].time_s < _HUNTS_AFTER_S - TIME_EPSILON_S:
            return False
        soft = [one.edge_px is None or one.edge_px > self._soft_px for one in self._looks]
        swings = sum(before != after for before, after in pairwise(soft))
        return swings >= _MIN_SWINGS and self._focus_hunts()

    @property
    def _soft_px(self) -> float:
        """Wider edges than this are not those of a sharp picture."""
        sharpest = min((one.edge_px for one in self._looks if one.edge_px is not None), default=0.0)
        return _FOCUS_RATIO * max(_MIN_EDGE_PX, sharpest)
