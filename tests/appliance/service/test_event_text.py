"""Events as text, for people and for programs."""

import json

import pytest

from appliance.inputs import SHUT_DOWN, Button, Pressed
from appliance.service.event_text import to_json, to_text
from appliance.service.ports import Happened
from appliance.table.menu.console import Waited
from appliance.table.menu.step import Happening
from appliance.table.session.session import Decided, Hinted
from games.values import Keep, Shown
from tests.builders import dice_moved, dice_picked_up, die, roll
from vision.events import Cleared, TrayChanged
from vision.reading import TrayState


@pytest.mark.parametrize(
    ("input_", "text", "rest"),
    [
        (SHUT_DOWN, "press left and right together", {"buttons": ["left", "right"]}),
        (Pressed(Button.OK, long=True), "press ok long", {"button": "ok", "long": True}),
        (Waited(), "waited", {}),
        (Hinted(None), "hinted", {}),
        (Decided(Keep((1, 4))), "decided hold 25", {"choice": "HOLD 25"}),
        (Decided(Shown(())), "decided", {}),
        (Cleared(0, 0.0), "cleared", {}),
        (TrayChanged(0, 0.0, TrayState.STILL), "tray still", {"state": "still"}),
    ],
)
def test_whatever_happens_has_a_text(input_: Happening, text: str, rest: dict[str, object]) -> None:
    happened = Happened(7, 0.25, input_, None)
    assert to_text(happened) == f"frame     7     0.250 s  {text}"
    fields = json.loads(to_json(happened))
    assert (fields.pop("frame"), fields.pop("time_s")) == (7, 0.25)
    assert fields.pop("event")
    assert fields == rest


def test_dice_are_named_by_the_tracker_and_as_in_0_1_0() -> None:
    """Its numbers are no slots of a game; who reads them as such still finds them."""
    rolled = json.loads(to_json(Happened(7, 0.25, roll(die(3, 4), die(5, 2)), None)))
    assert [(die["track"], die["slot"], die["value"]) for die in rolled["dice"]] == [
        (3, 3, 4),
        (5, 5, 2),
    ]
    for event in (dice_picked_up(0, 0.0, (3, 5)), dice_moved(0, 0.0, (3, 5))):
        told = json.loads(to_json(Happened(7, 0.25, event, None)))
        assert told["tracks"] == told["slots"] == [3, 5]
