"""LED modules as MajicDesigns' library MD_MAX72XX publishes them, and boards built of them."""

from collections.abc import Callable
from dataclasses import dataclass

from simulator.pico.max7219 import ChipChain

SEGMENTS = ["DP", "A", "B", "C", "D", "E", "F", "G"]
DIGITS = [f"D{n}" for n in range(8)]


@dataclass(frozen=True)
class Module:
    """A module as MD_MAX72XX draws it, seen from the front.

    Attributes:
        across: names of the columns' signals, from the left.
        down: names of the rows' signals, from the top.
    """

    across: tuple[str, ...]
    down: tuple[str, ...]

    def light(self, line: int, segment: int) -> tuple[int, int]:
        """Where on the module a digit's segment is."""
        signals = (DIGITS[line], SEGMENTS[segment])
        (x,) = (n for n, name in enumerate(self.across) if name in signals)
        (y,) = (n for n, name in enumerate(self.down) if name in signals)
        return x, y


def module(across: str, down: str) -> Module:
    return Module(tuple(across.split()), tuple(down.split()))


# "Module Orientation" of the pages FC-16, Generic, ICStation and Parola Custom Module in the
# documentation of MajicDesigns' MD_MAX72XX.
FC16 = module("DP A B C D E F G", "D0 D1 D2 D3 D4 D5 D6 D7")
GENERIC = module("D7 D6 D5 D4 D3 D2 D1 D0", "DP A B C D E F G")
ICSTATION = module("G F E D C B A DP", "D7 D6 D5 D4 D3 D2 D1 D0")
PAROLA = module("G F E D C B A DP", "D0 D1 D2 D3 D4 D5 D6 D7")

# Column and row of each module in the order of the chain, and whether it is upside down. DIN is at
# the right of these modules, or above; a row of modules that are upside down begins at its left.
SNAKE = [(7 - n, 0, False) for n in range(8)] + [(n, 1, True) for n in range(8)]
FROM_RIGHT = [(7 - n, row, False) for row in range(2) for n in range(8)]
FROM_LEFT = [(n, row, False) for row in range(2) for n in range(8)]

BUILT = {
    "fc16": (FC16, SNAKE),
    "fc16-rows": (FC16, FROM_RIGHT),
    "generic": (GENERIC, FROM_RIGHT),
    "icstation": (ICSTATION, SNAKE),
    "parola": (PAROLA, FROM_RIGHT),
    "rows": (FC16, FROM_LEFT),
}


def light_of(
    of: Module, places: list[tuple[int, int, bool]]
) -> Callable[[int, int, int], tuple[int, int]]:
    """Where the lights are of modules at these places, for `ChipChain`."""

    def light(chip: int, line: int, segment: int) -> tuple[int, int]:
        column, row, upside_down = places[chip]
        x, y = of.light(line, segment)
        if upside_down:
            x, y = 7 - x, 7 - y
        return 8 * column + x, 8 * row + y

    return light


def chain_of(layout: str) -> ChipChain:
    """The chips of a board that was built for this layout."""
    return ChipChain(light_of(*BUILT[layout]))
