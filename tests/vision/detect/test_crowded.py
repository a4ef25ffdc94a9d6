"""More in view than can be looked at: what stands out is read, memory and time stay bounded."""

import math
from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from calibration import readers
from calibration.markers.aruco import Marker
from calibration.readers import UncalibratedReader
from scripts.training.drawn.trays import draw_tray
from simulator.render.scene import Scene, camera_parameters
from vision import reader
from vision.classify.face import Pyramid
from vision.detect import detector, patterns, pips, places
from vision.detect.pips import Pips
from vision.errors import OutOfMemory, TooManySpots, Unreadable
from vision.frame import Frame, Image
from vision.geometry.profile import Profile
from vision.image.arrays import FloatArray
from vision.image.memory import memory_watched
from vision.reader import Reader
from vision.reading import DieReading, DieState, Kind, TrayReading, TrayState
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
    reach = patterns.STEP_OVER_RADIUS_RANGE[1] * np.hypot(2, 2)
    sizes, contrasts = np.log(found.major).tolist(), np.log(found.contrast).tolist()
    return [
        (i, j)
        for i in range(len(found))
        for j in range(len(found))
        if i != j
        and abs(sizes[i] - sizes[j]) < 0.35
        and abs(contrasts[i] - contrasts[j]) < 1.0
        and np.hypot(*(found.xy[j] - found.xy[i])) < reach * (found.major[i] + found.major[j]) / 2
    ]


@given(st.integers(0, 10_000), st.integers(2, 150), st.floats(40, 900))
def test_pairs_by_blocks_are_those_of_all_with_all(seed: int, count: int, side: float) -> None:
    found = spots(seed, count, side)
    first, second = patterns._similar_pairs(found)
    assert [*zip(first.tolist(), second.tolist(), strict=True)] == all_pairs(found)


def die_reading(state: DieState) -> DieReading:
    corners = ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0))
    return DieReading(Kind.RED, 4, state, (), 0.99, (4.5, 4.5), corners)


Places = tuple[FloatArray, FloatArray]


def thinned_at_once(
    centers: FloatArray, edges: FloatArray, reach: float, ratio: float = np.inf
) -> list[int]:
    """A slow `distinct_indices`, with a table of all gaps."""
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
    assert places.distinct_indices(centers, edges, reach).tolist() == thinned_at_once(
        centers, edges, reach
    )
    kept = places.distinct_indices(centers, edges, reach, ratio)
    assert kept.tolist() == thinned_at_once(centers, edges, reach, ratio)


def test_spots_are_compared_with_few_others_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even with as many spots as are allowed, no array holds all pairs of them."""
    largest = 0
    hypot = np.hypot

    def seen(*args: FloatArray) -> FloatArray:
        nonlocal largest
        largest = max(largest, max(np.size(arg) for arg in args))
        return np.asarray(hypot(*args))

    monkeypatch.setattr(np, "hypot", seen)
    found = spots(1, pips.MAX_SPOTS, 10_000)
    patterns.find_faces(found, (10_000, 10_000))
    edges = found.major * 10
    places.distinct_indices(found.xy, edges, 0.12, 0.15)
    assert 0 < largest <= max(patterns._SPOTS_PER_BATCH * pips.MAX_SPOTS, patterns.MAX_POSES * 5)
    assert largest < pips.MAX_SPOTS**2 / 10


def test_of_more_spots_than_that_those_with_the_most_contrast_are_kept() -> None:
    one = spots(1, pips.MAX_SPOTS, 900)
    far = replace(spots(2, pips.MAX_SPOTS, 900), xy=spots(2, pips.MAX_SPOTS, 900).xy + 2000)
    kept = pips._merge_levels([one, far], True)
    assert len(kept) == pips.MAX_SPOTS
    strongest = np.sort(np.concatenate([one.contrast, far.contrast]))[-pips.MAX_SPOTS :]
    np.testing.assert_allclose(np.sort(kept.contrast), strongest)


def test_of_too_many_ways_to_join_spots_those_of_the_most_prominent_are_tried() -> None:
    crowd = spots(1, 1000, 300)
    _, _, radius, contrast, _ = patterns._pose_hypotheses(crowd, (0.0, math.inf))
    assert len(radius) == patterns.MAX_POSES
    some = crowd.most_prominent(100)
    fewer = patterns._pose_hypotheses(some, (0.0, math.inf))
    assert 0 < len(fewer[2]) < patterns.MAX_POSES
    assert contrast.mean() > crowd.contrast.mean()
    assert len(patterns.find_faces(crowd, (300, 300))) <= patterns.MAX_FACES


def test_of_too_many_patterns_those_of_the_most_pips_are_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    every = patterns.find_faces(spots(1, 300, 400), (400, 400))
    monkeypatch.setattr(patterns, "MAX_FACES", 10)
    some = patterns.find_faces(spots(1, 300, 400), (400, 400))
    assert len(some) == 10
    assert [face.value for face in some] == [face.value for face in every[:10]]


def test_the_looks_go_to_the_most_promising_places_and_then_it_says_so(
    monkeypatch: pytest.MonkeyPatch, tray: Image
) -> None:
    whole = Reader().read(tray)
    assert len(whole.dice) == 6
    assert not whole.crowded
    monkeypatch.setattr(detector, "MAX_SEARCH_LOOKS", 70)
    some = Reader().read(tray)
    assert some.crowded
    assert 0 < len(some.dice) < len(whole.dice)
    for die in some.dice:
        near = [one for one in whole.dice if math.dist(one.center, die.center) < 3]
        assert [one.value for one in near] == [die.value]


def test_what_is_looked_at_never_exceeds_what_a_picture_may_take(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[Pyramid] = []
    begin = Pyramid.__init__

    def noted(self: Pyramid, image: Image) -> None:
        begin(self, image)
        seen.append(self)

    monkeypatch.setattr(Pyramid, "__init__", noted)
    for pitch in (9, 14, 24):
        Reader().read(dotted(pitch))
    assert len(seen) > 3
    assert min(one.looks_left for one in seen) >= 0


@pytest.mark.parametrize("pitch", [12, 16, 20])
def test_nothing_is_claimed_on_a_dotted_cloth_and_it_says_why(pitch: int) -> None:
    reading = UncalibratedReader().read(dotted(pitch))
    assert reading.crowded
    assert not [die for die in reading.dice if die.sure]
    with pytest.raises(TooManySpots, match="lay the dice on a plain floor"):
        reading.unless_crowded()


def test_a_crowded_picture_with_a_die_that_is_sure_says_what_it_shows() -> None:
    sure = die_reading(DieState.OK)
    assert TrayReading(TrayState.STILL, (sure,), crowded=True).unless_crowded().dice == (sure,)
    plain = TrayReading(TrayState.STILL, (die_reading(DieState.UNSURE),))
    assert plain.unless_crowded() is plain


def lace(pitch: int) -> Image:
    """Five holes and a thread around them, over and over: fives to both networks."""
    picture = np.full((864, 1536, 3), 60, np.uint8)
    for y in range(pitch // 2, 864, pitch):
        for x in range(pitch // 2, 1536, pitch):
            half = round(0.42 * pitch)
            cv2.rectangle(picture, (x - half, y - half), (x + half, y + half), (225,) * 3, -1)
            for across, down in ((0, 0), (-1, -1), (-1, 1), (1, -1), (1, 1)):
                hole = (round(x + 0.2 * across * pitch), round(y + 0.2 * down * pitch))
                cv2.circle(picture, hole, round(0.075 * pitch), (40,) * 3, -1, cv2.LINE_AA)
    return picture


@pytest.mark.parametrize("pitch", [48, 64])
def test_what_is_part_of_a_pattern_is_no_die(pitch: int) -> None:
    reading = Reader().read(lace(pitch))
    assert reading.crowded
    assert not [die for die in reading.dice if die.sure]


def test_on_a_checked_cloth_markers_are_searched_for_near_claimed_dice_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """OpenCV takes 20 s for the markers on a cloth of small checks."""
    searched: list[tuple[slice, slice] | None] = []

    def noted(_: Image, part: tuple[slice, slice] | None = None) -> dict[int, Marker]:
        searched.append(part)
        return {}

    monkeypatch.setattr(readers, "find_markers", noted)
    sure, doubted = die_reading(DieState.OK), die_reading(DieState.UNSURE)
    around = (slice(0, round(4.5 + 2 * 9)),) * 2
    for crowded, parts in ((False, [None]), (True, [around])):
        reading = TrayReading(TrayState.STILL, (sure, doubted), crowded)
        monkeypatch.setattr(Reader, "read", lambda *_, reading=reading: reading)
        assert UncalibratedReader().read(np.zeros((500, 700, 3), np.uint8)) == reading
        assert searched == parts
        searched.clear()


def grained(faint: int, strong: int) -> Image:
    """Dark leather with this many faint glints and this many spots as strong as pips."""
    picture = np.full((864, 1536, 3), 40, np.uint8)
    grid = np.mgrid[20:850:24, 20:1520:24].reshape(2, -1).T.tolist()
    tones = [40 + detector.MIN_STRONG_CONTRAST - 8] * faint + [
        40 + detector.MIN_STRONG_CONTRAST + 40
    ] * strong
    for (y, x), tone in zip(grid, tones, strict=False):
        cv2.circle(picture, (x, y), 4, (int(tone),) * 3, -1)
    return picture


def test_the_grain_of_a_floor_is_no_reason_to_refuse_a_picture() -> None:
    profile = camera_parameters(Scene())
    few, _ = detector._find_known_pips(grained(400, 20), profile, None)
    assert len(few) == 420
    most, _ = detector._find_known_pips(grained(600, 20), profile, None)
    assert len(most) == 20
    strong, _ = detector._find_known_pips(grained(300, 500), profile, None)
    assert len(strong) == detector.MAX_KNOWN_SPOTS


def on_carpet(tray: Image, specks: int, seed: int = 3) -> Image:
    """The tray with specks between the dice, fainter than pips and of the same size."""
    rng = np.random.default_rng(seed)
    carpet = tray.copy()
    dice = [die.center for die in Reader().read(tray).dice]
    height, width = tray.shape[:2]
    for x, y in rng.uniform(4, (width - 4, height - 4), (specks, 2)):
        if all(math.dist((x, y), die) > 60 for die in dice):
            tone = tray[int(y), int(x)].astype(int) + 45
            at, colour = (int(x), int(y)), tuple(int(one) for one in np.minimum(tone, 255))
            cv2.circle(carpet, at, int(rng.integers(3, 6)), colour, -1, cv2.LINE_AA)
    return carpet


def test_dice_between_thousands_of_specks_are_read(tray: Image) -> None:
    wide = cv2.copyMakeBorder(tray, 300, 300, 500, 500, cv2.BORDER_REPLICATE)
    large: Image = np.asarray(wide, np.uint8)
    before = [die.value for die in Reader().read(large).dice if die.sure]
    reading = Reader().read(on_carpet(large, 6000))
    assert reading.crowded
    assert [die.value for die in reading.dice if die.sure] == before
    assert len(before) == 6
    sides = [math.dist(*die.outline[:2]) for die in reading.dice]
    assert max(sides) < 2 * min(sides), "specks are not asked about"


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


FPS = 10


class Film:
    """Frames of a still tray, at `FPS`, until a cloth comes or goes."""

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
        for _ in range(round(FPS * seconds)):
            noise = np.random.default_rng(self.index).integers(0, 2, image.shape, np.uint8)
            events += self.watcher.feed(Frame(image + noise, self.index / FPS, self.index))
            self.index += 1
        return events


def test_the_watcher_claims_nothing_of_what_cannot_be_read_and_recovers() -> None:
    film = Film()
    film.show(PLAIN, 1)
    assert film.reported()
    assert film.unread() is None
    film.reader.error = TooManySpots()
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
    film.reader.error = TooManySpots()
    film.show(PLAIN, 0.4)
    assert film.watcher.finish() == ()
    assert film.unread() is film.reader.error


def test_geometry_that_is_known_makes_no_claims_of_dots(
    make_profile: Callable[..., Profile],
) -> None:
    profile = make_profile(0.0)
    for pitch in (9, 14, 20):
        reading = Reader(profile).read(dotted(pitch, profile.size))
        assert not [die for die in reading.dice if die.sure]
