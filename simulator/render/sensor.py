"""From light to a picture file: lens blur, sensor noise, white balance, tone."""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from simulator.render.pinhole import Vector
from vision.frame import Image
from vision.image.arrays import Floats
from vision.image.warping import warped


@dataclass(frozen=True, slots=True)
class Sensor:
    """The effects of camera and processing on the light.

    Attributes:
        exposure: factor on the light; 1 shows a radiance of 1 as white.
        balance: factors on blue, green, red: white balance and its errors.
        defocus: radius of the blur circle, millimetres on the floor.
        grain: read noise, as a share of white.
        shot: photon noise: variance at white, as a share of white.
        vignette: darkening at the corners, as a share.
        contrast: 0 is the plain sRGB curve; up to 1 makes it steeper.
        saturation: 1 leaves colours alone.
        sharpen: strength of the unsharp mask.
        fringe: shift of red against blue at the corners, as a share of the distance.
        bloom: share of the light that the lens scatters widely.
        jpeg: quality 1 to 100 of a JPEG round trip; 0 for none.
    """

    exposure: float = 1.0
    balance: Vector = (1.0, 1.0, 1.0)
    defocus: float = 0.0
    grain: float = 0.002
    shot: float = 0.0002
    vignette: float = 0.1
    contrast: float = 0.2
    saturation: float = 1.1
    sharpen: float = 0.4
    fringe: float = 0.0
    bloom: float = 0.008
    jpeg: int = 0


@lru_cache(maxsize=8)
def tone_curve(contrast: float) -> Image:
    """Bytes for 4096 steps of linear light: the sRGB curve (IEC 61966-2-1) and an S-curve on it."""
    x = np.linspace(0, 1, 4096)
    y = np.where(x <= 0.0031308, 12.92 * x, 1.055 * np.maximum(x, 1e-9) ** (1 / 2.4) - 0.055)
    s = y * y * (3 - 2 * y)
    y = (1 - contrast) * y + contrast * s
    return np.asarray(np.rint(np.clip(y, 0, 1) * 255), np.uint8)


def apply_tone_curve(linear: Floats, contrast: float) -> Image:
    """Linear light from 0 to 1 as bytes."""
    steps = np.clip(linear, 0, 1)
    steps *= 4095.0
    steps += 0.5
    return np.asarray(np.take(tone_curve(contrast), steps.astype(np.intp)), np.uint8)


@lru_cache(maxsize=4)
def _light_factors(
    size: tuple[int, int], strength: float, balance: Vector, exposure: float
) -> Floats:
    """Factors on the light: vignette, white balance and exposure, (height, width, 3)."""
    width, height = size
    x = np.linspace(-1, 1, width, dtype=np.float32)[None, :]
    y = np.linspace(-1, 1, height, dtype=np.float32)[:, None] * (height / width)
    r2 = (x * x + y * y) / (1 + (height / width) ** 2)
    factors = np.array(balance, np.float32) * np.float32(exposure)
    return np.asarray((1 - strength * r2)[..., None] * factors, np.float32)


@lru_cache(maxsize=8)
def _disc_kernel(radius: float) -> Floats:
    reach = int(np.ceil(radius)) + 1
    axis = np.arange(-reach, reach + 1, dtype=np.float32)
    away = np.hypot(*np.meshgrid(axis, axis))
    disc = np.clip(radius + 0.5 - away, 0, 1)
    return np.asarray(disc / disc.sum(), np.float32)


@lru_cache(maxsize=2)
def _noise_field(size: tuple[int, int], seed: int) -> Floats:
    width, height = size
    rng = np.random.default_rng(seed)
    field = rng.standard_normal((height + 64, width + 64, 3), dtype=np.float32)
    # Demosaicing correlates neighbouring pixels a little.
    return np.asarray(cv2.GaussianBlur(field, (3, 3), 0.5) * 1.4, np.float32)


def develop(
    linear: Floats,
    sensor: Sensor,
    rng: np.random.Generator,
    pixels_per_mm: float,
    fast: bool = False,
) -> Image:
    """Turns linear light into a picture.

    Args:
        linear: radiance, (height, width, 3), blue green red.
        sensor: what the camera does.
        rng: draws the noise.
        pixels_per_mm: scale on the tray's floor, for the defocus.
        fast: crops a cached noise field at a random offset instead of drawing every value.
    """
    height, width = linear.shape[:2]
    light: Floats = linear
    radius = sensor.defocus * pixels_per_mm
    if radius > 0.3:
        light = np.asarray(cv2.filter2D(light, -1, _disc_kernel(round(radius, 2))), np.float32)
    if sensor.bloom > 0 and not fast:
        small = cv2.resize(np.clip(light, 0, 8), (width // 8, height // 8))
        glow = cv2.GaussianBlur(small, (0, 0), width / 8 / 30)
        light = light * (1 - sensor.bloom) + sensor.bloom * cv2.resize(glow, (width, height))
    if sensor.fringe and not fast:
        light = _add_colour_fringe(light, sensor.fringe)
    light = light * _light_factors(
        (width, height), sensor.vignette, sensor.balance, sensor.exposure
    )
    if sensor.grain > 0 or sensor.shot > 0:
        if fast:
            field = _noise_field((width, height), 1)
            y, x = rng.integers(0, 64, 2)
            noise = field[y : y + height, x : x + width]
        else:
            noise = rng.standard_normal(light.shape, dtype=np.float32)
            noise = cv2.GaussianBlur(noise, (3, 3), 0.5) * 1.4
        spread = np.clip(light, 0, 1)
        spread *= np.float32(sensor.shot)
        spread += np.float32(sensor.grain**2)
        np.sqrt(spread, out=spread)
        spread *= noise
        light += spread
    if sensor.saturation != 1.0:
        keep, rest = sensor.saturation, 1 - sensor.saturation
        luma = np.array((0.0722, 0.7152, 0.2126), np.float32)
        mix = (keep * np.eye(3) + rest * np.outer(np.ones(3), luma)).astype(np.float32)
        np.clip(light, 0, 1, out=light)
        light = np.asarray(cv2.transform(light, mix), np.float32)
    picture = apply_tone_curve(light, sensor.contrast)
    if sensor.sharpen > 0:
        soft = cv2.GaussianBlur(picture, (0, 0), 1.2)
        picture = np.asarray(
            cv2.addWeighted(picture, 1 + sensor.sharpen, soft, -sensor.sharpen, 0), np.uint8
        )
    if sensor.jpeg:
        _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, sensor.jpeg])
        picture = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    return picture


def _add_colour_fringe(light: Floats, share: float) -> Floats:
    """Scales the red plane up and the blue one down about the centre of the picture."""
    height, width = light.shape[:2]
    planes = []
    for plane, scale in zip(cv2.split(light), (1 - share, 1.0, 1 + share), strict=True):
        turn = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), 0, scale)
        planes.append(warped(plane, turn, (width, height), replicated=True))
    return np.asarray(cv2.merge(planes), np.float32)
