"""How accurate the reader is on labelled pictures. See `docs/figures.md` for the terms."""

import functools
import glob
import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from appliance.dataset.index import MOST_BYTES
from vision.errors import PictureError, Unreadable
from vision.files.bounded import read_bounded
from vision.frame import Image
from vision.image.files import load_picture
from vision.image.films import is_video, picture_of
from vision.reading import DieReading, Kind, TrayReading, TrayState

OURS = {
    ("black", "white"): Kind.BLACK,
    ("red", "white"): Kind.RED,
    ("white", "black"): Kind.WHITE,
    ("yellow", "black"): Kind.YELLOW,
}
"""The suits we must read, by body and pip colour of the label."""

UNSEEN = 0.9
"""A top of which at least this share is hidden counts as unseen."""


@dataclass(frozen=True, slots=True)
class LabelledDie:
    """One die as labelled. Positions and sizes in pixels; None where they are not known."""

    x: float | None
    y: float | None
    size: float
    value: str
    kind: Kind
    colours: str
    readable: bool = True
    """False for dice that should not be claimed: tilted, stacked, mostly hidden, moving."""
    unseen: bool = False
    """True if practically nothing of the top is seen: another die lies on it."""
    burnt: bool = False
    """True if only a lamp that washes it out keeps it from being readable."""


@dataclass(frozen=True, slots=True)
class Case:
    """One labelled picture.

    Attributes:
        group: the folder it is counted under.
        file: its name within the data.
        frame: its number in a video.
        labels: its dice; None if they are not labelled.
        partial: whether some dice are not labelled.
        truth: file with the geometry, for rendered pictures.
        load: reads it.
        dark: files of the same scene with ever less exposure, see `with_darker`.
        darker: whether the reader gets these as well.
        geometry: whether the reader knows the geometry.
        site: whether it has learnt the installation, see `appliance.dataset.evaluation.sites`.
    """

    group: str
    file: str
    frame: int | None
    labels: tuple[LabelledDie, ...] | None
    partial: bool
    truth: Path | None
    load: Callable[[], Image]
    dark: tuple[Path, ...] = ()
    darker: bool = False
    geometry: bool = False
    site: bool = False

    def pictures(self) -> list[Image]:
        """The reader's input: the picture, and the darker ones if it gets those."""
        return [self.load(), *(load_picture(path) for path in self.dark if self.darker)]


@dataclass(slots=True)
class Tally:
    """Counts for one row of the table."""

    dice: int = 0
    right: int = 0
    wrong: int = 0
    unsure: int = 0
    missed: int = 0
    unreadable_claimed: int = 0
    foreign_claimed: int = 0
    phantoms: int = 0
    phantoms_sure: int = 0
    pictures: int = 0
    whole: int = 0
    ms: list[float] = field(default_factory=list)


def wilson_interval(hits: int, total: int) -> tuple[float, float]:
    """The 95 % score interval of a share.

    Source: E. B. Wilson, Probable inference, JASA 22 (1927), 209-212.
    """
    if total == 0:
        return 0.0, 1.0
    p, z = hits / total, 1.96
    middle = (p + z * z / (2 * total)) / (1 + z * z / total)
    half = z / (1 + z * z / total) * ((p * (1 - p) + z * z / (4 * total)) / total) ** 0.5
    return max(0.0, middle - half), min(1.0, middle + half)


def label_of(raw: dict[str, Any]) -> LabelledDie:
    """One die of an index as a label."""
    body, pips = str(raw["body"]), str(raw["pips"])
    kind = Kind.POWER if body == "power" else OURS.get((body, pips), Kind.OTHER)
    if body == "pink":
        kind = Kind.RED
    state = str(raw.get("state", "ok"))
    hidden = float(raw.get("occluded", 0.0))
    open_to_view = state == "ok" and hidden <= 0.2
    white = float(raw.get("whited_out", 0.0)) > 0.2
    return LabelledDie(
        x=raw["x"],
        y=raw["y"],
        size=min(float(raw["w"] or 0), float(raw["h"] or 0)),
        value=str(raw["value"]),
        kind=kind,
        colours=f"{body}/{pips}",
        readable=open_to_view and not white,
        unseen=hidden >= UNSEEN,
        burnt=open_to_view and white,
    )


def load_cases(data: Path) -> Iterator[Case]:
    """Reads `index.jsonl` of a folder.

    Raises:
        PictureError: the folder has no index or a line of it is damaged.
    """
    index = data / "index.jsonl"
    try:
        lines = read_bounded(index, MOST_BYTES).decode().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise PictureError(f"{index}: cannot be read; expected an index of pictures") from error
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            raw = json.loads(line)
            labels = None if raw["dice"] is None else tuple(label_of(d) for d in raw["dice"])
            name, frame = str(raw["file"]), raw.get("frame")
            truth = data / raw["truth"] if raw.get("truth") else None
            partial = bool(raw.get("partial", False))
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise PictureError(f"{index}, line {number}: damaged entry: {error}") from error
        parts = name.split("/")
        group = parts[0] if len(parts) < 3 else "/".join(parts[:2])
        if "difficulty" in raw and parts[-2] == "stills":
            group = f"{group}/{raw['difficulty']}"
        path = data / name
        which = int(frame) if frame and is_video(path) else 0
        load = functools.partial(picture_of, path, which)
        dark = sorted(
            path.parent.glob(f"{glob.escape(path.stem)}.dark*.jpg"), key=lambda p: (len(p.name), p)
        )
        yield Case(group, name, frame, labels, partial, truth, load, tuple(dark))


def match_labels(labels: Sequence[LabelledDie], dice: Sequence[DieReading]) -> dict[int, int]:
    """Pairs labels with readings whose centres lie within half a die: label index to reading.

    A single label without a place is that of the most confident reading. Unseen dice come last:
    what was read there is the die that lies on top.
    """
    if len(labels) == 1 and labels[0].x is None:
        sure = sorted(range(len(dice)), key=lambda j: -dice[j].confidence)
        return {0: sure[0]} if sure else {}
    pairs = sorted(
        (
            label.unseen,
            float(np.hypot(label.x - die.center[0], label.y - die.center[1])) / label.size,
            i,
            j,
        )
        for i, label in enumerate(labels)
        if label.x is not None and label.y is not None
        for j, die in enumerate(dice)
    )
    matched: dict[int, int] = {}
    for _, distance, i, j in pairs:
        if distance < 0.5 and i not in matched and j not in matched.values():
            matched[i] = j
    return matched


def score(case: Case, reading: TrayReading, tallies: Callable[[str], Tally]) -> list[str]:
    """Adds one picture to the tallies; returns what went wrong, for people to read."""
    whole = tallies(case.group)
    if case.labels is None:
        whole.pictures += 1
        return []
    faults: list[str] = []
    clean = True
    matched = match_labels(case.labels, reading.dice)
    for i, label in enumerate(case.labels):
        die = reading.dice[matched[i]] if i in matched else None
        verdict = _verdict(label, die)
        for tally in (whole, tallies(f"{case.group} · {label.colours}")):
            _count_verdict(tally, label, die, verdict)
        if verdict not in ("right", "found", "honest"):
            faults.append(_describe_fault(label, die, verdict))
            clean &= label.kind is Kind.OTHER
    extra = [d for j, d in enumerate(reading.dice) if j not in matched.values()]
    if not case.partial:
        whole.phantoms += len(extra)
        whole.phantoms_sure += sum(d.sure for d in extra)
        clean &= not any(d.sure for d in extra)
        faults += [
            f"phantom {d.kind} {d.value} {d.state} at {d.center[0]:.0f},{d.center[1]:.0f}"
            for d in extra
        ]
    whole.pictures += 1
    whole.whole += clean
    return faults


def _verdict(label: LabelledDie, die: DieReading | None) -> str:
    if die is None:
        return "missed" if label.readable else "honest"
    if not die.sure and label.kind is Kind.POWER and die.kind is Kind.POWER:
        return "found"
    if not die.sure:
        return "unsure" if label.readable else "honest"
    if str(die.value) != label.value:
        return "wrong"
    if label.kind is Kind.OTHER and die.kind is not Kind.OTHER:
        return "foreign"
    return "right"


def _count_verdict(tally: Tally, label: LabelledDie, die: DieReading | None, verdict: str) -> None:
    if verdict == "wrong":
        tally.wrong += 1
    if verdict == "foreign" or (
        verdict == "wrong" and label.kind is Kind.OTHER and die and die.kind is not Kind.OTHER
    ):
        tally.foreign_claimed += 1
    if not label.readable:
        tally.unreadable_claimed += verdict not in ("honest", "found")
        return
    tally.dice += 1
    tally.right += verdict in ("right", "foreign")
    tally.unsure += verdict in ("unsure", "found")
    tally.missed += verdict == "missed"


def _describe_fault(label: LabelledDie, die: DieReading | None, verdict: str) -> str:
    where = f"{label.colours} {label.value} at {label.x},{label.y}"
    seen = "nothing" if die is None else f"{die.kind} {die.value} {die.state} {die.confidence:.2f}"
    return f"{verdict}: {where}: {seen}"


def with_geometry(cases: Sequence[Case]) -> list[Case]:
    """The cases that have a truth file, as groups of their own."""
    return [
        replace(case, group=f"{case.group} (geometry known)", geometry=True)
        for case in cases
        if case.truth is not None
    ]


def with_darker(cases: Sequence[Case]) -> list[Case]:
    """The cases that come with darker pictures, as groups of their own.

    In those a person can also read the dice that a lamp washes out in the first picture.
    """
    return [
        replace(
            case,
            group=f"{case.group}, with darker frames",
            darker=True,
            labels=tuple(replace(one, readable=one.readable or one.burnt) for one in case.labels),
        )
        for case in cases
        if case.dark and case.labels is not None
    ]


def run(
    cases: Iterable[Case],
    read: Callable[[list[Image], Case], TrayReading],
    report: Callable[[Case, list[str]], None] | None = None,
    prepare: Callable[[Case], object] | None = None,
) -> dict[str, Tally]:
    """Reads and scores all pictures; rows by folder and by folder and colours.

    All readable dice in a picture that cannot be read count as missed.

    Args:
        cases: the pictures.
        read: what is measured; gets the picture, then the darker ones.
        report: gets what went wrong with each.
        prepare: is called before the clock starts.
    """
    rows: dict[str, Tally] = {}
    for case in cases:
        pictures = case.pictures()
        if prepare is not None:
            prepare(case)
        start = time.process_time()
        unread = []
        try:
            reading = read(pictures, case)
        except Unreadable as error:
            reading, unread = TrayReading(TrayState.STILL, ()), [f"not read: {error}"]
        rows.setdefault(case.group, Tally()).ms.append(1000 * (time.process_time() - start))
        faults = unread + score(case, reading, lambda name: rows.setdefault(name, Tally()))
        if report is not None:
            report(case, faults)
    return rows


def table(rows: dict[str, Tally]) -> str:
    """The rows as a Markdown table."""
    head = (
        "| pictures | dice | right | silently wrong | unsure | missed | unreadable claimed "
        "| foreign as ours | phantoms (sure) | whole pictures | median ms | p95 ms |"
    )
    lines = [head, "|---" + "|---:" * 11 + "|"]
    for name in sorted(rows):
        t = rows[name]
        low, high = wilson_interval(t.right, t.dice)
        share = f" ({t.right / t.dice:.1%}; {low:.1%}–{high:.1%})" if t.dice else ""
        ms = np.array(t.ms) if t.ms else None
        lines.append(
            f"| {name} | {t.dice} | {t.right}{share} | {t.wrong} | {t.unsure} | {t.missed} "
            f"| {t.unreadable_claimed} | {t.foreign_claimed} | {t.phantoms} ({t.phantoms_sure}) "
            f"| {f'{t.whole} of {t.pictures}' if t.pictures else ''} "
            f"| {f'{np.median(ms):.0f}' if ms is not None else ''} "
            f"| {f'{np.percentile(ms, 95):.0f}' if ms is not None else ''} |"
        )
    return "\n".join(lines) + "\n"
