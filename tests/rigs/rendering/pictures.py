"""Pictures that tests render, kept between tests, workers and runs.

A picture's name is a hash of all that it depends on: the scene, how carefully it is drawn, the
state of the noise's generator, the source of all that draws, and the versions of NumPy and OpenCV.
So what has changed is drawn anew, and what is old is never asked for again and goes in time.
"""

import hashlib
import io
import os
import tempfile
import zlib
from contextlib import suppress
from functools import cache
from pathlib import Path

import cv2
import numpy as np

from simulator.render.renderer import render
from simulator.render.scene import STILL_QUALITY, Quality, Scene
from tests.paths import ROOT
from vision.frame import Image

FOLDER = ROOT / ".cache/pictures"
MAX_BYTES = 1_000_000_000
"""Those that were not used for longest go first, once a process that adds one begins."""
DRAWN_BY = ("simulator/render", "tests/rigs/rendering", "vision/geometry", "vision/image")
_CHECKSUM_BYTES = 4


def drawn(
    scene: Scene,
    rng: np.random.Generator | None = None,
    quality: Quality = STILL_QUALITY,
    folder: Path = FOLDER,
) -> Image:
    """The picture that `render` makes of a scene, drawn only if no test has asked for it before.

    Args:
        scene: what to draw.
        rng: draws the noise, by default always the same; where it stands afterwards is not defined.
        quality: how carefully it is drawn.
        folder: where pictures are kept.
    """
    chance = rng if rng is not None else np.random.default_rng(0)
    path = folder / name_of(scene, chance, quality)
    found = _kept(path)
    if found is None:
        found = render(scene, rng=chance, quality=quality)
        # A full or write-protected disk is no reason to fail.
        with suppress(OSError):
            _tidied(folder)
            _keep(path, found)
    return found


def name_of(scene: Scene, rng: np.random.Generator, quality: Quality) -> str:
    """The file name of a picture.

    Raises:
        ValueError: a part of the scene does not say in its `repr` what it is.
    """
    asked = repr((scene, quality, rng.bit_generator.state))
    if " at 0x" in asked or "..." in asked:
        raise ValueError(f"all parts of a scene must say what they are: {asked}")
    return hashlib.sha256(source_hash() + asked.encode()).hexdigest() + ".picture"


@cache
def source_hash() -> bytes:
    """A hash of the source of all that draws, and of the libraries' versions."""
    seen = hashlib.sha256(f"{np.__version__} {cv2.__version__}".encode())
    for room in DRAWN_BY:
        for path in sorted((ROOT / room).rglob("*.py")):
            seen.update(path.relative_to(ROOT).as_posix().encode() + path.read_bytes())
    return seen.digest()


def tidy(folder: Path, limit: int) -> None:
    """Deletes the pictures that were not used for longest, until the rest fits into the limit."""
    files = []
    for path in folder.iterdir():
        # Another worker may be tidying, too.
        with suppress(FileNotFoundError):
            stat = path.stat()
            files.append((stat.st_mtime, stat.st_size, path))
    total = sum(size for _, size, _ in files)
    for _, size, path in sorted(files):
        if total <= limit:
            break
        path.unlink(missing_ok=True)
        total -= size


@cache
def _tidied(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    tidy(folder, MAX_BYTES)


def _keep(path: Path, image: Image) -> None:
    """Writes a picture whole or not at all, as other workers may be reading it."""
    packed = io.BytesIO()
    np.save(packed, image, allow_pickle=False)
    data = packed.getvalue()
    checksum = zlib.crc32(data).to_bytes(_CHECKSUM_BYTES)
    handle, name = tempfile.mkstemp(dir=path.parent)
    part = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data + checksum)
        part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)
        raise


def _kept(path: Path) -> Image | None:
    """The picture in a file; None if there is none or it is damaged."""
    try:
        content = path.read_bytes()
        os.utime(path)
    except OSError:
        return None
    data, checksum = content[:-_CHECKSUM_BYTES], content[-_CHECKSUM_BYTES:]
    if zlib.crc32(data).to_bytes(_CHECKSUM_BYTES) != checksum:
        return None
    return np.asarray(np.load(io.BytesIO(data), allow_pickle=False), np.uint8)
