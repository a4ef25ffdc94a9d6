"""The folder that the appliance shares with a stick's process, and when owners are reminded."""

import os
from pathlib import Path

import pytest

from appliance.devices.stick import (
    ANSWER_FILE,
    OFFER_FILE,
    REMINDER_INTERVAL_S,
    REQUEST_FILE,
    SAVE_WORD,
    UPDATE_WORD,
    StickFolder,
)
from appliance.errors import StickError

DAY_S = 86400.0


@pytest.fixture
def desk(tmp_path: Path) -> StickFolder:
    return StickFolder(tmp_path, tmp_path, lambda: 0.0)


def test_what_was_put_is_there_until_it_is_taken(desk: StickFolder) -> None:
    assert desk.lines(OFFER_FILE) == ()
    desk.put(OFFER_FILE, "SAVE GAMES", "UPDATE")
    assert desk.lines(OFFER_FILE) == desk.lines(OFFER_FILE) == ("SAVE GAMES", "UPDATE")
    desk.put(ANSWER_FILE, "SAVED")
    assert desk.lines(ANSWER_FILE, take=True) == ("SAVED",)
    assert desk.lines(ANSWER_FILE, take=True) == ()


def test_an_upgrade_is_asked_of_root(desk: StickFolder, tmp_path: Path) -> None:
    desk.ask(SAVE_WORD)
    assert desk.lines(REQUEST_FILE) == (SAVE_WORD,)
    desk.ask(UPDATE_WORD)
    assert (tmp_path / "update").exists()


def test_strange_files_are_nothing(desk: StickFolder, tmp_path: Path) -> None:
    (tmp_path / OFFER_FILE).write_bytes(b"\xff\xfe")
    assert desk.lines(OFFER_FILE) == ()
    (tmp_path / ANSWER_FILE).mkdir()
    assert desk.lines(ANSWER_FILE, take=True) == ()
    with pytest.raises(StickError):
        StickFolder(tmp_path / "away", tmp_path).ask(SAVE_WORD)


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
    assert not any(week.reminds(REMINDER_INTERVAL_S) for _ in range(3))
    assert not os.path.exists(tmp_path / "away")  # noqa: PTH110
