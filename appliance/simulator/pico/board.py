"""A scoreboard without a Pico: the real firmware, simulated pins, a serial port to open."""

import select
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Self

from appliance.errors import ScoreboardError
from appliance.simulator.pico import micropython
from appliance.simulator.pico.cable import Cable
from appliance.simulator.pico.mailbox import Orders
from appliance.simulator.pico.max7219 import ChipChain, Lights, Wiring
from appliance.simulator.pico.processor import Processor
from appliance.simulator.pico.viewer import Display

# How often a port that nobody has open is looked at, in seconds.
_PORT_PERIOD = 0.02


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
        on_latch: Callable[[ChipChain], None] | None = None,
        plugged: bool = True,
        repl: bool = False,
        cable: Cable | None = None,
        turned_clock: bool = False,
    ) -> None:
        """Starts the board.

        Args:
            interpreter: what runs the firmware; None finds one.
            wiring: how the modules are mounted; `settings` must say the same to the firmware.
            settings: names of firmware/config.py with other values.
            state: folder that is the Pico's file system; None is a new one that is thrown away.
            firmware: folder with main.py.
            unique_id: sixteen hexadecimal digits.
            to_board: changes what the host sends, to break it on purpose.
            to_host: the same for what the board sends.
            on_latch: called in the board's thread after every word that the chips took.
            plugged: whether the cable is in and the board has power.
            repl: give a REPL, as a Pico does, when main.py ends; needs real MicroPython.
            cable: leads to the host; None is a new pty.
            turned_clock: `pass_time` can be called; the firmware is a little slower then.

        Raises:
            ScoreboardError: the firmware could not be started.
        """
        self.interpreter = interpreter or micropython.find()
        self._temporary = tempfile.TemporaryDirectory(prefix="dicetray-board-")
        self._state = state or Path(self._temporary.name) / "flash"
        self._state.mkdir(parents=True, exist_ok=True)
        lines = [f"{name} = {value!r}\n" for name, value in (settings or {}).items()]
        (self._state / "local_config.py").write_text("".join(lines))
        self._to_board = to_board
        self._to_host = to_host
        self._cable = cable or Cable(Path(self._temporary.name) / "scoreboard")
        self.device = str(self._cable.path)
        self._display = Display(wiring, on_latch)
        environment = {"DICETRAY_BOARD_UID": unique_id}
        self._clock = Path(self._temporary.name) / "clock"
        self._passed_ms = 0
        if turned_clock:
            environment["DICETRAY_BOARD_CLOCK"] = str(self._clock)
            self.pass_time(0.0)
        self._processor = Processor(
            self.interpreter,
            firmware,
            self._state.resolve(),
            environment,
            self._display,
            self._said,
            repl,
        )
        try:
            if plugged:
                self._cable.plug()
                self._processor.boot()
        except OSError as error:
            self._temporary.cleanup()
            raise ScoreboardError(
                f"the simulated scoreboard does not start: {error}; expected a program that "
                f"runs firmware/main.py, found {self.interpreter.sentence}"
            ) from error
        self._closing = False
        self._orders = Orders()
        self._thread = threading.Thread(target=self._work, name="simulated-board", daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # What a viewer sees.

    def lights(self) -> Lights:
        """What shines now."""
        return self._display.lights()

    def wait(self, condition: Callable[[Lights], bool], timeout: float = 20.0) -> Lights:
        """Waits until the lights fulfil a condition and returns them.

        Raises:
            TimeoutError: they have not within `timeout` seconds.
        """
        return self._display.wait(condition, timeout)

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
        """Whether a byte 0x03 came before the firmware was ready and ended it."""
        return self._processor.interrupted

    @property
    def running(self) -> bool:
        """Whether the firmware runs."""
        return self._processor.running

    def errors(self) -> str:
        """What the firmware's interpreter wrote to its standard error."""
        path = self._state / "stderr.txt"
        return path.read_text(errors="replace") if path.exists() else ""

    # What may happen to a board.

    def kill(self) -> None:
        """Ends the firmware; the port stays and the lights keep what they show."""
        self._do(self._processor.stop)

    def reboot(self) -> None:
        """Resets the Pico while the port stays, as on a UART."""
        self._do(self._processor.boot)

    def freeze(self) -> None:
        """Makes the firmware hang; its watchdog will bite."""
        self._do(self._processor.freeze)

    def thaw(self) -> None:
        """Lets a firmware that hangs go on where it was."""
        self._do(self._processor.thaw)

    def unplug(self, *, power: bool = True) -> None:
        """Pulls the cable; with `power` the board loses its supply too."""

        def unplug() -> None:
            self._cable.unplug()
            if power:
                self._processor.stop()
                self._display.power_up()

        self._do(unplug)

    def plug(self) -> None:
        """Puts the cable back: the port returns under the same path; a dead board starts."""

        def plug() -> None:
            self._cable.plug()
            if not self._processor.powered:
                self._processor.boot()

        self._do(plug)

    def lose_registers(self, *chips: int) -> None:
        """A dip of the supply: these chips, or all, forget everything."""
        self._do(lambda: self._display.power_up(chips or None))

    def pass_time(self, seconds: float) -> None:
        """Puts the firmware's clock forward; its watchdog does not notice."""
        self._passed_ms += round(1000 * seconds)
        # In place and at once: the firmware keeps the file open.
        with self._clock.open("r+b" if self._clock.exists() else "wb") as file:
            file.write(self._passed_ms.to_bytes(8, "little"))

    def say(self, data: bytes) -> None:
        """Sends bytes to the host as if the board had said them."""
        self._do(lambda: self._cable.send(data))

    def hear(self, data: bytes) -> bool:
        """Gives bytes to the board as if the host had said them; False if it is behind."""
        taken: list[bool] = []

        def hear() -> None:
            taken.append(self._processor.listening)
            if taken[0]:
                self._processor.hear(data)

        self._do(hear)
        return taken[0]

    def close(self) -> None:
        """Ends the firmware and removes the port; a second call does nothing."""
        if self._closing:
            return
        self._closing = True
        self._orders.wake()
        self._thread.join()
        self._processor.stop()
        self._cable.unplug()
        self._orders.close()
        self._temporary.cleanup()

    # The board's own thread.

    def _do(self, order: Callable[[], None]) -> None:
        if self._closing:
            raise ScoreboardError("the simulated scoreboard is closed")
        self._orders.do(order)

    def _work(self) -> None:
        while not self._closing:
            self._turn()

    def _turn(self) -> None:
        cable, processor = self._cable, self._processor
        opened = cable.opened()
        poll = select.poll()
        poll.register(self._orders.descriptor, select.POLLIN)
        processor.register(poll)
        if opened:
            events = 0 if processor.full else select.POLLIN
            poll.register(cable.master, events | (select.POLLOUT if cable.waiting else 0))
        wait = 1.0 if opened or cable.master < 0 else _PORT_PERIOD
        wait = min(wait, processor.patience(time.monotonic()))
        happened = dict(poll.poll(int(wait * 1000) + 1))
        if happened.get(self._orders.descriptor):
            self._orders.work()
            return
        if opened:
            self._from_host(happened.get(cable.master, 0))
        elif cable.master >= 0:
            # What was written just before the port was closed still arrives.
            self._from_host(select.POLLIN)
        processor.work(happened)

    def _from_host(self, events: int) -> None:
        self._cable.flush()
        if not events & select.POLLIN or self._processor.full:
            return
        data = self._cable.read()
        if data:
            self._processor.hear(self._to_board(data) if self._to_board else data)

    def _said(self, data: bytes) -> None:
        if self._to_host:
            data = self._to_host(data)
        # What is said while nobody has the port open is lost.
        if self._cable.opened():
            self._cable.send(data)
