"""What all tests share."""

import os
from collections.abc import Callable

import pytest
from hypothesis import Phase, settings

from tests import profiles
from tests.paths import ROOT
from vision.geometry.profile import Profile

# In CI the same change must get the same answer every time; elsewhere runs vary the examples.
settings.register_profile("ci", derandomize=True, deadline=None)
# A busy machine is no reason to fail.
settings.register_profile("here", deadline=None)
# Whoever changes lines on purpose asks only whether a test fails, not for its smallest example.
settings.register_profile(
    "mutants", deadline=None, database=None, phases=(Phase.explicit, Phase.generate)
)
settings.load_profile("ci" if os.environ.get("CI") else "here")

SLOW = frozenset((ROOT / "tests/slow.txt").read_text().split("\n")[1:-1])
"""Tests that are marked `slow`, besides those marked in their own files."""


LONGEST = (
    "tests/appliance/cli/test_by_hand_long.py",
    "tests/appliance/cli/test_by_hand_short.py",
    "tests/appliance/cli/test_processes.py",
    "tests/appliance/cli/test_strange_files.py",
    "tests/appliance/strategy/classic/test_solver.py",
    "tests/appliance/web/test_browser.py",
    "tests/appliance/web/test_score_browser.py",
    "tests/appliance/web/test_simulated.py",
    "tests/vision/test_once_wrong.py",
    "tests/vision/detect/test_crowded.py",
    "tests/vision/watch/test_films.py",
    "tests/calibration/quality/test_quality.py",
)
"""Files that run first: otherwise one of them would still be running when all others are done."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks slow tests, so that `scripts/test --quick` can skip them; runs `LONGEST` first."""
    order = {file: place for place, file in enumerate(LONGEST)}
    items.sort(key=lambda item: order.get(item.nodeid.partition("::")[0], len(order)))
    for item in items:
        if item.nodeid.partition("[")[0] in SLOW:
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def make_profile() -> Callable[..., Profile]:
    """Makes a profile of a camera that is tilted by some radians."""
    return profiles.make_profile
