"""Who plays a game is recorded after its version; nobody resumes others' games unasked."""

import shutil
from pathlib import Path

import pytest

from appliance.cli.shared.starting import GameOptions, open_session, session_or_menu
from appliance.config import Config
from appliance.journal.files import folder_of
from appliance.journal.journal import Journal
from appliance.journal.library import Library
from appliance.journal.mending import mend, open_and_mend
from appliance.journal.origin import Origin, origin_of, written_by
from appliance.journal.sessions import begin_session, load_session, saved_game_of
from appliance.table.menu.console import Console
from appliance.table.session.session import Setup, new_session

SETUP = Setup("classic", ("ANNA",), (("first", 0),))
OLD = Path(__file__).parents[2] / "data" / "8708561" / "journal.sqlite3"


def test_the_label_says_who_plays_and_earlier_versions_have_none() -> None:
    for origin in Origin:
        assert origin_of(written_by(origin)) is origin
    assert "+" not in written_by(Origin.APPLIANCE)
    assert origin_of("0.1.0", Origin.DEMO) is Origin.DEMO
    assert origin_of("0.1.0+deb12u1") is Origin.APPLIANCE
    assert origin_of("") is Origin.APPLIANCE


def play_one(path: Path, origin: Origin) -> int:
    """Leaves a game half played."""
    with Journal(path, origin=origin) as journal:
        session = begin_session(journal, new_session(SETUP))
        journal.append(session.record.serial, 0, ["roll 1 2 3 4 6"])
        return session.record.serial


def resumable(journal: Journal) -> list[int]:
    return [going.number for going in journal.going() if journal.resumable(going)]


@pytest.mark.parametrize("first", Origin)
@pytest.mark.parametrize("second", Origin)
def test_a_half_game_goes_on_by_itself_only_where_it_was_begun(
    first: Origin, second: Origin, tmp_path: Path
) -> None:
    path = tmp_path / "games"
    number = play_one(path, first)
    with Journal(path, origin=second) as journal:
        shown = session_or_menu(GameOptions(), Config(), journal)
        same = load_session(journal, SETUP)
        begins = open_session(GameOptions(), Config(), journal)
        # Everybody finds it in the menu.
        assert number in resumable(journal)
    if first is second:
        assert shown is not None
        assert [s.record.serial for s in (shown, same, begins)] == [number] * 3
    else:
        assert shown is None
        assert same.record.serial != number
        assert begins.record.serial != number


def test_of_two_half_games_each_goes_on_with_the_own_one(tmp_path: Path) -> None:
    numbers = {origin: play_one(tmp_path / "games", origin) for origin in Origin}
    for origin, number in numbers.items():
        with Journal(tmp_path / "games", origin=origin) as journal:
            last = journal.last()
            assert last is not None
            assert last.id == number
            assert origin_of(last.version) is origin


def test_a_game_saved_anew_keeps_its_label(tmp_path: Path) -> None:
    path = tmp_path / "games"
    number = play_one(path, Origin.KEYBOARD)
    with Journal(path, origin=Origin.KEYBOARD) as journal:
        session = load_session(journal, None)
        (file,) = (folder_of(path) / "going").iterdir()
        file.write_bytes(b"nonsense" * 1000)
        mend(journal, saved_game_of(session, journal.origin), {})
        last = journal.last()
        assert last is not None
        assert (last.id, origin_of(last.version)) == (number, Origin.KEYBOARD)
        shutil.rmtree(folder_of(path))
        console, _ = Library(journal).mend(Console(session=session))
        assert console.session is not None
        assert origin_of(journal.load(console.session.record.serial).version) is Origin.KEYBOARD


def test_a_half_game_of_an_earlier_version_waits_in_the_menu(tmp_path: Path) -> None:
    """Such a file holds games by robots and by people, and nothing says which are whose."""
    path = tmp_path / "play.sqlite3"
    shutil.copyfile(OLD, path)
    journal, _ = open_and_mend(path, Origin.KEYBOARD)
    with journal:
        assert journal.last() is None
        assert session_or_menu(GameOptions(), Config(), journal) is None
        aside = [one for one in journal.going() if journal.resumable(one) is not None]
        assert len(aside) == len(Library(journal).with_aside(Console()).kept.aside) > 0
    with Journal(path) as journal:
        assert journal.last() is not None
