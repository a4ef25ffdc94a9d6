"""Turns running out of memory while a picture is read into one typed error."""

from collections.abc import Iterator
from contextlib import contextmanager

import cv2

from vision.errors import OutOfMemory


@contextmanager
def memory_watched() -> Iterator[None]:
    """Within it, a failed allocation raises `OutOfMemory`, whichever library made it."""
    try:
        yield
    except MemoryError as error:
        raise OutOfMemory from error
    except cv2.error as error:
        # C++'s own error arrives without a code.
        if error.code != cv2.Error.StsNoMem and "bad_alloc" not in str(error):
            raise
        raise OutOfMemory from error
