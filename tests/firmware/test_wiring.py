"""Whatever way the modules are wired, the viewer sees the picture as it was sent."""

from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from appliance.picture import Picture
from appliance.simulator.max7219 import Wiring

if TYPE_CHECKING:
    from tests.firmware.conftest import FakeBus

if TYPE_CHECKING:
    pass

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
    # The property above can fail: wired as a snake, told it is in rows.
    bus = bus_type(Wiring(snake=True))
    chain = modules["max7219"].Chain(bus, bus.select, config_of(Wiring(), modules["config"]))
    picture = Picture(bytes(range(128)))
    chain.load(picture.data)
    chain.refresh()
    assert bus.picture != picture


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("ORDER", "zigzag", "ORDER"),
        ("ORDER", [(0, 0, 0)] * 16, "every module once"),
        ("START", "left", "START"),
        ("ROTATION", 45, "ROTATION"),
    ],
)
def test_a_wiring_that_makes_no_sense_is_refused(
    modules: dict[str, ModuleType], name: str, value: object, message: str
) -> None:
    config = config_of(Wiring(), modules["config"])
    setattr(config, name, value)
    with pytest.raises(ValueError, match=message):
        modules["max7219"].chain_places(config)
