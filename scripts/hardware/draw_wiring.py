#!/usr/bin/env python3
"""Draws how the scoreboard is wired, chained and powered, from the firmware's own settings.

    .venv/bin/python scripts/hardware/draw_wiring.py [--out docs/pictures]

It writes scoreboard-wiring.svg, scoreboard-chain.svg, scoreboard-selftest.svg and
scoreboard-current.svg.
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

STYLE = (
    "text{font:13px sans-serif;fill:#222}.s{font-size:11px;fill:#555}.b{fill:#fff;stroke:#333;"
    "stroke-width:1.5}.w{fill:none;stroke-width:2.5}.r{stroke:#c22}.k{stroke:#222}.c{stroke:#27c}"
    ".d{stroke:#292}.y{stroke:#b70}.m{text-anchor:middle}.e{text-anchor:end}"
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


def wire(kind: str, *points: tuple[float, float]) -> str:
    return f'<polyline class="w {kind}" points="{" ".join(f"{x},{y}" for x, y in points)}"/>'


def wiring() -> str:
    """Pico, level shifter, first modules, supply."""
    parts = [box(150, 60, 110, 230), text(205, 82, "Raspberry Pi", "m"), text(205, 98, "Pico", "m")]
    parts += [box(345, 60, 110, 165), text(400, 82, "74AHCT125", "m"), text(400, 98, "at 5 V", "m")]
    signals = [
        ("c", f"GP{config.PIN_SCK} SCK", "CLK"),
        ("d", f"GP{config.PIN_MOSI} MOSI", "DIN"),
        ("y", f"GP{config.PIN_CS} CS", "LOAD"),
    ]
    for n, (kind, pin, name) in enumerate(signals):
        y = 125 + 32 * n
        parts += [wire(kind, (260, y), (345, y)), text(254, y - 5, pin, "e s")]
        parts += [wire(kind, (455, y), (530, y)), text(462, y - 5, name, "s")]
    for n in range(3):
        x = 530 + 105 * n
        parts += [box(x, 105, 78, 105), text(x + 39, 155, f"module {n + 1}", "m")]
        if n:
            parts += [wire("d", (x - 27, 157), (x, 157))]
            parts += [wire("c", (x - 27, 125), (x, 125)), wire("y", (x - 27, 189), (x, 189))]
    parts += [text(842, 150, "… to 16", ""), text(530, 95, "each DOUT to the next DIN", "s")]
    parts += [box(20, 60, 90, 60), text(65, 86, "Raspberry", "m"), text(65, 102, "Pi, USB", "m")]
    parts += [wire("k", (110, 90), (150, 90)), text(112, 54, "USB: data, 5 V for the Pico", "s")]
    parts += [box(20, 330, 130, 60), text(85, 356, "supply 5 V", "m"), text(85, 374, "4 A", "m")]
    parts += [wire("r", (150, 345), (860, 345)), wire("k", (150, 378), (860, 378))]
    parts += [text(800, 338, "VCC: both ends", "s"), text(800, 395, "GND: both ends", "s")]
    for x in (569, 674, 779):
        parts += [wire("r", (x - 14, 210), (x - 14, 345)), wire("k", (x + 14, 210), (x + 14, 378))]
    parts += [wire("r", (385, 225), (385, 345)), wire("k", (415, 225), (415, 378))]
    parts += [wire("k", (205, 290), (205, 378)), text(212, 315, "GND, common to all", "s")]
    parts += [text(150, 420, "100 nF and 10 µF between VCC and GND at every second module", "s")]
    parts += [
        text(20, 250, f"GP{config.PIN_SERVICE} to GND", "s"),
        text(20, 264, "at start: REPL", "s"),
    ]
    parts += [wire("k", (110, 255), (150, 255))]
    return svg(900, 435, parts)


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
    base = {name: value for name, value in vars(config).items() if name.isupper()}
    for n, (title, changes) in enumerate(CHAINS):
        top = 40 + 165 * n
        yield text(30, top - 10, title)
        places = chain_places(SimpleNamespace(**{**base, **changes}))
        middles = []
        for number, (column, row, turns) in enumerate(places, 1):
            x, y = 30 + column * (size + 6), top + row * (size + 6)
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
        yield text(30 + 8 * (size + 6) + 10, top + 28, "seen from the front; the line", "s")
        yield text(30 + 8 * (size + 6) + 10, top + 42, "is where digit 0 is", "s")


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
        left, top = 20 + 370 * (n % 2), 40 + 125 * (n // 2)
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
    left, bottom, width, height, top = 70, 350, 560, 310, 5000
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
    for name, ma in (
        ("CURRENT_LIMIT_MA, from USB", config.CURRENT_LIMIT_MA),
        ("from a 4 A supply", 3500),
    ):
        y = at(0, ma)[1]
        parts.append(f'<path d="M{left} {y}h{width}" stroke="#b70" stroke-dasharray="6 4"/>')
        parts.append(text(left + 6, y - 5, f"{name}: {ma} mA", "s"))
    x = at(config.BRIGHTNESS_LIMIT, 0)[0]
    parts.append(f'<path d="M{x} {bottom}v{-height}" stroke="#b70" stroke-dasharray="6 4"/>')
    parts.append(text(x + 5, 60, f"BRIGHTNESS_LIMIT: {config.BRIGHTNESS_LIMIT}", "s"))
    return svg(740, 385, parts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "pictures")
    out: Path = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    (out / "scoreboard-wiring.svg").write_text(wiring())
    (out / "scoreboard-chain.svg").write_text(svg(720, 40 + 165 * len(CHAINS), list(chains())))
    rows = (len(MISTAKES) + 1) // 2
    (out / "scoreboard-selftest.svg").write_text(svg(730, 20 + 125 * rows, list(self_tests())))
    (out / "scoreboard-current.svg").write_text(currents())


if __name__ == "__main__":
    main()
