"""The score page for the room: how the game stands, for whoever has the PIN from the board.

It is a separate process; docs/score-page.md says who is let in, and what could still go wrong.
"""

import logging
import socket
import sys
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from hashlib import sha256
from hmac import compare_digest
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from appliance import words
from appliance.errors import ApplianceError
from appliance.service.broadcast import PAGE_WANTED_FILE, SOCKET_FILE, listen
from appliance.web.pattern import BoardPattern
from appliance.web.serving import (
    Channel,
    Server,
    guarded_app,
    is_own_host,
    page_routes,
    read_body,
)
from appliance.words import ENGLISH, set_language

log = logging.getLogger(__name__)

MAX_TRIES_PER_ADDRESS = 5
"""Wrong PINs within `LOCKOUT_S`."""
MAX_TRIES = 20
"""Likewise, from all addresses."""
LOCKOUT_S = 60.0
"""How long no PIN is accepted after too many tries."""
COOKIE_LIFETIME_S = 180 * 86400
"""How long a browser that has sent the PIN is let in."""
RECONNECT_AFTER_S = 1.0
PEER_TIMEOUT_MS = 30_000
"""How long a browser may acknowledge nothing: a sleeping phone keeps no place."""
_COOKIE_NAME = "dicetray"
_RECORDS_FILE = Path("/run/dicetray-records/report")
"""The output of `dicetray stats`, where a systemd unit of its own writes it."""


class PinGate:
    """Lets in whoever knows the PIN, the first six digits of a secret.

    A page that is `secure` is served with TLS, and has a cookie of its own name.
    """

    def __init__(
        self,
        secret: str,
        now_s: Callable[[], float] = time.monotonic,
        cookie_name: str = _COOKIE_NAME,
        *,
        secure: bool = False,
    ) -> None:
        self._pin, self._now_s = secret[:6].encode(), now_s
        self._name, self._secure = cookie_name, secure
        self._cookie = sha256(secret.encode()).hexdigest()
        self._wrong_tries: deque[tuple[float, str]] = deque(maxlen=MAX_TRIES)

    def has_entered(self, request: Request) -> bool:
        """True if a browser was let in before."""
        return compare_digest(request.cookies.get(self._name, "").encode(), self._cookie.encode())

    async def check_pin(self, request: Request) -> Response:
        """Lets a browser in if it sends the PIN."""
        said, now_s = await read_body(request), self._now_s()
        who = request.client.host if request.client else ""
        if self._is_locked_out(who, now_s):
            return PlainTextResponse("Too many tries.", 429, {"Retry-After": f"{LOCKOUT_S:.0f}"})
        if not compare_digest(said, self._pin):
            self._wrong_tries.append((now_s, who))
            return PlainTextResponse("Wrong PIN.", 403)
        answer = Response(status_code=204)
        answer.set_cookie(
            self._name,
            self._cookie,
            COOKIE_LIFETIME_S,
            secure=self._secure,
            httponly=True,
            samesite="strict",
        )
        return answer

    def _is_locked_out(self, who: str, now_s: float) -> bool:
        own_s = [at_s for at_s, address in self._wrong_tries if address == who]
        all_s = [at_s for at_s, _ in self._wrong_tries]
        for wrong, most in ((own_s, MAX_TRIES_PER_ADDRESS), (all_s, MAX_TRIES)):
            last = wrong[-most:]
            if len(last) == most and max(now_s - last[-1], last[-1] - last[0]) < LOCKOUT_S:
                return True
        return False


def score_app(gate: PinGate, channel: Channel, port: int, report: Path = _RECORDS_FILE) -> ASGIApp:
    """The page, with what the channel publishes, for whoever has entered the PIN."""

    def require_pin(answer: Callable[[], Response]) -> Callable[[Request], Response]:
        def answer_if_known(request: Request) -> Response:
            if not gate.has_entered(request):
                return PlainTextResponse("The PIN is on the scoreboard.", 403)
            return Response() if request.method == "HEAD" else answer()

        return answer_if_known

    def send_records() -> Response:
        return FileResponse(report, media_type="text/plain") if report.is_file() else Response()

    name = socket.gethostname()
    routes = [
        Route("/pin", gate.check_pin, methods=["POST"]),
        Route("/events", require_pin(channel.response)),
        Route("/records", require_pin(send_records)),
        *page_routes("shared", "/shared"),
        *page_routes("overlay", "/overlay"),
        *page_routes("score"),
    ]
    return guarded_app(routes, lambda host: is_own_host(host, port, name))


def check_hello(hello: Mapping[str, Any]) -> None:
    """ValueError unless it says where a page is to be, and its PIN."""
    wanted = {"host": str, "port": int, "pin": str}
    if any(type(hello.get(name)) is not kind for name, kind in wanted.items()):
        raise ValueError(f"expected a hello with {', '.join(wanted)}, found {', '.join(hello)}")


def publish_line(line: Mapping[str, Any], channel: Channel, board: BoardPattern) -> None:
    """Passes a line of the event stream on to pages; kinds that they do not know are left out."""
    for kind in ("hello", "snapshot", "board", "event", "picture"):
        if kind not in line:
            continue
        what, key = line[kind], kind
        if kind == "hello":
            # Browsers must not see the PIN, only when it came.
            what = time.monotonic()
        elif kind == "snapshot":
            if (language := str(what.get("language", ENGLISH))) != words.spoken.code:
                set_language(language)
            if what.get("game") is None and (last := channel.newest("snapshot")).get("game"):
                channel.publish("last", last)
            # The newest of each kind is kept: the lights are a kind of their own.
            board.show(what.get("board"))
            what = {name: value for name, value in what.items() if name != "board"}
        elif kind == "board":
            board.show(what)
            continue
        elif kind == "event":
            key = f"event-{what['number']}"
        channel.publish(key, what)


def serve(folder: Path) -> None:
    """Shows what the appliance publishes at its socket in this folder, while it wants a page.

    ApplianceError if it does not want one.
    """
    if not (folder / PAGE_WANTED_FILE).exists():
        raise ApplianceError(
            f"no running dicetray offers a score page ({folder})",
            'start `dicetray run --config FILE` with serve = "here" under [web] first',
        )
    channel, first, logged = Channel(), None, ""
    board = BoardPattern(channel)
    with ExitStack() as stack:
        while (folder / PAGE_WANTED_FILE).exists():
            try:
                for line in listen(folder / SOCKET_FILE):
                    hello = line.get("hello", first)
                    if first not in (None, hello):
                        # With another PIN everybody starts again, in a new process.
                        return
                    if first is None and hello and hello.get("pin"):
                        check_hello(hello)
                        app = score_app(PinGate(hello["pin"]), channel, hello["port"])
                        listening = socket.create_server((hello["host"], hello["port"]))
                        log.info("http://localhost:%d/ shows the score", hello["port"])
                        if sys.platform == "linux":
                            # Accepted connections inherit this.
                            listening.setsockopt(
                                socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, PEER_TIMEOUT_MS
                            )
                        stack.callback(Server(app, listening, channel).close)
                        first = hello
                    publish_line(line, channel, board)
            except (OSError, ValueError) as error:
                if str(error) != logged:
                    logged = str(error)
                    log.warning("cannot read the event stream: %s", logged)
            board.stop()
            channel.publish("lost", time.monotonic())
            time.sleep(RECONNECT_AFTER_S)


def serve_for_ever(folder: Path) -> None:
    """Shows one game after another; ApplianceError if there is none at first."""
    while True:
        serve(folder)
        while not (folder / PAGE_WANTED_FILE).exists():
            time.sleep(RECONNECT_AFTER_S)
