"""The games on disk: numbered, in order, there when it is said; with what a cut or rot left."""

import errno
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from appliance.errors import DamagedGame, JournalError, JournalGone, NoSuchGame
from appliance.journal.files import folder_of
from appliance.journal.going import games_going
from appliance.journal.journal import Journal
from appliance.journal.mending import mend, open_and_mend
from appliance.journal.origin import written_by
from appliance.journal.reading import reading
from appliance.journal.saved_game import SavedGame
from tests.appliance.journal.crash_disk import RecordingFiles, Sync, Write
from tests.rigs.stored_games import games_of, summaries_of


def begin(journal: Journal) -> int:
    return journal.begin("classic", "2009", ("ANNA", "BØB"), (("first", 0),), "0.1.0")


def resumable(journal: Journal) -> list[int]:
    """The numbers of games that can be resumed, most recently opened first."""
    return [going.number for going in journal.going() if journal.resumable(going) is not None]


def tidy(journal: Journal) -> None:
    """Does all that is due."""
    for _ in range(100):
        if not journal.tidy():
            return
    raise AssertionError("it never ends")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite3"


def test_a_new_journal_is_empty(path: Path) -> None:
    with Journal(path) as journal:
        assert journal.last() is None
        assert not journal.has_finished()
        assert games_of(journal) == []
        assert sum(game.lines for game in summaries_of(journal)) == 0
        assert begin(journal) == 1


def test_lines_come_back_in_order_after_reopening(path: Path) -> None:
    with Journal(path) as journal:
        game = begin(journal)
        journal.append(game, 0, ["roll 1 2 3 4 5", "holding 1"])
        journal.append(game, 2, ["hold 1"])
    with Journal(path) as journal:
        saved = journal.last()
        assert saved is not None
        assert saved.id == game
        assert saved.players == ("ANNA", "BØB")
        assert saved.options == (("first", 0),)
        assert saved.lines == ("roll 1 2 3 4 5", "holding 1", "hold 1")
        assert not saved.ended


def test_a_line_is_on_disk_before_append_returns(path: Path) -> None:
    writer = Journal(path)
    game = begin(writer)
    writer.append(game, 0, ["roll 1 2 3 4 5"], ended=True)
    with reading(path) as reader:
        saved = reader.load(game)
    assert saved.lines == ("roll 1 2 3 4 5",)
    assert saved.ended
    writer.close()


def test_players_are_named_on_disk_and_only_in_a_game_that_is_there(path: Path) -> None:
    with Journal(path) as journal:
        number = begin(journal)
        journal.name_players(number, ("OTTO", "IDA"))
        journal.append(number, 0, ["roll 1 2 3 4 5"])
        with pytest.raises(JournalGone):
            journal.name_players(number + 1, ("OTTO", "IDA"))
        with reading(path) as there:
            assert there.load(number).players == ("OTTO", "IDA")


def test_a_journal_in_memory_has_nothing_to_do_with_a_file_of_that_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = Path(":memory:")
    file.touch()
    with Journal(":memory:") as journal:
        file.unlink()
        journal.look()
        game = SavedGame(7, "classic", "2009", ("ANNA",), (), written_by(journal.origin), False, ())
        number, _ = mend(journal, game, {})
        assert number == 7
        journal.append(7, 0, ["one"])
        assert [saved.lines for saved in games_of(journal)] == [("one",)]
    assert not list(tmp_path.iterdir())


def test_a_line_is_never_written_twice_or_over_another(path: Path) -> None:
    with Journal(path) as journal:
        game = begin(journal)
        journal.append(game, 0, ["one", "two"])
        with pytest.raises(JournalError, match="has a line 1 already"):
            journal.append(game, 1, ["other", "three"])
        with pytest.raises(JournalGone, match="fewer than 3"):
            journal.append(game, 3, ["later"])
        assert journal.load(game).lines == ("one", "two")


def test_a_file_deleted_before_the_first_line_after_a_start_is_told_like_any_other(
    path: Path,
) -> None:
    with Journal(path) as journal:
        game = begin(journal)
        journal.append(game, 0, ["one"])
    with Journal(path) as journal:
        journal.hold(game)
        (file,) = (folder_of(path) / "going").glob("*.game")
        file.unlink()
        with pytest.raises(JournalGone, match=file.name):
            journal.look()
        with pytest.raises(JournalGone, match=file.name):
            journal.append(game, 1, ["two"])
        known = replace(journal.load(game), lines=("one", "two"))
        assert mend(journal, known, {})[0] == game
        assert journal.load(game).lines == ("one", "two")
        assert [(damage.number, damage.gone) for damage in journal.untold()] == [(game, True)]


def test_the_newest_game_is_the_last_and_each_is_appended_to_in_its_own_file(path: Path) -> None:
    with Journal(path) as journal:
        first, second = begin(journal), begin(journal)
        journal.append(first, 0, ["late line of the first"])
        journal.append(second, 0, ["of the second"])
        journal.append(first, 1, ["another"])
        saved = journal.last()
        assert saved is not None
        assert saved.id == second
        assert journal.load(first).lines == ("late line of the first", "another")
        with pytest.raises(NoSuchGame, match="no game 99"):
            journal.load(99)


def test_the_folder_it_is_to_be_in_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="expected a folder"):
        Journal(tmp_path / "missing" / "games.sqlite3")
    assert not list(tmp_path.iterdir())


def test_a_game_that_is_gone_on_with_is_the_last(path: Path) -> None:
    with Journal(path) as journal:
        first, second, third = begin(journal), begin(journal), begin(journal)
        for game in (first, second, third):
            journal.append(game, 0, ["roll 1 2 3 4 5"])
        assert journal.open(first).lines == ("roll 1 2 3 4 5",)
        assert resumable(journal) == [first, third, second]
    with Journal(path) as journal:
        saved = journal.last()
        assert saved is not None
        assert saved.id == first
        journal.append(third, 1, ["score chance"], ended=True)
        assert resumable(journal) == [first, second]
        with pytest.raises(NoSuchGame, match="no game 99"):
            journal.open(99)
        assert begin(journal) == 4


def test_games_in_which_nothing_happened_are_not_offered(path: Path) -> None:
    with Journal(path) as journal:
        begin(journal)
        assert resumable(journal) == []


def test_settings_are_kept(path: Path) -> None:
    with Journal(path) as journal:
        assert journal.remembered("desk") is None
        journal.remember("desk", "one")
        journal.remember("other", "Ä\n2")
        journal.remember("desk", "two")
    with Journal(path) as journal:
        assert (journal.remembered("desk"), journal.remembered("other")) == ("two", "Ä\n2")


def test_an_ended_game_gets_into_a_pack_when_another_is_opened(path: Path) -> None:
    with Journal(path) as journal:
        first = begin(journal)
        journal.append(first, 0, ["one"], ended=True)
        tidy(journal)
        assert [going.number for going in games_going(journal.files)] == [first]
        second = begin(journal)
        tidy(journal)
        assert [going.number for going in games_going(journal.files)] == [second]
        assert journal.load(first).lines == ("one",)
        assert [game.id for game in games_of(journal)] == [first, second]
        assert journal.has_finished()
    with Journal(path) as journal:
        assert journal.load(first).ended


def test_an_ended_game_that_goes_on_has_one_place_and_ends_again(path: Path) -> None:
    with Journal(path) as journal:
        first = begin(journal)
        journal.append(first, 0, ["one"], ended=True)
        begin(journal)
        tidy(journal)
        journal.append(first, 1, ["undo 1", "two"])
        saved = journal.load(first)
        assert (saved.lines, saved.ended) == (("one", "undo 1", "two"), False)
        journal.append(first, 3, ["three"], ended=True)
        begin(journal)
        tidy(journal)
        assert journal.load(first).lines == ("one", "undo 1", "two", "three")
        assert [game.id for game in games_of(journal)] == [1, 2, 3]
        assert journal.open(first).ended
        last = journal.last()
        assert last is not None
        assert last.id == first


def test_a_game_that_went_on_after_a_cut_while_it_left_its_pack_keeps_its_new_lines(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its older lines are still in the pack."""
    with Journal(path) as journal:
        first = begin(journal)
        journal.append(first, 0, ["one"], ended=True)
        begin(journal)
        tidy(journal)
        with monkeypatch.context() as patched:
            patched.setattr(journal._packs, "delete", lambda _: None)
            journal.append(first, 1, ["two"], ended=True)
        begin(journal)
        tidy(journal)
        assert journal.load(first).lines == ("one", "two")
        assert [game.id for game in games_of(journal)] == [1, 2, 3]


def test_no_number_is_given_twice_whatever_is_deleted(path: Path) -> None:
    with Journal(path) as journal:
        numbers = [begin(journal) for _ in range(3)]
        journal.append(3, 0, ["one"], ended=True)
        numbers.append(begin(journal))
        tidy(journal)
        journal.delete(4)
        assert journal.last() is None
        numbers.append(begin(journal))
        journal.delete(5, 1, 3)
        journal.delete(2)
    with Journal(path) as journal:
        assert journal.last() is None
        assert games_of(journal) == []
        numbers.append(begin(journal))
    assert numbers == [1, 2, 3, 4, 5, 6]


def test_of_games_to_delete_all_are_or_none(path: Path) -> None:
    with Journal(path) as journal:
        begin(journal)
        begin(journal)
        with pytest.raises(NoSuchGame):
            journal.delete(1, 9)
        with pytest.raises(JournalError, match="is the one being played"):
            journal.delete(1, 2, spared=lambda saved: not saved.ended)
        assert [game.id for game in games_of(journal)] == [1, 2]
        identities = {game.identity for game in games_of(journal)}
        journal.delete(1, 2, spared=lambda saved: saved.ended)
        assert journal.deleted() >= identities


def test_a_deleted_game_that_is_on_the_board_stays_deleted_and_goes_on_as_another(
    path: Path,
) -> None:
    with Journal(path) as journal:
        number = begin(journal)
        journal.append(number, 0, ["one"], ended=True)
        ended = journal.load(number)
        with Journal(path) as other:
            other.delete(number)
        with pytest.raises(JournalGone):
            journal.look()
        assert journal.put(ended) == (number, False)
        journal.look()
        assert games_of(journal) == []
        goes_on = SavedGame(
            number, "classic", "2009", ("ANNA", "BØB"), (), "0.1.0", False, ("one", "undo 1")
        )
        assert journal.put(goes_on)[1]
        (there,) = games_of(journal)
        assert there.identity not in journal.deleted()


@pytest.mark.parametrize("ended", [False, True])
def test_a_game_on_the_board_gets_a_new_number_where_another_has_its_own(
    path: Path, ended: bool
) -> None:
    with Journal(path) as journal:
        number = begin(journal)
        journal.append(number, 0, ["another"], ended=True)
        begin(journal)
        tidy(journal)
        another = journal.load(number)
        board = SavedGame(
            number, "classic", "2009", ("CARLA",), (), "0.1.0", ended, ("one",), identity="ab" * 8
        )
        new, written = journal.put(board)
        assert written
        assert new not in (number, number + 1)
        assert journal.load(number) == another
        assert (journal.load(new).players, journal.load(new).lines) == (("CARLA",), ("one",))


def test_a_game_that_another_program_renamed_is_appended_to(path: Path) -> None:
    """Games are brought in while somebody plays."""
    with Journal(path) as player:
        number = begin(player)
        with Journal(path) as other:
            brought = SavedGame(
                1, "classic", "2009", ("A", "B"), (), "1.0.0", True, ("x",), "ab" * 16, "0b"
            )
            assert other.bring_in([(5, brought)]) == (2,)
        player.append(number, 0, ["one"])
        player.look()
        assert begin(player) == 3
        last = player.last()
        assert last is not None
        assert last.id == 3


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO, errno.EROFS])
def test_a_disk_that_refuses_is_reported_and_loses_nothing(tmp_path: Path, number: int) -> None:
    files = RecordingFiles(tmp_path / "games")
    with Journal(":memory:", files=files) as journal:
        game = begin(journal)
        journal.append(game, 0, ["kept"])
        for steps in range(1, 4):
            files.errors = dict.fromkeys(range(files.steps + 1, files.steps + 1 + steps), number)
            with pytest.raises(JournalError, match="cannot be written"):
                journal.append(game, steps, [f"line {steps}"])
            assert journal.load(game).lines[:steps] == ("kept", "line 1", "line 2")[:steps]
            files.errors = {}
            journal.append(game, steps, [f"line {steps}"])
        assert journal.load(game).lines == ("kept", "line 1", "line 2", "line 3")


def test_a_computer_without_memory_is_no_fault_of_the_disk(tmp_path: Path) -> None:
    files = RecordingFiles(tmp_path / "games")
    with Journal(":memory:", files=files) as journal:
        game = begin(journal)
        files.errors = {files.steps + 1: errno.ENOMEM}
        with pytest.raises(MemoryError):
            journal.append(game, 0, ["one"])
        journal.append(game, 0, ["one"])
        assert journal.load(game).lines == ("one",)


def zeros(path: Path) -> None:
    path.write_bytes(bytes(path.stat().st_size))


def another_face(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"roll 1 2", b"roll 6 2", 1))


WRONG = (zeros, another_face, Path.unlink)


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("place", ["", "second"])
def test_the_present_game_is_whole_whatever_happened_to_one_place(
    path: Path, wrong: Callable[[Path], None], place: str
) -> None:
    lines = ("roll 1 2 3 4 5", "hold 1", "roll 2 2 2 2")
    with Journal(path) as journal:
        begin(journal)
        game = begin(journal)
        journal.append(game, 0, lines)
    (file,) = (folder_of(path) / place / "going").glob("*-000002-*.game")
    wrong(file)
    journal, mended = open_and_mend(path)
    with journal:
        last = journal.last()
        assert last is not None
        assert (last.id, last.lines) == (game, lines)
        # A second place is mended without a word: it lacks nothing that the first one has.
        assert (mended is None) == (place == "second")
        journal.append(game, 3, ["score chance"])
    for only in ("", "second"):
        texts = (folder_of(path) / only / "going").glob("*-000002-*.game")
        assert b"score chance" in next(texts).read_bytes()


def test_a_second_place_that_a_cut_has_left_of_a_packed_game_is_no_game_that_is_gone(
    path: Path,
) -> None:
    with Journal(path) as journal:
        game = begin(journal)
        journal.append(game, 0, ["roll 1 2 3 4 5"], ended=True)
        begin(journal)
        (second,) = (folder_of(path) / "second/going").glob("*-000001-*.game")
        data = second.read_bytes()
        tidy(journal)
        assert not second.exists()
    second.write_bytes(data)
    journal, mended = open_and_mend(path)
    with journal:
        assert mended is None
        journal.look()
        assert journal.load(game).lines == ("roll 1 2 3 4 5",)
        assert not second.exists()


def test_a_game_whose_beginning_is_lost_in_both_places_is_kept_and_another_can_begin(
    path: Path,
) -> None:
    with Journal(path) as journal:
        begin(journal)
        game = begin(journal)
        journal.append(game, 0, ["roll 1 2 3 4 5"])
    for place in ("", "second"):
        (file,) = (folder_of(path) / place / "going").glob("*-000002-*.game")
        file.write_bytes(bytes(30) + file.read_bytes()[30:])
    journal, mended = open_and_mend(path)
    with journal:
        assert mended is not None
        assert ", 0 are left; " in mended.sentence
        assert journal.last() is None
        assert begin(journal) == game + 1
    (kept,) = (folder_of(path) / "damaged").iterdir()
    assert b"roll 1 2 3 4 5" in kept.read_bytes()


def test_a_line_that_a_power_cut_tore_is_told_in_the_log_once(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with Journal(path) as journal:
        game = begin(journal)
        journal.append(game, 0, ["roll 1 2 3 4 5"])
        journal.copy(sync=True)
    (file,) = (folder_of(path) / "going").glob("*.game")
    file.write_bytes(file.read_bytes() + b"hold 1 2")
    for seq, told in ((1, True), (2, False)):
        caplog.clear()
        journal, mended = open_and_mend(path)
        with journal:
            assert mended is None
            journal.append(game, seq, ["hold 1"])
            journal.copy(sync=True)
            assert journal.load(game).lines == ("roll 1 2 3 4 5", *["hold 1"] * seq)
        assert ("was being written when the power failed" in caplog.text) is told


def test_verify_sees_a_change_in_either_place_and_both_are_written_anew(path: Path) -> None:
    with Journal(path) as journal:
        game = begin(journal)
        journal.append(game, 0, ["roll 1 2 3 4 5"])
        journal.copy(sync=True)
        journal.verify()
        first, second = (
            next((folder_of(path) / place / "going").glob("*.game")) for place in ("", "second")
        )
        another_face(second)
        journal.verify()
        journal.copy()
        assert second.read_bytes() == first.read_bytes()
        another_face(first)
        with pytest.raises(DamagedGame):
            journal.verify()
        assert journal.put(journal.load(game)) == (game, True)
        journal.verify()
        assert first.read_bytes() == second.read_bytes()


def test_what_was_shown_is_copied_at_once_and_synced_when_that_is_asked(tmp_path: Path) -> None:
    files = RecordingFiles(tmp_path / "games")
    with Journal(tmp_path / "games.sqlite3", files=files) as journal:
        game = begin(journal)
        journal.copy(sync=True)
        journal.append(game, 0, ["roll 1 2 3 4 5"])
        files.tape = []
        journal.copy()
        assert [type(step) for step in files.tape] == [Write]
        journal.copy(sync=True)
        assert Sync in map(type, files.tape)


def test_games_put_aside_are_looked_after(path: Path) -> None:
    """As when the power failed before their second places were synced."""
    with Journal(path) as journal:
        first = begin(journal)
        journal.append(first, 0, ["one"])
        begin(journal)
    (second,) = (folder_of(path) / "second" / "going").glob("*-000001-*.game")
    (place,) = (folder_of(path) / "going").glob("*-000001-*.game")
    second.write_bytes(second.read_bytes()[:-5])
    with Journal(path) as journal:
        tidy(journal)
        assert second.read_bytes() == place.read_bytes()
        zeros(place)
        tidy(journal)
    with Journal(path) as journal:
        tidy(journal)
        assert second.read_bytes() == place.read_bytes()
        assert journal.load(first).lines == ("one",)


def test_what_a_cut_left_of_files_being_written_is_removed(path: Path) -> None:
    with Journal(path) as journal:
        begin(journal)
    left = folder_of(path) / "packs" / "0001.pack.new"
    left.parent.mkdir(exist_ok=True)
    left.write_bytes(b"x" * 1000)
    journal, mended = open_and_mend(path)
    journal.close()
    assert mended is None
    assert not left.exists()


def test_two_tries_of_one_thing_do_not_wait_for_each_other(path: Path) -> None:
    """The lock is held once, also where one thing that needs it does another."""
    with Journal(path, patience_s=0.0) as journal:
        first = begin(journal)
        journal.append(first, 0, ["one"], ended=True)
        begin(journal)
        tidy(journal)
        assert journal.open(first).ended
        with journal.files.locked(), pytest.raises(JournalError):
            begin(journal)


def test_games_are_written_anew_where_the_folders_around_them_are_gone(tmp_path: Path) -> None:
    path = tmp_path / "var" / "dicetray" / "games.sqlite3"
    path.parent.mkdir(parents=True)
    with Journal(path) as journal:
        game = begin(journal)
        journal.append(game, 0, ["roll 1 2 3 4 5"])
        shutil.rmtree(tmp_path / "var")
        journal.mend_places()
        assert path.parent.stat().st_mode & 0o777 == 0o750


def test_games_that_are_gone_are_told_once_also_if_another_file_goes_at_once(path: Path) -> None:
    with Journal(path) as journal:
        for _ in range(2):
            journal.append(begin(journal), 0, ["one"], ended=True)
        begin(journal)
        tidy(journal)
        journal.look()
        shutil.rmtree(folder_of(path))
        journal.mend_places()
        told = journal.untold()
        assert any(damage.lost for damage in told)
        journal.forget_untold(told)
        # Nobody has looked since whether all is there.
        journal.mend_places()
        assert journal.untold() == ()
