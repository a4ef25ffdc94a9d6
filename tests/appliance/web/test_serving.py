"""Serving of pages: who is let in, and what a page is told."""

import asyncio
import http.client
import re
import socket
import subprocess
import sys
from contextlib import aclosing, closing

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from appliance.web.serving import (
    LOOPBACK,
    MAX_BODY_BYTES,
    Channel,
    Server,
    guarded_app,
    loopback_socket,
    own_names,
    page_routes,
    read_body,
    server_sent_event,
)

OWN = "http://127.0.0.1:8000"


async def _echo(request: Request) -> Response:
    return PlainTextResponse(await read_body(request))


def _client(name: str = OWN) -> TestClient:
    routes = [Route("/echo", _echo, methods=["POST"]), *page_routes("shared")]
    return TestClient(guarded_app(routes, own_names(8000).__contains__), base_url=name)


def test_every_answer_forbids_inline_code_frames_and_keeping() -> None:
    for path in ("/stream.js", "/none.js", "/../serving.py"):
        headers = _client().get(path).headers
        assert "default-src 'none'; script-src 'self'" in headers["Content-Security-Policy"]
        assert "unsafe" not in headers["Content-Security-Policy"]
        assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff"

    assert _client().get("/none.js").headers["Cache-Control"] == "no-store"
    assert _client().get("/words").headers["Cache-Control"] == "no-store"


def test_files_are_kept_by_an_address_that_changes_with_them_and_sent_compressed() -> None:
    routes = [*page_routes("shared", "/shared"), *page_routes("tray")]
    client = TestClient(guarded_app(routes, own_names(8000).__contains__), base_url=OWN)
    page = client.get("/")
    assert page.headers["Cache-Control"] == "no-cache"
    same = client.get("/", headers={"If-None-Match": page.headers["ETag"]})
    assert (same.status_code, same.content) == (304, b"")
    assert same.headers["Content-Security-Policy"] == page.headers["Content-Security-Policy"]
    asked = set(re.findall('(?:href|src)="([^"]+)"', page.text))
    sent = 0
    for path in asked:
        answer = client.get(path, headers={"Accept-Encoding": "gzip"})
        assert answer.status_code == 200, path
        assert answer.headers["Cache-Control"] == "max-age=31536000, immutable"
        assert answer.headers["Content-Encoding"] == "gzip"
        sent += int(answer.headers["Content-Length"])
        plain = client.get(path, headers={"Accept-Encoding": "identity"})
        assert "Content-Encoding" not in plain.headers
        assert plain.content == answer.content
        # What a file loads is kept, too.
        for other in re.findall('from "(/[^"]+)"', plain.text):
            assert client.get(other).headers["Cache-Control"].endswith("immutable"), other
    assert len(asked) >= 5
    assert sent < 13_500
    # By its plain name a file is asked for again.
    assert client.get("/shared/style.css").headers["Cache-Control"] == "no-cache"
    assert client.get("/0123456789ab/shared/style.css").status_code == 404


def test_files_are_those_of_the_folder() -> None:
    assert _client().get("/stream.js").headers["Content-Type"].startswith("text/javascript")
    for path in ("/../serving.py", "/%2e%2e/serving.py", "//etc/passwd", "/..%2f..%2fserving.py"):
        assert _client().get(path).status_code == 404


@pytest.mark.parametrize("host", ["evil.example:8000", "127.0.0.1", "localhost:8001", ""])
def test_a_foreign_name_is_refused(host: str) -> None:
    assert _client().get("/stream.js", headers={"Host": host}).status_code == 421
    assert _client("http://localhost:8000").get("/stream.js").status_code == 200


@pytest.mark.parametrize("origin", [None, "null", "http://evil.example", "http://localhost:8000"])
def test_only_an_own_page_changes_anything(origin: str | None) -> None:
    headers = {} if origin is None else {"Origin": origin}
    assert _client().post("/echo", content="x", headers=headers).status_code == 403
    assert _client().post("/echo", content="x", headers={"Origin": OWN}).text == "x"


def test_a_foreign_page_reads_nothing() -> None:
    headers = {"Origin": "http://evil.example"}
    assert _client().get("/stream.js", headers=headers).status_code == 403


def test_too_much_is_refused() -> None:
    def status(count: int) -> int:
        return _client().post("/echo", content="x" * count, headers={"Origin": OWN}).status_code

    assert (status(MAX_BODY_BYTES), status(MAX_BODY_BYTES + 1)) == (200, 413)


@pytest.mark.parametrize("target", [b"/?\xff", b"/none/?\xdf", b"/\xc3\xa9"])
def test_a_target_that_is_no_ascii_is_refused(target: bytes) -> None:
    """As bytes on the wire: no page can send it."""
    listening = loopback_socket(0)
    host = f"{LOOPBACK}:{listening.getsockname()[1]}"
    app = guarded_app(page_routes("tray"), host.__eq__)
    with (
        closing(Server(app, listening)),
        closing(socket.create_connection(listening.getsockname())) as asking,
    ):
        asking.sendall(b"GET " + target + f" HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        assert asking.recv(100).startswith(b"HTTP/1.1 400")


def test_a_page_is_told_the_newest_of_each_kind_and_each_once() -> None:
    async def told() -> list[bytes]:
        channel = Channel()
        for text in ("1", "2", "2"):
            channel.publish("frame", text)
        channel.publish("view", "a")
        async with aclosing(channel.events()) as events:  # type: ignore[type-var]
            first = await anext(events)
            for text in ("3", "4", "4"):
                channel.publish("frame", text)
            return [first, await anext(events)]

    first, second = asyncio.run(told())
    assert first == b'event: frame\ndata: "2"\n\nevent: view\ndata: "a"\n\n'
    assert second == b'event: frame\ndata: "4"\n\n'


def test_a_kind_that_a_page_knows_waits_for_none_and_a_new_one_overtakes_none() -> None:
    async def told() -> tuple[bytes, bytes]:
        channel = Channel()
        for kind in ("tables", "table-1"):
            channel.publish(kind, 1)
        async with aclosing(channel.events()) as events:  # type: ignore[type-var]
            await anext(events)
            channel.publish("tables", 2)
            await anext(events)
            # The page hears of the second table by the list, which has to wait now.
            channel.publish("tables", 3)
            channel.publish("table-2", 1)
            channel.publish("table-1", 2)
            return await anext(events), await anext(events)

    first, second = asyncio.run(told())
    assert first == server_sent_event("table-1", "2")
    assert second == server_sent_event("tables", "3") + server_sent_event("table-2", "1")


@given(st.text())
def test_data_are_one_event_whatever_they_say(data: str) -> None:
    try:
        event = server_sent_event("own", data).decode()
    except UnicodeEncodeError:
        assert any("\ud800" <= character <= "\udfff" for character in data)
        return
    # Browsers end a line at these, and at no other (WHATWG HTML, 9.2.5).
    kind, *lines, last, end = re.split("\r\n|\r|\n", event)
    assert (kind, last, end) == ("event: own", "", "")
    assert all(line.startswith("data: ") for line in lines)
    said = "\n".join(line.removeprefix("data: ") for line in lines)
    assert said == data.replace("\r\n", "\n").replace("\r", "\n")


@pytest.mark.parametrize(
    "kind", ["", "a\nb", "a\rb", "a\r\nevent: b", "a\u2028b", "\u00e9", "\x00"]
)
def test_a_kind_of_event_that_could_end_its_line_is_refused(kind: str) -> None:
    with pytest.raises(ValueError, match="expected a kind of event in printable ASCII, found"):
        Channel().publish(kind, 1)


@pytest.mark.parametrize("value", [float("nan"), [float("inf")], {1}, b"x"])
def test_what_json_does_not_have_is_the_mistake_of_who_says_it(value: object) -> None:
    channel = Channel()
    channel.publish("view", "before")
    with pytest.raises((TypeError, ValueError)):
        channel.publish("view", value)
    channel.publish("other", "\n\nevent: view\ndata: forged\ud800\n\n")

    async def told() -> bytes:
        async with aclosing(channel.events()) as events:  # type: ignore[type-var]
            return await anext(events)

    said = asyncio.run(told())
    assert said.startswith(b'event: view\ndata: "before"\n\nevent: other\ndata: "')
    assert said.count(b"\n\n") == 2


def test_a_server_answers_on_a_port_that_was_free_and_ends_its_streams() -> None:
    channel, first = Channel(), loopback_socket(0)
    port = first.getsockname()[1]
    channel.publish("view", {})

    async def stream(_: Request) -> Response:
        return channel.response()

    app = guarded_app([Route("/events", stream)], own_names(port).__contains__)
    server = Server(app, first, channel)
    with closing(loopback_socket(port)) as other:
        assert other.getsockname()[1] != port
    with closing(http.client.HTTPConnection(LOOPBACK, port, timeout=120)) as connection:
        connection.request("GET", "/events")
        answer = connection.getresponse()
        assert answer.getheader("server") is None
        assert answer.readline() == b"event: view\n"
        server.close()
        assert b"data: {}" in answer.read()
    with pytest.raises(ConnectionRefusedError):
        http.client.HTTPConnection(LOOPBACK, port, timeout=120).connect()


@pytest.mark.slow
def test_the_service_of_players_imports_nothing_of_pages() -> None:
    told = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys, appliance.cli.run, appliance.cli.shared.wiring\n"
            "print(*{'appliance.web', 'starlette', 'uvicorn'} & sys.modules.keys())",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout == "\n"
