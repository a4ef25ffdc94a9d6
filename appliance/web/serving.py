"""What every page is served with: own files, checks of who asks, and a channel of what is new.

An app is `guarded([Mount("/", files("play")), ...], allowed)`, for `Server` or for tests.
"""

import asyncio
import socket
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import closing, suppress
from importlib.resources import files as resources
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import BaseRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from appliance.errors import ApplianceError

LOOPBACK = "127.0.0.1"
BODY, HEAD = 1024, 16384
"""Bytes of what may be sent to a page at most, and of the headers before it."""
BODY_S = 5.0
"""Seconds in which it must have come."""
CONNECTIONS = 64
"""At a time; more are turned away."""
STREAMS = 24
"""Pages that may listen at a time."""
PAUSE_S, BEAT_S = 1 / 30, 5.0
"""Seconds between two things that a page is told, at least; after which it is told something."""

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' blob:; connect-src 'self'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
"""Of every answer: nothing runs or is loaded but own files, and nobody frames or keeps them."""


def own_names(port: int) -> frozenset[str]:
    """What the Host header may be on the loopback address."""
    return frozenset(f"{name}:{port}" for name in (LOOPBACK, "localhost"))


class Guard:
    """Answers only who asks for an own name, from an own page where anything is to be changed.

    A foreign page whose name was bound to this address has a foreign Host; one that sends a form
    or a script's request has a foreign Origin.

    Args:
        app: what is guarded.
        allowed: whether a Host header is an own name.
    """

    def __init__(self, app: ASGIApp, allowed: Callable[[str], bool]) -> None:
        self._app, self._allowed = app, allowed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request, with the headers that all answers have."""
        if scope["type"] != "http":
            return

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        headers = Headers(scope=scope)
        host, origin = headers.getlist("host"), headers.get("origin")
        app = self._app
        if len(host) != 1 or not self._allowed(host[0]):
            app = PlainTextResponse("This is no name of this machine.", 421)
        elif origin != f"http://{host[0]}" and (origin or scope["method"] not in ("GET", "HEAD")):
            app = PlainTextResponse("Another page asks.", 403)
        await app(scope, receive, sent)


def guarded(routes: Sequence[BaseRoute], allowed: Callable[[str], bool]) -> Starlette:
    """An app with these routes, behind a `Guard`."""
    return Starlette(routes=routes, middleware=[Middleware(Guard, allowed=allowed)])


def files(folder: str) -> StaticFiles:
    """The files in a folder of `pages/`."""
    return StaticFiles(
        directory=Path(str(resources("appliance.web"))) / "pages" / folder, html=True
    )


async def body(request: Request) -> bytes:
    """What was sent with a request.

    Raises:
        HTTPException: it is too long, or comes too slowly.
    """
    text = b""
    with suppress(ClientDisconnect):
        try:
            async with asyncio.timeout(BODY_S):
                async for part in request.stream():
                    text += part
                    if len(text) > BODY:
                        raise HTTPException(413)
        except TimeoutError:
            raise HTTPException(408) from None
    return text


class Channel:
    """The newest of each kind of thing that pages are told, as server-sent events.

    A page that is slow misses what was replaced in the meantime; nobody waits for it, and no more
    is kept than one of each kind. `publish` and `close` may be called from any thread.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._number = 0
        self._newest: dict[str, tuple[int, str]] = {}
        self._pages: set[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = set()
        self._closed = False

    def publish(self, kind: str, text: str) -> None:
        """Tells all pages, and those that come later; what was told already is told once."""
        with self._lock:
            if self._newest.get(kind, (0, None))[1] == text:
                return
            self._number += 1
            self._newest[kind] = self._number, text
        self._wake()

    def close(self) -> None:
        """Ends all streams."""
        self._closed = True
        self._wake()

    def _wake(self) -> None:
        with self._lock:
            pages = tuple(self._pages)
        for loop, event in pages:
            with suppress(RuntimeError):  # The server has ended.
                loop.call_soon_threadsafe(event.set)

    async def events(self) -> AsyncIterator[str]:
        """What there is, then what is new, until the channel is closed."""
        me = asyncio.get_running_loop(), asyncio.Event()
        with self._lock:
            self._pages.add(me)
        seen = 0
        try:
            while not self._closed:
                me[1].clear()
                with self._lock:
                    new = sorted((n, kind, text) for kind, (n, text) in self._newest.items())
                told = [event_text(kind, text) for n, kind, text in new if n > seen]
                seen = new[-1][0] if new else 0
                yield "".join(told) or ": still here\n\n"
                await asyncio.sleep(PAUSE_S)
                with suppress(TimeoutError):
                    async with asyncio.timeout(BEAT_S):
                        await me[1].wait()
        finally:
            with self._lock:
                self._pages.discard(me)

    def response(self) -> Response:
        """The stream as an answer; too many pages are turned away."""
        if len(self._pages) >= STREAMS:
            return PlainTextResponse("Too many pages are open.", 503)
        return StreamingResponse(self.events(), media_type="text/event-stream")


def event_text(kind: str, text: str) -> str:
    """An event as it is sent (WHATWG HTML, 9.2)."""
    lines = "".join(f"data: {line}\n" for line in text.split("\n"))
    return f"event: {kind}\n{lines}\n"


def configured(app: ASGIApp) -> uvicorn.Config:
    """How an app is served: with limits, and without a word of its own."""
    return uvicorn.Config(
        app, http="h11", ws="none", lifespan="off", log_config=None, access_log=False,
        server_header=False, limit_concurrency=CONNECTIONS, h11_max_incomplete_event_size=HEAD,
        timeout_keep_alive=5, timeout_graceful_shutdown=1,
    )  # fmt: skip


def bound(port: int) -> socket.socket:
    """A socket on the loopback address: on this port, or on a free one where it is taken or 0.

    Raises:
        ApplianceError: there is no free one.
    """
    for wanted in (port, 0):
        made = socket.socket()
        # Who has just ended leaves connections behind that would keep the port for a minute.
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            made.bind((LOOPBACK, wanted))
            made.listen()
        except OSError as error:
            made.close()
            failed = error
        else:
            return made
    raise ApplianceError(f"expected a free port on {LOOPBACK}: {failed}")


class Server:
    """Serves an app in a thread of its own, until it is closed.

    Args:
        app: what is served.
        listening: the socket, bound; it is closed with the server.
        channels: are closed first, as streams never end by themselves.
    """

    def __init__(self, app: ASGIApp, listening: socket.socket, *channels: Channel) -> None:
        self._server = uvicorn.Server(configured(app))
        self._socket, self._channels = listening, channels
        self._thread = threading.Thread(target=self._serve, name="pages", daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        with closing(self._socket):
            self._server.run(sockets=[self._socket])

    def close(self) -> None:
        """Ends it, and waits until it has ended."""
        for channel in self._channels:
            channel.close()
        self._server.should_exit = True
        self._thread.join(5)
