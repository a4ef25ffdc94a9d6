"""What docs/owner.md promises of board, buttons and dice: each test is one of its sentences."""

from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from appliance.alerts import Alert
from appliance.cli.shared.starting import environment_from
from appliance.config import Config
from appliance.inputs import Button, Pressed
from appliance.journal.files import folder_of
from appliance.journal.journal import Journal
from appliance.journal.sessions import load_session
from appliance.screens.draw import pages
from appliance.table.prompts.trouble import FacePrompt
from appliance.table.prompts.turn import OTHER_CHOICES, ChoicePrompt, DicePrompt, ThrowPrompt
from appliance.words import Label
from tests.appliance.journal.crash_disk import RecordingFiles
from tests.appliance.service.test_menu import BACK, LEFT, MENU, OK, PAIR, RIGHT, Bench
from tests.builders import die, roll, throw
from tests.promises.conftest import (
    HINT,
    UNDO,
    Table,
    begin_new_game,
    rolled,
    seat_of,
    settle,
    take_best,
    texts,
)
from vision.reading import DieState

UNSURE = roll(*(die(slot, slot + 1) for slot in range(4)), die(4, 6, state=DieState.UNSURE))
"""Four dice that are read, and a fifth that may be a 6, if it is no 1."""


def test_pulling_the_plug_loses_no_game(tmp_path: Path) -> None:
    """Pulling the plug loses no game"""
    path = tmp_path / "games"
    files = RecordingFiles(folder_of(path))
    disk = files.begin_tape()
    with Journal(path, files=files) as journal:
        table = Bench(journal, load_session(journal, PAIR), environment_from(Config()))
        for game in ("YATZY", "POWER"):
            table.watcher.events = [throw(6, 6, 2, 3, 4)]
            table.feed(count=12)
            table.feed(MENU)
            table.choose("NEW GAME")
            table.press(OK)
            table.choose(game)
            table.choose("1 PLAYER")
            table.choose("PLAY NOW")
        table.watcher.events = [throw(6, 6, 2, 3, 4)]
        table.feed(count=12)
        games = {number: journal.load(number) for number in journal.identities().values()}
    for operation in files.tape:
        disk.do(operation)
    # Whatever was not brought to the card is gone.
    left = folder_of(tmp_path / "after" / "games")
    for name, data in next(iter(disk.states(1, Random(0)))).items():
        (left / name).parent.mkdir(parents=True, exist_ok=True)
        (left / name).write_bytes(data)
    with Journal(tmp_path / "after" / "games") as journal:
        found = {number: journal.load(number) for number in journal.identities().values()}
    assert found == games
    assert len(games) == 3


def test_misread_without_asking_is_put_right(table: Table) -> None:
    """Misread without asking? Hold that die's button and pick the right face. If the turn is
    already over, undo first."""
    rolled(table, 6, 6, 6, 6, 5)
    settle(table)
    for _ in range(2):
        table.press(OK)
        settle(table)
    assert seat_of(table) == 1
    table.feed(UNDO)
    settle(table)
    table.press(OK)
    settle(table)
    table.feed(Pressed(Button.HOLD5, long=True))
    settle(table)
    table.press(RIGHT, OK)
    settle(table)
    assert (seat_of(table), table.appliance.session.record.dice) == (0, (6,) * 5)


def test_the_scoreboard_names_the_die_and_its_guess(table: Table) -> None:
    """If the camera isn't sure, the scoreboard names the die and its guess."""
    table.watcher.events = [UNSURE]
    table.feed(count=12)
    shown = table.shows()
    assert isinstance(shown, FacePrompt)
    assert (shown.index, shown.face) == (4, 6)
    assert texts(table)[0][0] == "5TH DIE"
    # The guess is drawn as a die: six dots where a 1 has one in the middle.
    six = pages(shown)[0]
    table.press(RIGHT, RIGHT)
    settle(table)
    other = table.shows()
    assert isinstance(other, FacePrompt) and other.face != 6
    assert pages(other)[0] != six
    assert pages(other)[0].words == six.words


@pytest.mark.parametrize(
    ("answer", "line"),
    [
        ((OK,), "roll 1 2 3 4 6"),
        ((RIGHT, OK), "roll 1 2 3 4 1"),
        ((LEFT, OK), "roll 1 2 3 4 5"),
        ((), "roll 1 2 3 4 2"),
    ],
)
def test_a_question_about_a_die_is_answered(
    table: Table, answer: tuple[Button, ...], line: str
) -> None:
    """OK if the guess is right, otherwise LEFT, RIGHT and OK, or throw that die again"""
    table.watcher.events = [UNSURE]
    table.feed(count=12)
    table.press(*answer)
    if not answer:
        table.watcher.events = [throw(1, 2, 3, 4, 2, new={4})]
        table.feed(count=12)
    assert table.log == (line,)


def test_a_hold_button_releases_its_die(table: Table) -> None:
    """hold a die, counted from the left, or release it"""
    rolled(table, 6, 6, 2, 3, 4)
    settle(table)
    table.press(Button.HOLD1, Button.HOLD5)
    assert table.keys.lit == {0, 4}
    table.press(Button.HOLD1)
    assert table.keys.lit == {4}
    table.watcher.events = [throw(1, 1, 1, 1, 4, new={0, 1, 2, 3})]
    table.feed(count=12)
    assert table.log[-2:] == ("hold 5", "roll 1 1 1 1")


def test_dice_are_counted_from_the_left(table: Table) -> None:
    """Dice are counted from the left, seen from the side of the buttons"""
    # The tracker's numbers are as it met them; what counts is where they lie.
    lying = [die(slot, face) for slot, face in enumerate((1, 2, 3, 4, 6))]
    table.watcher.events = [roll(*reversed(lying))]
    table.feed(count=12)
    shown = table.shows()
    assert isinstance(shown, DicePrompt)
    assert shown.dice == (1, 2, 3, 4, 6)
    table.press(Button.HOLD5)
    assert table.appliance.session.record.holds == {4}


def test_one_may_stop_when_one_likes(table: Table) -> None:
    """Stop when you like with OK."""
    for rolls in (1, 2, 3):
        for faces in ((6, 6, 6, 5, 5), (1, 2, 3, 4, 6), (2, 2, 2, 3, 3))[:rolls]:
            rolled(table, *faces)
            settle(table)
        table.press(OK)
        settle(table)
        assert isinstance(table.shows(), ChoicePrompt)
        table.press(OK)
        settle(table)
        assert len([line for line in table.log if line.startswith("score")]) == rolls


def test_the_first_ok_turns_to_the_page_that_tells_of_it(table: Table) -> None:
    """If that page doesn't mention OK, the first OK turns to the page that does; press again."""
    leaning = die(4, 6, state=DieState.LEANING)
    table.watcher.events = [roll(*(die(slot, slot + 1) for slot in range(4)), leaning)]
    table.feed()
    first, second = pages(table.shows())
    assert "OK" in first.words and "OK" not in second.words
    for _ in range(60):
        if table.board.picture == second:
            break
        table.feed()
    table.press(OK)
    assert (table.board.picture, table.log) == (first, ())
    table.press(OK)
    assert table.log == ("roll 1 2 3 4 6",)


def test_ok_takes_what_is_shown_and_opens_the_menu_if_held(table: Table) -> None:
    """OK takes what is shown. Hold it for the menu."""
    rolled(table, 6, 6, 6, 5, 5)
    settle(table)
    table.press(OK, RIGHT, RIGHT)
    settle(table)
    shown = table.shows()
    assert isinstance(shown, ChoicePrompt)
    table.press(OK)
    settle(table)
    after = table.shows()
    assert isinstance(after, ThrowPrompt) and after.scored is not None
    assert (Label(after.scored.choice.key), after.scored.points) == (
        shown.label,
        shown.points.points,
    )
    table.feed(MENU)
    assert texts(table)[0][0] == "MENU"


def test_who_is_told_what_to_do(table: Table) -> None:
    """The upper line says whose turn it is and what OK does, or the roll, such as 2/3; the lower
    one what to do."""
    assert texts(table) == [("ANNA", "1/3", "THROW 5 DICE")]
    rolled(table, 6, 6, 2, 3, 4)
    settle(table)
    assert texts(table)[0] == ("ANNA", "OK: SCORE", "ROLL")
    take_best(table)
    table.press(OK, OK)
    settle(table)
    assert table.log[-1].startswith("score")
    (first, *_) = texts(table)
    assert first[0] == "BOB"


def lights(table: Table, rows: range) -> set[tuple[int, int]]:
    """What is lit in these rows of the first page."""
    first = pages(table.shows())[0]
    return {(x, y) for y in rows for x in range(64) if first.is_lit(x, y)}


def test_bars_mark_held_dice_and_dots_rolls_made(table: Table) -> None:
    """Bars mark held dice; dots, rolls made."""
    bottom = range(14, 16)
    rolled(table, 6, 6, 2, 3, 4)
    settle(table)
    before = lights(table, bottom)
    places = list[set[int]]()
    for button in (Button.HOLD1, Button.HOLD2, Button.HOLD3, Button.HOLD4, Button.HOLD5):
        table.press(button)
        bar = lights(table, bottom) - before
        places.append({x for x, _ in bar})
        # As wide as its die, under it.
        assert len(bar) == 2 * len(places[-1]) >= 8
        assert {x for x, _ in lights(table, range(6, 13))} & places[-1]
        table.press(button)
        assert lights(table, bottom) == before
    assert all(max(left) < min(right) for left, right in pairwise(places))
    sizes = [len(before)]
    for faces in ((1, 1, 3, 4, 5), (2, 2, 4, 5, 6)):
        rolled(table, *faces)
        settle(table)
        sizes.append(len(lights(table, bottom)))
    # A roll that was made is a bigger dot than one to come.
    assert sizes[1] - sizes[0] == sizes[2] - sizes[1] > 0


def test_pages_alternate(table: Table) -> None:
    """If there is more to say, pages alternate"""
    table.watcher.events = [UNSURE]
    table.feed()
    both = pages(table.shows())
    assert len(both) == 2
    shown = list[object]()
    for _ in range(120):
        table.feed()
        if not shown or shown[-1] != table.board.picture:
            shown.append(table.board.picture)
    assert len(shown) >= 4
    assert {*shown} == {*both}
    assert not table.log


def test_up_to_three_rolls_then_one_box(table: Table) -> None:
    """Up to three rolls, then one box."""
    for faces in ((1, 2, 3, 4, 6), (2, 2, 2, 3, 3), (6, 6, 6, 5, 5)):
        shown = texts(table)
        assert any("ROLL" in page or "THROW 5 DICE" in page for page in shown)
        rolled(table, *faces)
        settle(table)
    assert not any("ROLL" in page for page in texts(table))
    before = table.log
    rolled(table, 1, 1, 1, 1, 1)
    settle(table)
    assert (table.log, seat_of(table)) == (before, 0)
    table.press(OK)
    settle(table)
    table.press(OK)
    settle(table)
    assert (len(table.log), seat_of(table)) == (len(before) + 1, 1)


def test_left_and_right_show_each_box_once(table: Table) -> None:
    """LEFT and RIGHT show the others, each box once; OK takes one."""
    rolled(table, 6, 6, 6, 5, 5)
    settle(table)
    table.press(OK)
    settle(table)
    labels = list[str]()
    for _ in range(14):
        shown = table.shows()
        assert isinstance(shown, ChoicePrompt)
        labels.append(shown.label)
        table.press(RIGHT)
        settle(table)
    boxes = [label for label in labels if label != Label(OTHER_CHOICES)]
    assert len(boxes) == len({*boxes}) == 13
    # On from the last one they are all looked at, and back to it.
    for label in (labels[-1], labels[-2]):
        table.press(LEFT)
        settle(table)
        shown = table.shows()
        assert isinstance(shown, ChoicePrompt)
        assert shown.label == label
    table.press(OK)
    settle(table)
    table.press(OK)
    settle(table)
    assert len([line for line in table.log if line.startswith("score")]) == 1


def test_hint_tells_what_can_be_expected(table: Table) -> None:
    """HINT shows the best move and what you can expect from it"""
    expected = list[int]()
    for faces in ((1, 1, 2, 3, 6), (6, 6, 6, 6, 5)):
        rolled(table, *faces)
        settle(table)
        table.press(HINT)
        settle(table)
        words = [word for page in texts(table) for word in page]
        assert "AT THE END" in words
        (about,) = (word for word in words if word.startswith("ABOUT "))
        expected.append(int(about.removeprefix("ABOUT ")))
        table.press(BACK)
        settle(table)
    # Whoever plays a game well has some 250 points; four sixes are worth more than a pair of 1s.
    assert 200 < expected[0] < expected[1] < 300


def test_what_is_wrong_is_said_and_enter_dice_offered(table: Table) -> None:
    """Keep playing: the scoreboard says what is wrong and offers `ENTER DICE?`."""
    table.appliance.warn(Alert.CAMERA_GONE, blind=True)
    seen = set[str]()
    for _ in range(200):
        table.feed()
        seen.update(table.board.picture.words)
    assert {"ENTER DICE?", "NO CAMERA"} <= seen


def test_play_now_needs_no_names(table: Table) -> None:
    """Press OK, choose the number of players, then PLAY NOW. You don't have to enter names now."""
    begin_new_game(table, "YATZY", "3 PLAYERS", "PLAY NOW")
    setup = table.appliance.session.record.setup
    assert (setup.game, setup.players) == ("yatzy", ("PLAYER 1", "PLAYER 2", "PLAYER 3"))
    assert isinstance(table.shows(), ThrowPrompt)


def test_what_was_read_is_shown(table: Table) -> None:
    """It shows what it read."""
    rolled(table, 1, 2, 3, 4, 6)
    settle(table)
    before = lights(table, range(5, 14))
    rolled(table, 1, 2, 3, 4, 5)
    settle(table)
    changed = {x for x, _ in before ^ lights(table, range(5, 14))}
    # The last of five dice alone, where a 6 was: each is six lights wide.
    assert changed and min(changed) >= 40 and max(changed) < 46
