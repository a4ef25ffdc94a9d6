"""Does a camera hold what it was locked to? Pure: what was asked for, and what frames say, in.

picamera2 0.3.25 and 0.3.26 over libcamera 0.5 ignored a fixed exposure (picamera2 issues 1263 and
1269): pictures then follow the light, and a hand over the tray looks like dice that have moved.

A sensor takes an exposure in whole lines and a gain in its own steps, each rounded down, which the
image processor makes up for by a digital gain; and it takes them two to three frames later
(`getDelays`, `gainCode` and `exposureLines` in src/ipa/rpi/cam_helper of raspberrypi/libcamera).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

Range = tuple[float, float]

MAX_LATE_FRAMES = 15
"""Frames within which a request must be carried out: the buffers', the sensor's delay, and more."""
_MAX_OFF = 0.08
"""Share by which a value may be off: the steps of all sensors' gains are finer."""
_MAX_LINE_US = 50.0
"""Longest line of a sensor in the modes that are used: 43 µs (OV5647)."""
_MAX_OFF_DIOPTRES = 0.15
"""Of the lens: several steps of its motor."""


@dataclass(slots=True)
class Held:
    """Compares the values of frames with those that were asked for last.

    Args:
        exposure: the name of the exposure's control, microseconds.
        gain: of the gain's, a factor.
        lens: of the lens's, dioptres.
    """

    exposure: str
    gain: str
    lens: str
    _asked: dict[str, Range] = field(default_factory=dict)
    _frames: int = 0

    def ask(self, fixed: Mapping[str, float], ranges: Mapping[str, Range]) -> None:
        """These values have been requested just now; others are the camera's own.

        Args:
            fixed: the values by their names.
            ranges: the least and the greatest value that the camera has for each.
        """
        self._frames = 0
        self._asked = {}
        for name, value in fixed.items():
            least, most = ranges.get(name, (value, value))
            # Beyond a range a digital gain may or may not make up for it.
            ends = value, min(max(value, least), most)
            self._asked[name] = (min(ends), max(ends))

    def see(self, seen: Mapping[str, float]) -> bool:
        """False if a frame with these values should have been taken with others."""
        self._frames += 1
        return self._frames <= MAX_LATE_FRAMES or self._agree(seen)

    def _agree(self, seen: Mapping[str, float]) -> bool:
        asked = self._asked
        if self.lens in asked and self.lens in seen:
            low, high = asked[self.lens]
            off = max(_MAX_OFF_DIOPTRES, _MAX_OFF * high)
            if not low - off <= seen[self.lens] <= high + off:
                return False
        if self.exposure not in asked or self.exposure not in seen or self.gain not in seen:
            return True
        (low, high), exposure = asked[self.exposure], seen[self.exposure]
        off = max(_MAX_LINE_US, _MAX_OFF * high)
        if not low - off <= exposure <= high + off:
            return False
        if self.gain not in asked:
            return True
        (least, most), light = asked[self.gain], exposure * seen[self.gain]
        share = max(_MAX_OFF, _MAX_LINE_US / low)
        return (1 - share) * low * least <= light <= (1 + share) * high * most
