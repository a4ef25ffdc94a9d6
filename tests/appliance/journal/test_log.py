"""Lines of a log as text, and what is kept of those that were read."""

import gc
import sys
from itertools import product

from appliance.journal.log import line_to_text, lines_from_text
from appliance.table.session.session import Setup

MOST_BLOCKS = 30_000
"""That Python may have allocated after all lines there are, and not freed: some ten a line."""


def test_of_all_lines_that_were_ever_read_few_are_kept() -> None:
    setup = Setup("classic", ("ANNA", "BOB"))
    gc.collect()
    before = sys.getallocatedblocks()
    for dice in product(range(1, 7), repeat=5):
        text = f"roll {' '.join(map(str, dice))}"
        [line] = lines_from_text(setup, [text])
        assert line_to_text(setup, line) == text
    gc.collect()
    kept = sys.getallocatedblocks() - before
    assert kept < MOST_BLOCKS, kept
