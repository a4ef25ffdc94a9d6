"""Ended games in packs: found in either place, whatever became of the other."""

import errno
import random
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.journal import packs as module
from appliance.journal.files import Files, MemoryFiles, NotSynced
from appliance.journal.going import Going
from appliance.journal.packs import Pack, PackedGame, Packs
from appliance.journal.saved_game import SavedGame, texts_of
from appliance.journal.sums import encode
from appliance.journal.twin import SECOND
from appliance.journal.untold import Damage
from tests.appliance.journal.crash_disk import RecordingFiles
from tests.appliance.journal.test_sums import damaged

TRAY = "0b" * 8


def game(number: int) -> SavedGame:
    log = tuple(f"roll {number} {n}" for n in range(number % 7 + 2))
    return SavedGame(
        number, "classic", "2009", ("ANNA", "BØB"), (), "1.0.0", True, log, f"{number:032x}", TRAY
    )


def packed(saved: SavedGame) -> PackedGame:
    return PackedGame.of(saved, saved.id)


def packs_of(files: Files) -> tuple[Packs, list[Damage]]:
    noted: list[Damage] = []
    return Packs(files, noted.append), noted


def add(packs: Packs, saved: SavedGame) -> None:
    packs.add(packed(saved))


def copy_all(packs: Packs) -> None:
    while packs.behind():
        packs.catch_up()


def filled(files: Files, count: int = 5) -> Packs:
    packs, _ = packs_of(files)
    for number in range(1, count + 1):
        add(packs, game(number))
        copy_all(packs)
    return packs


def found(files: Files) -> dict[int, tuple[str, ...]]:
    """The lines of all games in packs."""
    packs, _ = packs_of(files)
    return {one.number: one.lines.texts for one in packs.games()}


def wanted(*numbers: int) -> dict[int, tuple[str, ...]]:
    return {number: tuple(texts_of(game(number))) for number in numbers}


def test_games_are_appended_copied_and_found() -> None:
    files = MemoryFiles()
    packs = filled(files)
    assert found(files) == wanted(1, 2, 3, 4, 5)
    (name,) = packs.names()
    assert files.read(name) == files.read(SECOND + name)
    pack = Pack.read(files, name)
    assert pack.whole
    assert pack.games[2].identity == game(3).identity
    assert pack.games[2].saved == game(3)


def test_a_place_holds_a_game_if_both_places_have_just_its_lines() -> None:
    files = MemoryFiles()
    packs = filled(files)
    assert packs.holds(packed(game(5))) is True
    assert packs.holds(packed(game(9))) is None
    assert packs.holds(packed(replace(game(5), players=("OTTO",)))) is False
    (name,) = packs.names()
    whole = files.read(name)
    files.replace(SECOND + name, (whole[:-5] + b"00000",))
    assert packs.holds(packed(game(5))) is True
    assert files.read(SECOND + name) == whole
    # The first place is mended before anything is appended to it.
    files.replace(name, (whole[:-5] + b"00000",))
    assert packs.holds(packed(game(5))) is True
    assert files.read(name) == whole
    files.remove(SECOND + name)
    assert packs.holds(packed(game(5))) is True
    assert files.read(SECOND + name) == files.read(name)


def test_a_pack_that_is_full_is_left_and_a_new_one_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    files = MemoryFiles()
    (name,) = filled(files, 2).names()
    monkeypatch.setattr(module, "MOST_BYTES", (files.size(name) or 0) - 1)
    files = MemoryFiles()
    packs = filled(files, 5)
    assert len(packs.names()) == 3
    # The last of a full pack is looked for there, not packed again.
    add(packs, game(6))
    copy_all(packs)
    assert packs.holds(packed(game(6))) is True
    assert [name[:11] for name in packs.names()] == [f"packs/000{n}-" for n in (1, 2, 3)]
    assert found(files).keys() == set(range(1, 7))


def test_foreign_files_among_the_packs_are_passed_over() -> None:
    files = MemoryFiles({"packs/notes.txt": b"x", "packs/9999.pack": b"", "second/packs/x": b""})
    assert found(filled(files, 1)._files) == wanted(1)


PLACES = ("", SECOND)


@pytest.mark.parametrize("place", PLACES)
@given(seed=st.randoms(use_true_random=False))
def test_any_damage_of_one_place_costs_nothing_and_is_mended(
    place: str, seed: random.Random
) -> None:
    files = MemoryFiles()
    (name,) = filled(files).names()
    whole = files.read(name)
    files.replace(place + name, (damaged(whole, seed),))
    assert found(files) == wanted(1, 2, 3, 4, 5)
    packs, noted = packs_of(files)
    add(packs, game(6))
    copy_all(packs)
    assert found(files) == wanted(1, 2, 3, 4, 5, 6)
    assert not any(damage.lost for damage in noted)
    for other in PLACES:
        left = {name: files.read(other + name)}
        assert found(MemoryFiles(left)) == wanted(1, 2, 3, 4, 5, 6)


@given(seed=st.randoms(use_true_random=False))
def test_damages_of_both_places_never_make_a_wrong_line_count(seed: random.Random) -> None:
    files = MemoryFiles()
    (name,) = filled(files).names()
    whole = files.read(name)
    for place in PLACES:
        files.replace(place + name, (damaged(whole, seed),))
    for number, texts in found(files).items():
        assert texts == tuple(texts_of(game(number)))[: len(texts)]
    packs, _ = packs_of(files)
    before = found(files)
    add(packs, game(6))
    for number, texts in before.items():
        assert found(files)[number][: len(texts)] == texts


def test_what_a_power_cut_left_behind_the_last_game_is_cut_off_with_the_next() -> None:
    files = MemoryFiles()
    packs = filled(files, 2)
    (name,) = packs.names()
    whole = files.read(name)
    add(packs, game(3))
    longer = files.read(name)
    for cut in range(len(whole) + 1, len(longer), 7):
        for tail in (b"", bytes(len(longer) - cut)):
            own = {Going(3, 3, 3).name: packed(game(3)).first}
            left = MemoryFiles({name: longer[:cut] + tail, SECOND + name: whole, **own})
            again, noted = packs_of(left)
            held = again.holds(packed(game(3)))
            assert not held
            if held is False:
                # Its own file is there until both places hold it.
                again.delete({game(3).identity})
            add(again, game(3))
            copy_all(again)
            assert found(left) == wanted(1, 2, 3)
            assert left.read(name) == left.read(SECOND + name)
            assert noted == []


@pytest.mark.parametrize("count", range(4))
def test_a_second_place_that_is_behind_or_gone_follows_after_a_start(count: int) -> None:
    files = MemoryFiles()
    (name,) = filled(files, 3).names()
    whole = files.read(name)
    behind = MemoryFiles()
    filled(behind, count)
    second = whole[
        : sum(files.size(name) or 0 for files in (behind,) for name in files.names("packs"))
    ]
    left = MemoryFiles({name: whole, **({SECOND + name: second} if second else {})})
    packs, _ = packs_of(left)
    copy_all(packs)
    assert left.read(SECOND + name) == whole
    # And where the first one is gone.
    left = MemoryFiles({SECOND + name: whole})
    packs, _ = packs_of(left)
    copy_all(packs)
    assert left.read(name) == left.read(SECOND + name)
    assert found(left) == wanted(1, 2, 3)


@pytest.mark.parametrize("cut", range(10))
def test_a_deletion_that_was_cut_is_finished_by_another_one(tmp_path: Path, cut: int) -> None:
    files = RecordingFiles(tmp_path)
    packs = filled(files)
    gone = frozenset((game(2).identity, game(4).identity))
    # Each place is made, written, synced, named, and its name is synced.
    files.errors = dict.fromkeys(range(files.steps + 1 + cut, files.steps + 99), errno.EIO)
    with pytest.raises(OSError, match="Input"):
        packs.delete(gone)
    files.errors = {}
    again, _ = packs_of(Files(tmp_path))
    again.delete(gone)
    assert found(Files(tmp_path)) == wanted(1, 3, 5)


def test_a_pack_that_another_program_wrote_anew_is_not_appended_to_where_it_ended() -> None:
    """As when games are deleted while somebody plays."""
    files = MemoryFiles()
    player = filled(files)
    other, _ = packs_of(files)
    other.delete({game(1).identity, game(2).identity})
    add(player, game(6))
    copy_all(player)
    assert found(files) == wanted(3, 4, 5, 6)
    other.delete({game(3).identity})
    assert player.holds(packed(game(6))) is True
    add(player, game(7))
    copy_all(player)
    assert found(files) == wanted(4, 5, 6, 7)
    (name,) = player.names()
    assert files.read(name) == files.read(SECOND + name)


def test_a_pack_that_could_not_be_synced_is_written_anew(tmp_path: Path) -> None:
    files = RecordingFiles(tmp_path)
    packs = filled(files, 2)
    (name,) = packs.names()
    before = (tmp_path / name).stat().st_ino
    files.errors = {files.steps + 2: errno.EIO}
    with pytest.raises(NotSynced):
        add(packs, game(3))
    add(packs, game(3))
    copy_all(packs)
    assert (tmp_path / name).stat().st_ino != before
    assert found(files) == wanted(1, 2, 3)


def test_what_is_read_back_otherwise_than_it_was_written_is_not_copied(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    files = MemoryFiles()
    packs = filled(files)
    (name,) = packs.names()
    second = files.read(SECOND + name)
    real = MemoryFiles.replace

    def lies(self: MemoryFiles, to: str, pieces: Iterable[bytes], **how: bool) -> None:
        real(self, to, [b"".join(pieces)[:-1] + b"?"], **how)

    monkeypatch.setattr(MemoryFiles, "replace", lies)
    with pytest.raises(OSError, match="other bytes are read"):
        packs.delete({game(2).identity})
    assert files.read(SECOND + name) == second


def test_a_game_whose_one_place_cannot_be_read_at_all_is_read_from_the_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    files = MemoryFiles()
    (name,) = filled(files).names()
    real = MemoryFiles.read
    wrong = {name}

    def read(self: MemoryFiles, place: str, start: int = 0, size: int = -1) -> bytes:
        if place in wrong:
            raise OSError(errno.EIO, "Input/output error")
        return real(self, place, start, size)

    monkeypatch.setattr(MemoryFiles, "read", read)
    assert found(files) == wanted(1, 2, 3, 4, 5)
    wrong.add(SECOND + name)
    with pytest.raises(OSError, match="Input/output"):
        found(files)


def test_lines_that_both_places_lost_are_noted_and_kept_when_a_pack_is_written_anew() -> None:
    files = MemoryFiles()
    (name,) = filled(files).names()
    for place in PLACES:
        files.replace(place + name, (files.read(name).replace(b"roll 4 2", b"roll 9 2"),))
    packs, noted = packs_of(files)
    packs.delete({game(1).identity})
    # The tag that ends it is behind the loss, too.
    assert [(damage.number, damage.kept, damage.lost) for damage in noted] == [(4, 2, 5)]
    assert found(files)[4][-5:] == (
        '[Uncounted "roll 9 2"]',
        '[Uncounted "roll 4 3"]',
        '[Uncounted "roll 4 4"]',
        '[Uncounted "roll 4 5"]',
        '[Uncounted "[Ended true]"]',
    )
    assert files.names("damaged")


def test_a_game_whose_first_line_both_places_lost_is_told_and_kept() -> None:
    files = MemoryFiles()
    (name,) = filled(files).names()
    head = packed(game(3)).head.encode()
    for place in PLACES:
        files.replace(place + name, (files.read(name).replace(head, bytes(len(head))),))
    packs, noted = packs_of(files)
    packs.mend(name)
    assert [(damage.number, damage.lost) for damage in noted] == [(0, 1)]
    assert b"roll 3 0" in files.read(noted[0].file)
    assert found(files) == wanted(1, 2, 4, 5)
    packs.mend(name)
    assert len(noted) == 1


def former_pack(*numbers: int, later: int = 0) -> bytes:
    """A pack as it was written in November 2026, each game opened so much later than its number."""
    pieces = [encode((f"dicetray pack 1 {'5f' * 8} tray {TRAY} written 1",))[0]]
    for one in map(game, numbers):
        lines = encode(texts_of(one))[0]
        head = (
            f"== game {one.id} opened {one.id + later} bytes {len(lines)} identity {one.identity}"
        )
        pieces += encode((head,))[0], lines
    return b"".join(pieces)


def former_files(first: bytes, second: bytes) -> MemoryFiles:
    name = f"packs/0001-{'5f' * 8}.pack"
    return MemoryFiles({name: first, SECOND + name: second})


def test_a_former_pack_is_read_and_written_anew_with_the_next_game() -> None:
    files = former_files(former_pack(1, 2, 3), former_pack(1, 2, 3))
    assert found(files) == wanted(1, 2, 3)
    packs, noted = packs_of(files)
    add(packs, game(4))
    copy_all(packs)
    (name,) = packs.names()
    assert Pack.read(files, name).whole
    assert files.read(name) == files.read(SECOND + name)
    assert found(files) == wanted(1, 2, 3, 4)
    assert not noted


def test_of_games_in_a_former_pack_it_is_known_when_they_were_opened() -> None:
    packs, _ = packs_of(former_files(*[former_pack(1, 2, later=40)] * 2))
    assert {one.number: one.opened for one in packs.games()} == {1: 41, 2: 42}


def test_a_game_of_a_former_pack_is_deleted() -> None:
    files = former_files(former_pack(1, 2, 3), former_pack(1, 2))
    packs, noted = packs_of(files)
    packs.delete({game(2).identity})
    assert found(files) == wanted(1, 3)
    assert not noted


@given(second=st.booleans(), seed=st.randoms(use_true_random=False))
def test_what_one_place_of_a_former_pack_has_lost_comes_from_the_other(
    second: bool, seed: random.Random
) -> None:
    whole = former_pack(1, 2, 3)
    rotten = damaged(whole, seed)
    files = former_files(*((whole, rotten) if second else (rotten, whole)))
    assert found(files) == wanted(1, 2, 3)
    packs, _ = packs_of(files)
    packs.mend(packs.names()[0])
    assert found(files) == wanted(1, 2, 3)
    assert Pack.read(files, packs.names()[0]).whole


@pytest.mark.parametrize("head", [True, False])
def test_what_both_places_of_a_former_pack_have_lost_is_told(head: bool) -> None:
    whole = former_pack(1, 2, 3)
    start = whole.index(b"== game 2")
    at = start + 5 if head else whole.index(b"roll 2 1")
    rotten = whole[:at] + b"?" + whole[at + 1 :]
    files = former_files(rotten, rotten)
    packs, noted = packs_of(files)
    packs.mend(packs.names()[0])
    (damage,) = noted
    assert damage.lost > 0
    assert found(files).items() >= wanted(1, 3).items()
