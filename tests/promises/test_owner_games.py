"""What docs/owner.md promises of the six games: each test is one of its sentences."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from appliance.inputs import Button, Pressed
from appliance.journal.journal import Journal
from appliance.journal.sessions import load_session
from appliance.screens.draw import pages
from appliance.table.menu.prompting import ListPrompt
from appliance.table.prompts.betting import BetPrompt, DealPrompt, HandPrompt, PotPrompt, ShowPrompt
from appliance.table.prompts.looking import StripPrompt, TablePrompt
from appliance.table.prompts.turn import ChoicePrompt, ThrowPrompt
from appliance.table.session.session import Setup
from appliance.words import Label
from games import yatzy
from tests.appliance.service.test_menu import BACK, LEFT, MENU, OK, RIGHT
from tests.builders import die, play_text, roll
from tests.promises.conftest import (
    Table,
    begin_new_game,
    pawn_of,
    rolled,
    seat_of,
    settle,
    texts,
)
from vision.events import TrackedDie
from vision.reading import Kind

PAIR = ("ANNA", "BOB")
COLOURS = Kind.RED, Kind.YELLOW, Kind.WHITE, Kind.BLACK, Kind.OTHER
FLOP = (die(0, 4, Kind.RED), die(1, 4, Kind.YELLOW), die(2, 2, Kind.BLACK))
TURN, RIVER = die(3, 6, Kind.WHITE), die(4, 6, Kind.RED)


def playing(folder: Path, game: str) -> Table:
    """A game of two, which Anna begins."""
    folder.mkdir(exist_ok=True)
    return Table(folder, Setup(game, PAIR, (("first", 0),)))


def take_first(table: Table) -> None:
    """Takes the first choice of the list."""
    for _ in range(2):
        table.press(OK)
        settle(table)


@pytest.fixture
def ring(tmp_path: Path) -> Iterator[Table]:
    """Showdown, in which Anna has 3 ALIKE on the sixth space, and Bob is to throw the red die."""
    table = playing(tmp_path, "showdown")
    rolled(table, 5)
    settle(table)
    rolled(table, 1, 1, 1, 3, 4)
    settle(table)
    take_first(table)
    assert table.log[-1] == "place three-alike"
    yield table
    table.journal.close()


def test_holdem_alone_tells_colours_apart(tmp_path: Path) -> None:
    """Hold'em is the only game that tells colours apart: five dice each of red, black, white and
    yellow."""
    for game in ("classic", "yatzy", "free-for-all", "showdown"):
        table = playing(tmp_path / game, game)
        settle(table)
        if game == "showdown":
            rolled(table, 5)
            settle(table)
        lying = (die(slot, face, COLOURS[slot]) for slot, face in enumerate((1, 2, 3, 4, 6)))
        table.watcher.events = [roll(*lying)]
        table.feed(count=12)
        assert table.log[-1] == "roll 1 2 3 4 6"
        assert not any(table.appliance.session.record.kinds)
        table.journal.close()
    table = at_flop(tmp_path / "holdem")
    assert table.log[-1] == "show red 4 yellow 4 black 2"
    table.journal.close()


def holdem(folder: Path, *names: str, dealer: int = 1) -> Table:
    """A game of Hold'em, each with ten bets."""
    folder.mkdir(exist_ok=True)
    setup = Setup("holdem", names or PAIR, (("dealer", dealer), ("stack", 100)))
    table = Table(folder, setup)
    settle(table)
    return table


def act(table: Table, *, right: int = 0) -> None:
    """Takes an action of a round of bets, so many to the right of the first."""
    count = len(table.log)
    for _ in range(right):
        table.press(RIGHT)
        settle(table)
    for _ in range(2):
        if len(table.log) == count:
            table.press(OK)
            settle(table)
    assert len(table.log) == count + 1


def deal(table: Table, *dice: TrackedDie) -> None:
    """Throws dice beside those that lie there."""
    table.watcher.events = [roll(*dice)]
    table.feed(count=12)
    settle(table)


def lying(*dice: TrackedDie) -> Iterator[TrackedDie]:
    """Dice that have not been thrown again."""
    return (TrackedDie(one.track_id, one.reading, False) for one in dice)


def at_flop(folder: Path) -> Table:
    """Hold'em once the first three dice lie there."""
    table = holdem(folder)
    act(table)
    act(table)
    deal(table, *FLOP)
    return table


def bet(table: Table) -> None:
    """The first player bets, the other calls."""
    act(table, right=1)
    act(table)


def at_showdown(folder: Path) -> Table:
    """Hold'em once everybody is to show."""
    table = at_flop(folder)
    bet(table)
    deal(table, *lying(*FLOP), TURN)
    bet(table)
    deal(table, *lying(*FLOP, TURN), RIVER)
    bet(table)
    return table


def test_a_misread_colour_is_put_right(tmp_path: Path) -> None:
    """If a colour was misread, hold that die's button and pick the right one."""
    table = at_flop(tmp_path)
    table.feed(Pressed(Button.HOLD2, long=True))
    settle(table)
    # Its face was read right.
    table.press(OK)
    settle(table)
    for _ in range(4):
        if "WHITE" in texts(table)[0]:
            break
        table.press(RIGHT)
        settle(table)
    table.press(OK)
    settle(table)
    assert [str(kind) for kind in table.appliance.session.record.kinds[:3]] == [
        *("red", "white", "black")
    ]
    assert table.appliance.session.record.dice[:3] == (4, 4, 2)
    table.journal.close()


def test_the_dealer_throws_three_dice_then_a_fourth_and_a_fifth(tmp_path: Path) -> None:
    """The dealer throws three dice from the bag, later a fourth and then a fifth."""
    table = holdem(tmp_path)
    act(table)
    act(table)
    lie = list[TrackedDie]()
    for more in (FLOP, (TURN,), (RIVER,)):
        asked = table.shows()
        assert isinstance(asked, DealPrompt)
        assert (asked.player, asked.count) == ("BOB", len(more))
        deal(table, *lying(*lie), *more)
        lie += more
        assert isinstance(table.shows(), BetPrompt)
        bet(table)
    assert table.appliance.session.record.dice[:5] == (4, 4, 2, 6, 6)
    assert isinstance(table.shows(), ShowPrompt)
    table.journal.close()


def test_hidden_dice_are_shown_and_ok_declares_the_hand(tmp_path: Path) -> None:
    """When the scoreboard asks for them, put your two hidden dice into the tray; OK declares the
    hand."""
    table = at_showdown(tmp_path)
    asked = table.shows()
    assert isinstance(asked, ShowPrompt)
    assert "SHOW 2 DICE" in texts(table)[0]
    deal(table, *lying(*FLOP, TURN, RIVER), die(5, 4, Kind.BLACK), die(6, 4, Kind.WHITE))
    hand = table.shows()
    assert isinstance(hand, HandPrompt)
    assert (hand.player, hand.label) == (asked.player, "4 ALIKE")
    before = table.log
    table.press(OK)
    settle(table)
    assert table.log == (*before, "declare four-alike")
    table.journal.close()


def test_chips_and_pots_are_kept_track_of(tmp_path: Path) -> None:
    """the scoreboard keeps track of chips and pots."""
    table = at_showdown(tmp_path)
    # Each has paid 10 before, and 10 in three rounds.
    for seat, pocket in enumerate(((4, 4), (1, 3))):
        lie = lying(*FLOP, TURN, RIVER)
        black, white = die(5 + 2 * seat, pocket[0]), die(6 + 2 * seat, pocket[1], Kind.WHITE)
        deal(table, *lie, black, white)
        table.press(OK)
        settle(table)
    won = table.shows()
    assert isinstance(won, PotPrompt)
    assert {word for page in texts(table) for word in page} >= {"ANNA", "+80"}
    while isinstance(table.shows(), PotPrompt):
        table.press(OK)
        settle(table)
    record = table.appliance.session.record
    assert record.rules.scores(record.state) == (140 - 10, 60 - 10)
    table.journal.close()


def test_bets_are_asked_for(tmp_path: Path) -> None:
    """Bet when the scoreboard asks you to."""
    table = at_flop(tmp_path)
    asked = table.shows()
    assert isinstance(asked, BetPrompt)
    assert asked.player == "ANNA"
    assert texts(table)[0] == ("ANNA 90", "POT 20", "CHECK", "OK?")
    act(table, right=1)
    asked = table.shows()
    assert isinstance(asked, BetPrompt)
    assert (table.log[-1], asked.player) == ("bet 10", "BOB")
    assert texts(table)[0] == ("BOB", "90", "POT 30", "CALL 10", "OK?")
    table.journal.close()


@pytest.mark.parametrize("dealer", [1, 3])
def test_the_name_of_the_dealer_is_dark_on_light(tmp_path: Path, dealer: int) -> None:
    """Everybody else's chips have a page of their own; the name that is dark on light is the
    dealer's."""
    table = holdem(tmp_path, "ANNA", "BOB", "CLEO", "DORA", dealer=dealer)
    asked = table.shows()
    assert isinstance(asked, BetPrompt)
    page = pages(asked)[-1]
    others = [name for name in ("ANNA", "BOB", "CLEO", "DORA") if name != asked.player]
    found = [name for name in others if any(name.startswith(word) for word in page.words[:-1:2])]
    assert found == others
    assert page.words[1::2] == ("90",) * 3
    # A row of lights over a name: two cells are on a line, in the order in which they speak.
    order = [name for name in page.words if not name.isdigit() and name != "OK"]
    at = next(n for n, name in enumerate(order) if asked.stacks[n + 1].deals)
    left, right = (0, 31) if at % 2 == 0 else (32, 63)
    lit = max(range(16), key=lambda y: sum(page.is_lit(x, y) for x in range(left, right + 1)))
    assert sum(page.is_lit(x, lit) for x in range(left, right + 1)) >= 10
    assert (lit >= 8) is (at >= 2)
    table.journal.close()


AROUND = """roll 5; roll 1 1 2 3 5; place aces; roll 2; roll 2 2 3 4 6; pass
roll 6; roll 2 2 3 4 6; pass; roll 1; roll 2 2 3 4 6; pass
roll 6; roll 2 2 3 4 6; pass; roll 1; roll 2 2 3 4 6; pass"""
"""Showdown until Anna is four spaces before her own aces, which have two chips."""


def test_on_ones_own_card_one_moves_on_or_raises_it(tmp_path: Path) -> None:
    """On your own card, choose MOVE PAWN (and throw the red die again), or RAISE CARD."""
    for choice in ("MOVE PAWN", "RAISE CARD"):
        folder = tmp_path / choice
        setup = Setup("showdown", PAIR, (("first", 0),))
        folder.mkdir()
        with Journal(folder / "games") as journal:
            lines = AROUND.replace("\n", "; ").split("; ")
            journal.append(load_session(journal, setup).record.serial, 0, lines)
        table = Table(folder, setup)
        settle(table)
        rolled(table, 4)
        settle(table)
        table.press(OK)
        settle(table)
        for _ in range(2):
            if not any(choice in page for page in texts(table)):
                table.press(RIGHT)
                settle(table)
        table.press(OK)
        settle(table)
        asked = table.shows()
        assert isinstance(asked, ThrowPrompt)
        assert asked.player == "ANNA"
        if choice == "MOVE PAWN":
            assert "RED DIE" in texts(table)[0]
            rolled(table, 2)
            settle(table)
            assert pawn_of(table, "ANNA") == 7
        else:
            rolled(table, 1, 1, 1, 3, 4)
            settle(table)
            take_first(table)
            assert table.appliance.session.record.rules.scores(
                table.appliance.session.record.state
            ) == (30, 0)
        table.journal.close()


def test_black_dice_are_for_any_card_or_for_somebody_elses(ring: Table) -> None:
    """Then roll the black dice up to three times: on an empty space, for any card; on somebody
    else's, for what the scoreboard asks."""
    rolled(ring, 1)
    settle(ring)
    shown = ring.shows()
    assert isinstance(shown, ThrowPrompt)
    assert (shown.player, pawn_of(ring, "BOB")) == ("BOB", 5)
    assert ("3 ALIKE", "ANNA'S CARD", "30") in texts(ring)
    for faces in ((1, 1, 2, 3, 4), (2, 2, 3, 5, 6), (4, 4, 4, 1, 2)):
        assert any("ROLL" in page or "THROW 5" in page for page in texts(ring))
        rolled(ring, *faces)
        settle(ring)
    assert not any("ROLL" in page for page in texts(ring))
    ring.press(OK)
    settle(ring)
    labels = set[str]()
    for _ in range(4):
        if isinstance(listed := ring.shows(), ChoicePrompt):
            labels.add(listed.label)
        ring.press(RIGHT)
        settle(ring)
    # The fours fit a card that nobody has, but this space is Anna's.
    assert labels == {"3 ALIKE", Label("pass")}


def test_left_or_right_shows_whose_the_cards_are(ring: Table) -> None:
    """LEFT or RIGHT shows whose the cards are."""
    for button in (LEFT, RIGHT):
        ring.press(button)
        settle(ring)
        assert isinstance(ring.shows(), TablePrompt)
        assert ("ANNA: 3 ALIKE", "FREE: THE REST") in texts(ring)
        ring.press(BACK)
        settle(ring)


def test_after_a_roll_one_sees_what_the_dice_bring_and_what_is_free(ring: Table) -> None:
    """After a roll, LEFT or RIGHT shows what your dice would bring on which card, or what a card
    takes; then, if it fits, which cards are free, and whose the others are."""
    rolled(ring, 3)
    settle(ring)
    rolled(ring, 2, 2, 2, 2, 1)
    settle(ring)
    ring.press(RIGHT)
    settle(ring)
    assert texts(ring) == [
        ("TWOS, 4 ALIKE", "+40", "ACES", "+10"),
        ("FREE: THE REST", "ANNA: 3 ALIKE"),
    ]


def test_no_pawns_are_needed(ring: Table) -> None:
    """No pawns or chips needed: dicetray tracks them; see SCORES."""
    ring.feed(MENU)
    ring.choose("SCORES")
    for button in (OK, RIGHT):
        ring.press(button)
        settle(ring)
    assert ("3 ALIKE", "30", "ANNA", "PAWN ON IT") in texts(ring)


def test_any_other_die_will_do_for_the_red_one(tmp_path: Path) -> None:
    """Showdown needs a sixth die: a red one, or any other if none of the five is red."""
    for sixth in (Kind.RED, Kind.WHITE, Kind.BLACK):
        table = playing(tmp_path / sixth, "showdown")
        table.watcher.events = [roll(die(0, 5, sixth))]
        table.feed(count=12)
        assert (table.log, pawn_of(table, "ANNA")) == (("roll 5",), 5)
        table.journal.close()


@pytest.fixture
def cards(tmp_path: Path) -> Iterator[Table]:
    """Free for All, in which Anna has fives and Bob is to throw; the cards are printed ones."""
    table = printed_cards(tmp_path)
    rolled(table, 5, 5, 5, 1, 2)
    settle(table)
    take_first(table)
    assert table.log[-1] == "take fives:5 from 1"
    yield table
    table.journal.close()


CARDS = "FIVES 5", "3 ALIKE 4", "LG STR 8"
"""Three cards, as they are entered: with what they bring."""


def printed_cards(folder: Path) -> Table:
    """Free for All with the printed cards, of which three were entered."""
    setup = Setup("free-for-all", PAIR, (("deck", "table"), ("first", 0)))
    table = Table(folder, setup)
    settle(table)
    for card in CARDS:
        turn_up(table, card)
    assert [line.split(":")[0] for line in table.log] == [
        *("turn-up fives", "turn-up three-alike", "turn-up large-straight")
    ]
    return table


def turn_up(table: Table, card: str) -> None:
    """Enters a card that was turned over."""
    for _ in range(40):
        if any(card in page for page in texts(table)):
            break
        table.press(RIGHT)
        settle(table)
    table.press(OK)
    settle(table)


def test_printed_cards_are_turned_over_and_entered(table: Table) -> None:
    """Or, with CARDS set to PRINTED, you turn them over and enter them"""
    begin_new_game(table, "FREE FOR ALL", "2 PLAYERS")
    for _ in range(12):
        if not isinstance(shown := table.shows(), ListPrompt):
            break
        if shown.title == "CARDS?":
            table.choose("PRINTED")
        else:
            table.press(OK)
        settle(table)
    for face in (5, 2):
        rolled(table, face)
        settle(table)
    for card in CARDS:
        assert isinstance(table.shows(), ChoicePrompt)
        turn_up(table, card)
    assert [line.split(":")[0] for line in table.log] == [
        *("turn-up fives", "turn-up three-alike", "turn-up large-straight")
    ]
    assert isinstance(table.shows(), ThrowPrompt)


def test_what_there_is_to_win_is_shown(cards: Table) -> None:
    """LEFT or RIGHT before a throw shows what there is to win, as far as it fits: the cards in the
    centre with what they bring, others' with what you need, such as three of its number, or a total
    of 18. Once more tells each card."""
    turn_up(cards, "SIXES 6")
    assert seat_of(cards) == 1
    cards.press(RIGHT)
    settle(cards)
    told = " ".join(word for page in texts(cards) for word in page)
    # Anna has three fives: it takes four.
    assert told == "WIN LARGE STR +8 SIXES +6 ANNA'S FIVES YOU NEED 4"
    each = set[str]()
    for _ in range(4):
        cards.press(RIGHT)
        settle(cards)
        each.add(texts(cards)[0][0])
    assert each == {"LARGE STR", "3 ALIKE", "SIXES", "FIVES"}


def test_after_a_roll_one_sees_what_the_dice_win_and_what_not_yet(tmp_path: Path) -> None:
    """After a roll, they show what your dice win, and what they don't yet."""
    table = printed_cards(tmp_path)
    rolled(table, 5, 5, 1, 2, 6)
    settle(table)
    table.press(RIGHT)
    settle(table)
    told = " ".join(word for page in texts(table) for word in page)
    wins, _, not_yet = told.partition("NOT YET:")
    assert "FIVES +5" in wins and "LARGE STR" not in wins
    assert "LARGE STR +8" in not_yet and "3 ALIKE +4" in not_yet
    table.journal.close()


in_yatzy = partial(play_text, yatzy.GAME)


def test_yatzy_has_fifteen_boxes_and_counts_the_dice_that_match() -> None:
    """Played like Classic, with fifteen boxes: a pair and two pairs as well, and three and four
    alike count only the dice that match."""
    rows = [row for row in yatzy.GAME.sheet(in_yatzy(""), 0).rows if row.points is None]
    assert len(rows) == 15
    for faces, box, points in (
        ("5 5 2 3 6", "pair", 10),
        ("5 5 2 2 6", "two-pairs", 14),
        ("5 5 5 2 6", "three-alike", 15),
        ("5 5 5 5 6", "four-alike", 20),
    ):
        assert yatzy.GAME.scores(in_yatzy(f"roll {faces}; score {box}")) == (points,), box


def test_before_a_throw_one_sees_which_boxes_are_open(table: Table) -> None:
    """LEFT or RIGHT before a throw shows which boxes are still open (or which few are not), and the
    sum towards the bonus."""
    for _ in range(2):
        rolled(table, 3, 3, 3, 1, 2)
        settle(table)
        table.press(OK)
        settle(table)
        while isinstance(shown := table.shows(), ChoicePrompt) and shown.label != "THREES":
            table.press(RIGHT)
            settle(table)
        table.press(OK)
        settle(table)
    table.press(LEFT)
    settle(table)
    told = " ".join(word for page in texts(table) for word in page)
    assert "BONUS 9 OF 63" in told
    assert "THREES" in told and "ALL BOXES OPEN" not in told


def test_after_a_roll_one_sees_what_the_dice_score(table: Table) -> None:
    """After a roll they show what your dice would score in each."""
    rolled(table, 6, 6, 2, 3, 4)
    settle(table)
    table.press(RIGHT)
    settle(table)
    told = " ".join(word for page in texts(table) for word in page)
    for score in ("CHANCE +21", "SIXES +12", "FOURS +4", "TWOS +2", "THREES +3", "REST 0"):
        assert score in told


def test_looking_goes_through_them_one_by_one(table: Table) -> None:
    """Pressed again, they go through them one by one."""
    table.press(RIGHT)
    settle(table)
    first = table.shows()
    assert isinstance(first, StripPrompt)
    boxes = list[str]()
    for _ in range(13):
        table.press(RIGHT)
        settle(table)
        boxes.append(texts(table)[0][0])
    assert len({*boxes}) == 13
    assert (boxes[0], boxes[-1]) == ("ACES", "CHANCE")
    table.press(RIGHT)
    settle(table)
    assert table.shows() == first
