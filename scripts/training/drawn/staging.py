"""The surroundings of drawn dice, and how they are photographed: clutter, shadows, light, lens."""

import cv2
import numpy as np
from numpy.typing import NDArray

from scripts.training.drawn.drawing import View
from scripts.training.drawn.makes import Generator, smooth_noise
from vision.geometry.camera import rotation_of
from vision.image.arrays import Float32Array, FloatArray


def foreshortened(degrees: float, where: float) -> FloatArray:
    """The map of a horizontal plane seen from the side, by a camera turned towards it."""
    axis = np.array([np.cos(where), np.sin(where)])
    less = 1 - np.cos(np.radians(degrees))
    grown = np.exp(0.35 * less)
    return np.asarray((np.eye(2) - less * np.outer(axis, axis)) * grown, dtype=np.float64)


def squeezed(rng: Generator) -> FloatArray:
    """The map of a plane that a camera sees a little from the side, in any direction."""
    angle = rng.uniform(0, np.pi)
    axis = np.array([np.cos(angle), np.sin(angle)])
    less = rng.uniform(0, 0.16)
    return np.asarray(np.eye(2) - less * np.outer(axis, axis), dtype=np.float64)


def tilted(rng: Generator, degrees: float) -> FloatArray:
    """The rotation of a die that leans so far, in any direction."""
    about = rng.uniform(0, 2 * np.pi)
    vector = np.radians(degrees) * np.array([np.cos(about), np.sin(about), 0.0])
    return rotation_of(vector)


def add_clutter(rng: Generator, canvas: Float32Array) -> None:
    """Adds what may pass for dice: lone spots, rows of spots, coins, letters, bars, highlights."""
    side = canvas.shape[0]
    for _ in range(int(rng.integers(0, 4))):
        what = int(rng.integers(6))
        colour = rng.uniform(0, 1, 3).tolist()
        x, y = (int(v) for v in rng.uniform(0.1 * side, 0.9 * side, 2))
        if what == 0:
            for _ in range(int(rng.integers(1, 9))):
                at = (rng.uniform(0, side, 2) * 16).astype(int)
                size = int(rng.uniform(2, 9) * 16)
                cv2.circle(canvas, (int(at[0]), int(at[1])), size, colour, -1, cv2.LINE_AA, 4)
        elif what == 1:
            cv2.circle(canvas, (x, y), int(rng.uniform(10, 45)), colour, -1, cv2.LINE_AA)
        elif what == 2:
            text = "".join(chr(int(c)) for c in rng.integers(48, 91, int(rng.integers(1, 5))))
            cv2.putText(
                canvas,
                text,
                (x - 30, y),
                int(rng.integers(0, 5)),
                float(rng.uniform(0.5, 2.5)),
                colour,
                int(rng.integers(1, 6)),
                cv2.LINE_AA,
            )
        elif what == 3:
            points = rng.normal([x, y], 25, (int(rng.integers(3, 6)), 2)).astype(np.int32)
            cv2.fillConvexPoly(canvas, cv2.convexHull(points), colour, cv2.LINE_AA)
        elif what == 4:
            axis = np.arange(side)
            wide = rng.uniform(4, 30)
            bump = np.exp(-((axis[:, None] - y) ** 2 + (axis[None] - x) ** 2) / (2 * wide**2))
            canvas += ((1 - canvas) * (bump * rng.uniform(0.3, 1))[..., None]).astype(np.float32)
        else:
            end = rng.uniform(0, side, 2).astype(int)
            cv2.line(canvas, (x, y), (int(end[0]), int(end[1])), colour, int(rng.integers(1, 14)))


def cast_shadows(
    rng: Generator, canvas: Float32Array, view: View, middle: FloatArray, turn: float
) -> None:
    """Shadows of one die from up to three lamps, near or far, large or small."""
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    ground = 0.5 * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) @ spin.T
    for _ in range(int(rng.choice(4, p=(0.2, 0.5, 0.2, 0.1)))):
        away = rng.normal(0, rng.choice((0.2, 0.4, 0.7)), 2)
        points = np.concatenate([ground, ground + away])
        flat = view.project(np.column_stack([points, np.zeros(8)]), middle)
        mask = np.zeros(canvas.shape[:2], dtype=np.uint8)
        cv2.fillConvexPoly(mask, cv2.convexHull(flat.astype(np.int32)), 255, cv2.LINE_AA)
        soft = view.scale * rng.choice((0.05, 0.25)) * rng.random() + 0.5
        weight = cv2.GaussianBlur(mask, (0, 0), soft).astype(np.float32)
        canvas *= 1 - (weight / 255 * rng.uniform(0.1, 0.8))[..., None]


def lay_cover(rng: Generator, canvas: Float32Array, quad: FloatArray, nominal: float) -> float:
    """Lays a card or a finger over a part; returns how much of a top it hides."""
    angle = rng.uniform(0, 2 * np.pi)
    normal = np.array([np.cos(angle), np.sin(angle)])
    start = rng.uniform(0.1, 0.9) * nominal
    side = canvas.shape[0]
    axis = np.arange(side)
    u = normal[0] * (axis[None] - side / 2) + normal[1] * (axis[:, None] - side / 2)
    mask = u > start
    colour = rng.uniform(0, 1, 3)
    if rng.random() < 0.5:
        colour = np.array([0.45, 0.6, 0.85]) * rng.uniform(0.3, 1.1)
    top = np.zeros((side, side), dtype=np.uint8)
    cv2.fillConvexPoly(top, quad.astype(np.int32), 1)
    canvas[mask] = np.clip(colour, 0, 1)
    return float((mask & (top > 0)).sum() / max(1, int(top.sum())))


def develop(
    rng: Generator, canvas: Float32Array, size: int, keep_readable: bool
) -> NDArray[np.uint8]:
    """Light, lens and sensor: from what is drawn to 8 bits and so many pixels a side."""
    picture = np.asarray(canvas, dtype=np.float32)
    if rng.random() < 0.12:
        picture = _in_the_sun(rng, picture)
    elif rng.random() < 0.25:  # a shadow's edge, or light falling off
        side = picture.shape[0]
        axis = np.arange(side, dtype=np.float32) / side - 0.5
        angle = rng.uniform(0, 2 * np.pi)
        u = np.cos(angle) * axis[:, None] + np.sin(angle) * axis[None] - rng.normal(0, 0.15)
        edge = 1 / (1 + np.exp(-u * rng.uniform(4, 60)))
        picture = picture * (1 - rng.uniform(0.1, 0.7) * edge)[..., None].astype(np.float32)
    gains = np.exp(rng.normal(0, 0.08, 3)) * np.exp(rng.normal(0, 0.18))
    picture = np.clip(picture * gains, 0, 1) ** np.float32(np.exp(rng.normal(0, 0.15)))
    if rng.random() < 0.15:
        picture = picture * np.float32(rng.uniform(0.25, 0.7))
    if rng.random() < 0.06:
        picture = _through_glass(rng, picture)
    sigma = float(rng.uniform(0.3, 2.2 if keep_readable else 3.0))
    picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma), np.float32)
    small = cv2.resize(picture, (size, size), interpolation=cv2.INTER_AREA)
    if rng.random() < 0.25:  # sharpened by the camera
        soft = cv2.GaussianBlur(small, (0, 0), 1.0)
        small = small + (small - soft) * np.float32(rng.uniform(0.3, 1.2))
    noise = rng.normal(0, rng.uniform(0, 0.04), small.shape)
    out = np.clip((small + noise) * 255, 0, 255).astype(np.uint8)
    if rng.random() < 0.35:
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 90))]
        out = cv2.imdecode(cv2.imencode(".jpg", out, quality)[1], cv2.IMREAD_COLOR)
    return np.asarray(out, dtype=np.uint8)


def _in_the_sun(rng: Generator, picture: Float32Array) -> Float32Array:
    """Hard shadows across everything, as of a window's bars, a branch or a hand; the rest burns."""
    side = picture.shape[0]
    shade = np.zeros((side, side), np.uint8)
    if rng.random() < 0.5:
        angle = rng.uniform(0, np.pi)
        axis = np.arange(side) / side - 0.5
        u = np.cos(angle) * axis[:, None] + np.sin(angle) * axis[None] + rng.uniform(-0.4, 0.4)
        wide = rng.uniform(0.05, 0.6)
        shade[np.abs((u + 2) % (wide * rng.uniform(1.5, 3)) - wide / 2) < wide / 2] = 255
    else:
        points = rng.normal(rng.uniform(0, side, 2), 0.45 * side, (int(rng.integers(3, 9)), 2))
        cv2.fillPoly(shade, [points.astype(np.int32)], 255, cv2.LINE_AA)
    soft = cv2.GaussianBlur(shade, (0, 0), float(rng.uniform(0.4, 3.0))).astype(np.float32) / 255
    lit = picture * np.float32(rng.uniform(1.0, 1.5))
    # What only the sky lights is bluer.
    dark = np.float32(rng.uniform(0.15, 0.6)) * np.array((1.15, 1.0, 0.95), np.float32)
    return np.asarray(lit * (1 - (1 - dark) * soft[..., None]), np.float32)


def _through_glass(rng: Generator, picture: Float32Array) -> Float32Array:
    """A veil of what a pane reflects, or a frosted pane that blurs what is farther from it."""
    side = picture.shape[0]
    if rng.random() < 0.5:
        axis = np.arange(side, dtype=np.float32) / side - 0.5
        away = np.hypot(axis[:, None], axis[None]) - np.float32(rng.uniform(0.05, 0.2))
        blurred = cv2.GaussianBlur(picture, (0, 0), float(rng.uniform(2, 7)))
        share = np.clip(away * np.float32(rng.uniform(4, 20)), 0, 1)[..., None]
        picture = np.asarray(picture + (blurred - picture) * share, np.float32)
    tone = np.clip(rng.uniform(0.3, 0.95) + rng.normal(0, 0.05, 3), 0, 1).astype(np.float32)
    veil = (rng.uniform(0.05, 0.45) * (0.5 + smooth_noise(rng, side, 3, 3)))[..., None]
    return np.asarray(picture + (tone - picture) * np.clip(veil, 0, 0.6), np.float32)
