"""What happens while a terminal is drawn on: lines in a file, the last of them for the screen."""

import logging
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


class TerminalLog:
    """Keeps lines; where the file cannot be written they are only shown.

    Args:
        file: is begun anew.
        shown: how many lines `recent` has.

    Attributes:
        recent: the last lines.
    """

    def __init__(self, file: Path, shown: int = 0) -> None:
        self.recent: deque[str] = deque(maxlen=shown)
        self._file = file
        self._mode = "w"

    def write(self, line: str) -> None:
        """Keeps a line."""
        self.recent.append(line)
        with suppress(OSError), self._file.open(self._mode, encoding="utf-8") as out:
            self._mode = "a"
            out.write(f"{line}\n")

    @contextmanager
    def taken(self) -> Iterator[None]:
        """What the program logs comes here until the end of the block."""
        handler = logging.Handler()
        handler.emit = lambda record: self.write(record.getMessage())  # type: ignore[method-assign]
        root = logging.getLogger()
        others = root.handlers[:]
        root.handlers[:] = [handler]
        try:
            yield
        finally:
            root.handlers[:] = others
