"""The wizard's knowledge, its input, and its requests to callers with pictures and a disk."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from calibration.accuracy import Check
from calibration.calibration import Calibration
from calibration.markers.bundle import RimHeight
from calibration.markers.charuco import CharucoCorners
from calibration.markers.lens import MODULE_3_SIGHT, MeasuredLens
from calibration.problems import Problem, Verdict
from calibration.wizard.pages import CHANGED_PAGES, FLOOR_PAGES, LOOKS_TO_TAKE, Page
from calibration.wizard.pointing import Pointing
from vision.frame import Image
from vision.geometry.profile import PowerFace
from vision.geometry.sight import Sight
from vision.reading import POWER_FACES, Face, Kind

USUAL_FLOOR_MM = (216.0, 152.0)
FLOOR_SIDE_RANGE_MM = (60.0, 600.0)
"""Sides of the floor that can be entered."""
FLOOR_STEP_MM = 1.0
"""Of LEFT and RIGHT."""
STEPS_OF_LONG_PRESS = 10
"""How many steps LEFT and RIGHT move when they are held down."""
MAX_OFF_MM = 0.5
"""Where places may be off by more, the wizard says how to make them exact."""
MAX_CHECKED_DICE = 7
SAME_PLACE_MM = 3.0
"""A die that is nearer to where it was lies where it was."""
_MIN_SAME_FACE_CORRELATION = 0.9


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
class Point:
    """A place in the picture was pointed at; both are shares of its size."""

    x: float
    y: float


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """The findings in the last frames.

    Attributes:
        page: what was asked for when they were looked at; on any other page they are ignored.
        verdict: whether that is good enough.
        places: of the dice that the page asks for, (x, y) millimetres.
        patch: the Power die's face, where it can be learnt.
        draft: what would be kept now; None where that is not seen.
        advice: what would make the tray better, though it is good enough.
        outline: corners of the tray as they were pointed at, shares of the picture's width and
            height.
        picture: in which the floor's corners are pointed at.
        bare: the picture, where nothing lies in the tray.
        shines: whether a lamp may hide what a darker picture would show.
        view: the printed board, where it leans as in no picture before, and the lens is not known.
        lens: the camera's, where such pictures have measured it.
        covered: whether something lies there that did not when the page came up.
        since: the picture, as more than a card may change; None where a card is to be taken away.
    """

    page: Page
    verdict: Verdict
    places: tuple[tuple[float, float], ...] = ()
    patch: Image | None = None
    draft: Calibration | None = None
    advice: Problem | None = None
    outline: tuple[tuple[float, float], ...] = ()
    picture: Image | None = None
    bare: Image | None = None
    shines: bool = False
    view: CharucoCorners | None = None
    lens: MeasuredLens | None = None
    covered: bool = False
    since: Image | None = None

    @property
    def steady(self) -> bool:
        """True if nothing moved in the frames."""
        return self.verdict.problem is not Problem.NOT_STEADY

    def differs_from(self, other: "Seen") -> bool:
        """True if other dice, or another face, are seen than in another look."""
        if len(self.places) != len(other.places):
            return True
        for place in self.places:
            away = np.linalg.norm(np.subtract(other.places, place), axis=1)
            if float(away.min()) > SAME_PLACE_MM:
                return True
        if self.patch is None or other.patch is None:
            return (self.patch is None) != (other.patch is None)
        here, there = (np.asarray(one, np.float64).ravel() for one in (self.patch, other.patch))
        return here.size != there.size or bool(
            np.corrcoef(here, there)[0, 1] < _MIN_SAME_FACE_CORRELATION
        )


@dataclass(frozen=True, slots=True)
class Locked:
    """The values that the camera was locked to, by control name; empty where it cannot be."""

    controls: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class SeenDie:
    """A die of a throw as it was read; `sure` if its value was claimed."""

    kind: Kind
    value: Face | None
    sure: bool


@dataclass(frozen=True, slots=True)
class Rested:
    """A throw came to rest; at most `MAX_CHECKED_DICE` can be shown and checked."""

    dice: tuple[SeenDie, ...]


@dataclass(frozen=True, slots=True)
class Stored:
    """The news that what was asked for is on disk."""


@dataclass(frozen=True, slots=True)
class NotStored:
    """It could not be written."""


@dataclass(frozen=True, slots=True)
class Passed:
    """The news that the board's text was shown for long enough."""


Event = Press | Point | Seen | Locked | Rested | Stored | NotStored | Passed


@dataclass(frozen=True, slots=True)
class Unlock:
    """Let the camera adjust itself."""


@dataclass(frozen=True, slots=True)
class Lock:
    """Keep the camera as it is now; to be answered by `Locked`."""


@dataclass(frozen=True, slots=True, eq=False)
class Store:
    """Keep this; to be answered by `Stored` or `NotStored`."""

    calibration: Calibration


@dataclass(frozen=True, slots=True)
class Restore:
    """No tray was found: put the camera back as it was before."""


Request = Unlock | Lock | Store | Restore


@dataclass(frozen=True, slots=True)
class CheckedThrow:
    """A throw to be checked.

    Attributes:
        dice: as read.
        faces: what they show, as far as is known.
        there: how many dice really lie there.
        chosen: which of those seen is being corrected.
    """

    dice: tuple[SeenDie, ...]
    faces: tuple[Face | None, ...]
    there: int
    chosen: int | None = None

    @property
    def check(self) -> Check:
        """How many dice were claimed, how many of them wrongly, and how many were not read.

        Of two dice one above the other either may seem to lie further left, so two whose values
        somebody swapped were read correctly. What was seen beyond the dice that lie there counts
        as claimed wrongly.
        """
        claimed = [(d, t) for d, t in zip(self.dice, self.faces, strict=True) if d.sure]
        off = [(die.kind, die.value, face) for die, face in claimed if die.value != face]
        read = Counter((kind, value) for kind, value, _ in off)
        wrong = (read - Counter((kind, face) for kind, _, face in off)).total()
        wrong = min(len(claimed), wrong + max(0, len(self.dice) - self.there))
        unread = max(0, self.there - len(self.dice)) + len(self.dice) - len(claimed)
        return Check(len(claimed), wrong, unread)


@dataclass(frozen=True, slots=True, eq=False)
class Wizard:
    """Everything the wizard knows.

    Attributes:
        page: what the board shows.
        item: the item that is chosen in the list, or done.
        known: what is on disk; None before the tray was found.
        faces: of the Power die, shown so far.
        first: the first look on this page, with which later ones are compared.
        seen: what the last frames show; None before the first look on this page.
        changed: whether something has changed since this page came up.
        looks: good ones in a row that show the same.
        bare: the tray without dice, or without a card, as it was when one was asked for.
        measured: the tray by a card that is to be taken away now; None else.
        refusal: why the last OK was refused; None if it was accepted, or not pressed.
        taking: what is being kept.
        pointing: how far somebody has come who points at the floor's corners; None before.
        pointed: the tray that follows from the corners; None until all four are known.
        floor_mm: width and depth of the floor as entered, millimetres.
        sight: what the pictures show of which camera's sensor; None where that is not known.
        rim: the rim's height as it was entered; None where nobody has.
        throw: the throw that is checked.
        there: how many dice are thrown, as far as is known.
        tally: what this check has come to.
        views: of the printed board, each leaning otherwise, with which the lens is measured.
        lens: the camera's, once it was measured.
        advice: what would make a tray that was found better.
        ended: whether it is over.
        requests: what is to be done, oldest first.
    """

    page: Page = Page.LIST
    item: Page = Page.TRAY
    known: Calibration | None = None
    faces: tuple[PowerFace, ...] = ()
    first: Seen | None = None
    seen: Seen | None = None
    changed: bool = False
    looks: int = 0
    bare: Image | None = None
    measured: Calibration | None = None
    refusal: Verdict | None = None
    taking: Calibration | None = None
    pointing: Pointing | None = None
    pointed: Calibration | None = None
    floor_mm: tuple[float, float] | None = None
    sight: Sight | None = MODULE_3_SIGHT
    rim: RimHeight | None = None
    throw: CheckedThrow | None = None
    there: int | None = None
    tally: Check = field(default_factory=Check)
    views: tuple[CharucoCorners, ...] = ()
    lens: MeasuredLens | None = None
    advice: Problem | None = None
    ended: bool = False
    requests: tuple[Request, ...] = ()

    @property
    def floor(self) -> tuple[float, float]:
        """Width and depth of the floor as entered, or of usual trays, millimetres."""
        return self.floor_mm or USUAL_FLOOR_MM

    @property
    def face(self) -> str:
        """The Power die's face that is asked for."""
        return POWER_FACES[min(len(self.faces), len(POWER_FACES) - 1)]

    @property
    def no_markers(self) -> bool:
        """True while markers are searched for and none is seen: corners may serve instead."""
        problem = None if self.seen is None else self.seen.verdict.problem
        return self.page is Page.TRAY and problem is Problem.NO_MARKERS

    @property
    def private(self) -> bool:
        """True while a card may be in view: no picture may be shown, kept or passed on."""
        return self.page is Page.CARD

    @property
    def covered(self) -> bool:
        """True if a card lies there as far as anybody has looked."""
        if self.seen is None:
            return self.measured is not None
        return self.seen.covered

    @property
    def points(self) -> bool:
        """True while the floor's corners are being pointed at."""
        return self.page is Page.CORNERS and self.pointed is None

    @property
    def measures_lens(self) -> bool:
        """True if somebody has begun to show the leaning board, and the lens is not known yet."""
        return self.page is Page.TRAY and bool(self.views) and self.lens is None

    @property
    def happened(self) -> bool:
        """True once what the page asks for is seen, and was not there before where that matters."""
        return (
            self.seen is not None
            and self.seen.verdict.good
            and self.seen.draft is not None
            and (self.changed or self.page not in CHANGED_PAGES)
        )

    @property
    def progress(self) -> float | None:
        """How near this page is to going on by itself, 0 to 1; None where it does not."""
        if self.page not in LOOKS_TO_TAKE:
            return None
        return min(1.0, self.looks / LOOKS_TO_TAKE[self.page])

    @property
    def verdict(self) -> Verdict | None:
        """The verdict now: a refusal, else what the last frames show; None where nothing is."""
        if self.page in FLOOR_PAGES:
            return self.refusal
        return self.refusal or (self.seen.verdict if self.seen else None)


NOT_STORED = Verdict(0.0, Problem.NOT_SAVED, "the profile cannot be written; is the disk full?")
TRAY_FIRST = Verdict(0.0, Problem.TRAY_FIRST, "expected a tray that was found; do TRAY first")
UNCHANGED = Verdict(
    0.0, Problem.UNCHANGED, "expected what the board asks for, found all as it was before"
)
TAKE_CARD = Verdict(
    0.0,
    Problem.TAKE_CARD,
    "expected the tray as it was before the card; no picture leaves till then",
)
LOOKING = Verdict(0.0, Problem.LOOKING, "nothing has been looked at yet; wait a moment")
NO_THROW = Verdict(0.0, Problem.NO_THROW, "no throw has come to rest yet")
TOO_MANY_DICE = Verdict(
    0.0, Problem.TOO_MANY_DICE, f"more than {MAX_CHECKED_DICE} dice cannot be shown"
)


def begin_wizard(
    known: Calibration | None = None,
    pointed: Calibration | None = None,
    floor_mm: tuple[float, float] | None = None,
    sight: Sight | None = MODULE_3_SIGHT,
    rim: RimHeight | None = None,
    by_corners: bool = False,
) -> Wizard:
    """The wizard as it comes up: at the tray where that is not known, else at the list.

    Args:
        known: what is on disk; None before the tray was found.
        pointed: the tray, where its corners were given in pixels.
        floor_mm: width and depth of the floor, where they are known.
        sight: what the pictures show of which camera's sensor; None where that is not known.
        rim: the rim's height as it was entered; None where nobody has.
        by_corners: whether the floor's corners are to be pointed at, without a search for markers.
    """
    page = Page.TRAY if known is None else Page.LIST
    page = Page.CORNERS if by_corners or pointed is not None else page
    return Wizard(
        page=page,
        known=known,
        pointed=pointed,
        floor_mm=floor_mm if pointed is None else pointed.floor_mm,
        lens=None if known is None else known.lens,
        sight=sight,
        rim=rim,
        requests=() if page is Page.LIST else (Unlock(),),
    )
