"""Pictures that were once read wrongly; `dicetray dataset add` makes the folder grow."""

from pathlib import Path

import pytest

from appliance.dataset.evaluation.vision import Case, load_cases, run
from vision.reader import Reader

FOLDER = Path(__file__).parent / "regression"


@pytest.mark.parametrize("case", list(load_cases(FOLDER)), ids=lambda case: case.file)
def test_a_picture_once_read_wrongly_is_read(case: Case) -> None:
    rows = run([case], lambda pictures, _: Reader().read(pictures[0]))
    tally = rows[case.group]
    assert tally.dice > 0
    assert (tally.right, tally.wrong, tally.phantoms_sure) == (tally.dice, 0, 0)
