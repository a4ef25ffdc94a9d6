"""A review as a picture (SVG): for each player bars for dice and decisions, and the costliest."""

from collections.abc import Sequence
from xml.sax.saxutils import escape

from appliance.strategy.review import Fared

_WIDTH, _ROW, _MIDDLE, _LONGEST = 720, 170, 360, 220


def svg(title: str, found: Sequence[Fared]) -> str:
    """The picture, a block for each player; bars to the left are points lost."""
    bars = [(player.luck or 0.0, -player.cost) for player in found]
    scale = _LONGEST / max(1.0, *(abs(value) for both in bars for value in both))
    parts = [_text(20, 28, title, size=18)]
    for number, (player, both) in enumerate(zip(found, bars, strict=True)):
        top = 50 + number * _ROW
        parts.append(_text(20, top + 14, f"{player.player}: {player.points}", size=16))
        for row, (word, value) in enumerate(zip(("dice", "decisions"), both, strict=True)):
            if word == "dice" and player.luck is None:
                continue
            y, long = top + 24 + 26 * row, abs(value) * scale
            fill, x = ("#2e7d32", _MIDDLE) if value > 0 else ("#b3261e", _MIDDLE - long)
            bar = f'<rect x="{x:.1f}" y="{y}" width="{long:.1f}" height="18" fill="{fill}"/>'
            parts += (bar, _text(20, y + 14, word))
            parts.append(_text(_MIDDLE + _LONGEST + 20, y + 14, f"{value:+.1f}"))
        for row, one in enumerate(player.worst):
            said = f"{-one.cost:+.1f}  turn {one.turn}, {one.dice}: {one.chosen}; better {one.best}"
            parts.append(_text(40, top + 92 + 20 * row, said))
    body = "\n".join(('<rect width="100%" height="100%" fill="white"/>', *parts))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {50 + len(found) * _ROW}" '
        f'font-family="sans-serif">\n{body}\n</svg>\n'
    )


def _text(x: float, y: float, text: str, size: int = 14) -> str:
    return f'<text x="{x}" y="{y}" font-size="{size}">{escape(text)}</text>'
