"""The page that is board, camera view and buttons in one, drawn from the same view as terminals."""

import re
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from hmac import compare_digest
from pathlib import Path
from queue import Empty, Full, Queue
from secrets import token_urlsafe
from threading import Event
from typing import Any, BinaryIO

import cv2
import numpy as np
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from appliance import words
from appliance.inputs import Key
from appliance.service.view import View
from appliance.terminal.keyboard import (
    ACTION_OF_KEY,
    PEEK_HELD_ACTION,
    PICK_PREFIX,
    POINT_PREFIX,
    REAL_DICE_HELP,
    TYPED_PREFIX,
    UNKNOWN_ACTION,
    SeenAction,
    help_lines,
)
from appliance.web.change import in_cells, shows_more
from appliance.web.pattern import BoardPattern
from appliance.web.reviewing import review_of
from appliance.web.serving import (
    LOOPBACK,
    Channel,
    Server,
    fields_of,
    guarded_app,
    loopback_socket,
    own_names,
    page_routes,
    read_body,
)
from appliance.words import say
from games.record import Record
from vision.files.ordinary import NotOrdinary, open_new, open_to_append, remove_file
from vision.files.system import lock_handle, make_private
from vision.frame import Image

START_CHOICES = ("human", "look", "tutorial", "watch")
"""The choices on the page while nothing is played."""
MAX_WAITING_ACTIONS = 64
"""Waiting to be polled; any more are refused."""
MAX_WAIT_S = 5.0
"""So long may one wait: then nobody polls, and any more are refused, so that people are told."""
_MAX_KEPT_BYTES = 1000
"""Of the file with port and token."""
_ACTION_BY_CHARACTER = {key.decode(): action for key, action in ACTION_OF_KEY.items()}
_KNOWN_ACTIONS = frozenset({*ACTION_OF_KEY.values(), *START_CHOICES, PEEK_HELD_ACTION})

_PASSED_ON = ("typing", "pointing", "still", "looking", "good", "thrown", "occasion")
"""Fields of views that pages get as they are."""

_KNOWN_PREFIXES = (TYPED_PREFIX, POINT_PREFIX, PICK_PREFIX)


class BrowserPage:
    """Draws views like `TerminalView`, is polled like `Keyboard`; neither waits for a browser.

    A file keeps the port and token, so that an open page finds the server after a restart; while
    another program serves a page with it, this one has a port and token of its own. The token
    follows # in the address and is in no request line.

    Args:
        kept: that file.
        clock: monotonic seconds.

    Attributes:
        help: what keys do, one per line.
        occasion: the present `View.occasion`; what was pressed at another one is answered here, and
            not polled. None where whoever polls sees to that.
    """

    def __init__(self, kept: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._stack = ExitStack()
        self._clock, self._waits_since_s = clock, 0.0
        port, self._token = 0, token_urlsafe(24)
        if (file := _lock(kept, self._stack)) is not None:
            with suppress(OSError, ValueError):
                file.seek(0)
                kept_port, kept_token = file.read(_MAX_KEPT_BYTES).decode().split()
                port, self._token = int(kept_port), kept_token
        listening = loopback_socket(port if 0 < port < 65536 else 0)
        self._port = listening.getsockname()[1]
        if file is not None:
            with suppress(OSError):
                file.truncate(0)
                file.write(f"{self._port} {self._token}\n".encode())
        self._redirect: Path | None = None
        self.address = f"http://{LOOPBACK}:{self._port}/#{self._token}"
        self.help: Mapping[Key, str] = REAL_DICE_HELP
        self.occasion: Callable[[], int] | None = None
        self._late = 0
        self._tray: Image | None = None
        self._cells: Image | None = None
        self._frame = 0
        self._released = False
        self._record: Record | None = None
        self._reviewed: tuple[Record, list[dict[str, Any]]] | None = None
        self._arrived = Event()
        self._pressed = Queue[str](MAX_WAITING_ACTIONS)
        self._news = Channel()
        self._board = BoardPattern(self._news)
        self._own_dice = Channel()
        routes = [
            Route("/events", self._stream_news),
            Route("/tray.jpg", self._send_picture),
            Route("/press", self._queue_action, methods=["POST"]),
            Route("/review", self._send_review),
            Route("/own", self._stream_own_dice, methods=["POST"]),
            *page_routes("shared", "/shared"),
            *page_routes("tray"),
        ]
        app = guarded_app(routes, own_names(self._port).__contains__)
        server = Server(app, listening, self._news, self._own_dice)
        self._stack.callback(self._remove_redirect)
        self._stack.callback(server.close)
        self.close = self._stack.close

    def write_redirect(self, folder: Path) -> str:
        """The URL of a private file that leads a browser here; OSError if it cannot be written.

        Unlike the address it may stand in a browser's arguments, which all users of the machine can
        see. The file goes once a page has come, or at the end.
        """
        path = folder / f"dicetray-{self._port}.html"
        with open_new(path) as file:
            self._redirect = path
            make_private(file.fileno())
            page = (
                f'<!doctype html><meta charset="utf-8"><title>dicetray</title>'
                f'<meta http-equiv="refresh" content="0;url={self.address}">'
                f'<a href="{self.address}">dicetray</a>\n'
            )
            file.write(page.encode())
        return path.absolute().as_uri()

    def _remove_redirect(self) -> None:
        path, self._redirect = self._redirect, None
        if path is not None:
            with suppress(OSError, NotOrdinary):
                remove_file(path)

    def draw(self, view: View, first: str = "", log: Sequence[str] = ()) -> None:
        """Shows a view, and `first` above the line that says what can be done."""
        tray = view.tray
        if tray is not None and (self._tray is None or not np.may_share_memory(tray, self._tray)):
            self._tray = tray
            self._tell_of(tray, always=bool(view.looking) or view.pointing)
        self._record = view.record
        self._board.show(None if view.board is None else view.board.data.hex())
        more = {
            "first": first,
            "help": help_lines(self.help),
            "has": [*self.help],
            "actions": _ACTION_BY_CHARACTER,
        }
        self._news.publish("view", public_fields(view) | more)
        self._news.publish("late", self._late)
        self._own_dice.publish("own", view.secret)

    def _tell_of(self, tray: Image, *, always: bool) -> None:
        """Has pages fetch a picture that shows more than the last one they were told of."""
        cells = in_cells(tray)
        if always or self._cells is None or shows_more(cells, self._cells):
            self._cells, self._frame = cells, self._frame + 1
            self._news.publish("frame", self._frame)

    def obey(self, actions: Sequence[str]) -> None:
        """Does nothing: each page shows by itself what concerns it alone."""

    def poll(self, naming: bool = False) -> list[str]:
        """The actions pressed since the last call, like `Keyboard.poll`."""
        self._arrived.clear()
        # In this order: what is released was pressed before.
        released, self._released = self._released, False
        pressed = [self._pressed.get_nowait() for _ in range(self._pressed.qsize())]
        actions = [action for action in pressed if not self._is_late(action)]
        if len(actions) < len(pressed):
            self._late += 1
            self._news.publish("late", self._late)
        return [*actions, UNKNOWN_ACTION] if released else actions

    def _is_late(self, action: str) -> bool:
        """True if an action was meant for dice that do not count any more."""
        if self.occasion is None or not isinstance(action, SeenAction):
            return False
        return action.seen != self.occasion()

    def pause(self, seconds: float) -> bool:
        """Waits this long, or until something is pressed; whether something was."""
        pressed = self._arrived.wait(seconds)
        self._arrived.clear()
        return pressed

    def ask(self, said: str, stopped: Callable[[], bool]) -> str:
        """Waits until somebody says which of `START_CHOICES` to play; empty once `stopped`."""
        self._own_dice.publish("own", "")
        self._news.publish("view", {"asks": say(said)})
        while not stopped():
            with suppress(Empty):
                if (answer := self._pressed.get(timeout=0.2)) in START_CHOICES:
                    return answer
        return ""

    def _check_token(self, request: Request) -> None:
        if not compare_digest(request.headers.get("x-token", "").encode(), self._token.encode()):
            raise HTTPException(403)
        self._remove_redirect()

    async def _stream_news(self, request: Request) -> Response:
        self._check_token(request)
        return self._news.response()

    async def _send_picture(self, request: Request) -> Response:
        self._check_token(request)
        if self._tray is None:
            return Response(status_code=204)
        quality = (cv2.IMWRITE_JPEG_QUALITY, 88)
        _, data = await run_in_threadpool(cv2.imencode, ".jpg", self._tray, quality)
        return Response(data.tobytes(), media_type="image/jpeg")

    async def _send_review(self, request: Request) -> Response:
        """How the game went that is shown, once it is over."""
        self._check_token(request)
        record = self._record
        if record is None:
            raise HTTPException(404)
        if self._reviewed is None or self._reviewed[0] != record:
            self._reviewed = record, await run_in_threadpool(review_of, record)
        return JSONResponse(self._reviewed[1])

    async def _queue_action(self, request: Request) -> Response:
        self._check_token(request)
        action = (await read_body(request)).decode(errors="replace")
        if action not in _KNOWN_ACTIONS and not action.startswith(_KNOWN_PREFIXES):
            raise HTTPException(400)
        now_s = self._clock()
        if self._pressed.empty():
            self._waits_since_s = now_s
        elif now_s - self._waits_since_s >= MAX_WAIT_S:
            raise HTTPException(503)
        try:
            self._pressed.put_nowait(_with_seen(action, request.headers.get("x-seen", "")))
        except Full:
            raise HTTPException(503) from None
        self._arrived.set()
        return Response(status_code=204)

    async def _stream_own_dice(self, request: Request) -> Response:
        """Sends a player's own dice, for as long as a page keeps the connection open."""
        self._check_token(request)

        async def own_dice_events() -> AsyncIterator[bytes]:
            try:
                self._pressed.put_nowait(PEEK_HELD_ACTION)
                self._arrived.set()
                async for event in self._own_dice.events():
                    yield event
            finally:
                self._released = True
                self._arrived.set()

        return StreamingResponse(own_dice_events(), media_type="text/event-stream")


def _with_seen(action: str, seen: str) -> str:
    """An action with the number of the occasion that the page showed, if it says one."""
    return SeenAction(action, int(seen)) if re.fullmatch("[0-9]{1,9}", seen) else action


def _lock(path: Path, stack: ExitStack) -> BinaryIO | None:
    """Opens a private file for this program alone, until the stack ends; None if that fails."""
    with suppress(OSError, NotOrdinary), ExitStack() as opened:
        file = opened.enter_context(open_to_append(path))
        lock_handle(file.fileno())
        make_private(file.fileno())
        stack.push(opened.pop_all())
        return file
    return None


def public_fields(view: View) -> dict[str, object]:
    """What pages get of a view, for `to_json`: no pictures, nothing one player asked to see."""
    return {
        "dice": [(d.number, d.face, d.sure, d.kept, d.outline.tolist()) for d in view.dice],
        "guidance": fields_of(view.guidance) | {"line": view.guidance.line},
        "sheets": view.sheets,
        "table": view.table,
        "language": words.spoken.code,
        **{name: getattr(view, name) for name in _PASSED_ON},
    }
