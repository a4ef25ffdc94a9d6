#!/usr/bin/env python3
"""Has a slicer estimate the plastic and time of each printed part, for the table in building.md.

    sudo apt install prusa-slicer
    .venv/bin/python scripts/hardware/make_parts.py --out dist/parts
    .venv/bin/python scripts/hardware/slice_parts.py --parts dist/parts
    .venv/bin/python scripts/hardware/draw_building.py

It writes scripts/hardware/building/sliced.toml. The profiles are those that the slicer ships.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from scripts.hardware.building import slicing, steps  # noqa: E402

PROFILES = Path("/usr/share/PrusaSlicer/profiles/PrusaResearch.ini")
_VERSION = re.compile(r"PrusaSlicer \d+(?:\.\d+)+")


def sliced(slicer: str, stl: Path, settings: str, plastic: str) -> tuple[str, slicing.Estimate]:
    """The slicer's version, and what it estimates for a part.

    Raises:
        subprocess.CalledProcessError: it cannot slice the part.
        ValueError: it does not say what we look for.
    """
    with tempfile.TemporaryDirectory() as name:
        profile, gcode = Path(name, "profile.ini"), Path(name, "part.gcode")
        profile.write_text(settings, "utf-8")
        command = [slicer, "--load", str(profile), "--export-gcode", "--output", str(gcode)]
        subprocess.run([*command, str(stl)], check=True, capture_output=True)
        text = gcode.read_text("utf-8")
    version = _VERSION.search(text)
    if version is None:
        raise ValueError("expected the version of PrusaSlicer in a sliced file, found none")
    return version[0], slicing.estimate(text, plastic)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--parts", type=Path, default=ROOT / "dist/parts", help="folder of STLs")
    parser.add_argument("--slicer", default="prusa-slicer", help="PrusaSlicer's program")
    parser.add_argument("--profiles", type=Path, default=PROFILES, help="its list of profiles")
    parser.add_argument("--out", type=Path, default=slicing.FILE, help="file to write")
    arguments = parser.parse_args()
    bundle = arguments.profiles.read_text("utf-8")
    version, found = "", {}
    for name, _ in steps.PARTS:
        plastic = slicing.plastic_of(name)
        settings = slicing.settings(bundle, plastic)
        stl = arguments.parts / f"{name}.stl"
        version, found[name] = sliced(arguments.slicer, stl, settings, plastic)
        print(f"{name:24} {found[name].grams:6.1f} g {found[name].minutes:6.0f} min")
    arguments.out.write_text(slicing.written(version, found), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
