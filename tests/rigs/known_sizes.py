"""Sheets that are not cut yet, and cards on the rim, of prints of any size."""

from dataclasses import replace

import numpy as np

from calibration.markers.known_sizes import CARD_MM
from calibration.markers.printed import (
    SHEET_FIRST_MM,
    SHEET_SPANS_MM,
    PrintedSheet,
    Rect,
    printed_plate,
)
from simulator.render.prints import Print
from simulator.render.scene import Scene
from tests.rigs.unknown_rims import scaled

_CORNERS = ((0, 0), (1, 0), (1, 1), (0, 1))
_STRIPE: Rect = (0.0, 6.0, CARD_MM[0], 12.7)
_LINES: tuple[Rect, ...] = tuple((8.0, 26.0 + 5.0 * k, 50.0, 1.5) for k in range(4))


def uncut_sheet(paper: tuple[float, float], scale: float, per_sheet: int = 1) -> PrintedSheet:
    """The page of markers as a printer made it, about the middle of the paper or of its half."""
    black = []
    for k, (right, down) in enumerate(_CORNERS):
        x = SHEET_FIRST_MM[0] + right * SHEET_SPANS_MM[0]
        y = SHEET_FIRST_MM[1] + down * SHEET_SPANS_MM[1]
        black += [(x + a, y + b, w, h) for a, b, w, h in printed_plate(k).black]
    # Lines of text.
    black += [(12.0, 40.0 + 5.0 * k, 130.0, 1.2) for k in range(4)]
    size = (paper[0], paper[1]) if per_sheet == 1 else (paper[1], paper[0])
    middle = np.array((size[0] / 2 / per_sheet, size[1] / 2))
    moved = []
    for x, y, w, h in black:
        left, top = middle + (np.array((x, y)) - np.array(paper) / 2) * scale
        moved.append((float(left), float(top), w * scale, h * scale))
    return PrintedSheet(f"uncut-{paper[0]:g}-{scale:g}-{per_sheet}", size, tuple(moved))


def with_print_of(scene: Scene, scale: float) -> Scene:
    """The tray with markers of another size."""
    return replace(scene, prints=tuple(scaled(item, scale) for item in scene.prints))


def with_card(scene: Scene, *, on_rim: bool = True, dark: bool = False) -> Scene:
    """The tray with a card across a corner of its rim, or on its floor."""
    black = ((0.0, 0.0, *CARD_MM),) if dark else (_STRIPE, *_LINES)
    sheet = PrintedSheet(f"card-{dark}", CARD_MM, black)
    x, y = scene.tray.rim_inner
    place = (x - 12.0, y - 40.0) if on_rim else (10.0, 5.0)
    high = scene.tray.wall_height if on_rim else 0.0
    card = Print(sheet, place, 0.35 if on_rim else 0.1, high)
    return replace(scene, prints=(*scene.prints, card))
