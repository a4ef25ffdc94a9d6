"""The parts of a start with real dice: each is opened once, in the phase that is named after it."""

import logging
import math
import signal
import time
from collections.abc import Collection
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from appliance.cli.shared.boards import open_board, open_page
from appliance.cli.shared.cameras import Cameras
from appliance.cli.shared.launch import Launch
from appliance.cli.shared.starting import (
    environment_from,
    open_session,
    open_voice,
    session_at_once,
    session_or_menu,
    speaks_at_first,
)
from appliance.cli.shared.stopping import StopRequests
from appliance.config import Config
from appliance.config.paths import state_folder
from appliance.devices.buzzer import Buzzer, Silence, Sounds
from appliance.devices.camera.feed import Feed
from appliance.devices.power import SystemPower
from appliance.devices.scoreboard import NullScoreboard, Scoreboard
from appliance.devices.sound_cards import device_for_speech
from appliance.devices.stick import FOLDER, StickFolder
from appliance.diagnostics.about import network
from appliance.journal.journal import Journal
from appliance.journal.lock import claimed
from appliance.journal.reader import MEMORY
from appliance.service.devices import Devices
from appliance.service.environment import Environment
from appliance.service.installation import CalibratedTray
from appliance.service.modules import BoardLayouts
from appliance.service.opening import SwitchedOff, open_games, retry_until_done
from appliance.service.phase import Phase
from appliance.service.phases import Phases
from appliance.service.ports import Keys
from appliance.table.session.session import Session

if TYPE_CHECKING:
    from appliance.cli.shared.terminal import GameTerminal
    from appliance.service.view import Viewer
    from appliance.web.page import BrowserPage

log = logging.getLogger(__name__)

CAMERA_PATIENCE_S = 5.0
"""How long a start that opens the camera by itself waits for it; one that is slow comes later."""
RUN_LOG = "run.log"
"""Log file beside the games: what happened while the board was drawn in a terminal."""


def without_what_fails(launch: Launch, left_out: Collection[Phase]) -> Launch:
    """The launch without the parts that a safe mode leaves out."""
    if Phase.BUTTONS in left_out:
        launch = replace(launch, buttons="none")
    if Phase.BOARD in left_out:
        launch = replace(launch, board="none")
    return launch


@dataclass(frozen=True, slots=True)
class Start:
    """A start with real dice, or with a film of them.

    Attributes:
        launch: what is started.
        config: the rest.
        phases: of this start.
        stack: what is opened is closed with it.
        cameras: opens them.
        left_out: the phases that a safe mode leaves out.
    """

    launch: Launch
    config: Config
    phases: Phases
    stack: ExitStack
    cameras: Cameras
    left_out: Collection[Phase]

    @property
    def folder(self) -> Path:
        """That of the games."""
        return self.launch.journal_file(self.config).parent

    @property
    def safe(self) -> bool:
        """True for a safe mode; a film's never is one."""
        return self.phases.starts.safe and not self.launch.film

    def open_tray(self) -> CalibratedTray:
        """Opens the tray, with all that is known of it."""
        self.phases.begin(Phase.TRAY)
        launch, wish = self.launch, self.launch.wish
        return CalibratedTray(
            None if Phase.TRAY in self.left_out else launch.profile_file(self.config),
            strict=launch.film,
            known=wish is None,
            rim_mm=self.config.tray.rim_mm,
            geometry=None if wish is None else wish.geometry,
        )

    def try_camera(self) -> None:
        """Opens the camera once, where somebody can read why it does not open.

        The board would only say that there is none.
        """
        if self.launch.keyboard and not self.launch.film:
            self.cameras.open(self.launch.camera).close()
            self.cameras.wait_for_phone(self.launch.camera)

    def open_devices(self) -> tuple[Scoreboard, Devices]:
        """The board, and what else is there before the buttons are."""
        launch, phases = self.launch, self.phases
        phases.begin(Phase.BOARD)
        phases.release_board()
        board = open_board(launch.board_name, self.config, self.stack, as_json=launch.json)
        phases.show_on(board)
        # Nobody wants a game to switch off their laptop.
        power = None if launch.keyboard else SystemPower()
        if power is not None:
            self.stack.callback(part_from, board, power)
        stick = None if launch.film else StickFolder(FOLDER, self.folder)
        return board, Devices(
            board,
            missing_board=partial(why_board_is_missing, board),
            dim=board.set_brightness,
            layouts=BoardLayouts(board),
            power=power,
            stick=stick,
            clock=time.monotonic,
        )

    def open_feed(self, tray: CalibratedTray) -> Feed | None:
        """The camera's frames; cameras take a second or two, and all else is prepared meanwhile."""
        if self.launch.film or Phase.CAMERA in self.left_out:
            return None
        wish = self.launch.wish
        locked = {} if wish is None else wish.locked or {}
        feed = Feed(
            lambda: tray.note_camera(self.cameras.open(self.launch.camera, tray.controls or locked))
        )
        self.stack.callback(feed.close)
        if not self.phases.starts.careful:
            feed.start()
        return feed

    def open_camera_alone(self, feed: Feed | None) -> None:
        """After a start that failed: were the camera to end this, it would have no other phase."""
        if feed is not None and self.phases.starts.careful:
            self.phases.begin(Phase.CAMERA)
            feed.start()
            feed.next(CAMERA_PATIENCE_S)

    def open_buttons(self, terminal: "GameTerminal | None") -> tuple[Keys | None, Sounds]:
        """Buttons and buzzer."""
        if self.launch.keyboard and terminal is not None:
            return terminal.keys, Silence()
        if not self.launch.pressed:
            return None, Silence()
        # Imported here so that a film does not wait for gpiozero.
        from appliance.devices.buttons import Buttons

        pins, buzzer = self.config.buttons, self.config.buzzer
        with ExitStack() as taken:
            keys = taken.enter_context(Buttons(dict(pins.pins), pins.lights))
            sounds = taken.enter_context(Buzzer(buzzer.pin)) if buzzer.fitted else None
            self.stack.push(taken.pop_all())
        return keys, sounds or Silence()

    def open_terminal(
        self, viewer: "Viewer", page: "BrowserPage | None", requests: StopRequests | None
    ) -> "GameTerminal | None":
        """This terminal or a page, if it is the board or has the keys."""
        launch = self.launch
        if not (launch.drawn or launch.keyboard):
            return None
        # Imported here: the service on a Pi never draws.
        from appliance.cli.shared.terminal import GameTerminal

        if page is None and launch.browser:
            page = open_page(self.stack, as_json=launch.json)
        if page is not None:
            page.occasion = lambda: viewer.occasion
        return GameTerminal(
            *(self.stack, page, requests or StopRequests()),
            reads=launch.keyboard,
            log=state_folder() / RUN_LOG if launch.drawn else None,
            shown=3 if launch.log else 0,
        )

    def open_journal(self, devices: Devices) -> Journal | None:
        """The games, claimed; None if it was stopped or switched off before."""
        phases = self.phases
        phases.begin(Phase.GAMES)
        path = self.launch.journal_file(self.config)
        if Phase.GAMES in self.left_out or str(path) == MEMORY:
            return self.stack.enter_context(Journal(MEMORY))
        board, keys, power = devices.board, devices.keys, devices.power
        try:
            retry_until_done(
                lambda: self.stack.enter_context(claimed(path)),
                board,
                phases,
                keys=keys,
                power=power,
            )
            journal = open_games(path, board, phases, keys=keys, power=power)
        except SwitchedOff:
            return None
        except KeyboardInterrupt:
            # The board was saying why there is no game yet; nothing is lost by stopping.
            log.info("stopped before the games could be opened")
            phases.notifier.stopping()
            return None
        return self.stack.enter_context(journal)

    def open_session(self, journal: Journal) -> Session | None:
        """The game: at once, after the menu, or the last one where nothing is pressed."""
        if self.safe:
            return None
        launch = self.launch
        if launch.wish is not None and not launch.wish.menu:
            return session_at_once(launch.game, self.config, journal)
        opening = session_or_menu if launch.pressed else open_session
        return opening(launch.game, self.config, journal)

    def with_voice(self, devices: Devices) -> Devices:
        """The devices with a voice, if there can be one."""
        self.phases.begin(Phase.VOICE)
        if self.launch.film or Phase.VOICE in self.left_out:
            return devices
        return replace(devices, voice=open_voice(self.config, self.stack, device_for_speech))

    def environment(self, devices: Devices) -> Environment:
        """The environment that is settled for this start."""
        launch, scoreboard = self.launch, self.config.scoreboard
        return replace(
            environment_from(self.config),
            guided=launch.keyboard,
            language=launch.game.language,
            advises=not launch.film,
            speaks=speaks_at_first(devices.voice, self.config),
            dim_after_s=self._seconds_of_idleness(scoreboard.dim_after_min),
            dark_after_s=self._seconds_of_idleness(scoreboard.dark_after_min),
            network=partial(network, self.config.web.port) if find_spec("starlette") else tuple,
            page=self.config.web.serve != "off",
        )

    def _seconds_of_idleness(self, minutes: int) -> float:
        return 60.0 * minutes if minutes and not self.launch.film else math.inf


def why_board_is_missing(board: Scoreboard) -> str:
    """Why a scoreboard that should be there is not; empty if it is there, or none is wanted."""
    return "" if isinstance(board, NullScoreboard) else board.status.reason


def part_from(board: Scoreboard, power: SystemPower) -> None:
    """Tells the board that the machine goes off, if so: after a mere restart NO LINK is right."""
    if power.is_going_off:
        # systemd's signal comes about now, and must not cut the farewell short.
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        board.say_farewell()
