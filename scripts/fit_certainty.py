#!/usr/bin/env python3
"""Fits how certain a value is to rendered dice, and counts what is claimed of others.

    .venv/bin/python scripts/collect_dice.py PICTURES --out FIT --seeds 900000 900150
    .venv/bin/python scripts/fit_certainty.py fit FIT
    .venv/bin/python scripts/collect_dice.py PICTURES --out OTHER --seeds 900150 901000
    .venv/bin/python scripts/fit_certainty.py compare OTHER [--draw FILE]

`fit` writes vision/decide/certainty.json; it fits to what was read wrongly once, too. `compare`
says how often claims are wrong at most, with 95 % certainty, and draws how true stated risks are.
"""

import argparse
import json
import math
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from scripts.campaign.results import most_likely_below
from scripts.certainty.evidence import PHANTOM, Evidence, Known, dice_of, load
from scripts.certainty.fitting import fit
from scripts.certainty.reliability import diagram
from tests.vision.test_once_wrong import SCENES, rendered
from vision.decide.acceptance import state_of
from vision.decide.certainty import evidence, model
from vision.decide.flatness import lies_flat
from vision.reading import DieState, Kind

MODEL = Path(__file__).parents[1] / "vision/decide/certainty.json"
NAMES = {True: "known", False: "unknown"}
ASKED = {
    True: ("face", "posture", "few", "few, small", "few, narrow", "more pips"),
    False: ("face", "posture", "few", "more pips"),
}
"""The evidence that says something."""
SHARE = 0.5
"""Without geometry, what the posture classifier counts beside the face classifier: of dice in odd
colours and seen aslant, as in photographs, it is less sure than of these renderings."""
HANDS = 0.6
"""Least weight of having few pips, with geometry: hands reach into trays more often than here."""
RISK = {True: 0.018, False: 0.2}
"""Highest risk of what is claimed."""


def geometry(die: Known) -> bool:
    """Whether it was read with geometry."""
    return die.seen.place is not None


def shows(die: Known) -> bool:
    """Whether it shows the value that it was read as."""
    return str(die.seen.value) == die.true_value and die.true_kind is not Kind.POWER


def evidence_of(die: Known) -> dict[str, float]:
    """What speaks for the value that it was read as."""
    seen = die.seen
    return evidence(seen.one, seen.value or 0, seen.confidence, seen.place)


def fitted(dice: Sequence[Known], known: bool) -> dict[str, object]:
    """The model of dice, all with geometry or all without, as it is written to the file."""
    # How dice lie is not its matter; without geometry anything may seem a die.
    own = [d for d in dice if d.state in ("ok", "covered") or (d.state == PHANTOM and not known)]
    seen = [evidence_of(die) for die in own]
    columns = {name: np.array([one[name] for one in seen]) for name in ASKED[known]}
    if not known:
        columns["face"] = columns["face"] + SHARE * columns.pop("posture")
    at = fit(np.stack(list(columns.values()), axis=1), np.array([shows(die) for die in own]))
    weights = dict(zip(columns, at.tolist(), strict=False))
    if known:
        weights["few"] = max(weights["few"], HANDS)
    else:
        weights["posture"] = SHARE * weights["face"]
    return {
        "weights": {name: round(weights[name], 2) for name in ASKED[known]},
        "best": round(float(at[-1]), 2),
        "least": round(math.log(1 / RISK[known] - 1), 2),
    }


def claimed(die: Known) -> bool:
    """Whether the reader claims it."""
    seen = die.seen
    flat = lies_flat(seen.one, seen.kind, seen.value, seen.alone, seen.place)
    state = state_of(seen.one, seen.value, seen.confidence, flat, seen.place)
    return state is DieState.OK


def risk(die: Known) -> float:
    """The stated risk that its value is wrong."""
    return 1 / (1 + math.exp(model(geometry(die)).odds(evidence_of(die))))


def _loaded(folder: Path) -> list[Known]:
    """The dice found with a number up."""
    paths = sorted(folder.glob("*.npz"))
    if not paths:
        sys.exit(f"{folder}: expected files of scripts/collect_dice.py, found none")
    return [die for found in load(paths) for die in found if die.seen.value is not None]


def once_wrong() -> list[Known]:
    """The dice of the renderings that were read wrongly once."""
    kept = Evidence()
    for seed, number, level in SCENES:
        image, profile, dice = rendered(seed, number, level)
        kept.add(image, profile, dice, level, False)
    return [die for die in dice_of(kept.arrays(), "once") if die.seen.value is not None]


def fit_model(args: argparse.Namespace) -> int:
    """Writes the models."""
    dice = _loaded(args.folder)
    for known, name in NAMES.items():
        if not any(geometry(die) is known for die in dice):
            sys.exit(f"{args.folder}: expected dice read with geometry {name}, found none")
    dice += once_wrong()
    models = {}
    for known, name in NAMES.items():
        own = [die for die in dice if geometry(die) is known]
        models[name] = fitted(own, known)
        wrong = sum(not shows(die) for die in own)
        print(f"geometry {name}: {len(own)} dice, {wrong} read otherwise: {models[name]}")
    args.model.write_text(json.dumps(models, indent=2) + "\n", "utf-8")
    return 0


def compare(args: argparse.Namespace) -> int:
    """Prints what is claimed, and what of it is wrong."""
    dice = _loaded(args.folder)
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
        own = [die for die in dice if geometry(die) and die.state in ("ok", "covered")]
        risks, good = ([f(die) for die in own] for f in (risk, shows))
        args.draw.write_text(diagram(np.array(risks), np.array(good, bool)), "utf-8")
    return 0


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    steps = parser.add_subparsers(required=True)
    fits = steps.add_parser("fit", help="write the model")
    fits.add_argument("--model", type=Path, default=MODEL, metavar="FILE", help="write it here")
    compares = steps.add_parser("compare", help="count what is claimed and wrong")
    compares.add_argument("--draw", type=Path, metavar="FILE", help="draw how true risks are")
    for step, work in ((fits, fit_model), (compares, compare)):
        step.add_argument("folder", type=Path, help="files of scripts/collect_dice.py")
        step.set_defaults(func=work)
    args = parser.parse_args(words)
    return int(args.func(args))


if __name__ == "__main__":
    sys.exit(main())
