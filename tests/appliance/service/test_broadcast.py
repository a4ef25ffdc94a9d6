"""The event stream as its readers understand it."""

import json
import socket
import sys
from pathlib import Path

import pytest

from appliance.service.broadcast import OBJECT_KINDS, STREAM_VERSION, Broadcast, parse_line


def test_a_line_of_this_version_is_understood() -> None:
    assert parse_line(json.dumps({"v": STREAM_VERSION, "dice": 5}).encode()) == {
        "v": STREAM_VERSION,
        "dice": 5,
    }


@pytest.mark.parametrize(
    "line",
    [
        *(b"", b"no JSON", b"{}", b"[1]", b"null", b'{"v": 999}', b"[" * 100_000, b"\xff"),
        *(b'{"v": 1, "%s": []}' % kind.encode() for kind in sorted(OBJECT_KINDS)),
        *(b'{"v": 1, "event": {}}', b'{"v": 1, "event": {"number": "1\\nevent: hello"}}'),
    ],
)
def test_anything_else_is_a_value_error(line: bytes) -> None:
    with pytest.raises(ValueError):
        parse_line(line)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such sockets")
def test_readers_that_have_gone_take_no_place(tmp_path: Path) -> None:
    broadcast = Broadcast(tmp_path / "board", lambda _: [b"hello\n"])
    for _ in range(20):
        with socket.socket(socket.AF_UNIX) as reader:
            reader.connect(str(tmp_path / "board"))
            broadcast.serve()
            assert reader.recv(100) == b"hello\n"
    broadcast.close()
