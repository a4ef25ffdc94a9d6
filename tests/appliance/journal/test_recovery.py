"""What can be read of a damaged journal is recovered, and the damaged file is kept."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from appliance.journal.recovery import Rescue, Salvage, fault_of, open_or_salvage

from appliance.alerts import Alert
from appliance.cli.shared.starting import GameOptions, environment_from, session_or_menu
from appliance.config import Config
from appliance.errors import JournalError, StrangeJournal
from appliance.journal import recovery as salvage
from appliance.journal.journal import Journal
from appliance.journal.sessions import load_session
from appliance.service.appliance import Appliance
from appliance.table.session.session import Setup
from tests.appliance.table.scripted import ScriptedWatcher
from tests.rigs.memory_scoreboard import MemoryScoreboard

GAMES = 12
LINES = 120


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A journal of many pages, all in the main file."""
    file = tmp_path / "games.sqlite3"
    with Journal(file) as journal:
        for index in range(GAMES):
            number = journal.begin("classic", "2009", [f"P{index}"], [("first", 0)], "0.1.0")
            journal.append(number, 0, [line(index, n) for n in range(LINES)], ended=index % 2 == 0)
        journal.remember("brightness", "7")
    return file


def line(game: int, number: int) -> str:
    return f"roll {game} {number} ......................"


def test_a_whole_journal_is_just_opened(path: Path) -> None:
    journal, done = open_or_salvage(path)
    with journal:
        assert done is None
        assert len(list(journal.games())) == GAMES
    assert [p.name for p in path.parent.iterdir()] == ["games.sqlite3"]


def test_a_new_journal_is_just_made(tmp_path: Path) -> None:
    journal, done = open_or_salvage(tmp_path / "games.sqlite3")
    with journal:
        assert done is None
        assert journal.last() is None


@pytest.mark.parametrize("seed", range(8))
def test_what_can_be_read_of_a_damaged_journal_is_saved(path: Path, seed: int) -> None:
    data = bytearray(path.read_bytes())
    random = Random(seed)
    page = 4096 * random.randrange(4, len(data) // 4096)
    data[page : page + 4096] = random.randbytes(4096)
    path.write_bytes(data)
    damaged = bytes(data)
    assert fault_of(path)
    journal, done = open_or_salvage(path)
    with journal:
        assert done is not None
        assert done.kept.read_bytes() == damaged
        assert journal.check() == "ok"
        saved = list(journal.games())
        # Only games that were there come back, and of each only its first lines.
        for game in saved:
            index = int(game.players[0][1:])
            assert game.lines == tuple(line(index, n) for n in range(len(game.lines)))
            assert game.options == (("first", 0),)
        assert done.games == len(saved)
        assert done.lines == sum(len(game.lines) for game in saved)
        assert done.lines >= LINES
        # Play can continue in the new journal.
        journal.append(journal.begin("classic", "2009", ["NEW"], [], "0.1.0"), 0, ["x"])
    again, nothing = open_or_salvage(path)
    again.close()
    assert nothing is None


@pytest.mark.parametrize("lost", [bytes(4096), b"\xa5" * 4096])
def test_a_journal_without_its_first_page_gives_back_everything(path: Path, lost: bytes) -> None:
    data = path.read_bytes()
    path.write_bytes(lost + data[4096:])
    journal, done = open_or_salvage(path)
    with journal:
        assert done is not None
        assert (done.games, done.lines) == (GAMES, GAMES * LINES)
        assert [game.id for game in journal.games()] == list(range(1, GAMES + 1))
        assert journal.remembered("brightness") == "7"


PAGE = 4096


def test_a_file_that_was_cut_off_gives_back_every_line_that_lies_before(tmp_path: Path) -> None:
    file = tmp_path / "games.sqlite3"
    with Journal(file) as journal:
        number = journal.begin("classic", "2009", ["ANNA"], [("first", 0)], "0.1.0")
        journal.append(number, 0, [f"roll {n}" for n in range(100)])
    data = file.read_bytes()
    assert len(data) == 4 * PAGE
    file.write_bytes(data[: 3 * PAGE])
    journal, done = open_or_salvage(file)
    with journal:
        assert done is not None
        assert (done.games, done.lines) == (1, 100)
        assert journal.load(number).lines[-1] == "roll 99"


@pytest.mark.parametrize("lost", [bytes(PAGE), b"\xa5" * PAGE])
def test_without_the_page_that_finds_all_others_lines_come_back_to_the_first_gap(
    path: Path, lost: bytes
) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: 2 * PAGE] + lost + data[3 * PAGE :])
    journal, done = open_or_salvage(path)
    with journal:
        assert done is not None
        assert done.games == GAMES
        assert done.lines > GAMES * LINES // 3
        for index, game in enumerate(journal.games()):
            assert game.lines == tuple(line(index, n) for n in range(len(game.lines)))


def sector(data: bytearray, random: Random) -> None:
    start = 512 * random.randrange(len(data) // 512)
    data[start : start + 512] = random.choice((bytes(512), random.randbytes(512)))


def misdirected(data: bytearray, random: Random) -> None:
    """Writes a page in another's place."""
    there, here = (PAGE * random.randrange(len(data) // PAGE) for _ in range(2))
    data[there : there + PAGE] = data[here : here + PAGE]


def cut(data: bytearray, random: Random) -> None:
    del data[random.randrange(1, len(data)) :]


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("harm", [sector, misdirected, cut])
def test_no_game_gets_a_line_of_another_whatever_is_damaged(
    path: Path, harm: Callable[[bytearray, Random], None], seed: int
) -> None:
    data = bytearray(path.read_bytes())
    harm(data, Random(seed))
    path.write_bytes(data)
    journal, _ = open_or_salvage(path)
    with journal:
        for game in journal.games():
            index = int(game.players[0][1:])
            assert game.lines == tuple(line(index, n) for n in range(len(game.lines)))


def test_a_game_goes_on_before_a_line_that_is_no_text_any_more(tmp_path: Path) -> None:
    file = tmp_path / "games.sqlite3"
    with Journal(file) as journal:
        journal.append(journal.begin("classic", "2009", ["A"], [], "0.1.0"), 0, ["one", "tw\0"])
    file.write_bytes(file.read_bytes().replace(b"tw\0", b"tw\xff"))
    journal, done = open_or_salvage(file)
    with journal:
        assert done is not None
        last = journal.last()
        assert last is not None
        assert last.lines == ("one",)


def test_an_appliance_starts_whatever_bit_of_its_journal_is_another(tmp_path: Path) -> None:
    file = tmp_path / "games.sqlite3"
    environment = environment_from(Config())
    with Journal(file) as journal:
        for game in ("power", "classic"):
            session = load_session(journal, Setup(game, ("ANNA", "BOB"), (("first", 0),)))
        journal.append(session.serial, 0, ["roll 1 2 3 4 5", "holding 1"])
        journal.remember("desk", environment.settings.text)
    whole = file.read_bytes()
    # Not in the version of the tables: a later one is refused, not salvaged.
    places = [at for at, byte in enumerate(whole) if byte and not 60 <= at < 64]
    random = Random(3)
    salvaged = 0
    for _ in range(60):
        for old in tmp_path.iterdir():
            old.unlink()
        data = bytearray(whole)
        data[random.choice(places)] ^= 1 << random.randrange(8)
        file.write_bytes(data)
        journal, done = open_or_salvage(file)
        salvaged += done is not None
        with journal:
            session_or_none = session_or_menu(NO_ARGUMENTS, Config(), journal)
            board = MemoryScoreboard()
            Appliance(
                session_or_none, journal, ScriptedWatcher(), board, environment=environment
            ).start()
        journal, done = open_or_salvage(file)
        journal.close()
        assert done is None
    assert salvaged > 20


NO_ARGUMENTS = GameOptions()


@pytest.mark.parametrize("content", [b"", b"no database at all" * 500, bytes(9000)])
def test_a_file_that_is_no_database_is_kept_and_a_new_one_made(
    tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "games.sqlite3"
    path.write_bytes(content)
    journal, done = open_or_salvage(path)
    with journal:
        assert journal.last() is None
    if content:
        assert done is not None
        assert done.kept.read_bytes() == content
        assert done.games == 0


@pytest.mark.parametrize("names", ["[" * 100_000, '{"A": 1}', "[7]", "9" * 5000])
def test_a_game_whose_names_are_none_is_left_in_the_damaged_file(path: Path, names: str) -> None:
    with Journal(path) as journal:
        journal._db.execute("UPDATE games SET players=? WHERE id=2", (names,))
        # Before it is salvaged, as in `dicetray play`, which does not check for damage.
        assert [game.id for game in journal.unfinished()] == [12, 10, 8, 6, 4]
    journal, done = open_or_salvage(path)
    with journal:
        assert done is not None
        assert [game.id for game in journal.games()] == [1, *range(3, GAMES + 1)]


def test_an_empty_file_has_lost_its_games_but_for_those_in_the_log(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    with Journal(path) as journal:
        number = journal.begin("classic", "2009", ["ANNA"], [], "0.1.0")
        journal.append(number, 0, ["one", "two"])
        log = path.with_name(f"{path.name}-wal").read_bytes()
    path.write_bytes(b"")
    path.with_name(f"{path.name}-wal").write_bytes(log)
    journal, done = open_or_salvage(path)
    with journal:
        assert done is not None
        assert done.fault == "it is empty"
        assert journal.load(number).lines == ("one", "two")
        assert done.kept.with_name(f"{done.kept.name}-wal").read_bytes() == log
    path.write_bytes(b"")
    journal, done = open_or_salvage(path)
    journal.close()
    assert done is not None
    assert done.pages[1] == ("0 SAVED", "GO ON")


@pytest.mark.parametrize("left", [(), ("games.sqlite3.new",), ("games.sqlite3.new-wal",)])
def test_a_power_cut_while_a_journal_is_made_leaves_no_empty_one(
    tmp_path: Path, left: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in left:
        (tmp_path / name).write_bytes(b"half a file")
    path = tmp_path / "games.sqlite3"

    def cut(old: Path, new: Path) -> None:
        raise PowerCut

    monkeypatch.setattr(salvage, "_rename_durably", cut)
    with pytest.raises(PowerCut):
        open_or_salvage(path)
    assert not path.exists()
    monkeypatch.undo()
    for _ in range(2):
        journal, done = open_or_salvage(path)
        journal.close()
        assert done is None


@pytest.mark.parametrize("version", [0, 1, 2, 77])
@pytest.mark.parametrize("table", ["bookmarks (url)", "games (white, black)", "lines (game, x, y)"])
def test_the_database_of_another_program_is_refused_and_left_alone(
    tmp_path: Path, version: int, table: str
) -> None:
    path = tmp_path / "games.sqlite3"
    with closing(sqlite3.connect(path)) as db:
        db.executescript(f"CREATE TABLE {table}; PRAGMA user_version={version}")
    before = path.read_bytes()
    with pytest.raises(StrangeJournal, match="another program's tables") as raised:
        open_or_salvage(path)
    assert raised.value.alert is Alert.GAMES_FOREIGN
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


def test_a_journal_that_has_lost_its_version_is_salvaged(path: Path) -> None:
    with Journal(path) as journal:
        journal._db.execute("PRAGMA user_version=0")
    journal, done = open_or_salvage(path)
    with journal:
        assert done is not None
        assert (done.games, done.lines) == (GAMES, GAMES * LINES)


def test_settings_and_the_order_of_games_opened_are_saved(path: Path) -> None:
    with Journal(path) as journal:
        journal.open(2)
    data = bytearray(path.read_bytes())
    # The header's count of free pages, which only the integrity check looks at.
    data[36:40] = b"\0\0\0\7"
    path.write_bytes(data)
    journal, done = open_or_salvage(path)
    with journal:
        assert done is not None
        assert done.games == GAMES
        assert journal.remembered("brightness") == "7"
        last = journal.last()
        assert last is not None
        assert last.players == ("P1",)


def test_every_damaged_file_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    for number in (1, 2):
        path.write_bytes(b"damaged %d " % number * 300)
        journal, done = open_or_salvage(path)
        journal.close()
        assert done is not None
        assert done.kept.name == f"games.sqlite3.damaged-{number}"
    assert b"damaged 1" in (tmp_path / "games.sqlite3.damaged-1").read_bytes()


class PowerCut(Exception):
    pass


@pytest.fixture
def cut_at(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """Cuts the power after this many renames."""
    left = [0]
    real = salvage._rename_durably

    def rename(old: Path, new: Path) -> None:
        if left[0] == 0:
            raise PowerCut
        left[0] -= 1
        real(old, new)

    monkeypatch.setattr(salvage, "_rename_durably", rename)
    yield left
    monkeypatch.undo()


@pytest.mark.parametrize("renamings", [0, 1])
def test_a_power_cut_while_salvaging_loses_nothing(
    path: Path, cut_at: list[int], renamings: int
) -> None:
    data = bytearray(path.read_bytes())
    data[-4096:] = bytes(4096)
    path.write_bytes(data)
    cut_at[0] = renamings
    with pytest.raises(PowerCut):
        open_or_salvage(path)
    cut_at[0] = 99
    journal, _ = open_or_salvage(path)
    with journal:
        assert journal.check() == "ok"
        assert sum(len(game.lines) for game in journal.games()) > LINES
    kept = path.with_name("games.sqlite3.damaged-1")
    assert kept.read_bytes() == bytes(data)


def test_a_later_version_is_no_damage(path: Path) -> None:
    with Journal(path) as journal:
        journal._db.execute("PRAGMA user_version=99")
    with pytest.raises(JournalError, match="version 99"):
        open_or_salvage(path)
    assert [p.name for p in path.parent.iterdir()] == ["games.sqlite3"]


ENDLESS = """WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)
SELECT 1, x, 'a', 1 FROM n"""


@pytest.mark.parametrize("damaged", [False, True])
def test_a_view_that_never_ends_keeps_nobody_waiting(
    tmp_path: Path, damaged: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(salvage, "_MOST_STEPS", 1_000_000)
    path = tmp_path / "games.sqlite3"
    with Journal(path) as journal:
        journal.begin("classic", "2009", ["ANNA", "BEN"], [], "1.0.0")
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("DROP TABLE lines")
        db.execute(f"CREATE VIEW lines (game, seq, text, sum) AS {ENDLESS}")
    if damaged:
        # Its rows are read one by one.
        assert salvage.readable(path).lines == 0
        return
    with pytest.raises(StrangeJournal, match="view 'lines'"), salvage.reading(path):
        pass
    with pytest.raises(StrangeJournal, match="view 'lines'"):
        open_or_salvage(path)


def test_what_was_done_is_said_in_the_log_and_on_the_board() -> None:
    rescued = Rescue(3, 120)
    assert rescued.sentence == "3 games with 120 lines were gone and are saved anew"
    assert rescued.pages == (("GAMES WERE", "GONE"), ("3 SAVED", "AGAIN"))
    assert Rescue(12_345, 1).pages[1] == ("9999 SAVED", "AGAIN")
    salvaged = Salvage("it is empty", Path("/x/games.damaged-7"), 12_345, 120)
    assert salvaged.sentence == (
        "the journal was damaged (it is empty); 12345 games with 120 lines were saved, "
        "the damaged file is kept as /x/games.damaged-7"
    )
    assert salvaged.pages == (
        ("GAMES WERE", "DAMAGED"),
        ("9999 SAVED", "GO ON"),
        ("FILE KEPT:", "DAMAGED-7"),
    )
