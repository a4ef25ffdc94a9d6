"""A minute of the year: evenings of those faults that belong together; the script lives it whole.

`tests/faults.toml` puts back faults that were mended, which these must notice.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from appliance.service.starts import FAILED_STARTS
from games.registry import GAMES
from tests.appliance.journal.crash_disk import Disk, RecordingFiles
from tests.appliance.journal.rotting import KINDS
from tests.proofs.soak import soaking
from tests.proofs.soak.faults import FAULTS, Fault, pairs_of
from tests.proofs.soak.power import PowerCut, SoakedFiles
from tests.proofs.soak.soaking import Soak
from tests.proofs.soak.test_soak import FLAT
from tests.proofs.soak.year import MONTH, Year, live, months_of, table, wrong_in


@pytest.fixture
def soak(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Soak]:
    # What is found is found sooner.
    monkeypatch.setattr(soaking, "REPORT_S", 60.0)
    monkeypatch.setattr(soaking, "LINK_S", 20.0)
    with Soak(tmp_path, 3, drawn=0.0) as made:
        yield made


Pair = tuple[Fault, Fault]


def all_of(*names: str) -> list[Pair]:
    """All pairs of these faults, in both orders."""
    faults = [fault for fault in FAULTS if fault.name in names]
    assert len(faults) == len(names)
    return pairs_of(faults)


def with_each(name: str, *others: str) -> list[Pair]:
    """The pairs of a fault with each of the others, in both orders."""
    return [pair for pair in all_of(name, *others) if name in (pair[0].name, pair[1].name)]


def evening_of(soak: Soak, pairs: list[Pair]) -> Year:
    """An evening in which each pair strikes once."""
    year = live(soak, 1, pairs=pairs, games=0, throws=0)
    assert wrong_in(year, soak) == []
    assert soak.tally.pairs.keys() >= {(one.name, other.name) for one, other in pairs}
    return year


def test_an_evening_of_power_cuts(soak: Soak) -> None:
    others = (
        *("clock at 1970 until NTP sets it", "Pico rebooted", "low voltage", "line: delay"),
        *("pictures of two sizes", "page falls asleep", "stick of another tray"),
    )
    evening_of(soak, with_each("power cut at a write", *others))
    assert soak.tally.cuts == 2 * len(others)


def test_an_evening_of_damaged_files(soak: Soak) -> None:
    others = "picture black", "Pico hangs", "low voltage", "clock at 1970 until NTP sets it"
    evening_of(soak, with_each("games rot", *others))
    evening_of(soak, with_each("games rot while it is off", *others))
    assert sum(soak.tally.rots[kind] for kind in KINDS) == 4 * len(others)


def test_an_evening_of_games_that_are_gone(soak: Soak) -> None:
    for gone in ("game deleted", "all games deleted"):
        evening_of(soak, with_each(gone, "picture black"))


def test_an_evening_of_alerts(soak: Soak) -> None:
    evening_of(
        soak, all_of("low voltage", "camera pulled out", "contact bounces without end", "disk full")
    )


def test_an_evening_of_a_scoreboard(soak: Soak) -> None:
    clocks = "clock back 20 years", "clock at 1970 until NTP sets it"
    evening_of(soak, with_each("Pico rebooted", *clocks, "pictures a second old"))
    evening_of(soak, with_each("scoreboard's thread ends", "Pico rebooted", *clocks))


def test_an_evening_of_starts(soak: Soak) -> None:
    for_good = with_each("starts crash until one leaves it out", "summer time ends", "line: delay")
    year = evening_of(soak, for_good)
    assert year.safe.total() == len(for_good)
    assert soak.tally.crashed == len(for_good) * FAILED_STARTS
    evening_of(soak, with_each("a start crashes", "Pico rebooted"))
    evening_of(soak, with_each("an allocation fails", "pictures of two sizes", "low voltage"))
    assert soak.tally.failed_calls["tried"]


def test_all_games_are_played_by_two_to_six(soak: Soak) -> None:
    seats = {(user.game, len(user.names)) for user in (soak._new_user()._wishes for _ in range(40))}
    assert len(seats) >= sum(rules.max_players - 1 for rules in GAMES.values()) - 1


def test_a_power_cut_leaves_what_was_synced(tmp_path: Path) -> None:
    files = SoakedFiles(tmp_path / "games", lambda _: None)
    files.replace("one", [b"synced"])
    files.cut_after(10)
    files.append("one", b", too", at=6)
    files.append("one", b", not this", at=11, sync=False)
    with pytest.raises(PowerCut):
        for _ in range(10):
            files.append("two", b"", at=0) if (tmp_path / "games/two").exists() else files.replace(
                "two", [b"second"]
            )
    files.leave_state(Random(1))
    assert (tmp_path / "games/one").read_bytes().startswith(b"synced, too")


def test_a_tape_begins_with_what_is_there(tmp_path: Path) -> None:
    files = RecordingFiles(tmp_path)
    files.replace("going/one", [b"1"])
    disk = files.begin_tape()
    assert isinstance(disk, Disk)
    files.append("going/one", b"2", at=1)
    for operation in files.tape:
        disk.do(operation)
    assert [state["going/one"] for state in disk.states(4, Random(1))] == [b"12"]


def test_a_slow_sync_takes_the_rooms_time(tmp_path: Path) -> None:
    passed = list[float]()
    files = SoakedFiles(tmp_path / "games", passed.append)
    files.replace("one", [b"1"])
    files.slow = True
    files.append("one", b"2", at=1)
    assert passed == [2.0]


def test_a_trend_is_that_of_a_month(soak: Soak) -> None:
    samples = [replace(FLAT, time_s=60.0 * n, memory=10_000 * n) for n in range(80)]
    months = months_of(samples)
    assert months["memory"] == pytest.approx(MONTH * 10_000)
    assert months["handles"] == 0
    assert months_of(samples[:4]) == {}
    year = Year(2 * MONTH, months={"memory": 2e6, "handles": 0.0, "threads": 0.0})
    assert wrong_in(year, soak) == ["memory grows by 2e+06 a month"]
    assert any("memory +2e+06" in row for row in table(year, soak))


def test_what_was_lost_or_untrue_is_wrong(soak: Soak) -> None:
    soak.tally.lost.append("game 1: 3 of 4 lines that were shown")
    soak.tally.untrue["clock: games gone"] += 1
    year = Year(10)
    year.safe["low voltage + Pico hangs"] += 1
    assert wrong_in(year, soak) == [
        "game 1: 3 of 4 lines that were shown",
        "clock: games gone: 1 times",
        "1 evenings in safe mode",
    ]
