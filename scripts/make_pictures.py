#!/usr/bin/env python3
"""Makes the pictures in the documents from the product itself, so that they never go stale.

Run it with the checkout's own Python: `.venv/bin/python scripts/make_pictures.py`.
"""

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from appliance.inputs import Button, Pressed
from appliance.screens.draw import pages
from appliance.service.event_text import face_text
from appliance.service.view import DieView, SeenSheet, View, die_picture
from appliance.simulator.appliance import FULL_SIZE_PX
from appliance.table.session.prompting import prompt
from appliance.table.session.session import Session, Setup, new_session
from appliance.table.session.step import step
from appliance.terminal.screen import screen_lines
from appliance.terminal.style import Style
from scripts.training.close_views import CLOSE
from simulator.motion.perfect_profile import learn_profile
from simulator.motion.simulated_tray import SimulatedTray
from simulator.motion.watched_tray import geometry_of_tray
from simulator.render.renderer import STILL_QUALITY, render
from simulator.render.scene import camera_parameters, with_exposure_share
from simulator.scenes.random_setup import Difficulty
from tests.rigs.rendering.dataset import scene_of
from tests.rigs.rendering.glare import GLOSSY, glaring_scene
from tests.rigs.rendering.led_photo import photograph
from vision.classify.face import Pyramid
from vision.detect.region import calibrated_view
from vision.detect.tops import find_tops
from vision.events import Roll, TrackedDie, TrackId, TrayChanged
from vision.exposures import DARKER_EXPOSURE_SHARE
from vision.frame import Image
from vision.geometry.profile import Profile
from vision.image.annotate import annotate
from vision.reader import Reader
from vision.reading import Kind, TrayReading, TrayState

PICTURES = Path(__file__).parent.parent / "docs" / "pictures"
SEED = 7
FACES = {0: 3, 1: 3, 2: 5, 3: 3, 4: 5}
MIRRORS: tuple[int, Difficulty, int] = (60046, "easy", 3)
"""Seed, difficulty and number of a rendered tray whose dice reflect a lamp."""
HANDLED: tuple[int, Difficulty, int] = (900048, "hard", 9)
"""A scene in which a hand covers a die and another die leans on it."""
GLOSSY_SET = (Kind.BLACK,) * 5 + (Kind.RED,)
GLOSSY_FACES = (6, 5, 3, 4, 2, 4)
WINDOW = (100, 30)
"""Columns and rows of the terminal."""
CHARACTER_SIZE_PX = (8, 16)
PLAIN: tuple[tuple[int, ...], tuple[int, ...]] = ((220, 220, 220), (16, 16, 16))
"""BGR of letters and of the background."""
_UPPER = slice(None, CHARACTER_SIZE_PX[1] // 2)
_LOWER = slice(CHARACTER_SIZE_PX[1] // 2, None)
HALVES = {"▀": [_UPPER], "▄": [_LOWER], "█": [_UPPER, _LOWER], " ": []}
FRAME = str.maketrans("─│┌┐└┘", "-|++++")


def throw() -> tuple[Image, TrayReading]:
    """A throw in the simulated tray and how vision reads it."""
    tray = SimulatedTray(SEED)
    tray.throw(FACES)
    while tray.busy:
        tray.advance(0.1)
    image = render(tray.scene(FULL_SIZE_PX), None, np.random.default_rng(SEED), STILL_QUALITY)
    return image, Reader(geometry_of_tray(tray)).read(image)


def rendered(seed: int, level: Difficulty, number: int) -> tuple[Image, Profile]:
    """A rendered tray, and the camera that sees it."""
    scene, rng = scene_of(seed, level, (1536, 864), number)
    return render(scene, rng=rng, quality=CLOSE), camera_parameters(scene)


def in_doubt() -> Image:
    """The picture of what is read and what is asked about when a hand reaches into the tray."""
    image, profile = rendered(*HANDLED)
    read = annotate(image, Reader(profile).read(image))
    return np.asarray(cv2.resize(read, (1024, 576), interpolation=cv2.INTER_AREA), np.uint8)


def heated() -> Image:
    """Where the heat map sees tops, the hotter the brighter, and the reading."""
    image, profile = rendered(*MIRRORS)
    view = calibrated_view(profile)
    tops = find_tops(Pyramid(view.work(image)), profile.usual_edge() * view.scale)
    marked = np.asarray(image * 0.5, np.uint8)
    for place, edge, heat in zip(
        view.to_picture(tops.centers), tops.edges / view.scale, tops.heats, strict=True
    ):
        at = (round(float(place[0])), round(float(place[1])))
        cv2.circle(marked, at, round(float(edge) * 0.4), (0, 255 * float(heat), 255), -1)
    read = annotate(image, Reader(profile).read(image))
    left, top, right, bottom = profile.region(0.0)
    return np.hstack([picture[top:bottom, left:right] for picture in (marked, read)])


def outshone() -> Image:
    """Glossy dice under a lamp: at the usual exposure, at an eighth of it, and what is read."""
    tray = SimulatedTray(23, dict(enumerate(GLOSSY_SET)), glaring_scene(), GLOSSY)
    tray.throw(dict(enumerate(GLOSSY_FACES)))
    while tray.busy:
        tray.advance(0.1)
    scene = tray.scene(FULL_SIZE_PX)
    lit, dark = (
        render(with_exposure_share(scene, share), None, np.random.default_rng(SEED), STILL_QUALITY)
        for share in (1.0, DARKER_EXPOSURE_SHARE)
    )
    profile = learn_profile(tray, FULL_SIZE_PX)
    read = annotate(dark, Reader(profile).read(lit, [dark]))
    left, top, right, bottom = profile.region(0.0)
    return np.hstack([picture[top:bottom, left:right] for picture in (lit, dark, read)])


def played(reading: TrayReading) -> list[tuple[str, Session]]:
    """The steps of a session with this throw."""
    dice = tuple(TrackedDie(TrackId(number), die, True) for number, die in enumerate(reading.dice))
    session = new_session(Setup("classic", ("ANNA", "BOB"), (("first", 0),)))
    steps = [("waiting for a throw", session)]
    session = step(session, Roll(0, 0.0, dice, 0))
    session = step(session, TrayChanged(0, 0.0, TrayState.STILL))
    session = step(step(session, Pressed(Button.HOLD1)), Pressed(Button.HOLD2))
    steps.append(("the throw, dice 1 and 2 held", session))
    session = step(session, Pressed(Button.OK))
    steps.append(("the best box", session))
    session = step(session, Pressed(Button.OK))
    steps.append(("scored", session))
    return steps


def terminal(image: Image, reading: TrayReading, session: Session) -> Image:
    """That throw as a terminal of 100 x 30 shows it."""
    left, top, right, bottom = geometry_of_tray(SimulatedTray(SEED)).region(6.0)
    low, size = (left, top), (right - left, bottom - top)
    dice = tuple(
        DieView(
            slot + 1,
            face_text(die),
            die.sure,
            slot in session.record.holds,
            die_picture(image, die),
            (np.array(die.outline) - low) / size,
        )
        for slot, die in enumerate(reading.dice)
    )
    asked = prompt(session)
    sheets = (SeenSheet("ANNA", 0, (), True), SeenSheet("BOB", 0, (), False))
    tray = image[top:bottom, left:right]
    view = View(pages(asked)[0], tray, dice, asked.can_do(), sheets)
    return cells(screen_lines(view, *WINDOW, Style()))


def cells(lines: Sequence[str]) -> Image:
    """Lines of a terminal as a picture: colours, half blocks, letters."""
    wide, high = CHARACTER_SIZE_PX
    out = np.full((len(lines) * high, WINDOW[0] * wide, 3), 16, np.uint8)
    for row, line in enumerate(lines):
        column, pens = 0, PLAIN
        for escape, letter in re.findall(r"\x1b\[([\d;]*)m|(.)", line):
            if not letter:
                parts = [int(part) for part in escape.split(";")]
                pen = tuple(parts[4:1:-1]) if parts[0] == 38 else PLAIN[0]
                paper = tuple(parts[9:6:-1]) if len(parts) > 5 else PLAIN[1]
                pens = (paper, pen) if parts == [7] else (pen, paper)
                continue
            cell = out[row * high : (row + 1) * high, column * wide : (column + 1) * wide]
            cell[:] = pens[1]
            if letter in HALVES:
                for half in HALVES[letter]:
                    cell[half] = pens[0]
            else:
                at = (column * wide, (row + 1) * high - 4)
                plain = letter.translate(FRAME)
                font = cv2.FONT_HERSHEY_SIMPLEX
                cv2.putText(out, plain, at, font, 0.38, pens[0], 1, cv2.LINE_AA)
            column += 1
    return out


def main() -> None:
    """Writes all pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=PICTURES, help="folder to write to")
    out: Path = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    image, reading = throw()
    cv2.imwrite(str(out / "tray.jpg"), annotate(image, reading), [cv2.IMWRITE_JPEG_QUALITY, 88])
    cv2.imwrite(str(out / "heat.jpg"), heated(), [cv2.IMWRITE_JPEG_QUALITY, 85])
    cv2.imwrite(str(out / "glare.jpg"), outshone(), [cv2.IMWRITE_JPEG_QUALITY, 85])
    cv2.imwrite(str(out / "doubts.jpg"), in_doubt(), [cv2.IMWRITE_JPEG_QUALITY, 85])
    held = dict(played(reading))["the throw, dice 1 and 2 held"]
    cv2.imwrite(str(out / "terminal.png"), terminal(image, reading, held))
    boards = [photograph(pages(prompt(session))[0], 8) for _, session in played(reading)]
    gap = np.full((10, boards[0].shape[1], 3), 255, np.uint8)
    rows: list[Image] = []
    for board in boards:
        rows += [board, gap]
    cv2.imwrite(str(out / "board.png"), np.vstack(rows[:-1]))


if __name__ == "__main__":
    main()
