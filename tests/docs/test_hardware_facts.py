"""The table of facts about foreign hardware and software, held against the code.

docs/hardware-tested.md says what its columns mean.
"""

import ast
import csv
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from appliance.inputs import HOLD_BUTTONS
from tests.paths import ROOT

TABLE = ROOT / "docs/hardware-facts.csv"
HEADINGS = ["about", "fact", "value", "used in", "source", "noticed by"]
ORIGINS = ("read 20", "as cited", "**no source**")
"""One of these says where a fact comes from; a value that is calculated shows the calculation."""
_CODE = re.compile(r"`([^`]+)`")
_CALCULATED = re.compile(r"[×/] ?\d")


@dataclass(frozen=True, slots=True)
class Fact:
    """A row of the table.

    Attributes:
        name: what it is about.
        values: what must stand in the file, or the value of the constant.
        file: that relies on it.
        constant: its name in the file; empty where the words stand there.
        source: where it comes from.
        noticed_by: tests, as `file` or `file::function`, or words.
    """

    name: str
    values: tuple[str, ...]
    file: Path
    constant: str
    source: str
    noticed_by: str


def facts(lines: Iterable[str]) -> Iterator[Fact]:
    """All rows of the table, without its headings."""
    for row in csv.reader(lines):
        assert len(row) == len(HEADINGS), row
        _, name, value, used, source, noticed_by = row
        file, *constants = _CODE.findall(used)
        assert len(constants) <= 1, row
        yield Fact(
            name,
            tuple(_CODE.findall(value)),
            ROOT / file,
            "".join(constants),
            source,
            noticed_by,
        )


HEAD, *LINES = TABLE.read_text("utf-8").splitlines()
FACTS = tuple(facts(LINES))
every_fact = pytest.mark.parametrize("fact", FACTS, ids=[fact.name for fact in FACTS])


def constant(file: Path, name: str) -> object:
    """The value of a constant at the top of a module, without importing it."""
    for node in ast.parse(file.read_text("utf-8")).body:
        match node:
            case ast.Assign(targets=[ast.Name(id=found)], value=value) if found == name:
                break
            case ast.AnnAssign(target=ast.Name(id=found), value=ast.expr() as value) if (
                found == name
            ):
                break
    else:
        raise LookupError(f"{file}: no {name}")
    # Literals, and what is calculated from them.
    return eval(compile(ast.Expression(value), str(file), "eval"), {"__builtins__": {}})


def disagreement(fact: Fact) -> str:
    """The part of a fact's value that is not so in the code; empty if there is none."""
    if fact.constant:
        if len(fact.values) != 1:
            return f"expected one value, found {len(fact.values)}"
        stated, is_now = ast.literal_eval(fact.values[0]), constant(fact.file, fact.constant)
        if (stated, type(stated)) == (is_now, type(is_now)):
            return ""
        return f"{fact.constant} is {is_now!r}, stated {stated!r}"
    text = fact.file.read_text("utf-8")
    return ", ".join(f"no {value}" for value in fact.values if value not in text)


def test_there_are_facts_of_each_kind() -> None:
    assert HEAD.split(",") == HEADINGS
    assert len(FACTS) > 60
    assert sum(bool(fact.constant) for fact in FACTS) > 20
    assert len({fact.name for fact in FACTS}) == len(FACTS)


@every_fact
def test_the_code_relies_on_what_is_stated(fact: Fact) -> None:
    assert fact.file.is_file(), fact.file
    assert disagreement(fact) == ""


@every_fact
def test_a_source_is_named_or_said_to_be_missing(fact: Fact) -> None:
    assert any(origin in fact.source for origin in ORIGINS) or _CALCULATED.search(fact.source)


@every_fact
def test_the_tests_that_would_notice_exist(fact: Fact) -> None:
    for named in re.findall(r"`(tests/[^`]+)`", fact.noticed_by):
        file, _, function = named.partition("::")
        assert (ROOT / file).is_file(), named
        if function:
            assert f"def {function}(" in (ROOT / file).read_text("utf-8"), named
    assert "`tests/" in fact.noticed_by or fact.noticed_by.split(":")[0] in (
        "nothing",
        "the same test",
        "a finger",
    )


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ("`0.3`,`appliance/devices/buttons.py` `LOST_EDGE_S`", "is 0.1"),
        ("`1`,`appliance/devices/header.py` `CHIP_LABELS`", "pinctrl-rp1"),
        ("`RuntimeWatchdogSec=14s`,`systemd/watchdog.conf`", "no RuntimeWatchdogSec=14s"),
        ("two,`appliance/devices/buttons.py` `DEBOUNCE_S`", "expected one value"),
    ],
)
def test_a_value_that_is_no_longer_so_is_noticed(row: str, says: str) -> None:
    (fact,) = facts([f"pins,a fact,{row},**no source**,nothing"])
    assert says in disagreement(fact)


def test_limits_of_chips_are_kept() -> None:
    """Each limit is stated in the table, with its source."""
    text = TABLE.read_text("utf-8")
    for limit in ("8388 ms", "10 MHz", "a pin may supply 16 mA, all pins together 50 mA"):
        assert limit in text
    config = ROOT / "firmware/config.py"
    assert constant(config, "WATCHDOG_MS") in range(1000, 8388)
    assert constant(config, "BAUDRATE") in range(100_000, 10_000_000)
    light_ma = constant(ROOT / "scripts/hardware/building/power.py", "BUTTON_LIGHT_MA")
    assert isinstance(light_ma, float)
    assert light_ma <= 16
    assert len(HOLD_BUTTONS) * light_ma <= 50


def test_a_constant_that_is_gone_is_noticed() -> None:
    with pytest.raises(LookupError, match="no NOTHING"):
        constant(ROOT / "appliance/devices/buttons.py", "NOTHING")
