"""A simulated scoreboard that can suffer everything that a real one may."""

import os
import queue
import signal
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path

from appliance.errors import ScoreboardError
from simulator.pico import micropython
from simulator.pico.board import OWNERS_LAYOUT, SimulatedBoard
from simulator.pico.cable import Cable
from simulator.pico.max7219 import ChipChain

_REPL = Path(__file__).with_name("repl.py")


class _WatchedChain(ChipChain):
    """Reports every word that the chips take."""

    def __init__(self, on_latch: Callable[[ChipChain], None]) -> None:
        super().__init__()
        self._on_latch = on_latch

    def latch(self) -> None:
        super().latch()
        self._on_latch(self)


class FaultyBoard(SimulatedBoard):
    """A board that can be broken; methods may be called from any thread.

    Args:
        interpreter: what runs the firmware; None finds one.
        settings: other values for names of firmware/config.py.
        state: folder that serves as the Pico's file system; None for a temporary one.
        layout: the layout that its owner has stored, in the four bytes of the link; None
            for a board that was just flashed.
        firmware: folder with main.py.
        to_board: changes what the host sends, to break it on purpose.
        to_host: the same for what the board sends.
        chain: the chips; None for those that the firmware's default is for.
        on_latch: called in the board's thread after every word that the chips take.
        plugged: whether the cable is in and the board has power.
        repl: offer a REPL when main.py ends, as a Pico does; needs real MicroPython.
        cable: leads to the host; None for a new pty.
        turned_clock: allow `pass_time`, which makes the firmware a little slower.

    Raises:
        ScoreboardError: the firmware could not be started.
    """

    def __init__(
        self,
        *,
        interpreter: micropython.Interpreter | None = None,
        settings: Mapping[str, object] | None = None,
        state: Path | None = None,
        layout: bytes | None = OWNERS_LAYOUT,
        firmware: Path = micropython.FIRMWARE_FOLDER,
        to_board: Callable[[bytes], bytes] | None = None,
        to_host: Callable[[bytes], bytes] | None = None,
        chain: ChipChain | None = None,
        on_latch: Callable[[ChipChain], None] | None = None,
        plugged: bool = True,
        repl: bool = False,
        cable: Cable | None = None,
        turned_clock: bool = False,
    ) -> None:
        found = interpreter or micropython.find_interpreter()
        self._to_board = to_board
        self._to_host = to_host
        self._plugged = plugged
        self._turned_clock = turned_clock
        self._passed_ms = 0
        self._orders: queue.SimpleQueue[tuple[Callable[[], None], Future[None]]] = (
            queue.SimpleQueue()
        )
        super().__init__(
            interpreter=found,
            settings=settings,
            state=state,
            layout=layout,
            firmware=firmware,
            repl=[str(found.path), str(_REPL)] if repl and found.real else [],
            cable=cable,
            chain=_WatchedChain(on_latch) if on_latch else chain,
        )

    def _power_on(self) -> None:
        if self._turned_clock:
            self._environment["DICETRAY_BOARD_CLOCK"] = str(self._clock)
            self.pass_time(0.0)
        if self._plugged:
            super()._power_on()

    @property
    def _clock(self) -> Path:
        return Path(self._temporary.name) / "clock"

    @property
    def starts(self) -> int:
        """How often the firmware was started."""
        return self._processor.starts

    @property
    def resets(self) -> int:
        """How often the watchdog has reset it."""
        return self._processor.resets

    @property
    def interrupted(self) -> bool:
        """True if a byte 0x03 ended the firmware before it was ready."""
        return self._processor.interrupted

    @property
    def running(self) -> bool:
        """True while the firmware is running."""
        return self._processor.run is not None

    def errors(self) -> str:
        """The standard error of the firmware's interpreter."""
        path = self._state / "stderr.txt"
        return path.read_text(errors="replace") if path.exists() else ""

    def kill(self) -> None:
        """Ends the firmware; the port stays and the lights keep what they show."""
        self._do(self._processor.stop)

    def reboot(self) -> None:
        """Resets the Pico while the port stays, as on a UART."""
        self._do(self._processor.boot)

    def freeze(self) -> None:
        """Makes the firmware hang; its watchdog will bite."""
        self._do(lambda: self._signal(signal.SIGSTOP))

    def thaw(self) -> None:
        """Lets firmware that hangs resume where it was."""
        self._do(lambda: self._signal(signal.SIGCONT))

    def _signal(self, number: int) -> None:
        if run := self._processor.run:
            run.process.send_signal(number)

    def _power_up(self, chips: Sequence[int] | None) -> None:
        display = self._display
        with display._changed:
            display._chain.power_up(chips)
            display._cached_lights = None
            display._changed.notify_all()

    def unplug(self, *, power: bool = True) -> None:
        """Pulls the cable; with `power` the board loses its supply too."""

        def unplug() -> None:
            self._cable.unplug()
            if power:
                self._processor.stop()
                self._power_up(None)

        self._do(unplug)

    def plug(self) -> None:
        """Plugs the cable back in: the port returns under the same path; a dead board starts."""

        def plug() -> None:
            self._cable.plug()
            if self._processor.run is None:
                self._processor.boot()

        self._do(plug)

    def lose_registers(self, *chips: int) -> None:
        """A dip in the supply voltage: these chips, or all, forget everything."""
        self._do(lambda: self._power_up(chips or None))

    def pass_time(self, seconds: float) -> None:
        """Puts the firmware's clock forward; its watchdog does not notice."""
        self._passed_ms += round(1000 * seconds)
        # In place and in one go: the firmware keeps the file open.
        with self._clock.open("r+b" if self._clock.exists() else "wb") as file:
            file.write(self._passed_ms.to_bytes(8, "little"))

    def say(self, data: bytes) -> None:
        """Sends bytes to the host as if the board had sent them."""
        self._do(lambda: self._cable.send(data))

    def hear(self, data: bytes) -> bool:
        """Gives bytes to the board as if the host had sent them; False if it is behind."""
        taken: list[bool] = []

        def hear() -> None:
            processor = self._processor
            taken.append(processor.ready and processor.run is not None and not processor.full)
            if taken[0]:
                processor.take_from_host(data)

        self._do(hear)
        return taken[0]

    @contextmanager
    def still(self) -> Iterator[None]:
        """Inside of the block its thread does nothing; the firmware may go on."""
        reached, over = threading.Event(), threading.Event()

        def wait() -> None:
            reached.set()
            over.wait()

        self._orders.put((wait, Future()))
        os.write(self._wake, b"x")
        reached.wait()
        try:
            yield
        finally:
            over.set()

    # The board's own thread carries out the orders, between two of its waits.

    def _do(self, order: Callable[[], None]) -> None:
        if self._closing:
            raise ScoreboardError("the simulated scoreboard is closed")
        done: Future[None] = Future()
        self._orders.put((order, done))
        os.write(self._wake, b"x")
        done.result()

    def _handle_wakeup(self) -> None:
        super()._handle_wakeup()
        while not self._orders.empty():
            order, done = self._orders.get()
            try:
                order()
            except OSError as error:
                done.set_exception(error)
            else:
                done.set_result(None)

    def _pass_to_firmware(self, data: bytes) -> None:
        super()._pass_to_firmware(self._to_board(data) if self._to_board else data)

    def _send_to_host(self, data: bytes) -> None:
        super()._send_to_host(self._to_host(data) if self._to_host else data)
