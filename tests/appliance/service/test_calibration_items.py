"""CALIBRATE in the appliance, with made-up looks: what is on disk after which item."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from appliance.inputs import Button, Pressed
from appliance.screens.calibrating import wizard_film
from appliance.service import calibration as service
from appliance.service.calibration import MEASURE_INTERVAL_S, Calibrating
from appliance.service.installation import CalibratedTray
from calibration import store
from calibration.accuracy import Check
from calibration.errors import StoreError
from calibration.problems import Problem, Verdict
from calibration.wizard.pages import LOOKS_TO_TAKE, Page
from calibration.wizard.state import TAKE_CARD, Event, Rested, Seen, Wizard
from tests.appliance.table.scripted import ScriptedWatcher
from tests.builders import die, roll
from tests.calibration.test_store import calibration
from tests.calibration.wizard.test_wizard import (
    EMPTY_HOLDER,
    NOTHING,
    draft,
    face,
    found,
    holding,
)
from vision.events import TrayChanged
from vision.frame import Frame, Image
from vision.reading import POWER_FACES, TrayState

BLANK = np.full((36, 64, 3), 90, np.uint8)

Look = Callable[[Wizard], Seen]


class Bench:
    """A calibration whose looks are given, and the file that it keeps things in."""

    def __init__(self, path: Path, patched: pytest.MonkeyPatch) -> None:
        self.tray = CalibratedTray(path)
        activity = self.tray.calibrate()
        assert isinstance(activity, Calibrating)
        self.activity = activity
        self.looks: Look = lambda wizard: found()
        self.time_s = 0.0

        def look(wizard: Wizard, frames: Sequence[Frame], darker: Sequence[Image] = ()) -> Seen:
            return self.looks(wizard)

        patched.setattr(service, "look", look)

    def wait(self, looks: int) -> None:
        for _ in range(looks):
            self.time_s += MEASURE_INTERVAL_S
            self.activity.feed(Frame(BLANK, self.time_s, 0))

    def press(self, *buttons: Button) -> None:
        for button in buttons:
            self.activity.press(Pressed(button))

    def on(self, page: Page) -> bool:
        return self.activity.wizard.page is page


def test_a_power_cut_loses_only_the_item_at_hand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "tray.profile"
    bench = Bench(path, monkeypatch)
    assert bench.on(Page.TRAY)
    bench.wait(LOOKS_TO_TAKE[Page.TRAY] + 1)
    assert bench.on(Page.KEPT)
    assert store.load(path).lens_source == "found"
    # What was kept is shown for some seconds, and passes by itself.
    bench.wait(20)
    assert bench.on(Page.LIST)
    assert bench.activity.wizard.item is Page.POWER
    bench.press(Button.OK)
    bench.looks = lambda wizard: NOTHING
    bench.wait(2)
    bench.looks = lambda wizard: face(wizard, len(wizard.faces), 10.0 * len(wizard.faces))
    while len(bench.activity.wizard.faces) < len(POWER_FACES) - 1:
        bench.wait(1)
    assert store.load(path).profile.power_faces == ()
    # The power is cut, and comes back.
    again = CalibratedTray(path)
    assert again.calibration is not None
    assert again.calibration.lens_source == "found"
    assert not any("BROKEN" in notice[0] for notice in again.notices)
    # Without the cut the sixth face is the last thing that is needed.
    bench.wait(2 + LOOKS_TO_TAKE[Page.POWER])
    assert tuple(f.value for f in store.load(path).profile.power_faces) == POWER_FACES


def test_every_item_is_left_with_one_back_and_what_was_done_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "tray.profile"
    store.save(path, draft("before"))
    bench = Bench(path, monkeypatch)
    assert bench.on(Page.LIST)
    before = path.read_bytes()
    for item in (Page.TRAY, Page.POWER, Page.HOLDER, Page.CARD, Page.CHECK):
        bench.press(Button.OK)
        assert bench.on(item)
        bench.press(Button.BACK)
        assert bench.on(Page.LIST)
        bench.press(Button.RIGHT)
    bench.press(Button.BACK)
    assert bench.activity.done
    assert path.read_bytes() == before


def test_profiles_of_earlier_versions_open_and_can_be_calibrated_further(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "tray.profile"
    checked = replace(draft("before", POWER_FACES * 2), check=Check(60, 1))
    body = store.encode(checked).split(b"\n", 1)[1]
    # Two takes of each face, a check that did not count what was not read, nothing of the rim.
    old = re.sub(rb',\s*"unread": 0', b"", body)
    old = re.sub(rb'\s*"rim_known": true,', b"", old)
    assert old != body
    head = f"dicetray-profile 2 sha256={store._checksum(2, old)} bytes={len(old)}\n".encode()
    path.write_bytes(head + old)
    bench = Bench(path, monkeypatch)
    assert bench.tray.calibration is not None
    assert bench.tray.calibration.check == Check(60, 1)
    assert len(bench.tray.calibration.profile.power_faces) == 2 * len(POWER_FACES)
    assert bench.on(Page.LIST)
    bench.press(Button.OK)
    bench.wait(LOOKS_TO_TAKE[Page.TRAY] + 1)
    assert store.load(path).check == Check()


def test_a_full_disk_is_said_on_the_page_and_written_to_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = Bench(tmp_path / "tray.profile", monkeypatch)
    tried = []

    def refuse(path: Path, calibration: object) -> None:
        tried.append(path)
        raise StoreError("no space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(store, "save", refuse)
        bench.wait(30)
    assert bench.on(Page.TRAY)
    assert len(tried) == 1
    verdict = bench.activity.wizard.verdict
    assert verdict is not None
    assert verdict.problem is Problem.NOT_SAVED
    bench.press(Button.OK)
    assert bench.on(Page.KEPT)


def test_no_picture_leaves_while_a_card_may_be_in_view(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pages and terminals show what `view` gives; the watch page's comes from the same."""
    path = tmp_path / "tray.profile"
    store.save(path, draft("before"))
    bench = Bench(path, monkeypatch)
    bench.press(Button.RIGHT, Button.RIGHT, Button.RIGHT)
    assert shown(bench) is not None
    bench.press(Button.OK)
    assert bench.on(Page.CARD)
    assert shown(bench) is None
    measured = replace(draft("by card"), print_scale=0.95, print_known=True)
    card = Seen(Page.CARD, Verdict(1.0), draft=measured, covered=True)
    bench.looks = lambda wizard: card
    bench.wait(1)
    bench.press(Button.BACK)
    assert bench.on(Page.CARD), "the card lies there still"
    assert bench.activity.wizard.refusal is TAKE_CARD
    assert shown(bench) is None
    bench.wait(LOOKS_TO_TAKE[Page.CARD] + 1)
    assert bench.activity.wizard.measured is measured
    bench.looks = lambda wizard: Seen(Page.CARD, TAKE_CARD, draft=measured, covered=True)
    bench.wait(20)
    bench.press(Button.OK, Button.BACK)
    assert bench.on(Page.CARD)
    assert shown(bench) is None
    assert not store.load(path).print_known, "nothing is kept before it is gone"
    bench.looks = lambda wizard: Seen(Page.CARD, Verdict(1.0), draft=measured)
    bench.wait(LOOKS_TO_TAKE[Page.CARD] + 1)
    assert bench.on(Page.KEPT)
    assert shown(bench) is not None
    kept = store.load(path)
    assert (kept.print_scale, kept.print_known) == (0.95, True)
    pictures = (kept.profile.empty, *(one.picture for one in kept.own_dice.faces))
    assert not any(one is not None for one in pictures)


def shown(bench: Bench) -> Image | None:
    """The picture that screens show."""
    return bench.activity.view(Frame(BLANK, bench.time_s, 0), None).tray


def test_all_pages_of_what_is_said_come_in_turn_while_the_bar_grows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "tray.profile"
    store.save(path, draft("before"))
    bench = Bench(path, monkeypatch)
    while bench.activity.wizard.item is not Page.HOLDER:
        bench.press(Button.RIGHT)
    bench.press(Button.OK)
    bench.looks = lambda wizard: EMPTY_HOLDER
    bench.wait(2)
    bench.looks = lambda wizard: holding((110.0, 0.0))
    shown = []
    while bench.on(Page.HOLDER):
        bench.wait(1)
        shown.append((wizard_film(bench.activity.said), bench.activity.picture(bench.time_s + 0.3)))
    pages = [[still.picture for still in film.loop].index(picture) for film, picture in shown[:-1]]
    assert pages == sorted(pages), "none begins anew because another look was as good"
    assert set(pages) == {0, 1}


def test_whoever_has_no_card_at_hand_leaves_with_one_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "tray.profile"
    store.save(path, draft("before"))
    bench = Bench(path, monkeypatch)
    bench.looks = lambda wizard: Seen(Page.CARD, Verdict(0.0, Problem.NO_CARD))
    bench.press(Button.RIGHT, Button.RIGHT, Button.RIGHT, Button.OK)
    bench.wait(2)
    bench.press(Button.BACK)
    assert bench.on(Page.LIST)


def test_of_what_is_seen_in_a_check_only_dice_at_rest_count_from_left_to_right(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    activity = Calibrating(lambda _: None, known=calibration())
    watcher, seen = ScriptedWatcher(), list[Event]()
    activity._watcher = watcher

    def advance(wizard: Wizard, event: Event) -> Wizard:
        seen.append(event)
        return wizard

    monkeypatch.setattr(service, "advance", advance)
    thrown = roll(die(2, 5), die(0, 3), die(1, 6))
    watcher.events = [TrayChanged(0, 0.0, TrayState.STILL), thrown]
    activity._watch_throws(Frame(BLANK, 1.0, 0))
    (rested,) = seen
    assert isinstance(rested, Rested)
    places = sorted((d.reading.center, d.reading.value) for d in thrown.dice)
    assert [one.value for one in rested.dice] == [value for _, value in places]
