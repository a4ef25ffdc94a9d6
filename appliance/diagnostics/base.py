"""What a check is and what it finds."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from appliance.errors import printable


class Level(StrEnum):
    """How a thing is."""

    OK = "OK"
    NOTE = "NOTE"
    """Works, but somebody should know."""
    WRONG = "WRONG"


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check has found.

    Attributes:
        subject: what was looked at, two or three words.
        level: how it is.
        text: what was found, a sentence.
        advice: what to do; empty if nothing is to be done.
    """

    subject: str
    level: Level
    text: str
    advice: str = ""

    def lines(self) -> Iterator[str]:
        """For people."""
        yield printable(f"{self.level:<5}  {self.subject}: {self.text}")
        if self.advice:
            yield printable(f"       -> {self.advice}")
