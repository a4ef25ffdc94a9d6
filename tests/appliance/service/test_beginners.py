"""Who has never won sees first what is best to take; others, what scores most."""

from dataclasses import replace

import pytest

from appliance.inputs import Button
from appliance.service.environment import Environment
from appliance.table.menu.settings import Settings, from_text
from appliance.table.prompts.turn import ChoicePrompt
from appliance.table.session.listing import ranked_choices
from appliance.table.session.session import Setup
from appliance.words import Label
from games.registry import GAMES
from games.strategy import advice
from games.values import Choice, Keep
from tests.builders import die, roll
from tests.rigs.at_table import AtTable

SETUP = Setup("classic", ("ANNA", "BEN"), (("first", 0),))


def table(settings: Settings | None = None, *, advises: bool = True) -> AtTable:
    environment = Environment(advises=advises, settings=settings or Settings())
    return AtTable(":memory:", SETUP, 1, environment)


def first_choice(at: AtTable, faces: tuple[int, ...]) -> str:
    at.watcher.events = [roll(*(die(slot, face) for slot, face in enumerate(faces)))]
    at.wait()
    at.press(Button.OK)
    shown = at.appliance.prompt
    assert isinstance(shown, ChoicePrompt)
    assert shown.index == 0
    return shown.label


def test_a_beginner_sees_first_what_is_best_to_take() -> None:
    # 16 points for chance, which is worth keeping; three ones cost nearly nothing there.
    faces = (1, 1, 1, 6, 6)
    assert first_choice(table(advises=False), (1, 1, 2, 6, 6)) == "CHANCE"
    beginner = table()
    assert first_choice(beginner, (1, 1, 2, 6, 6)) == "ACES"
    session = beginner.session
    keeps = [c for c in session.record.choices if not isinstance(c, Keep)]
    best = advice.best_of(session.record.rules, session.record.state, keeps)
    assert ranked_choices(session)[0] == best
    assert {*ranked_choices(session)} == {*keeps}
    assert first_choice(table(), faces) == "FULL HOUSE"


def test_what_comes_first_is_only_an_order() -> None:
    beginner = table()
    first_choice(beginner, (1, 1, 2, 6, 6))
    lines = len(beginner.session.record.log)
    beginner.press(Button.RIGHT)
    assert len(beginner.session.record.log) == lines
    shown = beginner.appliance.prompt
    assert isinstance(shown, ChoicePrompt)
    assert (shown.label, shown.index) == ("CHANCE", 1)


def test_who_has_won_sees_most_points_first() -> None:
    won = Settings().with_winners(("ANNA", "PLAYER 1", "ROBO ***"))
    assert won.winners == {"ANNA"}
    assert from_text(won.text) == won
    assert first_choice(table(won), (1, 1, 2, 6, 6)) == "CHANCE"
    off = replace(Settings(), beginners=False)
    assert from_text(off.text) == off
    assert first_choice(table(off), (1, 1, 2, 6, 6)) == "CHANCE"


def test_two_quick_presses_take_what_would_have_been_shown() -> None:
    beginner = table()
    beginner.watcher.events = [roll(*(die(slot, f) for slot, f in enumerate((1, 1, 2, 6, 6))))]
    beginner.wait()
    beginner.press(Button.OK, Button.OK)
    last = beginner.session.record.events[-1]
    assert isinstance(last, Choice)
    assert Label(last.key) == "ACES"


def test_a_winner_is_remembered_at_the_end_of_a_game() -> None:
    at = table()
    at.play()
    session = at.session
    outcome = session.record.rules.outcome(session.record.state)
    assert outcome is not None
    names = {SETUP.players[seat] for seat in outcome.winners}
    assert at.appliance.console.settings.winners == names


@pytest.mark.parametrize("game", GAMES)
def test_every_game_goes_on_with_it(game: str) -> None:
    players = ("ANNA", "BEN", "CLEO")[: max(2, GAMES[game].min_players)]
    at = AtTable(":memory:", Setup(game, players), 3, Environment(advises=True))
    for _ in range(60):
        if not at.go_on():
            break
    assert at.session.record.events
