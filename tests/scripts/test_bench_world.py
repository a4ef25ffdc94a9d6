"""Counts of the benchmark of strangers' photographs."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from scripts.bench_world import main
from vision.errors import OutOfMemory
from vision.frame import Image
from vision.reader import Reader
from vision.reading import DieReading, DieState, Kind, TrayReading, TrayState

CORNERS = ((90.0, 90.0), (110.0, 90.0), (110.0, 110.0), (90.0, 110.0))
SOURCES = {
    "first": ("one/dice", "MIT"),
    "second": ("two/dice", "none"),
    "third": ("two/dice", "none"),
}


def seen(value: int, x: float = 100.0, state: DieState = DieState.OK) -> DieReading:
    return DieReading(Kind.WHITE, value, state, (), 0.9, (x, 100.0), CORNERS)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Three pictures of two sources, each with a 3; the first is the darkest."""
    (tmp_path / "world").mkdir()
    lines = []
    for number, (name, (source, licence)) in enumerate(SOURCES.items()):
        picture = np.full((200, 300, 3), 50 * (number + 1), np.uint8)
        cv2.imwrite(str(tmp_path / "world" / f"{name}.png"), picture)
        die = {"x": 100, "y": 100, "w": 20, "h": 20, "value": 3, "body": "white", "pips": "black"}
        entry = {"file": f"world/{name}.png", "source": source, "licence": licence, "dice": [die]}
        lines.append(json.dumps(entry))
    lines.append(json.dumps({**entry, "file": "elsewhere/other.png"}))
    (tmp_path / "index.jsonl").write_text("\n".join(lines))
    return tmp_path


def row(out: str, source: str) -> list[str]:
    """The cells of a row from the pictures to what is asked where no die is."""
    line = next(line for line in out.splitlines() if line.startswith(f"| {source} |"))
    return [cell.strip() for cell in line.split("|")[2:-3]]


def test_each_source_has_its_row_with_licence(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def read(_: Reader, image: Image) -> TrayReading:
        dice = {
            50: [seen(3), seen(2, 250.0, DieState.UNSURE)],
            100: [seen(3, state=DieState.UNSURE)],
            150: [],
        }
        return TrayReading(TrayState.STILL, tuple(dice[int(image[0, 0, 0])]))

    monkeypatch.setattr(Reader, "read", read)
    assert main(["--data", str(data), "--draw", str(data / "drawn")]) == 0
    out = capsys.readouterr().out
    assert row(out, "one/dice") == ["MIT", "1", "1", "1 (100.0%)", "0", "0", "0", "0", "1"]
    assert row(out, "two/dice") == ["none", "2", "2", "0 (0.0%)", "0", "1", "1", "0", "0"]
    assert row(out, "all") == ["", "3", "3", "1 (33.3%)", "0", "1", "1", "0", "1"]
    assert {path.name for path in (data / "drawn").iterdir()} == {"second.png", "third.png"}


@pytest.mark.parametrize("false", [(seen(4),), (seen(3), seen(1, 250.0))], ids=["value", "no die"])
def test_what_is_claimed_wrongly_fails(
    false: tuple[DieReading, ...],
    data: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(Reader, "read", lambda *_: TrayReading(TrayState.STILL, false))
    assert main(["--data", str(data), "--only", "first", "--faults"]) == 1
    out = capsys.readouterr().out
    assert row(out, "one/dice")[4] == "1"
    assert "two/dice" not in out
    assert out.startswith("world/first.png: ")


def test_what_is_refused_fails_and_its_dice_are_not_read(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(*_: object) -> TrayReading:
        raise OutOfMemory

    monkeypatch.setattr(Reader, "read", refuse)
    assert main(["--data", str(data)]) == 1
    cells = row(capsys.readouterr().out, "two/dice")
    assert cells == ["none", "2", "2", "0 (0.0%)", "0", "0", "2", "2", "0"]


def test_a_folder_without_pictures_is_an_error(data: Path) -> None:
    with pytest.raises(SystemExit, match="there are no pictures in nowhere"):
        main(["--data", str(data), "--folder", "nowhere"])
    with pytest.raises(SystemExit, match="cannot"):
        main(["--data", str(data / "world")])
