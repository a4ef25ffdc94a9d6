"""Runs the calibration's wizard in the appliance: frames and presses in, pictures for the board.

The wizard itself (`calibration.wizard`) is a pure state machine; what it asks for is done here:
looking at frames, locking the camera, watching throws, keeping the profile.
"""

import logging
import math
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, runtime_checkable

from appliance.inputs import HOLDS, Button, Pressed
from appliance.picture import Picture
from appliance.screens.calibrating import wizard_film
from appliance.screens.drawing.film import Film
from appliance.service.ports import Watching
from calibration.calibration import Calibration
from calibration.errors import StoreError
from calibration.problems import Problem, Verdict
from calibration.readers import CalibratedReader
from calibration.wizard import state
from calibration.wizard.advance import advance
from calibration.wizard.prompts import WizardPrompt, prompt
from calibration.wizard.seeing import FRAMES, exposure_factor, see
from calibration.wizard.stages import WizardStage, WizardStep
from calibration.wizard.taking import take
from vision.errors import TooManySpots, VisionError
from vision.events import Found, Roll
from vision.frame import Frame
from vision.watch.darker import Exposure
from vision.watch.watcher import Watcher, watcher_for

log = logging.getLogger(__name__)

EVERY_S = 0.4
"""Seconds of frame time between two measurements, and so between two moves of the bar."""

_KEYS = {Button[key.name]: key for key in state.Key if key is not state.Key.HOLD}


@runtime_checkable
class Exposing(Protocol):
    """The port to a camera whose exposure, gains, white balance and focus can be locked."""

    def unlock(self) -> None:
        """Lets the camera adjust itself, from the next frames on."""

    def expose(self, factor: float) -> None:
        """Makes pictures brighter by this factor of light."""

    def lock(self) -> Mapping[str, float]:
        """Keeps everything as it is now; returns it by the names of the camera's controls."""

    def keep(self) -> None:
        """What is set now is what `restore` goes back to."""

    def restore(self) -> None:
        """Puts everything back to what was kept."""


def watching(calibration: Calibration, camera: Exposure | None = None) -> Watcher:
    """The watcher for a calibrated tray, with the `camera` that takes darker frames if any does."""
    reader = CalibratedReader(calibration)
    return watcher_for(reader, reader.profile, camera)


class Calibrating:
    """The calibration as an activity of the appliance.

    Args:
        keep: keeps the finished calibration; raises `StoreError` if it cannot.
        exposing: the camera's exposure; None where it cannot be locked.
        given: the tray, where its corners were given by hand.
        floor_mm: width and depth of the floor, where they are known.
        by_rim: whether the tray is to be found by its rim without looking for markers first.
        report: gets each prompt that comes up, for a terminal.

    Attributes:
        wizard: the wizard's state.
        calibration: the calibration that was kept; None until then.
    """

    def __init__(
        self,
        keep: Callable[[Calibration], None],
        *,
        exposing: Exposing | None = None,
        given: Calibration | None = None,
        floor_mm: tuple[float, float] | None = None,
        by_rim: bool = False,
        report: Callable[[WizardPrompt, Verdict | None], None] | None = None,
    ) -> None:
        self._keep = keep
        self._exposing = exposing
        self._report = report
        self._frames: deque[Frame] = deque(maxlen=FRAMES)
        self._watcher: Watching | None = None
        self._next_s = -math.inf
        self._time_s = 0.0
        self._since_s = 0.0
        self._prompt: WizardPrompt | None = None
        self._film: Film | None = None
        self.calibration: Calibration | None = None
        self.wizard = state.begin(given, floor_mm, by_rim)
        self._carry_out(self.wizard.requests)
        self._look()

    @property
    def done(self) -> bool:
        """Whether it is over, with a profile or without."""
        return self.wizard.ended

    @property
    def said(self) -> WizardPrompt:
        """What is asked for now."""
        return prompt(self.wizard)

    def feed(self, frame: Frame) -> None:
        """Takes in one frame; measures in it if it is time to."""
        self._time_s = frame.time_s
        self._frames.append(frame)
        if self.done:
            return
        stage = self.wizard.stage
        if stage.step is WizardStep.CHECK:
            self._watch_throws(frame)
        elif stage.step is not WizardStep.RESULT and frame.time_s >= self._next_s:
            self._next_s = frame.time_s + EVERY_S
            self._happen(self._seen(stage))

    def press(self, press: Pressed) -> None:
        """Takes in one press; HINT means nothing here."""
        if press.button in HOLDS:
            self._happen(state.Press(state.Key.HOLD, HOLDS.index(press.button)))
        elif press.button in _KEYS:
            self._happen(state.Press(_KEYS[press.button], long=press.long))

    def picture(self, time_s: float) -> Picture:
        """What the board shows."""
        assert self._film is not None
        return self._film.at(max(0.0, time_s - self._since_s))

    def _seen(self, stage: WizardStage) -> state.Seen:
        frames = tuple(self._frames)
        try:
            if stage.step is WizardStep.LIGHT and self._exposing is not None:
                self._exposing.expose(exposure_factor(frames))
            return see(self.wizard, frames)
        except TooManySpots as error:
            return state.Seen(stage, Verdict(0.0, Problem.TOO_MANY_SPOTS, str(error)))
        except VisionError as error:
            return state.Seen(stage, Verdict(0.0, Problem.BAD_FIT, str(error)))

    def _watch_throws(self, frame: Frame) -> None:
        draft = self.wizard.draft
        if draft is None:
            return
        if self._watcher is None:
            self._watcher = watching(draft)
        for event in self._watcher.feed(frame):
            if isinstance(event, Roll | Found):
                # As they lie, from left to right.
                dice = (d.reading for d in sorted(event.dice, key=lambda d: d.reading.center))
                seen = (state.SeenDie(read.kind, read.value, read.sure) for read in dice)
                self._happen(state.Rested(tuple(seen)))

    def _happen(self, event: state.Event) -> None:
        stage = self.wizard.stage
        self.wizard = advance(self.wizard, event)
        if self.wizard.stage != stage:
            # What lay there for one stage must not count for the next before it is looked at.
            self._next_s = self._time_s + EVERY_S
            self._frames.clear()
            self._watcher = None
        self._look()
        self._carry_out(self.wizard.requests)

    def _carry_out(self, requests: Sequence[state.Request]) -> None:
        for request in requests:
            match request:
                case state.TakePictures(stage):
                    if stage == self.wizard.stage and self._frames:
                        self._happen(take(self.wizard, tuple(self._frames)))
                case state.Lock() if self._exposing is not None:
                    self._happen(state.Locked(self._exposing.lock()))
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
            self._happen(state.NotStored())
            return
        self.calibration = calibration
        if self._exposing is not None:
            self._exposing.keep()

    def _look(self) -> None:
        """Draws what a new state has to show; pages go on where only the bar has changed."""
        said = prompt(self.wizard)
        if said == self._prompt:
            return
        film = wizard_film(said)
        before = self._prompt
        self._prompt, self._film = said, film
        if before is None or _words(said) != _words(before):
            self._since_s = self._time_s
        if self._report is not None:
            self._report(said, self.wizard.verdict)


def _words(said: WizardPrompt) -> object:
    """What is said without how good it is."""
    return (getattr(said, "title", said), getattr(said, "problem", ""), getattr(said, "good", ""))
