"""Memory that runs out in the appliance: an allocation that fails, or none left to be had.

Both are real, and meet libraries and the appliance's other threads too; the players are spared.
"""

import importlib.util
import resource
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from random import Random
from typing import Any

CAN_FAIL = importlib.util.find_spec("_testcapi") is not None
"""Whether allocations can be made to fail: some systems ship Python without its own tests."""

MOST_ALLOCATIONS_EXPONENT = 13
"""Up to two to the power of it: a round makes hundreds, one that scores thousands."""

MOST_SPARE_BYTES = 1 << 20
"""What a process short of memory may still get from the system, at most."""


class FailingAllocation:
    """Makes one allocation of Python's fail, the nth of a round.

    Attributes:
        wanted: whether one is to fail, and none did so far.
    """

    def __init__(self, chance: Random) -> None:
        self._chance = chance
        self._count = 0
        self.wanted = False

    def arm(self) -> None:
        """Lets one of the next fail."""
        if self.wanted:
            self._count = round(2 ** self._chance.uniform(0, MOST_ALLOCATIONS_EXPONENT))
            _hooks().set_nomemory(self._count, self._count + 1)

    def disarm(self) -> None:
        """From here on none fails; notes whether one did."""
        if self._count:
            count, self._count = self._count, 0
            self.wanted = not _has_failed(count)


def _has_failed(count: int) -> bool:
    """Whether the nth allocation has failed: if not, one of the next n does. Then none any more."""
    try:
        for _ in range(count):
            object()
    except MemoryError:
        return False
    finally:
        _hooks().remove_mem_hooks()
    return True


def _hooks() -> Any:
    return importlib.import_module("_testcapi")


class ShortMemory:
    """Leaves the process next to nothing that it can get from the system.

    Attributes:
        short: whether it does.
    """

    def __init__(self, chance: Random) -> None:
        self._chance = chance
        self._limits = resource.getrlimit(resource.RLIMIT_AS)
        self.short = False

    def limit(self) -> None:
        """From here on there is none, if it is short."""
        if self.short:
            pages = int(Path("/proc/self/statm").read_text().split()[0])
            spare = self._chance.randrange(MOST_SPARE_BYTES)
            most = pages * resource.getpagesize() + spare
            resource.setrlimit(resource.RLIMIT_AS, (most, self._limits[1]))

    def lift(self) -> None:
        """From here on there is enough."""
        if self.short:
            resource.setrlimit(resource.RLIMIT_AS, self._limits)


class Memory:
    """What the appliance can get.

    Args:
        chance: chooses what fails.
        spare: a context in which no thread runs that is not the appliance's.

    Attributes:
        allocation: one that fails.
        space: how much there is.
    """

    def __init__(
        self, chance: Random, spare: Callable[[], AbstractContextManager[None]] = nullcontext
    ) -> None:
        self._spare = spare
        self.allocation = FailingAllocation(chance)
        self.space = ShortMemory(chance)

    @property
    def troubled(self) -> bool:
        """Whether any error may come of it."""
        return self.allocation.wanted or self.space.short

    @contextmanager
    def running_out(self) -> Iterator[None]:
        """Inside of the block it may."""
        with self._spare() if self.troubled else nullcontext():
            self.space.limit()
            self.allocation.arm()
            try:
                yield
            finally:
                self.allocation.disarm()
                self.space.lift()

    @contextmanager
    def enough(self) -> Iterator[None]:
        """Inside of that block there is enough for what is not the appliance's."""
        self.allocation.disarm()
        self.space.lift()
        try:
            yield
        finally:
            self.space.limit()
            self.allocation.arm()
