"""`dicetray play`: a whole game without hardware, shown in the terminal.

The tray is rendered; vision, rules, screens, journal, link and firmware are the real ones.
"""

import argparse
import sys
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from appliance.cli.commands import DRAWING_LINE
from appliance.cli.look import LookOptions, has_browser, look_and_play
from appliance.cli.shared import starting
from appliance.cli.shared.output import stream_for_words
from appliance.cli.shared.play_options import DEFAULT_OPTIONS, PLAY_LOG, PlayOptions
from appliance.cli.shared.stopping import StopRequests
from appliance.config import Config, load
from appliance.words import say, set_language
from vision.ordinary import ordinary_path

if TYPE_CHECKING:
    from appliance.web.page import BrowserPage

PICTURE_SIZES = ("full", "small")
"""What the simulated camera can deliver."""


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
    options = PlayOptions.of(args)
    # How large pictures are says nothing about what somebody wants.
    unsaid = replace(options, small=False) == DEFAULT_OPTIONS
    if unsaid and not (sys.stdin.isatty() and sys.stdout.isatty()):
        options = options_to_watch(options)
    elif unsaid:
        wanted = ask_what_to_play(options)
        if wanted is None:
            return 0
        if not wanted.look:
            print(DRAWING_LINE, flush=True)
        options = wanted
    config = starting.with_deck(config, args.deck)
    if options.look:
        return look_at_dice(config)
    if options.browser:
        return in_browser(options, config, show=not args.no_open)
    return play(options, config)


def options_to_watch(options: PlayOptions) -> PlayOptions:
    """A game to watch; as fast as possible where nobody is watching."""
    return options if sys.stdout.isatty() else replace(options, speed=0.0)


def ask_what_to_play(options: PlayOptions) -> PlayOptions | None:
    """What somebody who gave no options that say it wants; None to leave."""
    # Imported here so that `dicetray --help` is quick.
    from appliance.terminal.console import read_key

    wants = {
        "w": options_to_watch(options),
        "p": replace(options, human=True),
        "t": replace(options, tutorial=True),
        "c": replace(options, look=True),
        "b": replace(options, browser=True),
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


def play(options: PlayOptions, config: Config) -> int:
    """Plays with everything simulated."""
    with StopRequests().caught() as requests:
        print(_play_to_end(options, config, requests), file=stream_for_words(options.json))
    return 0


def in_browser(options: PlayOptions, config: Config, *, show: bool = True) -> int:
    """Plays on a page: first what the options name, then whatever people choose there."""
    from appliance.cli.shared.boards import open_page

    chosen = options.human or options.tutorial or options.guided or options.game.named
    with ExitStack() as stack:
        page = open_page(stack, show=show, as_json=options.json)
        requests = stack.enter_context(StopRequests().caught())
        ended = _play_to_end(options, config, requests, page) if chosen else ""
        options = replace(options, game=DEFAULT_OPTIONS.game, menu=False, calibrate=False)
        while choice := page.ask(ended, lambda: requests.stop):
            if choice == "look":
                look_and_play(LookOptions(), config, requests, page)
                ended = ""
                continue
            wanted = replace(options, human=choice == "human", tutorial=choice == "tutorial")
            ended = _play_to_end(wanted, config, requests, page)
    print(ended, file=stream_for_words(options.json))
    return 0


def look_at_dice(config: Config) -> int:
    """Plays with real dice, and a camera over them."""
    with ExitStack() as stack:
        page = None
        if has_browser():
            from appliance.cli.shared.boards import open_page

            page = open_page(stack)
        requests = stack.enter_context(StopRequests().caught())
        look_and_play(LookOptions(), config, requests, page)
    return 0


def _play_to_end(
    options: PlayOptions, config: Config, requests: StopRequests, page: "BrowserPage | None" = None
) -> str:
    with requests.raising():
        # Imported here so that `dicetray --help` does not wait for OpenCV.
        from appliance.cli.shared.simulated_game import play_to_end

    return play_to_end(options, config, requests, page)
