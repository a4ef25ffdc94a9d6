"""What the open slots of a sheet of Power will bring.

Each open slot is worth the mean of what it held at the end of simulated games in which hints were
followed, from the moment when as many slots were open as are now; so to fill a slot costs what it
would have brought. The bonus of the upper section is the expectation over a normal distribution of
the sum, with the mean and the variance of the open upper slots. Left out are the other players: a
game ends with the first full sheet, and what was left open then counted as the nothing it brought.
`scripts/fit_power.py` makes the table by playing, again until it changes no more.
"""

import json
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from appliance.rules.power.sheet import SLOTS, UPPER, Sheet, upper_bonus

FILE = "power_slots.json"
HIGHEST = 1 + sum(5 * 3 * number for number in (1, 2, 3, 4, 5, 6, 6))
"""One more than the greatest sum of the upper section."""
UPPER_MASK = (1 << UPPER) - 1
"""The bits of the upper slots, as in `Sheet.open`."""
_GRID = np.linspace(-6, 6, 2401)


@dataclass(frozen=True, slots=True)
class SlotTable:
    """Means and standard deviations of what the slots will bring.

    Attributes:
        mean: (22, 21) by how many slots are open, and by slot; points.
        deviation: the same shape; points.
    """

    mean: NDArray[np.float64]
    deviation: NDArray[np.float64]

    @classmethod
    def from_text(cls, text: str) -> "SlotTable":
        """The table that `text` wrote."""
        parts = json.loads(text)
        return cls(np.array(parts["mean"]), np.array(parts["deviation"]))

    @property
    def text(self) -> str:
        """The table as JSON, a line for each number of open slots."""
        parts = (("mean", self.mean), ("deviation", self.deviation))
        blocks = []
        for name, values in parts:
            rows = ",\n".join(json.dumps([round(v, 1) for v in row]) for row in values.tolist())
            blocks.append(f'"{name}": [\n{rows}\n]')
        return "{\n" + ",\n".join(blocks) + "\n}\n"


@cache
def table() -> SlotTable:
    """The table that is shipped."""
    return SlotTable.from_text((files("appliance.strategy.power") / FILE).read_text())


@lru_cache(maxsize=1024)
def bonus(slots: int, count: int) -> NDArray[np.float64]:
    """The expected bonus by the sum of the upper section so far.

    Args:
        slots: the open slots of the upper section.
        count: how many slots are open.

    Returns:
        (`HIGHEST`,) points.
    """
    now = table()
    upper = [slot for slot in range(UPPER) if slots >> slot & 1]
    sums = np.arange(HIGHEST)
    if not upper:
        return np.array([float(upper_bonus(total)) for total in range(HIGHEST)])
    mean = float(now.mean[count, upper].sum())
    deviation = max(1.0, float(np.sqrt((now.deviation[count, upper] ** 2).sum())))
    expected = np.zeros(HIGHEST)
    steps = [total for total in range(1, HIGHEST) if upper_bonus(total) > upper_bonus(total - 1)]
    for least in steps:
        more = upper_bonus(least) - upper_bonus(least - 1)
        # Half a point for sums being whole numbers.
        reached = (sums + mean - least + 0.5) / deviation
        expected += more * np.interp(reached, _GRID, _normal())
    return expected


@cache
def _normal() -> NDArray[np.float64]:
    """The distribution function of the normal distribution on the grid."""
    density = np.exp(-(_GRID**2) / 2)
    total = np.concatenate([[0.0], np.cumsum((density[1:] + density[:-1]) / 2)])
    return np.asarray(total / total[-1])


@lru_cache(maxsize=4096)
def to_come(slots: int) -> float:
    """What the open slots will bring, the bonus apart."""
    means = table().mean[slots.bit_count()]
    return float(sum(means[slot] for slot in range(SLOTS) if slots >> slot & 1))


def final(sheet: Sheet) -> float:
    """The grand total that a sheet is expected to end with."""
    upper = sheet.upper
    more = bonus(sheet.open & UPPER_MASK, sheet.open.bit_count())[upper]
    return upper + sheet.lower + to_come(sheet.open) + float(more)
