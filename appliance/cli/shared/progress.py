"""Progress of long work: a line on a terminal, once it has taken some seconds."""

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")

SHOWN_AFTER_S = 5.0
UPDATE_INTERVAL_S = 0.5
_LINE_COLUMNS = 60


def with_progress(
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
            if seen and now - begun >= SHOWN_AFTER_S and now - shown >= UPDATE_INTERVAL_S:
                shown = now
                left_s = 0.0 if total is None else (now - begun) * (total / done - 1)
                text = f"{done}{of} {what}" + (f", about {left_s:.0f} s left" if of else "")
                print(f"\r{text:<{_LINE_COLUMNS}}", end="", file=sys.stderr, flush=True)
            yield item
    finally:
        if shown != begun:
            print(f"\r{'':<{_LINE_COLUMNS}}\r", end="", file=sys.stderr, flush=True)
