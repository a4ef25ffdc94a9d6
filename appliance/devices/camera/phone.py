"""A phone's browser as a camera: the pictures that its page sends, and why none come.

A page that the program serves takes pictures with the phone's camera and sends one after the other
(`appliance.web.phone`). `PhoneLink` stands between that server's thread and the one that reads the
camera; only the newest picture is kept, and only the reading thread decodes.
"""

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from threading import Condition

from appliance.alerts import Alert
from appliance.devices.camera.mode import Rate
from appliance.devices.camera.threaded import LiveCamera, Shot
from appliance.errors import CameraError
from appliance.words import in_tenths, say
from vision.errors import PictureError
from vision.image import jpeg
from vision.image.files import decode_picture

GONE_AFTER_S = 3.0
"""Seconds without a picture after which it is said why: a Wi-Fi that pauses takes one."""
MAX_PICTURE_PIXELS = 2560 * 1920
"""Of a picture; the page sends 1280x720."""
MAX_AGE_S = 1.0
"""How old a picture may say that it was when it was sent."""
LATE_S = 0.5
"""Seconds that pictures may need on their way before somebody is told."""
MIN_RATE = 8.0
"""Pictures a second, below which a throw is seen late."""
_STALL_MARGIN_S = 2.0
_MAX_DAMAGED = 30
"""Pictures in a row that cannot be decoded before the phone counts as failed."""


class Away(Enum):
    """Why a page sends no pictures, as it says itself; a sentence for each."""

    NOBODY = ""
    HIDDEN = "The phone sleeps, or shows something else: wake it up and go back to the page."
    LEFT = "The page on the phone was closed: open it again."
    REFUSED = "The phone's browser may not use the camera: allow it, then load the page again."
    NO_CAMERA = "The phone's camera gives no picture: close other apps that use it."


_SLOW = "The Wi-Fi is slow: bring phone and computer nearer to the router."


@dataclass(frozen=True, slots=True)
class Invitation:
    """Where a phone's page is.

    Attributes:
        address: what to type into the phone's browser.
        pin: what the page asks for.
        link: the address with the PIN in it, for a QR code; browsers do not send that part.
    """

    address: str
    pin: str
    link: str

    @property
    def sentence(self) -> str:
        """The instruction for people, in the chosen language."""
        return say(
            "On the phone, open {address} and enter the PIN {pin}.",
            address=self.address,
            pin=self.pin,
        )


@dataclass(frozen=True, slots=True)
class Moment:
    """When a page sent something, in an order of its own: messages may overtake each other.

    Attributes:
        load: a name for the page as it was loaded; a reload has another.
        count: how many messages it had sent by then.
    """

    load: str
    count: int

    def precedes(self, other: "Moment | None") -> bool:
        """True if the same load sent this before the other."""
        return other is not None and self.load == other.load and self.count < other.count


@dataclass(frozen=True, slots=True)
class SentPicture:
    """A picture as the page sent it.

    Attributes:
        data: a JPEG file.
        time_s: when it was taken, as far as the page knows, monotonic seconds.
        late_s: seconds from then until it had come.
        exposure_locked: None if the browser cannot lock it.
        focus_locked: None if the browser cannot, or the lens does not move.
        front: whether it comes from the camera above the phone's screen.
        turned: whether the picture has another shape than the page's first one.
    """

    data: bytes
    time_s: float
    late_s: float
    exposure_locked: bool | None = None
    focus_locked: bool | None = None
    front: bool = False
    turned: bool = False


@dataclass(frozen=True, slots=True)
class PhoneMode:
    """How a phone delivers its pictures.

    Attributes:
        size: width and height, pixels.
        rate: pictures a second, as they come; None before a second has passed.
        sent: the newest picture.
    """

    size: tuple[int, int]
    rate: float | None
    sent: SentPicture

    @property
    def text(self) -> str:
        """The phone's pictures in words, in the chosen language."""
        parts = [f"{self.size[0]}x{self.size[1]}"]
        if self.rate is not None:
            parts.append(say("{rate} fps", rate=round(self.rate)))
        parts.append(say("{seconds} s delay", seconds=in_tenths(self.sent.late_s)))
        locked = self.sent.exposure_locked
        parts.append(say("exposure locked" if locked else "auto exposure"))
        parts.append(say("focus fixed" if self.sent.focus_locked else "autofocus"))
        return ", ".join(parts)

    @property
    def faults(self) -> tuple[str, ...]:
        """The faults of these pictures, in words, with what helps."""
        found = []
        if self.sent.front:
            found.append(say("This is the camera above the phone's screen: turn the phone over."))
        if self.sent.turned:
            found.append(say("The phone has turned its picture: lock its rotation."))
        slow = self.rate is not None and self.rate < MIN_RATE
        if slow or self.sent.late_s > LATE_S:
            found.append(say(_SLOW))
        return tuple(found)


class PhoneLink:
    """Hands the pictures of one phone to the camera; any thread may use it.

    Args:
        invitation: where the page is.
        clock: monotonic seconds.
    """

    def __init__(self, invitation: Invitation, clock: Callable[[], float] = time.monotonic) -> None:
        self.invitation, self._clock = invitation, clock
        self._news = Condition()
        self._picture: SentPicture | None = None
        self._away = Away.NOBODY
        self._holder = self._sender = ""
        self._heard_s = self._came_s = clock() - GONE_AFTER_S
        self._left: Moment | None = None
        self.advice = ""
        """What to do, for whoever looks at the phone."""

    def admit(self, page: str, moment: Moment | None = None, *, takes_over: bool = False) -> bool:
        """True if a page is the one whose pictures count: the first, until another takes over.

        Nobody takes over unasked, however long the first sends nothing: a reload, a moment without
        Wi-Fi and a phone that sleeps look alike. One that has left meanwhile is let in, but stays
        gone.
        """
        with self._news:
            if moment is not None and moment.precedes(self._left):
                return True
            if self._holder not in ("", page) and not takes_over:
                return False
            self._holder = self._sender = page
            self._heard_s = self._clock()
            return True

    def hear(self, page: str) -> None:
        """Takes note that a part of a page's picture has come."""
        with self._news:
            if page == self._holder:
                self._heard_s = self._clock()

    def offer(self, sent: SentPicture, page: str | None = None) -> None:
        """Takes a picture in place of one that nobody has taken.

        One that was still on its way when its page left, or another took over, is passed over.
        """
        with self._news:
            if page not in (None, self._sender):
                return
            self._picture, self._away = sent, Away.NOBODY
            self._came_s = self._clock()
            self._news.notify_all()

    def drop(self) -> None:
        """Forgets a picture that nobody has taken."""
        with self._news:
            self._picture = None

    def leave(self, page: str, why: Away, moment: Moment | None = None) -> None:
        """Takes note that a page sends no more pictures for now, unless another's count."""
        with self._news:
            if moment is not None:
                if moment.precedes(self._left):
                    return
                # What is closed sends nothing more, whatever a picture was counted as meanwhile.
                self._left = replace(moment, count=sys.maxsize) if why is Away.LEFT else moment
            # One without a camera never held anything; one that is closed may be hidden first.
            if self._holder in ("", page):
                self._sender, self._away, self._picture = "", why, None
                self._news.notify_all()

    def take(self, patience_s: float) -> SentPicture | None:
        """The newest picture, once there is one; None if a phone says why not, or none comes."""
        with self._news:
            before = self._away
            self._news.wait_for(
                lambda: self._picture is not None or self._away is not before, patience_s
            )
            sent, self._picture = self._picture, None
            return sent

    @property
    def trouble(self) -> str:
        """Why no pictures come, in the chosen language; empty while they do."""
        silent = self._away is not Away.NOBODY or self._clock() - self._came_s >= GONE_AFTER_S
        return self.sentence if silent else ""

    @property
    def _is_slow(self) -> bool:
        """True if pictures are under way, but none has come whole."""
        return bool(self._holder) and self._clock() - self._heard_s < GONE_AFTER_S

    @property
    def alert(self) -> Alert:
        """Why no pictures come, in the board's words."""
        if self._away is Away.NOBODY:
            return Alert.PHONE_SLOW if self._is_slow else Alert.PHONE_GONE
        return Alert.PHONE_ASLEEP if self._away is Away.HIDDEN else Alert.PHONE_GONE

    @property
    def sentence(self) -> str:
        """The instruction for people where no pictures come, in the chosen language."""
        away = self._away
        if away is not Away.NOBODY:
            return say(away.value)
        if self._is_slow:
            return say(_SLOW)
        if self._holder:
            gone = say("The phone sends nothing: wake it up, and see that it is in this Wi-Fi.")
            return f"{gone} {self.invitation.sentence}"
        return self.invitation.sentence


class PhoneCamera(LiveCamera):
    """A phone whose page is served, opened when its frames are asked for.

    Args:
        link: brings its pictures.
        patience_s: seconds without a picture until it says what to do.
        wait: waits a number of seconds.
    """

    def __init__(
        self,
        link: PhoneLink,
        patience_s: float = GONE_AFTER_S,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        self._link = link
        self._device: _Page | None = None

        def make() -> _Page:
            self._device = _Page(link, patience_s)
            return self._device

        super().__init__("phone", make, patience_s + _STALL_MARGIN_S, wait)

    @property
    def mode(self) -> PhoneMode | None:
        """How it delivers its pictures; None before the first."""
        return None if self._device is None else self._device.mode

    @property
    def invitation(self) -> Invitation:
        """Where its page is."""
        return self._link.invitation

    def advise(self, sentence: str) -> None:
        """Shows on the phone what to do."""
        self._link.advice = sentence


class _Page:
    """The page as a device."""

    def __init__(self, link: PhoneLink, patience_s: float) -> None:
        self._link, self._patience_s = link, patience_s
        self._rate = Rate()
        self._taken_s = 0.0
        self.mode: PhoneMode | None = None

    def open(self) -> None:
        # What came while nobody looked is old.
        self._link.drop()

    def grab(self) -> Shot:
        for _ in range(_MAX_DAMAGED):
            sent = self._link.take(self._patience_s)
            if sent is None:
                raise CameraError(self._link.sentence, alert=self._link.alert)
            try:
                if not sent.data.startswith(jpeg.SIGNATURE):
                    raise PictureError("phone: no JPEG")
                image = decode_picture(sent.data, "phone", MAX_PICTURE_PIXELS)
            except PictureError:
                continue
            # Its clock may jump; frames come in order of time.
            self._taken_s = max(sent.time_s, self._taken_s + 1e-3)
            self._rate.note(self._taken_s)
            self.mode = PhoneMode((image.shape[1], image.shape[0]), self._rate.per_second, sent)
            return Shot(image, self._taken_s)
        raise CameraError("phone: what it sends cannot be decoded as pictures")

    def close(self) -> None:
        """Leaves the page as it is: it goes on as soon as pictures are wanted again."""
