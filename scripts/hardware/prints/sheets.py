"""The pages that players print: markers, board, stickers, buttons, and a ruler for the printer."""

from collections.abc import Mapping

from calibration.markers.known_sizes import PAPERS_MM
from calibration.markers.printed import (
    MARKER_MM,
    MARKER_NAMES,
    PLATE_MM,
    SHEET_FIRST_MM,
    SHEET_SPANS_MM,
    PrintedSheet,
    printed_board,
    printed_plate,
)
from scripts.hardware.prints.paper import Page, Shape, Words, rectangle
from scripts.hardware.prints.stickers import STICKER_MM, art
from vision.reading import POWER_FACES

PAPERS: Mapping[str, tuple[float, float]] = dict(zip(("a4", "letter"), PAPERS_MM, strict=True))
"""Width and height, millimetres, upright."""
RULER_MM = 100.0
_EDGE = 12.0  # printers leave a margin


def _laid(sheet: PrintedSheet, x: float, y: float) -> list[Shape]:
    """A sheet with a thin line to cut along."""
    width, height = sheet.size
    cut = rectangle(x, y, width, height, "line")
    return [*(rectangle(x + a, y + b, w, h) for a, b, w, h in sheet.black), cut]


def ruler(x: float, y: float) -> tuple[list[Shape], list[Words]]:
    """A scale of 100 mm, to check against a real ruler."""
    shapes = [rectangle(x, y, RULER_MM, 0.2)]
    words = []
    for mm in range(int(RULER_MM) + 1):
        tall = 5.0 if mm % 10 == 0 else 3.5 if mm % 5 == 0 else 2.0
        shapes.append(rectangle(x + mm - 0.05, y - tall, 0.1, tall))
        if mm % 10 == 0:
            words.append(Words((x + mm - 1.2, y - 6.0), str(mm), 2.6))
    return shapes, words


def _check(y: float) -> tuple[list[Shape], list[Words]]:
    shapes, words = ruler(_EDGE, y)
    for line, text in enumerate(
        (
            "Check: this scale must be 100 mm long. If it is not, print again at 100 % "
            "(actual size).",
            "Nachmessen: Hier müssen es 100 mm sein. Sonst noch einmal mit 100 % drucken "
            "(tatsächliche Größe).",
        )
    ):
        words.append(Words((_EDGE, y + 4.5 + 4.5 * line), text, 3.0))
    return shapes, words


def markers_page(size: tuple[float, float]) -> Page:
    """The four plates for the rim."""
    shapes, words = _check(30.0)
    words.insert(0, Words((_EDGE, 14.0), "dicetray: four markers for the rim", 5.0))
    for line, text in enumerate(
        (
            "Cut along the lines, glue each on stiff card. Fix them level on the rim, all upright,",
            "each outside the corner of the opening that it is named after: its inner corner",
            "touches the corner of the opening. Matt paper shines less.",
        )
    ):
        words.append(Words((_EDGE, 46.0 + 5 * line), text))
    for k, name in enumerate(MARKER_NAMES):
        x = SHEET_FIRST_MM[0] + (SHEET_SPANS_MM[0] if k in (1, 2) else 0.0)
        y = SHEET_FIRST_MM[1] + (SHEET_SPANS_MM[1] if k in (2, 3) else 0.0)
        shapes += _laid(printed_plate(k), x, y)
        words.append(Words((x - 2, y - 3), f"{name} ({k})", 3.2))
    words.append(
        Words((_EDGE, 178.0), f"Black squares are {MARKER_MM:g} mm wide, white ones {PLATE_MM:g}.")
    )
    for line, text in enumerate(
        (
            "Vier Marken für den Rand der Schale: an den Linien ausschneiden und jede auf Karton "
            "kleben.",
            "Waagrecht auf den Rand, außen an die Ecken der Schale, so dass sich die Ecken "
            "berühren, alle",
            "aufrecht: 0 hinten links, 1 hinten rechts, 2 vorn rechts, 3 vorn links. Mattes Papier "
            "glänzt weniger.",
        )
    ):
        words.append(Words((_EDGE, 188.0 + 5 * line), text))
    return Page(size, tuple(shapes), tuple(words))


def board_page(size: tuple[float, float]) -> Page:
    """The board, along the paper's longer side."""
    wide, tall = size[1], size[0]
    sheet = printed_board()
    x, y = (wide - sheet.size[0]) / 2, 62.0
    shapes, words = _check(34.0)
    words.insert(0, Words((_EDGE, 14.0), "dicetray: board to measure the lens and the floor", 5.0))
    for line, text in enumerate(
        (
            "Cut along the line, glue it flat on stiff card, put it flat in the tray when asked.",
            "Das Schachbrett: an der Linie ausschneiden, glatt auf Karton kleben und flach in die "
            "Schale legen, wenn die Anzeige es sagt.",
        )
    ):
        words.append(Words((_EDGE, 50.0 + 5 * line), text))
    shapes += _laid(sheet, x, y)
    return Page((wide, tall), tuple(shapes), tuple(words))


def stickers_page(size: tuple[float, float]) -> Page:
    """Two sets of stickers for the Power die: on white and on grey."""
    shapes, words = _check(30.0)
    words.insert(0, Words((_EDGE, 14.0), "dicetray: stickers for a blank die of 16 mm", 5.0))
    words.append(
        Words(
            (_EDGE, 46.0),
            "Print on sticky paper, cut along the lines. 1 opposite power, 2 opposite freeze,",
        )
    )
    words.append(Words((_EDGE, 51.0), "3 opposite double. dicetray learns each face once."))
    for line, text in enumerate(
        (
            "Aufkleber für einen leeren Würfel von 16 mm: auf Klebefolie drucken, an den Linien "
            "ausschneiden.",
            "1 gegenüber von power, 2 gegenüber von freeze, 3 gegenüber von double.",
        )
    ):
        words.append(Words((_EDGE, 140.0 + 5 * line), text))
    for row, ground in enumerate((False, True)):
        for k, face in enumerate(POWER_FACES):
            x, y = 20.0 + k * 29.0, 66.0 + row * 36.0
            shapes += _sticker(face, x, y, ground)
            if not ground:
                words.append(Words((x, y - 2.5), face, 3.0))
    return Page(size, tuple(shapes), tuple(words))


def _sticker(face: str, x: float, y: float, ground: bool) -> list[Shape]:
    half = STICKER_MM / 2
    pieces = [
        Shape(tuple((x + half + a * half, y + half + b * half) for a, b in polygon))
        for polygon in art(face)
    ]
    if ground:
        # A grey background: the reader learns prints on any colour, and ink is saved.
        return [
            rectangle(x, y, STICKER_MM, STICKER_MM, "grey"),
            *pieces,
            rectangle(x, y, STICKER_MM, STICKER_MM, "line"),
        ]
    return [*pieces, rectangle(x, y, STICKER_MM, STICKER_MM, "line")]


BUTTONS_EN = (
    ("1 2 3 4 5 P", "hold a die, or let it go (P: the Power or the red die)", "correct this die"),
    ("LEFT  RIGHT", "before a throw: what is open; after it: what the dice would score", ""),
    ("", "again: one box or card after another", "both: shut down"),
    ("OK", "take what is shown", "menu"),
    ("BACK", "one step back", "undo"),
    ("HINT", "the best move; pressed again, it is played", ""),
)
BUTTONS_DE = (
    ("1 2 3 4 5 P", "Würfel halten oder freigeben (P: Power-Würfel oder roter)", "berichtigen"),
    ("LINKS  RECHTS", "vor dem Wurf: was noch offen ist; danach: was die Würfel bringen", ""),
    ("", "noch einmal: Feld für Feld, Karte für Karte", "beide: ausschalten"),
    ("OK", "nehmen, was angezeigt wird", "Menü"),
    ("ZURÜCK", "einen Schritt zurück", "zurücknehmen"),
    ("TIPP", "der beste Zug; noch einmal: ihn ausführen", ""),
)
"""What the buttons do: the button, pressed, held."""
SIDES_EN = (
    "Dice are counted from the left, seen from the side of the buttons.",
    "From across the table die 1 is at the right: the numbers run the other way.",
)
SIDES_DE = (
    "Die Würfel zählen von links, von der Seite der Tasten aus gesehen.",
    "Von gegenüber liegt Würfel 1 rechts: Die Nummern laufen andersherum.",
)
"""From where dice are counted, a line each."""


def buttons_page(size: tuple[float, float]) -> Page:
    """What the buttons do, and how dice are counted from both sides: in English, then in German."""
    shapes, words = _check(size[1] - 20.0)
    words.insert(0, Words((_EDGE, 14.0), "dicetray: what the buttons do", 5.0))
    for top, rows, sides, heads in (
        (26.0, BUTTONS_EN, SIDES_EN, ("press", "hold for a second")),
        (150.0, BUTTONS_DE, SIDES_DE, ("drücken", "eine Sekunde halten")),
    ):
        columns = (_EDGE, _EDGE + 34.0, _EDGE + 146.0)
        words += [Words((x, top), text, 3.2) for x, text in zip(columns[1:], heads, strict=True)]
        for n, (button, press, hold) in enumerate(rows):
            y = top + 4.0 + 9.0 * n
            shapes.append(rectangle(_EDGE, y, size[0] - 2 * _EDGE, 9.0, "line"))
            for x, text, letters in zip(
                columns, (button, press, hold), (4.0, 3.5, 3.5), strict=True
            ):
                words.append(Words((x + 1.5, y + 6.0), text, letters))
        y = top + 14.0 + 9.0 * len(rows)
        words += [Words((_EDGE, y + 5.5 * n), text) for n, text in enumerate(sides)]
        for die in range(5):
            x = _EDGE + 60.0 + 14.0 * die
            shapes.append(rectangle(x, y + 15.0, 10.0, 10.0, "line"))
            words.append(Words((x + 3.8, y + 21.8), str(die + 1), 4.5))
    return Page(size, tuple(shapes), tuple(words))


PAGES = {
    "markers": markers_page,
    "board": board_page,
    "stickers": stickers_page,
    "buttons": buttons_page,
}
