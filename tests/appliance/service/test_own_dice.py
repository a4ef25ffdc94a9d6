"""The owner's dice are learnt from throws that people have played on with, and shown in ABOUT."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from appliance.inputs import Button, Pressed
from appliance.service.dice_learning import THROWS_TO_STORE
from appliance.service.guard import GuardedWatcher
from appliance.service.installation import CalibratedTray
from appliance.service.ports import Happened
from appliance.table.session.session import Session, Setup, new_session
from appliance.table.session.step import step
from calibration import store
from calibration.drift.watch import DriftEvent
from calibration.own_dice import ConfirmedDie
from tests.appliance.table.scripted import ScriptedWatcher
from tests.builders import die
from tests.builders import roll as dice_rolled
from tests.calibration.own_dice.test_learning import RED_DICE, confirmed, thrown
from tests.calibration.self_calibration.test_dice import calibration
from vision.body_colours import ColourName
from vision.events import Found, Moved, Roll, TrackedDie, TrackId
from vision.frame import Frame, Image
from vision.reading import DieState

FACES = (2, 3, 4, 5, 6)
BLUE = thrown(FACES, 9)


def tray_at(path: Path) -> CalibratedTray:
    store.save(path, calibration())
    return CalibratedTray(path)


class Table:
    """A game at a tray, in which what the camera sees is told."""

    def __init__(self, tray: CalibratedTray, monkeypatch: pytest.MonkeyPatch) -> None:
        self.tray = tray
        self.image = BLUE
        self.session: Session = new_session(Setup("classic", ("ANNA",), (("first", 0),)))
        monkeypatch.setattr(type(tray.guard), "last_throw", property(lambda _: self.image))

    def happen(self, happened: Roll | Pressed) -> None:
        self.session = step(self.session, happened)
        self.tray.learning.learn_from(Happened(0, 0.0, happened, self.session))

    def throw(self, dice: list[ConfirmedDie]) -> None:
        tracked = (TrackedDie(TrackId(k), die.reading, True) for k, die in enumerate(dice))
        self.session = new_session(Setup("classic", ("ANNA",), (("first", 0),)))
        self.happen(dice_rolled(*tracked))


def test_dice_are_learnt_from_throws_that_people_have_played_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "tray.profile"
    tray = tray_at(path)
    table = Table(tray, monkeypatch)
    dice = confirmed(BLUE, FACES)
    table.throw(dice)
    assert ("COLOUR", "BLUE") not in tray.about(), "it may still be corrected"
    table.throw(dice)
    assert ("COLOUR", "BLUE") in tray.about()
    assert store.load(path).profile.confirmed[0].count == 5
    # One is not sure; the players say what it shows, three times.
    two = replace(dice[0].reading, state=DieState.UNSURE)
    for _ in range(3):
        table.throw([replace(dice[0], reading=two), *dice[1:]])
        table.happen(Pressed(Button.OK))
    tray.learning.finish()
    assert tray.calibration is not None
    assert [(f.name, f.asked) for f in tray.calibration.own_dice.troubled] == [("blue 2", 3)]
    assert ("BLUE 2", "ASKED 3 OF 5") in tray.about()
    assert ("BLUE 2", "NOT SURE") in tray.about()
    assert CalibratedTray(path).about() == tray.about()
    # What the guard keeps meanwhile does not undo it, unless dice of another size are new.
    tray.store_learnt(replace(calibration(), size_known=True))
    assert ("COLOUR", "BLUE") in tray.about()
    tray.store_learnt(tray.calibration.with_dice_of(20.0))
    assert ("COLOUR", "BLUE") not in tray.about()
    assert ("BLUE 2", "NOT SURE") not in tray.about()


def test_most_throws_are_stored_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tray = tray_at(tmp_path / "tray.profile")
    stored = []
    monkeypatch.setattr(store, "save", lambda _, known: stored.append(known))
    dice = tuple(confirmed(BLUE, FACES))
    for _ in range(2 * THROWS_TO_STORE + 1):
        tray.learning.learn_throw(BLUE, dice)
    assert len(stored) == 3, "the first tells the colour"
    tray.learning.learn_throw(BLUE, dice)
    tray.learning.finish()
    tray.learning.finish()
    assert len(stored) == 4


@pytest.mark.parametrize("new", [True, False])
def test_dice_of_other_colours_are_asked_about_once(tmp_path: Path, new: bool) -> None:
    path = tmp_path / "tray.profile"
    tray = tray_at(path)
    asked: list[tuple[tuple[ColourName, ...], tuple[ColourName, ...]]] = []

    def ask(old: tuple[ColourName, ...], now: tuple[ColourName, ...]) -> None:
        asked.append((old, now))

    def throw(image: Image) -> None:
        tray.learning.learn_throw(image, tuple(confirmed(image, FACES)))
        tray.new_dice.ask_about_colours(ask)

    red = thrown(FACES, 9, RED_DICE)
    throw(BLUE)
    throw(red)
    throw(BLUE)
    throw(red)
    assert asked == [], "somebody may have thrown others in between"
    throw(red)
    throw(red)
    assert asked == [((ColourName.BLUE,), (ColourName.RED,))]
    tray.new_dice.answer(new)
    said = [text for label, text in CalibratedTray(path).about() if label == "COLOUR"]
    assert said == (["RED"] if new else ["BLUE", "RED"])
    throw(red)
    throw(red)
    assert len(asked) == 1
    assert ("COLOUR", "RED") in tray.about()


def test_dice_of_another_size_are_used_unasked_only_until_throws_have_shown_a_size(
    tmp_path: Path,
) -> None:
    tray = tray_at(tmp_path / "tray.profile")
    other_mm = calibration().profile.die_edge_mm + 4.0
    asked: list[tuple[float, float]] = []

    def see_others() -> bool:
        used = tray.new_dice.note_size(other_mm)
        tray.new_dice.ask_about_size(lambda old, now: asked.append((old, now)))
        return used

    assert CalibratedTray(None).new_dice.note_size(other_mm)
    assert see_others()
    assert not asked
    tray.store_learnt(replace(calibration(), size_known=True))
    assert not see_others()
    assert asked == [(calibration().profile.die_edge_mm, other_mm)]
    tray.new_dice.answer(False)
    assert not see_others()
    assert len(asked) == 1, "they have said that these are the same dice"


def test_a_face_that_is_shown_is_judged_and_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "tray.profile"
    tray = tray_at(path)
    (two, *_) = confirmed(BLUE, FACES)
    unsure = replace(two.reading, state=DieState.UNSURE)
    assert tray.learning.judge_face(two.reading, 2) == ""
    assert tray.learning.judge_face(unsure, 2) == "NOT SURE", "there is no picture yet"
    assert store.load(path).own_dice.faces == ()
    Table(tray, monkeypatch)
    assert tray.learning.judge_face(two.reading, 2) == ""
    assert tray.learning.judge_face(unsure, 2) == "NOT SURE"
    assert tray.learning.judge_face(two.reading, 3) == "PIPS UNCLEAR"
    assert tray.learning.judge_face(replace(unsure, state=DieState.LEANING), 2) == "LEANS"
    kept = {f.name: (f.read, f.asked, f.corrected) for f in store.load(path).own_dice.faces}
    assert kept == {"blue 2": (1, 1, 0), "blue 3": (0, 0, 1)}
    # What is said about a Power die teaches its face, as in a game.
    told: list[str] = []
    monkeypatch.setattr(tray.learning, "learn_named_face", lambda face, *_: told.append(face))
    assert tray.learning.judge_face(unsure, "freeze") == "NOT LEARNT YET"
    assert told == ["freeze"]
    assert CalibratedTray(None).learning.judge_face(two.reading, 2) == ""


def test_a_face_that_players_name_is_known_at_the_next_start(tmp_path: Path) -> None:
    path = tmp_path / "tray.profile"
    tray = tray_at(path)
    (named, *_) = confirmed(BLUE, FACES)
    tray.learning.learn_named_face("freeze", np.full_like(BLUE, 255), named.reading)
    assert store.load(path).answers == (), "a face in glare teaches nothing"
    tray.learning.learn_named_face("freeze", BLUE, named.reading)
    assert [face.value for face in store.load(path).answers] == ["freeze"]
    CalibratedTray(None).learning.learn_named_face("freeze", BLUE, named.reading)


class Still:
    """The tray is where it was."""

    trusted = True

    def feed(self, frame: Frame, *, quiet: bool = True) -> tuple[DriftEvent, ...]:
        return ()


def test_a_picture_of_dice_that_were_pushed_or_found_is_kept_too() -> None:
    inner = ScriptedWatcher()
    watcher = GuardedWatcher(calibration(), Still(), lambda _: inner)
    two = die(0, 2)
    events = Found(0, 0.0, (two,)), Moved(1, 0.1, (two.track_id,), (two,))
    assert watcher.last_throw is None
    for k, event in enumerate(events):
        image = np.full((72, 128, 3), k, np.uint8)
        inner.events = [event]
        watcher.feed(Frame(image, float(k), k))
        assert watcher.last_throw is image
