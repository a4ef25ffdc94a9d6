"""Drawings in millimetres: shapes, words and dimensions, written as SVG at true size."""

from collections.abc import Sequence
from math import atan2, cos, degrees, sin
from re import sub

STYLE = (
    "text{font:4px sans-serif;fill:#222}.s{font-size:3.2px;fill:#555}.t{font-size:5px;"
    "font-weight:bold}.m{text-anchor:middle}.e{text-anchor:end}.o{fill:none;stroke:#222;"
    "stroke-width:.6}.f{fill:#eee;stroke:#222;stroke-width:.6}.w{fill:#fff;stroke:#222;"
    "stroke-width:.6}.k{fill:#222}.g{fill:#cfe3cf;stroke:#222;stroke-width:.6}.l{fill:#fdf3c4;"
    "stroke:#b70;stroke-width:.5}.d{fill:none;stroke:#27c;stroke-width:.3}.n{font-size:3.6px;"
    "fill:#27c;text-anchor:middle}.v{fill:#27c;fill-opacity:.08;stroke:#27c;stroke-width:.3;"
    "stroke-dasharray:3 2}.a{fill:none;stroke:#999;stroke-width:.3;stroke-dasharray:6 2 1 2}"
    ".r{fill:none;stroke:#c22;stroke-width:.7}.b{fill:none;stroke:#222;stroke-width:.7}"
)
_TICK = 1.5


def number(value: float) -> str:
    """A number as drawings show it: one decimal place at most."""
    return f"{round(value, 1):g}"


class Sketch:
    """A sheet to draw on; x runs right and y down, in millimetres from its top left corner.

    Words are `text` times as large as on a sheet of 130 mm, so that they can be read on a phone,
    which shows the whole width. A drawing without a title needs no translation.
    """

    def __init__(self, width: float, height: float, title: str = "", text: float = 1) -> None:
        self.width, self.height, self.title, self._text = width, height, title, text
        self._parts: list[str] = []
        if title:
            self.text(5, 8, title, "t")

    def text(self, x: float, y: float, words: str, kind: str = "") -> None:
        """Words; the kind says how: s small, m anchored in the middle, e at the end."""
        escaped = words.replace("&", "&amp;").replace("<", "&lt;")
        self._parts.append(f'<text x="{x:.2f}" y="{y:.2f}" class="{kind}">{escaped}</text>')

    def raw(self, element: str) -> None:
        """An SVG element as it is."""
        self._parts.append(element)

    def rect(
        self, x: float, y: float, width: float, height: float, kind: str = "o", round_mm: float = 0
    ) -> None:
        """A rectangle by its top left corner."""
        self._parts.append(
            f'<rect x="{x:.2f}" y="{y:.2f}" width="{width:.2f}" height="{height:.2f}" '
            f'rx="{round_mm:g}" class="{kind}"/>'
        )

    def circle(self, x: float, y: float, diameter: float, kind: str = "w") -> None:
        """A circle by its middle."""
        self._parts.append(
            f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{diameter / 2:.2f}" class="{kind}"/>'
        )

    def line(self, *points: tuple[float, float], kind: str = "o") -> None:
        """Points joined by lines."""
        joined = " ".join(f"{x:.2f},{y:.2f}" for x, y in points)
        self._parts.append(f'<polyline points="{joined}" class="{kind}"/>')

    def area(self, *points: tuple[float, float], kind: str = "v") -> None:
        """A filled polygon."""
        joined = " ".join(f"{x:.2f},{y:.2f}" for x, y in points)
        self._parts.append(f'<polygon points="{joined}" class="{kind}"/>')

    def cross(self, x: float, y: float, reach: float) -> None:
        """The axes of a hole."""
        self.line((x - reach, y), (x + reach, y), kind="a")
        self.line((x, y - reach), (x, y + reach), kind="a")

    def measure(
        self,
        start: tuple[float, float],
        end: tuple[float, float],
        away: float,
        words: str | None = None,
    ) -> None:
        """A dimension between two points.

        Args:
            start: one point.
            end: the other.
            away: distance of the dimension's line, to the left when going from start to end, as
                seen on the sheet (negative: to the right).
            words: what it says; the distance if left out.
        """
        (x0, y0), (x1, y1) = start, end
        angle = atan2(y1 - y0, x1 - x0)
        across = (sin(angle), -cos(angle))
        a = (x0 + away * across[0], y0 + away * across[1])
        b = (x1 + away * across[0], y1 + away * across[1])
        sign = 1 if away >= 0 else -1
        for point, foot in ((start, a), (end, b)):
            beyond = (foot[0] + 2 * sign * across[0], foot[1] + 2 * sign * across[1])
            self.line(point, beyond, kind="d")
        self.line(a, b, kind="d")
        for x, y in (a, b):
            self.line((x - _TICK, y + _TICK), (x + _TICK, y - _TICK), kind="d")
        length = ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5
        turn = degrees(angle)
        turn = turn - 180 if turn > 90 else turn + 180 if turn <= -90 else turn
        x, y = (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
        shown = number(length) if words is None else words
        self._parts.append(
            f'<text transform="translate({x:.2f} {y:.2f}) rotate({turn:.1f})" y="-1.2" '
            f'class="n">{shown}</text>'
        )

    def svg(self) -> str:
        """The drawing, which prints at true size."""
        size = f"{number(self.width)} {number(self.height)}"
        style = sub(
            r"(?<=[:])([\d.]+)px", lambda said: f"{float(said[1]) * self._text:.3g}px", STYLE
        )
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" '
            f'width="{number(self.width)}mm" height="{number(self.height)}mm">'
            f"{f'<title>{self.title}</title>' if self.title else ''}<style>{style}</style>"
            '<rect width="100%" height="100%" fill="#fff"/>\n' + "\n".join(self._parts) + "</svg>\n"
        )


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    lines += [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join(lines)
