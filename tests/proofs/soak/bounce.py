"""Contacts that bounce as those of real switches do, under the debouncing that is asked for.

How long they do is published (https://github.com/adamfk/bouncy-button-data, issues 8, 11, 23: a
rocker and two tactile switches); the edges in between are drawn by chance. The debouncing is that
of Linux, which lgpio uses: an edge is told once the level has been the same for so long
(https://docs.kernel.org/userspace-api/gpio/gpio-v2-line-attribute-id-debounce.html).
"""

from collections.abc import Iterator, Sequence
from random import Random

from gpiozero.pins.mock import MockPin

BOUNCES_S = (0.0011, 0.0093, 0.014)
"""The longest of each switch."""

MOST_EDGES = 40
"""Of one press; always an even number, as it ends closed."""

_AT_REST_S = 10.0

Edge = tuple[float, bool]
"""Seconds, and the level from then on."""


def bouncing(chance: Random, level: bool) -> list[Edge]:
    """The edges of a contact that goes to a level."""
    lasts_s = chance.uniform(0.0, chance.choice(BOUNCES_S))
    count = 2 * chance.randrange(MOST_EDGES // 2)
    times = sorted(chance.uniform(0.0, lasts_s) for _ in range(count))
    return [(0.0, level), *((at_s, level is (n % 2 == 1)) for n, at_s in enumerate(times))]


def debounced(edges: Sequence[Edge], bounce_s: float | None, before: bool) -> Iterator[bool]:
    """The levels that are told, with all edges where nothing is debounced."""
    ends = [at_s for at_s, _ in edges[1:]] + [_AT_REST_S]
    for (at_s, level), until_s in zip(edges, ends, strict=True):
        if level is not before and until_s - at_s >= (bounce_s or 0.0):
            before = level
            yield level


class BouncingPin(MockPin):  # type: ignore[misc]
    """A pin whose contact bounces.

    Attributes:
        chance: draws how; None for a contact that does not.
    """

    chance: Random | None = None

    def drive_low(self) -> None:
        """Closes the contact."""
        self._drive(False)

    def drive_high(self) -> None:
        """Opens it."""
        self._drive(True)

    def _drive(self, level: bool) -> None:
        if self.chance is None or self._state is level:
            self._tell(level)
            return
        for told in debounced(bouncing(self.chance, level), self._bounce, self._state):
            self._tell(told)

    def _tell(self, level: bool) -> None:
        if level:
            super().drive_high()
        else:
            super().drive_low()
