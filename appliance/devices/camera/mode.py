"""How a USB camera delivers its pictures: what came of what was asked for."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from appliance.words import say

MOTION_JPEG = "MJPG"
_WITHOUT_COLOUR = ("GREY", "Y10", "Y12", "Y16")
"""Formats of infrared cameras (linux/videodev2.h, V4L2_PIX_FMT_GREY and the following)."""
_MIN_RATE_SHARE = 0.6
"""Of the rate asked for; cameras round it, and give 29 for 30."""
_MAX_TIMES = 60


@dataclass(frozen=True, slots=True)
class Mode:
    """The mode in which a camera delivers pictures.

    Attributes:
        size: width and height, pixels.
        code: four letters of the format, such as `MJPG` or `YUYV`.
        rate: pictures a second, as they come; None before a second has passed.
        exposure_locked: None if it has no control for that.
        focus_locked: None if its lens does not move.
        asked_size: what was asked for.
        asked_rate: likewise, pictures a second.
    """

    size: tuple[int, int]
    code: str
    rate: float | None
    exposure_locked: bool | None
    focus_locked: bool | None
    asked_size: tuple[int, int]
    asked_rate: float

    @property
    def text(self) -> str:
        """The mode in words, in the chosen language."""
        parts = [f"{self.size[0]}x{self.size[1]} {self.code}"]
        if self.rate is not None:
            parts.append(say("{rate} fps", rate=round(self.rate)))
        if self.exposure_locked is None:
            parts.append(say("auto exposure"))
        else:
            parts.append(say("exposure locked") if self.exposure_locked else say("exposure moves"))
        parts.append(say("focus moves") if self.focus_locked is False else say("focus fixed"))
        return ", ".join(parts)

    @property
    def faults(self) -> Iterator[str]:
        """The differences from what was asked for, in words, with what helps."""
        if self.code in _WITHOUT_COLOUR:
            yield say("The camera sees no colours and may be an infrared one. Choose another one.")
        elif self.code != MOTION_JPEG:
            yield say(
                "{code} in place of MJPG needs six times as much of the USB cable.", code=self.code
            )
        if self.size != self.asked_size:
            width, height = self.asked_size
            yield say("The camera gives no {width}x{height}.", width=width, height=height)
        if self.rate is not None and self.rate < _MIN_RATE_SHARE * self.asked_rate:
            yield say(
                "Too few pictures per second: give the camera more light, or a USB port without a "
                "hub."
            )


class Rate:
    """Measures how many pictures come in a second."""

    def __init__(self) -> None:
        self._times_s = deque[float](maxlen=_MAX_TIMES)

    def note(self, time_s: float) -> None:
        """A picture has come; seconds on a monotonic clock."""
        self._times_s.append(time_s)

    @property
    def per_second(self) -> float | None:
        """None before a second has passed."""
        if len(self._times_s) < 2 or (took_s := self._times_s[-1] - self._times_s[0]) < 1.0:
            return None
        return (len(self._times_s) - 1) / took_s


def code_of(number: float) -> str:
    """The four letters of a format as OpenCV has it, a number; empty where it has none."""
    letters = int(number).to_bytes(4, "little", signed=number < 0) if abs(number) < 2**31 else b""
    text = letters.decode("ascii", "replace").strip("\0 ")
    return text if text.isalnum() else ""
