"""Nothing that a player needs takes longer than three seconds to come round."""

from random import Random

import pytest

from appliance.inputs import Button
from appliance.screens.draw import film, pages
from appliance.screens.drawing import Film
from appliance.service.environment import Environment
from appliance.table.menu.prompting import PagePrompt
from appliance.table.prompts.hints import HintPrompt
from appliance.table.prompts.prompt import Prompt
from appliance.table.session.session import Setup
from games.registry import GAMES
from tests.rigs.at_table import AtTable

MAX_WAIT_S = 3.0
STEPS = 60
LOOKS = (Button.LEFT, Button.RIGHT, Button.HINT, Button.BACK, Button.HOLD1)


def longest_wait_s(prompt: Prompt) -> float:
    """Seconds for which a page of a prompt is away at most, once its opening is over."""
    drawn: Film = film(prompt)
    twice = (*drawn.loop, *drawn.loop)
    longest = 0.0
    for page in {*pages(prompt)}:
        away, seen = 0.0, False
        for still in twice:
            shown = still.picture == page
            away = 0.0 if shown else away + still.seconds
            longest = max(longest, away if seen else 0.0)
            seen |= shown
    return longest


def needs_time(prompt: Prompt) -> bool:
    """True if it is read at leisure: a menu, or odds, which LEFT and RIGHT go through."""
    return isinstance(prompt, PagePrompt) or (isinstance(prompt, HintPrompt) and prompt.odds != ())


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("count", [2, 3, 4, 5, 6])
def test_all_that_a_player_needs_comes_round_within_three_seconds(game: str, count: int) -> None:
    if count not in range(GAMES[game].min_players, GAMES[game].max_players + 1):
        return
    names = ("ANNA", "BOB", "CLEO", "DORA", "EMIL", "FRIDA")[:count]
    table = AtTable(":memory:", Setup(game, names), count, Environment(advises=False))
    random, kinds, seen = Random(count), set[str](), 0
    for _ in range(STEPS):
        table.wait()
        prompt = table.appliance.prompt
        assert prompt is not None
        if not needs_time(prompt):
            assert longest_wait_s(prompt) <= MAX_WAIT_S + 0.01, prompt
            seen += 1
            kinds.add(type(prompt).__name__)
        if random.random() < 0.4:
            table.press(random.choice(LOOKS))
        elif not table.go_on():
            break
    assert seen > STEPS // 2
    assert len(kinds) >= 3, kinds
