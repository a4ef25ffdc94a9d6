"""How many examples a test tries: some in every run, all of them in the run that proves.

`DICETRAY_EXAMPLES=full` asks for all; `scripts/test` sets it when it runs everything.
"""

import os

FULL = os.environ.get("DICETRAY_EXAMPLES") == "full"


def examples(few: int, full: int) -> int:
    """How many of the examples of a test, or of the seeds of a loop, this run tries."""
    return full if FULL else few
