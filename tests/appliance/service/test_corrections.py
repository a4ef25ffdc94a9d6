"""Corrections by players are kept with the picture they refer to."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from appliance.dataset.evaluation.vision import load_cases
from appliance.dataset.index import read_index
from appliance.inputs import Button, Pressed
from appliance.service.corrections import Corrections, fan_out
from appliance.service.ports import Happened
from appliance.table.session.modes import EnteringFace
from appliance.table.session.session import Session, Setup, new_session
from appliance.table.session.step import Input, step
from tests.builders import die, roll
from vision.frame import Frame, Image
from vision.image.files import load_picture
from vision.reading import DieState

GREY: Image = np.full((90, 160, 3), 80, np.uint8)


class Table:
    """A game whose listener is under test."""

    def __init__(self, keeper: Corrections) -> None:
        self.session: Session = new_session(Setup("classic", ("ANNA",)))
        self.keeper = keeper
        self.index = 0

    def happen(self, what: Input, picture: Image = GREY) -> None:
        self.keeper.look(Frame(picture, self.index / 30, self.index))
        self.session = step(self.session, what)
        self.keeper(Happened(self.index, self.index / 30, what, self.session))
        self.index += 1

    def throw(self, *doubtful: int, picture: Image = GREY) -> None:
        states = (DieState.UNSURE if slot in doubtful else DieState.OK for slot in range(5))
        dice = (die(slot, slot + 1, state=state) for slot, state in enumerate(states))
        self.happen(roll(*dice, frame=self.index), picture)

    def press(self, button: Button) -> None:
        self.happen(Pressed(button), np.zeros_like(GREY))


def test_a_die_entered_is_kept_with_the_picture_of_the_throw(tmp_path: Path) -> None:
    table = Table(Corrections(tmp_path / "told"))
    table.throw(2)
    assert isinstance(table.session.mode, EnteringFace)
    assert not (tmp_path / "told").exists(), "nothing is told yet"
    table.press(Button.RIGHT)
    table.press(Button.OK)
    entries = read_index(tmp_path / "told")
    assert len(entries) == 1
    values = [one["value"] for one in entries[0]["dice"]]
    assert values == [1, 2, 4, 4, 5]
    assert not entries[0]["partial"]
    picture = load_picture(tmp_path / "told" / entries[0]["file"])
    assert abs(float(picture.mean()) - 80) < 1, "the throw, not what lay there when it was told"


def test_what_is_kept_can_be_measured(tmp_path: Path) -> None:
    table = Table(Corrections(tmp_path))
    table.throw(0)
    table.press(Button.OK)
    case = next(load_cases(tmp_path))
    assert [label.value for label in case.labels or ()] == ["1", "2", "3", "4", "5"]


def test_a_throw_read_for_sure_is_not_kept(tmp_path: Path) -> None:
    table = Table(Corrections(tmp_path))
    table.throw()
    table.press(Button.HOLD1)
    assert read_index(tmp_path) == []


def test_an_entered_die_is_kept_once(tmp_path: Path) -> None:
    table = Table(Corrections(tmp_path))
    table.throw(1)
    table.press(Button.OK)
    table.press(Button.HOLD1)
    table.press(Button.HOLD2)
    assert len(read_index(tmp_path)) == 1


def test_no_name_is_kept(tmp_path: Path) -> None:
    table = Table(Corrections(tmp_path))
    table.throw(1)
    table.press(Button.OK)
    for path in tmp_path.iterdir():
        assert b"ANNA" not in path.read_bytes()
        assert "ANNA" not in path.name


def fill(folder: Path, count: int, **bounds: int) -> None:
    keeper = Corrections(folder, **bounds)
    for number in range(count):
        table = Table(keeper)
        table.throw(number % 5)
        table.press(Button.OK)


def test_the_oldest_pictures_make_room(tmp_path: Path) -> None:
    fill(tmp_path, 6, max_pictures=3)
    names = [raw["file"] for raw in read_index(tmp_path)]
    assert names == ["told_000004.jpg", "told_000005.jpg", "told_000006.jpg"]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["index.jsonl", *names]


def test_the_room_is_bounded(tmp_path: Path) -> None:
    fill(tmp_path, 1)
    size = (tmp_path / "told_000001.jpg").stat().st_size
    fill(tmp_path, 5, max_bytes=3 * size)
    assert sum(p.stat().st_size for p in tmp_path.glob("*.jpg")) <= 3 * size
    assert len(read_index(tmp_path)) == 3


def test_a_folder_that_cannot_be_written_does_not_stop_the_game(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    table = Table(Corrections(blocked / "told"))
    table.throw(1)
    table.press(Button.OK)
    assert "cannot be" in caplog.text
    assert len(table.session.record.log) == 1


def test_a_picture_deleted_by_hand_takes_no_room_and_stops_no_other(tmp_path: Path) -> None:
    fill(tmp_path, 2)
    size = (tmp_path / "told_000002.jpg").stat().st_size
    (tmp_path / "told_000001.jpg").unlink()
    fill(tmp_path, 2, max_bytes=2 * size + size // 2)
    kept = [path.name for path in sorted(tmp_path.glob("*.jpg"))]
    assert kept == ["told_000003.jpg", "told_000004.jpg"], "the oldest still make room"


def test_an_index_damaged_by_hand_does_not_stop_the_game(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "index.jsonl").write_text("{half\n", "utf-8")
    table = Table(Corrections(tmp_path))
    table.throw(1)
    table.press(Button.OK)
    assert "damaged entry" in caplog.text


def test_before_a_game_nothing_is_kept(tmp_path: Path) -> None:
    keeper = Corrections(tmp_path)
    table = Table(keeper)
    happened = Happened(0, 0.0, Pressed(Button.OK), table.session)
    keeper(replace(happened, session=None))
    assert read_index(tmp_path) == []


def test_several_listeners_are_called_in_order() -> None:
    order: list[str] = []
    listen = fan_out(lambda _: order.append("a"), lambda _: order.append("b"))
    listen(Happened(0, 0.0, Pressed(Button.OK), new_session(Setup("classic", ("ANNA",)))))
    assert order == ["a", "b"]
