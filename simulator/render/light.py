"""Lights, and how surfaces respond to them. All colours are linear: blue, green, red."""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from simulator.render.pinhole import UP_DIRECTION, Vector, dot_products, scaled
from simulator.render.texture import sample_picture
from vision.image.arrays import Floats


@dataclass(frozen=True, slots=True)
class Light:
    """A luminous disc or ring.

    Attributes:
        position: of its centre, millimetres.
        radius: millimetres; large ones cast soft shadows.
        power: its irradiance at the centre of the tray at normal incidence.
        hole: inner radius, millimetres; above 0 for a ring.
    """

    position: Vector
    radius: float
    power: Vector
    hole: float = 0.0

    @property
    def reference(self) -> float:
        """Distance from the centre of the tray, millimetres, for which `power` holds."""
        return float(np.linalg.norm(self.position))

    def samples(self, count: int) -> Floats:
        """Points spread over the light in a sunflower pattern, (count, 3)."""
        return _points_on_light(self, count)


@lru_cache(maxsize=32)
def _points_on_light(light: Light, count: int) -> Floats:
    k = np.arange(count) + 0.5
    inner = (light.hole / light.radius) ** 2 if light.radius > 0 else 0.0
    r = light.radius * np.sqrt(inner + (1 - inner) * k / count)
    a = k * 2.399963229728653
    toward = -np.array(light.position) / light.reference
    side = np.cross(toward, (0.0, 1.0, 0.0) if abs(toward[1]) < 0.9 else (1.0, 0.0, 0.0))
    side /= np.linalg.norm(side)
    across = np.cross(toward, side)
    spread = (r * np.cos(a))[:, None] * side + (r * np.sin(a))[:, None] * across
    return np.asarray(np.array(light.position) + spread, np.float32)


@dataclass(frozen=True, slots=True)
class Lighting:
    """All the light of a scene.

    Attributes:
        lights: those that cast shadows and glare.
        ambient: irradiance from all around.
        room_seed: chooses what the room looks like in reflections.
        room_contrast: 0 is a uniform room, 1 has bright windows and dark corners.
        camera_dark: half width of the dark camera seen in reflections, millimetres.
    """

    lights: tuple[Light, ...]
    ambient: Vector
    room_seed: int = 0
    room_contrast: float = 0.5
    camera_dark: float = 20.0


@lru_cache(maxsize=16)
def _room_brightness(seed: int, contrast: float, blur: int) -> Floats:
    """Brightness of the room overhead, (64, 64), by the x and y of the direction."""
    rng = np.random.default_rng(seed)
    coarse = rng.random((5, 5), dtype=np.float32)
    room = cv2.resize(coarse, (64, 64), interpolation=cv2.INTER_CUBIC)
    room = 1 + contrast * 1.2 * (room - 0.5)
    if contrast > 0.3:
        x, y = rng.integers(4, 44, 2)
        w, h = rng.integers(6, 16, 2)
        room[y : y + h, x : x + w] += 6.0 * contrast
    if blur:
        room = cv2.GaussianBlur(room, (0, 0), float(blur))
    return np.asarray(np.clip(room, 0.05, None), np.float32)


def room_radiance(lighting: Lighting, directions: Floats, roughness: float) -> Floats:
    """Radiance of the surroundings in directions (n, 3): (n, 3)."""
    blur = 0 if roughness < 0.12 else 2 if roughness < 0.3 else 6
    room = _room_brightness(lighting.room_seed, lighting.room_contrast, blur)
    u, v = ((directions[:, axis] * 0.5 + 0.5) * 63.0 for axis in (0, 1))
    seen = sample_picture(room, u, v)[:, 0]
    up = np.clip(-directions[:, 2] * 3.0 + 0.5, 0.15, 1.0)
    radiance = np.array(lighting.ambient, np.float32) / np.pi
    return scaled(radiance, seen * up)


def _ways_to(light: Light, points: Floats) -> Floats:
    ways = np.empty(points.shape, np.float32)
    for axis, there in enumerate(light.position):
        np.subtract(np.float32(there), points[:, axis], out=ways[:, axis])
    return ways


def irradiance(light: Light, points: Floats, normals: Floats) -> Floats:
    """Unshadowed irradiance of a light on surface points (n, 3): (n, 1), as a share of its power.

    Large lights wrap round a little, as an area light does.
    """
    to = _ways_to(light, points)
    square = dot_products(to, to)
    cosine = dot_products(to, normals) / np.sqrt(square)
    wrap = min(0.3, 0.5 * light.radius / light.reference)
    facing = np.maximum((cosine + wrap) / (1 + wrap), 0.0)
    return np.asarray((facing * (light.reference**2) / square)[:, None], np.float32)


def glare_radiance(light: Light, points: Floats, reflected: Floats, roughness: float) -> Floats:
    """Radiance of the mirror image of a light at points, along reflected rays (n, 3): (n, 1).

    A share of the light's power. Roughness widens and dims the light's image: the lobe has the
    angular width roughness^2 (Burley's mapping) about the mirror direction.
    """
    to = _ways_to(light, points)
    along = dot_products(to, reflected)
    square = dot_products(to, to)
    off = np.sqrt(np.maximum(square - along * along, 0.0))
    sigma = np.maximum(roughness * roughness, 0.004) * np.sqrt(square)
    seen = _blurred_disc(off, light.radius, sigma)
    if light.hole > 0:
        seen = seen - _blurred_disc(off, light.hole, sigma)
    area = np.pi * (light.radius**2 - light.hole**2)
    seen = np.where(along > 0, seen, 0.0) * (light.reference**2 / area)
    return np.asarray(np.maximum(seen, 0.0)[:, None], np.float32)


def _blurred_disc(off: Floats, radius: float, sigma: Floats) -> Floats:
    """A disc convolved with a Gaussian, approximately, at distances from its centre."""
    if radius <= 0:
        return np.zeros_like(off)
    sigma = np.maximum(sigma, 1e-3)
    peak = 1 - np.exp(-(radius**2) / (2 * sigma**2))
    # A logistic step close to the edge; far outside it falls off like the Gaussian.
    width = np.sqrt(sigma**2 + (0.02 * radius) ** 2)
    edge = 1 / (1 + np.exp(np.clip((off - radius) * 1.7 / width, -30, 30)))
    tail = np.exp(-np.maximum(off**2 - radius**2, 0) / (2 * (sigma**2 + radius**2 / 4)))
    small = np.clip(sigma / radius - 0.5, 0, 1)
    return np.asarray(peak * ((1 - small) * edge + small * tail), np.float32)


def fresnel_reflectance(cosine: Floats, base: float = 0.04) -> Floats:
    """Schlick's reflectance at cosines of the angle to the normal."""
    return np.asarray(base + (1 - base) * (1 - np.clip(cosine, 0, 1)) ** 5, np.float32)


def mirror_rays(view: Floats, normals: Floats) -> tuple[Floats, Floats]:
    """Reflected directions of rays that arrive along `view` (n, 3), and cosines of incidence."""
    cosine = -dot_products(view, normals)
    reflected = scaled(normals, 2 * cosine)
    reflected += view
    return reflected, cosine


def ambient_light(
    lighting: Lighting, normals: Floats, bounce: Vector | Floats = (0.15, 0.15, 0.15)
) -> Floats:
    """Irradiance from the surroundings on surfaces with these normals (n, 3): (n, 3)."""
    up = normals @ UP_DIRECTION * 0.5 + 0.5
    ambient = np.array(lighting.ambient, np.float32)
    light = scaled(ambient, up)
    light += scaled(ambient * np.asarray(bounce, np.float32), 1 - up)
    return light
