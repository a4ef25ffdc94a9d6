"""Words of positions: only as they are written."""

import pytest

from games.notation.positions import read_slots, slots_word
from games.notation.words import RecordError, Words


@pytest.mark.parametrize("slots", [(), (0,), (0, 2, 3), (4,)])
def test_slots_come_back(slots: tuple[int, ...]) -> None:
    assert read_slots(Words.of(slots_word(slots)), 5) == slots


@pytest.mark.parametrize("text", ["01", "21", "11", "1x", "6", "0", "", "None"])
def test_slots_written_otherwise_are_refused(text: str) -> None:
    with pytest.raises(RecordError, match="134, or none"):
        read_slots(Words.of(text), 5)
