"""The developer's example: one file and one entry in the registry make a game of the appliance."""

import random
import sys
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import pytest

from appliance.inputs import Button, Pressed
from appliance.rules import record, registry
from appliance.rules.game import Choose, Keep, Throw
from appliance.rules.notation.events import Recordable
from appliance.screens.draw import pages
from appliance.strategy import advice
from appliance.strategy.random_play import random_event
from appliance.table.prompts import OverPrompt
from appliance.table.session.hinting import wants_hint
from appliance.table.session.prompting import prompt
from appliance.table.session.session import Hinted, Setup, new_session
from appliance.table.session.step import step
from vision.events import Roll, TrackedDie
from vision.reading import Candidate, DieReading, DieState, Kind

if TYPE_CHECKING:
    from tests.docs import high_dice

    GAME: Recordable[high_dice.State] = high_dice

HERE = Path(__file__).parent
GUIDE = HERE.parents[1] / "docs" / "developing.md"


@pytest.fixture(scope="module")
def game() -> Any:
    spec = spec_from_file_location("high_dice", HERE / "high_dice.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    # Dataclasses look their module up.
    sys.modules["high_dice"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def known(game: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The game as if it stood in the registry."""
    games = registry.GAMES
    more = MappingProxyType({**games, game.NAME: game})
    for name in (
        "appliance.table.menu.console",
        "appliance.table.menu.settings",
        "appliance.service.appliance",
    ):
        import_module(name)
    for module in list(sys.modules.values()):
        if getattr(module, "GAMES", None) is games:
            monkeypatch.setattr(module, "GAMES", more)
    return game


def test_random_games_can_be_written_and_read_again(known: Any) -> None:
    for seed in range(30):
        chance = random.Random(seed)
        names = ["Ann", "Bob", "Cleo"][: chance.randint(1, 3)]
        first, state = known.start(names, {}), known.start(names, {})
        events = []
        while (event := random_event(known, state, chance)) is not None:
            line = record.position_to_text(known, state)
            assert record.position_from_text(line) == (known, state)
            state = known.apply(state, event)
            events.append(event)
        assert known.outcome(state).scores == known.scores(state)
        kept = record.Record(known.NAME, known.EDITION, tuple(names), (), tuple(events))
        assert record.read(record.write(kept)) == kept
        assert record.replay(kept) == state != first


def dice(faces: list[int]) -> Roll:
    lying = []
    for slot, face in enumerate(faces):
        seen = DieReading(
            Kind.BLACK, face, DieState.OK, (Candidate(face, 1.0),), 1.0, (30.0 * slot, 0.0), ()
        )
        lying.append(TrackedDie(slot, seen, True))
    return Roll(0, 0.0, tuple(lying), 0)


def test_the_table_plays_it_and_the_board_shows_it(known: Any) -> None:
    session = new_session(Setup(known.NAME, ("ANNA", "BOB")))
    for number in range(2 * known.ROUNDS):
        assert isinstance(session.rules.ask(session.state), Throw)
        session = step(session, dice([1 + number % 6] * 5))
        assert isinstance(session.rules.ask(session.state), Choose)
        # OK: the list, with what can be banked first; OK: bank it.
        for _ in range(2):
            assert pages(prompt(session))
            session = step(session, Pressed(Button.OK))
    assert session.rules.scores(session.state) == (5 + 15 + 25, 10 + 20 + 30)
    assert isinstance(prompt(session), OverPrompt)
    assert pages(prompt(session))


def test_hint_does_no_harm_where_no_solver_knows_the_game(known: Any) -> None:
    session = step(new_session(Setup(known.NAME, ("ANNA",))), dice([1, 2, 3, 4, 5]))
    session = step(session, Pressed(Button.HINT))
    if wants_hint(session):
        session = step(session, Hinted(advice.hint(known.NAME, session.state)))
    assert pages(prompt(session))
    session = step(session, Pressed(Button.HOLD1))
    assert any(isinstance(c, Keep) for c in known.choices(session.state))


def test_the_guide_shows_where_the_example_is() -> None:
    text = GUIDE.read_text(encoding="utf-8")
    assert "(../tests/docs/high_dice.py)" in text
