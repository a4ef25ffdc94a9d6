"""A game with everything simulated but the appliance itself: tray, hands, buttons, board."""

import logging
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import cv2

from appliance.cli.shared import starting
from appliance.cli.shared.launch import PLAY_LOG, TUTORIAL_GAME, Launch
from appliance.cli.shared.output import stream_for_words
from appliance.cli.shared.publishing import how_to_follow, open_publisher, serves_scores
from appliance.cli.shared.stopping import StopRequests
from appliance.cli.shared.telling import tell_events
from appliance.cli.shared.terminal import GameTerminal
from appliance.config import Config, GamesConfig
from appliance.config.paths import state_folder
from appliance.devices.voice import Mute
from appliance.diagnostics.about import network
from appliance.guidance import Guidance
from appliance.journal.journal import Journal
from appliance.journal.lock import claimed
from appliance.journal.mending import open_and_mend
from appliance.journal.origin import FILES, Origin
from appliance.service.corrections import fan_out
from appliance.service.installation import CalibratedTray
from appliance.service.snapshot import Publisher
from appliance.simulator.appliance import QUICK_STREAM, SHARP_STREAM, SimulatedAppliance
from appliance.simulator.commentary import Commentary
from appliance.simulator.people.menu_user import MenuUser, Wishes
from appliance.simulator.people.tutorial import Tutorial
from appliance.table.menu.options import seat_option
from appliance.table.names import check_names
from appliance.table.session.session import Session
from appliance.terminal.keyboard import KEY_HELP, QUIT_ACTION, WATCH_HELP
from appliance.words import Label, say
from calibration.wizard.pages import Page
from games.values import ROLL_OFF

if TYPE_CHECKING:
    from appliance.web.page import BrowserPage

log = logging.getLogger(__name__)

PLAY_PROFILE = "play.profile"
"""File beside the simulated games: the calibration of the rendered tray."""
COMPUTER_PLAYERS: tuple[str, ...] = ("computer:best", "computer:best")
"""Who plays a game that is only watched, unless somebody names the players."""
LINGER_S = 4.0
"""Seconds of simulated time that the last screens stay in view."""
SAVED_SENTENCE = "The game is saved. To resume it: {command}"


def play_to_end(
    launch: Launch, config: Config, requests: StopRequests, page: "BrowserPage | None" = None
) -> str:
    """Plays until the game is over or asked to stop; returns how it stands then."""
    started_s = time.monotonic()
    if launch.simulation.small:
        cv2.setNumThreads(1)  # the pictures are small
    if launch.simulation.tutorial:
        launch = replace(launch, buttons="keyboard", game=TUTORIAL_GAME)
    with ExitStack() as stack:
        with requests.raising():
            simulated, game = _set_up(launch, config, page, requests, stack)
        game.run(started_s)
        summary = simulated.summary()
        goes_on = not launch.simulation.tutorial and simulated.has_unfinished_game
    return f"{summary}\n{say(SAVED_SENTENCE, command=launch.command)}" if goes_on else summary


def _set_up(
    launch: Launch,
    config: Config,
    page: "BrowserPage | None",
    requests: StopRequests,
    stack: ExitStack,
) -> "tuple[SimulatedAppliance, SimulatedGame]":
    """Everything that a game takes, until the stack ends."""
    drawn = launch.drawn_here
    origin = Origin.KEYBOARD if launch.keyboard else Origin.DEMO
    path = _games_file(launch, origin, stack)
    stack.enter_context(claimed(path))
    terminal = GameTerminal(
        stack,
        page,
        requests,
        reads=page is not None or launch.keyboard or (drawn and sys.stdin.isatty()),
        log=state_folder() / PLAY_LOG if page is not None or drawn else None,
        shown=3 if launch.log else 0,
    )
    journal = _open_journal(path, origin, stack)
    simulated = _simulated_appliance(launch, config, journal, stack)
    stack.callback(simulated.close)
    terminal.open(KEY_HELP if launch.keyboard else WATCH_HELP)
    log.info(simulated.firmware)
    listeners = [tell_events(terminal, launch.json)]
    if not terminal.draws:
        shows = [print_calibration_steps(simulated, launch.json)]
    elif launch.keyboard:
        shows = [draw_for_player(simulated, launch, terminal)]
    else:
        commentary = Commentary()
        listeners.append(commentary.hear)
        shows = [draw_for_watcher(simulated, terminal, commentary)]
    if not launch.simulation.tutorial:
        publisher = _publisher(launch, config, simulated, journal, stack)
        listeners.append(publisher.hear)
        shows.append(lambda: publisher.publish(simulated.appliance))
    simulated.hear = fan_out(*listeners)
    simulated.start()
    game = SimulatedGame(simulated, launch, shows, terminal)
    if launch.keyboard:
        simulated.prepare()
    if launch.keyboard and launch.simulation.calibrate:
        simulated.begin_calibration()
    if launch.guided:
        game.menu_user = menu_user_of(simulated, launch, config)
    return simulated, game


class SimulatedGame:
    """The rounds of a game: the appliance sees a frame, it is shown, and somebody acts.

    Args:
        shows: show and publish how everything stands, after each frame and each key.
        terminal: has the keys of those who play or watch, and says what signals ask for.

    Attributes:
        menu_user: the simulated user who goes through the menu first; None if nobody does.
    """

    def __init__(
        self,
        simulated: SimulatedAppliance,
        launch: Launch,
        shows: Sequence[Callable[[], None]],
        terminal: GameTerminal,
    ) -> None:
        self._simulated = simulated
        self._human = launch.keyboard
        self._wait = make_pacer(launch.simulation.speed, terminal.pause)
        self._shows = shows
        self._terminal = terminal
        self.menu_user: MenuUser | None = None

    def run(self, started_s: float) -> None:
        """Plays until the last screens were in view, somebody leaves, or a signal comes."""
        simulated = self._simulated
        over_s: float | None = None
        # The first prompt does not wait for the first picture of the tray.
        simulated.wait_for_lights()
        self._show()
        log.info("first prompt after %.2f s", time.monotonic() - started_s)
        while not self._terminal.obey_signals():
            if over_s is not None and simulated.time_s >= over_s + LINGER_S:
                break
            seen = simulated.viewer.occasion
            simulated.step()
            # What was pressed until now was meant for what was shown before.
            stays = self._obey_keys(seen)
            self._show()
            if not stays:
                break
            if not self._human:
                self._let_simulated_people_act()
            if simulated.over and over_s is None:
                over_s = simulated.time_s
            if not self._wait_and_obey():
                break

    def _show(self) -> None:
        for show in self._shows:
            show()

    def _wait_and_obey(self) -> bool:
        """Waits for the next frame; what is pressed meanwhile is answered at once."""
        while self._wait(self._simulated.paced_s):
            if not self._obey_keys(self._simulated.viewer.occasion):
                return False
            self._show()
        return True

    def _obey_keys(self, seen: int) -> bool:
        """Does what was typed while `View.occasion` was `seen`; False if somebody wants to leave.

        Who pressed does not wait for the next frame to see what it did.
        """
        # Somebody watching while a name is entered can still leave with q.
        naming = self._human and self._simulated.appliance.naming
        actions = self._terminal.poll(naming)
        if not self._human:
            actions = [action for action in actions if action == QUIT_ACTION]
        return self._simulated.obey(actions, seen)

    def _let_simulated_people_act(self) -> None:
        simulated = self._simulated
        user = self.menu_user if simulated.wizard is None else None
        if user is None or not user.act(simulated.appliance.prompt, simulated.time_s):
            simulated.let_play()


def _games_file(launch: Launch, origin: Origin, stack: ExitStack) -> str | Path:
    """Where the games are kept; a tutorial's file goes with the stack."""
    if launch.simulation.tutorial:
        return Path(stack.enter_context(TemporaryDirectory())) / FILES[origin]
    return launch.journal or state_folder() / FILES[origin]


def _open_journal(path: str | Path, origin: Origin, stack: ExitStack) -> Journal:
    journal, _ = open_and_mend(path, origin)
    return stack.enter_context(journal)


def _simulated_appliance(
    launch: Launch, config: Config, journal: Journal, stack: ExitStack
) -> SimulatedAppliance:
    profile = launch.profile
    # A file that somebody named must be a profile, if it exists.
    strict = profile is not None and profile.exists()
    heard = launch.keyboard and not launch.json
    voice = starting.open_voice(config, stack) if heard else Mute()
    environment = replace(
        starting.environment_from(config),
        advises=launch.keyboard,
        speaks=starting.speaks_at_first(voice, config),
    )
    if serves_scores(config) and not launch.simulation.tutorial:
        environment = replace(environment, network=partial(network, config.web.port), page=True)
    return SimulatedAppliance(
        None if launch.guided else session_to_play(launch, config, journal),
        journal,
        dict(config.buttons.pins),
        config.buttons.lights,
        seed=launch.simulation.seed,
        clumsy=launch.simulation.clumsy,
        environment=replace(environment, language=launch.game.language),
        voice=voice,
        stream=QUICK_STREAM if launch.simulation.small else SHARP_STREAM,
        # A rendered tray must never be read with the profile of a real one.
        calibrated=CalibratedTray(profile or state_folder() / PLAY_PROFILE, strict),
        person=launch.keyboard,
        folder=state_folder(),
        # As fast as possible, every start plays the same; else the first prompt does not wait.
        waits_for_tray=not launch.simulation.speed,
    )


def _publisher(
    launch: Launch,
    config: Config,
    simulated: SimulatedAppliance,
    journal: Journal,
    stack: ExitStack,
) -> Publisher:
    """The publisher of the game; says how to follow it, if there is a score page or a broker."""
    publisher = open_publisher(config, simulated.viewer, journal, stack)
    for sentence in how_to_follow(launch, config, simulated.appliance.console.settings.pin or ""):
        print(sentence, file=stream_for_words(launch.json), flush=True)
    return publisher


def session_to_play(launch: Launch, config: Config, journal: Journal) -> Session | None:
    """The game to play or to watch; None for the menu, where a person plays."""
    if launch.keyboard:
        return starting.session_or_menu(launch.game, config, journal)
    wanted = launch.game
    unnamed = GamesConfig().players
    if config.games.players == unnamed:
        players = COMPUTER_PLAYERS
        others = unnamed
        if not launch.by_computers:
            players, others = others, players
        config = replace(config, games=replace(config.games, players=players))
        last = journal.last()
        if last is not None and last.players == check_names(others):
            # It stays unfinished: who wants to see good play does not get a game of chance.
            wanted = replace(wanted, new=True)
    return starting.open_session(wanted, config, journal)


def menu_user_of(simulated: SimulatedAppliance, launch: Launch, config: Config) -> MenuUser:
    """A simulated user who sets up the wanted game at the menu."""
    setup = starting.setup_from(launch.game, config)
    first = dict(setup.options).get(seat_option(setup.game), ROLL_OFF)
    who = setup.players[first] if isinstance(first, int) else "ROLL-OFF"
    wishes = Wishes(Label(setup.game), setup.players, who)
    before = ("CALIBRATE",) if launch.simulation.calibrate else ()
    return MenuUser(simulated.mock_buttons, wishes, before=before)


def print_calibration_steps(simulated: SimulatedAppliance, as_json: bool) -> Callable[[], None]:
    """Prints what a calibration asks for, a line a step; programs get events alone."""
    asked: tuple[Page, str] | None = None

    def show() -> None:
        nonlocal asked
        before, wizard = asked, simulated.wizard
        face = "" if wizard is None or wizard.page is not Page.POWER else wizard.face
        asked = None if wizard is None else (wizard.page, face)
        if asked is not None and asked != before and not as_json:
            # What happens in the tray meanwhile is for the wizard, not for the game.
            what = " ".join(("calibrating:", *asked)).rstrip()
            print(f"frame {simulated.frames:5d}  {simulated.time_s:8.3f} s  {what}", flush=True)

    return show


def draw_for_player(
    simulated: SimulatedAppliance, launch: Launch, terminal: GameTerminal
) -> Callable[[], None]:
    """Draws how it stands, and the tutorial's lesson above it, if it is one."""
    tutorial = Tutorial(simulated.player.hands) if launch.simulation.tutorial else None

    def show() -> None:
        lesson = "" if tutorial is None else tutorial.see(simulated.appliance.prompt)
        terminal.draw(simulated.view(), lesson)

    return show


def draw_for_watcher(
    simulated: SimulatedAppliance, terminal: GameTerminal, commentary: Commentary
) -> Callable[[], None]:
    """Draws how it stands, with the commentary in place of what a player could do."""

    def show() -> None:
        terminal.draw(replace(simulated.view(), guidance=Guidance(commentary.said)))

    return show


def make_pacer(speed: float, pause: Callable[[float], bool]) -> Callable[[float], bool]:
    """Waits until the clock has reached a simulated time, so that the simulation stays in step.

    The speed is in simulated seconds per second; 0 does not wait. A pause gets seconds and says
    whether it ended early, as something was pressed; the wait then ends, too, and says the same.
    """
    start: float | None = None

    def wait(time_s: float) -> bool:
        nonlocal start
        if speed <= 0:
            return False
        now = time.monotonic()
        if start is None:
            start = now - time_s / speed
        ahead = start + time_s / speed - now
        if ahead > 0:
            return pause(ahead)
        # The machine is slower than asked: continue from here rather than race to catch up.
        start -= ahead
        return False

    return wait
