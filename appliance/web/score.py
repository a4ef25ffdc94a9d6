"""The score page for the room: how the game stands, for whoever has the PIN from the board.

It is a separate process; docs/score-page.md says who is let in, and what could still go wrong.
"""

import logging
import socket
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from hashlib import sha256
from hmac import compare_digest
from ipaddress import AddressValueError, IPv4Address
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route
from starlette.types import ASGIApp

from appliance import words
from appliance.service.broadcast import PAGE, SOCKET, listen
from appliance.web.serving import Channel, Server, body, files, guarded
from appliance.words import ENGLISH, speak

log = logging.getLogger(__name__)

TRIES, ALL_TRIES, PAUSE_S, KNOWN_S = 5, 20, 60.0, 180 * 86400
"""Wrong PINs from one address, and from all, within this many seconds, after which none is accepted
for as long; seconds for which a browser is let in."""
AGAIN_S, GONE_MS, _COOKIE = 1.0, 30_000, "dicetray"
_REPORT = Path("/run/dicetray-records/report")
"""The output of `dicetray stats`, where a systemd unit of its own writes it."""


class PinGate:
    """Lets in whoever knows the PIN, the first six digits of a secret."""

    def __init__(self, secret: str, now_s: Callable[[], float] = time.monotonic) -> None:
        self._pin, self._now_s = secret[:6].encode(), now_s
        self._cookie = sha256(secret.encode()).hexdigest()
        self._wrong: deque[tuple[float, str]] = deque(maxlen=ALL_TRIES)

    def knows(self, request: Request) -> bool:
        """Whether a browser was let in before."""
        return compare_digest(request.cookies.get(_COOKIE, "").encode(), self._cookie.encode())

    async def enter(self, request: Request) -> Response:
        """Lets a browser in if it sends the PIN."""
        said, now_s = await body(request), self._now_s()
        who = request.client.host if request.client else ""
        if self._has_to_wait(who, now_s):
            return PlainTextResponse("Too many tries.", 429, {"Retry-After": f"{PAUSE_S:.0f}"})
        if not compare_digest(said, self._pin):
            self._wrong.append((now_s, who))
            return PlainTextResponse("This is not the PIN.", 403)
        answer = Response(status_code=204)
        answer.set_cookie(_COOKIE, self._cookie, KNOWN_S, httponly=True, samesite="strict")
        return answer

    def _has_to_wait(self, who: str, now_s: float) -> bool:
        own_s = [at_s for at_s, address in self._wrong if address == who]
        for wrong, most in ((own_s, TRIES), ([at_s for at_s, _ in self._wrong], ALL_TRIES)):
            last = wrong[-most:]
            if len(last) == most and max(now_s - last[-1], last[-1] - last[0]) < PAUSE_S:
                return True
        return False


def is_own(host: str, port: int, name: str) -> bool:
    """Whether a Host header is an address or a name of this machine, whose host name is `name`."""
    asked, _, at = host.lower().rpartition(":")
    known = asked in ("localhost", name.lower(), f"{name.lower()}.local")
    with suppress(AddressValueError, OSError), socket.socket(type=socket.SOCK_DGRAM) as probe:
        # The kernel binds only to the machine's own addresses.
        probe.bind((str(IPv4Address(asked)), 0))
        known = not IPv4Address(asked).is_unspecified
    return known and at == str(port)


def score_app(gate: PinGate, channel: Channel, port: int, report: Path = _REPORT) -> ASGIApp:
    """The page, with what the channel publishes, for whoever has entered the PIN."""

    def let_in(answer: Callable[[], Response]) -> Callable[[Request], Response]:
        def answered(request: Request) -> Response:
            if not gate.knows(request):
                return PlainTextResponse("The PIN is on the scoreboard.", 403)
            return Response() if request.method == "HEAD" else answer()

        return answered

    def records() -> Response:
        return FileResponse(report, media_type="text/plain") if report.is_file() else Response()

    name = socket.gethostname()
    routes = [
        Route("/pin", gate.enter, methods=["POST"]),
        Route("/events", let_in(channel.response)),
        Route("/records", let_in(records)),
        Mount("/shared", files("shared")),
        Mount("/", files("score")),
    ]
    return guarded(routes, lambda host: is_own(host, port, name))


def check_hello(hello: Mapping[str, Any]) -> None:
    """ValueError unless it says where a page is to be, and its PIN."""
    wanted = {"host": str, "port": int, "pin": str}
    if any(type(hello.get(name)) is not kind for name, kind in wanted.items()):
        raise ValueError(f"expected a hello with {', '.join(wanted)}, found {', '.join(hello)}")


def tell(line: Mapping[str, Any], channel: Channel) -> None:
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
                speak(language)
            # The newest of each kind is kept: the lights are a kind of their own.
            channel.publish("board", what.get("board"))
            what = {name: value for name, value in what.items() if name != "board"}
        elif kind == "event":
            key = f"event-{what['number']}"
        channel.publish(key, what)


def serve(folder: Path) -> None:
    """Shows what the appliance publishes at its socket in this folder, while it wants a page."""
    channel, first, logged = Channel(), None, ""
    with ExitStack() as stack:
        while (folder / PAGE).exists():
            try:
                for line in listen(folder / SOCKET):
                    hello = line.get("hello", first)
                    if first not in (None, hello):
                        # With another PIN everybody starts again, in a new process.
                        return
                    if first is None and hello and hello.get("pin"):
                        check_hello(hello)
                        app = score_app(PinGate(hello["pin"]), channel, hello["port"])
                        listening = socket.create_server((hello["host"], hello["port"]))
                        # A sleeping phone keeps no place; accepted connections inherit this.
                        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, GONE_MS)
                        stack.callback(Server(app, listening, channel).close)
                        first = hello
                    tell(line, channel)
            except (OSError, ValueError) as error:
                if str(error) != logged:
                    logged = str(error)
                    log.warning("expected an appliance that tells what happens, found: %s", logged)
            channel.publish("lost", time.monotonic())
            time.sleep(AGAIN_S)
