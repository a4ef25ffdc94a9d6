"""Looking back: nobody is blamed for what a hint advised."""

from random import Random

import pytest

from games import classic
from games.chance import random_game
from games.record import game_states
from games.strategy import advice
from games.strategy.review import review_game
from games.values import Choice, Hint, Measure
from tests.builders import record_for


@pytest.mark.parametrize("advised", [False, True])
def test_what_a_hint_advised_costs_nothing(monkeypatch: pytest.MonkeyPatch, advised: bool) -> None:
    """Near the end a hint may give points away for a better chance to win."""
    events, _ = random_game(classic.GAME, ("ANNA", "BOB"), {"first": 0}, Random(3))
    game = record_for(classic.GAME, ("ANNA", "BOB"), {"first": 0}, events)
    moments = list(zip(events, game_states(game), strict=False))

    def weigh(_: str, state: classic.State) -> tuple[dict[Choice, float], Measure]:
        choices = classic.GAME.choices(state)
        return {choice: float(number) for number, choice in enumerate(choices)}, Measure.TOTAL

    def hint(_: str, state: classic.State) -> Hint | None:
        played = next(event for event, at in moments if at == state)
        assert isinstance(played, Choice)
        return Hint(played, 0.5, Measure.GAME) if advised else None

    monkeypatch.setattr(advice, "weigh", weigh)
    monkeypatch.setattr(advice, "best_move", hint)
    monkeypatch.setattr(advice, "expected_total", lambda *_: None)
    costs = [player.cost for player in review_game(game)]
    assert all(cost > 0 for cost in costs) is not advised
