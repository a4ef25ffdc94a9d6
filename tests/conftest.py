"""Settings and fixtures that all tests share."""

import gc
import math
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import Phase, settings

from scripts.proofs.record import RECORD, Checkout, Record, read_proofs
from tests import profiles
from tests.paths import ROOT
from tests.rigs.examples import FULL
from vision.geometry.profile import Profile

# In CI the same change must get the same answer every time; elsewhere runs vary the examples.
SAME = bool(os.environ.get("CI"))
# A busy machine is no reason to fail.
settings.register_profile("here", deadline=None, max_examples=25)
settings.register_profile("ci", derandomize=True, deadline=None, max_examples=25)
settings.register_profile("proof", derandomize=SAME, deadline=None, max_examples=100)
# Whoever changes lines on purpose asks only whether a test fails, not for its smallest example.
settings.register_profile(
    "mutants", deadline=None, database=None, phases=(Phase.explicit, Phase.generate)
)
settings.load_profile("proof" if FULL else "ci" if SAME else "here")

LEFT_OUT = pytest.StashKey[frozenset[Path]]()
"""Files that are not collected."""

SLOW = frozenset((ROOT / "tests/slow.txt").read_text().split("\n")[1:-1])
"""Tests that are marked `slow`, besides those marked in their own files."""


LONGEST = tuple((ROOT / "tests/longest.txt").read_text().split())
"""Files that run first, the longest at the very first: otherwise one of them would still be running
when all others are done. `scripts/list_costs.py` writes them."""

PROOFS = read_proofs(ROOT)
"""Files of the *proof* job; all others are *core*."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds our own options."""
    parser.addoption(
        "--proofs",
        choices=("all", "demanded", "none"),
        default="all",
        help="which files of tests/proof.txt to run: demanded are those that a change can break",
    )
    parser.addoption(
        "--until",
        type=float,
        default=math.inf,
        metavar="TIME",
        help="seconds since 1970 after which every further test fails without being run",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Finds the proofs to leave out."""
    wanted = config.getoption("--proofs")
    left_out = frozenset[str]() if wanted == "all" else PROOFS
    if wanted == "demanded":
        left_out -= Record.read(ROOT / RECORD).demanded(PROOFS, Checkout.at(ROOT)).keys()
    config.stash[LEFT_OUT] = frozenset(ROOT / proof for proof in left_out)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leaves proofs out."""
    return collection_path in config.stash[LEFT_OUT] or None


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Fails what there is no time left for."""
    if time.time() > item.config.getoption("--until"):
        pytest.fail("not run: the time for all tests is over", pytrace=False)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks slow tests, so that `scripts/test --quick` can skip them; runs `LONGEST` first."""
    order = {file: place for place, file in enumerate(LONGEST)}
    items.sort(key=lambda item: order.get(item.nodeid.partition("::")[0], len(order)))
    for item in items:
        if item.nodeid.partition("[")[0] in SLOW:
            item.add_marker(pytest.mark.slow)


def pytest_collection_finish() -> None:
    """Spares the garbage collector what stays until the end: all modules and tests."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def make_profile() -> Callable[..., Profile]:
    """Makes a profile of a camera that is tilted by some radians."""
    return profiles.make_profile
