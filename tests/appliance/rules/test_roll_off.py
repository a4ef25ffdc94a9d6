import pytest

from appliance.rules.seats import Standing, roll_off_standing, throwers


@pytest.mark.parametrize(
    ("players", "totals", "expected"),
    [
        (1, [], Standing(0, True)),
        (2, [], Standing(0, False)),
        (2, [10], Standing(1, False)),
        (2, [10, 20], Standing(1, True)),
        (2, [10, 10], Standing(0, False, again=True)),
        (2, [10, 10, 5], Standing(1, False, again=True)),
        (2, [10, 10, 5, 5], Standing(0, False, again=True)),
        (2, [10, 10, 5, 5, 30, 5], Standing(0, True)),
        (4, [9, 20, 12, 20], Standing(1, False, again=True)),
        (4, [9, 20, 12, 20, 6], Standing(3, False, again=True)),
        (4, [9, 20, 12, 20, 6, 7], Standing(3, True)),
        # A second tie is among fewer seats than the first.
        (4, [20, 20, 12, 20, 6, 7, 7], Standing(1, False, again=True)),
        (4, [20, 20, 12, 20, 6, 7, 7, 30, 29], Standing(1, True)),
    ],
)
def test_standing(players: int, totals: list[int], expected: Standing) -> None:
    assert roll_off_standing(players, totals) == expected


def test_totals_after_the_decision_are_ignored() -> None:
    assert roll_off_standing(2, [10, 20, 30, 5]) == Standing(1, True)


def test_throwers() -> None:
    assert throwers(4, [20, 20, 12, 20, 6, 7, 7, 30, 29]) == (0, 1, 2, 3, 0, 1, 3, 1, 3)
