#!/usr/bin/env python3
"""Writes what players print at true scale: markers, board, stickers, buttons, as SVG and one PDF.

    .venv/bin/python scripts/hardware/make_prints.py [FOLDER]

The folder is docs/print by default.
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from scripts.hardware.prints.paper import pdf, svg
from scripts.hardware.prints.sheets import PAGES, PAPERS

ROOT = Path(__file__).parents[2]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", nargs="?", type=Path, default=ROOT / "docs" / "print", help="folder")
    folder: Path = parser.parse_args().out
    folder.mkdir(parents=True, exist_ok=True)
    for paper, size in PAPERS.items():
        pages = {name: make(size) for name, make in PAGES.items()}
        for name, page in pages.items():
            (folder / f"{name}-{paper}.svg").write_text(svg(page, f"dicetray {name}"))
        (folder / f"dicetray-{paper}.pdf").write_bytes(
            pdf(list(pages.values()), "dicetray: markers, board, stickers, buttons")
        )
    for path in sorted(folder.iterdir()):
        print(path.name, path.stat().st_size)


if __name__ == "__main__":
    main()
