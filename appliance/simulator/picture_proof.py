"""Whole games through rendered pictures and button pins, without a scoreboard's hardware."""

from contextlib import ExitStack
from pathlib import Path
from random import Random

import cv2
import numpy as np
from gpiozero.pins.mock import MockFactory

from appliance.buttons import Buttons
from appliance.cameras.simulated import SimulatedCamera
from appliance.config import Config
from appliance.journal import Journal
from appliance.picture import Picture
from appliance.service import Appliance, load_session
from appliance.simulator.dice_sets import dice_of
from appliance.simulator.fingers import Fingers
from appliance.simulator.player import SimulatedPlayer
from appliance.simulator.proving import Played, written
from appliance.simulator.quality import GLANCE
from appliance.simulator.tray import SimulatedTray
from appliance.simulator.umpire import UmpireError
from appliance.simulator.watched_tray import WatchedTray, profile_of
from appliance.table.session import Setup
from vision.reader import Reader
from vision.watch import Watcher

FPS = 12.0
"""Frames a second of simulated time while the tray is at rest."""

BUSY_FPS = 5.0
"""The same while hand or dice move: enough to see that they do."""

SIZE = (960, 540)
"""Width and height of the pictures that are read."""

SMALL = (320, 180)
"""The same of those that are only watched: what the watcher would shrink them to."""

PATIENCE_S = 400.0
"""Simulated seconds without a new line in the log after which a game is called stuck."""


class _Dark:
    """A board that nobody looks at; the player reads the prompt."""

    def show(self, picture: Picture) -> None:
        """Shows nothing."""


def play_pictures(
    setup: Setup,
    seed: int,
    *,
    clumsy: float = 0.2,
    throws: int | None = None,
    keep: Path | None = None,
) -> Played:
    """Plays a game: rendered frames in, presses on mock pins, and the journal written.

    Args:
        setup: the game, players and options.
        seed: chance.
        clumsy: share of acts in which the players slip.
        throws: stop after so many that counted, and compare the scores so far.
        keep: where the picture of a die that was misread is written to.
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
        watched = WatchedTray(tray, kinds, SIZE)
        player = SimulatedPlayer(watched, fingers, rng, think_s=0.0, clumsy=clumsy)
        profile = profile_of(tray, SIZE)
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
        camera = SimulatedCamera(tray, FPS, SMALL, full=SIZE, quality=GLANCE)
        lines, since_s = 0, 0.0
        try:
            while not player.done and not played.fault and player.counted != throws:
                frame = camera.take()
                fingers.move()
                misread = player.misread
                appliance.feed(frame)
                if keep is not None and player.misread > misread:
                    name = f"{setup.game}-{seed}-{frame.index}.png"
                    cv2.imwrite(str(keep / name), frame.image)
                tray.advance(1 / (BUSY_FPS if tray.busy else FPS))
                player.act(appliance.prompt, tray.time_s)
                if len(appliance.session.log) != lines:
                    lines, since_s = len(appliance.session.log), tray.time_s
                elif tray.time_s - since_s > PATIENCE_S:
                    played.fault = f"stuck at {appliance.prompt}"
        except UmpireError as error:
            played.fault = str(error)
        written(played, appliance.session, player, whole=throws is None)
    return played
