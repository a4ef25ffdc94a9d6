"""The cable, the pin records, and the board as a whole."""

import os
import select
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.errors import ScoreboardError
from simulator.pico import micropython
from simulator.pico.board import BoardError
from simulator.pico.cable import Cable
from simulator.pico.pico import PinRecord, PinStream
from tests.rigs.faulty_board import FaultyBoard

CPYTHON = {micropython.INTERPRETER_VARIABLE: "cpython"}

records = st.one_of(
    st.builds(PinRecord, st.just("C"), st.sampled_from([b"\0", b"\1"])),
    st.builds(PinRecord, st.just("S"), st.binary(max_size=300)),
    st.builds(PinRecord, st.just("W"), st.binary(min_size=4, max_size=4)),
    st.sampled_from([PinRecord("F"), PinRecord("R"), PinRecord("B")]),
)


def encoded(record: PinRecord) -> bytes:
    head = len(record.data).to_bytes(2, "little") if record.kind == "S" else b""
    return record.kind.encode() + head + record.data


@given(st.lists(records), st.integers(1, 50))
def test_pin_records_come_back_however_they_are_cut(sent: list[PinRecord], size: int) -> None:
    stream = b"".join(encoded(record) for record in sent)
    parser = PinStream()
    parts = [stream[i : i + size] for i in range(0, len(stream), size)]
    assert [record for part in parts for record in parser.feed(part)] == sent


def test_something_else_in_the_pin_stream_is_an_error() -> None:
    with pytest.raises(ValueError, match="pin record expected"):
        list(PinStream().feed(b"Traceback"))


@pytest.fixture
def cable(tmp_path: Path) -> Cable:
    return Cable(tmp_path / "port")


def opened(cable: Cable) -> int:
    return os.open(cable.path, os.O_RDWR | os.O_NOCTTY)


def test_bytes_of_any_value_pass_both_ways(cable: Cable) -> None:
    every = bytes(range(256))
    cable.plug()
    assert not cable.opened()
    far = opened(cable)
    assert cable.opened()
    cable.send(every)
    assert os.read(far, 300) == every
    os.write(far, every)
    select.select([cable.master], [], [])
    assert cable.read() == every
    os.close(far)
    assert not cable.opened()
    cable.unplug()


def test_what_is_said_while_nobody_listens_is_lost(cable: Cable) -> None:
    cable.plug()
    far = opened(cable)
    os.close(far)
    assert not cable.opened()
    far = opened(cable)
    cable.send(b"new")
    assert os.read(far, 300) == b"new"
    os.close(far)
    cable.unplug()


def test_a_host_that_does_not_read_loses_bytes_but_blocks_nobody(cable: Cable) -> None:
    cable.plug()
    far = opened(cable)
    for _ in range(1000):
        cable.send(b"x" * 1000)
    assert cable.waiting
    os.close(far)
    cable.unplug()


def test_the_port_vanishes_and_comes_back(cable: Cable) -> None:
    cable.plug()
    far = opened(cable)
    cable.unplug()
    assert not cable.path.exists()
    assert os.read(far, 10) == b""
    os.close(far)
    cable.plug()
    cable.plug()
    os.close(opened(cable))
    cable.unplug()
    cable.unplug()


def test_a_board_leaves_nothing_behind() -> None:
    with FaultyBoard(interpreter=micropython.find_interpreter(CPYTHON)) as board:
        device = Path(board.device)
        assert device.exists()
        assert board.running
        assert board.starts == 1
        board.wait(lambda lights: any(lights.data))
    assert not device.parent.exists()
    board.close()
    with pytest.raises(ScoreboardError, match="closed"):
        board.unplug()


def test_a_board_that_cannot_start_says_so(tmp_path: Path) -> None:
    missing = micropython.Interpreter(tmp_path / "missing", True, "nothing at all")
    with pytest.raises(BoardError, match="nothing at all"):
        FaultyBoard(interpreter=missing)


def test_a_firmware_that_fails_leaves_its_words(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text("raise ValueError('no such wiring')\n")
    with FaultyBoard(interpreter=micropython.find_interpreter(CPYTHON), firmware=tmp_path) as board:
        end = select.poll()
        for _ in range(2000):
            if not board.running:
                break
            end.poll(5)
        assert "no such wiring" in board.errors()


def test_a_wait_that_fails_shows_the_board() -> None:
    with (
        FaultyBoard(interpreter=micropython.find_interpreter(CPYTHON), plugged=False) as board,
        pytest.raises(TimeoutError, match=r"\.{64}"),
    ):
        board.wait(lambda lights: lights.testing == 99, timeout=0.05)
