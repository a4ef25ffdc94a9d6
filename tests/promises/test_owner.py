"""What docs/owner.md promises: each test is one of its sentences."""

import socket
from functools import partial
from pathlib import Path
from random import Random

import pytest

from appliance.alerts import Alert
from appliance.devices.buzzer import Silence, Sound
from appliance.devices.stick import RESTORE_WORD, SAVE_WORD
from appliance.inputs import SHUT_DOWN, Button, Pressed
from appliance.journal.journal import Journal
from appliance.journal.sessions import load_session
from appliance.screens.draw import film
from appliance.screens.drawing.film import fireworks
from appliance.table.menu.prompting import ListPrompt, NoticePrompt, QuestionPrompt, TellingPrompt
from appliance.table.prompts.looking import SheetPrompt
from appliance.table.prompts.turn import (
    OTHER_CHOICES,
    ChoicePrompt,
    DicePrompt,
    OverPrompt,
    ThrowPrompt,
)
from appliance.table.session.session import Setup
from appliance.words import Label
from games import classic, free_for_all, power, yatzy
from games.chance import random_game
from games.notation.events import event_to_text
from games.values import Keep
from tests.appliance.cli.test_stick import Plugged
from tests.appliance.service.test_beginners import first_choice
from tests.appliance.service.test_beginners import table as table_of_beginners
from tests.appliance.service.test_menu import BACK, LEFT, MENU, OK, PAIR, RIGHT
from tests.builders import die, play_text, roll, throw
from tests.paths import ROOT
from tests.promises.conftest import (
    HINT,
    UNDO,
    Table,
    begin_new_game,
    pawn_of,
    rolled,
    seat_of,
    settle,
    take_best,
)
from vision.reading import DieState


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


def test_the_numbers_hold_dice(table: Table) -> None:
    """Press the number of each die you want to keep, and throw the others."""
    rolled(table, 6, 6, 2, 3, 4)
    settle(table)
    table.press(Button.HOLD1, Button.HOLD2)
    settle(table)
    assert table.appliance.session.record.holds == {0, 1}
    table.watcher.events = [throw(6, 6, 1, 5, 5, new={2, 3, 4})]
    table.feed(count=12)
    assert table.log[-2:] == ("hold 1 2", "roll 1 5 5")


def test_a_button_held_for_a_second_corrects_its_die(table: Table) -> None:
    """Hold the button for a second to correct that die."""
    rolled(table, 6, 6, 2, 3, 4)
    settle(table)
    table.feed(Pressed(Button.HOLD3, long=True))
    settle(table)
    table.press(RIGHT, OK)
    settle(table)
    assert table.appliance.session.record.dice == (6, 6, 3, 3, 4)


def test_looking_changes_nothing(table: Table) -> None:
    """Looking changes nothing."""
    rolled(table, 6, 6, 2, 3, 4)
    settle(table)
    table.press(Button.HOLD1, Button.HOLD2)
    settle(table)
    before, log = table.appliance.session.record, table.log
    for button in (LEFT, RIGHT):
        table.press(button, button, button, button)
        settle(table)
    table.press(BACK)
    settle(table)
    assert (table.appliance.session.record, table.log) == (before, log)


def test_choices_are_sorted_by_points(table: Table) -> None:
    """Choices are sorted by points"""
    rolled(table, 6, 6, 6, 5, 5)
    settle(table)
    table.press(OK)
    points = list[int]()
    while isinstance(prompt := table.shows(), ChoicePrompt) and len(points) < 4:
        points.append(prompt.points.points)
        table.press(RIGHT)
        settle(table)
    # Three alike and chance are 28, a full house is 25, the sixes are 18.
    assert points == sorted(points, reverse=True)
    assert sorted(points)[-2:] == [28, 28]
    assert 25 in points


in_classic = partial(play_text, classic.GAME)
in_yatzy = partial(play_text, yatzy.GAME)
in_power = partial(play_text, power.GAME)


def test_63_points_in_the_upper_boxes_earn_35() -> None:
    """63 points in the upper boxes (ACES to SIXES) earn a 35-point bonus"""
    turns = ["aces", "twos", "threes", "fours", "fives", "sixes"]
    text = "; ".join(
        f"roll {face} {face} {face} {'1 2' if face > 2 else '5 6'}; score {box}"
        for face, box in enumerate(turns, start=1)
    )
    assert classic.GAME.scores(in_classic(text)) == (63 + 35,)
    less = text.replace("roll 6 6 6 1 2", "roll 6 6 5 1 2")
    assert classic.GAME.scores(in_classic(less)) == (63 - 6,)


def test_each_further_five_alike_earns_100_and_is_a_joker() -> None:
    """once you have scored 50 for the first, each further one earns 100 points and is a joker"""
    state = in_classic("roll 6 6 6 6 6; score five-alike")
    assert classic.GAME.scores(state) == (50,)
    state = in_classic("roll 6 6 6 6 6; score sixes", state)
    assert classic.GAME.scores(state) == (50 + 30 + 100,)
    # The box of its number is filled: it counts in full where a straight would.
    state = in_classic("roll 6 6 6 6 6; score large-straight", state)
    assert classic.GAME.scores(state) == (50 + 30 + 100 + 40 + 100,)


def test_in_yatzy_63_points_earn_50_and_there_are_no_jokers() -> None:
    """63 points in ONES to SIXES earn 50 points; there are no jokers."""
    words = ["ones", "twos", "threes", "fours", "fives", "sixes"]
    text = "; ".join(
        f"roll {face} {face} {face} {'1 2' if face > 2 else '5 6'}; score {box}"
        for face, box in enumerate(words, start=1)
    )
    state = in_yatzy(text)
    assert yatzy.GAME.scores(state) == (63 + 50,)
    state = in_yatzy("roll 6 6 6 6 6; score yatzy", state)
    assert yatzy.GAME.scores(state) == (63 + 50 + 50,)
    state = in_yatzy("roll 6 6 6 6 6; score large-straight", state)
    assert yatzy.GAME.scores(state) == (63 + 50 + 50,)


def test_the_numbers_of_the_power_die_multiply() -> None:
    """your score is multiplied"""
    for times in (1, 2, 3):
        state = in_power(f"roll 5 5 5 4 1 x{times}; score fives")
        assert power.GAME.scores(state) == (15 * times,)


def test_double_is_scored_in_two_boxes_and_doubled_in_each() -> None:
    """the roll is scored in two boxes, and doubled in each"""
    state = in_power("roll 4 4 4 4 6 double; score fours; score four-alike")
    assert power.GAME.scores(state) == (2 * 16 + 2 * 22,)


def test_after_freeze_there_are_no_more_rolls_and_no_multiplier() -> None:
    """no more rolls, and no multiplier"""
    state = in_power("roll 1 1 3 5 6 freeze")
    assert not any(isinstance(choice, Keep) for choice in power.GAME.choices(state))
    assert power.GAME.scores(in_power("score aces", state)) == (2,)


def test_power_triples_and_brings_a_fourth_roll() -> None:
    """your score is tripled; if it still shows after the third roll, you get a fourth"""
    state = in_power("roll 6 6 1 1 2 power; hold 1 2 6; roll 6 6 1; hold 1 2 3 4 6; roll 3")
    state = in_power("hold 1 2 3 4 6; roll 6; score five-alike", state)
    assert power.GAME.scores(state) == (3 * 50,)


def test_without_a_camera_dice_are_entered(table: Table) -> None:
    """Press OK, then the number button for each die (P for a six), and OK at the end"""
    table.appliance.warn(Alert.CAMERA_GONE, blind=True)
    settle(table)
    table.press(OK)
    settle(table)
    for button in (Button.HOLD1, Button.HOLD2, Button.HOLDP, Button.HOLD4, Button.HOLD5):
        table.press(button)
        settle(table)
    assert not table.log
    table.press(OK)
    settle(table)
    assert table.log == ("roll 1 2 6 4 5",)


def test_in_the_first_round_one_more_may_join(table: Table) -> None:
    """ONE MORE lets somebody join in the first round of Classic, Power or Yatzy"""
    rolled(table, 6, 6, 6, 6, 6)
    settle(table)
    take_best(table)
    table.feed(MENU)
    table.choose("PLAYERS")
    settle(table)
    table.choose("ONE MORE")
    settle(table)
    table.press(OK)
    settle(table)
    assert len(table.appliance.session.record.setup.players) == 3


def test_a_name_once_entered_is_remembered(table: Table, tmp_path: Path) -> None:
    """Once entered, a name is remembered."""
    rolled(table, 6, 6, 2, 3, 4)
    settle(table)
    table.feed(MENU)
    table.choose("NEW GAME")
    table.press(OK)
    for item in ("YATZY", "1 PLAYER", "NEW NAME"):
        table.choose(item)
    table.press(OK)
    table.feed(MENU)
    settle(table)
    assert table.appliance.session.record.setup.players == ("A",)
    again = Table(tmp_path)
    assert "A" in again.appliance.console.settings.names
    again.journal.close()


def test_a_stick_offers_to_save_games(tmp_path: Path) -> None:
    """Plug in a USB stick, and the scoreboard offers SAVE GAMES."""
    plugged = Plugged(tmp_path)
    plugged.play("ANNA")
    assert plugged.offered() == (SAVE_WORD,)


def test_restore_is_offered_whenever_a_game_is_lacking(tmp_path: Path) -> None:
    """RESTORE is offered whenever your card lacks a game that is on the stick"""
    plugged = Plugged(tmp_path)
    plugged.play("ANNA", "BOB")
    plugged.do(SAVE_WORD)
    words = [offer.partition("\t")[0] for offer in plugged.offered()]
    assert words == [SAVE_WORD]
    plugged.put_in("another card")
    words = [offer.partition("\t")[0] for offer in plugged.offered()]
    assert words == [RESTORE_WORD]
    plugged.do(RESTORE_WORD)
    with Journal(plugged.journal) as journal:
        assert len(journal.identities()) == 2


def test_hint_explains_a_game(table: Table) -> None:
    """Pick a game with LEFT and RIGHT; HINT explains it."""
    begin_new_game(table)
    first = table.shows()
    table.press(RIGHT)
    assert isinstance(first, ListPrompt)
    assert table.shows() != first
    table.press(LEFT)
    assert table.shows() == first
    table.press(HINT)
    told = table.shows()
    assert isinstance(told, TellingPrompt)
    assert told.count >= 5


def test_who_goes_first_is_thrown_for(table: Table) -> None:
    """Throw to see who goes first."""
    begin_new_game(table, "CLASSIC", "2 PLAYERS", "PLAY NOW")
    settle(table)
    throws = table.appliance.session.record.ask
    assert throws is not None
    assert [throws.seat, len(table.log)] == [0, 0]
    for face in (2, 5):
        rolled(table, *[face] * 5)
        settle(table)
    assert seat_of(table) == 1


def test_back_goes_back_one_step(table: Table) -> None:
    """BACK goes back one step."""
    rolled(table, 6, 6, 2, 3, 4)
    settle(table)
    before = table.appliance.session.record
    table.feed(MENU)
    menu = table.shows()
    table.choose("PLAYERS")
    settle(table)
    assert table.shows() != menu
    table.press(BACK)
    settle(table)
    again = table.shows()
    assert isinstance(menu, ListPrompt) and isinstance(again, ListPrompt)
    assert (again.title, again.lines) == (menu.title, ("PLAYERS",))
    table.press(BACK)
    settle(table)
    assert isinstance(table.shows(), DicePrompt)
    table.press(OK)
    settle(table)
    assert isinstance(table.shows(), ChoicePrompt)
    table.press(BACK)
    settle(table)
    assert isinstance(table.shows(), DicePrompt)
    assert table.appliance.session.record == before


def test_of_equal_choices_the_rarer_box_comes_first(table: Table) -> None:
    """(ties: the rarer box first)"""
    rolled(table, 6, 6, 6, 5, 5)
    settle(table)
    table.press(OK)
    labels = list[str]()
    while isinstance(prompt := table.shows(), ChoicePrompt) and len(labels) < 2:
        labels.append(prompt.label)
        table.press(RIGHT)
        settle(table)
    assert labels == ["3 ALIKE", "CHANCE"]


def test_who_has_never_won_sees_the_best_choice_first() -> None:
    """Players who have never won see the *best* choice first instead."""
    assert first_choice(table_of_beginners(advises=False), (1, 1, 2, 6, 6)) == "CHANCE"
    assert first_choice(table_of_beginners(), (1, 1, 2, 6, 6)) == "ACES"


def test_other_choices_score_less(table: Table) -> None:
    """To score less on purpose, such as a zero in a box that your dice fit, go to the last one:
    OTHER CHOICES."""
    rolled(table, 6, 6, 6, 5, 5)
    settle(table)
    table.press(OK)
    settle(table)
    while isinstance(last := table.shows(), ChoicePrompt) and last.index < last.count - 1:
        table.press(RIGHT)
        settle(table)
    assert isinstance(last, ChoicePrompt)
    assert last.label == Label(OTHER_CHOICES)
    table.press(OK)
    settle(table)
    labels = list[str]()
    for _ in range(5):
        prompt = table.shows()
        assert isinstance(prompt, ChoicePrompt)
        assert prompt.points.points == 0
        labels.append(prompt.label)
        table.press(RIGHT)
        settle(table)
    zero = Label("zero full-house")
    assert zero in labels
    while table.shows().label != zero:  # type: ignore[attr-defined]
        table.press(RIGHT)
        settle(table)
    table.press(OK)
    settle(table)
    table.press(OK)
    settle(table)
    assert table.log[-1] == "zero full-house"


def test_points_totals_and_who_is_next_are_shown(table: Table) -> None:
    """The scoreboard shows the points, everybody's totals (with a crown for the leader) and who is
    next."""
    rolled(table, 6, 6, 6, 6, 6)
    settle(table)
    take_best(table)
    prompt = table.shows()
    assert isinstance(prompt, ThrowPrompt)
    assert prompt.player == "BOB"
    assert prompt.standing is not None and prompt.scored is not None
    assert prompt.scored.points == 50
    assert prompt.standing.totals == (("ANNA", 50), ("BOB", 0))
    assert prompt.standing.leaders == (0,)


def test_five_of_a_kind_sets_off_fireworks(table: Table) -> None:
    """Five of a kind sets off fireworks"""
    burst = set(fireworks())
    for faces in ((6, 6, 6, 6, 5), (3, 3, 3, 3, 3)):
        rolled(table, *faces)
        for button in (OK, OK):
            settle(table)
            table.press(button)
        opening = {still.picture for still in film(table.shows()).opening}
        assert (burst <= opening) is (len({*faces}) == 1)
        settle(table)


def test_last_turns_shows_who_gained_what(table: Table) -> None:
    """LAST TURNS shows who gained what in the last three."""
    for faces in ((6, 6, 6, 6, 6), (5, 5, 5, 5, 5), (4, 4, 4, 4, 4), (3, 3, 3, 3, 3)):
        rolled(table, *faces)
        settle(table)
        take_best(table)
    table.feed(MENU)
    table.choose("LAST TURNS")
    gained = list[tuple[str, str]]()
    for _ in range(3):
        row = table.shows()
        assert isinstance(row, ListPrompt)
        gained.append((row.title, row.ok))
        assert row.count == 3
        table.press(RIGHT)
    # Ben's and Anna's first five alike brought 50, which is before the last three for Anna.
    totals = table.appliance.session.record.rules.scores(table.appliance.session.record.state)
    assert [name for name, _ in gained] == ["BOB", "ANNA", "BOB"]
    assert sum(int(figure) for name, figure in gained if name == "BOB") == totals[1]
    assert int(gained[1][1]) == totals[0] - 50


def test_to_go_on_tomorrow_is_to_be_welcomed(table: Table, tmp_path: Path) -> None:
    """To go on tomorrow, unplug the Pi and plug it in: WELCOME BACK."""
    rolled(table, 6, 6, 2, 3, 4)
    settle(table)
    again = Table(tmp_path)
    shown = again.shows()
    assert isinstance(shown, NoticePrompt)
    assert shown.pages[0] == ("WELCOME BACK", "CLASSIC")
    again.journal.close()


def test_a_card_is_banked_in_the_next_turn_unless_it_is_stolen() -> None:
    """You bank it in your next turn, unless somebody steals it first."""
    play = partial(play_text, free_for_all.GAME, players=2)
    lying = "turn-up fives:5; turn-up three-alike:4; turn-up large-straight:8"
    taken = play(f"{lying}; roll 5 5 1 2 6; take fives:5 from 1; turn-up sixes:6")
    assert free_for_all.GAME.scores(taken) == (0, 0)
    left = play("roll 1 2 3 4 6; pass", taken)
    assert free_for_all.GAME.scores(left) == (5, 0)
    stolen = play("roll 5 5 5 1 1; steal fives:5 from 1 a; roll 1 2 3 4 6; pass", taken)
    assert free_for_all.GAME.scores(stolen) == (0, 5)


class Ear(Silence):
    """Hears all sounds."""

    def __init__(self) -> None:
        self.heard = list[Sound]()

    def play(self, sound: Sound, time_s: float) -> None:
        self.heard.append(sound)


def test_a_press_that_was_not_taken_sounds_low(tmp_path: Path) -> None:
    """A short low sound means that a press was not taken."""
    ear = Ear()
    table = Table(tmp_path, sounds=ear)
    rolled(table, 6, 6, 2, 3, 4)
    table.press(OK)
    # What is wrong covers the list: nobody has seen what OK would take.
    table.appliance.warn(Alert.LITTLE_LIGHT)
    table.feed()
    ear.heard.clear()
    before = table.log
    table.press(OK)
    assert (ear.heard, table.log) == ([Sound.UNTAKEN], before)
    ((hertz, seconds),) = Sound.UNTAKEN.value
    others = [tone for sound in {*Sound} - {Sound.UNTAKEN} for tone in sound.value if tone[0]]
    assert hertz < min(tone for tone, _ in others)
    assert seconds < min(length for _, length in others)
    table.journal.close()


def test_the_scoreboard_moves_the_pawn(tmp_path: Path) -> None:
    """The scoreboard moves your pawn, and says what is there."""
    table = Table(tmp_path, Setup("showdown", ("ANNA", "BOB"), (("first", 0),)))
    for face, label, purpose in ((5, "EMPTY", "PLACE"), (4, "WILD", "WILD")):
        rolled(table, face)
        settle(table)
        shown = table.shows()
        assert isinstance(shown, ThrowPrompt) and shown.table is not None
        (here,) = (spot for spot in shown.table.spots if spot.here)
        assert (here.pawns, here.label) == (("ANNA" if face == 5 else "BOB",), label)
        assert shown.table.spots.index(here) == (5 if face == 5 else 8)
        assert shown.purpose == purpose
        rolled(table, 1, 1, 1, 3, 4)
        for button in (OK, OK):
            settle(table)
            table.press(button)
        settle(table)
    table.journal.close()


def test_dicetray_draws_the_cards(tmp_path: Path) -> None:
    """dicetray draws the cards."""
    table = Table(tmp_path, Setup("free-for-all", ("ANNA", "BOB"), (("first", 0),)))
    settle(table)
    shown = table.shows()
    assert isinstance(shown, ThrowPrompt) and shown.table is not None
    assert len([spot for spot in shown.table.spots if not spot.owner]) == 3
    assert [line.split()[0] for line in table.log] == ["seed", *3 * ["turn-up"]]
    table.journal.close()


def test_at_the_end_ok_twice_plays_again(tmp_path: Path) -> None:
    """At the end, OK twice plays again; for another game, hold OK: NEW GAME."""
    events, _ = random_game(PAIR.rules, PAIR.players, dict(PAIR.options), Random(1))
    lines = [event_to_text(PAIR.rules, event) for event in events]
    with Journal(tmp_path / "games") as journal:
        journal.append(load_session(journal, PAIR).record.serial, 0, lines)
    table = Table(tmp_path)
    settle(table)
    assert isinstance(table.shows(), OverPrompt)
    table.feed(MENU)
    table.choose("NEW GAME")
    settle(table)
    asked = table.shows()
    assert isinstance(asked, ListPrompt)
    assert asked.title == "WHICH GAME?"
    table.press(BACK, BACK)
    settle(table)
    for button in (OK, OK):
        assert isinstance(table.shows(), OverPrompt | QuestionPrompt)
        table.press(button)
        settle(table)
    record = table.appliance.session.record
    assert (record.setup.game, record.setup.players) == (PAIR.game, PAIR.players)
    assert not record.events
    table.journal.close()


def test_scores_shows_the_sheets(table: Table) -> None:
    """SCORES in the menu shows the score sheets: OK for the next player, LEFT and RIGHT for the
    rows."""
    rolled(table, 6, 6, 6, 6, 6)
    settle(table)
    take_best(table)
    table.feed(MENU)
    table.choose("SCORES")
    first = table.shows()
    assert isinstance(first, SheetPrompt)
    assert first.player == "BOB"
    rows = list[SheetPrompt]()
    for button in (RIGHT, RIGHT, LEFT, LEFT):
        table.press(button)
        shown = table.shows()
        assert isinstance(shown, SheetPrompt)
        rows.append(shown)
    assert first != rows[0] != rows[1] != rows[0]
    assert (rows[2], rows[3]) == (rows[0], first)
    table.press(OK)
    other = table.shows()
    assert isinstance(other, SheetPrompt)
    assert other.player == "ANNA"


def test_p_is_the_power_die_or_the_red_one(tmp_path: Path) -> None:
    """P is the Power die or the red one."""
    for game in ("power", "showdown"):
        (tmp_path / game).mkdir()
    table = Table(tmp_path / "power", Setup("power", ("ANNA", "BOB"), (("first", 0),)))
    numbers = [die(slot, face) for slot, face in enumerate((1, 2, 3, 4, 6))]
    table.watcher.events = [roll(*numbers, die(5, "double"))]
    table.feed(count=12)
    settle(table)
    table.press(Button.HOLDP)
    settle(table)
    (held,) = table.appliance.session.record.holds
    assert table.appliance.session.record.dice[held] == "double"
    table.journal.close()
    table = Table(tmp_path / "showdown", Setup("showdown", ("ANNA", "BOB"), (("first", 0),)))
    rolled(table, 5)
    settle(table)
    # Held for a second, it corrects the red die, and the pawn goes elsewhere.
    table.feed(Pressed(Button.HOLDP, long=True))
    settle(table)
    table.press(RIGHT, OK)
    settle(table)
    assert table.log[0] == "roll 5"
    assert pawn_of(table, "ANNA") == 6
    table.journal.close()


@pytest.mark.parametrize(("dice", "announced"), [((6, 6, 6, 1, 2), True), ((6, 6, 5, 1, 2), False)])
def test_the_bonus_is_announced_as_soon_as_you_have_it(
    tmp_path: Path, dice: tuple[int, ...], announced: bool
) -> None:
    """announced as soon as you have it."""
    with Journal(tmp_path / "games") as journal:
        lines = list[str]()
        for face, box in enumerate(("aces", "twos", "threes", "fours", "fives"), start=1):
            lines += [f"roll {face} {face} {face} {'6 6' if face < 3 else '1 2'}", f"score {box}"]
            lines += ["roll 6 5 4 4 2", f"score {box}"]
        journal.append(load_session(journal, PAIR).record.serial, 0, lines)
    table = Table(tmp_path)
    settle(table)
    rolled(table, *dice)
    settle(table)
    table.press(OK)
    settle(table)
    while isinstance(shown := table.shows(), ChoicePrompt) and shown.label != "SIXES":
        table.press(RIGHT)
        settle(table)
    table.press(OK)
    told = {word for still in film(table.shows()).opening for word in still.picture.words}
    assert ("UPPER +35" in told) is announced
    table.journal.close()


def test_no_network_is_needed(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """dicetray needs no network and sends nothing anywhere."""

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("something speaks to a network")

    for name in ("socket", "create_connection", "getaddrinfo"):
        monkeypatch.setattr(socket, name, refuse)
    rolled(table, 6, 6, 6, 6, 6)
    settle(table)
    take_best(table)
    assert table.log[-1] == "score five-alike"
    unit = (ROOT / "systemd/dicetray.service").read_text().splitlines()
    assert {"PrivateNetwork=yes", "IPAddressDeny=any"} <= {*unit}
