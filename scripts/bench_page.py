#!/usr/bin/env python3
"""The cost of 20 viewers of the score page: delay from the board to the page, time of the loop.

    scripts/bench_page.py --viewers 20 --changes 150

The page is a process of its own, the viewers are sockets; everything goes over loopback.
"""

import argparse
import http.client
import json
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parents[1]))

from appliance.inputs import Button
from tests.builders import throw
from tests.rigs.room import PIN, Room, free_port, serve

HOLDS = (Button.HOLD1, Button.HOLD2, Button.HOLD3, Button.HOLD4, Button.HOLD5)


def share(values: Sequence[float], part: float) -> float:
    """The value below which `part` of all values lie."""
    return sorted(values)[min(len(values) - 1, int(part * len(values)))]


class Viewer(threading.Thread):
    """Watches the page, and records when each state of the game arrived.

    Args:
        port: of the page.
        cookie: lets it in.
    """

    def __init__(self, port: int, cookie: str) -> None:
        super().__init__(daemon=True)
        self.came_s: dict[int, float] = {}
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self._connection.request("GET", "/events", headers={"Cookie": cookie})
        self._answer = self._connection.getresponse()

    def run(self) -> None:
        """Reads until the page closes."""
        kind = b""
        try:
            while line := self._answer.readline():
                now_s = time.perf_counter()
                if line.startswith(b"event: "):
                    kind = line[7:].strip()
                elif line.startswith(b"data: ") and kind == b"snapshot":
                    self.came_s.setdefault(json.loads(line[6:])["state"], now_s)
        except (OSError, http.client.HTTPException, ValueError, AttributeError):
            return


def enter(port: int) -> str:
    """Enters the PIN; returns the cookie."""
    with closing(http.client.HTTPConnection("127.0.0.1", port)) as connection:
        connection.request("POST", "/pin", PIN, {"Origin": f"http://127.0.0.1:{port}"})
        cookie = connection.getresponse().headers["Set-Cookie"]
    return str(cookie).split(";")[0]


def rounds(changes: int, viewers: int, told: bool) -> tuple[list[float], list[float]]:
    """CPU milliseconds of the loop's round at each change, and milliseconds to each viewer."""
    with TemporaryDirectory() as folder:
        port = free_port()
        with Room(Path(folder), port, told=told, pause_s=1.0) as room:
            room.does(throw(3, 3, 3, 4, 6))
            page, watching = None, list[Viewer]()
            if told and viewers:
                page = serve(Path(folder), port)
                cookie = enter(port)
                watching = [Viewer(port, cookie) for _ in range(viewers)]
                for viewer in watching:
                    viewer.start()
            made_s, took_s = dict[int, float](), list[float]()
            for number in range(changes):
                time.sleep(0.1)
                begun_s = time.perf_counter()
                room.does(presses=(HOLDS[number % len(HOLDS)],))
                took_s.append(room.rounds_s[-1])
                made_s[len(room.appliance.session.record.log)] = begun_s
            time.sleep(1.0)
            came = [
                viewer.came_s[state] - begun_s
                for viewer in watching
                for state, begun_s in made_s.items()
                if state in viewer.came_s
            ]
            missing = len(watching) * len(made_s) - len(came)
            if missing:
                print(f"{missing} states were replaced by the next before they were shown")
            if page is not None:
                page.kill()
                page.wait()
    return [1000 * s for s in took_s], [1000 * s for s in came]


def main() -> int:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--viewers", type=int, default=20)
    parser.add_argument("--changes", type=int, default=150)
    args = parser.parse_args()
    print(f"{'':<34}{'median':>8}{'95 %':>8}{'most':>8}  ms")
    for name, viewers, told in (
        ("the loop's round, nothing told", 0, False),
        ("the loop's round, nobody listens", 0, True),
        (f"the loop's round, {args.viewers} viewers", args.viewers, True),
        ("the loop's round, nothing told again", 0, False),
    ):
        took, came = rounds(args.changes, viewers, told)
        for label, values in ((name, took), ("from the change to each viewer", came)):
            if values:
                figures = (share(values, 0.5), share(values, 0.95), max(values))
                print(f"{label:<34}" + "".join(f"{value:>8.2f}" for value in figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
