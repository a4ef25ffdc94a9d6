#!/usr/bin/env python3
"""Checks the firmware on the real chip's MicroPython in an emulator; not part of the test run.

    .venv/bin/python tests/lab/check_pico.py LAB [--pictures 300]

LAB: see emulator.py. The emulated chip's flash is writable and survives resets, so that the boot
counter and `dicetray flash` are checked too. It prints one line per check; exit status 1 if any
fails. Waiting times are many times those for a real board: the emulator is slower.
"""

import argparse
import os
import random
import select
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from appliance.devices.flash.layouts import DEFAULT_LAYOUT, LAYOUTS
from appliance.devices.flash.package import Package
from appliance.devices.flash.pico import flash
from appliance.devices.scoreboard import LayoutFrom, SerialScoreboard, Status
from appliance.devices.scoreboard.link import LinkTiming
from appliance.errors import ApplianceError
from appliance.picture import Picture
from simulator.pico.max7219 import Lights
from tests.lab.emulator import Emulator
from tests.rigs.faulty_board import FaultyBoard

SLOW = LinkTiming(greeting=2, answer=3, repeat=4, ping=0.8, silence=10, no_firmware=60, prompt=40)
MAX_WAIT_S = 90.0
_ROW = "...........#...#..###........#......###..#...#.#...#............"


class Checks:
    """Runs checks and prints the result of each."""

    def __init__(self) -> None:
        self.failed = 0

    def __call__(self, name: str, check: Callable[[], str]) -> None:
        """Runs one check, which returns what it saw, or raises."""
        start = time.monotonic()
        try:
            said, mark = check(), "OK"
        except (TimeoutError, AssertionError, ApplianceError) as error:
            self.failed += 1
            said, mark = str(error), "FAILED"
        print(f"{mark:<7}{name}: {said} ({time.monotonic() - start:.1f} s)", flush=True)


def expect(condition: bool, text: str) -> None:
    if not condition:
        raise AssertionError(text)


def linked(board: FaultyBoard) -> tuple[SerialScoreboard, Status]:
    host = SerialScoreboard(board.device, timing=SLOW)
    return host, host.wait(lambda status: status.connected, MAX_WAIT_S)


def shows(data: bytes) -> Callable[[Lights], bool]:
    return lambda lights: lights.data == data


def free(board: FaultyBoard) -> tuple[int, int]:
    """Free bytes and boot counter, from a fresh HELLO."""
    host, status = linked(board)
    host.close()
    expect(status.hello is not None, "no HELLO")
    return (status.hello.free, status.hello.boot) if status.hello else (0, 0)


def working(lab: Path, count: int, check: Checks) -> None:
    """A Pico with the firmware in its flash."""
    state = Path(tempfile.mkdtemp(prefix="dicetray-lab-"))
    chance = random.Random(5)
    with FaultyBoard(
        interpreter=Emulator.at(lab), state=state, settings={"CURRENT_LIMIT_MA": 3500}
    ) as board:

        def hello() -> str:
            host, status = linked(board)
            host.close()
            package = Package.from_folder()
            expect(
                status.hello is not None and status.hello.build == package.build,
                f"expected build {package.build}, got {status.hello}",
            )
            return str(status.hello)

        def pictures() -> str:
            host, _ = linked(board)
            with closing(host):
                times = []
                for n in range(count):
                    data = bytes([3]) * 128 if n == 1 else chance.randbytes(128)
                    start = time.monotonic()
                    host.show(Picture(data))
                    lights = board.wait(shows(data), MAX_WAIT_S)
                    times.append(time.monotonic() - start)
                    expect(lights.dark == lights.testing == 0, "a chip is dark or testing")
                status = host.status
            middle = sorted(times)[len(times) // 2]
            return (
                f"{count} pictures, decoded from the SPI bytes, all right; "
                f"{1000 * middle:.0f} ms each here; repeats {status.repeats}, "
                f"damaged {status.damaged}, brightness {status.brightness}"
            )

        def no_link() -> str:
            board.wait(lambda lights: _ROW in lights.rows(), MAX_WAIT_S)
            return "shown after the host had gone"

        check("HELLO", hello)
        check("pictures", pictures)
        check("NO LINK", no_link)

        def heap() -> str:
            before, _ = free(board)
            pictures()
            after, boot = free(board)
            expect(abs(before - after) < 256, f"{before} bytes free, then {after}")
            return f"{before} bytes free, {after} after {count} more pictures, start {boot}"

        def registers() -> str:
            host, _ = linked(board)
            with closing(host):
                picture = Picture(chance.randbytes(128))
                host.show(picture)
                board.wait(lambda lights: lights.data == picture.data, MAX_WAIT_S)
                board.lose_registers(2, 9, 15)
                board.wait(
                    lambda lights: lights.data == picture.data and not lights.dark, MAX_WAIT_S
                )
            return "three chips lost their memory and have it again"

        def starts() -> str:
            _, first = free(board)
            reset(board)
            _, second = free(board)
            expect(second == first + 1, f"start {first}, then {second}")
            return f"start {first}, after a reset {second}: the counter is in the flash"

        def layout() -> str:
            generic, usual = LAYOUTS["generic"].code(), LAYOUTS[DEFAULT_LAYOUT].code()
            picture = Picture(chance.randbytes(128))
            host, status = linked(board)
            with closing(host):
                host.show(picture)
                host.store_layout(generic)
                board.wait(lambda lights: lights.data != picture.data, MAX_WAIT_S)
            reset(board)
            host, status = linked(board)
            with closing(host):
                expect(
                    status.hello is not None
                    and (status.hello.layout_from, status.hello.layout)
                    == (LayoutFrom.STORED, generic),
                    f"after a reset it says {status.hello}",
                )
                host.store_layout(usual)
                host.show(picture)
                board.wait(shows(picture.data), MAX_WAIT_S)
            return "stored in the flash, there after a reset, replaced by another"

        def farewell() -> str:
            host, _ = linked(board)
            host.show(Picture(bytes([3]) * 128))
            board.wait(shows(bytes([3]) * 128), MAX_WAIT_S)
            host.say_farewell()
            host.close()
            board.wait(shows(bytes(128)), MAX_WAIT_S)
            time.sleep(20)
            expect(board.lights().data == Picture().data, "it did not stay dark")
            return "dark instead of NO LINK"

        check("layout", layout)
        check("farewell", farewell)
        check("heap", heap)
        check("lost registers", registers)
        check("boot counter", starts)


def reset(board: FaultyBoard) -> None:
    """A reset from outside: the emulator saves the flash, and the board starts again."""
    run = board._processor.run
    if run is not None:
        run.process.terminate()
    time.sleep(6)


def flashing(lab: Path, check: Checks) -> None:
    """A Pico with MicroPython and an empty file system."""
    with FaultyBoard(interpreter=Emulator.at(lab, empty=True)) as board:

        def put() -> str:
            # A byte 03 must not be sent before MicroPython is up.
            descriptor = os.open(board.device, os.O_RDWR | os.O_NOCTTY)
            expect(b"up" in os.read(descriptor, 100), "MicroPython does not start")
            os.close(descriptor)
            done = flash(
                board.device,
                Package.from_folder(),
                to_repl=lambda port, wanted: False,
                report=lambda line: print("      ", line, flush=True),
                timeout=MAX_WAIT_S,
            )
            return str(done)

        check("dicetray flash with mpremote", put)


def bench(lab: Path, check: Checks) -> None:
    """A Pico that measures itself instead of being a scoreboard."""
    folder = Path(tempfile.mkdtemp(prefix="dicetray-lab-"))
    for name, content in Package.from_folder().files.items():
        (folder / name).write_bytes(content)
    shutil.copy(Path(__file__).with_name("bench_firmware.py"), folder / "main.py")

    def measure() -> str:
        said = b""
        with FaultyBoard(interpreter=Emulator.at(lab), firmware=folder) as board:
            descriptor = os.open(board.device, os.O_RDWR | os.O_NOCTTY)
            while b"done" not in said:
                ready, _, _ = select.select([descriptor], [], [], MAX_WAIT_S)
                expect(bool(ready), f"it said no more than {said!r}")
                said += os.read(descriptor, 4096)
                if said.endswith(b"send bytes\r\n"):
                    os.write(descriptor, b"x" * 200)
            os.close(descriptor)
        return "by its own clock\n" + said.decode().replace("\r", "").replace("done\n", "")

    check("speed", measure)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("lab", type=Path)
    parser.add_argument("--pictures", type=int, default=300)
    parser.add_argument("--only", choices=("work", "flash", "bench"))
    options = parser.parse_args()
    check = Checks()
    if options.only in (None, "work"):
        working(options.lab, options.pictures, check)
    if options.only in (None, "flash"):
        flashing(options.lab, check)
    if options.only in (None, "bench"):
        bench(options.lab, check)
    return int(check.failed > 0)


if __name__ == "__main__":
    sys.exit(main())
