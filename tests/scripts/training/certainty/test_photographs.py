"""Evidence of photographs on claims, and how it is written."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from scripts.training import fit_photographs
from scripts.training.fit_certainty import MODEL
from scripts.training.fit_photographs import PIECES, Shown, fitted_to, main, risks
from tests.paths import ROOT
from vision.decide.certainty import read_certainty

PICTURES = ROOT / "tests/vision/regression"


def dice(source: str, count: int, odds: float, right: float) -> list[Shown]:
    """Dice of a source with one evidence, of which a share is right."""
    evidence = (odds, odds, 0.0)
    return [Shown(source, True, evidence, k < right * count) for k in range(count)]


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
    assert one.risk == 0.05
    assert written["known"] == json.loads(MODEL.read_text("utf-8"))["known"]


def test_the_shipped_model_is_what_this_writes() -> None:
    shipped = json.loads(MODEL.read_text("utf-8"))["unknown"]
    assert set(shipped["photographs"]["weights"]) == set(PIECES)
    assert np.isfinite(shipped["photographs"]["best"])
