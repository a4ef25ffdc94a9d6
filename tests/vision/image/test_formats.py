"""Photographs are read in the formats in which people have them; bad ones are named and refused."""

import sys
from io import BytesIO
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from vision.errors import PictureError
from vision.frame import Image
from vision.image.files import decode_picture

COLOURS = np.zeros((48, 64, 3), np.uint8)
COLOURS[:24] = (200, 90, 30)
COLOURS[24:] = (20, 180, 240)
# An EXIF segment with nothing but the tag Orientation: "right-top", a quarter to be turned.
TURNED = (
    b"\xff\xe1\x00\x22Exif\0\0MM\x00*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0" + bytes(4)
)
HEIC = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + b"\0\0\0\x14ispe\0\0\0\0"
LOSSLESS = (cv2.IMWRITE_WEBP_QUALITY, 101)


def encoded(suffix: str, *how: int) -> bytes:
    good, data = cv2.imencode(suffix, COLOURS, how)
    assert good
    return data.tobytes()


@pytest.mark.parametrize(
    "data",
    [
        *(encoded(suffix) for suffix in (".bmp", ".webp", ".tiff", ".avif", ".png", ".jpg")),
        encoded(".webp", *LOSSLESS),
    ],
    ids=["bmp", "webp", "tiff", "avif", "png", "jpg", "webp lossless"],
)
def test_it_is_read(data: bytes) -> None:
    picture = decode_picture(data, "dice")
    assert picture.shape == COLOURS.shape
    assert np.abs(picture.astype(int) - COLOURS)[2:22].mean() < 6


@pytest.mark.parametrize("suffix", [".jp2", ".ppm", ".hdr", ".ras"])
def test_what_photographs_never_are_does_not_reach_its_decoder(
    suffix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = encoded(suffix)
    monkeypatch.setattr(cv2, "imdecode", None)
    with pytest.raises(PictureError, match="convert it to one of these"):
        decode_picture(data, "dice")


@pytest.mark.parametrize("suffix", [".bmp", ".webp", ".tiff", ".avif"])
def test_a_part_of_a_file_is_refused_by_its_name(suffix: str) -> None:
    data = encoded(suffix)
    for share in (0.02, 0.3, 0.6):
        with pytest.raises(PictureError, match=r"^dice: "):
            decode_picture(data[: max(12, int(len(data) * share))], "dice")


def test_a_huge_picture_is_refused_before_it_is_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.image.files.MAX_PICTURE_PIXELS", 64 * 48 - 1)
    monkeypatch.setattr(cv2, "imdecode", None)
    for suffix in (".bmp", ".webp", ".tiff", ".avif"):
        with pytest.raises(PictureError, match=r"^dice: 64x48 is more than"):
            decode_picture(encoded(suffix), "dice")


def heic() -> bytes:
    return HEIC + (64).to_bytes(4, "big") + (48).to_bytes(4, "big")


def test_a_phone_s_picture_without_its_plugin_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "pillow_heif", None)
    with pytest.raises(
        PictureError, match=r"^dice: this is a HEIC picture; pip install pillow-heif"
    ):
        decode_picture(heic(), "dice")


def test_a_phone_s_picture_is_read_by_its_plugin(monkeypatch: pytest.MonkeyPatch) -> None:
    def open_heif(file: BytesIO, *, bgr_mode: bool) -> Image:
        assert bgr_mode and file.read() == heic()
        return np.dstack((COLOURS, COLOURS[:, :, 0]))

    monkeypatch.setitem(sys.modules, "pillow_heif", SimpleNamespace(open_heif=open_heif))
    assert np.array_equal(decode_picture(heic(), "dice"), COLOURS)


def test_a_phones_photograph_is_turned_as_its_exif_data_say() -> None:
    lying = encoded(".jpg")
    assert decode_picture(lying, "dice").shape[:2] == (48, 64)
    assert decode_picture(lying[:2] + TURNED + lying[2:], "dice").shape[:2] == (64, 48)
