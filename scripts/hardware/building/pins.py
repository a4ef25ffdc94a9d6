"""The Raspberry Pi's header: which pin goes to which button, light and buzzer.

Pins come from the configuration's defaults, the header's layout from gpiozero.
"""

from dataclasses import dataclass

import gpiozero

from appliance.config.settings import Config
from appliance.inputs import Button
from scripts.hardware.building.sketch import Sketch

_REVISION = "c03114"  # a Raspberry Pi 4; the header is the same on all boards with 40 pins
_NAMES = {
    Button.HOLD1: "hold 1",
    Button.HOLD2: "hold 2",
    Button.HOLD3: "hold 3",
    Button.HOLD4: "hold 4",
    Button.HOLD5: "hold 5",
    Button.HOLDP: "hold P",
    Button.LEFT: "LEFT",
    Button.RIGHT: "RIGHT",
    Button.OK: "OK",
    Button.BACK: "BACK",
    Button.HINT: "HINT",
}
_HOLDS = tuple(_NAMES.values())[:6]


@dataclass(frozen=True, slots=True)
class Pin:
    """A pin of the header.

    Attributes:
        number: as counted on the header, 1 to 40.
        name: GPIO5, GND, 3V3 and so on.
        use: what it is wired to; empty for nothing.
        kind: button, light, buzzer, ground or nothing.
    """

    number: int
    name: str
    use: str
    kind: str


def header() -> tuple[Pin, ...]:
    """All forty pins in order."""
    uses = _uses()
    pins = gpiozero.pi_info(_REVISION).headers["J8"].pins
    found = []
    for number in sorted(pins):
        name = pins[number].name
        use, kind = uses.get(name, ("", "ground" if name == "GND" else ""))
        found.append(Pin(number, name, use, kind))
    return tuple(found)


def _uses() -> dict[str, tuple[str, str]]:
    config = Config()
    uses = {f"GPIO{pin}": (_NAMES[button], "button") for button, pin in config.buttons.pins}
    for name, pin in zip(_HOLDS, config.buttons.lights, strict=True):
        uses[f"GPIO{pin}"] = (f"light of {name}", "light")
    uses[f"GPIO{config.buzzer.pin}"] = ("buzzer", "buzzer")
    return uses


_COLOURS = {"button": "#27c", "light": "#c22", "buzzer": "#292", "ground": "#222"}
_STEP = 7.0


def draw() -> Sketch:
    """The header with what goes where, and how one of each kind is wired."""
    sketch = Sketch(200, 250, "The Raspberry Pi's header, seen from above", 1.2)
    top, middle = 24.0, 100.0
    sketch.text(middle, 17, "this end: the corner with pin 1, away from the USB sockets", "s m")
    sketch.rect(middle - 9, top - 5, 18, 20 * _STEP + 3, "f", 2)
    for pin in header():
        row, right = divmod(pin.number - 1, 2)
        y = top + _STEP * row
        side = 1 if right else -1
        x = middle + side * 4.5
        colour = _COLOURS.get(pin.kind, "#aaa")
        sketch.raw(
            f'<circle cx="{x}" cy="{y:.2f}" r="2.6" fill="{colour if pin.kind else "#fff"}" '
            f'stroke="{colour}"/>'
        )
        kind = "" if right else "e"
        sketch.text(middle + side * 12, y + 1.3, str(pin.number), f"s {kind}")
        sketch.text(middle + side * 19, y + 1.3, pin.name, f"s {kind}")
        if pin.use:
            sketch.raw(
                f'<path d="M{middle + side * 34} {y:.2f}h{side * 12}" stroke="{colour}" '
                'stroke-width="1"/>'
            )
            sketch.text(middle + side * 49, y + 1.5, pin.use, kind)
    _symbols(sketch, top + 20 * _STEP + 12)
    return sketch


def _symbols(sketch: Sketch, top: float) -> None:
    y = top + 10
    sketch.text(8, top, "a button: pressed, it joins its pin to ground; the Pi pulls the pin up")
    sketch.text(8, y + 1.3, "GPIO", "s")
    sketch.line((19, y), (34, y))
    sketch.line((34, y), (44, y - 5))
    sketch.circle(34, y, 1.6)
    sketch.circle(46, y, 1.6)
    sketch.line((46, y), (70, y))
    _ground(sketch, 70, y)
    top, y = top + 24, y + 24
    sketch.text(8, top, "a light: a LED with 330 Ω, which takes 4 mA")
    sketch.text(8, y + 1.3, "GPIO", "s")
    sketch.line((19, y), (28, y))
    sketch.rect(28, y - 2, 12, 4, "w")
    sketch.text(34, y - 3, "330 Ω", "s m")
    sketch.line((40, y), (50, y))
    sketch.area((50, y - 3), (50, y + 3), (56, y), kind="w")
    sketch.line((56, y - 3), (56, y + 3))
    sketch.text(53, y + 7, "long leg here", "s e")
    sketch.line((56, y), (70, y))
    _ground(sketch, 70, y)
    top, y = top + 28, y + 28
    sketch.text(8, top, "the buzzer: a passive piezo with 100 Ω")
    sketch.text(8, y + 1.3, "GPIO", "s")
    sketch.line((19, y), (28, y))
    sketch.rect(28, y - 2, 12, 4, "w")
    sketch.text(34, y - 3, "100 Ω", "s m")
    sketch.line((40, y), (48, y))
    sketch.circle(53, y, 10)
    sketch.line((58, y), (70, y))
    _ground(sketch, 70, y)
    x = 118.0
    first = top - 52
    for n, (kind, says) in enumerate(
        (
            ("button", "button, to ground (GND)"),
            ("light", "light beside a hold button"),
            ("buzzer", "buzzer, if there is one"),
            ("ground", "GND: any of these will do"),
        )
    ):
        sketch.raw(
            f'<circle cx="{x}" cy="{first + 10 + 8 * n:.2f}" r="2.6" fill="{_COLOURS[kind]}"/>'
        )
        sketch.text(x + 6, first + 11.4 + 8 * n, says)
    sketch.text(x - 3, first + 50, "GPIO2, 3 (I²C) and 14, 15 (UART) stay free.", "s")
    sketch.text(x - 3, first + 56, "Never wire 5V to a GPIO.", "s")


def _ground(sketch: Sketch, x: float, y: float) -> None:
    sketch.line((x, y), (x, y + 3))
    for n, half in enumerate((4, 2.6, 1.2)):
        sketch.line((x - half, y + 3 + 1.3 * n), (x + half, y + 3 + 1.3 * n))
    sketch.text(x + 6, y + 4, "GND", "s")
