#!/usr/bin/env python3
"""Makes the list with which Raspberry Pi Imager offers a card image, all figures from its file.

    python3 scripts/make_imager_list.py dist/dicetray-1.0.0.img.xz --out dist/imager.json

The image can be downloaded from the page of this version in the repository that pyproject.toml
names, or from the folder of `--address`. The version is that in the file's name, the release date
the day on which the file was written (UTC).
"""

import argparse
import hashlib
import json
import lzma
import re
import sys
import tomllib
from datetime import UTC, datetime
from pathlib import Path

DEVICES = ["pi5-64bit", "pi4-64bit", "pi3-64bit"]
"""Imager's tags of the Raspberry Pi 5, 4 and Zero 2 W; the last has those of the Pi 3.

Source: what several public lists copied from Raspberry Pi's os_list_imagingutility_v4.json (not
read itself)."""

PROJECT = Path(__file__).parents[1] / "pyproject.toml"

_CHUNK_BYTES = 1 << 20


def published_in(project: Path) -> str:
    """The folder in which the files of this version are published.

    Raises:
        ValueError: the project has no address yet.
    """
    about = tomllib.loads(project.read_text("utf-8"))["project"]
    address = about.get("urls", {}).get("Repository")
    if address is None:
        raise ValueError(
            "expected the address of the repository, found none: "
            "scripts/set_address.py https://..., or --address https://..."
        )
    return f"{address}/releases/download/v{about['version']}"


def imager_list(image: Path, address: str) -> dict[str, object]:
    """The list with one entry, as raspberrypi/rpi-imager describes it in doc/schema-notes.md.

    Raises:
        ValueError: the file's name has no version, or it is not an image packed by xz.
    """
    named = re.fullmatch(r"dicetray-(\d[\w.~+-]*)\.img\.xz", image.name)
    if named is None:
        raise ValueError(f"{image}: expected dicetray-VERSION.img.xz")
    packed, unpacked, size = hashlib.sha256(), hashlib.sha256(), 0
    with image.open("rb") as file:
        while data := file.read(_CHUNK_BYTES):
            packed.update(data)
    try:
        with lzma.open(image) as content:
            while data := content.read(_CHUNK_BYTES):
                unpacked.update(data)
                size += len(data)
    except (lzma.LZMAError, EOFError) as error:
        raise ValueError(f"{image}: cannot be unpacked: {error}") from error
    state = image.stat()
    entry = {
        "name": f"dicetray {named[1]}",
        "description": "Reads dice in a tray and keeps the score of six dice games",
        "icon": f"{address.rstrip('/')}/icon.svg",
        "url": f"{address.rstrip('/')}/{image.name}",
        "extract_size": size,
        "extract_sha256": unpacked.hexdigest(),
        "image_download_size": state.st_size,
        "image_download_sha256": packed.hexdigest(),
        "release_date": datetime.fromtimestamp(state.st_mtime, UTC).date().isoformat(),
        "devices": DEVICES,
        # Imager's settings (user, Wi-Fi, SSH) need cloud-init or firstrun.sh, which it lacks.
        "init_format": "none",
        "architecture": "armv8",
    }
    return {"os_list": [entry]}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("image", type=Path, nargs="?", help="dicetray-VERSION.img.xz")
    parser.add_argument("--address", help="folder of the download, https://...")
    parser.add_argument("--out", type=Path, help="file to write; else it is printed")
    parser.add_argument("--check", action="store_true", help="only look for the address")
    arguments = parser.parse_args()
    if not arguments.check and arguments.image is None:
        parser.error("expected an image")
    try:
        address = arguments.address or published_in(PROJECT)
        if arguments.check:
            return 0
        text = json.dumps(imager_list(arguments.image, address), indent=2) + "\n"
        if arguments.out:
            arguments.out.write_text(text, encoding="utf-8")
        else:
            print(text, end="")
    except (OSError, ValueError) as error:
        print(f"dicetray: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
