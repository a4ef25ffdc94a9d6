"""A thread that fails is named and reported, and starts its work again."""

import re
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from appliance.devices import supervised as supervised_module
from appliance.devices.camera import Camera
from appliance.devices.camera.feed import Failure, Feed
from appliance.devices.scoreboard import SerialScoreboard
from appliance.devices.scoreboard.serial_port import Port
from appliance.devices.supervised import supervised
from tests.paths import ROOT

TIMEOUT_S = 20.0


@pytest.fixture(autouse=True)
def reported(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The errors that `threading.excepthook` receives; no pauses are made."""
    told: list[str] = []
    monkeypatch.setattr(supervised_module, "RESTART_DELAY_S", 0.0)
    monkeypatch.setattr(threading, "excepthook", lambda args: told.append(repr(args.exc_value)))
    return told


class Work:
    """Fails as told, then finishes."""

    def __init__(self, *errors: BaseException) -> None:
        self.errors = list(errors)
        self.calls = 0

    def __call__(self) -> None:
        self.calls += 1
        if self.errors:
            raise self.errors.pop(0)


def test_what_fails_begins_anew_and_is_reported_once(
    reported: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    work = Work(KeyError(1), KeyError(1), MemoryError(), SystemExit(3))
    thread = supervised("a part", work, threading.Event())
    thread.start()
    thread.join(TIMEOUT_S)
    assert work.calls == 5
    assert reported == ["KeyError(1)", "MemoryError()", "SystemExit(3)"]
    assert caplog.text.count("the thread a part has failed and restarts: KeyError(1)") == 1


def test_a_thread_that_is_to_stop_does_not_begin_anew() -> None:
    stop = threading.Event()

    def work() -> None:
        stop.set()
        raise KeyError

    thread = supervised("a part", work, stop)
    thread.start()
    thread.join(TIMEOUT_S)
    assert not thread.is_alive()


def fails_once(error: BaseException) -> Callable[[str], Port]:
    """Opens no port: the first attempt fails, then there is none."""
    failures = [error]

    def opener(path: str) -> Port:
        if failures:
            raise failures.pop()
        raise FileNotFoundError(2, "No such file or directory")

    return opener


@pytest.mark.parametrize("error", [KeyError("x"), MemoryError(), SystemExit()])
def test_a_scoreboard_whose_thread_fails_is_looked_for_again(
    tmp_path: Path, error: BaseException, reported: list[str]
) -> None:
    opener = fails_once(error)
    with closing(SerialScoreboard(str(tmp_path / "none"), opener=opener)) as board:
        board.wait(lambda status: "found" in status.reason or "no " in status.reason, TIMEOUT_S)
    assert reported == [repr(error)]


class NoCamera(Exception):
    pass


def test_frames_whose_thread_fails_are_asked_for_again(reported: list[str]) -> None:
    opened = threading.Event()
    tries = []

    def open_camera() -> Camera:
        tries.append(1)
        if len(tries) > 1:
            opened.set()
        raise NoCamera("a driver's own")

    feed = Feed(open_camera)
    feed.start()
    try:
        news = feed.next(TIMEOUT_S)
        assert opened.wait(TIMEOUT_S)
    finally:
        feed.close()
    assert isinstance(news, Failure)
    assert "the frames' thread has failed" in str(news.error)
    assert reported == ['NoCamera("a driver\'s own")']


def test_every_thread_of_the_product_is_supervised() -> None:
    """Or passes failures on, as those of camera and lesson do; a page's is not the service's.

    Nor is there anything left to supervise at the end; a start is watched by systemd, too.
    """
    bare = {
        str(path.relative_to(ROOT))
        for room in ("appliance", "simulator")
        for path in (ROOT / room).rglob("*.py")
        if re.search(r"\bThread\(", path.read_text(encoding="utf-8"))
    }
    assert bare == {
        "appliance/cli/shared/leaving.py",
        "appliance/service/phases.py",
        "appliance/devices/supervised.py",
        "appliance/devices/camera/threaded.py",
        "simulator/motion/learning_watcher.py",
        "simulator/pico/board.py",
        "appliance/web/serving.py",
    }
