"""The shopping list in `shopping.toml`, for three builds, and their power."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from appliance.config.settings import Config
from firmware import config as board
from scripts.hardware.building import power

FILE = Path(__file__).with_name("shopping.toml")
BUILDS = ("cheapest", "standard", "best")


@dataclass(frozen=True, slots=True)
class Purchase:
    """A line of the list.

    Attributes:
        group: heading that it is listed under.
        name: what it is.
        many: how many for each of `BUILDS`.
        search: words to search for, for each build; empty where it has none.
        others: two alternatives.
    """

    group: str
    name: str
    many: tuple[int, ...]
    search: tuple[str, ...]
    others: tuple[str, ...]


def _purchase(line: dict[str, Any]) -> Purchase:
    """Parses a line of the file.

    Raises:
        ValueError: something is missing.
    """
    name = line["name"]
    wanted = [n for n, many in enumerate(line["many"]) if many]
    search = tuple(line["search"]) + ("",) * (len(BUILDS) - len(line["search"]))
    if len(line["many"]) != len(BUILDS) or not all(search[n] for n in wanted):
        raise ValueError(f"{name}: expected a number and words to search for, for each build")
    if len(line["others"]) != 2:
        raise ValueError(f"{name}: expected two alternatives, found {len(line['others'])}")
    return Purchase(line["group"], name, tuple(line["many"]), search, tuple(line["others"]))


def purchases(text: str | None = None) -> list[Purchase]:
    """The whole list, from the file if no text is given."""
    lines = tomllib.loads(FILE.read_text(encoding="utf-8") if text is None else text)["part"]
    return [_purchase(line) for line in lines]


def _searches(line: Purchase) -> str:
    """The words to search for: once if they are the same for all builds."""
    builds_by_words: dict[str, list[str]] = {}
    for build, many, words in zip(BUILDS, line.many, line.search, strict=True):
        if many:
            builds_by_words.setdefault(words, []).append(build)
    if len(builds_by_words) == 1:
        return "".join(f"“{words}”" for words in builds_by_words)
    return "; ".join(f"{', '.join(builds)} “{words}”" for words, builds in builds_by_words.items())


def _lists(lines: list[Purchase]) -> Iterator[str]:
    for group in dict.fromkeys(line.group for line in lines):
        items = [
            f"- **{line.name}**, {'/'.join(str(many) for many in line.many)}: "
            f"{_searches(line)}; or {', or '.join(line.others)}"
            for line in lines
            if line.group == group
        ]
        yield f"## {group}\n\n" + "\n".join(items)


_TOP = """# What to buy

<!-- made by scripts/hardware/make_buying.py from scripts/hardware/building/shopping.toml -->

**Buy the standard build**: a Raspberry Pi 4, a Camera Module 3, a 12 V ring light behind opal
acrylic, four red MAX7219 strips with a Pico, eleven buttons; print the rest
([building](building.md)). The cheapest is a webcam over a bought dice tray, with the game in a
[terminal](laptop.md). The best adds bright lights, a faster Pi, a buzzer, and film against glare.

Each line says how many the cheapest, standard and best build need, what to search for, and two
alternatives. There are no prices here: those of computers and memory change from month to month,
and old ones mislead.
"""

_LIGHT = """## Which tray, felt and light

- **Tray**: the printed rim, or any box with a level floor, 15 to 28 cm wide
  ([sizes](building.md#printed-parts), [camera height](building.md#camera-and-light)).
- **Felt**: thin and short, without glitter; wash or roll it before use.
- **Light**: about 4000 K, on direct current, at most 5 W: its holder is printed and carries the
  camera, too ([why](building.md#camera-and-light)). USB ring lights often flicker when dimmed: use
  them at full brightness.
- **Power supply**: a weak one is the most common cause of trouble. **Card**: buy a good one, as
  every turn is written to it.
- **Crossed polarising films** remove the lamp's reflections; nobody has tried them with
  dicetray yet. Cut one like the opal ring (`opal-ring.svg`) and lay it below the opal sheet; turn a
  scrap before the lens until reflections in a shiny die vanish, and tape it there. They
  take more than three quarters of the light: if calibration says TOO DARK, remove them or use a
  stronger ring.
"""


_ZERO = """## With a Zero 2 W

It plays every game, with board, buttons, camera, voice, score page and MQTT, but it is the slowest:

- **Time**: by counted instructions a throw is read in 0.2 to 0.9 s where the tray is calibrated;
  before that it takes up to 3 s. The program starts in 3 to 6 s ([estimated, not
  measured](performance.md#on-a-raspberry-pi-counted-not-measured)). Who does not want to wait buys
  a Pi 4.
- **Memory**: 512 MB are enough for all of it on Raspberry Pi OS Lite, without a desktop; [set less
  of it apart](installing.md#on-a-pi-with-512-mb).
- **Header**: it is sold without header pins, or with them: buy the latter, or solder them on.
- **USB**: it has one micro USB socket (OTG) besides that for power. The Pico takes it, through an
  adapter; a webcam or a stick besides needs the hub. Phones see the page over its Wi-Fi, which
  knows 2.4 GHz only.
- **Camera**: take a Camera Module, with a cable of 22 to 15 pins (“Raspberry Pi Zero camera
  cable”). It leaves the processor nearly idle; the pictures of a webcam of 1280×720 keep a core
  busy, and some are dropped.
- **Sound**: it has no audio jack ([a voice](voice.md)). It cannot tell whether its supply is weak.
"""


def page() -> str:
    """The whole page."""
    lines = purchases()
    parts = [_TOP]
    parts += [text + "\n" for text in _lists(lines)]
    lights = len(Config().buttons.lights)
    parts += [_ZERO, _LIGHT, power.section(board, lights)]
    return "\n".join(parts)
