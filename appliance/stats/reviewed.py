"""A review as JSON, and as a picture (SVG): bars for dice and decisions, and the costliest ones."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any
from xml.sax.saxutils import escape

from appliance.words import Label
from games.strategy.review import PlayerReview

_PICTURE_WIDTH = 720
_PLAYER_HEIGHT = 170
_ZERO_X = 360
_MAX_BAR_LENGTH = 220


def review_fields(found: Sequence[PlayerReview]) -> list[dict[str, Any]]:
    """The fields that JSON has of each player; choices by their labels."""
    players = [asdict(player) for player in found]
    for decision in (one for player in players for one in player["worst"]):
        decision |= {name: Label(decision[name]) for name in ("chosen", "best", "reason")}
    return players


def svg(title: str, found: Sequence[PlayerReview]) -> str:
    """The picture, a block for each player; bars to the left are points lost."""
    bars = [(player.luck or 0.0, -player.cost) for player in found]
    scale = _MAX_BAR_LENGTH / max(1.0, *(abs(value) for both in bars for value in both))
    parts = [_text_element(20, 28, title, size=18)]
    for number, (player, both) in enumerate(zip(found, bars, strict=True)):
        top = 50 + number * _PLAYER_HEIGHT
        parts.append(_text_element(20, top + 14, f"{player.player}: {player.points}", size=16))
        for row, (word, value) in enumerate(zip(("dice", "decisions"), both, strict=True)):
            if word == "dice" and player.luck is None:
                continue
            y, long = top + 24 + 26 * row, abs(value) * scale
            fill, x = ("#2e7d32", _ZERO_X) if value > 0 else ("#b3261e", _ZERO_X - long)
            bar = f'<rect x="{x:.1f}" y="{y}" width="{long:.1f}" height="18" fill="{fill}"/>'
            parts += (bar, _text_element(20, y + 14, word))
            parts.append(_text_element(_ZERO_X + _MAX_BAR_LENGTH + 20, y + 14, f"{value:+.1f}"))
        for row, one in enumerate(player.worst):
            chosen, best = Label(one.chosen), Label(one.best)
            said = f"{-one.cost:+.1f}  turn {one.turn}, {one.dice}: {chosen}; better {best}"
            parts.append(_text_element(40, top + 92 + 20 * row, said))
    body = "\n".join(('<rect width="100%" height="100%" fill="white"/>', *parts))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_PICTURE_WIDTH} '
        f'{50 + len(found) * _PLAYER_HEIGHT}" font-family="sans-serif">\n{body}\n</svg>\n'
    )


def _text_element(x: float, y: float, text: str, size: int = 14) -> str:
    return f'<text x="{x}" y="{y}" font-size="{size}">{escape(text)}</text>'
