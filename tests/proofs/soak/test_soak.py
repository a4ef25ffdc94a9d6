"""The soak's own arithmetic, and a few of its faults; `scripts/soak.py` runs it for hours."""

import gc
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.alerts import Alert
from appliance.devices import buttons
from games.registry import GAMES
from tests.proofs.soak import soaking
from tests.proofs.soak.camera import CameraFault, spoilt
from tests.proofs.soak.faults import FAULTS, IN_ONE_ORDER, STAND_INS, Fault, pairs_of
from tests.proofs.soak.flatness import BOUNDS, LEAST_SAMPLES, Sample, after_warm_up, assess, slope
from tests.proofs.soak.report import growth_table, svg
from tests.proofs.soak.rooms import UnpicturedRoom
from tests.proofs.soak.soaking import CALM_S, LINK_S, Soak
from vision.events import Found, PickedUp, Roll, TrayChanged
from vision.frame import Frame

FLAT = Sample(0.0, 150_000_000, 22, 17, 60_000, 40_000, 4_000_000, 2_000)


def run(count: int = 61) -> list[Sample]:
    """Samples of an hour, a minute apart."""
    return [replace(FLAT, time_s=60.0 * n) for n in range(count)]


def grown(**by: float) -> list[Sample]:
    """A run with some quantities growing steadily, by this much in all."""
    samples = run()
    share = 1 / (len(samples) - 1)
    for n, sample in enumerate(samples):
        more = {
            name: getattr(sample, name) + round(whole * n * share) for name, whole in by.items()
        }
        samples[n] = replace(sample, **more)
    return samples


def growing(samples: list[Sample]) -> set[str]:
    return {v.bound.name for v in assess(samples) if not v.flat}


def test_what_stays_as_it_is_is_flat() -> None:
    assert growing(run()) == set()


@pytest.mark.parametrize(
    ("thing", "by", "name"),
    [
        ("memory", 20_000_000, "memory"),
        ("handles", 4, "file handles"),
        ("threads", 4, "threads"),
        ("objects", 100_000, "Python objects"),
        ("games_bytes", 100_000, "games on disk, for each line"),
        ("other_bytes", 6_000_000, "other files on disk"),
    ],
)
def test_what_grows_is_found(thing: str, by: float, name: str) -> None:
    assert growing(grown(**{thing: by})) == {name}
    assert growing(grown(**{thing: by / 50})) == set()


def test_games_that_were_played_may_take_their_room() -> None:
    assert growing(grown(games_bytes=400_000, lines=20_000)) == set()


def test_the_warm_up_does_not_count() -> None:
    samples = run()
    early = [replace(s, memory=s.memory - 90_000_000) for s in samples[:15]]
    assert growing(early + samples[15:]) == set()


def test_a_late_step_is_found() -> None:
    samples = run()
    late = [replace(s, handles=s.handles + 3) for s in samples[48:]]
    assert growing(samples[:48] + late) == {"file handles"}


def test_a_few_bad_moments_do_not_count() -> None:
    samples = run()
    for n in (20, 33, 34, 58):
        samples[n] = replace(samples[n], memory=900_000_000, threads=60)
    assert growing(samples) == set()


def test_games_with_pictures_take_more_and_are_compared_with_one_another() -> None:
    samples = run()
    for n in range(40, 61):
        samples[n] = replace(samples[n], memory=FLAT.memory + 20_000_000, pictured=True)
    assert growing(samples) == set()
    # What a spell of them leaves behind is growth, and so is what grows while they last.
    left = [replace(s, memory=s.memory + 20_000_000) for s in run()[55:]]
    assert growing(samples[:55] + left) == {"memory"}
    more = [replace(s, memory=s.memory + 500_000 * n) for n, s in enumerate(samples[40:])]
    assert growing(samples[:40] + more) == {"memory"}


def test_too_few_samples_are_refused() -> None:
    with pytest.raises(ValueError, match="run for longer"):
        assess(run(LEAST_SAMPLES))
    with pytest.raises(ValueError, match="run for longer"):
        after_warm_up([])


@given(
    st.floats(-1e3, 1e3),
    st.floats(-1e6, 1e6),
    st.lists(st.integers(0, 10_000), min_size=3, max_size=80, unique=True),
)
def test_a_straight_line_has_its_own_slope(rise: float, start: float, xs: list[int]) -> None:
    points = [(float(x), start + rise * x) for x in sorted(xs)]
    assert slope(points) == pytest.approx(rise, rel=1e-3, abs=1e-3)


def test_points_above_one_another_have_no_slope() -> None:
    assert slope([(1.0, 2.0), (1.0, 5.0)]) == 0.0
    assert slope([]) == 0.0


def test_the_report_has_a_row_a_thing_and_a_picture() -> None:
    samples = grown(memory=20_000_000)
    table = list(growth_table(assess(samples)))
    assert len(table) == 2 + len(BOUNDS)
    assert [row.split("|")[-2].strip() for row in table[2:]].count("GROWS") == 1
    root = ElementTree.fromstring(svg(samples))
    lines = [e for e in root.iter() if e.tag.endswith("polyline")]
    assert len(lines) == 6
    assert ElementTree.fromstring(svg([])) is not None


def test_every_kind_of_fault_is_in_the_list_once() -> None:
    names = [fault.name for fault in FAULTS]
    assert len(set(names)) == len(names)
    assert STAND_INS.keys() <= {*names, *(fault.part for fault in FAULTS)}
    assert {camera_fault.value for camera_fault in CameraFault} <= set(names)
    parts = (
        "Pico pulled",
        "rebooted",
        "line:",
        "disk full",
        "read-only",
        "clock",
        "restart",
        "kill",
        "rot",
        "deleted",
        "read meanwhile",
        "closed from the start",
    )
    assert all(any(part in name for name in names) for part in parts)


@pytest.mark.parametrize("camera_fault", [CameraFault.BLACK, CameraFault.DARK, CameraFault.WHITE])
def test_a_spoilt_picture_is_noisy_as_from_any_sensor(camera_fault: CameraFault) -> None:
    picture = np.full((90, 160, 3), 120, np.uint8)
    noise = np.random.default_rng(1)
    assert (spoilt(picture, camera_fault, noise) != spoilt(picture, camera_fault, noise)).any()


@pytest.fixture
def soak(tmp_path: Path) -> Iterator[Soak]:
    with Soak(tmp_path, 7, drawn=0.0) as made:
        yield made


def named(*names: str) -> list[Fault]:
    return [fault for fault in FAULTS if fault.name in names]


def open_descriptors() -> Counter[str]:
    """How many descriptors this process has open on each file, pipes and sockets by kind.

    Those that the journal keeps open, to append to a game, have another name for each game.
    """
    targets = Counter[str]()
    for descriptor in Path("/proc/self/fd").iterdir():
        # The one that lists them is closed by now.
        with suppress(FileNotFoundError):
            target = str(descriptor.readlink()).partition(":[")[0]
            targets["a game" if target.endswith(".game") else target] += 1
    return targets


def test_faults_are_named_and_healed_and_leave_nothing_behind(soak: Soak) -> None:
    faults = named(
        "camera pulled out",
        "camera frozen",
        "picture black",
        "picture over-exposed",
        "picture out of focus",
        "frames' clock an hour ahead",
        "clock back 20 years",
        "service restarted",
        "games rot",
        "games read meanwhile",
        "another process killed as it writes",
    )
    assert len(faults) == 11
    soak.attempt(faults[0])
    gc.collect()
    # A busy machine closes the scoreboard's port at times, as the board seems to be silent.
    soak.rig.board.wait(lambda status: status.connected, LINK_S)
    # A game going on has two places.
    at_most = open_descriptors() | Counter({"a game": 2})
    for fault in faults:
        soak.attempt(fault)
    # What a thread has open for a moment, as while it copies games, is closed soon.
    for _ in range(100):
        soak.round()
        gc.collect()
        if not open_descriptors() - at_most:
            break
    assert not open_descriptors() - at_most
    assert soak.tally.wrong == []
    assert soak.tally.starts == 4
    assert set(soak.tally.named) == {f.name for f in faults if f.names is not None}


def test_two_faults_at_once_are_named_and_healed(soak: Soak) -> None:
    begun = list[str]()
    black, full = sorted(named("picture black", "disk full"), key=lambda fault: fault.part)
    soak.attempt(black, full)
    soak.attempt(full, black)
    assert soak.tally.wrong == []
    assert soak.tally.pairs == {(black.name, full.name): 1, (full.name, black.name): 1}
    nobody = Fault("one", "one", lambda _: begun.append("one"), names=Alert.TRAY_MOVED)
    other = Fault("other", "other", lambda _: begun.append("other"))
    soak.attempt(nobody, other)
    assert begun == ["one", "other"]
    assert [wrong.partition(":")[0] for wrong in soak.tally.wrong] == ["one + other"]


def test_all_pairs_are_tried_in_both_orders_but_those_of_one_part() -> None:
    pairs = pairs_of(FAULTS)
    assert len(pairs) > 600
    in_one = {(second, first) for first, second in pairs} - set(pairs)
    assert {(first.name, second.name) for first, second in in_one} == IN_ONE_ORDER
    assert all(first.part != second.part for first, second in pairs)


def test_lines_that_rot_takes_are_wrong(soak: Soak, monkeypatch: pytest.MonkeyPatch) -> None:
    soak.rot()
    present = soak.rig.appliance.session.record.serial
    real = soak._lines_of
    monkeypatch.setattr(soak, "_lines_of", lambda number: real(number)[:-1])
    soak._words.said = Deaf()
    soak.look_for_lines()
    (wrong,) = soak.tally.wrong
    assert f"lost without a word: {{{present}: 1}}" in wrong


class Deaf(list[str]):
    """Forgets what it is told."""

    def append(self, _: str) -> None:
        """Forgets it."""


def test_a_button_that_something_stands_on_from_the_start_is_named(
    soak: Soak, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(buttons, "STUCK_S", 0.5)
    soak.attempt(replace(named("button closed from the start")[0], real_s=1.0))
    assert soak.tally.wrong == []
    assert "button closed from the start" in soak.tally.named


def test_a_camera_that_hangs_long_is_opened_anew_and_the_appliance_lives(
    soak: Soak, monkeypatch: pytest.MonkeyPatch
) -> None:
    restarts: list[float] = []
    feed = soak.rig._asked._feed
    restart = feed.restart

    def counted() -> None:
        restarts.append(soak._now_s)
        restart()

    monkeypatch.setattr(feed, "restart", counted)
    before, beats = threading.active_count(), soak.rig.notifier.beats
    soak.attempt(named("camera hangs until another thread opens it")[0])
    assert len(restarts) == 1
    assert soak.tally.wrong == []
    assert soak.rig.notifier.beats - beats > 300
    for _ in range(100):
        soak.round()
    assert threading.active_count() <= before


def test_after_trouble_the_players_let_the_board_look_first(
    soak: Soak, monkeypatch: pytest.MonkeyPatch
) -> None:
    now_s: list[float] = []
    monkeypatch.setattr(soak, "_act", lambda: now_s.append(soak._now_s))
    soak.round()
    assert len(now_s) == 1
    soak.attempt(named("camera frozen")[0])
    over_s = soak._now_s
    while soak._now_s < over_s + 2 * CALM_S:
        soak.round()
    assert not [at_s for at_s in now_s if over_s - 1.0 < at_s < over_s + CALM_S - 0.5]
    assert [at_s for at_s in now_s if at_s > over_s + CALM_S]


def test_a_fault_that_the_board_does_not_name_is_wrong(
    soak: Soak, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(soaking, "REPORT_S", 3.0)
    soak.attempt(Fault("nothing at all", "nothing", lambda _: None, names=Alert.BLACK))
    assert len(soak.tally.wrong) == 1
    assert "did not say" in soak.tally.wrong[0]


def test_every_game_comes_before_one_comes_again(soak: Soak) -> None:
    # One has been dealt already, to the first user.
    count = len(GAMES)
    titles = [soak._new_user()._wishes.game for _ in range(2 * count - 1)]
    assert len(set(titles[: count - 1])) == count - 1
    assert len(set(titles[count - 1 :])) == count


def test_a_sample_is_taken(soak: Soak) -> None:
    soak.play_until_begun()
    soak.measure()
    (sample,) = soak.samples
    assert sample.memory > 10_000_000
    assert sample.handles > 3
    assert sample.threads >= 3
    assert sample.games_bytes > 0


@pytest.mark.parametrize("silent", [False, True])
def test_of_two_throws_between_two_frames_only_the_last_is_reported(silent: bool) -> None:
    room = UnpicturedRoom(3)
    room.play_with("classic")
    watcher = room.watcher()
    frame = Frame(np.zeros((9, 16, 3), np.uint8), 0.0, 0)
    watcher.feed(frame)
    for faces in ((1, 1, 2, 2, 3), (6, 5, 6, 5, 4)):
        room.tray.throw(dict(enumerate(faces)), {})
        if silent:
            room.go_on_unseen()
        else:
            room.advance()
    events = watcher.feed(frame)
    assert [type(event) for event in events if not isinstance(event, TrayChanged)] == [Roll]
    rolls = [event for event in events if isinstance(event, Roll)]
    assert not any(die.rolled for die in rolls[0].dice)
    shown = [die.reading.value for die in rolls[0].dice if die.reading.sure]
    assert shown
    assert set(shown) <= {4, 5, 6}


@pytest.mark.parametrize("seen", [False, True])
def test_a_watcher_that_begins_finds_what_lies_there_and_knows_no_throw(seen: bool) -> None:
    room = UnpicturedRoom(3)
    room.play_with("classic")
    before = room.watcher()
    frame = Frame(np.zeros((9, 16, 3), np.uint8), 0.0, 0)
    room.tray.throw(dict(enumerate((1, 1, 2, 2, 3))), {})
    if seen:
        before.feed(frame)
        room.advance()
    room.tray.knock(0)
    after = room.watcher()
    found = [event for event in after.feed(frame) if isinstance(event, Found | Roll | PickedUp)]
    assert [type(event) for event in found] == [Found]
    room.advance()
    room.tray.knock(0)
    assert not any(isinstance(event, Found) for event in after.feed(frame))
