"""Tries cameras before a game: which one, what it sees, and what would help."""

import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, suppress
from itertools import islice
from typing import TYPE_CHECKING, Self

from appliance.aiming import Aim, Steady, Verdict, advise
from appliance.alerts import Alert
from appliance.devices.camera import Camera, open_camera
from appliance.devices.camera.feed import Failure, Feed
from appliance.devices.camera.health import CameraHealth
from appliance.devices.camera.listing import ListedCamera, list_cameras
from appliance.devices.camera.mode import Mode
from appliance.errors import CameraError
from appliance.inputs import HOLD_BUTTONS, Button
from appliance.terminal.keyboard import QUIT_ACTION, Keyboard
from appliance.terminal.looking import (
    MAX_LISTED,
    choice_view,
    failed_view,
    looking_view,
    named_camera,
)
from appliance.terminal.screen import TerminalView
from appliance.words import say
from calibration.readers import UncalibratedReader
from vision.errors import VisionError
from vision.frame import Frame, Image
from vision.glance import glance
from vision.reading import TrayReading

if TYPE_CHECKING:
    from appliance.service.view import View
    from appliance.web.page import BrowserPage

FRAMES_OF_A_STILL = 15
"""Pictures that a camera gives before one is kept: it adjusts itself meanwhile."""
_PATIENCE_S = 0.1
"""How long a new picture is waited for before keys are looked at."""
_PERIOD_S = 0.05
"""The same where there is none to come."""


class Readings:
    """Reads pictures in a thread, one at a time, while newer ones are shown."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "reading")
        self._work: Future[tuple[TrayReading, Verdict]] | None = None
        self._reader = UncalibratedReader()
        self._steady = Steady()
        self.reading: TrayReading | None = None
        self.verdict: Verdict | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._thread.shutdown()

    def offer(self, image: Image) -> None:
        """Takes what was read since, and this picture if the last one is read."""
        if self._work is not None and self._work.done():
            # What there is too little memory for is tried again with the next picture.
            with suppress(VisionError):
                self.reading, verdict = self._work.result()
                self.verdict = self._steady.settle(verdict)
            self._work = None
        if self._work is None:
            self._work = self._thread.submit(self._read, image)

    def _read(self, image: Image) -> tuple[TrayReading, Verdict]:
        reading = self._reader.read(image)
        return reading, advise(Aim.of(image, reading, glance(image)))


class Looking:
    """Somebody who tries cameras, at a terminal or a page.

    Args:
        keyboard: what was pressed.
        screen: what it is drawn on.
        stopped: whether a signal has asked to stop.
        open_camera: opens a camera by its spec.
        list_cameras: those that are there.
    """

    def __init__(
        self,
        keyboard: "Keyboard | BrowserPage",
        screen: "TerminalView | BrowserPage",
        stopped: Callable[[], bool],
        open_camera: Callable[[str], Camera] = open_camera,
        list_cameras: Callable[[], tuple[ListedCamera, ...]] = list_cameras,
    ) -> None:
        self._keyboard, self._screen, self._stopped = keyboard, screen, stopped
        self._open, self._list = open_camera, list_cameras
        self._left = False

    def look(self, spec: str = "") -> str:
        """The camera to play with; empty for none.

        Args:
            spec: the one to begin with; empty for the only one that is not part of the computer,
                or to choose.
        """
        camera = ListedCamera(spec, spec) if spec else named_camera(self._list())
        while not self._ended:
            if camera is None:
                camera = self._choose()
            elif self._wants_to_play(camera):
                return camera.spec
            else:
                camera = None
        return ""

    @property
    def _ended(self) -> bool:
        return self._left or self._stopped()

    def _turn(self, view: "View") -> list[str]:
        """Draws, and returns what was pressed."""
        self._screen.draw(view)
        actions = self._keyboard.poll()
        self._screen.obey(actions)
        self._left = self._left or QUIT_ACTION in actions
        return actions

    def _choose(self) -> ListedCamera | None:
        """One of the cameras that are there; None if somebody leaves, or wants to look again."""
        cameras = self._list()[:MAX_LISTED]
        with ThreadPoolExecutor(1, "stills") as thread:
            work = [thread.submit(self._take_still, camera.spec) for camera in cameras]
            try:
                return self._choice(cameras, work)
            finally:
                for each in work:
                    each.cancel()

    def _choice(
        self, cameras: tuple[ListedCamera, ...], work: "list[Future[Image | None]]"
    ) -> ListedCamera | None:
        stills: dict[int, Image | None] = {}
        view: View | None = None
        while not self._ended:
            new = {k: each.result() for k, each in enumerate(work) if each.done()}
            if view is None or new.keys() != stills.keys():
                stills = new
                view = _choice_of(cameras, stills)
            actions = self._turn(view)
            for number, camera in enumerate(cameras):
                if HOLD_BUTTONS[number] in actions:
                    return camera
            if Button.BACK in actions:
                return None
            time.sleep(_PERIOD_S)
        return None

    def _take_still(self, spec: str) -> Image | None:
        try:
            with closing(self._open(spec)) as camera:
                frames = list(islice(camera.frames(), FRAMES_OF_A_STILL))
        except CameraError:
            return None
        return frames[-1].image if frames else None

    def _wants_to_play(self, camera: ListedCamera) -> bool:
        """Shows what a camera sees until somebody decides."""
        opened: list[Camera] = []

        def open_it() -> Camera:
            opened[:] = [self._open(camera.spec)]
            return opened[0]

        feed = Feed(open_it)
        feed.start()
        view = looking_view(None, None, None, camera.name)
        frame: Frame | None = None
        health = CameraHealth(soft=lambda _: 0.0)
        with closing(feed), Readings() as readings:
            while not self._ended:
                news = feed.next(_PATIENCE_S)
                if isinstance(news, Frame):
                    frame = news
                    health.see(frame, frame.time_s)
                    readings.offer(frame.image)
                    about = ", ".join((camera.name, *_mode_lines(opened)))
                    view = looking_view(frame.image, readings.reading, readings.verdict, about)
                    if Alert.CAMERA_FROZEN in health.alerts(frame.time_s):
                        frame, view = None, failed_view(_stuck())
                elif isinstance(news, Failure):
                    frame, view = None, failed_view(str(news.error))
                actions = self._turn(view)
                if Button.OK in actions and frame is not None:
                    return True
                if Button.BACK in actions:
                    return False
        return False


def _choice_of(cameras: tuple[ListedCamera, ...], stills: Mapping[int, Image | None]) -> "View":
    if not cameras:
        return failed_view(say("No camera found: plug one in."))
    return choice_view(cameras, stills)


def _stuck() -> str:
    return say("The camera always sends the same picture: plug it in again.")


def _mode_lines(opened: list[Camera]) -> tuple[str, ...]:
    """How the camera delivers its pictures, and what is not as asked for, where it can say that."""
    mode = getattr(opened[0], "mode", None) if opened else None
    return (" ".join((mode.text + ".", *mode.faults)),) if isinstance(mode, Mode) else ()
