import pytest

from games.seats import RollOffStanding, roll_off_standing, throwers


@pytest.mark.parametrize(
    ("players", "totals", "expected"),
    [
        (1, [], RollOffStanding(0, True)),
        (2, [], RollOffStanding(0, False)),
        (2, [10], RollOffStanding(1, False)),
        (2, [10, 20], RollOffStanding(1, True)),
        (2, [10, 10], RollOffStanding(0, False, again=True)),
        (2, [10, 10, 5], RollOffStanding(1, False, again=True)),
        (2, [10, 10, 5, 5], RollOffStanding(0, False, again=True)),
        (2, [10, 10, 5, 5, 30, 5], RollOffStanding(0, True)),
        (4, [9, 20, 12, 20], RollOffStanding(1, False, again=True)),
        (4, [9, 20, 12, 20, 6], RollOffStanding(3, False, again=True)),
        (4, [9, 20, 12, 20, 6, 7], RollOffStanding(3, True)),
        # A second tie is among fewer seats than the first.
        (4, [20, 20, 12, 20, 6, 7, 7], RollOffStanding(1, False, again=True)),
        (4, [20, 20, 12, 20, 6, 7, 7, 30, 29], RollOffStanding(1, True)),
    ],
)
def test_standing(players: int, totals: list[int], expected: RollOffStanding) -> None:
    assert roll_off_standing(players, totals) == expected


def test_totals_after_the_decision_are_ignored() -> None:
    assert roll_off_standing(2, [10, 20, 30, 5]) == RollOffStanding(1, True)


def test_throwers() -> None:
    assert throwers(4, [20, 20, 12, 20, 6, 7, 7, 30, 29]) == (0, 1, 2, 3, 0, 1, 3, 1, 3)
