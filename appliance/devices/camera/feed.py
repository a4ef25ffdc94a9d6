"""Takes a live camera's frames in a separate thread, so that nothing waits for a camera.

The main loop waits briefly for the newest frame and carries on with buttons and board whether one
came or not. A camera that fails is reopened, again and again.
"""

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue

from appliance.devices.camera import Camera
from appliance.devices.supervised import supervised
from appliance.errors import CameraError, CameraStalled
from vision.frame import Frame


@dataclass(frozen=True, slots=True)
class Failure:
    """The camera has failed and will be reopened."""

    error: CameraError

    @property
    def hangs(self) -> bool:
        """True if it is there, but delivers nothing."""
        return isinstance(self.error, CameraStalled)


class Feed:
    """The frames of a live camera, always the newest one.

    Args:
        open_camera: opens the camera; called again after it has failed to open.
        wait: waits a number of seconds between attempts to open it; returns True to end.
    """

    def __init__(
        self, open_camera: Callable[[], Camera], wait: Callable[[float], bool] | None = None
    ) -> None:
        self._open, self._wait = open_camera, wait
        # No lock: a signal that raises while one is held or waited for can leave it locked.
        self._news = SimpleQueue[None]()
        self._frame: Frame | None = None
        self._failure: Failure | None = None
        self._taken: tuple[Failure | None, Frame | None] = (None, None)
        self._camera: Camera | None = None
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Starts taking frames."""
        stop = self._stop = threading.Event()
        self._thread = supervised("frames", lambda: self._keep_taking_frames(stop), stop)
        self._thread.start()

    def restart(self) -> None:
        """Abandons a thread that may hang, and its camera, and starts again; takes 2 s at most."""
        self.close()
        self.start()

    def next(self, patience_s: float) -> Frame | Failure | None:
        """The newest frame not yet taken, a failure since the last call, or None if none came."""
        with suppress(Empty):
            self._news.get(timeout=patience_s)
        with suppress(Empty):  # what has come since then is taken, too
            self._news.get_nowait()
        taken, now = self._taken, (self._failure, self._frame)
        self._taken = now
        for one, before in zip(now, taken, strict=True):
            if one is not None and one is not before:
                return one
        return None

    def close(self) -> None:
        """Ends the thread and closes the camera; waits only briefly, as a driver may hang."""
        self._stop.set()
        if (camera := self._camera) is not None:
            camera.close()
        if self._thread is not None:
            self._thread.join(timeout=1.0)

    def _keep_taking_frames(self, stop: threading.Event) -> None:
        camera: Camera | None = None
        try:
            while True:
                try:
                    camera = camera or self._open()
                    if stop.is_set():  # whoever abandoned this thread has another camera by now
                        return
                    self._camera = camera
                    for frame in camera.frames():
                        self._publish(frame)
                except CameraError as error:
                    self._publish(Failure(error))
                else:
                    # The frames of a live camera end only when it is closed.
                    return
                if stop.is_set() or (
                    camera is None and (self._wait or stop.wait)(_RETRY_INTERVAL_S)
                ):
                    return
        except BaseException as error:
            self._publish(Failure(CameraError(f"the frames' thread has failed: {error!r}")))
            raise
        finally:
            if camera is not None:
                camera.close()

    def _publish(self, news: Frame | Failure) -> None:
        if isinstance(news, Failure):
            self._failure, self._frame = news, None
        else:
            self._frame = news
        if self._news.empty():
            self._news.put(None)


_RETRY_INTERVAL_S = 1.0
"""Seconds between attempts to find a missing camera; drivers wait by themselves."""


class NoCamera:
    """A feed of nothing, for a safe mode in which no camera is touched."""

    def next(self, patience_s: float) -> Failure:
        """Always that there is none."""
        time.sleep(patience_s)
        return Failure(CameraError("safe mode: the camera is left alone"))

    def restart(self) -> None:
        """There is nothing to start again."""
