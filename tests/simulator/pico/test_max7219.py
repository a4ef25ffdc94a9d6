"""The simulated chips do what the data sheet says."""

from functools import partial

import pytest

from appliance.picture import Picture
from simulator.pico.max7219 import Chip, ChipChain
from tests.rigs.wiring import Wiring

ON = 0x0C, 1


def write(chain: ChipChain, register: int, value: int) -> None:
    chain.shift(bytes((register, value)) * 16)
    chain.latch()


@pytest.fixture
def chip() -> Chip:
    chip = Chip()
    chip.latch(*ON)
    chip.latch(0x0B, 7)
    return chip


def test_a_chip_wakes_up_dark_with_one_line_and_least_brightness() -> None:
    chip = Chip()
    assert (chip.shutdown, chip.scan_limit, chip.intensity, chip.decode) == (True, 0, 0, 0)
    for line in range(1, 9):
        chip.latch(line, 0xFF)
    assert chip.lines() == bytes(8)
    chip.latch(*ON)
    assert chip.lines() == b"\xff" + bytes(7)


def test_lines_shine_as_written(chip: Chip) -> None:
    for line in range(8):
        chip.latch(line + 1, line * 17)
    assert chip.lines() == bytes(line * 17 for line in range(8))


def test_shutdown_keeps_the_memory(chip: Chip) -> None:
    chip.latch(3, 0x5A)
    chip.latch(0x0C, 0)
    assert chip.lines() == bytes(8)
    chip.latch(*ON)
    assert chip.lines()[2] == 0x5A


def test_the_lamp_test_shines_even_in_shutdown(chip: Chip) -> None:
    chip.latch(0x0C, 0)
    chip.latch(0x0F, 1)
    assert chip.lines() == b"\xff" * 8
    chip.latch(0x0F, 0)
    assert chip.lines() == bytes(8)


def test_the_scan_limit_hides_lines(chip: Chip) -> None:
    for line in range(1, 9):
        chip.latch(line, 0xFF)
    chip.latch(0x0B, 3)
    assert chip.lines() == b"\xff" * 4 + bytes(4)


def test_decoding_shows_code_b(chip: Chip) -> None:
    chip.latch(0x09, 0x01)
    chip.latch(1, 0x08)
    chip.latch(2, 0x08)
    assert chip.lines()[:2] == b"\x7f\x08"
    chip.latch(1, 0x8F)
    assert chip.lines()[0] == 0x80


def test_unused_addresses_and_high_bits_change_nothing(chip: Chip) -> None:
    before = (bytes(chip.digits), chip.intensity, chip.scan_limit, chip.shutdown)
    for address in (0x00, 0x0D, 0x0E):
        chip.latch(address, 0xFF)
    assert (bytes(chip.digits), chip.intensity, chip.scan_limit, chip.shutdown) == before
    chip.latch(0xF0 | 0x0A, 0xF0 | 9)
    assert chip.intensity == 9


def test_the_first_word_travels_to_the_end_of_the_chain() -> None:
    chain = ChipChain()
    chain.shift(b"".join(bytes((0x0A, n)) for n in range(16)))
    chain.latch()
    assert chain.lights().intensity == tuple(reversed(range(16)))


def test_a_single_word_reaches_the_first_chip_and_pushes_the_rest_on() -> None:
    chain = ChipChain()
    write(chain, 0x0A, 5)
    chain.shift(b"\x0a\x0c")
    chain.latch()
    # The others hold their neighbour's old word.
    assert chain.lights().intensity == (12,) + (5,) * 15


def test_nothing_changes_before_the_latch() -> None:
    chain = ChipChain()
    before = chain.lights()
    chain.shift(b"\x0f\x01" * 16)
    assert chain.lights() == before
    chain.latch()
    assert chain.lights().testing == 16
    assert chain.lights().data == Picture(b"\xff" * 128).data


def test_one_light() -> None:
    chain = ChipChain()
    write(chain, *ON)
    write(chain, 0x0B, 7)
    words = [b"\x00\x00"] * 16
    # Chip 9: second module of the lower row, upside down.
    words[15 - 9] = b"\x03\x40"
    chain.shift(b"".join(words))
    chain.latch()
    picture = Picture(chain.lights().data)
    assert [(x, y) for x in range(64) for y in range(16) if picture.is_lit(x, y)] == [(14, 13)]


def test_chips_that_lose_power_forget() -> None:
    chain = ChipChain()
    write(chain, *ON)
    write(chain, 0x0A, 5)
    chain.power_up([2])
    lights = chain.lights()
    assert (lights.dark, lights.intensity[:4]) == (1, (5, 5, 0, 5))


rows = partial(Wiring, snake=False, start="top-left", snake_turns=False)


@pytest.mark.parametrize(
    ("wiring", "chip", "line", "segment", "light"),
    [
        (Wiring(), 0, 0, 0, (56, 0)),
        (Wiring(), 8, 0, 0, (7, 15)),
        (rows(), 0, 0, 0, (0, 0)),
        (rows(), 8, 0, 0, (0, 8)),
        (rows(snake=True), 8, 0, 0, (56, 8)),
        (rows(start="bottom-right"), 0, 0, 0, (56, 8)),
        (rows(rotation=90), 0, 0, 0, (7, 0)),
        (rows(rotation=90), 0, 0, 7, (7, 7)),
        (rows(rotation=180), 0, 0, 0, (7, 7)),
        (rows(rotation=270), 0, 0, 0, (0, 7)),
        (rows(mirrored=True), 0, 0, 0, (7, 0)),
        (rows(snake=True, snake_turns=True), 8, 0, 0, (63, 15)),
        (Wiring(places=((3, 1, 1),) + ((0, 0, 0),) * 15), 0, 0, 0, (31, 8)),
    ],
)
def test_where_a_light_is(
    wiring: Wiring, chip: int, line: int, segment: int, light: tuple[int, int]
) -> None:
    assert wiring.light(chip, line, segment) == light
