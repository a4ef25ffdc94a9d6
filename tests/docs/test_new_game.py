"""The developer's example: one file and one entry in the registry make a game of the appliance."""

import json
import random
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from appliance.cli.main import main
from appliance.cli.shared.starting import environment_from
from appliance.config import Config
from appliance.inputs import Button, Pressed
from appliance.screens.draw import film, pages
from appliance.screens.drawing.film import fireworks
from appliance.simulator.people.menu_user import Wishes, next_menu_press
from appliance.simulator.people.ports import kinds_of_dice_in
from appliance.table.menu.asking import console_prompt
from appliance.table.menu.console import Console, Equipment
from appliance.table.menu.preferences import HouseRules
from appliance.table.menu.prompting import ListPrompt
from appliance.table.menu.requests import BeginGame
from appliance.table.menu.step import advance
from appliance.table.prompts.hints import HintPrompt
from appliance.table.prompts.turn import OverPrompt, ThrowPrompt
from appliance.table.session.hinting import wants_hint
from appliance.table.session.prompting import prompt
from appliance.table.session.session import Hinted, Session, Setup, new_session
from appliance.table.session.step import step
from appliance.words import Label
from games import record, registry
from games.chance import random_event, throw
from games.computers import Strength, computer_name
from games.strategy import advice, computer
from games.strategy.review import review_game
from games.values import Choose, DieKind, Event, Keep, Measure, Rolled, Throw
from tests.rigs.proof.games import play_unpictured
from vision.events import Roll, TrackedDie, TrackId
from vision.reading import Candidate, DieReading, DieState, Kind

HERE = Path(__file__).parent
GUIDE = HERE.parents[1] / "docs" / "developing.md"


def bank() -> Any:
    """The choice to bank."""
    return sys.modules["high_dice"].Bank()


def test_random_games_can_be_written_and_read_again(registered: Any) -> None:
    for seed in range(30):
        chance = random.Random(seed)
        names = ["Ann", "Bob", "Cleo"][: chance.randint(1, 3)]
        first, state = registered.start(names, {}), registered.start(names, {})
        events = []
        while (event := random_event(registered, state, chance)) is not None:
            line = record.position_to_text(registered, state)
            assert record.position_from_text(line) == (registered, state)
            state = registered.apply(state, event)
            events.append(event)
        assert registered.outcome(state).scores == registered.scores(state)
        kept = record.Record(registered.name, registered.edition, tuple(names), (), tuple(events))
        assert record.read_record(record.write_record(kept)) == kept
        assert record.replay(kept) == state != first


def dice(faces: list[int]) -> Roll:
    """A throw as the camera sees it: the red die lies in the middle."""
    black, red = faces[:5], faces[5:]
    lying = []
    for slot, face in enumerate([*black[:2], *red, *black[2:]]):
        kind = Kind.RED if red and slot == 2 else Kind.BLACK
        seen = DieReading(
            kind, face, DieState.OK, (Candidate(face, 1.0),), 1.0, (30.0 * slot, 0.0), ()
        )
        lying.append(TrackedDie(TrackId(slot), seen, True))
    return Roll(0, 0.0, tuple(lying), 0)


def test_the_table_plays_it_and_the_board_shows_it(registered: Any) -> None:
    session = new_session(Setup(registered.name, ("ANNA", "BOB")))
    for number in range(2 * sys.modules["high_dice"].ROUNDS):
        assert isinstance(session.record.ask, Throw)
        assert isinstance(waits := prompt(session), ThrowPrompt)
        assert waits.odd is DieKind.RED
        session = step(session, dice([*[1 + number % 6] * 5, 6]))
        assert isinstance(session.record.ask, Choose)
        # OK: the list, with what can be banked first; OK: bank it.
        for _ in range(2):
            assert pages(prompt(session))
            session = step(session, Pressed(Button.OK))
    assert session.record.rules.scores(session.record.state) == (
        5 + 15 + 25 + 18,
        10 + 20 + 30 + 18,
    )
    assert isinstance(prompt(session), OverPrompt)
    assert pages(prompt(session))


def test_the_board_celebrates_what_the_game_celebrates(registered: Any) -> None:
    for faces, celebrates in (([6] * 6, True), ([6, 6, 6, 6, 6, 5], False)):
        session = step(new_session(Setup(registered.name, ("ANNA",))), dice(faces))
        for _ in range(2):
            session = step(session, Pressed(Button.OK))
        shown = prompt(session)
        assert isinstance(shown, ThrowPrompt)
        assert shown.take
        assert (fireworks()[2] in film(shown).pictures) == celebrates


def test_a_throw_is_scored_by_the_command_line(
    registered: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", registered.name, *"123456"]) == 0
    assert capsys.readouterr().out.split() == ["BANK", "21"]
    assert main(["score", registered.name, *"123456", "--holds", "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    choices = [line["choice"] for line in lines]
    # The game's own hint says which hold is best: 4 + 5 + 6 and three means.
    assert choices[:3] == ["bank", "hold 4 5 6", "hold 3 4 5 6"]
    assert lines[1]["expects"] == 25.5
    assert len(choices) == 1 + 2**6 - 1
    assert main(["score", registered.name, *"1234567"]) == 2
    with pytest.raises(SystemExit):
        main(["score", "--help"])
    assert f"{registered.name}      {registered.example}" in capsys.readouterr().out


def hinted(registered: Any) -> Session:
    session = step(new_session(Setup(registered.name, ("ANNA",))), dice([1, 2, 3, 4, 5, 6]))
    session = step(session, Pressed(Button.HINT))
    if wants_hint(session):
        session = step(session, Hinted(advice.hint(registered, session.record.state)))
    assert pages(prompt(session))
    return session


def test_the_game_gives_a_hint_of_its_own(registered: Any) -> None:
    shown = prompt(hinted(registered))
    assert isinstance(shown, HintPrompt)
    assert (shown.hold, shown.expects, shown.measure) == ((3, 4, 5), 25.5, Measure.GAIN)


def test_hint_does_no_harm_where_no_solver_knows_the_game(
    registered: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(registered), "hint", lambda self, state: None)
    session = hinted(registered)
    session = step(session, Pressed(Button.HOLD1))
    assert any(isinstance(c, Keep) for c in registered.choices(session.record.state))


def set_up(registered: Any, wishes: Wishes) -> tuple[Setup, list[str]]:
    """Walks through the menu by what the board shows; returns the game and what was asked."""
    environment = environment_from(Config())
    console = Console(settings=environment.settings, equipment=Equipment(environment.games))
    asked: list[str] = []
    for _ in range(200):
        shown = console_prompt(console)
        assert pages(shown)
        if isinstance(shown, ListPrompt) and shown.title not in asked:
            asked.append(shown.title)
        button = next_menu_press(shown, wishes)
        assert button is not None
        console, requests = advance(console, Pressed(button))
        for request in requests:
            if isinstance(request, BeginGame):
                return request.setup, asked
    raise AssertionError(f"no game begun, the board shows {console_prompt(console)}")


def rule_lines(console: Console, index: int) -> tuple[str, tuple[str, ...]]:
    """An option of the current game, as the menu shows it."""
    row = HouseRules().rows(console)[index]
    return row.title, row.lines


def test_the_menu_asks_its_option_with_its_words(registered: Any) -> None:
    wishes = Wishes(
        Label(registered.name), ("ANNA", "BOB"), first="BOB", rules={"RED COUNTS": "TWICE"}
    )
    setup, asked = set_up(registered, wishes)
    assert setup == Setup(registered.name, ("ANNA", "BOB"), (("first", 1), ("red_counts", 2)))
    assert asked.index("RED COUNTS?") < asked.index("WHO BEGINS?")
    session = step(new_session(setup), dice([1, 1, 1, 1, 1, 6]))
    assert registered.preview(session.record.state, bank()).points == 5 + 2 * 6
    console = Console(session)
    assert rule_lines(console, 1)[:2] == ("RED COUNTS", ("NOW TWICE", "NEXT ONCE"))


def test_a_game_without_words_and_without_a_seat_to_choose_can_be_set_up(
    registered: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = replace(registered, options={"red_counts": (1, 2)}, option_words={})
    monkeypatch.setitem(registry._GAMES._others, registered.name, plain)
    wishes = Wishes(Label(registered.name), ("ANNA", "BOB"), rules={"RED COUNTS": "2"})
    setup, asked = set_up(registered, wishes)
    assert setup.options == (("red_counts", 2),)
    assert "WHO BEGINS?" not in asked


@pytest.mark.parametrize("seed", range(4))
def test_simulated_people_play_it_with_its_dice(registered: Any, seed: int) -> None:
    setup = Setup(registered.name, ("ANNA", "BOB"), (("red_counts", 2),))
    assert kinds_of_dice_in(registered.name)[5] is Kind.RED
    played = play_unpictured(setup, seed, clumsy=0.1, look=lambda shown: pages(shown))
    assert played.fault == ""
    assert min(played.scores) >= 3 * 7


def test_the_guide_shows_where_the_example_is() -> None:
    text = GUIDE.read_text(encoding="utf-8")
    assert "(../tests/docs/high_dice.py)" in text


def expected(faces: tuple[int, ...], choice: Any) -> float:
    """The points that a turn brings whose first throw shows these faces, counted by hand."""
    kept = choice.slots if isinstance(choice, Keep) else range(len(faces))
    return sum(face if slot in kept else 3.5 for slot, face in enumerate(faces))


def test_computers_of_all_strengths_follow_the_hint_more_or_less(
    registered: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(advice, "weigh", cache(advice.weigh))
    seeds = range(40)
    for faces in ((1, 2, 3, 4, 5, 6), (6, 1, 1, 4, 1, 2)):
        points = dict[Strength, float]()
        for strength in Strength:
            start = registered.start([computer_name(strength, ())], {})
            state = registered.apply(start, Rolled(faces))
            made = [computer.decision(registered, state, str(seed)) for seed in seeds]
            points[strength] = fmean(expected(faces, choice) for choice in made)
        by_chance = fmean(expected(faces, choice) for choice in registered.choices(state))
        assert by_chance < points[Strength.FUN] < points[Strength.WELL] <= points[Strength.BEST]
        hint = registered.hint(state)
        assert points[Strength.BEST] == hint.expects == expected(faces, hint.choice)


def test_a_review_blames_nothing_that_the_hint_advised(registered: Any) -> None:
    chance = random.Random(4)
    state = registered.start(["ANNA"], {})
    events: list[Event] = []
    while (ask := registered.ask(state)) is not None:
        events.append(
            registered.hint(state).choice if isinstance(ask, Choose) else throw(ask.dice, chance)
        )
        state = registered.apply(state, events[-1])
    kept = record.Record(registered.name, registered.edition, ("ANNA",), (), tuple(events))
    (review,) = review_game(kept)
    assert (review.points, review.cost, review.worst) == (registered.scores(state)[0], 0, ())


def test_a_review_blames_points_that_the_hint_would_have_brought(registered: Any) -> None:
    first = registered.apply(registered.start(["ANNA"], {}), Rolled((1, 1, 1, 1, 6, 6)))
    worth, measure = advice.weigh(registered, first)
    assert (worth[bank()], worth[Keep((4, 5))], measure) == (16, 26, Measure.GAIN)
    assert set(worth) == set(registered.choices(first))
    assert max(worth.values()) == 26
    events = (Rolled((1, 1, 1, 1, 6, 6)), bank())
    kept = record.Record(registered.name, registered.edition, ("ANNA",), (), events)
    (review,) = review_game(kept)
    assert (review.cost, review.worst[0].best) == (10, "hold 56")
