"""The calibration screens, for `docs/calibrating.md` and for the golden pictures."""

from collections.abc import Mapping
from dataclasses import replace

import cv2
import numpy as np

from appliance.screens.calibrating import wizard_pages
from calibration.accuracy import Check
from calibration.calibration import Calibration, Difference
from calibration.problems import Problem, Verdict
from calibration.wizard.pages import Page
from calibration.wizard.pointing import Pointing
from calibration.wizard.prompts import WizardPrompt, wizard_prompt
from calibration.wizard.state import (
    NO_THROW,
    NOT_STORED,
    TOO_MANY_DICE,
    TRAY_FIRST,
    UNCHANGED,
    CheckedThrow,
    Seen,
    SeenDie,
    Wizard,
)
from tests.rigs.gallery import svg
from vision.geometry.profile import PowerFace, Profile
from vision.reading import POWER_FACES, Face, Kind

_FOUND = ((0.2, 0.15), (0.82, 0.12), (0.84, 0.87), (0.18, 0.88))
_PATCH = np.zeros((48, 48), np.uint8)
_FACES = tuple(PowerFace(face, _PATCH) for face in POWER_FACES)


def tray(doubt_mm: float = 2.5, markers: bool = True) -> Calibration:
    """A tray as it might be found."""
    profile = Profile(
        size=(640, 360),
        camera=np.diag([500.0, 500.0, 1.0]),
        distortion=np.zeros(4),
        rotation=np.eye(3),
        translation=np.array([0.0, 0.0, 400.0]),
        tray=np.array([(-108.0, -76.0), (108.0, -76.0), (108.0, 76.0), (-108.0, 76.0)]),
    )
    layout = np.zeros((4, 4, 3)) if markers else None
    return Calibration(profile, layout=layout, doubt_mm=doubt_mm)


def leaning(degrees: float) -> Calibration:
    """The tray's calibration from a camera that leans."""
    found = tray()
    turn, _ = cv2.Rodrigues(np.array((np.radians(degrees), 0.0, 0.0)))
    return replace(found, profile=replace(found.profile, rotation=np.asarray(turn, np.float64)))


KNOWN = tray()


def page(
    which: Page,
    problem: Problem | None = None,
    looks: int = 0,
    refused: Problem | None = None,
    known: Calibration | None = KNOWN,
) -> Wizard:
    """A page with what is seen, or an OK that was refused."""
    good = problem is None
    seen = Seen(which, Verdict(float(good), problem), draft=KNOWN if good else None)
    refusal = None if refused is None else Verdict(0.0, refused)
    changed = looks > 0 or not good
    return Wizard(which, known=known, seen=seen, changed=changed, looks=looks, refusal=refusal)


def throw(chosen: int | None = None, there: int = 6) -> CheckedThrow:
    """A throw that is checked."""
    faces: tuple[Face | None, ...] = (2, 6, 1, 5, 4, "double")
    dice = tuple(SeenDie(Kind.BLACK, face, True) for face in faces)
    return CheckedThrow(dice, faces, there, chosen)


def _pointing(number: int, zoom: int, problem: Problem | None = None) -> Wizard:
    """A corner of a dark floor in a light tray is pointed at."""
    picture = np.full((720, 1280, 3), 60, np.uint8)
    picture[110:610, 290:990] = 180
    picture[140:580, 320:960] = 90
    at = ((320, 140), (960, 140), (960, 580), (320, 580))
    pointing = Pointing((1280, 720), at[number], at[:number], zoom)
    seen = Seen(Page.CORNERS, Verdict(1.0), picture=picture)
    refusal = None if problem is None else Verdict(0.0, problem)
    return Wizard(Page.CORNERS, seen=seen, pointing=pointing, refusal=refusal)


_POINTED = Wizard(
    Page.CORNERS,
    seen=Seen(Page.CORNERS, Verdict(1.0), draft=tray(1.0, markers=False), outline=_FOUND),
    floor_mm=(216.0, 152.0),
    pointing=Pointing((1280, 720), (0, 0)),
    pointed=tray(1.0, markers=False),
)
_HOLDER = np.array([(-50.0, 80.0), (50.0, 80.0), (50.0, 110.0), (-50.0, 110.0)])
_CHECK = Wizard(Page.CHECK, known=KNOWN)
_PASSED = Check(60, 0)
_FAILED = Check(33, 2, 4)
_POWER = replace(page(Page.POWER), seen=None, changed=False)

WIZARDS: Mapping[str, Wizard] = {
    "list": Wizard(known=KNOWN),
    "list-refused": replace(Wizard(), item=Page.CHECK, refusal=TRAY_FIRST),
    "list-learnt": Wizard(
        item=Page.HOLDER, known=replace(KNOWN, holders=_HOLDER, holder_learnt=True)
    ),
    "tray": replace(page(Page.TRAY), seen=None),
    "tray-cut-off": page(Page.TRAY, Problem.CUT_OFF),
    "tray-seen": page(Page.TRAY, looks=3),
    "tray-no-markers": page(Page.TRAY, Problem.NO_MARKERS),
    "tray-found": Wizard(Page.KEPT, known=KNOWN, advice=Problem.GLARE_LEFT),
    "tray-found-again": Wizard(
        Page.KEPT, known=replace(KNOWN, since=Difference(-12.0, 5.0, 0.0, -8.0, 30.0))
    ),
    "tray-found-as-before": Wizard(
        Page.KEPT, known=replace(KNOWN, since=Difference(1.0, 0.5, 0.0, 0.0, 2.0))
    ),
    "tray-tilted": page(Page.TRAY, Problem.TILTED),
    "tray-found-leaning": Wizard(Page.KEPT, known=leaning(27.0)),
    "floor-width": replace(page(Page.WIDTH), seen=None),
    "floor-depth": replace(page(Page.DEPTH), seen=None),
    "corner": _pointing(0, 0),
    "corner-closer": _pointing(1, 1),
    "corner-close": _pointing(2, 2),
    "corners-wrong": _pointing(0, 0, Problem.BAD_FIT),
    "corners-found": _POINTED,
    "face": _POWER,
    "face-seen": page(Page.POWER, looks=2),
    "face-refused": replace(_POWER, refusal=UNCHANGED),
    "face-alike": replace(page(Page.POWER, Problem.TOO_ALIKE), faces=_FACES[:3]),
    "holder": replace(page(Page.HOLDER), seen=None, changed=False),
    "holder-seen": page(Page.HOLDER, looks=4),
    "check": _CHECK,
    "check-refused": replace(_CHECK, refusal=NO_THROW),
    "check-too-many": replace(_CHECK, refusal=TOO_MANY_DICE),
    "judge": replace(_CHECK, throw=throw()),
    "put-right": replace(_CHECK, throw=throw(chosen=2)),
    "one-unseen": replace(_CHECK, throw=throw(there=7), tally=Check(33, 0, 2)),
    "passed": Wizard(Page.KEPT, Page.CHECK, KNOWN.with_check(_PASSED), tally=_PASSED),
    "failed": Wizard(Page.KEPT, Page.CHECK, KNOWN.with_check(_FAILED), tally=_FAILED),
    "not-saved": replace(page(Page.TRAY), refusal=NOT_STORED),
}
"""The wizard at each screen, by name; the pages of a screen alternate."""

SCREENS: Mapping[str, WizardPrompt] = {name: wizard_prompt(one) for name, one in WIZARDS.items()}
"""The prompt for the board on each of them."""

IN_THE_PAGE = (
    *("list", "tray", "tray-seen", "tray-found", "tray-no-markers"),
    *("corner", "corner-close", "corners-found"),
    *("face", "face-seen", "holder", "judge", "put-right", "one-unseen", "passed", "failed"),
)
"""The screens that `docs/calibrating.md` shows."""


def drawings() -> dict[str, str]:
    """The drawings of the screens in the page, by file name."""
    return {f"{name}.svg": svg(wizard_pages(SCREENS[name])) for name in IN_THE_PAGE}
