"""The schematic, drawn by schemdraw from the wiring's own pins."""

from pathlib import Path

import schemdraw
import schemdraw.elements as elm

from firmware import config as board
from scripts.hardware.building import pins, wiring


def _pin(name: str, number: int | str, side: str, slot: str, anchor: str) -> elm.IcPin:
    return elm.IcPin(name=name, pin=str(number), side=side, slot=slot, anchorname=anchor)


def _scoreboard(drawing: schemdraw.Drawing) -> None:
    """Pico, level shifter and the first modules."""
    signals = (board.PIN_SCK, board.PIN_MOSI, board.PIN_CS)
    names = ("SCK", "MOSI", "CS")
    pico = [
        _pin(f"GP{gp} {name}", wiring.PICO_PINS[gp], "R", f"{5 - n}/5", f"s{n}")
        for n, (gp, name) in enumerate(zip(signals, names, strict=True))
    ]
    pico.append(_pin("GND", wiring.PICO_GND_PIN, "R", "2/5", "gnd"))
    pico.append(_pin("VBUS", wiring.PICO_VBUS_PIN, "R", "1/5", "vbus"))
    drawing += (
        chip := elm.Ic(pins=pico, size=(4, 6)).label("Raspberry Pi Pico", "top").right().at((0, 0))
    )
    outs = []
    for n, (enable, inp, out) in enumerate(((1, 2, 3), (4, 5, 6), (10, 9, 8), (13, 12, 11))):
        y = 6.2 - 2.9 * n
        gate = (
            elm.Ic(
                pins=[
                    _pin("A", inp, "L", "1/1", "a"),
                    _pin("Y", out, "R", "1/1", "y"),
                    _pin("OE", enable, "B", "1/1", "oe"),
                ],
                size=(2, 1.2),
            )
            .right()
            .at((9, y))
        )
        drawing += gate
        drawing += elm.Line().at(gate.oe).down(0.2)
        drawing += elm.Ground()
        if n < 3:
            drawing += elm.Wire("-|-", k=1.2 + 0.5 * n).at(getattr(chip, f"s{n}")).to(gate.a)
            knot = (gate.a[0] - 0.9, gate.a[1])
            drawing += elm.Dot().at(knot)
            drawing += (
                elm.Resistor(scale=0.6).at(knot).down(1.3).label("10 kΩ", fontsize=9, loc="bottom")
            )
            if names[n] == "CS":
                # While the Pico starts, CS stays high, so that nothing is latched.
                drawing += elm.Line().left(0.6).label(f"3V3 ({wiring.PICO_3V3_PIN})", "left")
            else:
                drawing += elm.Ground()
            outs.append(gate.y)
        else:
            drawing += elm.Line().at(gate.a).left(0.6)
            drawing += elm.Ground()
            drawing += elm.Line().at(gate.y).right(0.4)
            drawing += elm.NoConnect()
    words = "74AHCT125: pin 14 to +5 V, pin 7 to GND,\n100 nF between them"
    drawing += elm.Label().at((10, 8.2)).label(words)
    modules = [
        _pin(name, "", "L", f"{5 - n}/5", name)
        for n, name in enumerate(("CLK", "DIN", "CS", "VCC", "GND"))
    ]
    modules.append(_pin("DOUT", "", "R", "4/5", "dout"))
    drawing += (
        first := elm.Ic(pins=modules, size=(3, 6))
        .label("module 1 of 16\n(MAX7219)", "top")
        .right()
        .at((16, 0))
    )
    for n, name in enumerate(("CLK", "DIN", "CS")):
        drawing += elm.Wire("-|-", k=1.6 - 0.4 * n).at(outs[n]).to(getattr(first, name))
    drawing += elm.Line().at(first.dout).right(0.8).label("DIN of the\nnext one", "right")
    drawing += elm.Line().at(first.VCC).left(0.6)
    drawing += elm.Vdd().label("+5 V")
    drawing += elm.Line().at(first.GND).left(0.6)
    drawing += elm.Ground()
    drawing += elm.Line().at(chip.gnd).right(0.5)
    drawing += elm.Ground()
    drawing += elm.Line().at(chip.vbus).right(0.5)
    drawing += elm.Line().down(0.9)
    drawing += elm.Vdd().flip().label("+5 V, or open\nwith a supply", "bottom", fontsize=9)
    drawing += elm.Capacitor(polar=True).at((23, 3)).down(2).label("10 µF")
    drawing += elm.Ground()
    drawing += elm.Vdd().at((23, 3)).label("+5 V")
    drawing += elm.Capacitor().at((25.5, 3)).down(2).label("100 nF")
    drawing += elm.Ground()
    drawing += elm.Vdd().at((25.5, 3)).label("+5 V")
    drawing += elm.Label().at((24.6, -0.6)).label("both at both ends of each strip", fontsize=10)
    drawing += elm.Capacitor(polar=True).at((28, 3)).down(2).label("470 to\n1000 µF")
    drawing += elm.Ground()
    drawing += elm.Vdd().at((28, 3)).label("+5 V")
    drawing += elm.Label().at((28.6, -0.6)).label("one, where 5 V begins", fontsize=10)


def _panel(drawing: schemdraw.Drawing) -> None:
    """Buttons, lights and buzzer at the Pi's header."""
    used = [pin for pin in pins.header() if pin.use]
    top = -6.5
    drawing += elm.Label().at((3, top + 1.2)).label("Raspberry Pi: pins of its header")
    columns = {"button": 0.0, "light": 11.0, "buzzer": 11.0}
    rows = {"button": 0, "light": 0, "buzzer": 7}
    for pin in used:
        x, y = columns[pin.kind] + 4, top - 1.3 * rows[pin.kind]
        rows[pin.kind] += 1
        words = f"{pin.name} ({pin.number})"
        drawing += elm.Dot(open=True).at((x, y)).label(words, "left", fontsize=11)
        if pin.kind == "button":
            drawing += elm.Button().at((x, y)).right(2.4).label(pin.use, "top", fontsize=10)
        elif pin.kind == "light":
            drawing += elm.Resistor().at((x, y)).right(2).label("330 Ω", fontsize=9)
            drawing += elm.LED().right(2.2)
        else:
            drawing += elm.Resistor().at((x, y)).right(2).label("100 Ω", fontsize=9)
            drawing += elm.Speaker().right().label("buzzer", "right", fontsize=10)
            drawing += elm.Ground().at(drawing.elements[-1].in2)
            continue
        drawing += elm.Line().right(0.4)
        drawing += elm.Ground(scale=0.7)
        if pin.kind == "light":
            drawing += elm.Label().at((x + 5.7, y)).label(pin.use, "center", fontsize=10)
    x = 25.0
    drawing += (supply := elm.SourceV().at((x, top - 6)).up(3).label("12 V supply"))
    drawing += elm.Switch().at(supply.end).right(2.4)
    drawing += elm.LED().down(3).label("ring\nlight", "bottom")
    drawing += elm.Line().to(supply.start)
    drawing += elm.Label().at((x + 1, top - 7.2)).label("no ground shared", fontsize=10)


def write(path: Path) -> Path:
    """Writes the schematic as SVG."""
    schemdraw.use("svg")
    with schemdraw.Drawing(file=str(path), show=False, fontsize=12, unit=2) as drawing:
        _scoreboard(drawing)
        _panel(drawing)
    return path
