"""Screens of hints: golden pictures, and nothing cut off whatever a hint says."""

from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest

from appliance.screens.draw import pages
from appliance.screens.drawing.canvas import STRICT_DRAWING
from appliance.screens.drawing.layout import two_lines
from appliance.table.names import MAX_NAME_LETTERS
from appliance.table.prompts.hints import HintPrompt, WaitPrompt, expectation_text
from appliance.words import Label, say
from games.classic import Box
from games.free_for_all.cards import Kind as FreeKind
from games.holdem.evaluator import Rank
from games.power.sheet import Kind
from games.power.state import Cross
from games.registry import GAMES
from games.showdown.cards import Card
from games.values import Face, Measure, Odds
from tests.appliance.screens.golden import assert_golden
from tests.rigs.spoken import spoken

GOLDEN = Path(__file__).with_name("golden_hints.txt")
WIDE = "M" * MAX_NAME_LETTERS
DICE: tuple[Face, ...] = (6, 6, 1, 6, 2)
POWER_DICE: tuple[Face, ...] = (*DICE, "power")


def holding(reason: str) -> HintPrompt:
    hold = (0, 1, 3)
    expects = 254.6, Measure.TOTAL
    return HintPrompt("ANNA", "SCORE", "HOLD 124", DICE, hold, *expects, reason=Label(reason))


SCREENS: dict[str, HintPrompt | WaitPrompt] = {
    "hold": holding("for sixes"),
    "hold-power": HintPrompt(
        "ANNA", "SCORE", "HOLD 1246", POWER_DICE, (0, 1, 3, 5), 987.6, Measure.TOTAL
    ),
    "throw-all": HintPrompt("BOB", "TAKE", "ROLL ALL", (1, 2, 2, 3, 6), (), 3.25, Measure.GAIN),
    "score": HintPrompt("ANNA", "SCORE", "FULL HOUSE", DICE, None, 231.4, Measure.TOTAL),
    "to-win": HintPrompt("ANNA", "SCORE", "CHANCE", DICE, None, 0.643, Measure.GAME),
    "move-on": HintPrompt("ANNA", "OWN CARD", "MOVE PAWN", (), None, 12.34, Measure.GAIN),
    "shown": HintPrompt("ANNA", "BEST HAND", "STRAIGHT", (), None, 0.433, Measure.WIN),
    "odds": HintPrompt(
        "ANNA",
        "FLOP",
        "",
        (),
        None,
        0.5,
        Measure.WIN,
        (Odds("full-house", 0.792), Odds("three-alike", 0.611), Odds("two-pairs", 0.278)),
    ),
    "advice": HintPrompt(
        *("ANNA", "FLOP", "", (), None, 0.5, Measure.WIN),
        (Odds("full-house", 0.792, "raise 20"), Odds("two-pairs", 0.278, "fold")),
    ),
    "waits": WaitPrompt((("ANNA", "THROWS"), ("THROWS", "5 DICE"))),
}


@pytest.fixture(autouse=True)
def every_game_is_loaded() -> None:
    """Else the short forms of its labels are not known, whichever tests ran before."""
    assert all(GAMES.values())


def test_screens_are_as_the_golden_pictures() -> None:
    assert_golden(GOLDEN, {name: pages(said) for name, said in SCREENS.items()})


@pytest.mark.parametrize("reason", ["win +12%", "throw +3.2", "all-alike", "best-known"])
def test_only_what_dice_are_held_for_is_said_to_be_kept_for(reason: str) -> None:
    held = holding(reason)
    assert pages(held)[0].words[0] == say(Label(reason))


def test_dice_to_hold_are_drawn_under_a_reason_of_any_length() -> None:
    held = holding("for small-straight for large-straight")
    token = STRICT_DRAWING.set(False)
    try:
        assert pages(held)[0].drawings == len(DICE)
    finally:
        STRICT_DRAWING.reset(token)


LABELS = sorted(
    {Label(box.word) for box in Box}
    | {Label(kind.word) for kind in Kind}
    | {Label(Cross(kind).key) for kind in Kind}
    | {f"CHOICE {number}" for number in range(1, 7)}
    | {Label(card.word) for card in Card}
    | {Label(f"{place} {kind.word}") for place in ("a", "c3", "6c") for kind in FreeKind}
    | {Label(rank.word) for rank in Rank}
    | {"FIVE ALIKE", "PASS", "MOVE PAWN", "RAISE CARD", "TAKE POT"}
)
PURPOSES = ("SCORE", "SLOT 1", "SLOT 2", "PLACE", "TAKE", "RAISE", "STEAL", "BANK", "WILD")


@pytest.mark.parametrize("label", LABELS)
def test_nothing_is_cut_off_for_any_choice(label: str) -> None:
    for purpose in (*PURPOSES, "OWN CARD", "BEST HAND", "POT", "NEW CARD"):
        for expects, measure in zip((1575.4, -123.4, 1, 1), Measure, strict=True):
            pages(HintPrompt(WIDE, purpose, label, DICE, None, expects, measure))


def test_nothing_is_cut_off_for_any_hold() -> None:
    for dice in (DICE, POWER_DICE, ("double", "freeze", "power", 4, 5, "power")):
        for count in range(len(dice)):
            for slots in combinations(range(len(dice)), count):
                pages(HintPrompt(WIDE, "SCORE", "", dice, slots, 2345.6, Measure.TOTAL))


def test_nothing_is_cut_off_in_the_odds() -> None:
    keys = [rank.word for rank in Rank] + ["one-colour", "two-colours", "pair-of 6"]
    odds = tuple(Odds(key, 1.0) for key in keys)
    assert len(pages(HintPrompt(WIDE, "OPEN", "", (), None, 0.2, Measure.WIN, odds))) == 2
    odds = tuple(Odds(key, 1.0, "raise 20") for key in keys)
    assert len(pages(HintPrompt(WIDE, "OPEN", "", (), None, 0.2, Measure.WIN, odds))) == 3
    rows = [
        pages(HintPrompt(WIDE, "OPEN", "", (), None, 0.2, Measure.WIN, odds, row=row))
        for row in range(len(odds))
    ]
    assert len({*rows}) == len(odds)
    for (has, does), row in zip(rows, odds, strict=True):
        assert has == two_lines("IF YOU HAVE", Label(row.key))
        assert does == two_lines("YOU WIN", "BEST: RAISE 20", "100%")


def test_held_dice_are_marked() -> None:
    some, none = (
        pages(HintPrompt("A", "SCORE", "", DICE, hold, 1.0, Measure.TOTAL))[0]
        for hold in ((0, 4), ())
    )
    marks = [x for x in range(64) if some.is_lit(x, 15)]
    assert not any(none.is_lit(x, 15) for x in range(64))
    assert marks[0] == 0
    assert marks[-1] > 40
    assert not any(10 <= x < 40 for x in marks)


def test_expectations_are_short() -> None:
    assert expectation_text(0.4331, Measure.WIN) == "43%"
    assert expectation_text(0.004, Measure.GAME) == "<1%"
    assert expectation_text(0.997, Measure.WIN) == ">99%"
    assert [expectation_text(sure, Measure.WIN) for sure in (0.0, 1.0)] == ["0%", "100%"]
    assert expectation_text(254.6, Measure.TOTAL) == "255"
    assert expectation_text(3.25, Measure.GAIN) == "+3.2"
    assert expectation_text(-0.01, Measure.GAIN) == "+0.0"
    with spoken("de"):
        assert expectation_text(3.25, Measure.GAIN) == "+3,2"
        assert [say(text) for text in ("COST 3.3", "WITHIN 0.8 MM")] == [
            "KOSTET 3,3",
            "GENAU AUF 0,8 MM",
        ]
        assert say("SOFTWARE 1.0.0") == "PROGRAMM 1.0.0"


def test_nobody_is_told_that_the_game_is_lost() -> None:
    lost = HintPrompt("ANNA", "SCORE", "CHANCE", (1, 2, 3, 4, 6), None, 0.0, Measure.GAME)
    close = replace(lost, expects=0.2)
    assert two_lines("ANNA", "MOST POINTS", "OK") in pages(lost)
    assert two_lines("ANNA", "BEST TO WIN", "OK", "20%") in pages(close)
    assert two_lines("ANNA", "BEST TO WIN", "OK", "0%") not in pages(lost)
