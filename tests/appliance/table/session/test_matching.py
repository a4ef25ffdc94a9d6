"""Which slot of the game each die belongs to."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from appliance.table.session import matching
from games.values import DieKind, Slot
from tests.builders import die
from vision.events import TrackedDie, TrackId
from vision.reading import DieState, Kind


def of_kinds(
    dice: Sequence[TrackedDie],
    kinds: Sequence[DieKind],
    loose: Collection[int],
    counted: Collection[int] = (),
) -> tuple[TrackedDie, ...]:
    return matching.dice_of_game(dice, kinds, set(map(TrackId, loose)), set(map(TrackId, counted)))


def place(
    dice: Sequence[TrackedDie], places: Mapping[int, int], kinds: Sequence[DieKind]
) -> dict[int, int]:
    before = {TrackId(number): Slot(slot) for number, slot in places.items()}
    placed = matching.assign_slots(dice, before, kinds)
    return {int(number): int(slot) for number, slot in placed.items()}


POWER = (*[DieKind.BLACK] * 5, DieKind.POWER)


@given(st.permutations(range(6)), st.permutations([Kind.BLACK] * 5 + [Kind.POWER]))
def test_the_power_die_has_its_own_slot_whatever_was_there_before(
    before: list[int], kinds: list[Kind]
) -> None:
    dice = [die(slot, 3, kind, thrown=False) for slot, kind in enumerate(kinds)]
    placed = place(dice, dict(enumerate(before)), POWER)
    assert placed[kinds.index(Kind.POWER)] == 5
    assert sorted(placed.values()) == [0, 1, 2, 3, 4, 5]


def test_a_black_die_that_was_taken_for_the_power_die_gives_way_to_it() -> None:
    black = [die(slot, 3, Kind.BLACK, thrown=False) for slot in (0, 1, 3, 4, 5)]
    leaning = replace(black[-1], reading=replace(black[-1].reading, state=DieState.LEANING))
    dice = [*black[:-1], leaning, die(2, 3, Kind.POWER)]
    placed = place(dice, {0: 0, 1: 1, 3: 3, 4: 4, 5: 5}, POWER)
    assert (placed[2], placed[5]) == (5, 2)


def test_a_die_of_doubtful_kind_keeps_its_slot_while_no_other_is_of_that_kind() -> None:
    dice = [
        *(die(slot, 3, Kind.BLACK, thrown=False) for slot in range(5)),
        die(5, 3, Kind.OTHER, thrown=False),
    ]
    assert place(dice, {slot: slot for slot in range(6)}, POWER)[5] == 5


def test_a_red_die_left_over_does_not_stand_for_a_black_one_that_is_not_seen() -> None:
    black = 5 * [DieKind.BLACK]
    red = die(0, 3, Kind.RED, thrown=False)
    thrown = [die(slot, 3, Kind.BLACK) for slot in (1, 2, 3, 4)]
    assert of_kinds([red, *thrown], black, {1, 2, 3, 4}) == tuple(thrown)
    # Thrown with them, it may be a substitute that somebody plays with, or a misread black one.
    assert len(of_kinds([red, *thrown], black, {0, 1, 2, 3, 4})) == 5
    doubtful = replace(red, reading=replace(red.reading, state=DieState.UNSURE))
    assert len(of_kinds([doubtful, *thrown], black, {1, 2, 3, 4})) == 5
    foreign = [die(slot, 3, Kind.WHITE, thrown=False) for slot in range(5)]
    assert len(of_kinds(foreign, black, {1, 2, 3, 4})) == 5


def test_a_sixth_die_of_another_kind_does_not_count() -> None:
    dice = [*(die(slot, 3, Kind.BLACK) for slot in range(5)), die(5, 3, Kind.RED, thrown=False)]
    assert of_kinds(dice, 5 * [DieKind.BLACK], {0, 1, 2, 3, 4}) == tuple(dice[:5])
    assert len(of_kinds(dice[1:] + dice[5:], 5 * [DieKind.BLACK], {1, 2, 3, 4})) == 6


def test_a_kept_die_that_glare_whitens_stays_a_die_of_the_throw() -> None:
    black = 5 * [DieKind.BLACK]
    glared = die(0, 3, Kind.WHITE, thrown=False)
    thrown = [die(slot, 3, Kind.BLACK) for slot in (1, 2, 3, 4)]
    assert of_kinds([glared, *thrown], black, {1, 2, 3, 4}, range(5)) == (glared, *thrown)
    # Beside a die of another kind it counts, and the other does not.
    red = die(7, 3, Kind.RED, thrown=False)
    assert of_kinds([glared, *thrown, red], black, {1, 2, 3, 4}, range(5)) == (glared, *thrown)
    # Picked up and thrown again, it counts as well: the red one was not thrown.
    assert of_kinds([glared, *thrown, red], black, {0, 1, 2, 3, 4}, range(5)) == (glared, *thrown)
    # Thrown with the red one, one of them is what it looks like, and nobody knows which.
    assert len(of_kinds([glared, *thrown, red], black, {0, 1, 2, 3, 4, 7}, range(5))) == 6
