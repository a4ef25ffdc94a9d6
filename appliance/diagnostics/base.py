"""Checks and their findings."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from appliance.errors import printable


class Level(StrEnum):
    """How serious a finding is."""

    OK = "OK"
    NOTE = "NOTE"
    """Works, but somebody should know."""
    WRONG = "WRONG"


@dataclass(frozen=True, slots=True)
class Finding:
    """A result of a check: a subject of a few words, a sentence, and what to do if anything.

    `drawing` is a picture in letters, line by line.
    """

    subject: str
    level: Level
    text: str
    advice: str = ""
    drawing: tuple[str, ...] = ()

    def lines(self) -> Iterator[str]:
        """The finding as lines for people."""
        yield printable(f"{self.level:<5}  {self.subject}: {self.text}")
        if self.advice:
            yield printable(f"       -> {self.advice}")
        for line in self.drawing:
            yield printable(f"          {line}").rstrip()


def busy(subject: str, what: str) -> Finding:
    """The finding for a device that another program has, so that it cannot be checked."""
    text = f"another program has {what}, as the running service does"
    advice = "to look closer: systemctl stop dicetray, then repeat"
    return Finding(subject, Level.NOTE, text, advice)
