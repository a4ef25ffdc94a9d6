"""Both parsers, fed with whatever comes closest to a frame without being one.

A state machine sends real frames, broken ones and noise through the framing's parser and through
one written independently from the description with the library's CRC; both must hear the same.
"""

import itertools
import zlib
from typing import TYPE_CHECKING

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from appliance.devices.scoreboard import LinkState
from appliance.devices.scoreboard.link import Link
from appliance.picture import Picture
from firmware import framing

if TYPE_CHECKING:
    from tests.firmware.conftest import Bench

Message = tuple[int, int, bytes]


def hear(data: bytes) -> list[Message]:
    """The messages in a stream that begins at a frame's end, found from the description alone."""
    found = []
    for part in data.split(b"\0")[:-1]:
        if not 8 <= len(part) <= framing.MAX_PAYLOAD + 8:
            continue
        raw = bytearray()
        at = 0
        while at < len(part):
            code = part[at]
            raw += part[at + 1 : at + code] + b"\0"
            at += code
        if at != len(part):
            continue
        body, crc = bytes(raw[:-5]), bytes(raw[-5:-1])
        if zlib.crc32(body).to_bytes(4, "little") == crc:
            found.append((body[0], body[1] | body[2] << 8, body[3:]))
    return found


class Line(RuleBasedStateMachine):
    """A line that may carry anything, even frames with correct checksums but odd contents."""

    def __init__(self) -> None:
        super().__init__()
        self.parser = framing.Parser()
        self.sent = b""
        self.heard: list[Message] = []

    def send(self, data: bytes) -> None:
        self.sent += data
        parser = self.parser
        at = 0
        while at := parser.feed(data, at, len(data)):
            payload = bytes(parser.payload[: parser.length])
            self.heard.append((parser.kind, parser.sequence, payload))

    @rule(
        kind=st.integers(0, 255),
        sequence=st.integers(0, 0xFFFF),
        payload=st.binary(max_size=framing.MAX_PAYLOAD),
    )
    def frame(self, kind: int, sequence: int, payload: bytes) -> None:
        self.send(framing.encode(kind, sequence, payload))

    @rule(noise=st.binary(max_size=200))
    def noise(self, noise: bytes) -> None:
        self.send(noise)

    @rule(body=st.binary(min_size=3, max_size=300))
    def sealed(self, body: bytes) -> None:
        """Any contents of any length with a correct checksum, stuffed as one block or several."""
        raw = body + zlib.crc32(body).to_bytes(4, "little")
        stuffed = b"".join(
            bytes([len(part) + 1]) + part for part in raw.split(b"\0") if len(part) < 255
        )
        self.send(b"\0" + stuffed + b"\0")

    @precondition(lambda self: self.sent)
    @rule(data=st.data())
    def again_with_a_hole(self, data: st.DataObject) -> None:
        start = data.draw(st.integers(0, len(self.sent) - 1))
        end = data.draw(st.integers(start, min(len(self.sent), start + 200)))
        piece = bytearray(self.sent[start:end])
        if piece and data.draw(st.booleans()):
            piece[data.draw(st.integers(0, len(piece) - 1))] ^= data.draw(st.integers(1, 255))
        self.send(bytes(piece))

    @invariant()
    def both_hear_the_same(self) -> None:
        assert self.heard == hear(self.sent)

    @invariant()
    def nothing_grows(self) -> None:
        assert self.parser._count <= framing.MAX_PAYLOAD + 9


TestLine = Line.TestCase
TestLine.settings = settings(max_examples=60, stateful_step_count=25, deadline=None)

payloads = st.one_of(
    st.binary(max_size=framing.MAX_PAYLOAD),
    st.binary(min_size=framing.HELLO_BYTES, max_size=40).map(lambda p: b"\x01\x00" + p[2:]),
)
kinds = st.one_of(
    st.sampled_from([framing.HELLO, framing.ACK, framing.PING, framing.PONG]), st.integers(0, 255)
)


@settings(deadline=None)
@given(
    st.lists(
        st.one_of(
            st.tuples(kinds, st.integers(0, 0xFFFF), payloads).map(lambda m: framing.encode(*m)),
            st.binary(max_size=80),
            st.floats(0, 5),
        ),
        max_size=40,
    )
)
def test_no_board_however_odd_upsets_the_host(happening: list[bytes | float]) -> None:
    link = Link()
    link.show(Picture(b"\x03" * 128))
    link.set_brightness(3)
    now = 0.0
    link.opened(now)
    for item in happening:
        if isinstance(item, float):
            now += item
        else:
            link.receive(item, now)
        for _ in range(5):
            if not (data := link.outgoing(now)):
                break
            # Whatever the board said, it sends frames, a line end or what restarts the program.
            assert data in (b"\r", b"\x03\x02\x04") or len(hear(data)) == 1
        assert link.deadline(now) >= now or link.status.state is not LinkState.CLOSED
        if trouble := link.trouble(now):
            link.closed(trouble)
            link.opened(now)


to_board = st.sampled_from(
    [
        framing.HELLO_REQUEST,
        framing.FRAME,
        framing.BRIGHTNESS,
        framing.SELF_TEST,
        framing.PING,
        framing.FAREWELL,
    ]
)
# A request for service ends the program, a layout moves the picture: test_board, test_mounting.
any_kind = st.integers(0, 255).filter(lambda kind: kind not in (framing.SERVICE, framing.LAYOUT))
pictures = st.binary(min_size=framing.FRAME_BYTES, max_size=framing.FRAME_BYTES)


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None
)
@given(
    st.lists(
        st.one_of(
            st.tuples(
                st.one_of(to_board, any_kind),
                st.integers(0, 0xFFFF),
                st.one_of(pictures, st.binary(max_size=framing.MAX_PAYLOAD)),
            ),
            st.binary(max_size=80),
            st.integers(1, 3000),
        ),
        max_size=25,
    )
)
def test_no_host_however_odd_upsets_the_board(
    bench: "Bench", happening: list[Message | bytes | int]
) -> None:
    bench.start()
    screens = bench.modules["screens"].Screens(8, 2)
    texts = (("DICETRAY", "V1.0.0"), ("NO LINK", ""), ("UPDATE", "ME"), ("", ""))
    allowed = {bytes(screens.two_lines(*text)) for text in texts}
    steps = bench.modules["screens"].SELF_TEST_STEPS
    allowed |= {bytes(screens.self_test(step)) for step in range(steps)}
    for item in happening:
        if isinstance(item, int):
            bench.pass_ms(item, step=25)
        elif isinstance(item, bytes):
            bench.turn(item)
        else:
            kind, _, payload = item
            if kind == framing.FRAME and len(payload) == framing.FRAME_BYTES:
                allowed.add(payload)
            bench.turn(framing.encode(*item))
        assert bench.bus.picture.data in allowed
        assert max(bench.bus.chain.lights().intensity) <= bench.config.BRIGHTNESS_LIMIT
    # Whole frames, numbered consecutively; a PONG has the number of its PING.
    said = bench.line.messages()
    numbers = [sequence for kind, sequence, _ in said if kind != framing.PONG]
    assert all(b - a & 0xFFFF == 1 for a, b in itertools.pairwise(numbers))
