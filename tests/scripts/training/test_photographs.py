"""Patches cut from labelled photographs, and which photographs these are."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from appliance.dataset.evaluation.vision import Case, load_cases
from scripts.training import photographs
from scripts.training.drawn.patches import NONE, SIDE
from scripts.training.fit_photographs import MISLABELLED
from scripts.training.photographs import Top, cut_tops, no_dice, tops_of, usable
from scripts.training.train_faces import main
from tests.paths import ROOT
from vision.classify.face import Pyramid
from vision.classify.network import network
from vision.geometry.axes import top_edges
from vision.image.arrays import FloatArray
from vision.reader import Reader
from vision.reading import TrayReading

PICTURES = ROOT / "tests/vision/regression"
VALUES = {2, 3, 4}


def data_of(folder: Path, *photos: tuple[str, str, str]) -> Path:
    """A folder of copies of a picture of five dice: of each its file, source and licence."""
    [line] = (PICTURES / "index.jsonl").read_text("utf-8").splitlines()
    entry = json.loads(line)
    lines = []
    for file, source, licence in photos:
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(PICTURES / entry["file"], folder / file)
        lines.append(json.dumps({**entry, "file": file, "source": source, "licence": licence}))
    (folder / "index.jsonl").write_text("\n".join(lines))
    return folder


@pytest.fixture(name="seen", scope="module")
def fixture_seen() -> tuple[Case, TrayReading]:
    [case] = load_cases(PICTURES)
    return case, Reader().read(case.load())


def test_only_photographs_whose_licence_allows_it_are_cut(tmp_path: Path) -> None:
    data = data_of(
        tmp_path,
        ("a.jpg", "first", "MIT"),
        ("b.jpg", "second", "Apache-2.0"),
        ("c.jpg", "third", "none stated: judge only, do not train on it"),
        ("d.jpg", "fourth", "GPL-3.0"),
        ("e.jpg", "rendered", "MIT"),
        (MISLABELLED[0], "first", "MIT"),
        (photographs.DOUBTED[0], "second", "MIT"),
    )
    files = {name: [case.file for case in cases] for name, cases in usable(data).items()}
    assert files == {"first": ["a.jpg"], "second": ["b.jpg"]}
    assert list(usable(data, ["second"])) == ["first"]
    with pytest.raises(SystemExit, match="--without third: expected one of first, second"):
        usable(data, ["third"])
    with pytest.raises(SystemExit, match="no labelled photographs whose licence allows"):
        usable(data, ["first", "second"])


def test_what_a_die_shows_is_as_labelled_and_where_it_is_as_read(
    seen: tuple[Case, TrayReading],
) -> None:
    case, reading = seen
    labels = case.labels or ()
    tops = tops_of(labels, reading)
    assert [top.value for top in tops] == [int(label.value) for label in labels]
    assert all(top.placed for top in tops)
    for top, label in zip(tops, labels, strict=True):
        assert label.x is not None and label.y is not None
        assert np.hypot(top.center[0] - label.x, top.center[1] - label.y) < 0.25 * label.size
        assert 0.6 < top.edge / label.size < 1.2
    unread = tops_of(labels, TrayReading(reading.tray, ()))
    assert [top.value for top in unread] == [top.value for top in tops]
    assert not any(top.placed for top in unread)


def test_the_pose_says_where_the_top_is(seen: tuple[Case, TrayReading]) -> None:
    """The shipped network sees the values, places and sizes that the patches are labelled with."""
    case, reading = seen
    tops = tops_of(case.labels or (), reading)
    patches = cut_tops(np.random.default_rng(1), Pyramid(case.load()), tops, 12)
    assert len(patches) == 12 * len(tops)
    x = np.stack([one.picture for one in patches]).transpose(0, 3, 1, 2) / 255 - 0.5
    out = network("faces.onnx").ask(x.astype(np.float32))
    labels = np.array([one.label for one in patches])
    assert set(labels) == VALUES
    assert (out[:, :10].argmax(1) == labels).mean() > 0.8
    poses = np.array([one.pose for one in patches])
    assert np.isnan(poses[:, 3:]).all()
    assert {one.kind for one in patches} == {-1}
    off = np.abs(out[:, -5:-2] - poses[:, :3])
    assert (np.median(off, axis=0) < 0.06).all()


def test_of_a_die_that_the_reader_does_not_find_no_place_is_taught(
    seen: tuple[Case, TrayReading],
) -> None:
    top = Top(3, np.array((284.0, 138.0)), 40.0, placed=False)
    patches = cut_tops(np.random.default_rng(1), Pyramid(seen[0].load()), [top], 2.5)
    assert 2 <= len(patches) <= 3
    for patch in patches:
        assert patch.label == 3
        assert np.isnan(patch.pose).all()


def test_where_no_die_is_none_is_in_the_middle(seen: tuple[Case, TrayReading]) -> None:
    case, reading = seen
    labels = case.labels or ()
    tops = tops_of(labels, reading)
    rng = np.random.default_rng(2)
    assert len(no_dice(rng, case.load(), labels, tops, reading)[0]) > 60
    assert not any(count_on(top, *no_dice(rng, case.load(), labels, tops, reading)) for top in tops)
    # A die beside another is not cut as what is beside it.
    beside = replace(tops[0], center=tops[0].center + np.array((0.75 * tops[0].edge, 0)))
    places = no_dice(rng, case.load(), labels, [*tops, beside], reading)
    assert not count_on(beside, *places)
    # As if the reader had found a die where none is labelled.
    phantom, *others = tops
    found = no_dice(rng, case.load(), labels[1:], others, reading)
    assert count_on(phantom, *found) >= photographs.PHANTOM_LOOKS


def count_on(top: Top, centers: FloatArray, axes: FloatArray) -> int:
    """How many places would be right for the top."""
    apart = np.hypot(*(centers - top.center).T)
    edges = top_edges(axes)
    return int(((apart < 0.35 * edges) & (np.abs(np.log(edges / top.edge)) < 0.6)).sum())


def test_patches_are_written_as_many_as_wanted(tmp_path: Path) -> None:
    data = data_of(tmp_path / "data", ("a.jpg", "first", "MIT"), ("b.jpg", "second", "none"))
    out = tmp_path / "out"
    words = ["photographs", "--data", str(data), "--out", str(out), "--count", "60"]
    assert main([*words, "--shards", "1", "--processes", "1"]) == 0
    [path] = out.glob("*.npz")
    file = np.load(path)
    assert len(file["y"]) == pytest.approx(60, abs=6)
    assert file["x"].shape[1:] == (SIDE, SIDE, 3)
    assert set(file["y"]) == {NONE, *VALUES}
    assert (file["y"] == NONE).mean() == pytest.approx(photographs.NO_DIE_SHARE, abs=0.1)
