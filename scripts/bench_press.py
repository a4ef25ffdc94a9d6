#!/usr/bin/env python3
"""How long a press on the page takes until its effect is drawn, beside a plain GET of the same run.

    .venv/bin/python scripts/bench_press.py --presses 100

The program is a process of its own, the page is in Chromium. Presses hold a die and let it go; they
and the GETs take turns. A press ends with the picture that shows what it did.
"""

import argparse
import statistics
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.appliance.web.program import running
from tests.rigs.browser import launched

MEASURE = """async (count) => {
    const die = document.querySelector("#holds button");
    const drawn = (was) => new Promise((done) => {
        const observer = new MutationObserver(() => {
            if (die.ariaPressed === was) return;
            observer.disconnect();
            done();
        });
        observer.observe(die, { attributes: true });
    });
    const pause = () => new Promise((done) => setTimeout(done, 60 + 60 * Math.random()));
    const gets = [], presses = [];
    for (let n = 0; n < count; n += 1) {
        await pause();
        let begun = performance.now();
        await (await fetch("/", { cache: "no-store" })).text();
        gets.push(performance.now() - begun);
        await pause();
        begun = performance.now();
        const shown = drawn(die.ariaPressed);
        die.click();
        await shown;
        presses.push(performance.now() - begun);
    }
    return [gets, presses];
}"""
GAME = ("--human", "--game", "classic", "--players", "ANNA", "--new", "--seed", "5")


def main() -> int:
    """Prints medians and 95th percentiles, and their ratios."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--presses", type=int, default=100)
    parser.add_argument("--speed", default="1", help="simulated seconds in a second")
    args = parser.parse_args()
    command = ("play", "--browser", "--no-open", "--speed", args.speed, *GAME)
    with (
        tempfile.TemporaryDirectory() as folder,
        launched() as browser,
        running(Path(folder), *command) as (address, _),
    ):
        tab = browser.new_page(viewport={"width": 1280, "height": 800})
        tab.set_default_timeout(120_000)
        tab.goto(address)
        tab.wait_for_selector("#primary:visible:not(.fresh)")
        tab.keyboard.press(" ")
        tab.wait_for_selector("#holds button[aria-disabled=false]")
        gets, presses = tab.evaluate(MEASURE, args.presses)
    for name, share in (("median", 0.5), ("95 %", 0.95)):
        get, press = (
            statistics.quantiles(times, n=100)[round(100 * share) - 1] for times in (gets, presses)
        )
        print(f"{name}: GET {get:.1f} ms, press {press:.1f} ms, {press / get:.1f} times")
    return 0


if __name__ == "__main__":
    sys.exit(main())
