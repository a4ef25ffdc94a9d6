"""Files and games that vanish while in use: noticed, named, and written again."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from appliance.cli.main import main
from appliance.inputs import Button
from appliance.journal.files import Files, folder_of
from appliance.journal.journal import Journal
from appliance.journal.mending import open_and_mend
from appliance.journal.saved_game import SavedGame
from appliance.journal.sessions import load_session
from appliance.table.menu.prompting import NoticePrompt
from games.chance import random_game
from games.notation.events import event_to_text
from games.registry import GAMES
from tests.appliance.service.test_disk_trouble import SETUP, Bench
from tests.builders import throw as roll
from tests.rigs.stored_games import games_of

HOLDS = (Button.HOLD1, Button.HOLD2, Button.HOLD3)


def play_to_the_end(journal: Journal, name: str) -> int:
    """A finished game of somebody."""
    rules = GAMES["power"]
    events, _ = random_game(rules, (name,), {}, Random(3))
    number = journal.begin("power", rules.edition, [name], (), "0.1.0")
    journal.append(number, 0, [event_to_text(rules, event) for event in events], ended=True)
    return number


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A journal in a folder of its own, with a finished game, and one that was put aside."""
    folder = tmp_path / "state"
    folder.mkdir()
    with Journal(folder / "games.sqlite3") as journal:
        play_to_the_end(journal, "CARL")
        journal.append(
            journal.begin("power", "2009", ["BOB"], (), "0.1.0"), 0, ["roll 1 2 3 4 5 power"]
        )
        while journal.tidy():
            pass
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
    shutil.copytree(folder_of(path), folder / "games")
    journal, _ = open_and_mend(folder / path.name)
    with journal:
        return games_of(journal)


def present(path: Path) -> Path:
    return max((folder_of(path) / "going").glob("*.game"))


def delete(path: Path) -> None:
    present(path).unlink()


def rename(path: Path) -> None:
    present(path).rename(present(path).with_name("old"))


def delete_the_folder(path: Path) -> None:
    shutil.rmtree(path.parent)


def delete_the_games_going_on(path: Path) -> None:
    shutil.rmtree(folder_of(path) / "going")


def rename_the_games(path: Path) -> None:
    folder_of(path).rename(path.with_name("old"))


def cut_off(path: Path) -> None:
    present(path).write_bytes(b"")


def put_a_copy_there(path: Path) -> None:
    copy = path.with_name("copy")
    shutil.copy(present(path), copy)
    copy.rename(present(path))


def put_another_there(path: Path) -> None:
    with Journal(path.with_name("other.sqlite3")) as other:
        other.append(
            other.begin("power", "2009", ["DORA"], (), "0.1.0"), 0, ["roll 1 1 1 1 1 power"]
        )
        going = present(other.path)
    going.rename(present(path))


ALL_GONE = (delete_the_folder, rename_the_games)
HARM = (
    *(delete, rename, cut_off, put_a_copy_there, put_another_there),
    delete_the_games_going_on,
    *ALL_GONE,
)


@pytest.mark.parametrize("harm", HARM)
@pytest.mark.parametrize("pressed", [True, False])
def test_what_was_shown_is_on_disk_again_before_anything_more_is_shown(
    bench: Bench, path: Path, tmp_path: Path, harm: Callable[[Path], None], pressed: bool
) -> None:
    for _ in range(20):
        bench.press(*HOLDS)
    harm(path)
    shown = bench.appliance.session.record.log
    if pressed:
        bench.press(Button.HOLD1)
        assert bench.appliance.session.record.log == shown
    else:
        # Nobody does anything: the files are checked now and then.
        bench.feed()
    assert bench.disk == "GAMES_GONE"
    bench.feed()
    bench.feed()
    assert not bench.disk
    assert len(bench.appliance.session.record.log) == len(shown) + pressed
    for _ in range(5):
        bench.press(*HOLDS)
    games = found(path, tmp_path / "found")
    mine = games[-1]
    assert (mine.id, mine.players) == (bench.appliance.session.record.serial, SETUP.players)
    assert len(mine.lines) == len(bench.appliance.session.record.log)
    with Journal(":memory:") as journal:
        journal.put(replace(mine, id=0))
        assert load_session(journal, SETUP).record.log == bench.appliance.session.record.log
    others = [] if harm in ALL_GONE else [("CARL",), ("BOB",)]
    assert [game.players for game in games] == [*others, SETUP.players]


@pytest.mark.parametrize("places", ["going", "**/going"])
def test_a_game_deleted_before_its_first_line_after_a_start_is_told_once(
    bench: Bench, path: Path, tmp_path: Path, places: str
) -> None:
    bench.journal.close()
    bench = Bench(path)
    for file in folder_of(path).glob(f"{places}/{present(path).name}"):
        file.unlink()
    for _ in range(3):
        bench.feed()
    assert not bench.disk
    assert [len(game.lines) for game in found(path, tmp_path / "found")][1:] == [1, 1]
    assert bench.appliance.prompt == NoticePrompt(TOLD[delete], passing=False)
    bench.feed()
    bench.press(Button.OK)
    for _ in range(10):
        bench.feed()
        assert not isinstance(bench.appliance.prompt, NoticePrompt)


TOLD: dict[Callable[[Path], None], tuple[tuple[str, str], ...]] = {
    delete: (("GAMES WERE", "GONE"), ("1 SAVED", "AGAIN")),
    delete_the_games_going_on: (("GAMES WERE", "GONE"), ("2 SAVED", "AGAIN")),
    delete_the_folder: (
        *(("GAMES WERE", "GONE"), ("1 SAVED", "AGAIN")),
        ("OTHERS", "ARE LOST"),
    ),
}


@pytest.mark.parametrize("harm", TOLD)
def test_the_board_tells_how_much_was_written_anew(
    bench: Bench, path: Path, harm: Callable[[Path], None]
) -> None:
    bench.feed()
    harm(path)
    for _ in range(3):
        bench.feed()
    assert bench.appliance.prompt == NoticePrompt(TOLD[harm], passing=False)


PLACES = ("packs/*", "second/packs/*", "second/going/*", "settings", "second/settings", "tray")


@pytest.mark.parametrize("place", PLACES)
def test_one_place_that_is_gone_comes_back_from_the_other(
    bench: Bench, path: Path, tmp_path: Path, place: str
) -> None:
    bench.journal.remember("else", "{}")
    bench.feed()
    bench.feed()
    before = {file: file.read_bytes() for file in folder_of(path).glob(place)}
    assert before
    for file in before:
        file.unlink()
    bench.feed()
    assert bench.disk == "GAMES_GONE"
    for _ in range(3):
        bench.feed()
    assert not bench.disk
    assert isinstance(bench.appliance.prompt, NoticePrompt)
    assert [game.players for game in found(path, tmp_path / "found")] == [
        *(("CARL",), ("BOB",)),
        SETUP.players,
    ]
    assert set(folder_of(path).glob(place)) == set(before)
    bench.feed()
    assert not bench.disk


@pytest.mark.parametrize("name", ["settings", "tray", "deleted"])
def test_a_small_file_whose_both_places_are_gone_comes_back_from_memory(
    bench: Bench, path: Path, name: str
) -> None:
    bench.journal.delete(2)
    bench.journal.remember("else", "{}")
    bench.feed()
    file, second = folder_of(path) / name, folder_of(path) / "second" / name
    before = file.read_bytes()
    file.unlink()
    second.unlink()
    for _ in range(3):
        bench.feed()
    assert not bench.disk
    assert file.read_bytes() == second.read_bytes() == before


def test_a_pack_whose_both_places_are_gone_is_told_once(bench: Bench, path: Path) -> None:
    bench.feed()
    shutil.rmtree(folder_of(path) / "packs")
    shutil.rmtree(folder_of(path) / "second" / "packs")
    for _ in range(3):
        bench.feed()
    assert not bench.disk
    assert bench.appliance.prompt == NoticePrompt((("OTHERS", "ARE LOST"),), passing=False)
    bench.press(Button.OK)
    for _ in range(10):
        bench.feed()
    assert not isinstance(bench.appliance.prompt, NoticePrompt)


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


def test_a_power_cut_after_all_was_written_anew_is_told_all_the_same(
    bench: Bench, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.press(*HOLDS)
    shown = len(bench.appliance.session.record.log)
    present(path).unlink()
    real = Files.replace

    def cut(self: Files, name: str, pieces: list[bytes], **how: bool) -> None:
        real(self, name, pieces, **how)
        if name.startswith("going/"):
            raise KeyboardInterrupt

    monkeypatch.setattr(Files, "replace", cut)
    with pytest.raises(KeyboardInterrupt):
        for _ in range(3):
            bench.feed()
    monkeypatch.undo()
    journal, told = open_and_mend(path)
    with journal:
        assert told is not None
        assert told.pages == (("GAMES WERE", "GONE"), ("1 SAVED", "AGAIN"))
        assert [len(game.lines) for game in games_of(journal)][1:] == [1, shown]


def finished(path: Path) -> Bench:
    """A game is over and still on the board."""
    rules = GAMES["classic"]
    events, _ = random_game(rules, SETUP.players, {}, Random(3))
    with Journal(path) as journal:
        number = journal.begin("classic", rules.edition, SETUP.players, (), "0.1.0")
        journal.append(number, 0, [event_to_text(rules, event) for event in events[:-1]])
    bench = Bench(path)
    while (
        bench.appliance.session.record.rules.outcome(bench.appliance.session.record.state) is None
    ):
        bench.press(Button.OK)
    return bench


def test_a_finished_game_that_was_deleted_can_be_taken_back_on_the_board(path: Path) -> None:
    bench = finished(path)
    number = bench.appliance.session.record.serial
    assert main(["games", "delete", str(number), "--yes", "--journal", str(path)]) == 0
    while (
        bench.appliance.session.record.rules.outcome(bench.appliance.session.record.state)
        is not None
    ):
        bench.press(Button.BACK)
        bench.press(Button.OK)
        if bench.disk:
            assert bench.disk == "GAMES_GONE"
            bench.feed()
            bench.feed()
        assert not bench.disk
    saved = bench.journal.load(number)
    assert len(saved.lines) == len(bench.appliance.session.record.log)
    assert not saved.ended
