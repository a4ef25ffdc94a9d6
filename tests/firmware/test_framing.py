"""Framing: what goes in comes out, and damage never passes for a message."""

import re
import zlib

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from firmware import framing
from tests.paths import ROOT

LISTED = re.compile(r"^- `([0-9A-F]{2})` \w ([A-Z_]+)", re.M)
"""A message in docs/formats.md: its number, its letter, its name."""

Message = tuple[int, int, bytes]

messages = st.tuples(
    st.integers(1, 255), st.integers(0, 0xFFFF), st.binary(max_size=framing.MAX_PAYLOAD)
)


def parse(data: bytes, parser: framing.Parser | None = None) -> list[Message]:
    parser = parser or framing.Parser()
    found = []
    at = 0
    while at := parser.feed(data, at, len(data)):
        found.append((parser.kind, parser.sequence, bytes(parser.payload[: parser.length])))
    return found


def reference(kind: int, sequence: int, payload: bytes) -> bytes:
    """A frame built from the description with the library's CRC."""
    raw = bytes([kind]) + sequence.to_bytes(2, "little") + payload
    raw += zlib.crc32(raw).to_bytes(4, "little")
    out = b"".join(bytes([len(part) + 1]) + part for part in raw.split(b"\0"))
    return b"\0" + out + b"\0"


@given(messages)
@example((1, 0, bytes(framing.MAX_PAYLOAD)))
@example((255, 0xFFFF, b"\xff" * framing.MAX_PAYLOAD))
@example((3, 0x0303, b"\x03" * 128))
def test_a_message_is_encoded_as_described(message: Message) -> None:
    assert framing.encode(*message) == reference(*message)


@given(st.lists(messages, max_size=5))
def test_messages_come_back_in_order(sent: list[Message]) -> None:
    assert parse(b"".join(framing.encode(*message) for message in sent)) == sent


@given(messages)
def test_no_zero_inside_a_frame(message: Message) -> None:
    data = framing.encode(*message)
    assert data[0] == data[-1] == 0
    assert 0 not in data[1:-1]
    assert len(data) == len(message[2]) + framing.OVERHEAD


@given(messages, st.lists(st.integers(0, 8 * 170 - 1), min_size=1, max_size=3, unique=True))
def test_flipped_bits_never_give_a_message(message: Message, flips: list[int]) -> None:
    data = bytearray(framing.encode(*message))
    for flip in flips:
        byte = flip // 8 % len(data)
        data[byte] ^= 1 << flip % 8
    # Bits of the delimiters may be hit twice, or the damage may hit only the first zero.
    for found in parse(bytes(data) + b"\0"):
        assert found == message


@given(messages, st.data())
def test_a_part_cut_out_never_gives_another_message(message: Message, data: st.DataObject) -> None:
    frame = framing.encode(*message)
    start = data.draw(st.integers(0, len(frame) - 1))
    end = data.draw(st.integers(start + 1, len(frame)))
    for found in parse(frame[:start] + frame[end:] + b"\0"):
        assert found == message


@given(messages, st.data())
def test_a_part_doubled_never_gives_another_message(message: Message, data: st.DataObject) -> None:
    frame = framing.encode(*message)
    start = data.draw(st.integers(0, len(frame) - 1))
    end = data.draw(st.integers(start + 1, len(frame)))
    for found in parse(frame[:end] + frame[start:] + b"\0"):
        assert found == message


@given(messages, messages, st.data())
def test_halves_of_two_frames_never_give_a_third(
    first: Message, second: Message, data: st.DataObject
) -> None:
    a, b = framing.encode(*first), framing.encode(*second)
    head = a[: data.draw(st.integers(0, len(a)))]
    tail = b[data.draw(st.integers(0, len(b))) :]
    assert all(found in (first, second) for found in parse(head + tail + b"\0"))


@given(st.binary(max_size=600), messages)
def test_the_first_frame_after_noise_is_heard(noise: bytes, message: Message) -> None:
    parser = framing.Parser()
    parse(noise, parser)
    assert parse(framing.encode(*message), parser) == [message]


@given(st.binary(max_size=600))
def test_noise_is_no_message(noise: bytes) -> None:
    assert parse(noise + b"\0") == []


@given(st.lists(st.one_of(st.binary(max_size=40), messages.map(lambda m: framing.encode(*m)))))
def test_any_cutting_of_the_stream_gives_the_same(parts: list[bytes]) -> None:
    stream = b"".join(parts)
    parser = framing.Parser()
    assert [m for part in parts for m in parse(part, parser)] == parse(stream)


@given(st.lists(st.one_of(st.binary(max_size=40), messages.map(lambda m: framing.encode(*m)))))
def test_one_byte_at_a_time_gives_the_same(parts: list[bytes]) -> None:
    stream = b"".join(parts)
    parser = framing.Parser()
    assert [m for byte in stream for m in parse(bytes((byte,)), parser)] == parse(stream)


@given(st.binary(max_size=50), messages, st.binary(max_size=50))
def test_a_message_stays_until_more_is_fed(before: bytes, message: Message, after: bytes) -> None:
    data = before + framing.encode(*message) + after
    parser = framing.Parser()
    end = parser.feed(data, 0, len(data))
    assert end == len(data) - len(after)
    assert parse(b"", parser) == []
    assert (parser.kind, parser.sequence, bytes(parser.payload[: parser.length])) == message


def test_good_and_bad_frames_are_counted() -> None:
    parser = framing.Parser()
    frame = framing.encode(framing.PING, 7)
    parse(frame + b"\x05hello\0" + frame + b"x" * 1000 + b"\0" + frame, parser)
    assert (parser.good, parser.bad) == (3, 2)


def test_a_half_frame_is_forgotten_by_reset() -> None:
    parser = framing.Parser()
    frame = framing.encode(framing.PING, 7)
    parse(frame[:6], parser)
    parser.reset()
    assert parse(frame[1:], parser) == [(framing.PING, 7, b"")]


def test_a_long_payload_is_refused() -> None:
    with pytest.raises(ValueError, match="too long"):
        framing.encode(framing.FRAME, 0, bytes(framing.MAX_PAYLOAD + 1))


@pytest.mark.parametrize("size", [7, 8])
def test_a_frame_shorter_than_any_message_is_refused(size: int) -> None:
    assert parse(bytes([size]) + b"\x01" * (size - 1) + b"\0") == []


def test_a_known_frame() -> None:
    # Recorded once; changing it means a new major version of the protocol.
    assert framing.encode(framing.PING, 0x0102).hex() == reference(0x50, 0x0102, b"").hex()
    assert framing.encode(framing.PING, 0x0102).hex() == "0008500201b6a5ccd600"


def test_messages_have_the_numbers_of_the_document() -> None:
    text = (ROOT / "docs" / "formats.md").read_text("utf-8")
    listed = {name: int(number, 16) for number, name in LISTED.findall(text)}
    assert len(listed) >= 10
    assert listed == {name: getattr(framing, name) for name in listed}
