"""A table where one plays by buttons and dice alone, as the owner's guide tells it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from appliance.cli.shared.starting import environment_from
from appliance.config import Config
from appliance.journal.journal import Journal
from appliance.journal.sessions import load_session
from appliance.table.session.session import Setup
from tests.appliance.service.test_menu import PAIR, Bench


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


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path)
    yield table
    table.journal.close()
