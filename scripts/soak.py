#!/usr/bin/env python3
"""Plays as long as asked with faults of every kind; memory, handles, threads, disk must not grow.

    .venv/bin/python scripts/soak.py --minutes 60 --load 0.5 --out DIR
    .venv/bin/python scripts/soak.py --minutes 60 --pairs --drawn 0 --out DIR
    .venv/bin/python scripts/soak.py --evenings 365 --minutes 480 --jobs 2 --drawn 0 --out DIR
    .venv/bin/python scripts/soak.py --evenings 60 --share 4 --minutes 90 --drawn 0 --out DIR

Only the appliance's surroundings are simulated: the loop, camera thread, link to the firmware,
buttons, journal and kept pictures are real. It runs in the environment that the unit gives the
service, which determines how glibc keeps memory. Exit status 1 if something grows, a fault is not
named or does not heal, or a score is wrong. DIR gets report.md, soak.svg and samples.csv.

With --evenings lives of two months share the evenings and the pairs of faults, --jobs of them side
by side, each in a process of its own, with a log of its own in DIR. What was lived is in DIR after
each evening, too: called again with the same --seed, --drawn, --evenings and --share it goes on
from there.
"""

import argparse
import csv
import logging
import os
import re
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import astuple, fields
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from appliance.cli.main import LIBRARY_ENVIRONMENT
from tests.proofs.soak import Sample, Soak, Verdict, assess
from tests.proofs.soak.faults import FAULTS, pairs_of, stand_in_of
from tests.proofs.soak.flatness import LEAST_SAMPLES
from tests.proofs.soak.pieces import AnotherYearError
from tests.proofs.soak.report import growth_table, svg
from tests.proofs.soak.soaking import Tally
from tests.proofs.soak.year import Plan, added, lived, table, wrong_in

UNIT = Path(__file__).parents[1] / "systemd" / "dicetray.service"


def as_the_service() -> None:
    """Restarts in the service's environment, which glibc reads only when a program starts."""
    unit = UNIT.read_text("utf-8")
    wanted = LIBRARY_ENVIRONMENT | dict(re.findall(r"^Environment=(MALLOC_\w+)=(.*)$", unit, re.M))
    if any(os.environ.get(name) != value for name, value in wanted.items()):
        os.execve(sys.executable, [sys.executable, *sys.argv], os.environ | wanted)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--load", type=float, default=1.0, help="share of a core; 1: full speed")
    parser.add_argument("--drawn", type=float, default=0.3, help="share of games with pictures")
    parser.add_argument("--pairs", action="store_true", help="two faults at a time, of all pairs")
    parser.add_argument(
        "--evenings",
        type=int,
        help="so many evenings of two games and more, with pairs; --minutes is the longest; "
        "goes on with what --out has of them",
    )
    parser.add_argument(
        "--share", type=int, help="pairs of faults an evening; by default all in the year's"
    )
    parser.add_argument("--jobs", type=int, default=1, help="processes that live side by side")
    parser.add_argument("--every", type=float, default=20.0, help="seconds between samples")
    parser.add_argument("--out", type=Path, help="folder for report.md, soak.svg, samples.csv")
    parser.add_argument("--verbose", action="store_true", help="tell each fault")
    options = parser.parse_args()
    least = 2 * LEAST_SAMPLES * options.every / 60
    if not options.evenings and not options.minutes >= least:
        parser.error(
            f"expected --minutes of {least:g} or more, for enough samples; or less --every"
        )
    as_the_service()
    logging.basicConfig(level=logging.INFO, format="%(relativeCreated)7.0f %(message)s")
    logging.root.handlers[0].setLevel(logging.INFO if options.verbose else logging.CRITICAL)
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
    seconds = 60 * options.minutes
    if options.evenings:
        try:
            text, tally, samples = live(options, time.monotonic() + seconds)
        except AnotherYearError as error:
            parser.error(str(error))
    else:
        with (
            tempfile.TemporaryDirectory() as folder,
            Soak(Path(folder), options.seed, load=options.load, drawn=options.drawn) as soak,
        ):
            soak.run(seconds, options.every, report=show_sample, pairs=options.pairs)
        text, tally, samples = "", soak.tally, soak.samples
    verdicts = assess(samples) if len(samples) >= 2 * LEAST_SAMPLES else ()
    text += "\n".join(report(verdicts, tally)) + "\n"
    print(text)
    if options.out:
        write(options.out, text, samples)
    return 0 if all(v.flat for v in verdicts) and not tally.wrong else 1


def live(options: argparse.Namespace, until_s: float) -> tuple[str, Tally, list[Sample]]:
    """Lives a year; returns its table, its tally, and the samples of the longest process."""
    with tempfile.TemporaryDirectory() as folder:
        pieces = lived(
            Plan(
                options.out or Path(folder),
                options.evenings,
                options.jobs,
                options.seed,
                options.drawn,
                options.load,
                until_s,
                options.share,
            )
        )
    year, tally = added(pieces)
    tally.wrong = wrong_in(year, tally)
    longest = max((piece.samples for piece in pieces), key=len, default=[])
    return "\n".join((*table(year, tally), "", "")), tally, longest


def show_sample(sample: Sample) -> None:
    print(
        f"{sample.time_s:6.0f} s  {sample.memory / 1e6:6.1f} MB  {sample.handles} handles  "
        f"{sample.threads} threads  {sample.lines} lines",
        file=sys.stderr,
        flush=True,
    )


def report(verdicts: tuple[Verdict, ...], tally: Tally) -> Iterator[str]:
    yield from growth_table(verdicts)
    yield ""
    games = ", ".join(f"{name} {count}" for name, count in sorted(tally.games.items()))
    stuck = ", ".join(f"{name} {count}" for name, count in sorted(tally.stuck.items()))
    yield f"- {tally.room_s / 3600:.1f} hours at the table in {tally.frames} frames"
    yield f"- games finished with the true scores: {games or 'none'}"
    yield f"- games left because they did not go on: {stuck or 'none'}"
    yield f"- {tally.throws} throws, {tally.slips.total()} slips of the players"
    yield f"- the appliance was started {tally.starts} times"
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    yield f"- the most memory between two measurements: {most * 1024 / 1e6:.0f} MB"
    rots = ", ".join(f"{what} {count}" for what, count in sorted(tally.rots.items()))
    yield f"- rot of the games' files: {rots or 'none'}"
    if tally.pairs:
        pairs = pairs_of(FAULTS)
        least = min(tally.pairs[first.name, second.name] for first, second in pairs)
        yield f"- {len(tally.pairs)} of {len(pairs)} pairs of faults, each at least {least} times"
    yield f"- wrong: {'; '.join(tally.wrong) or 'nothing'}"
    yield ""
    stand_ins = {fault.name: stand_in_of(fault) for fault in FAULTS}
    yield "| fault | times | what stands in for the real thing |"
    yield "|---|---|---|"
    for name, count in tally.faults.items():
        yield f"| {name} | {count} | {stand_ins[name]} |"
    yield ""
    yield "| faults | named after at most | all well again after at most |"
    yield "|---|---|---|"
    for name, healed in tally.healed.items():
        named = f"{tally.named[name]:.1f} s" if name in tally.named else ""
        yield f"| {name} | {named} | {healed:.1f} s |"


def write(folder: Path, text: str, samples: list[Sample]) -> None:
    (folder / "report.md").write_text(text)
    (folder / "soak.svg").write_text(svg(samples))
    with (folder / "samples.csv").open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(field.name for field in fields(Sample))
        table.writerows(astuple(sample) for sample in samples)


if __name__ == "__main__":
    sys.exit(main())
