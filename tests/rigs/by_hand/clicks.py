"""Clicks and keys at random that wait for nothing, and whether any counted for other dice.

The program's own loop runs, with a clicker for its page and keyboard: it sees each view a little
late, as pages do under load, and clicks while dice roll. Nothing may be chosen with dice that were
not on view when it was clicked, no throw may count for another turn than it was made for, and the
games must end.
"""

from collections import deque
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from time import monotonic, sleep
from typing import Any

import numpy as np

from appliance.cli.play import UNSAID
from appliance.cli.shared.launch import Simulation
from appliance.cli.shared.simulated_game import SimulatedGame
from appliance.config import Config
from appliance.inputs import Button, Key
from appliance.journal.journal import Journal
from appliance.journal.sessions import load_session
from appliance.service.view import View
from appliance.simulator.appliance import QUICK_STREAM, SimulatedAppliance
from appliance.simulator.people.at_keys import PRESSED_TOO_LATE, TRAY_IS_BUSY
from appliance.table.session.modes import Undoing
from appliance.table.session.session import Played, Session, Setup
from appliance.terminal.keyboard import (
    LONG_PREFIX,
    PICK_PREFIX,
    QUIT_ACTION,
    SHOW_ACTION,
    THROW_ACTION,
    SeenAction,
)
from games.values import Choice, Keep, Rolled, Shown
from simulator.motion.pushing import lay_dice_apart
from simulator.motion.throwing import DiePath, DieToThrow, plan_path_to
from simulator.motion.watched_tray import WatchedTray
from simulator.render.dice_model import DieBody
from tests.builders import reading
from tests.rigs.proof.unpictured_tray import events_of_rest
from vision.events import TrayChanged, TrayEvent
from vision.frame import Frame
from vision.reading import DieState, TrayState
from vision.watch.tracker import Tracker
from vision.watch.watching import Watching

_ACTION_OF_KEY = {
    Key.SPACE: THROW_ACTION,
    Key.ENTER: str(Button.OK),
    Key.BACK: str(Button.BACK),
    Key.SHOW: SHOW_ACTION,
}
_ANY = (
    *(THROW_ACTION, SHOW_ACTION, *Button, LONG_PREFIX + Button.BACK),
    *(Button.OK, Button.OK, THROW_ACTION),
)
"""The clicks made without a reason."""
_AS_DICE_ROLL = tuple(action for action in _ANY if not action.endswith(Button.BACK))
_LETS_ROLL = 0.93
"""Share of the clicks while dice roll that do not ask to take the throw back."""
_REASONABLE = 0.7
"""Share of the clicks that the page invites to."""
MOST_LAG = 6
"""Views by which a page under load is behind, at most."""
MOST_PAUSE = 12
"""Rounds of the loop from one click to the next, at most; a throw takes up to twenty."""
CLICKS_A_SEQUENCE = 5


@dataclass(slots=True)
class Clicked:
    """How a game went that was played by clicks.

    Attributes:
        sequences: of `CLICKS_A_SEQUENCE` clicks each.
        throws: throws that counted.
        chosen: choices that counted.
        refused: clicks that were answered as too early or too late.
        taken_back: throws that were taken back.
        ended: whether the game is over.
        faults: what counted wrongly.
        waits_s: seconds of the clock from each reading of dice to the first click that counted.
    """

    sequences: int = 0
    throws: int = 0
    chosen: int = 0
    refused: int = 0
    taken_back: int = 0
    ended: bool = False
    faults: list[str] = field(default_factory=list)
    waits_s: list[float] = field(default_factory=list)


def _dice(view: View) -> object:
    table = view.table
    return table and (table.serial, table.turn, table.round, [die.face for die in table.dice])


class Clicker:
    """The page and the keyboard of a simulated game, at which somebody clicks at random.

    Args:
        random: what is clicked, and when.
        most: sequences after which it leaves.
        by_keys: whether it types at a terminal instead, which is never behind.
    """

    def __init__(self, random: Random, most: int, *, by_keys: bool) -> None:
        self._random = random
        self._clicks_left = most * CLICKS_A_SEQUENCE
        self._by_keys = by_keys
        self._views = deque[View](maxlen=MOST_LAG)
        self._pause = 0
        self.clicks = 0
        self.made_at: View | None = None
        """The view at which the present click was made."""
        self.over = False

    def draw(self, view: View) -> None:
        """Takes a view, as a page does."""
        self._views.append(view)

    def poll(self, naming: bool = False) -> list[str]:
        """The actions clicked since the last call."""
        del naming
        self.made_at = None
        if not self._views:
            return []
        if self.over or self._clicks_left <= 0:
            return [QUIT_ACTION]
        if self._pause:
            self._pause -= 1
            return []
        self._pause = self._random.choice((0, 0, 1, 2, 3, self._random.randrange(MOST_PAUSE)))
        lag = 1 if self._by_keys else self._random.randint(1, len(self._views))
        self.made_at = view = self._views[-lag]
        self.clicks += 1
        self._clicks_left -= 1
        action = self._action(view)
        return [action if self._by_keys else SeenAction(action, view.occasion)]

    def obey_signals(self) -> bool:
        """True if a signal asks to stop: none does."""
        return False

    def pause(self, seconds: float) -> bool:
        """Waits; nothing is clicked meanwhile."""
        sleep(seconds)
        return False

    def _action(self, view: View) -> str:
        can = [_ACTION_OF_KEY[key.key] for key in view.guidance.keys if key.key in _ACTION_OF_KEY]
        table = view.table
        if table is not None and not self._by_keys:
            yes = ":yes" if table.confirm else ""
            picks = [
                f"{PICK_PREFIX}{table.serial}:{table.asked}:{index}{yes * (index == table.chosen)}"
                for index, offer in enumerate(table.offers)
                if offer.possible
            ]
            can += self._random.sample(picks, min(2, len(picks)))
        if view.thrown and self._random.random() < _LETS_ROLL:
            return str(self._random.choice(_AS_DICE_ROLL))
        if can and self._random.random() < _REASONABLE:
            return self._random.choice(can)
        return str(self._random.choice(_ANY))


class _Judge:
    """Compares what counted with what was clicked."""

    def __init__(self, simulated: SimulatedAppliance, clicker: Clicker, clicked: Clicked) -> None:
        self._simulated, self._clicker, self._clicked = simulated, clicker, clicked
        self._lines = 0
        self._made_for: object = None
        self._in_air = False
        self._before: Session | None = None
        self._read_s: float | None = None
        self._throw, self._take_back = simulated.tray.throw, simulated.tray.take_back
        simulated.tray.throw = self._thrown  # type: ignore[assignment]
        simulated.tray.take_back = self._taken_back  # type: ignore[method-assign]

    def _thrown(self, *dice: Any) -> None:
        self._throw(*dice)
        self._made_for, self._in_air = self._turn(self._simulated.appliance.session), True

    def _taken_back(self, thrown: Collection[int]) -> None:
        self._take_back(thrown)
        self._in_air = False
        self._clicked.taken_back += 1

    def look(self) -> None:
        """Looks at what has been played since the last call."""
        session = self._simulated.appliance.session
        before, self._before = self._before, session
        new = session.record.log[self._lines :]
        self._lines = len(session.record.log)
        for line in new:
            # What was undone and is put back was judged before.
            if isinstance(line, Played) and before and not isinstance(before.mode, Undoing):
                self._judge(line.event, before)
        seen = self._simulated.appliance.console.tray.state
        if not self._simulated.tray.busy and seen in (TrayState.STILL, TrayState.EMPTY):
            # What was read may be asked about, and not count.
            self._in_air = False

    def _turn(self, session: Session) -> object:
        ask = session.record.ask
        return (
            session.record.serial,
            session.record.rules.turn(session.record.state),
            ask and ask.seat,
        )

    def _judge(self, event: object, before: Session) -> None:
        clicked, made_at = self._clicked, self._clicker.made_at
        if isinstance(event, Rolled | Shown):
            clicked.throws += 1
            self._in_air = False
            self._read_s = monotonic()
            if self._made_for != self._turn(before):
                clicked.faults.append(f"{event} was thrown at {self._made_for}")
        elif isinstance(event, Choice) and not isinstance(event, Keep) and made_at is not None:
            clicked.chosen += 1
            faces = list(before.record.dice)
            turn = before.record.ask
            shown = (
                before.record.serial,
                turn and turn.seat,
                before.record.rules.turn(before.record.state),
                faces,
            )
            if _dice(made_at) != shown or self._in_air:
                clicked.faults.append(f"{event}: clicked at {_dice(made_at)}, counted at {shown}")
            if self._read_s is not None:
                clicked.waits_s.append(monotonic() - self._read_s)
                self._read_s = None


class _KnowingWatcher:
    """Reports what happens in a simulated tray as the watcher does, without looking at pictures."""

    def __init__(self, tray: WatchedTray) -> None:
        self._tray, self._tracker = tray, Tracker()
        self._state: TrayState | None = None
        self._quiet = 0

    def expect(self, count: int | None) -> None:
        """Does nothing: all dice are known."""

    def finish(self) -> Sequence[TrayEvent]:
        """Nothing: this is no film."""
        return ()

    def feed(self, frame: Frame) -> Sequence[TrayEvent]:
        """The events in the tray, whatever the frame shows."""
        del frame
        tray = self._tray
        act, now_s = tray.act, tray.time_s
        hand = None if act is None else act.hand_at(now_s)
        rolls = act is not None and any(p.start_s <= now_s < p.end_s for p in act.paths.values())
        seen = hand is not None and hand.place[1] < _HAND_SEEN_MM
        if rolls or seen:
            self._quiet = 0
            if rolls:
                return self._change(TrayState.ROLLING)
            comes = self._state is None or not self._state.is_busy
            return self._change(TrayState.MOVING if comes else TrayState.HAND)
        self._quiet += 1
        if self._quiet == 1 or self._state in (TrayState.STILL, TrayState.EMPTY):
            return () if self._state is not None else self._change(TrayState.MOVING)
        readings = [
            reading(
                face,
                place,
                kind=tray.kind(die),
                state=DieState.UNSURE if face is None else DieState.OK,
            )
            for die, (place, face) in tray.lying().items()
        ]
        events = [*events_of_rest(self._tracker, readings, ())]
        self._state = TrayState.STILL if readings else TrayState.EMPTY
        return events

    def _change(self, state: TrayState) -> Sequence[TrayEvent]:
        before, self._state = self._state, state
        return () if state is before else (TrayChanged(0, 0.0, state),)


_HAND_SEEN_MM = 150.0
"""How far from the middle of the tray a hand is seen."""
_BLANK = np.zeros((9, 16, 3), np.uint8)


class Unpictured(SimulatedAppliance):
    """A simulated appliance that draws and reads no pictures: it plays ten times as fast."""

    def _make_watcher(self) -> Watching:
        self.tray._plan = _plan_simply
        self._camera.take = self._take  # type: ignore[method-assign]
        return _KnowingWatcher(self.tray)

    def _take(self) -> Frame:
        return Frame(_BLANK, self.tray.time_s, self.frames)


def _plan_simply(
    rng: np.random.Generator,
    dice: Sequence[DieToThrow],
    lying: Sequence[DieBody],
    half: tuple[float, float],
    release: tuple[float, float],
    start_s: float,
) -> list[DiePath]:
    """Dice that tumble along simple curves to free places."""
    rests = lay_dice_apart(rng, dice, dict(enumerate(lying)), half, 8.0)
    return [plan_path_to(rng, rest, release, start_s) for rest in rests]


def click_game(
    setup: Setup,
    seed: int,
    *,
    most: int,
    speed: float = 0.0,
    folder: Path | None = None,
    pictures: bool = True,
) -> Clicked:
    """Plays a game by clicks to its end, or for so many sequences.

    Args:
        setup: what is played.
        seed: chance; every second one types keys instead of clicking on a page.
        most: sequences.
        speed: simulated seconds in a second; 0 for as fast as possible.
        folder: where to keep what was learnt about the tray.
        pictures: whether dice are drawn and read; else it is known what happens in the tray.
    """
    clicked = Clicked()
    random = Random(f"{setup.game} {seed}")
    clicker = Clicker(random, most, by_keys=bool(seed % 2))
    buttons = Config().buttons
    with Journal(":memory:") as journal:
        session = load_session(journal, setup)
        parts = session, journal, dict(buttons.pins), buttons.lights
        made = SimulatedAppliance if pictures else Unpictured
        with made(*parts, seed=seed, stream=QUICK_STREAM, person=True, folder=folder) as simulated:
            judge = _Judge(simulated, clicker, clicked)
            _watch_messages(simulated, clicked)

            def show() -> None:
                judge.look()
                clicker.draw(simulated.view())
                clicker.over = simulated.appliance.console.over

            options = replace(UNSAID, buttons="keyboard", simulation=Simulation(speed=speed))
            game = SimulatedGame(simulated, options, [show], clicker)  # type: ignore[arg-type]
            game.run(0.0)
            judge.look()
            clicked.ended = simulated.appliance.console.over
    clicked.sequences = -(-clicker.clicks // CLICKS_A_SEQUENCE)
    return clicked


def _watch_messages(simulated: SimulatedAppliance, clicked: Clicked) -> None:
    """Counts the clicks that are refused with a sentence."""
    say: Callable[[str], None] = simulated._at_keys.say_for_a_while

    def counted(message: str) -> None:
        clicked.refused += message in (PRESSED_TOO_LATE, TRAY_IS_BUSY)
        say(message)

    simulated._at_keys.say_for_a_while = counted  # type: ignore[method-assign]
