"""Hold'em at the table: colours, doubts about them, pockets, bets with three buttons."""

import itertools
from dataclasses import replace

import pytest

from appliance.inputs import Button, Pressed
from appliance.screens.draw import film, pages
from appliance.service.voice_announcer import sentences
from appliance.table.names import MAX_NAME_LETTERS
from appliance.table.prompts.betting import (
    BetPrompt,
    ColourPrompt,
    DealPrompt,
    HandPrompt,
    PotPrompt,
    ShowPrompt,
    Stack,
)
from appliance.table.prompts.trouble import ClashPrompt, CountPrompt, FacePrompt
from appliance.table.prompts.turn import OverPrompt, ThinkingPrompt
from appliance.table.session.matching import Why
from appliance.table.session.prompting import prompt
from appliance.table.session.session import Session, Setup, faces_on_record, new_session, resume
from appliance.table.session.step import Input, step
from appliance.words import Label
from games import holdem
from games.holdem.evaluator import Rank
from games.values import DieKind, Recoloured, Shown, ShownDie
from tests.builders import dice_moved, dice_picked_up, die, roll
from tests.rigs.at_table import AtTable
from tests.rigs.strict_drawing import strict_drawing
from vision.events import Cleared, TrackedDie
from vision.reading import Kind, TrayState

SETUP = Setup("holdem", ("ANNA", "BOB"), (("stack", 100),))
RED, BLACK, WHITE, YELLOW = Kind.RED, Kind.BLACK, Kind.WHITE, Kind.YELLOW
LEFT, RIGHT, OK, BACK = Button.LEFT, Button.RIGHT, Button.OK, Button.BACK


def lie(*dice: TrackedDie) -> tuple[TrackedDie, ...]:
    return tuple(TrackedDie(d.track_id, d.reading, False) for d in dice)


def play(session: Session, *happened: Input | Button) -> Session:
    for one in happened:
        session = step(session, Pressed(one) if isinstance(one, Button) else one)
        assert pages(prompt(session))
        assert resume(session.record.setup, session.record.log).record.state == session.record.state
    return session


FLOP = (die(0, 4, RED), die(1, 4, YELLOW), die(2, 2, BLACK))
TURN, RIVER = die(3, 6, WHITE), die(4, 6, RED)


def checked(session: Session) -> Session:
    """Everybody checks."""
    return play(session, OK, OK)


def bet(session: Session) -> Session:
    """The first bets, the second calls."""
    session = play(session, RIGHT, OK)
    shown = prompt(session)
    assert isinstance(shown, BetPrompt)
    assert shown.label.startswith("CALL")
    return play(session, OK)


def at_flop() -> Session:
    return checked(new_session(SETUP))


def at_turn() -> Session:
    return bet(play(at_flop(), roll(*FLOP)))


def at_showdown() -> Session:
    session = checked(play(at_turn(), roll(*lie(*FLOP), TURN)))
    return checked(play(session, roll(*lie(*FLOP, TURN), RIVER)))


def test_a_hand_is_played_with_three_buttons_and_the_tray() -> None:
    session = new_session(SETUP)
    first = prompt(session)
    assert isinstance(first, BetPrompt)
    assert (first.player, first.label, first.count, first.dealer) == ("BOB", "CHECK", 3, "ANNA")
    session = at_flop()
    tray = session.tray.state
    assert prompt(session) == DealPrompt("ANNA", "FLOP", 3, tray, 0, (), (("ANNA", "CHECK"),))
    session = at_showdown()
    shown = prompt(session)
    assert isinstance(shown, ShowPrompt)
    assert shown.player == "BOB"
    assert [d.face for d in shown.dice] == [4, 4, 2, 6, 6]
    session = play(session, roll(*lie(*FLOP, TURN, RIVER), die(5, 6, RED), die(6, 1, WHITE)))
    hand = prompt(session)
    assert isinstance(hand, HandPrompt)
    assert (hand.player, hand.label) == ("BOB", "FULL HOUSE")
    session = play(session, OK, dice_picked_up(0, 0.0, (5, 6)))
    session = play(session, roll(*lie(*FLOP, TURN, RIVER), die(5, 3, BLACK), die(6, 2, WHITE)))
    session = play(session, OK)
    assert prompt(session) == PotPrompt(((("BOB", 40),),), "FULL HOUSE")
    # It is ANNA's pocket that lies there, and none of its dice counts as one of BOB's.
    counted = [face for _, face in faces_on_record(session).values()]
    assert (counted, session.record.dice[5:]) == ([4, 4, 2, 6, 6], (6, 1))
    session = play(session, OK)
    after = prompt(session)
    assert isinstance(after, BetPrompt)
    assert (after.player, after.dealer, after.news) == ("ANNA", "BOB", (("BOB", "WON 40"),))
    assert session.record.rules.scores(session.record.state) == (70, 110)


def test_nothing_of_a_pocket_is_known_before_it_is_shown() -> None:
    session = at_showdown()
    early = play(checked(at_flop()), roll(die(0, 6, RED), die(1, 6, RED)))
    assert early.record.events == checked(at_flop()).record.events
    for seat in range(2):
        rows = session.record.rules.sheet(session.record.state, seat).rows
        assert [row.points for row in rows if Label(row.key).startswith("POCKET")] == [None, None]
    shown = prompt(session)
    assert isinstance(shown, ShowPrompt)
    assert len(shown.dice) == 5


@pytest.mark.parametrize("beside", [FLOP, (*FLOP, TURN, RIVER), ()])
def test_a_pocket_may_lie_beside_the_dice_of_all_or_alone(beside: tuple[TrackedDie, ...]) -> None:
    session = play(at_showdown(), roll(*lie(*beside), die(8, 5, WHITE), die(9, 5, YELLOW)))
    assert session.record.events[-1] == Shown(
        (ShownDie(DieKind.WHITE, 5), ShownDie(DieKind.YELLOW, 5))
    )


def test_dice_of_all_that_are_laid_back_with_a_pocket_are_known_by_colour_and_face() -> None:
    seven = (*FLOP, TURN, RIVER, die(5, 5, WHITE), die(6, 4, RED))
    session = play(at_showdown(), Cleared(0, 0.0), roll(*seven))
    assert session.record.events[-1] == Shown(
        (ShownDie(DieKind.WHITE, 5), ShownDie(DieKind.RED, 4))
    )


def test_wrong_numbers_of_dice_are_named() -> None:
    session = play(at_flop(), roll(*FLOP[:2]))
    assert prompt(session) == CountPrompt("ANNA", 2, 3)
    many = play(at_turn(), roll(*lie(*FLOP), TURN, RIVER))
    shown = prompt(many)
    assert isinstance(shown, CountPrompt)
    assert (shown.seen, shown.expected) == (2, 1)
    # Taking the surplus die out is enough.
    right = play(many, dice_picked_up(0, 0.0, (4,)))
    assert right.record.events[-1] == Shown((ShownDie(DieKind.WHITE, 6),))


def test_old_dice_are_to_be_taken_out_before_the_flop() -> None:
    old = tuple(die(slot, 1, WHITE, thrown=False) for slot in range(5, 8))
    session = play(at_flop(), roll(*FLOP, *old))
    shown = prompt(session)
    assert isinstance(shown, CountPrompt)
    assert shown.seen - shown.expected == 3
    assert play(session, dice_picked_up(0, 0.0, (5, 6, 7))).record.events[-1] == Shown(
        (ShownDie(DieKind.RED, 4), ShownDie(DieKind.YELLOW, 4), ShownDie(DieKind.BLACK, 2))
    )


def test_an_unseen_die_is_entered_with_face_and_colour() -> None:
    session = play(at_flop(), roll(*FLOP[:2]), OK)
    assert isinstance(prompt(session), FacePrompt)
    session = play(session, RIGHT, RIGHT, OK)
    asked = prompt(session)
    assert isinstance(asked, ColourPrompt)
    assert (asked.name, asked.face, asked.kind) == ("3RD DIE", 2, None)
    assert asked.pending
    while prompt(session).kind is not DieKind.WHITE:  # type: ignore[attr-defined]
        session = play(session, RIGHT)
    session = play(session, OK)
    shown = session.record.events[-1]
    assert isinstance(shown, Shown)
    assert shown.dice[2] == ShownDie(DieKind.WHITE, 2)


def test_a_die_of_unknown_colour_is_asked_about() -> None:
    odd = die(2, 2, Kind.OTHER)
    session = play(at_flop(), roll(*FLOP[:2], odd))
    asked = prompt(session)
    assert isinstance(asked, ColourPrompt)
    assert (asked.name, asked.kind) == ("3RD DIE", None)
    assert play(session, OK).record.events == session.record.events
    assert isinstance(play(session, RIGHT, OK).record.events[-1], Shown)


def five_reds(pocket: tuple[TrackedDie, TrackedDie]) -> Session:
    """Four of the community dice are red; a pocket of two is shown."""
    flop = tuple(die(slot, 1 + slot, RED) for slot in range(3))
    session = bet(play(at_flop(), roll(*flop)))
    turn, river = die(3, 6, RED), die(4, 5, WHITE)
    session = checked(play(session, roll(*lie(*flop), turn)))
    session = checked(play(session, roll(*lie(*flop, turn), river)))
    return play(session, roll(*lie(*flop, turn, river), *pocket))


def test_a_sixth_die_of_a_colour_is_asked_about_the_least_sure_first() -> None:
    session = five_reds((die(5, 3, RED, confidence=0.95), die(6, 2, RED, confidence=0.6)))
    asked = prompt(session)
    assert isinstance(asked, ColourPrompt)
    assert (asked.name, asked.pending) == ("POCKET 2", True)
    session = play(session, RIGHT)
    asked = prompt(session)
    assert isinstance(asked, ColourPrompt)
    other = asked.kind
    assert other is not None
    assert other is not DieKind.RED
    done = play(session, OK)
    assert done.record.events[-1] == Shown((ShownDie(DieKind.RED, 3), ShownDie(other, 2)))


def test_where_both_new_dice_are_borne_out_a_die_that_lay_before_was_misread() -> None:
    session = five_reds((die(5, 3, RED), die(6, 2, RED)))
    for name in ("POCKET 1", "POCKET 2"):
        asked = prompt(session)
        assert isinstance(asked, ColourPrompt)
        assert asked.name == name
        while prompt(session).kind is not DieKind.RED:  # type: ignore[attr-defined]
            session = play(session, RIGHT)
        session = play(session, OK)
    asked = prompt(session)
    assert isinstance(asked, ColourPrompt)
    assert asked.name == "1ST DIE"
    session = play(session, RIGHT, OK)
    assert isinstance(session.record.events[-2], Recoloured)
    assert session.record.events[-1] == Shown((ShownDie(DieKind.RED, 3), ShownDie(DieKind.RED, 2)))


def test_the_flop_thrown_again_has_the_colours_it_had() -> None:
    session = checked(play(at_flop(), roll(*FLOP)))
    shown = prompt(session)
    assert isinstance(shown, DealPrompt)
    assert shown.purpose == "FLOP AGAIN"
    doubtful = roll(die(0, 1, RED), die(1, 2, Kind.OTHER), die(2, 3, BLACK))
    assert play(session, doubtful).record.events[-1] == Shown(
        (ShownDie(DieKind.RED, 1), ShownDie(DieKind.YELLOW, 2), ShownDie(DieKind.BLACK, 3))
    )
    wrong = play(session, roll(die(0, 1, RED), die(1, 2, WHITE), die(2, 3, BLACK)))
    asked = prompt(wrong)
    assert isinstance(asked, ColourPrompt)
    assert (asked.name, asked.kind) == ("2ND DIE", DieKind.YELLOW)
    # The players insist on white: then it was misread the first time.
    while prompt(wrong).kind is not DieKind.WHITE:  # type: ignore[attr-defined]
        wrong = play(wrong, RIGHT)
    wrong = play(wrong, OK)
    assert wrong.record.events[-2] == Recoloured(1, DieKind.WHITE)
    assert isinstance(wrong.record.events[-1], Shown)


def test_a_die_of_the_flop_that_was_not_thrown_again_is_named() -> None:
    session = checked(play(at_flop(), roll(*FLOP)))
    again = (die(0, 1, RED), die(1, 5, YELLOW))
    asked = play(session, roll(*again, *lie(FLOP[2])))
    assert prompt(asked) == ClashPrompt(2, Why.LAZY, "3RD DIE")
    assert isinstance(play(asked, OK).record.events[-1], Shown)


def test_face_and_colour_of_a_die_on_the_table_are_put_right_by_holding_its_button() -> None:
    session = play(at_turn(), roll(*lie(*FLOP), TURN), Pressed(Button.HOLD2, long=True))
    shown = prompt(session)
    assert isinstance(shown, FacePrompt)
    assert (shown.name, shown.face) == ("2ND DIE", 4)
    session = play(session, RIGHT, OK)
    asked = prompt(session)
    assert isinstance(asked, ColourPrompt)
    assert (asked.kind, asked.pending) == (DieKind.YELLOW, False)
    while prompt(session).kind is not DieKind.WHITE:  # type: ignore[attr-defined]
        session = play(session, RIGHT)
    session = play(session, OK)
    assert holdem.GAME.kinds(session.record.state)[1] is DieKind.WHITE
    assert session.record.dice[1] == 5


def test_both_pocket_dice_can_be_put_right_with_the_last_button() -> None:
    session = play(at_showdown(), roll(die(8, 5, WHITE), die(9, 5, YELLOW)))
    session = play(session, Pressed(Button.HOLDP, long=True))
    names = []
    for _ in range(2):
        shown = prompt(session)
        assert isinstance(shown, FacePrompt)
        names.append(shown.name)
        session = play(session, Button.HOLDP)
    assert names == ["POCKET 1", "POCKET 2"]


def test_a_turned_die_of_all_is_named_until_it_is_turned_back() -> None:
    session = play(at_flop(), roll(*FLOP))
    turned = play(session, dice_moved(0, 0.0, (1,), (die(1, 6, YELLOW, thrown=False),)))
    shown = prompt(turned)
    assert isinstance(shown, FacePrompt)
    assert (shown.name, shown.turned, shown.face) == ("2ND DIE", 4, 4)
    assert turned.record.events == session.record.events
    back = play(turned, dice_moved(0, 0.0, (1,), lie(FLOP[1])))
    assert isinstance(prompt(back), BetPrompt)
    assert play(turned, OK).record.events == session.record.events


def test_a_long_press_goes_far_in_a_list_and_stops_at_its_ends() -> None:
    session = new_session(Setup("classic", ("ANNA",)))
    dice = tuple(die(slot, face, BLACK) for slot, face in enumerate((1, 2, 3, 4, 6)))
    session = play(session, roll(*dice), OK)
    labels = []
    for _ in range(4):
        session = play(session, Pressed(RIGHT, long=True))
        labels.append(getattr(prompt(session), "index", None))
    assert labels == [5, 10, 13, 13]
    assert getattr(prompt(play(session, Pressed(LEFT, long=True))), "index", None) == 8


def test_an_action_keeps_its_place_whatever_raises_are_left() -> None:
    session = play(new_session(SETUP), RIGHT, OK)
    for raises in range(5):
        raised = play(session, RIGHT)
        shown = prompt(raised)
        assert isinstance(shown, BetPrompt)
        assert (shown.label, shown.index, shown.count) == ("RAISE 10", 1, 3)
        assert shown.possible is (raises < 3)
        if not shown.possible:
            refused = play(raised, OK)
            assert refused.record.events == session.record.events
            assert refused.mode == raised.mode
            assert prompt(refused) == replace(shown, remark="NOT POSSIBLE")
            assert pages(prompt(refused))
            break
        session = play(raised, OK)
    assert len(session.record.events) == 4
    last = prompt(play(session, LEFT))
    assert isinstance(last, BetPrompt)
    assert (last.label, last.possible) == ("FOLD", True)


def test_what_ok_does_stays_in_view_beside_a_remark() -> None:
    shown = prompt(play(new_session(SETUP), RIGHT))
    assert isinstance(shown, BetPrompt)
    remarked = pages(replace(shown, remark="BET FIRST"))
    rows = [picture.rows()[6:] for picture in (*remarked, pages(shown)[0])]
    assert rows[0] == rows[1]


def test_chips_folded_hands_and_taking_back() -> None:
    session = play(new_session(SETUP), LEFT)
    shown = prompt(session)
    assert isinstance(shown, BetPrompt)
    assert shown.label == "FOLD"
    asked = prompt(play(session, OK))
    assert asked == replace(shown, confirm=True)
    assert prompt(play(session, OK, BACK)) == shown
    session = play(session, OK, OK)
    assert prompt(session) == PotPrompt(((("ANNA", 20),),), "")
    back = play(session, BACK, OK)
    assert back.record.events == ()
    assert isinstance(prompt(back), BetPrompt)


def all_in_by_ante() -> Session:
    """ANNA has folded until her last ten chips are the ante: in this hand nobody can bet."""
    session = new_session(Setup("holdem", ("ANNA", "BOB"), (("stack", 50),)))
    while isinstance(shown := prompt(session), BetPrompt | PotPrompt):
        folds = isinstance(shown, BetPrompt) and shown.player == "ANNA"
        session = play(session, LEFT, OK, OK) if folds else play(session, OK)
    return session


def test_a_hand_without_bets_says_so_and_has_the_hidden_dice_drawn() -> None:
    session = all_in_by_ante()
    chips = session.record.rules.scores(session.record.state)
    asked = prompt(session)
    assert (chips, isinstance(asked, DealPrompt) and asked.unbet) == ((0, 80), True)
    for shown in (asked, replace(asked, surplus=7)):  # type: ignore[type-var]
        words = [page.words for page in pages(shown)]
        assert ("ALL DRAW 2", "HIDE THEM") in words
        assert ("ALL IN", "NO BETS") in words
    assert "Everybody draws two dice and hides them." in " ".join(asked.told())
    later = prompt(play(session, roll(*FLOP)))
    assert isinstance(later, DealPrompt)
    assert (later.purpose, later.unbet) == ("TURN", False)


def test_a_hand_in_which_all_may_bet_begins_with_bets() -> None:
    deal = prompt(at_flop())
    assert isinstance(deal, DealPrompt)
    assert not deal.unbet


def test_everybodys_chips_are_on_a_page_of_a_bet() -> None:
    session = new_session(Setup("holdem", ("ANNA", "BEN", "CLEO", "DORA")))
    session = play(session, RIGHT, OK)
    shown = prompt(session)
    assert isinstance(shown, BetPrompt)
    assert [stack.name for stack in shown.stacks] == ["CLEO", "DORA", "ANNA", "BEN"]
    assert [stack.chips for stack in shown.stacks] == [290, 290, 290, 280]
    assert [stack.name for stack in shown.stacks if stack.deals] == ["ANNA"]
    assert any({"290", "280", "OK"} <= {*page.words} for page in pages(shown))
    lit = next(page for page in pages(shown) if "280" in page.words)
    plain = replace(shown, stacks=tuple(replace(stack, deals=False) for stack in shown.stacks))
    assert lit not in pages(plain)


def test_who_is_all_in_has_that_in_place_of_chips() -> None:
    stacks = (Stack("ANNA", 250), Stack("BEN", 0, all_in=True), Stack("CLEO", 20, folded=True))
    shown = BetPrompt("ANNA", "CALL 10", 10, 250, 90, "FLOP", 0, 4, (), stacks=stacks)
    assert "ALL IN" in pages(shown)[-1].words
    many = (*stacks, *(Stack(name, 100) for name in ("DORA", "EMIL", "FRIEDA")))
    assert "ALL" in pages(replace(shown, stacks=many))[-1].words


@pytest.mark.parametrize("count", range(2, 7))
def test_a_tie_names_all(count: int) -> None:
    names = ("ANNA", "BEN", "CLEO", "DORA", "EMIL", "FRIEDA")[:count]
    shown = pages(PotPrompt((tuple((name, 20) for name in names),), "FULL HOUSE"))
    words = [word for page in shown for word in page.words]
    begins = [[word for word in words if name.startswith(word)] for name in names]
    assert all(begins), words
    # After many names there are fewer letters for it.
    tie = "SHARE THE POT" if len(shown) == 2 else "A TIE"
    assert shown[-1].words == (tie, "OK", "FULL HOUSE")


def test_after_a_tie_the_news_names_all_who_won() -> None:
    dice = (die(5, 3, RED), die(6, 3, WHITE))
    session = at_showdown()
    for _ in range(2):
        session = play(session, roll(*lie(*FLOP, TURN, RIVER), *dice), OK)
        session = play(session, dice_picked_up(0, 0.0, (5, 6)))
    after = prompt(play(session, OK))
    assert isinstance(after, BetPrompt)
    assert after.news == (("BOB", "WON 20"), ("ANNA", "WON 20"))


def fold_until_the_ante_is_all(*names: str) -> AtTable:
    """By keys: all but the last fold until their last ten chips are the ante of the next hand."""
    stays = names[-1]
    dealer = ("dealer", 0)
    table = AtTable(":memory:", Setup("holdem", names, (("stack", 50), dealer)))
    table.wait()
    while isinstance(shown := table.appliance.prompt, BetPrompt | PotPrompt):
        # Once it could be read.
        table.wait(20)
        if isinstance(shown, BetPrompt) and shown.player != stays:
            for button in (LEFT, OK, OK):
                table.press(button)
                table.wait(10)
        else:
            table.press(OK)
        table.wait()
    return table


def on_board(table: AtTable, seconds: int = 12) -> set[str]:
    """All words on the board, now and while nobody does anything."""
    before = len(table.board.pictures) - 1
    table.wait(10 * seconds, 0.1)
    return {word for picture in table.board.pictures[before:] for word in picture.words}


def test_by_keys_three_who_are_all_in_by_the_ante_at_once_draw_play_and_share_what_they_tie() -> (
    None
):
    names = ("ANNA", "BEN", "CLEO", "DORA")
    table = fold_until_the_ante_is_all(*names)
    rules = table.session.record.rules
    assert rules.scores(table.session.record.state) == (0, 0, 0, 160)
    assert {"ALL DRAW 2", "HIDE THEM", "ALL IN", "NO BETS", "FLOP"} <= on_board(table)
    for thrown in (FLOP, (*lie(*FLOP), TURN), (*lie(*FLOP, TURN), RIVER)):
        table.watcher.events = [roll(*thrown)]
        table.wait()
    lying = lie(*FLOP, TURN, RIVER)
    # Fours and sixes for all, and beside them a three that is not red for each but the last.
    pockets = {"ANNA": (3, 2), "BEN": (3, 2), "CLEO": (3, 2), "DORA": (1, 2)}
    colours = {"ANNA": (BLACK, WHITE), "BEN": (BLACK, YELLOW), "CLEO": (YELLOW, WHITE)}
    seen = set[str]()
    for _ in names:
        table.wait(20)
        shown = table.appliance.prompt
        assert isinstance(shown, ShowPrompt)
        (first, second), kinds = pockets[shown.player], colours.get(shown.player, (RED, BLACK))
        seen.add(shown.player)
        pair = (die(5, first, kinds[0]), die(6, second, kinds[1]))
        table.watcher.events = [roll(*lying, *pair)]
        table.wait(20)
        table.press(OK)
        table.watcher.events = [dice_picked_up(0, 0.0, (5, 6))]
        table.wait(20)
    assert seen == {*names}
    shared = table.appliance.prompt
    assert isinstance(shared, PotPrompt)
    words = on_board(table)
    winners = {name for name in names if any(word and name.startswith(word) for word in words)}
    assert winners == {"ANNA", "BEN", "CLEO"}
    assert {"A TIE", "SHARE THE POT"} & words
    ((*won,),) = shared.pots
    assert sum(chips for _, chips in won) == 40
    table.press(OK)
    words = on_board(table)
    assert {text for name, chips in won for text in (name, f"WON {chips}")} <= words


WIDE = "M" * MAX_NAME_LETTERS


@pytest.mark.parametrize(
    ("label", "chips"),
    [*itertools.product(("CHECK", "BET 20", "CALL 60", "RAISE 20", "ALL IN", "FOLD"), (0, 6000))],
)
def test_every_bet_fits_the_board(label: str, chips: int) -> None:
    dice = tuple(ShownDie(kind, 6) for kind in (DieKind.WHITE,) * 5)
    shown = BetPrompt(
        WIDE, label, 20, chips, 6000, "RIVER", 3, 4, dice, WIDE, ((WIDE, "RAISE 20"),)
    )
    assert len(pages(shown)) >= 2


@pytest.mark.parametrize("name", [WIDE, "GRÜNDLICHERR", "ÇİĞDEM", "Ü", "ROBO ***"])
@pytest.mark.parametrize("count", range(2, 7))
def test_the_dealer_fits_on_every_page(name: str, count: int) -> None:
    names = (name, "ÄNNE", "BEN", "ÇAN", "ROBO *", "ROBO **")[:count]
    for dealer in range(count):
        stacks = tuple(
            Stack(who, 100 * seat, deals=seat == dealer, all_in=not seat)
            for seat, who in enumerate(names)
        )
        with strict_drawing():
            for opens in ("", names[dealer]):
                shown = BetPrompt(
                    name, "RAISE 20", 20, 300, 1000, "FLOP", 0, 4, (), opens, stacks=stacks
                )
                assert film(shown).loop
                assert film(ThinkingPrompt(name, shown)).loop


def test_all_prompts_fit_the_board() -> None:
    dice = tuple(ShownDie(kind, 1) for kind in (DieKind.RED, DieKind.YELLOW) * 2)
    for state in TrayState:
        for purpose in ("FLOP", "FLOP AGAIN", "TURN", "RIVER"):
            for surplus in (0, 17):
                news = ((WIDE, "WON 6000"),)
                assert pages(DealPrompt(WIDE, purpose, 3, state, surplus, dice, news))
        assert pages(ShowPrompt(WIDE, state, dice, "TOO MUCH YELLOW", (("BOB", "ALL IN"),)))
    for rank in Rank:
        assert pages(HandPrompt(WIDE, Label(rank.word), dice))
        assert pages(PotPrompt((((WIDE, 6000),), ((WIDE, 3000), ("BOB", 3000))), Label(rank.word)))
    for kind in ("red", "black", "white", "yellow"):
        for name in ("5TH DIE", "POCKET 2"):
            assert pages(ColourPrompt(name, 6, DieKind(kind), True))


def test_who_went_all_in_and_who_is_out_is_told_and_shown() -> None:
    names = ("ANNA", "BEN", "CLEO")
    table = AtTable(":memory:", Setup("holdem", names, (("stack", 50),)), 5)
    emptied, told, out = set[str](), set[str](), set[str]()
    for _ in range(500):
        before, asked = table.session, table.appliance.prompt
        if isinstance(asked, BetPrompt) and asked.label == "CHECK":
            table.press(RIGHT)
            continue
        if not table.go_on():
            break
        after, shown = table.session, table.appliance.prompt
        if after.record.events == before.record.events or isinstance(shown, OverPrompt):
            continue
        chips, had = (s.record.rules.scores(s.record.state) for s in (after, before))
        news = getattr(shown, "news", ())
        told |= {who for who, what in news if what == "ALL IN"}
        out |= {who for who, what in news if what == "OUT"}
        if (
            isinstance(asked, BetPrompt)
            and had[names.index(asked.player)]
            and not chips[names.index(asked.player)]
        ):
            emptied.add(asked.player)
            assert (asked.player, "ALL IN") in news
            assert "all in" in " ".join(sentences(shown)).lower()
            opening = [still.picture.words for still in film(shown).opening]
            assert (asked.player, "ALL IN") in opening
        for seat, who in enumerate(names):
            bets = after.record.rules.bets(after.record.state)
            gone = isinstance(asked, PotPrompt) and not chips[seat]
            if gone and bets is not None and seat not in bets.in_hand and who not in out:
                raise AssertionError(f"{who} is out, told {news}")
    assert isinstance(table.appliance.prompt, OverPrompt)
    assert told == emptied != set()
    assert len(out) == 1
