"""The two jobs of tests, core and proof, and the time that they have."""

import time
from types import SimpleNamespace
from typing import Any

import pytest

from tests import conftest
from tests.conftest import LEFT_OUT, LONGEST, PROOFS
from tests.paths import ROOT
from tests.proofs.examples.rooms import ROOMS, files_of

A_PROOF = "tests/systemd/test_signed.py"


def configured(proofs: str) -> Any:
    """A configuration with that option, once it has been looked at."""
    config: Any = SimpleNamespace(stash={}, getoption=lambda _: proofs)
    conftest.pytest_configure(config)
    return config


def test_every_file_that_is_listed_exists() -> None:
    assert [file for file in (*LONGEST, *PROOFS) if not (ROOT / file).is_file()] == []


def test_every_file_that_tries_a_few_examples_is_proved_with_all() -> None:
    marks = ("from tests.rigs.examples import", "from hypothesis import")
    with_examples = [
        str(path.relative_to(ROOT))
        for path in (ROOT / "tests").rglob("test_*.py")
        if any(line.startswith(marks) for line in path.read_text().splitlines())
    ]
    listed = (ROOT / "tests/examples.txt").read_text().split()
    assert listed == sorted({*with_examples} - PROOFS)
    assert sorted(file for room in ROOMS for file in files_of(room)) == listed
    proofs = {f"tests/proofs/examples/test_{room}.py" for room in ROOMS}
    assert proofs == {proof for proof in PROOFS if proof.startswith("tests/proofs/examples/")}


def test_the_core_leaves_all_proofs_out_and_nothing_else() -> None:
    config = configured("none")
    assert config.stash[LEFT_OUT] == {ROOT / proof for proof in PROOFS}
    assert conftest.pytest_ignore_collect(ROOT / A_PROOF, config)
    assert conftest.pytest_ignore_collect(ROOT / "tests/test_jobs.py", config) is None


def test_all_leave_nothing_out() -> None:
    assert configured("all").stash[LEFT_OUT] == frozenset()


def test_a_proof_that_never_passed_is_not_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conftest, "RECORD", "tests/no_such_record.json")
    assert configured("demanded").stash[LEFT_OUT] == frozenset()


def test_what_there_is_no_time_for_fails_by_name() -> None:
    over: Any = SimpleNamespace(config=SimpleNamespace(getoption=lambda _: time.time() - 1.0))
    with pytest.raises(pytest.fail.Exception, match="not run"):
        conftest.pytest_runtest_setup(over)
    left: Any = SimpleNamespace(config=SimpleNamespace(getoption=lambda _: time.time() + 900.0))
    conftest.pytest_runtest_setup(left)
