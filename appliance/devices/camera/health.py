"""Is what the camera delivers a picture of the tray? Pure: frames and times in, alerts out.

Each fault must last a moment before it is reported, so that a hand in front of the lens or a lamp
being switched on is ignored, and each is reported within two seconds.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from appliance.alerts import Alert
from appliance.devices.camera.kinds import USUAL_SILENCE_S, find_kind, max_silence_s
from appliance.devices.camera.spec import Spec
from calibration.quality.focus import softness
from vision.frame import Frame, Image

MIN_FAULT_S = 1.2
"""Seconds that a fault must last before it is reported."""

MAX_OPENING_S = 10.0
"""Seconds that a fault may last in a camera that has just been opened and has not failed: sensors
take their time."""

_THUMB_WIDTH_PX = 160

_MAX_BLACK_LEVEL = 16
_MAX_DARK_LEVEL = 50
"""Grey levels, of 255, that the brightest hundredth of a picture reaches if it is neither."""

_MIN_OVEREXPOSED_LEVEL = 250
_MAX_OVEREXPOSED_SHARE = 0.5

MAX_EDGE_WIDTH_PX = 4.0
"""Width of the sharpest edges, in pixels of a picture 960 wide, above which pips run together.

Cameras in focus have 1.9 to 2.9 (all test pictures); a blur with a sigma of 2 pixels gives 4.4.
"""

_SHARPNESS_INTERVAL_S = 0.5
"""Seconds between measurements of the full picture's sharpness, some milliseconds each."""

_UNCHANGED_SHARPNESS_INTERVAL_S = 10.0
"""The same while it was sharp, and looks as it did then."""

_MIN_CHANGE = 20
_MIN_CHANGE_OF_SMALL = 8
_MAX_CHANGED_LEVELS = 4
"""Grey levels by which a pixel must change, there and in a camera's own small picture, which has
less noise; and how many may by chance. So far out of focus that it is reported, at least 70 do."""


@dataclass(frozen=True, slots=True, eq=False)
class FrameSummary:
    """The part of a frame that is kept.

    Attributes:
        thumb: every nth pixel, (rows, columns, 3), BGR.
        brightest: the grey level that a hundredth of the pixels exceeds.
        white: the share of pixels that are overexposed.
    """

    thumb: Image
    brightest: float
    white: float


def view(frame: Frame) -> FrameSummary:
    """Summarises a frame; takes less than a tenth of a millisecond for 1536x864."""
    image = frame.image if frame.small is None else frame.small
    step = max(1, image.shape[1] // _THUMB_WIDTH_PX)
    size = (image.shape[1] // step, image.shape[0] // step)
    thumb = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_NEAREST), np.uint8)
    grey = cv2.cvtColor(thumb, cv2.COLOR_BGR2GRAY)
    # Sorting the pixels for a percentile takes ten times as long as counting them.
    count = cv2.calcHist([grey], [0], None, [256], (0, 256)).ravel().cumsum()
    brightest = float(np.searchsorted(count, 0.99 * grey.size, side="right"))
    return FrameSummary(
        thumb, brightest, float(1.0 - count[_MIN_OVEREXPOSED_LEVEL - 1] / grey.size)
    )


def light_faults(seen: FrameSummary) -> tuple[Alert, ...]:
    """The faults of the light in a frame."""
    found = {
        Alert.BLACK: seen.brightest < _MAX_BLACK_LEVEL,
        Alert.DARK: _MAX_BLACK_LEVEL <= seen.brightest < _MAX_DARK_LEVEL,
        Alert.BRIGHT: seen.white > _MAX_OVEREXPOSED_SHARE,
    }
    return tuple(alert for alert, is_so in found.items() if is_so)


def health_of(spec: Spec) -> "CameraHealth":
    """Follows the frames of a camera of this kind, and names what to do if none come."""
    kind = find_kind(spec.kind)
    return CameraHealth(max_silence_s=max_silence_s(spec), gone=kind.gone, hangs=kind.hangs)


class CameraHealth:
    """Follows the frames of a live camera.

    Args:
        soft: measures how wide a picture's sharpest edges are, in pixels of one 960 wide.
        max_silence_s: seconds without a frame after which the camera counts as gone, or as hanging.
        gone: the alert for one that has failed.
        hangs: the alert for one that is there, but gives nothing.
    """

    def __init__(
        self,
        soft: Callable[[Image], float] = softness,
        max_silence_s: float = USUAL_SILENCE_S,
        gone: Alert = Alert.CAMERA_GONE,
        hangs: Alert = Alert.CAMERA_HANGS,
    ) -> None:
        self._gone_alert, self._hangs_alert = gone, hangs
        self._soft = soft
        self._usual_silence_s = max_silence_s
        self._blurred = False
        self._sharp_s: float | None = None
        self._measured: Image | None = None
        self._last: tuple[Frame, FrameSummary] | None = None
        self._since_s: dict[Alert, float] = {}
        self._frame_s: float | None = None
        self._opening = False
        self._hangs: bool | None = None
        self._told: Alert | None = None

    def see(self, frame: Frame, now_s: float) -> bool:
        """Takes in a frame that has arrived; returns whether it can be trusted to show the tray.

        One that cannot be trusted must not reach the watcher: to it a black picture is an empty
        tray, and a frozen picture is dice at rest. `now_s` is from a monotonic clock.
        """
        seen, before = view(frame), self._last
        self._last, self._frame_s = (frame, seen), now_s
        self._opening, self._hangs, self._told = False, None, None
        # No sensor delivers the same picture twice: there is noise even in the dark. In a small
        # picture it may not show.
        same = (
            before is not None
            and not _differ(before[1].thumb, seen.thumb, 1, 0)
            and (frame.small is None or np.array_equal(before[0].image, frame.image))
        )
        found = {
            Alert.CAMERA_FROZEN: same,
            Alert.LIGHT_NOT_HELD: not frame.held,
            **dict.fromkeys(light_faults(seen), True),
        }
        trusted = not any(found.values())
        # A blurred picture is read with more doubt, not wrongly: the game goes on meanwhile.
        found[Alert.NOT_SHARP] = trusted and self._is_blurred(frame, seen.thumb, now_s)
        here = [alert for alert, is_so in found.items() if is_so]
        self._since_s = {alert: self._since_s.get(alert, now_s) for alert in here}
        return trusted

    def _is_blurred(self, frame: Frame, thumb: Image, now_s: float) -> bool:
        """True if the picture was blurred when its sharpness was last measured."""
        since_s = math.inf if self._sharp_s is None else now_s - self._sharp_s
        due = since_s >= _UNCHANGED_SHARPNESS_INTERVAL_S
        if not due and since_s >= _SHARPNESS_INTERVAL_S:
            due = (
                self._blurred
                or self._measured is None
                or _differ(
                    self._measured,
                    thumb,
                    _MIN_CHANGE if frame.small is None else _MIN_CHANGE_OF_SMALL,
                    _MAX_CHANGED_LEVELS,
                )
            )
        if due:
            self._sharp_s, self._measured = now_s, thumb
            self._blurred = self._soft(frame.image) > MAX_EDGE_WIDTH_PX
        return self._blurred

    def miss(self, hangs: bool, told: Alert | None = None) -> None:
        """The camera has failed; if it `hangs`, it is there, but delivers nothing.

        `told` is what it says itself to be wrong.
        """
        self._hangs, self._told = hangs, told
        # What was wrong with the picture does not matter while there is none.
        self._since_s.clear()
        self._last = None
        self._sharp_s, self._blurred = None, False

    def begin(self, now_s: float) -> None:
        """The camera is being opened; from now on frames are expected."""
        self._frame_s, self._opening = now_s, True

    def alerts(self, now_s: float) -> frozenset[Alert]:
        """The camera's present faults."""
        if self._is_silent(now_s):
            usual = self._hangs_alert if self.hangs(now_s) else self._gone_alert
            return frozenset({self._told or usual})
        return frozenset(
            a for a, since_s in self._since_s.items() if now_s - since_s >= MIN_FAULT_S
        )

    def hangs(self, now_s: float) -> bool:
        """True if the camera is there, but has given nothing for too long."""
        # One that says nothing at all is not gone: its driver would report that.
        return self._is_silent(now_s) and self._hangs is not False

    def _is_silent(self, now_s: float) -> bool:
        return self._frame_s is not None and now_s - self._frame_s > self._max_silence_s

    @property
    def _max_silence_s(self) -> float:
        """How long a camera may deliver nothing."""
        if self._opening and self._hangs is None:
            return max(MAX_OPENING_S, self._usual_silence_s)
        return self._usual_silence_s


def _differ(before: Image, now: Image, by: int, most: int) -> bool:
    """True if more than `most` levels of two summaries differ by so much."""
    if before.shape != now.shape:
        return True
    return int(np.count_nonzero(cv2.absdiff(before, now) >= np.uint8(by))) > most


class NothingAmiss(CameraHealth):
    """Of a film, or of a rendered tray: no driver that fails, and pictures without noise."""

    def see(self, frame: Frame, now_s: float) -> bool:
        """Trusts every frame."""
        del frame, now_s
        return True

    def alerts(self, now_s: float) -> frozenset[Alert]:
        """None, however long the next frame takes."""
        del now_s
        return frozenset()

    def hangs(self, now_s: float) -> bool:
        """Never."""
        del now_s
        return False
