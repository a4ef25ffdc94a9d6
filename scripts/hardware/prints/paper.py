"""Pages at true scale, as SVG and as PDF: rectangles, polygons, lines and words in millimetres.

A PDF of such pages is simple enough to write directly (ISO 32000-1, sections 7.5 and 8.5): each has
one content stream, which scales once from points to millimetres and flips y to run downwards.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

Point = tuple[float, float]
Ink = Literal["black", "grey", "line"]
"""Filled black, filled light grey, or a thin black outline."""

POINTS_A_MM = 72 / 25.4
_LINE_MM = 0.2
_GREY = 0.75


@dataclass(frozen=True, slots=True)
class Shape:
    """A closed polygon.

    Attributes:
        points: corners, millimetres from the page's top left.
        ink: how it is drawn.
    """

    points: tuple[Point, ...]
    ink: Ink = "black"


@dataclass(frozen=True, slots=True)
class Words:
    """A line of text.

    Attributes:
        place: left end of its baseline, millimetres.
        text: printable letters of Western Europe, those of Windows-1252.
        size: height of its letters with descenders, millimetres.
    """

    place: Point
    text: str
    size: float = 3.5


@dataclass(frozen=True, slots=True)
class Page:
    """One page.

    Attributes:
        size: width and height, millimetres.
        shapes: drawn in order.
        words: drawn over them.
    """

    size: tuple[float, float]
    shapes: tuple[Shape, ...] = field(default_factory=tuple)
    words: tuple[Words, ...] = field(default_factory=tuple)


def rectangle(x: float, y: float, width: float, height: float, ink: Ink = "black") -> Shape:
    """An upright rectangle by its top left corner and size."""
    return Shape(((x, y), (x + width, y), (x + width, y + height), (x, y + height)), ink)


def _number(value: float) -> str:
    return f"{value:.4f}".rstrip("0").rstrip(".") or "0"


def svg(page: Page, title: str) -> str:
    """The page as SVG: one unit is a millimetre."""
    width, height = page.size
    size = f"{_number(width)} {_number(height)}"
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_number(width)}mm" '
        f'height="{_number(height)}mm" viewBox="0 0 {size}">',
        f"<title>{_escaped(title)}</title>",
        f'<rect width="{_number(width)}" height="{_number(height)}" fill="#fff"/>',
    ]
    style = {
        "black": 'fill="#000"',
        "grey": 'fill="#bfbfbf"',
        "line": f'fill="none" stroke="#000" stroke-width="{_LINE_MM}"',
    }
    for shape in page.shapes:
        points = " ".join(f"{_number(x)},{_number(y)}" for x, y in shape.points)
        lines.append(f'<polygon points="{points}" {style[shape.ink]}/>')
    for words in page.words:
        x, y = (_number(v) for v in words.place)
        lines.append(
            f'<text x="{x}" y="{y}" font-family="Helvetica,Arial,sans-serif" '
            f'font-size="{_number(words.size)}">{_escaped(words.text)}</text>'
        )
    return "\n".join([*lines, "</svg>", ""])


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _stream(page: Page) -> bytes:
    """The drawing commands of a PDF's page, in millimetres from its top left."""
    height = page.size[1]
    scale = f"{POINTS_A_MM:.8f}"
    lines = [f"{scale} 0 0 -{scale} 0 {height * POINTS_A_MM:.6f} cm", f"{_LINE_MM} w"]
    for shape in page.shapes:
        (x, y), *rest = shape.points
        path = [f"{_number(x)} {_number(y)} m", *(f"{_number(a)} {_number(b)} l" for a, b in rest)]
        colour = {"black": "0 g", "grey": f"{_GREY} g", "line": "0 G"}[shape.ink]
        lines.append(" ".join([colour, *path, "h S" if shape.ink == "line" else "h f"]))
    for words in page.words:
        text = words.text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
        left, base = (_number(v) for v in words.place)
        # Letters are flipped upright again.
        lines.append(
            f"BT 0 g /F1 {_number(words.size)} Tf 1 0 0 -1 {left} {base} Tm ({text}) Tj ET"
        )
    return "\n".join(lines).encode("cp1252")


def pdf(pages: Sequence[Page], title: str) -> bytes:
    """The pages as PDF 1.4, to be printed at 100 %."""
    kids = " ".join(f"{4 + 2 * k} 0 R" for k in range(len(pages)))
    objects = [
        # Viewers are asked to print without scaling.
        b"<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    for k, page in enumerate(pages):
        width, height = (side * POINTS_A_MM for side in page.size)
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width:.4f} {height:.4f}] "
            f"/Resources << /Font << /F1 3 0 R >> >> /Contents {5 + 2 * k} 0 R >>".encode()
        )
        stream = _stream(page)
        objects.append(f"<< /Length {len(stream)} >>\nstream\n".encode() + stream + b"\nendstream")
    objects.append(f"<< /Title ({title}) >>".encode())
    out = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n"
    places = []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    count = len(objects) + 1
    out += f"xref\n0 {count}\n0000000000 65535 f \n{table}".encode()
    tail = f"trailer\n<< /Size {count} /Root 1 0 R /Info {len(objects)} 0 R >>\n"
    return out + f"{tail}startxref\n{out.rindex(b'xref' + bytes([10]))}\n%%EOF\n".encode()
