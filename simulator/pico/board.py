"""A scoreboard without a Pico: the real firmware, simulated pins, a serial port to open."""

import os
import select
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Self

from firmware import mounting
from simulator.pico import micropython
from simulator.pico.cable import Cable
from simulator.pico.max7219 import CHIP_COLUMNS, CHIP_ROWS, ChipChain, Lights
from simulator.pico.processor import Display, Processor

_PORT_CHECK_INTERVAL_S = 0.02
"""While nobody has the port open."""


OWNERS_LAYOUT = b"\x01\x03\x00\x00"
"""The default layout, in the four bytes of the link, as an owner stores it: four FC-16 strips in a
snake, the lower two upside down."""


class BoardError(OSError):
    """The simulated board does not start; says why, and what was expected."""


class SimulatedBoard:
    """The firmware in a child process behind a pty; `lights` is what a viewer sees.

    Its own thread carries the bytes, so a caller may look as rarely as it likes.
    Methods may be called from any thread.

    Attributes:
        device: path of the serial port; it exists while the board is plugged in.
        interpreter: what runs the firmware, with a sentence for people.
    """

    def __init__(
        self,
        *,
        interpreter: micropython.Interpreter | None = None,
        settings: Mapping[str, object] | None = None,
        state: Path | None = None,
        layout: bytes | None = OWNERS_LAYOUT,
        firmware: Path = micropython.FIRMWARE_FOLDER,
        repl: Sequence[str] = (),
        cable: Cable | None = None,
        chain: ChipChain | None = None,
    ) -> None:
        """Starts the board.

        Args:
            interpreter: what runs the firmware; None finds one.
            settings: values that replace those of these names in firmware/config.py.
            state: folder that serves as the Pico's file system; None makes a temporary one.
            layout: the layout that its owner has stored, in the four bytes of the link, unless
                `state` holds one; None for a board that was just flashed.
            firmware: folder with main.py.
            repl: command to run when main.py has ended.
            cable: leads to the host; None makes a new pty.
            chain: the chips that the firmware drives.

        Raises:
            BoardError: the firmware could not be started.
        """
        self.interpreter = interpreter or micropython.find_interpreter()
        self._temporary = tempfile.TemporaryDirectory(prefix="dicetray-board-")
        self._state = state or Path(self._temporary.name) / "flash"
        self._state.mkdir(parents=True, exist_ok=True)
        lines = [f"{name} = {value!r}\n" for name, value in (settings or {}).items()]
        (self._state / "local_config.py").write_text("".join(lines))
        stored = self._state / mounting.LAYOUT_FILE
        if layout is not None and not stored.exists():
            mounting.store(mounting.Mounting(layout, CHIP_COLUMNS, CHIP_ROWS), str(stored))
        self._cable = cable or Cable(Path(self._temporary.name) / "scoreboard")
        self.device = str(self._cable.path)
        self._environment: dict[str, str] = {}
        self._display = Display(chain or ChipChain())
        self._processor = Processor(
            self.interpreter,
            firmware,
            self._state.resolve(),
            self._environment,
            self._display,
            self._send_to_host,
            repl,
        )
        self._closing = False
        self._woken, self._wake = os.pipe()
        self._thread = threading.Thread(
            target=self._run_thread, name="simulated-board", daemon=True
        )
        try:
            with ExitStack() as undoing:
                # Also after a signal: its firmware would outlive the program.
                undoing.callback(self.close)
                self._power_on()
                self._thread.start()
                undoing.pop_all()
        except OSError as error:
            raise BoardError(
                f"the simulated scoreboard does not start: {error}; expected a program that "
                f"runs firmware/main.py, found {self.interpreter.sentence}"
            ) from error

    def _power_on(self) -> None:
        self._cable.plug()
        self._processor.boot()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def lights(self) -> Lights:
        """The lights that are on now."""
        return self._display.lights()

    def wait(self, condition: Callable[[Lights], bool], timeout: float = 20.0) -> Lights:
        """Waits until the lights fulfil a condition and returns them.

        Raises:
            TimeoutError: they have not within `timeout` seconds.
        """
        return self._display.wait(condition, timeout)

    def close(self) -> None:
        """Ends the firmware and removes the port; a second call does nothing."""
        if self._closing:
            return
        self._closing = True
        os.write(self._wake, b"x")
        if self._thread.is_alive():
            self._thread.join()
        self._processor.stop()
        self._cable.unplug()
        os.close(self._wake)
        os.close(self._woken)
        self._temporary.cleanup()

    # The board's own thread.

    def _run_thread(self) -> None:
        while not self._closing:
            self._handle_events()

    def _handle_events(self) -> None:
        if sys.platform == "win32":
            raise OSError("Windows has no ports that a program can make")
        cable, processor = self._cable, self._processor
        opened = cable.opened()
        poll = select.poll()
        poll.register(self._woken, select.POLLIN)
        processor.register(poll)
        if opened:
            events = 0 if processor.full else select.POLLIN
            poll.register(cable.master, events | (select.POLLOUT if cable.waiting else 0))
        wait = 1.0 if opened or cable.master < 0 else _PORT_CHECK_INTERVAL_S
        wait = min(wait, processor.seconds_until_reset(time.monotonic()))
        happened = dict(poll.poll(int(wait * 1000) + 1))
        if happened.get(self._woken):
            self._handle_wakeup()
            return
        if opened:
            self._read_from_host(happened.get(cable.master, 0))
        elif cable.master >= 0:
            # What was written just before the port was closed still arrives.
            self._read_from_host(select.POLLIN)
        processor.work(happened)

    def _handle_wakeup(self) -> None:
        """Clears what woke the thread."""
        os.read(self._woken, 64)

    def _read_from_host(self, events: int) -> None:
        if sys.platform == "win32":
            raise OSError("Windows has no ports that a program can make")
        self._cable.flush()
        if not events & select.POLLIN or self._processor.full:
            return
        if data := self._cable.read():
            self._pass_to_firmware(data)

    def _pass_to_firmware(self, data: bytes) -> None:
        self._processor.take_from_host(data)

    def _send_to_host(self, data: bytes) -> None:
        # Output is lost while nobody has the port open.
        if self._cable.opened():
            self._cable.send(data)
