"""Draws whole scenes of three difficulties, with mishaps, hands and cards."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from appliance.simulator.render.hand import Grip, HandPose
from appliance.simulator.render.renderer import LIVE, render_linear
from appliance.simulator.render.scene import FlatCard, Scene
from appliance.simulator.render.tray_model import TrayModel
from appliance.simulator.scenes.random_dice import random_dice, random_kinds, random_style
from appliance.simulator.scenes.random_setup import (
    Difficulty,
    finished,
    jittered,
    picked,
    random_camera,
    random_lighting,
    random_sensor,
    random_tray,
)
from vision.reading import Kind

_SKINS = ((0.26, 0.36, 0.60), (0.18, 0.27, 0.50), (0.10, 0.16, 0.34), (0.04, 0.07, 0.15))


def random_hand(rng: np.random.Generator, tray: TrayModel) -> HandPose:
    """Draws a hand that reaches into the tray from any side but mostly from the players'."""
    side = float(rng.choice((np.pi / 2, np.pi / 2, 0.0, np.pi, -np.pi / 2)))
    yaw = side + np.pi + float(rng.normal(0, 0.35))
    x, y = rng.uniform(0.3, 1.1) * np.cos(side), rng.uniform(0.3, 1.1) * np.sin(side)
    along = rng.uniform(-0.6, 0.6)
    return HandPose(
        place=(
            float((x - along * np.sin(side)) * tray.half[0]),
            float((y + along * np.cos(side)) * tray.half[1]),
        ),
        yaw=yaw,
        height=float(rng.uniform(12, 60)),
        grip=tuple(Grip)[int(rng.integers(3))],
        left=bool(rng.random() < 0.4),
        skin=jittered(rng, picked(rng, _SKINS), 0.08),
        sleeve=jittered(rng, (0.15, 0.12, 0.12), 0.6),
        size=float(rng.uniform(0.75, 1.0)),
    )


def metered(scene: Scene, target: float = 0.17, error: float = 0.0) -> Scene:
    """The scene with the exposure that a camera would choose.

    Args:
        scene: the scene.
        target: mean linear brightness aimed at.
        error: stops by which the camera is wrong.
    """
    small = replace(scene, smear=()).with_size((96, 54))
    light = render_linear(small, replace(LIVE, oversample=1, backdrop_rays=6))
    gains = np.array(scene.sensor.balance, np.float32)
    mean = float((light * gains).clip(0, 2.0).mean())
    exposure = float(np.clip(target / max(mean, 1e-3), 0.05, 12.0) * 2.0**error)
    return replace(scene, sensor=replace(scene.sensor, exposure=exposure))


def random_scene(
    rng: np.random.Generator,
    difficulty: Difficulty = "normal",
    size: tuple[int, int] = (1536, 864),
    kinds: Sequence[Kind] | None = None,
) -> Scene:
    """Draws a whole scene with the dice at rest.

    Args:
        rng: the only source of chance.
        difficulty: how hard it is to read.
        size: width and height of its picture.
        kinds: the dice in it; drawn too by default.
    """
    tray = finished(rng, random_tray(rng, difficulty), difficulty)
    scene = Scene(
        camera=random_camera(rng, difficulty, size, tray),
        tray=tray,
        lighting=random_lighting(rng, difficulty),
        sensor=random_sensor(rng, difficulty),
    )
    return another_throw(rng, scene, difficulty, kinds)


def another_throw(
    rng: np.random.Generator,
    scene: Scene,
    difficulty: Difficulty = "normal",
    kinds: Sequence[Kind] | None = None,
) -> Scene:
    """Draws other dice, hand and exposure for the tray, light and camera of a scene.

    Many pictures of one installation are drawn much faster than as many installations.

    Args:
        rng: the only source of chance.
        scene: gives tray, light, camera and lens.
        difficulty: how hard the picture is to read.
        kinds: the dice in it; drawn too by default.
    """
    chosen = tuple(kinds) if kinds is not None else random_kinds(rng)
    styles = random_style(rng, difficulty, tuple(Kind))
    with_hand = rng.random() < {"easy": 0.0, "normal": 0.05, "hard": 0.2}[difficulty]
    with_card = rng.random() < {"easy": 0.0, "normal": 0.02, "hard": 0.12}[difficulty]
    laid = replace(
        scene,
        dice=random_dice(rng, difficulty, scene.tray, chosen, styles),
        hand=random_hand(rng, scene.tray) if with_hand else None,
        card=_random_card(rng, scene.tray) if with_card else None,
        smear=(),
    )
    off = {"easy": 0.15, "normal": 0.3, "hard": 0.55}[difficulty]
    return metered(laid, float(rng.uniform(0.13, 0.2)), float(rng.normal(0, off)))


def _random_card(rng: np.random.Generator, tray: TrayModel) -> FlatCard:
    angle = rng.uniform(0, 2 * np.pi)
    return FlatCard(
        place=(
            float(np.cos(angle) * tray.half[0] * 1.0),
            float(np.sin(angle) * tray.half[1] * 1.0),
        ),
        yaw=float(rng.uniform(-np.pi, np.pi)),
        height=float(rng.uniform(30, 80)),
        seed=int(rng.integers(1000)),
    )
