"""All that is kept is read and compared within a month, in slices; damage is mended and told."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from appliance.journal.files import folder_of
from appliance.journal.journal import Journal
from appliance.journal.scrub import DAYS, SCRUBBED, State
from appliance.journal.untold import Damage
from tests.rigs.stored_games import games_of

pytestmark = pytest.mark.slow

DAY_S = 86_400.0
LINES = tuple(f"undo {n}" for n in range(1, 9))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Three games in a pack, one put aside, and the present one."""
    path = tmp_path / "games.sqlite3"
    with Journal(path) as journal:
        for ended in (True, True, True, False, False):
            number = journal.begin("my-game", "1", ["ANNA"], (), "1.0.0")
            journal.append(number, 0, LINES, ended=ended)
        journal.remember("desk", "{}")
        while journal.tidy():
            pass
    return path


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    with Journal(path) as opened:
        yield opened


def scrub(journal: Journal, time_s: float = 0.0) -> int:
    """Works until there is nothing to do; how many slices that took."""
    slices = 1
    while journal.scrub(time_s):
        slices += 1
    return slices


def spoil(file: Path, *what: bytes) -> bytes:
    """Damages lines of a file; what it had before."""
    before = file.read_bytes()
    data = before
    for text in what:
        data = data.replace(text, b"\xa5" * len(text), 1)
    assert data != before
    file.write_bytes(data)
    return before


def pack_of(path: Path, place: str = "") -> Path:
    (file,) = (folder_of(path) / place / "packs").iterdir()
    return file


@pytest.mark.parametrize("place", ["", "second"])
def test_a_pack_is_mended_from_its_other_place_and_told(
    path: Path, journal: Journal, place: str
) -> None:
    file = pack_of(path, place)
    spoil(file, b"undo 5")
    scrub(journal)
    assert pack_of(path).read_bytes() == pack_of(path, "second").read_bytes()
    assert [game.lines for game in games_of(journal)] == [LINES] * 5
    # Its first game is damaged.
    told = Damage(1) if place == "" else Damage(0, games=0)
    assert journal.untold() == (told,)
    journal.forget_untold(journal.untold())
    scrub(journal, DAYS * DAY_S)
    assert journal.untold() == ()


def test_what_both_places_have_lost_is_told_and_kept(path: Path, journal: Journal) -> None:
    for place in ("", "second"):
        before = spoil(pack_of(path, place), b"undo 5")
    scrub(journal)
    (damage,) = journal.untold()
    assert (damage.number, damage.kept, damage.lost) == (1, 4, 4)
    assert (
        b"undo 6"
        in (folder_of(path) / damage.file).read_bytes()
        in before.replace(b"undo 5", b"\xa5" * 6, 1)
    )
    assert [len(game.lines) for game in games_of(journal)] == [4, 8, 8, 8, 8]


@pytest.mark.parametrize("place", ["going", "second/going"])
def test_a_game_put_aside_is_mended(path: Path, journal: Journal, place: str) -> None:
    (file,) = (folder_of(path) / place).glob("*-000004-*.game")
    before = spoil(file, b"undo 5")
    scrub(journal)
    assert file.read_bytes() == before
    assert journal.untold() == ((Damage(4, 8),) if place == "going" else ())


def test_a_game_put_aside_whose_file_is_empty_is_mended_before_all_is_read(path: Path) -> None:
    (file,) = (folder_of(path) / "going").glob("*-000004-*.game")
    before = file.read_bytes()
    file.write_bytes(b"")
    with Journal(path) as journal:
        while journal.tidy():
            pass
        assert file.read_bytes() == before
        assert journal.untold() == (Damage(4, 8),)


@pytest.mark.parametrize("place", ["settings", "second/settings"])
def test_a_small_file_is_mended_and_told(path: Path, journal: Journal, place: str) -> None:
    before = spoil(folder_of(path) / place, b"{}")
    scrub(journal)
    assert (folder_of(path) / place).read_bytes() == before
    assert journal.untold() == (Damage(0, games=0),)


def test_it_is_begun_anew_after_days_of_use_wherever_the_clock_stands(path: Path) -> None:
    """A Pi without a network may show the same date at every start."""
    first = [scrub_at_start(path) for _ in range(DAYS + 1)]
    assert first[0] > 5
    assert first[1:DAYS] == [1] * (DAYS - 1)
    assert first[DAYS] > 5


def scrub_at_start(path: Path) -> int:
    with Journal(path) as journal:
        return scrub(journal)


def test_it_is_begun_anew_after_days_of_running_on(journal: Journal) -> None:
    found = [scrub(journal, day * DAY_S) for day in range(DAYS + 1)]
    assert [slices > 1 for slices in found] == [True, *[False] * (DAYS - 1), True]


@pytest.mark.parametrize("days", [DAYS, -DAYS, -9999])
def test_a_clock_that_leaps_makes_it_sooner_not_later(days: int) -> None:
    today = date(2026, 11, 28)
    assert State((today - timedelta(days)).isoformat()).is_due(today)
    assert not State((today - timedelta(1)).isoformat()).is_due(today)
    assert State("nonsense").is_due(today)


def test_a_start_goes_on_where_the_last_one_stopped(path: Path, tmp_path: Path) -> None:
    with Journal(path) as journal:
        for n in range(3):
            others = [replace(g, identity=f"{g.id}{n}") for g in games_of(journal) if g.ended][:3]
            journal.bring_in([(game.id, game) for game in others])
    reads: list[str] = []
    for _ in range(9):
        with Journal(path) as journal:
            real = journal.files.forget_cached

            def note(name: str, real=real) -> None:  # type: ignore[no-untyped-def]
                reads.append(name)
                real(name)

            journal.files.forget_cached = note  # type: ignore[method-assign]
            done = State.read(journal.files).done
            while State.read(journal.files).done in ("", "begun", done):
                if not journal.scrub(0.0):
                    break
    packs = [name for name in reads if name.startswith("packs/")]
    assert packs == sorted(set(packs))
    assert len(packs) == 4


def test_a_pack_is_read_in_slices(path: Path, journal: Journal) -> None:
    long = [f"undo {n}" for n in range(1, 9)] * 9000
    number = journal.begin("my-game", "1", ["ANNA"], (), "1.0.0")
    journal.append(number, 0, long, ended=True)
    journal.begin("my-game", "1", ["ANNA"], (), "1.0.0")
    while journal.tidy():
        pass
    assert pack_of(path).stat().st_size > 1_000_000
    assert scrub(journal) > 1_000_000 // (1 << 16)


def test_it_reads_nothing_again_that_it_could_not_note(path: Path) -> None:
    with Journal(path) as journal:
        scrub(journal)
        assert State.read(journal.files).done == ""
    for place in ("", "second"):
        (folder_of(path) / place / SCRUBBED).write_bytes(b"nonsense")
    assert scrub_at_start(path) > 5
