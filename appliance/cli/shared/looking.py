"""Tries cameras before a game: which one, what it sees, and what would help."""

import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Self

import cv2
import numpy as np

from appliance.aiming import Aim, Steady, Verdict, advise
from appliance.alerts import Alert
from appliance.devices.camera import Camera, open_camera
from appliance.devices.camera.address import spoken
from appliance.devices.camera.exposure import Values
from appliance.devices.camera.feed import Failure, Feed
from appliance.devices.camera.health import CameraHealth
from appliance.devices.camera.kinds import PHONE
from appliance.devices.camera.listing import ListedCamera
from appliance.devices.camera.mode import Mode
from appliance.devices.camera.phone import PhoneCamera, PhoneMode
from appliance.devices.camera.usb import V4L2Camera
from appliance.devices.camera.webcams import webcams_here
from appliance.errors import CameraError
from appliance.inputs import HOLD_BUTTONS, Button
from appliance.terminal.keyboard import LONG_PREFIX, QUIT_ACTION, Keyboard
from appliance.terminal.looking import (
    MAX_LISTED,
    choice_view,
    failed_view,
    looking_view,
    named_camera,
)
from appliance.terminal.pointing import obey, pointing_view
from appliance.terminal.qr import qr_code
from appliance.terminal.screen import TerminalView
from appliance.words import say
from calibration.calibration import Calibration
from calibration.errors import RefusedError
from calibration.flat import geometry_of_corners, geometry_of_print, lean_of
from calibration.problems import Problem
from calibration.readers import UncalibratedReader
from calibration.self_calibration import SelfCalibration
from calibration.wizard.pointing import begin_pointing
from vision.errors import OutOfMemory, VisionError
from vision.frame import Frame, Image
from vision.geometry.sight import Sight
from vision.glance import glance
from vision.image.memory import memory_watched
from vision.reading import TrayReading

if TYPE_CHECKING:
    from appliance.service.view import View
    from appliance.web.page import BrowserPage

FRAMES_OF_A_STILL = 15
"""Pictures that a camera gives before one is kept: it adjusts itself meanwhile."""
_PATIENCE_S = 0.1
"""How long a new picture is waited for before keys are looked at."""
_PERIOD_S = 0.05
"""Seconds between two looks at the keys where no picture is to come."""
_KEPT_FRAMES = 10
_KEPT_INTERVAL_S = 0.06
"""Of the frames that a game begins with: rest is seen in five, and after 0.16 s."""
TOLD_S = 12.0
"""So long it is said why markers that are seen cannot be used."""
_MODULE_PX = 16
"""Side of a module of a code on a page."""


class Readings:
    """Reads pictures in a thread, one at a time, while newer ones are shown.

    Attributes:
        geometry: of the view, once a printed marker was seen or somebody has pointed; it stays when
            the marker is taken away.
        reading: the last one; None before the first.
        verdict: what to do about it.
    """

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "reading")
        self._work: Future[tuple[TrayReading, Verdict, Calibration | None]] | None = None
        self._reader = UncalibratedReader()
        self._read_with: Calibration | None = None
        self._steady = Steady()
        self._pointed = False
        self._tray: SelfCalibration | None = SelfCalibration()
        self._told_s: dict[Problem, float] = {}
        self.geometry: Calibration | None = None
        self.reading: TrayReading | None = None
        self.verdict: Verdict | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        # Nobody waits for what is being read.
        self._thread.shutdown(wait=False, cancel_futures=True)

    def take_geometry(self, geometry: Calibration) -> None:
        """Somebody has pointed at the floor's corners: markers that are seen no longer count."""
        self.geometry, self._pointed = geometry, True

    @property
    def edge_px(self) -> float:
        """Edge of the dice in the last picture that was read; 0 without any."""
        dice = () if self.reading is None else self.reading.dice
        edges = [cv2.contourArea(np.array(die.outline, np.float32)) ** 0.5 for die in dice]
        return float(np.median(edges)) if edges else 0.0

    def offer(self, image: Image, sight: Sight | None = None, time_s: float = 0.0) -> None:
        """Takes what was read since, and this picture of a time if the last one is read."""
        if self._work is not None and self._work.done():
            # What there is too little memory for is tried again with the next picture.
            with suppress(VisionError):
                self.reading, verdict, found = self._work.result()
                self.verdict = self._steady.settle(verdict)
                if found is not None and not self._pointed:
                    self.geometry = found
            self._work = None
        if self._work is None:
            known = self.geometry if self._pointed else None
            self._work = self._thread.submit(self._read, image, sight, time_s, known)

    def _read(
        self, image: Image, sight: Sight | None, time_s: float, known: Calibration | None
    ) -> tuple[TrayReading, Verdict, Calibration | None]:
        seen = glance(image)
        found = known or geometry_of_print(image, sight, seen.tops) or self._read_with
        if found is not None and found.profile.size != (image.shape[1], image.shape[0]):
            found = None
        if found is not self._read_with:
            self._read_with = found
            self._reader = UncalibratedReader(None if found is None else found.profile)
        reading = self._reader.read(image)
        lean = None if found is None else lean_of(found.profile)
        refused = None if known else self._refused(Frame(image, time_s, 0, sight=sight))
        return reading, advise(Aim.of(image, reading, seen, lean, refused)), found

    def _refused(self, frame: Frame) -> RefusedError | None:
        """Why markers that are seen cannot be used, for a while; None once they were used."""
        if self._tray is None:
            return None
        try:
            with memory_watched():
                found = self._tray.feed(frame)
        except OutOfMemory:
            return None
        if isinstance(found, Calibration):
            self._tray = None
            return None
        why = self._tray.trouble
        if why is None:
            return None
        since_s = self._told_s.setdefault(why.problem, frame.time_s)
        # Whoever would rather play without them is told that, too.
        return why if frame.time_s - since_s < TOLD_S else None


@dataclass(frozen=True, slots=True)
class Wish:
    """The game that somebody who tried cameras wants to play.

    Attributes:
        camera: what with.
        players: how many, in a new game; None for the last game, or whoever played it.
        menu: whether the menu asks for game and names.
        seen: what the camera gave at last.
        locked: the values that it has locked itself to; None if it has not.
        geometry: of its view; None if that is not known.
    """

    camera: str
    players: int | None = None
    menu: bool = False
    seen: tuple[Frame, ...] = ()
    locked: Values | None = None
    geometry: Calibration | None = None


class Looking:
    """Somebody who tries cameras, at a terminal or a page.

    Args:
        keyboard: what was pressed.
        screen: what it is drawn on.
        stopped: whether a signal has asked to stop.
        open_camera: opens a camera by its spec.
        list_cameras: those that are there.
        phone: whether a phone may be one, too.
    """

    def __init__(
        self,
        keyboard: "Keyboard | BrowserPage",
        screen: "TerminalView | BrowserPage",
        stopped: Callable[[], bool],
        open_camera: Callable[[str], Camera] = open_camera,
        list_cameras: Callable[[], tuple[ListedCamera, ...]] = webcams_here,
        *,
        phone: bool = False,
    ) -> None:
        self._phone = phone
        self._keyboard, self._screen, self._stopped = keyboard, screen, stopped
        self._open, self._list = open_camera, list_cameras
        self._left = False

    def look(self, spec: str = "") -> Wish | None:
        """Lets somebody choose a camera and what to play with it; None for nothing.

        Args:
            spec: the one to begin with; empty for the only one that is not part of the computer,
                or to choose.
        """
        camera = ListedCamera(spec, spoken(spec)) if spec else named_camera(self._list())
        while not self._ended:
            if camera is None:
                camera = self._choose()
            elif (wish := self._try(camera)) is not None:
                return wish
            else:
                camera = None
        return None

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
        cameras = self._list()[: MAX_LISTED - self._phone]
        thread = ThreadPoolExecutor(1, "stills")
        work = [thread.submit(self._take_still, camera.spec) for camera in cameras]
        if self._phone:
            # It gives no still before it has been chosen.
            cameras = (*cameras, ListedCamera(PHONE, say("a phone's browser")))
        try:
            return self._choice(cameras, work)
        finally:
            # Somebody who leaves does not wait for a camera.
            thread.shutdown(wait=not self._ended, cancel_futures=True)

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
            if Button.OK in actions and len(cameras) == 1:
                return cameras[0]
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

    def _try(self, camera: ListedCamera) -> Wish | None:
        """Shows what a camera sees until somebody decides; None for another camera."""
        opened: list[Camera] = []

        def open_it() -> Camera:
            opened[:] = [self._open(camera.spec)]
            return opened[0]

        feed = Feed(open_it)
        feed.start()
        view = looking_view(None, None, None, camera.name)
        heard = False
        frame: Frame | None = None
        health = CameraHealth(soft=lambda _: 0.0)
        seen = Seen()
        with closing(feed), Readings() as readings:
            while not self._ended:
                news = feed.next(_PATIENCE_S)
                heard = heard or news is not None
                if isinstance(news, Frame):
                    frame = news
                    health.see(frame, frame.time_s)
                    seen.take(frame)
                    readings.offer(frame.image, frame.sight, frame.time_s)
                    about = ", ".join((camera.name, *_mode_lines(opened), *_angle(readings)))
                    view = looking_view(frame.image, readings.reading, readings.verdict, about)
                    if isinstance(opened[0], PhoneCamera):
                        opened[0].advise(view.guidance.says)
                    if Alert.CAMERA_FROZEN in health.alerts(frame.time_s):
                        frame, view = None, failed_view(_stuck())
                elif isinstance(news, Failure):
                    frame, view = None, failed_view(str(news.error), self._code(opened))
                elif not heard and (code := self._code(opened)) is not None:
                    view = failed_view(_invitation(opened), code)
                actions = self._turn(view)
                if Button.HINT in actions and frame is not None:
                    self._point(feed, frame, readings)
                    continue
                if frame is not None and (wish := _wish_of(actions)) is not None:
                    return replace(
                        wish,
                        camera=camera.spec,
                        seen=seen.frames,
                        locked=_leave_as_it_is(opened[0]),
                        geometry=readings.geometry,
                    )
                if Button.BACK in actions:
                    return None
        return None

    def _code(self, opened: list[Camera]) -> Image | None:
        """A code that leads a phone to its page; None for other cameras."""
        if not (opened and isinstance(opened[0], PhoneCamera)):
            return None
        code = qr_code(opened[0].invitation.link)
        if isinstance(self._screen, TerminalView):
            return code
        large = np.ones((_MODULE_PX, _MODULE_PX, 1), np.uint8)
        return np.asarray(np.kron(code, large), np.uint8)

    def _point(self, feed: Feed, frame: Frame, readings: Readings) -> None:
        """Somebody points at the floor's four corners, or goes back."""
        pointing, said = begin_pointing(frame.size), ""
        while not self._ended:
            news = feed.next(_PATIENCE_S)
            frame = news if isinstance(news, Frame) and news.size == frame.size else frame
            actions = self._turn(pointing_view(pointing, frame.image, said))
            if Button.BACK in actions and not (pointing.corners or pointing.zoom):
                return
            pointing = obey(pointing, actions)
            if not pointing.done:
                continue
            edge_px = readings.edge_px
            try:
                found = geometry_of_corners(
                    pointing.corners, frame.size, frame.sight, edge_px=edge_px
                )
            except RefusedError as error:
                pointing, said = pointing.again(), _why_not(error)
            else:
                readings.take_geometry(found)
                return


class Seen:
    """The frames of the last moment, some time apart: enough to know what lies in the tray."""

    def __init__(self) -> None:
        self._kept = deque[Frame](maxlen=_KEPT_FRAMES)

    def take(self, frame: Frame) -> None:
        """A frame has come."""
        if not self._kept or frame.time_s - self._kept[-1].time_s >= _KEPT_INTERVAL_S:
            self._kept.append(frame)

    @property
    def frames(self) -> tuple[Frame, ...]:
        """Oldest first."""
        return tuple(self._kept)


def _wish_of(actions: Sequence[str]) -> Wish | None:
    """The wish behind pressed buttons, for a camera that is named later; None if there is none."""
    if Button.OK in actions:
        return Wish("")
    if LONG_PREFIX + Button.OK in actions:
        return Wish("", menu=True)
    number = next((n for n, hold in enumerate(HOLD_BUTTONS, 1) if hold in actions), None)
    return None if number is None else Wish("", players=number)


def _leave_as_it_is(camera: Camera) -> Values | None:
    """The values that a camera was locked to; it stays so while it is opened again."""
    if not isinstance(camera, V4L2Camera) or camera.settled is None:
        return None
    camera.stays_set = True
    return camera.settled


def _invitation(opened: list[Camera]) -> str:
    camera = opened[0]
    return camera.invitation.sentence if isinstance(camera, PhoneCamera) else ""


def _choice_of(cameras: tuple[ListedCamera, ...], stills: Mapping[int, Image | None]) -> "View":
    if not cameras:
        return failed_view(say("No camera found: plug one in."))
    if [camera.spec for camera in cameras] == [PHONE]:
        asks = say("No camera found: plug one in, or take a phone.")
        return choice_view(cameras, stills, asks)
    return choice_view(cameras, stills)


def _stuck() -> str:
    return say("The camera always sends the same picture: plug it in again.")


def _why_not(error: RefusedError) -> str:
    if error.problem is Problem.NO_DICE:
        return say("Put dice on the floor first: they show how large it is.")
    return say("Those are not the corners of a floor seen from above.")


def _angle(readings: Readings) -> tuple[str, ...]:
    """How far the camera leans, where that is known."""
    if readings.geometry is None:
        return ()
    return (
        say("angle known: {degrees} degrees", degrees=round(lean_of(readings.geometry.profile))),
    )


def _mode_lines(opened: list[Camera]) -> tuple[str, ...]:
    """How the camera delivers its pictures, and what is not as asked for, where it can say that."""
    mode = getattr(opened[0], "mode", None) if opened else None
    if not isinstance(mode, Mode | PhoneMode):
        return ()
    return (" ".join((mode.text + ".", *mode.faults)),)
