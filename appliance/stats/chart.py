"""The fairness report as a picture (SVG): bars for faces, a band where fair dice mostly fall."""

from collections.abc import Sequence
from math import sqrt
from textwrap import wrap
from xml.sax.saxutils import escape

from appliance.stats.fairness import FACES, Fairness

WIDTH, _HEIGHT, _BAR, _GAP = 640, 230, 60, 30
_LEFT, _BASE, _TOP = 60, 150, 40
_Z = 1.96
"""Standard normal quantile: the band holds 95 % of the counts of one face of a fair die."""

_FILL = {"black": "#333333", "red": "#b3261e", "white": "#c9c9c9", "yellow": "#d9a400"}


def svg(report: Sequence[Fairness]) -> str:
    """The picture, one row of bars for each kind of die."""
    height = max(1, len(report)) * _HEIGHT
    rows = [_row(fairness, index * _HEIGHT) for index, fairness in enumerate(report)]
    body = "\n".join(rows) or f'<text x="{_LEFT}" y="{_TOP}">no throws yet</text>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        'font-family="sans-serif" font-size="14">\n'
        f'<rect width="{WIDTH}" height="{height}" fill="white"/>\n{body}\n</svg>\n'
    )


def _row(fairness: Fairness, top: int) -> str:
    throws = fairness.throws
    expected = throws / FACES
    spread = _Z * sqrt(throws * (1 / FACES) * (1 - 1 / FACES))
    scale = (_BASE - _TOP) / max(*fairness.counts, expected + spread, 1)
    # No count is below zero.
    low, high = max(0.0, expected - spread), expected + spread
    width = FACES * (_BAR + _GAP) - _GAP + 20
    parts = [
        f'<text x="{_LEFT}" y="{top + 22}" font-weight="bold">{escape(fairness.title)}</text>',
        f'<rect x="{_LEFT - 10}" y="{top + _BASE - high * scale:.1f}" '
        f'width="{width}" height="{(high - low) * scale:.1f}" fill="#dfe9f5"/>',
    ]
    fill = _FILL.get(fairness.kind, "#2a5db0")
    for index, (face, count) in enumerate(zip(fairness.faces, fairness.counts, strict=True)):
        x = _LEFT + index * (_BAR + _GAP)
        y = top + _BASE - count * scale
        parts += [
            f'<rect x="{x}" y="{y:.1f}" width="{_BAR}" height="{count * scale:.1f}" '
            f'fill="{fill}" fill-opacity="0.85"/>',
            f'<text x="{x + _BAR / 2}" y="{y - 4:.1f}" text-anchor="middle">{count}</text>',
            f'<text x="{x + _BAR / 2}" y="{top + _BASE + 18}" text-anchor="middle">'
            f"{escape(str(face))}</text>",
        ]
    y_line = top + _BASE - expected * scale
    parts.append(
        f'<line x1="{_LEFT - 10}" x2="{_LEFT - 10 + width}" y1="{y_line:.1f}" y2="{y_line:.1f}" '
        'stroke="#2a5db0" stroke-dasharray="6 4"/>'
    )
    for number, line in enumerate(wrap(fairness.verdict(), 84)):
        y_text = top + _BASE + 40 + 16 * number
        parts.append(f'<text x="{_LEFT}" y="{y_text}" font-size="12">{escape(line)}</text>')
    return "\n".join(parts)
