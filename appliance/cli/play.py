"""`dicetray play`: a whole game without hardware, shown in the terminal.

The tray is rendered; vision, rules, screens, journal, link and firmware are the real ones.
"""

import argparse
import logging
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from shlex import join
from shutil import which
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Self

from appliance.cli.commands import DRAWING_LINE
from appliance.cli.shared import starting
from appliance.cli.shared.output import words_to
from appliance.cli.shared.stopping import StopRequests
from appliance.config import Config, GamesConfig, load
from appliance.config.paths import state_folder
from appliance.rules.game import ROLL_OFF
from appliance.table.menu.options import seat_option
from appliance.table.names import check_names
from appliance.words import say, speak
from vision.ordinary import ordinary_path

if TYPE_CHECKING:
    from appliance.journal.database import Journal
    from appliance.simulator.appliance import SimulatedAppliance
    from appliance.simulator.people.menu_user import MenuUser
    from appliance.simulator.people.tutorial import Tutorial
    from appliance.table.session.session import Session
    from appliance.terminal.log import TerminalLog
    from appliance.terminal.screen import TerminalView
    from appliance.web.page import BrowserPage
    from calibration.wizard.stages import WizardStage

log = logging.getLogger(__name__)

PLAY_PROFILE = "play.profile"
"""File beside the simulated games: the calibration of the rendered tray."""
PLAY_LOG = "play.log"
"""Log file beside the simulated games: what happened in the last one drawn, frame by frame."""
WATCHED_SENTENCE = "The players are simulated. To play yourself, start it with --human."
COMPUTER_PLAYERS: tuple[str, ...] = ("computer:best", "computer:best")
"""Who plays a game that is only watched, unless somebody names the players."""
LINGER_S = 4.0
"""Seconds of simulated time that the last screens stay in view."""
PICTURE_SIZES = ("full", "small")
"""What the simulated camera can deliver."""
SAVED_SENTENCE = "The game is saved. To resume it: {command}"


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Describes the command and its arguments."""
    command.description = (
        "Plays with a rendered tray, the real firmware and gpiozero's mock pins. "
        "Without --human two computers play; players that you name, and clumsy ones, are simulated "
        "people who press buttons by chance. With --human you play: your unfinished game resumes, "
        "or the menu appears, unless you name a game. Without any option it asks whether you want "
        "to watch, play, or take a two-minute tutorial."
    )
    starting.add_game_arguments(command)
    add, between = command.add_argument, starting.number_between
    switch = partial(add, action="store_true")
    switch("--human", help="you throw and press")
    switch("--tutorial", help="learn the keys in two minutes, by playing")
    switch("--browser", help="play on a page in the browser")
    switch("--no-open", help="with --browser: do not open the page")
    switch("--menu", help="the simulated player starts at the menu")
    switch("--calibrate", help="the simulated player calibrates the tray first, at the menu")
    add("--profile", type=ordinary_path, help="calibration profile of this tray")
    add("--seed", type=int, help="random seed; default: a new one each time")
    speed = "1 is real time, 0 as fast as possible"
    add("--speed", type=between(0, 100), default=1.0, help=speed)
    clumsy = "share of throws in which the player makes a mistake, 0 to 1"
    add("--clumsy", type=between(0, 1), default=0.0, metavar="SHARE", help=clumsy)
    picture = "size of the simulated pictures; small is quicker, for slow machines and tests"
    add("--picture", choices=PICTURE_SIZES, default="full", help=picture)
    add("--config", type=ordinary_path, help="configuration file (TOML)")
    add("--journal", help="file to keep games in, to resume them later")
    switch("--no-view", help="print events, draw nothing")
    switch("--json", help="print events as JSON, draw nothing here; words go to stderr")
    switch("--log", help=f"also show the log ({PLAY_LOG}) below the tray")
    command.set_defaults(func=main, plays=True)


@dataclass(frozen=True, slots=True)
class PlayOptions:
    """What is played, and how it is shown; None for the usual file, or a new seed each time.

    With `human` a person throws and presses; with `tutorial` that person is shown how, and the game
    is not kept. Otherwise two computers play, unless somebody is named or `clumsy`. With `menu` the
    simulated player begins at the menu, with `calibrate` by calibrating. The speed is in simulated
    seconds per second, 0 for as fast as possible.
    """

    game: starting.GameOptions
    human: bool = False
    tutorial: bool = False
    browser: bool = False
    menu: bool = False
    calibrate: bool = False
    journal: str | None = None
    profile: Path | None = None
    seed: int | None = None
    speed: float = 0.0
    clumsy: float = 0.0
    small: bool = False
    view: bool = False
    json: bool = False
    log: bool = False

    @property
    def guided(self) -> bool:
        """Whether a simulated user goes through the menu."""
        return not self.human and (self.calibrate or self.menu)

    @property
    def by_computers(self) -> bool:
        """Whether computers play where nobody is named: only people go through menus and slip."""
        return not (self.human or self.guided or self.clumsy)

    @property
    def command(self) -> str:
        """The command that resumes the game."""
        program = "dicetray" if which("dicetray") else sys.argv[0]
        words = [program, "play", *(["--human"] if self.human else [])]
        words += ["--clumsy", f"{self.clumsy:g}"] if self.clumsy else []
        return join([*words, *(["--journal", self.journal] if self.journal else [])])

    @classmethod
    def of(cls, args: argparse.Namespace) -> Self:
        """The options on the command line."""
        given = {name: vars(args)[name] for name in cls.__slots__ if name in vars(args)}
        given |= {"game": starting.GameOptions.of(args), "view": not args.no_view}
        return cls(**given, small=args.picture == "small")


DEFAULT_OPTIONS = PlayOptions(starting.GameOptions(), speed=1.0, view=True)
"""The options when none is given."""
TUTORIAL_GAME = starting.GameOptions("classic", ("YOU",), new=True)
"""The game that the tutorial plays."""

WHAT_TO_PLAY = """\
  W  watch a game that plays itself
  P  play yourself, alone or with friends
  T  learn it in two minutes
  B  all of this in the browser
  Q  quit
"""


def main(args: argparse.Namespace) -> int:
    """Plays until the game is over or a signal comes."""
    config = load(args.config) if args.config else Config()
    speak(config.scoreboard.language)
    options = PlayOptions.of(args)
    if options == DEFAULT_OPTIONS and not (sys.stdin.isatty() and sys.stdout.isatty()):
        options = watched()
    elif options == DEFAULT_OPTIONS:
        wanted = asked()
        if wanted is None:
            return 0
        print(DRAWING_LINE, flush=True)
        options = wanted
    config = starting.with_deck(config, args.deck)
    if options.browser:
        return in_browser(options, config, show=not args.no_open)
    return play(options, config)


def watched() -> PlayOptions:
    """A game to watch; as fast as possible where nobody is watching."""
    return DEFAULT_OPTIONS if sys.stdout.isatty() else replace(DEFAULT_OPTIONS, speed=0.0)


def asked() -> PlayOptions | None:
    """What somebody who gave no options wants; None to leave."""
    # Imported here so that `dicetray --help` is quick.
    from appliance.terminal.keyboard import read_key

    print(say(WHAT_TO_PLAY))
    print("W, P, T, B or Q? ", end="", flush=True)
    wants = {
        "w": watched(),
        "p": replace(DEFAULT_OPTIONS, human=True),
        "t": replace(DEFAULT_OPTIONS, tutorial=True),
        "b": replace(DEFAULT_OPTIONS, browser=True),
        "q": None,
    }
    while (key := read_key().lower()) and key not in wants:
        pass
    print(key.upper(), flush=True)
    return wants.get(key)


def play(options: PlayOptions, config: Config) -> int:
    """Plays with everything simulated."""
    with StopRequests().caught() as requests:
        print(played(options, config, requests), file=words_to(options.json))
    return 0


def in_browser(options: PlayOptions, config: Config, *, show: bool) -> int:
    """Plays on a page: first what the options name, then whatever people choose there."""
    from appliance.cli.shared.boards import open_page

    chosen = options.human or options.tutorial or options.guided or options.game.named
    with ExitStack() as stack:
        page = open_page(stack, show=show, as_json=options.json)
        requests = stack.enter_context(StopRequests().caught())
        ended = played(options, config, requests, page) if chosen else ""
        options = replace(options, game=DEFAULT_OPTIONS.game, menu=False, calibrate=False)
        while choice := page.ask(ended, lambda: requests.stop):
            wanted = replace(options, human=choice == "human", tutorial=choice == "tutorial")
            ended = played(wanted, config, requests, page)
    print(ended, file=words_to(options.json))
    return 0


def played(
    options: PlayOptions, config: Config, requests: StopRequests, page: "BrowserPage | None" = None
) -> str:
    """Plays until the game is over or asked to stop; returns how it stands then."""
    # Imported here so that `dicetray --help` does not wait for OpenCV.
    import cv2

    from appliance.cli.shared.terminal import rest
    from appliance.journal.lock import claimed
    from appliance.journal.origin import FILES, Origin
    from appliance.journal.recovery import open_or_rescue_log
    from appliance.service.installation import CalibratedTray
    from appliance.simulator.appliance import QUICK, SHARP, SimulatedAppliance
    from appliance.simulator.people.tutorial import Tutorial
    from appliance.terminal.keyboard import KEY_HELP, QUIT_ACTION, WATCH_HELP, Keyboard
    from appliance.terminal.log import TerminalLog
    from appliance.terminal.screen import TerminalView

    started = time.monotonic()
    if options.small:
        cv2.setNumThreads(1)  # the pictures are small
    if options.tutorial:
        options = replace(options, human=True, game=TUTORIAL_GAME)
    human, guided = options.human, options.guided
    drawn = page or (options.view and not options.json and sys.stdout.isatty())
    with ExitStack() as stack:
        origin = Origin.KEYBOARD if human else Origin.DEMO
        kept: str | Path = options.journal or state_folder() / FILES[origin]
        if options.tutorial:
            kept = Path(stack.enter_context(TemporaryDirectory())) / FILES[origin]
        stack.enter_context(claimed(kept))
        pressed = human or (drawn and sys.stdin.isatty())
        keyboard = page or (stack.enter_context(closing(Keyboard())) if pressed else None)
        journal, salvage = open_or_rescue_log(kept, origin)
        stack.enter_context(journal)
        if salvage is not None:
            log.warning("%s", salvage.sentence)
        profile = options.profile
        # A file that somebody named must be a profile, if it exists.
        strict = profile is not None and profile.exists()
        environment = starting.environment_from(config)
        simulated = SimulatedAppliance(
            None if guided else opened(options, config, journal),
            journal,
            dict(config.buttons.pins),
            config.buttons.lights,
            seed=options.seed,
            clumsy=options.clumsy,
            environment=replace(environment, language=options.game.language),
            stream=QUICK if options.small else SHARP,
            # A rendered tray must never be read with the profile of a real one.
            calibrated=CalibratedTray(profile or state_folder() / PLAY_PROFILE, strict),
            person=human,
            folder=state_folder(),
        )
        stack.enter_context(simulated)
        view = None
        if not drawn:
            show = print_news(simulated, options.json)
        else:
            keys = KEY_HELP if human else WATCH_HELP
            view = page or stack.enter_context(closing(TerminalView(sys.stdout, keys)))
            if page is not None:
                page.help = keys
            tutorial = Tutorial(simulated.player.hands) if options.tutorial else None
            logged = TerminalLog(state_folder() / PLAY_LOG, 3 if options.log else 0)
            stack.enter_context(logged.taken())
            show = draw_simulated(simulated, view, logged, human, tutorial, as_json=options.json)
        if human:
            simulated.prepare()
        user = menu_user_of(simulated, options, config) if guided else None
        wait = paced(options.speed)
        over_s: float | None = None
        while not requests.stop and (over_s is None or simulated.time_s < over_s + LINGER_S):
            simulated.step()
            show()
            if simulated.frames == 1:
                log.info("first prompt after %.2f s", time.monotonic() - started)
            # Somebody watching while a name is entered can still leave with q.
            naming = human and simulated.appliance.naming
            actions = [] if keyboard is None else keyboard.poll(naming)
            if view is not None:
                view.obey(actions)
            if not simulated.obey(
                actions if human else [key for key in actions if key == QUIT_ACTION]
            ):
                break
            if not human:
                active = user if simulated.wizard is None else None
                if active is None or not active.act(simulated.appliance.prompt, simulated.time_s):
                    simulated.let_play()
            if simulated.over and over_s is None:
                over_s = simulated.time_s
            if requests.pause:
                rest(requests, view, keyboard)
            wait(simulated.time_s)
        summary = simulated.summary()
        goes_on = not options.tutorial and simulated.goes_on
    return f"{summary}\n{say(SAVED_SENTENCE, command=options.command)}" if goes_on else summary


def opened(options: PlayOptions, config: Config, journal: "Journal") -> "Session | None":
    """The game to play or to watch; None for the menu, where a person plays."""
    if options.human:
        return starting.session_or_menu(options.game, config, journal)
    wanted, unnamed = options.game, GamesConfig().players
    if config.games.players == unnamed:
        players, others = COMPUTER_PLAYERS, unnamed
        if not options.by_computers:
            players, others = others, players
        config = replace(config, games=replace(config.games, players=players))
        last = journal.last()
        if last is not None and last.players == check_names(others):
            # It stays unfinished: who wants to see good play does not get a game of chance.
            wanted = replace(wanted, new=True)
    return starting.open_session(wanted, config, journal)


def menu_user_of(
    simulated: "SimulatedAppliance", options: PlayOptions, config: Config
) -> "MenuUser":
    """A simulated user who sets up the wanted game at the menu."""
    from appliance.simulator.people.menu_user import MenuUser, Wishes

    setup = starting.setup_from(options.game, config)
    first = dict(setup.options).get(seat_option(setup.game), ROLL_OFF)
    who = setup.players[first] if isinstance(first, int) else "ROLL-OFF"
    wishes = Wishes(setup.rules.TITLE, setup.players, who)
    before = ("CALIBRATE",) if options.calibrate else ()
    return MenuUser(simulated.mock_buttons, wishes, before=before)


def print_news(simulated: "SimulatedAppliance", as_json: bool) -> Callable[[], None]:
    """Prints what happens, one line per event."""
    from appliance.service.event_text import to_json, to_text

    to_line = to_json if as_json else to_text
    log.info(simulated.firmware)
    stage: WizardStage | None = None

    def show() -> None:
        nonlocal stage
        for happened in simulated.news():
            print(to_line(happened), flush=True)
        before, stage = stage, None if simulated.wizard is None else simulated.wizard.stage
        if stage is not None and stage != before and not as_json:
            # What happens in the tray meanwhile is for the wizard, not for the game.
            what = " ".join(("calibrating:", stage.step, stage.face)).rstrip()
            print(f"frame {simulated.frames:5d}  {simulated.time_s:8.3f} s  {what}", flush=True)

    return show


def draw_simulated(
    simulated: "SimulatedAppliance",
    view: "TerminalView | BrowserPage",
    logged: "TerminalLog",
    human: bool,
    tutorial: "Tutorial | None" = None,
    *,
    as_json: bool = False,
) -> Callable[[], None]:
    """Draws the current state in place; what happens goes to a file, with `as_json` also here."""
    from appliance.service.event_text import to_json, to_text
    from appliance.service.guide import Guidance

    log.info(simulated.firmware)

    def show() -> None:
        for happened in simulated.news():
            logged.write(to_text(happened))
            if as_json:
                print(to_json(happened), flush=True)
        first = "" if tutorial is None else tutorial.see(simulated.appliance.prompt)
        shown = simulated.view()
        shown = shown if human else replace(shown, guidance=Guidance(say(WATCHED_SENTENCE)))
        view.draw(shown, first, logged.recent)

    return show


def paced(speed: float) -> Callable[[float], None]:
    """Waits until the clock has reached a simulated time, so that the simulation stays in step.

    The speed is in simulated seconds per second; 0 does not wait.
    """
    start: float | None = None

    def wait(time_s: float) -> None:
        nonlocal start
        if speed <= 0:
            return
        now = time.monotonic()
        if start is None:
            start = now - time_s / speed
        ahead = start + time_s / speed - now
        if ahead > 0:
            time.sleep(ahead)
        else:
            # The machine is slower than asked: continue from here rather than race to catch up.
            start -= ahead

    return wait
