"""What follows from the events of a game, wherever it was last asked for."""

from functools import reduce
from random import Random

import pytest

from appliance.table.session import session as sessions
from appliance.table.session.session import Setup, new_record, player_choices, replay
from games.chance import random_game
from games.registry import GAMES


@pytest.mark.parametrize("name", GAMES)
def test_what_was_known_of_a_game_changes_nothing_of_what_follows(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    random = Random(7)
    records = []
    for seats in (GAMES[name].min_players, 3):
        setup = Setup(name, tuple("ABC"[:seats]))
        events, _ = random_game(setup.rules, setup.players, dict(setup.options), random)
        record = new_record(setup, 1)
        step = len(events) // 8 + 1
        records += [record.played(*events[:count]) for count in range(0, len(events), step)]
    # Longer ones, shorter ones, and other games in between, as views, undo and reviews ask.
    asked = [*records, *random.sample(records, len(records)), *records[::-2]]
    for record in asked:
        known = replay(record.setup, record.events), player_choices(sessions.Session(record))
        rules = record.setup.rules
        state = reduce(rules.apply, record.events, rules.start(record.setup.players, {}))
        with monkeypatch.context() as patch:
            patch.setattr(sessions, "_choices", sessions._Latest())
            assert known == (state, player_choices(sessions.Session(record)))
