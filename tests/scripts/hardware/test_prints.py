import re
import subprocess
import sys
import zlib
from pathlib import Path
from xml.etree import ElementTree

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.errors import RefusedError
from calibration.markers.aruco import find_markers
from calibration.markers.charuco import find_charuco
from calibration.markers.printed import (
    BOARD_IDS,
    BOARD_MARGIN_MM,
    BOARD_SQUARE_MM,
    MARKER_IDS,
    MARKER_MM,
    PLATE_MM,
    aruco_dictionary,
    charuco_board,
    printed_board,
    printed_plate,
    rasterize,
)
from scripts.hardware.prints.paper import Page, Words, pdf, rectangle, svg
from scripts.hardware.prints.sheets import PAGES, PAPERS, RULER_MM
from scripts.hardware.prints.stickers import art, picture
from tests.paths import ROOT
from vision.reading import POWER_FACES

SVG = "{http://www.w3.org/2000/svg}"


def test_the_board_is_the_one_that_opencv_looks_for() -> None:
    drawn = rasterize(printed_board(), 10)
    edge = round(BOARD_MARGIN_MM * 10)
    expected = charuco_board().generateImage((1800, 1000), marginSize=0)
    assert np.array_equal(drawn[edge:-edge, edge:-edge], expected)


def test_markers_and_board_share_no_code() -> None:
    assert not set(MARKER_IDS) & set(BOARD_IDS)
    bits = []
    for code in (*MARKER_IDS, *BOARD_IDS):
        cells = cv2.aruco.generateImageMarker(aruco_dictionary(), code, 6)[1:-1, 1:-1] > 0
        bits.append([np.rot90(cells, k) for k in range(4)])
    for a in range(4):
        for b in range(a + 1, len(bits)):
            apart = min(int((bits[a][0] != turned).sum()) for turned in bits[b])
            assert apart >= (6 if b < 4 else 4)


def render_svg(text: str, per_mm: int) -> NDArray[np.uint8]:
    """Draws the polygons of a page; the words are left out."""
    root = ElementTree.fromstring(text)
    width, height = (float(v) for v in root.attrib["viewBox"].split()[2:])
    page = np.full((round(height * per_mm), round(width * per_mm)), 255, np.uint8)
    for polygon in root.iter(f"{SVG}polygon"):
        points = np.array([p.split(",") for p in polygon.attrib["points"].split()], float)
        shown = np.rint(points * per_mm * 16).astype(np.int32)
        if polygon.attrib["fill"] == "none":
            cv2.polylines(page, [shown], True, 0, 1, cv2.LINE_8, 4)
        else:
            level = 0 if polygon.attrib["fill"] == "#000" else 191
            cv2.fillPoly(page, [shown - 8], level, cv2.LINE_8, 4)
    return page


@pytest.mark.parametrize("paper", sorted(PAPERS))
def test_svg_has_its_size_in_millimetres(paper: str) -> None:
    for name, make in PAGES.items():
        page = make(PAPERS[paper])
        root = ElementTree.fromstring(svg(page, name))
        width, height = page.size
        assert sorted(page.size) == sorted(PAPERS[paper])
        assert root.attrib["width"] == f"{width:g}mm" and root.attrib["height"] == f"{height:g}mm"
        assert [float(v) for v in root.attrib["viewBox"].split()] == [0, 0, width, height]
        for shape in page.shapes:
            for x, y in shape.points:
                assert 5 <= x <= width - 5 and 5 <= y <= height - 5, "printers leave a margin"


@pytest.mark.parametrize("paper", sorted(PAPERS))
def test_printed_markers_are_found_at_true_size(paper: str) -> None:
    per_mm = 8
    seen = render_svg(svg(PAGES["markers"](PAPERS[paper]), ""), per_mm)
    found = find_markers(seen)
    assert sorted(found) == [0, 1, 2, 3]
    for marker in found.values():
        assert marker.side / per_mm == pytest.approx(MARKER_MM, abs=0.02)
    middles = {k: m.corners.mean(axis=0) for k, m in found.items()}
    assert middles[0][0] < middles[1][0] and middles[3][0] < middles[2][0]
    assert middles[0][1] < middles[3][1] and middles[1][1] < middles[2][1]


def test_printed_board_is_found_at_true_size() -> None:
    per_mm = 8
    seen = find_charuco(render_svg(svg(PAGES["board"](PAPERS["a4"]), ""), per_mm))
    assert len(seen.places) == 32
    scale = np.linalg.norm(seen.pixels[-1] - seen.pixels[0]) / np.linalg.norm(
        seen.places[-1] - seen.places[0]
    )
    assert scale / per_mm == pytest.approx(1.0, abs=0.001)
    with pytest.raises(RefusedError, match="NO BOARD SEEN"):
        find_charuco(np.full((400, 400), 255, np.uint8))


def test_ruler_is_a_hundred_millimetres() -> None:
    for make in PAGES.values():
        page = make(PAPERS["a4"])
        ticks = [s for s in page.shapes if len(s.points) == 4]
        wide = [s for s in ticks if abs(s.points[1][0] - s.points[0][0] - RULER_MM) < 1e-9]
        assert len(wide) == 1
        start = wide[0].points[0][0]
        thin = {
            round((s.points[0][0] + s.points[1][0]) / 2 - start, 6)
            for s in ticks
            if abs(s.points[1][0] - s.points[0][0] - 0.1) < 1e-9
        }
        assert thin == {float(mm) for mm in range(101)}


def pdf_parts(data: bytes) -> tuple[list[tuple[float, float]], list[bytes]]:
    """Sizes of the pages in points, and what they draw; checks the cross-reference table."""
    assert data.startswith(b"%PDF-1.4") and data.rstrip().endswith(b"%%EOF")
    start = int(data.rsplit(b"startxref\n", 1)[1].split()[0])
    table = data[start:].split(b"trailer")[0].splitlines()
    assert table[0] == b"xref"
    for number, line in enumerate(table[3:], 1):
        assert len(line) == 19
        assert data[int(line[:10]) :].startswith(f"{number} 0 obj\n".encode())
    boxes = re.findall(rb"/MediaBox \[0 0 ([0-9.]+) ([0-9.]+)\]", data)
    streams = []
    for match in re.finditer(rb"<< /Length (\d+) >>\nstream\n", data):
        body = data[match.end() : match.end() + int(match[1])]
        assert data[match.end() + int(match[1]) :].startswith(b"\nendstream")
        streams.append(body)
    return [(float(w), float(h)) for w, h in boxes], streams


@pytest.mark.parametrize("paper", sorted(PAPERS))
def test_pdf_has_the_same_millimetres(paper: str) -> None:
    pages = [make(PAPERS[paper]) for make in PAGES.values()]
    sizes, streams = pdf_parts(pdf(pages, "test"))
    assert len(sizes) == len(streams) == len(pages)
    for page, size, stream in zip(pages, sizes, streams, strict=True):
        assert np.allclose(np.array(size) * 25.4 / 72, page.size, atol=1e-3)
        first = stream.splitlines()[0].split()
        a, b, c, d, e, f = (float(v) for v in first[:6])
        assert first[6] == b"cm" and b == c == e == 0
        # A millimetre right is 72/25.4 points right; down the page is down.
        assert a == pytest.approx(72 / 25.4, rel=1e-7) and d == -a
        assert f == pytest.approx(page.size[1] * 72 / 25.4, abs=1e-4)
        drawn = [
            [(float(x), float(y)) for x, y in re.findall(rb"([-0-9.]+) ([-0-9.]+) [ml]\b", line)]
            for line in stream.splitlines()
            if b" m " in line
        ]
        expected = [list(shape.points) for shape in page.shapes]
        assert len(drawn) == len(expected)
        for one, other in zip(drawn, expected, strict=True):
            assert np.allclose(one, other, atol=1e-4)


def test_words_with_signs_are_kept_whole() -> None:
    page = Page((50, 50), (rectangle(10, 10, 5, 5),), (Words((10, 20), r"a (b) \ <c> & d"),))
    root = ElementTree.fromstring(svg(page, "<&>"))
    assert [t.text for t in root.iter(f"{SVG}text")] == [r"a (b) \ <c> & d"]
    _, (stream,) = pdf_parts(pdf([page], "t"))
    assert rb"(a \(b\) \\ <c> & d) Tj" in stream


def test_stickers_differ_in_every_turning() -> None:
    side = 64
    faces = {face: picture(face, side).astype(np.float32) for face in POWER_FACES}
    middle = ((side - 1) / 2, (side - 1) / 2)
    disc = np.zeros((side, side), np.uint8)
    cv2.circle(disc, (side // 2, side // 2), side // 2 - 1, 255, -1)
    inside = disc > 0

    def likeness(a: NDArray[np.float32], b: NDArray[np.float32]) -> float:
        x, y = a[inside] - a[inside].mean(), b[inside] - b[inside].mean()
        return float((x * y).sum() / np.sqrt((x * x).sum() * (y * y).sum()))

    for one, first in faces.items():
        for other, second in faces.items():
            best = max(
                likeness(
                    first,
                    np.asarray(
                        cv2.warpAffine(
                            second, cv2.getRotationMatrix2D(middle, turn, 1.0), (side, side)
                        ),
                        np.float32,
                    ),
                )
                for turn in range(0, 360, 5)
            )
            assert (best > 0.95) if one == other else (best < 0.72), (one, other, best)


def test_stickers_keep_to_their_square() -> None:
    for face in POWER_FACES:
        for polygon in art(face):
            assert np.abs(np.array(polygon)).max() <= 0.85
        assert 0.1 < picture(face).mean() / 255 < 0.5


def test_the_files_in_the_documents_are_those_of_the_script(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, ROOT / "scripts" / "hardware" / "make_prints.py", tmp_path],
        check=True,
        capture_output=True,
    )
    kept = ROOT / "docs" / "print"
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted(p.name for p in kept.iterdir())
    for path in tmp_path.iterdir():
        same = zlib.crc32(path.read_bytes()) == zlib.crc32((kept / path.name).read_bytes())
        assert same, f"{path.name}: run scripts/hardware/make_prints.py"


def test_plates_have_their_margin() -> None:
    for k in range(4):
        sheet = printed_plate(k)
        assert sheet.size == (PLATE_MM, PLATE_MM)
        margin = (PLATE_MM - MARKER_MM) / 2
        assert min(x for x, _, _, _ in sheet.black) == margin
        assert max(x + w for x, _, w, _ in sheet.black) == pytest.approx(PLATE_MM - margin)
    assert BOARD_SQUARE_MM == 20
