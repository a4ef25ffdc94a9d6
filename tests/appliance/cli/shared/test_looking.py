"""Somebody tries cameras: which one is begun with, what is shown, and what keys do."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from appliance.cli.shared.looking import TOLD_S, Looking, Readings, Seen, Wish, _leave_as_it_is
from appliance.devices.camera import Camera
from appliance.devices.camera.listing import ListedCamera
from appliance.devices.camera.mode import Mode
from appliance.devices.camera.phone import Away, Invitation, PhoneCamera, PhoneLink, SentPicture
from appliance.devices.camera.usb import V4L2Camera
from appliance.errors import CameraError
from appliance.inputs import HOLD_BUTTONS, Button
from appliance.service.view import View
from appliance.terminal.keyboard import QUIT_ACTION
from appliance.terminal.screen import screen_lines
from appliance.terminal.style import Colours, Style
from calibration.problems import Problem
from simulator.render.scene import Scene
from simulator.scenes.installations import INSTALLATION_QUALITY
from tests.rigs.any_set_up import any_set_up
from tests.rigs.marker_faults import faulty_tray
from tests.rigs.rendering.pictures import drawn
from tests.rigs.webcam import over_dice, photograph
from tests.rigs.webcam_lenses import with_marker
from vision.frame import Frame, Image

WEBCAM = ListedCamera("v4l2:2", "HD Pro Webcam C920")
OTHER = ListedCamera("v4l2:4", "USB Camera")
LID = ListedCamera("v4l2:0", "Integrated Camera", built_in=True)
MODE = "1280x720 MJPG, 29 fps, exposure locked, focus fixed"
MOST_TURNS = 4000
FACES = (3, 3, 5, 6, 2)


@cache
def dice() -> Image:
    return photograph(over_dice(0, FACES))


class Picture:
    """A camera that gives the same picture, with the noise of a sensor unless it is `frozen`."""

    name = "picture"
    mode = Mode((1280, 720), "MJPG", 29.4, True, True, (1280, 720), 30.0)

    def __init__(self, image: Image, frozen: bool = False) -> None:
        self._image, self._frozen, self._closed = image, frozen, False

    def frames(self) -> Iterator[Frame]:
        count = 0
        while not self._closed:
            image = self._image.copy()
            image[:8] = 0 if self._frozen else count % 2
            yield Frame(image, count / 30, count)
            count += 1

    def close(self) -> None:
        self._closed = True


class Person:
    """Screen and keys: presses the next key once what it waits for is shown."""

    def __init__(self, *plan: tuple[Callable[[View], bool], str]) -> None:
        self._plan = list(plan)
        self.shown: list[View] = []
        self.opened: list[str] = []
        self.wish: Wish | None = None

    def draw(self, view: View) -> None:
        self.shown.append(view)
        assert len(self.shown) < MOST_TURNS, view.guidance.says

    def obey(self, actions: Sequence[str]) -> None:
        pass

    def poll(self) -> list[str]:
        if self._plan and self._plan[0][0](self.shown[-1]):
            return [self._plan.pop(0)[1]]
        return []

    def tries(
        self,
        *cameras: ListedCamera,
        spec: str = "",
        image: Image | None = None,
        phone: PhoneLink | None = None,
    ) -> str:
        def opened(spec: str) -> Camera:
            self.opened.append(spec)
            if spec == "phone" and phone is not None:
                return PhoneCamera(phone, patience_s=0.2, wait=lambda _: None)
            if spec == "v4l2:9":
                raise CameraError("v4l2:9: expected a camera that opens, found one that is busy")
            return Picture(dice() if image is None else image, frozen=spec == "v4l2:8")

        looking = Looking(
            *(self, self, lambda: False, opened, lambda: cameras),  # type: ignore[arg-type]
            phone=phone is not None,
        )
        self.wish = looking.look(spec)
        return "" if self.wish is None else self.wish.camera


def is_good(view: View) -> bool:
    return view.good


def asks_which(view: View) -> bool:
    return view.guidance.says.startswith("Which camera")


def has_stills(count: int) -> Callable[[View], bool]:
    """True once so many stills were taken: what has none yet is grey all over."""
    return lambda view: (
        asks_which(view)
        and view.tray is not None
        and sum(part.std() > 1 for part in np.array_split(view.tray, count, axis=1)) == count
    )


def test_the_only_camera_is_tried_at_once_and_played_with() -> None:
    person = Person((is_good, Button.OK))
    assert person.tries(WEBCAM) == WEBCAM.spec
    last = person.shown[-1]
    assert last.guidance.says == "ALL 5 READ: PLAY"
    assert sorted(die.face for die in last.dice) == sorted(map(str, FACES))
    assert all(die.sure and die.outline.min() > 0 and die.outline.max() < 1 for die in last.dice)
    assert last.looking == f"{WEBCAM.name}, {MODE}."


def test_the_password_in_an_address_is_not_shown() -> None:
    person = Person((is_good, Button.OK))
    address = "http://anna:geheim@phone:8080/video?t=geheim"
    assert person.tries(spec=address) == address
    assert "http://phone:8080/..., " in person.shown[-1].looking
    assert not [view for view in person.shown if "geheim" in repr(view)]


def test_the_camera_in_a_lid_is_never_taken_unasked() -> None:
    person = Person((has_stills(1), "hold1"), (is_good, Button.OK))
    assert person.tries(LID) == LID.spec
    first = next(view for view in person.shown if asks_which(view))
    assert [die.face for die in first.dice] == ["Integrated Camera, built in"]
    assert not first.dice[0].sure


def test_enter_takes_the_only_one_that_there_is_to_choose() -> None:
    assert Person((has_stills(1), Button.OK), (is_good, Button.OK)).tries(LID) == LID.spec
    person = Person((has_stills(2), Button.OK), (has_stills(2), QUIT_ACTION))
    assert person.tries(WEBCAM, OTHER) == ""


def test_a_webcam_beside_the_lid_is_taken() -> None:
    person = Person((is_good, QUIT_ACTION))
    assert person.tries(WEBCAM, LID) == ""
    assert set(person.opened) == {WEBCAM.spec}


def test_of_several_one_is_chosen_by_its_still() -> None:
    person = Person((has_stills(2), "hold2"), (is_good, Button.OK))
    assert person.tries(WEBCAM, OTHER) == OTHER.spec
    chosen = [view for view in person.shown if asks_which(view)][-1]
    assert [(die.number, die.face) for die in chosen.dice] == [*((1, WEBCAM.name), (2, OTHER.name))]
    assert person.opened == [WEBCAM.spec, OTHER.spec, OTHER.spec]


def test_another_camera_can_be_taken() -> None:
    person = Person((is_good, Button.BACK), (asks_which, "hold2"), (is_good, Button.OK))
    assert person.tries(WEBCAM, LID) == LID.spec


def test_a_camera_that_does_not_open_says_why_and_cannot_be_played_with() -> None:
    def busy(view: View) -> bool:
        return "busy" in view.guidance.says

    person = Person((busy, Button.OK), (busy, QUIT_ACTION))
    assert person.tries(spec="v4l2:9") == ""


def test_a_frozen_camera_is_named() -> None:
    def stuck(view: View) -> bool:
        return view.guidance.says.startswith("The camera always sends the same picture")

    person = Person((stuck, Button.OK), (stuck, QUIT_ACTION))
    assert person.tries(spec="v4l2:8") == ""


def test_without_a_camera_one_is_asked_for() -> None:
    def none(view: View) -> bool:
        return view.guidance.says == "No camera found: plug one in."

    person = Person((none, Button.BACK), (none, QUIT_ACTION))
    assert person.tries() == ""


def test_a_game_may_begin_whatever_the_advice_is() -> None:
    def advised(view: View) -> bool:
        return view.guidance.says.startswith("NO DICE SEEN")

    person = Person((advised, Button.OK))
    floor = np.random.default_rng(0).integers(80, 90, (720, 1280, 3), np.uint8)
    assert person.tries(WEBCAM, image=floor) == WEBCAM.spec


@pytest.mark.parametrize(
    ("key", "players", "menu"),
    [
        (Button.OK, None, False),
        *((hold, number, False) for number, hold in enumerate(HOLD_BUTTONS, 1)),
        (f"long:{Button.OK}", None, True),
    ],
)
def test_one_key_says_who_plays(key: str, players: int | None, menu: bool) -> None:
    person = Person((lambda view: view.tray is not None, key))
    assert person.tries(WEBCAM) == WEBCAM.spec
    assert person.wish is not None
    assert (person.wish.players, person.wish.menu) == (players, menu)


def test_a_game_gets_what_was_seen_at_last_some_time_apart() -> None:
    seen, camera = Seen(), Picture(dice())
    for _, frame in zip(range(90), camera.frames(), strict=False):
        seen.take(frame)
    times = [frame.time_s for frame in seen.frames]
    assert times[-1] > 88 / 30 - 0.07
    assert min(np.diff(times)) >= 0.06
    # Enough for a rest to be seen, and little enough for a small machine.
    assert 0.5 < times[-1] - times[0] < 1
    assert sum(frame.image.nbytes for frame in seen.frames) < 30_000_000


INVITATION = Invitation("https://192.168.1.5:8443", "123456", "https://192.168.1.5:8443/#123456")


def test_a_game_finds_the_camera_as_it_locked_itself(tmp_path: Path) -> None:
    (tmp_path / "video0").touch()
    camera = V4L2Camera("0", dev=tmp_path)
    assert _leave_as_it_is(camera) is None
    assert not camera.stays_set
    camera.report({"exposure_time_absolute": 200.0})
    camera.settle()
    assert _leave_as_it_is(camera) == {"exposure_time_absolute": 200.0}
    assert camera.stays_set


def test_where_no_camera_is_a_phone_is_offered_and_led_to_its_page() -> None:
    link = PhoneLink(INVITATION)

    def invites(view: View) -> bool:
        said = view.guidance.says == INVITATION.sentence
        if said:
            assert view.tray is not None
            assert cv2.QRCodeDetector().detectAndDecode(view.tray)[0] == INVITATION.link
            data = cv2.imencode(".jpg", dice())[1].tobytes()
            link.offer(SentPicture(data, 100.0, 0.1))
        return False

    def offers(view: View) -> bool:
        says = view.guidance.says
        assert invites(view) or says != "No camera found: plug one in."
        return says == "No camera found: plug one in, or take a phone."

    def advises(view: View) -> bool:
        invites(view)
        return link.advice != "" and view.tray is not None and view.looking.startswith("a phone")

    person = Person((offers, "hold1"), (advises, QUIT_ACTION))
    person.tries(phone=link)
    assert person.opened == ["phone"]
    assert person.shown[-1].looking == (
        "a phone's browser, 1280x720, 0.1 s delay, auto exposure, autofocus."
    )


def test_why_a_phone_sends_nothing_stays_up_until_it_sends_again() -> None:
    link = PhoneLink(INVITATION)
    later: list[str] = []

    def leaves(view: View) -> bool:
        if view.guidance.says == INVITATION.sentence:
            link.admit("its page")
            data = cv2.imencode(".jpg", dice())[1].tobytes()
            link.offer(SentPicture(data, 100.0, 0.1), "its page")
        if view.looking:
            link.leave("its page", Away.LEFT)
        return view.guidance.says.startswith("The page on the phone was closed")

    def has_stayed(view: View) -> bool:
        later.append(view.guidance.says)
        return len(later) == 20

    Person((leaves, "ignored"), (has_stayed, QUIT_ACTION)).tries(spec="phone", phone=link)
    assert set(later) == {"The page on the phone was closed: open it again."}


def test_a_phone_comes_after_the_cameras() -> None:
    person = Person((is_good, Button.BACK), (asks_which, QUIT_ACTION))
    person.tries(WEBCAM, phone=PhoneLink(INVITATION))
    chosen = [view for view in person.shown if asks_which(view)][-1]
    assert [die.face for die in chosen.dice] == [WEBCAM.name, "a phone's browser"]


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (200, 60)])
def test_a_terminal_shows_the_sentence_the_values_and_the_keys(columns: int, rows: int) -> None:
    person = Person((is_good, QUIT_ACTION))
    person.tries(WEBCAM)
    lines = screen_lines(person.shown[-1], columns, rows, Style(Colours.NONE))
    assert len(lines) == rows - 1
    assert all(len(line) < columns for line in lines)
    assert lines[0] == "ALL 5 READ: PLAY"
    below = next(number for number, line in enumerate(lines) if line.startswith("ENTER"))
    assert " ".join(lines[below:]) == (
        "ENTER begins a game  1-6 players, a new game  m games and names  b another camera "
        f"{WEBCAM.name}, {MODE}. q quit"
    )
    assert all(any(str(face) in line for line in lines[1:below]) for face in FACES)


@cache
def leaning() -> Scene:
    return over_dice(1, FACES, 20.0)


def leans(view: View) -> bool:
    return view.guidance.says.startswith("LOOK STRAIGHT DOWN")


def knows_the_angle(view: View) -> bool:
    return "angle known: 20 degrees" in view.looking


@pytest.mark.slow
def test_at_an_angle_the_corners_of_the_floor_can_be_pointed_at() -> None:
    corners = leaning().camera.project(
        np.array([(x * 108.0, y * 76.0, 0.0) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
    )
    points = [f"point:{x / 1280:.5f},{y / 720:.5f}" for x, y in corners]

    def points_at(number: int) -> Callable[[View], bool]:
        return lambda view: view.pointing and f"Corner {number} of 4" in view.guidance.says

    plan = [(points_at(number), point) for number, point in enumerate(points, 1)]
    person = Person(
        (leans, Button.HINT),
        (points_at(1), Button.BACK),
        (leans, Button.HINT),
        *plan,
        (lambda view: knows_the_angle(view) and is_good(view), Button.OK),
    )
    assert person.tries(WEBCAM, image=photograph(leaning())) == WEBCAM.spec
    assert person.wish is not None and person.wish.geometry is not None


@pytest.mark.slow
def test_at_an_angle_one_marker_is_enough() -> None:
    image = photograph(with_marker(leaning()))
    person = Person((lambda view: is_good(view) and "angle known" in view.looking, Button.OK))
    assert person.tries(WEBCAM, image=image) == WEBCAM.spec
    assert person.wish is not None and person.wish.geometry is not None


@pytest.mark.slow
def test_markers_that_cannot_be_used_are_told_for_a_while_and_no_more_once_they_can() -> None:
    wrong = drawn(faulty_tray("exchanged", 2).scenes[0], quality=INSTALLATION_QUALITY)
    right = drawn(any_set_up(2).where.scene, quality=INSTALLATION_QUALITY)

    def told(readings: Readings, image: Image, times_s: Iterable[float]) -> list[Problem | None]:
        refusals = [readings._refused(Frame(image, time_s, 0)) for time_s in times_s]
        return [None if refused is None else refused.problem for refused in refusals]

    with Readings() as readings:
        first = told(readings, wrong, np.arange(0.0, 6.0, 0.5).tolist())
        assert first[:10] == [None] * 10
        assert first[10:] == [Problem.MARKERS_MIXED] * 2
        # Somebody may want to play without them.
        assert told(readings, wrong, (7.5, 5.0 + TOLD_S)) == [Problem.MARKERS_MIXED, None]
        assert told(readings, right, np.arange(20.0, 26.0, 0.5).tolist()) == [None] * 12
        assert readings._tray is None, "they were used"
