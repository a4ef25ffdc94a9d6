#!/usr/bin/env python3
"""Draws what each known camera sees of our tray in each published mode of its sensor.

    .venv/bin/python scripts/render_modes.py --out DIR [--height 370] [--only imx708 ...]

One picture and one line for each mode: its field of view, the markers in the picture, and, where
there are all four, how high the camera hangs by calibration, how far off places are and may be, and
what is read of six dice. `*` is the mode that the appliance takes, `-` the one that picamera2
takes by itself.
"""

import argparse
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from appliance.devices.camera.sensor_mode import modes_of, widest_mode
from appliance.simulator.render.pinhole import look_down
from appliance.simulator.render.renderer import render, with_metered_exposure
from appliance.simulator.render.scene import Scene
from appliance.simulator.scenes.installations import (
    INSTALLATION_QUALITY,
    Installation,
    marked_scene,
)
from appliance.simulator.scenes.random_setup import random_style
from calibration.build import build_calibration
from calibration.errors import RefusedError
from calibration.markers.aruco import find_markers, find_rim_markers
from calibration.markers.bundle import RimHeight
from calibration.markers.lens import KnownCamera, known_camera
from calibration.readers import CalibratedReader
from scripts.building import mounting, sizes
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
    """What calibration and reader make of a picture."""
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


def main() -> None:
    assert __doc__
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, required=True, help="folder for the pictures")
    parser.add_argument("--height", type=float, default=sizes.LENS_HEIGHT, help="of the lens, mm")
    parser.add_argument("--only", nargs="+", choices=PUBLISHED, default=list(PUBLISHED))
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    for sensor in options.only:
        array, listed = pixel_array(sensor), sensor_modes(sensor)
        model = model_of(sensor)
        camera = known_camera(Sight(model, array, part_of_shape(array, SIZE)))
        if camera is None:
            print(f"{model}: its lens is not known")
            continue
        for mode in listed:
            part = scaler_crop(mode, SIZE)
            image = render(
                seen_by(camera, part, options.height),
                rng=np.random.default_rng(1),
                quality=INSTALLATION_QUALITY,
            )
            wide, high = mode["size"]
            cv2.imwrite(str(options.out / f"{model}-{wide}x{high}.png"), image)
            across, down = camera.degrees_of(part)
            said = f"{marks_of(mode, listed)} {model} {wide}x{high} {mode['format']}: sees "
            said += f"{across:.0f} × {down:.0f} degrees, {len(find_markers(image))} markers; "
            print(said + measured(image, Sight(model, array, part), options.height), flush=True)


if __name__ == "__main__":
    main()
