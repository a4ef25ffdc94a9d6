"""Reports of the watcher about a throw, a pick-up and everything that is neither."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.watch.film import (
    EDGE,
    FPS,
    HEIGHT,
    WIDTH,
    Die,
    Film,
    FilmReader,
    of_dice,
    rolls,
    values,
    watch,
)
from vision.events import Cleared, Found, Moved, PickedUp, Roll, TrayChanged, TrayEvent
from vision.frame import Frame, Image
from vision.reading import DieReading, DieState, Kind, TrayReading, TrayState
from vision.watch.motion import SMALL_LONG_SIDE_PX
from vision.watch.watcher import Timing, Watcher

FIVE = [
    Die(300, 100, 4, 20, Kind.RED),
    Die(120, 180, 6, 65, Kind.BLACK),
    Die(200, 70, 1, 10, Kind.BLACK),
    Die(380, 190, 3, 40, Kind.BLACK),
    Die(250, 200, 5, 80, Kind.BLACK),
]
LEFT_TO_RIGHT = [6, 1, 5, 4, 3]


@pytest.fixture
def film() -> Film:
    film = Film(seed=3)
    film.show(12)
    return film


def lying(film: Film, dice: list[Die] = FIVE) -> None:
    """Dice are thrown and seen at rest."""
    film.throw(dice)
    film.show(14)


def states(events: Sequence[TrayEvent]) -> list[TrayState]:
    return [event.state for event in events if isinstance(event, TrayChanged)]


def test_a_throw_is_one_roll_reported_soon_after_rest(film: Film) -> None:
    rest = film.throw(FIVE)
    film.show(20)
    events = watch(film)
    (roll,) = of_dice(events)
    assert isinstance(roll, Roll)
    assert values(roll) == LEFT_TO_RIGHT
    assert [die.track_id for die in roll.dice] == [0, 1, 2, 3, 4]
    assert all(die.thrown for die in roll.dice)
    assert rest - 1 <= roll.rest_frame <= rest + 1
    assert roll.frame > rest
    assert roll.time_s - rest / FPS <= 0.25
    assert states(events)[:2] == [TrayState.MOVING, TrayState.EMPTY]
    assert states(events)[-1] is TrayState.STILL


def test_dice_that_pause_are_not_at_rest(film: Film) -> None:
    film.throw(FIVE[:4])
    for turn in (30, 60, 90):
        film.dice = [*FIVE[:4], replace(FIVE[4], turn=turn, value=2)]
        film.show(1)
    film.show(3)  # four frames alike
    for turn in (120, 150, 170):
        film.dice[-1] = replace(FIVE[4], turn=turn, value=6)
        film.show(1)
    film.dice[-1] = replace(FIVE[4], turn=180)
    rest = film.show(14)
    (roll,) = rolls(watch(film))
    assert roll.frame > rest
    assert values(roll) == LEFT_TO_RIGHT


def test_a_die_that_creeps_is_not_at_rest(film: Film) -> None:
    """On an edge against the wall: a tenth of a pixel a frame, then it falls over."""
    film.noise = 1.0
    film.throw(FIVE)
    for _ in range(20):
        film.dice[0] = replace(film.dice[0], x=film.dice[0].x + 0.12)
        film.show(1)
    film.dice[0] = replace(film.dice[0], x=film.dice[0].x + 6, value=2)
    rest = film.show(14)
    (roll,) = rolls(watch(film))
    assert roll.frame > rest
    assert values(roll) == [6, 1, 5, 2, 3]


def test_a_shaking_camera_does_not_delay_a_roll(film: Film) -> None:
    rest = film.throw(FIVE)
    for k in range(12):
        film.show(1, shift=(0.5 * np.sin(1.3 * k), 0.5 * np.cos(0.9 * k)))
    (roll,) = rolls(watch(film))
    assert roll.time_s - rest / FPS <= 0.3


def test_a_frame_delivered_twice_is_no_rest(film: Film) -> None:
    for k in range(8):
        film.dice = [Die(80 + 30 * k, 100, 3, 40 * k)]
        film.show(1)
        film.repeat_last()
        film.repeat_last()
    assert not rolls(watch(film))


def test_nothing_is_reported_while_a_hand_rests_in_the_tray(film: Film) -> None:
    film.move_hand((240, 330), (240, 120))
    film.dice = list(FIVE)
    film.show(150, hand=(240, 120))
    film.move_hand((240, 120), (240, 330))
    out = film.show(12)
    events = watch(film)
    (roll,) = rolls(events)
    assert roll.frame >= out
    assert TrayState.HAND in states(events)
    assert values(roll) == LEFT_TO_RIGHT


def test_dice_are_told_to_roll_as_soon_as_they_do_and_until_they_rest(film: Film) -> None:
    film.show(20)
    thrown = film.show(0)
    film.throw(FIVE)
    film.show(20)
    changes = [event for event in watch(film) if isinstance(event, TrayChanged)]
    after = [change for change in changes if change.frame >= thrown]
    assert [change.state for change in after][-2:] == [TrayState.ROLLING, TrayState.STILL]
    (rolls_from,) = (change.frame for change in after if change.state is TrayState.ROLLING)
    assert rolls_from - thrown <= 7, "they come in over the edge, smeared, for half of the throw"


@pytest.mark.parametrize("dice", [[], FIVE], ids=["empty", "five"])
@pytest.mark.parametrize("far", [HEIGHT - 20.0, 200.0, 120.0], ids=["tips", "hand", "arm"])
def test_a_hand_that_comes_and_goes_never_looks_like_dice_that_roll(
    film: Film, dice: list[Die], far: float
) -> None:
    lying(film, dice)
    came = film.show(10)
    for _ in range(2):
        film.move_hand((240, 330), (240, far))
        film.show(3, hand=(240, far))
        film.move_hand((240, far), (240, 330))
        film.show(10)
    seen = states([event for event in watch(film) if event.frame >= came])
    assert seen.count(TrayState.MOVING) + seen.count(TrayState.HAND) >= 2
    assert TrayState.ROLLING not in seen


def test_picking_up_is_no_roll(film: Film) -> None:
    lying(film)
    film.reach_in((300, 90), take=[FIVE[0]], put=[])
    film.show(10)
    film.reach_in((240, 100), take=FIVE[1:], put=[])
    film.show(10)
    _, first, second, cleared = of_dice(watch(film))
    assert isinstance(first, PickedUp)
    assert first.track_ids == (3,)
    assert isinstance(second, PickedUp)
    assert second.track_ids == (0, 1, 2, 4)
    assert isinstance(cleared, Cleared)


def test_kept_dice_keep_their_slots_and_thrown_ones_fill_the_free(film: Film) -> None:
    lying(film)
    film.reach_in((250, 100), take=[FIVE[0], FIVE[1], FIVE[2]], put=[])
    film.show(10)
    film.throw([Die(420, 60, 2, 30), Die(90, 90, 2, 5, Kind.BLACK), Die(330, 140, 6, 50)])
    film.show(12)
    first, picked, second = of_dice(watch(film))
    assert isinstance(first, Roll)
    assert isinstance(picked, PickedUp)
    assert picked.track_ids == (0, 1, 3)
    assert isinstance(second, Roll)
    assert [(die.track_id, die.reading.value, die.thrown) for die in second.dice] == [
        (0, 2, True),
        (1, 6, True),
        (2, 5, False),
        (3, 2, True),
        (4, 3, False),
    ]


def test_picked_up_and_thrown_in_one_go(film: Film) -> None:
    """The hand never leaves between taking the dice and throwing them."""
    lying(film)
    film.move_hand((250, 330), (250, 100))
    for die in (FIVE[0], FIVE[2]):
        film.dice.remove(die)
    film.show(4, hand=(250, 100))
    film.throw([Die(420, 60, 2, 30), Die(90, 90, 2, 5)])
    film.show(12)
    _, picked, second = of_dice(watch(film))
    assert isinstance(picked, PickedUp)
    assert isinstance(second, Roll)
    assert [die.track_id for die in second.dice if die.thrown] == [1, 3]
    assert values(second) == [6, 2, 5, 2, 3]


def test_picked_up_and_put_back_is_nothing(film: Film) -> None:
    lying(film)
    film.reach_in((300, 90), take=[FIVE[0]], put=[replace(FIVE[0], x=302.5, turn=50)])
    film.show(12)
    assert [type(e) for e in of_dice(watch(film))] == [Roll]


def test_put_back_after_a_while_is_reported_as_what_it_is(film: Film) -> None:
    """Out of the tray it was picked up; a die that comes back was thrown, as far as can be seen."""
    lying(film)
    film.reach_in((300, 90), take=[FIVE[0]], put=[])
    film.show(12)
    film.throw([FIVE[0]])
    film.show(12)
    _, picked, back = of_dice(watch(film))
    assert isinstance(picked, PickedUp)
    assert isinstance(back, Roll)
    assert [die.track_id for die in back.dice if die.thrown] == [3]


def test_a_knocked_die_moved_and_was_not_thrown(film: Film) -> None:
    lying(film)
    knocked = replace(FIVE[0], x=314, y=106, turn=70, value=2)
    film.reach_in((240, 150), take=[FIVE[4], FIVE[0]], put=[knocked])
    film.show(12)
    _, picked, moved = of_dice(watch(film))
    assert isinstance(picked, PickedUp)
    assert picked.track_ids == (2,)
    assert isinstance(moved, Moved)
    assert moved.track_ids == (3,)
    assert [die.reading.value for die in moved.dice] == [2]


def test_a_held_die_that_a_thrown_one_knocks_keeps_its_slot(film: Film) -> None:
    lying(film)
    film.reach_in((300, 90), take=[FIVE[0]], put=[])
    film.show(12)
    film.dice.remove(FIVE[3])
    film.throw([Die(350, 180, 6, 15), replace(FIVE[3], x=398, y=196, turn=70)])
    film.show(12)
    *_, moved, roll = of_dice(watch(film))
    assert isinstance(moved, Moved)
    assert moved.track_ids == (4,)
    assert isinstance(roll, Roll)
    assert [die.track_id for die in roll.dice if die.thrown] == [3]
    assert values(roll) == [6, 1, 5, 6, 3]


def test_a_cup_is_not_a_die_and_hides_none(film: Film) -> None:
    lying(film)
    for x in np.linspace(560, 300, 10):
        film.show(1, cup=(x, 100))
    film.show(60, cup=(300, 100))
    events = watch(film)
    assert [type(e) for e in of_dice(events)] == [Roll]
    assert states(events)[-1] is TrayState.HAND
    for x in np.linspace(300, 560, 10):
        film.show(1, cup=(x, 100))
    film.show(12)
    events = watch(film)
    assert [type(e) for e in of_dice(events)] == [Roll]
    assert states(events)[-1] is TrayState.STILL


def test_a_cup_that_stays_becomes_part_of_the_scene(film: Film) -> None:
    lying(film)
    for x in np.linspace(560, 300, 10):
        film.show(1, cup=(x, 100))
    film.show(60, cup=(300, 100))
    watcher = Watcher(FilmReader(film), timing=Timing(obstacle=1.0))
    events = watch(film, watcher)
    assert [type(e) for e in of_dice(events)] == [Roll]
    assert states(events)[-1] is TrayState.STILL
    assert len(watcher.dice) == 5
    start = len(film.frames)
    for x in np.linspace(300, 560, 10):
        film.show(1, cup=(x, 100))
    film.show(12)
    after = [event for frame in film.frames[start:] for event in watcher.feed(frame)]
    assert of_dice(after) == []
    assert states(after)[-1] is TrayState.STILL


def test_the_shadow_of_an_arm_is_nothing(film: Film) -> None:
    lying(film)
    for x in np.linspace(-150, 640, 40):
        film.show(1, shadow=x)
    film.show(12)
    assert [type(e) for e in of_dice(watch(film))] == [Roll]


def test_a_resting_shadow_does_not_hide_a_throw(film: Film) -> None:
    film.show(10, shadow=100.0)
    rest = film.throw(FIVE)
    film.show(12)
    (roll,) = rolls(watch(film))
    assert roll.frame > rest


def test_a_bumped_camera_is_no_roll(film: Film) -> None:
    lying(film)
    for shift in [(4, 2), (-6, 3), (9, -4), (11, -7), (12, -7)]:
        film.show(1, shift=shift)
    film.show(14, shift=(12, -7))
    assert [type(e) for e in of_dice(watch(film))] == [Roll]


def test_a_tray_pushed_across_the_picture_is_no_roll(film: Film) -> None:
    lying(film)
    for k in range(1, 11):
        film.show(1, shift=(4.0 * k, 1.5 * k))
    film.show(14, shift=(40, 15))
    assert [type(e) for e in of_dice(watch(film))] == [Roll]


def test_dice_that_lie_there_at_the_start_are_found_once(film: Film) -> None:
    start = Film(seed=5, dice=list(FIVE))
    start.show(20)
    start.reach_in((300, 90), take=[FIVE[0]], put=[])
    start.show(12)
    found, picked = of_dice(watch(start))
    assert isinstance(found, Found)
    assert [die.track_id for die in found.dice] == [0, 1, 2, 3, 4]
    assert not any(die.thrown for die in found.dice)
    assert isinstance(picked, PickedUp)


def test_the_film_may_begin_with_the_hand_in_the_tray() -> None:
    film = Film(seed=6)
    film.show(3, hand=(150, 110))
    film.move_hand((150, 110), (150, 180), 5)
    film.dice = []
    rest = film.throw(FIVE)
    film.show(12)
    (roll,) = of_dice(watch(film))
    assert isinstance(roll, Roll)
    assert roll.frame > rest
    assert all(die.thrown for die in roll.dice)


def test_a_doubt_is_reported_after_a_bounded_number_of_readings(film: Film) -> None:
    doubtful = [*FIVE[:4], replace(FIVE[4], state=DieState.UNSURE)]
    rest = film.throw(doubtful)
    film.show(60)
    reader = FilmReader(film)
    (roll,) = rolls(watch(film, Watcher(reader)))
    assert not roll.sure
    assert [die.reading.state for die in roll.dice].count(DieState.UNSURE) == 1
    assert 0.2 <= roll.time_s - rest / FPS <= 0.3
    assert reader.count <= 6


def test_a_leaning_die_is_given_time_to_fall(film: Film) -> None:
    rest = film.throw([*FIVE[:4], replace(FIVE[4], state=DieState.LEANING)])
    film.show(60)
    reader = FilmReader(film)
    (roll,) = rolls(watch(film, Watcher(reader)))
    assert not roll.sure
    assert 0.9 <= roll.time_s - rest / FPS <= 1.2
    assert reader.count <= Timing().readings + 2


def test_a_hand_that_comes_too_early_does_not_hide_a_doubtful_throw(film: Film) -> None:
    film.throw([*FIVE[:4], replace(FIVE[4], state=DieState.LEANING)])
    film.show(12)
    film.move_hand((300, 330), (300, 90))
    film.show(10, hand=(300, 90))
    (roll,) = rolls(watch(film))
    assert not roll.sure
    assert len(roll.dice) == 5


def test_readings_that_contradict_each_other_are_a_doubt(film: Film) -> None:
    film.throw(FIVE)
    film.show(60)

    class Wavering(FilmReader):
        def read(self, image: Image) -> TrayReading:
            reading = super().read(image)
            first, *rest = reading.dice or (FIVE[0].reading(),)
            wavering = replace(first, value=5 + self.count % 2, candidates=())
            return replace(reading, dice=(wavering, *rest) if reading.dice else ())

    (roll,) = rolls(watch(film, Watcher(Wavering(film))))
    assert roll.dice[0].reading.state is DieState.UNSURE
    assert {c.value for c in roll.dice[0].reading.candidates} == {5, 6}
    assert all(die.reading.sure for die in roll.dice[1:])


def test_a_phantom_where_nothing_came_to_lie_is_dropped(film: Film) -> None:
    film.throw(FIVE)
    start = film.show(20)
    phantom = Die(60, 60, 2, kind=Kind.BLACK).reading()
    for frame in film.frames[start:]:
        film.truth[id(frame.image)] = (phantom, *film.truth[id(frame.image)])
    (roll,) = rolls(watch(film))
    assert values(roll) == LEFT_TO_RIGHT


def test_grains_taken_for_small_dice_make_no_hand_of_a_throw(film: Film) -> None:
    grain = replace(Die(60, 60, 2, kind=Kind.BLACK, state=DieState.LEANING), x=60.5)
    outline = tuple((float(x), float(y)) for x, y in grain.corners(EDGE / 3))
    for frame in film.frames:
        film.truth[id(frame.image)] = (replace(grain.reading(), outline=outline),)
    film.throw([Die(200 + 18 * i, 100 + 18 * j, 4) for i in range(3) for j in range(2)])
    film.show(40)
    (roll,) = rolls(watch(film, Watcher(FilmReader(film), edge=EDGE)))
    assert [die.reading.value for die in roll.dice if die.thrown] == [4] * 6


def test_another_number_of_dice_than_expected_is_looked_at_longer(film: Film) -> None:
    rest = film.throw(FIVE[:4])
    film.show(60)
    watcher = Watcher(FilmReader(film))
    watcher.expect(5)
    (roll,) = rolls(watch(film, watcher))
    assert len(roll.dice) == 4
    assert roll.time_s - rest / FPS >= 0.9


def test_what_moves_outside_the_tray_does_not_matter(film: Film) -> None:
    corners = [(36.0, 21.0), (WIDTH - 36.0, 21.0), (WIDTH - 36.0, HEIGHT - 21.0), (36, HEIGHT - 21)]
    rest = film.throw(FIVE)
    for k in range(20):
        film.show(1)
        image = film.frames[-1].image
        cv2.circle(image, (5 + 20 * k, HEIGHT - 6), 5, (255, 255, 255), -1)
    (roll,) = rolls(watch(film, Watcher(FilmReader(film), tray=corners)))
    assert roll.time_s - rest / FPS <= 0.25
    assert not rolls(watch(film))


def test_a_small_stream_serves_as_well(film: Film) -> None:
    lying(film)
    watcher = Watcher(FilmReader(film))
    events: list[TrayEvent] = []
    for frame in film.frames:
        small = cv2.resize(frame.image, (320, 180), interpolation=cv2.INTER_AREA)
        events += watcher.feed(
            Frame(frame.image, frame.time_s, frame.index, small.astype(np.uint8))
        )
    (roll,) = of_dice(events)
    assert isinstance(roll, Roll)
    assert values(roll) == LEFT_TO_RIGHT


def test_the_end_of_a_film_reports_what_just_came_to_rest(film: Film) -> None:
    rest = film.throw(FIVE)
    film.show(3)
    watcher = Watcher(FilmReader(film))
    assert not rolls(watch(film, watcher))
    (roll,) = rolls(list(watcher.finish()))
    assert values(roll) == LEFT_TO_RIGHT
    assert roll.rest_frame >= rest - 1
    assert watcher.finish() == ()


def test_the_end_of_a_film_reports_no_rolling_dice(film: Film) -> None:
    film.throw(FIVE)
    del film.frames[-6:]
    watcher = Watcher(FilmReader(film))
    watch(film, watcher)
    assert watcher.finish() == ()


def test_reset_begins_anew(film: Film) -> None:
    lying(film)
    watcher = Watcher(FilmReader(film))
    assert len(rolls(watch(film, watcher))) == 1
    watcher.reset()
    assert watcher.dice == ()
    assert len(rolls(watch(film, watcher))) == 1


def test_a_picture_of_another_size_begins_anew(film: Film) -> None:
    lying(film)
    watcher = Watcher(FilmReader(film))
    watch(film, watcher)
    other = Film(seed=8)
    other.show(1)
    tall = np.ascontiguousarray(np.rot90(other.frames[0].image))
    assert states(watcher.feed(Frame(tall, 9.0, 999))) == [TrayState.MOVING]


def test_a_die_beside_the_tray_is_gone_when_it_was_taken_away() -> None:
    film = Film(seed=9)
    film.show(12)
    film.throw([Die(430, 120, 2), *FIVE[1:3]])
    film.show(14)
    film.reach_in((300, 150), [*film.dice], [])
    film.show(14)
    film.throw(FIVE[1:3])
    film.show(14)
    tray = ((40, 20), (400, 20), (400, 250), (40, 250))
    watcher = Watcher(FilmReader(film), tray)
    *_, roll = rolls(watch(film, watcher))
    assert values(roll) == [6, 1]
    assert len(watcher.dice) == 2


def taken_and(film: Film, then: Callable[[Die], None]) -> Roll:
    """The last roll after a die was taken out, seen to be gone, and brought back in some way."""
    lying(film)
    old = film.dice[0]
    film.reach_in((old.x, old.y), [old], [])
    film.show(45)
    then(replace(old, x=140, y=70))
    film.show(20)
    *_, roll = rolls(watch(film))
    return roll


def test_a_die_that_rolls_by_itself_is_seen_to(film: Film) -> None:
    def throw(die: Die) -> None:
        film.move_hand((60, 330), (60, 200))
        film.move_hand((60, 200), (60, 330))
        film.throw([die])

    roll = taken_and(film, throw)
    assert [(die.thrown, die.rolled) for die in roll.dice].count((True, True)) == 1
    assert not any(die.rolled for die in roll.dice if not die.thrown)


def test_a_die_that_a_hand_lays_down_was_not_seen_to_roll(film: Film) -> None:
    roll = taken_and(film, lambda die: film.reach_in((die.x, die.y), [], [die]))
    assert any(die.thrown for die in roll.dice)
    assert not any(die.rolled for die in roll.dice)


def test_where_no_hand_is_ever_seen_nothing_proves_a_roll(film: Film) -> None:
    film.throw(FIVE)
    film.show(14)
    (roll,) = rolls(watch(film))
    assert not any(die.rolled for die in roll.dice)


def square(edge: float, state: DieState) -> DieReading:
    """The reading of an empty tray: one die with this edge, pixels."""
    half = edge / 2
    corners = [(-half, -half), (half, -half), (half, half), (-half, half)]
    outline = tuple((WIDTH / 2 + x, HEIGHT / 2 + y) for x, y in corners)
    return DieReading(Kind.OTHER, None, state, (), 0.0, (WIDTH / 2, HEIGHT / 2), outline)


@pytest.mark.parametrize(
    ("edge", "value", "state"),
    [
        (200.0, None, DieState.COVERED),
        (200.0, 4, DieState.OK),
        (5.0, None, DieState.COVERED),
    ],
    ids=["a box in doubt", "a box that is claimed", "grain"],
)
def test_a_throw_is_heard_after_an_empty_tray_was_taken_for_a_die(
    edge: float, value: int | None, state: DieState
) -> None:
    """Without a profile the first die that was read said how large dice are."""
    film = Film(seed=3)
    film.show(45)
    seen = replace(square(edge, state), value=value)
    for frame in film.frames:
        film.truth[id(frame.image)] = (seen,)
    empty = len(film.frames)
    lying(film)
    film.show(40)
    watcher = Watcher(FilmReader(film))
    for frame in film.frames[:empty]:
        watcher.feed(frame)
    assert watcher.reported
    assert watcher._settling.die_px == SMALL_LONG_SIDE_PX / 28
    events = [event for frame in film.frames[empty:] for event in watcher.feed(frame)]
    *_, roll = rolls(events)
    assert [die.reading.value for die in roll.dice if die.thrown] == LEFT_TO_RIGHT
    assert watcher._settling.die_px == pytest.approx(EDGE * SMALL_LONG_SIDE_PX / WIDTH, rel=0.1)
