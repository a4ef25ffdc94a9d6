"""The schematic, drawn by schemdraw from the wiring's own pins.

It is one narrow column, and wires that go far end at a name: so its labels can be read on a phone.
"""

from pathlib import Path

import schemdraw
import schemdraw.elements as elm

from firmware import config as board
from scripts.hardware.building import pins, wiring

# Sizes of text in points. The drawing is some 430 points wide.
NAMES = 14
WORDS = 12

# The lines of the bus: the Pico's GPIO, its signal there, the module's name for it.
BUS = (
    (board.PIN_SCK, "SCK", "CLK"),
    (board.PIN_MOSI, "MOSI", "DIN"),
    (board.PIN_CS, "CS", "CS"),
)
# Pins of the four gates of the 74AHCT125: output enable, input, output.
GATES = ((1, 2, 3), (4, 5, 6), (10, 9, 8), (13, 12, 11))


def _pin(name: str, number: int | str, side: str, slot: str, anchor: str) -> elm.IcPin:
    return elm.IcPin(name=name, pin=str(number), side=side, slot=slot, anchorname=anchor)


def _title(drawing: schemdraw.Drawing, y: float, words: str) -> None:
    drawing += elm.Label().at((0, y)).label(words, "right", fontsize=NAMES, halign="left")


def _pico(drawing: schemdraw.Drawing, top: float) -> None:
    """The Pico: each line of the bus to its gate, ground and 5 V."""
    slots = [
        _pin(f"GP{gp} {signal}", wiring.PICO_PINS[gp], "R", f"{5 - n}/5", f"s{n}")
        for n, (gp, signal, _) in enumerate(BUS)
    ]
    slots.append(_pin("GND", wiring.PICO_GND_PIN, "R", "2/5", "gnd"))
    slots.append(_pin("VBUS", wiring.PICO_VBUS_PIN, "R", "1/5", "vbus"))
    _title(drawing, top, "Raspberry Pi Pico")
    drawing += (chip := elm.Ic(pins=slots, size=(4, 5)).right().at((0, top - 5.6)))
    for n in range(len(BUS)):
        drawing += elm.Line().at(getattr(chip, f"s{n}")).right(1.5)
        drawing += elm.Tag().right().label(f"gate {n + 1}", fontsize=WORDS)
    drawing += elm.Line().at(chip.gnd).right(1.5)
    drawing += elm.Ground()
    drawing += elm.Line().at(chip.vbus).right(1.5)
    drawing += elm.Tag(width=5.4).right().label("+5 V; open with a supply", fontsize=WORDS)


def _gate(drawing: schemdraw.Drawing, y: float, n: int) -> None:
    """One gate of the level shifter, its input held while the Pico starts."""
    enable, given, put = GATES[n]
    gate = (
        elm.Ic(
            pins=[
                _pin("A", given, "L", "1/1", "a"),
                _pin("Y", put, "R", "1/1", "y"),
                _pin("OE", enable, "B", "1/1", "oe"),
            ],
            size=(2, 1.3),
        )
        .right()
        .at((5.6, y))
    )
    drawing += gate
    drawing += elm.Line().at(gate.oe).down(0.2)
    drawing += elm.Ground()
    if n == len(BUS):
        drawing += elm.Line().at(gate.a).left(0.6)
        drawing += elm.Ground()
        drawing += elm.Line().at(gate.y).right(0.4)
        drawing += elm.NoConnect()
        return
    gp, signal, name = BUS[n]
    drawing += elm.Line().at(gate.a).left(1.6)
    knot = drawing.here
    drawing += elm.Dot()
    drawing += elm.Line().left(0.7)
    drawing += elm.Tag().left().label(f"GP{gp}", fontsize=WORDS)
    drawing += elm.Resistor(scale=0.6).at(knot).down(1.3).label("10 kΩ", "bottom", fontsize=WORDS)
    if signal == "CS":
        # While the Pico starts, CS stays high, so that nothing is latched.
        drawing += elm.Line().left(0.6)
        drawing += elm.Tag(width=2).left().label(f"3V3 ({wiring.PICO_3V3_PIN})", fontsize=WORDS)
    else:
        drawing += elm.Ground()
    drawing += elm.Line().at(gate.y).right(0.6)
    drawing += elm.Tag().right().label(name, fontsize=WORDS)


def _modules(drawing: schemdraw.Drawing, top: float) -> None:
    """The first module, and the capacitors of all."""
    slots = [
        _pin(name, "", "L", f"{5 - n}/5", name)
        for n, name in enumerate((*(name for _, _, name in BUS), "VCC", "GND"))
    ]
    slots.append(_pin("DOUT", "", "R", "4/5", "dout"))
    _title(drawing, top, "Module 1 of 16 (MAX7219)")
    drawing += (first := elm.Ic(pins=slots, size=(3.4, 5)).right().at((4, top - 5.6)))
    for n, (_, _, name) in enumerate(BUS):
        drawing += elm.Line().at(getattr(first, name)).left(0.8)
        drawing += elm.Tag().left().label(f"gate {n + 1}", fontsize=WORDS)
    drawing += elm.Line().at(first.VCC).left(0.8)
    drawing += elm.Tag().left().label("+5 V", fontsize=WORDS)
    drawing += elm.Line().at(first.GND).left(0.8)
    drawing += elm.Ground()
    drawing += elm.Line().at(first.dout).right(0.5)
    drawing += elm.Tag(width=2.4).right().label("next DIN", fontsize=WORDS)
    y = top - 8
    for x, value, polar in ((1, "10 µF", True), (4, "100 nF", False), (8, "470 to 1000 µF", True)):
        drawing += elm.Vdd().at((x, y)).label("+5 V", fontsize=WORDS)
        drawing += (
            elm.Capacitor(polar=polar).at((x, y)).down(1.6).label(value, "bottom", fontsize=WORDS)
        )
        drawing += elm.Ground()
    for x, words in ((0, "both at both ends\nof each strip"), (7, "one, where\n5 V begins")):
        drawing += elm.Label().at((x, y - 3.2)).label(words, "right", fontsize=WORDS, halign="left")


def _panel(drawing: schemdraw.Drawing, top: float) -> None:
    """Buttons, lights and buzzer at the Pi's header, and the ring light of its own supply."""
    _title(drawing, top, "Raspberry Pi: pins of its header")
    row = top - 1.6
    for pin in (pin for pin in pins.header() if pin.use):
        words = f"{pin.name} ({pin.number})"
        drawing += elm.Dot(open=True).at((3.2, row)).label(words, "left", fontsize=WORDS)
        if pin.kind == "button":
            drawing += elm.Button().right(2.6)
        else:
            ohms = "330 Ω" if pin.kind == "light" else "100 Ω"
            drawing += elm.Resistor(scale=0.7).right(1.6).label(ohms, fontsize=WORDS)
            drawing += elm.LED().right(1.6) if pin.kind == "light" else elm.Line().right(1)
        if pin.kind == "buzzer":
            drawing += elm.Speaker().right()
            drawing += elm.Ground().at(drawing.elements[-1].in2)
        else:
            drawing += elm.Line().right(0.3)
            drawing += elm.Ground(scale=0.7)
        drawing += (
            elm.Label().at((7.4, row - 0.1)).label(pin.use, "right", fontsize=WORDS, halign="left")
        )
        row -= 1.35
    row -= 1.2
    _title(drawing, row + 1, "Ring light, no ground shared")
    drawing += (supply := elm.SourceV().at((3, row - 3)).up(2.4))
    drawing += elm.Label().at((2.3, row - 1.8)).label("12 V supply", "left", fontsize=WORDS)
    drawing += elm.Switch().at(supply.end).right(2.4)
    drawing += elm.LED().down(2.4)
    drawing += elm.Line().to(supply.start)


def write(path: Path) -> Path:
    """Writes the schematic as SVG."""
    schemdraw.use("svg")
    with schemdraw.Drawing(file=str(path), show=False, fontsize=WORDS, unit=2) as drawing:
        _pico(drawing, 0)
        _title(drawing, -7, "Level shifter 74AHCT125: 14 to +5 V,")
        _title(drawing, -7.6, "7 to GND, 100 nF between them")
        for n in range(len(GATES)):
            _gate(drawing, -9.8 - 2.9 * n, n)
        _modules(drawing, -21.4)
        _panel(drawing, -34)
    return path
