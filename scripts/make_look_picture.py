#!/usr/bin/env python3
"""Takes the picture of `dicetray look` in the documents: the page over five rendered dice.

    .venv/bin/python scripts/make_look_picture.py [--out docs/pictures]

It writes look.jpg. Page, reading and advice are the program's; the webcam is a rendered C920.
It needs Chromium and requirements/browser.txt.
"""

import argparse
import shutil
import sys
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

SIZE = (1280, 800)
SEED = 1
FACES = (3, 3, 5, 6, 2)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "pictures")
    out = parser.parse_args().out
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        print("expected Chromium, found none; apt-get install chromium", file=sys.stderr)
        return 2
    # Imported here so that `--help` works without them.
    from playwright.sync_api import sync_playwright

    from appliance.aiming import Aim, advise
    from appliance.devices.camera.mode import Mode
    from appliance.terminal.looking import looking_view
    from appliance.web.page import BrowserPage
    from calibration.readers import UncalibratedReader
    from tests.rigs.webcam import over_dice, photograph
    from vision.glance import glance

    image = photograph(over_dice(SEED, FACES))
    reading = UncalibratedReader().read(image)
    mode = Mode((1280, 720), "MJPG", 29.4, True, True, (1280, 720), 30.0)
    about = f"a rendered C920, {mode.text}."
    view = looking_view(image, reading, advise(Aim.of(image, reading, glance(image))), about)
    with (
        TemporaryDirectory() as folder,
        closing(BrowserPage(Path(folder) / "browser")) as page,
        sync_playwright() as driver,
    ):
        page.draw(view)
        browser = driver.chromium.launch(executable_path=found, args=["--no-sandbox"])
        tab = browser.new_page(viewport={"width": SIZE[0], "height": SIZE[1]})
        tab.goto(page.address)
        tab.wait_for_function(
            "() => document.querySelector('#tray').style.getPropertyValue('--ratio')"
        )
        tab.wait_for_timeout(1000)
        tab.screenshot(path=out / "look.jpg", type="jpeg", quality=88)
    return 0


if __name__ == "__main__":
    sys.exit(main())
