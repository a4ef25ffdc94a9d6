import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from appliance.cli.dataset import import_corrections, parse_die
from appliance.cli.main import main
from appliance.dataset.evaluation.vision import load_cases, run
from appliance.dataset.index import LabelledDie, add_picture, entry, read_index
from appliance.errors import ApplianceError
from scripts.training.drawn.trays import draw_tray
from vision.errors import PictureError
from vision.frame import Image
from vision.image.files import load_picture
from vision.reader import Reader
from vision.reading import Kind

VALUES = (1, 2, 3, 4, 5, 6)


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    path = tmp_path / "tray.png"
    cv2.imwrite(str(path), draw_tray(VALUES, ("black",) * 6))
    return path


def left_to_right(image: Image) -> list[str]:
    """The ground truth in words, for dice in the order in which the reader finds them."""
    return [f"black:{die.value}" for die in Reader().read(image).dice]


def test_a_picture_added_is_measured_by_the_bench(tmp_path: Path, picture: Path) -> None:
    words = left_to_right(load_picture(picture))
    folder = tmp_path / "set"
    assert main(["dataset", "add", str(picture), "--to", str(folder), "--truth", *words]) == 0
    cases = list(load_cases(folder))
    assert [label.kind for label in cases[0].labels or ()] == [Kind.BLACK] * 6
    rows = run(cases, lambda pictures, case: Reader().read(pictures[0]))
    whole = rows["tray.jpg"]
    assert (whole.dice, whole.wrong, whole.missed) == (6, 0, 0)
    assert whole.right >= 4


def test_a_wrong_truth_is_a_silent_error_in_the_bench(tmp_path: Path, picture: Path) -> None:
    words = left_to_right(load_picture(picture))
    words = [word.replace("4", "5") for word in words]
    folder = tmp_path / "set"
    main(["dataset", "add", str(picture), "--to", str(folder), "--truth", *words])
    rows = run(list(load_cases(folder)), lambda pictures, case: Reader().read(pictures[0]))
    assert rows["tray.jpg"].wrong == 1


def test_dice_that_are_not_labelled_are_refused(
    tmp_path: Path, picture: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "set"
    assert main(["dataset", "add", str(picture), "--to", str(folder), "--truth", "black:3"]) == 2
    error = capsys.readouterr().err
    assert "expected 1 dice as named, found 6" in error
    assert error.count("\n") == 1
    assert not folder.exists()


def test_a_picture_is_not_added_twice(tmp_path: Path, picture: Path) -> None:
    words = left_to_right(load_picture(picture))
    command = ["dataset", "add", str(picture), "--to", str(tmp_path / "set"), "--truth", *words]
    assert main(command) == 0
    assert main(command) == 2
    assert len(read_index(tmp_path / "set")) == 1


@pytest.mark.parametrize("word", ["black", "black:7", "blue:3", "power:4", "red:freeze", ":", ""])
def test_words_that_name_no_die_are_refused(word: str) -> None:
    with pytest.raises(ApplianceError, match="expected"):
        parse_die(word)


def test_words_that_name_dice() -> None:
    assert parse_die("power:freeze") == (Kind.POWER, "freeze")
    assert parse_die("red:5") == (Kind.RED, 5)
    assert parse_die("yellow:-") == (Kind.YELLOW, None)


def test_corrections_are_taken_over_once(tmp_path: Path) -> None:
    source, folder = tmp_path / "from", tmp_path / "to"
    grey = np.full((64, 96, 3), 90, np.uint8)
    die = LabelledDie((20.0, 30.0), (12.0, 12.0), Kind.RED, 5)
    add_picture(source, grey, entry("told_000001.jpg", [die], source="correction"))
    assert import_corrections(source, folder) == 1
    assert import_corrections(source, folder) == 0
    assert read_index(folder) == read_index(source)
    assert (folder / "told_000001.jpg").exists()


def test_a_damaged_index_is_named_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "index.jsonl").write_text(json.dumps({"file": "a.jpg"}) + "\n{half\n", "utf-8")
    with pytest.raises(ApplianceError, match="line 2: damaged"):
        read_index(tmp_path)


def test_an_impossible_value_is_refused() -> None:
    with pytest.raises(ApplianceError, match="red die"):
        LabelledDie((0.0, 0.0), (1.0, 1.0), Kind.RED, 7)


def test_an_index_that_is_no_text_is_told(tmp_path: Path) -> None:
    (tmp_path / "index.jsonl").write_bytes(b"\xff\xfe")
    with pytest.raises(PictureError, match="expected an index of pictures"):
        list(load_cases(tmp_path))
