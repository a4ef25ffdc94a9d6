"""A tray that nobody has calibrated: found by its markers, kept, made exact, and lit."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

from appliance.service.guard import GuardedWatcher
from appliance.service.installation import CalibratedTray
from calibration import store
from calibration.calibration import Calibration
from calibration.drift import Relight
from calibration.markers.lens import MODULE_3_SIGHT
from simulator.render.dice_model import flat_die
from simulator.render.prints import board_in_tray
from simulator.render.renderer import with_metered_exposure
from simulator.render.scene import Scene
from simulator.scenes.installations import INSTALLATION_QUALITY, marked_scene
from tests.appliance.service.test_installation import BLANK, Drift, Inner, Opened
from tests.calibration.test_store import calibration
from tests.rigs.rendering.pictures import drawn
from vision.events import Found, Roll, TrayChanged, TrayEvent
from vision.frame import Frame, Image
from vision.reading import Kind, TrayState
from vision.watch.watching import Watching


@lru_cache(maxsize=1)
def empty_tray() -> Scene:
    return with_metered_exposure(marked_scene(), 0.15)


def with_board() -> Scene:
    scene = empty_tray()
    return replace(scene, prints=(*scene.prints, board_in_tray((3.0, -2.0), 0.03)))


def with_dice() -> Scene:
    places = (-60.0, -30.0, 0.0, 30.0, 60.0)
    dice = [flat_die(Kind.BLACK, k + 1, (x, 8.0 * k - 16), 0.3 * k) for k, x in enumerate(places)]
    return replace(empty_tray(), dice=tuple(dice))


DRAWN: dict[tuple[Scene, float], Image] = {}
"""The pictures of a room's camera, by the scene and its exposure."""


class Room:
    """A camera above a tray, whose exposure can be set; it begins with a quarter of the light."""

    name = "room"

    def __init__(self, gain: float = 0.25) -> None:
        self.gain = gain
        self.locked = True
        self.scene = empty_tray()
        self.time_s = 0.0

    def unlock(self) -> None:
        self.locked = False

    def expose(self, factor: float) -> None:
        if not self.locked:
            self.gain *= factor

    def lock(self) -> Mapping[str, float]:
        self.locked = True
        return {"ExposureTime": round(8000.0 * self.gain)}

    def keep(self) -> None: ...

    def restore(self) -> None: ...

    def frames(self) -> Iterator[Frame]:
        return iter(())

    def close(self) -> None: ...

    def show(self, watcher: Watching, seconds: float) -> list[TrayEvent]:
        """The events made of this scene, ten frames a second."""
        events: list[TrayEvent] = []
        for _ in range(round(seconds * 10)):
            self.time_s += 0.1
            key = (self.scene, self.gain)
            if key not in DRAWN:
                sensor = self.scene.sensor
                lit = replace(sensor, exposure=sensor.exposure * self.gain)
                DRAWN[key] = drawn(
                    replace(self.scene, sensor=lit), np.random.default_rng(1), INSTALLATION_QUALITY
                )
            image = DRAWN[key]
            frame = Frame(image, self.time_s, round(self.time_s * 10), sight=MODULE_3_SIGHT)
            events += watcher.feed(frame)
        return events


@pytest.fixture(scope="module")
def found_before(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The profile of a tray that was found when the light was right at once."""
    path = tmp_path_factory.mktemp("found") / "tray.profile"
    Room(1.0).show(CalibratedTray(path).guard.watcher(), 4.0)
    return path.read_bytes()


@pytest.fixture
def path(found_before: bytes, tmp_path: Path) -> Path:
    """A copy of that profile."""
    path = tmp_path / "tray.profile"
    path.write_bytes(found_before)
    return path


def test_a_tray_with_markers_is_found_lit_locked_and_kept_without_a_press(tmp_path: Path) -> None:
    path = tmp_path / "tray.profile"
    tray, room = CalibratedTray(path), Room()
    watcher = tray.guard.watcher()
    tray.note_camera(room)
    watcher.expect(5)
    room.show(watcher, 6.0)
    assert room.locked
    assert room.gain > 0.4
    found = store.load(path)
    assert tray.notices == [("TRAY FOUND", f"WITHIN {found.off_mm:.1f} MM")]
    assert found.controls == room.lock()
    assert not found.rim_known
    assert ("POSITIONS", f"WITHIN {found.off_mm:.1f} MM") in tray.about()
    room.scene = with_dice()
    events = room.show(watcher, 2.0)
    rolls = [event for event in events if isinstance(event, Roll | Found)]
    assert sorted(die.reading.value or 0 for die in rolls[0].dice) == [1, 2, 3, 4, 5]
    # The printed board makes it exact whenever it is seen there; nothing more is said.
    room.scene = with_board()
    room.show(watcher, 5.0)
    exact = store.load(path)
    assert exact.rim_known
    assert exact.off_mm is not None
    assert found.off_mm is not None
    assert exact.off_mm < 1.0 < found.off_mm
    assert exact.controls == found.controls
    assert len(tray.notices) == 1
    # At the next start nothing has to be found.
    again = CalibratedTray(path)
    assert again.controls == found.controls
    assert again.notices == []


def test_a_rim_that_is_entered_later_makes_the_next_start_more_exact(path: Path) -> None:
    room = Room(1.0)
    guessed = store.load(path)
    store.save(path, replace(guessed, profile=replace(guessed.profile, die_edge_mm=18.0)))
    entered = CalibratedTray(path, rim_mm=empty_tray().tray.wall_height)
    room.show(entered.guard.watcher(), 4.0)
    found = store.load(path)
    assert found.rim_known
    assert found.off_mm is not None
    assert guessed.off_mm is not None
    assert found.off_mm < guessed.off_mm / 2
    assert found.profile.die_edge_mm == 18.0, "what was learnt is kept"
    assert found.since is not None
    said = ("TRAY FOUND", f"WITHIN {found.off_mm:.1f} MM")
    assert entered.notices == [said], "the camera hangs as before"


def test_markers_that_cannot_be_used_are_told_once_in_two_lines_until_that_is_mended(
    tmp_path: Path,
) -> None:
    tray, room = CalibratedTray(tmp_path / "tray.profile"), Room(1.0)
    watcher = tray.guard.watcher()
    first, second, *rest = room.scene.prints
    exchanged = (replace(first, place=second.place), replace(second, place=first.place), *rest)
    room.scene = replace(room.scene, prints=exchanged)
    room.show(watcher, 4.9)
    assert tray.notices == []
    room.show(watcher, 20.0)
    # Nobody is sent to CALIBRATE, where they would be told the same.
    assert tray.notices == [("MARKERS MIXED", "AS ON THE SHEET")]
    assert tray.about() == (("TRAY", "NOT MEASURED"), ("MARKERS MIXED", "AS ON THE SHEET"))
    # What nobody has read yet is not said any more.
    room.scene = empty_tray()
    room.show(watcher, 5.0)
    assert [lines[0] for lines in tray.notices] == ["TRAY FOUND"]
    assert ("MARKERS MIXED", "AS ON THE SHEET") not in tray.about()


def test_a_focus_that_hunts_is_told_though_all_of_the_picture_moves(tmp_path: Path) -> None:
    tray, room = CalibratedTray(tmp_path / "tray.profile"), Room(1.0)
    watcher = tray.guard.watcher()
    sensor = empty_tray().sensor
    hunted = [
        replace(empty_tray(), sensor=replace(sensor, defocus=blur)) for blur in (0.2, 2.2, 4.5, 2.2)
    ]
    states = set[TrayState]()
    for k in range(60):
        room.scene = hunted[k % len(hunted)]
        events = room.show(watcher, 0.1)
        states |= {event.state for event in events if isinstance(event, TrayChanged)}
    assert states == {TrayState.MOVING}
    assert tray.notices == [("BLURRED", "FOCUS? LENS?")]


def test_nothing_is_learnt_of_a_film(path: Path, found_before: bytes) -> None:
    room = Room(1.0)
    film = CalibratedTray(path, strict=True)
    room.scene = with_board()
    room.show(film.guard.watcher(), 6.0)
    assert path.read_bytes() == found_before
    assert film.notices == []


def test_a_camera_is_unlocked_set_and_locked_to_follow_another_light(tmp_path: Path) -> None:
    path = tmp_path / "tray.profile"
    store.save(path, replace(calibration(), controls={"ExposureTime": 4000.0}))
    tray, camera, drift = CalibratedTray(path), Opened(), Drift()
    tray.note_camera(camera)

    def make(calibration: Calibration) -> Inner:
        return Inner(calibration)

    assert tray.calibration is not None
    watcher = GuardedWatcher(tray.calibration, drift, make, tray)
    for second, event in enumerate((Relight(1.7), Relight(0.9), Relight(1.0))):
        drift.events = (event,)
        watcher.feed(Frame(BLANK, float(second), second))
    assert camera.asked == ["unlock", 1.7, 0.9, "keep"]
    assert watcher.trouble is None
    assert store.load(path).controls == {"ExposureTime": 8000.0}
