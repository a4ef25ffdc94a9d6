"""The folder that the appliance shares with a stick's process, and when owners are reminded."""

import os
from pathlib import Path

import pytest

from appliance.devices.stick import ANSWER, ASK, OFFER, REMIND_S, SAVE, UPDATE, StickFolder
from appliance.errors import StickError

DAY_S = 86400.0


@pytest.fixture
def desk(tmp_path: Path) -> StickFolder:
    return StickFolder(tmp_path, tmp_path, lambda: 0.0)


def test_what_was_put_is_there_until_it_is_taken(desk: StickFolder) -> None:
    assert desk.lines(OFFER) == ()
    desk.put(OFFER, "SAVE GAMES", "UPDATE")
    assert desk.lines(OFFER) == desk.lines(OFFER) == ("SAVE GAMES", "UPDATE")
    desk.put(ANSWER, "SAVED")
    assert desk.lines(ANSWER, take=True) == ("SAVED",)
    assert desk.lines(ANSWER, take=True) == ()


def test_an_upgrade_is_asked_of_root(desk: StickFolder, tmp_path: Path) -> None:
    desk.ask(SAVE)
    assert desk.lines(ASK) == (SAVE,)
    desk.ask(UPDATE)
    assert (tmp_path / "update").exists()


def test_strange_files_are_nothing(desk: StickFolder, tmp_path: Path) -> None:
    (tmp_path / OFFER).write_bytes(b"\xff\xfe")
    assert desk.lines(OFFER) == ()
    (tmp_path / ANSWER).mkdir()
    assert desk.lines(ANSWER, take=True) == ()
    with pytest.raises(StickError):
        StickFolder(tmp_path / "away", tmp_path).ask(SAVE)


class Week:
    """A desk whose clock a test sets."""

    def __init__(self, folder: Path) -> None:
        self.now_s = 1e9
        self.desk = StickFolder(folder, folder, lambda: self.now_s)

    def reminds(self, days: float) -> bool:
        self.now_s += days * DAY_S
        return self.desk.reminds()


def test_owners_are_reminded_once_a_week_until_there_is_a_copy(tmp_path: Path) -> None:
    week = Week(tmp_path)
    days = [week.reminds(1) for _ in range(30)]
    assert [day for day, said in enumerate(days) if said] == [7, 14, 21, 28]
    week.desk.note()
    assert not any(week.reminds(1) for _ in range(30))


def test_a_clock_that_was_set_back_begins_the_week_anew(tmp_path: Path) -> None:
    week = Week(tmp_path)
    assert not week.reminds(0)
    assert not week.reminds(-9000)
    assert not week.reminds(6)
    assert week.reminds(1)


def test_a_card_that_cannot_be_written_does_not_nag(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    week = Week(tmp_path / "away")
    assert not any(week.reminds(REMIND_S) for _ in range(3))
    assert not os.path.exists(tmp_path / "away")  # noqa: PTH110
