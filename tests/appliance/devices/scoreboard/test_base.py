"""Scoreboards without a link, the back-off, and what is said about a port that does not open."""

import errno
import itertools
import threading
from contextlib import closing
from pathlib import Path

import pytest
import serial

from appliance.devices.scoreboard import (
    LinkState,
    NullScoreboard,
    Scoreboard,
    SerialScoreboard,
)
from appliance.devices.scoreboard.serial_port import Backoff, Port
from appliance.picture import Picture
from tests.rigs.memory_scoreboard import MemoryScoreboard

A = Picture(bytes(range(128)))


def test_the_memory_scoreboard_remembers() -> None:
    board = MemoryScoreboard()
    assert board.picture == Picture()
    board.show(A)
    board.show(Picture())
    board.set_brightness(4)
    assert board.pictures == [A, Picture()]
    assert (board.status.connected, board.status.brightness) == (True, 4)
    board.close()
    assert not board.status.connected


@pytest.mark.parametrize("level", [-1, 16])
def test_every_scoreboard_refuses_a_brightness_out_of_bounds(level: int, tmp_path: Path) -> None:
    port = SerialScoreboard(str(tmp_path / "none"))
    with closing(port):
        boards: list[Scoreboard] = [MemoryScoreboard(), NullScoreboard(), port]
        for board in boards:
            with pytest.raises(ValueError, match="expected 0 to 15"):
                board.set_brightness(level)


def test_the_null_scoreboard_is_never_connected() -> None:
    board: Scoreboard = NullScoreboard()
    board.show(A)
    assert not board.status.connected
    board.close()


def test_the_waits_grow_to_a_low_cap_and_start_again() -> None:
    backoff = Backoff()
    assert [backoff.wait(False) for _ in range(6)] == [0.05, 0.1, 0.2, 0.4, 0.4, 0.4]
    assert backoff.wait(True) == 0.5
    backoff.succeeded()
    assert backoff.wait(False) == 0.05


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (serial.SerialException(errno.ENOENT, "x"), "there is no port"),
        (serial.SerialException(errno.EACCES, "x"), "group dialout"),
        (serial.SerialException(errno.EAGAIN, "x"), "another program"),
        (OSError(errno.EIO, "input/output error"), "does not open"),
        (serial.SerialException("odd"), "does not open: odd"),
    ],
)
def test_why_a_port_does_not_open_is_said(error: Exception, reason: str) -> None:
    def opener(path: str) -> Port:
        raise error

    with closing(SerialScoreboard("/dev/scoreboard", opener=opener)) as board:
        status = board.wait(lambda status: reason in status.reason)
        assert status.state is LinkState.CLOSED


class DeadPort:
    """A port on which every operation fails, as after it is unplugged."""

    def __init__(self, error: Exception) -> None:
        self.error = error
        self.closed = threading.Event()

    def fileno(self) -> int:
        raise self.error

    def read(self, size: int) -> bytes:
        raise self.error

    def write(self, data: bytes) -> int:
        raise self.error

    def close(self) -> None:
        self.closed.set()
        raise self.error


@pytest.mark.parametrize(
    "error", [serial.SerialException("gone"), OSError(errno.EIO, "gone"), ValueError("gone")]
)
def test_a_port_that_dies_is_closed_and_opened_again(error: Exception) -> None:
    ports: list[DeadPort] = []

    def opener(path: str) -> Port:
        ports.append(DeadPort(error))
        return ports[-1]

    # A clock that jumps: the waits between the tries are over at once.
    clock = itertools.count(0.0, 10.0)
    with closing(
        SerialScoreboard("/dev/scoreboard", opener=opener, clock=lambda: next(clock))
    ) as board:
        board.show(A)
        while len(ports) < 5:
            board.wait(lambda status: "is gone" in status.reason)
    assert all(port.closed.is_set() for port in ports)
