"""Where every wire of the scoreboard and of the panel goes, seen from behind, in its colour.

The wires are those of `wiring.harnesses`, so that a wire that is not drawn cannot be in the table.
Sheets are narrow, for words that can be read on a phone.
"""

import re
from collections.abc import Iterator, Sequence

from scripts.hardware.building import parts, sizes, wiring
from scripts.hardware.building.sketch import Sketch
from scripts.hardware.building.wiring import INK, Wire

Point = tuple[float, float]

_WIDE = 130.0
_PADS = ("VCC", "GND", "DIN", "CS", "CLK")
"""The pads at an end of a strip, from its upper edge when it stands upright."""
_PAD_STEP = 3.4
_STRIP = (50.0, 20.0)
_GAP = 12.0
_LEFT = 9.0


def _wire(sketch: Sketch, wire: Wire, *points: Point) -> None:
    joined = " ".join(f"{x:.2f},{y:.2f}" for x, y in points)
    wide = 1.5 if wire.area > wiring.THIN_WIRE_MM2 else 0.9
    sketch.raw(
        f'<polyline points="{joined}" fill="none" stroke="{INK[wire.colour]}" '
        f'stroke-width="{wide}" stroke-linejoin="round" class="wire"/>'
    )


def _big(sketch: Sketch, x: float, y: float, words: str, kind: str = "") -> None:
    escaped = words.replace("&", "&amp;").replace("<", "&lt;")
    anchor = {"e": "end", "m": "middle"}.get(kind, "start")
    sketch.raw(
        f'<text x="{x:.2f}" y="{y:.2f}" style="font-size:4.4px" text-anchor="{anchor}">'
        f"{escaped}</text>"
    )


def panel() -> Sketch:
    """The panel of buttons from behind, and where each of its wires goes on the Pi's header."""
    scale = 0.62
    sketch = Sketch(_WIDE, 210, "Step 19: the panel from behind")
    left, top = (_WIDE - scale * sizes.PANEL[0]) / 2, 14.0
    sketch.rect(left, top, scale * sizes.PANEL[0], scale * sizes.PANEL[1], "f", 2)
    at: dict[str, Point] = {}
    for name, x, y, across in parts.holes():
        point = (left + scale * (sizes.PANEL[0] - x), top + scale * y)
        if name == "screw":
            continue
        is_button = across == sizes.BUTTON_HOLE
        at[f"button {name}" if is_button else name] = point
        sketch.circle(*point, scale * across, "w")
    buttons, lights, *_ = wiring.harnesses()
    _chain(sketch, buttons.wires, [point for name, point in at.items() if "button" in name])
    _chain(sketch, lights.wires, [point for name, point in at.items() if "light" in name])
    lane = top + scale * sizes.PANEL[1] + 4
    row = lane + 34
    for side, harness in enumerate((buttons, lights)):
        ended = [wire for wire in harness.wires if wire.end]
        for n, wire in enumerate(ended):
            start = at.get(wire.end) or at["button BACK" if not side else "light P"]
            middle = _WIDE / 2 + (-1.4 - 1.1 * n if not side else 1.4 + 1.1 * n)
            y = row + 8 * n
            edge = _WIDE / 2 + (-17 if not side else 17)
            level = lane + 1.3 * (n + 12 * side)
            offset = 2.2 if wire.colour == "black" else 0.0
            begin = (start[0] + offset, start[1])
            # A light's wire passes beside the button below it.
            down = begin[0] - 5.2 if side and not offset else begin[0]
            way = ((down, begin[1]), (down, level), (middle, level), (middle, y), (edge, y))
            _wire(sketch, wire, begin, *way)
            sketch.circle(edge, y, 1.8, "k")
            pin = re.sub(r"^Pi (\S+) \(pin (\d+)\)$", r"pin \2", wire.start)
            goes = wire.end.replace("button ", "").replace("light ", "LED ")
            goes = {"other contact of every button": "GND", "short leg of every LED": "GND"}.get(
                goes, "GND" if "every" in goes else goes
            )
            words = f"{pin}: {goes}"
            _big(sketch, edge + (-3 if not side else 3), y + 1.5, words, "e" if not side else "")
    _big(sketch, 4, row - 6, "buttons", "")
    _big(sketch, _WIDE - 4, row - 6, "330 Ω, LEDs", "e")
    for name, (x, y) in at.items():
        if name.startswith("button"):
            _big(sketch, x - 1, y + 4.2, name.split()[1][:1], "e")
    _big(sketch, 4, 199, "Black: GND, from one to the next.")
    _big(sketch, 4, 206, "Letters: LEFT, OK, RIGHT, BACK, HINT.")
    return sketch


def _chain(sketch: Sketch, wires: Sequence[Wire], points: Sequence[Point]) -> None:
    """The links from each contact to the next, row by row."""
    link = next(wire for wire in wires if not wire.end)
    rows: dict[float, list[Point]] = {}
    for point in points:
        rows.setdefault(point[1], []).append(point)
    ends: list[Point] = []
    for y, row in sorted(rows.items()):
        _wire(sketch, link, *((x + 2.2, y) for x, _ in sorted(row)))
        ends.append((max(x for x, _ in row) + 2.2, y))
    if len(ends) > 1:
        _wire(sketch, link, *ends)


def _pads() -> dict[tuple[int, str], dict[str, Point]]:
    """The pads of each strip from behind: by strip and end, the place of each signal."""
    found: dict[tuple[int, str], dict[str, Point]] = {}
    columns = (_LEFT, _LEFT + _STRIP[0] + _GAP)
    rows = (20.0, 20.0 + _STRIP[1] + 12)
    places = [(columns[0], rows[0]), (columns[1], rows[0]), (columns[1], rows[1])]
    places.append((columns[0], rows[1]))
    for n, (x, y) in enumerate(places, 1):
        upright = n <= 2
        ends = {"in": x, "out": x + _STRIP[0]} if upright else {"in": x + _STRIP[0], "out": x}
        for end, at in ends.items():
            pads = _PADS if upright else tuple(reversed(_PADS))
            found[n, end] = {
                ("DOUT" if (name, end) == ("DIN", "out") else name): (at, y + 3.2 + _PAD_STEP * k)
                for k, name in enumerate(pads)
            }
    return found


def scoreboard() -> Sketch:
    """The scoreboard from behind: modules, level shifter and Pico, with every wire."""
    sketch = Sketch(_WIDE, 200, "Step 18: the scoreboard from behind")
    pads = _pads()
    for n in range(1, 5):
        (x0, _), (x1, _) = pads[n, "in"]["CS"], pads[n, "out"]["CS"]
        top = min(y for _, y in pads[n, "in"].values()) - 3.2
        left = min(x0, x1)
        sketch.rect(left, top, _STRIP[0], _STRIP[1], "f", 1)
        _big(
            sketch, left + _STRIP[0] / 2, top + 12, f"strip {n}{'' if n <= 2 else ', turned'}", "m"
        )
    pico = {40: (24.0, 104.0), 36: (24.0, 112.0), 25: (24.0, 128.0), 24: (24.0, 136.0)}
    pico |= {23: (24.0, 144.0), 22: (24.0, 152.0)}
    sketch.rect(5, 96, 19, 64, "g", 2)
    _big(sketch, 14, 101, "Pico", "m")
    for pin, (x, y) in pico.items():
        _big(sketch, x - 2.5, y + 1.5, str(pin), "e")
    chip: dict[int, Point] = {n: (64 + 6.5 * (n - 1), 150.0) for n in range(1, 8)}
    chip |= {n: (64 + 6.5 * (14 - n), 124.0) for n in range(8, 15)}
    sketch.rect(60, 124, 47, 26, "f", 1)
    _big(sketch, 83.5, 138, "74AHCT125", "m")
    for n, (x, y) in chip.items():
        _big(sketch, x, y + (-1.2 if n <= 7 else 4.6), str(n), "m")
    # Its own ground has wires; what else is grounded is joined to it on the small board.
    for n in (pin for pin, name, goes in wiring.SHIFTER if goes == "GND" and name != "GND"):
        x, y = chip[n]
        sketch.rect(x - 0.7, y if n <= 7 else y - 3, 1.4, 3, "k")
    harnesses = {harness.name.split(" ")[0]: harness for harness in wiring.harnesses()[3:]}
    for wire, points in _ways(harnesses, pads, pico, chip):
        _wire(sketch, wire, *points)
    legend = (("CLK", "blue"), ("CS", "yellow"), ("DIN, DOUT", "green"), ("+5 V", "red"))
    for n, (words, colour) in enumerate((*legend, ("GND", "black"))):
        x = 4 + (0, 18, 34, 66, 88)[n]
        sketch.raw(f'<rect x="{x}" y="169" width="4" height="4" fill="{INK[colour]}"/>')
        _big(sketch, x + 5.5, 172.8, words)
    for n, words in enumerate(
        (
            "Pico 40: VBUS. Orange: 3V3 (36), by 10 kΩ.",
            "Black stubs: GND, on the small board. Also",
            "to GND: 2 and 5, by 10 kΩ; 14, by 100 nF.",
        )
    ):
        _big(sketch, 4, 181 + 7 * n, words)
    return sketch


def _ways(
    harnesses: dict[str, wiring.Harness],
    pads: dict[tuple[int, str], dict[str, Point]],
    pico: dict[int, Point],
    chip: dict[int, Point],
) -> Iterator[tuple[Wire, tuple[Point, ...]]]:
    """Each wire of the scoreboard with its way."""
    number = re.compile(r"pin (\d+)")
    for n, wire in enumerate(harnesses["Pico"].wires):
        start = pico[int(number.findall(wire.start)[0])]
        end = chip[int(number.findall(wire.end)[0])]
        x = 30.0 + 3 * n
        below = 154.0 + 2.1 * n if end[1] > 140 else 119.0 - 1.8 * n
        yield wire, (start, (x, start[1]), (x, below), (end[0], below), end)
    for n, wire in enumerate(harnesses["Level"].wires):
        start, end = chip[int(number.findall(wire.start)[0])], pads[1, "in"][wire.end]
        level = 87.0 + 1.8 * n
        side = 52.0 + 1.8 * n
        x = 7.0 - 1.8 * n
        out = (start[0], 158.0 + 1.2 * n) if start[1] > 140 else (start[0], 106.0)
        yield wire, (start, out, (side, out[1]), (side, level), (x, level), (x, end[1]), end)
    for first, second in ((1, 2), (3, 4)):
        for wire in harnesses["First"].wires:
            yield wire, (pads[first, "out"][wire.start], pads[second, "in"][wire.end])
    for n, wire in enumerate(harnesses["Second"].wires):
        start, end = pads[2, "out"][wire.start], pads[3, "in"][wire.end]
        x = start[0] + 1.6 + 1.3 * n
        yield wire, (start, (x, start[1]), (x, end[1]), end)
    supply = {"+5 V": pico[40], "GND": pico[23]}
    for n, wire in enumerate(harnesses["5"].wires):
        start = supply[wire.start]
        signal = "VCC" if wire.start == "+5 V" else "GND"
        if "74AHCT125" in wire.end:
            end = chip[int(number.findall(wire.end)[0])]
            level = 110.0 if end[1] < 140 else 165.0
            yield wire, (start, (27.0, start[1]), (27.0, level), (end[0], level), end)
            continue
        far = "between" in wire.end
        level = 82.0 if signal == "VCC" else 84.5
        ends = ((2, "out"), (3, "in")) if far else ((1, "in"), (4, "out"))
        spine = 128.0 - 1.6 * (signal == "GND") if far else 1.2 + 1.6 * (signal == "GND")
        for strip in ends:
            end = pads[strip][signal]
            lead = 26.0 + 1.2 * n
            yield (
                wire,
                (start, (lead, start[1]), (lead, level), (spine, level), (spine, end[1]), end),
            )
