"""Curves fitted to evidence of which it is known what it is worth."""

import numpy as np
import pytest

from scripts.certainty.curves import curves_of
from scripts.certainty.fitting import fit, rises, written
from vision.image.arrays import BoolArray

WIDE = {"a face": (-4.0, 9.2), "alone": (0.0, 1.0), "no symbol": (-4.0, 9.2)}


def drawn(count: int = 4000) -> tuple[list[dict[str, float]], BoolArray]:
    """Dice that are right the likelier, the more of a face they have; nothing else counts."""
    rng = np.random.default_rng(5)
    seen = [{name: float(rng.uniform(*ends)) for name, ends in WIDE.items()} for _ in range(count)]
    odds = np.array([0.9 * one["a face"] for one in seen])
    return seen, rng.random(count) < 1 / (1 + np.exp(-odds))


def test_risks_are_those_of_the_dice_that_were_drawn() -> None:
    seen, good = drawn()
    pieces = rises(seen)
    raw = {"limit": 0.1, **written(pieces, fit(pieces, good, np.ones(len(good))))}
    fitted = curves_of(raw)
    for face in (-2.0, 0.0, 2.0, 4.0):
        risk = fitted.risk({"a face": face, "alone": 1.0, "no symbol": 5.0})
        assert np.log((1 - risk) / risk) == pytest.approx(0.9 * face, abs=0.5)


def test_what_speaks_against_is_not_taken_for_evidence() -> None:
    seen, good = drawn()
    turned = [{**one, "a face": -one["a face"]} for one in seen]
    pieces = rises(turned)
    at = fit(pieces, good, np.ones(len(good)))
    assert (at[:-1] >= 0).all()
    assert "a face" not in written(pieces, at)["curves"]


def test_a_die_counts_as_much_as_its_weight() -> None:
    seen, good = drawn(600)
    twice = fit(rises(seen + seen), np.append(good, good), np.ones(1200))
    heavy = fit(rises(seen), good, np.full(600, 2.0))
    assert heavy == pytest.approx(twice, abs=0.02)
