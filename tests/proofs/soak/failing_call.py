"""Lets an allocation fail in the appliance: a call raises MemoryError.

A stand-in: it is the nth call of a function of ours, in the loop's thread, and none of libraries.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from tests.paths import ROOT

_OURS = tuple(f"{ROOT / room}/" for room in ("appliance", "games", "vision"))
_PLAYERS = f"{ROOT / 'appliance' / 'simulator'}/"


class FailingCall:
    """Makes one call of the appliance fail.

    Attributes:
        left: in how many calls; 0 for none.
        pauses: whether what is called now is not the appliance's.
    """

    def __init__(self) -> None:
        self.left = 0
        self.pauses = False

    @contextmanager
    def counting(self) -> Iterator[None]:
        """Counts the calls in the block."""
        if self.left:
            sys.setprofile(self._note)
        try:
            yield
        finally:
            sys.setprofile(None)

    def _note(self, frame: FrameType, event: str, _: object) -> None:
        name = frame.f_code.co_filename
        if event != "call" or self.pauses or not name.startswith(_OURS):
            return
        if name.startswith(_PLAYERS):
            return
        self.left -= 1
        if self.left <= 0:
            self.left = 0
            sys.setprofile(None)
            raise MemoryError("the soak's")
