"""The list of things to buy is whole, and its numbers match the product."""

import csv
import sys

import pytest

from appliance.config.settings import Config
from appliance.picture import HEIGHT, WIDTH
from firmware import config as board
from tests.paths import ROOT

sys.path.insert(0, str(ROOT))

from scripts.hardware.building import power, shopping

LIST = shopping.purchases()
LINE = """
[[part]]
group = "a"
name = "b"
many = [0, 2, 3]
search = ["", "c", "d"]
others = ["e", "f"]
price = 3
"""


def line(start: str) -> shopping.Purchase:
    return next(found for found in LIST if found.name.startswith(start))


def test_there_is_as_much_as_the_product_has() -> None:
    config = Config()
    assert line("push button").many == (0, len(config.buttons.pins), len(config.buttons.pins))
    assert line("LED with clip").many[1:] == (len(config.buttons.lights),) * 2
    assert 4 * line("LED strip").many[1] == WIDTH // 8 * (HEIGHT // 8)


def test_the_sum_is_that_of_the_prices() -> None:
    *rows, total = shopping.standard_rows(LIST)
    assert len(rows) == sum(bool(found.many[1]) for found in LIST)
    assert total[2] == f"**{sum(float(row[2]) for row in rows):g}**"


def test_the_table_of_all_builds_has_every_part() -> None:
    head, *rows = csv.reader(shopping.csv_of(LIST).splitlines())
    assert [row[0] for row in rows] == [found.name for found in LIST]
    assert {len(row) for row in rows} == {len(head)}
    zero = next(row for row in rows if row[0] == "USB hub for the Zero")
    assert zero[1:8] == ["1", "micro USB OTG hub 3 port", "", "", "", "", ""]


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('["e", "f"]', '["e"]', "expected two alternatives, found 1"),
        ('["", "c", "d"]', '["", "", "d"]', "words to search for"),
        ("[0, 2, 3]", "[2, 3]", "for each build"),
        ("price = 3", "", "expected a price"),
        ("[0, 2, 3]", "[0, 0, 3]", "expected a price"),
    ],
)
def test_a_faulty_line_is_told(old: str, new: str, says: str) -> None:
    assert old in LINE
    with pytest.raises(ValueError, match=says):
        shopping.purchases(LINE.replace(old, new))


def test_what_usb_feeds_stays_below_what_a_port_gives() -> None:
    assert power.scoreboard_ma(board.CURRENT_LIMIT_MA) < power.USB_PORT_MA
    assert power.BRIGHT_LIMIT_MA + power.chips_ma() < power.SUPPLY_MA


def test_brightness_is_the_highest_that_keeps_to_the_limit() -> None:
    found = power.brightest(200, 320, 40, 10)
    assert power.lights_ma(200, found, 40) <= 320 < power.lights_ma(200, found + 1, 40)
    assert power.brightest(1024, 100, 40, 10) == -1
    assert power.brightest(1, 1000, 40, 10) == 10
