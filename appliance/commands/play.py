"""`dicetray play`: a whole game without hardware, shown in the terminal.

The tray is rendered; vision, rules, screens, journal, link and firmware are the real ones.
"""

import argparse
import os
import sys
import time
from collections import deque
from contextlib import ExitStack, closing
from pathlib import Path

from appliance.commands.starting import add_game_arguments, setup_from, stopping_on_signals
from appliance.config import Config, load

FPS = 15
"""Frames a second of simulated time."""

LINGER_S = 4.0
"""Seconds of simulated time that the last screens stay on view."""


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Adds the subcommand."""
    command = subparsers.add_parser(
        "play",
        help="play with a simulated tray in the terminal",
        description="Plays with a rendered tray, the real firmware and gpiozero's mock pins. "
        "Without --human a simulated player throws and presses.",
    )
    add_game_arguments(command)
    command.add_argument("--human", action="store_true", help="you throw and press")
    command.add_argument(
        "--seed", type=int, default=None, help="chance; default: another each time"
    )
    command.add_argument(
        "--speed", type=float, default=1.0, help="1 is real time, 0 as fast as it goes"
    )
    command.add_argument("--config", type=Path, help="configuration file (TOML)")
    command.add_argument("--journal", help="file that keeps the games, so that they go on later")
    command.add_argument("--no-view", action="store_true", help="print events, draw nothing")
    command.add_argument("--json", action="store_true", help="print events as JSON, draw nothing")
    command.set_defaults(func=main)


def main(args: argparse.Namespace) -> int:
    """Plays until the game is over or a signal comes."""
    return run_simulated(args, load(args.config) if args.config else Config())


def default_journal() -> Path:
    """Where games played with the simulated tray are kept."""
    base = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(base) / "dicetray" / "play.sqlite3"


def run_simulated(args: argparse.Namespace, config: Config) -> int:
    """Plays with everything simulated; `args` are those of `play` or of `run --camera sim`."""
    # Imported here so that `dicetray --help` does not wait for OpenCV.
    from appliance.journal import Journal
    from appliance.service import load_session
    from appliance.simulator.house import House
    from appliance.simulator.keyboard import HELP, Keyboard
    from appliance.simulator.terminal import TerminalView
    from appliance.telling import to_json, to_text

    started = time.monotonic()
    view: TerminalView | None = None
    with ExitStack() as stack:
        stack.enter_context(stopping_on_signals())
        keyboard = stack.enter_context(Keyboard()) if getattr(args, "human", False) else None
        path = Path(args.journal or default_journal())
        path.parent.mkdir(parents=True, exist_ok=True)
        journal = stack.enter_context(Journal(path))
        named = args.game or args.players
        last = journal.last()
        goes_on = last is not None and not last.ended and not args.new and not named
        setup = None if goes_on else setup_from(args, config)
        session = load_session(journal, setup, fresh=args.new)
        house = stack.enter_context(
            House(
                session,
                journal,
                dict(config.buttons.pins),
                config.buttons.lights,
                seed=getattr(args, "seed", None),
                fps=FPS,
            )
        )
        quiet = args.json or getattr(args, "no_view", True) or not sys.stdout.isatty()
        if not quiet:
            view = stack.enter_context(closing(TerminalView(sys.stdout)))
        else:
            print(house.firmware, file=sys.stderr)
        pace = Pace(getattr(args, "speed", 0.0))
        over_s: float | None = None
        recent: deque[str] = deque(maxlen=3)
        try:
            while over_s is None or house.time_s < over_s + LINGER_S:
                house.step()
                if house.frames == 1:
                    start_s = time.monotonic() - started
                    print(f"first prompt after {start_s:.2f} s", file=sys.stderr)
                for happened in house.news():
                    recent.append(to_text(happened))
                    if quiet:
                        print(to_json(happened) if args.json else recent[-1], flush=True)
                if view is not None:
                    lines = [house.firmware, *recent]
                    if keyboard is not None:
                        lines = [HELP, *lines]
                    view.draw(house.lights, house.view, lines)
                if keyboard is None:
                    house.let_play()
                    if house.over and over_s is None:
                        over_s = house.time_s
                elif not house.obey(keyboard.poll()):
                    break
                pace.wait(house.time_s)
        except KeyboardInterrupt:
            pass
        summary = house.summary()
    print(summary)
    return 0


class Pace:
    """Keeps simulated time from running ahead of the clock.

    Args:
        speed: simulated seconds a second; 0 does not wait.
    """

    def __init__(self, speed: float) -> None:
        self._speed = speed
        self._start: float | None = None

    def wait(self, time_s: float) -> None:
        """Waits until the clock has come to this simulated time."""
        if self._speed <= 0:
            return
        now = time.monotonic()
        if self._start is None:
            self._start = now - time_s / self._speed
        ahead = self._start + time_s / self._speed - now
        if ahead > 0:
            time.sleep(ahead)
        else:
            # The machine is slower than asked: go on from here rather than race to catch up.
            self._start -= ahead
