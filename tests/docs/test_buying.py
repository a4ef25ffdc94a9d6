"""The page of things to buy matches the list, and its numbers match the product."""

import subprocess
import sys
from pathlib import Path

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
"""


def line(start: str) -> shopping.Purchase:
    return next(found for found in LIST if found.name.startswith(start))


def test_the_page_is_the_one_that_the_script_makes(tmp_path: Path) -> None:
    made = tmp_path / "buying.md"
    script = str(ROOT / "scripts" / "hardware" / "make_buying.py")
    subprocess.run([sys.executable, script, "--out", str(made)], check=True)
    assert made.read_bytes() == (ROOT / "docs" / "buying.md").read_bytes(), (
        "run scripts/hardware/make_buying.py and look at what changed"
    )


def test_there_is_as_much_as_the_product_has() -> None:
    config = Config()
    assert line("push button").many == (0, len(config.buttons.pins), len(config.buttons.pins))
    assert line("LED with clip").many[1:] == (len(config.buttons.lights),) * 2
    assert 4 * line("LED strip").many[1] == WIDTH // 8 * (HEIGHT // 8)


def test_the_page_has_no_prices() -> None:
    page = (ROOT / "docs" / "buying.md").read_text(encoding="utf-8")
    assert not set(page) & set("$€£")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('["e", "f"]', '["e"]', "expected two alternatives, found 1"),
        ('["", "c", "d"]', '["", "", "d"]', "words to search for"),
        ("[0, 2, 3]", "[2, 3]", "for each build"),
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
