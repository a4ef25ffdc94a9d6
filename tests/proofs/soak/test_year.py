"""A minute of the year: evenings of those faults that belong together; the script lives it whole.

`tests/faults.toml` puts back faults that were mended, which these must notice.
"""

import socket
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.devices.buttons import DEBOUNCE_S
from appliance.service.starts import FAILED_STARTS
from appliance.table.session.session import Seeded
from games.registry import GAMES
from tests.appliance.journal.crash_disk import Disk, RecordingFiles
from tests.appliance.journal.rotting import KINDS
from tests.proofs.soak import soaking
from tests.proofs.soak import year as year_module
from tests.proofs.soak.bounce import bouncing, debounced
from tests.proofs.soak.broker import Broker
from tests.proofs.soak.faults import FAULTS, IN_ONE_ORDER, Fault, World, pairs_of
from tests.proofs.soak.hostile import WAYS, HostileBroker, Way
from tests.proofs.soak.memory import CAN_FAIL, FailingAllocation
from tests.proofs.soak.pieces import AnotherYearError, Life, Pair, Piece, Year, read, write
from tests.proofs.soak.power import PowerCut, SoakedFiles
from tests.proofs.soak.releases import Releases
from tests.proofs.soak.soaking import SAME_MINUTE_S, Soak, Tally
from tests.proofs.soak.test_soak import FLAT
from tests.proofs.soak.year import (
    MONTH,
    Plan,
    added,
    dealt,
    live,
    lived,
    months_of,
    table,
    wrong_in,
)
from tests.rigs.mosquitto import PROGRAM, free_port

pytestmark = pytest.mark.filterwarnings("default::pytest.PytestUnhandledThreadExceptionWarning")
"""Threads fail here on purpose."""


@pytest.fixture
def soak(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Soak]:
    # What is found is found sooner.
    monkeypatch.setattr(soaking, "REPORT_S", 60.0)
    monkeypatch.setattr(soaking, "LINK_S", 20.0)
    with Soak(tmp_path, 3, drawn=0.0) as made:
        yield made


def all_of(*names: str) -> list[Pair]:
    """All pairs of these faults, in both orders."""
    faults = [fault for fault in FAULTS if fault.name in names]
    assert len(faults) == len(names)
    return pairs_of(faults)


def with_each(name: str, *others: str) -> list[Pair]:
    """The pairs of a fault with each of the others, in both orders."""
    return [pair for pair in all_of(name, *others) if name in (pair[0].name, pair[1].name)]


def evening_of(soak: Soak, pairs: list[Pair]) -> Year:
    """An evening or two in which each pair strikes once."""
    left, year = deque(pairs), Year()
    for _ in range(3):
        if left:
            # At the second time what had to wait too long for a game to begin.
            year.add(live(soak, 1, left, games=0, throws=0))
    assert wrong_in(year, soak.tally) == []
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
    assert not soak._lines


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
    evening_of(soak, for_good)
    assert soak.tally.safe.total() == 0
    assert soak.tally.crashed == len(for_good) * FAILED_STARTS
    evening_of(soak, with_each("a start crashes", "Pico rebooted"))


@pytest.mark.skipif(not CAN_FAIL, reason="this Python's allocations cannot be made to fail")
def test_an_evening_without_memory(soak: Soak) -> None:
    others = "pictures of two sizes", "low voltage", "line: delay"
    evening_of(soak, with_each("an allocation fails", *others))
    evening_of(soak, with_each("memory short", *others))
    assert soak.tally.starved["allocations"] >= len(others)
    assert soak.tally.starved["ended it"]


def test_starts_that_fail_one_after_the_other_bring_a_safe_mode_that_is_counted(
    soak: Soak,
) -> None:
    ending = Fault("the program ends", "process", lambda _: soak._crash())
    pair = ending, Fault("other", "other", lambda _: None)
    live(soak, 1, deque([pair] * 3), games=0, throws=0)
    assert soak.tally.safe == {"the program ends + other": 1}
    assert soak.tally.wrong == []
    assert not soak._systemd.starts.safe


@pytest.mark.skipif(PROGRAM is None, reason="mosquitto is not installed")
def test_an_evening_of_a_broker(soak: Soak) -> None:
    evening_of(
        soak, with_each("broker restarts", "service restarted", "low voltage", "line: delay")
    )
    # What was heard, and what the broker has on disk, is not measured as the appliance's.
    assert soak._broker is not None
    assert not soak._broker._kept
    own = soak._broker._said.parent
    assert any(own.iterdir()) and not own.is_relative_to(soak._journal.parent)


@pytest.mark.skipif(PROGRAM is None, reason="mosquitto is not installed")
def test_an_evening_of_a_hostile_broker(soak: Soak) -> None:
    evening_of(soak, with_each("broker hostile", "low voltage", "Pico rebooted"))


def test_a_seed_that_nobody_is_told_is_not_missed_at_a_broker(soak: Soak) -> None:
    class Asked(Broker):
        def __init__(self) -> None:
            self.lines: Sequence[str] = ()

        def lacks(self, game: int, lines: Sequence[str]) -> str:
            self.lines = lines
            return ""

    soak.play_until_begun()
    session = soak.rig.appliance.session
    log = (Seeded("0123456789abcdef"), *session.record.log)
    told = replace(session, record=replace(session.record, log=log))
    soak.rig.appliance.console = replace(soak.rig.appliance.console, session=told)
    broker = Asked()
    assert soak._unknown_to(broker) == ""
    assert broker.lines[0] == "seed"
    assert len(broker.lines) == len(log)


@pytest.mark.parametrize("way", WAYS)
def test_a_hostile_broker_ends_though_somebody_listens(way: Way) -> None:
    port = free_port()
    hostile = HostileBroker(port, Random(1))
    hostile._ways = [way] * len(WAYS)
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(b"hello")
        if way is not WAYS[-1]:
            assert connection.recv(100)
        hostile.close()
    assert hostile.met == 1


def test_an_evening_of_releases(soak: Soak) -> None:
    for name in ("upgrade and back", "release half copied"):
        evening_of(soak, with_each(name, "low voltage", "Pico rebooted"))
    assert soak._releases.version == "1.0"


def test_an_upgrade_goes_through_after_those_that_were_cut_anywhere(tmp_path: Path) -> None:
    releases = Releases(tmp_path)
    for seed in range(6):
        releases.cut_upgrade(Random(seed))
        assert releases.boot() == ""
    releases.upgrade()
    assert releases.version == "2.0"


def test_a_release_in_use_that_is_not_whole_is_found(tmp_path: Path) -> None:
    releases = Releases(tmp_path)
    assert releases.boot() == ""
    (tmp_path / "opt/dicetray/current/bin/dicetray").unlink()
    assert releases.boot() == "release 1.0 is not whole"


def test_an_evening_of_a_phone_that_falls_asleep(soak: Soak) -> None:
    evening_of(soak, with_each("phone as a camera falls asleep", "low voltage", "Pico rebooted"))
    assert "phone as a camera falls asleep + low voltage" in soak.tally.named


def test_an_evening_of_contacts_that_bounce(soak: Soak) -> None:
    evening_of(soak, with_each("contacts bounce as switches do", "low voltage", "Pico rebooted"))


@given(st.randoms(use_true_random=False), st.booleans())
def test_of_a_contact_that_bounces_one_edge_is_told(chance: Random, level: bool) -> None:
    edges = bouncing(chance, level)
    assert edges[-1][1] is level
    assert list(debounced(edges, DEBOUNCE_S, not level)) == [level]
    told = list(debounced(edges, None, not level))
    assert len(told) == len(edges)


def test_a_contact_that_bounces_for_longer_is_told_more_than_once() -> None:
    edges = [(0.0, False), (0.03, True), (0.06, False)]
    assert list(debounced(edges, DEBOUNCE_S, True)) == [False, True, False]


@pytest.mark.skipif(not CAN_FAIL, reason="this Python's allocations cannot be made to fail")
def test_one_allocation_fails_and_it_is_known_whether_it_did() -> None:
    failing = FailingAllocation(Random(2))
    failing.wanted = True
    failed = 0
    for _ in range(100):
        failing.wanted = True
        failing.arm()
        try:
            for _ in range(100):
                object()
        except MemoryError:
            failed += 1
            failing.disarm()
            assert not failing.wanted
        else:
            failing.disarm()
            assert failing.wanted
    assert 0 < failed < 100
    assert [object() for _ in range(10_000)]


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


def test_all_pairs_are_dealt_three_times_and_all_once_before_any_twice() -> None:
    pairs = pairs_of(FAULTS)
    hands = dealt(FAULTS, Random(1), 3)
    assert {len(hand) for hand in hands} == {len(pairs)}
    deck = [pair for turn in zip(*hands, strict=True) for pair in turn]
    assert Counter(deck) == dict.fromkeys(pairs, 3)
    assert set(deck[: len(pairs)]) == set(pairs)
    assert hands == dealt(FAULTS, Random(1), 3)


@pytest.mark.parametrize("names", sorted(IN_ONE_ORDER))
def test_what_is_left_out_of_the_pairs_cannot_begin_once_the_first_has(
    soak: Soak, names: tuple[str, str]
) -> None:
    first, second = (next(fault for fault in FAULTS if fault.name == name) for name in names)
    soak.attempt(first, second)
    assert soak.tally.faults == {first.name: 1, second.name: 1}
    assert not soak.tally.pairs


def test_pairs_left_over_that_cannot_strike_any_more_are_dropped(tmp_path: Path) -> None:
    named = {fault.name: fault for fault in FAULTS}
    ((one, other),) = IN_ONE_ORDER
    fine = (named[other], named[one])
    write(tmp_path, 0, Life([(named[one], named[other]), fine]))
    assert read(tmp_path, 0, []).left == [fine]


def test_what_did_not_strike_in_the_same_minute_strikes_again(soak: Soak) -> None:
    late = list[str]()

    def begin(world: World) -> None:
        if not late:
            world.jump(0.0)
            soak.tally.room_s += SAME_MINUTE_S
        late.append("late")

    one, other = Fault("one", "one", begin), Fault("other", "other", lambda _: None)
    year = live(soak, 2, deque([(other, one), (other, one)]), games=0, throws=0)
    assert year.evenings == 2
    assert soak.tally.pairs == {("other", "one"): 2}
    assert len(late) == 3


def test_what_ends_a_life_is_wrong_and_its_throws_count(soak: Soak) -> None:
    def begin(_: World) -> None:
        raise ZeroDivisionError("nobody expects this")

    soak.play_until_begun()
    thrown = soak.throws
    year = live(soak, 1, deque([(Fault("one", "one", begin), Fault("other", "other", begin))]))
    assert year.evenings == 0
    assert "nobody expects this" in soak.tally.wrong[0]
    assert soak.tally.throws >= thrown > 0


def test_lives_side_by_side_share_a_year_and_one_that_is_cut_off_counts(tmp_path: Path) -> None:
    plan = Plan(tmp_path, 4 * MONTH, jobs=2, seed=3, until_s=time.monotonic() + 60)
    assert [list(plan.evenings_of(n)) for n in range(plan.lives)] == [
        list(range(2 * MONTH)),
        list(range(2 * MONTH, 4 * MONTH)),
    ]
    cut_off = replace(plan, until_s=time.monotonic() + 0.1)
    assert [piece.year.evenings for piece in lived(cut_off)] == [0, 0]
    names = {"year.json", "life-0.log", "life-1.log", "life-0.json", "life-1.json"}
    assert {file.name for file in tmp_path.iterdir()} == names
    _, tally = added(lived(replace(plan, until_s=time.monotonic())))
    assert tally.starts == 2
    assert tally.wrong == []


def test_a_life_goes_on_with_the_evenings_and_pairs_that_were_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = list[tuple[int, list[str]]]()

    def evenings(
        soak: Soak,
        count: int,
        left: deque[Pair],
        *,
        first: int,
        report: Callable[[Year], None],
        **_: object,
    ) -> None:
        begun.append((first, [one.name for one, _ in left]))
        one = left.popleft()
        soak.tally.pairs[one[0].name, one[1].name] += 1
        soak.measure()
        report(Year(min(count, 40), {"memory": 3.0}, longest=min(count, 40)))

    monkeypatch.setattr(year_module, "live", evenings)
    plan = Plan(tmp_path, 2 * MONTH + 1, seed=3)
    hand = dealt(FAULTS, Random(3), 1)[0]
    for number, first in enumerate((0, 40)):
        year_module._live_on(plan, 0)
        assert begun[number] == (first, [one.name for one, _ in hand[number:]])
    found = read(tmp_path, 0, hand)
    assert found.evenings == 61
    assert found.left == hand[2:]
    assert [len(piece.samples) for piece in found.pieces] == [1, 1]
    assert [dict(piece.tally.pairs) for piece in found.pieces] == [
        {(one.name, other.name): 1} for one, other in hand[:2]
    ]
    # Nothing is left to be lived.
    assert lived(plan) == found.pieces


@given(st.data())
def test_what_was_lived_is_read_as_it_was_written(data: st.DataObject) -> None:
    numbers = st.integers(0, 10**6)
    texts = st.text(max_size=5)
    tally = Tally(
        faults=Counter(data.draw(st.dictionaries(texts, numbers))),
        pairs=Counter(data.draw(st.dictionaries(st.tuples(texts, texts), numbers))),
        named=data.draw(st.dictionaries(texts, st.floats(0, 1e6))),
        wrong=data.draw(st.lists(texts)),
        throws=data.draw(numbers),
        room_s=data.draw(st.floats(0, 1e6)),
    )
    pieces = [Piece(Year(data.draw(numbers), {"memory": -1.5}), tally, [FLAT])]
    life = Life(data.draw(st.lists(st.sampled_from(pairs_of(FAULTS)))), pieces)
    with TemporaryDirectory() as name:
        write(Path(name), 3, life)
        assert read(Path(name), 3, []) == life


def test_another_year_is_not_gone_on_with(tmp_path: Path) -> None:
    plan = Plan(tmp_path, 2, seed=3, until_s=time.monotonic())
    assert lived(plan) == []
    assert lived(replace(plan, jobs=2)) == []
    others = [replace(plan, seed=4), replace(plan, evenings=3), replace(plan, drawn=0.5)]
    for other in (*others, replace(plan, share=4)):
        with pytest.raises(AnotherYearError, match="same evenings, seed"):
            lived(other)
    gone = Fault("gone", "gone", lambda _: None)
    write(tmp_path, 0, Life([(gone, gone)]))
    with pytest.raises(AnotherYearError, match="'gone'"):
        read(tmp_path, 0, [])


def test_a_process_that_dies_is_told_and_what_it_had_lived_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand = dealt(FAULTS, Random(3), 1)[0]

    class Dying:
        def __init__(self, _: int, mp_context: object) -> None: ...
        def __enter__(self) -> "Dying":
            return self

        def __exit__(self, *_: object) -> None: ...
        def submit(self, _: object, plan: Plan, number: int) -> "Dying":
            write(plan.folder, number, Life(hand[1:], [Piece(Year(1))]))
            return self

        def result(self) -> None:
            raise BrokenProcessPool("killed")

    monkeypatch.setattr(year_module, "ProcessPoolExecutor", Dying)
    plan = Plan(tmp_path, 2, seed=3)
    first, second = lived(plan)
    assert (first.year.evenings, second.tally.wrong) == (1, ["life 0 died: killed"])
    assert read(tmp_path, 0, []).left == hand[1:]


def test_a_life_of_few_faults_has_the_first_of_its_hand(tmp_path: Path) -> None:
    plan = Plan(tmp_path, 4 * MONTH + 1, seed=3)
    few = replace(plan, share=4)
    for number, evenings in enumerate((60, 61)):
        assert few.hand_of(number) == plan.hand_of(number)[: 4 * evenings]


def test_after_few_faults_an_evening_goes_on_without(soak: Soak) -> None:
    one, other = (Fault(name, name, lambda _: None) for name in ("one", "other"))
    live(soak, 1, deque([(one, other)]), games=0, throws=5, more=False)
    assert soak.tally.pairs.total() == 1
    assert soak.throws >= 5


def test_what_lives_brought_is_added() -> None:
    first = Tally(throws=3, wrong=["a"], named={"dark": 2.0}, pairs=Counter({("a", "b"): 1}))
    other = Tally(throws=4, wrong=["b"], named={"dark": 5.0}, pairs=Counter({("a", "b"): 2}))
    years = Year(2, months={"memory": -5.0}, longest=2), Year(5, months={"memory": -2.0}, longest=5)
    year, tally = added([Piece(years[0], first), Piece(years[1], other)])
    assert (year.evenings, year.longest, year.months) == (7, 5, {"memory": -2.0})
    assert (tally.throws, tally.wrong, tally.named) == (7, ["a", "b"], {"dark": 5.0})
    assert tally.pairs == {("a", "b"): 3}


def test_a_trend_is_that_of_a_month(soak: Soak) -> None:
    samples = [replace(FLAT, time_s=60.0 * n, memory=10_000 * n) for n in range(80)]
    months = months_of(samples)
    assert months["memory"] == pytest.approx(MONTH * 10_000)
    assert months["handles"] == 0
    assert months_of(samples[: 2 * MONTH - 1]) == {}
    year = Year(2 * MONTH, {"memory": 2e6, "handles": 0.0, "threads": 0.0}, 2 * MONTH)
    assert wrong_in(year, soak.tally) == ["memory grows by 2e+06 a month"]
    assert any("memory +2e+06" in row for row in table(year, soak.tally))


def test_what_was_lost_or_untrue_is_wrong(soak: Soak) -> None:
    soak.tally.lost.append("game 1: 3 of 4 lines that were shown")
    soak.tally.untrue["clock: games gone"] += 1
    year = Year(10)
    soak.tally.safe["low voltage + Pico hangs"] += 1
    assert wrong_in(year, soak.tally) == [
        "game 1: 3 of 4 lines that were shown",
        "clock: games gone: 1 times",
        "1 safe modes that nothing lasting brought",
    ]
