#!/usr/bin/env python3
"""A club's evening on real brokers: simulated tables, kills, what is lost, what it costs.

    scripts/bench_club.py --tables 10 50 100
    scripts/bench_club.py --tables 40 --halls 2 [--away 60]

Each table is a process that plays random games of Classic and publishes them as `dicetray mqtt`
does. Half way, a tenth of the tables, the page and the broker are killed (SIGKILL) and restarted.
At the end what the page and the broker have is compared with what was played. Loopback only.

With `--halls`, each hall has a Mosquitto of its own, bridged to the page's as docs/club.md says.
Nobody is killed, but nothing gets through to one hall for a time, as if its cable were cut.
With `--broker`, the page's broker is any other that is there and has nothing yet.
"""

import argparse
import asyncio
import encodings.idna  # noqa: F401 (a forked process cannot import it)
import json
import multiprocessing
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion

from appliance.club.evening import game_id
from appliance.config.settings import MqttConfig
from appliance.mqtt.broker import Bridge
from appliance.mqtt.messages import Composer, message_of
from appliance.service.snapshot import Story
from appliance.table.session.session import Setup
from tests.rigs.mosquitto import PROGRAM, Mosquitto, free_port
from tests.rigs.played_tables import lines, log_texts, played

TICKS = os.sysconf("SC_CLK_TCK")
QUIET_S = 12.0
SETUP = Setup("classic", ("ANNA", "BERT"))


def table(folder: Path, name: str, url: str, pace: float) -> None:
    """Plays for ever, resuming from its journal; a line is written there before it is published."""
    settings = MqttConfig(broker=url, tray=Path(name).name, names=True, discovery="")
    bridge, journal, stop = Bridge(settings), folder / f"{name}.journal", folder / "stop"
    threading.Thread(target=bridge.keep_connected, daemon=True).start()
    bridge.publish(message_of(settings, "online", "available"))
    done = journal.read_text().splitlines() if journal.exists() else []
    serial, random = max(1, len({json.loads(line)["game"] for line in done})), Random()
    had = sum(json.loads(line)["game"] == serial for line in done)
    teller, story = Composer(settings, time.time), Story()
    with journal.open("a", encoding="utf-8") as file:
        while True:
            for session in played(SETUP, serial, Random(f"{name} {serial}")):
                number = len(session.record.log)
                if number > had:
                    if stop.exists():
                        time.sleep(60)
                    time.sleep(random.expovariate(pace))
                    text = log_texts(session)[-1]
                    outcome = session.record.rules.outcome(session.record.state)
                    scores = list(outcome.scores) if outcome else None
                    file.write(json.dumps({"game": serial, "text": text, "scores": scores}) + "\n")
                    file.flush()
                if number >= had:
                    for line in lines(session, story):
                        bridge.publish(*teller.messages(line))
            serial, had = serial + 1, 0


class Viewer(threading.Thread):
    """An open page: measures how late it hears of each state."""

    def __init__(self, port: int) -> None:
        super().__init__(daemon=True)
        self._url = f"http://127.0.0.1:{port}/events"
        self.late_s: list[float] = []
        self.newest: dict[str, str] = {}

    def await_tables(self, number: int) -> None:
        """Waits until the page knows this many tables, and the state of each."""

        def are_there() -> bool:
            return sum(kind.startswith("state ") for kind in tuple(self.newest)) >= number

        await_that(are_there, "the page does not come")

    def run(self) -> None:
        """Listens, and again when the page comes back."""
        while True:
            with (
                suppress(OSError, ValueError),
                urllib.request.urlopen(self._url, timeout=20) as stream,
            ):
                kind = ""
                for raw in stream:
                    line = raw.decode().rstrip("\n")
                    if line.startswith("event: "):
                        kind = line[7:]
                    elif line.startswith("data: "):
                        now = time.time()
                        self.newest[kind] = line[6:]
                        if kind.startswith("state "):
                            self.late_s.append(now - json.loads(line[6:])["at"])
            time.sleep(0.2)


def await_that(holds: Callable[[], bool], otherwise: str) -> float:
    """Waits until a condition holds; returns for how many seconds."""
    began = time.monotonic()
    while not holds():
        assert time.monotonic() < began + 90, otherwise
        time.sleep(0.1)
    return time.monotonic() - began


def used(pid: int) -> tuple[float, int]:
    """CPU seconds that a process has used, and its memory in MB."""
    with suppress(OSError):
        stat = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
        return (int(stat[11]) + int(stat[12])) / TICKS, pages * os.sysconf("SC_PAGE_SIZE") >> 20
    return 0.0, 0


def share(values: list[float], part: float) -> float:
    ranked = sorted(values) or [float("nan")]
    return 1000 * ranked[min(len(ranked) - 1, int(part * len(ranked)))]


FORK = multiprocessing.get_context("fork")


@dataclass(frozen=True, slots=True)
class Above:
    """The broker of the page: a port of this machine, and who may use it, if not everybody."""

    port: int
    user: str = ""
    password: str = ""

    @property
    def url(self) -> str:
        """The URL as it stands in the settings."""
        return f"mqtt://127.0.0.1:{self.port}"


def above(text: str) -> Above:
    """Parses a broker on a command line: `[USER:PASSWORD@]PORT`."""
    user, _, port = text.rpartition("@")
    name, _, password = user.partition(":")
    return Above(int(port), name, password)


def page_begins(folder: Path, broker: Above, port: int) -> subprocess.Popen[bytes]:
    """A club's page for a broker."""
    config, secret = folder / "club.toml", folder / "secret"
    lines = ["[mqtt]", f'broker = "{broker.url}"']
    if broker.user:
        secret.touch(0o600)
        secret.write_text(broker.password, encoding="utf-8")
        lines += [f'user = "{broker.user}"', f'password_file = "{secret}"']
    config.write_text("\n".join(lines) + "\n", encoding="utf-8")
    command = [sys.executable, "-m", "appliance.cli.program", "club", "--config", str(config)]
    command += ["--games", str(folder / "club.jsonl"), "--port", str(port)]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL)


def table_begins(folder: Path, name: str, url: str, pace: float) -> Any:
    """A table of a broker, as a process."""
    process = FORK.Process(target=table, args=(folder, name, url, pace), daemon=True)
    process.start()
    return process


def evening(
    folder: Path, tables: int, seconds: float, pace: float, *, kills: bool, quiet_s: float = QUIET_S
) -> bool:
    """Plays, kills, measures, compares; returns whether all was right."""
    broker, port, random = Mosquitto(folder), free_port(), Random(tables)
    page = page_begins(folder, Above(broker.port), port)
    viewer = Viewer(port)
    viewer.start()
    names = [f"table-{n}" for n in range(1, tables + 1)]
    running = {name: table_begins(folder, name, broker.url, pace) for name in names}
    try:
        viewer.await_tables(tables)
        time.sleep(2)
        viewer.late_s.clear()
        before = (
            time.time(),
            used(broker.pid),
            used(page.pid),
            [used(p.pid)[0] for p in running.values()],
        )
        time.sleep(seconds / 2)
        calm, late = time.time() - before[0], list(viewer.late_s)
        costs = [used(broker.pid), used(page.pid)]
        of_tables = sum(used(p.pid)[0] for p in running.values()) - sum(before[3])
        back_s = 0.0
        if kills:
            for name in random.sample(names, max(1, tables // 10)):
                running[name].kill()
                running[name].join()
                time.sleep(0.1)
                running[name] = table_begins(folder, name, broker.url, pace)
            page.kill()
            page.wait()
            time.sleep(seconds / 10)
            viewer.newest.clear()
            began, page = time.time(), page_begins(folder, Above(broker.port), port)
            viewer.await_tables(tables)
            back_s = time.time() - began
            time.sleep(seconds / 10)
            broker.stop(kill=True)
            time.sleep(seconds / 10)
            broker.start()
            time.sleep(seconds / 5)
        (folder / "stop").touch()
        time.sleep(quiet_s + tables / 10)
        cores = [(end[0] - begin[0]) / calm for begin, end in zip(before[1:3], costs, strict=True)]
        mistakes, events, over = compared(folder, names, Above(broker.port), viewer)
        print(
            f"{tables} tables: {events} events, {over} games over, {len(mistakes)} mistakes; "
            f"{len(late) / calm:.0f} states/s on the page, late by {share(late, 0.5):.0f} ms, "
            f"95 % {share(late, 0.95):.0f} ms; cores: broker {cores[0]:.2f}, page "
            f"{cores[1]:.2f}, tables {of_tables / calm:.2f}; MB: broker {costs[0][1]}, page "
            f"{costs[1][1]}; a killed page is back in {back_s:.1f} s",
            flush=True,
        )
        for mistake in mistakes[:10]:
            print(f"  {mistake}")
        return not mistakes
    finally:
        for process in running.values():
            process.kill()
            process.join()
        page.kill()
        page.wait()
        broker.stop(kill=True)


def cable(port: int, to_port: int) -> None:
    """Passes on all that comes at a port of this machine to another, until it is killed."""

    async def pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(65536):
                writer.write(data)
                await writer.drain()
        writer.close()

    async def connect(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there = await asyncio.open_connection("127.0.0.1", to_port)
        await asyncio.gather(pass_on(reader, there[1]), pass_on(there[0], writer))

    async def serve() -> None:
        async with await asyncio.start_server(connect, "127.0.0.1", port) as server:
            await server.serve_forever()

    asyncio.run(serve())


def bridged(hall: str, port: int, broker: Above) -> list[str]:
    """The lines of docs/club.md that bridge a hall's Mosquitto, here to a port of this machine."""
    text = (Path(__file__).parents[1] / "docs/club.md").read_text("utf-8")
    (block,) = re.findall(r"^((?:    .*\n)+)", text[text.index("    connection ") :], re.MULTILINE)
    lines = block.replace("hall-a", hall).replace("broker.local:1883", f"127.0.0.1:{port}")
    login = [f"remote_username {broker.user}", f"remote_password {broker.password}"]
    return [line.strip() for line in lines.splitlines()] + (login if broker.user else [])


def halls_evening(
    folder: Path,
    tables: int,
    halls: int,
    pace: float,
    away_s: float,
    broker: Above | None = None,
    *,
    quiet_s: float = QUIET_S,
) -> bool:
    """Plays in halls, one of which is cut off for a time; returns whether all was right."""
    brokers = {} if broker else {"": Mosquitto(folder)}
    broker = broker or Above(brokers[""].port)
    port, hall_names = free_port(), [f"hall-{chr(97 + n)}" for n in range(halls)]
    cut = hall_names[0]
    names = [f"{hall}/table-{n}" for hall in hall_names for n in range(1, tables // halls + 1)]
    cables = {}
    for hall in hall_names:
        (folder / hall).mkdir()
        own = free_port()
        cables[hall] = FORK.Process(target=cable, args=(own, broker.port))
        cables[hall].start()
        lines = bridged(hall, own, broker)
        brokers[hall] = Mosquitto(folder / hall, "allow_anonymous true", *lines)
    page, viewer = page_begins(folder, broker, port), Viewer(port)
    viewer.start()
    running = [
        table_begins(folder, name, brokers[name.partition("/")[0]].url, pace) for name in names
    ]

    def says_away(*halls: str) -> bool:
        online = {name for name in names if viewer.newest.get(f"available {name}") == "true"}
        said = json.loads(viewer.newest.get("away", "[]")) == [*halls]
        return said and online == {name for name in names if name.partition("/")[0] not in halls}

    try:
        viewer.await_tables(len(names))
        await_that(says_away, "not all halls are there")
        time.sleep(5)
        pid = cables[cut].pid
        assert pid is not None
        os.kill(pid, signal.SIGSTOP)
        noticed_s = await_that(lambda: says_away(cut), "nobody says that a hall is away")
        viewer.late_s.clear()
        time.sleep(max(0.0, away_s - noticed_s))
        others = share(viewer.late_s, 0.5), share(viewer.late_s, 0.95)
        os.kill(pid, signal.SIGCONT)
        back_s = await_that(says_away, "nobody says that the hall is back")
        time.sleep(5)
        (folder / "stop").touch()
        time.sleep(quiet_s + len(names) / 10)
        mistakes, events, over = compared(folder, names, broker, viewer)
        print(
            f"{halls} halls, {len(names)} tables: {events} events, {over} games over, "
            f"{len(mistakes)} mistakes; {cut} cut off for {away_s:.0f} s, said after "
            f"{noticed_s:.1f} s, meanwhile others late by {others[0]:.0f} ms, 95 % "
            f"{others[1]:.0f} ms; said to be back after {back_s:.1f} s",
            flush=True,
        )
        for mistake in mistakes[:10]:
            print(f"  {mistake}")
        return not mistakes
    finally:
        for process in (*running, *cables.values()):
            process.kill()
            process.join()
        page.kill()
        page.wait()
        for one in brokers.values():
            one.stop(kill=True)


def compared(
    folder: Path, names: list[str], broker: Above, viewer: Viewer
) -> tuple[list[str], int, int]:
    """How broker, page and league differ from what was played; how many events, finished games."""
    kept: dict[str, str] = {}
    client = Client(CallbackAPIVersion.VERSION2)
    client.on_message = lambda _, __, m: kept.update({m.topic: m.payload.decode()})
    client.username_pw_set(broker.user or None, broker.password or None)
    client.connect("127.0.0.1", broker.port)
    client.loop_start()
    # One after the other, as a broker queues no more than 1000 messages.
    for name in names:
        client.subscribe(f"dicetray/{name}/#", 1)
        time.sleep(0.3)
    time.sleep(1)
    client.loop_stop()
    league = [json.loads(line) for line in (folder / "club.jsonl").read_text().split("\n") if line]
    mistakes, events, over = [], 0, 0
    for name in names:
        logs: dict[int, list[dict[str, Any]]] = {}
        for line in (folder / f"{name}.journal").read_text().splitlines():
            entry = json.loads(line)
            logs.setdefault(entry["game"], []).append(entry)
        present = max(logs)
        events += sum(map(len, logs.values()))
        for game, log in logs.items():
            texts = [entry["text"] for entry in log]
            if game == present:
                has = [
                    json.loads(kept.get(f"dicetray/{name}/log/{n}", "{}"))
                    for n in range(1, len(log) + 1)
                ]
                if [event.get("text") for event in has] != texts:
                    mistakes.append(f"{name}: log of game {game} with the broker")
                # After a game that is over the next may have begun, without an event yet.
                right = {str(len(log)), *(["0"] if log[-1]["scores"] else [])}
                if viewer.newest.get(f"whole {name}") not in right:
                    whole = viewer.newest.get(f"whole {name}")
                    mistakes.append(f"{name}: page has {whole} of {len(log)} events")
            if log[-1]["scores"] is None:
                continue
            over += 1
            wanted = game_id(name, game, texts)
            found = [line for line in league if line["id"] == wanted]
            if [(line["scores"], line["events"]) for line in found] != [
                (log[-1]["scores"], len(log))
            ]:
                mistakes.append(f"{name}: game {game} is {len(found)} times in the league")
    if len(league) != over:
        mistakes.append(f"{len(league)} games in the league, {over} were played to their end")
    return mistakes, events, over


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--tables", type=int, nargs="+", default=[10, 50, 100])
    parser.add_argument("--seconds", type=float, default=40.0)
    parser.add_argument("--pace", type=float, default=4.0, help="events a second at each table")
    parser.add_argument("--no-kills", action="store_true")
    parser.add_argument("--halls", type=int, default=0, help="so many, each with a broker")
    parser.add_argument("--away", type=float, default=60.0, help="seconds that a hall is cut off")
    parser.add_argument(
        "--broker", type=above, metavar="[USER:PASSWORD@]PORT", help="the page's, with --halls"
    )
    args = parser.parse_args()
    if PROGRAM is None:
        print("expected mosquitto, found none: apt-get install mosquitto", file=sys.stderr)
        return 2
    right = True
    for tables in args.tables:
        with tempfile.TemporaryDirectory() as folder:
            kills = not args.no_kills
            if args.halls:
                halls = tables, args.halls, args.pace, args.away
                right &= halls_evening(Path(folder), *halls, args.broker)
            else:
                right &= evening(Path(folder), tables, args.seconds, args.pace, kills=kills)
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
