"""Evidence kept of readings, and decided again from what was kept."""

import json
from pathlib import Path

import numpy as np
import pytest

from scripts.campaign.folder import opened
from scripts.training.certainty.evidence import PHANTOM, Evidence, Known, load
from scripts.training.fit_certainty import claimed, lies, main, risk, shows
from tests.paths import ROOT
from vision.decide.certainty import certainty, read_certainty
from vision.image.files import load_picture
from vision.reader import Reader

PICTURES = ROOT / "tests/vision/regression"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what is known about the dice in one photograph."""
    [line] = (PICTURES / "index.jsonl").read_text("utf-8").splitlines()
    entry = json.loads(line)
    kept = Evidence()
    kept.add(load_picture(PICTURES / entry["file"]), None, entry["dice"], "photograph")
    path = tmp_path_factory.mktemp("kept") / "12-000.npz"
    np.savez(path, **kept.arrays())
    return path.parent


def dice(folder: Path) -> list[Known]:
    return list(load(sorted(folder.glob("*.npz"))))


def test_what_was_kept_is_claimed_as_it_was_read(folder: Path) -> None:
    reading = Reader().read(load_picture(PICTURES / "shining_die.jpg"))
    kept = dice(folder)
    assert [claimed(one) for one in kept] == [die.sure for die in reading.dice]
    assert any(claimed(one) and shows(one) and lies(one) for one in kept)
    assert max(risk(one) for one in kept if claimed(one)) <= certainty(False).risk


def test_what_is_no_die_is_a_phantom(folder: Path) -> None:
    phantoms = [one for one in dice(folder) if one.state == PHANTOM]
    assert not any(one.readable or shows(one) for one in phantoms)


def test_claims_are_counted(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", str(folder)]) == 0
    said = capsys.readouterr().out
    assert "| photograph, geometry unknown | 5 | 5 | 0 | 0 |" in said
    assert "geometry unknown: 0 of 5 wrong" in said


def known(folder: Path, out: Path) -> None:
    """Keeps the dice with geometry and without, as they are, read wrongly, and leaning."""
    with np.load(next(folder.glob("*.npz"))) as file:
        columns = dict(file)
    ones = np.ones(len(columns["size"]))
    for seen in (False, True):
        as_it_is = {**columns, "picture_known": np.array([seen]), "size": ones}
        values = ["1" if v != "1" else "2" for v in columns["label_value"]]
        wrong = {"label_value": np.array(values), "sure": 0.45 * ones}
        leaning = {
            "label_state": np.array(["leaning"] * len(values)),
            "postures": np.tile((0.2, 0.8, 0.0, 0.0), (len(ones), 1)),
        }
        for k, other in enumerate(({}, wrong, leaning)):
            np.savez(out / f"{k}-{seen:d}.npz", **{**as_it_is, **other})


def test_a_model_is_written_that_trusts_the_networks(
    folder: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    known(folder, tmp_path)
    out, drawing = tmp_path / "certainty.json", tmp_path / "risks.svg"
    assert main(["fit", str(tmp_path), "--model", str(out)]) == 0
    written = json.loads(out.read_text("utf-8"))
    for name in ("known", "unknown"):
        one = read_certainty(written[name])
        assert set(one.value.weights) >= {"face", "posture", "in a row"}
        assert set(one.lying.weights) >= {"flat", "near", "lean"}
        assert one.value.weights["face"] > 0
        assert one.lying.weights["flat"] > 0
        assert 0 < one.risk < 0.5
    assert main(["compare", str(tmp_path), "--draw", str(drawing)]) == 0
    assert "geometry known:" in capsys.readouterr().out
    assert drawing.read_text("utf-8").startswith("<svg")


def test_a_model_needs_dice_read_with_geometry_and_without(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="expected dice read with geometry known, found none"):
        main(["fit", str(folder), "--model", str(tmp_path / "certainty.json")])


def test_a_folder_without_all_evidence_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compare", str(tmp_path)]) == 2
    assert "expected files *.npz, found none" in capsys.readouterr().err
    opened(tmp_path, {"code": "ab"}, files=["hard-1.npz"])
    assert main(["fit", str(tmp_path), "--model", str(tmp_path / "model")]) == 2
    assert "found 0; run the command that makes them again, for these: hard-1.npz" in (
        capsys.readouterr().err
    )
