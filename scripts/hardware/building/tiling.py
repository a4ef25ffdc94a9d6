"""Templates on sheets that a printer takes: at true size, each with a ruler to check it by."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Width and height, millimetres."""
MARGIN_MM = 10.0
"""What printers leave white at each edge."""
OVERLAP_MM = 10.0
"""What neighbouring sheets both show, to be glued over one another."""
RULER_MM = 100.0
_FOOT_MM = 14.0
_ROOT = re.compile(
    r'<svg\b[^>]*?\bwidth="([\d.]+)mm"[^>]*?\bheight="([\d.]+)mm"[^>]*>|'
    r'<svg\b[^>]*?\bheight="([\d.]+)mm"[^>]*?\bwidth="([\d.]+)mm"[^>]*>'
)
_VIEW = re.compile(r'viewBox="([-\d.e]+) ([-\d.e]+) ([-\d.e]+) ([-\d.e]+)"')


@dataclass(frozen=True, slots=True)
class Drawing:
    """A drawing at true size.

    Attributes:
        size: width and height, millimetres.
        view: its viewBox: left, top, width and height in its own units.
        inside: the elements.
    """

    size: tuple[float, float]
    view: tuple[float, float, float, float]
    inside: str


def drawing(svg: str) -> Drawing:
    """Parses a drawing.

    Raises:
        ValueError: it does not say how large it is.
    """
    root = _ROOT.search(svg)
    view = _VIEW.search(root[0]) if root else None
    if not root or not view:
        raise ValueError("expected an SVG with width and height in mm, and a viewBox")
    width, height = (root[1], root[2]) if root[1] else (root[4], root[3])
    left, top, wide, high = map(float, view.groups())
    inside = svg[root.end() : svg.rindex("</svg>")]
    return Drawing((float(width), float(height)), (left, top, wide, high), inside)


def counts(size: tuple[float, float], paper: str) -> tuple[int, int]:
    """How many sheets a drawing of this size takes, across and down."""
    return (_along(size[0], _room(paper)[0]), _along(size[1], _room(paper)[1]))


def _room(paper: str) -> tuple[float, float]:
    wide, high = PAPERS[paper]
    return wide - 2 * MARGIN_MM, high - 2 * MARGIN_MM - _FOOT_MM


def _along(length: float, room: float) -> int:
    return max(1, ceil((length - OVERLAP_MM) / (room - OVERLAP_MM)))


def sheets(svg: str, paper: str, title: str) -> Iterator[str]:
    """The sheets of a template, row by row, as SVG at true size.

    Args:
        svg: the template.
        paper: one of `PAPERS`.
        title: what it is.

    Raises:
        ValueError: the template does not say how large it is.
    """
    whole = drawing(svg)
    across, down = counts(whole.size, paper)
    wide, high = _room(paper)
    unit = whole.view[2] / whole.size[0]
    for n in range(across * down):
        row, column = divmod(n, across)
        x, y = column * (wide - OVERLAP_MM), row * (high - OVERLAP_MM)
        view = f"{whole.view[0] + x * unit:g} {whole.view[1] + y * unit:g} "
        view += f"{wide * unit:g} {high * unit:g}"
        yield _sheet(paper, f"{title}, sheet {n + 1} of {across * down}", view, whole.inside)


def _sheet(paper: str, words: str, view: str, inside: str) -> str:
    paper_wide, paper_high = PAPERS[paper]
    wide, high = _room(paper)
    foot = paper_high - MARGIN_MM - 5
    ticks = "".join(
        f'<path d="M{MARGIN_MM + at:g} {foot:g}v{-4 if at % 50 == 0 else -2}"/>'
        for at in range(0, int(RULER_MM) + 1, 10)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{paper_wide:g}mm" '
        f'height="{paper_high:g}mm" viewBox="0 0 {paper_wide:g} {paper_high:g}">\n'
        f'<rect width="100%" height="100%" fill="#fff"/>\n'
        f'<svg x="{MARGIN_MM:g}" y="{MARGIN_MM:g}" width="{wide:g}" height="{high:g}" '
        f'viewBox="{view}">{inside}</svg>\n'
        f'<g fill="none" stroke="#000" stroke-width=".2">'
        f'<rect x="{MARGIN_MM:g}" y="{MARGIN_MM:g}" width="{wide:g}" height="{high:g}" '
        f'stroke-dasharray="2 2"/>'
        f'<path d="M{MARGIN_MM:g} {foot:g}h{RULER_MM:g}"/>{ticks}</g>\n'
        f'<text x="{MARGIN_MM + RULER_MM + 4:g}" y="{foot:g}" font-size="4" '
        f'font-family="sans-serif">100 mm? Print at 100 %.</text>\n'
        f'<text x="{MARGIN_MM:g}" y="{foot + 4.5:g}" font-size="4" font-family="sans-serif">'
        f"{words}; edges overlap by {OVERLAP_MM:g} mm</text>\n</svg>\n"
    )
