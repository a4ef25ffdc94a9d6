"""Draws how accurate predicted risks are: a reliability diagram over the logarithm of the risk."""

import math

from scripts.campaign.results import most_likely_below
from vision.image.arrays import BoolArray, FloatArray

DECADES = (-6, 0)
"""Powers of ten at the two ends of both axes."""
PLOT_SIDE = 300
LEFT_MARGIN = 60
TOP_MARGIN = 16


def diagram(risk: FloatArray, good: BoolArray) -> str:
    """An SVG of the share of dice that were wrong, by band of predicted risk.

    Args:
        risk: the one stated for each die, (n,).
        good: whether it was right, (n,).
    """
    low, high = DECADES
    marks = []
    for k in range(low, high):
        # More confident ones all go into the first band.
        inside = (risk < 10.0 ** (k + 1)) & ((risk >= 10.0**k) | (k == low))
        count, wrong = int(inside.sum()), int((inside & ~good).sum())
        if count == 0:
            continue
        x = _x(math.log10(max(float(risk[inside].mean()), 10.0**low)))
        top = _y(most_likely_below(wrong, count))
        marks.append(f'<path d="M{x} {top}V{_y(wrong / count)}" stroke="#888" stroke-width="2"/>')
        marks.append(f'<circle cx="{x}" cy="{_y(wrong / count)}" r="4" fill="#06c"/>')
        marks.append(f'<text x="{x}" y="{top - 6}" text-anchor="middle">{count}</text>')
    ticks = []
    for k in range(low, high + 1):
        name = f"{10.0**k:g}" if k > -4 else f"1e{k}"
        ticks.append(
            f'<text x="{_x(k)}" y="{TOP_MARGIN + PLOT_SIDE + 16}" '
            f'text-anchor="middle">{name}</text>'
        )
        ticks.append(
            f'<text x="{LEFT_MARGIN - 6}" y="{_y(10.0**k) + 4}" text-anchor="end">{name}</text>'
        )
    wide, tall = LEFT_MARGIN + PLOT_SIDE + 24, TOP_MARGIN + PLOT_SIDE + 40
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {tall}"'
            f' width="{wide}" height="{tall}" font-family="sans-serif" font-size="11">',
            f'<rect width="{wide}" height="{tall}" fill="#fff"/>',
            f'<path d="M{_x(low)} {_y(10.0**low)}L{_x(high)} {_y(1.0)}" stroke="#ccc"/>',
            f'<rect x="{LEFT_MARGIN}" y="{TOP_MARGIN}" '
            f'width="{PLOT_SIDE}" height="{PLOT_SIDE}" fill="none"'
            ' stroke="#444"/>',
            *ticks,
            *marks,
            f'<text x="{LEFT_MARGIN + PLOT_SIDE // 2}" y="{tall - 6}" '
            'text-anchor="middle">predicted risk'
            "</text>",
            f'<text x="14" y="{TOP_MARGIN + PLOT_SIDE // 2}" text-anchor="middle"'
            f' transform="rotate(-90 14 {TOP_MARGIN + PLOT_SIDE // 2})">share wrong</text>',
            "</svg>",
            "",
        ]
    )


def _x(power: float) -> int:
    low, high = DECADES
    return round(LEFT_MARGIN + PLOT_SIDE * (power - low) / (high - low))


def _y(share: float) -> int:
    low, high = DECADES
    power = math.log10(max(share, 10.0**low))
    return round(TOP_MARGIN + PLOT_SIDE * (high - power) / (high - low))
