"""Sets of pictures with their ground truth: JSON beside each picture and one index for all.

In the files lengths are in metres, and the world has x to the right, y to the back (up in the
picture) and z up: the frame of `pinhole` rotated by half a turn about x.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from appliance.errors import ApplianceError
from simulator.render.dice_model import Quaternion, as_quaternion, rotation_matrix
from simulator.render.renderer import render
from simulator.render.scene import STILL_QUALITY, Quality, Scene
from simulator.scenes.random_setup import Difficulty
from tests.rigs.rendering.random_scene import another_throw, installation, random_scene
from tests.rigs.rendering.truth import DieTruth, truth
from vision.reading import Kind

GENERATOR = "dicetray simulator 1"
_FLIP = np.diag((1.0, -1.0, -1.0))
_PIPS = {Kind.BLACK: "white", Kind.RED: "white", Kind.POWER: "white"}


def _rounded(values: Any, digits: int) -> Any:
    return np.round(np.asarray(values, np.float64), digits).tolist()


def _flipped(q: Quaternion) -> Quaternion:
    """An orientation in the files' frame."""
    return as_quaternion(_FLIP @ rotation_matrix(q))


def _die_record(number: int, die: DieTruth) -> dict[str, Any]:
    pose = die.pose
    place = np.array(pose.position) * (1.0, -1.0, -1.0) / 1000
    return {
        "id": number,
        "kind": die.kind.value,
        "value": die.value,
        "nearest_up_value": die.face,
        "state": die.state.value,
        "cocked": die.state.value == "leaning",
        "stacked": die.state.value == "stacked",
        "tilt_deg": round(die.tilt_deg, 3),
        "centre_px": _rounded(die.centre_px, 2),
        "top_corners_px": _rounded(die.outline_px, 2),
        "top_outline_px": _rounded(die.rounded_px, 2),
        "mm": _rounded(die.mm, 3),
        "pos_m": _rounded(place, 6),
        "quat_wxyz": _rounded(_flipped(pose.orientation), 6),
        "edge_m": pose.edge / 1000,
        "occlusion": {"top_face": round(die.hidden, 3)},
        "whited_out": round(die.whited_out, 3),
    }


def truth_record(
    scene: Scene, dice: Sequence[DieTruth], name: str, difficulty: str, seed: int
) -> dict[str, Any]:
    """The record in the JSON file beside a picture.

    Args:
        scene: what was drawn, at the size of the picture.
        dice: the truth about its dice.
        name: the picture's file name.
        difficulty: how hard it was made.
        seed: the seed that draws it again.
    """
    camera, tray = scene.camera, scene.tray
    corners = tray.corners.astype(np.float64)
    top = corners.copy()
    top[:, :2] = np.sign(top[:, :2]) * np.array(tray.rim_inner)
    top[:, 2] = -tray.wall_height
    return {
        "image": name,
        "generator": GENERATOR,
        "seed": seed,
        "difficulty": difficulty,
        "size": list(camera.size),
        "camera": {
            "model": "pinhole + radial (OpenCV k1,k2,p1,p2), pixel centres at integers",
            "K": _rounded(camera.matrix, 4),
            "dist": list(camera.distortion),
            "R_world_to_cam": _rounded(np.array(camera.rotation) @ _FLIP, 8),
            "centre_m": _rounded(camera.position @ _FLIP / 1000, 6),
        },
        "tray": {
            "order": "TL,TR,BR,BL",
            "floor_corners_px": _rounded(camera.project(corners), 2),
            "wall_top_inner_corners_px": _rounded(camera.project(top), 2),
            "floor_corners_m": _rounded(corners @ _FLIP / 1000, 6),
            "floor": tray.floor.surface.value,
        },
        "hand": scene.hand is not None,
        "card": scene.card is not None,
        "moving": False,
        "dice": [_die_record(k, die) for k, die in enumerate(dice)],
    }


def index_record(
    dice: Sequence[DieTruth], picture: str, truth_file: str, difficulty: str
) -> dict[str, Any]:
    """The picture's line of `index.jsonl`."""
    entries = []
    for die in dice:
        outline = np.array(die.rounded_px)
        width, height = outline.max(axis=0) - outline.min(axis=0)
        entries.append(
            {
                "x": round(die.centre_px[0], 1),
                "y": round(die.centre_px[1], 1),
                "w": round(float(width), 1),
                "h": round(float(height), 1),
                "value": die.value,
                "body": die.kind.value,
                "pips": _PIPS.get(die.kind, "black"),
                "state": die.state.value,
                "occluded": round(die.hidden, 3),
                "whited_out": round(die.whited_out, 3),
                "in_holder": False,
            }
        )
    return {
        "file": picture,
        "truth": truth_file,
        "difficulty": difficulty,
        "moving": False,
        "source": "simulator",
        "licence": "MIT",
        "view": "top",
        "partial": False,
        "dice": entries,
    }


def scenes(
    seed: int,
    difficulty: Difficulty,
    size: tuple[int, int],
    pictures: int,
    throws: int = 1,
    kinds: Sequence[Kind] | None = None,
) -> Iterator[tuple[int, Scene, np.random.Generator]]:
    """Draws scenes one after another, each from its own seed.

    Args:
        seed: seed of the whole set.
        difficulty: how hard they are.
        size: width and height of the pictures.
        pictures: how many.
        throws: pictures of one installation before another is drawn.
        kinds: the dice in each; drawn at random by default.

    Yields:
        number, scene, and the random generator to continue with for the noise.
    """
    setup: Scene | None = None
    for number in range(pictures):
        rng = _chance(seed, difficulty, number)
        if setup is None or number % throws == 0:
            setup = scene = random_scene(rng, difficulty, size, kinds)
        else:
            scene = another_throw(rng, setup, difficulty, kinds)
        yield number, scene, rng


def _chance(seed: int, difficulty: Difficulty, number: int) -> np.random.Generator:
    return np.random.default_rng((seed, ("easy", "normal", "hard").index(difficulty), number))


def scene_of(
    seed: int, difficulty: Difficulty, size: tuple[int, int], number: int
) -> tuple[Scene, np.random.Generator]:
    """One of the `scenes` of a single installation, by its number, and its random generator."""
    first = _chance(seed, difficulty, 0)
    setup = installation(first, difficulty, size)
    rng = _chance(seed, difficulty, number) if number else first
    return another_throw(rng, setup, difficulty), rng


def write_set(
    folder: Path,
    seed: int,
    difficulty: Difficulty,
    pictures: int,
    size: tuple[int, int] = (1536, 864),
    throws: int = 1,
    kinds: Sequence[Kind] | None = None,
    quality: Quality = STILL_QUALITY,
) -> Iterator[Path]:
    """Writes pictures, the truth beside each, and adds them to the folder's `index.jsonl`.

    Yields:
        the pictures as they are written.

    Raises:
        ApplianceError: the folder cannot be written.
    """
    group = folder / "rendered" / "stills"
    try:
        group.mkdir(parents=True, exist_ok=True)
        for number, scene, rng in scenes(seed, difficulty, size, pictures, throws, kinds):
            name = f"{difficulty}_{seed:05d}_{number:05d}"
            dice = truth(scene)
            picture = render(scene, rng=rng, quality=quality)
            path = group / f"{name}.jpg"
            if not cv2.imwrite(str(path), picture, [cv2.IMWRITE_JPEG_QUALITY, 94]):
                raise ApplianceError(f"{path}: cannot be written; is there room on the disk?")
            record = truth_record(scene, dice, path.name, difficulty, seed)
            path.with_suffix(".json").write_text(json.dumps(record, indent=1), "utf-8")
            line = index_record(
                dice,
                str(path.relative_to(folder)),
                str(path.with_suffix(".json").relative_to(folder)),
                difficulty,
            )
            with (folder / "index.jsonl").open("a", encoding="utf-8") as index:
                index.write(json.dumps(line) + "\n")
            yield path
    except OSError as error:
        raise ApplianceError(f"{folder}: cannot be written: {error.strerror}") from error
