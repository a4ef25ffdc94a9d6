#!/usr/bin/env python3
"""Measures the link to the scoreboard: host, pty, firmware in a child process, SPI writes.

    .venv/bin/python scripts/bench_link.py [--seconds 5] [--interpreter real|cpython]

It prints the time from `show` to the last SPI write of the picture, the same from a throw or press
at the table in a game of two, and how many pictures a second get through and the CPU time of the
host's end at 10, 60 and 1000 pictures a second. The simulated board runs in the same process,
in its own thread, which is not counted.
"""

import argparse
import random
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from appliance.devices.scoreboard import SerialScoreboard
from appliance.inputs import Button, Pressed
from appliance.picture import Picture
from appliance.screens.draw import film
from appliance.table.prompts.turn import OverPrompt, ThrowPrompt
from appliance.table.session.prompting import prompt
from appliance.table.session.session import Setup, new_session
from appliance.table.session.step import step
from simulator.pico import micropython
from simulator.pico.max7219 import ChipChain
from tests.builders import throw
from tests.rigs.faulty_board import FaultyBoard
from tests.rigs.wiring import Wiring
from vision.events import Roll

SETUP = Setup("classic", ("ANNA", "BOB"))
PRESSES = (*(Button.HOLD1, Button.HOLD3, Button.LEFT, Button.RIGHT), *[Button.OK] * 3)


def words(picture: Picture) -> set[bytes]:
    """The words in the chain each of the eight times that a line of a picture is latched."""
    return {Wiring().words(picture, line) for line in range(8)}


class LatchWatcher:
    """Detects when the last line of a picture is latched."""

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self.missing: set[bytes] = set()
        self.time = 0.0
        self.last = b""
        self.count = 0

    def __call__(self, chain: ChipChain) -> None:
        """Examines what was latched."""
        word = chain.shifted
        if word[0] == 8 and word != self.last:
            self.last = word
            self.count += 1
        if word in self.missing:
            with self.changed:
                self.missing.discard(word)
                if not self.missing:
                    self.time = time.perf_counter()
                    self.changed.notify_all()

    def expect(self, picture: Picture) -> None:
        """Looks for this picture from now on."""
        with self.changed:
            self.missing = words(picture)

    def wait(self) -> float:
        """Waits for the picture and returns when it was complete."""
        with self.changed:
            if not self.changed.wait_for(lambda: not self.missing, 20):
                raise SystemExit("bench_link: a picture did not arrive within 20 s")
            return self.time


def plain(n: int) -> Picture:
    """The n-th of 255 pictures; neighbours differ."""
    return Picture(bytes([1 + n % 255]) * 128)


def latency(host: SerialScoreboard, watcher: LatchWatcher, count: int) -> list[float]:
    times = []
    for n in range(count):
        watcher.expect(plain(n))
        start = time.perf_counter()
        host.show(plain(n))
        times.append(watcher.wait() - start)
        # Out of step with the board's own cycle.
        time.sleep(0.005 + 0.0003 * (n % 50))
    return sorted(times)


def thrown(chance: random.Random) -> Roll:
    """Five dice."""
    faces = [chance.randint(1, 6) for _ in range(5)]
    return throw(*faces)


def from_table(host: SerialScoreboard, watcher: LatchWatcher, count: int) -> list[float]:
    """The time from a throw or a press to the last SPI write of what the board then shows."""
    chance = random.Random(1)
    session = new_session(SETUP)
    shown = Picture()
    times: list[float] = []
    while len(times) < count:
        asked = prompt(session)
        if isinstance(asked, OverPrompt):
            session = new_session(SETUP)
        throw = isinstance(asked, ThrowPrompt)
        happened = thrown(chance) if throw else Pressed(chance.choice(PRESSES))
        start = time.perf_counter()
        session = step(session, happened)
        picture = film(prompt(session)).picture_at(0.0)
        drawn = time.perf_counter()
        if picture == shown:
            continue
        watcher.expect(picture)
        again = time.perf_counter()
        host.show(picture)
        times.append(watcher.wait() - again + drawn - start)
        shown = picture
        time.sleep(0.005 + 0.0003 * (len(times) % 50))
    return sorted(times)


def report(name: str, times: list[float]) -> None:
    p50, p99 = times[len(times) // 2], times[len(times) * 99 // 100]
    print(
        f"{name} to last SPI write: p50 {1000 * p50:.2f} ms, p99 {1000 * p99:.2f} ms, "
        f"longest {1000 * times[-1]:.2f} ms ({len(times)} pictures)"
    )


def paced(
    host: SerialScoreboard, watcher: LatchWatcher, rate: float, seconds: float
) -> tuple[float, float]:
    """Shows `rate` pictures a second; returns how many arrive and the share of a core it takes."""
    threads = [t.ident for t in threading.enumerate() if t.name == "scoreboard" and t.ident]
    clock = time.pthread_getcpuclockid(threads[0])
    own, thread, seen = time.thread_time(), time.clock_gettime(clock), watcher.count
    start = time.perf_counter()
    n = 0
    while (now := time.perf_counter() - start) < seconds:
        host.show(plain(n))
        n += 1
        time.sleep(max(0.0, n / rate - now))
    took = time.perf_counter() - start
    used = time.thread_time() - own + time.clock_gettime(clock) - thread
    return (watcher.count - seen) / took, used / took


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=5.0, help="length of each measurement")
    parser.add_argument("--interpreter", choices=("real", "cpython"), default="real")
    options = parser.parse_args()
    named = (
        {micropython.INTERPRETER_VARIABLE: "cpython"} if options.interpreter == "cpython" else None
    )
    interpreter = micropython.find_interpreter(named)
    print(interpreter.sentence)
    watcher = LatchWatcher()
    with FaultyBoard(interpreter=interpreter, on_latch=watcher) as board:
        host = SerialScoreboard(board.device)
        host.wait(lambda status: status.connected)
        count = int(options.seconds * 60)
        report("show", latency(host, watcher, count))
        report("table", from_table(host, watcher, count))
        for rate in (10, 60, 1000):
            arrived, share = paced(host, watcher, rate, options.seconds)
            print(
                f"{rate:5d} pictures a second asked, {arrived:6.1f} shown, "
                f"host {100 * share:.2f} % of a core"
            )
        status = host.status
        print(f"repeats {status.repeats}, damaged {status.damaged}, opened {status.opened}")
        host.close()


if __name__ == "__main__":
    main()
