"""The log while a terminal is drawn on: lines in a file, the last of them for the screen."""

import io
import logging
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from appliance.errors import DiscreetFormatter, without_passwords
from vision.files.ordinary import open_to_write


class TerminalLog(logging.FileHandler):
    """Keeps lines in a file, overwriting an old one; `recent` has the last `shown` of them."""

    def __init__(self, file: Path, shown: int = 0) -> None:
        super().__init__(file, "w", encoding="utf-8", delay=True)
        self.setFormatter(DiscreetFormatter())
        self.recent: deque[str] = deque(maxlen=shown)

    def _open(self) -> io.TextIOWrapper:
        """The file that `logging` writes to; its name may stand for no device or pipe."""
        return io.TextIOWrapper(open_to_write(Path(self.baseFilename)), encoding="utf-8")

    def write(self, line: str) -> None:
        """Keeps a line."""
        self.emit(logging.makeLogRecord({"msg": line}))

    def emit(self, record: logging.LogRecord) -> None:
        """Keeps a line; if the file cannot be written, it is only shown."""
        self.recent.append(without_passwords(record.getMessage()))
        super().emit(record)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802
        """Does nothing: an error message would overwrite the picture."""

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Takes what the program logs until the end of the block."""
        root = logging.getLogger()
        others, root.handlers[:] = root.handlers[:], [self]
        try:
            yield
        finally:
            root.handlers[:] = others
            self.close()
