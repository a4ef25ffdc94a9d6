"""The simulated board's processor, which resets as a Pico would, and its display."""

import contextlib
import os
import select
import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from simulator.pico.max7219 import ChipChain, Lights
from simulator.pico.micropython import Interpreter
from simulator.pico.pico import Firmware, PinRecord, PinStream


class Display:
    """The chain of chips, written by one thread and watched by any."""

    def __init__(self, chain: ChipChain) -> None:
        self._chain = chain
        self._changed = threading.Condition()
        self._cached_lights: Lights | None = None

    def lights(self) -> Lights:
        """The lights that are on now."""
        with self._changed:
            if self._cached_lights is None:
                self._cached_lights = self._chain.lights()
            return self._cached_lights

    def wait(self, condition: Callable[[Lights], bool], timeout: float) -> Lights:
        """Waits until the lights fulfil a condition and returns them.

        Raises:
            TimeoutError: they have not within `timeout` seconds.
        """
        end = time.monotonic() + timeout
        with self._changed:
            while not condition(lights := self.lights()):
                left = end - time.monotonic()
                if left <= 0 or not self._changed.wait(left):
                    rows = "\n".join(lights.rows())
                    raise TimeoutError(f"not within {timeout} s; the board shows\n{rows}")
            return lights

    def take_pin_records(self, records: Iterable[PinRecord]) -> list[PinRecord]:
        """Shifts and latches what the pins say; returns the records that are not for the chips."""
        others = []
        latched = False
        with self._changed:
            for record in records:
                if record.kind == "S":
                    self._chain.shift(record.data)
                elif record.kind != "C":
                    others.append(record)
                elif record.data == b"\x01":
                    self._chain.latch()
                    latched = True
            if latched:
                self._cached_lights = None
                self._changed.notify_all()
        return others


# A Pico that has not armed its watchdog yet is not reset.
_NEVER_RESET_S = float("inf")
# Bytes that may wait for the firmware; beyond that the host's writes wait too, as over USB.
_MAX_PENDING_BYTES = 2048


class Processor:
    """Runs of the firmware, one after another, with a watchdog; not thread-safe.

    Attributes:
        run: the running firmware; None once it was stopped or has ended.
        starts: how often the firmware was started.
        resets: how often the watchdog has reset it.
        ready: whether the firmware has output anything.
        interrupted: a byte 0x03 came before the firmware was ready and ended it.
    """

    def __init__(
        self,
        interpreter: Interpreter,
        firmware: Path,
        state: Path,
        environment: Mapping[str, str],
        display: Display,
        say: Callable[[bytes], None],
        repl: Sequence[str] = (),
    ) -> None:
        """Starts nothing yet; `SimulatedBoard` explains the arguments.

        `say` leads to the host, `repl` is run when main.py has ended.
        """
        self._interpreter = interpreter
        self._folder = firmware
        self._state = state
        self._environment = environment
        self._display = display
        self._send_to_host = say
        self._repl = repl
        self.starts = 0
        self.resets = 0
        self.interrupted = False
        self.run: Firmware | None = None
        self._stream = PinStream()
        self.ready = False
        self._in_repl = False
        self._pending = bytearray()
        self._watchdog_timeout_s = 0.0
        self._reset_at_s = _NEVER_RESET_S

    @property
    def full(self) -> bool:
        """True if so much waits for the firmware that the host has to wait too."""
        return len(self._pending) >= _MAX_PENDING_BYTES

    def boot(self) -> None:
        """Starts the firmware; restarts it if it is running."""
        self._start(())
        self.starts += 1

    def stop(self) -> None:
        """Ends the firmware; the chips keep what they show."""
        self._reset_at_s = _NEVER_RESET_S
        self._pending.clear()
        if self.run:
            self.run.end()
            self.run = None

    def take_from_host(self, data: bytes) -> None:
        """Takes what the host sends."""
        if self.run is None:
            if self.interrupted:
                self._answer_at_prompt(data)
        elif not self.ready and b"\x03" in data:
            # MicroPython takes it for Ctrl-C until main.py has turned that off.
            self.stop()
            self.interrupted = True
            self._send_to_host(
                b"\r\nTraceback (most recent call last):\r\nKeyboardInterrupt: \r\n>>> "
            )
        else:
            self._pending += data

    def seconds_until_reset(self, now: float) -> float:
        """How long `work` may be put off at most, in seconds."""
        return max(0.0, self._reset_at_s - now)

    def register(self, poll: "select.poll") -> None:  # type: ignore[name-defined, unused-ignore]
        """Registers the events that `work` must be called for."""
        if sys.platform == "win32":
            raise OSError("Windows has no ports that a program can make")
        if run := self.run:
            poll.register(run.pins, select.POLLIN)
            poll.register(run.output, select.POLLIN)
            if self._pending and self.ready:
                poll.register(run.input, select.POLLOUT)

    def work(self, happened: Mapping[int, int]) -> None:
        """Carries bytes from and to the firmware, as many as will go."""
        if run := self.run:
            if happened.get(run.pins):
                self._read_pins(run)
            if self.run is run and happened.get(run.output):
                self._forward_output(run)
        if self.run and self._pending and self.ready:
            with contextlib.suppress(BlockingIOError, BrokenPipeError):
                del self._pending[: os.write(self.run.input, self._pending)]
        if time.monotonic() >= self._reset_at_s:
            self.resets += 1
            self.boot()

    def _start(self, command: Sequence[str]) -> None:
        self.stop()
        self._stream = PinStream()
        self.ready = False
        self.interrupted = False
        self._in_repl = bool(command)
        self.run = Firmware(
            self._interpreter, self._folder, self._state, self._environment, command
        )

    def _answer_at_prompt(self, data: bytes) -> None:
        if b"\x04" in data:
            self._send_to_host(b"\r\nMPY: soft reboot\r\n")
            self.boot()
        elif b"\r" in data:
            self._send_to_host(b"\r\n>>> ")

    def _forward_output(self, run: Firmware) -> None:
        data = os.read(run.output, 4096)
        if data:
            self.ready = True
            self._send_to_host(data)
            return
        # The chips carry on when a program ends.
        with contextlib.suppress(OSError):
            self._read_pins(run)
        if self.run is run:
            self._pending.clear()
            run.end()
            self.run = None
            if self._repl and not self._in_repl:
                self._start(self._repl)

    def _read_pins(self, run: Firmware) -> None:
        try:
            data = os.read(run.pins, 1 << 16)
        except BlockingIOError:
            return
        for record in self._display.take_pin_records(self._stream.feed(data)):
            self._handle_pin_record(record)

    def _handle_pin_record(self, record: PinRecord) -> None:
        match record.kind:
            case "W":
                self._watchdog_timeout_s = int.from_bytes(record.data, "little") / 1000
                self._reset_at_s = time.monotonic() + self._watchdog_timeout_s
            case "F":
                self._reset_at_s = time.monotonic() + self._watchdog_timeout_s
            case "R":
                self.boot()
            case "B":
                self.stop()
