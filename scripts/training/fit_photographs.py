#!/usr/bin/env python3
"""Fits how risky claims about anybody's dice are to labelled photographs, leaving each source out.

    .venv/bin/python scripts/training/fit_photographs.py --data DIR [--model FILE]

DIR has an index.jsonl whose lines name `source` and `licence`. Photographs whose licence allows it
are fitted, the others only judge. Renderings of dice at rest are fitted too, with less weight:
their dice are hidden, tilted and lit far worse than people's.

The most that a claim may risk is `SHARE_OF_LEAST_WRONG` of the least risk of a wrong claim about a
source that may be fitted, and was left out. For each source a row says how many dice are then
claimed and wrong by a fit that has not seen it, and by the one that is written, into
vision/decide/certainty.json: run this after `scripts/training/fit_certainty.py fit`, which drops
it. At the end comes the 95 % bound of the wrong claims about photographs whose source was left out,
by drawing sources, not dice.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from appliance.cli.bench import DEFAULT_DATA_FOLDER
from appliance.cli.shared.progress import with_progress
from appliance.dataset.evaluation.vision import Case, load_cases, match_labels
from scripts.bench_world import Source, sources_of
from scripts.training.certainty.evidence import Seen, watched
from scripts.training.certainty.fitting import fit
from scripts.training.fit_certainty import MODEL
from vision.decide.acceptance import lying_risk, may_be_floor, may_claim
from vision.decide.certainty import Model, certainty, photographs_evidence
from vision.decide.evidence import uncounted, value_evidence
from vision.image.arrays import FloatArray
from vision.reading import Kind

FITTED_LICENCES = ("Apache", "BSD", "MIT")
RENDERED = "rendered"
RENDERED_WEIGHT = 0.3
MOVING = "/roll_"
"""In the names of renderings whose dice still roll."""
PIECES = ("lying", "value", "counted")

MISLABELLED = (
    "table_photos/IMG_20191208_111730.jpg",
    "table_photos/IMG_20191208_112353.jpg",
    "table_photos/IMG_20191208_112623.jpg",
    "table_photos/IMG_20191209_095439.jpg",
    "table_photos/IMG_20191209_095533.jpg",
    "table_photos/IMG_20191209_095555.jpg",
    "table_photos/IMG_20191209_095954.jpg",
    "table_photos/IMG_20191209_100002.jpg",
)
"""Pictures, looked at one by one, in which one die has the label of another value, or none."""

SIDEWAYS = "felt_crops/DJI_20241005234229_0222_D_detection_3.jpg"
"""A crop of a die of which two sides are seen, neither with the value of its label: it is counted,
but no limit keeps a 6 of one side from being read."""
SHARE_OF_LEAST_WRONG = 0.5
MOST_RISK = 0.05
"""The limit where no claim is wrong."""
RISK_STEP = 0.01
"""Limits are multiples of this."""
DRAWS = 10_000
BOUND = 0.95


@dataclass(frozen=True, slots=True)
class Shown:
    """A claim that was about to be made about a die.

    Attributes:
        file: the picture.
        source: where the picture comes from.
        fitted: whether it may be fitted.
        evidence: of `PIECES`.
        right: whether there is such a die, at rest, with that value.
    """

    file: str
    source: str
    fitted: bool
    evidence: tuple[float, ...]
    right: bool


def licence_allows(source: Source) -> bool:
    """True if photographs of a source may be fitted to, and trained with."""
    return any(one in source.licence for one in FITTED_LICENCES)


def shown_in(case: Case, source: Source) -> Iterator[Shown]:
    """The dice of a picture about which the risk decides."""
    reading, seen = watched(case.load(), None)
    labels = case.labels or ()
    pairs = {j: labels[i] for i, j in match_labels(labels, reading.dice).items()}
    for j, one in enumerate(seen):
        label = pairs.get(j)
        unlabelled = label is None and case.partial
        if one.value is None or unlabelled or not _asked(one, reading.crowded):
            continue
        # A Power die's numbers are not those of other dice, and nobody has shown them.
        if label is not None and (label.kind is Kind.POWER or not label.readable):
            continue
        yield Shown(
            case.file,
            source.name,
            source.name == RENDERED or licence_allows(source),
            _evidence(one, one.value),
            label is not None and label.value == str(one.value),
        )


def _asked(one: Seen, crowded: bool) -> bool:
    value = one.value or 0
    floor = may_be_floor(one.one, value, crowded)
    return may_claim(one.one, value, one.confidence, None) and not floor


def _evidence(one: Seen, value: int) -> tuple[float, ...]:
    lying = lying_risk(one.one, value, one.alone, None)
    other = certainty(False).value.risk(value_evidence(one.one, value, one.confidence, None))
    pieces = photographs_evidence(lying, other, uncounted(one.one, value))
    return tuple(pieces[name] for name in PIECES)


def fitted_to(dice: Sequence[Shown]) -> Model:
    """The model that these dice make likeliest."""
    rows = np.array([die.evidence for die in dice])
    weight = np.array([RENDERED_WEIGHT if die.source == RENDERED else 1.0 for die in dice])
    at = fit(rows, np.array([die.right for die in dice]), weight)
    weights = {name: round(float(k), 2) for name, k in zip(PIECES, at, strict=False)}
    return Model(weights, round(float(at[-1]), 2))


def risks(model: Model, dice: Sequence[Shown]) -> FloatArray:
    """The risks that the model gives the dice."""
    return np.array([model.risk(dict(zip(PIECES, die.evidence, strict=True))) for die in dice])


def left_out(dice: Sequence[Shown]) -> FloatArray:
    """The risk of each die by the model that is fitted to all sources but its own."""
    out = np.zeros(len(dice))
    for source in {die.source for die in dice}:
        model = fitted_to([die for die in dice if die.fitted and die.source != source])
        own = [k for k, die in enumerate(dice) if die.source == source]
        out[own] = risks(model, [dice[k] for k in own])
    return out


def limit_of(dice: Sequence[Shown], unseen: FloatArray) -> float:
    """The most that a claim may risk, by the photographs that may be fitted; see the head."""
    wrong = [
        risk
        for die, risk in zip(dice, unseen, strict=True)
        if die.fitted and die.source != RENDERED and not die.right and die.file != SIDEWAYS
    ]
    if not wrong:
        return MOST_RISK
    print(f"least risk of a wrong claim: {min(wrong):.3f}")
    steps = int(SHARE_OF_LEAST_WRONG * min(wrong) / RISK_STEP)
    return min(MOST_RISK, round(steps * RISK_STEP, 6))


def bound_by_sources(claims: Sequence[int], wrong: Sequence[int]) -> float:
    """The bound of the share of wrong claims, by drawing sources with replacement.

    Args:
        claims: those about each source.
        wrong: of those, the wrong ones.

    Source: B. Efron, Bootstrap methods: another look at the jackknife, Annals of Statistics 7
    (1979), 1-26.
    """
    rng = np.random.default_rng(1)
    drawn = rng.integers(len(claims), size=(DRAWS, len(claims)))
    shares = np.array(wrong)[drawn].sum(axis=1) / np.array(claims)[drawn].sum(axis=1)
    return float(np.quantile(shares, BOUND))


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, default=DEFAULT_DATA_FOLDER, metavar="DIR")
    parser.add_argument("--model", type=Path, default=MODEL, metavar="FILE", help="write it here")
    args = parser.parse_args(words)
    cv2.setNumThreads(1)
    sources = sources_of(args.data)
    cases = [
        case
        for case in load_cases(args.data)
        if case.labels is not None and MOVING not in case.file and case.file not in MISLABELLED
    ]
    dice = [
        die
        for case in with_progress(cases, "pictures", len(cases))
        for die in shown_in(case, sources[case.file])
    ]
    usable = [die for die in dice if die.fitted]
    written = fitted_to(usable)
    unseen = left_out(dice)
    limit = limit_of(dice, unseen)
    shipped, right = risks(written, dice) <= limit, np.array([die.right for die in dice])
    print(
        "| source | right | claimed right | wrong | the same, left out |\n|---|---:|---:|---:|---:|"
    )
    claims, wrong = [], []
    for source in dict.fromkeys(die.source for die in dice):
        own = np.array([die.source == source for die in dice])
        sure = [own & one for one in (shipped, unseen <= limit)]
        counts = [f"{(one & right).sum()} | {(one & ~right).sum()}" for one in sure]
        judges = "" if any(die.fitted for die in dice if die.source == source) else ", judges only"
        print(
            f"| {source}{judges} | {(own & right).sum()} | {counts[0]} "
            f"| {counts[1].replace(' |', ',')} |"
        )
        if source != RENDERED:
            claims.append(int(sure[1].sum()))
            wrong.append(int((sure[1] & ~right).sum()))
    most = 100 * bound_by_sources(claims, wrong)
    print(
        f"\nat a risk of {limit} at most {most:.2f} % of {sum(claims)} claims are wrong; "
        f"{sum(map(bool, wrong))} of {len(wrong)} sources have any"
    )
    raw = json.loads(args.model.read_text("utf-8"))
    raw["unknown"] |= {
        "photographs": {"weights": dict(written.weights), "best": written.best},
        "risk": limit,
    }
    args.model.write_text(json.dumps(raw, indent=2) + "\n", "utf-8")
    print(f"\n{len(usable)} dice fitted: {written}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
