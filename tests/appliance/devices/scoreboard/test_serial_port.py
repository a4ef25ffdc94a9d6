"""Host, pty, firmware, chips: a picture goes in, lights come out, whatever happens in between."""

import logging
import os
import pty
import select
import shutil
import subprocess
import sys
import tty
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from appliance.devices.flash.layouts import DEFAULT_LAYOUT, LAYOUTS, Layout
from appliance.devices.scoreboard import (
    Hello,
    LayoutFrom,
    LinkState,
    SerialScoreboard,
    Status,
    serial_port,
    usb,
)
from appliance.devices.scoreboard.link import LinkTiming
from appliance.devices.scoreboard.serial_port import (
    Backoff,
    Port,
    ask_firmware_to_exit,
    check_layout_can_be_stored,
    open_port,
)
from appliance.errors import ScoreboardError
from appliance.picture import Picture
from firmware import framing
from simulator.pico import micropython
from simulator.pico.max7219 import Lights
from tests.paths import ROOT
from tests.rigs.faulty_board import FaultyBoard
from tests.rigs.published_modules import chain_of

A = Picture(bytes(range(128)))
B = Picture(bytes(reversed(range(128))))
THREES = Picture(b"\x03" * 128)
NO_LINK_ROW = "...........#...#..###........#......###..#...#.#...#............"
# The firmware in a hurry; its rules are the same.
QUICK = {
    "BOOT_TEST_MS": 5,
    "LINK_TIMEOUT_MS": 400,
    "HELLO_MS": 40,
    "PING_MS": 80,
    "REFRESH_MS": 100,
    "SELF_TEST_MS": 30,
}
TIMING = LinkTiming(ping=0.1, no_firmware=0.5, silence=0.6, prompt=0.2)
BACKOFF = partial(Backoff, refused=0.1)

Start = Callable[..., FaultyBoard]
Connect = Callable[[FaultyBoard], SerialScoreboard]


@pytest.fixture(scope="module")
def interpreter() -> micropython.Interpreter:
    """Real MicroPython, or where there is none, CPython with a stand-in for it."""
    return micropython.find_interpreter()


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@pytest.fixture
def start(interpreter: micropython.Interpreter, stack: ExitStack) -> Start:
    def start(**options: object) -> FaultyBoard:
        settings = QUICK | options.pop("settings", {})  # type: ignore[operator]
        board = FaultyBoard(interpreter=interpreter, settings=settings, **options)  # type: ignore[arg-type]
        return stack.enter_context(board)

    return start


@pytest.fixture
def connect(stack: ExitStack) -> Connect:
    def connect(board: FaultyBoard) -> SerialScoreboard:
        host = SerialScoreboard(board.device, timing=TIMING, backoff=BACKOFF())
        return stack.enter_context(closing(host))

    return connect


def shows(picture: Picture) -> Callable[[Lights], bool]:
    return lambda lights: lights.data == picture.data


def no_link(lights: Lights) -> bool:
    return NO_LINK_ROW in lights.rows()


def test_a_picture_goes_in_and_lights_come_out(start: Start, connect: Connect) -> None:
    board = start()
    # The host would give up once on a board that is slow to start.
    board.wait(lambda lights: any(lights.data))
    host = connect(board)
    for picture in (A, B, Picture(), THREES, Picture(b"\xff" * 128)):
        host.show(picture)
        lights = board.wait(shows(picture))
        assert (lights.dark, lights.testing) == (0, 0)
    status = host.wait(lambda status: status.shown >= 5)
    assert status.connected
    assert status.hello is not None
    assert replace(status.hello, free=0) == Hello(
        (1, 2),
        "1.0.0",
        "dev",
        *(64, 16, True, 10, 1),
        "e660000000000001",
        layout_from=LayoutFrom.STORED,
        layout=LAYOUTS["fc16"].code(),
    )
    assert (status.hello.free > 0) == board.interpreter.real
    assert (status.reboots, status.opened, status.damaged) == (0, 1, 0)


def test_the_stand_in_for_micropython_does_the_same(connect: Connect, stack: ExitStack) -> None:
    cpython = micropython.find_interpreter({micropython.INTERPRETER_VARIABLE: "cpython"})
    board = stack.enter_context(FaultyBoard(interpreter=cpython, settings=QUICK))
    board.wait(lambda lights: any(lights.data))
    host = connect(board)
    for picture in (A, THREES):
        host.show(picture)
        board.wait(shows(picture))
    board.lose_registers(3)
    board.wait(shows(THREES))
    board.reboot()
    host.wait(lambda status: status.reboots == 1)
    board.wait(shows(THREES))
    host.close()
    board.wait(no_link)


def test_without_a_host_the_board_says_so(start: Start, connect: Connect) -> None:
    board = start()
    host = connect(board)
    host.show(A)
    board.wait(shows(A))
    host.close()
    board.wait(no_link)
    second = connect(board)
    second.show(B)
    board.wait(shows(B))


def test_after_a_farewell_the_board_is_dark_until_a_host_comes(
    start: Start, connect: Connect
) -> None:
    seen: list[Lights] = []
    board = start(on_latch=lambda chain: seen.append(chain.lights()))
    host = connect(board)
    host.show(A)
    board.wait(shows(A))
    seen.clear()
    host.say_farewell()
    host.close()
    board.wait(shows(Picture()))
    second = connect(board)
    second.show(B)
    board.wait(shows(B))
    assert not any(no_link(lights) for lights in seen)
    second.close()
    board.wait(no_link)


def test_firmware_that_knows_no_farewell_says_no_link(
    start: Start, connect: Connect, older_firmware: Path
) -> None:
    board = start(firmware=older_firmware)
    host = connect(board)
    host.show(A)
    board.wait(shows(A))
    host.say_farewell()
    host.close()
    board.wait(no_link)


def test_a_farewell_to_no_board_does_not_wait(connect: Connect, start: Start) -> None:
    board = start(plugged=False)
    host = connect(board)
    host.wait(lambda status: "there is no port" in status.reason)
    host.say_farewell()


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=lambda layout: layout.name)
def test_a_layout_chosen_over_the_link_is_stored_for_ever(
    start: Start, connect: Connect, tmp_path: Path, layout: Layout
) -> None:
    """Modules as MD_MAX72XX publishes them, on a board that was just flashed."""
    state = tmp_path / "flash"
    board = start(state=state, layout=None, chain=chain_of(layout.name))
    host = connect(board)
    status = host.wait(lambda status: status.connected)
    assert status.hello is not None
    assert status.hello.layout_from is LayoutFrom.DEFAULT
    host.show(A)
    host.wait(lambda status: status.shown > 0)
    assert (board.lights().data == A.data) is (layout.name == DEFAULT_LAYOUT)
    host.try_layout(layout.code())
    board.wait(shows(A))
    host.store_layout(layout.code())
    host.try_layout(None)
    assert host.status.hello is not None
    assert host.status.hello.layout_from is LayoutFrom.STORED
    # The file is as `dicetray flash --layout` would have written it, but for the remarks.
    said = (state / "layout.py").read_text().splitlines()
    wanted = layout.file().decode().splitlines()
    assert [line for line in said if line[0] != "#"] == [x for x in wanted if x[0] != "#"]
    board.reboot()
    status = host.wait(lambda status: status.reboots == 1 and status.connected)
    assert status.hello is not None
    assert (status.hello.layout_from, status.hello.layout) == (LayoutFrom.STORED, layout.code())
    host.show(B)
    board.wait(shows(B))


def test_a_layout_that_cannot_be_stored_is_an_error_that_says_why(
    start: Start, connect: Connect, older_firmware: Path, tmp_path: Path
) -> None:
    code = LAYOUTS["generic"].code()
    with pytest.raises(ScoreboardError, match="the scoreboard is not linked"):
        connect(start(plugged=False)).store_layout(code)
    host = connect(start(firmware=older_firmware))
    host.wait(lambda status: status.connected)
    with pytest.raises(ScoreboardError, match=r"cannot store a layout; .*dicetray flash"):
        host.store_layout(code)
    host = connect(start(settings={"ROTATION": 0}))
    host.wait(lambda status: status.connected)
    with pytest.raises(ScoreboardError, match=r"local_config\.py says"):
        host.store_layout(code)
    full = start(state=tmp_path / "flash")
    (tmp_path / "flash" / "layout.py.new").mkdir()
    host = connect(full)
    host.wait(lambda status: status.connected)
    with pytest.raises(ScoreboardError, match="could not store"):
        host.store_layout(code)


@pytest.mark.parametrize("power", [True, False])
def test_the_cable_is_pulled_and_put_back(start: Start, connect: Connect, power: bool) -> None:
    board = start()
    host = connect(board)
    host.show(A)
    board.wait(shows(A))
    for round_number in range(3):
        board.unplug(power=power)
        host.wait(lambda status: not status.connected)
        board.wait(shows(Picture()) if power else no_link)
        picture = Picture(bytes([round_number + 1]) * 128)
        host.show(picture)
        board.plug()
        board.wait(shows(picture))
    status = host.wait(lambda status: status.connected)
    assert status.reboots == (3 if power else 0)
    assert status.opened >= 4


def test_a_missing_board_is_named_and_found_later(start: Start, connect: Connect) -> None:
    board = start(plugged=False)
    host = connect(board)
    host.show(A)
    status = host.wait(lambda status: "there is no port" in status.reason)
    assert status.state is LinkState.CLOSED
    board.plug()
    board.wait(shows(A))


def test_a_firmware_that_is_killed_and_started_gets_everything_again(
    start: Start, connect: Connect
) -> None:
    board = start()
    host = connect(board)
    host.set_brightness(1)
    host.show(A)
    board.wait(lambda lights: lights.data == A.data and set(lights.intensity) == {1})
    board.kill()
    assert board.lights().data == A.data
    host.wait(lambda status: not status.connected)
    board.lose_registers()
    board.reboot()
    board.wait(lambda lights: lights.data == A.data and set(lights.intensity) == {1})
    assert host.wait(lambda status: status.connected).reboots == 1


def test_a_quick_reboot_is_noticed_by_the_boot_counter(start: Start, connect: Connect) -> None:
    board = start()
    host = connect(board)
    host.show(A)
    board.wait(shows(A))
    board.reboot()
    host.wait(lambda status: status.reboots == 1 and status.connected)
    board.wait(shows(A))
    assert not board.interrupted


def test_the_boot_counter_lives_in_the_boards_file_system(
    start: Start, connect: Connect, tmp_path: Path
) -> None:
    for count in (1, 2, 3):
        board = start(state=tmp_path)
        host = connect(board)
        hello = host.wait(lambda status: status.connected).hello
        assert hello is not None
        assert hello.boot == count
        host.close()
        board.close()


def test_a_reboot_under_pictures_full_of_interrupt_bytes_heals(
    start: Start, connect: Connect
) -> None:
    board = start()
    host = connect(board)
    for round_number in range(6):
        for n in range(20):
            host.show(THREES if n % 2 else A)
        board.reboot()
        picture = Picture(bytes([3, round_number]) * 64)
        host.show(picture)
        board.wait(shows(picture))


def test_an_interrupted_firmware_is_started_again(start: Start, connect: Connect) -> None:
    board = start()
    descriptor = os.open(board.device, os.O_RDWR | os.O_NOCTTY)
    try:
        said = b"\0"
        while b">>> " not in said:
            # Writing to a board that is not ready ends its program, as Ctrl-C does.
            board.reboot()
            os.write(descriptor, b"\x03")
            said = os.read(descriptor, 4096)
    finally:
        os.close(descriptor)
    assert board.interrupted
    host = connect(board)
    host.show(B)
    board.wait(shows(B))


@pytest.fixture
def older_firmware(tmp_path: Path) -> Path:
    folder = tmp_path / "older"
    shutil.copytree(micropython.FIRMWARE_FOLDER, folder)
    framing = folder / "framing.py"
    text = framing.read_text()
    framing.write_text(text.replace("PROTOCOL_MINOR = 2", "PROTOCOL_MINOR = 1"))
    board = folder / "board.py"
    text = board.read_text()
    board.write_text(text.replace("SERVICE, FAREWELL)", "SERVICE)"))
    return folder


@pytest.fixture
def later_firmware(tmp_path: Path) -> Path:
    folder = tmp_path / "firmware"
    shutil.copytree(
        micropython.FIRMWARE_FOLDER, folder, ignore=shutil.ignore_patterns("__pycache__", "*.mpy")
    )
    return folder


def test_another_major_version_is_refused_until_it_is_flashed(
    start: Start, connect: Connect, later_firmware: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    path = later_firmware / "framing.py"
    good = path.read_text()
    path.write_text(good.replace("PROTOCOL_MAJOR = 1", "PROTOCOL_MAJOR = 9"))
    board = start(firmware=later_firmware)
    host = connect(board)
    host.show(A)
    status = host.wait(lambda status: status.state is LinkState.REFUSED)
    assert "protocol 9.2, 1.x is needed" in status.reason
    assert "flash" in status.reason
    assert caplog.messages.count(status.reason) == 1
    board.wait(no_link)
    path.write_text(good)
    board.reboot()
    board.wait(shows(A))
    assert host.wait(lambda status: status.connected).reason == ""
    assert "is linked, firmware 1.0.0" in caplog.messages[-1]


def test_another_size_is_refused(start: Start, connect: Connect) -> None:
    board = start(settings={"COLUMNS": 4})
    host = connect(board)
    assert "32x16" in host.wait(lambda status: status.state is LinkState.REFUSED).reason


def test_a_foreign_device_is_named(stack: ExitStack, caplog: pytest.LogCaptureFixture) -> None:
    near, far = pty.openpty()
    stack.callback(os.close, near)
    stack.callback(os.close, far)
    tty.setraw(far)
    host = SerialScoreboard(os.ttyname(far), timing=TIMING, backoff=BACKOFF())
    stack.enter_context(closing(host))
    host.show(A)
    os.set_blocking(near, False)
    host.wait(lambda status: status.state is LinkState.LISTENING)
    os.write(near, b"$GPGGA,092750.000,5321.6802,N\r\n" * 3)
    host.wait(lambda status: "not a scoreboard" in status.reason)
    # Nothing was sent to it except one line ending.
    assert os.read(near, 100) == b"\r"
    [said] = caplog.messages
    assert "not a scoreboard's firmware: check the port's name, or flash" in said


def test_a_pico_in_its_boot_loader_is_named_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(usb, "devices", lambda root: (usb.UsbDevice("2e8a", "0003"),))
    tries: list[str] = []

    def opener(path: str) -> Port:
        tries.append(path)
        return open_port(path)

    backoff = Backoff(first=0.001, cap=0.001)
    with closing(SerialScoreboard(str(tmp_path / "none"), backoff=backoff, opener=opener)):
        wait_until(lambda: len(tries) > 5)
    [said, *rest] = caplog.messages
    assert "a Pico is in its boot loader (RP2040)" in said
    assert "run `dicetray flash`" in said
    assert rest == []


def test_two_hosts_do_not_mix(start: Start, connect: Connect) -> None:
    board = start()
    first = connect(board)
    first.show(A)
    board.wait(shows(A))
    second = connect(board)
    second.show(B)
    second.wait(lambda status: "another program" in status.reason)
    assert board.lights().data == A.data
    first.close()
    board.wait(shows(B))


def test_a_flood_of_noise_ends_and_the_picture_is_right(start: Start, connect: Connect) -> None:
    flood = [0]

    def noise(data: bytes) -> bytes:
        flood[0] += 1
        return data if flood[0] > 100 else b"\x03\x00\xff\x05noise\x00" * 100 + data

    board = start(to_board=noise)
    host = connect(board)
    host.show(A)
    board.wait(shows(A))
    for n in range(120):
        picture = Picture(bytes([n]) * 128)
        host.show(picture)
        host.wait(lambda status, n=n: status.shown > n)  # type: ignore[misc]
    board.wait(shows(picture))


def test_noise_from_the_board_is_counted_and_does_no_harm(start: Start, connect: Connect) -> None:
    board = start()
    host = connect(board)
    host.show(A)
    board.wait(shows(A))
    board.say(b"\x00\x07garbage\x00" * 50)
    host.wait(lambda status: status.damaged >= 50)
    host.show(B)
    board.wait(shows(B))


def test_chips_that_forget_are_set_again(start: Start, connect: Connect) -> None:
    board = start()
    host = connect(board)
    host.show(A)
    board.wait(shows(A))
    for chips in ((), (0,), (7, 8, 15)):
        board.lose_registers(*chips)
        board.wait(lambda lights: lights.data == A.data and not lights.dark)


def test_a_hanging_firmware_is_reset_by_its_watchdog(start: Start, connect: Connect) -> None:
    board = start(settings={"WATCHDOG_MS": 300})
    host = connect(board)
    host.show(A)
    board.wait(shows(A))
    board.freeze()
    host.show(B)
    board.wait(shows(B))
    assert board.resets == 1
    assert host.wait(lambda status: status.connected).reboots == 1


def test_a_board_that_does_not_read_never_blocks_and_gets_the_newest(
    start: Start, connect: Connect
) -> None:
    seen: list[bytes] = []
    board = start(
        settings={"WATCHDOG_MS": 0},
        on_latch=lambda chain: seen.append(chain.chips[0].digits[0:1]),
    )
    host = connect(board)
    host.show(A)
    board.wait(shows(A))
    board.freeze()
    for n in range(1000):
        host.show(Picture(bytes([n % 200]) + bytes(127)))
    host.show(B)
    board.reboot()
    seen.clear()
    board.wait(shows(B))
    # Of the thousand, only the few in transit when the board hung came through.
    assert len({bytes(value) for value in seen}) < 10


def test_brightness_goes_through_and_is_bounded(start: Start, connect: Connect) -> None:
    board = start(settings={"CURRENT_LIMIT_MA": 100_000, "FADE_MS": 1})
    host = connect(board)
    host.show(A)
    for asked, got in ((7, 7), (15, 10), (0, 0)):
        host.set_brightness(asked)
        board.wait(lambda lights, got=got: set(lights.intensity) == {got})  # type: ignore[misc]
    with pytest.raises(ValueError, match="0 to 15"):
        host.set_brightness(16)


def test_close_ends_the_thread_and_frees_the_port(start: Start, connect: Connect) -> None:
    board = start()
    host = connect(board)
    host.wait(lambda status: status.connected)
    host.close()
    host.close()
    host.show(A)
    assert host.status.state is LinkState.CLOSED
    other = connect(board)
    other.wait(lambda status: status.connected)


def service(board: FaultyBoard, where: str) -> subprocess.CompletedProcess[str]:
    script = ROOT / "scripts" / "hardware" / "board_service.py"
    return subprocess.run(
        [sys.executable, str(script), board.device, where],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_the_way_back_to_the_repl_is_open_once(start: Start, connect: Connect) -> None:
    board = start()
    host = connect(board)
    host.show(A)
    board.wait(shows(A))
    assert "another program" in service(board, "repl").stderr
    host.close()
    assert service(board, "repl").returncode == 0
    wait_until(lambda: board.starts == 2 and not board.running)
    assert board.errors() == ""
    board.reboot()
    connect(board).show(B)
    board.wait(shows(B))


def test_the_way_to_the_boot_loader(start: Start, connect: Connect) -> None:
    board = start()
    board.wait(no_link)
    assert service(board, "bootloader").returncode == 0
    wait_until(lambda: not board.running)
    assert board.starts == 1


def wait_until(condition: Callable[[], bool]) -> None:
    """For conditions that nothing reports: checks every few milliseconds, with a generous limit."""
    pause = select.poll()
    for _ in range(4000):
        if condition():
            return
        pause.poll(5)
    pytest.fail("not within twenty seconds")


def test_a_new_picture_never_waits_for_the_scoreboards_thread(tmp_path: Path) -> None:
    with closing(SerialScoreboard(str(tmp_path / "none"))) as board:
        # A pipe takes 64 KiB; a thread that stands still empties it no more.
        assert not os.get_blocking(board._wake_in)


def test_answers_are_waited_for_as_long_as_is_promised() -> None:
    answer = LinkTiming().answer
    assert serial_port._STORE_TRIES * answer == 2.0
    assert serial_port._FAREWELL_TRIES * answer == 1.0


@pytest.mark.parametrize(
    ("status", "objection"),
    [
        (Status(LinkState.LINKED, hello=Hello((1, 2), layout_from=LayoutFrom.DEFAULT)), ""),
        (Status(LinkState.LINKED, hello=Hello((1, 2), layout_from=LayoutFrom.STORED)), ""),
        (Status(LinkState.LINKED, hello=Hello((1, 2), layout_from=LayoutFrom.OWN)), "local_config"),
        (Status(LinkState.LINKED, hello=Hello((1, 1), "0.9.0")), "firmware 0.9.0 cannot store"),
        (
            Status(LinkState.CLOSED, "no port", Hello((1, 2), layout_from=LayoutFrom.STORED)),
            "not linked: no port",
        ),
        (Status(LinkState.LINKED), "not linked"),
    ],
)
def test_which_boards_can_be_told_a_layout(status: Status, objection: str) -> None:
    said = ""
    try:
        check_layout_can_be_stored(status)
    except ScoreboardError as error:
        said = str(error)
    assert objection in said
    assert bool(said) is bool(objection)


class ScriptedPort:
    """A port at which this is heard; by default nothing, as at the REPL of MicroPython."""

    def __init__(self, *heard: bytes) -> None:
        self.heard = list(heard)
        self.written = b""
        self.closed = False

    def fileno(self) -> int:
        return -1

    def read(self, size: int) -> bytes:
        return self.heard.pop(0) if self.heard else b""

    def write(self, data: bytes) -> int:
        self.written += data
        return len(data)

    def close(self) -> None:
        self.closed = True


def test_where_no_firmware_is_heard_nothing_is_written_and_nobody_is_asked() -> None:
    port, slept = ScriptedPort(), [0.0]
    asked = ask_firmware_to_exit(
        "/dev/ttyACM0",
        framing.SERVICE_REPL,
        seconds=3.0,
        opener=lambda _: port,
        clock=lambda: sum(slept),
        sleep=slept.append,
    )
    assert not asked
    assert port.written == b""
    assert port.closed
    assert 3.0 <= sum(slept) < 3.1


@pytest.mark.parametrize("wanted", [framing.SERVICE_REPL, framing.SERVICE_BOOTLOADER])
def test_a_firmware_that_is_heard_is_greeted_and_asked(wanted: bytes) -> None:
    frame = framing.encode(framing.PING, 7)
    port = ScriptedPort(b"", b"noise" + frame[:4], frame[4:])
    slept = [0.0]
    assert ask_firmware_to_exit(
        "/dev/ttyACM0",
        wanted,
        opener=lambda _: port,
        clock=lambda: sum(slept),
        sleep=slept.append,
    )
    assert port.heard == []
    assert port.closed
    versions = bytes((framing.PROTOCOL_MAJOR, framing.PROTOCOL_MINOR))
    assert port.written == (
        framing.encode(framing.HELLO_REQUEST, 0, versions)
        + framing.encode(framing.SERVICE, 1, wanted)
    )


def test_why_nobody_can_be_asked_is_said(tmp_path: Path) -> None:
    with pytest.raises(ScoreboardError, match="there is no port"):
        ask_firmware_to_exit(str(tmp_path / "none"), framing.SERVICE_REPL)


def test_a_port_that_vanishes_while_a_firmware_is_listened_for_is_named_and_closed() -> None:
    class Vanishing(ScriptedPort):
        def read(self, size: int) -> bytes:
            raise OSError("no such device")

    port = Vanishing()
    with pytest.raises(ScoreboardError, match="ttyACM0 is gone: no such device"):
        ask_firmware_to_exit("/dev/ttyACM0", framing.SERVICE_REPL, opener=lambda _: port)
    assert port.closed
