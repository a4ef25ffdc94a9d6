"""The wiring matches the program's own settings to the last pin."""

import re
import sys
from collections import Counter
from random import Random
from types import SimpleNamespace

import pytest

from appliance.config.settings import Config
from appliance.picture import Picture
from firmware import config as board
from firmware.max7219 import Chain, chain_places
from simulator.pico.max7219 import ChipChain
from tests.paths import ROOT
from tests.rigs.wiring import Wiring

sys.path.insert(0, str(ROOT))

from scripts.hardware.building import harness, pins, sizes, wiring

WIRES = [wire for harness in wiring.harnesses() for wire in harness.wires]
DOCS = ROOT / "docs"


class Bus:
    """Modules wired in a given way."""

    def __init__(self, modules: Wiring) -> None:
        self.chips = ChipChain(modules.light)

    def write(self, data: bytes) -> None:
        self.chips.shift(bytes(data))

    def select(self, level: int) -> None:
        if level:
            self.chips.latch()


def shown(picture: Picture, settings: dict[str, object], modules: Wiring) -> Picture:
    base = {name: value for name, value in vars(board).items() if name.isupper()}
    bus = Bus(modules)
    chain = Chain(bus, bus.select, SimpleNamespace(**{**base, **settings}))  # type: ignore[arg-type]
    chain.load(picture.data)
    chain.refresh()
    return Picture(bus.chips.lights().data)


FC16_BOARD = Wiring(
    places=(*((7 - n, 0, 0) for n in range(8)), *((n, 1, 2) for n in range(8))),
)
"""From the upper right to the left, then back, the lower strips upside down."""


def test_settings_for_fc16_strips_show_every_picture_upright() -> None:
    chance = Random(4)
    picture = Picture(chance.randbytes(128))
    assert shown(picture, dict(wiring.FC16), FC16_BOARD) == picture
    assert shown(picture, {}, FC16_BOARD) == picture
    assert shown(picture, {"START": "top-left", "ORDER": "rows"}, FC16_BOARD) != picture


def test_settings_for_fc16_strips_are_accepted_by_the_firmware() -> None:
    base = {name: value for name, value in vars(board).items() if name.isupper()}
    found = chain_places(SimpleNamespace(**{**base, **wiring.FC16}))
    assert tuple(found) == FC16_BOARD.places
    with pytest.raises(ValueError, match="START"):
        chain_places(SimpleNamespace(**{**base, **wiring.FC16, "START": "right"}))


def test_every_pin_of_the_configuration_has_its_wire() -> None:
    config = Config()
    wanted = [pin for _, pin in config.buttons.pins]
    wanted += [*config.buttons.lights, config.buzzer.pin]
    numbers = {pin.name: pin.number for pin in pins.header()}
    starts = [wire.start for wire in WIRES if wire.start.startswith("Pi GPIO")]
    assert sorted(starts) == sorted(f"Pi GPIO{n} (pin {numbers[f'GPIO{n}']})" for n in wanted)
    grounds = {pin.number for pin in pins.header() if pin.name == "GND"}
    for wire in WIRES:
        if wire.start.startswith("Pi GND"):
            assert int(re.findall(r"\d+", wire.start)[0]) in grounds


def test_pins_of_the_pico_are_those_of_its_firmware() -> None:
    signals = [board.PIN_SCK, board.PIN_MOSI, board.PIN_CS]
    starts = [wire.start for wire in WIRES if wire.start.startswith("Pico GP")]
    assert starts == [wiring.pico_pin(gp) for gp in signals]
    page = (DOCS / "scoreboard.md").read_text(encoding="utf-8")
    for gp in (*signals, board.PIN_SERVICE):
        assert f"GP{gp} (pin {wiring.PICO_PINS[gp]})" in page
    assert len(set(wiring.PICO_PINS)) == 23
    assert not {3, 8, 13, 18, 23, 28} & set(wiring.PICO_PINS), "these are grounds"


def test_no_input_of_the_level_shifter_floats() -> None:
    names = {name: (pin, goes) for pin, name, goes in wiring.SHIFTER}
    assert [pin for pin, _, _ in wiring.SHIFTER] == list(range(1, 15))
    for n in range(1, 5):
        assert names[f"{n}OE"][1] == "GND"
        assert names[f"{n}A"][1].startswith(("Pico", "GND"))
    for gate, signal in ((1, "CLK"), (2, "DIN"), (3, "CS")):
        pin, goes = names[f"{gate}Y"]
        assert goes == f"{signal} of the first module"
        assert any(wire.start == f"74AHCT125 pin {pin}" and wire.end == signal for wire in WIRES)
        inside = f"74AHCT125 pin {names[f'{gate}A'][0]}"
        (lead,) = (wire.start for wire in WIRES if wire.end == inside and "GP" in wire.start)
        assert names[f"{gate}A"][1].startswith(lead)
        # MAX7219 takes over what was clocked in as CS rises (data sheet, table 1, "LOAD"): it must
        # not rise when the Pico begins to drive it.
        pulled_to = f"the Pico's 3V3 (pin {wiring.PICO_3V3_PIN})" if signal == "CS" else "GND"
        assert names[f"{gate}A"][1].endswith(f"10 kΩ to {pulled_to}")


def test_the_schematic_has_the_same_pins() -> None:
    drawn = (DOCS / "pictures" / "schematic.svg").read_text(encoding="utf-8")
    words = set(re.findall(r">([^<>\n]+)<", drawn))
    for pin in pins.header():
        if pin.use:
            assert f"{pin.name} ({pin.number})" in words
    for gp, name in ((board.PIN_SCK, "SCK"), (board.PIN_MOSI, "MOSI"), (board.PIN_CS, "CS")):
        assert f"GP{gp} {name}" in words
        assert str(wiring.PICO_PINS[gp]) in words


def test_wires_are_longer_than_their_ways() -> None:
    assert wiring.cut(100) == 170
    straight = sizes.LENS_HEIGHT / 2 + sizes.OPENING[1]
    for wire in WIRES:
        if wire.start.startswith("Pi GPIO") and "buzzer" not in wire.end:
            assert wire.length > straight


def test_every_wire_is_drawn_in_its_colour() -> None:
    drawn = Counter(
        colour
        for sketch in (harness.panel(), harness.scoreboard())
        for colour in re.findall(r'stroke="(#\w+)"[^>]*class="wire"', sketch.svg())
    )
    colours = {ink: name for name, ink in wiring.INK.items()}
    least = Counter(
        wire.colour
        for group in wiring.harnesses()
        for wire in group.wires
        if not group.name.startswith(("Pi to buzzer", "Ring light"))
    )
    found = Counter({colours[ink]: many for ink, many in drawn.items()})
    assert found >= least, "a wire of the table is missing"


def test_what_the_level_shifter_needs_besides_wires_is_drawn() -> None:
    drawn = harness.scoreboard().svg()
    grounded = [pin for pin, name, goes in wiring.SHIFTER if goes == "GND" and name != "GND"]
    assert grounded == [1, 4, 10, 12, 13]
    assert len(re.findall(r'width="1.40"[^>]*class="k"', drawn)) == len(grounded)
    for needed in re.findall(r"[\d]+ [kn][ΩF]", " ".join(goes for _, _, goes in wiring.SHIFTER)):
        assert needed in drawn
