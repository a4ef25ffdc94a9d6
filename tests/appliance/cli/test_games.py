"""`dicetray games`: list, show, export, delete."""

import csv
import io
import json
import os
import sqlite3
from contextlib import closing
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from appliance.cli.main import main
from appliance.errors import JournalError
from appliance.journal.files import folder_of
from appliance.journal.journal import Journal
from appliance.journal.lock import claimed
from appliance.journal.origin import FILES, Origin
from appliance.journal.saved_game import SavedGame
from appliance.journal.sessions import begin_session
from appliance.journal.sums import encode, read_lines
from appliance.table.session.session import Setup, new_session
from games import record as records
from games.chance import random_game
from games.notation.events import event_to_text
from games.record import Record
from games.registry import GAMES
from tests.builders import bytes_of_games, copy_games
from tests.rigs.stored_games import games_of, summaries_of

PLAYERS = ("ANNA", "BOB")


SHORT = 60
"""A seed with which random games are short: every command plays them again."""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal with a finished game of five kinds, and one just begun."""
    file = tmp_path_factory.mktemp("played") / "games.sqlite3"
    with Journal(file) as journal:
        for name, game in islice(GAMES.items(), 5):
            events, _ = random_game(game, PLAYERS, {}, Random(SHORT))
            number = journal.begin(name, game.edition, PLAYERS, (), "0.1.0")
            lines = [event_to_text(game, event) for event in events]
            journal.append(number, 0, lines, ended=True)
        journal.begin("classic", GAMES["classic"].edition, PLAYERS, (), "0.1.0")
    return file


@pytest.fixture
def path(tmp_path: Path, played: Path) -> Path:
    """A copy of that journal."""
    copy_games(played, file := tmp_path / played.name)
    return file


def tidy(path: Path) -> None:
    """Packs the games that are over, as the appliance does between rounds."""
    with Journal(path) as journal:
        while journal.tidy():
            pass


def run(*arguments: object) -> int:
    return main(["games", *(str(a) for a in arguments)])


def test_list_has_a_line_for_each_game_the_newest_first(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("list", "--journal", path) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [int(line.split()[0]) for line in lines] == [6, 5, 4, 3, 2, 1]
    assert "started" in lines[0]
    assert "ANNA 0, BOB 0" in lines[0]
    assert all("finished" in line for line in lines[1:])


def test_list_names_a_game_that_cannot_be_read(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Journal(path) as journal:
        journal.append(6, 0, ["nonsense"])
    assert run("list", "--journal", path) == 1
    lines = capsys.readouterr().out.splitlines()
    assert "cannot be read" in lines[0]
    assert len(lines) == 6


BAD = {
    "lines": ("[Ended", "nonsense"),
    "names cut off": ("[Players", '[Players "ANNA'),
    "names no texts": ("[Players", "[Players 1 2]"),
    "no names": ("[Players", "[Players]"),
    "options cut off": ("[Version", '[Option "first'),
    "options no names": ("[Version", "[Option 5 true]"),
    "brackets": ("[Version", f'[Option "first" {"[" * 100_000}]'),
    "a long number": ("[Version", f'[Option "first" {"9" * 5000}]'),
    "a later version's": ("[Version", '[Weather "rain"]'),
    "game": ("[Game", '[Game "chess"]'),
}
"""Lines of a game's file by their beginning, and what is there instead, with the right checksum."""


def test_bad_games_block_no_other(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Journal(path) as journal:
        lines, edition = journal.load(1).lines, GAMES["classic"].edition
        numbers = [journal.begin("classic", edition, PLAYERS, (), "0.1.0") for _ in BAD]
        for number in numbers:
            journal.append(number, 0, lines, ended=True)
    assert run("export", "--journal", path) == 0
    for number, (begins, instead) in zip(numbers, BAD.values(), strict=True):
        files = [*folder_of(path).rglob(f"*{number:06}*.game")]
        assert files
        for file in files:
            texts = read_lines(file.read_bytes()).texts
            data, _ = encode(instead if text.startswith(begins) else text for text in texts)
            file.write_bytes(data)
    capsys.readouterr()
    assert run("list", "--journal", path) == 1
    listed = capsys.readouterr().out.splitlines()
    assert ["cannot be read" in line for line in listed] == [True] * len(BAD) + [False] * 6
    assert [int(line.split()[0]) for line in listed] == [*reversed(numbers), *range(6, 0, -1)]
    for form, good in (("text", '[Game "'), ("json", '"number":'), ("csv", ",ANNA,TOTAL,")):
        assert run("export", "--format", form, "--journal", path) == 1
        printed = capsys.readouterr()
        assert printed.out.count(good) == 6
        assert_each_is_left_out(printed.err, numbers)
    assert main(["stats", "--journal", str(path)]) == 1
    assert_each_is_left_out(capsys.readouterr().err, numbers)
    assert run("show", 1, "--journal", path) == 0
    for number in numbers:
        assert run("show", number, "--journal", path) == 2
        assert run("delete", number, "--yes", "--journal", path) == 0
    assert run("export", "--journal", path) == 0


def assert_each_is_left_out(said: str, numbers: list[int]) -> None:
    """There is a line for each of these games, and none besides."""
    begun = sorted(said.replace(":", " ").splitlines(), key=lambda line: int(line.split()[3]))
    assert [line.split()[:4] for line in begun] == [
        ["left", "out", "game", f"{number}"] for number in numbers
    ]


def test_a_named_game_that_is_bad_is_left_out_of_those_that_are_named(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Journal(path) as journal:
        journal.append(6, 0, ["nonsense"])
    assert run("export", 1, 1, 6, "--journal", path) == 1
    assert capsys.readouterr().out.count("[Game ") == 1
    assert run("export", 1, 1, "--journal", path) == 0


def test_show_prints_record_sheets_and_outcome(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("show", 1, "--journal", path) == 0
    shown = capsys.readouterr().out
    assert '[Players "ANNA" "BOB"]' in shown
    assert "won by" in shown


def test_show_says_what_does_not_count_and_not_what_comes_next(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, lost = tmp_path / "games.sqlite3", ("seed 5f3a09c1d2e4b687", "roll 1 1 1 1 1")
    line = ("roll 1 2 3 4 5",)
    saved = SavedGame(1, "classic", "2009", ("ANNA",), (), "1.0.0", False, line, "ab", "cd", lost)
    with Journal(path) as journal:
        journal.bring_in([(1, saved)])
    assert run("show", 1, "--journal", path) == 0
    shown = capsys.readouterr().out
    said = f"not counted, as lines before these are lost:\nseed {'-' * 16}\nroll 1 1 1 1 1\n"
    assert shown.endswith(said)


def test_exported_text_reads_back(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("export", 1, "--journal", path) == 0
    assert isinstance(records.read_record(capsys.readouterr().out), Record)


def test_exported_json_has_all_games(path: Path, tmp_path: Path) -> None:
    out = tmp_path / "all.json"
    assert run("export", "--format", "json", "--output", out, "--journal", path) == 0
    games = json.loads(out.read_text())
    assert [g["number"] for g in games] == ["1", "2", "3", "4", "5", "6"]
    assert [g["over"] for g in games] == [True] * 5 + [False]


def test_exported_csv_adds_up(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("export", 1, "--format", "csv", "--journal", path) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert {row["player"] for row in rows} == set(PLAYERS)
    assert sum(row["row"] == "TOTAL" for row in rows) == 2
    assert all(row["game"] == "classic" for row in rows)


def test_games_come_out_of_a_folder_that_may_only_be_read(path: Path) -> None:
    if os.geteuid():
        pytest.skip("only root may become somebody else")
    for folder in path.parents[:4]:
        folder.chmod(0o755)
    for file in (folder_of(path), *folder_of(path).rglob("*")):
        file.chmod(0o755)
    before = bytes_of_games(path)

    def read_all() -> None:
        for action in ("list", "export", "show"):
            assert run(action, *[1] * (action == "show"), "--journal", path) == 0
        assert main(["stats", "--journal", str(path)]) == 0

    # Imports what somebody else may not read here.
    read_all()
    os.seteuid(65534)
    try:
        read_all()
        assert run("delete", 1, "--yes", "--journal", path) == 2
    finally:
        os.seteuid(0)
    assert bytes_of_games(path) == before


@pytest.mark.parametrize("second", [False, True])
@pytest.mark.parametrize("tidied", [False, True])
def test_what_one_place_has_lost_is_read_from_the_other(
    path: Path, second: bool, tidied: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    if tidied:
        tidy(path)
    assert run("export", "--journal", path) == 0
    whole = capsys.readouterr().out
    for file, data in bytes_of_games(path).items():
        if file.suffix in (".game", ".pack") and second is ("second" in file.parts):
            file.write_bytes(bytes(len(data)))
    damaged = bytes_of_games(path)
    assert run("export", "--journal", path) == 0
    assert capsys.readouterr().out == whole
    assert bytes_of_games(path) == damaged


@pytest.mark.parametrize("tidied", [False, True])
def test_a_game_that_both_places_have_lost_is_named_and_hides_no_other(
    path: Path, tidied: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    if tidied:
        tidy(path)
    for file, data in bytes_of_games(path).items():
        tag = b'[Game "power"]'
        if tag in data:
            file.write_bytes(data.replace(tag, bytes(len(tag))))
    assert run("export", "--journal", path) == 1
    printed = capsys.readouterr()
    assert printed.out.count("[Game ") == 5
    assert printed.err.startswith("left out: game 2")
    assert printed.err.count("\n") == 1


def test_delete_asks_and_deletes_only_what_was_named(
    path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("no\n"))
    assert run("delete", 2, "--journal", path) == 0
    assert "nothing was deleted" in capsys.readouterr().out
    monkeypatch.setattr("sys.stdin", io.StringIO("yes\n"))
    assert run("delete", 2, 3, "--journal", path) == 0
    with Journal(path) as journal:
        assert [saved.id for saved in games_of(journal)] == [1, 4, 5, 6]


def test_none_is_deleted_where_one_of_them_is_not_there(path: Path) -> None:
    assert run("delete", 6, 1, "--yes", "--journal", path) == 2
    assert run("delete", 1, 99, "--yes", "--journal", path) == 2
    with Journal(path) as journal:
        assert len(summaries_of(journal)) == 6


def end(path: Path, number: int) -> None:
    """Marks a game as over in the journal."""
    with Journal(path) as journal:
        journal.append(number, len(journal.load(number).lines), [], ended=True)


def test_a_finished_game_can_be_deleted_but_not_while_it_may_be_on_a_board(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    end(path, 6)
    with claimed(path):
        assert run("delete", 6, "--yes", "--journal", path) == 2
        assert "game 6 is the one being played" in capsys.readouterr().err
        assert run("delete", 5, "--yes", "--journal", path) == 0
    assert run("delete", 6, "--yes", "--journal", path) == 0
    with Journal(path) as journal:
        assert [entry.id for entry in summaries_of(journal)] == [1, 2, 3, 4]


def test_games_that_are_named_by_a_link_are_the_same(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path.touch()
    link = tmp_path / "elsewhere" / "mine"
    link.parent.mkdir()
    link.symlink_to(path)
    assert run("list", "--journal", link) == 0
    assert len(capsys.readouterr().out.splitlines()) == 6
    with claimed(link), pytest.raises(JournalError, match="another dicetray"), claimed(path):
        pass


def test_a_game_that_is_gone_on_with_while_the_question_waits_stays(
    path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class GoesOn:
        def readline(self) -> str:
            with Journal(path) as playing:
                playing.open(2)
            return "yes\n"

    monkeypatch.setattr("sys.stdin", GoesOn())
    with claimed(path):
        assert run("delete", 2, 3, "--journal", path) == 2
    assert "game 2 is the one being played" in capsys.readouterr().err
    with Journal(path) as journal:
        assert len(summaries_of(journal)) == 6


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["show", 99], "there is no game 99"),
        (["export", 99], "there is no game 99"),
        (["delete", 1, 99, "--yes"], "there is no game 99"),
        (["show", 10**20], "there is no game 100000000000000000000"),
        (["delete", 6, "--yes"], "is the one being played"),
        (["export", "--output", "/no/such/folder/x"], "cannot be written"),
    ],
)
def test_bad_input_is_named_and_changes_nothing(
    path: Path, arguments: list[object], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*arguments, "--journal", path) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
    with Journal(path) as journal:
        assert len(games_of(journal)) == 6


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's folder with one game of the appliance, two at a keyboard and a demo."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    folder = tmp_path / "dicetray"
    folder.mkdir()
    events, _ = random_game(GAMES["classic"], PLAYERS, {}, Random(3))
    lines = [event_to_text(GAMES["classic"], event) for event in events]
    for name, origin, count in (
        ("games.sqlite3", Origin.APPLIANCE, 1),
        (FILES[Origin.KEYBOARD], Origin.KEYBOARD, 2),
        (FILES[Origin.DEMO], Origin.DEMO, 1),
    ):
        with Journal(folder / name, origin=origin) as journal:
            for _ in range(count):
                session = begin_session(journal, new_session(Setup("classic", PLAYERS)))
                journal.append(session.record.serial, 0, lines, ended=True)
    return folder


def test_games_of_all_are_found_without_naming_a_file(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("list") == 0
    lines = capsys.readouterr().out.splitlines()
    assert [tuple(line.split()[:3]) for line in lines] == [
        ("1", "appliance", "classic"),
        ("K2", "keyboard", "classic"),
        ("K1", "keyboard", "classic"),
        ("D1", "demo", "classic"),
    ]
    assert run("list", "--of", "demo") == 0
    assert len(capsys.readouterr().out.splitlines()) == 1
    assert run("export", "--format", "json") == 0
    games = json.loads(capsys.readouterr().out)
    assert [g["of"] for g in games] == ["appliance", "keyboard", "keyboard", "demo"]
    assert main(["stats"]) == 0
    report = capsys.readouterr().out
    assert [line.split()[0] for line in report.splitlines()[1:7]] == [
        *("appliance", "appliance", "keyboard", "keyboard", "demo", "demo")
    ]
    # Rendered dice are not counted together with those on the table.
    assert all(f"black dice ({origin}), " in report for origin in Origin)


def test_each_game_has_a_number_of_its_own(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("list", "--json") == 0
    listed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    numbers = [game["number"] for game in listed]
    assert numbers == ["1", "K2", "K1", "D1"]
    for game in listed:
        assert run("export", game["number"], "--format", "json") == 0
        (exported,) = json.loads(capsys.readouterr().out)
        assert (exported["number"], exported["of"]) == (game["number"], game["of"])
        assert run("export", game["number"].lower(), "--format", "csv") == 0
        rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
        assert {row["number"] for row in rows} == {game["number"]}
    assert run("delete", "D1", "--yes") == 0
    assert run("show", "D1") == 2
    assert "there is no game D1" in capsys.readouterr().err
    assert run("show", "1") == 0
    assert main(["review", "K1"]) == 0


def test_a_letter_may_be_left_out_where_one_game_has_the_number(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("show", 2) == 0
    assert run("show", 1, "--of", "demo") == 0
    assert run("delete", "1", "--yes") == 0
    capsys.readouterr()
    for action in ("show", "export", "delete"):
        assert run(action, 1) == 2
        assert "more than one game 1: K1 and D1; name one of these" in capsys.readouterr().err
    assert run("show", 1, "--of", "demo") == 0
    assert run("show", "K1", "--journal", home / FILES[Origin.KEYBOARD]) == 0
    assert run("show", 1, "--journal", home / FILES[Origin.KEYBOARD]) == 0


def test_a_file_of_several_that_cannot_be_read_is_named(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(sqlite3.connect(home / "demo.sqlite3")) as db:
        db.execute("PRAGMA user_version=99")
    assert run("list") == 1
    printed = capsys.readouterr()
    assert len(printed.out.splitlines()) == 3
    assert printed.err.count("\n") == 1
    assert "demo.sqlite3: expected a journal of version" in printed.err


def test_a_folder_that_is_only_read_is_not_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "etc.toml").write_text(f"[games]\njournal = '{tmp_path}/games'\n")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    assert run("list", "--config", tmp_path / "etc.toml") == 2
    assert "play one first" in capsys.readouterr().err
    assert not (tmp_path / "state").exists()
