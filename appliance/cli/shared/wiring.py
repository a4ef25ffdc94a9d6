"""Puts the parts of the appliance together and runs them, with a camera or a film."""

import logging
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from appliance.alerts import Alert
from appliance.cli.shared.cameras import Cameras, print_invitation
from appliance.cli.shared.launch import Launch
from appliance.cli.shared.publishing import open_publisher
from appliance.cli.shared.start import Start, without_what_fails
from appliance.cli.shared.stopping import StopRequests
from appliance.cli.shared.telling import tell_events
from appliance.config import Config
from appliance.dataset.index import CORRECTIONS_FOLDER
from appliance.devices.camera import Camera
from appliance.devices.camera.address import MOVE_PASSWORD, passwords_in
from appliance.devices.camera.feed import NoCamera
from appliance.devices.camera.health import NothingAmiss, health_of
from appliance.devices.camera.naming import parse_spec
from appliance.devices.power import SystemPower
from appliance.devices.scoreboard import Scoreboard
from appliance.diagnostics.about import about
from appliance.diagnostics.machine import VoltageWatch
from appliance.journal.journal import Journal
from appliance.service.appliance import Appliance
from appliance.service.corrections import Corrections, fan_out
from appliance.service.devices import Devices
from appliance.service.installation import CalibratedTray
from appliance.service.loop import Loop, say_what_came_up
from appliance.service.opening import retry_until_done
from appliance.service.phase import Phase
from appliance.service.phases import Phases
from appliance.service.ports import Happened
from appliance.service.stuck import RESTARTED_FILE, StuckCamera
from appliance.service.systemd import Notifier
from appliance.service.view import Viewer
from appliance.table.session.session import Session

if TYPE_CHECKING:
    from appliance.cli.shared.terminal import GameTerminal
    from appliance.web.page import BrowserPage

log = logging.getLogger(__name__)


def wire(
    launch: Launch,
    config: Config,
    phases: Phases,
    page: "BrowserPage | None" = None,
    requests: StopRequests | None = None,
    cameras: Cameras | None = None,
) -> None:
    """Wires all parts together, and runs them until the frames end or a signal comes.

    Args:
        launch: what with.
        config: the rest.
        phases: those of the start, which know what it is to leave out.
        page: the page that is the board, if one is open.
        requests: what signals have asked for so far.
        cameras: opens them; by default those of this run.
    """
    # No film is a service's camera.
    left_out = frozenset[Phase]() if launch.film else phases.starts.left_out
    parse_spec(launch.camera)
    _tell_of_open_password(config)
    with ExitStack() as stack:
        invite = partial(print_invitation, launch.json)
        cameras = cameras or Cameras(stack, invite, config.camera.password_file)
        launch = without_what_fails(launch, left_out)
        start = Start(launch, config, phases, stack, cameras, left_out)
        tray = start.open_tray()
        start.try_camera()
        board, devices = start.open_devices()
        feed = start.open_feed(tray)
        phases.begin(Phase.BUTTONS)
        viewer = Viewer(tray.profile)
        terminal = start.open_terminal(viewer, page, requests)
        keys, sounds = retry_until_done(lambda: start.open_buttons(terminal), board, phases)
        camera = None if launch.film else feed or NoCamera()
        connectors = None if camera is None else cameras.connectors
        devices = replace(devices, camera=camera, connectors=connectors, keys=keys, sounds=sounds)
        journal = start.open_journal(devices)
        if journal is None:
            return
        running = Running(start, tray, board, viewer, terminal)
        session = start.open_session(journal)
        film = stack.enter_context(closing(cameras.open(launch.camera))) if launch.film else None
        devices = start.with_voice(devices)
        start.open_camera_alone(feed)
        phases.begin(Phase.PROMPT)
        running.assemble(devices, journal, session)
        running.begin()
        try:
            if film is not None:
                running.watch(film)
            else:
                running.look()
        except KeyboardInterrupt:
            log.info("stopped; the game is saved and resumes at the next start")
        tray.learning.finish()
        phases.notifier.stopping()


class Running:
    """A game with real dice, or with a film of them, from its assembly to its end.

    Args:
        start: what it begins with.
        tray: what is known of it.
        board: what the pictures are shown on.
        viewer: makes what is drawn and published.
        terminal: draws it, or has the keys; None where neither is wanted.
    """

    def __init__(
        self,
        start: Start,
        tray: CalibratedTray,
        board: Scoreboard,
        viewer: Viewer,
        terminal: "GameTerminal | None",
    ) -> None:
        self._start, self._tray, self._board = start, tray, board
        self._viewer, self._terminal = viewer, terminal
        self._corrections = Corrections(start.folder / CORRECTIONS_FOLDER)
        # Nobody wants a game to restart their laptop.
        service = start.phases.notifier.listened_to and not start.launch.keyboard
        mark = start.folder / RESTARTED_FILE
        self._stuck = StuckCamera(SystemPower(), mark) if service else None

    def assemble(self, devices: Devices, journal: Journal, session: Session | None) -> None:
        """Puts the appliance together."""
        start, tray, board = self._start, self._tray, self._board
        watched = tray.watched()
        if start.launch.film:
            # Nobody can calibrate for a film.
            watched = replace(watched, calibrate=None, judge_face=None)
        elif start.safe:
            watched = replace(watched, calibrate=None)
        environment = replace(
            start.environment(devices),
            health=lambda: (*tray.about(), *about(board.status, made.frame_rate, start.folder)),
        )
        self._publisher = open_publisher(start.config, self._viewer, journal, start.stack)
        listen = fan_out(self._viewer.hear, self._publisher.hear, self._listener())
        made = Appliance(devices, watched, journal, environment, session=session, listen=listen)
        self._appliance, self._devices = made, devices

    def _listener(self) -> Callable[[Happened], None]:
        """Tells what happens; with a live tray, what players correct is kept and counted."""
        tell = tell_events(self._terminal, self._start.launch.json)
        if self._start.launch.film:
            return tell
        return fan_out(tell, self._corrections, self._tray.learning.learn_from)

    def begin(self) -> None:
        """Shows the first prompt."""
        start, tray, appliance = self._start, self._tray, self._appliance
        wish, pages, safe = start.launch.wish, start.phases.starts.pages, start.safe
        if self._stuck is not None:
            pages = (*pages, *self._stuck.pages())
        # What disappears by itself stays for its full time, however long the machine has been on.
        appliance.start(0.0 if start.launch.film else self._devices.clock())
        seen = () if wish is None else wish.seen
        appliance.take_note_of_what_lies_there(seen, self._viewer.look)
        if pages:
            appliance.say(*pages, stays=safe)
        tray.say_next_notice(appliance.say, busy=safe)
        start.phases.ready()
        if self._terminal is not None:
            self._terminal.begin(appliance)
        start.cameras.begin_game()

    def watch(self, film: Camera) -> None:
        """Watches a film to its end; other pictures than the profile's are an error."""
        loop = Loop(
            self._devices,
            self._appliance,
            Notifier(),
            look=fan_out(self._tray.check_view, self._viewer.look),
            watch_over=self._tray.guard.alerts,
            show=self._draw,
            health=NothingAmiss(),
        )
        for frame in film.frames():
            loop.take(frame)
        self._appliance.finish()

    def look(self) -> None:
        """Looks through the camera until the players switch off."""
        start, phases = self._start, self._start.phases
        loop = Loop(
            self._devices,
            self._appliance,
            phases.notifier,
            look=fan_out(
                lambda _: phases.note_first_frame(), self._viewer.look, self._corrections.look
            ),
            watch_over=self._tray.guard.alerts,
            show=self._show,
            voltage_is_low=VoltageWatch().is_low,
            always=frozenset({Alert.SAFE_MODE} if start.safe else ()),
            health=health_of(parse_spec(start.launch.camera)),
            stuck=self._stuck,
        )
        loop.run()

    def _show(self) -> None:
        appliance = self._appliance
        say_what_came_up(self._tray, appliance)
        self._publisher.publish(appliance)
        self._start.phases.starts.alive(self._devices.clock())
        self._draw()

    def _draw(self) -> None:
        """Draws how it stands, if anything; KeyboardInterrupt if a signal has asked to stop."""
        terminal = self._terminal
        if terminal is None:
            return
        if terminal.obey_signals():
            raise KeyboardInterrupt
        if terminal.draws:
            trouble = self._start.cameras.trouble()
            terminal.draw(self._viewer.view(self._appliance), trouble)


def _tell_of_open_password(config: Config) -> None:
    if passwords_in(config.camera.source)[1]:
        log.warning("the camera's password can be read by others: %s", MOVE_PASSWORD)
