"""A card held over the tray: what it hides, shades and shows."""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from simulator.render.pinhole import ray_directions
from simulator.render.scene import Scene
from vision.image.arrays import BoolArray, Floats


@lru_cache(maxsize=4)
def _card_print(seed: int) -> Floats:
    """A printed card, (352, 252, 3) linear."""
    rng = np.random.default_rng(seed)
    paper = np.full((352, 252, 3), 0.78, np.float32)
    ink = tuple(float(v) for v in rng.uniform(0.02, 0.6, 3))
    if rng.random() < 0.5:
        cv2.rectangle(paper, (0, 16), (251, 70), ink, -1)
        for row in range(92, 330, 14):
            cv2.line(paper, (20, row), (int(rng.integers(120, 232)), row), (0.04, 0.04, 0.04), 4)
    else:
        cv2.putText(
            paper, str(rng.integers(2, 10)), (16, 60), cv2.FONT_HERSHEY_SIMPLEX, 1.8, ink, 5
        )
        for x, y in ((76, 90), (176, 90), (126, 176), (76, 262), (176, 262)):
            cv2.circle(paper, (x, y), 20, ink, -1, cv2.LINE_AA)
    return np.asarray(cv2.GaussianBlur(paper, (0, 0), 0.7), np.float32)


@dataclass(frozen=True, slots=True)
class FlatCard:
    """A flat card above the tray.

    Attributes:
        place: its centre, millimetres.
        yaw: radians.
        height: above the floor, millimetres.
        size: width and height, millimetres.
        seed: chooses its print.
    """

    place: tuple[float, float]
    yaw: float
    height: float
    size: tuple[float, float] = (63.0, 88.0)
    seed: int = 0

    def shade(self, points: Floats, lamps: Floats) -> Floats:
        """Share of lamps (n, 3) that the card hides from points (rows, columns, 3)."""
        dark = np.zeros(points.shape[:2], np.float32)
        for lamp in lamps:
            rise = (-self.height - points[..., 2]) / (lamp[2] - points[..., 2])
            u, v = self._on(
                points[..., 0] + (lamp[0] - points[..., 0]) * rise,
                points[..., 1] + (lamp[1] - points[..., 1]) * rise,
            )
            dark += (np.abs(u) < 0.5) & (np.abs(v) < 0.5) & (rise > 0)
        return dark / np.float32(len(lamps))

    def _on(self, x: Floats, y: Floats) -> tuple[Floats, Floats]:
        """Coordinates in the card's plane in units of its sides, -0.5 to 0.5 inside."""
        c, s = np.cos(self.yaw), np.sin(self.yaw)
        dx, dy = x - self.place[0], y - self.place[1]
        return (c * dx + s * dy) / self.size[0], (-s * dx + c * dy) / self.size[1]

    def covers(self, origin: Floats, rays: Floats) -> BoolArray:
        """True for rays (…, 3) from a point that hit the card."""
        reach = (-self.height - origin[2]) / np.maximum(rays[..., 2], 1e-3)
        u, v = self._on(origin[0] + rays[..., 0] * reach, origin[1] + rays[..., 1] * reach)
        return np.asarray((np.abs(u) < 0.5) & (np.abs(v) < 0.5) & (reach > 0), np.bool_)

    def draw(self, picture: Floats, scene: Scene) -> None:
        """Draws the card over the picture, in place."""
        rays = ray_directions(scene.camera)
        origin = scene.camera.position.astype(np.float32)
        reach = (-self.height - origin[2]) / np.maximum(rays[..., 2], 1e-3)
        x, y = origin[0] + rays[..., 0] * reach, origin[1] + rays[..., 1] * reach
        u, v = self._on(x, y)
        pixel = reach / scene.camera.focal[0]
        edge = np.minimum((0.5 - np.abs(u)) * self.size[0], (0.5 - np.abs(v)) * self.size[1])
        cover = np.clip(edge / pixel + 0.5, 0, 1)
        if not cover.any():
            return
        paper = _card_print(self.seed)
        found = cv2.remap(
            paper,
            np.ascontiguousarray((u + 0.5) * 251, np.float32),
            np.ascontiguousarray((v + 0.5) * 351, np.float32),
            cv2.INTER_AREA,
            borderMode=cv2.BORDER_REPLICATE,
        )
        light = np.array(scene.lighting.ambient, np.float32).copy()
        for lamp in scene.lighting.lights:
            light = light + np.array(lamp.power, np.float32) * (-lamp.position[2] / lamp.reference)
        picture *= 1 - cover[..., None]
        picture += found * (light / np.pi) * cover[..., None]
