"""`dicetray play`: a whole game without hardware, shown in the terminal.

The tray is rendered; vision, rules, screens, journal, link and firmware are the real ones.
"""

import argparse
import sys
from dataclasses import replace
from functools import partial

from appliance.cli.commands import DRAWING_LINE
from appliance.cli.shared import starting
from appliance.cli.shared.launch import PLAY_LOG, SIMULATED, Launch, Simulation
from appliance.cli.shared.launching import has_browser, look, play, play_on_page
from appliance.config import Config, load
from appliance.words import say, set_language
from vision.files.ordinary import ordinary_path

PICTURE_SIZES = ("full", "small")
"""The sizes of picture that the simulated camera can deliver."""
UNSAID = Launch(
    starting.GameOptions(), SIMULATED, board="terminal", simulation=Simulation(speed=1.0)
)
"""The launch where no option says otherwise."""


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
    add = command.add_argument
    between = starting.number_between
    switch = partial(add, action="store_true")
    switch("--human", help="you throw and press")
    switch("--tutorial", help="learn the keys in two minutes, by playing")
    switch("--browser", help="play on a page in the browser")
    switch("--no-open", help="with --browser: do not open the page")
    switch("--menu", help="the simulated player starts at the menu")
    switch(
        "--calibrate", help="first calibrate the tray: the simulated player, or you with --human"
    )
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


WHAT_TO_PLAY = """\
  W  watch a game that plays itself
  P  play yourself, alone or with friends
  T  learn it in two minutes
  C  play with your own dice: a camera looks at them
  B  all of this in the browser
  Q  quit
"""


UNKNOWN_KEY_SENTENCE = "That key does nothing here. W, P, T, C, B or Q?"


def main(args: argparse.Namespace) -> int:
    """Plays until the game is over or a signal comes."""
    config = load(args.config) if args.config else Config()
    set_language(args.language or config.scoreboard.language)
    launch = launch_of(args)
    # How large pictures are says nothing about what somebody wants.
    unsaid = replace(launch, simulation=replace(launch.simulation, small=False)) == UNSAID
    if unsaid and not (sys.stdin.isatty() and sys.stdout.isatty()):
        launch = to_watch(launch)
    elif unsaid:
        wanted = ask_what_to_play(launch)
        if wanted is None:
            return 0
        if wanted.camera:
            print(DRAWING_LINE, flush=True)
        launch = wanted
    config = starting.with_deck(config, args.deck)
    if not launch.camera:
        return look(launch, config, paged=has_browser())
    if launch.browser:
        return play_on_page(launch, config, show=not args.no_open)
    return play(launch, config)


def launch_of(args: argparse.Namespace) -> Launch:
    """The launch that the command line asks for."""
    drawn = None if args.no_view else "terminal"
    return Launch.of(
        args,
        SIMULATED,
        board="browser" if args.browser else drawn,
        buttons="keyboard" if args.human else None,
        simulation=Simulation.of(args),
    )


def to_watch(launch: Launch) -> Launch:
    """A game to watch; as fast as possible where nobody is watching."""
    if sys.stdout.isatty():
        return launch
    return replace(launch, simulation=replace(launch.simulation, speed=0.0))


def ask_what_to_play(launch: Launch) -> Launch | None:
    """Asks what to play, where no option says it; None to leave."""
    # Imported here so that `dicetray --help` is quick.
    from appliance.terminal.console import read_key

    wants = {
        "w": to_watch(launch),
        "p": replace(launch, buttons="keyboard"),
        "t": replace(launch, simulation=replace(launch.simulation, tutorial=True)),
        "c": replace(launch, camera=""),
        "b": replace(launch, board="browser"),
        "q": None,
    }
    print(say(WHAT_TO_PLAY))
    key = ""
    try:
        print("W, P, T, C, B or Q? ", end="", flush=True)
        while (key := read_key().lower()) and key not in wants:
            print(f"\n{say(UNKNOWN_KEY_SENTENCE)} ", end="", flush=True)
    finally:
        # Also where a signal is the answer.
        print(key.upper(), flush=True)
    return wants.get(key)
