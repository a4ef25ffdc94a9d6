"""The base of live cameras: a thread that reads, and the detection of stalls.

A driver may block for ten seconds, or for ever (libcamera has been seen to), so the device is read
in a separate thread and only the newest picture is kept. Callers wait a bounded time for a frame,
get an error, and may ask for frames again: the device is then reopened.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Protocol

from appliance.errors import CameraError, CameraStalled
from vision.frame import Frame, Image
from vision.geometry.sight import Sight

if TYPE_CHECKING:
    from appliance.devices.camera.compressed import Compressed

STALLED_AFTER_S = 2.0
"""Seconds without a picture after which a camera counts as stalled."""

OPENING_STALLED_AFTER_S = 8.0
"""Seconds for a camera that is still being opened: sensors and drivers take their time."""

MAX_HANGING_THREADS = 3
"""Threads of a camera that may hang in its driver before no more are started."""

_MIN_RETRY_WAIT_S = 0.5
_MAX_RETRY_WAIT_S = 2.0


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """One picture as a device delivers it.

    Attributes:
        image: (height, width, 3) BGR, no longer owned by the device; reduced if `whole` is there.
        time_s: when it was taken, seconds on a monotonic clock.
        small: the same picture at the size of the device's small stream, if it has one.
        exposure: as in `vision.frame.Frame`.
        sight: as in `vision.frame.Frame`.
        whole: decodes the full picture.
        held: as in `vision.frame.Frame`.
    """

    image: Image
    time_s: float
    small: Image | None = None
    exposure: float = 1.0
    sight: Sight | None = None
    whole: "Compressed | None" = None
    held: bool = True

    def frame(self, index: int) -> Frame:
        """This picture as the frame of this number."""
        found = Frame(
            *(self.image, self.time_s, index, self.small, self.exposure, self.sight), held=self.held
        )
        return found if self.whole is None else self.whole.frame(found)


def stalled_error(name: str, stall_s: float) -> CameraStalled:
    """The error for a camera that is there, but has delivered no picture for this long."""
    found = f"no picture came within {stall_s:g} s"
    return CameraStalled(f"{name}: {found}; check its cable and its power")


class Device(Protocol):
    """A device as the reading thread sees it; all errors are `CameraError`."""

    def open(self) -> None:
        """Opens the device and starts it."""

    def grab(self) -> Shot:
        """Waits for the next picture."""

    def close(self) -> None:
        """Stops the device and releases it."""


class LiveCamera:
    """Frames of a device, always the newest; older ones that nobody took are dropped.

    `frames` ends with a `CameraError` when the device cannot be opened, fails or stalls. Calling
    it again reopens the device, after a wait that doubles with every failure up to 2 s.

    Args:
        name: what the camera is called in messages.
        make: makes the device; called in the reading thread at every opening.
        stall_s: seconds without a picture that count as a stall.
        wait: waits a number of seconds.
    """

    def __init__(
        self,
        name: str,
        make: Callable[[], Device],
        stall_s: float = STALLED_AFTER_S,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        self._name, self._make, self._stall_s, self._wait = name, make, stall_s, wait
        self._delay_s = 0.0
        self._taken = 0
        self._worker: _Worker | None = None
        self._closed = False

    @property
    def name(self) -> str:
        """The camera's name in messages."""
        return self._name

    def frames(self) -> Iterator[Frame]:
        """Frames until the camera is closed.

        Raises:
            CameraError: the device is missing, busy, unplugged or has stalled.
        """
        if self._closed:
            return
        if self._delay_s:
            self._wait(self._delay_s)
        worker = self._worker = _Worker(self._name, self._make)
        start = self._taken
        try:
            while not self._closed:
                number, shot = worker.next(self._stall_s)
                if shot is None:
                    return
                self._delay_s = 0.0
                self._taken = start + number + 1
                yield shot.frame(start + number)
        except CameraError:
            self._delay_s = min(_MAX_RETRY_WAIT_S, max(_MIN_RETRY_WAIT_S, 2 * self._delay_s))
            raise
        finally:
            worker.stop()

    def close(self) -> None:
        """Ends the frames and releases the device."""
        self._closed = True
        if self._worker is not None:
            self._worker.stop()


class _Worker:
    """Reads a device in a thread and keeps the newest picture.

    It has no lock: where memory runs out while one is taken or let go, it stays locked for ever.
    """

    def __init__(self, name: str, make: Callable[[], Device]) -> None:
        self._name, self._make = name, make
        self._news = SimpleQueue[None]()
        self._newest: tuple[int, Shot] | None = None
        self._taken = -1
        self._error: CameraError | None = None
        self._opened = self._stopped = False
        # A thread that hangs in a driver must not keep the program from ending.
        self._thread = threading.Thread(
            target=self._take_frames, name=f"camera {name}", daemon=True
        )
        if [t.name for t in threading.enumerate()].count(self._thread.name) < MAX_HANGING_THREADS:
            self._thread.start()
        else:
            found = f"the driver does not answer: {MAX_HANGING_THREADS} calls of it are hanging"
            self._fail(CameraStalled(f"{name}: {found}", "switch off and on"))

    def next(self, stall_s: float) -> tuple[int, Shot | None]:
        """The newest picture not yet taken, with its number; None after `stop`."""
        if not self._opened:
            patience_s = max(stall_s, OPENING_STALLED_AFTER_S)
            self._wait_for(lambda: self._opened or self._has_ended, patience_s)
        self._wait_for(lambda: self._untaken is not None or self._has_ended, stall_s)
        if self._stopped:
            return 0, None
        if (newest := self._untaken) is not None:
            self._taken = newest[0]
            return newest
        raise self._error or stalled_error(self._name, stall_s)

    def _wait_for(self, happened: Callable[[], bool], patience_s: float) -> None:
        """Returns once it has happened, or after so many seconds."""
        until_s = time.monotonic() + patience_s
        while not happened() and (left_s := until_s - time.monotonic()) > 0:
            with suppress(Empty):
                self._news.get(timeout=left_s)

    def _tell(self) -> None:
        """Wakes whoever waits; what was told already will be looked at together with this."""
        if self._news.empty():
            self._news.put(None)

    @property
    def _untaken(self) -> tuple[int, Shot] | None:
        newest = self._newest
        return newest if newest is not None and newest[0] > self._taken else None

    @property
    def _has_ended(self) -> bool:
        return self._error is not None or self._stopped

    def stop(self) -> None:
        """Asks the thread to end; waits only briefly, as it may hang in the driver."""
        self._stopped = True
        self._tell()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(timeout=0.5)

    def _take_frames(self) -> None:
        device: Device | None = None
        try:
            device = self._make()
            device.open()
            self._opened = True
            self._tell()
            for number in count():
                if self._stopped:
                    break
                self._newest = number, device.grab()
                self._tell()
        except CameraError as error:
            self._fail(error)
        except Exception as error:  # whatever a driver's binding throws must reach the caller
            self._fail(CameraError(f"{self._name}: the camera's driver failed: {error!r}"))
        finally:
            if device is not None:
                self._close(device)

    def _close(self, device: Device) -> None:
        try:
            device.close()
        except Exception as error:  # the device is given up either way
            self._fail(CameraError(f"{self._name}: the camera did not close: {error!r}"))

    def _fail(self, error: CameraError) -> None:
        if self._error is None:
            self._error = error
        self._tell()
