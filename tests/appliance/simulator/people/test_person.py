"""A person's hands when keys are pressed; nobody keeps a second record."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from appliance.inputs import HOLD_BUTTONS, Button, Pressed
from appliance.service.ports import Happened
from appliance.simulator.people.cups import DealtHand
from appliance.simulator.people.person import (
    ALL_HELD,
    NO_CUP,
    NO_DICE,
    NOTHING_TO_SHOW,
    NOTHING_TO_THROW,
    Person,
)
from appliance.simulator.people.ports import kinds_of_dice_in
from appliance.table.menu.asking import console_prompt
from appliance.table.menu.console import Console
from appliance.table.menu.lesson import Lesson, open_lesson
from appliance.table.menu.step import advance
from appliance.table.prompts.looking import StripPrompt, TablePrompt
from appliance.table.prompts.trouble import ClashPrompt, CountPrompt, FacePrompt
from appliance.table.prompts.turn import ChoicePrompt, DicePrompt
from appliance.table.session.matching import Why
from appliance.table.session.prompting import prompt
from appliance.table.session.session import Session, Setup, new_session, resume
from appliance.table.session.step import Input, step
from games.values import Choose, Reveal, Throw
from simulator.motion.acts import Mishap
from tests.builders import die, roll, steps
from tests.rigs.proof.unpictured_tray import UnpicturedTray
from vision.reading import DieState

HOLDEM = Setup("holdem", ("ANNA", "BOB"), (("stack", 100),))


def test_spaces_throws_in_a_lesson_keep_the_dice_that_are_held_there() -> None:
    console = open_lesson(Console())
    tray = UnpicturedTray(Random(1), kinds_of_dice_in("classic"))
    person = Person(tray, np.random.default_rng(1))

    def throw(console: Console) -> Console:
        assert person.throw(console_prompt(console), console) == ""
        for event in tray.events():
            console, _ = advance(console, event)
            person.notice(Happened(0, 0.0, event, None))
        return console

    def dice(console: Console) -> DicePrompt:
        assert isinstance(console.page, Lesson)
        shown = prompt(console.page.session)
        assert isinstance(shown, DicePrompt)
        return shown

    console = throw(console)
    first = dice(console)
    for button in (Button.HOLD2, Button.HOLD5):
        console, _ = advance(console, Pressed(button))
    again = dice(throw(console))
    assert again.roll == 2
    assert [again.dice[slot] for slot in (1, 4)] == [first.dice[slot] for slot in (1, 4)]
    assert again.dice != first.dice


class Table:
    """A game on a tray that reports what lies in it, and a person's hands."""

    def __init__(self, session: Session, seed: int = 1) -> None:
        self.session = session
        self.tray = UnpicturedTray(Random(seed), kinds_of_dice_in(session.record.setup.game))
        self.person = Person(self.tray, np.random.default_rng(seed))

    @property
    def ask(self) -> Throw | Choose | Reveal:
        ask = self.session.record.ask
        assert ask is not None
        return ask

    @property
    def console(self) -> Console:
        return Console(session=self.session)

    def feed(self, happened: Input) -> None:
        self.session = step(self.session, happened)
        self.person.notice(Happened(0, 0.0, happened, self.session))

    def look(self) -> None:
        for event in self.tray.events():
            self.feed(event)

    def press(self, *buttons: Button, long: bool = False) -> None:
        for button in buttons:
            self.feed(Pressed(button, long=long))

    def throw(self) -> str:
        said = self.person.throw(prompt(self.session), self.console)
        self.look()
        return said

    def show(self) -> str:
        said = self.person.show(prompt(self.session), self.console)
        self.look()
        return said

    def choose(self, label: str) -> None:
        for _ in range(20):
            if getattr(prompt(self.session), "label", "") == label:
                return self.press(Button.OK)
            self.press(Button.RIGHT)
        raise AssertionError(f"{label} is not to be chosen at {prompt(self.session)}")

    def peek(self) -> str:
        return self.person.peek(self.console)[1]


def check_down(table: Table) -> None:
    """Plays on to the showdown: bets before the turn, then checks."""
    for stage in ("OPEN", "FLOP", "TURN", "RIVER"):
        if stage != "OPEN":
            assert table.throw() == ""
        bets = stage in ("OPEN", "FLOP")
        table.choose("BET 10" if bets else "CHECK")
        table.choose("CALL 10" if bets else "CHECK")


@pytest.mark.parametrize("seed", range(5))
def test_a_hand_of_holdem_counts_what_lay_under_the_cups(seed: int) -> None:
    table = Table(new_session(HOLDEM), seed)
    players = table.session.record.setup.players
    peeked: dict[str, str] = {}
    for _ in players:
        who = players[table.ask.seat]
        peeked[who] = table.peek()
        assert peeked[who].startswith(f"For {who} alone: ")
        table.choose("BET 10" if len(peeked) == 1 else "CALL 10")
    for stage in ("flop", "turn", "river"):
        assert table.ask.purpose == stage
        assert table.throw() == ""
        table.choose("BET 10" if stage == "flop" else "CHECK")
        table.choose("CALL 10" if stage == "flop" else "CHECK")
    while isinstance(ask := table.ask, Reveal):
        assert table.show() == ""
        shown = table.session.record.state.pockets[ask.seat]
        assert shown is not None
        for one in shown:
            assert f"{one.kind.value} {one.face}" in peeked[players[ask.seat]]
        table.press(Button.OK)
    assert table.peek() == NO_CUP
    table.press(Button.OK)
    assert table.peek().startswith("For ")
    assert table.session.record.state.hand == 2


def test_the_dice_of_a_hand_go_back_into_the_bag_before_the_next() -> None:
    table = Table(new_session(HOLDEM))
    check_down(table)
    while isinstance(table.ask, Reveal):
        table.show()
        table.press(Button.OK)
    assert table.tray.lying()
    table.press(Button.OK)
    assert table.session.record.state.hand == 2
    assert not table.tray.lying()


def test_the_same_dice_are_thrown_for_a_flop_again() -> None:
    table = Table(new_session(HOLDEM))
    table.choose("BET 10")
    table.choose("CALL 10")
    table.throw()
    first = set(table.tray.lying())
    table.choose("CHECK")
    table.choose("CHECK")
    assert table.ask.purpose == "flop-again"
    table.throw()
    assert set(table.tray.lying()) == first
    assert table.session.record.state.thrown == 2


def test_throws_taken_back_again_and_again_do_not_empty_the_bag() -> None:
    table = Table(new_session(HOLDEM))
    table.choose("BET 10")
    before = table.peek()
    table.choose("CALL 10")
    for _ in range(12):
        table.throw()
        assert len(table.session.record.state.community) == 3
        assert len(table.tray.lying()) == 3
        table.press(Button.BACK, long=True)
        table.press(Button.OK)
        if isinstance(table.ask, Throw):
            continue
        assert table.peek() == before
        table.choose("CALL 10")


def test_a_hand_goes_on_that_nobody_remembers_the_deal_of() -> None:
    table = Table(new_session(HOLDEM))
    check_down(table)
    table.show()
    table.press(Button.OK)
    old = table.session
    again = Table(resume(old.record.setup, old.record.log, old.record.serial), seed=9)
    bets = again.session.record.rules.bets(again.session.record.state)
    assert bets is not None
    bag = kinds_of_dice_in("holdem")
    dealt = DealtHand(np.random.default_rng(3), bets, bag)
    ask = again.ask
    shown = [die for pocket in old.record.state.pockets if pocket for die in pocket]
    kinds = [bag[die].value for die in dealt.common]
    assert kinds == [die.kind.value for die in old.record.state.community]
    other = next(seat for seat in dealt.cups if seat != ask.seat)
    assert [bag[d].value for d in dealt.cups[other]] == [die.kind.value for die in shown]
    dice = [*dealt.common, *dealt.cups[0], *dealt.cups[1]]
    assert len(set(dice)) == len(dice)
    assert again.peek().startswith("For ")
    assert again.show() == ""
    assert all(again.session.record.state.pockets)


def test_keys_at_the_wrong_time_do_nothing_and_say_so() -> None:
    table = Table(new_session(HOLDEM))
    assert table.throw() == NOTHING_TO_THROW
    assert table.show() == NOTHING_TO_SHOW
    assert table.person.collect() == NO_DICE
    assert not table.tray.lying()
    classic = Table(new_session(Setup("classic", ("ANNA",))))
    assert classic.peek() == NO_CUP
    classic.throw()
    classic.press(*HOLD_BUTTONS[:5])
    assert classic.throw() == ALL_HELD
    assert classic.person.collect() == ""
    assert not classic.tray.lying()


def test_no_game_no_dice() -> None:
    table = Table(new_session(HOLDEM))
    assert table.person.peek(Console()) == ("", NO_CUP)
    assert table.person.throw(prompt(table.session), Console()) == NOTHING_TO_THROW


def test_a_game_with_other_dice_after_holdem() -> None:
    table = Table(new_session(HOLDEM))
    table.choose("BET 10")
    table.choose("CALL 10")
    table.throw()
    lying = set(table.tray.lying())
    table.session = new_session(Setup("classic", ("ANNA",)), serial=2)
    assert table.throw() == ""
    assert set(table.tray.lying()) == set(range(5))
    assert lying - set(range(5))


def test_a_die_that_was_taken_out_of_the_tray_is_thrown_again_with_the_others() -> None:
    table = Table(new_session(Setup("power", ("ANNA",), ())))
    table.throw()
    assert isinstance(prompt(table.session), DicePrompt)
    table.person.collect()
    table.look()
    table.tray.throw(dict.fromkeys(range(5), 3), {})
    table.look()
    assert isinstance(prompt(table.session), CountPrompt)
    table.throw()
    assert sorted(table.tray.lying()) == list(range(6))
    assert not isinstance(prompt(table.session), CountPrompt)


def test_a_die_thrown_again_while_its_face_is_confirmed_does_not_stay_the_only_one() -> None:
    """The board said for ever that it saw one die and expected five."""
    table = Table(new_session(Setup("showdown", ("ANNA", "BOB"), (("first", 0),))))
    table.person.hands.next_mishap = Mishap.LEANING
    table.throw()
    assert isinstance(prompt(table.session), FacePrompt)
    # SPACE comes before the board has noticed that OK was pressed.
    table.person.throw(prompt(table.session), table.console)
    table.press(Button.OK)
    table.look()
    shown = prompt(table.session)
    assert isinstance(shown, CountPrompt)
    assert (shown.seen, shown.expected) == (1, 5)
    assert table.throw() == ""
    assert len(table.tray.lying()) == 5
    assert isinstance(prompt(table.session), DicePrompt)


def test_a_throw_that_is_seen_late_while_the_next_one_is_made_is_not_misread() -> None:
    table = Table(new_session(Setup("classic", ("ANNA",))))
    table.person.throw(prompt(table.session), table.console)
    late = table.tray.events()
    # The hand is at work again before the first throw is reported.
    table.person.throw(prompt(table.session), table.console)
    table.tray.busy = True
    for event in late:
        table.feed(event)
    hands = table.person.hands
    assert table.session.record.events
    assert (hands.read, hands.misread) == (0, 0)


@pytest.mark.parametrize("seed", range(5))
def test_throws_again_throws_all_dice_that_the_question_is_about(seed: int) -> None:
    """Four used to be thrown each time, and the fifth, which was asked about, never."""
    table = Table(new_session(Setup("classic", ("ANNA", "BOB"), (("first", 0),))), seed)
    table.throw()
    table.press(Button.HOLD1, Button.HOLD2)
    table.person.throw(prompt(table.session), table.console)
    table.press(Button.HOLD2)
    table.look()
    asked = prompt(table.session)
    assert isinstance(asked, ClashPrompt)
    assert (asked.name, asked.why) == ("2ND DIE", Why.LAZY)
    before = {place for place, _ in table.tray.lying().values()}
    assert table.throw() == ""
    assert len(before & {place for place, _ in table.tray.lying().values()}) == 1
    assert not isinstance(prompt(table.session), ClashPrompt)


@pytest.mark.parametrize("game", ["classic", "power"])
def test_the_die_that_is_asked_about_is_thrown_again_alone(game: str) -> None:
    table = Table(new_session(Setup(game, ("ANNA", "BOB"), (("first", 0),))))
    table.person.hands.next_mishap = Mishap.LEANING
    table.throw()
    asked = prompt(table.session)
    assert isinstance(asked, FacePrompt)
    before = dict(table.tray.lying())
    assert table.throw() == ""
    assert isinstance(prompt(table.session), DicePrompt)
    after = table.tray.lying()
    moved = {die for die, place in after.items() if place != before[die]}
    assert len(moved) == 1
    assert before[moved.pop()][1] is None


def test_a_face_that_was_entered_stays_when_another_die_is_thrown_again() -> None:
    session = new_session(Setup("classic", ("ANNA", "BOB"), (("first", 0),)))
    unsure, sure = DieState.UNSURE, DieState.OK
    dice = [die(slot, 2, state=unsure if slot < 2 else sure) for slot in range(5)]
    session = steps(session, roll(*dice), Pressed(Button.RIGHT), Pressed(Button.OK))
    asked = prompt(session)
    assert isinstance(asked, FacePrompt)
    assert asked.index == 1
    entered = asked.dice[0]
    assert entered not in (2, None)
    again = [replace(d, thrown=d.track_id == 1) for d in dice]
    again[1] = replace(die(1, 6), thrown=True)
    session = step(session, roll(*again))
    assert session.record.dice == (entered, 6, 2, 2, 2)


@pytest.mark.parametrize("game", ["classic", "power", "showdown", "free-for-all"])
def test_dice_are_thrown_while_boxes_or_cards_are_looked_over(game: str) -> None:
    table = Table(new_session(Setup(game, ("ANNA", "BEN"), (("first", 0),))))
    for _ in range(3):
        # A home card first in Free for All.
        if isinstance(prompt(table.session), ChoicePrompt):
            table.press(Button.OK)
    table.press(Button.RIGHT)
    assert isinstance(prompt(table.session), StripPrompt | TablePrompt)
    assert table.throw() == ""
    assert table.tray.lying()
    assert not isinstance(prompt(table.session), StripPrompt | TablePrompt)
