"""Which mode of its sensor a Pi camera uses: one that sees all of it.

A sensor has a few modes: all pixels, groups of pixels merged into one, or only the middle of the
sensor, which is faster but narrows the view. Left to itself, picamera2 takes the mode whose size
is nearest to that of the pictures, whatever it sees (`score_mode` in picamera2/picamera2.py,
0.3.17 to 0.3.38, which follows libcamera). For pictures of 1536x864 from a Camera Module 3 that
is the middle of the sensor, 48 x 28 degrees in place of 66 x 41.

From the mode, libcamera cuts the largest part that has the shape of the pictures. On sensors of
4:3 (IMX219, IMX477, OV5647) pictures of 16:9 so have the whole width, but not the whole height.
Where the lens sees little, as with the lenses sold for the IMX477 and the IMX296, pictures are of
4:3: a tray's depth is what is short there.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from vision.geometry.sight import MIN_SHARE_OF_SIDE

USUAL_SIZE = (1536, 864)
"""Width and height of the pictures of most cameras, pixels."""
_SIZES = {"imx477": (1280, 960), "imx296": (1280, 960)}
"""Those of cameras with a bought lens: fewer pixels, but a die gets more of them."""


def pictures_of(model: str) -> tuple[int, int]:
    """Width and height of the pictures to take with a camera, by libcamera's name of it."""
    return _SIZES.get(model, USUAL_SIZE)


_MIN_SHARE_OF_RATE = 0.98
"""Share of the frame rate that is enough: nobody sees a frame less in a second."""
_MAX_STRETCH = 1.03
"""How much more a mode may merge one way than the other; what is listed is wrong beyond it."""
_USUAL_BITS = 10
"""More than 12 are several exposures merged on the sensor, 8 are coarse."""


@dataclass(frozen=True, slots=True)
class SensorMode:
    """A mode of a sensor.

    Attributes:
        size: width and height of what the sensor puts out, pixels.
        bits: bits of a pixel.
        format: libcamera's name of the raw format.
        fps: most frames a second.
        sees: width and height of the part of the sensor that is seen, in the sensor's pixels.
    """

    size: tuple[int, int]
    bits: int
    format: str
    fps: float
    sees: tuple[int, int]

    @property
    def is_plausible(self) -> bool:
        """True if it has the shape of what it is said to see.

        Kernels of 2025 and of early 2026 list the IMX477's mode of 4056x2160 as if it saw
        4056x3040 (raspberrypi/linux pull request 6208, issue 7321).
        """
        across, down = (seen / out for seen, out in zip(self.sees, self.size, strict=True))
        return max(across / down, down / across) <= _MAX_STRETCH

    def sees_as_much_as(self, size: tuple[int, int]) -> bool:
        """True if it sees this width and height, but for a few pixels."""
        return all(
            mine >= MIN_SHARE_OF_SIDE * other for mine, other in zip(self.sees, size, strict=True)
        )


def modes_of(listed: Sequence[Mapping[str, Any]]) -> tuple[SensorMode, ...]:
    """The modes in picamera2's `sensor_modes`; none for a camera that is not a Raspberry Pi's.

    `crop_limits` is x, y, width and height of the part that is seen (Picamera2 Manual, 4.2.2.3).
    Of cameras that are not Raspberry Pi's there is only the name of a format. Modes that are listed
    with what they cannot see are left out.
    """
    modes = (
        SensorMode(
            tuple(mode["size"]),
            int(mode["bit_depth"]),
            str(mode["format"]),
            float(mode["fps"]),
            tuple(mode["crop_limits"][2:]),
        )
        for mode in listed
        if "crop_limits" in mode
    )
    return tuple(mode for mode in modes if mode.is_plausible)


def widest_mode(modes: Sequence[SensorMode], size: tuple[int, int], fps: float) -> SensorMode:
    """The smallest mode that sees as much as any, is fast enough and has the pictures' pixels.

    If none has them all, fewer pixels are better than fewer frames.

    Args:
        modes: at least one.
        size: width and height of the pictures, pixels.
        fps: frames a second that are wanted.
    """
    most = max(modes, key=lambda mode: mode.sees[0] * mode.sees[1]).sees
    wide = [mode for mode in modes if mode.sees_as_much_as(most)]
    fast = [mode for mode in wide if mode.fps >= _MIN_SHARE_OF_RATE * fps]
    if not fast:
        return max(wide, key=lambda mode: mode.fps)
    fine = [mode for mode in fast if mode.size[0] >= size[0] and mode.size[1] >= size[1]]

    def pixels(mode: SensorMode) -> tuple[int, int]:
        area = mode.size[0] * mode.size[1]
        return (area if fine else -area, abs(mode.bits - _USUAL_BITS))

    return min(fine or fast, key=pixels)
