"""More in view than can be looked at: nothing is claimed, memory stays bounded, play goes on."""

from collections.abc import Callable
from types import ModuleType

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from appliance.simulator.render.scene import Scene, camera_parameters
from calibration.readers import UncalibratedReader
from scripts.training.drawn.trays import draw_tray
from vision import reader
from vision.classify import face as face_classifier
from vision.detect import detector, patterns, pips, proposals
from vision.detect.pips import Pips
from vision.errors import OutOfMemory, TooManySpots, Unreadable
from vision.frame import Frame, Image
from vision.geometry.profile import Profile
from vision.image.arrays import FloatArray
from vision.image.memory import memory_watched
from vision.reader import Reader
from vision.reading import TrayReading, TrayState
from vision.watch.watcher import Watcher


@pytest.fixture(scope="module")
def tray() -> Image:
    return draw_tray((1, 2, 3, 4, 5, 6), ("black",) * 6)


def dotted(pitch: int, size: tuple[int, int] = (1536, 864)) -> Image:
    """Light dots on a dark cloth, half as wide as their spacing."""
    y, x = np.mgrid[: size[1], : size[0]]
    away = np.hypot((x % pitch) - pitch / 2, (y % pitch) - pitch / 2)
    grey = (40 + 160 * np.clip(pitch / 4 - away + 0.5, 0, 1)).astype(np.uint8)
    return np.asarray(cv2.merge([grey, grey, grey]), np.uint8)


def spots(seed: int, count: int, side: float) -> Pips:
    rng = np.random.default_rng(seed)
    major = rng.uniform(2.5, 9, count)
    # Half of them on a lattice, so that patterns occur.
    xy = rng.uniform(0, side, (count, 2))
    xy[::2] = np.round(xy[::2] / 16) * 16 + rng.normal(0, 0.3, xy[::2].shape)
    return Pips(xy, major, major * 0.9, rng.uniform(22, 120, count), True)


def all_pairs(found: Pips) -> list[tuple[int, int]]:
    """Pairs that may belong to one face, by comparing every spot with every other."""
    reach = patterns.SPACING[1] * np.hypot(2, 2)
    return [
        (i, j)
        for i in range(len(found))
        for j in range(len(found))
        if i != j
        and abs(np.log(found.major[i]) - np.log(found.major[j])) < 0.35
        and abs(np.log(found.contrast[i]) - np.log(found.contrast[j])) < 1.0
        and np.hypot(*(found.xy[j] - found.xy[i])) < reach * (found.major[i] + found.major[j]) / 2
    ]


@given(st.integers(0, 10_000), st.integers(2, 150), st.floats(40, 900))
def test_pairs_by_blocks_are_those_of_all_with_all(seed: int, count: int, side: float) -> None:
    found = spots(seed, count, side)
    first, second = patterns._similar(found)
    assert [*zip(first.tolist(), second.tolist(), strict=True)] == all_pairs(found)


Places = tuple[FloatArray, FloatArray]


def thinned_at_once(
    centers: FloatArray, edges: FloatArray, reach: float, ratio: float = np.inf
) -> list[int]:
    """The same as `thinned` and `_thin`, with a table of all gaps."""
    gap = np.hypot(*np.moveaxis(centers[:, None] - centers[None], 2, 0))
    size = np.log(edges)
    close = (gap < reach * edges[:, None]) & (np.abs(size[:, None] - size[None]) < ratio)
    kept: list[int] = []
    for i in range(len(edges)):
        if not any(close[i, k] for k in kept):
            kept.append(i)
    return kept


@given(st.integers(0, 10_000), st.integers(0, 120), st.floats(0.1, 1.5), st.floats(0.05, 0.5))
def test_places_are_thinned_as_with_a_table_of_all_gaps(
    seed: int, count: int, reach: float, ratio: float
) -> None:
    rng = np.random.default_rng(seed)
    centers, edges = rng.uniform(0, 200, (count, 2)), rng.uniform(20, 60, count)
    assert proposals.thinned(centers, edges, reach).tolist() == thinned_at_once(
        centers, edges, reach
    )
    kept = thinned_at_once(centers, edges, reach, ratio)
    thin = proposals._thin(centers, edges, reach, ratio)
    np.testing.assert_array_equal(thin[0], centers[kept])
    np.testing.assert_array_equal(thin[1], edges[kept])


def test_spots_are_compared_with_few_others_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even with as many spots as are allowed, no array holds all pairs of them."""
    largest = 0
    hypot = np.hypot

    def seen(*args: FloatArray) -> FloatArray:
        nonlocal largest
        largest = max(largest, max(np.size(arg) for arg in args))
        return np.asarray(hypot(*args))

    monkeypatch.setattr(np, "hypot", seen)
    found = spots(1, pips.MOST_SPOTS, 40_000)
    patterns.find_faces(found, (40_000, 40_000))
    edges = found.major * 10
    proposals.thinned(found.xy, edges, 0.2)
    proposals._thin(found.xy, edges, 0.12, 0.15)
    assert 0 < largest <= max(patterns._TOGETHER * pips.MOST_SPOTS, patterns.MOST_POSES * 5)
    assert largest < pips.MOST_SPOTS**2 / 10


def test_more_spots_than_that_are_not_joined() -> None:
    one = spots(1, pips.MOST_SPOTS // 2 + 1, 900)
    with pytest.raises(TooManySpots, match="expected at most 1000 spots in view, found 1002"):
        pips._merge([one, one], True)


def test_spots_too_near_each_other_are_not_joined_in_all_ways() -> None:
    with pytest.raises(TooManySpots, match="ways to join spots"):
        patterns.find_faces(spots(1, 1000, 300), (300, 300))


def test_too_many_patterns_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "MOST_FACES", 10)
    with pytest.raises(TooManySpots, match="expected at most 10 patterns of spots"):
        patterns.find_faces(spots(1, 300, 400), (400, 400))


@pytest.mark.parametrize(
    ("room", "limit"), [(face_classifier, "MOST_LOOKS"), (detector, "MOST_TOPS")]
)
def test_too_many_looks_and_tops_are_given_up(
    room: ModuleType, limit: str, monkeypatch: pytest.MonkeyPatch, tray: Image
) -> None:
    assert len(Reader().read(tray).dice) > 2
    monkeypatch.setattr(room, limit, 2)
    with pytest.raises(TooManySpots):
        Reader().read(tray)


def test_too_many_single_spots_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    floor = np.full((300, 900, 3), 60, np.uint8)
    for middle in ((100, 80), (450, 200), (800, 110)):
        cv2.circle(floor, middle, 5, (220, 220, 220), -1, cv2.LINE_AA)
    monkeypatch.setattr(detector, "MOST_LONE", 3)
    Reader().read(floor)
    monkeypatch.setattr(detector, "MOST_LONE", 2)
    with pytest.raises(TooManySpots, match="at most 2 single spots"):
        Reader().read(floor)


@pytest.mark.parametrize("pitch", [12, 16, 20])
def test_a_dotted_cloth_is_not_read_and_says_why(pitch: int) -> None:
    with pytest.raises(TooManySpots, match="lay the dice on a plain floor"):
        UncalibratedReader().read(dotted(pitch))


def grained(faint: int, strong: int) -> Image:
    """Dark leather with this many faint glints and this many spots as strong as pips."""
    picture = np.full((864, 1536, 3), 40, np.uint8)
    grid = np.mgrid[20:850:24, 20:1520:24].reshape(2, -1).T.tolist()
    tones = [40 + detector.STRONG - 8] * faint + [40 + detector.STRONG + 40] * strong
    for (y, x), tone in zip(grid, tones, strict=False):
        cv2.circle(picture, (x, y), 4, (int(tone),) * 3, -1)
    return picture


def test_the_grain_of_a_floor_is_no_reason_to_refuse_a_picture() -> None:
    profile = camera_parameters(Scene())
    few, _ = detector._known_pips(grained(400, 20), profile, None)
    assert len(few) == 420
    most, _ = detector._known_pips(grained(600, 20), profile, None)
    assert len(most) == 20
    with pytest.raises(TooManySpots, match="expected at most 450 spots as large as pips"):
        detector._known_pips(grained(300, 500), profile, None)


def refusing(error: Exception) -> Callable[..., None]:
    def refuse(*_: object) -> None:
        raise error

    return refuse


NO_MEMORY = cv2.error(
    "OpenCV(4.11) alloc.cpp:73: error: (-4:Insufficient memory) Failed to allocate"
)
NO_MEMORY.code = cv2.Error.StsNoMem
BAD_ALLOC = cv2.error("std::bad_alloc")


@pytest.mark.parametrize("error", [MemoryError(), NO_MEMORY, BAD_ALLOC], ids=repr)
def test_memory_that_is_refused_is_an_error_of_our_own(
    error: Exception, monkeypatch: pytest.MonkeyPatch, tray: Image
) -> None:
    monkeypatch.setattr(reader, "detect_dice", refusing(error))
    for one in (Reader(), UncalibratedReader()):
        with pytest.raises(OutOfMemory, match="the memory is too small to read this picture"):
            one.read(tray)
    monkeypatch.undo()
    assert Reader().read(tray).dice


def test_opencv_that_runs_out_is_recognised_by_what_it_raises() -> None:
    with pytest.raises(OutOfMemory), memory_watched():
        cv2.resize(np.zeros((30_000, 30_000), np.uint8), (2**30, 2**30))


def test_other_errors_of_opencv_stay_what_they_are() -> None:
    with pytest.raises(cv2.error), memory_watched():
        cv2.resize(np.zeros((0, 0), np.uint8), (4, 4))


class Scripted:
    """A reader that cannot read while `error` is set, and sees an empty tray otherwise."""

    def __init__(self) -> None:
        self.error: Unreadable | None = None
        self.looks = 0

    def read(self, image: Image) -> TrayReading:
        self.looks += 1
        if self.error is not None:
            raise self.error
        return TrayReading(TrayState.EMPTY, ())


PLAIN: NDArray[np.uint8] = np.full((180, 320, 3), 120, np.uint8)


class Film:
    """Frames of a still tray, at 30 a second, until a cloth comes or goes."""

    def __init__(self) -> None:
        self.reader = Scripted()
        self.watcher = Watcher(self.reader)
        self.index = 0

    def reported(self) -> bool:
        return self.watcher.reported

    def unread(self) -> Unreadable | None:
        return self.watcher.unread

    def show(self, image: Image, seconds: float) -> list[object]:
        events: list[object] = []
        for _ in range(round(30 * seconds)):
            noise = np.random.default_rng(self.index).integers(0, 2, image.shape).astype(np.uint8)
            events += self.watcher.feed(Frame(image + noise, self.index / 30, self.index))
            self.index += 1
        return events


def test_the_watcher_claims_nothing_of_what_cannot_be_read_and_recovers() -> None:
    film = Film()
    film.show(PLAIN, 1)
    assert film.reported()
    assert film.unread() is None
    film.reader.error = TooManySpots("spots", 9000, 1500)
    cloth = dotted(12, (320, 180))
    events = film.show(cloth, 40)
    # After 20 s something large counts as part of the reference: then it is looked at.
    assert film.unread() is film.reader.error
    assert not film.reported()
    assert not [event for event in events if type(event).__name__ != "TrayChanged"]
    film.reader.error = None
    film.show(PLAIN, 2)
    assert film.unread() is None
    assert film.reported()


def test_what_cannot_be_read_is_looked_at_ever_more_seldom() -> None:
    film = Film()
    film.reader.error = OutOfMemory()
    film.show(PLAIN, 70)
    assert 4 <= film.reader.looks <= 7
    assert isinstance(film.unread(), OutOfMemory)
    film.reader.error = None
    film.show(PLAIN, 80)
    assert film.unread() is None


def test_a_film_that_ends_on_what_cannot_be_read_ends_without_a_claim() -> None:
    film = Film()
    film.reader.error = TooManySpots("spots", 9000, 1500)
    film.show(PLAIN, 0.15)
    assert film.watcher.finish() == ()
    assert film.unread() is film.reader.error


def test_geometry_that_is_known_makes_no_claims_of_dots(
    make_profile: Callable[..., Profile],
) -> None:
    profile = make_profile(0.0)
    for pitch in (9, 14, 20):
        try:
            dice = Reader(profile).read(dotted(pitch, profile.size)).dice
        except TooManySpots:
            continue
        assert not [die for die in dice if die.sure]
