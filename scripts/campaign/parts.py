"""The small parts of a long piece of work, which an engine hands out to machines as they get free.

docs/developing.md has the lines for GNU parallel and Slurm. Many more parts than machines keep all
of them busy to the end, however fast each is; a part of one that dies is handed out again.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

Unit = TypeVar("Unit")


@dataclass(frozen=True, slots=True)
class Part:
    """The `number`-th of `of` parts, counted from 1."""

    number: int = 1
    of: int = 1

    def share(self, work: Sequence[Unit]) -> list[Unit]:
        """This part's units of the work; all parts together cover each unit exactly once."""
        return list(work[self.number - 1 :: self.of])


def part(text: str) -> Part:
    """Parses a part as written on a command line, `K/N`.

    Raises:
        argparse.ArgumentTypeError: the form is wrong, or there is no such part.
    """
    number, slash, of = text.partition("/")
    if slash and number.isdecimal() and of.isdecimal() and 1 <= int(number) <= int(of):
        return Part(int(number), int(of))
    raise argparse.ArgumentTypeError(
        f"expected K/N with K from 1 to N, as 2/4 for the second of four parts, found {text!r}"
    )
