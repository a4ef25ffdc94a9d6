"""Gives memory back to the system that is no longer needed.

By itself glibc gives back what is free at the top of a heap. What is free between two small things
that live on stays with the process; `malloc_trim(3)` gives back those pages too.
"""

import ctypes


def give_back() -> None:
    """Gives all free pages of all heaps back; does nothing where the C library is not glibc."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
