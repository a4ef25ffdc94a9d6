#!/usr/bin/env python3
"""Makes `docs/screens.md` with its drawings, and those of other pages, from the product.

Those are `docs/calibrating.md`, and the pages in other languages, such as `docs/de`.

Run it with the checkout's own Python: `.venv/bin/python scripts/make_gallery.py`.
"""

import argparse
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from appliance.words import ENGLISH, set_language
from tests.rigs.gallery import drawings, page
from tests.rigs.gallery.calibrating import drawings as drawings_of_calibration

DOCS = Path(__file__).parents[1] / "docs"
FOLDER = "screens"
CALIBRATION = "calibrating"


def translated(pages: Path) -> dict[str, str]:
    """The drawings that pages in a language show, in this language, by their paths.

    Args:
        pages: the folder of the pages, whose name is the language's code.
    """
    text = "".join(path.read_text("utf-8") for path in sorted(pages.glob("*.md")))
    shown = re.findall(rf"\]\(((?:{FOLDER}|{CALIBRATION})/[\w-]+\.svg)\)", text)
    set_language(pages.name)
    try:
        made = {f"{FOLDER}/{name}": drawn for name, drawn in drawings().items()}
        made |= {
            f"{CALIBRATION}/{name}": drawn for name, drawn in drawings_of_calibration().items()
        }
    finally:
        set_language(ENGLISH)
    return {name: made[name] for name in shown}


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
    for pages in DOCS.glob("??"):
        for old in (out / pages.name).glob("*/*.svg"):
            old.unlink()
        for name, text in translated(pages).items():
            (out / pages.name / name).parent.mkdir(parents=True, exist_ok=True)
            (out / pages.name / name).write_text(text)


if __name__ == "__main__":
    main()
