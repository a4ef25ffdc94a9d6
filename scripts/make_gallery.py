#!/usr/bin/env python3
"""Makes `docs/screens.md` with its drawings, and those of `docs/calibrating.md`, from the product.

Run it with the checkout's own Python: `.venv/bin/python scripts/make_gallery.py`.
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.rigs.gallery import drawings, page
from tests.rigs.gallery.calibrating import drawings as drawings_of_calibration

DOCS = Path(__file__).parents[1] / "docs"
FOLDER = "screens"
CALIBRATION = "calibrating"


def main() -> None:
    """Writes the page and its drawings; deletes drawings of scenes that no longer exist."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=DOCS, help="folder to write to")
    out: Path = parser.parse_args().out
    for folder, found in (
        (out / FOLDER, drawings()),
        (out / CALIBRATION, drawings_of_calibration()),
    ):
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.glob("*.svg"):
            if old.name not in found:
                old.unlink()
        for name, text in found.items():
            (folder / name).write_text(text)
    (out / "screens.md").write_text(page(FOLDER))


if __name__ == "__main__":
    main()
