"""The host's side of the protocol, without a port and without a clock of its own."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.devices.scoreboard import Hello, LayoutFrom, LinkState
from appliance.devices.scoreboard.link import Link
from appliance.picture import Picture
from firmware import config, framing

A = Picture(bytes(range(128)))
B = Picture(bytes(reversed(range(128))))
C = Picture(b"\xff" * 128)
START_MAIN = b"\x03\x02\x04"
MANY = 100
"""Messages in a row that no correct link sends at one time."""


def hello(
    *,
    linked: bool = False,
    boot: int = 1,
    major: int = framing.PROTOCOL_MAJOR,
    minor: int = framing.PROTOCOL_MINOR,
    size: tuple[int, int] = (64, 16),
    layout: bytes = b"\0" * framing.HELLO_FREE + bytes((0, 1, 3, 0, 0)),
    extra: bytes = b"",
) -> bytes:
    payload = struct.pack(
        framing.HELLO_FORMAT,
        major,
        minor,
        *(0, 1, 0),
        *size,
        int(linked),
        *(10, boot, b"12345678", b"dev"),
    )
    return framing.encode(framing.HELLO, 0, payload + (layout if minor >= 2 else b"") + extra)


class Board:
    """The other end of the link, controlled by the test."""

    def __init__(self, link: Link) -> None:
        self.link = link
        self.now = 100.0
        self.parser = framing.Parser()
        link.opened(self.now)

    def heard(self) -> list[tuple[int, int, bytes]]:
        """The messages that the host sends now: type, sequence, payload."""
        found: list[tuple[int, int, bytes]] = []
        while data := self.link.outgoing(self.now):
            assert len(found) < MANY, "it never falls silent"
            at = 0
            while at := self.parser.feed(data, at, len(data)):
                payload = bytes(self.parser.payload[: self.parser.length])
                found.append((self.parser.kind, self.parser.sequence, payload))
        return found

    def kinds(self) -> list[int]:
        return [kind for kind, _, _ in self.heard()]

    def say(self, data: bytes) -> None:
        self.link.receive(data, self.now)

    def ack(self, sequence: int, flags: int = 0, brightness: int = 3) -> None:
        payload = struct.pack(framing.ACK_FORMAT, sequence, flags, brightness)
        self.say(framing.encode(framing.ACK, 9, payload))

    def ack_all(self) -> list[tuple[int, bytes]]:
        """Acknowledges messages until no more come; their types and payloads."""
        found: list[tuple[int, bytes]] = []
        while messages := self.heard():
            assert len(found) < MANY, "it is never content"
            for kind, sequence, payload in messages:
                found.append((kind, payload))
                self.ack(sequence)
        return found

    def greet(self, boot: int = 1, minor: int = framing.PROTOCOL_MINOR) -> None:
        self.say(hello(boot=boot, minor=minor))
        assert self.kinds() == [framing.HELLO_REQUEST]
        self.say(hello(boot=boot, minor=minor, linked=True))
        assert self.link.status.state is LinkState.LINKED


@pytest.fixture
def link() -> Link:
    return Link()


@pytest.fixture
def board(link: Link) -> Board:
    return Board(link)


def test_nothing_is_sent_before_the_board_has_spoken(link: Link, board: Board) -> None:
    link.show(A)
    link.set_brightness(3)
    assert link.outgoing(board.now) == b""
    board.say(hello())
    assert board.kinds() == [framing.HELLO_REQUEST]
    assert link.outgoing(board.now) == b""


@given(st.lists(st.tuples(st.floats(0, 1), st.binary(max_size=50)), max_size=30))
def test_no_noise_brings_forth_an_interrupt_byte(noise: list[tuple[float, bytes]]) -> None:
    link = Link()
    board = Board(link)
    link.show(Picture(b"\x03" * 128))
    sent = b""
    for wait, data in noise:
        board.now += wait
        # A prompt is not noise: there, Ctrl-C interrupts nothing.
        board.say(data.replace(b">", b"\n"))
        sent += link.outgoing(board.now)
    assert sent in (b"", b"\r")


def test_any_message_shows_that_the_firmware_runs(board: Board) -> None:
    # A restarted host finds a board that believes it is linked and only pings.
    board.say(framing.encode(framing.PING, 500))
    assert board.kinds() == [framing.HELLO_REQUEST]


def test_greeting_is_repeated_until_answered(link: Link, board: Board) -> None:
    board.say(hello())
    assert board.kinds() == [framing.HELLO_REQUEST]
    board.now += 0.15
    assert board.kinds() == []
    board.now += 0.15
    assert board.kinds() == [framing.HELLO_REQUEST]
    # An older HELLO, from before our request, is not an answer.
    board.say(hello())
    assert link.status.state is LinkState.GREETING


def test_brightness_then_the_picture_one_at_a_time(link: Link, board: Board) -> None:
    link.set_brightness(5)
    link.show(A)
    board.greet()
    [(kind, sequence, payload)] = board.heard()
    assert (kind, payload) == (framing.BRIGHTNESS, b"\x05")
    board.ack(sequence)
    [(kind, sequence, payload)] = board.heard()
    assert (kind, payload) == (framing.FRAME, A.data)
    board.ack(sequence, framing.ACK_LIMITED, 4)
    assert board.heard() == []
    status = link.status
    assert (status.shown, status.brightness, status.limited) == (1, 4, True)


@pytest.mark.parametrize("kind", [0x01, framing.ACK - 1, framing.ACK + 1, 0xFF])
def test_a_message_of_a_type_that_nobody_knows_is_ignored(
    link: Link, board: Board, kind: int
) -> None:
    link.show(A)
    board.greet()
    [(_, sequence, _)] = board.heard()
    board.say(framing.encode(kind, 9, struct.pack(framing.ACK_FORMAT, sequence, 0, 3)))
    assert link.status.shown == 0
    board.ack(sequence)
    assert link.status.shown == 1


def test_only_the_newest_picture_is_sent(link: Link, board: Board) -> None:
    link.show(A)
    board.greet()
    [(_, sequence, payload)] = board.heard()
    assert payload == A.data
    link.show(B)
    link.show(C)
    assert board.heard() == []
    board.ack(sequence)
    [(_, _, payload)] = board.heard()
    assert payload == C.data


def test_a_picture_that_is_not_acknowledged_is_sent_again(link: Link, board: Board) -> None:
    link.show(A)
    board.greet()
    [(_, first, _)] = board.heard()
    link.show(B)
    board.now += 0.25
    [(_, second, payload)] = board.heard()
    assert payload == B.data
    # A late ACK of the first picture does not count for the second.
    board.ack(first)
    assert link.status.shown == 0
    board.ack(second)
    assert (link.status.sent, link.status.shown, link.status.repeats) == (2, 1, 1)


def test_the_present_picture_is_repeated_and_pings_fill_the_gaps(link: Link, board: Board) -> None:
    link.show(A)
    board.greet()
    found: list[int] = []
    for _ in range(400):
        board.say(framing.encode(framing.PONG, 1))
        found += [kind for kind, _ in board.ack_all()]
        board.now += 0.01
    assert found.count(framing.FRAME) in (4, 5)
    assert found.count(framing.PING) in (3, 4)


def test_without_a_picture_there_are_only_pings(board: Board) -> None:
    board.greet()
    found: list[int] = []
    for _ in range(10):
        board.say(framing.encode(framing.PING, 1))
        board.now += 0.25
        found += board.kinds()
    assert found == [framing.PING] * 5


def test_the_deadline_never_comes_late(link: Link, board: Board) -> None:
    # A caller that sleeps until the deadline sends at the same times as one that never sleeps.
    link.show(A)
    board.greet()
    for step in range(200):
        due = link.deadline(board.now)
        before = (board.now + due) / 2
        if due > board.now:
            assert link.outgoing(before) == b""
            assert link.trouble(before) == ""
        board.now = max(due, board.now)
        if link.trouble(board.now):
            assert step > 50
            return
        if step <= 50:
            board.ack_all()
        else:
            board.heard()
    pytest.fail("a silent board was never noticed")


def test_another_major_version_is_refused_with_advice(link: Link, board: Board) -> None:
    board.say(hello(major=framing.PROTOCOL_MAJOR + 1))
    assert link.status.state is LinkState.REFUSED
    assert "protocol 2.2, 1.x is needed" in link.status.reason
    assert "flash" in link.status.reason
    assert link.trouble(board.now) == link.status.reason
    link.show(A)
    assert board.heard() == []
    link.closed("closed by the program")
    assert "flash" in link.status.reason


def test_a_later_minor_version_is_welcome(link: Link, board: Board) -> None:
    board.say(hello(extra=b"more"))
    board.heard()
    board.say(hello(extra=b"more", linked=True))
    assert link.status.connected


def test_another_size_is_refused(link: Link, board: Board) -> None:
    board.say(hello(size=(32, 32)))
    assert "32x32 lights, 64x16 are needed" in link.status.reason


def test_a_short_hello_is_refused(link: Link, board: Board) -> None:
    board.say(framing.encode(framing.HELLO, 0, bytes((framing.PROTOCOL_MAJOR, 0))))
    assert link.status.state is LinkState.REFUSED


def test_a_reboot_is_noticed_and_everything_sent_again(link: Link, board: Board) -> None:
    link.set_brightness(2)
    link.show(A)
    board.greet(boot=4)
    board.ack_all()
    board.now += 0.1
    board.say(hello(boot=5))
    assert board.kinds() == [framing.HELLO_REQUEST]
    board.say(hello(boot=5, linked=True))
    assert board.ack_all() == [(framing.BRIGHTNESS, b"\x02"), (framing.FRAME, A.data)]
    assert link.status.reboots == 1


def test_a_reboot_behind_an_unanswered_greeting_is_noticed(link: Link, board: Board) -> None:
    link.show(A)
    board.greet(boot=4)
    board.ack_all()
    board.say(hello(boot=5, linked=True))
    assert board.ack_all() == [(framing.FRAME, A.data)]
    assert link.status.reboots == 1


def test_a_board_that_lost_the_host_gets_everything_again(link: Link, board: Board) -> None:
    # Only the direction to the board was broken: it shows NO LINK and says HELLO.
    link.show(A)
    board.greet()
    board.ack_all()
    board.say(hello())
    board.heard()
    board.say(hello(linked=True))
    assert board.ack_all() == [(framing.FRAME, A.data)]
    assert link.status.reboots == 0


def test_another_board_on_the_same_port_is_no_reboot(link: Link, board: Board) -> None:
    board.greet()
    link.closed("unplugged")
    board.link.opened(board.now)
    payload = struct.pack(
        framing.HELLO_FORMAT, 1, 0, 0, 1, 0, 64, 16, 1, 10, 9, b"87654321", b"dev"
    )
    board.say(framing.encode(framing.HELLO, 0, payload))
    assert link.status.hello == Hello(
        (1, 0), "0.1.0", "dev", 64, 16, True, 10, 9, b"87654321".hex()
    )
    assert link.status.reboots == 0


def test_silence_is_trouble(link: Link, board: Board) -> None:
    board.greet()
    board.now += 1.4
    assert link.trouble(board.now) == ""
    board.now += 0.2
    assert "silent" in link.trouble(board.now)


def test_a_port_without_firmware_is_given_up_when_every_board_would_have_spoken(
    link: Link, board: Board
) -> None:
    # A board that starts says HELLO within two seconds.
    board.now += 2.9
    assert link.trouble(board.now) == ""
    board.now += 0.1
    assert "nothing answers" in link.trouble(board.now)


def test_openings_are_counted(link: Link, board: Board) -> None:
    for count in range(1, 5):
        assert link.status.opened == count
        link.closed("unplugged")
        link.opened(board.now)


def test_damaged_frames_are_added_up(link: Link, board: Board) -> None:
    damaged = b"\x05hello\0"
    for data, count in [(damaged, 1), (hello(), 1), (damaged + damaged, 3), (damaged, 4)]:
        board.say(data)
        assert link.status.damaged == count


def test_after_many_tries_the_board_is_asked_anew(link: Link, board: Board) -> None:
    # It answers pings but never acknowledges: something is out of step.
    link.show(A)
    board.greet()
    found: list[int] = []
    for _ in range(40):
        board.say(framing.encode(framing.PONG, 1))
        found += board.kinds()
        board.now += 0.1
    assert framing.HELLO_REQUEST in found


def test_a_board_at_the_prompt_is_started_again(link: Link, board: Board) -> None:
    board.now += 1.0
    assert link.outgoing(board.now) == b"\r"
    board.say(b"\r\n>>> ")
    assert link.outgoing(board.now) == START_MAIN
    board.say(b"MPY: soft reboot\r\n" + hello())
    assert link.status.state is LinkState.GREETING


@pytest.mark.parametrize("prompt", [b">>> ", b"raw REPL; CTRL-B to exit\r\n>"])
def test_an_interrupted_board_is_started_again_at_once(
    link: Link, board: Board, prompt: bytes
) -> None:
    link.show(A)
    board.greet()
    board.ack_all()
    # Echoes of the picture that interrupted it may follow.
    board.say(b"Traceback\r\nKeyboardInterrupt: \r\n" + prompt + b"\x11F~")
    assert link.outgoing(board.now) == START_MAIN
    assert link.status.state is LinkState.LISTENING
    board.say(b"\r\n>>> \r\nMicroPython v1.25.0\r\n>>> ")
    link.show(B)
    for _ in range(9):
        # Nothing binary, and no second Ctrl-C before the first has done its work.
        board.now += 0.05
        assert link.outgoing(board.now) == b""
    board.say(b"\r\nMPY: soft reboot\r\n")
    board.now += 0.3
    assert link.outgoing(board.now) == b""
    board.greet(boot=2)
    assert board.ack_all() == [(framing.FRAME, B.data)]
    assert link.status.opened == 1


def test_a_prompt_that_stays_is_asked_again(link: Link, board: Board) -> None:
    sent = []
    for _ in range(20):
        board.say(b">>> ")
        sent.append(link.outgoing(board.now))
        board.now += 0.1
    assert sent.count(START_MAIN) == 4
    assert set(sent) == {START_MAIN, b"", b"\r"}


def test_a_prompt_inside_a_frame_is_none(link: Link, board: Board) -> None:
    link.show(A)
    board.greet()
    board.ack_all()
    board.say(framing.encode(framing.PONG, 1, b">>> "))
    assert link.status.state is LinkState.LINKED


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (b"", "nothing answers"),
        (b"T=21.5 C\r\n", "not a scoreboard's firmware"),
        (b"\r\n>>> ", "MicroPython's prompt"),
    ],
)
def test_another_device_on_the_port_is_named(
    link: Link, board: Board, said: bytes, reason: str
) -> None:
    for _ in range(14):
        board.now += 0.25
        board.say(said)
        link.outgoing(board.now)
    assert reason in link.trouble(board.now)


def test_a_brightness_changed_meanwhile_is_sent(link: Link, board: Board) -> None:
    link.set_brightness(5)
    board.greet()
    [(_, sequence, _)] = board.heard()
    link.set_brightness(7)
    board.ack(sequence)
    assert board.ack_all() == [(framing.BRIGHTNESS, b"\x07")]


def test_a_higher_brightness_is_due_at_once(link: Link, board: Board) -> None:
    link.show(A)
    link.set_brightness(2)
    board.greet()
    board.ack_all()
    assert link.deadline(board.now) > board.now
    link.set_brightness(7)
    assert link.deadline(board.now) == board.now


def test_the_sequence_number_wraps(link: Link, board: Board) -> None:
    link.show(A)
    board.greet()
    link._sequence = 0xFFFF - 100
    numbers = []
    for n in range(300):
        link.show(A if n % 2 else B)
        data = link.outgoing(board.now)
        assert data
        assert board.parser.feed(data, 0, len(data)) == len(data)
        numbers.append(board.parser.sequence)
        board.ack(board.parser.sequence)
    assert numbers == [*range(0xFFFF - 99, 0x10000), *range(200)]
    assert link.status.shown == 300
    assert link.status.repeats == 0


def test_the_farewell_follows_the_last_picture_and_silence_follows_it(
    link: Link, board: Board
) -> None:
    board.greet()
    link.show(A)
    link.say_farewell()
    owed = [link.owes_farewell]
    assert [kind for kind, _ in board.ack_all()] == [framing.FRAME, framing.FAREWELL]
    assert [*owed, link.owes_farewell] == [True, False]
    link.show(B)
    for n in range(100):
        board.now += 0.1
        # The board goes on asking who is there; any answer would tell it that a host is.
        board.say(hello() if n % 2 else framing.encode(framing.PING, n))
        assert board.heard() == []
        assert link.deadline(board.now) > board.now


def test_a_farewell_that_is_lost_is_said_again(link: Link, board: Board) -> None:
    board.greet()
    link.say_farewell()
    assert board.kinds() == [framing.FAREWELL]
    board.now += 0.3
    assert board.kinds() == [framing.FAREWELL]
    assert link.owes_farewell


def test_a_board_that_is_being_greeted_still_gets_its_farewell(link: Link, board: Board) -> None:
    link.say_farewell()
    assert link.owes_farewell
    board.greet()
    assert [kind for kind, _ in board.ack_all()] == [framing.FAREWELL]


def test_older_firmware_hears_no_farewell(link: Link, board: Board) -> None:
    board.greet(minor=1)
    link.show(A)
    link.say_farewell()
    assert not link.owes_farewell
    assert [kind for kind, _ in board.ack_all()] == [framing.FRAME]
    board.now += 0.6
    assert framing.FAREWELL not in board.kinds()


def test_no_board_is_waited_for_with_a_farewell(link: Link, board: Board) -> None:
    link.closed("the port is gone")
    link.say_farewell()
    assert not link.owes_farewell


FC16 = bytes((1, 3, 0, 0))
GENERIC = bytes((1, 0, 0, 1))
TRY = bytes((framing.LAYOUT_TRY,))
STORE = bytes((framing.LAYOUT_STORE,))
BACK = bytes(framing.LAYOUT_BYTES)


def test_a_hello_says_who_has_chosen_the_layout(link: Link, board: Board) -> None:
    for source in LayoutFrom:
        board.say(hello(layout=bytes((0, 0, 0, 0, source)) + GENERIC))
        assert link.status.hello is not None
        assert link.status.hello.layout_from is source
        assert link.status.hello.layout == GENERIC
    assert list(LayoutFrom) == [config.LAYOUT_DEFAULT, config.LAYOUT_STORED, config.LAYOUT_OWN]


@pytest.mark.parametrize(
    "layout", [b"", bytes(4), bytes(8), bytes((0, 0, 0, 0, 3)) + FC16], ids=len
)
def test_a_hello_without_a_layout_that_makes_sense_says_nothing(
    link: Link, board: Board, layout: bytes
) -> None:
    board.say(hello(layout=layout))
    assert link.status.hello is not None
    assert (link.status.hello.layout_from, link.status.hello.layout) == (None, b"")


def test_a_layout_comes_before_the_picture_that_is_drawn_for_it(link: Link, board: Board) -> None:
    link.show(A)
    board.greet()
    board.ack_all()
    link.try_layout(GENERIC)
    assert link.deadline(board.now) <= board.now
    assert board.ack_all() == [(framing.LAYOUT, TRY + GENERIC), (framing.FRAME, A.data)]
    link.try_layout(GENERIC)
    assert board.ack_all() == []
    # A board that has restarted has forgotten it.
    board.say(hello(boot=2))
    board.heard()
    board.say(hello(boot=2, linked=True))
    assert board.ack_all() == [(framing.LAYOUT, TRY + GENERIC), (framing.FRAME, A.data)]
    link.try_layout(None)
    assert board.ack_all() == [(framing.LAYOUT, BACK), (framing.FRAME, A.data)]


def test_a_layout_is_stored_once_and_on_no_other_board(link: Link, board: Board) -> None:
    link.show(A)
    board.greet()
    link.try_layout(GENERIC)
    board.ack_all()
    link.store_layout(GENERIC)
    # The first answer is lost.
    assert [(kind, payload) for kind, _, payload in board.heard()] == [
        (framing.LAYOUT, STORE + GENERIC)
    ]
    board.now += 0.3
    assert board.ack_all() == [(framing.LAYOUT, STORE + GENERIC), (framing.FRAME, A.data)]
    assert not link.owes_layout
    assert not link.end_store()
    assert link.status.hello is not None
    assert link.status.hello.layout_from is LayoutFrom.STORED
    assert link.status.hello.layout == GENERIC
    board.say(hello(boot=7))
    board.heard()
    board.say(hello(boot=7, linked=True))
    assert board.ack_all() == [(framing.FRAME, A.data)]


def test_a_refused_layout_is_known_and_not_insisted_on(link: Link, board: Board) -> None:
    link.show(A)
    board.greet()
    link.try_layout(FC16)
    board.ack_all()
    link.store_layout(GENERIC)
    [(kind, sequence, _)] = board.heard()
    assert kind == framing.LAYOUT
    board.ack(sequence, framing.ACK_REFUSED)
    # The board still tries the other one: what it stored before is its own again.
    assert board.ack_all() == [(framing.LAYOUT, BACK), (framing.FRAME, A.data)]
    assert link.end_store()
    assert not link.end_store()
    assert link.status.hello is not None
    assert link.status.hello.layout_from is LayoutFrom.DEFAULT


def test_a_store_that_is_given_up_is_not_sent_later(link: Link, board: Board) -> None:
    board.greet()
    link.store_layout(GENERIC)
    assert board.kinds() == [framing.LAYOUT]
    assert not link.end_store()
    board.now += 0.3
    assert framing.LAYOUT not in board.kinds()


def test_older_firmware_hears_of_no_layout(link: Link, board: Board) -> None:
    board.greet(minor=1)
    link.show(A)
    link.try_layout(GENERIC)
    assert not link.owes_layout
    assert board.ack_all() == [(framing.FRAME, A.data)]
