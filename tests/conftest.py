"""What all tests share."""

import os
from collections.abc import Callable

import pytest
from hypothesis import settings

from tests import profiles
from tests.paths import ROOT
from vision.geometry.profile import Profile

# Where a change is checked, the same change must get the same answer each time; elsewhere every run
# tries other examples.
settings.register_profile("ci", derandomize=True, deadline=None)
# A machine that does other work too is no reason to fail.
settings.register_profile("here", deadline=None)
settings.load_profile("ci" if os.environ.get("CI") else "here")

SLOW = frozenset((ROOT / "tests/slow.txt").read_text().split("\n")[1:-1])
"""Tests that are marked `slow` beside those that say so themselves."""


LONGEST = (
    "tests/appliance/cli/test_by_hand_long.py",
    "tests/appliance/cli/test_by_hand_short.py",
    "tests/appliance/strategy/classic/test_solver.py",
    "tests/appliance/web/test_browser.py",
    "tests/vision/test_once_wrong.py",
    "tests/vision/detect/test_crowded.py",
    "tests/vision/watch/test_films.py",
    "tests/calibration/quality/test_quality.py",
)
"""Files that are begun first: else one of them would go on when all others are done."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks what takes long, so that `scripts/test --quick` can leave it out; begins with it."""
    order = {file: place for place, file in enumerate(LONGEST)}
    items.sort(key=lambda item: order.get(item.nodeid.partition("::")[0], len(order)))
    for item in items:
        if item.nodeid.partition("[")[0] in SLOW:
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def make_profile() -> Callable[..., Profile]:
    """Makes a profile of a camera that leans by so many radians."""
    return profiles.make_profile
