import argparse
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import pytest

from appliance.cli import read
from appliance.cli.main import main
from scripts.training.drawn.trays import draw_tray
from tests.builders import reading
from vision.detect import detector, pips
from vision.errors import OutOfMemory
from vision.frame import Image
from vision.geometry.profile import Profile
from vision.geometry.profile_file import save_profile
from vision.image.annotate import annotate
from vision.reader import Reader
from vision.reading import Candidate, DieState, Kind, TrayReading, TrayState

KINDS = {"black", "red", "white", "yellow", "power", "other"}
STATES = {"ok", "unsure", "leaning", "stacked", "covered"}
TRAYS = {"empty", "moving", "hand", "still"}


@pytest.fixture(scope="module")
def tray() -> Image:
    return draw_tray((1, 2, 3, 4, 5, 6), ("black", "red", "black", "black", "red", "black"))


@pytest.fixture
def picture(tmp_path: Path, tray: Image) -> Path:
    path = tmp_path / "tray.png"
    cv2.imwrite(str(path), tray)
    return path


@pytest.fixture
def clip(tmp_path: Path, tray: Image) -> Path:
    path = tmp_path / "clip.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 30.0, (640, 480))
    for _ in range(4):
        writer.write(tray)
    writer.release()
    return path


def call(*arguments: str | Path) -> int:
    parser = argparse.ArgumentParser()
    read.add_arguments(parser.add_subparsers().add_parser("read"))
    args = parser.parse_args(["read", *(str(a) for a in arguments)])
    status: int = args.func(args)
    return status


def test_json_has_every_field(picture: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(picture, "--json") == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 1
    out = json.loads(lines[0])
    assert set(out) == {"file", "frame", "tray", "ms", "dice"}
    assert out["file"] == str(picture)
    assert out["frame"] is None
    assert out["tray"] in TRAYS
    assert out["ms"] > 0
    assert len(out["dice"]) == 6
    for die in out["dice"]:
        assert set(die) == {
            "kind",
            "value",
            "state",
            "candidates",
            "confidence",
            "center",
            "outline",
        }
        assert die["kind"] in KINDS
        assert die["state"] in STATES
        assert die["value"] in (None, 1, 2, 3, 4, 5, 6)
        assert 0 <= die["confidence"] <= 1
        assert len(die["center"]) == 2
        assert len(die["outline"]) == 4
        for candidate in die["candidates"]:
            assert 0 <= candidate["probability"] <= 1
    xs = [die["center"][0] for die in out["dice"]]
    assert xs == sorted(xs)


def test_millimetres_come_with_a_profile(
    picture: Path,
    tmp_path: Path,
    make_profile: Callable[..., Profile],
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "profile.json"
    save_profile(replace(make_profile(0.0), size=(640, 480)), path)
    assert call(picture, "--json", "--profile", path) == 0
    out = json.loads(capsys.readouterr().out)
    assert out["dice"]
    assert all(len(die["mm"]) == 2 for die in out["dice"])


def test_a_bad_profile_ends_with_2(picture: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(picture, "--profile", "none.json") == 2
    assert "none.json" in capsys.readouterr().err


def test_bad_files_are_named_and_the_others_are_read(
    picture: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = tmp_path / "bad.jpg"
    bad.write_bytes(b"no picture")
    assert call(bad, tmp_path / "missing.png", picture, "--json") == 2
    out, err = capsys.readouterr()
    assert len(err.splitlines()) == 2
    assert "bad.jpg" in err.splitlines()[0]
    assert "missing.png" in err.splitlines()[1]
    assert json.loads(out)["file"] == str(picture)


def test_frames_of_a_video(clip: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(clip, "--json", "--frames", "3,1") == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["frame"] for line in lines] == [1, 3]
    assert call(clip, "--json") == 0
    assert len(capsys.readouterr().out.splitlines()) == 4


def test_a_frame_that_is_not_there_ends_with_2(
    clip: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(clip, "--json", "--frames", "1,40") == 2
    out, err = capsys.readouterr()
    assert json.loads(out)["frame"] == 1
    assert "40" in err


@pytest.mark.parametrize("text", ["", "a", "1,,2", "-1", "1;2"])
def test_a_bad_list_of_frames_is_refused(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="expected frame numbers"):
        read.frame_list(text)


def test_annotations_of_one_picture_go_to_a_file(picture: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.png"
    assert call(picture, "--annotate", out) == 0
    drawn, plain = cv2.imread(str(out)), cv2.imread(str(picture))
    assert drawn is not None
    assert plain is not None
    assert drawn.shape == plain.shape
    assert (drawn != plain).any()


def test_annotations_of_several_pictures_go_to_a_folder(
    picture: Path, clip: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    assert call(picture, picture, clip, "--annotate", out, "--frames", "0,2") == 0
    names = {path.name for path in out.iterdir()}
    assert names == {"tray.png", "tray_2.png", "clip_00000.jpg", "clip_00002.jpg"}


def test_an_annotation_that_is_no_picture_name_is_refused(
    picture: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(picture, "--annotate", tmp_path / "out.txt") == 2
    assert ".jpg or .png" in capsys.readouterr().err


def test_the_table_names_doubts(picture: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(picture) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"{picture}: still, 6 dice")
    assert len(out.splitlines()) == 7


four = partial(
    reading,
    4,
    kind=Kind.RED,
    candidates=(Candidate(4, 0.7), Candidate(5, 0.2)),
    confidence=0.7,
    edge=40.0,
)


def test_annotate_marks_each_state_in_its_colour_and_keeps_the_middle_free() -> None:
    image = np.full((300, 400, 3), 128, dtype=np.uint8)
    seen = set()
    for state in DieState:
        drawn = annotate(image, TrayReading(TrayState.STILL, (four((200.0, 150.0), state=state),)))
        assert (drawn[150, 200] == 128).all()
        seen.add(tuple(int(v) for v in drawn[150, 180]))
    assert len(seen) == len(DieState)
    assert (image == 128).all()


def test_annotate_copes_with_dice_at_the_edge() -> None:
    image = np.zeros((60, 60, 3), dtype=np.uint8)
    reading = TrayReading(TrayState.STILL, (four((2.0, 2.0), state=DieState.UNSURE),))
    assert annotate(image, reading).shape == image.shape


@pytest.mark.parametrize("known", [False, True], ids=["nothing known", "with a profile"])
@pytest.mark.parametrize("command", ["dataset", "read"])
def test_on_a_pattern_nothing_is_claimed_and_one_line_says_why(
    command: str,
    known: bool,
    tmp_path: Path,
    make_profile: Callable[..., Profile],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for room in (pips, detector):
        monkeypatch.setattr(room, "MAX_SPOTS", 5)
    profile = make_profile(0.0)
    save_profile(profile, tmp_path / "tray.json")
    cloth = np.full((*profile.size[::-1], 3), 60, np.uint8)
    for x, y in np.mgrid[20 : profile.size[0] : 30, 20 : profile.size[1] : 30].reshape(2, -1).T:
        cv2.circle(cloth, (int(x), int(y)), 5, (210, 210, 210), -1)
    cv2.imwrite(str(tmp_path / "cloth.png"), cloth)
    words = [command, *(["add"] if command == "dataset" else []), str(tmp_path / "cloth.png")]
    if command == "dataset":
        words += ["--to", str(tmp_path / "set"), "--truth", "black:3"]
    if known:
        words += ["--profile", str(tmp_path / "tray.json")]
    status = main(words)
    printed = capsys.readouterr()
    if command == "read":
        assert status == 0
        if not known:
            assert "many spots: some dice may be missing" in printed.out.splitlines()[0]
        assert "ok" not in printed.out.split()
        assert printed.err == ""
    else:
        assert status == 2
        assert printed.err.startswith("dicetray")
        assert "expected 1 dice as named" in printed.err
        assert (printed.err.count("\n"), printed.out) == (1, "")


def test_a_picture_that_cannot_be_read_is_named_and_the_next_one_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    names = [str(tmp_path / f"{name}.png") for name in ("first", "second")]
    for name in names:
        cv2.imwrite(name, np.full((90, 120, 3), 90, np.uint8))
    answers: Iterator[OutOfMemory | TrayReading] = iter(
        [OutOfMemory(), TrayReading(TrayState.EMPTY, ())]
    )

    def answer(*_: object) -> TrayReading:
        one = next(answers)
        if isinstance(one, OutOfMemory):
            raise one
        return one

    monkeypatch.setattr(Reader, "read", answer)
    assert main(["read", *names]) == 2
    printed = capsys.readouterr()
    assert f"{names[0]}: the memory is too small" in printed.err
    assert printed.out.startswith(f"{names[1]}: empty")


@pytest.mark.parametrize(
    ("doubtful", "listed", "last"),
    [(7, 9, None), (8, 9, "and 1 more place in doubt"), (16, 9, "and 9 more places in doubt")],
)
def test_a_table_lists_all_that_is_sure_and_the_likeliest_places_in_doubt(
    doubtful: int, listed: int, last: str | None
) -> None:
    sure = [reading(5, (x, 0.0)) for x in (3.0, 500.0)]
    asked = [
        reading(2, (20.0 * k, 50.0), state=DieState.UNSURE, confidence=0.9 - 0.05 * k)
        for k in range(doubtful)
    ]
    dice = tuple(sorted(sure + asked, key=lambda die: die.center))
    result = read.ReadPicture(
        Path("a.jpg"), None, np.zeros((1, 1, 3), np.uint8), TrayReading(TrayState.STILL, dice), 1.0
    )
    lines = read.as_table(result).splitlines()[1:]
    assert sum("  ok  " in line for line in lines) == len(sure)
    assert [f"({20 * k}, 50)" in "".join(lines) for k in (0, 6, 7)] == [True, True, False]
    assert (lines[listed].strip() if last else None) == last
    assert len(lines) == listed + (last is not None)
    assert len(read.as_json(result)["dice"]) == len(dice)
