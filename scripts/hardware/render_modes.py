#!/usr/bin/env python3
"""Draws what each known camera sees of our tray in each published mode of its sensor.

    .venv/bin/python scripts/hardware/render_modes.py --out DIR [--height 370] [--only imx708 ...]
    .venv/bin/python scripts/hardware/render_modes.py --sheet docs/pictures/sensor-modes.webp

One picture and one line for each mode: its field of view, the markers in the picture, and, where
there are all four, how high the camera hangs by calibration, how far off places are and may be, and
what is read of six dice. `*` is the mode that the appliance takes, `-` the one that picamera2
takes by itself. The sheet has a small picture of each, a row for each camera; sensors' modes that
differ only in their bits look the same, and have one.
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from appliance.devices.camera.sensor_mode import modes_of, widest_mode
from calibration.build import build_calibration
from calibration.errors import RefusedError
from calibration.markers.aruco import find_markers
from calibration.markers.bundle import RimHeight
from calibration.markers.lens import KnownCamera, known_camera
from calibration.markers.rim import find_rim_markers
from calibration.readers import CalibratedReader
from scripts.hardware.building import mounting, sizes
from simulator.render.pinhole import look_down
from simulator.render.renderer import render, with_metered_exposure
from simulator.render.scene import Scene
from simulator.scenes.installations import (
    INSTALLATION_QUALITY,
    Installation,
    marked_scene,
)
from simulator.scenes.random_setup import random_style
from tests.rigs.sensor_modes import (
    PUBLISHED,
    chosen,
    model_of,
    pixel_array,
    scaler_crop,
    sensor_modes,
)
from vision.frame import Image
from vision.geometry.sight import Part, Sight, part_of_shape
from vision.reading import Face, Kind

SIZE = mounting.SIZE
FPS = 30.0
FACES = (6, 5, 4, 3, 1, 2)
"""Of five black dice and a red one."""


TILE = (400, 225)
"""Width and height of a picture in the sheet, in pixels."""

CAPTION_PX = 40
GAP_PX = 10


def seen_by(camera: KnownCamera, part: Part, height: float) -> Scene:
    """Our tray with dice, below a camera whose pictures show this part of its sensor."""
    lens = camera.lens(SIZE, part, height)
    looking = look_down(size=SIZE, height=height)
    (fx, _, cx), (_, fy, cy) = lens.matrix[:2].tolist()
    scene = replace(marked_scene(), camera=replace(looking, focal=(fx, fy), centre=(cx, cy)))
    rng = np.random.default_rng(5)
    styles = random_style(rng, "easy", tuple(Kind))
    dice: list[tuple[Kind, Face | None]] = [(Kind.BLACK, face) for face in FACES[:-1]]
    dice.append((Kind.RED, FACES[-1]))
    laid = Installation(scene, styles).laid(rng, dice, apart=6.0)
    return with_metered_exposure(laid, 0.16)


def measured(image: Image, sight: Sight, height: float) -> str:
    """The result of calibration and reader on a picture."""
    try:
        markers = find_rim_markers(image)
        rim = RimHeight(sizes.RIM, 0.3)
        made = build_calibration([markers], SIZE, rim=rim, sight=sight)
    except RefusedError as error:
        return f"refused: {error.problem}"
    profile = made.profile
    found = CalibratedReader(made).read(image)
    read = sorted(die.value for die in found.dice if die.sure and isinstance(die.value, int))
    level = float(abs(profile.pinhole.position[2]))
    said = f"height {level:.0f} of {height:g}, places within {made.off_mm:.2f} mm"
    right = "right" if read == sorted(FACES) else str(read)
    return f"{said}, {len(read)} of {len(FACES)} dice sure, {right}"


def marks_of(mode: Mapping[str, Any], listed: list[dict[str, Any]]) -> str:
    """Who takes a mode."""
    ours = widest_mode(modes_of(listed), SIZE, FPS)
    is_ours = (mode["size"], mode["bit_depth"]) == (ours.size, ours.bits)
    theirs = chosen(listed, {"main": {"size": SIZE}})
    return ("*" if is_ours else " ") + ("-" if mode is theirs else " ")


def tile(image: Image, title: str, text: str, taken: bool) -> Image:
    """A small picture above two lines about it; with a frame if it is of the mode that we take."""
    small = cv2.resize(image, TILE, interpolation=cv2.INTER_AREA)
    out = np.full((TILE[1] + CAPTION_PX, TILE[0], 3), 255, np.uint8)
    out[: TILE[1]] = small
    if taken:
        cv2.rectangle(out, (2, 2), (TILE[0] - 3, TILE[1] - 3), (60, 180, 60), 4)
    for line, (words, pen) in enumerate(((title, (0, 0, 0)), (text, (90, 90, 90)))):
        at = (2, TILE[1] + 15 + 17 * line)
        cv2.putText(out, words, at, cv2.FONT_HERSHEY_SIMPLEX, 0.45, pen, 1, cv2.LINE_AA)
    return out


def sheet(rows: Sequence[Sequence[Image]]) -> Image:
    """All tiles, a row for each camera."""
    columns = max(map(len, rows))
    high, wide = TILE[1] + CAPTION_PX + GAP_PX, TILE[0] + GAP_PX
    out = np.full((high * len(rows), wide * columns - GAP_PX, 3), 255, np.uint8)
    for row, tiles in enumerate(rows):
        for column, small in enumerate(tiles):
            top, left = row * high, column * wide
            out[top : top + high - GAP_PX, left : left + TILE[0]] = small
    return out


def main() -> None:
    assert __doc__
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, help="folder for the pictures")
    parser.add_argument("--sheet", type=Path, help="one picture with small ones of all modes")
    parser.add_argument("--height", type=float, default=sizes.LENS_HEIGHT, help="of the lens, mm")
    parser.add_argument("--only", nargs="+", choices=PUBLISHED, default=list(PUBLISHED))
    options = parser.parse_args()
    if options.out is None and options.sheet is None:
        parser.error("expected --out or --sheet")
    if options.out is not None:
        options.out.mkdir(parents=True, exist_ok=True)
    rows: list[list[Image]] = []
    for sensor in options.only:
        array, listed = pixel_array(sensor), sensor_modes(sensor)
        model = model_of(sensor)
        camera = known_camera(Sight(model, array, part_of_shape(array, SIZE)))
        if camera is None:
            print(f"{model}: its lens is not known")
            continue
        tiles: dict[tuple[int, int], Image] = {}
        for mode in listed:
            part = scaler_crop(mode, SIZE)
            image = render(
                seen_by(camera, part, options.height),
                rng=np.random.default_rng(1),
                quality=INSTALLATION_QUALITY,
            )
            wide, high = mode["size"]
            if options.out is not None:
                cv2.imwrite(str(options.out / f"{model}-{wide}x{high}.png"), image)
            across, down = camera.degrees_of(part)
            marks, markers = marks_of(mode, listed), len(find_markers(image))
            who = {"*": "ours", "-": "picamera2's own"}.get(marks.strip(), "")
            sees = f"{across:.0f} x {down:.0f} degrees, {markers} markers"
            title = f"{model} {wide} x {high}" + (f": {who}" if who else "")
            tiles.setdefault((wide, high), tile(image, title, sees, "*" in marks))
            said = f"{marks} {model} {wide}x{high} {mode['format']}: sees "
            said += f"{across:.0f} × {down:.0f} degrees, {markers} markers; "
            print(said + measured(image, Sight(model, array, part), options.height), flush=True)
        rows.append(list(tiles.values()))
    if options.sheet is not None:
        # A third of a PNG's size, and no browser lacks it.
        cv2.imwrite(str(options.sheet), sheet(rows), [cv2.IMWRITE_WEBP_QUALITY, 70])


if __name__ == "__main__":
    main()
