"""Sheets that are not cut yet, and cards on the rim, of prints of any size."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from calibration.markers.printed import (
    SHEET_FIRST_MM,
    SHEET_SPANS_MM,
    PrintedSheet,
    Rect,
    printed_plate,
)
from calibration.wizard.card import CARD_MM, CARD_ROUND_MM
from simulator.render.prints import Print
from simulator.render.scene import Scene
from simulator.scenes.card import LINES, STRIPE, card_on_floor, card_on_rim
from tests.rigs.unknown_rims import scaled

_CORNERS = ((0, 0), (1, 0), (1, 1), (0, 1))
_FLAT_MM = 1.0
_DRAWS = 200  # most lie across the edge at one of them; a large phone need not
_CLEAR_PX = 6.0
_CLEAR_MM = 5.0


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
    card = card_on_rim(scene.tray, dark=dark) if on_rim else card_on_floor(dark=dark)
    return replace(scene, prints=(*scene.prints, card))


@dataclass(frozen=True, slots=True)
class Item:
    """Something flat, or the top of something that is not.

    Attributes:
        size: its sides, millimetres.
        round_mm: radius of its corners.
        black: what is dark of it.
        thick_mm: its top is so much above what it lies on.
    """

    size: tuple[float, float]
    round_mm: float = 0.0
    black: tuple[Rect, ...] = ()
    thick_mm: float = 0.3

    def on_rim(self, scene: Scene, rng: np.random.Generator) -> Scene:
        """The tray with this across an edge of its opening, turned in any way."""
        for _ in range(_DRAWS):
            place, yaw = self._drawn(scene, rng)
            if self._lies_across(scene, place, yaw):
                break
        high = scene.tray.wall_height
        sheets = [Print(self._sheet(self.black), place, yaw, high + self.thick_mm, (0.0, 0.0))]
        if self.thick_mm > _FLAT_MM:
            # Its sides are darker.
            whole = self._sheet(((0.0, 0.0, *self.size),))
            steps = np.arange(0.0, self.thick_mm, 1.0)
            sheets[:0] = [Print(whole, place, yaw, high + float(step)) for step in steps]
        rounded = (replace(sheet, round_mm=self.round_mm) for sheet in sheets)
        return replace(scene, prints=(*scene.prints, *rounded))

    def _drawn(self, scene: Scene, rng: np.random.Generator) -> tuple[tuple[float, float], float]:
        way = np.array(rng.choice((-1, 1), 2))
        inner = np.array(scene.tray.rim_inner)
        along = int(rng.integers(2))
        off = np.zeros(2)
        off[along] = rng.uniform(-15, 15)
        off[1 - along] = rng.uniform(-70, -20)
        x, y = way * (inner + off)
        return (float(x), float(y)), float(rng.uniform(0, np.pi))

    def _lies_across(self, scene: Scene, place: tuple[float, float], yaw: float) -> bool:
        """True if it is all in the picture, and not all on one side of the opening's edge."""
        sheet = Print(self._sheet(()), place, yaw, scene.tray.wall_height + self.thick_mm)
        corners = sheet.to_world(np.array(_CORNERS) * self.size)
        pixels = scene.camera.project(corners)
        seen = (pixels > _CLEAR_PX) & (pixels < np.array(scene.camera.size) - _CLEAR_PX)
        beyond = (np.abs(corners[:, :2]) - scene.tray.half).max(axis=1)
        return bool(seen.all() and beyond.min() < -_CLEAR_MM and beyond.max() > _CLEAR_MM)

    def _sheet(self, black: tuple[Rect, ...]) -> PrintedSheet:
        return PrintedSheet(f"item-{self.size}-{len(black)}", self.size, black)


def _framed(size: tuple[float, float], inside: float, round_mm: float = 0.0) -> Item:
    """White with a dark field so far inside."""
    field = (inside, inside, size[0] - 2 * inside, size[1] - 2 * inside)
    return Item(size, round_mm, (field,))


def _dark(size: tuple[float, float], round_mm: float = 0.0, thick_mm: float = 0.3) -> Item:
    return Item(size, round_mm, ((0.0, 0.0, *size),), thick_mm)


CARDS: Mapping[str, Item] = {
    "light": Item(CARD_MM, CARD_ROUND_MM, thick_mm=0.76),
    "dark": _dark(CARD_MM, CARD_ROUND_MM, 0.76),
    "printed": Item(CARD_MM, CARD_ROUND_MM, (STRIPE, *LINES), 0.76),
    "half dark": Item(CARD_MM, CARD_ROUND_MM, ((0.0, 0.0, 40.0, CARD_MM[1]),), 0.76),
    "framed": replace(_framed(CARD_MM, 5.0, CARD_ROUND_MM), thick_mm=0.76),
}
"""Cards of the size that is asked for."""
OTHER_ITEMS: Mapping[str, Item] = {
    "phone": _dark((147.0, 71.0), 9.0, 8.0),
    "large phone": _dark((163.0, 77.0), 10.0, 8.0),
    "phone, screen up": replace(_framed((147.0, 71.0), 4.0, 9.0), thick_mm=8.0),
    "poker card": _framed((63.0, 88.0), 4.0, 3.5),
    "bridge card": _framed((57.15, 88.9), 3.0, 3.5),
    "bridge card, plain": Item((57.15, 88.9), 3.5),
    "photo": _dark((102.0, 152.0)),
    "photo with a border": _framed((102.0, 152.0), 6.0),
    "small photo": _framed((54.0, 86.0), 5.0),
    "coaster": _dark((95.0, 95.0), 6.0, 3.0),
    "business card": Item((85.0, 55.0), 0.0, LINES),
    "business card, US": Item((88.9, 50.8), 0.0, LINES),
    "business card, JP": Item((91.0, 55.0), 0.0, LINES),
    "card box": _dark((92.0, 65.0), 1.0, 18.0),
    "box as large as a card": Item(CARD_MM, 0.0, LINES, 20.0),
    "dark box as large as a card": _dark(CARD_MM, 0.0, 12.0),
    "cigarettes": Item((88.0, 55.0), 1.5, ((0.0, 0.0, 88.0, 20.0),), 22.0),
    "matches": _dark((53.0, 36.0), 0.0, 13.0),
    "sticky notes": Item((76.0, 51.0), 0.0, (), 5.0),
    "note": Item((127.0, 76.0)),
    "ratio 1.586, 70 mm": Item((70.0, 44.15)),
    "ratio 1.586, 80 mm": _dark((80.0, 50.45)),
    "ratio 1.586, 92 mm": Item((92.0, 58.0)),
    "ratio 1.586, 100 mm": Item((100.0, 63.06), 1.0),
    "ratio 1.586, 120 mm": _dark((120.0, 75.67)),
    "ratio 1.55, 90 mm": Item((90.0, 58.06), 3.0),
    "ratio 1.55, 100 mm": Item((100.0, 64.5), 4.0),
    "ratio 1.62, 84 mm": _dark((84.0, 51.85), 3.0),
    "ratio 1.62, 110 mm": _dark((110.0, 67.9), 4.0),
}
"""What may lie there instead, and is no card."""
