"""A camera over the simulated tray for whole games: few frames, and each drawn sparingly.

While hand and dice move, a few moments of each act are drawn, on small pictures only, which are
compared with one another but never read: dice without smear, and the hand and its shadow laid over
dice drawn before. At rest the full picture is drawn once, by the unchanged renderer.
"""

from dataclasses import replace
from functools import lru_cache

import cv2
import numpy as np

from simulator.motion.acts import Act
from simulator.motion.simulated_tray import SimulatedTray
from simulator.render.background import EmptyScene, empty_scene
from simulator.render.dice_model import DieBody
from simulator.render.hand import HandPose, ambient_blocked_by_hand, lamp_blocked_by_hand
from simulator.render.renderer import draw_die, draw_hand, render, render_linear
from simulator.render.scene import GLANCE_QUALITY, LIVE_QUALITY, Scene, pixels_per_mm
from simulator.render.sensor import Sensor, develop
from vision.frame import Frame, Image, LazyFrame
from vision.image.arrays import Floats

SHADOW_GRID_PX = 3
"""Spacing, in pixels, of the points at which the hand's soft shadow is computed."""


def sights(act: Act) -> tuple[float, ...]:
    """Times, in seconds, at which frames of an act are taken; it is over after the last."""
    if not act.hand:
        return ()
    start, end = act.start_s, act.end_s
    if act.paths and act.gone:  # a die is pushed
        away = min(path.start_s for path in act.paths.values())
        return (away - 0.1, away + 0.1, end - 0.3)
    if act.paths:
        opened = min(path.start_s for path in act.paths.values())
        return (opened - 0.1, opened + 0.2)
    if act.gone:
        return (min(act.gone.values()) - 0.1, max(act.gone.values()) + 0.1)
    return (start + 0.3, *(float(t) for t in np.arange(start + 0.55, end - 0.55, 0.4)), end - 0.3)


class SparingCamera:
    """Takes frames of a simulated tray; the caller advances its time.

    Args:
        tray: what it looks at.
        size: width and height of the full pictures, which are read.
        small: the same for those that are watched.
    """

    def __init__(self, tray: SimulatedTray, size: tuple[int, int], small: tuple[int, int]) -> None:
        self._tray = tray
        self._size = size
        self._small = small
        self._index = 0
        self._rest: tuple[object, Image] | None = None

    def take(self) -> Frame:
        """A frame of the tray as it is now."""
        tray = self._tray
        scene = tray.scene(self._small)
        light = _glanced(
            replace(scene, smear=(), sensor=Sensor()), frozenset(tray.resting.values())
        )
        chance = np.random.default_rng((self._index, 3))
        image = develop(light, scene.sensor, chance, pixels_per_mm(scene), fast=True)
        small = Frame(image, tray.time_s, self._index)
        self._index += 1
        if not tray.busy:
            return LazyFrame(small, self._at_rest)
        moving = tray.scene(self._size)
        return LazyFrame(small, lambda: render(moving, None, chance, LIVE_QUALITY))

    def _at_rest(self) -> Image:
        """The full picture of the dice at rest, drawn once for each rest."""
        resting = self._tray.resting
        if self._rest is None or self._rest[0] is not resting:
            chance = np.random.default_rng((self._index, 4))
            scene = self._tray.scene(self._size)
            self._rest = (resting, render(scene, None, chance, LIVE_QUALITY))
        return self._rest[1]


def _glanced(scene: Scene, resting: frozenset[DieBody]) -> Floats:
    """The light of a small picture, (height, width, 3)."""
    lying = tuple(die for die in scene.dice if die in resting)
    flying = tuple(die for die in scene.dice if die not in resting)
    still = replace(scene, dice=lying, hand=None)
    light = _drawn(still)
    if scene.hand is None and not flying:
        return light
    empty = empty_scene(
        scene.camera, scene.tray, scene.lighting, GLANCE_QUALITY.background_rays, scene.prints
    )
    light = light.copy() if scene.hand is None else light * _shade(scene, scene.hand, empty)
    for which, die in enumerate(flying):
        draw_die(light, replace(scene, dice=flying), empty, which, [die], GLANCE_QUALITY)
    if scene.hand is not None:
        draw_hand(light, scene, [scene.hand])
    return light


@lru_cache(maxsize=8)
def _drawn(scene: Scene) -> Floats:
    return render_linear(scene, GLANCE_QUALITY)


def _shade(scene: Scene, hand: HandPose, empty: EmptyScene) -> Floats:
    """Share of its light that the hand leaves to each pixel, (height, width, 3)."""
    height, width = empty.depth.shape
    grid = np.ascontiguousarray(empty.points[::SHADOW_GRID_PX, ::SHADOW_GRID_PX])
    left: Floats = (
        empty.steady[::SHADOW_GRID_PX, ::SHADOW_GRID_PX]
        * (1 - ambient_blocked_by_hand(hand, grid))[..., None]
    )
    for light, direct in zip(scene.lighting.lights, empty.direct, strict=True):
        shade = lamp_blocked_by_hand(hand, grid, light.position, light.radius / light.reference)
        left = left + direct[::SHADOW_GRID_PX, ::SHADOW_GRID_PX] * (1 - shade)[..., None]
    share = left / np.maximum(empty.whole[::SHADOW_GRID_PX, ::SHADOW_GRID_PX], 1e-6)
    return np.asarray(cv2.resize(share, (width, height)), np.float32)
