"""Starts that fail are counted, and after three the next one is in safe mode."""

from pathlib import Path

import pytest

from appliance.service.phase import LEFT_OUT_WHEN_SAFE, LEFT_OUT_WHEN_SAFEST, Phase
from appliance.service.starts import (
    FAILED_STARTS,
    HEALTHY_AFTER_S,
    RUNNING,
    STARTS_FILE,
    Failed,
    Starts,
    suspects,
)
from tests.rigs.unit_file import stop_post, value_of


def begun(folder: Path, phase: str = RUNNING, version: str = "versions/1.0.0") -> Starts:
    """A start that has reached a phase."""
    starts = Starts(folder, version)
    starts.begin()
    starts.enter(phase)
    return starts


def fail(folder: Path, *phases: Phase, result: str = "timeout") -> None:
    """Starts that fail in these phases, one after the other."""
    for phase in phases:
        begun(folder, phase.key)
        stop_post(folder, result)


def test_after_three_starts_that_failed_the_next_is_safe(tmp_path: Path) -> None:
    assert [begun(tmp_path).safe for _ in range(FAILED_STARTS + 2)] == [False] * 3 + [True] * 2


def test_a_safe_mode_that_fails_as_often_leaves_all_out_that_it_can(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    left_out = [begun(tmp_path).left_out for _ in range(7)]
    assert left_out == [frozenset()] * 3 + [LEFT_OUT_WHEN_SAFE] * 3 + [LEFT_OUT_WHEN_SAFEST]
    assert caplog.messages[-1].endswith(
        "safe mode, without plug_ins, tray, buttons, games, voice, camera"
    )


@pytest.mark.parametrize("phase", Phase)
@pytest.mark.parametrize(
    ("result", "line"), [("timeout", "START HANGS:"), ("core-dump", "START FAILED:")]
)
def test_safe_mode_leaves_out_what_no_start_got_past_and_says_so(
    tmp_path: Path, phase: Phase, result: str, line: str
) -> None:
    fail(tmp_path, *[phase] * FAILED_STARTS, result=result)
    safe = begun(tmp_path)
    assert phase in safe.left_out
    assert safe.pages == ((line, phase.word),)
    assert (Phase.BUTTONS in safe.left_out) is (phase in (Phase.BUTTONS, Phase.GAMES))


def test_what_a_safe_start_does_not_get_past_is_left_out_by_the_next(tmp_path: Path) -> None:
    fail(tmp_path, *[Phase.VOICE] * FAILED_STARTS, Phase.BUTTONS)
    assert begun(tmp_path).left_out == LEFT_OUT_WHEN_SAFE | {Phase.VOICE, Phase.BUTTONS}


def test_the_first_start_that_fails_suspects_nothing_as_it_does_several_things_at_once() -> None:
    failed = [Failed("games", "core-dump"), Failed("camera", "core-dump"), Failed(RUNNING)]
    assert list(suspects(failed)) == [Phase.CAMERA]
    assert not suspects([])


@pytest.mark.parametrize(
    "result", ["timeout", "watchdog", "signal", "exit-code", "core-dump", "oom-kill", "protocol"]
)
def test_only_an_end_in_order_takes_the_count_back(tmp_path: Path, result: str) -> None:
    fail(tmp_path, Phase.GAMES, result=result)
    head, line = (tmp_path / STARTS_FILE).read_text().splitlines()
    assert (head, line) == ("1 versions/1.0.0", f"games {result}")
    assert begun(tmp_path).careful
    stop_post(tmp_path, "success")
    assert not (tmp_path / STARTS_FILE).exists()
    assert not begun(tmp_path).careful


def test_an_end_without_a_count_leaves_none(tmp_path: Path) -> None:
    for result in ("success", "timeout"):
        stop_post(tmp_path, result)
    assert list(tmp_path.iterdir()) == []


def test_an_end_without_the_folder_removes_nothing_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / STARTS_FILE).write_text("1 versions/1.0.0\ngames\n")
    for result in ("timeout", "success"):
        stop_post(tmp_path / "none", result)
    assert (tmp_path / STARTS_FILE).read_text() == "1 versions/1.0.0\ngames\n"


def test_a_start_that_ran_for_a_minute_has_not_failed(tmp_path: Path) -> None:
    for _ in range(2):
        begun(tmp_path)
    starts = begun(tmp_path)
    starts.alive(1000.0)
    starts.alive(1000.0 + HEALTHY_AFTER_S - 1.0)
    assert (tmp_path / STARTS_FILE).exists()
    starts.alive(1000.0 + HEALTHY_AFTER_S)
    assert not (tmp_path / STARTS_FILE).exists()
    assert not begun(tmp_path).careful


def test_a_safe_mode_ends_only_with_an_end_in_order(tmp_path: Path) -> None:
    for _ in range(FAILED_STARTS):
        begun(tmp_path)
    safe = begun(tmp_path)
    safe.alive(0.0)
    safe.alive(HEALTHY_AFTER_S * 100)
    safe.forget()
    assert begun(tmp_path).safe
    stop_post(tmp_path, "success")
    assert not begun(tmp_path).safe


def test_what_is_named_on_the_board_is_no_failed_start(tmp_path: Path) -> None:
    fail(tmp_path, Phase.GAMES, Phase.GAMES)
    starts = begun(tmp_path)
    starts.forget()
    assert not (tmp_path / STARTS_FILE).exists()
    starts.enter(Phase.GAMES.key)
    assert (tmp_path / STARTS_FILE).read_text().startswith("1 ")


def test_a_record_does_not_grow(tmp_path: Path) -> None:
    fail(tmp_path, *[Phase.PROMPT] * 20)
    head, *lines = (tmp_path / STARTS_FILE).read_text().splitlines()
    assert head.startswith("20 ")
    assert len(lines) == 2 * FAILED_STARTS


def test_starts_of_another_version_do_not_count(tmp_path: Path) -> None:
    """Else the version before would be in safe mode after an upgrade that failed."""
    for _ in range(FAILED_STARTS):
        begun(tmp_path, version="versions/2.0.0")
    assert not begun(tmp_path, version="versions/1.0.0").safe


def test_a_record_of_an_earlier_form_counts(tmp_path: Path) -> None:
    (tmp_path / STARTS_FILE).write_text("3 versions/1.0.0")
    safe = begun(tmp_path)
    assert safe.safe
    assert safe.left_out == LEFT_OUT_WHEN_SAFE


@pytest.mark.parametrize(
    "content", [b"", b"many versions/1.0.0", b"\xff\xfe", bytes(10_000), b"3\n\n \n"]
)
def test_a_count_that_cannot_be_read_is_none(tmp_path: Path, content: bytes) -> None:
    (tmp_path / STARTS_FILE).write_bytes(content)
    assert not begun(tmp_path).safe


def test_without_a_folder_or_outside_systemd_nothing_is_counted(tmp_path: Path) -> None:
    for environment in ({"RUNTIME_DIRECTORY": str(tmp_path)}, {"NOTIFY_SOCKET": "/run/x"}, {}):
        starts = Starts.of_service(environment)
        starts.begin()
        starts.enter(RUNNING)
        starts.alive(0.0)
        starts.forget()
    for _ in range(FAILED_STARTS + 1):
        missing = begun(tmp_path / "none")
    assert not missing.safe
    assert list(tmp_path.iterdir()) == []


def test_the_unit_kills_what_hangs_and_counts_an_early_end_in_order_as_one() -> None:
    assert value_of("TimeoutStartFailureMode") == "kill"
    assert value_of("SuccessExitStatus") == "143"
    assert value_of("RuntimeDirectoryPreserve") == "yes"
