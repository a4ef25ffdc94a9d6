"""What docs/owner.md promises: each test is one of its sentences."""

from pathlib import Path

from appliance.inputs import SHUT_DOWN, Button, Pressed
from appliance.table.menu.prompting import ListPrompt
from appliance.table.prompts.turn import ChoicePrompt, DicePrompt
from tests.appliance.service.test_menu import BACK, LEFT, MENU, OK, RIGHT
from tests.builders import die, roll, throw
from tests.promises.conftest import Table
from vision.reading import DieState

HINT = Button.HINT
UNDO = Pressed(BACK, long=True)


def rolled(table: Table, *faces: int) -> None:
    """Throws these dice."""
    table.watcher.events = [throw(*faces)]
    table.feed(count=12)


def settle(table: Table) -> None:
    """Lets everything be shown that comes by itself."""
    table.feed(count=60)


def seat_of(table: Table) -> int | None:
    """Whose turn it is."""
    ask = table.appliance.session.record.ask
    return ask.seat if ask else None


def test_extra_dice_lying_in_the_tray_are_ignored(table: Table) -> None:
    """Extra dice lying in the tray are ignored; only the ones you threw count."""
    thrown = [die(slot, face) for slot, face in enumerate((1, 2, 3, 4, 6))]
    table.watcher.events = [roll(*thrown, die(7, 5, thrown=False), die(8, 5, thrown=False))]
    table.feed(count=12)
    assert table.log == ("roll 1 2 3 4 6",)


def test_nothing_counts_until_you_answer(table: Table) -> None:
    """Nothing counts until you answer"""
    dice = [die(slot, face) for slot, face in enumerate((1, 2, 3, 4))]
    table.watcher.events = [roll(*dice, die(4, 6, state=DieState.UNSURE))]
    table.feed(count=12)
    settle(table)
    assert not table.log
    table.press(OK)
    assert table.log == ("roll 1 2 3 4 6",)


def test_ok_asks_again_before_a_zero(table: Table) -> None:
    """If a choice scores zero, OK asks again before taking it."""
    rolled(table, 1, 1, 2, 2, 4)
    settle(table)
    table.press(OK)
    for _ in range(30):
        prompt = table.shows()
        assert isinstance(prompt, ChoicePrompt)
        if prompt.points.points == 0:
            break
        table.press(RIGHT)
        settle(table)
    before = table.log
    table.press(OK)
    assert table.log == before
    settle(table)
    table.press(OK)
    assert len(table.log) == len(before) + 1


def test_the_camera_sees_which_dice_moved(table: Table) -> None:
    """Or just leave the keepers where they are, or put them into the holder: the camera sees which
    ones moved."""
    rolled(table, 6, 6, 2, 3, 4)
    settle(table)
    table.watcher.events = [throw(6, 6, 1, 1, 1, new={2, 3, 4})]
    table.feed(count=12)
    assert table.log == ("roll 6 6 2 3 4", "hold 1 2", "roll 1 1 1")


def test_hint_pressed_again_holds_or_goes_to_the_choice(table: Table) -> None:
    """HINT shows the best move; pressed again, it holds those dice, or goes to that choice, which
    OK takes."""
    rolled(table, 6, 6, 6, 6, 2)
    settle(table)
    table.press(HINT)
    settle(table)
    assert table.appliance.session.record.holds == frozenset()
    table.press(HINT)
    settle(table)
    assert table.appliance.session.record.holds == {0, 1, 2, 3}
    rolled(table, 6, 6, 6, 6, 6)
    settle(table)
    take_best(table)
    assert table.log[-1] == "score five-alike"


def take_best(table: Table) -> None:
    """Takes the choice that HINT shows."""
    for button in (HINT, HINT, OK):
        table.press(button)
        settle(table)


def test_undo_shows_whose_choice_it_takes_back_and_back_leaves_everything(table: Table) -> None:
    """The scoreboard shows whose choice OK would undo; LEFT goes further back, BACK leaves
    everything as it is."""
    rolled(table, 6, 6, 6, 6, 6)
    settle(table)
    take_best(table)
    before = table.appliance.session.record
    for leave in ((BACK,), (LEFT, BACK)):
        table.feed(UNDO)
        settle(table)
        for button in leave:
            table.press(button)
            settle(table)
        assert table.appliance.session.record == before
    table.feed(UNDO)
    settle(table)
    table.press(OK)
    settle(table)
    record = table.appliance.session.record
    assert (record.dice, seat_of(table)) == ((6, 6, 6, 6, 6), 0)


def test_an_undo_is_put_back(table: Table) -> None:
    """Undid too much? Until the next throw, hold BACK again and go RIGHT: PUT BACK?"""
    rolled(table, 6, 6, 6, 6, 6)
    settle(table)
    # Not the best choice, which OK alone might take once more.
    for button in (HINT, HINT, RIGHT, OK):
        table.press(button)
        settle(table)
    before = table.appliance.session.record.state
    table.feed(UNDO)
    settle(table)
    table.press(OK)
    settle(table)
    assert table.appliance.session.record.state != before
    table.feed(UNDO)
    settle(table)
    for button in (RIGHT, OK):
        table.press(button)
        settle(table)
    assert table.appliance.session.record.state == before


def test_after_a_power_cut_the_game_continues_exactly_where_it_was(
    table: Table, tmp_path: Path
) -> None:
    """After a power cut, the game continues exactly where it was."""
    rolled(table, 6, 6, 2, 3, 4)
    settle(table)
    # Nothing is closed: what is on the disk now is all there is.
    again = Table(tmp_path)
    settle(again)
    assert again.appliance.session.record.dice == (6, 6, 2, 3, 4)
    assert isinstance(again.shows(), DicePrompt)
    assert again.shows() == table.shows()
    again.journal.close()


def test_an_unfinished_game_is_kept_and_resumed(table: Table) -> None:
    """NEW GAME keeps an unfinished game, and OLD GAMES resumes it."""
    rolled(table, 6, 6, 2, 3, 4)
    settle(table)
    table.feed(MENU)
    table.choose("NEW GAME")
    table.press(OK)
    table.choose("YATZY")
    table.choose("1 PLAYER")
    settle(table)
    while isinstance(table.shows(), ListPrompt):
        table.press(OK)
        settle(table)
    assert table.appliance.session.record.setup.game == "yatzy"
    table.feed(MENU)
    table.choose("OLD GAMES")
    settle(table)
    table.press(OK)
    settle(table)
    assert table.appliance.session.record.setup.game == "classic"
    assert table.appliance.session.record.dice == (6, 6, 2, 3, 4)


def test_whoever_is_leaving_is_skipped(table: Table) -> None:
    """Choose PLAYERS in the menu, then whoever is leaving, and OK once more: their turns are
    skipped from then on."""
    table.feed(MENU)
    table.choose("PLAYERS")
    settle(table)
    table.choose("BOB")
    settle(table)
    table.press(OK)
    settle(table)
    for _ in range(2):
        assert seat_of(table) == 0
        rolled(table, 6, 6, 6, 6, 6)
        settle(table)
        take_best(table)
    record = table.appliance.session.record
    assert record.setup.players == ("ANNA", "BOB")
    scored = [line for line in table.log if line.startswith("score")]
    assert len(scored) == 2
    assert seat_of(table) == 0


def test_left_and_right_together_switch_off(table: Table) -> None:
    """Hold LEFT and RIGHT together, press OK, and wait for GOODBYE"""
    table.feed(SHUT_DOWN)
    settle(table)
    assert not table.appliance.ended
    table.press(OK)
    settle(table)
    assert table.appliance.ended
