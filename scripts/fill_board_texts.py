#!/usr/bin/env python3
"""Fills in what the board says where a document in another language quotes it.

    .venv/bin/python scripts/fill_board_texts.py

In docs/de a text of the board is bold, and its English key follows in a comment:
`**KALIBRIEREN**<!-- CALIBRATE -->`; the two lines of an alert have a `|` between them. This writes
the catalogue's texts over those that are there.
"""

import re
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from appliance.words import CATALOGUES, read_language  # noqa: E402

DOCS = ROOT / "docs"
QUOTED = re.compile(r"\*\*[^*\n]+\*\*<!-- ([^>]+?) -->")
"""A text of the board in a document, with its key."""


def filled(text: str, texts: Mapping[str, str]) -> str:
    """A document with the texts of the board brought up to date.

    Args:
        text: the document.
        texts: the catalogue's text for each English one.

    Raises:
        ValueError: the catalogue has no such text.
    """

    def quoted(found: re.Match[str]) -> str:
        try:
            said = " / ".join(texts[key] for key in found[1].split("|"))
        except KeyError as error:
            raise ValueError(
                f"{found[0]}: expected the English text of something on the board, found {error}"
            ) from error
        return f"**{said}**<!-- {found[1]} -->"

    return QUOTED.sub(quoted, text)


def pages() -> dict[Path, str]:
    """The documents in other languages, with the texts of the board brought up to date."""
    made = {}
    for path in sorted(DOCS.glob("??/*.md")):
        texts = read_language(CATALOGUES / f"{path.parent.name}.toml").texts
        made[path] = filled(path.read_text("utf-8"), texts)
    return made


def main() -> int:
    """Writes them."""
    try:
        for path, text in pages().items():
            path.write_text(text, "utf-8")
    except ValueError as error:
        print(f"fill_board_texts: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
