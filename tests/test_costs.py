"""Everyday actions cost no more than in the last release; nobody's clock is read."""

import sys
from dataclasses import asdict

import pytest

from scripts.count_costs import COSTS_FILE, Release, count_all

RELEASE = Release.read(COSTS_FILE.read_text("utf-8"))

pytestmark = pytest.mark.skipif(
    sys.version_info[:2] != RELEASE.python or sys.platform != "linux",
    reason="another Python counts otherwise",
)


@pytest.mark.slow
def test_everyday_actions_cost_no_more_than_in_the_last_release() -> None:
    now = {name: asdict(cost) for name, cost in count_all().items()}
    assert now.keys() == RELEASE.costs.keys()
    assert list(RELEASE.faults(now)) == []
