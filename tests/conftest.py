"""What all tests share."""

import os

from hypothesis import settings

# Where a change is judged, the same change must be judged alike each time; elsewhere every run
# tries other examples.
settings.register_profile("ci", derandomize=True, deadline=None)
if os.environ.get("CI"):
    settings.load_profile("ci")
