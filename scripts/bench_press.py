#!/usr/bin/env python3
"""How long a press on the page takes until its effect is drawn, beside a plain GET of the same run.

    .venv/bin/python scripts/bench_press.py --presses 100
    .venv/bin/python scripts/bench_press.py --presses 120 --beside ../older-checkout

The program is a process of its own, the page is in Chromium. Presses hold a die and let it go; they
and the GETs take turns. A press ends with the picture that shows what it did. Builds that are
measured beside this one take turns with it, ten presses each.
"""

import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.rigs.browser import launched

ROOT = Path(__file__).resolve().parent.parent
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
PROGRAM = "import sys; from appliance.cli.main import main; sys.exit(main())"
A_BLOCK = 10
"""Presses until it is the next build's turn."""


@contextmanager
def page(root: Path, state: Path, browser: Any, speed: str) -> Iterator[Any]:
    """A tab in which the dice of a first throw lie, of the program of a checkout."""
    command = ("play", "--browser", "--no-open", "--speed", speed, *GAME)
    where = {"XDG_STATE_HOME": str(state), "PYTHONPATH": str(root)}
    program = subprocess.Popen(
        (sys.executable, "-c", PROGRAM, *command),
        cwd=root,
        env={**os.environ, **where},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert program.stdout is not None
        said = program.stdout.readline()
        address = re.search(r"http://127\.0\.0\.1:\d+/#\S+", said)
        assert address, said
        # A page of its own window: none hides another.
        tab = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
        tab.set_default_timeout(120_000)
        tab.goto(address[0])
        tab.wait_for_selector("#who:not(:empty)")
        tab.wait_for_timeout(1000)
        tab.keyboard.press(" ")
        tab.wait_for_selector("#sheets .offer")
        yield tab
    finally:
        program.terminate()
        program.wait(120)


def main() -> int:
    """Prints medians and 95th percentiles of each build, and their ratios."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--presses", type=int, default=100)
    parser.add_argument("--speed", default="1", help="simulated seconds in a second")
    parser.add_argument("--beside", type=Path, nargs="*", default=[], help="other checkouts")
    args = parser.parse_args()
    roots = [ROOT, *(folder.resolve() for folder in args.beside)]
    print(f"load {os.getloadavg()[0]:.0f}")
    with ExitStack() as stack:
        browser = stack.enter_context(launched())
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        tabs = [
            stack.enter_context(page(root, folder / str(number), browser, args.speed))
            for number, root in enumerate(roots)
        ]
        taken = [(list[float](), list[float]()) for _ in roots]
        for _ in range(0, args.presses, A_BLOCK):
            for tab, (gets, presses) in zip(tabs, taken, strict=True):
                more = tab.evaluate(MEASURE, A_BLOCK)
                gets += more[0]
                presses += more[1]
    for root, (gets, presses) in zip(roots, taken, strict=True):
        for name, share in (("median", 0.5), ("95 %", 0.95)):
            get, press = (
                statistics.quantiles(times, n=100)[round(100 * share) - 1]
                for times in (gets, presses)
            )
            times = f"GET {get:.1f} ms, press {press:.1f} ms, {press / get:.1f} times"
            print(f"{root.name}, {name}: {times}")
    print(f"load {os.getloadavg()[0]:.0f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
