"""Progress of long work: a line on a terminal, once it has taken some seconds."""

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")

QUIET_S, AGAIN_S = 5.0, 0.5
_WIDTH = 60


def counted(
    items: Iterable[T],
    what: str,
    total: int | None = None,
    *,
    prints: bool = False,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[T]:
    """Yields the items; if stderr is a terminal, shows how many are done and the time left.

    Work that `prints` to the same terminal shows its own progress.
    """
    seen = sys.stderr.isatty() and not (prints and sys.stdout.isatty())
    begun = shown = clock()
    of = "" if total is None else f" of {total}"
    try:
        for done, item in enumerate(items):
            now = clock()
            if seen and now - begun >= QUIET_S and now - shown >= AGAIN_S:
                shown = now
                left_s = 0.0 if total is None else (now - begun) * (total / done - 1)
                text = f"{done}{of} {what}" + (f", about {left_s:.0f} s left" if of else "")
                print(f"\r{text:<{_WIDTH}}", end="", file=sys.stderr, flush=True)
            yield item
    finally:
        if shown != begun:
            print(f"\r{'':<{_WIDTH}}\r", end="", file=sys.stderr, flush=True)
