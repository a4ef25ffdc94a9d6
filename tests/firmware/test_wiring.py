"""However the modules are wired, the viewer sees the picture as it was sent."""

from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from appliance.picture import Picture
from tests.rigs.wiring import Wiring

if TYPE_CHECKING:
    from tests.firmware.conftest import FakeBus

Image = tuple[tuple[bool, ...], ...]

corners = st.sampled_from(["top-left", "top-right", "bottom-left", "bottom-right"])
pictures = st.binary(min_size=128, max_size=128).map(Picture)
places = st.permutations([(c, r) for c in range(8) for r in range(2)]).flatmap(
    lambda order: st.lists(st.integers(0, 3), min_size=16, max_size=16).map(
        lambda turns: tuple((c, r, t) for (c, r), t in zip(order, turns, strict=True))
    )
)
wirings = st.one_of(
    st.builds(
        Wiring,
        snake=st.booleans(),
        start=corners,
        strip=st.sampled_from([8, 4, 2]),
        rotation=st.sampled_from([0, 90, 180, 270]),
        snake_turns=st.booleans(),
        mirrored=st.booleans(),
    ),
    st.builds(Wiring, places=places, mirrored=st.booleans()),
)


def config_of(wiring: Wiring, base: ModuleType) -> SimpleNamespace:
    values = {name: value for name, value in vars(base).items() if name.isupper()}
    values |= {
        "ORDER": list(wiring.places) or ("snake" if wiring.snake else "rows"),
        "START": wiring.start,
        "STRIP": wiring.strip,
        "ROTATION": wiring.rotation,
        "SNAKE_TURNS": wiring.snake_turns,
        "MIRRORED": wiring.mirrored,
    }
    return SimpleNamespace(**values)


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=200, deadline=None
)
@given(wiring=wirings, picture=pictures)
def test_the_picture_is_seen_as_sent(
    modules: dict[str, ModuleType], bus_type: "type[FakeBus]", wiring: Wiring, picture: Picture
) -> None:
    bus = bus_type(wiring)
    chain = modules["max7219"].Chain(bus, bus.select, config_of(wiring, modules["config"]))
    chain.load(picture.data)
    chain.refresh()
    assert bus.picture == picture
    assert chain.lit == sum(byte.bit_count() for byte in picture.data)


def test_a_wrong_wiring_is_noticed(
    modules: dict[str, ModuleType], bus_type: "type[FakeBus]"
) -> None:
    # The property above can fail: wired as a snake, configured as rows.
    bus = bus_type(Wiring())
    rows = Wiring(snake=False)
    chain = modules["max7219"].Chain(bus, bus.select, config_of(rows, modules["config"]))
    picture = Picture(bytes(range(128)))
    chain.load(picture.data)
    chain.refresh()
    assert bus.picture != picture


# The fewest lights by which a wrong module must differ, however its number is shifted: as many as
# an 8 differs from a 9, and more if it is turned, because the eye does not expect that.
OTHER_NUMBER = 3
OTHER_WAY_UP = 6
TURNS = range(4)


def module(picture: Picture, column: int, row: int) -> Image:
    """The lights of one module, eight by eight."""
    return tuple(
        tuple(picture.is_lit(8 * column + x, 8 * row + y) for x in range(8)) for y in range(8)
    )


def turned(image: Image, turns: int, mirrored: bool) -> Image:
    """A module's lights, mirrored if asked for, then turned clockwise."""
    if mirrored:
        image = tuple(row[::-1] for row in image)
    for _ in range(turns):
        image = tuple(zip(*image[::-1], strict=True))
    return image


def difference(a: Image, b: Image) -> int:
    """The fewest lights that differ when one image may be shifted by one light each way."""

    def at(image: Image, x: int, y: int) -> bool:
        return 0 <= x < 8 and 0 <= y < 8 and image[y][x]

    return min(
        sum(at(a, x, y) != at(b, x + dx, y + dy) for x in range(-1, 9) for y in range(-1, 9))
        for dx in (-1, 0, 1)
        for dy in (-1, 0, 1)
    )


def numbers(modules: dict[str, ModuleType]) -> Picture:
    """The last picture of the self-test."""
    screens = modules["screens"]
    return Picture(bytes(screens.Screens(8, 2).self_test(screens.SELF_TEST_STEPS - 1)))


def test_no_module_can_pass_for_another_or_for_itself_turned(
    modules: dict[str, ModuleType],
) -> None:
    # Whatever the wiring, each place shows some module's number, perhaps turned or mirrored; so
    # these 2048 pairs are everything a wrong one can make of the self-test's last picture.
    picture = numbers(modules)
    names = {(c, r): module(picture, c, r) for r in range(2) for c in range(8)}
    for place, right in names.items():
        for other, image in names.items():
            for turns in TURNS:
                for mirrored in (False, True):
                    if (other, turns, mirrored) != (place, 0, False):
                        seen = turned(image, turns, mirrored)
                        least = OTHER_WAY_UP if turns or mirrored else OTHER_NUMBER
                        assert difference(right, seen) >= least, (place, other, turns)


def test_every_other_wiring_makes_another_self_test(
    modules: dict[str, ModuleType], bus_type: "type[FakeBus]"
) -> None:
    wirings = [
        Wiring(snake, start, strip, rotation, turns, mirrored)
        for snake, turns in ((False, False), (True, False), (True, True))
        for start in ("top-left", "top-right", "bottom-left", "bottom-right")
        for strip in (8, 4)
        for rotation in (0, 90, 180, 270)
        for mirrored in (False, True)
    ]
    expected = numbers(modules)
    places = np.array(
        [
            [
                64 * y + x
                for chip in range(16)
                for line in range(8)
                for x, y in (wiring.light(chip, line, segment) for segment in range(8))
            ]
            for wiring in wirings
        ]
    )
    assert len({row.tobytes() for row in places}) == len(wirings)
    seen = np.zeros(1024, np.uint8)
    for configured, wiring in enumerate(wirings):
        bus = bus_type(wiring)
        chain = modules["max7219"].Chain(bus, bus.select, config_of(wiring, modules["config"]))
        chain.load(expected.data)
        chain.refresh()
        lines = b"".join(chip.lines() for chip in bus.chain.chips)
        lit = np.unpackbits(np.frombuffer(lines, np.uint8))
        for real in range(len(wirings)):
            seen[places[real]] = lit
            right = np.packbits(seen).tobytes() == expected.data
            assert right == (real == configured), (wiring, wirings[real])


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("ORDER", "zigzag", "ORDER"),
        ("ORDER", [(0, 0, 0)] * 16, "every module once"),
        ("START", "left", "START"),
        ("ROTATION", 45, "ROTATION"),
        ("STRIP", 3, "STRIP"),
    ],
)
def test_a_wiring_that_makes_no_sense_is_refused(
    modules: dict[str, ModuleType], name: str, value: object, message: str
) -> None:
    config = config_of(Wiring(), modules["config"])
    setattr(config, name, value)
    with pytest.raises(ValueError, match=message):
        modules["max7219"].chain_places(config)
