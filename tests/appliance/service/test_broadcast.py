"""The event stream as its readers understand it."""

import json

import pytest

from appliance.service.broadcast import OBJECTS, VERSION, understood


def test_a_line_of_this_version_is_understood() -> None:
    assert understood(json.dumps({"v": VERSION, "dice": 5}).encode()) == {"v": VERSION, "dice": 5}


@pytest.mark.parametrize(
    "line",
    [
        *(b"", b"no JSON", b"{}", b"[1]", b"null", b'{"v": 999}', b"[" * 100_000, b"\xff"),
        *(b'{"v": 1, "%s": []}' % kind.encode() for kind in sorted(OBJECTS)),
        *(b'{"v": 1, "event": {}}', b'{"v": 1, "event": {"number": "1\\nevent: hello"}}'),
    ],
)
def test_anything_else_is_a_value_error(line: bytes) -> None:
    with pytest.raises(ValueError):
        understood(line)
