"""Knowledge of the tray: kept, lost, found again; players' corrections count."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from appliance.alerts import BLINDING_ALERTS, Alert
from appliance.devices.camera import Camera, open_camera
from appliance.devices.camera.exposure import ExposureControl, ExposureRequest
from appliance.inputs import Button, Pressed
from appliance.service.calibration import Calibrating
from appliance.service.dice_learning import AnsweredFaces
from appliance.service.finding import PATIENCE_S
from appliance.service.guard import (
    _ALERT_BY_PROBLEM,
    LIGHT_ALERT_S,
    FittingWatcher,
    Guard,
    GuardedWatcher,
)
from appliance.service.installation import CalibratedTray
from appliance.service.ports import Happened
from appliance.table.session.modes import Playing
from appliance.table.session.session import Session, Setup, new_session
from appliance.table.session.step import step
from calibration import store
from calibration.accuracy import Check
from calibration.calibration import Calibration, Difference
from calibration.drift.watch import DriftEvent, Fine, Shifted, Trouble
from calibration.errors import StoreError
from calibration.markers.lens import MODULE_3_SIGHT
from calibration.problems import Problem
from calibration.readers import CalibratedReader, UncalibratedReader
from calibration.self_calibration import Size
from calibration.wizard.pages import Page
from tests.appliance.table.scripted import ScriptedWatcher
from tests.builders import dice_moved, die, reading
from tests.builders import roll as dice_rolled
from tests.builders import throw as roll
from tests.calibration.drift.test_rim import bare, profile_of
from tests.calibration.wizard.test_wizard import draft
from vision.errors import OutOfMemory, TooManySpots, Unreadable
from vision.events import Roll, TrackedDie, TrackId, TrayChanged, TrayEvent
from vision.frame import Frame, Image
from vision.geometry.sight import Sight
from vision.reading import DieState, Kind, TrayReading, TrayState
from vision.watch.watcher import Watcher


def kept(path: Path, *checks: Check) -> None:
    for check in checks:
        store.save(path, draft().with_check(check))


def test_without_a_profile_the_tray_is_not_known(tmp_path: Path) -> None:
    none = tmp_path / "none"
    for path in (None, none):
        tray = CalibratedTray(path)
        assert tray.calibration is None
        assert tray.about() == (("TRAY", "NOT MEASURED"),)
        assert tray.notices == []
        bare = np.full((90, 160, 3), 90, np.uint8)
        watcher = tray.guard.watcher()
        for second in range(int(PATIENCE_S) + 10):
            watcher.feed(Frame(bare, float(second), second))
        assert tray.notices == [("TRAY NOT KNOWN", "CALIBRATE?")], "said once"
    # From `look` a game begins with any tray.
    as_it_is = CalibratedTray(None, known=False)
    as_it_is.on_tray_not_found()
    assert as_it_is.notices == []
    with pytest.raises(StoreError, match="there is no such profile"):
        CalibratedTray(tmp_path / "none", strict=True)
    with pytest.raises(StoreError, match="name one with --profile"):
        CalibratedTray(None).keep(draft())


def test_what_was_checked_is_shown(tmp_path: Path) -> None:
    path = tmp_path / "tray.profile"
    kept(path, Check(60, 0))
    assert CalibratedTray(path).about() == (
        ("DICE CHECKED", "60 DICE 0 WRONG"),
        ("ACCURACY", "ERROR < 4.9%"),
        ("DICE", "16 MM"),
    )
    kept(path, Check(60, 0, 12))
    assert ("12 NOT READ", "OF 72 DICE") in CalibratedTray(path).about()
    lower = replace(store.load(path), since=Difference(-12.0, 0.0, 0.0, 0.0, 0.0))
    store.save(path, lower)
    assert ("CAMERA SITS", "12 MM LOWER") in CalibratedTray(path).about()


def test_only_a_print_that_a_card_or_the_paper_has_shown_is_shown(tmp_path: Path) -> None:
    path = tmp_path / "tray.profile"
    shown = []
    for scale, known in ((0.953, False), (1.0, True), (0.953, True)):
        store.save(path, replace(draft(), print_scale=scale, print_known=known))
        shown.append([text for label, text in CalibratedTray(path).about() if label == "PRINTED"])
    assert shown == [[], ["AT 100%"], ["AT 95%"]]


def test_dice_of_another_size_are_asked_about_once_where_a_size_is_known(tmp_path: Path) -> None:
    path = tmp_path / "tray.profile"
    asked: list[tuple[float, float]] = []

    def ask(old_mm: float, new_mm: float) -> None:
        asked.append((old_mm, new_mm))

    kept(path, Check(60, 0))
    assert CalibratedTray(path).new_dice.note_size(18.0), (
        "nothing was known: they are learnt in silence"
    )
    store.save(path, replace(store.load(path), size_known=True))
    tray = CalibratedTray(path)
    assert not tray.new_dice.note_size(18.0)
    tray.new_dice.ask_about_size(ask, busy=True)
    for _ in range(3):
        tray.new_dice.ask_about_size(ask)
        assert not tray.new_dice.note_size(18.0)
    assert asked == [(16.0, 18.0)]
    tray.new_dice.answer(new=False)
    assert ("DICE", "16 MM") in tray.about()
    # The answer outlives a restart, and is about this size alone.
    again = CalibratedTray(path)
    assert not again.new_dice.note_size(18.0)
    again.new_dice.ask_about_size(ask)
    assert len(asked) == 1
    assert not again.new_dice.note_size(20.0)
    again.new_dice.ask_about_size(ask)
    assert asked[1:] == [(16.0, 20.0)]
    again.new_dice.answer(new=True)
    again.new_dice.answer(new=True)
    assert ("DICE", "20 MM") in CalibratedTray(path).about()
    assert again.about()[0] == ("DICE CHECKED", "60 DICE 0 WRONG"), "the check is kept"
    assert CalibratedTray(path).new_dice.note_size(16.0), "nothing confirms the new size yet"


def test_the_floor_of_a_tray_without_markers_is_asked_for_once(tmp_path: Path) -> None:
    path = tmp_path / "tray.profile"
    store.save(path, replace(draft(), layout=None))
    again = CalibratedTray(path).calibrate()
    assert isinstance(again, Calibrating)
    assert again.wizard.floor_mm == (180.0, 120.0)
    assert again.wizard.page is Page.LIST
    store.save(path, draft())
    marked = CalibratedTray(path).calibrate()
    assert isinstance(marked, Calibrating)
    assert marked.wizard.floor_mm is None


def test_a_damaged_profile_gives_way_to_the_one_before(tmp_path: Path) -> None:
    path = tmp_path / "tray.profile"
    kept(path, Check(60, 0), Check(70, 0))
    data = path.read_bytes()
    path.write_bytes(data[:-5])
    tray = CalibratedTray(path)
    assert tray.calibration is not None
    assert tray.calibration.check == Check(60, 0)
    said: list[tuple[str, str]] = []
    tray.say_next_notice(said.append)
    tray.say_next_notice(said.append)
    assert said == [("PROFILE BROKEN", "OLD ONE IS USED")]
    store.previous_of(path).write_bytes(b"nothing")
    tray = CalibratedTray(path)
    assert tray.calibration is None
    assert tray.notices == [("PROFILE BROKEN", "CALIBRATE?")]


@pytest.mark.parametrize(
    ("error", "alert"),
    [
        (TooManySpots(), Alert.TOO_MANY_SPOTS),
        (OutOfMemory(), Alert.MEMORY_FULL),
    ],
)
def test_a_tray_that_cannot_be_read_is_an_alert_until_it_can(
    error: Unreadable,
    alert: Alert,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def refuse(*_: object) -> TrayReading:
        raise error

    frames = [
        Frame(np.random.default_rng(i).integers(100, 103, (90, 160, 3)).astype(np.uint8), i / 30, i)
        for i in range(300)
    ]
    path = tmp_path / "tray.profile"
    profile = draft().profile.cropped(0, 0, 160, 90)
    store.save(path, replace(draft(), profile=profile, layout=None))
    for tray in (CalibratedTray(None), CalibratedTray(path)):
        caplog.clear()
        watcher = tray.guard.watcher()
        assert tray.guard.alerts(frames[0]) == frozenset()
        with monkeypatch.context() as patched:
            patched.setattr(UncalibratedReader, "read", refuse)
            patched.setattr(CalibratedReader, "read", refuse)
            reported = [(watcher.feed(frame), tray.guard.alerts(frame)) for frame in frames[:150]]
        assert reported[-1][1] == {alert}
        assert {type(event) for events, _ in reported for event in events} <= {TrayChanged}
        assert caplog.text.count(str(error)) == 1
        patched.setattr(UncalibratedReader, "read", lambda *_: TrayReading(TrayState.EMPTY, ()))
        patched.setattr(CalibratedReader, "read", lambda *_: TrayReading(TrayState.EMPTY, ()))
        for frame in frames[150:]:
            watcher.feed(frame)
        assert tray.guard.alerts(frames[-1]) == frozenset()
        patched.undo()


class Opened:
    """A camera that can be locked, and lists what it was asked to do."""

    name = "fake"

    def __init__(self) -> None:
        self.asked: list[object] = []

    def frames(self) -> Iterator[Frame]:
        return iter(())

    def close(self) -> None: ...

    def unlock(self) -> None:
        self.asked.append("unlock")

    def expose(self, factor: float) -> None:
        self.asked.append(factor)

    def lock(self) -> Mapping[str, float]:
        return {"ExposureTime": 8000.0}

    def keep(self) -> None:
        self.asked.append("keep")

    def restore(self) -> None:
        self.asked.append("restore")


def test_the_camera_that_was_opened_is_unlocked_and_put_back(tmp_path: Path) -> None:
    tray = CalibratedTray(tmp_path / "tray.profile")
    camera = Opened()
    assert tray.note_camera(camera) is camera
    activity = tray.calibrate()
    assert camera.asked == ["unlock"]
    activity.press(Pressed(Button.BACK))
    assert activity.done
    assert camera.asked == ["unlock", "restore"]
    # A film has nothing to lock.
    folder = tmp_path / "film"
    folder.mkdir()
    (folder / "0.png").write_bytes(b"")
    tray.note_camera(open_camera(f"dir:{folder}"))
    assert tray.exposing is None


WIDE = Sight("imx708_wide", (4608, 2592), (0, 0, 4608, 2592))


def test_the_lens_is_that_of_the_camera_that_frames_are_from(tmp_path: Path) -> None:
    tray = CalibratedTray(tmp_path / "tray.profile")

    def assumed(camera: Camera | None, sight: Sight | None) -> Sight | None:
        if camera is not None:
            tray.note_camera(camera)
        activity = tray.calibrate()
        assert isinstance(activity, Calibrating)
        activity.feed(Frame(BLANK, 0.0, 0, sight=sight))
        return activity.wizard.sight

    assert assumed(None, None) == MODULE_3_SIGHT, "rendered pictures"
    assert assumed(Opened(), WIDE) == WIDE
    assert assumed(Opened(), None) is None, "a USB camera"
    film = tmp_path / "film"
    film.mkdir()
    (film / "0.png").write_bytes(b"")
    assert assumed(open_camera(f"dir:{film}"), None) is None


def test_pictures_of_another_sight_are_refused_until_they_are_as_before(tmp_path: Path) -> None:
    calibration = draft()
    profile = replace(calibration.profile, sight=MODULE_3_SIGHT)
    path = tmp_path / "tray.profile"
    store.save(path, replace(calibration, profile=profile))
    tray = CalibratedTray(path)
    watcher = tray.guard.watcher()
    width, height = profile.size
    usual = np.full((height, width, 3), 90, np.uint8)

    def alerts(image: Image, sight: Sight | None) -> frozenset[Alert]:
        frame = Frame(image, 0.0, 0, sight=sight)
        watcher.feed(frame)
        return tray.guard.alerts(frame)

    cropped = replace(MODULE_3_SIGHT, part=(768, 432, 3072, 1728))
    assert Alert.OTHER_VIEW in alerts(usual[:-2], MODULE_3_SIGHT)
    for sight in (cropped, WIDE):
        assert Alert.OTHER_VIEW in alerts(usual, sight)
        assert watcher.feed(Frame(usual, 0.0, 0, sight=sight)) == ()
        assert Alert.OTHER_VIEW not in alerts(usual, MODULE_3_SIGHT)
    assert Alert.OTHER_VIEW not in alerts(usual, None), "a camera that cannot say"
    rounded = replace(MODULE_3_SIGHT, part=(0, 2, 4608, 2588))
    assert Alert.OTHER_VIEW not in alerts(usual, rounded)
    assert Alert.OTHER_VIEW in BLINDING_ALERTS


def test_a_profile_from_before_sights_were_kept_serves_for_all(tmp_path: Path) -> None:
    assert draft().profile.sight is None
    store.save(tmp_path / "tray.profile", draft())
    tray = CalibratedTray(tmp_path / "tray.profile")
    watcher = tray.guard.watcher()
    width, height = draft().profile.size
    frame = Frame(np.full((height, width, 3), 90, np.uint8), 0.0, 0, sight=WIDE)
    watcher.feed(frame)
    assert Alert.OTHER_VIEW not in tray.guard.alerts(frame)


def test_what_the_camera_was_locked_to_is_known_at_the_next_start(tmp_path: Path) -> None:
    path = tmp_path / "tray.profile"
    assert CalibratedTray(path).controls == {}
    controls = {"ExposureTime": 8000.0, "ColourGains[0]": 1.9}
    store.save(path, replace(draft(), controls=controls))
    assert CalibratedTray(path).controls == controls


def playing() -> Session:
    return new_session(Setup("classic", ("ANNA",), ()))


def corrected(session: Session, slot: int, face: int) -> Session:
    """The session as if a die had been read differently from what the log says."""
    seen = list(session.tracked.seen)
    wrong = replace(seen[slot].reading, value=face)
    seen[slot] = replace(seen[slot], reading=wrong)
    return replace(session, tracked=replace(session.tracked, seen=tuple(seen)))


def test_what_players_put_right_makes_the_statement_worse(tmp_path: Path) -> None:
    path = tmp_path / "tray.profile"
    kept(path, Check(60, 0))
    tray = CalibratedTray(path)
    first, second = roll(1, 2, 3, 4, 5, frame=1), roll(2, 2, 3, 4, 5, frame=2)
    session = step(playing(), first)
    tray.learning.corrections(Happened(1, 0.1, first, session))
    # As if die 0 had been read as a 6 where the record says 1.
    tray.learning.corrections(Happened(1, 0.2, first, corrected(session, 0, 6)))
    assert tray.calibration is not None
    assert tray.calibration.check == Check(60, 0)
    tray.learning.corrections(Happened(2, 0.3, second, session))
    assert tray.calibration.check == Check(61, 1)
    assert store.load(path).check == Check(61, 1)
    tray.learning.corrections.finish()
    assert tray.calibration.check == Check(61, 1)


class Drift:
    """Reports what it is given, once."""

    def __init__(self) -> None:
        self.trusted = True
        self.events: tuple[DriftEvent, ...] = ()

    def feed(self, frame: Frame, *, quiet: bool = True) -> tuple[DriftEvent, ...]:
        events, self.events = self.events, ()
        for event in events:
            self.trusted = not isinstance(event, Trouble) or event.trusted
        return events


class Inner(ScriptedWatcher):
    def __init__(self, calibration: Calibration) -> None:
        super().__init__()
        self.calibration = calibration


def test_a_tray_without_markers_is_watched_by_its_rim_where_that_can_be_done(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "tray.profile"
    profile = profile_of(bare(0))
    store.save(path, Calibration(profile))

    def watcher() -> object:
        made = CalibratedTray(path).guard.watcher()
        assert isinstance(made, FittingWatcher)
        return made.watcher

    assert isinstance(watcher(), GuardedWatcher)
    assert not caplog.text
    store.save(path, Calibration(replace(profile, empty=np.zeros_like(profile.empty))))
    assert isinstance(watcher(), Watcher)
    assert "cannot watch whether the tray moves" in caplog.text


BLANK = np.zeros((4, 4, 3), np.uint8)
MOVED = Trouble(Problem.MOVED, False, "moved by 30 mm")


class Guarded:
    def __init__(self, finder: CalibratedTray | None = None) -> None:
        self.drift = Drift()
        self.inners: list[Inner] = []
        self.watcher = GuardedWatcher(draft("old"), self.drift, self.make, finder)
        self.time_s = 0.0

    def make(self, calibration: Calibration) -> Inner:
        self.inners.append(Inner(calibration))
        return self.inners[-1]

    def feed(self, *events: DriftEvent) -> list[TrayEvent]:
        self.time_s += 1.0
        self.drift.events = events
        return list(self.watcher.feed(Frame(BLANK, self.time_s, int(self.time_s))))


def test_where_dice_are_put_is_learnt_and_read_with_once_the_tray_is_empty(tmp_path: Path) -> None:
    path = tmp_path / "tray.profile"
    kept(path, Check(60, 0))
    guarded = Guarded(CalibratedTray(path))
    guarded.feed()
    dice = tuple(
        TrackedDie(TrackId(n), replace(reading(4), held=True, mm=(20.0 * n, 80.0)), False)
        for n in range(3)
    )
    guarded.inners[0].events = [
        TrayChanged(1, 1.0, TrayState.STILL),
        dice_moved(1, 1.0, (0, 1, 2), dice),
    ]
    guarded.feed()
    guarded.feed()
    stored = store.load(path)
    assert stored.holder_learnt
    assert stored.holders is not None
    assert stored.check.dice == 60
    assert len(guarded.inners) == 1, "not while dice lie there"
    guarded.inners[0].events = [TrayChanged(3, 3.0, TrayState.EMPTY)]
    guarded.feed()
    guarded.feed()
    assert guarded.inners[1].calibration.holders is not None


def test_a_size_is_known_after_three_throws_of_it_in_a_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "tray.profile"
    kept(path, Check(60, 0))
    guarded = Guarded(CalibratedTray(path))
    before = draft("old")
    other = replace(before, profile=replace(before.profile, die_edge_mm=18.0))
    found: list[Calibration | Size] = [Size.AGREES] * 2 + [other] + [Size.AGREES] * 3
    monkeypatch.setattr(guarded.watcher._dice, "see", lambda *_: found.pop(0))
    monkeypatch.setattr(guarded.watcher, "_watch_drift", lambda _: guarded.drift)
    known = list[bool]()
    guarded.feed()
    while found:
        guarded.inners[-1].events = [roll(1, 2, 3, 4, 5)]
        guarded.feed()
        guarded.feed()
        known.append(guarded.watcher._calibration.size_known)
    assert known == [False] * 5 + [True]
    assert store.load(path).size_known


def test_the_log_says_what_was_learnt_of_the_rim(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "tray.profile"
    kept(path, Check(60, 0))
    guarded = Guarded(CalibratedTray(path))
    found = replace(draft("old"), rim_mm=31.0)
    monkeypatch.setattr(guarded.watcher._dice, "see", lambda *_: found)
    monkeypatch.setattr(guarded.watcher, "_watch_drift", lambda _: guarded.drift)
    guarded.feed()
    guarded.inners[-1].events = [roll(1, 2, 3, 4, 5)]
    with caplog.at_level("INFO"):
        guarded.feed()
        guarded.feed()
    assert "a rim of 31 mm was learnt" in caplog.text


def test_throws_of_the_dice_before_do_not_make_the_size_of_new_ones_known() -> None:
    guarded = Guarded()
    before = guarded.watcher._calibration

    def throws() -> list[bool]:
        known = list[bool]()
        for _ in range(3):
            guarded.watcher._confirm_size(True)
            known.append(guarded.watcher._calibration.size_known)
        return known

    guarded.watcher._confirm_size(True)
    new = replace(before, profile=replace(before.profile, die_edge_mm=18.0))
    guarded.watcher.renew(new)
    assert throws() == [False, False, True]


def test_nothing_is_read_while_the_tray_is_elsewhere() -> None:
    guarded = Guarded()
    guarded.feed()
    assert guarded.inners[0].frames == 1
    guarded.feed(MOVED)
    guarded.feed()
    assert guarded.inners[0].frames == 1
    troubles = [guarded.watcher.trouble]
    guarded.feed(Fine())
    assert [*troubles, guarded.watcher.trouble] == [Problem.MOVED, None]
    assert guarded.inners[0].frames == 2


def test_darker_frames_end_where_they_were_asked_for_and_say_nothing_of_the_place() -> None:
    guarded = Guarded()
    guarded.feed(MOVED)
    dark = Frame(BLANK, 9.0, 9, exposure=0.125)
    guarded.drift.events = (Fine(),)
    guarded.watcher.feed(dark)
    assert guarded.watcher.trouble is Problem.MOVED
    assert guarded.inners[0].frames == 1


def test_a_tray_darkens_the_camera_that_was_opened_if_that_can_be() -> None:
    tray = CalibratedTray(None)
    assert not tray.darken(0.125)
    tray.brighten()

    class Camera(ExposureControl):
        name = "camera"

        def frames(self) -> Iterator[Frame]:
            yield Frame(BLANK, 0.0, 0)

        def close(self) -> None:
            pass

    camera = Camera({"E": 80.0}, lambda seen, factor: {"E": seen["E"] * factor})
    tray.note_camera(camera)
    assert tray.darken(0.125)
    assert camera.request()[1] == ExposureRequest({"E": 10.0}, False)
    tray.brighten()
    assert camera.request()[1] == ExposureRequest({"E": 80.0}, False)


def test_what_only_makes_reading_unsure_does_not_end_it() -> None:
    guarded = Guarded()
    guarded.feed(Trouble(Problem.LENS_DIRTY, True, "clean it"))
    for _ in range(5):
        guarded.feed()
    assert guarded.watcher.trouble is Problem.LENS_DIRTY
    assert guarded.inners[0].frames == 6


def test_every_trouble_of_the_drift_watch_has_an_alert() -> None:
    light = (Problem.TOO_DARK, Problem.TOO_BRIGHT)
    troubles = (Problem.MOVED, Problem.HIDDEN, *light, Problem.LENS_DIRTY)
    assert set(_ALERT_BY_PROBLEM) == set(troubles)


def test_a_large_shift_is_followed_at_once() -> None:
    guarded = Guarded()
    guarded.watcher.expect(5)
    guarded.inners[0].events = [TrayChanged(1, 1.0, TrayState.STILL)]
    guarded.feed()
    guarded.feed(MOVED)
    guarded.feed(Shifted(draft("new"), 14.0))
    assert guarded.watcher.trouble is None
    assert [inner.calibration.lens_source for inner in guarded.inners] == ["old", "new"]
    assert (guarded.inners[1].frames, guarded.inners[1].expected) == (1, 5)


def test_another_light_is_said_once_for_each_change(monkeypatch: pytest.MonkeyPatch) -> None:
    guarded = Guarded()
    guard = Guard(lambda: None)
    monkeypatch.setattr(guard, "_guarded", guarded.watcher)

    def said(seconds: int, *events: DriftEvent) -> list[bool]:
        found = []
        for second in range(seconds):
            guarded.feed(*(events if second == 0 else ()))
            alerts = guard.alerts(Frame(BLANK, guarded.time_s, 0))
            found.append(Alert.LITTLE_LIGHT in alerts)
        return found

    news = int(LIGHT_ALERT_S)
    dim = Trouble(Problem.TOO_DARK, True, "there is 35% of the light")
    evening = said(600, dim)
    assert evening == [True] * news + [False] * (600 - news)
    assert not any(said(20, Fine()))
    assert said(news + 1, dim) == [True] * news + [False]
    # A smeared lens is for people to wipe: it stays.
    guarded.feed(Trouble(Problem.LENS_DIRTY, True, "wipe it"))
    for _ in range(600):
        guarded.feed()
    assert guard.alerts(Frame(BLANK, guarded.time_s, 0)) == {Alert.LENS_DIRTY}


def test_a_small_shift_is_followed_when_no_dice_lie_there() -> None:
    guarded = Guarded()
    guarded.watcher.expect(5)
    guarded.inners[0].events = [TrayChanged(1, 1.0, TrayState.STILL)]
    guarded.feed()
    guarded.feed(Shifted(draft("new"), 2.0))
    assert len(guarded.inners) == 1
    guarded.inners[0].events = [TrayChanged(2, 2.0, TrayState.EMPTY)]
    guarded.feed()
    guarded.feed()
    assert len(guarded.inners) == 2
    assert guarded.inners[1].calibration.lens_source == "new"
    assert guarded.inners[1].expected == 5


def test_the_geometry_of_a_view_is_read_with_and_not_stored(tmp_path: Path) -> None:
    geometry = draft()
    tray = CalibratedTray(tmp_path / "tray.profile", known=False, geometry=geometry)
    assert tray.profile() is geometry.profile
    assert tray.calibration is None
    assert tray.about() == (("TRAY", "NOT MEASURED"),)
    assert tray.floor_mm is None
    tray.guard.watcher()
    assert not list(tmp_path.iterdir())
    other = replace(geometry, doubt_mm=0.1)
    tray.keep(other)
    assert tray.read_with is other


def test_a_face_that_players_name_counts_with_the_next_throw_unless_it_is_corrected() -> None:
    told: list[str] = []
    picture = np.zeros((4, 4, 3), np.uint8)
    answers = AnsweredFaces(lambda: picture, lambda face, *_: told.append(face))
    session = new_session(Setup("power", ("ANNA",), (("first", 0),)))

    def happen(happened: Roll | Pressed) -> None:
        nonlocal session
        session = step(session, happened)
        answers(Happened(0, 0.0, happened, session))

    numbered = tuple(die(slot, slot + 1) for slot in range(5))
    doubtful = die(5, "freeze", Kind.POWER, state=DieState.UNSURE)
    happen(dice_rolled(*numbered, doubtful))
    assert not session.record.events, "it is asked about"
    happen(Pressed(Button.OK))
    assert session.record.dice[5] == "freeze"
    assert told == []
    answers.finish()
    answers.finish()
    assert told == ["freeze"]
    # The same die lies there while others are thrown: that is no second opinion.
    happen(dice_rolled(*(replace(one, thrown=True) for one in numbered), doubtful))
    while not isinstance(session.mode, Playing):
        happen(Pressed(Button.OK))
    answers.finish()
    assert told == ["freeze"]
    # What was sure and is as it was read teaches nothing.
    session = new_session(Setup("power", ("ANNA",), (("first", 0),)))
    happen(dice_rolled(*numbered, die(5, "double", Kind.POWER)))
    answers.finish()
    assert told == ["freeze"]
