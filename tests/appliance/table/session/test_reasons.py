"""Reasons to hold dice: a box is named if it is still open, and as a person would say it."""

from dataclasses import replace
from random import Random

import pytest

from appliance.screens.draw import pages
from appliance.table.prompts.hints import HintPrompt
from appliance.table.session.hinting import take_hint
from appliance.table.session.modes import Hinting, Playing
from appliance.table.session.prompting import prompt
from appliance.table.session.reasons import open_labels, reason_to_hold
from appliance.table.session.recording import play
from appliance.table.session.session import Hinted, Session, Setup, new_session
from games.chance import random_event
from games.classic import Box, Sheet
from games.registry import GAMES
from games.strategy import advice
from games.values import Choose, Keep, Rolled
from tests.rigs.spoken import spoken
from tests.rigs.strict_drawing import strict_drawing


def thrown(*faces: int, filled: tuple[Box, ...] = ()) -> Session:
    """A throw of Classic on a sheet with these boxes filled."""
    session = new_session(Setup("classic", ("ANNA", "BOB"), (("first", 0),)))
    boxes = [0 if box in filled else None for box in Box]
    sheets = (Sheet.of(boxes), *session.record.state.sheets[1:])
    session = replace(
        session, record=replace(session.record, state=replace(session.record.state, sheets=sheets))
    )
    return play(session, Rolled(faces))


@pytest.mark.parametrize(
    ("faces", "held", "filled", "says"),
    [
        ((3, 3, 1, 5, 6), (0, 1), (), "FOR THREES"),
        ((3, 3, 1, 5, 6), (0, 1), (Box.THREES,), "FOR 3 ALIKE"),
        ((3, 3, 3, 3, 6), (0, 1, 2, 3), (), "FOR FIVE ALIKE"),
        ((3, 3, 3, 3, 6), (0, 1, 2, 3), (Box.FIVE_ALIKE, Box.THREES), "FOR 4 ALIKE"),
        ((3, 3, 5, 5, 6), (0, 1, 2, 3), (), "FOR FULL HOUSE"),
        ((2, 3, 4, 5, 5), (0, 1, 2, 3), (), "FOR LARGE STR"),
        ((2, 3, 4, 6, 6), (0, 1, 2), (), "FOR SMALL STR"),
        ((2, 3, 4, 6, 6), (0, 1, 2), (Box.SMALL_STRAIGHT,), "FOR LARGE STR"),
        ((1, 5, 6, 6, 2), (1, 2, 3), (), "FOR CHANCE"),
        ((1, 5, 6, 6, 2), (), (), ""),
    ],
)
def test_what_dice_are_held_for(
    faces: tuple[int, ...], held: tuple[int, ...], filled: tuple[Box, ...], says: str
) -> None:
    assert reason_to_hold(thrown(*faces, filled=filled), held) == says


def test_boxes_that_are_there_several_times_are_called_without_their_number() -> None:
    session = new_session(Setup("power", ("ANNA", "BOB"), (("first", 0),)))
    labels = open_labels(play(session, Rolled((1, 2, 3, 4, 6, "1"))))
    assert not [label for label in labels.values() if label[-1].isdigit()]
    assert labels["three-alike"] == "3 ALIKE"
    assert labels["five-alike"] == "5 ALIKE"


@pytest.mark.parametrize("name", ["classic", "power", "showdown", "free-for-all"])
@pytest.mark.parametrize("code", ["en", "de"])
def test_every_hint_to_hold_draws_the_dice_with_a_reason_that_fits(name: str, code: str) -> None:
    game, random = GAMES[name], Random(4)
    session = new_session(Setup(name, ("ANNA", "BOB")))
    held = said = 0
    for _ in range(160):
        ask = game.ask(session.record.state)
        keeps = [c for c in game.choices(session.record.state) if isinstance(c, Keep) and c.slots]
        if isinstance(ask, Choose) and keeps:
            best = advice.hint(name, session.record.state)
            if best is not None and isinstance(best.choice, Keep) and best.choice.slots:
                shown = prompt(take_hint(replace(session, mode=Hinting(Playing())), Hinted(best)))
                assert isinstance(shown, HintPrompt)
                assert "HOLD" not in shown.reason
                with spoken(code), strict_drawing():
                    assert pages(shown)
                held += 1
                said += bool(shown.reason)
        event = random_event(game, session.record.state, random)
        if event is None:
            break
        session = play(session, event)
    assert held > 5
    assert said > 0.6 * held
