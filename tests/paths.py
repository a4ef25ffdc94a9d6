"""Where things are: the checkout, and the folder of labelled pictures beside it."""

import os
from pathlib import Path

ROOT = Path(__file__).parents[1]
"""The checkout."""
DATA = Path(os.environ.get("DICETRAY_DATA", ROOT.parent / "shared" / "data"))
"""Labelled pictures; tests that need them are skipped if there is no such folder."""
