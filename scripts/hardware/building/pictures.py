"""Writes the pictures of the printed parts: all, the exploded view, the steps of assembly."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import cv2
import numpy as np

from scripts.hardware.building.render import Array, Body, Camera, draw
from scripts.hardware.building.solids.assembly import PRINTED_RGB, Item, items
from scripts.hardware.building.solids.catalogue import Part
from scripts.hardware.building.solids.shapes import Solid
from scripts.hardware.building.steps import STEPS, Step

_SIZE = (480, 360)


Label = tuple[str, tuple[float, float, float]]
Drawing = tuple[str, Camera, list[Body], list[Label]]
"""A picture's name, and what `draw` needs."""


def triangles_of(solid: Solid) -> Array:
    """The triangles of a solid, (n, 3, 3), millimetres."""
    vertices, triangles = solid.tessellate(0.2, 0.25)
    points = np.array([(v.X, v.Y, v.Z) for v in vertices], np.float64)
    return np.asarray(points[np.array(triangles)])


def _named(name: str, starts: tuple[str, ...]) -> bool:
    """True if a name is one of these, or begins with one of them and a hyphen."""
    return any(name == start or name.startswith(f"{start}-") for start in starts)


def shown(step: Step, before: set[str], everything: set[str]) -> tuple[set[str], set[str]]:
    """Names of what a step's picture shows, and which of them are new."""
    new = {name for name in everything if _named(name, step.adds)} - before
    there = before | new
    if step.shows:
        there = {name for name in there if _named(name, step.shows)}
    return there, new


def gallery(parts: dict[str, Part]) -> list[tuple[Body, Label]]:
    """All parts side by side as they are printed, with their numbers."""
    made = []
    x = y = deepest = 0.0
    for n, part in enumerate(parts.values(), 1):
        corners = triangles_of(part.laid())
        low, high = corners.reshape(-1, 3).min(axis=0), corners.reshape(-1, 3).max(axis=0)
        wide, deep = high[:2] - low[:2]
        if x and x + wide > 640:
            x, y, deepest = 0.0, y - deepest - 60, 0.0
        moved = corners + np.array((x - low[0], y - high[1], 0.0))
        made.append((Body(moved, PRINTED_RGB), (str(n), (x + wide / 2, y - deep - 14, 0.0))))
        x, deepest = x + wide + 25, max(deepest, float(deep))
    return made


def drawings(parts: dict[str, Part]) -> Iterator[Drawing]:
    """All pictures."""
    laid = gallery(parts)
    yield "parts", Camera(0, 62, (760, 700)), [body for body, _ in laid], [at for _, at in laid]
    everything = items(parts)
    meshes = {name: triangles_of(item.solid) for name, item in everything.items()}
    bodies = [Body(meshes[name] + item.apart, item.colour) for name, item in everything.items()]
    yield "exploded", Camera(-32, 26, (900, 900)), bodies, list(_numbers(parts, everything, meshes))
    before: set[str] = set()
    for n, step in enumerate(STEPS, 1):
        there, new = shown(step, before, set(everything))
        bodies = [
            Body(meshes[name], everything[name].colour, pale=bool(new) and name not in new)
            for name in sorted(there)
        ]
        yield f"step-{n:02}", Camera(step.turn, step.lift, _SIZE), bodies, []
        before |= new


def _numbers(
    parts: Mapping[str, Part], everything: Mapping[str, Item], meshes: Mapping[str, Array]
) -> Iterator[Label]:
    for n, name in enumerate(parts, 1):
        key = name if name in everything else f"{name}-0"
        corners = meshes[key].reshape(-1, 3) + everything[key].apart
        middle = (corners.min(axis=0) + corners.max(axis=0)) / 2
        yield str(n), (float(middle[0]), float(middle[1]), float(middle[2]))


def draw_pictures(parts: dict[str, Part], folder: Path) -> Iterator[Path]:
    """Writes all pictures; yields their files."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, camera, bodies, labels in drawings(parts):
        path = folder / f"{name}.png"
        cv2.imwrite(str(path), draw(bodies, camera, labels), [cv2.IMWRITE_PNG_COMPRESSION, 9])
        yield path
