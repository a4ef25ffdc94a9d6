"""Where commands print: with `--json`, standard output has JSON and nothing else."""

import sys
from typing import TextIO


def stream_for_words(as_json: bool) -> TextIO:
    """The stream for everything that people read."""
    return sys.stderr if as_json else sys.stdout
