"""One plain sentence on what to do with a camera, from a picture and what was read in it."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Self

import cv2
import numpy as np

from appliance.alerts import Alert
from appliance.devices.camera.health import MAX_EDGE_WIDTH_PX, light_faults, view
from appliance.words import say
from calibration.errors import RefusedError
from calibration.markers.aruco import find_markers
from calibration.quality.focus import softness
from vision.frame import Frame, Image
from vision.glance import Glance
from vision.image.numeric import halved_towards
from vision.reading import TrayReading

USUAL_DICE = 5
"""Dice that most games are played with."""

# Rendered with the lens of a C920 over five dice of 16 mm; tests/appliance/aiming has the pictures.
MIN_EDGE_PX = 21.0
"""Edge below which dice that are not read are too small: at 18 pixels all are read, at 14.5 of 20
dice 19, and at 13 of 20 dice 11."""
MAX_SLANT = 13.0
"""Lean of the camera, degrees, that explains dice in doubt: at 10 three of four are still read, at
15 every fifth."""
MAX_SLANT_IF_READ = 18.0
"""Lean, degrees, that is too much although all dice are read: the next throw will not be."""
MAX_SLANT_IF_KNOWN = 32.0
"""Lean, degrees, where the geometry of the view is known: at 20 nine of ten dice are read, at 30
seven, and the others are asked about (`scripts/bench_views.py`)."""
_MARKER_SEARCH_SIDE_PX = 600
"""Mirrored markers are searched for in pictures halved while both sides stay this long."""


class Advice(Enum):
    """A piece of advice, as the sentence for it; the first that fits counts."""

    BLACK = "NO LIGHT: everything is black. Switch a lamp on, or open the lens."
    MORE_LIGHT = "MORE LIGHT: the picture is too dark. A lamp next to the dice helps."
    LESS_LIGHT = "LESS LIGHT: the picture is washed out. Turn the lamp away from the dice."
    MIRRORED = "PICTURE MIRRORED: switch mirroring off in the camera's own program."
    PLAIN_FLOOR = "PLAIN FLOOR: too much looks like pips. Put the dice on a cloth of one colour."
    MARKERS = "{what}: {do}"
    NO_DICE = "NO DICE SEEN: put five dice under the camera, or move it closer."
    FOCUS = "OUT OF FOCUS: focus on the dice, wipe the lens, or move the camera away a little."
    TOO_FAR = "TOO FAR: bring the camera nearer, until the dice are twice as large."
    STRAIGHT_DOWN = (
        "LOOK STRAIGHT DOWN: the camera leans by about {degrees} degrees. Hang it right over the "
        "dice, or put a printed marker next to them."
    )
    IN_DOUBT = "{doubts} UNCLEAR: put the dice flat and apart, out of shadows and reflections."
    MORE_DICE = "{read} READ, ALL SURE: five dice are needed."
    PLAY = "ALL {read} READ: PLAY"


@dataclass(frozen=True, slots=True)
class Aim:
    """The aim of a camera, as a picture tells it.

    Attributes:
        read: dice that are claimed.
        doubts: places that may be dice and are not.
        slant: as in `vision.glance.Glance`, degrees.
        edge_px: likewise, pixels.
        edge_width_px: width of the sharpest edges, see `calibration.quality.focus.softness`;
            infinite where there are none, which says nothing of the focus.
        light: what is wrong with the light; None if nothing is.
        mirrored: whether printed markers are seen as in a mirror.
        crowded: as in `vision.reading.TrayReading`.
        known: whether the geometry of the view is known, which `slant` is taken from.
        refused: why markers of a tray that are seen cannot be used; None where that is not so.
    """

    read: int = 0
    doubts: int = 0
    slant: float | None = None
    edge_px: float | None = None
    edge_width_px: float = 0.0
    light: Alert | None = None
    mirrored: bool = False
    crowded: bool = False
    known: bool = False
    refused: RefusedError | None = None

    @classmethod
    def of(
        cls,
        image: Image,
        reading: TrayReading,
        seen: Glance,
        lean: float | None = None,
        refused: RefusedError | None = None,
    ) -> Self:
        """The aim that one picture tells.

        Args:
            image: (height, width, 3), BGR.
            reading: of it.
            seen: what its dice say of the camera.
            lean: of the camera, degrees, where the geometry of the view is known.
            refused: as the attribute.
        """
        read = sum(die.sure for die in reading.dice)
        faults = light_faults(view(Frame(image, 0.0, 0)))
        return cls(
            read=read,
            doubts=len(reading.dice) - read,
            slant=seen.slant if lean is None else lean,
            edge_px=seen.edge_px,
            edge_width_px=softness(image),
            light=next(iter(faults), None),
            # Where much looks like a marker, the search takes seconds.
            mirrored=not reading.crowded and _is_mirrored(image),
            crowded=reading.crowded,
            known=lean is not None,
            refused=refused,
        )


def _is_mirrored(image: Image) -> bool:
    """True if the markers of the rim are found only in the mirror image.

    Dice do not show it: a face in a mirror is the same face turned.
    """
    small = halved_towards(image, (_MARKER_SEARCH_SIDE_PX, _MARKER_SEARCH_SIDE_PX))
    mirror = np.asarray(cv2.flip(small, 1), np.uint8)
    return not find_markers(small) and bool(find_markers(mirror))


@dataclass(frozen=True, slots=True)
class Verdict:
    """A piece of advice, with the numbers and the board's words in its sentence."""

    advice: Advice
    numbers: Mapping[str, int] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)

    @property
    def sentence(self) -> str:
        """The sentence in the chosen language."""
        words = {name: say(text) for name, text in self.words.items()}
        return say(self.advice.value, **self.numbers, **words)


def advise(aim: Aim) -> Verdict:
    """The first thing to do."""
    by_light = {
        Alert.BLACK: Advice.BLACK,
        Alert.DARK: Advice.MORE_LIGHT,
        Alert.BRIGHT: Advice.LESS_LIGHT,
    }
    if aim.light is not None:
        return Verdict(by_light[aim.light])
    if aim.mirrored:
        return Verdict(Advice.MIRRORED)
    if aim.refused is not None:
        return _why_not_the_tray(aim.refused)
    all_read = aim.read >= USUAL_DICE and not aim.doubts
    if not all_read and MAX_EDGE_WIDTH_PX < aim.edge_width_px < math.inf:
        # In a blur the pips tell little of the lean.
        return Verdict(Advice.FOCUS)
    slant = aim.slant or 0.0
    most = MAX_SLANT_IF_READ if all_read else MAX_SLANT
    if slant > (MAX_SLANT_IF_KNOWN if aim.known else most):
        return Verdict(Advice.STRAIGHT_DOWN, {"degrees": 5 * round(slant / 5)})
    if all_read:
        return Verdict(Advice.PLAY, {"read": aim.read})
    return _why_not_all(aim)


def _why_not_the_tray(refused: RefusedError) -> Verdict:
    """Why the markers of a tray cannot be used, as it is said in a game."""
    if refused.degrees is not None:
        return Verdict(Advice.STRAIGHT_DOWN, {"degrees": 5 * round(refused.degrees / 5)})
    what, do = refused.problem.lines
    return Verdict(Advice.MARKERS, words={"what": what, "do": do})


def _why_not_all(aim: Aim) -> Verdict:
    """Why not all dice are read, by a sharp camera that looks straight down in good light."""
    if aim.crowded and not aim.read:
        return Verdict(Advice.PLAIN_FLOOR)
    if not aim.read and not aim.doubts:
        return Verdict(Advice.NO_DICE)
    if aim.edge_px is not None and aim.edge_px < MIN_EDGE_PX:
        return Verdict(Advice.TOO_FAR)
    if aim.doubts:
        return Verdict(Advice.IN_DOUBT, {"doubts": aim.doubts})
    return Verdict(Advice.MORE_DICE, {"read": aim.read})


class Steady:
    """Keeps advice from flickering: another counts once two readings in a row give it."""

    def __init__(self) -> None:
        self._shown: Verdict | None = None
        self._next: Advice | None = None

    def settle(self, verdict: Verdict) -> Verdict:
        """The verdict to show after this reading."""
        shown = self._shown
        if shown is None or verdict.advice in (shown.advice, self._next):
            self._shown = verdict
        self._next = verdict.advice
        return self._shown or verdict
