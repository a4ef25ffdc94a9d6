"""Starts that fail are counted, and after three the next one is in safe mode."""

from pathlib import Path

import pytest

from appliance.service.starts import FAILED_STARTS, HEALTHY_AFTER_S, STARTS_FILE, Starts


def begun(folder: Path, version: str = "versions/1.0.0") -> Starts:
    starts = Starts(folder, version)
    starts.begin()
    return starts


def test_after_three_starts_that_failed_the_next_is_safe(tmp_path: Path) -> None:
    assert [begun(tmp_path).safe for _ in range(FAILED_STARTS + 2)] == [False] * 3 + [True] * 2


def test_a_safe_mode_that_fails_as_often_leaves_buttons_and_games_alone_too(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    modes = [(starts.safe, starts.safest) for starts in (begun(tmp_path) for _ in range(7))]
    assert modes == [(False, False)] * 3 + [(True, False)] * 3 + [(True, True)]
    assert "without camera, game, buttons and saved games" in caplog.messages[-1]


def test_a_start_that_ran_for_a_minute_has_not_failed(tmp_path: Path) -> None:
    for _ in range(2):
        begun(tmp_path)
    starts = begun(tmp_path)
    starts.alive(1000.0)
    starts.alive(1000.0 + HEALTHY_AFTER_S - 1.0)
    assert (tmp_path / STARTS_FILE).exists()
    starts.alive(1000.0 + HEALTHY_AFTER_S)
    assert not (tmp_path / STARTS_FILE).exists()
    assert not begun(tmp_path).safe


def test_a_safe_mode_ends_only_with_an_end_in_order(tmp_path: Path) -> None:
    for _ in range(FAILED_STARTS):
        begun(tmp_path)
    safe = begun(tmp_path)
    safe.alive(0.0)
    safe.alive(HEALTHY_AFTER_S * 100)
    assert begun(tmp_path).safe
    safe.succeed()
    assert not begun(tmp_path).safe


def test_starts_of_another_version_do_not_count(tmp_path: Path) -> None:
    """Else the version before would be in safe mode after an upgrade that failed."""
    for _ in range(FAILED_STARTS):
        begun(tmp_path, "versions/2.0.0")
    assert not begun(tmp_path, "versions/1.0.0").safe


@pytest.mark.parametrize("content", [b"", b"many versions/1.0.0", b"\xff\xfe", bytes(10_000)])
def test_a_count_that_cannot_be_read_is_none(tmp_path: Path, content: bytes) -> None:
    (tmp_path / STARTS_FILE).write_bytes(content)
    assert not begun(tmp_path).safe


def test_without_a_folder_or_outside_systemd_nothing_is_counted(tmp_path: Path) -> None:
    for environment in ({"RUNTIME_DIRECTORY": str(tmp_path)}, {"NOTIFY_SOCKET": "/run/x"}, {}):
        starts = Starts.of_service(environment)
        starts.begin()
        starts.alive(0.0)
        starts.succeed()
    for _ in range(FAILED_STARTS + 1):
        missing = begun(tmp_path / "none")
    assert not missing.safe
    assert list(tmp_path.iterdir()) == []
