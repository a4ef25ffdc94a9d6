#!/usr/bin/env python3
"""Writes tests/lab/lab-run.md, and lab-run.txt beside it, from what run_owner.sh has recorded.

Results from a further machine add the stages that the first one lacks.
"""

import argparse
import textwrap
from datetime import UTC, datetime
from pathlib import Path

STAGES = {
    "bundles": "Bundles made on the computer outside",
    "rehearse": "The games, played outside first",
    "boot": "The machine",
    "wire": "Devices",
    "missing": "Before anything is installed",
    "install": "Installing",
    "settings": "Configuration",
    "service": "The service",
    "doctor": "`dicetray doctor`",
    "begin": "A game begins",
    "pull": "Camera and Pico pulled in mid-game",
    "hang": "A process that hangs, one that is killed",
    "cuts": "Power cuts in mid-game",
    "reboot": "A restart in order",
    "upgrade": "An upgrade from a stick, in mid-game",
    "finish": "The game ends",
    "holdem": "A second game",
    "rollback": "An upgrade that fails",
    "off": "Switched off by the buttons",
    "keep": "Removed, games kept",
    "delete": "Installed again, removed with the games",
}
HEAD = """# A run in the lab

**{summary}** On {day} `tests/lab/run_owner.sh` installed the release bundle on an emulated machine
with Debian 13, as an owner would. It played, unplugged camera and Pico, cut the power, upgraded and
uninstalled. What each check saw is in [lab-run.txt](lab-run.txt).

- **Real**: the kernel's GPIO device (gpio-sim), a USB serial device behind cdc_acm with the
  scoreboard's firmware in MicroPython, a V4L2 camera, systemd, polkit, a disk that loses unwritten
  data.
- **Not real**: the Pico's chip, the LEDs, the camera's sensor (rendered frames, 800 × 450, six a
  second) and the dice. Speed is not measured: the machine counts a nanosecond for each instruction.
- **What is right**: the same game is played outside the machine first. Journal and scoreboard (read
  from SPI) must match it.

Checks passed of checks made, stage by stage:

"""


def main() -> None:
    """Writes the document."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", type=Path, nargs="+", help="files that run_owner.sh has written")
    parser.add_argument("document", type=Path)
    args = parser.parse_args()
    results, document = args.results, args.document
    rows: list[list[str]] = []
    elsewhere: list[str] = []
    for number, file in enumerate(results):
        there = {row[0] for row in rows}
        found = [line.split("\t") for line in file.read_text().splitlines()]
        new = [row for row in found if row[0] not in there]
        rows += new
        if number:
            elsewhere += dict.fromkeys(row[0] for row in new)
    failed = sum(row[1] != "OK" for row in rows)
    stages = {row[0] for row in rows}
    missing = [name for name in STAGES if name not in stages]
    summary = f"{len(rows)} checks, {failed} failed."
    if missing:
        summary += f" Not run: {', '.join(missing)}."
    if elsewhere:
        summary += (
            f" The stages {', '.join(elsewhere)} ran on a second machine, a copy of the first as it"
            " was after `service`, with a game of its own."
        )
    day = f"{datetime.now(UTC):%-d %B %Y}"
    document.write_text(page(rows, HEAD.format(day=day, summary=summary)))
    document.with_suffix(".txt").write_text(log(rows))


def page(rows: list[list[str]], head: str) -> str:
    """The document: how many checks of each stage passed."""
    said = []
    for stage, title in STAGES.items():
        here = [row for row in rows if row[0] == stage]
        good = sum(row[1] == "OK" for row in here)
        if here:
            said.append(f"{title} {good}/{len(here)}")
    return head + textwrap.fill("; ".join(said) + ".", 100) + "\n"


def log(rows: list[list[str]]) -> str:
    """The log of what each check saw."""
    parts = []
    for stage, title in STAGES.items():
        here = [f"{state:<6} {name}\n       {text}" for s, state, name, text in rows if s == stage]
        if here:
            parts.append("\n".join((title, "", *here, "")))
    return "\n".join(parts)


if __name__ == "__main__":
    main()
