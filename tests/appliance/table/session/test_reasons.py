"""The reason of every hint is said at the table, in every language and within the board."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from appliance.screens.draw import pages
from appliance.table.prompts.hints import HintPrompt
from appliance.table.session.hinting import take_hint
from appliance.table.session.modes import Hinting, Playing
from appliance.table.session.prompting import prompt
from appliance.table.session.recording import play
from appliance.table.session.session import Hinted, Session, Setup, new_session
from appliance.words import languages, say
from games import registry
from games.chance import random_event
from games.registry import GAMES
from games.strategy import advice
from games.values import Choose, Draw, Event
from tests.docs import high_dice
from tests.games.plugins import farkle
from tests.rigs.examples import examples
from tests.rigs.spoken import spoken
from tests.rigs.strict_drawing import strict_drawing

PLUGINS = {"high-dice": high_dice.GAME, "farkle": farkle.GAME}


@pytest.fixture(autouse=True)
def _with_plugins(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, game in PLUGINS.items():
        monkeypatch.setitem(registry._GAMES._others, name, game)


def played(session: Session, random: Random) -> tuple[Session, Event | None]:
    """The session after something happened at random."""
    record = session.record
    event = random_event(record.rules, record.state, random)
    return (session if event is None else play(session, event)), event


def hints_in(name: str, seed: int, events: int) -> list[HintPrompt]:
    """What the table says when a hint is asked for, in a game at random."""
    random, found = Random(seed), list[HintPrompt]()
    session = new_session(Setup(name, ("ANNA", "BOB")))
    for number in range(events):
        ask: Any = session.record.ask
        chooses = isinstance(ask, Choose) and not isinstance(ask, Draw) and not ask.reported
        if chooses and number % 3 == 0:
            hint = advice.hint(session.record.rules, session.record.state)
            assert hint is not None
            shown = prompt(take_hint(replace(session, mode=Hinting(Playing())), Hinted(hint)))
            assert isinstance(shown, HintPrompt)
            found.append(shown)
        session, event = played(session, random)
        if event is None:
            break
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", [*GAMES, *PLUGINS])
def test_every_hint_has_a_reason_that_fits_in_every_language(name: str) -> None:
    found = [hint for seed in range(examples(1, 6)) for hint in hints_in(name, seed, 300)]
    assert found
    for shown in found:
        assert shown.reason
        for code in languages():
            with spoken(code), strict_drawing():
                assert pages(shown)
                assert not {*say(shown.reason)} & {*"{}"}
                assert shown.told()
