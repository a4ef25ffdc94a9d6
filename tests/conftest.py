"""What all tests share."""

import os
from collections.abc import Callable

import pytest
from hypothesis import settings

from tests import profiles
from vision.geometry.profile import Profile

# Where a change is judged, the same change must be judged alike each time; elsewhere every run
# tries other examples.
settings.register_profile("ci", derandomize=True, deadline=None)
# A machine that does other work too is no reason to fail.
settings.register_profile("here", deadline=None)
settings.load_profile("ci" if os.environ.get("CI") else "here")


@pytest.fixture(scope="session")
def make_profile() -> Callable[..., Profile]:
    """Makes a profile of a camera that leans by so many radians."""
    return profiles.make_profile
