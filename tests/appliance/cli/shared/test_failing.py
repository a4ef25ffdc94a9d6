"""A bug as people see it: a sentence, and where the report is."""

import errno
import io
import logging
import os
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace
from typing import TextIO

import pytest

from appliance.cli.main import main
from appliance.cli.shared import failing
from appliance.cli.shared.extras import how_to_add


def break_it(
    monkeypatch: pytest.MonkeyPatch, command: str, error: BaseException, function: str = "main"
) -> None:
    def fails(_: object) -> int:
        raise error

    monkeypatch.setattr(f"appliance.cli.{command}.{function}", fails)


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    return tmp_path / "dicetray"


def test_a_mistake_in_a_game(
    state: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    break_it(monkeypatch, "play", ZeroDivisionError("a mistake"))
    assert main(["play", "--seed", "7"]) == failing.EXIT_SOFTWARE == 70
    (report,) = state.glob("report-*.txt")
    out, err = capsys.readouterr()
    assert (out, err.splitlines()) == (
        "",
        [
            "dicetray: internal error (ZeroDivisionError). "
            "This is a bug in dicetray, not something you did. Your games are saved.",
            f"Please report it, with this file: {report}",
        ],
    )
    text = report.read_text()
    assert "ZeroDivisionError: a mistake" in text
    assert "Traceback" in text
    assert "arguments: play --seed 7" in text
    assert text.startswith("dicetray ")


@pytest.fixture
def not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A checkout that is run as it is: no metadata of ours."""
    find = metadata.Distribution.from_name

    def from_name(name: str) -> metadata.Distribution:
        if name == "dicetray":
            raise metadata.PackageNotFoundError(name)
        return find(name)

    monkeypatch.setattr(metadata.Distribution, "from_name", from_name)
    with pytest.raises(metadata.PackageNotFoundError):
        metadata.version("dicetray")


@pytest.mark.usefixtures("not_installed")
def test_the_failure_of_a_checkout_that_is_not_installed_is_the_one_that_is_told(
    state: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    break_it(monkeypatch, "play", ZeroDivisionError("a mistake"))
    assert main(["play", "--seed", "7"]) == failing.EXIT_SOFTWARE
    assert "internal error (ZeroDivisionError)" in capsys.readouterr().err
    (report,) = state.glob("report-*.txt")
    text = report.read_text()
    assert text.startswith("dicetray 0, Python ")
    assert "ZeroDivisionError: a mistake" in text
    assert "PackageNotFoundError" not in text


@pytest.mark.usefixtures("not_installed")
@pytest.mark.parametrize("missing", [True, False])
def test_a_checkout_that_is_not_installed_says_how_it_is_used(
    missing: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if missing:
        monkeypatch.setitem(sys.modules, "uvicorn", None)
        monkeypatch.setitem(sys.modules, "paho.mqtt.client", None)
    for words in (["--version"], ["--help"], ["run", "--help"], ["mqtt", "--help"]):
        with suppress(SystemExit):
            assert main(words) == 0
        assert "dicetray" in capsys.readouterr().out
    assert "[web]" in how_to_add("web", Path("/nowhere"))


def test_the_report_lies_beside_the_games(
    state: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    break_it(monkeypatch, "play", MemoryError())
    games = tmp_path / "stick"
    assert main(["play", "--journal", str(games / "games.sqlite3")]) == 70
    assert len(list(games.glob("report-*.txt"))) == 1
    assert not state.exists()


@pytest.mark.parametrize(
    ("fails", "said"),
    [
        (("report_text",), "The computer has no memory left. Your games are saved."),
        (("report_text", "failure_sentences"), "The computer has no memory left."),
    ],
)
def test_where_all_memory_is_gone_a_sentence_is_left(
    fails: tuple[str, ...],
    said: str,
    state: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """Else the report of the first failure fails, and a traceback is all that is said."""

    def no_memory(*_: object, **__: object) -> None:
        raise MemoryError

    break_it(monkeypatch, "play", MemoryError())
    for name in fails:
        monkeypatch.setattr(failing, name, no_memory)
    assert main(["play"]) == 70
    err = capfd.readouterr().err
    assert err == f"dicetray: internal error (out of memory). {said}\n"
    assert not state.exists()


WITHOUT_FILES = """
import os, resource, sys
from appliance.cli import score
from appliance.cli.main import main

def fails(_):
    resource.setrlimit(resource.RLIMIT_NOFILE, (32, 32))
    try:
        while True:
            os.open(os.devnull, os.O_RDONLY)
    except OSError:
        raise ZeroDivisionError from None

score.run = fails
sys.exit(main(["score", "classic", "1"]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
def test_where_no_file_can_be_opened_a_sentence_is_left() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_FILES], check=False, capture_output=True, text=True
    )
    assert done.stderr == (
        "dicetray: internal error (ZeroDivisionError). "
        "This is a bug in dicetray, not something you did.\n"
    )
    assert done.returncode == failing.EXIT_SOFTWARE


def test_no_game_is_spoken_of_where_there_is_none(
    state: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    break_it(monkeypatch, "doctor", KeyError("x"), "run")
    assert main(["doctor"]) == 70
    err = capsys.readouterr().err
    assert "KeyError" in err
    assert "saved" not in err
    assert "Traceback" not in err


def test_without_a_folder_for_it_the_sentence_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # A file where the folder should be: even root cannot write there.
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    break_it(monkeypatch, "play", RuntimeError())
    assert main(["play"]) == 70
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("dicetray: internal error (RuntimeError). This is a bug in dicetray")


@pytest.mark.parametrize("words", [["run"], ["stick", "/media/stick"]], ids=" ".join)
def test_a_service_writes_the_traceback_to_its_log(
    state: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    words: list[str],
) -> None:
    break_it(monkeypatch, words[0], ZeroDivisionError("a mistake"))
    with caplog.at_level(logging.ERROR):
        assert main(words) == 70
    assert any(record.exc_info for record in caplog.records)


@pytest.mark.parametrize(
    ("unit", "function"),
    [("run", "main"), ("web", "run"), ("mqtt", "main"), ("stick", "main")],
)
def test_a_service_that_the_system_stops_has_not_failed(
    state: Path, monkeypatch: pytest.MonkeyPatch, unit: str, function: str
) -> None:
    """As when a stick is pulled out: systemd would list a unit as failed that ends with 130."""
    break_it(monkeypatch, unit, KeyboardInterrupt(), function)
    assert main([unit, "/media/stick"] if unit == "stick" else [unit]) == 0


def test_no_traceback_in_the_log_of_a_terminal(
    state: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    break_it(monkeypatch, "run", ZeroDivisionError("a mistake"))
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    with caplog.at_level(logging.ERROR):
        assert main(["run"]) == 70
    assert not caplog.records


@pytest.mark.parametrize(
    ("error", "status"), [(KeyboardInterrupt(), 130), (BrokenPipeError(), 141)]
)
def test_leaving_is_no_mistake(
    state: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    error: BaseException,
    status: int,
) -> None:
    break_it(monkeypatch, "stats", error, "run")
    monkeypatch.setattr(sys.stderr, "close", lambda: None)
    assert main(["stats"]) == status
    assert capsys.readouterr() == ("", "")
    assert not state.exists()


@pytest.fixture
def terminal() -> Iterator[tuple[int, TextIO]]:
    """A separate terminal: the end that is read from, and the stream to print to."""
    reader, printer = os.openpty()
    stream = os.fdopen(printer, "w", buffering=1)
    yield reader, stream
    with suppress(OSError):
        stream.close()


@pytest.mark.parametrize(("name", "last"), [("stdout", "5"), ("stderr", "x")])
def test_a_terminal_that_was_closed_is_no_mistake(
    state: Path,
    monkeypatch: pytest.MonkeyPatch,
    terminal: tuple[int, TextIO],
    name: str,
    last: str,
) -> None:
    os.close(terminal[0])
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    monkeypatch.setattr(sys, name, terminal[1])
    assert main(["score", "classic", "3", "3", "3", "5", last]) == 141
    assert not state.exists()


def test_a_disk_that_fails_is_not_taken_for_a_terminal(
    state: Path, monkeypatch: pytest.MonkeyPatch, terminal: tuple[int, TextIO]
) -> None:
    break_it(monkeypatch, "play", OSError(errno.EIO, "the disk"))
    monkeypatch.setattr(sys, "stdout", terminal[1])
    assert main(["play"]) == 70
    assert len(list(state.glob("report-*.txt"))) == 1
    os.close(terminal[0])


def test_only_so_many_reports_are_kept(tmp_path: Path) -> None:
    for number in range(failing.MAX_REPORTS + 5):
        (tmp_path / f"report-20200101-{number:06d}.txt").write_text("old")
    file = failing.write_report("new", [tmp_path])
    assert file is not None
    kept = sorted(tmp_path.glob("report-*.txt"))
    assert len(kept) == failing.MAX_REPORTS
    assert kept[-1] == file


def test_reports_are_for_their_owner_alone(tmp_path: Path) -> None:
    file = failing.write_report("names of players", [tmp_path])
    assert file is not None
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_threads_are_reported_alike(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    before = threading.excepthook, sys.unraisablehook
    with failing.thread_errors_reported(["play"], [tmp_path]):
        thread = threading.Thread(target=lambda: 1 // 0)
        thread.start()
        thread.join()
        mistake: object = SimpleNamespace(exc_value=ValueError("late"))
        sys.unraisablehook(mistake)  # type: ignore[arg-type]
    assert (threading.excepthook, sys.unraisablehook) == before
    assert capsys.readouterr() == ("", "")
    logged = [record.getMessage() for record in caplog.records]
    assert ["ZeroDivisionError" in logged[0], "ValueError" in logged[1]] == [True, True]
