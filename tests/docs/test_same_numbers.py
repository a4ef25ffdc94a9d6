"""A number for one thing is the same wherever documents state it, and is the product's."""

import re
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

import pytest

from appliance.config.settings import Config
from appliance.picture import HEIGHT, WIDTH
from calibration.markers.bundle import TOLD_TILT_DEG
from calibration.self_calibration.scale import SHARES_OF_SIZES
from games.registry import OWN_GAMES, find_game
from tests.paths import ROOT

sys.path.insert(0, str(ROOT))

from scripts.hardware.building import sizes

PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").glob("**/*.md")),
    ROOT / "systemd/package/control",
]
WORDS = [
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
]
GERMAN = [
    "null",
    "eins",
    "zwei",
    "drei",
    "vier",
    "fünf",
    "sechs",
    "sieben",
    "acht",
    "neun",
    "zehn",
    "elf",
    "zwölf",
]
PYTHON = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["requires-python"]
PLAYERS = max(find_game(name).max_players for name in OWN_GAMES)
BUTTONS = len(Config().buttons.pins)


@dataclass(frozen=True, slots=True)
class Fact:
    """A number that several pages state.

    Attributes:
        said: patterns; what is in parentheses is the number, in digits or as a word.
        wanted: the number, one for each parenthesis.
        least: how many times it is stated, at least.
    """

    said: tuple[str, ...]
    wanted: tuple[str, ...]
    least: int = 2


def number(word: str) -> str:
    """A number in digits, whether it is written as one or as a word."""
    for words in (WORDS, GERMAN):
        if word.lower() in words:
            return str(words.index(word.lower()))
    return word


FACTS = {
    "size of dice": Fact(
        (
            r"between (\d+) and (\d+) mm",
            r"zwischen (\d+) und (\d+) mm",
        ),
        tuple(f"{end(SHARES_OF_SIZES):g}" for end in (min, max)),
        3,
    ),
    "sets of dice for Hold'em": Fact(
        (r"(\w+) dice each of red", r"je (\w+) Würfel in Rot"), ("5",)
    ),
    "players": Fact((r"[Uu]p to (\w+) people can play",), (str(PLAYERS),), 1),
    "tilt of the camera": Fact(
        (
            r"may be tilted by up to (\d+)°",
            r"\[(\d+) degrees are the limit",
            r"may lean by (\d+) degrees at most",
            r"The limit is (\d+) degrees",
            r"Schief hängen darf die Kamera bis (\d+) Grad",
            r"darf höchstens (\d+) Grad schief",
        ),
        (str(TOLD_TILT_DEG),),
        5,
    ),
    "questions at 20 and 30 degrees": Fact(
        (
            r"about one die in (ten) at 20°, (three) in ten at 30°",
            r"bei 20 Grad bei jedem (zehn)ten Würfel, bei 30 bei (drei) von",
        ),
        ("10", "3"),
    ),
    "height of the lens": Fact(
        (r"(\d+) mm above the floor for this tray", r"published mode of its sensor, from (\d+) mm"),
        (f"{sizes.LENS_HEIGHT:g}",),
    ),
    "floor of the tray": Fact(
        (r"\*\*Floor\*\*: (\d+) × (\d+)", r"--floor (\d+)x(\d+)"),
        tuple(f"{side:g}" for side in sizes.FLOOR),
    ),
    "Python": Fact((r"Python (3\.\d+) or later",), (PYTHON.removeprefix(">="),), 3),
    "Ubuntu": Fact((r"Ubuntu (\d+\.\d+)",), ("24.04",), 3),
    "MicroPython": Fact(
        (r"MicroPython (1\.\d+) or later", r"`\.uf2`, (1\.\d+) or later"), ("1.25",)
    ),
    "lights": Fact((r"(\d+) ?[×x] ?(\d+) LED",), (str(WIDTH), str(HEIGHT))),
    "buttons": Fact((r"(\w+) buttons\b(?= to|[:;,.]| at| and| below)",), (str(BUTTONS),), 1),
    "memory of a Zero 2 W": Fact((r"(\d+) MB are enough", r"of its (\d+) MB"), ("512",)),
    "most a weak supply leaves": Fact((r"less than (4\.\d+) V",), ("4.63",), 1),
    "current of a USB port": Fact(
        (r"of the (\d+) mA of a USB port", r"shows at most (\d+) mA"), ("500",)
    ),
}


def texts() -> dict[Path, str]:
    """The pages, each as one line."""
    return {path: re.sub(r"\s+", " ", path.read_text("utf-8")) for path in PAGES}


@pytest.mark.parametrize("name", FACTS)
def test_a_number_is_the_same_wherever_it_is_stated(name: str) -> None:
    fact, found = FACTS[name], 0
    for path, text in texts().items():
        for pattern in fact.said:
            for match in re.finditer(pattern, text):
                said = tuple(number(group) for group in match.groups())
                if all(part.replace(".", "").isdigit() for part in said):
                    assert said == fact.wanted, f"{path.name}: {match[0]}"
                    found += 1
    assert found >= fact.least, "the patterns find too few: are they worded otherwise now?"


@pytest.mark.parametrize("name", FACTS)
def test_every_wording_is_still_used(name: str) -> None:
    everything = " ".join(texts().values())
    for pattern in FACTS[name].said:
        assert re.search(pattern, everything), f"{pattern}: nobody says that any more"
