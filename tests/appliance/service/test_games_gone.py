"""Files and games that vanish while in use: noticed, named, and written again."""

import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from appliance.journal.database import Journal, SavedGame
from appliance.journal.recovery import open_or_salvage

from appliance.chance import random_game
from appliance.cli.main import main
from appliance.inputs import Button
from appliance.journal import recovery as salvage
from appliance.journal.sessions import load_session
from appliance.rules.notation.events import event_to_text
from appliance.rules.registry import GAMES
from appliance.table.menu.prompting import NoticePrompt
from tests.appliance.service.test_disk_trouble import SETUP, Bench
from tests.builders import throw as roll

HOLDS = (Button.HOLD1, Button.HOLD2, Button.HOLD3)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A journal in a folder of its own, with a game that was put aside."""
    folder = tmp_path / "state"
    folder.mkdir()
    with Journal(folder / "games.sqlite3") as journal:
        journal.append(
            journal.begin("power", "2009", ["BOB"], [], "0.1.0"), 0, ["roll 1 2 3 4 5 power"]
        )
    return folder / "games.sqlite3"


@pytest.fixture
def bench(path: Path) -> Bench:
    """A game of ANNA's is under way."""
    bench = Bench(path)
    bench.feed(roll(1, 2, 3, 4, 5))
    return bench


def found(path: Path, folder: Path) -> list[SavedGame]:
    """The games that a start finds if the power fails now."""
    folder.mkdir()
    for suffix in ("", "-wal"):
        if salvage.beside(path, suffix).exists():
            shutil.copy(salvage.beside(path, suffix), folder)
    journal, _ = open_or_salvage(folder / path.name)
    with journal:
        return list(journal.games())


def delete(path: Path) -> None:
    path.unlink()


def rename(path: Path) -> None:
    path.rename(path.with_name("old.sqlite3"))


def delete_the_folder(path: Path) -> None:
    shutil.rmtree(path.parent)


def delete_the_log(path: Path) -> None:
    salvage.beside(path, "-wal").unlink()


def cut_off(path: Path) -> None:
    path.write_bytes(b"")


def put_a_copy_there(path: Path) -> None:
    copy = path.with_name("copy")
    shutil.copy(path, copy)
    copy.rename(path)


def put_another_there(path: Path) -> None:
    other = path.with_name("other")
    with Journal(other) as journal:
        for name in ("CARL", "DORA"):
            journal.append(
                journal.begin("power", "2009", [name], [], "0.1.0"), 0, ["roll 1 1 1 1 1 power"]
            )
    other.rename(path)


HARM = (
    delete,
    rename,
    delete_the_folder,
    delete_the_log,
    cut_off,
    put_a_copy_there,
    put_another_there,
)


@pytest.mark.parametrize("harm", HARM)
@pytest.mark.parametrize("pressed", [True, False])
def test_what_was_shown_is_on_disk_again_before_anything_more_is_shown(
    bench: Bench, path: Path, tmp_path: Path, harm: Callable[[Path], None], pressed: bool
) -> None:
    for _ in range(20):
        bench.press(*HOLDS)
    harm(path)
    shown = bench.appliance.session.log
    if pressed:
        bench.press(Button.HOLD1)
        assert bench.appliance.session.log == shown
    else:
        # Nobody does anything: the file is checked now and then.
        bench.feed()
    assert bench.disk == "GAMES_GONE"
    bench.feed()
    bench.feed()
    assert not bench.disk
    assert len(bench.appliance.session.log) == len(shown) + pressed
    for _ in range(5):
        bench.press(*HOLDS)
    games = found(path, tmp_path / "found")
    mine = games[-1]
    assert (mine.id, mine.players) == (bench.appliance.session.serial, SETUP.players)
    assert len(mine.lines) == len(bench.appliance.session.log)
    with Journal(":memory:") as journal:
        journal.restore([mine], {})
        assert load_session(journal, SETUP).log == bench.appliance.session.log
    if harm is put_another_there:
        assert [game.players for game in games] == [("CARL",), ("DORA",), SETUP.players]
    elif harm is not cut_off:
        assert games[0].lines == ("roll 1 2 3 4 5 power",)


def test_the_board_tells_how_much_was_written_anew(
    bench: Bench, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path.unlink()
    for _ in range(3):
        bench.feed()
    assert bench.appliance.prompt == NoticePrompt((("GAMES WERE", "GONE"), ("2 SAVED", "AGAIN")))
    assert "2 games with 2 lines were gone and are saved anew" in caplog.text
    assert [p.name for p in path.parent.iterdir() if "-" not in p.name] == [path.name]


def test_a_file_that_was_renamed_has_all_games_too(
    bench: Bench, path: Path, tmp_path: Path
) -> None:
    """Whoever moved it away to start a new one finds in it what was in the log."""
    bench.press(*HOLDS)
    old = path.with_name("old.sqlite3")
    path.rename(old)
    put_another_there(path)
    for _ in range(3):
        bench.feed()
    assert [len(game.lines) for game in found(old, tmp_path / "old")] == [1, 4]


def test_a_folder_that_cannot_be_made_is_named_until_it_can(
    bench: Bench, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    shutil.rmtree(path.parent)
    monkeypatch.setattr(Path, "mkdir", refuse)
    for _ in range(10):
        bench.press(Button.HOLD1)
        assert bench.disk == "GAMES_GONE"
    monkeypatch.undo()
    bench.feed()
    assert not bench.disk
    assert len(found(path, tmp_path / "found")[-1].lines) == 11


def test_a_power_cut_after_all_was_written_anew_loses_nothing(
    bench: Bench, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.press(*HOLDS)
    path.unlink()
    real = salvage._rename_durably

    def cut(old: Path, new: Path) -> None:
        real(old, new)
        raise KeyboardInterrupt

    monkeypatch.setattr(salvage, "_rename_durably", cut)
    with pytest.raises(KeyboardInterrupt):
        for _ in range(3):
            bench.feed()
    monkeypatch.undo()
    # SQLite's log of the old file is still there.
    assert salvage.beside(path, "-wal").exists()
    journal, done = open_or_salvage(path)
    with journal:
        assert done is None
        assert [len(game.lines) for game in journal.games()] == [1, 4]


def test_a_log_without_its_file_is_salvaged(path: Path, tmp_path: Path) -> None:
    with Journal(path, read_only=True) as reader:
        # Meanwhile the log is not emptied after a turn: it has all that was written.
        reader._db.execute("BEGIN")
        reader.entries()
        bench = Bench(path)
        bench.refuse("busy_timeout=0")
        bench.feed(roll(1, 2, 3, 4, 5))
        bench.press(*HOLDS)
        path.unlink()
        assert [len(game.lines) for game in found(path, tmp_path / "found")] == [1, 4]


def finished(path: Path) -> Bench:
    """A game is over and still on the board."""
    rules = GAMES["classic"]
    events, _ = random_game(rules, SETUP.players, {}, Random(3))
    with Journal(path) as journal:
        number = journal.begin("classic", rules.EDITION, SETUP.players, [], "0.1.0")
        journal.append(number, 0, [event_to_text(rules, event) for event in events[:-1]])
    bench = Bench(path)
    while bench.appliance.session.rules.outcome(bench.appliance.session.state) is None:
        bench.press(Button.OK)
    return bench


def test_a_finished_game_that_was_deleted_can_be_taken_back_on_the_board(path: Path) -> None:
    bench = finished(path)
    number = bench.appliance.session.serial
    assert main(["games", "delete", str(number), "--yes", "--journal", str(path)]) == 0
    while bench.appliance.session.rules.outcome(bench.appliance.session.state) is not None:
        bench.press(Button.BACK)
        bench.press(Button.OK)
        if bench.disk:
            assert bench.disk == "GAMES_GONE"
            bench.feed()
        assert not bench.disk
    saved = bench.journal.load(number)
    assert len(saved.lines) == len(bench.appliance.session.log)
    assert not saved.ended
