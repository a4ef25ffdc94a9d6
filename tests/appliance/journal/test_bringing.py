"""Games from elsewhere come in while people play: whatever they do meanwhile, none is lost."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from appliance.errors import NoSuchGame
from appliance.journal import bringing
from appliance.journal.journal import Journal
from appliance.journal.library import Library
from appliance.journal.packs import PackedGame, Packs
from appliance.journal.reader import JournalReader
from appliance.journal.saved_game import SavedGame
from appliance.table.menu.console import Console
from tests.rigs.stored_games import games_of

ROLL = "roll 1 2 3 4 5 power"


def game(number: int, lines: int = 3, *, ended: bool = True, name: str = "ANNA") -> SavedGame:
    identity = f"{number:032x}"
    texts = (ROLL,) * lines
    return SavedGame(
        number, "power", "2009", (name,), (), "1.1.0", ended, texts, identity, "a" * 16
    )


def begin(path: Path, name: str = "BEN", *, ended: bool = False) -> int:
    with Journal(path, patience_s=0.0) as playing:
        number = playing.begin("power", "2009", [name], (), "1.1.0")
        playing.append(number, 0, [ROLL], ended=ended)
        return number


def stored(path: Path) -> list[tuple[int, str]]:
    with JournalReader(path) as games:
        return sorted((saved.id, saved.players[0]) for saved in games_of(games))


@pytest.mark.parametrize("moment", ["sweep", "names", "stage"])
@pytest.mark.parametrize("there", [0, 2])
def test_a_game_that_begins_meanwhile_has_a_number_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str, there: int
) -> None:
    path = tmp_path / "games.sqlite3"
    for _ in range(there):
        begin(path, ended=True)
    begun: list[int] = []
    real = getattr(Packs, moment)

    def meanwhile(packs: Packs, *args: Any) -> Any:
        found = real(packs, *args)
        if not begun:
            begun.append(0)
            begun[0] = begin(path, "ZOE")
        return found

    with Journal(path) as bringer:
        monkeypatch.setattr(Packs, moment, meanwhile)
        numbers = bringer.bring_in([(n, game(n, ended=n != 2)) for n in (1, 2, 3)])
        monkeypatch.undo()
        last = bringer.last()
    names = dict(stored(path))
    assert len(stored(path)) == len(names) == there + 4
    assert names[begun[0]] == "ZOE"
    assert [names[number] for number in numbers] == ["ANNA"] * 3
    assert last is not None
    assert last.id == begun[0], "the present game stays the present one"
    assert begin(path) == max(names) + 1


def test_games_that_begin_and_are_packed_meanwhile_keep_their_numbers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One is in no pack yet, and one that begins after it is: neither number is free."""
    path = tmp_path / "games.sqlite3"
    begin(path)
    real = Packs.names

    def meanwhile(packs: Packs) -> tuple[str, ...]:
        monkeypatch.undo()
        for ended in (False, True, False):
            begin(path, "ZOE", ended=ended)
        with Journal(path) as playing:
            while playing.tidy():
                pass
        return real(packs)

    with Journal(path) as bringer:
        monkeypatch.setattr(Packs, "names", meanwhile)
        bringer.bring_in([(n, game(n)) for n in (2, 3, 4)])
    assert [number for number, name in stored(path) if name == "ZOE"] == [2, 3, 4]
    assert [number for number, name in stored(path) if name == "ANNA"] == [5, 6, 7]


def test_nobody_waits_while_packs_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "games.sqlite3"
    real = Packs.stage
    begun: list[int] = []

    def stage(packs: Packs, games: Iterable[PackedGame]) -> str:
        begun.append(begin(path, "ZOE"))
        return real(packs, games)

    monkeypatch.setattr(Packs, "stage", stage)
    with Journal(path) as bringer:
        bringer.bring_in([(1, game(1))])
    assert stored(path) == [(1, "ANNA"), (2, "ZOE")]


def test_however_many_come_no_pack_is_much_larger_than_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "games.sqlite3"
    monkeypatch.setattr(bringing, "MOST_BYTES", 1500)
    with Journal(path) as games:
        assert games.bring_in([(n, game(n)) for n in range(1, 21)]) == tuple(range(1, 21))
        assert [saved.id for saved in games_of(games)] == [*range(1, 21)]
    sizes = [pack.stat().st_size for pack in (tmp_path / "games/packs").iterdir()]
    assert len(sizes) > 4
    assert max(sizes) < 2000


def test_what_was_staged_when_the_power_failed_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "games.sqlite3"

    def fails(*_: object) -> None:
        raise OSError(5, "the power fails")

    with Journal(path) as bringer:
        monkeypatch.setattr(Packs, "admit", fails)
        with pytest.raises(OSError, match="the power fails"):
            bringer.bring_in([(1, game(1))])
        assert stored(path) == []
        monkeypatch.undo()
        bringer.bring_in([(1, game(1))])
    assert stored(path) == [(1, "ANNA")]
    assert [p.name for p in (tmp_path / "games").rglob("*incoming*")] == []


def test_numbers_of_several_times_are_all_kept(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    with Journal(path) as bringer:
        bringer.bring_in([(n, game(n, ended=n != 50)) for n in (50, 60)])
        bringer.bring_in([(n, game(n)) for n in (7, 100)])
        assert bringer.last() is None, "the game opened last was over"
    assert begin(path) == 101


def test_of_two_sticks_at_once_the_second_brings_nothing_twice(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    games = [(n, game(n, ended=n != 2)) for n in (1, 2)]
    with Journal(path) as one, Journal(path) as other:
        assert one.bring_in(games) == other.bring_in([*games, (3, game(3))])[:2] == (1, 2)
    assert stored(path) == [(1, "ANNA"), (2, "ANNA"), (3, "ANNA")]


def test_a_game_is_lengthened_unless_it_may_be_played(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    with Journal(path) as bringer:
        bringer.bring_in([(n, game(n, ended=n == 1)) for n in (1, 2, 3)])
        assert bringer.lengthen(1, game(1, 5, name="EVA"), spare_last=True)
        assert bringer.lengthen(2, game(2, 4), spare_last=True)
        assert not bringer.lengthen(3, game(3, 4), spare_last=True)
        assert not bringer.lengthen(2, game(2, 3), spare_last=True), "no beginning of it"
        lengths = [(saved.id, len(saved.lines), saved.ended) for saved in games_of(bringer)]
        with pytest.raises(NoSuchGame):
            bringer.lengthen(9, game(9))
    assert sorted(lengths) == [(1, 5, True), (2, 4, True), (3, 3, False)]


def test_a_game_that_is_resumed_has_what_a_stick_brought_by_then(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    with Journal(path) as playing:
        playing.bring_in([(n, game(n, ended=False)) for n in (1, 2)])
        assert len(playing.load(1).lines) == 3
        with Journal(path) as bringer:
            bringer.lengthen(1, game(1, 5, ended=False), spare_last=True)
        assert len(playing.open(1).lines) == 5
        playing.append(1, 5, ["keep 1"])


def test_a_game_goes_on_with_what_a_stick_brings_while_it_is_being_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "games.sqlite3"
    real = Journal.load

    def load(journal: Journal, number: int) -> SavedGame:
        saved = real(journal, number)
        monkeypatch.undo()
        with Journal(path) as bringer:
            more = replace(game(1, ended=False), lines=(ROLL, "holding 1"))
            bringer.lengthen(1, more, spare_last=True)
        return saved

    with Journal(path) as playing:
        playing.bring_in([(n, game(n, 1, ended=False)) for n in (1, 2)])
        monkeypatch.setattr(Journal, "load", load)
        session = Library(playing).open(Console(), 1).session
    assert session is not None
    assert len(session.record.log) == 2


def test_what_was_deleted_elsewhere_is_noted_once(tmp_path: Path) -> None:
    with Journal(tmp_path / "games.sqlite3") as games:
        games.bar(["b" * 32, "a" * 32])
        games.bar(["a" * 32])
        assert games.deleted() == {"a" * 32, "b" * 32}
        games.finish_what_was_cut()
