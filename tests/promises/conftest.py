"""A table where one plays by buttons and dice alone, as the owner's guide tells it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from appliance.cli.shared.starting import environment_from
from appliance.config import Config
from appliance.inputs import Button, Pressed
from appliance.journal.journal import Journal
from appliance.journal.sessions import load_session
from appliance.screens.draw import pages
from appliance.table.menu.prompting import ListPrompt
from appliance.table.prompts.turn import ThrowPrompt
from appliance.table.session.session import Setup
from tests.appliance.service.test_menu import BACK, MENU, OK, PAIR, Bench
from tests.builders import throw

HINT = Button.HINT
UNDO = Pressed(BACK, long=True)


class Table(Bench):
    """A game that Anna begins, if no other Classic; what is on its disk outlives it."""

    def __init__(self, folder: Path, setup: Setup = PAIR, **devices: Any) -> None:
        self.journal = Journal(folder / "games")
        session = load_session(self.journal, setup)
        super().__init__(self.journal, session, environment_from(Config()), **devices)

    @property
    def log(self) -> tuple[str, ...]:
        """The lines of the game, as the disk has them."""
        saved = self.journal.last()
        assert saved is not None
        return saved.lines


def rolled(table: Table, *faces: int) -> None:
    """Throws these dice."""
    table.watcher.events = [throw(*faces)]
    table.feed(count=12)


def settle(table: Table) -> None:
    """Lets everything be shown that comes by itself."""
    table.feed(count=60)


def seat_of(table: Table) -> int | None:
    """Whose turn it is."""
    ask = table.appliance.session.record.ask
    return ask.seat if ask else None


def take_best(table: Table) -> None:
    """Takes the choice that HINT shows."""
    for button in (HINT, HINT, OK):
        table.press(button)
        settle(table)


def begin_new_game(table: Table, *items: str) -> None:
    """Begins another game, by its name and what else is asked."""
    table.feed(MENU)
    table.choose("NEW GAME")
    if not isinstance(table.shows(), ListPrompt):
        table.press(OK)
    for item in items:
        table.choose(item)
        settle(table)


def pawn_of(table: Table, player: str) -> int:
    """The space of a player's pawn."""
    shown = table.shows()
    assert isinstance(shown, ThrowPrompt) and shown.table is not None
    (at,) = (n for n, spot in enumerate(shown.table.spots) if player in spot.pawns)
    return at


def texts(table: Table) -> list[tuple[str, ...]]:
    """The words on each page of what the scoreboard shows."""
    return [page.words for page in pages(table.shows())]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path)
    yield table
    table.journal.close()
