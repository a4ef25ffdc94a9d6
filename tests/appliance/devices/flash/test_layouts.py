"""The named layouts, held against modules as their library's documentation draws them."""

import ast
from random import Random
from types import SimpleNamespace

import pytest

from appliance.devices.flash.layouts import (
    DEFAULT_LAYOUT,
    LAYOUT_SETTINGS,
    LAYOUTS,
    Layout,
    name_of,
    wiring_of,
)
from appliance.picture import Picture
from firmware import config as board
from firmware.max7219 import Chain
from simulator.pico.max7219 import ChipChain, fc16_snake
from tests.rigs.published_modules import BUILT, FC16, SNAKE, Module, light_of


class Bus:
    """The chips of a board that is built of these modules, at these places."""

    def __init__(self, of: Module, places: list[tuple[int, int, bool]]) -> None:
        self.light = light_of(of, places)
        self.chips = ChipChain(self.light)

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
    return Picture(bus.chips.lights().data)


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


def test_a_layout_is_the_same_over_the_link() -> None:
    assert [wiring_of(layout.code()) for layout in LAYOUTS.values()] == [
        layout.wiring() for layout in LAYOUTS.values()
    ]
    assert len({layout.code() for layout in LAYOUTS.values()}) == len(LAYOUTS)
    assert wiring_of(b"\xff" * 4) is None
