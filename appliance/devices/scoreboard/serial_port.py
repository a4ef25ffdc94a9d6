"""A scoreboard on a serial port: a thread that never gives up, and a way out of its firmware."""

import contextlib
import errno
import logging
import os
import select
import sys
import threading
import time
from collections.abc import Callable
from typing import Protocol

import serial

from appliance.devices.scoreboard.base import Fault, LinkState, Status, checked_level
from appliance.devices.scoreboard.hello import LayoutFrom
from appliance.devices.scoreboard.link import Link, LinkTiming
from appliance.devices.scoreboard.usb import missing_port
from appliance.devices.supervised import supervised
from appliance.errors import ScoreboardError
from appliance.picture import Picture
from firmware import framing

_BAUD_RATE = 115_200  # means nothing on USB; a UART uses it
_WRITE_TIMEOUT_S = 0.5
_STORE_TRIES = 8
"""How often a layout is sent until its answer is no longer waited for, two seconds in all: a Pico
writes a file within a tenth of a second."""
_FAREWELL_TRIES = 4
"""How often a farewell is sent, a second in all; the machine does not wait longer to go off."""

if sys.platform == "win32":
    PORT_ERRORS: tuple[type[Exception], ...] = (serial.SerialException, OSError, ValueError)
else:
    import termios

    PORT_ERRORS = (serial.SerialException, OSError, termios.error, ValueError)
"""What opening and using a port may raise: pyserial lets system errors through."""

_log = logging.getLogger(__name__)


class Port(Protocol):
    """The part of an open serial port that is used; `read` returns what is there, never waiting."""

    def fileno(self) -> int:
        """A descriptor for `select`."""

    def read(self, size: int) -> bytes:
        """The bytes that are there, at most `size`."""

    def write(self, data: bytes) -> int | None:
        """Sends all of it or raises."""

    def close(self) -> None:
        """Closes the port."""


def _refuse_windows() -> None:
    if sys.platform == "win32":
        raise ScoreboardError(
            "a scoreboard needs Linux or macOS: Windows cannot wait for its port",
            "play with --board terminal or --board browser",
        )


def open_port(path: str) -> Port:
    """Opens a serial port for this process alone.

    Raises:
        serial.SerialException: it cannot be opened or another program has it.
    """
    port: Port = serial.Serial(
        path, _BAUD_RATE, timeout=0, write_timeout=_WRITE_TIMEOUT_S, exclusive=True
    )
    return port


class Backoff:
    """How long to wait before the port is tried again, in seconds.

    The cap for a missing port is low: looking costs nothing, and the picture should be back within
    a second, also after a refused board has been flashed.
    """

    def __init__(self, first: float = 0.05, cap: float = 0.4, refused: float = 0.5) -> None:
        self._first, self._cap, self._refused = first, cap, refused
        self._next = first

    def succeeded(self) -> None:
        """The board was linked: the next wait is the shortest again."""
        self._next = self._first

    def wait(self, refused: bool) -> float:
        """The next wait."""
        if refused:
            return self._refused
        wait, self._next = self._next, min(self._cap, 2 * self._next)
        return wait


class SerialScoreboard:
    """The scoreboard's Pico on a serial port.

    The port may be missing, vanish and come back at any time. Methods never wait for it.
    """

    def __init__(
        self,
        port: str,
        *,
        brightness: int | None = None,
        timing: LinkTiming | None = None,
        backoff: Backoff | None = None,
        opener: Callable[[str], Port] = open_port,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Starts looking for the board.

        Args:
            port: path of the serial port, preferably the one that udev names after the board.
            brightness: one of `BRIGHTNESS_LEVELS`; None keeps the board's own.
            timing: how long the link waits.
            backoff: how long to wait before the port is tried again.
            opener: opens the port.
            clock: seconds, never going back.

        Raises:
            ValueError: the brightness is out of bounds.
            ScoreboardError: this is Windows.
        """
        _refuse_windows()
        self._path = port
        self._timing = timing or LinkTiming()
        self._link = Link(self._timing)
        if brightness is not None:
            self._link.set_brightness(checked_level(brightness))
        self._backoff, self._opener, self._clock = backoff or Backoff(), opener, clock
        self._changed = threading.Condition()
        self._closing = threading.Event()
        self._reported = ""
        self._wake_out, self._wake_in = os.pipe()
        if sys.platform != "win32":
            os.set_blocking(self._wake_in, False)
        self._thread = supervised("scoreboard", self._keep_connecting, self._closing)
        self._thread.start()

    def show(self, picture: Picture) -> None:
        """Shows a picture as soon as it can; never waits, and a newer picture replaces it."""
        with self._changed:
            self._link.show(picture)
        self._wake_thread()

    def set_brightness(self, level: int) -> None:
        """Sets the brightness; the board may use less.

        Raises:
            ValueError: the level is out of bounds.
        """
        checked_level(level)
        with self._changed:
            self._link.set_brightness(level)
        self._wake_thread()

    def try_layout(self, layout: bytes | None) -> None:
        """Draws pictures from now on for modules that are mounted like this; never waits.

        Args:
            layout: as `firmware.mounting` encodes it; None for the one that the board has stored.
                Firmware before 1.0.0 keeps to its own.
        """
        with self._changed:
            self._link.try_layout(layout)
        self._wake_thread()

    def store_layout(self, layout: bytes) -> None:
        """Makes this the board's layout for ever; waits two seconds at most for its answer.

        Raises:
            ScoreboardError: it was not stored, and why.
        """
        with self._changed:
            check_layout_can_be_stored(self._link.status)
            self._link.store_layout(layout)
        self._wake_thread()
        wait = _STORE_TRIES * self._timing.answer
        with self._changed:
            answered = self._changed.wait_for(lambda: not self._link.owes_layout, wait)
            refused = self._link.end_store()
            linked = self._link.status.connected
        if refused:
            raise ScoreboardError(
                "the scoreboard could not store the layout",
                "plug it in again and repeat; else: dicetray flash --layout NAME",
            )
        if not answered or not linked:
            raise ScoreboardError(
                "the scoreboard does not say that it has stored the layout",
                "check its cable and repeat",
            )

    def say_farewell(self) -> None:
        """Tells the board that the machine goes off, so that it stays dark instead of NO LINK.

        Waits a second at most for its answer. Nothing is shown any more; close it next.
        """
        with self._changed:
            self._link.say_farewell()
        self._wake_thread()
        wait = _FAREWELL_TRIES * self._timing.answer
        with self._changed:
            if not self._changed.wait_for(lambda: not self._link.owes_farewell, wait):
                _log.warning("the scoreboard does not answer the farewell; it may show NO LINK")

    @property
    def status(self) -> Status:
        """The status of the link."""
        with self._changed:
            return self._link.status

    def wait(self, condition: Callable[[Status], bool], timeout: float = 20.0) -> Status:
        """Waits until the status fulfils a condition and returns it; for start-up and tests.

        Raises:
            TimeoutError: it does not within `timeout` seconds.
        """
        with self._changed:
            if not self._changed.wait_for(lambda: condition(self._link.status), timeout):
                raise TimeoutError(f"not within {timeout} s: {self._link.status}")
            return self._link.status

    def close(self) -> None:
        """Releases the port; a second call does nothing."""
        if self._closing.is_set():
            return
        self._closing.set()
        self._wake_thread()
        self._thread.join()
        os.close(self._wake_in)
        os.close(self._wake_out)

    def _wake_thread(self) -> None:
        # A full pipe wakes the thread as well; a closed one belongs to a closed scoreboard.
        with contextlib.suppress(OSError):
            os.write(self._wake_in, b"x")

    def _wait_for_bytes(self, wait: float, *descriptors: int) -> bool:
        """Waits for bytes, a wake-up or the timeout; returns whether there are bytes."""
        ready, _, _ = select.select([self._wake_out, *descriptors], [], [], max(0.0, wait))
        if self._wake_out in ready:
            os.read(self._wake_out, 4096)
        return any(descriptor in ready for descriptor in descriptors)

    def _keep_connecting(self) -> None:
        while not self._closing.is_set():
            try:
                reason, fault = self._use_port_until_trouble()
            except BaseException:
                with self._changed:
                    self._link.closed("the scoreboard's thread has failed", Fault.NONE)
                raise
            with self._changed:
                if self._closing.is_set():
                    reason, fault = "the scoreboard was closed", Fault.NONE
                self._link.closed(reason, fault)
                status = self._link.status
                refused = status.state is LinkState.REFUSED
                if not self._closing.is_set():
                    self._log_reason(status.reason)
                self._changed.notify_all()
            until = self._clock() + self._backoff.wait(refused)
            while not self._closing.is_set() and (left := until - self._clock()) > 0:
                self._wait_for_bytes(left)

    def _log_reason(self, reason: str) -> None:
        """Logs each new reason once, and the end of trouble."""
        if reason == self._reported:
            return
        self._reported = reason
        if reason:
            _log.warning("%s", reason)
        elif hello := self._link.status.hello:
            firmware = f"firmware {hello.version:s} build {hello.build:s}"
            _log.info("the scoreboard at %s is linked, %s", self._path, firmware)

    def _use_port_until_trouble(self) -> tuple[str, Fault]:
        """Opens the port and works until there is trouble, which is returned."""
        try:
            port = self._opener(self._path)
        except PORT_ERRORS as error:
            return explain_port_error(self._path, error)
        try:
            return self._exchange_until_trouble(port)
        except PORT_ERRORS as error:
            text = f"the scoreboard's port {self._path} is gone: {error}; is the cable in?"
            return text, Fault.NONE
        finally:
            with contextlib.suppress(*PORT_ERRORS):
                port.close()

    def _exchange_until_trouble(self, port: Port) -> tuple[str, Fault]:
        descriptor = port.fileno()
        with self._changed:
            self._link.opened(self._clock())
        while not self._closing.is_set():
            now = self._clock()
            with self._changed:
                if trouble := self._link.trouble(now):
                    return trouble, self._link.fault
                data = self._link.outgoing(now)
                wait = self._link.deadline(now) - now
                if self._link.status.connected:
                    self._backoff.succeeded()
                    self._log_reason("")
                self._changed.notify_all()
            if data:
                port.write(data)
                continue
            if self._wait_for_bytes(wait, descriptor) and (received := port.read(4096)):
                with self._changed:
                    self._link.receive(received, self._clock())
        return "", Fault.NONE


def check_layout_can_be_stored(status: Status) -> None:
    """Checks that a layout that is sent to this board stays.

    Raises:
        ScoreboardError: it is not linked, its firmware is too old, or its owner's file rules.
    """
    hello = status.hello
    if not status.connected or hello is None:
        raise ScoreboardError(f"the scoreboard is not linked: {status.reason}")
    if hello.layout_from is None:
        raise ScoreboardError(
            f"the scoreboard's firmware {hello.version} cannot store a layout",
            "flash it: dicetray flash --layout NAME",
        )
    if hello.layout_from is LayoutFrom.OWN:
        raise ScoreboardError(
            "the scoreboard's local_config.py says how its modules are mounted",
            "change it there: dicetray flash --local-config FILE",
        )


def explain_port_error(path: str, error: Exception) -> tuple[str, Fault]:
    """Why a port does not open and what to do, and what kind of trouble it is."""
    number = getattr(error, "errno", None)
    if number in (errno.ENOENT, errno.ENXIO, errno.ENODEV):
        return ": ".join(missing_port(path)), Fault.NONE
    if number in (errno.EACCES, errno.EPERM):
        text = f"no permission to open {path}: the user must be in the group dialout"
        return text, Fault.FORBIDDEN
    if number in (errno.EAGAIN, errno.EBUSY):
        text = f"another program has {path} open: end it (the service: systemctl stop dicetray)"
        return text, Fault.BUSY
    return f"the port {path} does not open: {error}", Fault.NONE


LISTEN_S = 4.0
"""A board that starts says HELLO within two seconds, a running one at least twice a second."""


def ask_firmware_to_exit(
    path: str,
    request: bytes,
    *,
    seconds: float = LISTEN_S,
    opener: Callable[[str], Port] = open_port,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> bool:
    """Asks the firmware to exit to the REPL or the boot loader.

    Args:
        path: the serial port.
        request: `framing.SERVICE_REPL` or `framing.SERVICE_BOOTLOADER`.
        seconds: how long to listen for a running firmware.
        opener: opens the port.
        clock: seconds, never going back.
        sleep: waits.

    Returns:
        Whether a firmware was heard and asked; False if none speaks, as at the REPL.

    Raises:
        ScoreboardError: the port cannot be opened or used.
    """
    try:
        port = opener(path)
    except PORT_ERRORS as error:
        raise ScoreboardError(explain_port_error(path, error)[0]) from error
    try:
        if not _wait_for_frame(port, clock() + seconds, clock, sleep):
            return False
        versions = bytes((framing.PROTOCOL_MAJOR, framing.PROTOCOL_MINOR))
        port.write(framing.encode(framing.HELLO_REQUEST, 0, versions))
        port.write(framing.encode(framing.SERVICE, 1, request))
        # What was written must go out before the port is closed.
        sleep(0.2)
    except PORT_ERRORS as error:
        raise ScoreboardError(f"the port {path} is gone: {error}; is the cable in?") from error
    finally:
        port.close()
    return True


def _wait_for_frame(
    port: Port, end: float, clock: Callable[[], float], sleep: Callable[[float], None]
) -> bool:
    """Waits for any valid frame: before one, a byte 03 would be Ctrl-C."""
    parser = framing.Parser()
    while clock() < end:
        data = port.read(256)
        if parser.feed(data, 0, len(data)):
            return True
        sleep(0.02)
    return False
