"""The page with which a phone's browser is the camera: PIN, pictures, and what to do about them.

Pictures come by POST, one at a time: the page sends the next one once the last is answered, and the
answer waits until the next is due. That is the back-pressure, limits and checks are those of all
other pages, and it needs no package. A WebSocket would save some 300 bytes of headers beside
pictures of 100 kB; and on iPhones it does not connect to a server whose certificate nobody has
signed, though the page itself was let in (https://github.com/warmcat/libwebsockets/issues/2170,
https://github.com/chuot/rdio-scanner/issues/36, iOS 14.5).
"""

import asyncio
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from secrets import randbelow, token_hex

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from appliance import words
from appliance.devices.camera.phone import (
    MAX_AGE_S,
    Away,
    Invitation,
    Moment,
    PhoneLink,
    SentPicture,
)
from appliance.errors import ApplianceError, CameraError
from appliance.web.certificate import own_certificate
from appliance.web.score import PinGate
from appliance.web.serving import Server, guarded_app, is_own_host, page_routes, read_body
from vision.files.ordinary import NotOrdinary, open_to_read, open_to_write
from vision.files.system import make_private

PORT = 8443
"""Where the page is, unless something else is there."""
MAX_PICTURE_BYTES = 1_500_000
"""Of a JPEG file; one of 1280x720 has some 150 kB."""
MIN_INTERVAL_S = 1 / 20
"""Seconds between two pictures."""
_COOKIE_NAME = "dicetray-phone"
_SECRET = "secret"
_MAX_SECRET_BYTES = 100
_MAX_PAGE_LETTERS = 40
_SOMEWHERE = ("192.0.2.1", 9)
"""An address for documentation (RFC 5737): nothing is sent there."""


def phone_app(
    link: PhoneLink,
    gate: PinGate,
    allowed: Callable[[str], bool],
    clock: Callable[[], float] = time.monotonic,
) -> ASGIApp:
    """The page, for whoever has entered the PIN.

    Args:
        link: gets the pictures.
        gate: knows the PIN.
        allowed: whether a Host header is this machine's.
        clock: monotonic seconds, the same as the camera's.
    """

    async def take_picture(request: Request) -> Response:
        began_s = clock()
        if not gate.has_entered(request):
            return _refusal()
        page, takes_over = _page_of(request), request.query_params.get("takes") == "over"
        if not link.admit(page, _moment_of(request), takes_over=takes_over):
            return PlainTextResponse("Another phone is the camera.", 409)
        data = await read_body(request, MAX_PICTURE_BYTES, lambda: link.hear(page))
        told = request.query_params.get
        taken_s = began_s - min(max(_number(told("age", "")) / 1000, 0.0), MAX_AGE_S)
        locked = {"1": True, "0": False}
        sent = SentPicture(
            data,
            taken_s,
            clock() - taken_s,
            exposure_locked=locked.get(told("exposure", "")),
            focus_locked=locked.get(told("focus", "")),
            front=told("front") == "1",
            turned=told("turned") == "1",
        )
        link.offer(sent, page)
        await asyncio.sleep(max(0.0, MIN_INTERVAL_S - (clock() - began_s)))
        news = {"advice": link.advice, "late": sent.late_s, "language": words.spoken.code}
        return JSONResponse(news)

    async def leave(request: Request) -> Response:
        if not gate.has_entered(request):
            return _refusal()
        with suppress(KeyError):
            why = _REASONS[(await read_body(request)).decode("latin-1")]
            link.leave(_page_of(request), why, _moment_of(request))
        return Response(status_code=204)

    async def is_known(request: Request) -> Response:
        return Response(status_code=204) if gate.has_entered(request) else _refusal()

    routes = [
        Route("/pin", gate.check_pin, methods=["POST"]),
        Route("/known", is_known),
        Route("/picture", take_picture, methods=["POST"]),
        Route("/away", leave, methods=["POST"]),
        *page_routes("shared", "/shared"),
        *page_routes("phone"),
    ]
    return guarded_app(routes, allowed, only_tls=True)


_REASONS = {
    "hidden": Away.HIDDEN,
    "left": Away.LEFT,
    "refused": Away.REFUSED,
    "no camera": Away.NO_CAMERA,
}


def _refusal() -> Response:
    return PlainTextResponse("The PIN is on the computer.", 403)


def _page_of(request: Request) -> str:
    return request.query_params.get("page", "")[:_MAX_PAGE_LETTERS]


def _moment_of(request: Request) -> Moment | None:
    told = request.query_params.get
    load, count = told("load", "")[:_MAX_PAGE_LETTERS], told("count", "")
    return Moment(load, int(_number(count))) if load and count else None


def _number(text: str) -> float:
    return float(text) if text.isdecimal() and len(text) < 9 else 0.0


class PhonePage:
    """Serves the page to the network until it is closed.

    Args:
        folder: private, keeps certificate, key and PIN, so that a phone that was let in once goes
            on after a restart.
        port: where, unless it is taken.

    Attributes:
        link: brings the pictures.

    Raises:
        CameraError: there is no network, or no certificate can be made.
    """

    def __init__(self, folder: Path, port: int = PORT) -> None:
        try:
            listening = _listening(port)
        except OSError as error:
            raise CameraError(
                f"there is no network that a phone can reach: {error}",
                "the service has none; run `dicetray run --camera phone` yourself",
            ) from error
        try:
            host, number = address_in_network(), listening.getsockname()[1]
            certificate = own_certificate(folder, (host,))
            secret = _kept_secret(folder / _SECRET)
        except (ApplianceError, OSError):
            listening.close()
            raise
        address, pin, name = f"https://{host}:{number}", secret[:6], socket.gethostname()
        self.link = PhoneLink(Invitation(address, pin, f"{address}/#{pin}"))
        gate = PinGate(secret, cookie_name=_COOKIE_NAME, secure=True)
        app = phone_app(self.link, gate, lambda asked: is_own_host(asked, number, name))
        self.close = Server(app, listening, certificate=certificate).close


def address_in_network() -> str:
    """This machine's address in its network; its name where it has none."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        # Of a datagram's socket this only asks the kernel which way it would go.
        probe.connect(_SOMEWHERE)
        return str(probe.getsockname()[0])
    return f"{socket.gethostname()}.local"


def _listening(port: int) -> socket.socket:
    try:
        return socket.create_server(("", port))
    except OSError:
        return socket.create_server(("", 0))


def _kept_secret(file: Path) -> str:
    """Six digits and what makes cookies; new where there are none."""
    with suppress(OSError, NotOrdinary, UnicodeDecodeError), open_to_read(file) as kept:
        secret = kept.read(_MAX_SECRET_BYTES).decode("ascii")
        if len(secret) > 30 and secret[:6].isdecimal() and secret.isalnum():
            return secret
    secret = f"{randbelow(1_000_000):06d}{token_hex(16)}"
    with suppress(OSError, NotOrdinary), open_to_write(file, mode=0o600) as kept:
        make_private(kept.fileno())
        kept.write(secret.encode())
    return secret
