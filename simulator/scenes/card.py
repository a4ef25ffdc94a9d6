"""A card of a bank's or a library's size that is laid on a tray, printed side down."""

from calibration.markers.printed import PrintedSheet, Rect
from calibration.wizard.card import CARD_MM, CARD_ROUND_MM
from simulator.render.prints import Print
from simulator.render.tray_model import TrayModel

STRIPE: Rect = (0.0, 6.0, CARD_MM[0], 12.7)
"""Its magnetic stripe: left, top, width, height, millimetres."""
LINES: tuple[Rect, ...] = tuple((8.0, 26.0 + 5.0 * k, 50.0, 1.5) for k in range(4))
"""Of text, likewise."""
_FROM_CORNER_MM = (12.0, 40.0)
_YAW = -0.35


def card_on_rim(tray: TrayModel, *, dark: bool = False) -> Print:
    """A card across a corner of the opening, away from the holder."""
    x, y = (inner - off for inner, off in zip(tray.rim_inner, _FROM_CORNER_MM, strict=True))
    return Print(_sheet(dark), (-x, y), _YAW, tray.wall_height, round_mm=CARD_ROUND_MM)


def card_on_floor(*, dark: bool = False) -> Print:
    """A card on the floor."""
    return Print(_sheet(dark), (10.0, 5.0), 0.1, round_mm=CARD_ROUND_MM)


def _sheet(dark: bool) -> PrintedSheet:
    black = ((0.0, 0.0, *CARD_MM),) if dark else (STRIPE, *LINES)
    return PrintedSheet(f"card-{dark}", CARD_MM, black)
