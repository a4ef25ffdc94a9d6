#!/usr/bin/env python3
"""Writes docs/lab-run.md from what run_owner.sh has noted.

owner_table.py RESULTS... DOCUMENT

Results of a further machine add the stages that the first has not.
"""

import sys
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
    "upgrade": "An upgrade in mid-game",
    "finish": "The game ends",
    "holdem": "A second game",
    "rollback": "An upgrade that fails",
    "off": "Switched off by the buttons",
    "keep": "Removed, games kept",
    "delete": "Installed again, removed with the games",
}
HEAD = """# A run in the lab

Made by `tests/lab/run_owner.sh` on {day}; its head says what it needs. Debian 13 with systemd in an
emulated machine, installed from the release bundle as an owner would. Real there: the kernel's GPIO
character device (gpio-sim, with the buttons' pins), a USB serial device with a Pico's identity
behind the kernel's cdc_acm driver, with the board's firmware in MicroPython at its other end, a
V4L2 camera, systemd, polkit, a disk that loses with the power what was not written. Not real: the
Pico's chip, the LEDs, the camera's sensor (rendered frames, 800 x 450, six a second), the dice.

The machine's clock counts instructions, one a nanosecond: it behaves like a small, slow computer
with one core, however busy the one around it is. Service, watchdog and installer have the limits
they are shipped with. No speed is measured.

Every game was played outside first by a simulated player, through the same reader; each act in the
machine must lead to the same lines in the journal and to one of the same pictures on the board, as
read from the SPI bytes of its firmware. What counts as shown when the power goes is taken from the
pictures that were up; they are kept outside the machine.

{summary}
"""


def main() -> None:
    """Writes the document."""
    *results, document = map(Path, sys.argv[1:])
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
    parts = [HEAD.format(day=f"{datetime.now(UTC):%-d %B %Y}", summary=summary)]
    for stage, title in STAGES.items():
        here = [row for row in rows if row[0] == stage]
        if here:
            lines = (
                f"| {name} | {state} | {text.replace('|', '/')} |" for _, state, name, text in here
            )
            parts.append(
                "\n".join((f"## {title}", "", "| step | | seen |", "|---|---|---|", *lines, ""))
            )
    document.write_text("\n".join(parts))


if __name__ == "__main__":
    main()
