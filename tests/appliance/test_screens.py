"""Screens: golden pictures, and nothing cut off whatever must be shown."""

import itertools
import os
from contextvars import Context
from pathlib import Path

import pytest

from appliance.names import LONGEST
from appliance.picture import Picture
from appliance.rules.classic_sheet import Box
from appliance.rules.classic_state import Score
from appliance.rules.game import DieKind, Goal, Points
from appliance.screens.canvas import Canvas, OffBoardError, TooWideError
from appliance.screens.draw import film, pages
from appliance.screens.film import FIRST_S, PAGE_S, Film, Still
from appliance.screens.font import NARROW, SMALL, TALL, Font
from appliance.screens.layout import split
from appliance.table.matching import Why
from appliance.table.prompts import (
    ChoicePrompt,
    ClashPrompt,
    CountPrompt,
    DicePrompt,
    MapPrompt,
    NewGamePrompt,
    OverPrompt,
    PlacePrompt,
    Prompt,
    SheetPrompt,
    Spot,
    TableSpots,
    TellPrompt,
    ThrowPrompt,
    UndoPrompt,
)
from appliance.table.session import Scored
from vision.reading import DieState, TrayState

GOLDEN = Path(__file__).with_name("golden_screens.txt")
DICE = (1, 2, 3, 4, 5)
FIVE = (0, 1, 2, 3, 4)
BLACK = DieKind.BLACK
WIDE = "M" * LONGEST
STILL = TrayState.STILL
FULL_HOUSE = Scored(0, Score(Box.FULL_HOUSE), 25, "")
JOKER = Scored(0, Score(Box.SIXES), 165, "JOKER +100 UPPER +35")

CARDS = TableSpots(
    (
        Spot("C1 FULL H", 9, "CHIPS +3", aim=True),
        Spot("C2 FOURS", 4, aim=True),
        Spot("2A 3 ALIKE", 4, "BEAT 17", "BOB", aim=True),
    ),
    ring=False,
)


def ring() -> TableSpots:
    spots = [Spot("WILD" if number % 4 == 0 else "EMPTY") for number in range(16)]
    spots[2] = Spot("FOURS", 30, "NEED 4", "ANNA", mine=True)
    spots[5] = Spot("FULL HOUSE", 50, "", "BOB", pawns=("ANNA", "BOB"), here=True, aim=True)
    spots[6] = Spot("LARGE STR", 70, "", "ANNA", mine=True)
    spots[11] = Spot("ACES", 20, "NEED 2", "CLEO", pawns=("CLEO",))
    return TableSpots(tuple(spots), ring=True)


RING = ring()
SCREENS: dict[str, Prompt] = {
    "throw": ThrowPrompt("ANNA", 1, 3, "ROLL", FIVE, BLACK, (None,) * 5, TrayState.EMPTY, False),
    "rolling": ThrowPrompt("ANNA", 1, 3, "ROLL", FIVE, BLACK, (None,) * 5, TrayState.MOVING, False),
    "scored": ThrowPrompt(
        "BOB", 1, 3, "ROLL", FIVE, BLACK, (None,) * 5, STILL, True, FULL_HOUSE, "ANNA"
    ),
    "who-begins": ThrowPrompt(
        "ANNA", 1, 1, "WHO BEGINS", FIVE, BLACK, (None,) * 5, TrayState.EMPTY, False
    ),
    "dice": DicePrompt("ANNA", 2, 3, DICE, (1, 4), "SCORE", True, STILL),
    "last-dice": DicePrompt("ANNA", 3, 3, (6, 6, 6, 6, 6), (), "SCORE", False, STILL),
    "power": DicePrompt("ANNA", 3, 4, (1, 2, 3, 4, 5, "power"), (5,), "SCORE", True, STILL),
    "power-faces": DicePrompt(
        "ANNA", 3, 3, ("1", "2", "3", "double", "freeze", "power"), (), "1ST OF 2", False, STILL
    ),
    "red": ThrowPrompt("BOB", 1, 1, "RED DIE", (5,), DieKind.RED, (), TrayState.EMPTY, False),
    "bet": ChoicePrompt("ANNA", "CALL 10", Points(-10), 1, 4, ()),
    "choice": ChoicePrompt("ANNA", "FULL HOUSE", Points(25), 0, 13, (2, 2, 3, 3, 3)),
    "joker": ChoicePrompt(
        "ANNA", "SIXES", Points(165, "JOKER +100 UPPER +35"), 0, 1, (6, 6, 6, 6, 6)
    ),
    "zero": ChoicePrompt("ANNA", "LARGE STR", Points(0), 12, 13, (2, 2, 3, 3, 3), True),
    "leaning": TellPrompt("DIE 3", 2, 3, DieState.LEANING, (1, 2, None, 4, 5)),
    "too-few": CountPrompt("ANNA", 4, 5),
    "too-many": CountPrompt("ANNA", 6, 5),
    "was-held": ClashPrompt(1, Why.HELD),
    "undo": UndoPrompt("FULL HOUSE", 1),
    "total": SheetPrompt("ANNA", 95, (), 0, 12, (Goal("UPPER", 34, 63, 35),)),
    "sheet": SheetPrompt("ANNA", 95, (("ACES", "3"), ("TWOS", "-")), 1, 12),
    "map": MapPrompt("ANNA", RING, 1, 24),
    "place": PlacePrompt("ANNA", RING.spots[5], 7, 24),
    "take": DicePrompt("ANNA", 2, 3, DICE, (), "TAKE", True, STILL, "", CARDS),
    "take-throw": ThrowPrompt(
        "BOB", 1, 3, "TAKE", FIVE, BLACK, (None,) * 5, TrayState.EMPTY, False, None, "", RING
    ),
    "own-card": DicePrompt(
        "ANNA", 0, 0, (None,) * 5 + (4,), (), "OWN CARD", False, STILL, "", RING
    ),
    "over": OverPrompt(("ANNA",), (("ANNA", 254), ("BOB", 201), ("CLEO", 99))),
    "new-game": NewGamePrompt(),
}


def shown() -> str:
    blocks = []
    for name, prompt in SCREENS.items():
        for number, picture in enumerate(pages(prompt), start=1):
            blocks.append(f"{name} {number}\n" + "\n".join(picture.rows()))
    return "\n\n".join(blocks) + "\n"


def test_screens_are_as_the_golden_pictures() -> None:
    """With DICETRAY_UPDATE_GOLDEN set the pictures are written anew, to be looked at."""
    if os.environ.get("DICETRAY_UPDATE_GOLDEN"):
        GOLDEN.write_text(shown())
    golden = dict(block.split("\n", 1) for block in GOLDEN.read_text().strip().split("\n\n"))
    now = dict(block.split("\n", 1) for block in shown().strip().split("\n\n"))
    assert now.keys() == golden.keys()
    for name, rows in now.items():
        assert rows == golden[name], f"{name}:\n{rows}"


def test_every_state_of_a_doubtful_die_has_a_screen() -> None:
    for state, slot, face in itertools.product((None, *DieState), range(5), range(1, 7)):
        assert len(pages(TellPrompt(f"DIE {slot + 1}", slot, face, state, DICE))) >= 2


def test_pages_take_turns_and_the_first_stays_longest() -> None:
    prompt = SCREENS["too-many"]
    first, second = pages(prompt)
    shown = film(prompt)
    assert FIRST_S > PAGE_S
    assert [shown.at(t) for t in (0.0, FIRST_S - 0.01)] == [first, first]
    assert shown.at(FIRST_S + 0.01) == second
    assert shown.at(FIRST_S + PAGE_S + 0.01) == first


def test_an_opening_is_shown_once() -> None:
    one, two, three = (Picture(bytes([n]) * 128) for n in (1, 2, 3))
    shown = Film((Still(two, 1.0), Still(three, 2.0)), (Still(one, 0.5),))
    at = (0.0, 0.6, 1.6, 3.4, 3.6, 4.6, 6.6)
    assert [shown.at(t) for t in at] == [one, two, three, three, two, three, two]


def test_a_held_die_is_underlined() -> None:
    free = pages(DicePrompt("ANNA", 2, 3, DICE, (), "SCORE", True, STILL))[0]
    held = pages(DicePrompt("ANNA", 2, 3, DICE, (1,), "SCORE", True, STILL))[0]
    differing = [(x, y) for x in range(64) for y in range(16) if free.lit(x, y) != held.lit(x, y)]
    assert sorted(differing) == [(x, y) for x in range(10, 16) for y in (14, 15)]


def test_a_text_that_does_not_fit_is_an_error_in_tests() -> None:
    with pytest.raises(TooWideError):
        Canvas().line(0, "W" * 20)
    with pytest.raises(TooWideError):
        Canvas().text(60, 0, "AB")
    with pytest.raises(OffBoardError):
        Canvas().block(60, 0, 5, 1)


def test_at_the_table_a_text_that_does_not_fit_is_cut_rather_than_not_shown() -> None:
    def cut() -> Picture:
        canvas = Canvas()
        canvas.line(0, "W" * 20, "RIGHT")
        canvas.text(50, 8, "ABCDEF", TALL)
        canvas.block(60, 0, 9, 1)
        return canvas.picture

    assert sum(map(int.bit_count, Context().run(cut).data)) > 50


def test_wide_names_are_narrowed_only_where_they_must() -> None:
    assert pages(SheetPrompt(WIDE, 1, ((WIDE, "5"),), 0, 1)) != pages(
        SheetPrompt(WIDE, 1, ((WIDE, "99999"),), 0, 1)
    )
    assert NARROW.width(WIDE) < SMALL.width(WIDE)


def test_texts_are_split_between_words() -> None:
    assert split("JOKER +100 UPPER +35") == ("JOKER +100", "UPPER +35")
    assert split("") == ()


@pytest.mark.parametrize("font", [TALL, SMALL, NARROW], ids=["tall", "small", "narrow"])
def test_characters_differ_in_each_font(font: Font) -> None:
    glyphs = font.glyphs
    alike = {c for c, d in itertools.combinations(sorted(glyphs), 2) if glyphs[c] == glyphs[d]}
    assert not alike


def test_a_picture_survives_being_written_as_rows() -> None:
    picture = pages(SCREENS["dice"])[0]
    assert Picture.from_rows(picture.rows()) == picture
