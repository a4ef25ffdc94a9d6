"""Errors of this room. Each says what was expected, what was found and what to do."""

from calibration.problems import Problem


class CalibrationError(Exception):
    """Base of everything that calibration raises on purpose."""


class RefusedError(CalibrationError, ValueError):
    """A refusal: what was shown is not good enough to calibrate on.

    Attributes:
        problem: the words for the board.
        detail: measured, expected and what to do, for a terminal.
        degrees: how far the camera leans, where that is the problem.
    """

    def __init__(self, problem: Problem, detail: str, degrees: float | None = None) -> None:
        super().__init__(f"{problem.value}: {detail}")
        self.problem = problem
        self.detail = detail
        self.degrees = degrees


class StoreError(CalibrationError, OSError):
    """A profile's file that cannot be used: missing, damaged, or of another version.

    Attributes:
        found: what was found.
        advice: what to do; empty where there is nothing more to say.
    """

    def __init__(self, found: str, advice: str = "") -> None:
        super().__init__(f"{found}; {advice}" if advice else found)
        self.found = found
        self.advice = advice
