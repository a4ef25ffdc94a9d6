"""The truth about a scene: exact, computed from the scene, not from its picture."""

from dataclasses import dataclass, replace

import numpy as np

from simulator.motion.simulated_tray import SimulatedTray
from simulator.render.dice_model import (
    FACE_NORMALS,
    MIN_LEANING_DEG,
    DieBody,
    face_up,
    top_face_points,
    top_slot,
)
from simulator.render.die_cast import blocked_share, cube_corners
from simulator.render.hand import hand_coverage
from simulator.render.scene import Scene
from simulator.render.sensor import Sensor, apply_tone_curve
from simulator.render.shading import shade_die
from simulator.render.tray_model import share_hidden_by_tray
from tests.rigs.rendering.card import FlatCard
from vision.image.arrays import FloatArray, Floats
from vision.reading import DieState, Face, Kind

COVERED_SHARE = 0.6
"""A die cannot be read if more than this share of its top is hidden."""


@dataclass(frozen=True, slots=True)
class DieTruth:
    """A die as it really is.

    Attributes:
        kind: what it is.
        face: the face that points most nearly upwards, whatever the state.
        value: the face that counts; None if the die leans.
        state: ok, leaning, stacked or covered.
        tilt_deg: how far the face is from level, degrees.
        centre_px: middle of the top face in the picture.
        outline_px: corners of the top face, clockwise, as if its edges were sharp.
        rounded_px: outline of the top face where its rounded edges slope by 45 degrees.
        mm: middle of the top face, millimetres to the right of and below the tray's middle.
        pose: the die itself: position and orientation in the world.
        hidden: share of the top face that other things hide from the camera.
        whited_out: share of the top face where glare washes out the contrast of body and pip.
    """

    kind: Kind
    face: Face
    value: Face | None
    state: DieState
    tilt_deg: float
    centre_px: tuple[float, float]
    outline_px: tuple[tuple[float, float], ...]
    rounded_px: tuple[tuple[float, float], ...]
    mm: tuple[float, float]
    pose: DieBody
    hidden: float
    whited_out: float


def truth_in(tray: SimulatedTray, size: tuple[int, int] | None = None) -> dict[int, DieTruth]:
    """The truth about the dice in view now, by slot."""
    dice = tray.present()
    scene = replace(tray.scene(size), dice=tuple(dice.values()), smear=())
    return dict(zip(dice, truth(scene), strict=True))


def truth(scene: Scene) -> tuple[DieTruth, ...]:
    """The truth about every die of a scene, in the scene's order."""
    return tuple(_die_truth(scene, which) for which in range(len(scene.dice)))


def rests_high(die: DieBody) -> float:
    """Height of the die's lowest point above the floor, millimetres."""
    return float(-cube_corners(die)[:, 2].max())


def _rounded(die: DieBody) -> FloatArray:
    """The outline of the top face where the rounded edges slope by 45 degrees, (48, 2)."""
    core = die.half - die.style.edge_radius
    radius = die.style.edge_radius * np.sqrt(0.5)
    rounds = []
    for k in range(4):
        angles = np.radians(np.linspace(0, 90, 12) + 90 * k)
        middle = core * np.sign(
            np.array((np.cos(np.pi / 4 + np.pi / 2 * k), np.sin(np.pi / 4 + np.pi / 2 * k)))
        )
        rounds.append(middle + radius * np.stack([np.cos(angles), np.sin(angles)], axis=1))
    return np.concatenate(rounds)


def _pairs(pixels: FloatArray) -> tuple[tuple[float, float], ...]:
    return tuple((float(x), float(y)) for x, y in pixels)


def _die_truth(scene: Scene, which: int) -> DieTruth:
    die = scene.dice[which]
    _, tilt = top_slot(die)
    square = np.array(((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0))) * die.half
    middle = top_face_points(die, np.zeros((1, 2)))
    hidden = hidden_share(scene, which)
    if tilt > MIN_LEANING_DEG:
        state = DieState.LEANING
    elif rests_high(die) > 0.25 * die.edge:
        state = DieState.STACKED
    elif hidden > COVERED_SHARE:
        state = DieState.COVERED
    else:
        state = DieState.OK
    face = face_up(die)
    centre = scene.camera.project(middle)[0]
    return DieTruth(
        kind=die.kind,
        face=face,
        value=None if state is DieState.LEANING else face,
        state=state,
        tilt_deg=tilt,
        centre_px=(float(centre[0]), float(centre[1])),
        outline_px=_pairs(scene.camera.project(top_face_points(die, square))),
        rounded_px=_pairs(scene.camera.project(top_face_points(die, _rounded(die)))),
        mm=(float(middle[0, 0]), float(middle[0, 1])),
        pose=die,
        hidden=hidden,
        whited_out=whited_out_share(scene, which),
    )


def _samples(die: DieBody, count: int) -> Floats:
    """Points spread over the level part of the top face, (count * count, 3) in the world."""
    reach = die.half - 0.5 * die.style.edge_radius
    axis = (np.arange(count) + 0.5) / count * 2 * reach - reach
    places = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    return top_face_points(die, places).astype(np.float32)


def hidden_share(scene: Scene, which: int) -> float:
    """Share of a die's top face that the camera cannot see."""
    die = scene.dice[which]
    points = _samples(die, 14)
    eye = scene.camera.position.astype(np.float32)
    hidden = share_hidden_by_tray(scene.tray, points, eye[None]) > 0.5
    for k, other in enumerate(scene.dice):
        if k != which:
            hidden |= blocked_share(other, points, eye[None]) > 0.5
    rays = points - eye
    rays /= np.linalg.norm(rays, axis=1, keepdims=True)
    if scene.hand is not None:
        hidden |= hand_coverage(scene.hand, eye, rays[:, None, :])[:, 0] > 0.5
    if isinstance(scene.card, FlatCard):
        hidden |= scene.card.covers(eye, rays)
    pixels = scene.camera.project(points)
    width, height = scene.camera.size
    hidden |= (pixels < -0.5).any(axis=1)
    hidden |= (pixels[:, 0] > width - 0.5) | (pixels[:, 1] > height - 0.5)
    return float(hidden.mean())


def whited_out_share(scene: Scene, which: int) -> float:
    """Share of a die's top face where glare leaves less than a tenth of white between body and pip.

    Measured on the tones of the developed picture, without noise or blur.
    """
    die = scene.dice[which]
    slot, _ = top_slot(die)
    points = _samples(die, 10)
    normals = np.repeat((die.rotation @ FACE_NORMALS[slot])[None], len(points), 0)
    rays = points - scene.camera.position.astype(np.float32)
    rays /= np.linalg.norm(rays, axis=1, keepdims=True)
    others = tuple(d for k, d in enumerate(scene.dice) if k != which)
    tones = []
    for colour in (die.style.body, die.style.pip):
        flat = np.repeat(np.array(colour, np.float32)[None], len(points), 0)
        light = shade_die(
            scene, die, others, points, normals.astype(np.float32), rays, flat, shadow_rays=4
        )
        tones.append(_tones(light, scene.sensor))
    body, pip = tones
    lost = (np.abs(body - pip) < 0.1) & (np.maximum(body, pip) > 0.6)
    return float(lost.mean())


def _tones(light: Floats, sensor: Sensor) -> Floats:
    """Brightness (0 to 1) that linear light (n, 3) has in the picture."""
    gains = np.array(sensor.balance, np.float32) * sensor.exposure
    developed = (
        apply_tone_curve(np.clip(light * gains, 0, 1), sensor.contrast).astype(np.float32) / 255
    )
    return np.asarray(developed @ np.array((0.114, 0.587, 0.299), np.float32))
