#!/usr/bin/env python3
"""Draws how a webcam or a phone hangs over dice: on a boom of books, and on an arm.

    .venv/bin/python scripts/hardware/draw_camera_stands.py [--out docs/pictures]

It writes camera-stands.svg, to scale. Height and field are those of a webcam that sees 78 degrees
across its diagonal (Logitech's data sheet of the C920), from the distance that the pages name.
"""

import argparse
import math
from pathlib import Path

ROOT = Path(__file__).parents[2]
DISTANCE_MM = 350
"""Between lens and dice."""
DIAGONAL_DEGREES = 78
WIDE, HIGH = 16, 9
"""The picture's shape."""
TRAY_MM = (230, 22)
"""A shoebox lid from the side."""
TABLE_MM = 800
SCALE = 0.62
"""Units of the drawing for a millimetre."""
BOOK_MM = ((240, 42), (225, 34), (250, 48), (215, 38), (240, 44), (230, 36), (245, 50), (220, 44))
"""Length and thickness, from the bottom; the rail is between the last two."""
STYLE = (
    "text{font:16px sans-serif;fill:#222}.s{font-size:13px;fill:#555}.m{text-anchor:middle}"
    ".w{fill:#b98b5a;stroke:#7a5a36}.l{fill:#e9e2d4;stroke:#8a7c60}.c{fill:#30343a}"
    ".v{fill:#27c;fill-opacity:.10;stroke:#27c;stroke-dasharray:5 4}.d{fill:#222}"
    ".h{stroke:#27c;stroke-width:1.5;fill:none}.a{stroke:#444;stroke-width:7;fill:none;"
    "stroke-linecap:round;stroke-linejoin:round}.g{fill:#fff;stroke:#222;stroke-width:1}"
)
BOOK_COLOURS = (
    "#8c3b3b",
    "#3b5f8c",
    "#4c7a4a",
    "#a9823c",
    "#6a4a86",
    "#3f7f83",
    "#94543a",
    "#555d66",
)


def half_width_mm(distance: float = DISTANCE_MM) -> float:
    """The width that is seen to either side of the middle, across the picture."""
    diagonal = distance * math.tan(math.radians(DIAGONAL_DEGREES / 2))
    return diagonal * WIDE / math.hypot(WIDE, HIGH)


def rect(kind: str, x: float, y: float, width: float, height: float, fill: str = "") -> str:
    colour = f' style="fill:{fill};stroke:#222"' if fill else ""
    return (
        f'<rect class="{kind}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" '
        f'height="{height:.1f}" rx="2"{colour}/>'
    )


def text(x: float, y: float, words: str, kind: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}">{words}</text>'


def scene(left: float, table: float) -> tuple[list[str], float, float]:
    """A table with a lid and dice, and what a camera over its middle sees; its lens."""
    x, lens = left + 0.68 * TABLE_MM * SCALE, table - (DISTANCE_MM + 16) * SCALE
    half = half_width_mm() * SCALE
    floor = table - 16 * SCALE
    wide, deep = (length * SCALE for length in TRAY_MM)
    parts = [
        f'<path class="v" d="M{x:.1f} {lens:.1f}L{x - half:.1f} {floor:.1f}H{x + half:.1f}Z"/>',
        rect("w", left, table, TABLE_MM * SCALE, 10),
        f'<path class="l" d="M{x - wide / 2:.1f} {table - deep:.1f}v{deep:.1f}h{wide:.1f}'
        f'v-{deep:.1f}h-4v{deep - 4:.1f}h-{wide - 8:.1f}v-{deep - 4:.1f}z"/>',
    ]
    parts += [
        rect("d", x + place * SCALE, table - 4 - 16 * SCALE, 16 * SCALE, 16 * SCALE)
        for place in (-80, -35, -6, 30, 70)
    ]
    at = x + half + 8
    parts += [
        f'<path class="h" d="M{at:.1f} {lens:.1f}V{floor:.1f}m-4 -6l4 6l4 -6M{at - 4:.1f} '
        f'{lens + 6:.1f}l4 -6l4 6"/>',
        text(at + 6, (lens + floor) / 2, f"{DISTANCE_MM // 10} cm", "s"),
    ]
    return parts, x, lens


def caption(left: float, table: float, title: str, words: str) -> list[str]:
    """The name of a stand, and what it is made of, below the table."""
    middle = left + TABLE_MM * SCALE / 2
    return [text(middle, table + 34, title, "m"), text(middle, table + 52, words, "s m")]


def books(left: float, table: float) -> list[str]:
    """A ruler or rail held by a pile of books, the camera hanging from its end."""
    parts, x, lens = scene(left, table)
    rail = lens - 22
    top, middle = table, left + 92
    for (length, thick_mm), colour in zip(BOOK_MM, BOOK_COLOURS, strict=True):
        last = (length, thick_mm) == BOOK_MM[-1]
        if last:
            # The rail is on the others, the last holds it down.
            parts.append(rect("w", left + 20, rail, x + 24 - left - 20, 8))
            top = rail
        scale = SCALE if last else (table - rail - 8) / sum(t for _, t in BOOK_MM[:-1])
        thick = thick_mm * scale
        top -= thick
        parts.append(rect("", middle - length * SCALE / 2, top, length * SCALE, thick, colour))
    parts += [
        rect("c", x - 26, rail + 8, 52, lens - rail - 8),
        f'<circle class="g" cx="{x:.1f}" cy="{lens:.1f}" r="3"/>',
        *caption(
            left,
            table,
            "A boom of books",
            "a ruler or rail on a pile of books, one more on its end; tape the webcam below it",
        ),
    ]
    return parts


def arm(left: float, table: float) -> list[str]:
    """A clamp with an arm of two parts, and a phone or webcam in it."""
    parts, x, lens = scene(left, table)
    foot, elbow = left + 40, table - 455 * SCALE
    parts += [
        rect("c", foot - 12, table - 14, 24, 34),
        f'<path class="a" d="M{foot} {table - 14}L{foot + 34} {elbow}L{x:.1f} {lens - 34:.1f}'
        f'V{lens - 12:.1f}"/>',
        f'<circle class="g" cx="{foot + 34}" cy="{elbow}" r="6"/>',
        f'<circle class="g" cx="{x:.1f}" cy="{lens - 34:.1f}" r="6"/>',
        rect("c", x - 48, lens - 12, 96, 10),
        f'<circle class="g" cx="{x:.1f}" cy="{lens - 1:.1f}" r="3"/>',
        *caption(
            left,
            table,
            "An arm",
            "a clamp for microphones or phones: phone or webcam flat, its lens down",
        ),
    ]
    return parts


def drawing() -> str:
    """Both, one below the other, so that a phone shows them large."""
    gap, table = 40, 330
    below = table + 380
    width, height = round(TABLE_MM * SCALE + 2 * gap) + 14, below + 70
    parts = [*books(gap, table), *arm(gap, below)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}"><style>{STYLE}</style><rect width="100%" height="100%" fill="#fff"/>'
        + "\n".join(parts)
        + "</svg>\n"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "pictures")
    out = parser.parse_args().out
    (out / "camera-stands.svg").write_text(drawing(), "utf-8")


if __name__ == "__main__":
    main()
