"""The program run beside a test, with the page that it serves."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def running(state: Path, *command: str) -> "Iterator[tuple[str, subprocess.Popen[str]]]":
    """The address of the page, and the process, until the end of the block."""
    process = subprocess.Popen(
        [sys.executable, "-m", "appliance.cli.program", *command],
        env={**os.environ, "XDG_STATE_HOME": str(state)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    )
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
