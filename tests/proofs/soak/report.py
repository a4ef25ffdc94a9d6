"""Findings of a soak, as tables and as a picture (SVG)."""

from collections.abc import Callable, Iterator, Sequence
from xml.sax.saxutils import escape

from tests.proofs.soak.flatness import WARM_UP, Sample, Verdict

_PAGE_WIDTH = 720
_CURVE_HEIGHT = 110
_LEFT_MARGIN = 150
_CURVE_GAP = 26

_CURVES: tuple[tuple[str, Callable[[Sample], float]], ...] = (
    ("memory, MB", lambda s: s.memory / 1e6),
    ("file handles", lambda s: s.handles),
    ("threads", lambda s: s.threads),
    ("Python objects, 1000", lambda s: s.objects / 1e3),
    ("games on disk, kB", lambda s: s.games_bytes / 1e3),
    ("other files, kB", lambda s: s.other_bytes / 1e3),
)


def growth_table(verdicts: Sequence[Verdict]) -> Iterator[str]:
    """A row for each measured quantity, as Markdown."""
    yield "| what | after warm-up | at the end | most | growth | may grow | |"
    yield "|---|---|---|---|---|---|---|"
    for v in verdicts:
        bound = v.bound
        cells = [f"{value / bound.scale:.6g}" for value in (v.first, v.last, v.peak)]
        cells += [f"{v.growth / bound.scale:.2g}"]
        cells += [f"{'up to ' if bound.capped else ''}{bound.most / bound.scale:.2g}"]
        name = f"{bound.name}, {bound.unit}" if bound.unit else bound.name
        yield f"| {name} | {' | '.join(cells)} | {'flat' if v.flat else 'GROWS'} |"


def svg(samples: Sequence[Sample]) -> str:
    """Curves of everything measured, over minutes; the warm-up is grey."""
    height = len(_CURVES) * (_CURVE_HEIGHT + _CURVE_GAP) + 30
    end_s = max((s.time_s for s in samples), default=1.0) or 1.0
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_PAGE_WIDTH} {height}" '
        'font-family="sans-serif" font-size="13">',
        f'<rect width="{_PAGE_WIDTH}" height="{height}" fill="white"/>',
    ]
    for number, (name, of) in enumerate(_CURVES):
        top = number * (_CURVE_HEIGHT + _CURVE_GAP) + 10
        parts += _curve(name, [(s.time_s / end_s, of(s)) for s in samples], top)
    below = len(_CURVES) * (_CURVE_HEIGHT + _CURVE_GAP) + 14
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        x = _LEFT_MARGIN + share * (_PAGE_WIDTH - _LEFT_MARGIN - 20)
        minutes = share * end_s / 60
        parts.append(f'<text x="{x:.0f}" y="{below}" text-anchor="middle">{minutes:.3g} min</text>')
    return "\n".join((*parts, "</svg>\n"))


def _curve(name: str, points: Sequence[tuple[float, float]], top: int) -> Iterator[str]:
    width = _PAGE_WIDTH - _LEFT_MARGIN - 20
    most = max((value for _, value in points), default=0.0) * 1.1 or 1.0
    yield (
        f'<rect x="{_LEFT_MARGIN}" y="{top}" width="{width}" height="{_CURVE_HEIGHT}" fill="none" '
        'stroke="#bbb"/>'
    )
    yield (
        f'<rect x="{_LEFT_MARGIN}" y="{top}" '
        f'width="{WARM_UP * width:.0f}" height="{_CURVE_HEIGHT}" '
        'fill="#eeeeee"/>'
    )
    x, grey = _LEFT_MARGIN - 10, 'text-anchor="end" fill="#666"'
    yield f'<text x="{x}" y="{top + 56}" text-anchor="end">{escape(name)}</text>'
    yield f'<text x="{x}" y="{top + 12}" {grey}>{most:.4g}</text>'
    yield f'<text x="{x}" y="{top + _CURVE_HEIGHT}" {grey}>0</text>'
    line = " ".join(
        f"{_LEFT_MARGIN + x * width:.1f},{top + _CURVE_HEIGHT * (1 - value / most):.1f}"
        for x, value in points
    )
    yield f'<polyline points="{line}" fill="none" stroke="#2a5db0" stroke-width="1.5"/>'
