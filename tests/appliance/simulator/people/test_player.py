"""The simulated player, from one game to the next."""

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Generic, TypeVar, cast

import numpy as np
import pytest

from appliance.inputs import Button, Pressed
from appliance.service.ports import Happened
from appliance.simulator.people.player import SimulatedPlayer
from appliance.simulator.people.ports import Tray
from appliance.table.menu.console import Waited
from appliance.table.menu.prompting import NoticePrompt, RollOffPrompt
from appliance.table.prompts.betting import ShowPrompt
from appliance.table.prompts.prompt import Prompt
from appliance.table.prompts.trouble import FacePrompt
from appliance.table.prompts.turn import DicePrompt
from appliance.table.session.prompting import prompt
from appliance.table.session.session import (
    Decided,
    Drawn,
    Seeded,
    Session,
    Setup,
    has_decided,
    hides_dice,
    is_computers_turn,
    new_session,
)
from appliance.table.session.step import Input, step
from appliance.table.session.tray import TrackedDice
from games.registry import GAMES
from games.strategy.computer import decision
from games.values import Draw, Face, Slot
from simulator.motion.acts import Mishap
from tests.builders import reading
from tests.proofs.soak.rooms import UnpicturedRoom
from tests.rigs.proof.games import faults_of
from tests.rigs.proof.refereed import RefereedPlayer
from vision.events import Roll, TrackedDie, TrackId
from vision.frame import Frame
from vision.reading import DieState, TrayState

NO_FRAME = Frame(np.zeros((9, 16, 3), np.uint8), 0.0, 0)


P = TypeVar("P", bound=SimulatedPlayer)


class _Table(Generic[P]):
    """A table without pictures or wires, at which one game follows another."""

    def __init__(self, kind: type[P]) -> None:
        self.room = UnpicturedRoom(3)
        self._watcher = self.room.watcher()
        self._presses: list[Pressed] = []
        self._lots = Random(3)
        self.player = kind(self.room.tray, self, np.random.default_rng(3))
        self._time_s = 0.0

    def press(self, button: Button) -> None:
        self._presses.append(Pressed(button))

    def hold(self, button: Button) -> None:
        self._presses.append(Pressed(button, long=True))

    def play(self, session: Session, acts: int) -> Session:
        """Plays a game for this many acts."""
        self.room.play_with(session.record.setup.game)
        self.player.begin(session)
        if hides_dice(session):
            session = self._feed(session, Seeded("5f3a09c1d2e4b687"))
        session = self._feed(session, Pressed(Button.BACK))
        for _ in range(acts):
            if self.player.done:
                break
            self._time_s += 10
            while is_computers_turn(session) and not has_decided(session):
                decided = decision(session.record.rules, session.record.state, session.record.seed)
                session = self._feed(session, Decided(decided))
            self.room.advance()
            self.player.act(prompt(session), self._time_s)
            for event in self._watcher.feed(NO_FRAME):
                session = self._feed(session, event)
            presses, self._presses = self._presses, []
            for one in presses:
                session = self._feed(session, one)
        return session

    def first_throw(self) -> tuple[Session, Prompt]:
        """A game that has begun, and what the board shows before the first throw."""
        session = new_session(Setup("classic", ("ANNA",)))
        self.player.begin(session)
        return session, prompt(step(session, Pressed(Button.BACK)))

    def _feed(self, session: Session, happened: Input) -> Session:
        session = step(session, happened)
        self.player.notice(Happened(0, self._time_s, happened, session))
        while isinstance(ask := session.record.ask, Draw):
            lot = Drawn(self._lots.choice(ask.lots))
            session = step(session, lot)
            self.player.notice(Happened(0, self._time_s, lot, session))
        return session


@pytest.mark.parametrize("passing", [True, False])
def test_a_notice_that_stays_is_read_and_closed(passing: bool) -> None:
    table = _Table(SimulatedPlayer)
    table.first_throw()
    table.player.act(NoticePrompt((("A GAME WAS", "DAMAGED:"),), passing), 10.0)
    assert table._presses == ([] if passing else [Pressed(Button.OK)])


def test_a_game_goes_on_after_another_with_cups_was_left() -> None:
    table = _Table(RefereedPlayer)
    classic = table.play(new_session(Setup("classic", ("ANNA",))), 13)
    assert isinstance(prompt(classic), DicePrompt)
    table.play(new_session(Setup("holdem", ("ANNA", "BOB"), (("stack", 100),)), 2), 3)
    classic = table.play(classic, 400)
    assert classic.record.rules.outcome(classic.record.state) is not None
    assert faults_of(classic, table.player.referee) == ""


def test_after_the_cups_were_put_away_dice_are_drawn_before_they_are_shown() -> None:
    table = _Table(SimulatedPlayer)
    table.play(new_session(Setup("holdem", ("ANNA", "BOB"), (("stack", 100),))), 3)
    table.player.bag.cups.clear()
    table.player.act(ShowPrompt("ANNA", TrayState.EMPTY, ()), 100.0)
    assert len(table.room.tray.lying()) == 2


def test_the_dice_of_a_game_that_is_gone_are_not_those_of_a_roll_off() -> None:
    table = _Table(SimulatedPlayer)
    table.play(new_session(Setup("power", ("ANNA",))), 3)
    assert 5 in table.player.hands.faces
    # Nothing goes on after a start: the menu is up, then who begins is rolled for.
    table.room.play_with("")
    table.player.notice(Happened(0, 99.0, Waited(), None))
    table.player.act(RollOffPrompt("ANNA", False, None, TrayState.EMPTY), 100.0)
    face = table.player.hands.faces[0]
    table.player.notice(Happened(0, 104.0, Waited(), None))
    table.player.act(FacePrompt("ANNA", 0, face, DieState.UNSURE, (face,)), 110.0)
    assert table._presses == [Pressed(Button.OK)]


def test_a_press_that_got_lost_is_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    table, slips = _Table(RefereedPlayer), [True]
    lost: list[Button] = []

    def once(what: str, share: float = 1.0) -> bool:
        return what == "wrong choice" and bool(slips) and slips.pop()

    monkeypatch.setattr(table.player.hands, "slip", once)
    press = table.press

    def loses(button: Button) -> None:
        # As if the appliance were restarted before it has taken the press.
        if table.player.regrets and button is Button.OK and len(lost) < 2:
            lost.append(button)
        else:
            press(button)

    monkeypatch.setattr(table, "press", loses)
    session = table.play(new_session(Setup("classic", ("ANNA",))), 400)
    assert len(lost) == 2
    assert not table.player.regrets
    assert session.record.rules.outcome(session.record.state) is not None
    assert faults_of(session, table.player.referee) == ""


def test_who_has_thrown_gives_the_board_time_though_nothing_is_seen() -> None:
    table = _Table(RefereedPlayer)
    _, asked = table.first_throw()
    throws = []
    for tenths in range(100):
        table.player.act(asked, tenths / 10)
        throws.append(table.player.hands.throws)
    assert throws[0] == 1
    assert throws.count(1) >= 40


def test_what_is_reported_while_the_hand_is_at_work_does_not_end_the_wait_for_a_throw() -> None:
    table = _Table(RefereedPlayer)
    session, asked = table.first_throw()

    class Busy:
        """The tray, in which the hand is at work for a second."""

        busy = True

        def __getattr__(self, name: str) -> object:
            return getattr(table.room.tray, name)

    table.player.act(asked, 0.0)
    table.player.hands.tray = cast(Tray, tray := Busy())
    table.player.notice(Happened(0, 0.5, Roll(0, 0.5, (), 0), session))
    table.player.act(asked, 1.0)
    tray.busy = False
    for tenths in range(11, 80):
        table.player.act(asked, tenths / 10)
        assert table.player.hands.throws == 1 + (tenths >= 50)


def test_a_die_that_counts_already_is_not_entered_for_the_one_that_is_missing() -> None:
    table = _Table(RefereedPlayer)
    player = table.player
    player.begin(new_session(Setup("holdem", ("ANNA", "BOB"), (("stack", 100),)), 2))
    player.bag.deal(("ANNA", "BOB"))
    one, other = player.hands.asked = player.bag.cups["ANNA"]
    player.hands.faces = {one: 5, other: 1}
    player.hands.bodies = {5: one, 6: other}
    # The board took the one further right for the first.
    asked = FacePrompt("POCKET 2", 1, 5, DieState.COVERED, (1, None))
    player.act(asked, 100.0)
    assert table._presses[0].button is Button.OK
    assert player.hands.bodies[6] == one
    alike = FacePrompt("POCKET 2", 1, 2, DieState.COVERED, (None, None))
    player.hands.bodies = {5: one, 6: other}
    player.act(alike, 200.0)
    assert player.hands.bodies[6] == other


def test_who_throws_a_die_in_vain_throws_all_and_then_enters_it() -> None:
    table = _Table(RefereedPlayer)
    session = table.play(new_session(Setup("classic", ("ANNA",))), 1)
    lying = table.room.tray.lying()
    assert len(lying) == 5
    thrown: list[int] = []

    class Hands:
        """The tray; the board keeps seeing a die beside it."""

        def __getattr__(self, name: str) -> object:
            return getattr(table.room.tray, name)

        def throw(self, faces: Mapping[int, Face], mishaps: Mapping[int, Mishap]) -> None:
            thrown.append(len(faces))
            table.room.tray.throw(faces, mishaps)

    table.player.hands.tray = cast(Tray, Hands())
    # The throw has not counted yet.
    table.player.hands.pending.update(lying)
    asked = FacePrompt("1ST DIE", 0, 1, DieState.UNSURE, 5 * (None,), aside=True)
    for k in range(20):
        table.player.act(asked, 1000.0 + 10 * k)
        if table._presses:
            break
    assert thrown == [1, 1, 1, 5, 5, 5]
    assert table._presses[0].button in (Button.OK, Button.RIGHT)
    assert session.record.rules.outcome(session.record.state) is None


def test_a_thing_besides_the_dice_is_taken_for_none_of_them() -> None:
    table = _Table(RefereedPlayer)
    session = table.play(new_session(Setup("classic", ("ANNA",))), 1)
    places = table.room.tray.places()
    seen = [
        TrackedDie(TrackId(slot), reading(1, places[body]), False)
        for slot, body in ((0, 4), (1, 3), (2, 2), (5, 1), (4, 0), (3, 0))
    ]
    # The tracker's slot 3 is glare beside die 0; the board has its fourth die in slot 5.
    pairs = ((0, 0), (1, 1), (2, 2), (5, 3), (4, 4))
    on_record = {TrackId(number): Slot(slot) for number, slot in pairs}
    session = replace(session, tracked=TrackedDice().placed(on_record))
    table.player.hands.match_bodies_to_slots(seen, session)
    assert table.player.hands.bodies == {0: 4, 1: 3, 2: 2, 3: 1, 4: 0}


@pytest.mark.slow
@pytest.mark.parametrize("players", [("ROBO ***", "BEEP ***"), ("ANNA", "ROBO *")])
@pytest.mark.parametrize("game", GAMES)
def test_dice_are_thrown_for_computers_until_a_game_is_over(
    game: str, players: tuple[str, ...]
) -> None:
    table = _Table(SimulatedPlayer)
    options = (("stack", 200),) if game == "holdem" else ()
    session = table.play(new_session(Setup(game, players, options)), 5000)
    assert session.record.rules.outcome(session.record.state) is not None
    assert table.player.done
