import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from appliance.cli.main import main
from appliance.dataset.evaluation.truth import profile_of
from appliance.dataset.evaluation.vision import (
    Case,
    LabelledDie,
    Tally,
    load_cases,
    match_labels,
    run,
    score,
    table,
    wilson_interval,
    with_darker,
    with_geometry,
)
from tests.builders import reading
from vision.errors import PictureError, TooManySpots
from vision.frame import Image
from vision.reading import (
    DieReading,
    DieState,
    Kind,
    TrayReading,
    TrayState,
)


def die(
    x: float, value: int | None, state: DieState = DieState.OK, kind: Kind = Kind.BLACK
) -> DieReading:
    return reading(value, (x, 50.0), kind=kind, state=state)


def label(
    x: float | None, value: int, kind: Kind = Kind.BLACK, readable: bool = True
) -> LabelledDie:
    return LabelledDie(
        x, None if x is None else 50.0, 40.0, str(value), kind, "black/white", readable
    )


def case(*labels: LabelledDie, partial: bool = False) -> Case:
    def load() -> Image:
        return np.zeros((100, 400, 3), dtype=np.uint8)

    return Case("folder", "folder/a.jpg", None, labels, partial, None, load)


def counted(one: Case, *dice: DieReading) -> Tally:
    rows: dict[str, Tally] = {}
    score(one, TrayReading(TrayState.STILL, dice), lambda name: rows.setdefault(name, Tally()))
    return rows["folder"]


def test_wilson_agrees_with_known_figures() -> None:
    # Newcombe, Statistics in Medicine 17 (1998), table I: 81 of 263 and 15 of 148.
    assert wilson_interval(81, 263) == pytest.approx((0.2553, 0.3662), abs=2e-4)
    assert wilson_interval(15, 148) == pytest.approx((0.0624, 0.1605), abs=2e-4)
    assert wilson_interval(0, 0) == (0.0, 1.0)
    assert wilson_interval(10, 10)[1] == pytest.approx(1.0)


def test_a_right_claim_counts_as_right_and_whole() -> None:
    tally = counted(case(label(50, 4)), die(55, 4))
    assert (tally.dice, tally.right, tally.wrong, tally.whole) == (1, 1, 0, 1)


def test_a_wrong_claim_is_silent_and_spoils_the_picture() -> None:
    tally = counted(case(label(50, 4)), die(55, 5))
    assert (tally.right, tally.wrong, tally.whole) == (0, 1, 0)


def test_a_wrong_value_that_is_not_claimed_is_honest() -> None:
    tally = counted(case(label(50, 4)), die(55, 5, DieState.UNSURE))
    assert (tally.right, tally.wrong, tally.unsure, tally.whole) == (0, 0, 1, 0)


def test_half_a_die_away_is_another_place() -> None:
    tally = counted(case(label(50, 4)), die(71, 4))
    assert (tally.missed, tally.phantoms, tally.phantoms_sure) == (1, 1, 1)
    assert counted(case(label(50, 4)), die(69, 4)).right == 1


def test_extra_dice_of_pictures_with_some_labels_are_no_phantoms() -> None:
    assert counted(case(label(50, 4), partial=True), die(50, 4), die(200, 1)).phantoms == 0


def test_foreign_dice_must_not_be_claimed_as_ours() -> None:
    foreign = case(label(50, 4, Kind.OTHER))
    assert counted(foreign, die(50, 4)).foreign_claimed == 1
    assert counted(foreign, die(50, 4, kind=Kind.OTHER)).foreign_claimed == 0
    assert counted(foreign, die(50, 4, DieState.UNSURE)).foreign_claimed == 0
    assert counted(foreign, die(50, 5)).foreign_claimed == 1
    assert counted(foreign).whole == 1


def test_dice_nobody_can_read_count_only_when_claimed() -> None:
    hidden = case(label(50, 4, readable=False))
    assert counted(hidden).dice == 0
    assert counted(hidden).whole == 1
    assert counted(hidden, die(50, None, DieState.LEANING)).unreadable_claimed == 0
    tally = counted(hidden, die(50, 4))
    assert tally.unreadable_claimed == 1
    assert counted(hidden, die(50, 3)).wrong == 1


def test_each_reading_is_used_once_and_the_nearest_first() -> None:
    labels = [label(50, 1), label(64, 2)]
    dice = [die(62, 2), die(51, 1)]
    assert match_labels(labels, dice) == {0: 1, 1: 0}


def test_what_was_read_is_the_die_on_top_of_a_stack() -> None:
    below = replace(label(50, 5, readable=False), unseen=True)
    above = label(56, 6, readable=False)
    assert match_labels([below, above], [die(51, 6)]) == {1: 0}
    assert counted(case(below, above), die(51, 6)).wrong == 0
    assert counted(case(below, above), die(51, 6)).unreadable_claimed == 1
    assert counted(case(below, above), die(51, 5)).wrong == 1


def test_a_label_without_a_place_takes_the_likeliest_reading() -> None:
    assert match_labels([label(None, 3)], [die(300, 3)]) == {0: 0}
    assert match_labels([label(None, 3)], []) == {}


def write_index(folder: Path, *entries: Any) -> None:
    text = "\n".join(e if isinstance(e, str) else json.dumps(e) for e in entries)
    (folder / "index.jsonl").write_text(text, "utf-8")


ENTRY = {
    "file": "pics/a.png",
    "dice": [{"x": 50, "y": 50, "w": 40, "h": 44, "value": 3, "body": "red", "pips": "white"}],
    "partial": False,
}


def test_any_folder_of_this_form_is_measured(tmp_path: Path) -> None:
    write_index(tmp_path, ENTRY)
    (tmp_path / "pics").mkdir()
    cv2.imwrite(str(tmp_path / "pics" / "a.png"), np.zeros((100, 100, 3), np.uint8))
    cases = list(load_cases(tmp_path))
    assert cases[0].labels is not None
    assert cases[0].labels[0].kind is Kind.RED
    seen: list[str] = []
    rows = run(
        cases,
        lambda image, _: TrayReading(TrayState.STILL, (die(50, 3, kind=Kind.RED),)),
        lambda _, faults: seen.extend(faults),
    )
    assert rows["pics"].right == 1
    assert rows["pics · red/white"].right == 1
    assert seen == []
    assert "| pics | 1 | 1 (100.0%; 20.7%–100.0%) |" in table(rows)


def test_what_cannot_be_read_is_missed_and_the_bench_goes_on(tmp_path: Path) -> None:
    names = ("cloth.png", "plain.png")
    write_index(tmp_path, *({**ENTRY, "file": name} for name in names))
    for name in names:
        cv2.imwrite(str(tmp_path / name), np.zeros((100, 100, 3), np.uint8))
    seen: list[str] = []

    def read(_: list[Image], case: Case) -> TrayReading:
        if case.file == "cloth.png":
            raise TooManySpots()
        return TrayReading(TrayState.STILL, (die(50, 3, kind=Kind.RED),))

    rows = run([*load_cases(tmp_path)], read, lambda _, faults: seen.extend(faults))
    assert (rows["cloth.png"].missed, rows["cloth.png"].right) == (1, 0)
    assert rows["plain.png"].right == 1
    assert seen[0].startswith(
        "not read: expected a plain floor, found more spots than can be looked at"
    )


def test_where_darker_pictures_lie_beside_they_are_read_as_well(tmp_path: Path) -> None:
    dice = json.loads(json.dumps(ENTRY))["dice"]
    burnt = {**ENTRY, "dice": [{**dice[0], "whited_out": 0.9}]}
    write_index(tmp_path, burnt, {**ENTRY, "file": "other.png"})
    (tmp_path / "pics").mkdir()
    for name in ("pics/a.png", "other.png"):
        cv2.imwrite(str(tmp_path / name), np.full((100, 100, 3), 200, np.uint8))
    lit = tmp_path / "pics/a.png"
    for times in (16, 4):
        picture = np.full((100, 100, 3), 200 // times, np.uint8)
        cv2.imwrite(str(lit.parent / f"{lit.stem}.dark{times}.jpg"), picture)
    plain = list(load_cases(tmp_path))
    seen: list[list[int]] = []

    def read(pictures: list[Image], _: Case) -> TrayReading:
        seen.append([int(picture.mean()) for picture in pictures])
        return TrayReading(TrayState.STILL, (die(50, 3, kind=Kind.RED),))

    rows = run([*plain, *with_darker(plain)], read)
    assert seen == [[200], [200], [200, 50, 12]]
    # A person can read in the other pictures what glare hides in one.
    assert rows[plain[0].group].dice == 0
    assert rows[f"{plain[0].group}, with darker frames"].right == 1


@pytest.mark.parametrize(
    "entry", ["{", '"x"', {"file": "a"}, {"file": "a", "dice": [{"x": 1}]}, {"dice": []}]
)
def test_a_damaged_index_is_refused(tmp_path: Path, entry: Any) -> None:
    write_index(tmp_path, ENTRY, entry)
    with pytest.raises(PictureError, match="line 2"):
        list(load_cases(tmp_path))


@pytest.mark.parametrize("more", [[], ["--only", "elsewhere"]])
def test_no_pictures_to_measure_with_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], more: list[str]
) -> None:
    (tmp_path / "index.jsonl").write_text("")
    assert main(["bench", "vision", "--data", str(tmp_path), *more]) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith(f"dicetray bench: {tmp_path}: index.jsonl lists no pictures")
    assert ("'elsewhere'" in captured.err) is bool(more)
    assert captured.out == ""


def test_a_missing_index_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PictureError, match="cannot be read"):
        list(load_cases(tmp_path))


def test_geometry_from_a_truth_file(tmp_path: Path) -> None:
    truth = tmp_path / "t.json"
    camera = {
        "K": [[1000, 0, 500], [0, 1000, 300], [0, 0, 1]],
        "dist": [0, 0, 0, 0],
        "R_world_to_cam": [[1, 0, 0], [0, -1, 0], [0, 0, -1]],
        "centre_m": [0.0, 0.0, 0.4],
    }
    corners = [[-0.1, 0.07, 0], [0.1, 0.07, 0], [0.1, -0.07, 0], [-0.1, -0.07, 0]]
    raw = {"size": [1000, 600], "camera": camera, "tray": {"floor_corners_m": corners}}
    truth.write_text(json.dumps(raw))
    profile = profile_of(truth)
    # 50 mm to the right and 20 mm to the front, on the plane 16 mm above the floor.
    pixels = profile.to_pixels(np.array([(50.0, 20.0, -16.0)]))[0]
    np.testing.assert_allclose(pixels, (500 + 1000 * 50 / 384, 300 + 1000 * 20 / 384))
    assert profile.tray[0].tolist() == [-100.0, -70.0]
    one = case(label(50, 1))
    assert with_geometry([one]) == []
    truth.write_text("{}")
    with pytest.raises(PictureError, match="no geometry"):
        profile_of(truth)
