"""The words that systemd hears."""

import os
import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from appliance.service.systemd import Notifier, NotifyError


@pytest.fixture
def listener(tmp_path: Path) -> Iterator[tuple[socket.socket, str]]:
    path = str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as heard:
        heard.bind(path)
        heard.setblocking(False)
        yield heard, path


def test_systemd_hears_every_word(listener: tuple[socket.socket, str]) -> None:
    heard, path = listener
    notifier = Notifier.from_environment({"NOTIFY_SOCKET": path})
    notifier.ready()
    notifier.alive()
    notifier.status("camera gone")
    notifier.status("camera gone")
    notifier.stopping()
    said = [heard.recv(100) for _ in range(4)]
    assert said == [b"READY=1", b"WATCHDOG=1", b"STATUS=camera gone", b"STOPPING=1"]
    with pytest.raises(BlockingIOError):
        heard.recv(100)


def test_a_systemd_that_does_not_read_holds_nobody_up(
    listener: tuple[socket.socket, str],
) -> None:
    heard, path = listener
    notifier = Notifier(path)
    for _ in range(2000):
        notifier.alive()
    notifier.ready()
    notifier.status("late")
    said = []
    for _ in range(2):
        # What does not fit is sent once there is room, and the watchdog's message only once.
        with suppress(BlockingIOError):
            while True:
                said.append(heard.recv(100))
        notifier.alive()
    assert set(said[:-3]) == {b"WATCHDOG=1"}
    assert said[-3:] == [b"WATCHDOG=1", b"READY=1", b"STATUS=late"]


def test_a_start_that_gets_on_is_given_more_time(listener: tuple[socket.socket, str]) -> None:
    heard, path = listener
    Notifier(path).extend(15)
    assert heard.recv(100) == b"EXTEND_TIMEOUT_USEC=15000000"


def test_names_in_the_abstract_namespace() -> None:
    name = f"dicetray-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as heard:
        heard.bind(f"\0{name}")
        Notifier(f"@{name}").ready()
        assert heard.recv(100) == b"READY=1"


def test_without_systemd_nothing_is_said() -> None:
    notifier = Notifier.from_environment({})
    notifier.ready()
    notifier.alive()
    notifier.status("x")


def test_a_socket_that_is_gone_is_named(tmp_path: Path) -> None:
    with pytest.raises(NotifyError, match="systemd does not listen"):
        Notifier(str(tmp_path / "none")).alive()
