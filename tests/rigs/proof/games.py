"""Whole games by simulated players, and whether their scores are the true ones.

A game is played with presses and throws alone, by people who make slips; at the end the scores on
the board must equal those that the referee derives from what was really thrown and meant, and the
log must replay to the same game.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random

import numpy as np

from appliance.inputs import Button, Pressed
from appliance.journal.log import line_to_text, lines_from_text
from appliance.service.ports import Happened
from appliance.simulator.people.ports import kinds_of_dice_in
from appliance.table.prompts.prompt import Prompt
from appliance.table.session.prompting import prompt
from appliance.table.session.session import Drawn, Session, Setup, new_session, resume
from appliance.table.session.step import Input, step
from games.registry import GAMES
from games.values import Draw
from tests.rigs.proof.referee import Referee, RefereeError
from tests.rigs.proof.refereed import RefereedPlayer
from tests.rigs.proof.unpictured_tray import UnpicturedTray

MAX_IDLE_ACTS = 300
"""Acts without a new line in the log after which a game is called stuck."""

NAMES = ("ANNA", "BOB", "CLEO", "DAVE", "EVA", "FRITZ")

MAX_ACTS = 100_000
"""Acts after which a game is called endless, whatever happens in it."""

SETUPS: Mapping[str, tuple[Setup, ...]] = {
    name: (Setup(name, NAMES[: game.min_players]),) for name, game in GAMES.items()
} | {
    "classic": (
        Setup("classic", ("ANNA",)),
        Setup("classic", ("ANNA", "BOB"), (("first", "roll-off"),)),
        Setup("classic", ("ANNA", "BOB", "CLEO")),
    ),
    "power": (Setup("power", ("ANNA",)), Setup("power", ("ANNA", "BOB"))),
    "showdown": (
        Setup("showdown", ("ANNA", "BOB")),
        Setup("showdown", ("ANNA", "BOB", "CLEO", "DAVE")),
    ),
    "free-for-all": (
        Setup("free-for-all", ("ANNA", "BOB")),
        Setup("free-for-all", ("ANNA", "BOB", "CLEO")),
    ),
    "holdem": (
        Setup("holdem", ("ANNA", "BOB"), (("stack", 100),)),
        Setup("holdem", ("ANNA", "BOB", "CLEO"), (("dealer", "roll-off"), ("stack", 100))),
        Setup("holdem", ("ANNA", "BOB", "CLEO", "DAVE"), (("stack", 50),)),
    ),
}
"""The setups played of each game; a proof takes them in turn."""


@dataclass(slots=True)
class Played:
    """How a game went.

    Attributes:
        setup: what was played.
        seed: random seed.
        fault: what was wrong; empty if nothing was.
        scores: scores on the board at the end.
        lines: number of lines in the log.
        throws: throws made by the players.
        slips: what went wrong at the table, and how often.
        read: number of dice read after throws.
        doubted: how many of them the board asked about.
        misread: how many of them were taken for something else.
    """

    setup: Setup
    seed: int
    fault: str = ""
    scores: tuple[int, ...] = ()
    lines: int = 0
    throws: int = 0
    slips: Counter[str] = field(default_factory=Counter)
    read: int = 0
    doubted: int = 0
    misread: int = 0


class _Presses:
    """Buttons that reach the table without wires."""

    def __init__(self) -> None:
        self._presses: list[Pressed] = []

    def press(self, button: Button) -> None:
        """Presses a button and lets it go."""
        self._presses.append(Pressed(button))

    def hold(self, button: Button) -> None:
        """Long-presses a button."""
        self._presses.append(Pressed(button, long=True))

    def take(self) -> list[Pressed]:
        """The presses since the last call."""
        presses, self._presses = self._presses, []
        return presses


def play_unpictured(
    setup: Setup,
    seed: int,
    *,
    clumsy: float = 0.2,
    doubt: float = 0.05,
    look: Callable[[Prompt], object] | None = None,
) -> Played:
    """Plays a game without pictures: the tray reports what lies in it.

    Args:
        setup: the game, players and options.
        seed: random seed.
        clumsy: share of acts in which the players slip.
        doubt: share of thrown dice that are not read with certainty, or not found.
        look: called with every prompt, for instance to draw it.
    """
    random = Random(seed)
    tray = UnpicturedTray(random, kinds_of_dice_in(setup.game), doubt)
    hands = _Presses()
    player = RefereedPlayer(tray, hands, np.random.default_rng(seed), clumsy=clumsy)
    session = new_session(setup)
    player.begin(session)
    played = Played(setup, seed)

    def feed(happened: Input) -> None:
        nonlocal session
        session = step(session, happened)
        player.notice(Happened(0, 0.0, happened, session))
        while isinstance(ask := session.record.ask, Draw):
            lot = Drawn(random.choice(ask.lots))
            session = step(session, lot)
            player.notice(Happened(0, 0.0, lot, session))

    try:
        feed(Pressed(Button.BACK))
        acts = since = lines = 0
        while acts - since < MAX_IDLE_ACTS and acts < MAX_ACTS:
            acts += 1
            if len(session.record.log) != lines:
                since, lines = acts, len(session.record.log)
            shown = prompt(session)
            if look is not None:
                look(shown)
            player.act(shown, 10.0 * acts)
            if player.done:
                break
            for event in tray.events():
                feed(event)
            for press in hands.take():
                feed(press)
        else:
            played.fault = f"stuck at {prompt(session)}"
    except RefereeError as error:
        played.fault = str(error)
    written(played, session, player)
    return played


def written(
    played: Played, session: Session, player: RefereedPlayer, *, whole: bool = True
) -> None:
    """Records how a game went and what is wrong with it; a whole game must be over."""
    played.scores = session.record.rules.scores(session.record.state)
    played.lines = len(session.record.log)
    hands = player.hands
    played.throws, played.slips = hands.throws, hands.slips
    played.read, played.doubted, played.misread = hands.read, hands.doubted, hands.misread
    played.fault = played.fault or faults_of(session, player.referee, whole=whole)


def faults_of(session: Session, referee: Referee | None, *, whole: bool = True) -> str:
    """The faults of a game; empty when there are none. A whole one must be over."""
    if referee is None:
        return "no game started"
    rules = session.record.rules
    over = referee.outcome is not None or not whole
    if rules.outcome(session.record.state) != referee.outcome or not over:
        return f"expected {referee.outcome}, found {rules.outcome(session.record.state)}"
    if rules.scores(session.record.state) != referee.scores:
        return f"expected scores {referee.scores}, found {rules.scores(session.record.state)}"
    texts = [line_to_text(session.record.setup, line) for line in session.record.log]
    again = resume(
        session.record.setup, lines_from_text(session.record.setup, texts), session.record.serial
    )
    if again.record.state != session.record.state:
        return "the log does not replay to the game"
    return ""
