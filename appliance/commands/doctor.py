"""`dicetray doctor`: looks at the hardware and says what is wrong and what to do."""

import argparse
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TextIO

from appliance.checks import Finding, Level
from appliance.config import Config, load

TROUBLE = 1
"""Exit status when something is wrong."""


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Adds the command to the program's."""
    parser = subparsers.add_parser(
        "doctor",
        help="look at the hardware and say what to do",
        description="Looks at one thing after the other: OK, or what is wrong and what to do. "
        "Exit status 1 if anything is wrong.",
    )
    parser.add_argument("--config", type=Path, help="configuration file (TOML)")
    parser.add_argument("--port", help="the scoreboard's serial port; default: the configured one")
    parser.set_defaults(func=run)


def checks(config: Config, port: str) -> tuple[Callable[[], Iterator[Finding]], ...]:
    """All checks in their order; a new one is added here."""
    from appliance.checks.scoreboard import check_scoreboard

    return (lambda: check_scoreboard(port or config.scoreboard.port),)


def run(args: argparse.Namespace) -> int:
    """Runs all checks; 1 if any has found something wrong."""
    config = load(args.config) if args.config else Config()
    return tell(finding for check in checks(config, args.port) for finding in check())


def tell(findings: Iterable[Finding], out: TextIO | None = None) -> int:
    """Prints findings as they come and returns the exit status."""
    status = 0
    for finding in findings:
        for line in finding.lines():
            print(line, file=out, flush=True)
        if finding.level is Level.WRONG:
            status = TROUBLE
    return status
