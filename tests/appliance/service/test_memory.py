"""Free memory between live objects goes back to the system."""

import ctypes
import os
from pathlib import Path

import numpy as np
import pytest

from appliance.service.loop import release_memory

BLOCK = 64 * 1024
"""Bytes; below the size that glibc maps separately and gives back at once."""


def resident() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(
    not hasattr(ctypes.CDLL(None), "malloc_trim"), reason="skipped: the C library is not glibc"
)
def test_free_pages_between_used_ones_are_given_back() -> None:
    blocks = [np.ones(BLOCK, np.uint8) for _ in range(1600)]
    kept = blocks[9::10]
    assert len(kept) == 160
    del blocks
    before = resident()
    release_memory()
    assert before - resident() > 1000 * BLOCK
    assert all(block.all() for block in kept)
