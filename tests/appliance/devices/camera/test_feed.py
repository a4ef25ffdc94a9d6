"""The thread that takes a camera's frames, and who waits for them."""

import sys
from collections.abc import Iterator
from types import FrameType
from typing import Any

import numpy as np

from appliance.devices.camera.feed import Feed
from vision.frame import Frame

PICTURE = np.zeros((9, 16, 3), np.uint8)


class Still:
    """Gives no frame."""

    name = "still"

    def frames(self) -> Iterator[Frame]:
        return iter(())

    def close(self) -> None:
        pass


def interrupted(feed: Feed, after: int) -> bool:
    """Whether a signal comes so many lines into the waiting, as one that ends the service does."""
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
    # Nobody is left holding what frames are handed over with.
    frame = Frame(PICTURE, 1.0, 0)
    feed._publish(frame)
    assert feed.next(0.0) is frame
    assert feed.next(0.0) is None
