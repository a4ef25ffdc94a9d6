#!/usr/bin/env python3
"""Draws what is built and wired, and writes tables of building.md and scoreboard.md.

    .venv/bin/python scripts/hardware/draw_building.py [--out docs]

Pins come from the configuration's defaults, the tray from the simulator's, the camera from
calibration's lens, the lights from the firmware, what is bought from building/shopping.toml:
nothing is drawn that the product does not have.
It writes pictures/building-*.svg, wires.csv, shopping.csv, and in those pages the text between
`<!-- NAME -->` and `<!-- end -->`.
"""

import argparse
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from appliance.config.settings import Config  # noqa: E402
from appliance.devices.flash import layouts  # noqa: E402
from firmware import config as board  # noqa: E402
from scripts.hardware.building import (  # noqa: E402
    harness,
    mounting,
    parts,
    pins,
    power,
    shopping,
    sizes,
    slicing,
    steps,
    wiring,
)
from scripts.hardware.building.sketch import table  # noqa: E402

DRAWINGS = {
    "pins": pins.draw,
    "stand": parts.stand,
    "tray": parts.tray,
    "panel": parts.panel,
    "front": parts.front,
    "harnesses": wiring.drawing,
    "slant": parts.slant,
    "step-18": harness.scoreboard,
    "step-19": harness.panel,
}
PAGES = ("building.md", "scoreboard.md")


def tables() -> dict[str, str]:
    """The tables of the documents by name."""
    bought = shopping.purchases()
    lights = len(Config().buttons.lights)
    return {
        "shopping": table(
            ("what", "search for", f"about, € ({shopping.PRICED})"),
            [*shopping.standard_rows(bought)],
        ),
        "power": power.section(board, lights),
        "screws": steps.screw_list(),
        "heights": table(
            (
                "lens above floor, mm",
                "view at the rim, mm",
                "beyond markers, mm",
                "die, pixels",
                "viewing angle at the corners",
            ),
            mounting.height_rows(),
        ),
        "cameras": table(
            (
                "camera",
                "libcamera calls it",
                "pictures",
                "sees, degrees",
                "lowest lens, mm",
                "best, mm",
                f"beyond markers at {sizes.LENS_HEIGHT:g}, mm",
                "die at best height, pixels",
                "for this tray",
            ),
            mounting.camera_rows(),
        ),
        "trays": mounting.tray_list(),
        "lengths": "Aluminium profile: "
        + ", ".join(f"{name} {length:.0f}" for name, length in parts.profile_cuts().items())
        + ".",
        "shifter": wiring.shifter_list(),
        "layouts": layouts.as_list(),
        "parts": table(("", "part", "plastic", "g", "h"), slicing.part_rows(steps.PARTS))
        + f"\n\n{slicing.source()}.",
        "steps": table(("", " "), steps.rows()),
    }


def filled(pages: dict[str, str]) -> dict[str, str]:
    """The documents with their tables brought up to date."""
    for name, made in tables().items():
        pattern = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->)", re.DOTALL)
        page = next((page for page, text in pages.items() if pattern.search(text)), None)
        if page is None:
            raise SystemExit(f"{', '.join(PAGES)}: expected <!-- {name} --> and <!-- end -->")
        replaced = pattern.sub(lambda found: f"{found[1]}{made}\n{found[2]}", pages[page])  # noqa: B023
        pages = {**pages, page: replaced}
    return pages


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=ROOT / "docs", help="folder to write to")
    out: Path = parser.parse_args().out
    (out / "pictures").mkdir(parents=True, exist_ok=True)
    for name, draw in DRAWINGS.items():
        (out / "pictures" / f"building-{name}.svg").write_text(draw().svg(), encoding="utf-8")
    (out / "wires.csv").write_text(wiring.table(), encoding="utf-8")
    (out / "shopping.csv").write_text(shopping.csv_of(shopping.purchases()), encoding="utf-8")
    pages = {page: (ROOT / "docs" / page).read_text(encoding="utf-8") for page in PAGES}
    for page, text in filled(pages).items():
        (out / page).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
