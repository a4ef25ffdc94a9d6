"""The events of a traced film are spelt out."""

import pytest

from scripts.trace_watch import spell
from tests.builders import dice_moved, dice_picked_up, die, roll
from vision.events import TrayChanged, TrayEvent
from vision.reading import DieState, TrayState


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (TrayChanged(0, 0.0, TrayState.STILL), "TrayChanged(still)"),
        (dice_picked_up(0, 0.0, (1, 4)), "PickedUp(1 4)"),
        (dice_moved(0, 0.0, (2,), (die(2, 3, thrown=False),)), "Moved(2:black=3)"),
        (roll(die(0, 5, state=DieState.UNSURE), frame=9), "Roll(0:black=5?unsure* rest=9)"),
    ],
)
def test_an_event_names_its_dice(event: TrayEvent, text: str) -> None:
    assert spell(event) == text
