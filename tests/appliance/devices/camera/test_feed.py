"""The thread that takes a camera's frames, and callers that wait for them."""

import sys
import threading
from collections.abc import Iterator
from types import FrameType
from typing import Any

import numpy as np

from appliance.devices.camera.feed import Feed
from vision.frame import Frame

TIMEOUT_S = 10.0
PICTURE = np.zeros((9, 16, 3), np.uint8)


class Still:
    """Delivers no frames."""

    name = "still"

    def frames(self) -> Iterator[Frame]:
        return iter(())

    def close(self) -> None:
        pass


def interrupted(feed: Feed, after: int) -> bool:
    """True if a signal, like one that ends the service, comes this many lines into the wait."""
    left = after

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal left
        if event == "line":
            left -= 1
            if left == 0:
                raise KeyboardInterrupt
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        feed.next(0.0)
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(before)
    return False


def test_a_signal_may_come_at_any_moment_of_waiting() -> None:
    feed = Feed(Still)
    lines = 1
    while interrupted(feed, lines):
        lines += 1
    assert lines > 3
    # The handover of frames is not left locked.
    frame = Frame(PICTURE, 1.0, 0)
    feed._publish(frame)
    assert feed.next(0.0) is frame
    assert feed.next(0.0) is None


class Numbered(Still):
    """Delivers one frame with its number, then nothing until it is closed."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.closed = threading.Event()

    def frames(self) -> Iterator[Frame]:
        yield Frame(PICTURE, 0.0, self.number)
        self.closed.wait(TIMEOUT_S)

    def close(self) -> None:
        self.closed.set()


class Openings:
    """Opens one camera after another; the first opening hangs until it is released."""

    def __init__(self) -> None:
        self.cameras: list[Numbered] = []
        self.hangs, self.let_go = threading.Event(), threading.Event()

    def __call__(self) -> Numbered:
        camera = Numbered(len(self.cameras))
        self.cameras.append(camera)
        if len(self.cameras) == 1:
            self.hangs.set()
            self.let_go.wait(TIMEOUT_S)
        return camera


def shown(feed: Feed) -> int:
    """The number of the next frame."""
    news = feed.next(TIMEOUT_S)
    assert isinstance(news, Frame)
    return news.index


def test_a_feed_that_hangs_begins_anew_and_what_comes_too_late_is_closed() -> None:
    opened = Openings()
    feed = Feed(opened)
    feed.start()
    assert opened.hangs.wait(TIMEOUT_S)
    feed.restart()
    assert shown(feed) == 1
    opened.let_go.set()
    assert opened.cameras[0].closed.wait(TIMEOUT_S)
    assert feed.next(0.0) is None
    assert not opened.cameras[1].closed.is_set()
    feed.restart()
    assert opened.cameras[1].closed.is_set()
    assert shown(feed) == 2
    feed.close()
    assert opened.cameras[2].closed.is_set()
