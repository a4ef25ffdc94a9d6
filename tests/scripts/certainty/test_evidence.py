"""What is kept of readings, and decided anew from what was kept."""

import json
from pathlib import Path

import numpy as np
import pytest

from scripts.certainty.evidence import PHANTOM, Evidence, Known, load
from scripts.fit_certainty import lies, main, ruled, shows
from tests.paths import ROOT
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
    assert [ruled(one) for one in kept] == [die.sure for die in reading.dice]
    assert any(ruled(one) and lies(one) and shows(one) for one in kept)


def test_what_is_no_die_is_a_phantom(folder: Path) -> None:
    phantoms = [one for one in dice(folder) if one.state == PHANTOM]
    assert not any(one.readable or lies(one) or shows(one) for one in phantoms)
    assert {one.seed for one in dice(folder)} == {"12"}


def test_rules_and_curves_are_counted_beside_each_other(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table, drawing = folder / "curves.json", folder / "risks.svg"
    bold = {"limit": 0.1, "best": 9.0, "curves": {"a face": [[-4.0, -20.0], [2.0, 0.0]]}}
    shy = {**bold, "best": -9.0}
    raw = {"lying": bold, "value": bold}
    table.write_text(json.dumps({"geometry known": raw, "geometry unknown": raw}), "utf-8")
    assert main(["compare", str(folder), "--table", str(table), "--draw", str(drawing)]) == 0
    said = capsys.readouterr().out
    assert "| photograph, geometry unknown | 5, 0, 0 | 5, 0, 0 |" in said
    assert "geometry unknown, rules: 0 of 5 wrong" in said
    assert drawing.read_text("utf-8").startswith("<svg")
    raw = {"lying": shy, "value": bold}
    table.write_text(json.dumps({"geometry known": raw, "geometry unknown": raw}), "utf-8")
    assert main(["compare", str(folder), "--table", str(table)]) == 0
    assert "| photograph, geometry unknown | 5, 0, 0 | 0, 0, 0 |" in capsys.readouterr().out


def test_curves_need_dice_read_with_geometry_and_without(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="expected dice read with and without geometry"):
        main(["fit", str(folder), "--table", str(tmp_path / "curves.json")])


def test_a_folder_without_evidence_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=r"expected files of scripts/collect_dice\.py"):
        main(["compare", str(tmp_path)])
