"""Photographs are read in the formats in which people have them; bad ones are named and refused."""

import struct
import sys
from io import BytesIO
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from tests.paths import ROOT
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
TURNED_AVIFS = ROOT / "tests/data/turned"
HEIC = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + b"\0\0\0\x14ispe\0\0\0\0"
LOSSLESS = (cv2.IMWRITE_WEBP_QUALITY, 101)


# The packages of OpenCV 4.11 have no AVIF.
AVIF = (".avif",) if cv2.haveImageWriter(".avif") else ()
WRITTEN = (".bmp", ".webp", ".tiff", *AVIF)


def encoded(suffix: str, *how: int) -> bytes:
    good, data = cv2.imencode(suffix, COLOURS, how)
    assert good
    return data.tobytes()


READ = [*((suffix, ()) for suffix in (*WRITTEN, ".png", ".jpg")), (".webp", LOSSLESS)]


@pytest.mark.parametrize(("suffix", "how"), READ)
def test_it_is_read(suffix: str, how: tuple[int, ...]) -> None:
    picture = decode_picture(encoded(suffix, *how), "dice")
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


@pytest.mark.parametrize("suffix", WRITTEN)
def test_a_part_of_a_file_is_refused_by_its_name(suffix: str) -> None:
    data = encoded(suffix)
    for share in (0.02, 0.3, 0.6):
        with pytest.raises(PictureError, match=r"^dice: "):
            decode_picture(data[: max(12, int(len(data) * share))], "dice")


def test_a_huge_picture_is_refused_before_it_is_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.image.files.MAX_PICTURE_PIXELS", 64 * 48 - 1)
    monkeypatch.setattr(cv2, "imdecode", None)
    for suffix in WRITTEN:
        with pytest.raises(PictureError, match=r"^dice: 64x48 is more than"):
            decode_picture(encoded(suffix), "dice")


def heic() -> bytes:
    return HEIC + (64).to_bytes(4, "big") + (48).to_bytes(4, "big")


def test_a_phone_s_picture_without_its_plugin_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "pillow_heif", None)
    with pytest.raises(
        PictureError, match=r"^dice: this is a HEIC picture; to read it, add pillow-heif"
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


@pytest.mark.parametrize("orientation", range(1, 9))
def test_an_avif_is_turned_as_its_boxes_say(orientation: int) -> None:
    if not AVIF:
        pytest.skip("this OpenCV has no AVIF")
    picture = decode_picture((TURNED_AVIFS / f"{orientation}.avif").read_bytes(), "dice")
    upright = np.full((48, 64, 3), (0, 0, 255), np.uint8)
    upright[:24, :32], upright[:24, 32:] = (255, 255, 255), (255, 0, 0)
    expected = upright[:, ::-1] if orientation in (2, 4, 5, 7) else upright
    expected = np.rot90(expected, {3: 2, 4: 2, 5: 1, 8: 1, 6: 3, 7: 3}.get(orientation, 0))
    assert picture.shape == expected.shape
    # Chroma is stored at half the size.
    assert np.median(np.abs(picture.astype(int) - expected)) <= 2
    assert np.abs(picture.astype(int) - expected).mean() < 8


def test_floating_point_pixels_are_not_called_damage() -> None:
    tags = ((256, 4, 1, 64), (257, 4, 1, 48), (339, 3, 1, 3))
    directory = b"".join(struct.pack("<HHII", *tag) for tag in tags)
    data = b"II*\0" + struct.pack("<IH", 8, len(tags)) + directory + bytes(4)
    with pytest.raises(PictureError, match="floating-point numbers; save it with 8 or 16 bits"):
        decode_picture(data, "dice")


@pytest.mark.parametrize("order", ["<", ">"])
def test_a_raw_photograph_is_said_to_be_one(order: str) -> None:
    tags = ((256, 4, 1, 256), (257, 4, 1, 171), (50706, 1, 4, 0x01040000))
    directory = b"".join(struct.pack(f"{order}HHII", *tag) for tag in tags)
    head = (b"II*\0" if order == "<" else b"MM\0*") + struct.pack(f"{order}IH", 8, len(tags))
    with pytest.raises(PictureError, match=r"raw photograph \(DNG\).* export it as JPEG"):
        decode_picture(head + directory + bytes(4), "dice")


def test_directories_without_end_are_refused() -> None:
    tags = ((256, 4, 1, 64), (257, 4, 1, 48))
    directory = b"".join(struct.pack("<HHII", *tag) for tag in tags)
    data = b"II*\0" + struct.pack("<IH", 8, len(tags)) + directory + struct.pack("<I", 8)
    with pytest.raises(PictureError, match="more than 1000 pictures"):
        decode_picture(data, "dice")
