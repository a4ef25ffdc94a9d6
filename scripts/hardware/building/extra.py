"""What scripts say where the extra `parts` is not installed."""

import sys


def report_missing(error: ModuleNotFoundError) -> int:
    """Says on stderr which module is missing and how to get it; returns the exit status, 2."""
    print(
        f"dicetray: expected the extra `parts`, found no {error.name}: "
        "pip install --require-hashes -r requirements/parts.txt",
        file=sys.stderr,
    )
    return 2
