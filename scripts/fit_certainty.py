#!/usr/bin/env python3
"""Fits what may be claimed to rendered dice, and compares it with the reader's rules on others.

    .venv/bin/python scripts/collect_dice.py --out FIT --seed 500000
    .venv/bin/python scripts/fit_certainty.py fit FIT --table certainty.json
    .venv/bin/python scripts/collect_dice.py --out OTHER --seed 700000
    .venv/bin/python scripts/fit_certainty.py compare OTHER --table certainty.json [--draw FILE]

`compare` needs no table: then it counts the reader's rules alone. A row is an error more or a claim
less where the curves are worse; the last says how often claims are wrong at most, with 95 %
certainty. `--across` fits to three quarters of the installations in the folder and decides about
the fourth, in turn. Nothing of it is in the reader yet.
"""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from scripts.campaign.results import most_likely_below
from scripts.certainty.curves import Curves, curves_of
from scripts.certainty.evidence import PHANTOM, Known, load
from scripts.certainty.fitting import fit, rises, written
from scripts.certainty.reliability import diagram
from scripts.certainty.worth import of_lying, of_value
from vision.decide.acceptance import state_of
from vision.decide.flatness import lies_flat
from vision.image.arrays import BoolArray
from vision.reader import ODD_SIZE
from vision.reading import DieState, Kind

NAMES = {True: "geometry known", False: "geometry unknown"}
LIMITS = {
    True: {"lying": 0.07, "value": 0.009},
    False: {"lying": 0.2, "value": 0.2},
}
"""Highest risks of what is claimed; with geometry those at which curves fitted to 1,653 dice leave
the renderings of `tests/vision/test_once_wrong.py` without an error."""
NAMED = 0.5
"""What the posture classifier must give a value in any case: in glare that no rendering shows, one
network alone has been sure of nonsense."""
UNASKED = {
    True: (),
    False: (
        *("no larger", "no smaller", "laid by hand"),
        *("whole", "whole, few", "far from stacks, few"),
    ),
}
"""Evidence that says nothing there."""
CLOSE, CLOSE_WEIGHT = "close views", 0.3
"""Without geometry these count less: most of their dice lean, which nobody could see there, and
pips that fill the picture look like dice."""
HIDDEN = 0.25
"""Whether a right value is to be claimed of a top that is hidden by more is left open."""
FOLDS = 4

Table = dict[bool, dict[str, Curves]]


def lies(die: Known) -> bool:
    """Whether it has a face up."""
    return die.state in ("ok", "covered")


def shows(die: Known) -> bool:
    """Whether it shows the value that it was read as."""
    return str(die.seen.value) == die.true_value and die.true_kind is not Kind.POWER


def lying_evidence(die: Known) -> dict[str, float]:
    """What is known of how it lies."""
    return of_lying(die.seen.one, die.seen.alone, die.seen.place)


def value_evidence(die: Known) -> dict[str, float]:
    """What is known of its value."""
    seen = die.seen
    return of_value(seen.one, seen.value or 0, seen.confidence, seen.place)


def geometry(die: Known) -> bool:
    """Whether it was read with geometry."""
    return die.seen.place is not None


def fitted(dice: Sequence[Known], known: bool) -> dict[str, Any]:
    """The curves of dice, all with geometry or all without, as they are written to a file."""
    some = [die for die in dice if known or die.group != CLOSE or die.state != PHANTOM]
    faces = [
        die
        for die in some
        if (lies(die) or die.state == PHANTOM) and not (shows(die) and die.hidden > HIDDEN)
    ]
    out = {}
    parts: tuple[tuple[str, list[Known], Callable[[Known], dict[str, float]], Any], ...] = (
        ("lying", some, lying_evidence, lies),
        ("value", faces, value_evidence, shows),
    )
    for name, own, evidence, good in parts:
        asked = [{k: v for k, v in evidence(d).items() if k not in UNASKED[known]} for d in own]
        seen = rises(asked)
        less = [not known and die.group == CLOSE for die in own]
        weight = np.where(less, CLOSE_WEIGHT, 1.0)
        at = fit(seen, np.array([good(die) for die in own]), weight)
        out[name] = {"limit": LIMITS[known][name], **written(seen, at)}
    return out


def risks(die: Known, table: Table) -> tuple[float, float]:
    """That it does not lie with a face up, and that this shows another value."""
    own = table[geometry(die)]
    return own["lying"].risk(lying_evidence(die)), own["value"].risk(value_evidence(die))


def allowed(die: Known, table: Table) -> bool:
    """Whether the curves let it be claimed."""
    own, value = table[geometry(die)], die.seen.value or 0
    if die.seen.one.values[value] <= NAMED:
        return False
    lying, other = risks(die, table)
    return lying <= own["lying"].limit and other <= own["value"].limit


def ruled(die: Known) -> bool:
    """Whether the reader's rules let it be claimed."""
    seen = die.seen
    flat = lies_flat(seen.one, seen.kind, seen.value, seen.alone, seen.place)
    state = state_of(seen.one, seen.kind, seen.value, seen.confidence, flat, seen.place)
    return state is DieState.OK


def of_one_size(dice: Sequence[Known], claims: BoolArray) -> BoolArray:
    """The claims less those that the reader takes back without geometry: of another size."""
    edges = np.log([die.seen.one.edge for die in dice])
    pictures = np.array([-1 if geometry(die) else die.picture for die in dice])
    kept = claims.copy()
    for picture in set(pictures[claims].tolist()) - {-1}:
        own = np.flatnonzero((pictures == picture) & claims)
        kept[own] = np.abs(edges[own] - np.median(edges[own])) <= ODD_SIZE
    return kept


def read_table(raw: dict[str, Any]) -> Table:
    """Curves as they were written."""
    return {
        known: {about: curves_of(one) for about, one in raw[name].items()}
        for known, name in NAMES.items()
    }


def table_of(dice: Sequence[Known]) -> dict[str, Any]:
    """The curves of dice, as they are written."""
    return {
        name: fitted([die for die in dice if geometry(die) is known], known)
        for known, name in NAMES.items()
    }


def _loaded(folder: Path) -> list[Known]:
    """The dice found with a number up."""
    paths = sorted(folder.glob("*.npz"))
    if not paths:
        sys.exit(f"{folder}: expected files of scripts/collect_dice.py, found none")
    return [die for found in load(paths) for die in found if die.seen.value is not None]


def fit_table(args: argparse.Namespace) -> int:
    """Writes the table."""
    dice = _loaded(args.folder)
    for known, name in NAMES.items():
        own = [die for die in dice if geometry(die) is known]
        if not own:
            sys.exit(f"{args.folder}: expected dice read with and without geometry, no {name}")
        wrong = sum(not lies(die) or not shows(die) for die in own)
        print(f"{name}: {len(own)} found, {wrong} of them not as they were read")
    # A line a curve, so that a change can be looked at.
    text = json.dumps(table_of(dice)).replace('], "', '],\n"').replace('}, "', '},\n"')
    args.table.write_text(text.replace('{"', '{\n"') + "\n", "utf-8")
    return 0


def compare(args: argparse.Namespace) -> int:
    """Prints what is claimed, and what of it is wrong."""
    dice = _loaded(args.folder)
    ways = {"rules": np.array([ruled(die) for die in dice])}
    tables: list[Table] = []
    if args.across:
        fold = np.array([int(die.seed) % FOLDS for die in dice])
        tables = [
            read_table(table_of([d for d, own in zip(dice, fold, strict=True) if own != k]))
            for k in range(FOLDS)
        ]
    elif args.table is not None:
        fold = np.zeros(len(dice), int)
        tables = [read_table(json.loads(args.table.read_text("utf-8")))]
    if tables:
        mine = list(zip(dice, fold.tolist(), strict=True))
        ways["curves"] = np.array([allowed(die, tables[k]) for die, k in mine])
    ways = {name: of_one_size(dice, claims) for name, claims in ways.items()}
    _print_rows(dice, ways)
    if args.draw is not None and tables:
        own = [(die, k) for die, k in mine if geometry(die)]
        args.draw.write_text(
            diagram(
                np.array([sum(risks(die, tables[k])) for die, k in own]),
                np.array([lies(die) and shows(die) for die, _ in own], bool),
            ),
            "utf-8",
        )
    return 0


def _print_rows(dice: Sequence[Known], ways: dict[str, BoolArray]) -> None:
    group = np.array([die.group for die in dice])
    known = np.array([geometry(die) for die in dice])
    right = np.array([die.readable and shows(die) for die in dice])
    wrong = np.array(
        [die.state != PHANTOM and str(die.seen.value) != die.true_value for die in dice]
    )
    # Not all that lies in some pictures is labelled.
    phantom = np.array([die.state == PHANTOM and not die.partly for die in dice])
    columns = " | ".join(f"{way}: right, wrong, phantoms" for way in ways)
    print(f"| pictures | {columns} |\n|---" + "|---:" * len(ways) + "|")
    for of, name in NAMES.items():
        for one in [*sorted(set(group[known == of].tolist())), "all"]:
            own = (known == of) & ((group == one) | (one == "all"))
            cells = [
                ", ".join(str(int((own & claims & what).sum())) for what in (right, wrong, phantom))
                for claims in ways.values()
            ]
            print(f"| {one}, {name} | {' | '.join(cells)} |")
        for way, claims in ways.items():
            total, errors = (
                int((claims & (known == of)).sum()),
                int((claims & wrong & (known == of)).sum()),
            )
            if total:
                most = 100_000 * most_likely_below(errors, total)
                print(f"{name}, {way}: {errors} of {total} wrong, fewer than {most:.1f} in 100,000")


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    steps = parser.add_subparsers(required=True)
    fits = steps.add_parser("fit", help="write curves")
    fits.add_argument("--table", type=Path, required=True, metavar="FILE", help="write them here")
    compares = steps.add_parser("compare", help="count what is claimed and wrong")
    compares.add_argument("--table", type=Path, metavar="FILE", help="curves to compare with")
    compares.add_argument("--across", action="store_true", help="fit to other installations")
    compares.add_argument("--draw", type=Path, metavar="FILE", help="draw how true risks are")
    for step, work in ((fits, fit_table), (compares, compare)):
        step.add_argument("folder", type=Path, help="files of scripts/collect_dice.py")
        step.set_defaults(func=work)
    args = parser.parse_args(words)
    return int(args.func(args))


if __name__ == "__main__":
    sys.exit(main())
