"""The page that is board, camera view and buttons in one, drawn from the same view as terminals."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from hmac import compare_digest
from pathlib import Path
from queue import Empty, Full, Queue
from secrets import token_urlsafe

import cv2
import numpy as np
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Mount, Route

from appliance import words
from appliance.inputs import Key
from appliance.service.view import View
from appliance.terminal.keyboard import (
    ACTION_OF_KEY,
    PEEK_HELD_ACTION,
    POINT_PREFIX,
    REAL_DICE_HELP,
    TYPED_PREFIX,
    UNKNOWN_ACTION,
)
from appliance.web.serving import (
    LOOPBACK,
    Channel,
    Server,
    guarded_app,
    loopback_socket,
    own_names,
    page_files,
    read_body,
)
from appliance.words import say
from vision.frame import Image
from vision.ordinary import read_all, write_all

START_CHOICES = ("human", "tutorial", "watch")
"""What the page offers while nothing is played."""
MAX_WAITING_ACTIONS = 64
"""Waiting to be polled; any more are refused."""
_ACTION_BY_CHARACTER = {key.decode(): action for key, action in ACTION_OF_KEY.items()}
_KNOWN_ACTIONS = frozenset({*ACTION_OF_KEY.values(), *START_CHOICES, PEEK_HELD_ACTION})


class BrowserPage:
    """Draws views like `TerminalView`, is polled like `Keyboard`; neither waits for a browser.

    A file keeps the port and token, so that an open page finds the server after a restart. The
    token follows # in the address and is in no request line; `help` is what keys do, one per line.
    """

    def __init__(self, kept: Path) -> None:
        port, self._token = "0", token_urlsafe(24)
        with suppress(OSError, ValueError):
            port, self._token = read_all(kept).decode().split()
        listening = loopback_socket(int(port) if port.isdecimal() else 0)
        number = listening.getsockname()[1]
        with suppress(OSError):
            write_all(kept, f"{number} {self._token}\n".encode(), mode=0o600)
        self.address = f"http://{LOOPBACK}:{number}/#{self._token}"
        self.help: Mapping[Key, str] = REAL_DICE_HELP
        self._tray: Image | None = None
        self._frame = 0
        self._released = False
        self._pressed = Queue[str](MAX_WAITING_ACTIONS)
        self._news = Channel()
        self._own_dice = Channel()
        routes = [
            Route("/events", self._stream_news),
            Route("/tray.jpg", self._send_picture),
            Route("/press", self._queue_action, methods=["POST"]),
            Route("/own", self._stream_own_dice, methods=["POST"]),
            Mount("/shared", page_files("shared")),
            Mount("/", page_files("tray")),
        ]
        app = guarded_app(routes, own_names(number).__contains__)
        self.close = Server(app, listening, self._news, self._own_dice).close

    def draw(self, view: View, first: str = "", log: Sequence[str] = ()) -> None:
        """Shows a view, and `first` above the line that says what can be done."""
        tray = view.tray
        if tray is not None and (self._tray is None or not np.may_share_memory(tray, self._tray)):
            self._tray, self._frame = tray, self._frame + 1
            self._news.publish("frame", self._frame)
        more = {
            "first": first,
            "help": [*map(say, self.help.values())],
            "has": [*self.help],
            "actions": _ACTION_BY_CHARACTER,
        }
        self._news.publish("view", public_fields(view) | more)
        self._own_dice.publish("own", view.secret)

    def obey(self, actions: Sequence[str]) -> None:
        """Does nothing: each page shows by itself what concerns it alone."""

    def poll(self, naming: bool = False) -> list[str]:
        """What was pressed since the last call, like `Keyboard.poll`."""
        # In this order: what is released was pressed before.
        released, self._released = self._released, False
        actions = [self._pressed.get_nowait() for _ in range(self._pressed.qsize())]
        return [*actions, UNKNOWN_ACTION] if released else actions

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

    async def _queue_action(self, request: Request) -> Response:
        self._check_token(request)
        action = (await read_body(request)).decode(errors="replace")
        if action not in _KNOWN_ACTIONS and not action.startswith((TYPED_PREFIX, POINT_PREFIX)):
            raise HTTPException(400)
        try:
            self._pressed.put_nowait(action)
        except Full:
            raise HTTPException(503) from None
        return Response(status_code=204)

    async def _stream_own_dice(self, request: Request) -> Response:
        """Sends a player's own dice, for as long as a page keeps the connection open."""
        self._check_token(request)

        async def own_dice_events() -> AsyncIterator[bytes]:
            try:
                self._pressed.put_nowait(PEEK_HELD_ACTION)
                async for event in self._own_dice.events():
                    yield event
            finally:
                self._released = True

        return StreamingResponse(own_dice_events(), media_type="text/event-stream")


def public_fields(view: View) -> dict[str, object]:
    """What pages get of a view: everything but the picture and what one player asked to see."""
    return {
        "board": view.board and view.board.data.hex(),
        "dice": [(d.number, d.face, d.sure, d.kept, d.outline.tolist()) for d in view.dice],
        "guidance": asdict(view.guidance) | {"line": view.guidance.line},
        "sheets": [asdict(sheet) for sheet in view.sheets],
        "language": words.spoken.code,
        **{name: getattr(view, name) for name in ("typing", "pointing", "still")},
    }
