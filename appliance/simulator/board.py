"""A scoreboard without a Pico: the real firmware, simulated pins, a serial port to open."""

import contextlib
import os
import queue
import select
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from appliance.errors import ScoreboardError
from appliance.simulator import micropython
from appliance.simulator.cable import Cable
from appliance.simulator.max7219 import Chain, Lights, Wiring
from appliance.simulator.pico import Firmware, PinRecord, PinStream

# A Pico that has not armed its watchdog yet is not reset.
_NEVER = float("inf")
# How often a port that nobody has open is looked at, in seconds.
_PORT_PERIOD = 0.02
# What may wait for the firmware; then the host's writes wait too, as USB makes them.
_TO_BOARD = 2048


class SimulatedBoard:
    """The firmware in a child process behind a pty; `lights` is what a viewer sees.

    A thread of its own carries the bytes, so a caller may look as rarely as it likes.
    Methods may be called from any thread.

    Attributes:
        device: path of the serial port; it exists while the board is plugged in.
        interpreter: what runs the firmware, with a sentence for people.
    """

    def __init__(
        self,
        *,
        interpreter: micropython.Interpreter | None = None,
        wiring: Wiring | None = None,
        settings: Mapping[str, object] | None = None,
        state: Path | None = None,
        firmware: Path = micropython.FIRMWARE,
        unique_id: str = "e660000000000001",
        to_board: Callable[[bytes], bytes] | None = None,
        to_host: Callable[[bytes], bytes] | None = None,
        on_latch: Callable[[Chain], None] | None = None,
        plugged: bool = True,
        repl: bool = False,
    ) -> None:
        """Starts the board.

        Args:
            interpreter: what runs the firmware; None finds one.
            wiring: how the modules are mounted; `settings` must tell the firmware the same.
            settings: names of firmware/config.py with other values.
            state: folder that is the Pico's file system; None is a new one that is thrown away.
            firmware: folder with main.py.
            unique_id: sixteen hexadecimal digits.
            to_board: changes what the host sends, to break it on purpose.
            to_host: the same for what the board sends.
            on_latch: called in the board's thread after every word that the chips took.
            plugged: whether the cable is in and the board has power.
            repl: give a REPL, as a Pico does, when main.py ends; needs real MicroPython.

        Raises:
            ScoreboardError: the firmware could not be started.
        """
        self.interpreter = interpreter or micropython.find()
        self._temporary = tempfile.TemporaryDirectory(prefix="dicetray-board-")
        self._state = state or Path(self._temporary.name) / "flash"
        self._state.mkdir(parents=True, exist_ok=True)
        lines = [f"{name} = {value!r}\n" for name, value in (settings or {}).items()]
        (self._state / "local_config.py").write_text("".join(lines))
        self._firmware = firmware
        self._environment = {"DICETRAY_BOARD_UID": unique_id}
        self._to_board = to_board
        self._to_host = to_host
        self._on_latch = on_latch
        self._repl = repl
        self._cable = Cable(Path(self._temporary.name) / "scoreboard")
        self.device = str(self._cable.path)
        self._chain = Chain(wiring)
        self._changed = threading.Condition()
        self._seen: Lights | None = None
        self._resets = 0
        self._starts = 0
        self._interrupted = False
        self._run: Firmware | None = None
        self._stream = PinStream()
        self._ready = False
        self._in_repl = False
        self._pending = bytearray()
        self._watchdog = 0.0
        self._bites = _NEVER
        self._closing = False
        self._orders: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._wake_out, self._wake_in = os.pipe()
        os.set_blocking(self._wake_in, False)
        try:
            if plugged:
                self._power_on()
        except OSError as error:
            self._temporary.cleanup()
            raise ScoreboardError(
                f"the simulated scoreboard does not start: {error}; expected a program that "
                f"runs firmware/main.py, found {self.interpreter.sentence}"
            ) from error
        self._thread = threading.Thread(target=self._work, name="simulated-board", daemon=True)
        self._thread.start()

    @classmethod
    def start(cls, **options: object) -> "SimulatedBoard":
        """The same as the constructor."""
        return cls(**options)  # type: ignore[arg-type]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # What a viewer sees.

    def lights(self) -> Lights:
        """What shines now."""
        with self._changed:
            if self._seen is None:
                self._seen = self._chain.lights()
            return self._seen

    def wait(self, condition: Callable[[Lights], bool], timeout: float = 20.0) -> Lights:
        """Waits until the lights fulfil a condition and returns them.

        Raises:
            TimeoutError: they have not within `timeout` seconds.
        """
        end = time.monotonic() + timeout
        with self._changed:
            while not condition(lights := self.lights()):
                left = end - time.monotonic()
                if left <= 0 or not self._changed.wait(left):
                    rows = "\n".join(lights.picture.rows())
                    raise TimeoutError(f"not within {timeout} s; the board shows\n{rows}")
            return lights

    @property
    def starts(self) -> int:
        """How often the firmware was started."""
        return self._starts

    @property
    def resets(self) -> int:
        """How often the watchdog has reset it."""
        return self._resets

    @property
    def interrupted(self) -> bool:
        """Whether a byte 0x03 came before the firmware was ready and ended it."""
        return self._interrupted

    @property
    def running(self) -> bool:
        """Whether the firmware runs."""
        run = self._run
        return run is not None and run.running

    def errors(self) -> str:
        """What the firmware's interpreter wrote to its standard error."""
        path = self._state / "stderr.txt"
        return path.read_text(errors="replace") if path.exists() else ""

    # What may happen to a board.

    def kill(self) -> None:
        """Ends the firmware; the port stays and the lights keep what they show."""
        self._do(self._stop)

    def reboot(self) -> None:
        """Resets the Pico while the port stays, as on a UART."""
        self._do(self._boot)

    def freeze(self) -> None:
        """Makes the firmware hang; its watchdog will bite."""

        def freeze() -> None:
            if self._run:
                self._run.freeze()

        self._do(freeze)

    def thaw(self) -> None:
        """Lets a firmware that hangs go on where it was."""

        def thaw() -> None:
            if self._run:
                self._run.thaw()

        self._do(thaw)

    def unplug(self, *, power: bool = True) -> None:
        """Pulls the cable; with `power` the board loses its supply too."""

        def unplug() -> None:
            self._cable.unplug()
            if power:
                self._stop()
                self._chain.power_up()
                self._touch()

        self._do(unplug)

    def plug(self) -> None:
        """Puts the cable back: the port returns under the same path; a dead board starts."""

        def plug() -> None:
            self._cable.plug()
            if self._run is None:
                self._boot()

        self._do(plug)

    def lose_registers(self, *chips: int) -> None:
        """A dip of the supply: these chips, or all, forget everything."""

        def lose() -> None:
            self._chain.power_up(chips or None)
            self._touch()

        self._do(lose)

    def say(self, data: bytes) -> None:
        """Sends bytes to the host as if the board had said them."""
        self._do(lambda: self._cable.send(data))

    def hear(self, data: bytes) -> bool:
        """Gives bytes to the board as if the host had said them; False if it is behind."""
        taken: list[bool] = []

        def hear() -> None:
            taken.append(self._ready and self._run is not None and len(self._pending) < _TO_BOARD)
            if taken[0]:
                self._pending += data

        self._do(hear)
        return taken[0]

    def close(self) -> None:
        """Ends the firmware and removes the port; a second call does nothing."""
        if self._closing:
            return
        self._closing = True
        self._wake()
        self._thread.join()
        self._stop()
        self._cable.unplug()
        os.close(self._wake_in)
        os.close(self._wake_out)
        self._temporary.cleanup()

    # The board's own thread.

    def _do(self, order: Callable[[], None]) -> None:
        if self._closing:
            raise ScoreboardError("the simulated scoreboard is closed")
        done = threading.Event()
        errors: list[OSError] = []

        def run() -> None:
            try:
                order()
            except OSError as error:
                errors.append(error)
            finally:
                done.set()

        self._orders.put(run)
        self._wake()
        done.wait()
        if errors:
            raise errors[0]

    def _wake(self) -> None:
        with contextlib.suppress(BlockingIOError):
            os.write(self._wake_in, b"x")

    def _power_on(self) -> None:
        self._cable.plug()
        self._boot()

    def _boot(self) -> None:
        self._start(())
        self._starts += 1

    def _start(self, command: Sequence[str]) -> None:
        self._stop()
        self._stream = PinStream()
        self._ready = False
        self._interrupted = False
        self._in_repl = bool(command)
        self._run = Firmware(
            self.interpreter, self._firmware, self._state.resolve(), self._environment, command
        )

    def _stop(self) -> None:
        self._bites = _NEVER
        self._pending.clear()
        if self._run:
            self._run.end()
            self._run = None

    def _touch(self) -> None:
        with self._changed:
            self._seen = None
            self._changed.notify_all()

    def _work(self) -> None:
        while not self._closing:
            self._turn()

    def _turn(self) -> None:
        run, cable = self._run, self._cable
        opened = cable.opened()
        poll = select.poll()
        poll.register(self._wake_out, select.POLLIN)
        if run:
            poll.register(run.pins, select.POLLIN)
            poll.register(run.output, select.POLLIN)
            if self._pending and self._ready:
                poll.register(run.input, select.POLLOUT)
        if opened:
            events = select.POLLIN if len(self._pending) < _TO_BOARD else 0
            poll.register(cable.master, events | (select.POLLOUT if cable.waiting else 0))
        wait = 1.0 if opened or cable.master < 0 else _PORT_PERIOD
        wait = min(wait, max(0.0, self._bites - time.monotonic()))
        happened = dict(poll.poll(int(wait * 1000) + 1))
        if happened.get(self._wake_out):
            os.read(self._wake_out, 64)
            while not self._orders.empty():
                self._orders.get()()
            return
        if run:
            if happened.get(run.pins):
                self._pins(run)
            if self._run is run and happened.get(run.output):
                self._from_board(run, opened)
        if opened:
            self._from_host(happened.get(cable.master, 0))
        elif cable.master >= 0:
            # What was written just before the port was closed still arrives.
            self._from_host(select.POLLIN)
        if self._run and self._pending and self._ready:
            with contextlib.suppress(BlockingIOError, BrokenPipeError):
                del self._pending[: os.write(self._run.input, self._pending)]
        if time.monotonic() >= self._bites:
            self._resets += 1
            self._boot()

    def _from_host(self, events: int) -> None:
        self._cable.flush()
        if not events & select.POLLIN or len(self._pending) >= _TO_BOARD:
            return
        data = self._cable.read()
        if not data:
            return
        if self._to_board:
            data = self._to_board(data)
        if self._run is None:
            if self._interrupted:
                self._at_the_prompt(data)
            return
        if not self._ready and b"\x03" in data:
            # MicroPython takes it for Ctrl-C until main.py has turned that off.
            self._stop()
            self._interrupted = True
            self._cable.send(
                b"\r\nTraceback (most recent call last):\r\nKeyboardInterrupt: \r\n>>> "
            )
            return
        self._pending += data

    def _at_the_prompt(self, data: bytes) -> None:
        if b"\x04" in data:
            self._cable.send(b"\r\nMPY: soft reboot\r\n")
            self._boot()
        elif b"\r" in data:
            self._cable.send(b"\r\n>>> ")

    def _from_board(self, run: Firmware, opened: bool) -> None:
        data = os.read(run.output, 4096)
        if not data:
            self._ended(run)
            return
        self._ready = True
        if self._to_host:
            data = self._to_host(data)
        if opened:
            self._cable.send(data)

    def _ended(self, run: Firmware) -> None:
        # The chips and the watchdog live on when a program ends.
        with contextlib.suppress(OSError):
            self._pins(run)
        if self._run is run:
            self._pending.clear()
            run.end()
            self._run = None
            if self._repl and not self._in_repl and (command := self.interpreter.repl()):
                self._start(command)

    def _pins(self, run: Firmware) -> None:
        try:
            data = os.read(run.pins, 1 << 16)
        except BlockingIOError:
            return
        latched = False
        with self._changed:
            for record in self._stream.feed(data):
                latched |= self._pin(record)
            if latched:
                self._seen = None
                self._changed.notify_all()

    def _pin(self, record: PinRecord) -> bool:
        match record.kind:
            case "S":
                self._chain.shift(record.data)
            case "C" if record.data == b"\x01":
                self._chain.latch()
                if self._on_latch:
                    self._on_latch(self._chain)
                return True
            case "W":
                self._watchdog = int.from_bytes(record.data, "little") / 1000
                self._bites = time.monotonic() + self._watchdog
            case "F":
                self._bites = time.monotonic() + self._watchdog
            case "R":
                self._orders.put(self._boot)
                self._wake()
            case "B":
                self._orders.put(self._stop)
                self._wake()
            case _:
                pass
        return False
