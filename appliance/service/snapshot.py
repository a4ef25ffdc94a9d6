"""A snapshot of the running appliance for other processes: a page, a message broker.

It is what the board shows everybody at the moment: no hidden dice, no hints, no seed, no deck,
nothing from a private page. Names are in `Snapshot.sheets` and `Snapshot.line` only. What the
fields hold is described in docs/formats.md.
"""

import json
import logging
from base64 import b64encode
from collections import deque
from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from itertools import chain, islice
from operator import is_not
from pathlib import Path
from typing import Any, Literal

import cv2

from appliance import words
from appliance.picture import Picture
from appliance.screens.draw import film
from appliance.service.appliance import Appliance
from appliance.service.broadcast import (
    MAX_ENDED_GAMES,
    PAGE_WANTED_FILE,
    SOCKET_FILE,
    STREAM_VERSION,
    Broadcast,
)
from appliance.service.past_games import public_log_text
from appliance.service.ports import Happened
from appliance.service.seen_table import (
    SeenGoal,
    SeenPlaces,
    SeenQuestion,
    goals_of,
    places_of,
    seen_question,
)
from appliance.service.view import SeenSheet, View, Viewer, sheets_of
from appliance.table.prompts.betting import ColourPrompt
from appliance.table.prompts.prompt import Prompt
from appliance.table.prompts.trouble import ClashPrompt, CountPrompt, EntryPrompt, FacePrompt
from appliance.table.prompts.turn import ThrowPrompt
from appliance.table.prompts.wording import count_of_dice
from appliance.table.session import session as sessions
from appliance.table.session.hinting import is_decision_due
from appliance.table.session.listing import offers, ranked_choices
from appliance.table.session.modes import Hinting
from appliance.table.session.prompting import prompt_behind_hint
from appliance.table.session.recording import is_celebrated
from appliance.words import Label, say
from games.values import Choice, DieKind, Draw, Face, Left, Points
from vision.files import system
from vision.files.ordinary import make_file, remove_file

log = logging.getLogger(__name__)

_THROW_PICTURE_PX = 480
"""Longer side."""
_THROW_JPEG_QUALITY = 78
_MAX_EVENTS_A_ROUND = 32
_MAX_STATES = 256
"""The last ones of a game, to which undone events lead back; a game may have ten thousand."""
_THROW_VERBS = frozenset({"roll", "show", "fix", "recolour"})
"""Events after which the picture of the throw is published, with what its dice count as."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """How everything stands."""

    game: int | None = None
    kind: str = ""
    title: str = ""
    shared_rows: bool = False
    origin: str = ""
    state: int = 0
    sheets: tuple[SeenSheet, ...] = ()
    turn: int | None = None
    round: int = 0
    rounds: int | None = None
    dice: tuple[tuple[Face | None, DieKind | None, bool], ...] = ()
    offers: tuple[tuple[str, int | None, str], ...] = ()
    table: SeenPlaces = field(default_factory=SeenPlaces)
    goals: tuple[tuple[SeenGoal, ...], ...] = ()
    question: SeenQuestion | None = None
    winners: tuple[int, ...] = ()
    line: str = ""
    alerts: tuple[str, ...] = ()
    language: str = words.ENGLISH
    board: Picture | None = None


Event = dict[str, Any]
"""An event of the game: a line of its log, with its result."""


def snapshot(
    appliance: Appliance, view: View, origin: str = "", before: sessions.Session | None = None
) -> Snapshot:
    """How everything stands, given a view of the same moment; in the game `before`, if given."""
    session = before or appliance.console.session
    now = Snapshot(
        origin=origin,
        line=_watched(before, prompt_behind_hint(before)) if before else _public_line(appliance),
        board=public_picture(appliance),
        alerts=tuple(alert.sentence for alert in appliance.alerts),
        language=words.spoken.code,
    )
    if session is None:
        return now
    rules = session.record.rules
    state = session.record.state
    ask = rules.ask(state)
    outcome = rules.outcome(state)
    kinds = dict(enumerate(rules.kinds(state)))
    held = sessions.held_slots(session) | set(rules.held(state))
    offered = list[tuple[str, int | None, str]]()
    if is_decision_due(session):
        worth = offers(session)
        for choice in ranked_choices(session):
            offered.append((Label(choice.key), *_points_and_reason(worth[choice])))
    return replace(
        now,
        game=session.record.serial,
        kind=rules.name,
        title=Label(rules.name),
        shared_rows=rules.shared_rows,
        state=len(session.record.log),
        sheets=sheets_of(before) if before else view.sheets,
        turn=None if ask is None else ask.seat,
        round=rules.turn(state),
        rounds=rules.rounds(state) or None,
        dice=tuple((f, kinds.get(s), s in held) for s, f in enumerate(rules.dice(state))),
        offers=tuple(offered),
        table=places_of(rules.table_view(state)),
        goals=goals_of(session),
        question=seen_question(session),
        winners=() if outcome is None else outcome.winners,
    )


def _points_and_reason(points: Points | None) -> tuple[int | None, str]:
    return (None, "") if points is None else (points.points, Label(points.reason))


def public_picture(appliance: Appliance) -> Picture | None:
    """The lights, as far as they are for everybody."""
    page = appliance.console.page
    session = appliance.console.session
    if page is not None:
        return None if page.private else appliance.picture
    if session is None or not isinstance(session.mode, Hinting) or appliance.console.notice:
        return appliance.picture
    return film(prompt_behind_hint(session)).loop[0].picture


def _public_line(appliance: Appliance) -> str:
    """What spectators read of what is asked now; notices do not hide it."""
    page = appliance.console.page
    session = appliance.console.session
    if appliance.activity is not None:
        return appliance.activity.guidance(hands=False).says.strip()
    if page is not None and page.private:
        return ""
    asks = appliance.prompt if page is not None or session is None else prompt_behind_hint(session)
    return _watched(session, asks)


def _watched(session: sessions.Session | None, prompt: Prompt) -> str:
    """Who is asked what, for those who have none of the keys for it."""
    says = prompt.can_do(hands=False).says.strip()
    ask = None if session is None else session.record.ask
    if session is None or ask is None:
        return says
    player = session.record.setup.players[ask.seat]
    match prompt:
        case FacePrompt() | ColourPrompt():
            return say("{player} is asked about one die", player=player)
        case ClashPrompt() | CountPrompt() | EntryPrompt():
            return say("{player} is asked about the dice", player=player)
        case ThrowPrompt(slots=slots):
            return say("{player} throws {dice}", player=player, dice=count_of_dice(len(slots)))
        case _:
            return say("{player} decides", player=player) if says == player else says


class Story:
    """The events of the present game, published as its log grows."""

    def __init__(self) -> None:
        self._game: tuple[int, sessions.Setup] | Literal["none yet"] | None = "none yet"
        self._count = 0
        self._states = deque[Any](maxlen=_MAX_STATES)

    def begin_if_new(self, session: sessions.Session | None) -> bool:
        """True if this is a different game than before; if so, its story begins."""
        game = None if session is None else (session.record.serial, session.record.setup)
        if game == self._game:
            return False
        self._game = game
        self._count = 0
        self._states.clear()
        if session is not None:
            self._states.append(sessions.replay(session.record.setup, ()))
        return True

    def is_behind(self, session: sessions.Session) -> bool:
        """True if this game's story has begun and is not yet published to its end."""
        record = session.record
        return self._game == (record.serial, record.setup) and self._count < len(record.log)

    def next_events(self, session: sessions.Session) -> tuple[Event, ...]:
        """The next events, a round's worth at most; none once all are published."""
        lines = session.record.log[self._count : self._count + _MAX_EVENTS_A_ROUND]
        return tuple(self._next_event(session, line) for line in lines)

    def _next_event(self, session: sessions.Session, line: sessions.LogLine) -> Event:
        rules = session.record.rules
        state = self._states[-1]
        ask = rules.ask(state)
        celebrated, label = False, ""
        text = public_log_text(session.record.setup, line)
        worth: Points | None = None
        match line:
            case sessions.Played(event):
                if isinstance(event, Choice):
                    label = Label(event.key)
                    # Nobody is asked about leaving, and a lot is nobody's choice.
                    if not isinstance(ask, Draw) and not isinstance(event, Left):
                        worth = rules.preview(state, event)
                    celebrated = worth is not None and is_celebrated(rules, event, worth)
                self._states.append(rules.apply(state, event))
            case sessions.Undone(count) if count < len(self._states):
                for _ in range(count):
                    self._states.pop()
            case sessions.Undone():
                events, _ = sessions.standing(session.record.log[: self._count + 1])
                self._states.clear()
                self._states.append(sessions.replay(session.record.setup, events))
            case _:
                pass
        self._count += 1
        after = self._states[-1]
        verb = text.partition(" ")[0]
        points, reason = _points_and_reason(worth)
        return {
            "game": session.record.serial,
            "number": self._count,
            "verb": verb,
            "text": text,
            "seat": None if ask is None else ask.seat,
            "label": label,
            "points": points,
            "reason": reason,
            "scores": rules.scores(after),
            "celebrated": celebrated,
            "over": rules.ask(after) is None,
        }


class Publisher:
    """Tells other processes what happens as soon as it does, while that is switched on.

    The folder holds the socket and the file that asks for a page, which is told what is in `page`,
    and its PIN. For a broker `past` yields the finished games, except those with some numbers.
    """

    def __init__(
        self,
        folder: Path,
        viewer: Viewer,
        origin: str = "",
        page: Mapping[str, object] | None = None,
        past: Callable[[Container[int | None]], Iterator[Event]] | None = None,
    ) -> None:
        self._folder = folder
        self._viewer = viewer
        self._origin = origin
        self._page = page or {}
        self._past = past
        self._pin: str | None = None
        self._broadcast: Broadcast | None = None
        self._story = Story()
        self._events: list[bytes] = []
        self._ended_lines: dict[int | None, bytes] = {}
        self._missed: Iterator[Event] = iter(())
        self._picture = b""
        self._last = Snapshot()
        self._seen: tuple[object, ...] = ()
        self._lights: Picture | None = None
        self._heard: sessions.Session | None = None
        self._left_game: sessions.Session | None = None

    def hear(self, happened: Happened) -> None:
        """Takes note of what happened, also in a game followed by another in the same round."""
        before, self._heard = self._heard, happened.session
        if before and (self._heard is None or self._heard.record.serial != before.record.serial):
            self._left_game = before

    def close(self) -> None:
        """Stops publishing."""
        if self._broadcast is not None:
            self._broadcast.close()
            remove_file(self._folder / PAGE_WANTED_FILE)
        self._broadcast = None

    def _start_or_stop(self, pin: str) -> None:
        """Starts and stops as wanted; readers start over when the PIN changes."""
        if pin == self._pin:
            return
        self.close()
        self._pin = pin
        self._seen = ()
        try:
            if pin or self._past is not None:
                self._broadcast = Broadcast(self._folder / SOCKET_FILE, self._first_lines)
            if pin:
                make_file(self._folder / PAGE_WANTED_FILE)
        except OSError as error:
            log.error("there is no event stream: %s", error)

    def _first_lines(self, user: int) -> Iterator[bytes] | None:
        """The first lines for a newcomer; the PIN is for the page alone."""
        names = system.names_of(user)
        page = system.is_own(user) or "dicetray-web" in names
        if not page and "dicetray-mqtt" not in names:
            return None
        hello = {**self._page, "pin": self._pin} if page else {}
        first = _json_line("hello", hello), _json_line("snapshot", self._last)
        return chain(first, self._events, (self._picture,), self._ended_lines.values())

    def publish(self, appliance: Appliance) -> None:
        """Publishes what is new since the last round; never waits for readers, idle without any."""
        self._start_or_stop(appliance.console.settings.pin or "")
        session = appliance.console.session
        broadcast = self._broadcast
        if broadcast is None or not broadcast.has_readers():
            return
        left, self._left_game = self._left_game, None
        if left is not None and self._story.is_behind(left):
            view = self._viewer.view(appliance)
            self._send_snapshot(broadcast, snapshot(appliance, view, self._origin, left))
            while self._send_events(broadcast, left):
                pass
            self._seen = ()
        # The very same objects show the very same things: most rounds have nothing to say.
        seen = (appliance.console, *appliance.alerts)
        if len(seen) != len(self._seen) or any(map(is_not, seen, self._seen)):
            self._seen = seen
            view = self._viewer.view(appliance)
            self._send_snapshot(broadcast, snapshot(appliance, view, self._origin))
        elif appliance.picture is not self._lights:
            self._send_snapshot(broadcast, replace(self._last, board=public_picture(appliance)))
        self._lights = appliance.picture
        if self._story.begin_if_new(session):
            self._events.clear()
            self._picture = b""
            present = None if session is None else session.record.serial
            sent = {present, *self._ended_lines}
            self._missed = iter(() if self._past is None else self._past(sent))
        if session is not None:
            thrown = [e for e in self._send_events(broadcast, session) if e["verb"] in _THROW_VERBS]
            if thrown and not session.tracked.by_hand and not self._story.is_behind(session):
                self._send_throw(broadcast, appliance, thrown[-1])
        for ended in islice(self._missed, 1):
            if len(self._ended_lines) == MAX_ENDED_GAMES:
                # The oldest: in months of evenings all would take more than the program itself.
                del self._ended_lines[next(iter(self._ended_lines))]
            self._ended_lines[ended["game"]] = _json_line("ended", ended)
            broadcast.send(self._ended_lines[ended["game"]])
        broadcast.serve()

    def _send_events(self, broadcast: Broadcast, session: sessions.Session) -> tuple[Event, ...]:
        events = self._story.next_events(session)
        for event in events:
            self._events.append(_json_line("event", event))
            broadcast.send(self._events[-1])
        return events

    def _send_snapshot(self, broadcast: Broadcast, now: Snapshot) -> None:
        before, self._last = self._last, now
        if replace(now, board=before.board) != before:
            broadcast.send(_json_line("snapshot", now))
        elif now != before:
            broadcast.send(_json_line("board", now.board))

    def _send_throw(self, broadcast: Broadcast, appliance: Appliance, event: Event) -> None:
        lying = [die for die in self._viewer.view(appliance).dice if die.number]
        image = self._viewer.last_read_picture
        if image is None or not lying:
            return
        share = min(1.0, _THROW_PICTURE_PX / max(image.shape[:2]))
        small = cv2.resize(image, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
        _, jpeg = cv2.imencode(".jpg", small, (cv2.IMWRITE_JPEG_QUALITY, _THROW_JPEG_QUALITY))
        thrown = {"game": event["game"], "event": event["number"], "size": small.shape[1::-1]}
        thrown["jpeg"] = b64encode(jpeg.tobytes()).decode()
        thrown["dice"] = [(d.number, d.face, d.outline.round(4).tolist()) for d in lying]
        self._picture = _json_line("picture", thrown)
        broadcast.send(self._picture)


def _json_line(kind: str, value: object) -> bytes:
    return json.dumps({"v": STREAM_VERSION, kind: value}, default=_json_value).encode() + b"\n"


def _json_value(value: Any) -> Any:
    """Lights as hexadecimal digits, other values as objects; for `json.dumps`."""
    if isinstance(value, Picture):
        return value.data.hex()
    return {f.name: getattr(value, f.name) for f in fields(value)}
