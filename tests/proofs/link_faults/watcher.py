"""Sees every word that the chips take; knows which lights somebody asked for."""

from appliance.picture import Picture
from simulator.pico.max7219 import CHIP_COUNT, ChipChain
from tests.rigs.wiring import Wiring

_FIRST_LINE = 0x01
_CONTROL = {0x09: (0,), 0x0B: (7,), 0x0C: (1,), 0x0F: (0,), 0x0A: tuple(range(11))}


class Watcher:
    """Looks at what is latched.

    Attributes:
        learning: whether everything seen becomes allowed, to learn the board's own screens.
        looked: number of words looked at.
        wrong: those that nobody asked for.
        changes: how often a different picture began.
    """

    def __init__(self) -> None:
        self._allowed: set[bytes] = set()
        self._first = b""
        self.learning = True
        self.looked = 0
        self.wrong: list[str] = []
        self.changes = 0

    def allow(self, picture: Picture) -> None:
        """Allows the lines of this picture, in the default wiring."""
        self._allowed.update(Wiring().words(picture, line) for line in range(8))

    def __call__(self, chain: ChipChain) -> None:
        """Looks at what was latched."""
        words = chain.shifted
        register, value = words[0], words[1]
        self.looked += 1
        if register == _FIRST_LINE and words != self._first:
            self._first = words
            self.changes += 1
        if self.learning:
            self._allowed.add(words)
        elif words not in self._allowed and (
            words != bytes((register, value)) * CHIP_COUNT
            or value not in _CONTROL.get(register, ())
        ):
            self.wrong.append(f"nobody asked for {words.hex()}")
