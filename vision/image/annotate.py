"""Draws readings into the picture they were read from."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image
from vision.reading import DieReading, DieState, Kind, TrayReading

STATE_COLOURS: dict[DieState, tuple[int, int, int]] = {
    DieState.OK: (80, 200, 60),
    DieState.UNSURE: (0, 165, 255),
    DieState.LEANING: (220, 90, 220),
    DieState.STACKED: (255, 140, 40),
    DieState.COVERED: (150, 150, 150),
}
"""BGR of outlines and badges."""
_FONT = cv2.FONT_HERSHEY_SIMPLEX
_TEXT_COLOUR = (255, 255, 255)
_BADGE_COLOUR = (25, 25, 25)


def annotate(image: Image, reading: TrayReading) -> Image:
    """Draws outlines, values and doubts; returns a new picture of the same size."""
    out = image.copy()
    height, width = out.shape[:2]
    unit = max(0.4, min(width, height) / 900)
    boxes: list[tuple[int, int, int, int]] = []
    for die in reading.dice:
        _draw_outline(out, die, max(1, round(2 * unit)))
    for die in reading.dice:
        boxes.append(_draw_badge(out, die, unit, boxes))
    if min(width, height) >= 200:
        _draw_legend(out, reading, unit)
    return out


def label(die: DieReading) -> str:
    """The badge's text: the value, with a mark and the candidates where there is doubt."""
    value = "?" if die.value is None else str(die.value)
    if die.state is DieState.OK:
        return value
    if die.state is not DieState.UNSURE:
        return die.state.value
    others = [str(c.value) for c in die.candidates if c.probability >= 0.05][:3]
    return "/".join(others) + "?" if len(others) > 1 else f"{value}?" if value != "?" else "?"


def _draw_outline(out: Image, die: DieReading, thick: int) -> None:
    if len(die.outline) >= 3:
        points = np.rint(np.array(die.outline) * 8).astype(np.int32)
        cv2.polylines(out, [points], True, _BADGE_COLOUR, thick + 2, cv2.LINE_AA, 3)
        cv2.polylines(out, [points], True, STATE_COLOURS[die.state], thick, cv2.LINE_AA, 3)


def _draw_badge(
    out: Image, die: DieReading, unit: float, taken: Sequence[tuple[int, int, int, int]]
) -> tuple[int, int, int, int]:
    """Draws the badge beside the die, where it hides no other badge if possible."""
    text = label(die)
    if die.kind is not Kind.BLACK:
        text = f"{die.kind.value[0].upper()} {text}"
    size, thick = 0.75 * unit, max(1, round(1.6 * unit))
    (w, h), base = cv2.getTextSize(text, _FONT, size, thick)
    pad = max(2, round(4 * unit))
    w, h = w + 2 * pad, h + base + 2 * pad
    points = np.array(die.outline) if die.outline else np.array([die.center])
    low, high = points.min(axis=0), points.max(axis=0)
    x, y = die.center
    places = [
        (x - w / 2, low[1] - h - pad),
        (high[0] + pad, y - h / 2),
        (x - w / 2, high[1] + pad),
        (low[0] - w - pad, y - h / 2),
    ]
    height, width = out.shape[:2]
    right, bottom = max(0, width - w), max(0, height - h)
    boxes = [(round(min(max(a, 0), right)), round(min(max(b, 0), bottom)), w, h) for a, b in places]
    box = next((b for b in boxes if not any(_boxes_overlap(b, t) for t in taken)), boxes[0])
    left, top = box[0], box[1]
    cv2.rectangle(out, (left, top), (left + w, top + h), _BADGE_COLOUR, -1)
    cv2.rectangle(
        out, (left, top), (left + w, top + h), STATE_COLOURS[die.state], max(1, thick - 1)
    )
    at = (left + pad, top + h - pad - base // 2 - 1)
    cv2.putText(out, text, at, _FONT, size, _TEXT_COLOUR, thick, cv2.LINE_AA)
    return box


def _boxes_overlap(a: tuple[int, int, int, int], b: tuple[int, int, int, int]) -> bool:
    return a[0] < b[0] + b[2] and b[0] < a[0] + a[2] and a[1] < b[1] + b[3] and b[1] < a[1] + a[3]


def _draw_legend(out: Image, reading: TrayReading, unit: float) -> None:
    """A strip along the lower edge: the tray's state and what the colours mean."""
    size, thick = 0.5 * unit, max(1, round(unit))
    line = max(12, round(22 * unit))
    height, width = out.shape[:2]
    strip: NDArray[np.uint8] = out[height - line :, :]
    strip[:] = (strip * 0.25).astype(np.uint8)
    base = height - line // 3
    x = line // 2
    sure = sum(die.sure for die in reading.dice)
    text = f"tray {reading.tray.value}, {len(reading.dice)} dice, {sure} sure"
    cv2.putText(out, text, (x, base), _FONT, size, _TEXT_COLOUR, thick, cv2.LINE_AA)
    x += cv2.getTextSize(text, _FONT, size, thick)[0][0] + line
    for state, colour in STATE_COLOURS.items():
        wide = cv2.getTextSize(state.value, _FONT, size, thick)[0][0]
        if x + wide + line > width:
            break
        corner = (x, base - line // 3)
        cv2.rectangle(out, corner, (x + line // 3, base), colour, -1)
        cv2.putText(
            out, state.value, (x + line // 2, base), _FONT, size, _TEXT_COLOUR, thick, cv2.LINE_AA
        )
        x += wide + line
