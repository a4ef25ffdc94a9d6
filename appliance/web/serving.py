"""Common parts for serving pages: their files, checks of who asks, and a channel for news."""

import asyncio
import gzip
import json
import math
import re
import socket
import threading
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from functools import cache, partial
from hashlib import sha256
from ipaddress import AddressValueError, IPv4Address
from pathlib import Path
from typing import Any, Self

import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import (
    JSONResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from appliance import words
from appliance.errors import ApplianceError

LOOPBACK = "127.0.0.1"
MAX_BODY_BYTES = 1024
MAX_HEADER_BYTES = 16384
"""Of a request's target and all its headers; HTTP parsers limit only what is not whole yet."""
REQUEST_TIMEOUT_S = 5.0
BODY_TIMEOUT_S = 5.0
MAX_CONNECTIONS = 64
MAX_STREAMS = 24
"""Pages that listen at a time; any more are turned away."""
_TLS_HANDSHAKE = b"\x16"
_ACCEPT_AGAIN_S = 1.0
MIN_MESSAGE_INTERVAL_S = 1 / 30
"""Between two messages of a kind; one that a page knows waits for no other kind."""
HEARTBEAT_S = 5.0
"""After this much silence a page gets a message."""
CLOSE_TIMEOUT_S = 1.5
RESPONSE_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' blob:; connect-src 'self'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
"""Of every response: only our own files run or load, and nobody may frame them.

Nobody may keep one, either, but for the files of pages, which say so themselves.
"""


def own_names(port: int) -> frozenset[str]:
    """The values that the Host header may have on the loopback address."""
    return frozenset(f"{name}:{port}" for name in (LOOPBACK, "localhost"))


def is_own_host(host: str, port: int, name: str) -> bool:
    """True if a Host header is an address or a name of this machine, whose host name is `name`."""
    asked, _, at = host.lower().rpartition(":")
    known = asked in ("localhost", name.lower(), f"{name.lower()}.local")
    with suppress(AddressValueError, OSError), socket.socket(type=socket.SOCK_DGRAM) as probe:
        # The kernel binds only to the machine's own addresses.
        probe.bind((str(IPv4Address(asked)), 0))
        known = not IPv4Address(asked).is_unspecified
    return known and at == str(port)


def guarded_app(
    routes: Sequence[BaseRoute], allowed: Callable[[str], bool], *, only_tls: bool = False
) -> ASGIApp:
    """An app that answers only requests for an `allowed` Host, and obeys only its own pages.

    A page under a foreign name that was pointed at this address has a foreign Host; one that sends
    a form or a request from a script has a foreign Origin. With `only_tls`, a page that is asked
    for without TLS is found under the same address with it (RFC 9110, 15.4.8); nothing else is.
    """
    inner = Starlette(routes=[Route("/words", _send_words), *routes])

    async def answer_own_pages(scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update({**RESPONSE_HEADERS, **headers})
            await send(message)

        headers = Headers(scope=scope)
        host, origin = headers.getlist("host"), headers.get("origin")
        app: ASGIApp = inner
        if len(host) != 1 or not allowed(host[0]):
            app = PlainTextResponse("Unknown host name.", 421)
        elif only_tls and scope["scheme"] != "https" and scope["method"] in ("GET", "HEAD"):
            app = RedirectResponse(f"https://{host[0]}/", 307)
        elif only_tls and scope["scheme"] != "https":
            app = PlainTextResponse("Use https.", 403)
        elif origin != f"{scope['scheme']}://{host[0]}" and (
            origin or scope["method"] not in ("GET", "HEAD")
        ):
            app = PlainTextResponse("Cross-site request refused.", 403)
        elif _bytes_of_head(scope) > MAX_HEADER_BYTES:
            app = PlainTextResponse("Too many or too long headers.", 431)
        await app(scope, receive, send_with_headers)

    return answer_own_pages


def _bytes_of_head(scope: Scope) -> int:
    # Of each header, ": " and the end of its line are sent, too (RFC 9112, 5).
    headers = sum(len(name) + len(value) + 4 for name, value in scope["headers"])
    return headers + len(scope["raw_path"]) + len(scope["query_string"])


async def _send_words(request: Request) -> Response:
    texts = {
        "language": words.spoken.code,
        "texts": dict(words.spoken.texts),
        "labels": words.written_labels(),
    }
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return JSONResponse(texts)
    body = gzip.compress(json.dumps(texts, ensure_ascii=False).encode())
    return Response(body, headers={"Content-Encoding": "gzip"}, media_type="application/json")


_MEDIA_TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
}
_PAGES = Path(__file__).with_name("pages")


@dataclass(frozen=True, slots=True)
class _File:
    """A file of a page as it is sent, also compressed (RFC 1952)."""

    media_type: str
    etag: str
    plain: bytes
    compressed: bytes

    @classmethod
    def made_of(cls, path: Path, text: str) -> Self:
        """A file with this text; the same text has the same tag."""
        plain = text.encode()
        tag = sha256(plain).hexdigest()[:16]
        media_type = f"{_MEDIA_TYPES[path.suffix]}; charset=utf-8"
        return cls(media_type, f'"{tag}"', plain, gzip.compress(plain, mtime=0))


@cache
def _all_files() -> tuple[str, Mapping[str, _File]]:
    """The hash of all files of all pages, and the files by folder and name.

    Pages ask for `/HASH/shared/style.css`: what they get by that address never changes.
    """
    paths = sorted(path for path in _PAGES.rglob("*") if path.suffix in _MEDIA_TYPES)
    texts = {path: path.read_text(encoding="utf-8") for path in paths}
    both = "".join(f"{path.name}\0{text}\0" for path, text in texts.items())
    whole = sha256(both.encode()).hexdigest()[:12]

    def with_hash(path: Path, text: str) -> str:
        if path.suffix == ".js":
            return text.replace('"/shared/', f'"/{whole}/shared/')
        if path.suffix != ".html":
            return text
        folder = "" if path.parent.name != "overlay" else "overlay/"
        return re.sub(
            r'(href|src)="(/?)([\w./]+\.(?:js|css|svg))"',
            lambda found: f'{found[1]}="/{whole}/{"" if found[2] else folder}{found[3]}"',
            text,
        )

    return whole, {
        path.relative_to(_PAGES).as_posix(): _File.made_of(path, with_hash(path, text))
        for path, text in texts.items()
    }


def page_routes(folder: str, at: str = "") -> list[BaseRoute]:
    """Routes for the files of a folder of `pages/` below a path; `index.html` for the path itself.

    The page is asked for anew each time, which costs some bytes while it is the same (RFC 9110,
    13.1.2); its other files have addresses that hold their hash, and are kept (RFC 8246).

    Starlette's StaticFiles sends files as they lie on the disk; these get the hash written into
    them. They are compressed once, and not for each request as by its GZipMiddleware.
    """
    whole, _ = _all_files()

    async def send(request: Request) -> Response:
        name = request.path_params.get("name") or "index.html"
        file = _all_files()[1].get(f"{folder}/{name}")
        if file is None:
            raise HTTPException(404)
        kept = request.url.path.startswith(f"/{whole}/")
        headers = {
            "ETag": file.etag,
            "Vary": "Accept-Encoding",
            "Cache-Control": "max-age=31536000, immutable" if kept else "no-cache",
        }
        if file.etag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        compresses = "gzip" in request.headers.get("accept-encoding", "")
        if compresses:
            headers["Content-Encoding"] = "gzip"
        body = file.compressed if compresses else file.plain
        return Response(body, headers=headers, media_type=file.media_type)

    return [Route(f"{before}{at}/{{name:path}}", send) for before in (f"/{whole}", "")]


async def read_body(
    request: Request, most_bytes: int = MAX_BODY_BYTES, heard: Callable[[], None] = lambda: None
) -> bytes:
    """The body of a request; an HTTPException if it is too long or arrives too slowly.

    `heard` is called with each part that comes.
    """
    if int(request.headers.get("content-length", most_bytes + 1)) > most_bytes:
        raise HTTPException(413)
    parts = []
    try:
        async with asyncio.timeout(BODY_TIMEOUT_S):
            async for part in request.stream():
                heard()
                parts.append(part)
        return b"".join(parts)
    except (TimeoutError, ClientDisconnect):
        raise HTTPException(408) from None


_EVENT_LINE_END = re.compile("\r\n|\r|\n")
"""The end of a line of an event stream (WHATWG HTML, 9.2.5); Python's `splitlines` knows others."""


def server_sent_event(kind: str, data: str) -> bytes:
    """A server-sent event, and never more than one, whatever the data are.

    sse-starlette (`ServerSentEvent.encode` in its event.py) makes the same bytes, but takes line
    breaks out of a kind in silence, and patches uvicorn's signal handler at import (its sse.py).
    Its response has no place for what most of `Channel` is: the newest of each kind, once a frame.

    ValueError if the kind is not printable ASCII, or the data cannot be sent as UTF-8.
    """
    if not (kind and kind.isascii() and kind.isprintable()):
        raise ValueError(f"expected a kind of event in printable ASCII, found {kind!r}")
    lines = (f"data: {line}\n" for line in _EVENT_LINE_END.split(data))
    return f"event: {kind}\n{''.join(lines)}\n".encode()


def to_json(value: object) -> str:
    """A value in JSON, dataclasses as objects; ValueError if it has none, as for infinity."""
    return json.dumps(value, allow_nan=False, default=fields_of)


def fields_of(value: Any) -> dict[str, Any]:
    """The fields of a dataclass as they are: `asdict` would copy all labels in them."""
    return {field.name: getattr(value, field.name) for field in fields(value)}


class Channel:
    """The newest message of each kind that pages are sent, as server-sent events.

    A slow page misses what was replaced meanwhile. Any thread may publish and close; none waits.

    Attributes:
        tells_time: whether each page is told first what the clock says: as `clock`, the seconds of
            `time.monotonic`.
        at_rest: called when nothing was published for `HEARTBEAT_S`.
    """

    def __init__(self) -> None:
        self._newest: dict[str, tuple[int, bytes]] = {}
        self._pages: set[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = set()
        self._number = 0
        self._closed = False
        self.tells_time = False
        self.at_rest: Callable[[], None] = lambda: None

    def publish(self, kind: str, value: object) -> None:
        """Sends a value, as by `to_json`, to all pages, also later ones, unless they have it.

        ValueError if JSON has no such value, such as an infinite number, or the kind is not
        printable ASCII.
        """
        event = server_sent_event(kind, to_json(value))
        if self._newest.get(kind, (0, None))[1] != event:
            self._number += 1
            self._newest[kind] = self._number, event
            self._wake()

    def newest(self, kind: str) -> dict[str, Any]:
        """The value of a kind that was published last, if it was an object; else an empty one."""
        event = self._newest.get(kind, (0, b"data: {}"))[1]
        value = json.loads(event.partition(b"data: ")[2])
        return value if isinstance(value, dict) else {}

    def forget(self, *kinds: str) -> None:
        """Sends pages that come later nothing of these kinds, until they are published again."""
        for kind in kinds:
            self._newest.pop(kind, None)

    def close(self) -> None:
        """Ends all streams."""
        self._closed = True
        self._wake()

    def _wake(self) -> None:
        for loop, event in self._pages.copy():
            with suppress(RuntimeError):  # The server has ended.
                loop.call_soon_threadsafe(event.set)

    async def events(self) -> AsyncIterator[bytes]:
        """Yields the current messages, then each new one, until `close` (WHATWG HTML, 9.2)."""
        loop, woken = me = asyncio.get_running_loop(), asyncio.Event()
        # By kind: the number of the newest that was sent, and when.
        sent = dict[str, tuple[int, float]]()
        self._pages.add(me)
        try:
            if self.tells_time:
                yield server_sent_event("clock", f"{time.monotonic():.2f}")
            while not self._closed:
                woken.clear()
                now_s, wait_s, parts = loop.time(), HEARTBEAT_S, list[bytes]()
                held_back = False
                for kind, (number, event) in self._newest.copy().items():
                    before, at_s = sent.get(kind, (0, -math.inf))
                    if number == before:
                        continue
                    left_s = at_s + MIN_MESSAGE_INTERVAL_S - now_s
                    if left_s > 0:
                        held_back, wait_s = True, min(wait_s, left_s)
                    elif kind in sent or not held_back:
                        sent[kind] = number, now_s
                        parts.append(event)
                    # Else a page may hear of this kind only by what waits, as of a new table.
                if parts or not held_back:
                    yield b"".join(parts) or b": still here\n\n"
                try:
                    async with asyncio.timeout(wait_s):
                        await woken.wait()
                except TimeoutError:
                    if not held_back:
                        self.at_rest()
        finally:
            self._pages.discard(me)

    def response(self) -> Response:
        """The stream as a response; too many pages are turned away."""
        if len(self._pages) >= MAX_STREAMS:
            return PlainTextResponse("Too many pages are open.", 503)
        return StreamingResponse(self.events(), media_type="text/event-stream")


def loopback_socket(port: int) -> socket.socket:
    """A socket on the loopback address: on this port, or on a free one if it is taken or 0."""
    for wanted in (port, 0):
        with suppress(OSError):
            return socket.create_server((LOOPBACK, wanted))
    raise ApplianceError(f"no port on {LOOPBACK} is free")


class RequestTimeoutProtocol(H11Protocol):
    """Hangs up if no complete request comes in time, at first or after a response.

    The limit is `REQUEST_TIMEOUT_S`.
    """

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Starts to wait for the first request."""
        super().connection_made(transport)
        self._await_request()

    def on_response_complete(self) -> None:
        """Waits for the next one."""
        super().on_response_complete()
        self._await_request()

    def _await_request(self) -> None:
        self.loop.call_later(REQUEST_TIMEOUT_S, self._abort_if_still, self.cycle)

    def _abort_if_still(self, cycle: object) -> None:
        if self.cycle is cycle:
            self.transport.abort()


class _TlsServer(uvicorn.Server):
    """Speaks TLS with whoever begins with it, and plain HTTP with others, on one port.

    Whoever types an address leaves out https://, and a browser then waits for an answer in plain
    HTTP. A handshake begins with a record of type 22 (RFC 8446, 5.1), and no request with that.
    """

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listens to the sockets itself; uvicorn to none."""
        await super().startup(sockets=[])
        self._beginning = dict[asyncio.Task[None], None]()
        self._listening = [asyncio.create_task(self._accept(one)) for one in sockets or ()]

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stops listening, then as uvicorn does."""
        for task in (*self._listening, *self._beginning):
            task.cancel()
        await super().shutdown(sockets)

    async def _accept(self, listening: socket.socket) -> None:
        listening.setblocking(False)
        while True:
            try:
                connection, _ = await asyncio.get_running_loop().sock_accept(listening)
            except OSError:
                # As of a process that has too many files open; asyncio's own servers wait so, too.
                await asyncio.sleep(_ACCEPT_AGAIN_S)
                continue
            if len(self._beginning) >= MAX_CONNECTIONS:
                # Whoever is silent makes way: a browser has begun by the time that others come.
                oldest = next(iter(self._beginning))
                del self._beginning[oldest]
                oldest.cancel()
            task = asyncio.create_task(self._begin(connection))
            self._beginning[task] = None
            task.add_done_callback(partial(self._end_beginning, connection))

    def _end_beginning(self, connection: socket.socket, task: asyncio.Task[None]) -> None:
        self._beginning.pop(task, None)
        # One that is cancelled before it has begun does nothing itself.
        if task.cancelled():
            connection.close()

    async def _begin(self, connection: socket.socket) -> None:
        """Hands a connection over; hangs up if nothing comes in time, or no handshake succeeds."""
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(REQUEST_TIMEOUT_S):
                tls = await _first_byte(connection) == _TLS_HANDSHAKE
                await loop.connect_accepted_socket(
                    lambda: RequestTimeoutProtocol(
                        self.config, self.server_state, self.lifespan.state
                    ),
                    connection,
                    ssl=self.config.ssl if tls else None,
                )
        except OSError:  # of TLS or of the time, too
            connection.close()


async def _first_byte(connection: socket.socket) -> bytes:
    """The first byte that comes, left where it is; none from one that has hung up."""
    loop, come = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(connection, come.set)
    try:
        await come.wait()
    finally:
        loop.remove_reader(connection)
    return connection.recv(1, socket.MSG_PEEK)


class Server:
    """Serves an app in its own thread; closes its channels as well, whose streams would go on.

    With a `certificate`, the files of it and of its key, it speaks TLS, and plain HTTP with those
    who do not: the app is to send them on (`guarded_app`).
    """

    def __init__(
        self,
        app: ASGIApp,
        listening: socket.socket,
        *channels: Channel,
        certificate: tuple[Path, Path] | None = None,
    ) -> None:
        self._channels = channels
        file, key = certificate or (None, None)
        config = uvicorn.Config(
            app,
            http=RequestTimeoutProtocol,
            # Windows' usual loop cannot say that a first byte has come.
            loop="asyncio:SelectorEventLoop",
            ws="none",
            lifespan="off",
            log_config=None,
            # Warnings are about single requests: anybody could fill the log with them.
            log_level="error",
            access_log=False,
            server_header=False,
            # The client is whoever connects, whatever a header says.
            proxy_headers=False,
            limit_concurrency=MAX_CONNECTIONS,
            h11_max_incomplete_event_size=MAX_HEADER_BYTES,
            timeout_keep_alive=5,
            timeout_graceful_shutdown=1,
            ssl_certfile=file,
            ssl_keyfile=key,
        )
        self._server = (uvicorn.Server if certificate is None else _TlsServer)(config)
        self._thread = threading.Thread(target=self._server.run, args=([listening],), daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stops the server, and waits up to `CLOSE_TIMEOUT_S` for its end."""
        for channel in self._channels:
            channel.close()
        self._server.should_exit = True
        self._thread.join(CLOSE_TIMEOUT_S)
