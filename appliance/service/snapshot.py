"""What other processes learn of the running appliance: a page, a broker of messages.

It is what the board shows to all at the moment: no hidden dice, no hints, no seed, no deck, nothing
of a private page. Names stand in `Snapshot.sheets` and `Snapshot.line` alone.
"""

import json
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from itertools import chain
from operator import is_not
from pathlib import Path
from typing import Any

import cv2

from appliance.journal.log import line_to_text
from appliance.picture import Picture
from appliance.rules.game import Choice, Choose, DieKind, Draw, Face, Left, Points, TableView
from appliance.screens.draw import film
from appliance.service.appliance import Appliance
from appliance.service.broadcast import VERSION, Broadcast
from appliance.service.guide import guide
from appliance.service.view import SeenSheet, Viewer, sheets_of
from appliance.table.session.modes import Hinting
from appliance.table.session.prompting import prompt as prompt_of
from appliance.table.session.recording import celebrates
from appliance.table.session.session import (
    LogLine,
    Played,
    Seeded,
    Session,
    Setup,
    Undone,
    ranked_choices,
)
from vision.geometry.profile import Profile

_SIDE, _QUALITY = 480, 78
"""Pixels of the longer side of a throw's picture, and the quality of its JPEG."""
_THROWS = frozenset({"roll", "show", "fix", "recolour"})
"""Events after which the picture of the throw is told, with what its dice count as."""
_AT_ONCE = 32
"""Events that a round of the loop tells at most; more wait for the next."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """How everything stands.

    Attributes:
        game: its number in the journal; None while there is none.
        kind: the game's name in the registry; `title` is that on the board.
        origin: who plays, as in `appliance.journal.origin`.
        state: lines of the game's log: the number of its last event.
        sheets: of all players in seat order.
        turn: the seat that is asked; None once the game is over.
        round: the number of the turn or hand.
        dice: of the roll on the table by slot: face, colour where that counts, whether held.
        offers: what the one on turn may choose: label, what it gives now, why.
        table: what lies on the table for all.
        winners: the seats that won; empty until then.
        line: what may be done now.
        alerts: what is wrong.
        board: the lights; None while they are only for those at the tray.
    """

    game: int | None = None
    kind: str = ""
    title: str = ""
    origin: str = ""
    state: int = 0
    sheets: tuple[SeenSheet, ...] = ()
    turn: int | None = None
    round: int = 0
    dice: tuple[tuple[Face | None, DieKind | None, bool], ...] = ()
    offers: tuple[tuple[str, int | None, str], ...] = ()
    table: TableView = field(default_factory=TableView)
    winners: tuple[int, ...] = ()
    line: str = ""
    alerts: tuple[str, ...] = ()
    board: Picture | None = None


@dataclass(frozen=True, slots=True)
class GameEvent:
    """A line of the game's log.

    Attributes:
        game: as in `Snapshot`.
        number: of the line, from 1 and without gaps.
        verb: `roll`, `score`, ...; `holding`; `undo`, which takes back so many events that are not
            `holding`; `seed` for the lots, without what they follow from.
        text: the line as the journal has it, but for a seed.
        seat: who was asked; None where nobody was.
        label: the choice as the board calls it; empty for what is none.
        points: what it gave, and why in `reason`; None where it gives none by itself.
        celebrated: whether the board makes fireworks of it.
        scores: of all seats after it.
        over: whether the game is over with it.
    """

    game: int
    number: int
    verb: str
    text: str
    seat: int | None
    label: str
    points: int | None
    reason: str
    celebrated: bool
    scores: tuple[int, ...]
    over: bool


def snapshot(appliance: Appliance, line: str, origin: str = "") -> Snapshot:
    """How everything stands.

    Args:
        appliance: the running one.
        line: what may be done now, as a view has it.
        origin: who plays.
    """
    console, board = appliance.console, shown_board(appliance)
    session = console.session
    if console.page is not None and console.page.private:
        line = ""
    elif hidden := _behind_hint(appliance):
        line = guide(prompt_of(hidden), hands=False).line
    alerts = tuple(a.sentence for a in (appliance.disk, appliance.alert) if a is not None)
    if session is None:
        return Snapshot(origin=origin, line=line, alerts=alerts, board=board)
    rules, state = session.rules, session.state
    ask, outcome = rules.ask(state), rules.outcome(state)
    kinds, held = dict(enumerate(rules.kinds(state))), session.holds | set(rules.held(state))
    offers = []
    if isinstance(ask, Choose) and not isinstance(ask, Draw):
        for choice in ranked_choices(session):
            worth = rules.preview(state, choice)
            offers.append(
                (choice.label, worth.points if worth else None, worth.reason if worth else "")
            )
    return Snapshot(
        game=session.serial,
        kind=rules.NAME,
        title=rules.TITLE,
        origin=origin,
        state=len(session.log),
        sheets=sheets_of(session),
        turn=None if ask is None else ask.seat,
        round=rules.turn(state),
        dice=tuple((f, kinds.get(s), s in held) for s, f in enumerate(rules.dice(state))),
        offers=tuple(offers),
        table=rules.table_view(state),
        winners=() if outcome is None else outcome.winners,
        line=line,
        alerts=alerts,
        board=board,
    )


def shown_board(appliance: Appliance) -> Picture | None:
    """The lights, as far as they are for everybody."""
    page = appliance.console.page
    if page is not None and page.private:
        return None
    hidden = _behind_hint(appliance)
    return film(prompt_of(hidden)).loop[0].picture if hidden else appliance.picture


def _behind_hint(appliance: Appliance) -> Session | None:
    """The game without the hint that is up, which is for whoever asked; None if none is up."""
    console = appliance.console
    session = console.session
    if console.page is not None or console.notice is not None:
        return None
    if session is None or not isinstance(session.mode, Hinting):
        return None
    return replace(session, mode=session.mode.back)


class Story:
    """The events of the present game, told as its log grows."""

    def __init__(self) -> None:
        self._game: tuple[int, Setup] | None = None
        self._told = 0
        self._states: list[Any] = []

    def begins(self, session: Session | None) -> bool:
        """Whether this is another game than before; then its story begins."""
        game = None if session is None else (session.serial, session.setup)
        if game == self._game:
            return False
        self._game, self._told = game, 0
        if session is not None:
            self._states = [session.rules.start(session.setup.players, dict(session.setup.options))]
        return True

    def tell(self, session: Session) -> tuple[GameEvent, ...]:
        """The next events, a round's worth at most; none once all are told."""
        lines = session.log[self._told : self._told + _AT_ONCE]
        return tuple(self._next(session, line) for line in lines)

    def _next(self, session: Session, line: LogLine) -> GameEvent:
        rules, state = session.rules, self._states[-1]
        ask, label, text = rules.ask(state), "", line_to_text(session.setup, line)
        worth: Points | None = None
        match line:
            case Played(event):
                if isinstance(event, Choice):
                    label = event.label
                    # Nobody is asked about leaving, and a lot is nobody's choice.
                    if not isinstance(ask, Draw) and not isinstance(event, Left):
                        worth = rules.preview(state, event)
                self._states.append(rules.apply(state, event))
            case Undone(count):
                del self._states[-count:]
            case Seeded():
                text = "seed"
            case _:
                pass
        self._told += 1
        after = self._states[-1]
        return GameEvent(
            game=session.serial,
            number=self._told,
            verb=text.partition(" ")[0],
            text=text,
            seat=None if ask is None else ask.seat,
            label=label,
            points=worth.points if worth else None,
            reason=worth.reason if worth else "",
            celebrated=worth is not None and celebrates(rules, label, worth),
            scores=rules.scores(after),
            over=rules.ask(after) is None,
        )


class Publisher:
    """Tells the readers of a socket what happens, as soon as it does.

    Args:
        path: the socket; OSError if it cannot be made.
        profile: gives the geometry by which pictures are cropped; without one there are none.
        origin: who plays.
        hello: what a newcomer is to know besides, by the number of its user; None turns it away.
    """

    def __init__(
        self,
        path: Path,
        profile: Callable[[], Profile | None],
        origin: str = "",
        hello: Callable[[int], Mapping[str, str] | None] = lambda _: {},
    ) -> None:
        self._profile, self._origin, self._hello = profile, origin, hello
        self._viewer = Viewer(profile)
        self._story = Story()
        self._events: list[bytes] = []
        self._picture = b""
        self._last = Snapshot()
        self._seen: tuple[object, ...] = ()
        self._lights: Picture | None = None
        self.look, self.hear = self._viewer.look, self._viewer.hear
        self._broadcast = Broadcast(path, self._welcome)
        self.close = self._broadcast.close

    def _welcome(self, user: int) -> Iterator[bytes] | None:
        hello = self._hello(user)
        if hello is None:
            return None
        first = _line("hello", hello), _line("snapshot", self._last)
        return chain(first, self._events, (self._picture,))

    def publish(self, appliance: Appliance) -> None:
        """Tells what is new since the last round; never waits for a reader."""
        session = appliance.console.session
        # The very same values show the very same things: most rounds have nothing to say.
        seen = (appliance.console, appliance.disk, appliance.alert)
        if not self._seen or any(map(is_not, seen, self._seen)):
            self._seen = seen
            line = self._viewer.view(appliance).guidance.line
            self._show(snapshot(appliance, line, self._origin))
        elif appliance.picture is not self._lights:
            self._show(replace(self._last, board=shown_board(appliance)))
        self._lights = appliance.picture
        if self._story.begins(session):
            self._events.clear()
            self._picture = b""
        if session is not None:
            thrown = None
            for event in self._story.tell(session):
                self._events.append(_line("event", event))
                self._broadcast.tell(self._events[-1])
                thrown = event if event.verb in _THROWS else thrown
            if thrown is not None and not session.by_hand:
                self._show_throw(appliance, thrown)
        self._broadcast.go_on()

    def _show(self, now: Snapshot) -> None:
        if now != self._last:
            only_lights = replace(now, board=self._last.board) == self._last
            self._last = now
            told = _line("board", now.board) if only_lights else _line("snapshot", now)
            self._broadcast.tell(told)

    def _show_throw(self, appliance: Appliance, event: GameEvent) -> None:
        view = self._viewer.view(appliance)
        if view.tray is None or not view.dice or self._profile() is None:
            return
        share = min(1.0, _SIDE / max(view.tray.shape[:2]))
        small = cv2.resize(view.tray, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
        _, jpeg = cv2.imencode(".jpg", small, (cv2.IMWRITE_JPEG_QUALITY, _QUALITY))
        told = {
            "game": event.game,
            "event": event.number,
            "size": small.shape[1::-1],
            "jpeg": b64encode(jpeg.tobytes()).decode(),
            "dice": [
                (d.number, d.face, d.outline.round(4).tolist()) for d in view.dice if d.number
            ],
        }
        self._picture = _line("picture", told)
        self._broadcast.tell(self._picture)


def _line(kind: str, value: object) -> bytes:
    return json.dumps({"v": VERSION, kind: value}, default=_plain).encode() + b"\n"


def _plain(value: Any) -> Any:
    """Lights as hexadecimal digits, other values as objects."""
    if isinstance(value, Picture):
        return value.data.hex()
    return {f.name: getattr(value, f.name) for f in fields(value)}
