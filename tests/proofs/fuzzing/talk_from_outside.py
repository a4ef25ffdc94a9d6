"""What listens to a scoreboard's Pico, to its host, and to browsers."""

import asyncio
import json
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from appliance.devices.flash.layouts import DEFAULT_LAYOUT, LAYOUTS
from appliance.devices.flash.settings import Settings
from appliance.errors import FirmwareError
from firmware import framing
from tests.appliance.web.test_phone import OWN, Room
from tests.firmware.conftest import Bench, Clock, imported_flat, install

HOST = OWN.partition("//")[2].encode()


@cache
def _firmware(folder: Path) -> tuple[Any, Clock]:
    """The firmware's modules, and the clock that they go by."""
    clock = Clock()
    with pytest.MonkeyPatch.context() as patch, ExitStack() as stack:
        install(clock, patch)
        return stack.enter_context(imported_flat(patch, folder)), clock


class Restarted(Exception):
    """The Pico starts anew."""


def _restart() -> None:
    raise Restarted


def tell_a_board(
    data: bytes, messages_in: Callable[[bytes], Iterator[bytes]], scratch: Callable[[], Path]
) -> None:
    """The Pico takes anything from its host, and answers the next greeting."""
    modules, clock = _firmware(scratch())
    machine = ModuleType("machine")
    vars(machine).update(bootloader=_restart, reset=_restart)
    with pytest.MonkeyPatch.context() as patch, suppress(Restarted):
        patch.chdir(scratch())
        # Its service imports these when it is asked for.
        patch.setitem(sys.modules, "boots", modules["boots"])
        patch.setitem(sys.modules, "machine", machine)
        bench = Bench(modules, clock)
        bench.start()
        for message in messages_in(data):
            bench.turn(message)
            bench.pass_ms(40, step=20)
        bench.turn(b"\0")
        bench.line.said.clear()
        bench.greet()
        said = bench.line.messages()
        assert framing.HELLO in [kind for kind, _, _ in said]


def seeds_of_hosts() -> Iterator[bytes]:
    greeting = bytes((framing.HELLO_REQUEST, 2, framing.PROTOCOL_MAJOR, 0))
    picture = bytes((framing.FRAME, framing.FRAME_BYTES)) + bytes(framing.FRAME_BYTES)
    more = bytes((framing.BRIGHTNESS, 1, 9, framing.SELF_TEST, 0, framing.PING, 0))
    yield greeting + picture + more
    layout = bytes((framing.LAYOUT, 5, 1, 0, 1, 2, 3))
    yield greeting + layout + bytes((framing.SERVICE, 0, framing.FAREWELL, 0))


def read_a_picos_settings(data: bytes) -> None:
    """What a Pico prints of its settings before it is flashed."""
    settings = Settings.from_output(data.decode("utf-8", "replace"))
    settings.name()
    for layout in (None, LAYOUTS[DEFAULT_LAYOUT]):
        with suppress(FirmwareError):
            settings.check(layout)
    with suppress(FirmwareError):
        settings.check_room_for(LAYOUTS[DEFAULT_LAYOUT])


def seeds_of_picos_settings() -> Iterator[bytes]:
    yield (
        b"dicetray own {'ROTATION': 180}\ndicetray settings {'ROTATION': 180, 'ORDER': (1, 2)}\n"
        b"dicetray wiring (((0, 0), (8, 0)), True)\ndicetray error none\n"
    )


def ask_for_pages(data: bytes) -> None:
    """Requests to a phone's page: a line each, of method, target and headers, then a body.

    Each gets one answer, and none but a known one by whom has not entered the PIN.
    """
    room = Room()
    for line in data.split(b"\n"):
        head, _, body = line.partition(b"\t\t")
        method, target, *headers = [*head.split(b"\t"), b"", b""][: 2 + 8]
        status = asyncio.run(_asked(room, method, target, headers, body))
        assert status in (200, 204, 304, 307, 400, 403, 404, 405, 409, 413, 421, 429, 431), status
        assert room.link.take(0) is None or b"135790" in data


async def _asked(
    room: Room, method: bytes, target: bytes, headers: list[bytes], body: bytes
) -> int:
    if not re.fullmatch(rb"[!-~]*", target):
        # The server refuses it (RFC 9112, 3.2); tests/appliance/web/test_serving.py sees to that.
        return 400
    path, _, query = target.partition(b"?")
    pairs = [pair.partition(b":") for pair in headers if pair]
    sent = [(b"host", HOST), (b"content-length", b"%d" % len(body))]
    known = [(name.lower(), value) for name, _, value in pairs if name.lower() != b"content-length"]
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "scheme": "https",
        "method": method.decode("latin-1"),
        "path": path.decode("utf-8", "replace"),
        "raw_path": path,
        "root_path": "",
        "query_string": query,
        "headers": [*sent, *known],
        "client": ("192.0.2.7", 50_000),
        "server": ("192.168.1.5", 8443),
    }
    answers = list[int]()

    messages = iter([{"type": "http.request", "body": body, "more_body": False}])

    async def receive() -> dict[str, Any]:
        return next(messages, {"type": "http.disconnect"})

    async def send(message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            answers.append(message["status"])

    await room.app(scope, receive, send)  # type: ignore[arg-type]
    (status,) = answers
    return status


def seeds_of_requests() -> Iterator[bytes]:
    own = b"origin:" + OWN.encode()
    yield b"GET\t/\nGET\t/known\tcookie:dicetray-phone=abc"
    yield b"POST\t/pin\t" + own + b"\t\t135790\nPOST\t/away?page=a\t" + own + b"\t\thidden"
    yield b"POST\t/picture?page=a&age=5&load=x&count=3&takes=over\t" + own + b"\t\t\xff\xd8\xff"
    yield b"GET\t/shared/" + json.dumps("é").encode() + b"\taccept-encoding:gzip\trange:bytes=0-5"
