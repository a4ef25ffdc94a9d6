"""A scoreboard's HELLO, byte by byte."""

import struct
from dataclasses import replace

import pytest

from appliance.devices.scoreboard.hello import Hello, LayoutFrom
from firmware import framing

ID = bytes.fromhex("e6614c311b7a2b36")


def payload(minor: int = 2, flags: int = 0, layout: bytes = bytes((1, 2, 3, 4, 5))) -> bytes:
    """The payload of HELLO of a board whose firmware has this minor version."""
    fields = (framing.PROTOCOL_MAJOR, minor, 1, 0, 3, 64, 16, flags, 7, 9, ID, b"abc")
    sent = struct.pack(framing.HELLO_FORMAT, *fields)
    return sent + (50_000).to_bytes(framing.HELLO_FREE, "little") + layout


SAID = Hello(
    protocol=(1, 2),
    version="1.0.3",
    build="abc",
    width=64,
    height=16,
    linked=False,
    brightness_limit=7,
    boot=9,
    unique_id=ID.hex(),
    free=50_000,
    layout_from=LayoutFrom.STORED,
    layout=bytes((2, 3, 4, 5)),
)


def test_everything_that_a_board_says_is_read() -> None:
    assert Hello.from_payload(payload()) == SAID


@pytest.mark.parametrize(
    ("flags", "linked"),
    [(framing.HELLO_LINKED, True), (255, True), (255 - framing.HELLO_LINKED, False)],
)
def test_a_board_is_linked_if_that_flag_is_set_whatever_the_others_mean(
    flags: int, linked: bool
) -> None:
    assert Hello.from_payload(payload(flags=flags)) == replace(SAID, linked=linked)


@pytest.mark.parametrize(
    ("minor", "layout", "told"),
    [
        (1, bytes((1, 2, 3, 4, 5)), False),
        (2, bytes((1, 2, 3, 4, 5)), True),
        (3, bytes((1, 2, 3, 4, 5, 6)), True),
        (2, bytes((1, 2, 3, 4)), False),
        (2, bytes((3, 2, 3, 4, 5)), False),
    ],
)
def test_a_layout_is_believed_of_firmware_that_knows_of_it(
    minor: int, layout: bytes, told: bool
) -> None:
    unknown = replace(SAID, layout_from=None, layout=b"")
    expected = replace(SAID if told else unknown, protocol=(1, minor))
    assert Hello.from_payload(payload(minor, layout=layout)) == expected


def test_of_another_major_version_nothing_else_is_believed() -> None:
    other = Hello.from_payload(bytes((framing.PROTOCOL_MAJOR + 1, 4)) + payload()[2:])
    assert other == Hello(
        protocol=(framing.PROTOCOL_MAJOR + 1, 4),
        version="",
        build="",
        width=0,
        height=0,
        linked=False,
        brightness_limit=0,
        boot=0,
        unique_id="",
        free=0,
        layout_from=None,
        layout=b"",
    )
