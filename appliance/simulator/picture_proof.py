"""Whole games through rendered pictures and button pins, without a scoreboard's hardware."""

from contextlib import ExitStack
from random import Random

import numpy as np
from gpiozero.pins.mock import MockFactory

from appliance.buttons import Buttons
from appliance.cameras.simulated import SIZE, SimulatedCamera
from appliance.config import Config
from appliance.journal import Journal
from appliance.picture import Picture
from appliance.service import Appliance, load_session
from appliance.simulator.dice_sets import dice_of
from appliance.simulator.fingers import Fingers
from appliance.simulator.player import SimulatedPlayer
from appliance.simulator.proving import Played, written
from appliance.simulator.tray import SimulatedTray
from appliance.simulator.umpire import UmpireError
from appliance.simulator.watched_tray import WatchedTray, profile_of
from appliance.table.session import Setup
from vision.reader import Reader
from vision.watch import Watcher

FPS = 12.0
"""Frames a second of simulated time."""

PATIENCE_S = 400.0
"""Simulated seconds without a new line in the log after which a game is called stuck."""


class _Dark:
    """A board that nobody looks at; the player reads the prompt."""

    def show(self, picture: Picture) -> None:
        """Shows nothing."""


def play_pictures(
    setup: Setup, seed: int, *, clumsy: float = 0.2, throws: int | None = None
) -> Played:
    """Plays a game: rendered frames in, presses on mock pins, and the journal written.

    Args:
        setup: the game, players and options.
        seed: chance.
        clumsy: share of acts in which the players slip.
        throws: stop after so many that counted, and compare the scores so far.
    """
    rng = np.random.default_rng(seed)
    config = Config()
    played = Played(setup, seed)
    with ExitStack() as stack:
        journal = stack.enter_context(Journal(":memory:"))
        factory = MockFactory()
        pins = dict(config.buttons.pins)
        buttons = stack.enter_context(Buttons(pins, pin_factory=factory, bounce_s=None))
        stack.callback(factory.reset)
        fingers = Fingers(factory, pins)
        kinds = dice_of(setup.game)
        tray = SimulatedTray(int(rng.integers(2**31)), kinds)
        player = SimulatedPlayer(
            WatchedTray(tray, kinds), fingers, rng, think_s=0.25, clumsy=clumsy
        )
        profile = profile_of(tray)
        session = load_session(journal, setup, fresh=True)
        appliance = Appliance(
            session,
            journal,
            Watcher(Reader(profile), profile.tray_pixels()),
            _Dark(),
            buttons,
            player.notice,
            Random(seed),
        )
        player.begin(session)
        appliance.start()
        camera = SimulatedCamera(tray, FPS, full=SIZE)
        lines, since_s = 0, 0.0
        try:
            while not player.done and not played.fault and player.counted != throws:
                frame = camera.take()
                fingers.move()
                appliance.feed(frame)
                tray.advance(1 / FPS)
                player.act(appliance.prompt, tray.time_s)
                if len(appliance.session.log) != lines:
                    lines, since_s = len(appliance.session.log), tray.time_s
                elif tray.time_s - since_s > PATIENCE_S:
                    played.fault = f"stuck at {appliance.prompt}"
        except UmpireError as error:
            played.fault = str(error)
        written(played, appliance.session, player, whole=throws is None)
    return played
