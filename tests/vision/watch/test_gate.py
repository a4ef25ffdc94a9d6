"""Frames that nobody looks at: nothing is missed by them, or noticed later."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import pytest

from tests.rigs.examples import FULL, examples
from tests.vision.watch.film import FPS, HEIGHT, WIDTH, Die, Film, FilmReader, watch
from vision.events import TrayEvent
from vision.frame import Frame, Image
from vision.reading import TrayReading, TrayState
from vision.watch.gate import LOOK_INTERVAL_S, Gate
from vision.watch.watcher import Watcher

SIZE = (960, 540) if FULL else (640, 360)
THINGS = 20  # on each floor
LYING = [Die(150, 80, 5, 10), Die(300, 160, 3, 40), Die(390, 90, 1, 75)]


class Open(Gate):
    """Lets every frame through."""

    def may_have_changed(self, frame: Frame) -> bool:
        return True


class Sleepless(Watcher):
    """Looks at every frame, as all watchers once did."""

    def feed(self, frame: Frame) -> tuple[TrayEvent, ...]:
        self._gate = Open()
        return super().feed(frame)


class Nothing:
    """Reads no dice anywhere."""

    def read(self, image: Image) -> TrayReading:
        return TrayReading(TrayState.EMPTY, ())


@dataclass(frozen=True)
class Thing:
    """A grey square that comes into the tray: at once, little by little, or from the left."""

    size: int
    contrast: int
    place: tuple[int, int]
    how: str
    speed: float

    def put_into(self, image: Image, frames: int) -> None:
        """Draws it as it is so many frames after it began to come."""
        (x, y), contrast = self.place, self.contrast
        if self.how == "slides":
            x = min(x, round(self.speed * (frames + 1)) - self.size)
        elif self.how == "fades":
            contrast = round(contrast * min(1.0, self.speed * (frames + 1) / 30))
        there = image[y : y + self.size, max(0, x) : max(0, x + self.size)]
        there[:] = np.clip(there.astype(np.int16) + contrast, 0, 255)


def any_thing(rng: np.random.Generator) -> Thing:
    size, contrast = int(rng.integers(8, 41)), int(rng.integers(6, 101))
    place = (int(rng.integers(0, SIZE[0] - size)), int(rng.integers(0, SIZE[1] - size)))
    how = ("appears", "fades", "slides")[int(rng.integers(3))]
    return Thing(size, contrast * int(rng.choice((-1, 1))), place, how, rng.uniform(0.3, 12))


def floors(rng: np.random.Generator) -> list[Image]:
    """Noisy pictures of a floor, grey or coloured, with a rim."""
    width, height = SIZE
    grain = cv2.resize(rng.normal(0, 6, (height // 4, width // 4)), SIZE)
    level = rng.uniform(8, 200, 3) if rng.integers(2) else np.full(3, rng.uniform(8, 220))
    still = level + grain[:, :, None]
    cv2.rectangle(still, (40, 20), (width - 40, height - 20), (60, 80, 100), 10)
    noise = rng.uniform(0.3, 3.5)
    pictures = (still + rng.normal(0, noise, still.shape) for _ in range(8))
    return [np.clip(picture, 0, 255).astype(np.uint8) for picture in pictures]


def with_small(image: Image, small: bool, number: int) -> Frame:
    width, height = SIZE
    size = (320, 320 * height // width)
    copy = cv2.resize(image, size, interpolation=cv2.INTER_AREA) if small else None
    return Frame(image, number / FPS, number, None if copy is None else copy.astype(np.uint8))


def noticed(thing: Thing, pictures: list[Image], rng: np.random.Generator) -> tuple[int, int]:
    """The frames after which a thing is noticed by a watcher that looks at all, and by ours."""
    never = 80
    rest, small = int(rng.integers(14, 34)), bool(rng.integers(2))
    watchers, first = (Sleepless(Nothing()), Watcher(Nothing())), [never, never]
    for number in range(rest + never):
        image = pictures[int(rng.integers(len(pictures)))].copy()
        if number >= rest:
            thing.put_into(image, number - rest)
        frame = with_small(image, small, number)
        for which, watcher in enumerate(watchers):
            watcher.feed(frame)
            if number >= rest and not watcher.reported:
                first[which] = min(first[which], number - rest)
        if max(first) < never or (thing.how == "appears" and number > rest + 12):
            break
    return first[0], first[1]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(examples(2, 50)))
def test_no_thing_is_noticed_later_than_where_every_frame_is_looked_at(seed: int) -> None:
    rng = np.random.default_rng(seed)
    pictures, seen = floors(rng), 0
    for _ in range(THINGS):
        thing = any_thing(rng)
        before, now = noticed(thing, pictures, rng)
        assert now <= before, thing
        seen += before < 80
    assert seen >= 3


def slow_hand(film: Film) -> None:
    film.move_hand((240, 330), (240, 200), frames=150)
    film.show(30, hand=(240, 200))
    film.move_hand((240, 200), (240, 330), frames=150)


def shadow(film: Film) -> None:
    for x in np.linspace(-120, WIDTH + 120, 160):
        film.show(1, shadow=float(x))


def clouds(film: Film) -> None:
    for k in range(240):
        film.show(1, gain=1.0 - 0.25 * float(np.sin(k / 40)) ** 2)


def flicker(film: Film) -> None:
    for k in range(120):
        film.show(1, bands=1.9 * k)


def dusk(film: Film) -> None:
    for k in range(300):
        film.show(1, gain=1.0 - 0.002 * k)


def cat(film: Film) -> None:
    """Walks through, sits for a while, and goes."""
    for x in (*np.linspace(-60, 200, 40), *[200.0] * 40, *np.linspace(200, WIDTH + 60, 40)):
        film.show(1, cup=(float(x), 160.0))


def creeping_die(film: Film) -> None:
    for _ in range(90):
        film.dice[0] = Die(film.dice[0].x + 0.12, film.dice[0].y, 5, 10)
        film.show(1)


def jitter(film: Film) -> None:
    for k in range(90):
        film.show(1, shift=(0.5 * float(np.sin(1.3 * k)), 0.5 * float(np.cos(0.9 * k))))


@pytest.mark.slow
@pytest.mark.parametrize(
    "happens", [slow_hand, shadow, clouds, flicker, dusk, cat, creeping_die, jitter]
)
def test_the_same_is_reported_at_the_same_frames(happens: Callable[[Film], None]) -> None:
    film = Film(dice=list(LYING))
    film.show(20)
    happens(film)
    film.show(20)
    film.throw([Die(200, 200, 2), Die(420, 200, 6)])
    film.show(20)
    told = watch(film, Sleepless(FilmReader(film)))
    assert told
    assert watch(film) == told


def looked_at(frames: Sequence[Frame]) -> list[bool]:
    gate = Gate()
    return [gate.may_have_changed(frame) for frame in frames]


@pytest.mark.slow
@pytest.mark.parametrize("flickers", [False, True])
def test_few_frames_of_a_tray_at_rest_are_looked_at(flickers: bool) -> None:
    film = Film(dice=list(LYING), noise=2.5)
    for k in range(120):
        film.show(1, bands=1.9 * k if flickers else None)
    assert np.mean(looked_at(film.frames)) < 0.1


@pytest.mark.slow
def test_a_frame_is_looked_at_every_two_seconds() -> None:
    film = Film()
    film.show(150)
    looks = np.flatnonzero(looked_at(film.frames))
    assert np.diff(looks).max() <= LOOK_INTERVAL_S * FPS


def test_what_comes_slower_than_noise_adds_up() -> None:
    film = Film(noise=1.0)
    film.show(20)
    gate, opened = Gate(), False
    for frame in film.frames:
        gate.may_have_changed(frame)
    still = film.frames[-1]
    for step in range(int(LOOK_INTERVAL_S * FPS) - 20):
        image = still.image.astype(np.float32)
        image[100:130, 200:230] += 0.4 * step
        number = still.index + 1 + step
        gate.may_have_changed(Frame(image.astype(np.uint8), number / FPS, number))
        opened |= gate.surprised
    assert opened


def test_what_changes_outside_the_tray_opens_nothing() -> None:
    region = np.zeros((HEIGHT, WIDTH), np.uint8)
    region[80:200, 120:360] = 255
    film = Film()
    film.show(10)
    film.dice = [Die(60, 40, 3), Die(420, 230, 5)]
    there = film.show(10)
    gate = Gate(region)
    looks = [gate.may_have_changed(frame) for frame in film.frames]
    assert not any(looks[there:])


def test_another_size_is_looked_at() -> None:
    film = Film()
    film.show(10)
    gate = Gate()
    for frame in film.frames:
        gate.may_have_changed(frame)
    last = film.frames[-1]
    assert gate.may_have_changed(Frame(last.image[:, :300], last.time_s + 1 / FPS, 11))
