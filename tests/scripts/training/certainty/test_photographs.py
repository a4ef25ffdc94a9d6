"""Evidence of photographs on claims, and how it is written."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from scripts.training import fit_photographs
from scripts.training.fit_certainty import MODEL
from scripts.training.fit_photographs import (
    MOST_RISK,
    PIECES,
    Shown,
    bound_by_sources,
    fitted_to,
    left_out,
    limit_of,
    main,
    risks,
)
from tests.paths import ROOT
from vision.decide.certainty import read_certainty

PICTURES = ROOT / "tests/vision/regression"


def dice(source: str, count: int, odds: float, right: float) -> list[Shown]:
    """Dice of a source with one evidence, of which a share is right."""
    evidence = (odds, odds, 0.0)
    right_ones = (k < right * count for k in range(count))
    return [Shown("one.jpg", source, True, evidence, is_right) for is_right in right_ones]


def test_the_limit_is_half_of_the_least_risk_of_a_wrong_claim_that_may_be_fitted() -> None:
    shown = dice("one", 3, 3.0, 0.5)
    assert [die.right for die in shown] == [True, True, False]
    assert limit_of(shown, np.array([0.01, 0.02, 0.075])) == pytest.approx(0.03)
    assert limit_of(shown, np.array([0.01, 0.02, 0.9])) == MOST_RISK
    judges = [replace(die, fitted=False) for die in shown]
    assert limit_of(judges, np.array([0.01, 0.02, 0.075])) == MOST_RISK


def test_each_source_is_judged_by_a_fit_that_has_not_seen_it() -> None:
    shown = [*dice("one", 100, 3.0, 1.0), *dice("two", 100, 3.0, 0.0)]
    unseen = left_out(shown)
    assert unseen[0] > 0.9
    assert unseen[-1] < 0.1


def test_the_bound_draws_sources_not_dice() -> None:
    assert bound_by_sources([100, 100, 100], [0, 0, 0]) == 0
    together = bound_by_sources([100] * 10, [10, *[0] * 9])
    apart = bound_by_sources([100] * 10, [1] * 10)
    assert apart == pytest.approx(0.01)
    assert 0.02 <= together <= 0.04


def test_risks_are_those_of_the_dice() -> None:
    shown = [*dice("one", 400, 3.0, 0.97), *dice("two", 400, -1.0, 0.4)]
    model = fitted_to(shown)
    assert set(model.weights) == set(PIECES)
    sure, doubted = (risks(model, shown)[k] for k in (0, -1))
    assert sure == pytest.approx(0.03, abs=0.01)
    assert doubted == pytest.approx(0.6, abs=0.05)


def test_renderings_count_for_less() -> None:
    bad = dice(fit_photographs.RENDERED, 100, 3.0, 0.0)
    good = dice("photographs", 100, 3.0, 1.0)
    assert risks(fitted_to([*good, *bad]), good)[0] == pytest.approx(0.3 / 1.3, abs=0.03)


def test_each_source_is_left_out_in_turn_and_those_without_licence_only_judge(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    [line] = (PICTURES / "index.jsonl").read_text("utf-8").splitlines()
    entry = json.loads(line)
    lines = []
    for name, licence in (("first", "MIT"), ("second", "Apache-2.0"), ("third", "none stated")):
        file = f"{name}.jpg"
        shutil.copy(PICTURES / entry["file"], tmp_path / file)
        lines.append(json.dumps({**entry, "file": file, "source": name, "licence": licence}))
    (tmp_path / "index.jsonl").write_text("\n".join(lines))
    model = tmp_path / "certainty.json"
    shutil.copy(MODEL, model)
    assert main(["--data", str(tmp_path), "--model", str(model)]) == 0
    out = capsys.readouterr().out
    assert "| first | 5 | 5 | 0 | 5, 0 |" in out
    assert "| third, judges only | 5 | 5 | 0 | 5, 0 |" in out
    assert "\n10 dice fitted" in out
    written = json.loads(model.read_text("utf-8"))
    one = read_certainty(written["unknown"])
    assert one.photographs is not None
    assert one.risk == MOST_RISK
    assert written["known"] == json.loads(MODEL.read_text("utf-8"))["known"]


def test_the_shipped_model_is_what_this_writes() -> None:
    shipped = json.loads(MODEL.read_text("utf-8"))["unknown"]
    assert set(shipped["photographs"]["weights"]) == set(PIECES)
    assert np.isfinite(shipped["photographs"]["best"])
