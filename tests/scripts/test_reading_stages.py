"""The cost of a reading, measured in stages that add up to the whole."""

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import cv2
import pytest

from scripts.reading_stages import (
    KINDS,
    MEASURED,
    ORDER,
    THROWS,
    main,
    measured,
    prepare,
    run_child,
)
from scripts.training.drawn.trays import draw_tray
from vision.classify import face as face_classifier
from vision.reader import Reader

FINDING: Any = import_module("vision.detect.detector")


def test_the_stages_of_a_reading_make_up_the_whole() -> None:
    before = FINDING.find_pips, face_classifier.classify_faces
    image = draw_tray((1, 5), ("black", "red"))
    with measured() as cost:
        assert FINDING.find_pips is not before[0]
        reading = cost.reading(lambda: Reader().read(image))
        again = cost.reading(lambda: Reader().read(image))
    assert (FINDING.find_pips, face_classifier.classify_faces) == before, "put back"
    assert reading == again == Reader().read(image)
    assert all(len(cost.ms[name]) == 2 for name in ORDER)
    for k in range(2):
        parts = sum(cost.ms[name][k] for name in ORDER[:-1])
        assert parts == pytest.approx(cost.ms["all"][k])
    assert cost.ms["networks"][0] > 0
    assert cost.ms["spots"][0] > 0


def test_the_stages_are_put_back_after_an_error() -> None:
    before = FINDING.find_pips
    with pytest.raises(RuntimeError), measured():
        raise RuntimeError
    assert FINDING.find_pips is before


def test_the_command_prints_a_row_of_stages_for_each_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine").mkdir()
    cv2.imwrite(str(tmp_path / "mine/a.png"), draw_tray((1, 5), ("black", "red")))
    (tmp_path / "index.jsonl").write_text(json.dumps({"file": "mine/a.png", "dice": None}))
    assert main(["--data", str(tmp_path)]) == 0
    head, _, row = (line.split(" | ") for line in capsys.readouterr().out.splitlines())
    assert head[2:-3] == list(ORDER)
    assert float(row[-2]) > 100, "million operations"
    assert row[:2] == ["| mine", "1"]
    assert float(row[head.index("all")]) > float(row[head.index("networks")]) > 0


def test_a_folder_without_pictures_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--data", str(tmp_path)]) == 2
    assert "expected an index" in capsys.readouterr().err


@pytest.mark.slow
def test_several_versions_read_the_same_throws_in_all_three_ways(tmp_path: Path) -> None:
    prepare(tmp_path)
    said, _ = run_child(Path(__file__).parents[2], "--child", str(tmp_path))
    ms = json.loads(said)
    assert list(ms) == list(KINDS)
    for kind in KINDS:
        assert len(ms[kind]) == len(MEASURED) * THROWS
        assert min(ms[kind]) > 0
