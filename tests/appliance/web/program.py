"""The program run beside a test, with the page that it serves."""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.rigs.warm import Warm


@contextmanager
def running(state: Path, *command: str) -> Iterator[tuple[str, Warm]]:
    """The address of the page, and the process, until the end of the block."""
    process = Warm(command, {**os.environ, "XDG_STATE_HOME": str(state)}, stderr=2)
    assert process.stdout is not None
    try:
        said = process.stdout.readline()
        address = re.search(r"http://127\.0\.0\.1:\d+/#\S+", said)
        assert address, said
        yield address[0], process
    finally:
        process.terminate()
        process.wait(120)
        process.stdout.close()
