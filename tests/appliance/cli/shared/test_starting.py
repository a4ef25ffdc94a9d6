"""Who plays in a game that begins at once."""

from collections.abc import Iterator

import pytest

from appliance.cli.shared.starting import GameOptions, session_at_once
from appliance.config import Config
from appliance.journal.journal import Journal
from appliance.journal.sessions import load_session
from appliance.table.session.session import Setup


@pytest.fixture
def journal() -> Iterator[Journal]:
    with Journal(":memory:") as journal:
        yield journal


def players(journal: Journal, **wanted: object) -> tuple[str, ...]:
    options = GameOptions(**wanted)  # type: ignore[arg-type]
    return session_at_once(options, Config(), journal).record.setup.players


def test_nobody_in_particular_is_one_player(journal: Journal) -> None:
    assert players(journal) == ("PLAYER 1",)


def test_so_many_as_were_asked_for_play_without_names(journal: Journal) -> None:
    assert players(journal, count=3) == ("PLAYER 1", "PLAYER 2", "PLAYER 3")


def test_names_are_typed_in_once(journal: Journal) -> None:
    load_session(journal, Setup("classic", ("ANNA", "BEN"), ()))
    assert players(journal, count=2) == ("ANNA", "BEN")
    assert players(journal, count=3) == ("PLAYER 1", "PLAYER 2", "PLAYER 3")
    assert players(journal, count=2, players=("EVA", "TOM")) == ("EVA", "TOM")
    assert players(journal, new=True) == ("EVA", "TOM")


def test_an_unfinished_game_resumes_unless_somebody_says_how_many_play(journal: Journal) -> None:
    load_session(journal, Setup("power", ("ANNA", "BEN"), ()))
    assert session_at_once(GameOptions(), Config(), journal).record.setup.game == "power"
    assert session_at_once(GameOptions(count=2), Config(), journal).record.setup.game == "classic"
