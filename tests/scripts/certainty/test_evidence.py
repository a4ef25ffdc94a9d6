"""What is kept of readings, and decided anew from what was kept."""

import json
from pathlib import Path

import numpy as np
import pytest

from scripts.certainty.evidence import PHANTOM, Evidence, Known, load
from scripts.fit_certainty import claimed, main, shows
from tests.paths import ROOT
from vision.decide.certainty import Model
from vision.image.files import load_picture
from vision.reader import Reader

PICTURES = ROOT / "tests/vision/regression"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What is known of the dice in one photograph."""
    [line] = (PICTURES / "index.jsonl").read_text("utf-8").splitlines()
    entry = json.loads(line)
    kept = Evidence()
    kept.add(load_picture(PICTURES / entry["file"]), None, entry["dice"], "photograph", False)
    path = tmp_path_factory.mktemp("kept") / "12-000.npz"
    np.savez(path, **kept.arrays())
    return path.parent


def dice(folder: Path) -> list[Known]:
    return [die for found in load(sorted(folder.glob("*.npz"))) for die in found]


def test_what_was_kept_is_claimed_as_it_was_read(folder: Path) -> None:
    reading = Reader().read(load_picture(PICTURES / "shining_die.jpg"))
    kept = dice(folder)
    assert [claimed(one) for one in kept] == [die.sure for die in reading.dice]
    assert any(claimed(one) and shows(one) for one in kept)


def test_what_is_no_die_is_a_phantom(folder: Path) -> None:
    phantoms = [one for one in dice(folder) if one.state == PHANTOM]
    assert not any(one.readable or shows(one) for one in phantoms)
    assert {one.seed for one in dice(folder)} == {"12"}


def test_claims_are_counted(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", str(folder)]) == 0
    said = capsys.readouterr().out
    assert "| photograph, geometry unknown | 5 | 5 | 0 | 0 |" in said
    assert "geometry unknown: 0 of 5 wrong" in said


def known(folder: Path, out: Path) -> list[Path]:
    """The same dice as if they had been read with geometry, and one that was read wrongly."""
    with np.load(next(folder.glob("*.npz"))) as file:
        columns = dict(file)
    paths = []
    for name, seen in (("a-1", False), ("b-1", True), ("c-1", False), ("d-1", True)):
        other = {
            **columns,
            "picture_known": np.array([seen]),
            "size": np.ones(len(columns["size"])),
        }
        if name[0] in "cd":
            other["label_value"] = np.array(
                ["1" if v != "1" else "2" for v in other["label_value"]]
            )
            other["sure"] = np.full(len(other["sure"]), 0.1)
        paths.append(out / f"{name}.npz")
        np.savez(paths[-1], **other)
    return paths


def test_a_model_is_written_that_trusts_the_networks(
    folder: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    known(folder, tmp_path)
    monkeypatch.setattr("scripts.fit_certainty.once_wrong", list)
    out, drawing = tmp_path / "certainty.json", tmp_path / "risks.svg"
    assert main(["fit", str(tmp_path), "--model", str(out)]) == 0
    written = json.loads(out.read_text("utf-8"))
    for name in ("known", "unknown"):
        assert set(Model(**written[name]).weights) >= {"face", "posture", "more pips"}
        assert written[name]["weights"]["face"] > 0
    assert main(["compare", str(tmp_path), "--draw", str(drawing)]) == 0
    assert "geometry known:" in capsys.readouterr().out
    assert drawing.read_text("utf-8").startswith("<svg")


def test_a_model_needs_dice_read_with_geometry_and_without(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="expected dice read with geometry known, found none"):
        main(["fit", str(folder), "--model", str(tmp_path / "certainty.json")])


def test_a_folder_without_evidence_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=r"expected files of scripts/collect_dice\.py"):
        main(["compare", str(tmp_path)])
