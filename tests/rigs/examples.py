"""How many examples a test tries: some in every run, all of them in the run that proves.

`DICETRAY_EXAMPLES=full` asks for all; `tests/proofs/examples` sets it.
"""

import os

import pytest

FULL = os.environ.get("DICETRAY_EXAMPLES") == "full"

only_in_full = pytest.mark.skipif(not FULL, reason="only DICETRAY_EXAMPLES=full tries this")
"""Marks a test that takes long, and of which another one notices most faults in every run."""


def examples(few: int, full: int) -> int:
    """How many of the examples of a test, or of the seeds of a loop, this run tries."""
    return full if FULL else few
