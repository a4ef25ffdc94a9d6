"""The named layouts, held against modules as their library's documentation draws them."""

import ast
from dataclasses import dataclass
from random import Random
from types import SimpleNamespace

import pytest

from appliance.devices.flash.layouts import (
    DEFAULT_LAYOUT,
    LAYOUT_SETTINGS,
    LAYOUTS,
    Layout,
    name_of,
)
from appliance.picture import Picture
from appliance.simulator.pico.max7219 import ChipChain, fc16_snake
from firmware import config as board
from firmware.max7219 import Chain

SEGMENTS = ["DP", "A", "B", "C", "D", "E", "F", "G"]
DIGITS = [f"D{n}" for n in range(8)]


@dataclass(frozen=True)
class Module:
    """A module as MD_MAX72XX draws it, seen from the front.

    Attributes:
        across: names of the columns' signals, from the left.
        down: names of the rows' signals, from the top.
    """

    across: tuple[str, ...]
    down: tuple[str, ...]

    def light(self, line: int, segment: int) -> tuple[int, int]:
        """Where on the module a digit's segment is."""
        signals = (DIGITS[line], SEGMENTS[segment])
        (x,) = (n for n, name in enumerate(self.across) if name in signals)
        (y,) = (n for n, name in enumerate(self.down) if name in signals)
        return x, y


def module(across: str, down: str) -> Module:
    return Module(tuple(across.split()), tuple(down.split()))


# "Module Orientation" of the pages FC-16, Generic, ICStation and Parola Custom Module in the
# documentation of MajicDesigns' MD_MAX72XX.
FC16 = module("DP A B C D E F G", "D0 D1 D2 D3 D4 D5 D6 D7")
GENERIC = module("D7 D6 D5 D4 D3 D2 D1 D0", "DP A B C D E F G")
ICSTATION = module("G F E D C B A DP", "D7 D6 D5 D4 D3 D2 D1 D0")
PAROLA = module("G F E D C B A DP", "D0 D1 D2 D3 D4 D5 D6 D7")

# Column and row of each module in the order of the chain, and whether it is upside down. DIN is at
# the right of these modules, or above; a row of modules that are upside down begins at its left.
SNAKE = [(7 - n, 0, False) for n in range(8)] + [(n, 1, True) for n in range(8)]
FROM_RIGHT = [(7 - n, row, False) for row in range(2) for n in range(8)]
FROM_LEFT = [(n, row, False) for row in range(2) for n in range(8)]

BUILT = {
    "fc16": (FC16, SNAKE),
    "fc16-rows": (FC16, FROM_RIGHT),
    "generic": (GENERIC, FROM_RIGHT),
    "icstation": (ICSTATION, SNAKE),
    "parola": (PAROLA, FROM_RIGHT),
    "rows": (FC16, FROM_LEFT),
}


class Bus:
    """The chips of a board that is built of these modules, at these places."""

    def __init__(self, of: Module, places: list[tuple[int, int, bool]]) -> None:
        def light(chip: int, line: int, segment: int) -> tuple[int, int]:
            column, row, upside_down = places[chip]
            x, y = of.light(line, segment)
            if upside_down:
                x, y = 7 - x, 7 - y
            return 8 * column + x, 8 * row + y

        self.light = light
        self.chips = ChipChain(light)

    def write(self, data: bytes) -> None:
        self.chips.shift(bytes(data))

    def select(self, level: int) -> None:
        if level:
            self.chips.latch()


def shown(bus: Bus, picture: Picture, settings: dict[str, object]) -> Picture:
    base = {name: value for name, value in vars(board).items() if name.isupper()}
    chain = Chain(bus, bus.select, SimpleNamespace(**{**base, **settings}))  # type: ignore[arg-type]
    chain.load(picture.data)
    chain.refresh()
    return bus.chips.lights().picture


@pytest.mark.parametrize("name", LAYOUTS)
def test_each_layout_shows_pictures_upright_on_its_own_modules_only(name: str) -> None:
    picture = Picture(Random(8).randbytes(128))
    for other, layout in LAYOUTS.items():
        right = shown(Bus(*BUILT[name]), picture, layout.settings()) == picture
        assert right == (other == name)


def test_the_firmware_as_flashed_is_for_the_strips_that_people_are_told_to_buy() -> None:
    picture = Picture(Random(9).randbytes(128))
    bus = Bus(FC16, SNAKE)
    assert shown(bus, picture, {}) == picture
    assert LAYOUTS[DEFAULT_LAYOUT].settings() == {
        name: getattr(board, name) for name in LAYOUT_SETTINGS
    }
    for chip in range(16):
        for light in range(64):
            assert fc16_snake(chip, *divmod(light, 8)) == bus.light(chip, *divmod(light, 8))


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=lambda layout: layout.name)
def test_the_file_sets_everything_that_makes_a_layout_and_nothing_else(layout: Layout) -> None:
    made = {}
    for line in ast.parse(layout.file()).body:
        assert isinstance(line, ast.Assign)
        (target,) = line.targets
        assert isinstance(target, ast.Name)
        made[target.id] = ast.literal_eval(line.value)
    assert made == layout.settings()
    assert list(made) == list(LAYOUT_SETTINGS)
    assert f"--layout {layout.name}".encode() in layout.file()


def test_a_layout_is_known_by_what_it_does() -> None:
    assert [name_of(layout.wiring()) for layout in LAYOUTS.values()] == list(LAYOUTS)
    assert name_of(Layout("", "", start="bottom-left").wiring()) == ""
