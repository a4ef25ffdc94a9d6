#!/usr/bin/env python3
"""Renders the throws that run_owner.sh shows to the camera of its virtual machine.

    .venv/bin/python tests/lab/owner_frames.py FOLDER

Writes empty.npy and throw1.npy, throw2.npy ..., each (frames, 480, 640, 3), BGR, its last frame at
rest, and profile.json with what a calibration would have found: the machine is too slow to render.
"""

import argparse
from pathlib import Path

import numpy as np

from appliance.simulator.tray import SimulatedTray
from appliance.simulator.watched_tray import profile_of

SIZE = (640, 480)
FPS = 6
THROWS = ((3, 3, 3, 5, 6), (1, 2, 3, 4, 6), (2, 2, 5, 5, 5))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    tray = SimulatedTray(seed=8)
    profile_of(tray, SIZE).save(folder / "profile.json")
    np.save(folder / "empty.npy", np.stack([tray.frame(SIZE).image]))
    for number, faces in enumerate(THROWS, start=1):
        tray.throw(dict(enumerate(faces)))
        film = []
        while tray.busy:
            film.append(tray.frame(SIZE).image)
            tray.advance(1 / FPS)
        tray.advance(0.5)
        film.append(tray.frame(SIZE).image)
        np.save(folder / f"throw{number}.npy", np.stack(film))
        tray.clear()
        _wait(tray)


def _wait(tray: SimulatedTray) -> None:
    while tray.busy:
        tray.advance(1 / FPS)


if __name__ == "__main__":
    main()
