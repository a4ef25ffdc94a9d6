"""Pictures in files: what is whole is read, and every way to be bad is told apart."""

import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.errors import PictureError
from vision.image.files import Pictures, decode_picture, load_picture


def encoded(suffix: str, width: int = 64, height: int = 48) -> bytes:
    rng = np.random.default_rng(3)
    image = rng.integers(0, 256, (height, width, 3), dtype=np.uint8)
    return bytes(cv2.imencode(suffix, image)[1].tobytes())


@pytest.mark.parametrize("suffix", [".jpg", ".png"])
def test_a_whole_picture_is_read_with_its_size(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a{suffix}"
    path.write_bytes(encoded(suffix))
    assert load_picture(path).shape == (48, 64, 3)


def test_png_is_read_exactly(tmp_path: Path) -> None:
    image = np.random.default_rng(4).integers(0, 256, (20, 30, 3), dtype=np.uint8)
    data = bytes(cv2.imencode(".png", image)[1].tobytes())
    np.testing.assert_array_equal(decode_picture(data, "x"), image)


@pytest.mark.parametrize("suffix", [".jpg", ".png"])
@pytest.mark.parametrize("share", [0.02, 0.3, 0.6, 0.9, 0.99])
def test_a_truncated_picture_is_refused(suffix: str, share: float) -> None:
    data = encoded(suffix)
    with pytest.raises(PictureError, match=r"truncated|not a JPEG"):
        decode_picture(data[: int(len(data) * share)], "x")


@pytest.mark.parametrize("how", [(), (cv2.IMWRITE_JPEG_RST_INTERVAL, 4)], ids=["plain", "restarts"])
def test_a_jpeg_that_lacks_only_its_end_mark_is_read(how: tuple[int, ...]) -> None:
    image = np.random.default_rng(3).integers(0, 256, (48, 64, 3), dtype=np.uint8)
    data = bytes(cv2.imencode(".jpg", image, how)[1].tobytes())
    np.testing.assert_array_equal(decode_picture(data[:-2], "x"), decode_picture(data, "x"))
    for missing in range(4, 60):
        with pytest.raises(PictureError, match="truncated"):
            decode_picture(data[:-missing], "x")


def test_a_progressive_jpeg_without_its_end_mark_is_refused() -> None:
    image = np.random.default_rng(3).integers(0, 256, (48, 64, 3), dtype=np.uint8)
    data = bytes(cv2.imencode(".jpg", image, (cv2.IMWRITE_JPEG_PROGRESSIVE, 1))[1].tobytes())
    with pytest.raises(PictureError, match="truncated"):
        decode_picture(data[:-2], "x")


def test_a_jpeg_of_very_many_scans_is_refused_before_it_is_decoded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data = encoded(".jpg")
    scan = data[data.rindex(b"\xff\xda") : -2]
    monkeypatch.setattr(cv2, "imdecode", None)
    with pytest.raises(PictureError, match="has 102 scans, expected at most 100; save it anew"):
        decode_picture(data[:-2] + scan * 101 + data[-2:], "x")


def test_a_jpeg_with_bytes_behind_its_end_is_read() -> None:
    assert decode_picture(encoded(".jpg") + b"\0" * 40, "x").shape == (48, 64, 3)


def test_a_jpeg_with_a_whole_thumbnail_but_cut_scan_is_refused() -> None:
    thumb = encoded(".jpg", 16, 16)
    app1 = b"\xff\xe1" + struct.pack(">H", len(thumb) + 2) + thumb
    whole = encoded(".jpg")
    data = whole[:2] + app1 + whole[2:]
    assert decode_picture(data, "x").shape == (48, 64, 3)
    with pytest.raises(PictureError, match="truncated"):
        decode_picture(data[:-200], "x")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "empty"),
        (b"hello, this is text", "not a JPEG, PNG, WebP"),
        (b"GIF89a" + bytes(100), "not a JPEG, PNG, WebP"),
        (b"\xff\xd8\xff", "truncated"),
        (b"\xff\xd8\xff\xd9" + bytes(30), "no frame header"),
        (b"\x89PNG\r\n\x1a\n", "truncated"),
    ],
)
def test_bytes_that_are_no_picture_are_refused(data: bytes, message: str) -> None:
    with pytest.raises(PictureError, match=message):
        decode_picture(data, "x.jpg")


def huge_png(width: int, height: int) -> bytes:
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    out = b"\x89PNG\r\n\x1a\n"
    for kind, body in ((b"IHDR", header), (b"IDAT", zlib.compress(b"\0" * 99)), (b"IEND", b"")):
        out += struct.pack(">I", len(body)) + kind + body
        out += struct.pack(">I", zlib.crc32(kind + body))
    return out


def test_a_huge_picture_is_refused_before_it_is_decoded() -> None:
    with pytest.raises(PictureError, match="million pixels"):
        decode_picture(huge_png(60_000, 60_000), "x")


def test_a_tiny_picture_is_refused() -> None:
    with pytest.raises(PictureError, match="too small"):
        decode_picture(encoded(".png", 64, 8), "x")


def test_a_damaged_png_is_refused() -> None:
    with pytest.raises(PictureError, match="damaged"):
        decode_picture(huge_png(100, 100).replace(b"IDAT", b"XDAT"), "x")


def test_missing_files_and_folders_are_refused(tmp_path: Path) -> None:
    with pytest.raises(PictureError, match="no such file"):
        load_picture(tmp_path / "a.jpg")
    with pytest.raises(PictureError, match="folder"):
        load_picture(tmp_path)


@pytest.mark.parametrize("suffix", [".tiff", ".webp", ".png", ".avif"])
def test_each_picture_of_a_file_is_read(tmp_path: Path, suffix: str) -> None:
    if not cv2.haveImageWriter(suffix):
        pytest.skip("this OpenCV has no AVIF")
    path = tmp_path / f"a{suffix}"
    shades = [np.full((48, 64, 3), shade, np.uint8) for shade in (10, 120, 240)]
    path.write_bytes(cv2.imencodemulti(suffix, shades)[1].tobytes())
    assert Pictures(path).count == 3
    means = [load_picture(path, index).mean() for index in range(3)]
    assert means == pytest.approx([10, 120, 240], abs=2)
    with pytest.raises(PictureError, match="only 3 pictures, picture 3"):
        load_picture(path, 3)


def test_many_pictures_that_are_huge_together_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.tiff"
    shades = [np.full((48, 64, 3), shade, np.uint8) for shade in (10, 120)]
    path.write_bytes(cv2.imencodemulti(".tiff", shades)[1].tobytes())
    monkeypatch.setattr("vision.image.files.MAX_PICTURE_PIXELS", 64 * 48 * 2 - 1)
    assert load_picture(path).mean() == 10
    with pytest.raises(PictureError, match=r"2 pictures of 64x48 .* split it"):
        load_picture(path, 1)
