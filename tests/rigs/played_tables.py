"""Games as an appliance tells them to other processes, without a camera: played at random."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from threading import Event, Lock, Thread
from typing import Any

from appliance.journal.log import line_to_text
from appliance.service.broadcast import STREAM_VERSION, Broadcast
from appliance.service.snapshot import Story
from appliance.table.session.session import Session, Setup, new_session
from appliance.words import Label
from games.chance import random_event


def snapshot(session: Session) -> dict[str, Any]:
    """How a game stands, as `appliance.service.snapshot` tells it."""
    rules, state = session.record.rules, session.record.state
    ask, outcome = rules.ask(state), rules.outcome(state)
    seats = range(len(session.record.setup.players))
    return {
        "game": session.record.serial,
        "kind": rules.name,
        "title": Label(rules.name),
        "origin": "appliance",
        "state": len(session.record.log),
        "sheets": [
            {"player": session.record.setup.players[seat], "total": rules.scores(state)[seat]}
            for seat in seats
        ],
        "turn": None if ask is None else ask.seat,
        "round": rules.turn(state),
        "dice": [(face, None, False) for face in rules.dice(state)],
        "winners": [] if outcome is None else list(outcome.winners),
        "line": "" if ask is None else f"{session.record.setup.players[ask.seat]}: throw",
        "alerts": [],
    }


def line(kind: str, what: Any) -> dict[str, Any]:
    """A line as it is sent."""
    told: dict[str, Any] = json.loads(json.dumps({"v": STREAM_VERSION, kind: what}))
    return told


def lines(session: Session, story: Story) -> Iterator[dict[str, Any]]:
    """The lines sent at this point of a session: how it stands, then what is new in its log."""
    story.begin_if_new(session)
    yield line("snapshot", snapshot(session))
    while events := story.next_events(session):
        yield from (line("event", event) for event in events)


def played(setup: Setup, serial: int, random: Random) -> Iterator[Session]:
    """A game played at random: the session at its start, then after each event."""
    session = new_session(setup, serial)
    yield session
    while (event := random_event(session.record.rules, session.record.state, random)) is not None:
        session = replace(session, record=session.record.played(event))
        yield session


def log_texts(session: Session) -> list[str]:
    """Its log, as it is sent."""
    return [line_to_text(session.record.setup, entry) for entry in session.record.log]


class TellingTable:
    """An appliance's end of the socket: sends the current game so far, then what follows."""

    def __init__(self, path: Path, setup: Setup, serial: int = 1, seed: int = 1) -> None:
        self._setup, self._serial, self._random = setup, serial, Random(seed)
        self._lock, self._ended = Lock(), Event()
        self._broadcast = Broadcast(path, self._welcome)
        self._begin()
        self._thread = Thread(target=self._go_on)
        self._thread.start()

    def _begin(self) -> None:
        self.session = new_session(self._setup, self._serial)
        self._rest = played(self._setup, self._serial, self._random)
        self._story = Story()

    def _welcome(self, _: int) -> Iterator[bytes]:
        return map(_bytes, (line("hello", {}), *lines(self.session, Story())))

    def _go_on(self) -> None:
        while not self._ended.wait(0.005):
            with self._lock:
                self._broadcast.serve()

    def play(self, most: int = 10_000) -> bool:
        """Plays on for at most this many events; returns whether the game is over."""
        for _ in range(most):
            session = next(self._rest, None)
            if session is None:
                return True
            with self._lock:
                self.session = session
                for told in lines(session, self._story):
                    self._broadcast.send(_bytes(told))
        return False

    def next_game(self) -> None:
        """Begins another game."""
        with self._lock:
            self._serial += 1
            self._begin()

    def close(self) -> None:
        """Stops, and closes the socket."""
        self._ended.set()
        self._thread.join()
        self._broadcast.close()


def _bytes(told: dict[str, Any]) -> bytes:
    return json.dumps(told).encode() + b"\n"
