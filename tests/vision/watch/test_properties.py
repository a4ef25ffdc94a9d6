"""Light never makes a roll; every throw makes exactly one, with the right slots."""

from dataclasses import replace

import numpy as np
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.vision.watch.film import EDGE, HEIGHT, WIDTH, Die, Film, of_dice, watch
from vision.events import Cleared, Found, PickedUp, Roll
from vision.reading import Kind

QUICK = settings(
    max_examples=10,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def places(chance: np.random.Generator, count: int, avoid: list[Die]) -> list[Die]:
    """Random dice that do not touch each other or lie where others lie or lay."""
    dice: list[Die] = []
    while len(dice) < count:
        die = Die(
            x=float(chance.uniform(60, WIDTH - 60)),
            y=float(chance.uniform(45, HEIGHT - 45)),
            value=int(chance.integers(1, 7)),
            turn=float(chance.uniform(0, 90)),
            kind=[Kind.RED, Kind.BLACK, Kind.WHITE][int(chance.integers(0, 3))],
        )
        if all(np.hypot(die.x - o.x, die.y - o.y) > 2.1 * EDGE for o in dice) and all(
            np.hypot(die.x - o.x, die.y - o.y) > 2.6 * EDGE for o in avoid
        ):
            dice.append(die)
    return dice


@QUICK
@given(
    seed=st.integers(0, 10_000),
    noise=st.floats(0, 6),
    count=st.integers(0, 6),
    exposure=st.lists(st.floats(0.7, 1.25), min_size=4, max_size=8),
    flicker=st.floats(0.0, 2.5),
    shake=st.floats(0.0, 0.6),
)
def test_light_and_noise_are_no_events(
    seed: int, noise: float, count: int, exposure: list[float], flicker: float, shake: float
) -> None:
    film = Film(seed=seed, noise=noise)
    film.dice = places(film.chance, count, [])
    film.show(12)
    phase = 0.0
    for gain in exposure:
        for _ in range(6):
            phase += flicker
            shift = film.chance.uniform(-shake, shake, 2)
            film.show(1, gain=gain, bands=phase or None, shift=(shift[0], shift[1]))
    film.show(8, gain=exposure[-1])
    events = of_dice(watch(film))
    assert [type(event) for event in events] == ([Found] if count else [])


@QUICK
@given(
    seed=st.integers(0, 10_000),
    keeps=st.lists(st.sets(st.integers(0, 4)), min_size=1, max_size=2),
    at_once=st.booleans(),
)
@example(seed=138, keeps=[set()], at_once=False)
def test_each_throw_is_one_roll_with_the_right_slots(
    seed: int, keeps: list[set[int]], at_once: bool
) -> None:
    film = Film(seed=seed)
    film.show(10)
    dice = places(film.chance, 5, [])
    slots = dict(enumerate(sorted(dice, key=lambda die: (die.x, die.y))))
    expected: list[tuple[type, object]] = []
    film.throw(dice)
    film.show(11)
    expected.append((Roll, described(slots, set(slots))))
    for keep in keeps:
        taken = [slot for slot in sorted(slots) if slot not in keep]
        if not taken:
            continue
        old = list(slots.values())
        again = places(film.chance, len(taken), old)
        if at_once:
            tip = (float(film.chance.uniform(120, 360)), 110.0)
            film.move_hand((tip[0], 330.0), tip)
            for slot in taken:
                film.dice.remove(slots[slot])
            film.show(3, hand=tip)
        else:
            film.reach_in((240, 100), take=[slots[slot] for slot in taken], put=[])
            film.show(10)
        film.throw(again)
        film.show(11)
        expected.append((PickedUp, tuple(taken)))
        if len(taken) == 5:
            expected.append((Cleared, None))
        for slot in taken:
            del slots[slot]
        free = [slot for slot in range(5) if slot not in slots]
        for slot, die in zip(free, sorted(again, key=lambda d: (d.x, d.y)), strict=True):
            slots[slot] = die
        expected.append((Roll, described(slots, set(taken))))
    if at_once:  # the tray was never seen empty
        expected = [entry for entry in expected if entry[0] is not Cleared]
    found: list[tuple[type, object]] = []
    for event in of_dice(watch(film)):
        if isinstance(event, Roll):
            values = {die.track_id: die.reading.value for die in event.dice}
            thrown = {die.track_id for die in event.dice if die.thrown}
            found.append((Roll, (values, thrown)))
        elif isinstance(event, PickedUp):
            found.append((PickedUp, event.track_ids))
        else:
            found.append((type(event), None))
    assert found == expected


def described(slots: dict[int, Die], thrown: set[int]) -> tuple[dict[int, int], set[int]]:
    return {slot: die.value for slot, die in slots.items()}, set(thrown)


@QUICK
@given(seed=st.integers(0, 10_000), pause=st.integers(1, 4), pauses=st.integers(1, 4))
def test_no_pause_of_a_rolling_die_is_a_rest(seed: int, pause: int, pauses: int) -> None:
    film = Film(seed=seed)
    film.show(8)
    dice = places(film.chance, 3, [])
    film.throw(dice)
    rolling = dice[0]
    for _ in range(pauses):
        film.show(pause)
        for _ in range(2):
            rolling = replace(
                rolling, turn=rolling.turn + 35, value=rolling.value % 6 + 1, x=rolling.x + 2
            )
            film.dice[0] = rolling
            film.show(1)
    rest = film.show(12) - 1
    (roll,) = [event for event in of_dice(watch(film)) if isinstance(event, Roll)]
    assert roll.frame > rest
    assert rolling.value in [die.reading.value for die in roll.dice]
