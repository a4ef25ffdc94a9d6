#!/usr/bin/env python3
"""Fits the certainty of readings to rendered dice, and counts what is claimed of others.

    .venv/bin/python scripts/bench_rendered.py --close 0 --known --pictures 6400 --seed 900000 \
                                   --keep PICTURES
    .venv/bin/python scripts/bench_rendered.py --close 0 --known --pictures 0 --polished 150 \
                                   --seed 800000 --keep PICTURES
    .venv/bin/python scripts/training/collect_dice.py PICTURES --out DIR
    .venv/bin/python scripts/training/fit_certainty.py fit DIR
    .venv/bin/python scripts/training/fit_certainty.py compare OTHER [--draw FILE]

`fit` writes vision/decide/certainty.json. `compare` prints how often claims are wrong at most, with
95 % certainty, and draws how accurate predicted risks are; OTHER is from seeds not fitted to.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from scripts.campaign.folder import files_of
from scripts.campaign.results import CampaignError, most_likely_below
from scripts.training.certainty.evidence import PHANTOM, Known, load
from scripts.training.certainty.fitting import fit
from scripts.training.certainty.reliability import diagram
from vision.decide.acceptance import MAX_APPARENT_EDGE, lying_risk, may_claim, state_of
from vision.decide.certainty import certainty
from vision.decide.evidence import Evidence, lying_evidence, uncounted, value_evidence
from vision.reading import DieState, Kind

MODEL = Path(__file__).parents[2] / "vision/decide/certainty.json"
NAMES = {True: "known", False: "unknown"}
LYING = ("flat", "near", "stacked", "lean", "leaning", "askew")
VALUE = {
    True: ("face", "posture", "no die", "small", "in a row", "missing"),
    False: ("face", "posture", "no die", "few", "in a row"),
}
"""The evidence that is informative."""
POSTURE_WEIGHT = 0.5
"""Without geometry, the posture classifier's weight relative to the face classifier's: on dice in
odd colours, seen at an angle, as in photographs, it is less confident than on these renderings."""
STACKED_DICE_WEIGHT = 0.3
"""Weight of dice that stand on others, many of which look as if they lay in the tray."""
RISK = {True: 0.015, False: 0.04}
"""Highest risk accepted. With geometry, as many dice are claimed at it as hand-set limits let
through; without, `scripts/training/fit_photographs.py`, to be run after this, says what it is."""


def geometry(die: Known) -> bool:
    """True if it was read with geometry."""
    return die.seen.place is not None


def lies(die: Known) -> bool:
    """True if it lies in the tray with a face up."""
    return die.state in ("ok", "covered")


def shows(die: Known) -> bool:
    """True if it shows the value that it was read as."""
    return str(die.seen.value) == die.true_value and die.true_kind is not Kind.POWER


def lying_of(die: Known) -> float:
    """The predicted risk that it does not lie flat."""
    seen = die.seen
    return lying_risk(seen.one, seen.value, seen.alone, seen.place)


def evidence_for_value_read(die: Known) -> Evidence:
    """The evidence for the value that it was read as."""
    seen = die.seen
    return value_evidence(seen.one, seen.value or 0, seen.confidence, seen.place)


def risk(die: Known) -> float:
    """The predicted risk that it does not lie flat or has another value."""
    one = certainty(geometry(die))
    unseen = uncounted(die.seen.one, die.seen.value or 1)
    return one.total(lying_of(die), one.value.risk(evidence_for_value_read(die)), unseen)


def asked(die: Known) -> bool:
    """True if the risk decides about it."""
    seen = die.seen
    return seen.value is None or may_claim(seen.one, seen.value, seen.confidence, seen.place)


def claimed(die: Known) -> bool:
    """True if the reader claims it."""
    seen = die.seen
    state = state_of(seen.one, seen.value, seen.confidence, lying_of(die), seen.place)
    return state is DieState.OK


def fitted(dice: Sequence[Known], known: bool) -> dict[str, Any]:
    """Models fitted to dice, all with geometry or all without, as they are written to the file."""
    names = {"lying": LYING, "value": VALUE[known]}
    seen: dict[str, list[Evidence]] = {name: [] for name in names}
    good: dict[str, list[bool]] = {name: [] for name in names}
    high: list[bool] = []
    for die in dice:
        one, value, place = die.seen.one, die.seen.value, die.seen.place
        beside = place is not None and (place.beyond or place.size > MAX_APPARENT_EDGE)
        if beside or not asked(die):
            continue
        if die.state != PHANTOM:
            seen["lying"].append(lying_evidence(one, value, die.seen.alone))
            good["lying"].append(lies(die))
            high.append(die.state == "stacked")
        if value is not None and die.state != "leaning":
            seen["value"].append(evidence_for_value_read(die))
            good["value"].append(shows(die))
    weight = {
        "lying": np.where(high, STACKED_DICE_WEIGHT, 1.0),
        "value": np.ones(len(good["value"])),
    }
    out: dict[str, Any] = {}
    for name, pieces in names.items():
        columns = {piece: np.array([one[piece] for one in seen[name]]) for piece in pieces}
        shared = name == "value" and not known
        if shared:
            columns["face"] = columns["face"] + POSTURE_WEIGHT * columns.pop("posture")
        rows = np.stack(list(columns.values()), axis=1)
        at = fit(rows, np.array(good[name]), weight[name])
        found = {piece: round(float(k), 2) for piece, k in zip(columns, at, strict=False)}
        if shared:
            found["posture"] = round(POSTURE_WEIGHT * float(at[0]), 2)
        out[name] = {"weights": found, "best": round(float(at[-1]), 2)}
    return {**out, "risk": RISK[known]}


def fit_models(args: argparse.Namespace) -> int:
    """Writes the models."""
    dice, models = list(load(files_of(args.folder))), {}
    for known, name in NAMES.items():
        # Pictures of polished dice show markers, which a reader without geometry does not know.
        own = [d for d in dice if geometry(d) is known and (known or "polished" not in d.group)]
        if not own:
            sys.exit(f"{args.folder}: expected dice read with geometry {name}, found none")
        models[name] = fitted(own, known)
        print(f"geometry {name}: {len(own)} dice: {models[name]}")
    args.model.write_text(json.dumps(models, indent=2) + "\n", "utf-8")
    return 0


def compare(args: argparse.Namespace) -> int:
    """Prints how much is claimed, and how much of it is wrong."""
    dice = [die for die in load(files_of(args.folder)) if die.seen.value is not None]
    print("| pictures | readable | right | wrong | phantoms |\n|---|---:|---:|---:|---:|")
    for known, name in NAMES.items():
        own = [die for die in dice if geometry(die) is known]
        sure = [die for die in own if claimed(die)]
        for group in [*sorted({die.group for die in own}), "all"]:
            some = [die for die in sure if group in (die.group, "all")]
            readable = sum(die.readable for die in own if group in (die.group, "all"))
            right = sum(die.readable and shows(die) for die in some)
            phantoms = sum(die.state == PHANTOM for die in some)
            wrong = sum(die.state != PHANTOM and not shows(die) for die in some)
            row = f"{readable} | {right} | {wrong} | {phantoms}"
            print(f"| {group}, geometry {name} | {row} |")
        if sure:
            most = 100_000 * most_likely_below(wrong, len(sure))
            print(
                f"geometry {name}: {wrong} of {len(sure)} wrong, fewer than {most:.1f} in 100,000"
            )
    if args.draw is not None:
        own = [die for die in dice if geometry(die) and die.state != PHANTOM and asked(die)]
        risks, good = [risk(die) for die in own], [shows(die) for die in own]
        args.draw.write_text(diagram(np.array(risks), np.array(good, bool)), "utf-8")
    return 0


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    steps = parser.add_subparsers(required=True)
    fits = steps.add_parser("fit", help="write the models")
    fits.add_argument("--model", type=Path, default=MODEL, metavar="FILE", help="write them here")
    compares = steps.add_parser("compare", help="count what is claimed and wrong")
    compares.add_argument("--draw", type=Path, metavar="FILE", help="draw how true risks are")
    for step, work in ((fits, fit_models), (compares, compare)):
        step.add_argument("folder", type=Path, help="files of scripts/training/collect_dice.py")
        step.set_defaults(func=work)
    args = parser.parse_args(words)
    try:
        return int(args.func(args))
    except CampaignError as error:
        print(f"fit_certainty: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
