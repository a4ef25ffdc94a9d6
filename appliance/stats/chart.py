"""The fairness report as a picture (SVG): bars for faces, a band where fair dice mostly fall."""

from collections.abc import Sequence
from math import sqrt
from textwrap import wrap
from xml.sax.saxutils import escape

from appliance.stats.fairness import FACE_COUNT, Fairness

PICTURE_WIDTH = 640
_ROW_HEIGHT = 230
_BAR_WIDTH = 60
_BAR_GAP = 30
_FIRST_BAR_X = 60
_BAR_FOOT_Y = 150
_LONGEST_BAR_Y = 40
_BAND_QUANTILE = 1.96
"""Of the standard normal distribution: the band holds 95 % of the counts of one face."""

_FILL_OF_KIND = {"black": "#333333", "red": "#b3261e", "white": "#c9c9c9", "yellow": "#d9a400"}


def svg(report: Sequence[Fairness]) -> str:
    """The picture, one row of bars for each kind of die."""
    height = max(1, len(report)) * _ROW_HEIGHT
    rows = [_bars_of_kind(fairness, index * _ROW_HEIGHT) for index, fairness in enumerate(report)]
    body = "\n".join(rows) or f'<text x="{_FIRST_BAR_X}" y="{_LONGEST_BAR_Y}">no throws yet</text>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {PICTURE_WIDTH} {height}" '
        'font-family="sans-serif" font-size="14">\n'
        f'<rect width="{PICTURE_WIDTH}" height="{height}" fill="white"/>\n{body}\n</svg>\n'
    )


def _bars_of_kind(fairness: Fairness, top: int) -> str:
    throws = fairness.throws
    expected = throws / FACE_COUNT
    spread = _BAND_QUANTILE * sqrt(throws * (1 / FACE_COUNT) * (1 - 1 / FACE_COUNT))
    scale = (_BAR_FOOT_Y - _LONGEST_BAR_Y) / max(*fairness.counts, expected + spread, 1)
    # No count is below zero.
    low, high = max(0.0, expected - spread), expected + spread
    width = FACE_COUNT * (_BAR_WIDTH + _BAR_GAP) - _BAR_GAP + 20
    parts = [
        f'<text x="{_FIRST_BAR_X}" y="{top + 22}" font-weight="bold">'
        f"{escape(fairness.title)}</text>",
        f'<rect x="{_FIRST_BAR_X - 10}" y="{top + _BAR_FOOT_Y - high * scale:.1f}" '
        f'width="{width}" height="{(high - low) * scale:.1f}" fill="#dfe9f5"/>',
    ]
    fill = _FILL_OF_KIND.get(fairness.kind, "#2a5db0")
    for index, (face, count) in enumerate(zip(fairness.faces, fairness.counts, strict=True)):
        x = _FIRST_BAR_X + index * (_BAR_WIDTH + _BAR_GAP)
        y = top + _BAR_FOOT_Y - count * scale
        parts += [
            f'<rect x="{x}" y="{y:.1f}" width="{_BAR_WIDTH}" height="{count * scale:.1f}" '
            f'fill="{fill}" fill-opacity="0.85"/>',
            f'<text x="{x + _BAR_WIDTH / 2}" y="{y - 4:.1f}" text-anchor="middle">{count}</text>',
            f'<text x="{x + _BAR_WIDTH / 2}" y="{top + _BAR_FOOT_Y + 18}" text-anchor="middle">'
            f"{escape(str(face))}</text>",
        ]
    y_line = top + _BAR_FOOT_Y - expected * scale
    parts.append(
        f'<line x1="{_FIRST_BAR_X - 10}" x2="{_FIRST_BAR_X - 10 + width}" '
        f'y1="{y_line:.1f}" y2="{y_line:.1f}" stroke="#2a5db0" stroke-dasharray="6 4"/>'
    )
    for number, line in enumerate(wrap(fairness.verdict(), 84)):
        y_text = top + _BAR_FOOT_Y + 40 + 16 * number
        parts.append(f'<text x="{_FIRST_BAR_X}" y="{y_text}" font-size="12">{escape(line)}</text>')
    return "\n".join(parts)
