"""The rules of Classic against results computed by others, through the solver that uses them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest

from games import classic
from games.boxes import Score
from games.chance import random_event
from games.classic import Box, Classic, Sheet, State
from games.strategy.boxes.values import UPPER_SUMS
from games.strategy.turn import HANDS
from games.values import Choice, Choose, Keep, Points, Rolled
from scripts.solving.solver import Solution, solve
from scripts.solving.table import Table, TableError, tabulate
from tests.rigs.examples import FULL, examples, only_in_full

ys = pytest.importorskip("yatzy_solver")

CATEGORIES = (
    *("ones", "twos", "threes", "fours", "fives", "sixes", "three_of_a_kind", "four_of_a_kind"),
    *("full_house", "small_straight", "large_straight", "five_of_a_kind", "chance"),
)
"""The boxes in the order of the sheet, as yatzy-solver names them."""


OPEN_MASKS = 1 << len(Box)
PART = 1 << Box.SIXES | 1 << Box.FULL_HOUSE | 1 << Box.FIVE_ALIKE | 1 << Box.CHANCE
MORE = PART | 1 << Box.FOURS | 1 << Box.FIVES | 1 << Box.LARGE_STRAIGHT
MASKS = OPEN_MASKS - 1 if FULL else MORE
"""The boxes that are solved for; with all of them it takes a minute."""


@pytest.fixture(scope="module")
def table() -> Table:
    return tabulate(classic.GAME, MASKS)


@pytest.fixture(scope="module")
def solution(table: Table) -> Solution:
    return solve(table, MASKS)


@pytest.fixture(scope="module")
def variant() -> Any:
    return ys.Variant("american+forced-joker")


@pytest.fixture(scope="module")
def theirs(variant: Any) -> Any:
    return ys.Solver.build(variant)


def reachable(count: int, seed: int) -> Iterator[State]:
    """States with a roll on the table from random solo games, with far more jokers than usual."""
    random = Random(seed)
    found = 0
    while found < count:
        state = classic.GAME.start(["A"], {})
        loaded = random.random() < 0.5
        while (event := random_event(classic.GAME, state, random)) is not None:
            if loaded and isinstance(event, Rolled) and random.random() < 0.5:
                face = random.randint(1, 6)
                held = [classic.GAME.dice(state)[slot] for slot in classic.GAME.held(state)]
                face = next((f for f in held if isinstance(f, int)), face)
                event = Rolled((face,) * len(event.faces))
            state = classic.GAME.apply(state, event)
            if isinstance(classic.GAME.ask(state), Choose) and random.random() < 0.2:
                yield state
                found += 1
                if found == count:
                    return


def worth_of(table: Table, solution: Solution, sheet: Sheet) -> float:
    """The points to come on a sheet before its next turn."""
    number, upper = table.special.number(sheet.boxes), min(sheet.upper, UPPER_SUMS - 1)
    return float(solution.values[number, sheet.open, upper])


def notation(state: State) -> str:
    """A state with a roll on the table as yatzy-solver writes it."""
    sheet = state.sheets[0]
    filled = [CATEGORIES[box] for box in Box if sheet.boxes[box] is not None]
    parts = [
        f"dice {' '.join(map(str, sorted(state.dice)))}",
        f"rolls {3 - state.roll}",
        f"upper {sheet.upper}",
        f"filled {','.join(filled) or '-'}",
    ]
    if sheet.boxes[Box.FIVE_ALIKE] is not None:
        parts.append(f"five_of_a_kind {sheet.boxes[Box.FIVE_ALIKE]}")
    return " | ".join(parts)


def test_random_situations_agree_with_yatzy_solver(variant: Any) -> None:
    situations = jokers = forced = 0
    wanted = examples(1000, 10_000)
    for state in reachable(wanted, seed=20):
        text = notation(state)
        theirs = variant.legal_actions(text)
        ours = classic.GAME.choices(state)
        boxes = [choice.box for choice in ours if isinstance(choice, Score)]
        assert [f"score {CATEGORIES[box]}" for box in boxes] == [
            action for action in theirs if action.startswith("score ")
        ], text
        # yatzy-solver names kept dice by their faces; it does not offer keeping all five either.
        kept = {
            " ".join(["keep", *(map(str, sorted(state.dice[slot] for slot in choice.slots)))])
            for choice in ours
            if isinstance(choice, Keep)
        }
        kept = {"keep -" if keep == "keep" else keep for keep in kept}
        assert kept == {action for action in theirs if action.startswith("keep ")}, text
        dice = sorted(state.dice)
        before = " | ".join(text.split(" | ")[2:])
        for box in boxes:
            preview = classic.GAME.preview(state, Score(box))
            after, points = variant.apply_score(before, dice, CATEGORIES[box])
            assert preview is not None
            assert preview.points == points, (text, box)
            sheet = classic.GAME.apply(state, Score(box)).sheets[0]
            assert f"upper {sheet.upper} " in after
            assert ("five_of_a_kind 50" in after) == (sheet.boxes[Box.FIVE_ALIKE] == 50)
        situations += 1
        jokers += len(set(dice)) == 1 and state.sheets[0].boxes[Box.FIVE_ALIKE] is not None
        forced += len(boxes) < state.sheets[0].open.bit_count()
    assert situations == wanted
    # The sample must reach the cases that matter.
    assert jokers > wanted / 20
    assert forced > wanted / 20


@only_in_full
def test_best_expected_score(solution: Solution) -> None:
    assert solution.game == pytest.approx(254.5877287345, rel=0, abs=1e-9)


@only_in_full
def test_every_position_is_worth_what_yatzy_solver_says(solution: Solution, theirs: Any) -> None:
    filled, upper, armed, ours = [], [], [], []
    for mask in range(OPEN_MASKS):
        high = sum(5 * (box + 1) for box in range(6) if not mask >> box & 1)
        # While the five-alike box is open it cannot hold 50.
        for flag in range(1 if mask >> Box.FIVE_ALIKE & 1 else 2):
            for total in range(min(high, UPPER_SUMS - 1) + 1):
                filled.append(OPEN_MASKS - 1 - mask)
                upper.append(total)
                armed.append(bool(flag))
                ours.append(solution.values[flag, mask, total])
    values = theirs.state_values(
        np.array(filled, np.uint32), np.array(upper, np.uint16), np.array(armed)
    )
    assert len(ours) > 500_000
    assert np.abs(values - np.array(ours)).max() < 1e-9


@only_in_full
def test_options_are_worth_what_yatzy_solver_says(
    table: Table, solution: Solution, theirs: Any
) -> None:
    for state in reachable(300, seed=21):
        options = dict(theirs.option_values(notation(state)))
        ours = {}
        for choice in classic.GAME.choices(state):
            if isinstance(choice, Score):
                preview = classic.GAME.preview(state, choice)
                assert preview is not None
                to_come = worth_of(table, solution, classic.GAME.apply(state, choice).sheets[0])
                ours[f"score {CATEGORIES[choice.box]}"] = preview.points + to_come
        assert ours == pytest.approx({k: v for k, v in options.items() if k.startswith("score ")})
        sheet = state.sheets[0]
        hand = HANDS.index(tuple(sorted(state.dice)))
        worth = solution.turn(table, table.special.number(sheet.boxes), sheet.open)[
            hand, min(sheet.upper, UPPER_SUMS - 1)
        ]
        assert worth == pytest.approx(max(ours.values()))


def test_the_tables_add_up_to_the_scores_of_real_games(table: Table) -> None:
    # What is not tabulated is filled, so that the upper bonus is not far.
    filled = [None if MASKS >> box & 1 else 5 * (box + 1) * (box < 6) for box in Box]
    bonuses = 0
    for seed in range(200):
        random = Random(seed)
        state = classic.GAME.position(State(("A",), (Sheet.of(filled),)))
        total = sum(points or 0 for points in filled)
        while (event := random_event(classic.GAME, state, random)) is not None:
            sheet = state.sheets[0]
            bonus = int(table.bonus[min(sheet.upper, UPPER_SUMS - 1)])
            assert classic.GAME.scores(state) == (total + bonus,)
            if isinstance(event, Score):
                special = table.special.number(sheet.boxes)
                variant = table.variant(special, sheet.open)
                hand = HANDS.index(tuple(sorted(state.dice)))
                assert table.legal[special, sheet.open, hand] >> event.box & 1
                total += int(table.points[variant, event.box, hand])
            state = classic.GAME.apply(state, event)
        bonus = int(table.bonus[min(state.sheets[0].upper, UPPER_SUMS - 1)])
        assert classic.GAME.scores(state) == (total + bonus,)
        bonuses += bonus > 0
    assert bonuses or FULL


@pytest.mark.slow
def test_a_part_of_the_boxes_can_be_solved_alone(table: Table, solution: Solution) -> None:
    part = tabulate(classic.GAME, PART)
    assert np.array_equal(part.legal[:, PART], table.legal[:, PART])
    few = solve(part, PART)
    assert np.array_equal(few.values[:, PART], solution.values[:, PART], equal_nan=True)
    assert np.isnan(few.values[0, OPEN_MASKS - 1]).all()


def test_rules_that_do_not_fit_the_tables_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuses(expected: str, function: str, replacement: Callable[..., Any]) -> None:
        with monkeypatch.context() as patch, pytest.raises(TableError, match=expected):
            patch.setattr(classic.GAME, function, replacement)
            tabulate(classic.GAME, PART)

    preview, choices, scores = classic.GAME.preview, classic.GAME.choices, classic.GAME.scores

    def lying(state: State, choice: Choice) -> Points | None:
        right = preview(state, choice)
        return right and Points(right.points + 1)

    def stingy(state: State) -> Sequence[Choice]:
        return [choice for choice in choices(state) if choice != Keep((0, 1))]

    def generous(state: State) -> Sequence[Choice]:
        return [*choices(state), Keep((0, 1))]

    def endless_bonus(state: State) -> tuple[int, ...]:
        return tuple(
            total + sheet.upper // 70
            for total, sheet in zip(scores(state), state.sheets, strict=True)
        )

    refuses("the preview tells", "preview", lying)
    refuses("may not be kept", "choices", stingy)
    refuses("a fourth roll", "choices", generous)
    refuses("above 63 matters", "scores", endless_bonus)


def test_a_score_that_depends_on_other_boxes_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    fill = Classic.fill

    def crowded(game: Classic, sheet: Sheet, dice: tuple[int, ...], box: int) -> Sheet:
        after = fill(game, sheet, dice, box)
        if box != Box.CHANCE:
            return after
        boxes = list(after.boxes)
        boxes[Box.CHANCE] = sheet.filled
        return replace(Sheet.of(boxes), bonuses=after.bonuses)

    monkeypatch.setattr(Classic, "fill", crowded)
    with pytest.raises(TableError, match="scores depend on too much"):
        tabulate(classic.GAME, PART)


@pytest.mark.slow
def test_the_last_box_alone_is_worth_the_best_chance(solution: Solution) -> None:
    # 50 points with chance 347897/7558272, otherwise a zero, and nothing else to come.
    value = solution.values[0, 1 << Box.FIVE_ALIKE, 0]
    assert value == pytest.approx(50 * 347897 / 7558272, abs=1e-12)
