"""The films of the documents: short, small, and each shown where it belongs."""

import struct
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.docs.reading import links
from tests.paths import ROOT

PICTURES = ROOT / "docs" / "pictures"
SHOWN = {
    "turn": ROOT / "README.md",
    "finger": ROOT / "docs" / "browser.md",
    "holdem": ROOT / "docs" / "rules" / "holdem.md",
    "calibration": ROOT / "docs" / "calibrating.md",
    "first-minute": ROOT / "docs" / "calibrating.md",
}


class Header(NamedTuple):
    """The header of an animated WebP."""

    width: int
    height: int
    seconds: float
    frames: int


def is_film(data: bytes) -> bool:
    """True if a WebP is animated: others are pictures."""
    return data[12:16] == b"VP8X" and bool(data[20] & 2)


def header(data: bytes) -> Header:
    """Reads the chunks of an animated WebP without decoding its pictures."""
    assert (data[:4], data[8:16]) == (b"RIFF", b"WEBPVP8X")
    width, height = (1 + int.from_bytes(data[at : at + 3], "little") for at in (24, 27))
    at, millis, frames = 12, 0, 0
    while at < len(data):
        name, size = struct.unpack_from("<4sI", data, at)
        if name == b"ANMF":
            frames += 1
            millis += int.from_bytes(data[at + 20 : at + 23], "little")
        at += 8 + size + size % 2
    return Header(width, height, millis / 1000, frames)


def test_every_film_is_shown_somewhere() -> None:
    films = {path.stem for path in PICTURES.glob("*.webp") if is_film(path.read_bytes())}
    assert set(SHOWN) == films


@pytest.mark.parametrize("name", SHOWN)
def test_a_film_is_short_small_and_shown(name: str) -> None:
    path = PICTURES / f"{name}.webp"
    data = path.read_bytes()
    film = header(data)
    assert len(data) < 3_000_000
    assert 640 <= film.width <= 720
    assert 500 <= film.height <= 800
    assert 10 <= film.seconds <= 25
    # It moves, and no faster than 12 pictures a second.
    assert 3 <= film.frames / film.seconds <= 12
    page = SHOWN[name]
    assert path in {(page.parent / Path(link)).resolve() for link in links(page)}
