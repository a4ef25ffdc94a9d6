"""Puts the parts of the appliance together and runs them, with a camera or a film."""

import logging
import math
import signal
import time
from collections.abc import Callable, Collection
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from appliance.alerts import BLINDING_ALERTS, Alert, most_urgent
from appliance.cli.dataset import CORRECTIONS_FOLDER
from appliance.cli.shared.boards import open_board, open_page
from appliance.cli.shared.cameras import Cameras, print_invitation
from appliance.cli.shared.launch import Launch
from appliance.cli.shared.starting import (
    GameOptions,
    environment_from,
    open_session,
    session_at_once,
    session_or_menu,
    with_voice,
)
from appliance.cli.shared.stopping import StopRequests
from appliance.config import Config
from appliance.config.paths import runtime_folder, state_folder
from appliance.devices.buzzer import Buzzer, Silence, Sounds
from appliance.devices.camera import Camera
from appliance.devices.camera.address import MOVE_PASSWORD, passwords_in
from appliance.devices.camera.feed import Feed, NoCamera
from appliance.devices.camera.health import health_of
from appliance.devices.camera.naming import parse_spec
from appliance.devices.power import SystemPower
from appliance.devices.scoreboard import NullScoreboard, Scoreboard
from appliance.devices.sound_cards import device_for_speech
from appliance.devices.stick import FOLDER, StickFolder
from appliance.devices.voice import Voice
from appliance.diagnostics.about import about, network
from appliance.diagnostics.machine import VoltageWatch
from appliance.journal.journal import Journal
from appliance.journal.lock import claimed
from appliance.journal.reader import MEMORY
from appliance.service.appliance import Appliance
from appliance.service.corrections import Corrections, fan_out
from appliance.service.event_text import to_json, to_text
from appliance.service.installation import CalibratedTray
from appliance.service.loop import Loop
from appliance.service.modules import BoardLayouts
from appliance.service.opening import SwitchedOff, open_games, retry_until_done
from appliance.service.past_games import past_games
from appliance.service.phase import Phase
from appliance.service.phases import Phases
from appliance.service.ports import Happened, Keys
from appliance.service.snapshot import Publisher
from appliance.service.view import Viewer
from appliance.table.session.session import Session
from vision.frame import Frame

if TYPE_CHECKING:
    from appliance.cli.shared.terminal import RunTerminal
    from appliance.web.page import BrowserPage

log = logging.getLogger(__name__)

CAMERA_PATIENCE_S = 5.0
"""How long a start that opens the camera by itself waits for it; one that is slow comes later."""
RUN_LOG = "run.log"
"""Log file beside the games: what happened while the board was drawn in a terminal."""


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
    notifier, starts = phases.notifier, phases.starts
    safe = starts.safe and not launch.film
    # No film is a service's camera.
    left_out = frozenset[Phase]() if launch.film else starts.left_out
    wanted = parse_spec(launch.camera)
    wish = launch.wish
    _tell_of_open_password(config)
    path = launch.journal_file(config)
    launch, games = _without_what_fails(launch, path, left_out)
    with ExitStack() as stack:
        invite = partial(print_invitation, launch.json)
        cameras = cameras or Cameras(stack, invite, config.camera.password_file)
        open_camera = cameras.open
        phases.begin(Phase.TRAY)
        tray = CalibratedTray(
            None if Phase.TRAY in left_out else launch.profile_file(config),
            strict=launch.film,
            known=wish is None,
            rim_mm=config.tray.rim_mm,
            geometry=None if wish is None else wish.geometry,
        )
        if launch.keyboard and not launch.film:
            # At a terminal the error can be read; the board would only say that there is no camera.
            open_camera(launch.camera).close()
            cameras.wait_for_phone(launch.camera)
        phases.begin(Phase.BOARD)
        phases.release_board()
        board = open_board(launch.board_name, config, stack, as_json=launch.json)
        phases.show_on(board)
        # Nobody wants a game to switch off their laptop.
        power = None if launch.keyboard else SystemPower()
        if power is not None:
            stack.callback(_part_from, board, power)
        feed = None
        if not launch.film and Phase.CAMERA not in left_out:
            locked = {} if wish is None else wish.locked or {}
            feed = Feed(
                lambda: tray.note_camera(open_camera(launch.camera, tray.controls or locked))
            )
            _start_feed(feed, stack, phases)
        phases.begin(Phase.BUTTONS)
        viewer = Viewer(tray.profile)
        terminal = _open_terminal(launch, viewer, stack, page, requests)
        keys, sounds = retry_until_done(
            lambda: _open_buttons(launch, config, stack, terminal), board, phases
        )
        phases.begin(Phase.GAMES)
        journal = _open_games_for_this_program(games, board, phases, keys, power, stack)
        if journal is None:
            return
        session = None if safe else _opening(launch)(launch.game, config, journal)
        film = stack.enter_context(closing(open_camera(launch.camera))) if launch.film else None
        phases.begin(Phase.VOICE)
        wanted_voice = not launch.film and Phase.VOICE not in left_out
        voice = with_voice(config, stack, device_for_speech, wanted=wanted_voice)
        _open_camera_alone(feed, phases)
        phases.begin(Phase.PROMPT)
        corrections = Corrections(path.parent / CORRECTIONS_FOLDER)
        environment = replace(
            environment_from(config),
            guided=launch.keyboard,
            language=launch.game.language,
            dim=board.set_brightness,
            layouts=BoardLayouts(board),
            sounds=sounds,
            advises=not launch.film,
            **voice,
            dim_after_s=_seconds_of_idleness(config.scoreboard.dim_after_min, launch),
            dark_after_s=_seconds_of_idleness(config.scoreboard.dark_after_min, launch),
            power=power,
            stick=None if launch.film else StickFolder(FOLDER, path.parent),
            health=lambda: (*tray.about(), *about(board.status, appliance.frame_rate, path.parent)),
            calibrate=None if launch.film or safe else tray.calibrate,
            answer_dice=tray.answer_dice,
            judge_face=None if launch.film else tray.judge_face,
            watch=tray.guard.watcher,
            network=partial(network, config.web.port) if find_spec("starlette") else tuple,
            page=config.web.serve != "off",
        )
        served = {"host": config.web.host, "port": config.web.port}
        past = partial(past_games, journal) if config.mqtt.broker else None
        publisher = Publisher(runtime_folder(), viewer, journal.origin, served, past)
        stack.callback(publisher.close)
        listen = fan_out(
            viewer.hear, publisher.hear, _make_listener(launch, corrections, tray, terminal)
        )
        watcher = tray.guard.watcher()
        alerts = tray.guard.alerts
        clock = time.monotonic
        appliance = Appliance(
            session, journal, watcher, board, keys, listen, environment=environment, clock=clock
        )
        # What disappears by itself stays for its full time, however long the machine has been on.
        appliance.start(0.0 if launch.film else clock())
        appliance.take_note_of_what_lies_there(() if wish is None else wish.seen, viewer.look)
        if starts.pages:
            appliance.say(*starts.pages, stays=safe)
        tray.say_next_notice(appliance.say, busy=safe)
        phases.ready()
        if terminal is not None:
            terminal.begin(appliance, cameras.trouble)
        cameras.begin_game()

        def show() -> None:
            console = appliance.console
            tray.say_next_notice(appliance.say, busy=console.notice is not None)
            busy = console.notice is not None or bool(console.pages) or console.session is None
            tray.ask_about_dice(appliance.ask_about_dice, busy=busy)
            busy = busy or bool(appliance.console.pages)
            tray.ask_about_colours(appliance.ask_about_colours, busy=busy)
            publisher.publish(appliance)
            starts.alive(clock())
            if terminal is not None:
                terminal.show()

        try:
            if film is not None:
                # Nobody can calibrate for a film: other pictures than the profile's are an error.
                look = fan_out(tray.check_view, viewer.look)
                watch_film(film, appliance, alerts, look, terminal)
            else:
                look = fan_out(lambda _: phases.note_first_frame(), viewer.look, corrections.look)
                loop = Loop(
                    *(feed or NoCamera(), appliance, notifier, clock, look, alerts),
                    show=show,
                    missing_board=partial(_why_board_is_missing, board),
                    voltage_is_low=VoltageWatch().is_low,
                    voice_is_silent=partial(_is_voice_missed, appliance, environment.voice),
                    always=frozenset({Alert.SAFE_MODE} if safe else ()),
                    health=health_of(wanted),
                )
                loop.run()
        except KeyboardInterrupt:
            log.info("stopped; the game is saved and resumes at the next start")
        tray.finish()
        notifier.stopping()


def _tell_of_open_password(config: Config) -> None:
    if passwords_in(config.camera.source)[1]:
        log.warning("the camera's password can be read by others: %s", MOVE_PASSWORD)


def _start_feed(feed: Feed, stack: ExitStack, phases: Phases) -> None:
    """Cameras take a second or two to start; everything else is prepared meanwhile."""
    stack.callback(feed.close)
    if not phases.starts.careful:
        feed.start()


def _open_camera_alone(feed: Feed | None, phases: Phases) -> None:
    """After a start that failed: were the camera to end this one, it would have no other phase."""
    if feed is not None and phases.starts.careful:
        phases.begin(Phase.CAMERA)
        feed.start()
        feed.next(CAMERA_PATIENCE_S)


def _without_what_fails(
    launch: Launch, path: Path, left_out: Collection[Phase]
) -> tuple[Launch, Path | str]:
    """What to run with, and where games are kept, without what a safe mode leaves out."""
    if Phase.BUTTONS in left_out:
        launch = replace(launch, buttons="none")
    if Phase.BOARD in left_out:
        launch = replace(launch, board="none")
    return launch, MEMORY if Phase.GAMES in left_out else path


def _open_games_for_this_program(
    path: Path | str,
    board: Scoreboard,
    phases: Phases,
    keys: Keys | None,
    power: SystemPower | None,
    stack: ExitStack,
) -> Journal | None:
    """The games, claimed until the stack ends; None if it was stopped or switched off before."""
    if str(path) == MEMORY:
        return stack.enter_context(Journal(MEMORY))
    try:
        retry_until_done(
            lambda: stack.enter_context(claimed(path)), board, phases, keys=keys, power=power
        )
        journal = open_games(Path(path), board, phases, keys=keys, power=power)
    except SwitchedOff:
        return None
    except KeyboardInterrupt:
        # The board was saying why there is no game yet; nothing is lost by stopping.
        log.info("stopped before the games could be opened")
        phases.notifier.stopping()
        return None
    return stack.enter_context(journal)


def _opening(
    launch: Launch,
) -> Callable[[GameOptions, Config, Journal], Session | None]:
    """How a game is opened: at once, after the menu, or the last one where nothing is pressed."""
    if launch.wish is not None and not launch.wish.menu:
        return session_at_once
    return session_or_menu if launch.pressed else open_session


def _is_voice_missed(appliance: Appliance, voice: Voice) -> bool:
    """Whether it cannot be heard, and somebody wants to hear it."""
    return bool(appliance.console.speaks) and voice.silent


def _why_board_is_missing(board: Scoreboard) -> str:
    """Why a scoreboard that should be there is not; empty if it is there, or none is wanted."""
    return "" if isinstance(board, NullScoreboard) else board.status.reason


def _part_from(board: Scoreboard, power: SystemPower) -> None:
    """Tells the board that the machine goes off, if so: after a mere restart NO LINK is right."""
    if power.is_going_off:
        # systemd's signal comes about now, and must not cut the farewell short.
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        board.say_farewell()


def _seconds_of_idleness(minutes: int, launch: Launch) -> float:
    return 60.0 * minutes if minutes and not launch.film else math.inf


def _open_terminal(
    launch: Launch,
    viewer: Viewer,
    stack: ExitStack,
    page: "BrowserPage | None",
    requests: StopRequests | None,
) -> "RunTerminal | None":
    """This terminal or a page, if it is the board or has the keys."""
    if not (launch.drawn or launch.keyboard):
        return None
    # Imported here: the service on a Pi never draws.
    from appliance.cli.shared.terminal import RunTerminal

    if page is None and launch.browser:
        page = open_page(stack, as_json=launch.json)
    log_file = state_folder() / RUN_LOG if launch.drawn else None
    shown = 3 if launch.log else 0
    return RunTerminal(stack, viewer, launch.keyboard, page, log_file, shown, requests)


def _open_buttons(
    launch: Launch, config: Config, stack: ExitStack, terminal: "RunTerminal | None"
) -> tuple[Keys | None, Sounds]:
    """Buttons and buzzer, which are released with the stack."""
    if launch.keyboard and terminal is not None:
        return terminal.keys, Silence()
    if not launch.pressed:
        return None, Silence()
    # Imported here so that a film does not wait for gpiozero.
    from appliance.devices.buttons import Buttons

    with ExitStack() as taken:
        keys = taken.enter_context(Buttons(dict(config.buttons.pins), config.buttons.lights))
        sounds = taken.enter_context(Buzzer(config.buzzer.pin)) if config.buzzer.fitted else None
        stack.push(taken.pop_all())
    return keys, sounds or Silence()


def _make_listener(
    launch: Launch,
    corrections: Corrections,
    tray: CalibratedTray,
    terminal: "RunTerminal | None",
) -> Callable[[Happened], None]:
    """Prints what happens; with a live tray, what players correct is kept and counted."""
    text = to_json if launch.json else to_text

    def report(happened: Happened) -> None:
        drawn = terminal is not None and terminal.draws
        if terminal is not None and drawn:
            terminal.write(text(happened))
        if launch.json or not drawn:
            print(text(happened), flush=True)

    return report if launch.film else fan_out(report, corrections, tray.hear)


def watch_film(
    camera: Camera,
    appliance: Appliance,
    watch_over: Callable[[Frame], frozenset[Alert]] = lambda _: frozenset(),
    look: Callable[[Frame], None] = lambda _: None,
    terminal: "RunTerminal | None" = None,
) -> None:
    """Feeds the frames of a film or of pictures until they end; the frames set the time."""
    for frame in camera.frames():
        look(frame)
        appliance.feed(frame)
        alerts = watch_over(frame)
        appliance.warn(most_urgent(alerts), blind=not BLINDING_ALERTS.isdisjoint(alerts))
        if terminal is not None:
            terminal.show()
    appliance.finish()
