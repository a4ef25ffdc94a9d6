"""The main loop: frames, failures, buttons, health, watchdog; and the thread that takes frames."""

import math
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import cast

import numpy as np
import pytest

from appliance.alerts import CAMERA_ALERTS, Alert
from appliance.devices.camera import Camera
from appliance.devices.camera.feed import Failure, Feed
from appliance.errors import CameraError, CameraStalled
from appliance.service.appliance import Appliance
from appliance.service.devices import Devices
from appliance.service.loop import (
    RELEASE_MEMORY_INTERVAL_S,
    RESTART_FEED_AFTER_S,
    RESTART_PROGRAM_AFTER_S,
    VOLTAGE_INTERVAL_S,
    Loop,
)
from appliance.service.stuck import StuckCamera
from appliance.service.systemd import Notifier
from tests.rigs.memory_scoreboard import MemoryScoreboard
from vision.frame import Frame

GONE = Failure(CameraError("no camera; plug it in"))
HANGS = Failure(CameraStalled("no picture for 2 s"))


def frame(index: int) -> Frame:
    noise = np.random.default_rng(index).integers(60, 200, (9, 16, 3)).astype(np.uint8)
    return Frame(noise, index / 10, index)


@dataclass
class Script:
    """Plays a list of news, then nothing; each step takes a tenth of a second."""

    news: list[Frame | Failure | None]
    now_s: float = 0.0
    restarts_s: list[float] = field(default_factory=list)

    def next(self, patience_s: float) -> Frame | Failure | None:
        self.now_s += 0.1
        return self.news.pop(0) if self.news else None

    def restart(self) -> None:
        self.restarts_s.append(self.now_s)


@dataclass
class FakeAppliance:
    fed: list[int] = field(default_factory=list)
    ticks: int = 0
    warned: list[tuple[Alert, ...]] = field(default_factory=list)
    disk: Alert | None = None
    stuck: frozenset[Alert] = frozenset()
    misses_voice: bool = False
    ended: bool = False
    idle_s: float = math.inf
    blind: bool = False
    activity: object | None = None

    def feed(self, frame: Frame) -> None:
        self.fed.append(frame.index)

    def tick(self, time_s: float) -> None:
        self.ticks += 1

    def warn(self, *alerts: Alert, blind: bool = False) -> None:
        self.blind = blind
        if not self.warned or self.warned[-1] != alerts:
            self.warned.append(alerts)


class FakeNotifier(Notifier):
    def __init__(self) -> None:
        super().__init__()
        self.beats = 0
        self.said: list[str] = []

    def alive(self) -> None:
        self.beats += 1

    def status(self, text: str) -> None:
        self.said.append(text)


@dataclass
class Bench:
    script: Script
    appliance: FakeAppliance = field(default_factory=FakeAppliance)
    notifier: FakeNotifier = field(default_factory=FakeNotifier)
    other: frozenset[Alert] = frozenset()
    tidied_s: list[float] = field(default_factory=list)
    missing: str = ""
    low: bool = False
    stuck: StuckCamera | None = None
    looked: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.loop = Loop(
            Devices(
                MemoryScoreboard(),
                camera=self.script,
                missing_board=lambda: self.missing,
                clock=lambda: self.script.now_s,
            ),
            cast(Appliance, self.appliance),
            self.notifier,
            look=lambda frame: self.looked.append(frame.index),
            watch_over=lambda _: self.other,
            tidy=lambda: self.tidied_s.append(self.script.now_s),
            voltage_is_low=lambda: self.low,
            stuck=self.stuck,
        )

    def turns(self, count: int) -> None:
        for _ in range(count):
            self.loop.once()


def test_frames_are_fed_and_without_them_the_buttons_are_looked_at() -> None:
    bench = Bench(Script([frame(0), None, frame(1), frame(2)]))
    bench.turns(5)
    assert bench.appliance.fed == [0, 1, 2]
    assert bench.appliance.ticks == 2
    assert bench.notifier.beats == 5
    assert bench.appliance.warned == [()]


@dataclass
class FakeActivity:
    private: bool


def test_frames_of_an_activity_that_keeps_them_private_go_to_nobody_else() -> None:
    """What records, and keeps pictures for data sets and bundles, gets frames from `look` alone."""
    bench = Bench(Script([frame(0), frame(1), frame(2)]))
    for activity in (FakeActivity(False), FakeActivity(True), FakeActivity(False)):
        bench.appliance.activity = activity
        bench.turns(1)
    assert bench.appliance.fed == [0, 1, 2]
    assert bench.looked == [0, 2]


def test_a_camera_that_goes_is_named_and_is_over_when_it_comes_back(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("INFO")
    bench = Bench(Script([frame(0), *[GONE] * 30, frame(1), frame(2)]))
    bench.turns(33)
    assert bench.appliance.warned == [(), (Alert.CAMERA_GONE,), ()]
    assert bench.appliance.fed == [0, 1, 2]
    # Reported once, however often it is retried.
    assert caplog.text.count("plug it in;") + caplog.text.count("no camera; plug it in") == 1
    assert "resolved: no camera" in caplog.text
    assert bench.notifier.said == ["all is well", "no camera - plug it in", "all is well"]


def test_a_scoreboard_that_is_not_there_is_named_where_it_can_be_read() -> None:
    bench = Bench(Script([*[frame(index) for index in range(40)]]), missing="put its cable in")
    bench.turns(3)
    bench.missing = ""
    bench.turns(3)
    bench.other = frozenset({Alert.TOO_MANY_SPOTS})
    bench.missing = "put its cable in"
    bench.turns(3)
    # What keeps people from playing comes first.
    missing = "no scoreboard: put its cable in"
    both = f"{Alert.TOO_MANY_SPOTS.sentence}; {missing}"
    assert bench.notifier.said == [missing, "all is well", both]
    assert bench.appliance.warned[0] == ()


def test_a_low_voltage_is_told_in_play_until_it_is_over() -> None:
    turns = int(VOLTAGE_INTERVAL_S * 10)
    bench = Bench(Script([frame(index) for index in range(3 * turns + 9)]))
    bench.turns(5)
    bench.low = True
    bench.turns(turns)
    assert bench.appliance.warned == [(), (Alert.LOW_VOLTAGE,)]
    assert not bench.appliance.blind
    assert bench.notifier.said[-1] == Alert.LOW_VOLTAGE.sentence
    bench.low = False
    bench.turns(turns)
    assert bench.appliance.warned == [(), (Alert.LOW_VOLTAGE,), ()]


def test_a_voice_that_cannot_be_heard_is_told_with_and_without_a_camera() -> None:
    bench = Bench(Script([frame(0), frame(1), *[GONE] * 400]))
    bench.turns(1)
    bench.appliance.misses_voice = True
    bench.turns(1)
    assert bench.appliance.warned == [(), (Alert.VOICE_SILENT,)]
    assert not bench.appliance.blind
    bench.turns(300)
    both = Alert.CAMERA_GONE, Alert.VOICE_SILENT
    assert bench.appliance.warned[-1] == both
    assert bench.notifier.said[-1] == "; ".join(alert.sentence for alert in both)


def test_the_watchdog_is_fed_while_a_camera_is_away_but_not_while_one_hangs_for_ever() -> None:
    turns = int(RESTART_PROGRAM_AFTER_S * 10) + 100
    away = Bench(Script([frame(0), *[GONE] * turns]))
    away.turns(turns)
    assert away.notifier.beats == turns
    hung = Bench(Script([frame(0), *[HANGS] * turns]))
    hung.turns(turns)
    assert hung.notifier.beats < turns - 50
    assert hung.appliance.warned[-1] == (Alert.CAMERA_HANGS,)


def test_a_hanging_camera_ends_no_game_that_goes_on_by_hand() -> None:
    turns = int(RESTART_PROGRAM_AFTER_S * 10) + 100
    played = Bench(Script([frame(0), *[HANGS] * turns]))
    played.appliance.idle_s = RESTART_PROGRAM_AFTER_S - 1.0
    played.turns(turns)
    assert played.notifier.beats == turns
    assert played.appliance.blind
    played.appliance.idle_s = RESTART_PROGRAM_AFTER_S + 1.0
    played.turns(1)
    assert played.notifier.beats == turns


def test_the_feed_of_a_hanging_camera_begins_anew_and_the_game_goes_on() -> None:
    turns = int(3.5 * RESTART_FEED_AFTER_S * 10)
    hung = Bench(Script([frame(0), *[HANGS] * turns, frame(1), frame(2), *[HANGS] * 650]))
    hung.turns(turns)
    first_s, second_s, third_s = hung.script.restarts_s
    assert RESTART_FEED_AFTER_S < first_s < RESTART_FEED_AFTER_S + 3.0
    assert third_s - second_s == pytest.approx(RESTART_FEED_AFTER_S, abs=0.3)
    # Nobody has pressed anything, and still nothing is ended.
    assert hung.notifier.beats == turns
    assert hung.appliance.warned == [(), (Alert.CAMERA_HANGS,)]
    hung.turns(3)
    assert hung.appliance.warned == [(), (Alert.CAMERA_HANGS,), ()]
    assert hung.appliance.fed == [0, 1, 2]
    hung.turns(500)  # a new hang, whose minute starts over
    assert len(hung.script.restarts_s) == 3


def test_a_camera_that_is_away_is_no_reason_to_begin_anew() -> None:
    away = Bench(Script([frame(0), *[GONE] * 2000]))
    away.turns(2000)
    assert away.script.restarts_s == []


def test_only_what_hides_the_tray_asks_for_throws_to_be_entered() -> None:
    for alert, blind in ((Alert.LENS_DIRTY, False), (Alert.TRAY_MOVED, True)):
        bench = Bench(Script([frame(i) for i in range(4)]), other=frozenset({alert}))
        bench.turns(3)
        assert bench.appliance.blind is blind


def test_memory_is_given_back_now_and_then_with_frames_and_without() -> None:
    turns = int(RELEASE_MEMORY_INTERVAL_S * 10)
    bench = Bench(Script([frame(i) for i in range(turns)]))
    bench.turns(3 * turns + 5)
    assert bench.tidied_s == pytest.approx(
        [RELEASE_MEMORY_INTERVAL_S, 2 * RELEASE_MEMORY_INTERVAL_S, 3 * RELEASE_MEMORY_INTERVAL_S],
        abs=0.3,
    )


def test_a_picture_that_cannot_be_trusted_is_not_fed() -> None:
    black = Frame(np.zeros((9, 16, 3), np.uint8), 0.1, 1)
    bench = Bench(Script([frame(0), black, frame(2)]))
    bench.turns(3)
    assert bench.appliance.fed == [0, 2]
    assert bench.appliance.ticks == 1


def test_the_disk_comes_before_the_tray() -> None:
    bench = Bench(Script([frame(i) for i in range(4)]), other=frozenset({Alert.TRAY_MOVED}))
    bench.turns(2)
    bench.appliance.disk = Alert.DISK_FULL
    bench.turns(1)
    assert bench.appliance.warned == [
        (Alert.TRAY_MOVED,),
        (Alert.DISK_FULL, Alert.TRAY_MOVED),
    ]


def test_the_loop_ends_when_the_players_switch_off() -> None:
    bench = Bench(Script([]))
    bench.appliance.ended = True
    bench.loop.run()
    assert bench.notifier.beats == 0


class ScriptedCamera:
    """Delivers frames and waits as its script says."""

    name = "scripted"

    def __init__(self, *runs: list[Frame | CameraError]) -> None:
        self._runs = list(runs)
        self.closed = threading.Event()

    def frames(self) -> Iterator[Frame]:
        if not self._runs:
            self.closed.wait(120)
            return
        for news in self._runs.pop(0):
            if isinstance(news, CameraError):
                raise news
            yield news

    def close(self) -> None:
        self.closed.set()


def drain(feed: Feed, count: int) -> list[Frame | Failure]:
    """The next items of news, however long they take; a stuck thread fails the test."""
    found = [feed.next(120) for _ in range(count)]
    assert None not in found
    return [news for news in found if news is not None]


def test_the_feed_gives_the_newest_frame_and_opens_again_after_failures() -> None:
    waits: list[float] = []
    tries: list[int] = []
    camera = ScriptedCamera([CameraError("pulled")])

    def open_camera() -> Camera:
        tries.append(1)
        if len(tries) == 1:
            raise CameraError("not there")
        return camera

    first_seen = threading.Event()

    def wait(seconds: float) -> bool:
        waits.append(seconds)
        first_seen.wait(120)
        return False

    feed = Feed(open_camera, wait)
    feed.start()
    (first,) = drain(feed, 1)
    assert isinstance(first, Failure)
    assert "not there" in str(first.error)
    first_seen.set()
    (second,) = drain(feed, 1)
    assert isinstance(second, Failure)
    assert "pulled" in str(second.error)
    assert len(waits) == 1
    feed.close()
    assert camera.closed.is_set()


def test_the_feed_ends_without_waiting_for_a_driver() -> None:
    camera = ScriptedCamera([frame(3)])
    feed = Feed(lambda: camera)
    feed.start()
    (news,) = drain(feed, 1)
    assert isinstance(news, Frame)
    assert news.index == 3
    assert feed.next(0) is None
    feed.close()


def test_darker_frames_are_for_the_reader_alone() -> None:
    dark = [replace(frame(k), image=np.zeros((9, 16, 3), np.uint8), exposure=0.1) for k in (2, 3)]
    script = Script([frame(0), frame(1), *dark, frame(4)])
    appliance, shown = FakeAppliance(), list[int]()
    loop = Loop(
        Devices(MemoryScoreboard(), camera=script, clock=lambda: script.now_s),
        cast(Appliance, appliance),
        FakeNotifier(),
        look=lambda seen: shown.append(seen.index),
        watch_over=lambda seen: frozenset({Alert.TRAY_MOVED} if seen.exposure < 1 else ()),
        tidy=lambda: None,
    )
    for _ in range(5):
        loop.once()
    assert appliance.fed == [0, 1, 2, 3, 4]
    assert shown == [0, 1, 4]
    assert appliance.warned == [()]


def test_no_alert_covers_the_pages_of_a_calibration_that_gets_frames() -> None:
    bench = Bench(Script([frame(n) for n in range(60)]), other=frozenset({Alert.TRAY_MOVED}))
    bench.turns(2)
    bench.appliance.activity = FakeActivity(False)
    for alert in frozenset(Alert) - CAMERA_ALERTS:
        bench.other = frozenset({alert})
        bench.turns(1)
    # Without a camera it gets no frames, and could not say so.
    bench.script.news = []
    bench.turns(60)
    bench.appliance.activity = None
    bench.script.news = [frame(n) for n in range(70, 80)]
    bench.other = frozenset({Alert.TRAY_MOVED})
    bench.turns(5)
    moved, hangs = Alert.TRAY_MOVED, Alert.CAMERA_HANGS
    assert bench.appliance.warned == [(moved,), (), (hangs,), (moved,)]
    assert bench.appliance.blind
