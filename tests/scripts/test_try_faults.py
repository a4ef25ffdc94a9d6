"""The list of faults in what is no Python keeps to the files as they are."""

import re
from pathlib import Path

import pytest

from scripts.try_faults import Fault, read_faults
from tests.paths import ROOT

FAULTS = read_faults()


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_has_its_place_and_its_test(fault: Fault) -> None:
    assert (ROOT / fault.file).read_text("utf-8").count(fault.old) == 1
    assert fault.new != fault.old
    file, _, test = fault.noticed_by.partition("::")
    if file:
        assert re.search(rf"^def {test}\(", (ROOT / file).read_text("utf-8"), re.MULTILINE)
    assert bool(file) is not bool(fault.why)


def test_names_differ() -> None:
    assert len({fault.name for fault in FAULTS}) == len(FAULTS)


def test_a_fault_is_made_only_where_its_text_is_once(tmp_path: Path) -> None:
    fault = Fault("none", "shell", "a.sh", "one", "two", "tests/a.py::test_a")
    (tmp_path / "a.sh").write_text("one more\n")
    fault.make(tmp_path)
    assert (tmp_path / "a.sh").read_text() == "two more\n"
    with pytest.raises(ValueError, match="found 0"):
        fault.make(tmp_path)
