"""A verdict on one thing: how good it is, for a live bar, and why it is refused."""

from collections.abc import Sequence
from dataclasses import dataclass

from calibration.problems import Problem


@dataclass(frozen=True, slots=True)
class Verdict:
    """How good something is.

    Attributes:
        quality: 0 is useless, 1 as good as it gets.
        problem: why it is refused, in the board's words; None where it is good enough.
        detail: measured, expected and what to do, for a terminal.
    """

    quality: float
    problem: Problem | None = None
    detail: str = ""

    @property
    def good(self) -> bool:
        """Whether it is good enough to go on."""
        return self.problem is None


def share(value: float, bad: float, good: float) -> float:
    """Where a value lies between bad (0) and good (1), in either order, held to 0 to 1."""
    return min(1.0, max(0.0, (value - bad) / (good - bad)))


def together(verdicts: Sequence[Verdict]) -> Verdict:
    """One verdict of several: the first problem, and the worst quality.

    The order is that in which problems should be solved: what is too dark looks blurred, too.
    """
    quality = min((v.quality for v in verdicts), default=1.0)
    for verdict in verdicts:
        if verdict.problem is not None:
            return Verdict(min(quality, 0.45), verdict.problem, verdict.detail)
    return Verdict(quality)
