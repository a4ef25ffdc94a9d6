#!/usr/bin/env python3
"""Takes screenshots of the `dicetray play --browser` page in a real browser, for the documents.

    .venv/bin/python scripts/make_screenshots.py              the pictures of the documents
    .venv/bin/python scripts/make_screenshots.py --all DIR    every game, light, dark and on a phone

It needs Chromium and requirements/browser.txt.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).parents[1]
PICTURES = ROOT / "docs" / "pictures"
GAMES = ("classic", "power", "showdown", "free-for-all", "holdem")
DESKTOP_SIZE = (1280, 800)
PHONE_SIZE = (390, 844)
SEED = "7"


@contextmanager
def served(state: str, game: str) -> Iterator[str]:
    """The address of a game's page."""
    command = [
        sys.executable,
        "-m",
        "appliance.cli.program",
        "play",
        "--browser",
        "--no-open",
        "--human",
    ]
    process = subprocess.Popen(
        [
            *command,
            "--new",
            "--game",
            game,
            "--players",
            "ANNA",
            "BEN",
            "--seed",
            SEED,
            "--speed",
            "2",
        ],
        env={**os.environ, "XDG_STATE_HOME": state},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        yield re.findall(r"http://\S+", process.stdout.readline())[0]
    finally:
        process.terminate()
        process.wait()


def play(page: Any, game: str) -> None:
    """Plays until dice lie in the tray, and holds one where dice can be held."""
    can, said = page.locator("#can button"), page.locator("#line")
    can.first.wait_for()
    page.wait_for_timeout(4000)
    for _ in range(40):
        dice = page.get_attribute("#tray", "aria-label") or ""
        if dice.startswith("Dice") and ("hold" in said.inner_text() or game == "holdem"):
            break
        if can.count():
            # It is hidden while dice are thrown, for long on a busy computer.
            can.first.click(timeout=120_000)
        page.wait_for_timeout(4000)
    if "hold" in said.inner_text():
        page.click("#holds button >> nth=1")
        page.wait_for_timeout(1500)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--all", type=Path, metavar="DIR", help="every game, into this folder")
    folder = parser.parse_args().all
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        print("expected Chromium, found none; apt-get install chromium", file=sys.stderr)
        return 2
    # Imported here so that `--help` works without it.
    from playwright.sync_api import sync_playwright

    with TemporaryDirectory() as state, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=found, args=["--no-sandbox"])
        page = browser.new_page()
        for game in GAMES if folder else ("classic", "holdem"):
            with served(state, game) as address:
                page.set_viewport_size({"width": DESKTOP_SIZE[0], "height": DESKTOP_SIZE[1]})
                page.goto("about:blank")
                page.goto(address)
                play(page, game)
                for scheme in ("light", "dark"):
                    page.emulate_media(color_scheme=scheme)
                    for name, (width, height) in (("desk", DESKTOP_SIZE), ("phone", PHONE_SIZE)):
                        page.set_viewport_size({"width": width, "height": height})
                        page.wait_for_timeout(400)
                        file = None
                        if folder:
                            file = folder / f"{game}-{scheme}-{name}.jpg"
                        elif (game, scheme, name) == ("classic", "light", "desk"):
                            file = PICTURES / "page.jpg"
                        elif (game, scheme, name) == ("holdem", "dark", "phone"):
                            file = PICTURES / "page-phone.jpg"
                        if file is not None:
                            file.parent.mkdir(parents=True, exist_ok=True)
                            page.screenshot(path=file, type="jpeg", quality=88)
    return 0


if __name__ == "__main__":
    sys.exit(main())
