#!/usr/bin/env python3
"""Throws from empty tray to rest, frame by frame: when they are reported, and how correctly.

    .venv/bin/python scripts/bench_rolls.py [--data DIR] [--only TEXT]

A throw is a folder of pictures whose `truth.json` says from which frame the dice rest, as in the
test pictures' `rendered/roll_*`.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from appliance.cli.bench import DEFAULT_DATA_FOLDER
from appliance.dataset.evaluation.truth import profile_of
from appliance.dataset.evaluation.vision import Case, Tally, load_cases, score
from vision.errors import VisionError
from vision.events import Roll, TrayEvent
from vision.frame import Frame
from vision.reader import Reader
from vision.reading import TrayReading, TrayState
from vision.watch.watcher import watcher_for


@dataclass(frozen=True, slots=True)
class Reported:
    """How a throw was reported.

    Attributes:
        name: its folder.
        rest: first frame in which all dice lie still, according to the truth.
        frames: of every roll reported.
        after_s: from that first frame to the last roll reported, seconds of frame time; None if
            there was none.
        tally: how correct the last roll reported is.
    """

    name: str
    rest: int
    frames: tuple[int, ...]
    after_s: float | None
    tally: Tally

    @property
    def early(self) -> bool:
        """True if a roll was reported while dice still moved."""
        return any(frame < self.rest for frame in self.frames)


def films(cases: Sequence[Case]) -> dict[str, list[Case]]:
    """The frames of every throw whose truth says when the dice come to rest, in order."""
    found: dict[str, list[Case]] = {}
    for case in cases:
        if case.truth is not None and not case.geometry and case.truth.name == "truth.json":
            found.setdefault(str(Path(case.file).parent), []).append(case)
    return {
        name: sorted(frames, key=lambda case: case.file)
        for name, frames in found.items()
        if _rest(frames[0].truth) is not None
    }


def watch(name: str, frames: Sequence[Case]) -> Reported:
    """Runs the watcher on a throw.

    Raises:
        PictureError: a frame or the truth cannot be read.
    """
    truth = frames[0].truth
    rest = _rest(truth)
    assert truth is not None and rest is not None, "films() gives only such"
    profile = profile_of(truth)
    watcher = watcher_for(Reader(profile), profile)
    rate = float(json.loads(truth.read_text("utf-8")).get("fps", 30))
    events: list[TrayEvent] = []
    for index, case in enumerate(frames):
        events += watcher.feed(Frame(case.load(), index / rate, index))
    rolls = [event for event in (*events, *watcher.finish()) if isinstance(event, Roll)]
    tallies: dict[str, Tally] = {}
    if rolls:
        dice = tuple(die.reading for die in rolls[-1].dice)
        reading = TrayReading(TrayState.STILL, dice)
        score(frames[-1], reading, lambda key: tallies.setdefault(key, Tally()))
    last = rolls[-1].frame if rolls else None
    return Reported(
        name=name,
        rest=rest,
        frames=tuple(roll.frame for roll in rolls),
        after_s=None if last is None else (last - rest) / rate,
        tally=tallies.get(frames[-1].group, Tally()),
    )


def rolls_table(reported: Sequence[Reported]) -> str:
    """The throws as a Markdown table."""
    lines = [
        "| throw | at rest from frame | reported at | after, ms of frame time | too early "
        "| right | silently wrong | unsure | missed |",
        "|---" + "|---:" * 8 + "|",
    ]
    for one in reported:
        t = one.tally
        at = ", ".join(str(frame) for frame in one.frames) or "never"
        after = "" if one.after_s is None else f"{1000 * one.after_s:.0f}"
        lines.append(
            f"| {one.name} | {one.rest} | {at} | {after} | {'yes' if one.early else 'no'} "
            f"| {t.right} of {t.dice} | {t.wrong} | {t.unsure} | {t.missed} |"
        )
    return "\n".join(lines) + "\n"


def _rest(truth: Path | None) -> int | None:
    try:
        raw = {} if truth is None else json.loads(truth.read_text("utf-8"))
    except (OSError, ValueError):
        return None
    found = raw.get("rest_from_frame") if isinstance(raw, dict) else None
    return found if isinstance(found, int) else None


def main() -> None:
    """Prints the table."""
    assert __doc__ is not None
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--data", type=Path, default=DEFAULT_DATA_FOLDER, metavar="DIR", help="labelled films"
    )
    parser.add_argument("--only", default="", metavar="TEXT", help="files with TEXT in the name")
    args = parser.parse_args()
    try:
        cases = [case for case in load_cases(args.data) if args.only in case.file]
        print(rolls_table([watch(name, frames) for name, frames in films(cases).items()]), end="")
    except VisionError as error:
        sys.exit(f"bench_rolls: {error}")


if __name__ == "__main__":
    main()
