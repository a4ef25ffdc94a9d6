"""The checks that check_usb.py runs in its virtual machine, as root.

The computer's side of the USB device is the kernel's cdc_acm driver and this program's host end, as
on a Raspberry Pi; the Pico's side is /dev/ttyGS0 and the firmware in MicroPython.
"""

import argparse
import importlib.util
import logging
import os
import random
import subprocess
import sys
import termios
import time
import tty
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from types import ModuleType

import serial

from appliance.devices.scoreboard import SerialScoreboard
from appliance.devices.scoreboard.serial_port import PORT_ERRORS
from appliance.errors import ApplianceError
from appliance.picture import Picture
from simulator.pico import micropython
from simulator.pico.cable import Cable
from tests.rigs.faulty_board import FaultyBoard

ROOT = Path(__file__).parents[2]
PORT = Path("/dev/dicetray-board")
"""The port's name in systemd/udev.rules, whatever number it has."""

MAX_WAIT_S = 40.0
# How the program is started here: it is copied, not installed.
DOCTOR = """
import importlib.metadata, sys
importlib.metadata.version = lambda name: "lab"
from appliance.cli import main
sys.exit(main())
"""


def load_gadget() -> ModuleType:
    """The module that makes, plugs and unplugs the USB device."""
    spec = importlib.util.spec_from_file_location("usb_pico", ROOT / "usb_pico.py")
    if spec is None or spec.loader is None:
        raise FileNotFoundError("usb_pico.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Gadget(Cable):
    """The Pico's end of a USB cable."""

    def __init__(self, device: ModuleType) -> None:
        super().__init__(PORT)
        self._device = device

    def plug(self) -> None:
        """Plugs the cable in; the kernel's two ends find each other."""
        if self.master >= 0:
            return
        self._device.plug()
        self.master = os.open("/dev/ttyGS0", os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        tty.setraw(self.master)
        termios.tcflush(self.master, termios.TCIOFLUSH)

    def unplug(self) -> None:
        """Unplugs it."""
        if self.master < 0:
            return
        self._device.unplug()
        os.close(self.master)
        self.master = -1
        self._waiting.clear()

    def opened(self) -> bool:
        """A Pico cannot tell whether its port is open either."""
        return self.master >= 0


class Checks:
    """Runs checks and prints the result of each."""

    def __init__(self) -> None:
        self.failed = 0

    def __call__(self, name: str, check: Callable[[], str]) -> None:
        """Runs one check, which returns what it saw, or raises."""
        try:
            said, mark = check(), "OK"
        except (TimeoutError, AssertionError, ApplianceError) as error:
            self.failed += 1
            said, mark = str(error), "FAILED"
        print(f"{mark:<7}{name}: {said}", flush=True)


def expect(condition: bool, text: str) -> None:
    if not condition:
        raise AssertionError(text)


def until(what: str, condition: Callable[[], bool]) -> float:
    """Polls for what nothing reports; returns the time when it became true."""
    end = time.monotonic() + MAX_WAIT_S
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(f"{what}: not within {MAX_WAIT_S} s")
        time.sleep(0.005)
    return time.monotonic()


def doctor(port: str = str(PORT)) -> str:
    """The report of `dicetray doctor` on the scoreboard."""
    done = subprocess.run(
        [sys.executable, "-c", DOCTOR, "doctor", "--only", "scoreboard", "--port", port],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
    )
    expect(done.stderr == "", done.stderr)
    return done.stdout.rstrip()


class Bench:
    """The board, the host, and somebody at the cable."""

    def __init__(self, gadget: ModuleType, second: float) -> None:
        """Takes the USB device, and how long a second is here."""
        self.second = second
        self.gadget = gadget
        self.chance = random.Random(6)
        self.board = FaultyBoard(
            interpreter=micropython.find_interpreter(),
            settings={"CURRENT_LIMIT_MA": 3500, "WATCHDOG_MS": 0},
            cable=Gadget(gadget),
            plugged=False,
        )

    def host(self) -> SerialScoreboard:
        host = SerialScoreboard(str(PORT))
        host.wait(lambda status: status.connected, MAX_WAIT_S)
        return host

    def shows(self, host: SerialScoreboard) -> float:
        """Shows a new picture; returns the time when it was there."""
        picture = Picture(self.chance.randbytes(128))
        host.show(picture)
        self.board.wait(lambda lights: lights.data == picture.data and not lights.dark, MAX_WAIT_S)
        return time.monotonic()

    # Checks.

    def hello(self) -> str:
        self.board.plug()
        until("the port", PORT.exists)
        until("its link by-id", lambda: any(Path("/dev/serial/by-id").glob("*")))
        names = ", ".join(path.name for path in Path("/dev/serial/by-id").glob("*"))
        with closing(self.host()) as host:
            return f"{PORT.resolve()}, by-id {names}; {host.status.hello}"

    def pictures(self, count: int = 60) -> str:
        times = []
        with closing(self.host()) as host:
            for _ in range(count):
                start = time.monotonic()
                times.append(self.shows(host) - start)
            status = host.status
        times.sort()
        return (
            f"{count}, all right, {1000 * times[count // 2]:.0f} ms each here, longest "
            f"{1000 * times[-1]:.0f} ms; repeats {status.repeats}, damaged {status.damaged}"
        )

    def pulls(self, rounds: int) -> str:
        """The cable is pulled; another program may hold the dead port and with it its number."""
        seen = []
        with closing(self.host()) as host:
            for number in range(rounds):
                self.shows(host)
                held = os.open(PORT, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK) if number % 2 else -1
                self.board.unplug(power=number % 3 != 2)
                host.wait(lambda status: not status.connected, MAX_WAIT_S)
                host.show(Picture(self.chance.randbytes(128)))
                time.sleep((0.1, 0.5, 2.0)[number % 3])
                self.board.plug()
                there = until("the port", PORT.exists)
                name = PORT.resolve().name
                took = self.shows(host) - there
                expect((name == "ttyACM0") == (held < 0), f"it came back as {name}")
                expect(took <= self.second, f"back after {took:.2f} s as {name}")
                power = "with" if number % 3 == 2 else "without"
                seen.append(f"{name} {took:.2f} s ({power} power)")
                if held >= 0:
                    # The next round starts with the first number again.
                    os.close(held)
                    self.board.unplug()
                    host.wait(lambda status: not status.connected, MAX_WAIT_S)
                    self.board.plug()
                    self.shows(host)
            return f"{rounds} times; the right picture after the port was there: " + ", ".join(seen)

    def errors(self) -> str:
        """The errors of a dead port that pyserial lets through."""
        port = serial.Serial(str(PORT), timeout=0, write_timeout=0.5)
        node = PORT.resolve()
        self.board.unplug()
        until("the port's end", lambda: not node.exists())
        said = []
        uses: dict[str, Callable[[], object]] = {
            "read": lambda: port.read(1),
            "write": lambda: port.write(b"x"),
            "in_waiting": lambda: port.in_waiting,
        }
        for name, use in uses.items():
            try:
                said.append(f"{name} gives {use()!r}")
            except Exception as error:
                expect(isinstance(error, PORT_ERRORS), f"{name} raises {error!r}")
                said.append(f"{name} raises {type(error).__name__}")
        with suppress(*PORT_ERRORS):
            port.close()
        self.board.plug()
        until("the port", PORT.exists)
        expect("in_waiting raises OSError" in said, f"in_waiting: {said}")
        return ", ".join(said) + ": all taken as the port's end"

    def hung(self) -> str:
        """The board does not read: the kernel's buffers fill up, and nothing may wait for them."""
        with closing(self.host()) as host:
            self.shows(host)
            self.board.freeze()
            longest = 0.0
            for number in range(600):
                start = time.monotonic()
                host.show(Picture(bytes([number % 250]) * 128))
                longest = max(longest, time.monotonic() - start)
                time.sleep(0.005)
            self.board.thaw()
            start = time.monotonic()
            took = self.shows(host) - start
        expect(took <= self.second, f"back after {took:.2f} s")
        expect(longest < 0.05 * self.second, f"a call of show took {longest:.3f} s")
        return (
            f"`show` took {1000 * longest:.1f} ms at most, the picture was back after {took:.2f} s"
        )

    def doctors(self) -> str:
        said = ["a good board:", doctor()]
        expect("OK     scoreboard's link" in said[-1], said[-1])
        self.board.unplug()
        said += ["no cable:", doctor()]
        expect("there is no port" in said[-1], said[-1])
        for names, port, words in (
            (("0x2e8a", "0x0003", "Raspberry Pi", "RP2 Boot"), str(PORT), "boot loader"),
            (("0x1546", "0x01a7", "u-blox", "GPS"), "/dev/ttyACM0", "u-blox GPS (1546:01a7)"),
        ):
            self.name(*names)
            # Nothing answers: the firmware is not started.
            self.gadget.plug()
            until("the port", Path("/dev/ttyACM0").exists)
            said += [f"{' '.join(names)}:", doctor(port)]
            expect(words in said[-1], said[-1])
            self.gadget.unplug()
            until("its end", lambda: not Path("/dev/ttyACM0").exists())
        self.name("0x2e8a", "0x0005", "MicroPython", "Board in FS mode")
        return "\n".join(["what it says of", *said])

    def name(self, vendor: str, product: str, maker: str, label: str) -> None:
        """Gives the USB device another identity."""
        folder = Path(self.gadget.G)
        (folder / "idVendor").write_text(vendor)
        (folder / "idProduct").write_text(product)
        (folder / "strings/0x409/manufacturer").write_text(maker)
        (folder / "strings/0x409/product").write_text(label)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--slowness", type=float, default=1.0)
    options = parser.parse_args()
    logging.basicConfig(format="       log: %(message)s", stream=sys.stdout)
    rules = Path("/etc/udev/rules.d/70-dicetray.rules")
    rules.write_bytes((ROOT / "systemd" / "udev.rules").read_bytes())
    subprocess.run(["udevadm", "control", "--reload"], check=True)
    bench = Bench(load_gadget(), options.slowness)
    print(f"{bench.board.interpreter.sentence}; {options.slowness:.1f} times slower than outside")
    check = Checks()
    with bench.board:
        check("HELLO", bench.hello)
        check("pictures", bench.pictures)
        check("pulled and plugged", lambda: bench.pulls(options.rounds))
        check("a dead port", bench.errors)
        check("a board that does not read", bench.hung)
        check("dicetray doctor", bench.doctors)
    return int(check.failed > 0)


if __name__ == "__main__":
    sys.exit(main())
