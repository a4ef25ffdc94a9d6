"""Things that one thread wants another to do, between two of its waits."""

import contextlib
import os
import queue
import threading
from collections.abc import Callable


class Orders:
    """A queue of orders; the thread that works them off polls `descriptor`."""

    def __init__(self) -> None:
        self._orders: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self.descriptor, self._in = os.pipe()
        os.set_blocking(self._in, False)

    def do(self, order: Callable[[], None]) -> None:
        """Has an order done and waits until it is.

        Raises:
            OSError: what the order raised.
        """
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
        self.wake()
        done.wait()
        if errors:
            raise errors[0]

    def wake(self) -> None:
        """Ends the other thread's wait."""
        with contextlib.suppress(BlockingIOError):
            os.write(self._in, b"x")

    def work(self) -> None:
        """Does all orders; for the thread that polls."""
        os.read(self.descriptor, 64)
        while not self._orders.empty():
            self._orders.get()()

    def close(self) -> None:
        """Frees the descriptors."""
        os.close(self._in)
        os.close(self.descriptor)
