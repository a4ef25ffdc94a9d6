"""The line that says what may be done, with and without real dice."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, cast

import pytest

from appliance.guidance import Guidance
from appliance.inputs import Key
from appliance.table.menu.name_entry import Entry
from appliance.table.menu.prompting import (
    ListPrompt,
    NamePrompt,
    NoticePrompt,
    PagePrompt,
    RollOffPrompt,
)
from appliance.table.prompts.betting import BetPrompt, ShowPrompt
from appliance.table.prompts.prompt import Prompt
from appliance.table.prompts.trouble import ClashPrompt, CountPrompt, FacePrompt
from appliance.table.prompts.turn import ChoicePrompt, DicePrompt, OverPrompt, ThrowPrompt
from appliance.table.session.matching import Why
from appliance.words import ENGLISH, Label, languages, set_language
from games.values import DieKind, Points
from tests.rigs.gallery import SITUATIONS
from vision.reading import DieState, TrayState

STILL = TrayState.STILL
THROW = ThrowPrompt("ANNA", 1, 3, "", (0, 1, 2, 3, 4), None, STILL, take=False)
ROLLED = DicePrompt("ANNA", 1, 3, (1, 1, 2, 3, 4, 5), (), "SCORE", may_roll=True, tray=STILL)
LEANS = FacePrompt("2ND DIE", 1, 3, DieState.LEANING, (1, None, 2, 3, 4))
NOT_THROWN = ClashPrompt(1, Why.LAZY, "2ND DIE", back=False)
ASKED = "2nd die was not thrown. Does this count as it lies?"


@pytest.mark.parametrize(
    ("prompt", "keys", "dice"),
    [
        (THROW, "ANNA: SPACE throws 5 dice", "ANNA: throw 5 dice into the tray"),
        (
            replace(THROW, take=True),
            "ANNA: SPACE throws 5 dice",
            "ANNA: take the dice out, then throw 5 dice",
        ),
        (
            replace(THROW, slots=(5,), kind=DieKind.RED),
            "ANNA: SPACE throws the red die",
            "ANNA: throw the red die into the tray",
        ),
        (
            replace(THROW, player="ROBO **", slots=(1, 2)),
            "ROBO ** throws 2 dice",
            "ROBO **: throw 2 dice into the tray",
        ),
        (
            replace(ROLLED, player="ROBO **", decided=True),
            "ROBO ** throws the others",
            "ROBO **: throw the others into the tray",
        ),
        (
            ROLLED,
            "ANNA: 1-6 hold, SPACE rolls again, ENTER scores",
            "ANNA: 1-6 hold, throw the others, ENTER scores",
        ),
        (
            replace(ROLLED, held=(0, 2)),
            "ANNA: 1-6 hold (now 1 3), SPACE rolls again, ENTER scores",
            "ANNA: 1-6 hold (now 1 3), throw the others, ENTER scores",
        ),
        (replace(ROLLED, may_roll=False), "ANNA: ENTER scores", "ANNA: ENTER scores"),
        # What the board says of a press that did nothing stands on a page, too.
        (
            replace(ROLLED, may_roll=False, remark="NO ROLLS LEFT"),
            "ANNA: No rolls left. ENTER scores",
            "ANNA: No rolls left. ENTER scores",
        ),
        (
            replace(ROLLED, may_roll=False, purpose="TAKE"),
            "ANNA: ENTER chooses",
            "ANNA: ENTER chooses",
        ),
        (
            LEANS,
            "2nd die leans: is it a 3? ENTER yes, ← → another, SPACE throws again",
            "2nd die leans: is it a 3? ENTER yes, ← → another",
        ),
        (
            replace(LEANS, aside=True),
            "2nd die lies outside: is it a 3? ENTER yes, ← → another, SPACE throws again",
            "2nd die lies outside: is it a 3? ENTER yes, ← → another",
        ),
        (
            NOT_THROWN,
            f"{ASKED} SPACE throws again, ENTER yes",
            f"{ASKED} ENTER yes",
        ),
        # Asked a second time, the other answer comes first.
        (
            replace(NOT_THROWN, again=True),
            f"{ASKED} ENTER yes, SPACE throws again",
            f"{ASKED} ENTER yes",
        ),
        (
            replace(NOT_THROWN, why=Why.SAME, back=True),
            "The dice show the same faces as before. Were they thrown? ENTER yes, b no",
            "The dice show the same faces as before. Were they thrown? ENTER yes, b no",
        ),
        (
            CountPrompt("BOB", 4, 5, again=True),
            "BOB: 4 dice seen, 5 expected."
            " ENTER goes on, and asks what is missing, SPACE throws again",
            "BOB: 4 dice seen, 5 expected. Throw again, or ENTER goes on, and asks what is missing",
        ),
        (
            CountPrompt("BOB", 4, 5),
            "BOB: 4 dice seen, 5 expected."
            " SPACE throws again, ENTER goes on, and asks what is missing",
            "BOB: 4 dice seen, 5 expected. Throw again, or ENTER goes on, and asks what is missing",
        ),
        (
            ShowPrompt("BOB", STILL, ()),
            "BOB: s puts your own dice in the tray",
            "BOB: put your own dice in the tray",
        ),
        (
            RollOffPrompt("BOB", False, None, STILL),
            "BOB: SPACE throws 1 die",
            "BOB: throw 1 die into the tray",
        ),
    ],
)
def test_a_line_says_whose_turn_it_is_and_what_keys_do(
    prompt: Prompt, keys: str, dice: str
) -> None:
    assert prompt.can_do().line == keys
    assert prompt.can_do(hands=False).line == dice


@pytest.mark.parametrize(
    ("prompt", "line"),
    [
        (
            ChoicePrompt("ANNA", "ONES", Points(2), 0, 13, ()),
            "ANNA: ENTER chooses Ones, ← → show others",
        ),
        (
            ChoicePrompt("ANNA", "SIXES", Points(0), 0, 13, (), confirm=True),
            "ANNA: really a zero for Sixes? ENTER yes, b no",
        ),
        (
            ChoicePrompt("ANNA", Label("pass"), Points(0), 0, 13, (), confirm=True),
            "ANNA: really Pass? ENTER yes, b no",
        ),
        (
            BetPrompt("BOB", "CALL 10", 10, 90, 30, "FLOP", 0, 3, ()),
            "BOB: ENTER chooses Call 10, ← → show others, p shows your own dice",
        ),
        (
            OverPrompt(("ANNA",), (("ANNA", 9),)),
            "The game is over: ENTER asks for another, m menu, q leaves",
        ),
        (
            ListPrompt("CLASSIC", ("\u00c5SE-MARIE",), 0, 9, "254"),
            "Classic: \u00c5SE-MARIE 254. ENTER goes back, ← → show others, b goes back",
        ),
        (
            NamePrompt(0, Entry("\u0141U", ""), ""),
            "Name \u0141U: letters type it, ENTER takes the name, ← → other letters, "
            "BACKSPACE deletes",
        ),
        (
            ListPrompt("MENU", ("HINT",), 0, 5),
            "Menu: Hint. ENTER ok, ← → show others, b goes back",
        ),
        (
            ListPrompt("HOW MANY?", ("2 PLAYERS",), 0, 5, ""),
            "How many? 2 players. ENTER goes back, ← → show others, b goes back",
        ),
        (NoticePrompt((("WELCOME", "BACK"),)), "ENTER continues"),
    ],
)
def test_what_is_chosen_is_named(prompt: Prompt, line: str) -> None:
    assert prompt.can_do().line == line


@pytest.fixture(params=sorted(languages()))
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    set_language(request.param)
    yield request.param
    set_language(ENGLISH)


def keys_of(guidance: Guidance) -> list[Key | None]:
    return [key.key for key in guidance.keys]


def test_keys_are_the_same_in_every_language(language: str) -> None:
    name = NamePrompt(0, Entry("\u0141U", ""), "")
    over = OverPrompt(("ANNA",), (("ANNA", 9),))
    bet = BetPrompt("BOB", "CALL 10", 10, 90, 30, "FLOP", 0, 3, ())
    assert keys_of(ROLLED.can_do()) == [Key.NUMBERS, Key.SPACE, Key.ENTER]
    assert keys_of(ROLLED.can_do(hands=False)) == [Key.NUMBERS, None, Key.ENTER]
    assert keys_of(THROW.can_do()) == [Key.SPACE]
    assert keys_of(LEANS.can_do()) == [Key.ENTER, Key.ARROWS, Key.SPACE]
    assert keys_of(ShowPrompt("BOB", STILL, ()).can_do()) == [Key.SHOW]
    assert keys_of(bet.can_do()) == [Key.ENTER, Key.ARROWS, Key.PEEK]
    assert keys_of(name.can_do()) == [Key.LETTERS, Key.ENTER, Key.ARROWS, Key.BACKSPACE]
    assert keys_of(over.can_do()) == [Key.ENTER, Key.MENU, Key.QUIT]


def test_where_there_are_buttons_no_key_is_named_in_any_language(language: str) -> None:
    over = OverPrompt(("ANNA",), (("ANNA", 9),)).can_do().at_buttons
    name = NamePrompt(0, Entry("\u0141U", ""), "").can_do().at_buttons
    assert [key.name for key in over.keys] == ["OK"]
    left, back = {"de": ("LINKS RECHTS", "ZUR\u00dcCK")}.get(language, ("LEFT RIGHT", "BACK"))
    assert [key.name for key in name.keys] == ["OK", left, back]


def test_dice_are_thrown_for_whoever_has_nothing_to_decide() -> None:
    robo = replace(ROLLED, player="ROBO **")
    assert (THROW.thrower, RollOffPrompt("BOB", False, None, STILL).thrower) == ("ANNA", "BOB")
    assert (ROLLED.thrower, ROLLED.awaits_computer) == ("", False)
    thinks, decided = replace(robo, decided=False), replace(robo, decided=True)
    assert (thinks.thrower, thinks.awaits_computer) == ("", True)
    assert (decided.thrower, decided.awaits_computer) == ("ROBO **", False)


def test_what_players_do_about_a_question_makes_no_other_one() -> None:
    rolling = replace(THROW, tray=TrayState.ROLLING, take=True)
    assert rolling.without_what_changes() == THROW.without_what_changes()
    held = replace(ROLLED, held=(1, 2), remark="MUST STAY")
    assert held.without_what_changes() == ROLLED.without_what_changes()
    assert held.occasion == ROLLED.occasion != replace(held, roll=2).occasion
    assert LEANS.without_what_changes() is LEANS


def test_what_changes_while_a_question_stands_makes_no_other_question() -> None:
    kinds = set[str]()
    prompts = [scene.prompt for situation in SITUATIONS for scene in situation.scenes]
    for prompt in (*prompts, RollOffPrompt("ANNA", again=False, last=None, tray=STILL)):
        # What is entered on a page changes with what is said about it.
        if isinstance(prompt, PagePrompt):
            continue
        others = {"tray": TrayState.HAND, "news": (), "remark": "NO UNDO YET"}
        changes: dict[str, Any] = {k: v for k, v in others.items() if hasattr(prompt, k)}
        changed = replace(cast(Any, prompt), **changes)
        assert changed.without_what_changes() == prompt.without_what_changes()
        kinds |= {type(prompt).__name__} if changes else set()
    assert kinds >= {"BetPrompt", "DealPrompt", "DicePrompt", "RollOffPrompt", "ShowPrompt"}
