"""When throws are reported, measured frame by frame."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np

from appliance.dataset.evaluation.vision import Case, Tally
from scripts.bench_rolls import Reported, films, rolls_table
from vision.frame import Image


def case(file: str, truth: Path | None = None) -> Case:
    def load() -> Image:
        return np.zeros((90, 160, 3), np.uint8)

    return Case(str(Path(file).parent), file, None, (), False, truth, load)


def test_films_are_folders_whose_truth_knows_the_rest(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    roll, still = tmp_path / "a" / "truth.json", tmp_path / "b" / "truth.json"
    roll.write_text(json.dumps({"rest_from_frame": 23, "fps": 30}), "utf-8")
    still.write_text("{}", "utf-8")
    frames = [case(f"roll/{k:03d}.jpg", roll) for k in (2, 0, 1)]
    known = [replace(one, geometry=True) for one in frames]
    found = films([*frames, *known, case("site/set.jpg", still), case("x/y.jpg")])
    assert list(found) == ["roll"]
    assert [one.file for one in found["roll"]] == [f"roll/{k:03d}.jpg" for k in range(3)]


def test_a_roll_reported_before_the_dice_rest_is_early() -> None:
    tally = Tally(dice=6, right=5, unsure=1)
    good = Reported("a", 23, (28,), 5 / 30, tally)
    early = Reported("b", 23, (22, 30), 7 / 30, tally)
    never = Reported("c", 23, (), None, Tally())
    assert [one.early for one in (good, early, never)] == [False, True, False]
    text = rolls_table([good, early, never])
    assert "| a | 23 | 28 | 167 | no | 5 of 6 | 0 | 1 | 0 |" in text
    assert "| b | 23 | 22, 30 | 233 | yes |" in text
    assert "| c | 23 | never |  | no | 0 of 0 |" in text
