#!/usr/bin/env python3
"""Fills in where the repository is: once in pyproject.toml, and wherever a document says it.

    .venv/bin/python scripts/set_address.py https://example.org/ann/dicetray

Everything else takes it from pyproject.toml: the wheel, and the list for Raspberry Pi Imager.
Documents say REPOSITORY-URL until then; a later address replaces the one before.
"""

import argparse
import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
PLACEHOLDER = "REPOSITORY-URL"
DOCUMENTS = ("README.md", "docs/installing.md")
"""The documents that say how the repository is cloned."""

_URLS = '[project.urls]\nRepository = "{}"\n\n'
_FOUND = re.compile(r'^\[project\.urls\]\nRepository = ".*"\n\n', re.MULTILINE)
_BEFORE = "[project.scripts]\n"


def address(root: Path = ROOT) -> str | None:
    """The repository's address; None while it has none."""
    about = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    found: str | None = about.get("urls", {}).get("Repository")
    return found


def set_address(new: str, root: Path = ROOT) -> None:
    """Writes the address into pyproject.toml and the documents.

    Raises:
        ValueError: it is no address of a repository, or a document does not say the one before.
    """
    if not re.fullmatch(r"https://[\w.-]+(?::\d+)?(?:/[\w.~-]+)+", new):
        raise ValueError(
            f"expected an address such as https://example.org/ann/dicetray, found {new}"
        )
    new = new.removesuffix(".git")
    before = address(root) or PLACEHOLDER
    texts = {name: (root / name).read_text("utf-8") for name in DOCUMENTS}
    for name, text in texts.items():
        if before not in text:
            raise ValueError(f"{name}: expected {before}, found none")
        (root / name).write_text(text.replace(before, new), "utf-8")
    project = root / "pyproject.toml"
    bare = _FOUND.sub("", project.read_text("utf-8"))
    project.write_text(bare.replace(_BEFORE, _URLS.format(new) + _BEFORE), "utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("address", help="https://...")
    arguments = parser.parse_args()
    try:
        set_address(arguments.address)
    except (OSError, ValueError) as error:
        print(f"dicetray: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
