"""A year in pieces: what each process has lived is in a file, so that the next goes on from there.

A folder has one file for the year, which says what is lived, and one for each life.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from tests.proofs.soak.faults import FAULTS, Fault, pairs_of
from tests.proofs.soak.flatness import Sample
from tests.proofs.soak.soaking import Tally
from vision.files.atomic import write_atomically

Pair = tuple[Fault, Fault]

_YEAR_FILE = "year.json"


class AnotherYearError(Exception):
    """A folder has pieces of another year than the one to be lived."""


@dataclass(slots=True)
class Year:
    """What the evenings brought.

    Attributes:
        evenings: how many are over.
        months: the trend of each resource, a month, after the warm-up; of several processes that
            which grew most, and none of those that lived too short.
        longest: evenings of the process that lived longest.
        slowest_s: real seconds of the longest evening.
        busy_s: seconds of computing.
    """

    evenings: int = 0
    months: dict[str, float] = field(default_factory=dict)
    longest: int = 0
    slowest_s: float = 0.0
    busy_s: float = 0.0

    def add(self, other: "Year") -> None:
        """Adds what another process has lived."""
        self.evenings += other.evenings
        self.months |= {
            name: max(growth, self.months.get(name, growth))
            for name, growth in other.months.items()
        }
        self.longest = max(self.longest, other.longest)
        self.slowest_s = max(self.slowest_s, other.slowest_s)
        self.busy_s += other.busy_s


@dataclass(slots=True)
class Piece:
    """What one process has lived.

    Attributes:
        year: its evenings.
        tally: what has happened.
        samples: what the process used, one sample an evening.
    """

    year: Year = field(default_factory=Year)
    tally: Tally = field(default_factory=Tally)
    samples: list[Sample] = field(default_factory=list)


@dataclass(slots=True)
class Life:
    """Evenings of an appliance, of one process after another.

    Attributes:
        left: the pairs of faults that have not struck yet, in order.
        pieces: what its processes have lived.
    """

    left: list[Pair]
    pieces: list[Piece] = field(default_factory=list)

    @property
    def evenings(self) -> int:
        """How many are over."""
        return sum(piece.year.evenings for piece in self.pieces)


def begin(folder: Path, plan: dict[str, object]) -> None:
    """Makes a folder this year's.

    Raises:
        AnotherYearError: it is another's.
    """
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(plan, indent=1)
    file = folder / _YEAR_FILE
    if file.exists() and file.read_text("utf-8") != text:
        raise AnotherYearError(f"{folder}: expected the same evenings, seed and share")
    write_atomically(file, text.encode())


def read(folder: Path, number: int, hand: Sequence[Pair]) -> Life:
    """A life as it was left; one that nobody began has all pairs of its hand before it.

    Faults that were added since then come in lives that begin later; pairs that can no longer
    strike are left out.

    Raises:
        AnotherYearError: a fault is left that there is no longer.
    """
    file = _file(folder, number)
    if not file.exists():
        return Life(list(hand))
    found = json.loads(file.read_text("utf-8"))
    named = {fault.name: fault for fault in FAULTS}
    try:
        left = [(named[one], named[other]) for one, other in found["left"]]
    except KeyError as error:
        raise AnotherYearError(f"{file}: expected faults that there are, found {error}") from error
    pairs = pairs_of(FAULTS)
    pieces = [_piece_from(piece) for piece in found["pieces"]]
    return Life([pair for pair in left if pair in pairs], pieces)


def write(folder: Path, number: int, life: Life) -> None:
    """Leaves a life so that it can be read."""
    left = [(one.name, other.name) for one, other in life.left]
    text = json.dumps({"left": left, "pieces": [_piece_to(piece) for piece in life.pieces]})
    write_atomically(_file(folder, number), text.encode())


def _file(folder: Path, number: int) -> Path:
    return folder / f"life-{number}.json"


def _piece_to(piece: Piece) -> dict[str, Any]:
    # Names of a pair are no key in JSON.
    tally = {part.name: getattr(piece.tally, part.name) for part in fields(Tally)}
    tally["pairs"] = [(*names, count) for names, count in piece.tally.pairs.items()]
    samples = [asdict(sample) for sample in piece.samples]
    return {"year": asdict(piece.year), "tally": tally, "samples": samples}


def _piece_from(found: dict[str, Any]) -> Piece:
    tally = Tally()
    for name, value in found["tally"].items():
        if name == "pairs":
            value = {(one, other): count for one, other, count in value}
        setattr(tally, name, type(getattr(tally, name))(value))
    samples = [Sample(**sample) for sample in found["samples"]]
    return Piece(Year(**found["year"]), tally, samples)
