"""The firmware's board on the bench, with a clock driven by the test and simulated chips."""

import struct
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from appliance.picture import Picture
from firmware import framing

if TYPE_CHECKING:
    from tests.firmware.conftest import Bench

A = Picture(bytes(range(128)))
B = Picture(bytes(reversed(range(128))))


def text(bench: "Bench", first: str, second: str) -> Picture:
    return Picture(bytes(bench.modules["screens"].Screens(8, 2).two_lines(first, second)))


def kinds(bench: "Bench") -> list[int]:
    return [kind for kind, _, _ in bench.line.messages()]


def acks(bench: "Bench") -> list[int]:
    return [
        struct.unpack(framing.ACK_FORMAT, payload)[0]
        for kind, _, payload in bench.line.messages()
        if kind == framing.ACK
    ]


def current_ma(bench: "Bench") -> float:
    lit = sum(byte.bit_count() for byte in bench.bus.picture.data)
    intensity = max(bench.bus.chain.lights().intensity)
    return lit * float(bench.config.SEGMENT_MA) / 8 * (2 * intensity + 1) / 32


def test_it_starts_with_a_test_of_the_lights_then_its_version(bench: "Bench") -> None:
    bench.start()
    seen = [0] * 128
    for _ in range(6):
        seen = [a | b for a, b in zip(seen, bench.bus.picture.data, strict=True)]
        bench.pass_ms(bench.config.BOOT_TEST_MS)
    assert bytes(seen) == b"\xff" * 128
    assert bench.bus.picture == text(bench, "DICETRAY", "V1.0.0")
    assert bench.bus.chain.lights().dark == 0


def test_the_last_test_picture_numbers_the_modules(bench: "Bench") -> None:
    screens = bench.modules["screens"]
    picture = Picture(bytes(screens.Screens(8, 2).self_test(screens.SELF_TEST_STEPS - 1)))
    assert picture.rows()[0][:24] == "...#......###....####..."
    assert picture.rows()[9][:7] == ".#...#."


def test_it_says_hello_until_a_host_answers(bench: "Bench") -> None:
    bench.start(boot=77)
    [(kind, _, payload)] = bench.line.messages()
    assert kind == framing.HELLO
    fields = struct.unpack_from(framing.HELLO_FORMAT, payload)
    assert fields[:2] == (framing.PROTOCOL_MAJOR, framing.PROTOCOL_MINOR)
    assert fields[5:10] == (64, 16, 0, bench.config.BRIGHTNESS_LIMIT, 77)
    assert fields[10] == bytes(range(8))
    bench.pass_ms(1000)
    assert kinds(bench) == [framing.HELLO] * 5
    bench.greet()
    [(kind, _, payload)] = bench.line.messages()
    assert kind == framing.HELLO
    assert payload[7] == framing.HELLO_LINKED
    bench.pass_ms(1000)
    assert kinds(bench) == [framing.PING] * 2


def test_a_picture_is_shown_then_acknowledged(bench: "Bench") -> None:
    bench.start()
    bench.send(framing.FRAME, 40, A.data)
    assert bench.bus.picture == A
    assert acks(bench) == [40]


def test_the_newest_of_several_pictures_wins(bench: "Bench") -> None:
    bench.start()
    latched = bench.bus.latched
    frames = [
        framing.encode(framing.FRAME, 65535 + n & 0xFFFF, p.data) for n, p in enumerate([A, B])
    ]
    bench.line.incoming += b"".join(frames)
    bench.board.turn(0)
    assert bench.bus.picture == B
    assert acks(bench) == [0]
    # One picture was drawn: eight lines, and at most one change of brightness.
    assert bench.bus.latched - latched <= 10


def test_an_older_picture_does_not_win(bench: "Bench") -> None:
    bench.start()
    bench.send(framing.FRAME, 7, A.data)
    bench.send(framing.FRAME, 6, B.data)
    bench.send(framing.FRAME, 7, B.data)
    assert bench.bus.picture == A
    bench.send(framing.FRAME, 8, B.data)
    assert bench.bus.picture == B


def test_a_new_host_starts_its_numbers_anew(bench: "Bench") -> None:
    bench.start()
    bench.send(framing.FRAME, 7000, A.data)
    bench.greet()
    bench.send(framing.FRAME, 1, B.data)
    assert bench.bus.picture == B


@pytest.mark.parametrize("size", [0, 127, 129])
def test_a_picture_of_another_size_is_ignored(bench: "Bench", size: int) -> None:
    bench.start()
    bench.send(framing.FRAME, 1, A.data)
    bench.send(framing.FRAME, 2, b"\xff" * size)
    assert bench.bus.picture == A
    assert acks(bench) == [1]


def test_no_link_after_two_seconds_without_a_message(bench: "Bench") -> None:
    bench.start()
    bench.send(framing.FRAME, 1, A.data)
    bench.line.messages()
    bench.pass_ms(1995)
    assert bench.bus.picture == A
    bench.pass_ms(10)
    assert bench.bus.picture == text(bench, "NO LINK", "")
    bench.line.messages()
    bench.pass_ms(200)
    assert kinds(bench) == [framing.HELLO]
    bench.send(framing.FRAME, 2, B.data)
    assert bench.bus.picture == B


def test_after_a_farewell_it_is_dark_instead_of_no_link(bench: "Bench") -> None:
    bench.start()
    bench.send(framing.FRAME, 1, A.data)
    bench.send(framing.FAREWELL, 2)
    assert acks(bench) == [1, 2]
    bench.pass_ms(1990)
    assert bench.bus.picture == A
    bench.pass_ms(15)
    assert bench.bus.picture == Picture()
    bench.line.messages()
    bench.bus.chain.power_up([3])
    bench.pass_ms(60_000, step=50)
    assert bench.bus.picture == Picture()
    # A host that starts hears at once that there is a board.
    assert set(kinds(bench)) == {framing.HELLO}


@pytest.mark.parametrize("kind", [framing.HELLO_REQUEST, framing.PING, framing.BRIGHTNESS])
@pytest.mark.parametrize("after_ms", [100, 60_000])
def test_any_word_of_a_host_ends_the_farewell(bench: "Bench", kind: int, after_ms: int) -> None:
    bench.start()
    bench.send(framing.FRAME, 1, A.data)
    bench.send(framing.FAREWELL, 2)
    bench.pass_ms(after_ms, step=50)
    bench.send(kind, 3, b"\x01")
    bench.pass_ms(2005)
    assert bench.bus.picture == text(bench, "NO LINK", "")
    bench.send(framing.FRAME, 4, B.data)
    assert bench.bus.picture == B


def test_a_host_that_leaves_before_its_first_picture_leaves_a_dark_board(bench: "Bench") -> None:
    bench.start()
    bench.pass_ms(3000)
    assert bench.bus.picture == text(bench, "NO LINK", "")
    bench.greet()
    bench.send(framing.FAREWELL, 1)
    bench.pass_ms(2005)
    assert bench.bus.picture == Picture()


def test_what_came_before_a_farewell_but_arrives_late_does_not_end_it(bench: "Bench") -> None:
    bench.start()
    bench.send(framing.FAREWELL, 7)
    bench.send(framing.FRAME, 6, A.data)
    bench.pass_ms(3000)
    assert bench.bus.picture == Picture()


def test_a_self_test_under_way_ends_dark_after_a_farewell(bench: "Bench") -> None:
    bench.start()
    bench.send(framing.FRAME, 1, A.data)
    bench.send(framing.SELF_TEST, 2)
    bench.send(framing.FAREWELL, 3)
    bench.pass_ms(4000)
    assert bench.bus.picture == Picture()


def test_powered_anew_it_has_forgotten_the_farewell(bench: "Bench") -> None:
    bench.start()
    bench.send(framing.FAREWELL, 1)
    bench.pass_ms(3000)
    bench.start()
    bench.pass_ms(3000)
    assert bench.bus.picture == text(bench, "NO LINK", "")


def test_pings_keep_the_picture(bench: "Bench") -> None:
    bench.start()
    bench.send(framing.FRAME, 1, A.data)
    for n in range(5):
        bench.pass_ms(1500)
        bench.send(framing.PING, 2 + n)
        assert framing.PONG in kinds(bench)
    assert bench.bus.picture == A


def test_noise_is_no_sign_of_life(bench: "Bench") -> None:
    bench.start()
    bench.send(framing.FRAME, 1, A.data)
    fed = bench.dog.fed
    for _ in range(210):
        bench.clock.pass_ms(10)
        bench.line.incoming += b"\x03garbage\x00" * 400
        bench.board.turn(0)
    assert bench.bus.picture == text(bench, "NO LINK", "")
    assert bench.dog.fed - fed == 210


@pytest.mark.parametrize("byte", [0x00, 0x03, 0x04, 0x11, 0x13, 0xFF])
def test_pictures_of_any_byte_arrive(bench: "Bench", byte: int) -> None:
    bench.start()
    bench.send(framing.FRAME, byte << 8 | byte, bytes([byte]) * 128)
    assert bench.bus.picture.data == bytes([byte]) * 128


def test_lost_registers_come_back_within_a_second(bench: "Bench") -> None:
    bench.start()
    bench.send(framing.FRAME, 1, A.data)
    for chips in (None, [3], [0, 15]):
        bench.bus.chain.power_up(chips)
        assert bench.bus.picture != A
        for n in range(4):
            bench.pass_ms(225)
            bench.send(framing.PING, bench.board._last_sequence + 1 + n)
        lights = bench.bus.chain.lights()
        assert (lights.data, lights.dark) == (A.data, 0)
        assert len(set(lights.intensity)) == 1


def test_chips_that_come_up_wrong_are_set_right(bench: "Bench") -> None:
    bench.start()
    bench.send(framing.FRAME, 1, A.data)
    for address, value in ((0x0F, 1), (0x09, 0xFF), (0x0B, 3), (0x0C, 0), (0x0A, 15), (4, 0x55)):
        bench.bus.chain.chips[5].latch(address, value)
    bench.pass_ms(bench.config.REFRESH_MS)
    lights = bench.bus.chain.lights()
    assert lights.data == A.data
    assert (lights.dark, lights.testing, len(set(lights.intensity))) == (0, 0, 1)


def test_another_major_version_is_refused_and_shown(bench: "Bench") -> None:
    bench.start()
    bench.send(framing.FRAME, 1, A.data)
    bench.line.messages()
    bench.send(framing.HELLO_REQUEST, 0, bytes((framing.PROTOCOL_MAJOR + 1, 0)))
    [(kind, _, payload)] = bench.line.messages()
    assert (kind, payload[0]) == (framing.HELLO, framing.PROTOCOL_MAJOR)
    assert bench.bus.picture == text(bench, "UPDATE", "ME")
    bench.send(framing.FRAME, 2, B.data)
    assert bench.bus.picture == text(bench, "UPDATE", "ME")
    bench.pass_ms(5000)
    assert bench.bus.picture == text(bench, "UPDATE", "ME")
    bench.greet()
    bench.send(framing.FRAME, 3, B.data)
    assert bench.bus.picture == B


def test_brightness_rises_step_by_step_and_falls_at_once(bench: "Bench") -> None:
    bench.start(CURRENT_LIMIT_MA=10_000)
    few = Picture(b"\x80" + bytes(127))
    bench.send(framing.FRAME, 1, few.data)
    bench.send(framing.BRIGHTNESS, 2, b"\xff")
    seen = []
    for _ in range(60):
        bench.pass_ms(10)
        seen.append(bench.bus.chain.lights().intensity[0])
    assert all(b - a in (0, 1) for a, b in pairwise(seen))
    assert seen[-1] == bench.config.BRIGHTNESS_LIMIT
    assert len(seen) - seen.index(seen[-1]) < 40
    bench.send(framing.BRIGHTNESS, 3, b"\x01")
    assert set(bench.bus.chain.lights().intensity) == {1}


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40, deadline=None
)
@given(
    pictures=st.lists(
        st.tuples(st.integers(0, 128), st.integers(0, 255), st.integers(0, 15)), max_size=8
    )
)
def test_the_supply_is_spared(bench: "Bench", pictures: list[tuple[int, int, int]]) -> None:
    bench.start(CURRENT_LIMIT_MA=250, FADE_MS=1)
    sequence = 0
    least = 1024 * bench.config.SEGMENT_MA / 8 / 32
    for count, byte, level in pictures:
        bench.send(framing.BRIGHTNESS, sequence := sequence + 1, bytes([level]))
        data = bytes([byte]) * count + bytes(128 - count)
        bench.send(framing.FRAME, sequence := sequence + 1, data)
        for _ in range(20):
            assert current_ma(bench) <= max(250, least)
            bench.pass_ms(5)


def test_the_self_test_takes_its_time_and_says_so(bench: "Bench") -> None:
    bench.start()
    bench.send(framing.FRAME, 1, A.data)
    bench.line.messages()
    bench.send(framing.SELF_TEST, 2)
    [(_, _, payload)] = [m for m in bench.line.messages() if m[0] == framing.ACK]
    assert payload[2] & framing.ACK_SELF_TEST
    bench.send(framing.FRAME, 3, B.data)
    assert bench.bus.picture not in (A, B)
    assert acks(bench) == []
    steps = bench.modules["screens"].SELF_TEST_STEPS
    for n in range(steps):
        bench.pass_ms(bench.config.SELF_TEST_MS)
        bench.send(framing.FRAME, 4 + n, B.data)
    assert bench.bus.picture == B
    assert acks(bench) == [3 + steps]


def test_unknown_messages_are_ignored(bench: "Bench") -> None:
    bench.start()
    bench.send(framing.FRAME, 1, A.data)
    for kind in range(0x80, 0x100):
        bench.send(kind, kind, b"from a later version")
    bench.send(framing.FRAME, 2, B.data)
    assert bench.bus.picture == B


def test_it_ends_with_the_line_on_a_pc(bench: "Bench") -> None:
    bench.start()
    bench.line.ended = True
    bench.board.run()


@pytest.mark.parametrize("wanted", [framing.SERVICE_BOOTLOADER, framing.SERVICE_REPL])
def test_service_is_left_only_with_the_right_word(
    bench: "Bench", monkeypatch: pytest.MonkeyPatch, wanted: bytes
) -> None:
    import sys
    from types import SimpleNamespace

    calls: list[str] = []
    machine = SimpleNamespace(
        reset=lambda: calls.append("reset"), bootloader=lambda: calls.append("boot")
    )
    monkeypatch.setitem(sys.modules, "machine", machine)
    monkeypatch.setattr(bench.modules["boots"], "ask_for_service", lambda: calls.append("asked"))
    bench.start()
    for n, word in enumerate((b"", wanted[:3], wanted + b"x", wanted.lower())):
        bench.send(framing.SERVICE, n, word)
    assert calls == []
    bench.send(framing.SERVICE, 9, wanted)
    assert calls == (["boot"] if wanted == framing.SERVICE_BOOTLOADER else ["asked", "reset"])
