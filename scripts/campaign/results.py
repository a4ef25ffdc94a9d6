"""The results of a campaign's units, one JSON line each, so that each is counted once.

A unit is what one seed draws. An incomplete line is left out, and its unit is measured again.
"""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from appliance.dataset.evaluation.vision import Tally

Counts = dict[str, Tally]


class CampaignError(Exception):
    """A file of results that cannot be resumed or merged; says why, and what to do."""


@dataclass(frozen=True, slots=True)
class Found:
    """The results of one unit.

    Attributes:
        unit: its name, with its seed.
        settings: those it was measured with; results of different settings are never added up.
        counts: by row of the table.
        faults: what was silently wrong, as readable text.
    """

    unit: str
    settings: dict[str, Any]
    counts: Counts
    faults: list[str]

    def line(self) -> str:
        """The unit as a line of a file."""
        counts = {name: asdict(tally) for name, tally in self.counts.items()}
        return json.dumps([self.unit, self.settings, counts, self.faults]) + "\n"


@dataclass(slots=True)
class Results:
    """Everything counted so far.

    Attributes:
        settings: of all units added; None while there are none.
        counts: by row of the table.
        faults: what was silently wrong.
        units: those counted.
        repeated: units that came again and were skipped.
    """

    settings: dict[str, Any] | None = None
    counts: Counts = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    units: set[str] = field(default_factory=set)
    repeated: set[str] = field(default_factory=set)

    def add(self, found: Found) -> None:
        """Counts a unit, if it is not counted yet.

        Raises:
            CampaignError: it was measured with other settings.
        """
        if self.settings is None:
            self.settings = found.settings
        if found.settings != self.settings:
            raise CampaignError(
                f"{found.unit}: expected results of {self.settings}, found some of "
                f"{found.settings}; count these by themselves"
            )
        if found.unit in self.units:
            self.repeated.add(found.unit)
            return
        self.units.add(found.unit)
        self.faults += found.faults
        for name, tally in found.counts.items():
            own = self.counts.setdefault(name, Tally())
            for one in fields(Tally):
                setattr(own, one.name, getattr(own, one.name) + getattr(tally, one.name))

    def missing(self, wanted: Iterable[str]) -> list[str]:
        """The units of a campaign that are not counted yet, in its order.

        Raises:
            CampaignError: a unit is counted that is none of these.
        """
        order = dict.fromkeys(wanted)
        for unit in sorted(self.units - order.keys()):
            raise CampaignError(
                f"{unit}: expected a unit of this campaign, found one of another; give the options "
                "that its parts were measured with"
            )
        return [unit for unit in order if unit not in self.units]

    @property
    def dice(self) -> int:
        """Readable dice in all rows, including Power dice with unknown faces."""
        return sum(tally.dice for tally in self._rows)

    @property
    def claimed(self) -> int:
        """Readable dice that were claimed, and whatever was silently wrong."""
        return sum(tally.right + tally.wrong for tally in self._rows)

    @property
    def wrong(self) -> int:
        """Dice that were silently wrong."""
        return sum(tally.wrong for tally in self._rows)

    @property
    def _rows(self) -> list[Tally]:
        """The rows of all dice; rows by colour count the same dice again."""
        return [tally for name, tally in self.counts.items() if "·" not in name]


def load(path: Path) -> Iterable[Found]:
    """The units in a file.

    Raises:
        CampaignError: it cannot be read, or is not a file of results.
    """
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CampaignError(
            f"{path}: expected results of a campaign, cannot read it: {error}"
        ) from error
    # What follows the last newline was being written when the work was stopped.
    for number, line in enumerate(text.split("\n")[:-1], 1):
        try:
            unit, settings, counts, faults = json.loads(line)
            tallies = {name: Tally(**tally) for name, tally in counts.items()}
        except (ValueError, TypeError, AttributeError) as error:
            raise CampaignError(
                f"{path}, line {number}: expected a unit's results, found {line[:40]!r}; "
                "take the line out, and its unit is done again"
            ) from error
        yield Found(str(unit), settings, tallies, faults)


def begun(path: Path, settings: dict[str, Any]) -> Results:
    """The results that a file holds already, ready for more lines; empty if there is no file.

    Raises:
        CampaignError: it holds something else, or results of other settings.
    """
    results = Results(settings=settings)
    if path.exists():
        for found in load(path):
            results.add(found)
        whole = path.read_bytes()
        path.write_bytes(whole[: whole.rfind(b"\n") + 1])
    return results


def most_likely_below(wrong: int, total: int, certainty: float = 0.95) -> float:
    """The upper confidence limit on the share of errors, after `wrong` of `total`.

    Source: C. J. Clopper and E. S. Pearson, The use of confidence or fiducial limits, Biometrika 26
    (1934), 404-413; the upper limit alone.
    """
    if wrong >= total:
        return 1.0

    def chance(share: float) -> float:
        """Of at most `wrong` errors, each die being wrong with probability `share`."""
        term = (1 - share) ** total
        whole = term
        for k in range(wrong):
            term *= (total - k) / (k + 1) * share / (1 - share)
            whole += term
        return float(whole)

    low, high = wrong / total, 1.0
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if chance(middle) > 1 - certainty else (low, middle)
    return high
