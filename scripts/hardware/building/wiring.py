"""The wiring to the last pin: harnesses with cut lengths, the level shifter, the FC-16's layout.

Pins of the Pi come from the configuration's defaults, those of the Pico from its firmware's
settings, lengths from the sizes of what is built.
"""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from io import StringIO
from math import ceil
from textwrap import wrap

from appliance.devices.flash.layouts import LAYOUTS
from firmware import config as board
from scripts.hardware.building import parts, pins, sizes
from scripts.hardware.building.sketch import Sketch

PICO_PINS = (*range(1, 3), *range(4, 8), *range(9, 13), *range(14, 18), 19, 20)
PICO_PINS += (21, 22, 24, 25, 26, 27, 29)
"""Pins of GP0 to GP22 on the Pico, from its data sheet's pinout."""
PICO_GND_PIN = 23
PICO_3V3_PIN = 36
PICO_VBUS_PIN = 40

FC16 = LAYOUTS["fc16"].settings()
"""Settings for four FC-16 strips of four: seen from the front DIN is at the right of the upper
strips; the lower strips are upside down, so that the wires from row to row are short."""

THIN_WIRE_MM2 = 0.25
"""Copper cross-section of wires for which nothing else is given, square millimetres."""

INK = {
    "red": "#c22",
    "black": "#222",
    "blue": "#27c",
    "green": "#292",
    "yellow": "#c90",
    "orange": "#e70",
    "white": "#999",
    "violet": "#83c",
}
_WIDE = 130.0
_COLOURS = ("blue", "green", "yellow", "orange", "white", "violet")


@dataclass(frozen=True, slots=True)
class Wire:
    """A wire.

    Attributes:
        start: where it begins.
        end: where it ends.
        colour: of its insulation.
        length: to cut, millimetres.
        area: cross-section of its copper, square millimetres.
    """

    start: str
    end: str
    colour: str
    length: int
    area: float = THIN_WIRE_MM2


@dataclass(frozen=True, slots=True)
class Harness:
    """Wires that run together."""

    name: str
    wires: tuple[Wire, ...]


def cut(way: float) -> int:
    """Millimetres to cut for a run: a tenth and 60 more for bends and ends, rounded up to 10."""
    return ceil((1.1 * way + 60) / 10) * 10


def to_panel() -> float:
    """The run from the Pi, half way up the column, to the opening of the panel's box."""
    down = (sizes.FOOT_BASE + parts.arm_height()) / 2
    near = sizes.OPENING[1] / 2 + sizes.PLATE + sizes.BOARD_EDGE + 25
    return down + parts.column_middle() + near


def to_ring() -> float:
    """The run from the table up the column and along the arm to the notch of the lamp's channel."""
    return parts.arm_height() + sizes.BOARD + parts.column_middle()


def pico_pin(gp: int) -> str:
    """A pin of the Pico by its GP number, as tables write it."""
    return f"Pico GP{gp} (pin {PICO_PINS[gp]})"


SHIFTER: tuple[tuple[int, str, str], ...] = (
    (1, "1OE", "GND"),
    (2, "1A", f"{pico_pin(board.PIN_SCK)}, SCK; 10 kΩ to GND"),
    (3, "1Y", "CLK of the first module"),
    (4, "2OE", "GND"),
    (5, "2A", f"{pico_pin(board.PIN_MOSI)}, MOSI; 10 kΩ to GND"),
    (6, "2Y", "DIN of the first module"),
    (7, "GND", "GND"),
    (8, "3Y", "CS of the first module"),
    (9, "3A", f"{pico_pin(board.PIN_CS)}, CS; 10 kΩ to the Pico's 3V3 (pin {PICO_3V3_PIN})"),
    (10, "3OE", "GND"),
    (11, "4Y", "open"),
    (12, "4A", "GND"),
    (13, "4OE", "GND"),
    (14, "VCC", "+5 V; 100 nF to GND, close to the chip"),
)
"""The 74AHCT125: pin, name, where it goes."""


def _panel() -> Iterator[Harness]:
    holes = {name: (x, y) for name, x, y, _ in parts.holes()}
    way = to_panel()
    used = [pin for pin in pins.header() if pin.use]

    def length(hole: str) -> int:
        x, y = holes[hole]
        return cut(way + abs(x - sizes.PANEL[0] / 2) + y)

    for kind, what in (
        ("button", "Pi to buttons"),
        ("light", "Pi to lights, 330 Ω before the long leg"),
    ):
        wires = []
        for n, pin in enumerate(pin for pin in used if pin.kind == kind):
            hole = pin.use.replace("light of ", "").replace("hold ", "")
            end = f"{kind} {hole}"
            start = f"Pi {pin.name} (pin {pin.number})"
            at = length(hole if kind == "button" else f"light {hole}")
            wires.append(Wire(start, end, _COLOURS[n % len(_COLOURS)], at))
        ground = "39" if kind == "button" else "34"
        far = "BACK" if kind == "button" else "light P"
        chain = "other contact of every button" if kind == "button" else "short leg of every light"
        wires.append(Wire(f"Pi GND (pin {ground})", chain, "black", length(far)))
        links = sum(pin.kind == kind for pin in used) - 1
        wires.append(Wire(f"{links} links to the next {kind}", "", "black", cut(sizes.PITCH)))
        yield Harness(what, tuple(wires))
    buzzer = next(pin for pin in used if pin.kind == "buzzer")
    yield Harness(
        "Pi to buzzer, if there is one",
        (
            Wire(f"Pi {buzzer.name} (pin {buzzer.number})", "100 Ω, then buzzer", "violet", 150),
            Wire("Pi GND (pin 20)", "buzzer, other leg", "black", 150),
        ),
    )


def _scoreboard() -> Iterator[Harness]:
    wide = parts.front_size()[0]
    yield Harness(
        "Pico to level shifter",
        (
            Wire(pico_pin(board.PIN_SCK), "74AHCT125 pin 2", "blue", cut(50)),
            Wire(pico_pin(board.PIN_MOSI), "74AHCT125 pin 5", "green", cut(50)),
            Wire(pico_pin(board.PIN_CS), "74AHCT125 pin 9", "yellow", cut(50)),
            Wire(
                f"Pico 3V3 (pin {PICO_3V3_PIN})", "10 kΩ, then 74AHCT125 pin 9", "orange", cut(50)
            ),
            Wire(f"Pico GND (pin {PICO_GND_PIN})", "74AHCT125 pin 7", "black", cut(50)),
        ),
    )
    yield Harness(
        "Level shifter to the first strip (upper right, seen from the front)",
        (
            Wire("74AHCT125 pin 3", "CLK", "blue", cut(90)),
            Wire("74AHCT125 pin 8", "CS", "yellow", cut(90)),
            Wire("74AHCT125 pin 6", "DIN", "green", cut(90)),
        ),
    )
    for name, way in (
        ("First strip to second (beside it), third to fourth", 15.0),
        ("Second strip to third (below it, upside down)", sizes.MODULE + 20),
    ):
        signals = (("CLK", "blue"), ("CS", "yellow"), ("GND", "black"), ("VCC", "red"))
        wires = [Wire(signal, signal, colour, cut(way)) for signal, colour in signals]
        wires.insert(2, Wire("DOUT", "DIN", "green", cut(way)))
        yield Harness(name, tuple(wires))
    yield Harness(
        "5 V to the modules, 470 to 1000 µF across it where it begins",
        (
            Wire("+5 V", "VCC of the first strip and of the fourth", "red", cut(140), 0.75),
            Wire("+5 V", "VCC between second strip and third", "red", cut(wide), 0.75),
            Wire("GND", "GND of the first strip and of the fourth", "black", cut(140), 0.75),
            Wire("GND", "GND between second strip and third", "black", cut(wide), 0.75),
            Wire("+5 V", "74AHCT125 pin 14", "red", cut(60)),
            Wire("GND", "74AHCT125 pin 7", "black", cut(60)),
        ),
    )


def _ring() -> Harness:
    return Harness(
        "Ring light, which shares no wire with the rest",
        (
            Wire("12 V supply +", "ring +", "red", cut(to_ring())),
            Wire("12 V supply −", "ring −", "black", cut(to_ring())),
        ),
    )


def harnesses() -> list[Harness]:
    """All harnesses."""
    return [*_panel(), *_scoreboard(), _ring()]


def _thick(wire: Wire) -> str:
    return "" if wire.area == THIN_WIRE_MM2 else f" ({wire.area:g} mm²)"


def shifter_list() -> str:
    """The level shifter's pins as a list: those that go to the same place in one line."""
    pins_of: dict[str, list[str]] = {}
    for pin, name, goes in SHIFTER:
        pins_of.setdefault(goes, []).append(f"{pin} ({name})")
    return "\n".join(f"- {', '.join(found)}: {goes}" for goes, found in pins_of.items())


def drawing() -> Sketch:
    """All harnesses: both ends of each wire, its colour and its length; narrow, for a phone."""
    made = [(wrap(harness.name, 46), harness.wires) for harness in harnesses()]
    high = 14 + sum(6 * len(name) + 6 + 13 * len(wires) for name, wires in made)
    sketch = Sketch(_WIDE, high, "Harnesses: lengths to cut, in mm")
    top = 18.0
    for name, wires in made:
        for line in name:
            sketch.raw(_large(4, top, line, "bold"))
            top += 6
        for wire in wires:
            _wire(sketch, wire, top)
            top += 13
        top += 6
    return sketch


def _large(x: float, y: float, words: str, weight: str = "normal", anchor: str = "start") -> str:
    """Words that can be read where the sheet is as wide as a phone."""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" '
        f'style="font-size:4.4px;font-weight:{weight}">{words}</text>'
    )


def _wire(sketch: Sketch, wire: Wire, y: float) -> None:
    wide = 1.6 if wire.area > 0.5 else 0.9
    sketch.raw(_large(4, y, wire.start))
    sketch.raw(_large(_WIDE - 4, y, wire.end, anchor="end"))
    sketch.raw(f'<path d="M4 {y + 3:.1f}H50" stroke="{INK[wire.colour]}" stroke-width="{wide}"/>')
    sketch.raw(_large(54, y + 4.8, f"{wire.colour}, {wire.length}{_thick(wire)}"))


def table() -> str:
    """All wires as comma-separated values: a line each, in the order of the drawing."""
    lines = StringIO()
    writer = csv.writer(lines, lineterminator="\n")
    writer.writerow(("harness", "from", "to", "colour", "length in mm", "copper in mm²"))
    for harness in harnesses():
        for wire in harness.wires:
            ends = (wire.start, wire.end)
            writer.writerow((harness.name, *ends, wire.colour, wire.length, wire.area))
    return lines.getvalue()
