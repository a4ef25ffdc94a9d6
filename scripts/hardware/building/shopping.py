"""The shopping list in `shopping.toml`, for three builds, and their power."""

import csv
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("shopping.toml")
BUILDS = ("cheapest", "standard", "best")
PRICED = "November 2026"
"""When prices were estimated."""


@dataclass(frozen=True, slots=True)
class Purchase:
    """A line of the list.

    Attributes:
        group: heading that it is listed under.
        name: what it is.
        many: how many for each of `BUILDS`.
        search: words to search for, for each build; empty where it has none.
        others: two alternatives.
        price: what all of it costs in the standard build, euros, as estimated on `PRICED`; 0 where
            that build has none.
    """

    group: str
    name: str
    many: tuple[int, ...]
    search: tuple[str, ...]
    others: tuple[str, ...]
    price: float


def _purchase(line: dict[str, Any]) -> Purchase:
    """Parses a line of the file.

    Raises:
        ValueError: something is missing.
    """
    name = line["name"]
    wanted = [n for n, many in enumerate(line["many"]) if many]
    search = tuple(line["search"]) + ("",) * (len(BUILDS) - len(line["search"]))
    if len(line["many"]) != len(BUILDS) or not all(search[n] for n in wanted):
        raise ValueError(f"{name}: expected a number and words to search for, for each build")
    if len(line["others"]) != 2:
        raise ValueError(f"{name}: expected two alternatives, found {len(line['others'])}")
    if bool(line.get("price")) != bool(line["many"][BUILDS.index("standard")]):
        raise ValueError(f"{name}: expected a price for the standard build, and for no other")
    price = line.get("price", 0)
    return Purchase(line["group"], name, tuple(line["many"]), search, tuple(line["others"]), price)


def purchases(text: str | None = None) -> list[Purchase]:
    """The whole list, from the file if no text is given."""
    lines = tomllib.loads(FILE.read_text(encoding="utf-8") if text is None else text)["part"]
    return [_purchase(line) for line in lines]


def standard_rows(lines: Sequence[Purchase]) -> Iterator[list[str]]:
    """The standard build: what, how many, words to search for, and about what it costs."""
    n = BUILDS.index("standard")
    for line in lines:
        if line.many[n]:
            many = "" if line.many[n] == 1 else f"{line.many[n]} × "
            yield [f"{many}{line.name}", f"“{line.search[n]}”", f"{line.price:g}"]
    total = sum(line.price for line in lines if line.many[n])
    yield ["**in all**", "", f"**{total:g}**"]


def csv_of(lines: Sequence[Purchase]) -> str:
    """All builds as a table: how many and what to search for in each, and two alternatives."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    builds = [word for build in BUILDS for word in (f"{build}: number", f"{build}: search for")]
    writer.writerow(["part", *builds, f"standard: euros, {PRICED}", "or", "or else"])
    for line in lines:
        wanted = [
            word
            for many, search in zip(line.many, line.search, strict=True)
            for word in (many or "", search if many else "")
        ]
        writer.writerow([line.name, *wanted, f"{line.price:g}" if line.price else "", *line.others])
    return text.getvalue()
