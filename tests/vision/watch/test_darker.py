"""Darker frames: asked for once dice rest in glare, waited for, never taken for movement."""

from collections import deque
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from tests.vision.watch.film import FPS, Die, Film, FilmReader, rolls, values
from vision.events import Roll, TrayEvent
from vision.frame import Frame, Image
from vision.reading import DieState, Kind, TrayReading
from vision.watch.darker import MAX_WAIT_FRAMES, Darker
from vision.watch.watcher import Watcher

ANSWERS = 8
DICE = [
    Die(120, 80, 3),
    Die(200, 140, 5, 20.0, Kind.BLACK),
    Die(300, 90, 6, 40.0, Kind.WHITE, DieState.UNSURE),
]


class DarkCamera:
    """Shows a film, darker some frames after it was asked to be; never if `answers` is None."""

    def __init__(self, answers: int | None = ANSWERS) -> None:
        self.shares = deque([1.0] * (answers or 1), answers or 1)
        self.answers = answers
        self.asked: list[float] = []
        self.able = True

    def darken(self, share: float) -> bool:
        self.asked.append(share)
        return self.able

    def brighten(self) -> None:
        self.asked.append(1.0)

    def take(self, frame: Frame) -> Frame:
        share = self.shares[0]
        self.shares.append(self.asked[-1] if self.asked and self.answers else 1.0)
        if share == 1.0:
            return frame
        dark = (frame.image * share).astype(np.uint8)
        return replace(frame, image=dark, exposure=share)


class DarkReader(FilmReader):
    """Is sure of all dice once it gets a darker picture, unless these differ in what they show."""

    def __init__(self, film: Film, shown: Sequence[int] = (6,)) -> None:
        super().__init__(film)
        self.shown = shown
        self.again: list[int] = []

    def read_again(
        self, image: Image, reading: TrayReading, darker: Sequence[Image]
    ) -> TrayReading:
        (dark,) = darker
        assert dark.mean() < 0.3 * image.mean()
        value = self.shown[len(self.again) % len(self.shown)]
        self.again.append(self.count)
        dice = [
            die if die.sure else replace(die, value=value, state=DieState.OK, candidates=())
            for die in reading.dice
        ]
        return replace(reading, dice=tuple(dice))


def thrown(film: Film, frames: int = 70, dice: Sequence[Die] = DICE) -> int:
    film.show(10)
    rest = film.throw(list(dice))
    film.show(frames)
    return rest


def watched(
    film: Film, camera: DarkCamera, reader: DarkReader, expected: int | None = None
) -> list[TrayEvent]:
    watcher = Watcher(reader, darker=Darker(reader, camera))
    watcher.expect(expected)
    return [event for frame in film.frames for event in watcher.feed(camera.take(frame))]


def test_dice_in_glare_are_read_from_darker_frames_and_the_exposure_is_restored() -> None:
    film, camera = Film(), DarkCamera()
    rest = thrown(film)
    reader = DarkReader(film)
    (roll,) = rolls(watched(film, camera, reader))
    assert (roll.sure, values(roll)) == (True, [3, 5, 6])
    assert roll.rest_frame <= rest + 2
    assert 0.3 < (roll.frame - rest) / FPS < 0.5
    assert camera.asked[0] < 1.0
    assert camera.asked[-1] == 1.0
    assert len(reader.again) == 2


@pytest.mark.parametrize("dice", [DICE[:2], [DICE[0], replace(DICE[1], state=DieState.UNSURE)]])
def test_nothing_is_asked_for_without_glare_in_doubt(dice: list[Die]) -> None:
    film, camera = Film(), DarkCamera()
    rest = thrown(film, dice=dice)
    (roll,) = rolls(watched(film, camera, DarkReader(film)))
    assert 1.0 not in camera.asked[:1]
    assert not [share for share in camera.asked if share < 1.0]
    assert (roll.frame - rest) / FPS < 0.35


def test_missing_dice_are_looked_for_in_darker_frames() -> None:
    film, camera = Film(), DarkCamera()
    thrown(film, dice=DICE[:2])
    watched(film, camera, DarkReader(film), expected=3)
    assert camera.asked[0] < 1.0


@pytest.mark.parametrize("able", [True, False])
def test_a_camera_that_stays_bright_delays_a_throw_twice_at_most(able: bool) -> None:
    film, camera = Film(), DarkCamera(None)
    camera.able = able
    delays = []
    for _ in range(3):
        film.dice = []
        rest = thrown(film)
        delays.append(rest)
        film.reach_in((250, 120), list(film.dice), [])
    found = rolls(watched(film, camera, DarkReader(film)))
    assert [roll.sure for roll in found] == [False] * 3
    late = [(roll.frame - rest) > MAX_WAIT_FRAMES for roll, rest in zip(found, delays, strict=True)]
    assert late == ([True, True, False] if able else [False] * 3)


def test_darker_frames_that_show_different_values_make_no_claim() -> None:
    film, camera = Film(), DarkCamera()
    thrown(film)
    (roll,) = rolls(watched(film, camera, DarkReader(film, (6, 4))))
    assert [die.reading.sure for die in roll.dice] == [True, True, False]


@pytest.mark.parametrize("after", [2, 6, 9])
def test_a_hand_that_comes_meanwhile_ends_it(after: int) -> None:
    film, camera = Film(), DarkCamera()
    thrown(film, 4 + after)
    film.move_hand((300, 330), (300, 90), 4)
    film.show(20, hand=(300, 90))
    film.move_hand((300, 90), (300, 330), 4)
    film.show(50)
    found = rolls(watched(film, camera, DarkReader(film)))
    # There is only one throw, and at the end everything is read.
    assert len(found) == 1
    assert camera.asked[-1] == 1.0
    assert camera.shares[-1] == 1.0


def test_dice_that_move_in_the_dark_are_not_claimed_as_they_lay() -> None:
    film, camera = Film(), DarkCamera()
    rest = thrown(film, 10)
    film.dice = [*DICE[:2], replace(DICE[2], x=330.0, y=150.0, value=2)]
    film.show(80)

    class Late(DarkReader):
        def read_again(
            self, image: Image, reading: TrayReading, darker: Sequence[Image]
        ) -> TrayReading:
            return reading  # nothing lies where it lay: the darker one shows no such die

    events = watched(film, camera, Late(film))
    first = next(event for event in events if isinstance(event, Roll))
    assert first.frame > rest + 10
    assert not any(event.sure for event in events if isinstance(event, Roll))


def test_a_camera_left_dark_is_told_again() -> None:
    film, camera = Film(), DarkCamera()
    film.show(70)
    watcher = Watcher(DarkReader(film), darker=Darker(DarkReader(film), camera))
    for frame in film.frames:
        assert watcher.feed(replace(frame, exposure=0.125)) == ()
    assert 1 <= len(camera.asked) <= 3
    assert set(camera.asked) == {1.0}
