"""Runs the calibration wizard in the appliance: frames and presses in, pictures for the board out.

The wizard itself (`calibration.wizard`) is a pure state machine; what it asks for is done here:
looking at frames, locking the camera, watching throws, storing the profile.
"""

import logging
import math
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from appliance.guidance import Guidance
from appliance.inputs import HOLD_BUTTONS, Button, Pressed
from appliance.picture import Picture
from appliance.screens.calibrating import wizard_film
from appliance.screens.drawing import Film
from appliance.service.guide import calibration_view, wizard_guidance
from appliance.service.ports import Exposing
from appliance.service.view import View
from calibration.calibration import Calibration
from calibration.errors import StoreError
from calibration.markers.bundle import RimHeight
from calibration.markers.lens import MODULE_3_SIGHT
from calibration.problems import Verdict
from calibration.quality import focus
from calibration.readers import calibrated_watcher
from calibration.wizard import state
from calibration.wizard.advance import advance
from calibration.wizard.pages import FLOOR_PAGES, Page
from calibration.wizard.pointing import Pointing
from calibration.wizard.prompts import PagePrompt, PointPrompt, WizardPrompt, wizard_prompt
from calibration.wizard.seeing import WATCHED_FRAMES, exposure_factor, look
from vision.events import Found, Roll
from vision.frame import Frame, Image
from vision.geometry.sight import Sight
from vision.watch.darker import DarkFrames, Exposure
from vision.watch.motion import SMALL_LONG_SIDE_PX, Small, changed_pixels, shrink
from vision.watch.watching import Watching

log = logging.getLogger(__name__)

MEASURE_INTERVAL_S = 0.4
"""In frame time; so the bar moves as often."""
MAX_EXPOSURE_CHANGES = 12
"""After so many on a page the tray is looked at in whatever light there is."""
KEPT_SHOWN_S = 4.0
"""The report of what was kept stays at least so long."""

_MIN_MOVED_AREA = 0.05
"""Share of a die's area that changes where something has moved."""
_KEY_BY_BUTTON = {Button[key.name]: key for key in state.Key if key is not state.Key.HOLD}


class Calibrating:
    """The calibration as an activity of the appliance.

    Args:
        keep: stores a calibration, after every item; raises `StoreError` if it cannot.
        known: what is stored already; None for a tray that was not found yet.
        exposing: the camera's exposure; None where it cannot be locked.
        shutter: takes darker frames where a lamp washes out dice; None where it cannot.
        pointed: the tray, where its corners were given in pixels.
        floor_mm: width and depth of the floor, where they are known.
        by_corners: whether its corners are to be pointed at, without looking for markers first.
        sight: what the pictures show of which camera's sensor; None where that is not known. What
            frames say of themselves counts more.
        rim: the rim's height as it was entered; None where nobody has.
        report: gets each prompt that comes up, for a terminal.

    Attributes:
        wizard: the wizard's state.
        calibration: the calibration that was stored last; None until one was.
    """

    def __init__(
        self,
        keep: Callable[[Calibration], None],
        *,
        known: Calibration | None = None,
        exposing: Exposing | None = None,
        shutter: Exposure | None = None,
        pointed: Calibration | None = None,
        floor_mm: tuple[float, float] | None = None,
        by_corners: bool = False,
        sight: Sight | None = MODULE_3_SIGHT,
        rim: RimHeight | None = None,
        report: Callable[[WizardPrompt, Verdict | None], None] | None = None,
    ) -> None:
        self._keep = keep
        self._exposing = exposing
        self._shutter = shutter
        self._dark = None if shutter is None else DarkFrames(shutter)
        self._lit: Small | None = None  # the scene when darker frames were requested
        self._report = report
        self._frames: deque[Frame] = deque(maxlen=WATCHED_FRAMES)
        self._watcher: Watching | None = None
        self._next_s = -math.inf
        self._exposure_changes = 0
        self._time_s = 0.0
        self._since_s = 0.0
        self._prompt: WizardPrompt | None = None
        self._film: Film | None = None
        self.calibration: Calibration | None = None
        self._brighten()
        self.wizard = state.begin_wizard(known, pointed, floor_mm, sight, rim, by_corners)
        self._carry_out(self.wizard.requests)
        self._draw_prompt()

    @property
    def done(self) -> bool:
        """True once it is over, with a profile or without."""
        return self.wizard.ended

    @property
    def private(self) -> bool:
        """True while a card may be in view: its pictures are not shown, kept or passed on."""
        return self.wizard.private

    @property
    def said(self) -> WizardPrompt:
        """The wizard's present prompt."""
        return wizard_prompt(self.wizard)

    @property
    def pointing(self) -> Pointing | None:
        """How far somebody has come who points at the floor's corners; None while nobody does."""
        return self.wizard.pointing if self.wizard.points else None

    def feed(self, frame: Frame) -> None:
        """Takes in one frame; looks at it if it is time to."""
        self._time_s = frame.time_s
        if self.done:
            return
        if frame.sight is not None and frame.sight != self.wizard.sight:
            self.wizard = replace(self.wizard, sight=frame.sight)
        page = self.wizard.page
        if page is Page.CHECK:
            self._watch_throws(frame)
        elif page is Page.KEPT:
            self._pass_what_was_shown()
        elif frame.exposure < 1.0:
            self._keep_darker_frame(frame)
        else:
            self._frames.append(frame)
            waits = self._dark is not None and self._dark.waits(frame)
            if page in (Page.LIST, *FLOOR_PAGES) or waits or frame.time_s < self._next_s:
                return
            self._next_s = frame.time_s + MEASURE_INTERVAL_S
            if not self._is_exposed(page):
                return
            seen = look(self.wizard, tuple(self._frames), self._darker_pictures())
            if not (seen.shines and self._requests_darker()):
                self._advance(seen)

    def press(self, press: Pressed) -> None:
        """Takes in one press; HINT means nothing here."""
        if press.button in HOLD_BUTTONS:
            self._advance(state.Press(state.Key.HOLD, HOLD_BUTTONS.index(press.button)))
        elif press.button in _KEY_BY_BUTTON:
            self._advance(state.Press(_KEY_BY_BUTTON[press.button], long=press.long))

    def point(self, x: float, y: float) -> None:
        """Somebody points at a place in the picture, given in shares of its size."""
        self._advance(state.Point(x, y))

    def picture(self, time_s: float) -> Picture:
        """The picture for the board."""
        assert self._film is not None
        return self._film.picture_at(max(0.0, time_s - self._since_s))

    def guidance(self, *, hands: bool) -> Guidance:
        """What people can do now."""
        return wizard_guidance(self.said, hands)

    def view(self, frame: Frame | None, board: Picture | None, *, hands: bool = False) -> View:
        """What screens show."""
        shown = None if self.private else frame
        return calibration_view(self.said, self.pointing, shown, board, hands=hands)

    def _is_exposed(self, page: Page) -> bool:
        """Brings the light of the markers' paper into range before the tray is looked at.

        Returns False where the exposure was changed: frames that follow show it.
        """
        if page not in (Page.TRAY, Page.CORNERS) or self._exposing is None:
            return True
        factor = exposure_factor(tuple(self._frames))
        self._exposing.expose(factor)
        changed = factor != 1.0 and self._exposure_changes < MAX_EXPOSURE_CHANGES
        self._exposure_changes += changed
        return not changed

    def _pass_what_was_shown(self) -> None:
        """Goes on once everything about what was kept was shown."""
        assert self._film is not None
        length_s = sum(still.seconds for still in self._film.loop)
        if self._time_s - self._since_s >= max(KEPT_SHOWN_S, length_s):
            self._advance(state.Passed())

    def _requests_darker(self) -> bool:
        """Requests darker frames of the scene if they may help; returns whether some will come."""
        now = self._frames[-1]
        if self._dark is None or not focus.steadiness(tuple(self._frames)).good:
            return False
        self._dark.request(now)
        if waits := self._dark.waits(now):
            self._lit = shrink(now.image)
        return waits

    def _keep_darker_frame(self, frame: Frame) -> None:
        """Keeps a darker frame; it is looked at once the exposure is back to usual."""
        if self._dark is not None and self._dark.take(frame, self._die_px()):
            self._next_s = frame.time_s

    def _darker_pictures(self) -> tuple[Image, ...]:
        """Darker pictures of the scene; none once something has moved."""
        if self._dark is None or self._lit is None:
            return ()
        moved = np.count_nonzero(changed_pixels(self._lit, shrink(self._frames[-1].image)))
        if moved > max(3.0, _MIN_MOVED_AREA * self._die_px() ** 2):
            self._dark.rest_anew()
            self._lit = None
            return ()
        return self._dark.images

    def _die_px(self) -> float:
        """Edge of a die on a small copy, pixels."""
        known = self.wizard.known
        profile = None if known is None else known.profile
        return profile.usual_edge() * SMALL_LONG_SIDE_PX / max(profile.size) if profile else 0.0

    def _brighten(self) -> None:
        """Forgets darker frames, and puts the camera back to its usual exposure."""
        self._lit = None
        if self._dark is not None:
            self._dark.rest_anew()
        if self._shutter is not None:
            # Others may have requested less: the game before, the check of throws.
            self._shutter.brighten()

    def _watch_throws(self, frame: Frame) -> None:
        known = self.wizard.known
        if known is None:
            return
        if self._watcher is None:
            self._watcher = calibrated_watcher(known, self._shutter)
        for event in self._watcher.feed(frame):
            if isinstance(event, Roll | Found):
                # As they lie, from left to right.
                dice = (d.reading for d in sorted(event.dice, key=lambda d: d.reading.center))
                seen = (state.SeenDie(read.kind, read.value, read.sure) for read in dice)
                self._advance(state.Rested(tuple(seen)))

    def _advance(self, event: state.Event) -> None:
        before = self.wizard
        self.wizard = advance(before, event)
        if (self.wizard.page, self.wizard.face) != (before.page, before.face):
            # What was seen on one page must not count for the next unless it is seen again.
            self._next_s = self._time_s + MEASURE_INTERVAL_S
            self._frames.clear()
            self._watcher = None
            self._exposure_changes = 0
            self._brighten()
        self._draw_prompt()
        self._carry_out(self.wizard.requests)

    def _carry_out(self, requests: Sequence[state.Request]) -> None:
        for request in requests:
            match request:
                case state.Lock():
                    locked = {} if self._exposing is None else self._exposing.lock()
                    self._advance(state.Locked(locked))
                case state.Unlock() if self._exposing is not None:
                    self._exposing.unlock()
                case state.Restore() if self._exposing is not None:
                    self._exposing.restore()
                case state.Store(calibration):
                    self._store(calibration)
                case _:
                    pass

    def _store(self, calibration: Calibration) -> None:
        try:
            self._keep(calibration)
        except StoreError as error:
            log.error("%s", error)
            self._advance(state.NotStored())
            return
        self.calibration = calibration
        if self._exposing is not None:
            self._exposing.keep()
        self._advance(state.Stored())

    def _draw_prompt(self) -> None:
        """Draws what a new state has to show; pages continue if only the bar has changed."""
        said = wizard_prompt(self.wizard)
        if said == self._prompt:
            return
        before, self._prompt = self._prompt, said
        self._film = wizard_film(said)
        if before is None or _shown_words(said) != _shown_words(before):
            self._since_s = self._time_s
        if self._report is not None:
            self._report(said, self.wizard.verdict)


def _shown_words(said: WizardPrompt) -> object:
    """The words of a prompt, apart from how far it has come; a refusal begins its pages anew."""
    if isinstance(said, PagePrompt):
        return said.title, said.place, said.says, said.refused
    if isinstance(said, PointPrompt):
        return said.number, said.zoom, said.at, said.problem
    return said
