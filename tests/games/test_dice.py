from itertools import pairwise, product
from random import Random

import pytest

from games import dice
from games.chance import one_of

ALL = [tuple(faces) for faces in product(range(1, 7), repeat=5)]


def pattern(faces: tuple[int, ...]) -> list[int]:
    """Sizes of the groups of equal dice, largest first: an independent way to name a roll."""
    return sorted((faces.count(face) for face in set(faces)), reverse=True)


def test_groups_of_all_7776_rolls() -> None:
    for faces in ALL:
        groups = pattern(faces)
        assert dice.most_alike(faces) == groups[0]
        for number in range(1, 6):
            assert dice.alike(faces, number) == (groups[0] >= number)
        assert dice.full_house(faces) == (groups == [3, 2])
        assert dice.two_pairs(faces) == (groups in ([2, 2, 1], [3, 2]))
        assert dice.five_alike(faces) == (faces[0] if groups == [5] else 0)


def test_straights_of_all_7776_rolls() -> None:
    small = [{1, 2, 3, 4}, {2, 3, 4, 5}, {3, 4, 5, 6}]
    for faces in ALL:
        shown = set(faces)
        assert dice.small_straight(faces) == any(run <= shown for run in small)
        assert dice.large_straight(faces) == (shown in ({1, 2, 3, 4, 5}, {2, 3, 4, 5, 6}))


@pytest.mark.parametrize(
    ("faces", "run"),
    [
        ((1, 1, 1, 1, 1), 1),
        ((1, 3, 5, 1, 3), 1),
        ((6, 5, 1, 2, 3), 3),
        ((2, 3, 4, 5, 2), 4),
        ((6, 2, 4, 3, 5), 5),
        ((), 0),
    ],
)
def test_longest_run(faces: tuple[int, ...], run: int) -> None:
    assert dice.longest_run(faces) == run


def test_counts_and_sums() -> None:
    assert dice.face_counts((3, 5, 5, 1, 2)) == (1, 1, 1, 0, 2, 0)
    assert dice.sum_of((3, 5, 5, 1, 2), 5) == 10
    assert dice.sum_of((3, 5, 5, 1, 2), 6) == 0


@pytest.mark.parametrize(("number", "rolls"), [(0, 1), (1, 6), (2, 21), (5, 252)])
def test_rolls_are_every_multiset_with_its_ways(number: int, rolls: int) -> None:
    found = dice.rolls(number)
    assert len(found) == rolls
    assert sum(ways for _, ways in found) == 6**number
    assert all(a <= b for faces, _ in found for a, b in pairwise(faces))
    assert found == tuple(sorted(found))


def test_ways_of_all_rolls_by_counting() -> None:
    counted: dict[tuple[int, ...], int] = {}
    for faces in ALL:
        key = tuple(sorted(faces))
        counted[key] = counted.get(key, 0) + 1
    assert dict(dice.rolls(5)) == counted


def test_what_is_drawn_of_several_is_what_random_choice_draws() -> None:
    ours, theirs = Random(3), Random(3)
    for count in range(1, 70):
        assert one_of(range(count), ours) == theirs.choice(range(count))
    with pytest.raises(IndexError):
        one_of((), ours)
