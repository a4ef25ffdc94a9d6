"""The clauses of Power, by number (see `docs/rules/power.md`)."""

from functools import partial
from itertools import combinations, product

import pytest

from appliance.words import Label
from games import power
from games.power import CROSSED_SLOT, Cross, FilledSlot, Kind, Score, Sheet, Slot, State
from games.power.sheet import _base, base_score
from games.values import (
    BadOptions,
    Choose,
    Corrected,
    DieKind,
    IllegalEvent,
    Keep,
    Points,
    Rolled,
    Throw,
)
from tests.builders import play_text

UPPER = tuple(Slot)[:7]


play = partial(play_text, power.GAME, first=0)


def sheet_of(lines: dict[Slot, FilledSlot]) -> Sheet:
    return Sheet.of([lines.get(slot) for slot in Slot])


def solo(lines: dict[Slot, FilledSlot]) -> State:
    """A solo game at the start of a turn with these slots filled, one each turn."""
    return power.GAME.position(players=["A"], sheets=[sheet_of(lines)], turns=len(lines))


def only(*slots: Slot, filled: FilledSlot = CROSSED_SLOT) -> State:
    """A solo game with these slots open and the others filled."""
    return solo({slot: filled for slot in Slot if slot not in slots})


def offered(state: State) -> list[str]:
    """The labels of what may be scored or crossed out."""
    return [c.key for c in power.GAME.choices(state) if not isinstance(c, Keep)]


def scores(state: State) -> dict[str, int]:
    """The points of each score, by label."""
    by_label = {}
    for choice in power.GAME.choices(state):
        if isinstance(choice, Score):
            points = power.GAME.preview(state, choice)
            assert points is not None
            by_label[choice.key] = points.points
    return by_label


def keeps(state: State) -> set[tuple[int, ...]]:
    return {choice.slots for choice in power.GAME.choices(state) if isinstance(choice, Keep)}


def line(state: State, slot: Slot, seat: int = 0) -> FilledSlot | None:
    return state.sheets[seat].lines[slot]


EVERY_KEEP = {slots for n in range(6) for slots in combinations(range(6), n)}


# 1. Players, and who begins.


@pytest.mark.parametrize("players", [1, 2, 3, 4, 5, 6])
def test_power_1_one_to_six_players(players: int) -> None:
    state = power.GAME.start([f"P{n}" for n in range(players)], {})
    assert power.GAME.scores(state) == (0,) * players


@pytest.mark.parametrize("players", [0, 7])
def test_power_1_no_other_number_of_players(players: int) -> None:
    with pytest.raises(BadOptions, match=f"1 to 6 players, got {players}"):
        power.GAME.start([f"P{n}" for n in range(players)], {})


def test_power_1_each_throws_one_die_and_the_highest_begins() -> None:
    state = power.GAME.start(["Ann", "Bob", "Cid"], {})
    for seat, face in enumerate([3, 6, 5]):
        asked = power.GAME.ask(state)
        assert isinstance(asked, Throw)
        assert (asked.seat, asked.purpose, len(asked.dice)) == (seat, "who-begins", 1)
        assert asked.dice[0].kind is DieKind.BLACK
        state = power.GAME.apply(state, Rolled((face,)))
    asked = power.GAME.ask(state)
    assert isinstance(asked, Throw)
    assert (asked.seat, asked.roll, len(asked.dice)) == (1, 1, 6)


def test_power_1_ties_throw_again_among_themselves() -> None:
    state = power.GAME.start(["A", "B", "C"], {})
    state = play("roll 5; roll 2; roll 5", state)
    assert (state.first, state.seat) == (None, 0)
    state = play("roll 1; roll 1", state)
    assert (state.first, state.seat) == (None, 0)
    assert power.GAME.turn(state) == 0
    state = play("roll 1; roll 2", state)
    assert (state.first, state.seat) == (2, 2)
    assert power.GAME.turn(state) == 1
    assert state.roll_off == (5, 2, 5, 1, 1, 1, 2)


@pytest.mark.parametrize("faces", [(), (1, 2), (0,), (7,), ("1",), (1, 2, 3, 4, 5, "1")])
def test_power_1_only_one_numbered_die_in_the_roll_off(faces: tuple[int | str, ...]) -> None:
    with pytest.raises(IllegalEvent, match="1 faces from 1 to 6, thrown by A"):
        power.GAME.apply(power.GAME.start(["A", "B"], {}), Rolled(faces))


def test_power_1_play_passes_to_the_left() -> None:
    state = power.GAME.start(["A", "B", "C"], {"first": 1})
    order = []
    for _ in range(7):
        order.append(state.seat)
        state = play("roll 1 2 3 4 6 x1", state)
        state = power.GAME.apply(state, power.GAME.choices(state)[0])
    assert order == [1, 2, 0, 1, 2, 0, 1]


@pytest.mark.parametrize("first", [True, False, 2, -1, "1", "nobody", 1.0])
def test_power_1_the_first_seat_must_be_there(first: object) -> None:
    with pytest.raises(BadOptions, match="option first"):
        power.GAME.start(["A", "B"], {"first": first})  # type: ignore[dict-item]


def test_power_1_other_options_and_names_are_refused() -> None:
    with pytest.raises(BadOptions, match="no option 'jokers'"):
        power.GAME.start(["A"], {"jokers": True})
    for names in (["A", ""], ["A\nB"], "AB"):
        with pytest.raises(BadOptions, match="name"):
            power.GAME.start(names, {})


# 2. The sheet.


def test_power_2_twenty_one_slots() -> None:
    assert len(Slot) == 21
    rows = power.GAME.sheet(power.GAME.start(["A"], {}), 0).rows
    assert [row.key for row in rows] == [
        *("aces", "twos", "threes", "fours", "fives", "sixes", "choice"),
        *(
            "two-pairs",
            "three-alike 1",
            "three-alike 2",
            "four-alike 1",
            "four-alike 2",
            "full-house",
        ),
        *("small-straight 1", "small-straight 2", "large-straight 1", "large-straight 2", "chance"),
        *("five-alike 1", "five-alike 2", "five-alike 3"),
    ]
    assert all(row.points is None for row in rows)


@pytest.mark.parametrize(
    ("faces", "expected"),
    [
        ("1 2 2 4 6", {"aces": 1, "twos": 4, "fours": 4, "sixes": 6}),
        ("6 2 6 2 1", {"aces": 1, "twos": 4, "sixes": 12, "two-pairs": 17}),
        (
            "5 3 5 3 5",
            {"threes": 6, "fives": 15, "two-pairs": 21, "three-alike": 21, "full-house": 25},
        ),
        ("4 4 6 4 4", {"fours": 16, "sixes": 6, "three-alike": 22, "four-alike": 22}),
        ("4 4 4 4 4", {"fours": 20, "three-alike": 20, "four-alike": 20, "five-alike": 50}),
        ("4 1 3 2 4", {"aces": 1, "twos": 2, "threes": 3, "fours": 8, "small-straight": 30}),
        (
            "2 3 4 5 6",
            {"twos": 2, "threes": 3, "fours": 4, "fives": 5, "sixes": 6}
            | {"small-straight": 30, "large-straight": 40},
        ),
    ],
)
def test_power_2_what_a_roll_scores(faces: str, expected: dict[str, int]) -> None:
    by_label = scores(play(f"roll {faces} x1"))
    total = sum(map(int, faces.split()))
    assert {k: v for k, v in by_label.items() if not k.startswith("choice")} == expected | {
        "chance": total
    }


@pytest.mark.parametrize(
    ("slots", "faces", "bases"),
    [
        (("FIVE_ALIKE_1", "FIVE_ALIKE_2", "FIVE_ALIKE_3"), "6 6 6 6 6", (50, 100, 150)),
        (("SMALL_STRAIGHT_1", "SMALL_STRAIGHT_2"), "1 2 3 4 6", (30, 30)),
        (("LARGE_STRAIGHT_1", "LARGE_STRAIGHT_2"), "1 2 3 4 5", (40, 40)),
        (("THREE_ALIKE_1", "THREE_ALIKE_2"), "6 6 6 1 2", (21, 21)),
        (("FOUR_ALIKE_1", "FOUR_ALIKE_2"), "6 6 6 6 2", (26, 26)),
        (("FULL_HOUSE",), "6 6 6 5 5", (25,)),
    ],
)
def test_power_2_slots_of_a_kind(
    slots: tuple[str, ...], faces: str, bases: tuple[int, ...]
) -> None:
    kind = Slot[slots[0]].kind
    state = power.GAME.start(["A"], {})
    for slot, base in zip(slots, bases, strict=True):
        state = play(f"roll {faces} x2; score {kind.word}", state)
        assert line(state, Slot[slot]) == FilledSlot(base, 2)
    state = play(f"roll {faces} x2", state)
    assert not any(
        c.kind is kind for c in power.GAME.choices(state) if isinstance(c, Score | Cross)
    )


def test_power_2_two_pairs_are_of_different_numbers() -> None:
    assert "two-pairs" not in offered(play("roll 4 4 4 4 6 x1"))
    assert "two-pairs" not in offered(play("roll 4 4 4 4 4 x1"))
    assert "two-pairs" in offered(play("roll 4 4 4 6 6 x1"))


# 3. Powers and the upper bonus.


@pytest.mark.parametrize("faces", list(product((1, 4, 6), (1, 2, 3))))
def test_power_3_total_is_base_times_power(faces: tuple[int, int]) -> None:
    face, factor = faces
    state = play(f"roll {face} {face} 2 3 5 x{factor}; score {Kind(face - 1).word}")
    assert line(state, Slot(face - 1)) == FilledSlot(2 * face, factor)
    assert power.GAME.scores(state) == (2 * face * factor,)


@pytest.mark.parametrize(
    ("upper", "bonus"),
    [(0, 0), (149, 0), (150, 50), (199, 50), (200, 100), (299, 100), (300, 200), (330, 200)],
)
def test_power_3_bonus_by_the_sum_of_totals(upper: int, bonus: int) -> None:
    lines = totals_of(upper)
    sheet = power.GAME.sheet(solo(lines), 0)
    assert (sheet.upper, sheet.upper_bonus, sheet.lower) == (upper, bonus, 0)
    assert sheet.total == upper + bonus


def totals_of(upper: int) -> dict[Slot, FilledSlot]:
    """Upper slots whose totals add up to `upper`."""
    for factors in product((0, 1, 2, 3), repeat=7):
        most = [f * n * 5 for f, n in zip(factors, (1, 2, 3, 4, 5, 6, 6), strict=True)]
        excess = sum(most) - upper
        if factors[0] and 0 <= excess <= 4 * factors[0] and excess % factors[0] == 0:
            lines = {}
            for slot, factor, number in zip(UPPER, factors, (1, 2, 3, 4, 5, 6, 6), strict=True):
                base = 5 * number - (excess // factor if slot is Slot.ACES else 0)
                choice = number if slot is Slot.CHOICE else 0
                lines[slot] = FilledSlot(base, factor, choice) if factor else CROSSED_SLOT
            return lines
    assert upper == 0
    return {}


def test_power_3_the_bonus_grows_step_by_step_and_is_named() -> None:
    state = solo({Slot.SIXES: FilledSlot(30, 3), Slot.FIVES: FilledSlot(25, 2)})
    assert power.GAME.scores(state) == (140,)
    state = play("roll 4 4 1 2 3 x2", state)
    assert power.GAME.preview(state, Score(Kind.FOURS)) == Points(66, "x2 bonus 50")
    assert power.GAME.preview(state, Score(Kind.TWOS)) == Points(4, "x2")
    state = play("score fours; roll 4 4 4 4 1 x3", state)
    assert power.GAME.preview(state, Score(Kind.CHOICE, 4)) == Points(98, "x3 bonus 50")
    assert power.GAME.scores(play("score choice 4", state)) == (140 + 16 + 48 + 100,)


def test_power_3_the_lower_section_earns_no_bonus() -> None:
    state = solo({Slot.FIVE_ALIKE_1: FilledSlot(50, 3), Slot.FIVE_ALIKE_2: FilledSlot(100, 3)})
    assert power.GAME.scores(state) == (450,)


# 4. The Power die.


def test_power_4_six_dice_are_thrown() -> None:
    asked = power.GAME.ask(power.GAME.start(["A"], {}))
    assert isinstance(asked, Throw)
    assert [(die.slot, die.kind) for die in asked.dice] == [
        *((slot, DieKind.BLACK) for slot in range(5)),
        (5, DieKind.POWER),
    ]
    assert (asked.roll, asked.rolls) == (1, 3)


@pytest.mark.parametrize("face", ["x1", "x2", "x3", "double", "power"])
def test_power_4_any_dice_may_be_thrown_again_on_rolls_2_and_3(face: str) -> None:
    state = play(f"roll 1 2 3 4 6 {face}")
    assert keeps(state) == EVERY_KEEP
    state = play(f"hold 1 2 3; roll 1 1 {face}", state)
    assert keeps(state) == EVERY_KEEP
    state = play(f"hold none; roll 6 6 6 5 5 {face}", state)
    assert power.GAME.dice(state) == (6, 6, 6, 5, 5, face.lstrip("x"))
    assert keeps(state) == ({k for k in EVERY_KEEP if 5 in k} if face == "power" else set())
    with pytest.raises(IllegalEvent):
        power.GAME.apply(state, Keep((0, 1, 2, 3, 4)))


def test_power_4_the_power_die_alone_may_be_thrown_again() -> None:
    state = play("roll 6 6 6 5 5 x1; hold 1 2 3 4 5")
    asked = power.GAME.ask(state)
    assert isinstance(asked, Throw)
    assert [die.kind for die in asked.dice] == [DieKind.POWER]
    assert power.GAME.dice(state) == (6, 6, 6, 5, 5, None)
    assert power.GAME.dice(play("roll x3", state)) == (6, 6, 6, 5, 5, "3")


@pytest.mark.parametrize(
    "faces",
    [
        (1, 2, 3, 4, 5),
        (1, 2, 3, 4, 5, 6),
        (1, 2, 3, 4, 5, 1),
        (1, 2, 3, 4, 5, "4"),
        (1, 2, 3, 4, "5", "1"),
        (1, 2, 3, 4, 7, "1"),
        ("1", 2, 3, 4, 5, "1"),
        (True, 2, 3, 4, 5, "1"),
    ],
)
def test_power_4_only_the_dice_asked_for(faces: tuple[int | str, ...]) -> None:
    with pytest.raises(IllegalEvent, match="5 faces from 1 to 6 and a face of the Power die"):
        power.GAME.apply(power.GAME.start(["A"], {}), Rolled(faces))


@pytest.mark.parametrize(
    "rolls",
    [
        "roll 1 1 3 5 6 freeze",
        "roll 1 1 3 5 6 x1; hold 1 2 3 4 5; roll freeze",
        "roll 1 1 3 5 6 x1; hold 1 2 3 4 5; roll power; hold 1 2 3 4 5; roll freeze",
    ],
)
def test_power_4_freeze_ends_the_rolling_at_once_on_any_roll(rolls: str) -> None:
    state = play(rolls)
    assert keeps(state) == set()
    assert power.GAME.ask(state) == Choose(0, state.roll, state.roll, "score")
    with pytest.raises(IllegalEvent):
        power.GAME.apply(state, Keep((0, 1)))
    with pytest.raises(IllegalEvent):
        power.GAME.apply(state, Rolled((1, 1, 1, 1, 1, "1")))
    assert power.GAME.preview(state, Score(Kind.SIXES)) == Points(6, "freeze x1")
    assert power.GAME.scores(play("score sixes", state)) == (6,)


def test_power_4_freeze_must_be_scored() -> None:
    state = play("roll 1 1 3 5 6 freeze")
    assert len(offered(state)) == len(scores(state)) + 15
    assert state.seat == 0
    assert power.GAME.apply(state, power.GAME.choices(state)[0]).turns == 1


def test_power_4_double_is_scored_in_two_slots_one_after_the_other() -> None:
    state = play("roll 4 4 4 4 6 double", players=2)
    assert power.GAME.ask(state) == Choose(0, 1, 3, "first-of-two")
    assert power.GAME.preview(state, Score(Kind.FOURS)) == Points(32, "double x2")
    state = play("score fours", state)
    assert power.GAME.ask(state) == Choose(0, 1, 1, "second-of-two")
    assert keeps(state) == set()
    assert "fours" not in offered(state)
    state = play("score four-alike", state)
    assert state.seat == 1
    assert state.turns == 1
    assert power.GAME.scores(state) == (76, 0)


def test_power_4_double_only_counts_as_the_final_face() -> None:
    state = play("roll 4 4 4 4 6 double; hold 1 2 3 4; roll 6 x3; score fours", players=2)
    assert (power.GAME.scores(state), state.seat) == ((48, 0), 1)
    state = play("roll 4 4 4 4 6 x1; hold 1 2 3 4 5; roll double; score fours", players=2)
    assert state.seat == 0


def test_power_4_double_takes_an_x_where_the_roll_does_not_qualify_or_is_given_up() -> None:
    state = play("roll 4 4 4 4 6 double; score fours; cross small-straight", players=2)
    assert line(state, Slot.FOURS) == FilledSlot(16, 2)
    assert line(state, Slot.SMALL_STRAIGHT_2) == CROSSED_SLOT
    state = play("roll 4 4 4 4 6 double; score fours; cross four-alike", players=2)
    assert line(state, Slot.FOUR_ALIKE_2) == CROSSED_SLOT
    state = play("roll 4 4 4 4 6 double; cross fours; cross sixes", players=2)
    assert (power.GAME.scores(state), state.sheets[0].filled) == ((0, 0), 2)


def test_power_4_double_may_fill_two_slots_of_one_kind() -> None:
    state = play("roll 6 6 6 1 2 double; score three-alike; score three-alike")
    assert line(state, Slot.THREE_ALIKE_1) == line(state, Slot.THREE_ALIKE_2) == FilledSlot(21, 2)
    state = play("roll 6 6 6 6 6 double; score five-alike; score five-alike")
    assert line(state, Slot.FIVE_ALIKE_1) == FilledSlot(50, 2)
    assert line(state, Slot.FIVE_ALIKE_2) == FilledSlot(100, 2)
    state = play("roll 6 6 6 6 6 double; score five-alike; cross five-alike")
    assert line(state, Slot.FIVE_ALIKE_2) is None
    assert line(state, Slot.FIVE_ALIKE_3) == CROSSED_SLOT


def test_power_4_double_may_use_a_number_and_the_choice() -> None:
    state = play("roll 4 4 4 4 6 double; score fours; score choice 4")
    assert line(state, Slot.FOURS) == FilledSlot(16, 2)
    assert line(state, Slot.CHOICE) == FilledSlot(16, 2, 4)


def test_power_4_double_with_one_open_slot_fills_that_one() -> None:
    state = play("roll 4 4 4 4 6 double; score chance", only(Slot.CHANCE))
    assert power.GAME.ask(state) is None
    assert line(state, Slot.CHANCE) == FilledSlot(22, 2)


def test_power_4_double_with_two_open_slots_ends_the_game_with_the_second() -> None:
    state = play("roll 4 4 4 4 6 double; score chance", only(Slot.CHANCE, Slot.ACES))
    assert power.GAME.outcome(state) is None
    assert offered(state) == ["cross aces"]
    assert power.GAME.outcome(play("cross aces", state)) is not None


def test_power_4_power_after_roll_three_gives_a_fourth_roll() -> None:
    state = play("roll 1 6 6 6 6 power; hold 2 3 4 5 6; roll 2; hold 2 3 4 5 6; roll 3")
    assert power.GAME.ask(state) == Choose(0, 3, 4)
    assert keeps(state) == {k for k in EVERY_KEEP if 5 in k}
    state = play("hold 2 3 4 5 6", state)
    asked = power.GAME.ask(state)
    assert isinstance(asked, Throw)
    assert (asked.roll, asked.rolls) == (4, 4)
    assert [die.slot for die in asked.dice] == [0]
    state = play("roll 6", state)
    assert keeps(state) == set()
    assert power.GAME.ask(state) == Choose(0, 4, 4)
    assert power.GAME.scores(play("score five-alike", state)) == (150,)


def test_power_4_any_numbered_dice_in_the_fourth_roll_but_not_the_power_die() -> None:
    state = play("roll 1 2 3 4 6 power; hold 6; roll 1 2 3 4 6; hold 6; roll 1 2 3 4 6")
    assert power.GAME.dice(play("hold 6; roll 5 5 5 5 5", state)) == (5, 5, 5, 5, 5, "power")
    for slots in ((), (0, 1, 2, 3, 4), (0,)):
        with pytest.raises(IllegalEvent):
            power.GAME.apply(state, Keep(slots))


def test_power_4_throwing_the_power_die_again_gives_the_fourth_roll_up() -> None:
    state = play("roll 1 6 6 6 6 power; hold 2 3 4 5; roll 2 x2; hold 2 3 4 5 6; roll 3")
    assert keeps(state) == set()
    assert power.GAME.preview(state, Score(Kind.SIXES)) == Points(48, "x2")


def test_power_4_unless_it_shows_power_again_after_roll_three() -> None:
    state = play("roll 1 6 6 6 6 power; hold 2 3 4 5; roll 2 x2; hold 2 3 4 5; roll 3 power")
    assert keeps(state) == {k for k in EVERY_KEEP if 5 in k}
    state = play("roll 1 6 6 6 6 x1; hold 2 3 4 5 6; roll 2; hold 2 3 4 5; roll 3 power")
    assert keeps(state) == {k for k in EVERY_KEEP if 5 in k}


@pytest.mark.parametrize(
    "rolls",
    [
        "roll 1 6 6 6 6 power",
        "roll 1 6 6 6 6 power; hold 2 3 4 5 6; roll 1",
        "roll 1 6 6 6 6 power; hold 2 3 4 5 6; roll 1; hold 2 3 4 5 6; roll 1",
        "roll 1 6 6 6 6 power; hold 2 3 4 5 6; roll 1; hold 2 3 4 5 6; roll 1; hold 2 3 4 5 6;"
        " roll 1",
    ],
)
def test_power_4_may_stop_at_any_time_with_power_showing(rolls: str) -> None:
    state = play(rolls)
    assert power.GAME.preview(state, Score(Kind.SIXES)) == Points(72, "power x3")
    assert power.GAME.scores(play("score sixes", state)) == (72,)


def test_power_4_the_rolls_are_counted_as_things_stand() -> None:
    state = play("roll 1 6 6 6 6 power")
    assert power.GAME.ask(state) == Choose(0, 1, 4)
    for kept, rolls in (("2 3 4 5 6", 4), ("2 3 4 5", 3)):
        asked = power.GAME.ask(play(f"hold {kept}", state))
        assert isinstance(asked, Throw)
        assert (asked.roll, asked.rolls) == (2, rolls)


# 5. The order within a kind.


def test_power_5_scores_fill_a_kind_from_the_first_and_crosses_from_the_last() -> None:
    state = play("roll 1 2 3 4 6 x1; cross five-alike; roll 6 6 6 6 6 x1; score five-alike")
    assert line(state, Slot.FIVE_ALIKE_3) == CROSSED_SLOT
    assert line(state, Slot.FIVE_ALIKE_1) == FilledSlot(50, 1)
    state = play("roll 6 6 6 6 6 x1; score five-alike", state)
    assert line(state, Slot.FIVE_ALIKE_2) == FilledSlot(100, 1)
    assert not any("ALIKE" in label and "5" in label for label in offered(state))


def test_power_5_crosses_of_five_alike_go_third_second_first() -> None:
    state = power.GAME.start(["A"], {})
    for slot in (Slot.FIVE_ALIKE_3, Slot.FIVE_ALIKE_2, Slot.FIVE_ALIKE_1):
        state = play("roll 1 2 3 4 6 x1; cross five-alike", state)
        assert line(state, slot) == CROSSED_SLOT
        assert state.sheets[0].filled == state.turns


@pytest.mark.parametrize("kind", ["three-alike", "four-alike", "small-straight", "large-straight"])
def test_power_5_crosses_of_every_numbered_kind_take_the_second_slot_first(kind: str) -> None:
    state = play(f"roll 1 1 2 2 5 x1; cross {kind}")
    name = kind.upper().replace("-", "_")
    assert line(state, Slot[f"{name}_2"]) == CROSSED_SLOT
    assert line(state, Slot[f"{name}_1"]) is None
    assert line(play(f"roll 1 1 2 2 5 x1; cross {kind}", state), Slot[f"{name}_1"]) == CROSSED_SLOT


# 6. Choice.


def test_power_6_choice_is_any_number_at_any_time() -> None:
    state = play("roll 1 4 4 6 6 x2")
    by_label = {k: v for k, v in scores(state).items() if k.startswith("choice")}
    assert by_label == {"choice 1": 2, "choice 4": 16, "choice 6": 24}
    # Whether the number's own slot is open or not makes no difference.
    filled = play("score fours; roll 1 4 4 6 6 x2", state)
    assert {k: v for k, v in scores(filled).items() if k.startswith("choice")} == by_label


def test_power_6_the_sheet_shows_the_number() -> None:
    state = play("roll 4 4 4 4 1 x3; score choice 4")
    row = power.GAME.sheet(state, 0).rows[Slot.CHOICE]
    assert (row.key, row.points, row.base, row.power) == ("choice 4", 48, 16, 3)
    assert "(4) 16 x3 = 48" in "\n".join(power.GAME.describe(state))


def test_power_6_choice_once_only() -> None:
    state = play("roll 4 4 4 4 1 x3; score choice 4; roll 6 6 6 1 2 x1")
    assert not any("choice" in label for label in offered(state))
    with pytest.raises(IllegalEvent):
        power.GAME.apply(state, Score(Kind.CHOICE, 6))


@pytest.mark.parametrize(
    "choice",
    [Score(Kind.CHOICE), Score(Kind.CHOICE, 5), Score(Kind.CHOICE, 7), Score(Kind.ACES, 1)],
)
def test_power_6_a_number_that_lies_there_goes_with_choice_alone(choice: Score) -> None:
    with pytest.raises(IllegalEvent):
        power.GAME.apply(play("roll 1 4 4 6 6 x2"), choice)


def test_power_6_crossed_choice_has_no_number() -> None:
    state = play("roll 1 4 4 6 6 x2; cross choice")
    assert power.GAME.sheet(state, 0).rows[Slot.CHOICE].key == "choice"
    assert line(state, Slot.CHOICE) == CROSSED_SLOT


# 7. No joker.


def test_power_7_five_alike_without_its_slots_scores_as_what_it_is() -> None:
    full = {
        Slot.FIVE_ALIKE_1: FilledSlot(50, 1),
        Slot.FIVE_ALIKE_2: CROSSED_SLOT,
        Slot.FIVE_ALIKE_3: CROSSED_SLOT,
    }
    state = play("roll 3 3 3 3 3 x1", solo(full))
    total = 15
    assert scores(state) == {
        **dict.fromkeys(["threes", "choice 3", "three-alike", "four-alike", "chance"], total)
    }
    assert power.GAME.scores(play("score chance", state)) == (50 + 15,)


def test_power_7_no_joker_and_no_bonus_with_the_slots_filled_by_scores() -> None:
    state = power.GAME.start(["A"], {})
    for points in (50, 150, 300):
        state = play("roll 3 3 3 3 3 x1; score five-alike", state)
        assert power.GAME.scores(state) == (points,)
    state = play("roll 3 3 3 3 3 x1; score threes; roll 3 3 3 3 3 x1", state)
    assert set(scores(state)) == {"choice 3", "three-alike", "four-alike", "chance"}
    for kind in (Kind.FULL_HOUSE, Kind.SMALL_STRAIGHT, Kind.LARGE_STRAIGHT):
        with pytest.raises(IllegalEvent):
            power.GAME.apply(state, Score(kind))


# 8. A zero by choice.


def test_power_8_any_open_slot_may_be_given_a_zero() -> None:
    state = play("roll 6 6 6 6 6 x3")
    for kind in Kind:
        after = power.GAME.apply(state, Cross(kind))
        assert power.GAME.scores(after) == (0,)
        assert after.sheets[0].filled == 1
        assert power.GAME.preview(state, Cross(kind)) == Points(0)


def test_power_8_a_filled_kind_may_not() -> None:
    state = play("roll 1 1 2 3 4 x1; score aces; roll 1 1 2 3 4 x1")
    for choice in (Cross(Kind.ACES), Score(Kind.ACES)):
        with pytest.raises(IllegalEvent, match="expected one of twos"):
            power.GAME.apply(state, choice)


# 9. The end.


def test_power_9_the_game_ends_at_once_in_mid_round() -> None:
    rest = [CROSSED_SLOT if slot is not Slot.ACES else None for slot in Slot]
    mine = [CROSSED_SLOT if slot is not Slot.CHANCE else None for slot in Slot]
    sheets = [Sheet.of(rest), Sheet.of(mine), Sheet.of(rest)]
    state = power.GAME.position(players=["A", "B", "C"], sheets=sheets, seat=1, first=1, turns=60)
    state = play("roll 1 2 3 4 6 x2; score chance", state)
    assert power.GAME.ask(state) is None
    assert power.GAME.choices(state) == ()
    outcome = power.GAME.outcome(state)
    assert outcome is not None
    assert (outcome.scores, outcome.winners) == ((0, 32, 0), (1,))
    assert [sheet.filled for sheet in state.sheets] == [20, 21, 20]
    assert power.GAME.turn(state) == 21
    for event in (Rolled((1,) * 5 + ("1",)), Keep(()), Cross(Kind.ACES), Corrected(0, 1)):
        with pytest.raises(IllegalEvent, match="the game is over"):
            power.GAME.apply(state, event)


def test_power_9_also_through_a_double_turns_before_the_others() -> None:
    state = power.GAME.start(["A", "B"], {"first": 0})
    turns = 0
    while power.GAME.ask(state) is not None:
        face = "double" if state.seat == 0 else "x1"
        state = play(f"roll 1 2 3 4 6 {face}", state)
        while isinstance(power.GAME.ask(state), Choose):
            state = power.GAME.apply(
                state, power.GAME.choices(state)[-1 if not keeps(state) else 0]
            )
        turns += 1
    # Ten doubles, then the last slot: eleven turns against ten.
    assert (turns, state.turns) == (21, 21)
    assert [sheet.filled for sheet in state.sheets] == [21, 10]
    assert state.seat == 0


def test_power_9_somebody_else_may_win() -> None:
    rich = Sheet.of([CROSSED_SLOT] * 18 + [FilledSlot(50, 3), None, CROSSED_SLOT])
    poor = Sheet.of(
        [CROSSED_SLOT] * 17 + [FilledSlot(20, 2), CROSSED_SLOT, CROSSED_SLOT, CROSSED_SLOT]
    )
    state = power.GAME.position(players=["A", "B"], sheets=[poor, rich], turns=41, held=None)
    outcome = power.GAME.outcome(state)
    assert outcome is not None
    assert (outcome.scores, outcome.winners, outcome.reason) == ((40, 150), (1,), "")


def test_power_9_ties_share() -> None:
    full = Sheet.of(
        [CROSSED_SLOT] * 17 + [FilledSlot(20, 2), CROSSED_SLOT, CROSSED_SLOT, CROSSED_SLOT]
    )
    part = Sheet.of([CROSSED_SLOT] * 17 + [FilledSlot(20, 2), None, CROSSED_SLOT, CROSSED_SLOT])
    state = power.GAME.position(players=["A", "B"], sheets=[full, part], turns=41, held=None)
    outcome = power.GAME.outcome(state)
    assert outcome is not None
    assert (outcome.winners, outcome.reason) == ((0, 1), "shared-win")


# Corrections.


def test_a_corrected_die_of_a_roll() -> None:
    wrong = play("roll 6 6 6 1 2 x1; fix 4 to 6; fix 2 to 1; fix 6 to power")
    assert wrong == play("roll 6 1 6 6 2 power")


def test_a_corrected_power_die_changes_what_is_legal() -> None:
    state = play("roll 6 6 6 1 2 x1")
    assert keeps(play("fix 6 to freeze", state)) == set()
    assert play("fix 6 to freeze", state) == play("roll 6 6 6 1 2 freeze")
    frozen = play("roll 6 6 6 1 2 freeze; fix 6 to x2")
    assert keeps(frozen) == EVERY_KEEP


def test_a_correction_takes_back_the_first_half_of_a_double() -> None:
    state = play("roll 4 4 4 4 6 double; score fours")
    assert play("fix 5 to 4", state) == play("roll 4 4 4 4 4 double")
    assert play("fix 6 to x2", state) == play("roll 4 4 4 4 6 x2")
    # One that changes nothing does not.
    assert play("fix 5 to 6", state) == play("fix 6 to double", state) == state


def test_a_correction_after_the_fourth_roll_lets_that_roll_stand() -> None:
    state = play("roll 1 6 6 6 6 power; hold 2 3 4 5 6; roll 1; hold 2 3 4 5 6; roll 1")
    state = play("hold 2 3 4 5 6; roll 2; fix 6 to x2", state)
    assert keeps(state) == set()
    assert power.GAME.ask(state) == Choose(0, 4, 4)
    assert power.GAME.preview(state, Score(Kind.SIXES)) == Points(48, "x2")


def test_a_corrected_roll_off() -> None:
    state = power.GAME.start(["A", "B"], {})
    state = play("roll 6; roll 1", state)
    assert state.first == 0
    assert play("fix 1 to 6", state).first is None
    with pytest.raises(IllegalEvent):
        play("fix 2 to 6", state)
    with pytest.raises(IllegalEvent):
        play("roll 1 2 3 4 6 x1; score chance; fix 1 to 6", state)


@pytest.mark.parametrize("text", ["roll 6 6 6 1 2 x1; hold 1", "roll 1 1 1 1 1 x1; score aces", ""])
def test_no_correction_without_a_roll_on_the_table(text: str) -> None:
    for event in (Corrected(0, 1), Corrected(5, "1")):
        with pytest.raises(IllegalEvent):
            power.GAME.apply(play(text), event)


@pytest.mark.parametrize(
    ("slot", "face"),
    [(6, 1), (-1, 1), (0, 0), (0, 7), (0, "1"), (5, 1), (5, "4"), (True, 2), (0, True)],
)
def test_no_correction_to_what_is_not_there(slot: int, face: int | str) -> None:
    with pytest.raises(IllegalEvent, match="expected a"):
        power.GAME.apply(play("roll 6 6 6 1 2 x1"), Corrected(slot, face))


# The board.


def test_labels_fit_the_board_and_differ() -> None:
    keys = set()
    for faces in ("1 2 3 4 5", "6 6 6 6 6", "5 5 5 6 6"):
        choices = power.GAME.choices(play(f"roll {faces} x1"))
        assert len({choice.key for choice in choices}) == len(choices)
        keys |= {choice.key for choice in choices}
    rows = power.GAME.sheet(play("roll 4 4 4 4 1 x3; score choice 4"), 0).rows
    keys |= {row.key for row in rows}
    labels = set(map(Label, keys))
    assert len(labels) == len(keys)
    assert all(0 < len(label) <= 10 and label == label.upper() for label in labels)


def test_choices_come_as_scores_then_crosses_then_holds() -> None:
    choices = power.GAME.choices(play("roll 4 4 6 6 6 x1"))
    kinds = [type(choice) for choice in choices]
    assert kinds == sorted(kinds, key=[Score, Cross, Keep].index)
    assert offered(play("roll 4 4 6 6 6 x1"))[:6] == [
        *("fours", "sixes", "choice 4", "choice 6", "two-pairs", "three-alike"),
    ]


@pytest.mark.parametrize("face", ["x1", "x2", "x3", "double", "freeze", "power"])
def test_reasons_fit_the_board(face: str) -> None:
    for lines in ({}, {Slot.SIXES: FilledSlot(30, 3), Slot.FIVES: FilledSlot(25, 2)}):
        state = play(f"roll 4 4 4 4 4 {face}", solo(lines))
        for choice in power.GAME.choices(state):
            points = power.GAME.preview(state, choice)
            assert points is None or len(Label(points.reason)) <= 12
            assert points is None or points.reason == points.reason.lower()
            assert (points is None) == isinstance(choice, Keep)


@pytest.mark.parametrize(
    "choice",
    [Score(-1), Score(15), Score(None), Score("aces"), Cross(-1), Cross(15), Cross("aces")],  # type: ignore[arg-type]
)
def test_what_is_no_kind_is_refused(choice: Score | Cross) -> None:
    state = play("roll 6 6 6 6 6 x1")
    for function in (power.GAME.apply, power.GAME.preview):
        with pytest.raises(IllegalEvent, match="expected one of sixes"):
            function(state, choice)


def test_a_number_that_does_not_count_is_not_remembered_with_a_roll() -> None:
    dice = 1, 2, 3, 4, 6
    for slot in Slot:
        base_score(dice, slot, 1)
    known = _base.cache_info().currsize
    for slot, number in product(set(Slot) - {Slot.CHOICE}, range(7)):
        assert base_score(dice, slot, number) == base_score(dice, slot, 1)
    assert _base.cache_info().currsize == known
