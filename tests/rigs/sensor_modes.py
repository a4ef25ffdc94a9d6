"""The sensor modes of Pi cameras as people have published them, and picamera2's own choice of one.

`rpicam-hello --list-cameras` prints for each mode its size, its most frames a second and the part
of the sensor that it sees. Each text says where it was published. `score_mode` is picamera2's;
`scaler_crop` follows libcamera.
"""

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

PUBLISHED = {
    # raspberrypi/picamera2 issue 1184; the same for imx708_noir and on a Pi 5.
    "imx708": """
0 : imx708 [4608x2592 10-bit RGGB] (/base/soc/i2c0mux/i2c@1/imx708@1a)
    Modes: 'SRGGB10_CSI2P' : 1536x864 [120.13 fps - (768, 432)/3072x1728 crop]
                             2304x1296 [56.03 fps - (0, 0)/4608x2592 crop]
                             4608x2592 [14.35 fps - (0, 0)/4608x2592 crop]
""",
    # docs/source/platforms/reachy_mini/media_advanced_controls.md of pollen-robotics/reachy_mini.
    "imx708_wide": """
0 : imx708_wide [4608x2592 10-bit RGGB] (/base/soc/i2c0mux/i2c@0/imx708@1a)
    Modes: 'SRGGB10_CSI2P' : 1536x864 [120.13 fps - (768, 432)/3072x1728 crop]
                             2304x1296 [56.03 fps - (0, 0)/4608x2592 crop]
                             4608x2592 [14.35 fps - (0, 0)/4608x2592 crop]
""",
    # raspberrypi/documentation pull request 2587.
    "imx219": """
0 : imx219 [3280x2464] (/base/soc/i2c0mux/i2c@1/imx219@10)
    Modes: 'SRGGB10_CSI2P' : 640x480 [206.65 fps - (1000, 752)/1280x960 crop]
                             1640x1232 [41.85 fps - (0, 0)/3280x2464 crop]
                             1920x1080 [47.57 fps - (680, 692)/1920x1080 crop]
                             3280x2464 [21.19 fps - (0, 0)/3280x2464 crop]
           'SRGGB8' : 640x480 [206.65 fps - (1000, 752)/1280x960 crop]
                      1640x1232 [41.85 fps - (0, 0)/3280x2464 crop]
                      1920x1080 [47.57 fps - (680, 692)/1920x1080 crop]
                      3280x2464 [21.19 fps - (0, 0)/3280x2464 crop]
""",
    # The same.
    "imx477": """
0 : imx477 [4056x3040] (/base/soc/i2c0mux/i2c@1/imx477@1a)
    Modes: 'SRGGB10_CSI2P' : 1332x990 [120.05 fps - (696, 528)/2664x1980 crop]
           'SRGGB12_CSI2P' : 2028x1080 [50.03 fps - (0, 440)/4056x2160 crop]
                             2028x1520 [40.01 fps - (0, 0)/4056x3040 crop]
                             4056x3040 [10.00 fps - (0, 0)/4056x3040 crop]
""",
    # raspberrypi/linux pull request 6208, of a Pi 5 with a link of 750 MHz. What 4056x2160 is said
    # to see is wrong (issue 7321): it is 4056x2160.
    "imx477 of Linux 6.12": """
0 : imx477 [4056x3040 12-bit RGGB] (/base/axi/pcie@1000120000/rp1/i2c@80000/imx477@1a)
    Modes: 'SRGGB10_CSI2P' : 1332x990 [169.87 fps - (696, 528)/2664x1980 crop]
           'SRGGB12_CSI2P' : 2028x1080 [105.95 fps - (0, 440)/4056x2160 crop]
                             2028x1520 [75.36 fps - (0, 0)/4056x3040 crop]
                             4056x2160 [27.48 fps - (0, 440)/4056x3040 crop]
                             4056x3040 [19.53 fps - (0, 0)/4056x3040 crop]
""",
    # raspberrypi/linux issue 5309.
    "ov5647": """
0 : ov5647 [2592x1944] (/base/soc/i2c0mux/i2c@1/ov5647@36)
    Modes: 'SGBRG10_CSI2P' : 640x480 [58.92 fps - (16, 0)/2560x1920 crop]
                             1296x972 [43.25 fps - (0, 0)/2592x1944 crop]
                             1920x1080 [30.62 fps - (348, 434)/1928x1080 crop]
                             2592x1944 [15.63 fps - (0, 0)/2592x1944 crop]
""",
    # Lists of AI Cameras in public repositories, read in November 2026.
    "imx500": """
0 : imx500 [4056x3040 10-bit RGGB] (/base/soc/i2c0mux/i2c@1/imx500@1a)
    Modes: 'SRGGB10_CSI2P' : 2028x1520 [30.02 fps - (0, 0)/4056x3040 crop]
                             4056x3040 [10.00 fps - (0, 0)/4056x3040 crop]
""",
    # AllskyTeam/allsky issue 3632.
    "imx296": """
0 : imx296 [1456x1088 10-bit RGGB] (/base/soc/i2c0mux/i2c@1/imx296@1a)
    Modes: 'SRGGB10_CSI2P' : 1456x1088 [60.38 fps - (0, 0)/1456x1088 crop]
""",
    # drivers/media/i2c/ov64a40.c of raspberrypi/linux, with a link of 456 MHz; frames a second are
    # 300e6 / (4 ppl (height + 128)). It is said to see more than it has.
    "ov64a40": """
0 : ov64a40 [9248x6944 10-bit] (/base/soc/i2c0mux/i2c@1/ov64a40@36)
    Modes: 'SBGGR10_CSI2P' : 1920x1080 [70.56 fps - (784, 1312)/7712x4352 crop]
                             2312x1736 [32.24 fps - (0, 0)/9280x6976 crop]
                             3840x2160 [19.40 fps - (784, 1312)/7712x4352 crop]
                             4624x3472 [9.86 fps - (0, 0)/9280x6976 crop]
                             8000x6000 [3.18 fps - (624, 472)/8048x6032 crop]
                             9248x6944 [2.60 fps - (0, 0)/9280x6976 crop]
""",
    # AllskyTeam/allsky issue 3348.
    "imx519": """
0 : imx519 [4656x3496 10-bit RGGB] (/base/soc/i2c0mux/i2c@1/imx519@1a)
    Modes: 'SRGGB10_CSI2P' : 1280x720 [80.01 fps - (1048, 1042)/2560x1440 crop]
                             1920x1080 [60.05 fps - (408, 674)/3840x2160 crop]
                             2328x1748 [30.00 fps - (0, 0)/4656x3496 crop]
                             3840x2160 [18.00 fps - (408, 672)/3840x2160 crop]
                             4656x3496 [9.00 fps - (0, 0)/4656x3496 crop]
""",
}

_MODE = re.compile(r"(\d+)x(\d+) \[([\d.]+) fps - \((\d+), (\d+)\)/(\d+)x(\d+) crop\]")

Modes = Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class RawFormat:
    """Like picamera2's `SensorFormat`: not a text, but its `str` is libcamera's name."""

    name: str

    @property
    def bit_depth(self) -> int:
        """The number in the name."""
        found = re.search(r"\d+", self.name)
        assert found is not None
        return int(found[0])

    def __str__(self) -> str:
        return self.name


def model_of(sensor: str) -> str:
    """libcamera's name: `Model` among picamera2's `camera_properties`."""
    return sensor.split()[0]


def pixel_array(sensor: str) -> tuple[int, int]:
    """Width and height of the whole sensor: picamera2's `PixelArraySize`."""
    found = re.search(r"\[(\d+)x(\d+)", PUBLISHED[sensor])
    assert found is not None
    return int(found[1]), int(found[2])


def sensor_modes(sensor: str) -> list[dict[str, Any]]:
    """The modes as picamera2's `sensor_modes` lists them, in the same order."""
    listed: list[dict[str, Any]] = []
    for name, lines in re.findall(r"'(\w+)' :((?: +\d+x\d+ \[.*\]\n)+)", PUBLISHED[sensor]):
        for found in _MODE.finditer(lines):
            numbers = [int(found[k]) for k in (1, 2, 4, 5, 6, 7)]
            listed.append(
                {
                    "format": RawFormat(name),
                    "unpacked": name.removesuffix("_CSI2P"),
                    "bit_depth": RawFormat(name).bit_depth,
                    "size": tuple(numbers[:2]),
                    "fps": float(found[3]),
                    "crop_limits": tuple(numbers[2:]),
                    "exposure_limits": (9, 77208145, 20000),
                }
            )
    return listed


def scaler_crop(mode: Mapping[str, Any], size: tuple[int, int]) -> tuple[int, int, int, int]:
    """`ScalerCrop` of frames of a size in a mode, in the sensor's pixels.

    The largest part of the mode's pixels that has the shape, in the middle, scaled to what the mode
    sees: `boundedToAspectRatio`, `centeredTo` and `scaleIspCrop` in src/libcamera/pipeline/rpi
    (vc4/vc4.cpp and common/pipeline_base.cpp of raspberrypi/libcamera), in whole numbers as there.
    """
    wide, high = mode["size"]
    width = high * size[0] // size[1] if wide * size[1] > high * size[0] else wide
    height = high if width < wide else wide * size[1] // size[0]
    left, top = wide // 2 - width // 2, high // 2 - height // 2
    x, y, seen_wide, seen_high = mode["crop_limits"]
    return (
        left * seen_wide // wide + x,
        top * seen_high // high + y,
        width * seen_wide // wide,
        height * seen_high // high,
    )


# The following function is `score_mode` of picamera2/picamera2.py, the same from 0.3.17 to 0.3.38;
# only the type hints and `RawFormat` for `SensorFormat` are ours. Its licence:
#
# BSD 2-Clause License
#
# Copyright (c) 2021, Raspberry Pi
# All rights reserved.
#
# Redistribution and use in source and binary forms, with or without
# modification, are permitted provided that the following conditions are met:
#
# 1. Redistributions of source code must retain the above copyright notice, this
#    list of conditions and the following disclaimer.
#
# 2. Redistributions in binary form must reproduce the above copyright notice,
#    this list of conditions and the following disclaimer in the documentation
#    and/or other materials provided with the distribution.
#
# THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS"
# AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
# IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE
# DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE LIABLE
# FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL
# DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR
# SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER
# CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY,
# OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE
# OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.
def score_mode(mode: Mapping[str, Any], bit_depth: int, output_size: tuple[int, int]) -> float:
    """How little a mode fits, as picamera2 sees it; the lowest score is chosen."""
    mode_bit_depth = RawFormat(mode["format"]).bit_depth
    mode_output_size = mode["size"]
    ar = output_size[0] / output_size[1]
    mode_ar = mode_output_size[0] / mode_output_size[1]

    def score_format(desired: float, actual: float) -> float:
        score = desired - actual
        return -score / 4 if score < 0 else score * 2

    score = score_format(output_size[0], mode_output_size[0])
    score += score_format(output_size[1], mode_output_size[1])
    score += 1500 * score_format(ar, mode_ar)
    score += 500 * abs(bit_depth - mode_bit_depth)
    return score


Score = Callable[[Mapping[str, Any], int, tuple[int, int]], float]


def chosen(modes: Modes, config: Mapping[str, Any], score: Score = score_mode) -> Mapping[str, Any]:
    """The mode that picamera2 uses for a configuration: `_make_libcamera_config`, the same file.

    Args:
        modes: all modes of the camera.
        config: with `main`, and `sensor` and `raw` where they were given.
        score: says how little a mode fits.
    """
    sensor, raw = config.get("sensor") or {}, config.get("raw") or {}
    native = max(modes, key=lambda mode: (mode["size"][0] * mode["size"][1], mode["bit_depth"]))
    raw_format = RawFormat(raw.get("format", str(native["format"])))
    bit_depth = sensor.get("bit_depth", raw_format.bit_depth)
    output_size = sensor.get("output_size") or raw.get("size") or config["main"]["size"]

    def unlike(mode: Mapping[str, Any]) -> float:
        return score({**mode, "format": str(mode["format"])}, bit_depth, output_size)

    return min(modes, key=unlike)


def picamera2_source() -> str:
    """The text of the installed picamera2.py; DICETRAY_PICAMERA2 names one where it is not."""
    import pytest  # the lab, which needs none of this, has none

    spec = find_spec("picamera2")
    named = os.environ.get("DICETRAY_PICAMERA2")
    if named is None and (spec is None or spec.origin is None):
        pytest.skip("no picamera2 here: python3-picamera2 of Raspberry Pi OS")
    path = Path(named or Path(str(spec and spec.origin)).with_name("picamera2.py"))
    return path.read_text(encoding="utf-8")
