"""Every event of every game is told, or passed over, and no sentence is wrong."""

from random import Random

import pytest

from appliance.simulator.commentary import comment
from appliance.table.session.session import Played, Session, Setup, resume
from appliance.words import set_language
from games.chance import random_game
from games.registry import GAMES
from games.values import Choice, Keep, Left, Rolled

CLASSIC = Setup("classic", ("ANNA", "BOB"), (("first", 0),))
THROWN = Rolled((4, 3, 3, 4, 3))


def after(*events: Rolled | Choice, setup: Setup = CLASSIC) -> Session:
    return resume(setup, tuple(Played(event) for event in events))


def test_a_turn_is_told_move_by_move() -> None:
    assert comment(after()) == ""
    assert comment(after(THROWN)) == "ANNA rolls 4 3 3 4 3."
    kept = Keep((0, 4))
    assert comment(after(THROWN, kept)) == "ANNA keeps 4 3 and throws the rest again."
    session = after(THROWN)
    rules, state = session.record.rules, session.record.state
    scored = {choice.key: choice for choice in rules.choices(state)}
    assert comment(after(THROWN, scored["full-house"])) == "ANNA: FULL HOUSE for 25."
    none = next(c for c in scored.values() if isinstance(c, Keep) and not c.slots)
    assert comment(after(THROWN, none)) == "ANNA throws all dice again."


def test_it_speaks_the_chosen_language() -> None:
    set_language("de")
    try:
        assert comment(after(THROWN)) == "ANNA würfelt 4 3 3 4 3."
    finally:
        set_language("en")


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_event_of_a_game_can_be_told(game: str) -> None:
    setup = Setup(game, ("ANNA", "BOB", "CLEO"), ())
    told = 0
    events, _ = random_game(GAMES[game], setup.players, {}, Random(5))
    for count in range(1, min(len(events), 80), 3):
        session = resume(setup, tuple(Played(event) for event in events[:count]))
        event = session.record.events[-1]
        sentence = comment(session)
        told += bool(sentence)
        if isinstance(event, Rolled | Choice) and not isinstance(event, Left):
            assert any(name in sentence for name in setup.players), (event, sentence)
    assert told > 3
