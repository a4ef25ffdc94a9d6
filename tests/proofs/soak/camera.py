"""A live camera over a room that can be unplugged, hang, and deliver useless pictures."""

import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from enum import StrEnum
from queue import Empty, SimpleQueue

import cv2
import numpy as np

from appliance.alerts import Alert
from appliance.devices.camera.phone import Away, Invitation, PhoneCamera, PhoneLink, SentPicture
from appliance.devices.camera.threaded import Device, Shot
from appliance.errors import CameraError
from vision.frame import Frame, Image, LazyFrame

SOFT_PX = 2.5
"""Sigma of the blur of an out-of-focus picture, pixels at a width of 960 or less."""

DOTS_PX = 9.0
"""Spacing of the dots of a cloth, in the same pixels."""

LATE_PICTURES = 12
"""How old a late picture is, in pictures: about a second."""

_PAGE = "the room's"

UNASKED_S = 0.5
"""Seconds until a frame comes unasked, as from any camera: one that only waits has not stalled."""


class CameraFault(StrEnum):
    """A fault of a camera."""

    GONE = "camera pulled out"
    HANGS = "camera hangs"
    FROZEN = "camera frozen"
    BLACK = "picture black"
    DARK = "picture under-exposed"
    WHITE = "picture over-exposed"
    SOFT = "picture out of focus"
    DOTTED = "dotted cloth in the tray"
    SIZES = "pictures of two sizes"
    LATE = "pictures a second old"
    ASLEEP = "phone as a camera falls asleep"


class LazyShot(Shot):
    """A picture that is drawn only when somebody looks at it."""

    __slots__ = ("_make",)

    _make: Callable[[float, int], Frame]

    def __init__(self, small: Image, time_s: float, make: Callable[[float, int], Frame]) -> None:
        object.__setattr__(self, "small", small)
        object.__setattr__(self, "time_s", time_s)
        object.__setattr__(self, "_make", make)

    def frame(self, index: int) -> Frame:
        """The frame, its full picture not drawn yet."""
        return self._make(self.time_s, index)


def spoilt(picture: Image, camera_fault: CameraFault, noise: np.random.Generator) -> Image:
    """The picture as a camera with this fault delivers it; sensors are noisy in the dark, too."""
    scale, offset = {
        CameraFault.BLACK: (0.0, 2.0),
        CameraFault.DARK: (0.12, 2.0),
        CameraFault.WHITE: (2.0, 220.0),
    }[camera_fault]
    level = cv2.convertScaleAbs(picture, alpha=scale, beta=offset)
    grain = noise.integers(0, 4, picture.shape[:2], np.uint8)
    return np.asarray(cv2.subtract(level, cv2.cvtColor(grain, cv2.COLOR_GRAY2BGR)), np.uint8)


def blurred(picture: Image) -> Image:
    """The picture out of focus."""
    sigma = SOFT_PX * max(1.0, picture.shape[1] / 960)
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma), np.uint8)


def halved(picture: Image) -> Image:
    """The picture at half its size."""
    return np.asarray(cv2.resize(picture, None, fx=0.5, fy=0.5), np.uint8)


def dotted(picture: Image) -> Image:
    """The picture covered with pips, more than anybody can make dice of."""
    pitch = round(DOTS_PX * max(1.0, picture.shape[1] / 960))
    tile = np.zeros((pitch, pitch), np.uint8)
    cv2.circle(tile, (pitch // 2, pitch // 2), pitch // 4, 255, cv2.FILLED)
    height, width = picture.shape[:2]
    dots = np.tile(tile, (height // pitch + 1, width // pitch + 1))[:height, :width]
    dark = cv2.convertScaleAbs(picture, alpha=0.4)
    return np.asarray(cv2.max(dark, cv2.cvtColor(dots, cv2.COLOR_GRAY2BGR)), np.uint8)


def changed(shot: Shot, change: Callable[[Image], Image]) -> Shot:
    """The shot with its picture changed; a full one not drawn yet is still drawn only on demand."""
    if shot.small is None:
        return Shot(change(shot.image), shot.time_s)
    small = change(shot.small)

    def make(time_s: float, index: int) -> Frame:
        plain = shot.frame(index)
        return LazyFrame(Frame(small, time_s, index), lambda: change(plain.image))

    return LazyShot(small, shot.time_s, make)


class Lens:
    """The lens between the room and its camera; shared by all its openings.

    Frames are delivered one by one, on request, so that little is drawn in vain.

    Args:
        take: takes the picture now; called in the camera's thread.

    Attributes:
        camera_fault: what is wrong with the camera; None if nothing is.
    """

    def __init__(self, take: Callable[[], Shot]) -> None:
        self._take = take
        # An event's lock stays locked where an allocation fails while it is taken.
        self._wanted = SimpleQueue[None]()
        self._kept: Shot | None = None
        self._noise = np.random.default_rng(0)
        self._queue: deque[Shot] = deque(maxlen=LATE_PICTURES)
        self._halved = False
        self.camera_fault: CameraFault | None = None

    def device(self) -> Device:
        """What is behind it now."""
        asleep = self.camera_fault is CameraFault.ASLEEP
        return PhoneDevice(self) if asleep else CameraDevice(self)

    def ask(self) -> None:
        """Asks for one more frame."""
        self._wanted.put(None)

    def shot(self, closed: Callable[[], bool]) -> Shot:
        """Waits until a frame is wanted, and takes it.

        Raises:
            CameraError: the camera was unplugged, or closed in the meantime.
        """
        until_s = time.monotonic() + UNASKED_S
        while True:
            camera_fault = self.camera_fault
            if camera_fault is CameraFault.GONE:
                raise CameraError("room: no picture came; the camera was unplugged")
            if camera_fault is CameraFault.HANGS:
                self._hang()
            if camera_fault is CameraFault.ASLEEP:
                raise CameraError("room: a phone is the camera now", alert=Alert.PHONE_ASLEEP)
            if closed():
                raise CameraError("room: closed")
            if self._is_wanted() or time.monotonic() > until_s:
                return self._seen(camera_fault)

    def _is_wanted(self) -> bool:
        """Waits briefly until frames are wanted; one is enough for all that were asked for."""
        try:
            self._wanted.get(timeout=0.02)
        except Empty:
            return False
        with suppress(Empty):
            while True:
                self._wanted.get_nowait()
        return True

    def _hang(self) -> None:
        while self.camera_fault is CameraFault.HANGS:
            time.sleep(0.02)
        # Whoever waited for this picture has given up and opened the camera again.
        raise CameraError("room: expected a picture, found one that comes too late")

    def _seen(self, camera_fault: CameraFault | None) -> Shot:
        if camera_fault is None:
            self._kept = None
            return self._take()
        if camera_fault is CameraFault.FROZEN:
            self._kept = self._kept or self._take()
            return self._kept
        shot = self._take()
        if camera_fault is CameraFault.LATE:
            self._queue.append(shot)
            return Shot(self._queue[0].image, shot.time_s, self._queue[0].small)
        if camera_fault is CameraFault.SIZES:
            self._halved = not self._halved
            return changed(shot, halved) if self._halved else shot
        if camera_fault is CameraFault.SOFT:
            return changed(shot, blurred)
        if camera_fault is CameraFault.DOTTED:
            return changed(shot, dotted)
        small = shot.small if shot.small is not None else shot.image
        # A picture this bad is judged by its small copy alone.
        bad = spoilt(small, camera_fault, self._noise)
        return Shot(bad, shot.time_s, bad if shot.small is not None else None)


PHONE_PATIENCE_S = 1.0
"""Seconds without a picture until a phone's camera says why; as in the product, less than what
counts as a stall (`STALL_S` in rig.py)."""


class PhoneDevice:
    """A phone in place of the camera, which sleeps; once awake it sends a picture, and goes.

    Its link and what reads that are the product's.
    """

    def __init__(self, lens: Lens) -> None:
        self._lens = lens
        self._link = PhoneLink(Invitation("", "", ""))
        self._page: Device = PhoneCamera(self._link, PHONE_PATIENCE_S)._make()
        self._woken = False

    def open(self) -> None:
        """Its page says that the phone sleeps."""
        self._link.admit(_PAGE)
        self._link.leave(_PAGE, Away.HIDDEN)
        self._page.open()

    def grab(self) -> Shot:
        """The next picture.

        Raises:
            CameraError: the phone sleeps, or has gone.
        """
        if self._lens.camera_fault is not CameraFault.ASLEEP:
            if self._woken:
                raise CameraError("room: the camera is back in place of the phone")
            self._woken = True
            shot = self._lens.shot(lambda: False)
            image = shot.frame(0).image
            data = cv2.imencode(".jpg", image)[1].tobytes()
            self._link.admit(_PAGE)
            self._link.offer(SentPicture(data, shot.time_s, 0.0), _PAGE)
        return self._page.grab()

    def close(self) -> None:
        """Leaves the page as it is."""
        self._page.close()


class CameraDevice:
    """One opening of the camera, the device that `LiveCamera` expects."""

    def __init__(self, lens: Lens) -> None:
        self._lens = lens
        self._closed = False

    def open(self) -> None:
        """Finds the camera.

        Raises:
            CameraError: it is unplugged.
        """
        if self._lens.camera_fault is CameraFault.GONE:
            raise CameraError("room: no camera was found; plug it in")

    def grab(self) -> Shot:
        """The next picture."""
        return self._lens.shot(lambda: self._closed)

    def close(self) -> None:
        """Releases the camera."""
        self._closed = True
