"""Printed parts for a tray: four markers for its rim and a board to measure the lens.

One description serves the files to print, detection in pictures and the rendered tray. Lengths
are in millimetres; a sheet's own x runs right and y down from its top left corner.

Markers are ArUco's, from its dictionary of 50 with 4x4 cells: coarse cells can still be read when
a marker is 20 pixels wide. Of all sets of four, codes 0 to 3 are the farthest apart, 7 cells in any
rotation. The board is a ChArUco board: a checkerboard whose white squares hold markers 10 to 31.
"""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from vision.image.arrays import BoolArray, FloatArray, GreyImage

MARKER_IDS = (0, 1, 2, 3)
"""Markers of the rim: top left, top right, bottom right, bottom left as the camera sees them."""
MARKER_NAMES = ("top left", "top right", "bottom right", "bottom left")
MARKER_MM = 18.0
"""Edge of a marker's black square."""
PLATE_MM = 24.0
"""Edge of the white square round it: one cell of margin, which detection needs."""
SHEET_FIRST_MM = (40.0, 72.0)
"""Where the first plate's top left corner is on the page on which the four are printed."""
SHEET_SPANS_MM = (70.0, 60.0)
"""How far apart plates are there, across and down."""
MARKER_CELLS = 6
"""Cells along a marker's edge, its black border included."""

BOARD_SQUARES = (9, 5)
BOARD_SQUARE_MM = 20.0
BOARD_MARKER_MM = 15.0
BOARD_MARGIN_MM = 5.0
BOARD_IDS = tuple(range(10, 10 + (BOARD_SQUARES[0] * BOARD_SQUARES[1]) // 2))

Rect = tuple[float, float, float, float]
"""x, y, width, height."""


@dataclass(frozen=True, slots=True)
class PrintedSheet:
    """Something printed: black rectangles on white.

    Attributes:
        name: what it is.
        size: width and height of the white area.
        black: the rectangles.
    """

    name: str
    size: tuple[float, float]
    black: tuple[Rect, ...]


@lru_cache(maxsize=1)
def aruco_dictionary() -> cv2.aruco.Dictionary:
    """The dictionary that all codes come from."""
    return cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)


def marker_cells(code: int) -> BoolArray:
    """Which cells of a marker are black, (MARKER_CELLS, MARKER_CELLS), rows from the top."""
    picture = cv2.aruco.generateImageMarker(aruco_dictionary(), code, MARKER_CELLS)
    return np.asarray(picture < 128, np.bool_)


def cells_as_rects(cells: BoolArray, left: float, top: float, size: float) -> tuple[Rect, ...]:
    """Black cells as runs along rows and along columns.

    Each black cell is covered twice, so that no hairline shows between neighbours in print.
    """
    step = size / len(cells)
    rects = [
        (left + a * step, top + row * step, (b - a) * step, step)
        for row, a, b in _black_runs(cells)
    ]
    rects += [
        (left + column * step, top + a * step, step, (b - a) * step)
        for column, a, b in _black_runs(cells.T)
        if b - a > 1
    ]
    return tuple(rects)


def _black_runs(cells: BoolArray) -> list[tuple[int, int, int]]:
    """Row, first and end column of each run of black cells."""
    found = []
    for row, line in enumerate(cells):
        edges = np.flatnonzero(np.diff(np.concatenate([[0], line.astype(np.int8), [0]])))
        found += [(row, int(a), int(b)) for a, b in edges.reshape(-1, 2)]
    return found


@lru_cache(maxsize=8)
def printed_plate(corner: int) -> PrintedSheet:
    """The plate for a corner of the rim, 0 to 3 as in `MARKER_IDS`."""
    margin = (PLATE_MM - MARKER_MM) / 2
    code = MARKER_IDS[corner]
    return PrintedSheet(
        f"marker-{code}",
        (PLATE_MM, PLATE_MM),
        cells_as_rects(marker_cells(code), margin, margin, MARKER_MM),
    )


@lru_cache(maxsize=1)
def charuco_board() -> cv2.aruco.CharucoBoard:
    """The board as OpenCV defines it; its origin is the corner of its first square."""
    return cv2.aruco.CharucoBoard(
        BOARD_SQUARES,
        BOARD_SQUARE_MM,
        BOARD_MARKER_MM,
        aruco_dictionary(),
        np.array(BOARD_IDS, dtype=np.int32),
    )


def board_corners() -> FloatArray:
    """Inner corners of the board, (n, 3), z = 0, in the board's own frame."""
    return np.asarray(charuco_board().getChessboardCorners(), dtype=np.float64)


@lru_cache(maxsize=1)
def printed_board() -> PrintedSheet:
    """The board with a white margin; squares begin at (BOARD_MARGIN_MM, BOARD_MARGIN_MM)."""
    across, down = BOARD_SQUARES
    edge = BOARD_MARGIN_MM
    black: list[Rect] = [
        (edge + x * BOARD_SQUARE_MM, edge + y * BOARD_SQUARE_MM, BOARD_SQUARE_MM, BOARD_SQUARE_MM)
        for y in range(down)
        for x in range(across)
        if (x + y) % 2 == 0
    ]
    for corners, code in zip(charuco_board().getObjPoints(), BOARD_IDS, strict=True):
        left, top = (float(v) for v in np.asarray(corners)[0, :2])
        cells = marker_cells(code)
        black.extend(cells_as_rects(cells, edge + left, edge + top, BOARD_MARKER_MM))
    return PrintedSheet(
        "board",
        (across * BOARD_SQUARE_MM + 2 * edge, down * BOARD_SQUARE_MM + 2 * edge),
        tuple(black),
    )


@lru_cache(maxsize=8)
def rasterize(sheet: PrintedSheet, per_mm: int) -> GreyImage:
    """A sheet as a picture, 255 for white, `per_mm` pixels per millimetre."""
    width, height = (round(side * per_mm) for side in sheet.size)
    picture = np.full((height, width), 255, np.uint8)
    for x, y, w, h in sheet.black:
        a, b = round(x * per_mm), round((x + w) * per_mm)
        c, d = round(y * per_mm), round((y + h) * per_mm)
        picture[c:d, a:b] = 0
    return picture
