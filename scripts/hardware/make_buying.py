#!/usr/bin/env python3
"""Writes docs/buying.md, what to buy, from scripts/hardware/building/shopping.toml.

    .venv/bin/python scripts/hardware/make_buying.py [--out docs/buying.md]

The power budget comes from the settings of the scoreboard's firmware and of the buttons' lights.
"""

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from scripts.hardware.building import shopping  # noqa: E402


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "buying.md")
    out: Path = parser.parse_args().out
    out.write_text(shopping.page(), encoding="utf-8")


if __name__ == "__main__":
    main()
