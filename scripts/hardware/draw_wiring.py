#!/usr/bin/env python3
"""Draws how the scoreboard's modules are chained and powered, from the firmware's own settings.

    .venv/bin/python scripts/hardware/draw_wiring.py [--out docs/pictures]

It writes scoreboard-chain.svg, scoreboard-selftest.svg and scoreboard-current.svg, narrow enough
for their words to be read on a phone. building/schematic.py draws the wiring.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "firmware")]

import config  # noqa: E402
import screens  # noqa: E402
from max7219 import Chain, chain_places  # noqa: E402

from appliance.devices.flash.layouts import LAYOUTS  # noqa: E402
from appliance.picture import HEIGHT, WIDTH, Picture  # noqa: E402
from scripts.hardware.building.power import lights_ma  # noqa: E402
from simulator.pico.max7219 import ChipChain  # noqa: E402
from tests.rigs.wiring import Wiring  # noqa: E402

WIDE = 460
"""Width of a drawing; a phone shows it at 0.8 of this size."""
STYLE = (
    "text{font:13px sans-serif;fill:#222}.s{font-size:11px;fill:#555}.b{fill:#fff;stroke:#333;"
    "stroke-width:1.5}.w{fill:none;stroke-width:2.5}.r{stroke:#c22}.k{stroke:#222}.c{stroke:#27c}"
    ".m{text-anchor:middle}.e{text-anchor:end}"
)


def svg(width: int, height: int, parts: Sequence[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}"><style>{STYLE}</style><rect width="100%" height="100%" fill="#fff"/>'
        f"<defs><marker id='a' viewBox='0 0 8 8' refX='7' refY='4' markerWidth='6' "
        f"markerHeight='6' orient='auto'><path d='M0 0L8 4L0 8z' fill='#27c'/></marker></defs>"
        + "\n".join(parts)
        + "</svg>\n"
    )


def text(x: float, y: float, words: str, kind: str = "") -> str:
    return f'<text x="{x}" y="{y}" class="{kind}">{words}</text>'


def box(x: float, y: float, width: float, height: float) -> str:
    return f'<rect class="b" x="{x}" y="{y}" width="{width}" height="{height}" rx="5"/>'


# Round from the middle: every cable is short.
ROUND = [
    *[(3 - c, 0, 2) for c in range(4)],
    *[(c, 1, 0) for c in range(8)],
    *[(7 - c, 0, 2) for c in range(4)],
]

CHAINS: tuple[tuple[str, dict[str, object]], ...] = (
    *((f"{layout.name}: {layout.title}", layout.settings()) for layout in LAYOUTS.values()),
    ("four rows of four, two snakes: STRIP = 4", {"STRIP": 4}),
    ("anything else: ORDER is a list of places", {"ORDER": ROUND}),
)


def chains() -> Iterator[str]:
    """The order of the modules for a few settings; each number is turned like its module."""
    size = 44
    yield text(10, 22, "Seen from the front; the grey line is where digit 0 is.", "s")
    base = {name: value for name, value in vars(config).items() if name.isupper()}
    for n, (title, changes) in enumerate(CHAINS):
        top = 62 + 135 * n
        yield text(10, top - 10, title)
        places = chain_places(SimpleNamespace(**{**base, **changes}))
        middles = []
        for number, (column, row, turns) in enumerate(places, 1):
            x, y = 10 + column * (size + 6), top + row * (size + 6)
            middle = (x + size / 2, y + size / 2)
            middles.append(middle)
            yield box(x, y, size, size)
            yield (
                f'<g transform="rotate({90 * turns} {middle[0]} {middle[1]})">'
                f"{text(middle[0], y + 17, str(number), 'm')}"
                f'<path d="M{x + 8} {y + 4}h{size - 16}" stroke="#999"/></g>'
            )
        for (x0, y0), (x1, y1) in pairwise(middles):
            yield (
                f'<path d="M{x0} {y0}L{x1} {y1}" stroke="#27c" stroke-width="1.5" '
                'opacity="0.55" marker-end="url(#a)"/>'
            )


MISTAKES: tuple[tuple[str, Wiring], ...] = (
    ("as it should be", Wiring()),
    ("needs --layout fc16-rows", Wiring(snake=False)),
    ("needs --layout generic", Wiring(snake=False, rotation=90)),
    ("needs --layout icstation", Wiring(rotation=180)),
    ("needs --layout parola", Wiring(snake=False, mirrored=True)),
    ("needs --layout rows", Wiring(snake=False, start="top-left")),
    ("the lower row is upright: SNAKE_TURNS = False", Wiring(snake_turns=False)),
    ('begins at the lower left: START = "bottom-left"', Wiring(start="bottom-left")),
    ("four rows of four: STRIP = 4", Wiring(strip=4)),
    ("segment lines from right to left: MIRRORED = True", Wiring(mirrored=True)),
)


class Bus:
    """The bus that the firmware's chain writes to: chips that are wired in a given way."""

    def __init__(self, wiring: Wiring) -> None:
        self.chips = ChipChain(wiring.light)

    def write(self, data: bytes) -> None:
        """SPI."""
        self.chips.shift(bytes(data))

    def select(self, level: int) -> None:
        """The CS pin."""
        if level:
            self.chips.latch()


def self_test(wiring: Wiring) -> Picture:
    """The last picture of the self-test of a board with the default settings, wired like this."""
    bus = Bus(wiring)
    chain = Chain(bus, bus.select, config)
    chain.load(screens.Screens(config.COLUMNS, config.ROWS).self_test(screens.SELF_TEST_STEPS - 1))
    chain.refresh()
    return Picture(bus.chips.lights().data)


def self_tests() -> Iterator[str]:
    """The pictures of the self-test if the settings are the default ones and the wiring is not."""
    size = 5
    for n, (title, wiring) in enumerate(MISTAKES):
        left, top = 10, 30 + 120 * n
        yield text(left, top - 10, title)
        yield f'<rect x="{left}" y="{top}" width="{size * WIDTH}" height="{size * HEIGHT}"/>'
        picture = self_test(wiring)
        lit = (
            f"M{left + size * x + 1} {top + size * y + 1}h3v3h-3z"
            for y in range(HEIGHT)
            for x in range(WIDTH)
            if picture.is_lit(x, y)
        )
        yield f'<path d="{"".join(lit)}" fill="#f33"/>'
        for x in range(8, WIDTH, 8):
            yield f'<path d="M{left + size * x} {top}v{size * HEIGHT}" stroke="#555"/>'
        yield f'<path d="M{left} {top + size * 8}h{size * WIDTH}" stroke="#555"/>'


def current_ma(lights: int, brightness: int) -> float:
    """Mean current of the lights, from the firmware's segment current."""
    return lights_ma(lights, brightness, config.SEGMENT_MA)


def currents() -> str:
    """Current against brightness for a usual screen, half the lights and all of them."""
    left, bottom, width, height, top = 48, 350, 330, 310, 5000
    lines = (("#27c", 200), ("#292", 512), ("#c22", 1024))

    def at(brightness: float, ma: float) -> tuple[float, float]:
        return left + width * brightness / 15, bottom - height * ma / top

    parts = [text(left, 22, "current of the lights, mA, over the brightness")]
    for ma in range(0, top + 1, 1000):
        y = at(0, ma)[1]
        parts += [
            f'<path d="M{left} {y}h{width}" stroke="#ddd"/>',
            text(left - 8, y + 4, str(ma), "e"),
        ]
    for brightness in range(16):
        parts.append(text(at(brightness, 0)[0], bottom + 18, str(brightness), "m s"))
    for colour, lights in lines:
        points = [at(b, current_ma(lights, b)) for b in range(16)]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        parts.append(
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2.5"/>'
        )
        parts.append(text(points[-1][0] + 8, points[-1][1] + 4, f"{lights} lights"))
    for name, ma, at_x, kind in (
        ("CURRENT_LIMIT_MA, from USB", config.CURRENT_LIMIT_MA, width, "s e"),
        ("from a 4 A supply", 3500, 6, "s"),
    ):
        y = at(0, ma)[1]
        parts.append(f'<path d="M{left} {y}h{width}" stroke="#b70" stroke-dasharray="6 4"/>')
        parts.append(text(left + at_x, y - 5, f"{name}: {ma} mA", kind))
    x = at(config.BRIGHTNESS_LIMIT, 0)[0]
    parts.append(f'<path d="M{x} {bottom}v{-height}" stroke="#b70" stroke-dasharray="6 4"/>')
    parts.append(text(x - 5, 52, f"BRIGHTNESS_LIMIT: {config.BRIGHTNESS_LIMIT}", "s e"))
    return svg(WIDE, 385, parts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "pictures")
    out: Path = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    (out / "scoreboard-chain.svg").write_text(svg(WIDE, 52 + 135 * len(CHAINS), list(chains())))
    (out / "scoreboard-selftest.svg").write_text(
        svg(340, 10 + 120 * len(MISTAKES), list(self_tests()))
    )
    (out / "scoreboard-current.svg").write_text(currents())


if __name__ == "__main__":
    main()
