"""The score page: who is let in, how each attack is answered, what is shown when."""

import asyncio
import http.client
import json
import re
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, aclosing, closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from appliance.cli.main import main
from appliance.service.broadcast import PAGE_WANTED_FILE, SOCKET_FILE, Broadcast
from appliance.web import score, serving
from appliance.web.pattern import BoardPattern
from appliance.web.score import (
    LOCKOUT_S,
    MAX_TRIES,
    MAX_TRIES_PER_ADDRESS,
    PinGate,
    publish_line,
    score_app,
    serve,
)
from appliance.web.serving import MAX_BODY_BYTES, MAX_HEADER_BYTES, Channel, Server, is_own_host

SECRET = "135790" + 32 * "a"
OWN = "http://127.0.0.1:8080"
ORIGIN = {"Origin": OWN}


class Room:
    """A page, a browser that looks at it, and a clock."""

    def __init__(self, report: Path = Path("/nowhere")) -> None:
        self.now_s = 100.0
        self.channel = Channel()
        self.app = score_app(PinGate(SECRET, lambda: self.now_s), self.channel, 8080, report)
        self.browser = TestClient(self.app, base_url=OWN)

    def enter(self, pin: str | bytes, **headers: str) -> int:
        return self.browser.post("/pin", content=pin, headers=ORIGIN | headers).status_code


def test_nothing_is_told_without_the_pin(tmp_path: Path) -> None:
    report = tmp_path / "report"
    report.write_text("ANNA has won")
    room = Room(report)
    for path in ("/events", "/records"):
        answer = room.browser.get(path)
        assert (answer.status_code, "ANNA" in answer.text) == (403, False)
    for path in ("/", "/score.js", "/shared/stream.js"):
        assert room.browser.get(path).status_code == 200
    assert room.enter("135790") == 204
    assert room.browser.get("/records").text == "ANNA has won"
    room.channel.publish("snapshot", {})
    room.channel.close()
    assert room.browser.get("/events").status_code == 200


def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites_and_is_no_pin() -> None:
    room = Room()
    answer = room.browser.post("/pin", content="135790", headers=ORIGIN)
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert not {"135790", SECRET} & set(cookie.replace(";", "=").split("="))
    # It is valid for a page that was restarted, and not for one with another PIN.
    value = answer.cookies["dicetray"]
    for secret, status in ((SECRET, 200), (SECRET[:-1] + "b", 403)):
        other = TestClient(score_app(PinGate(secret), Channel(), 8080), base_url=OWN)
        got = other.get("/records", headers={"Cookie": f"dicetray={value}"})
        assert got.status_code == status


@pytest.mark.parametrize("cookie", [b"x", b"\xff\xfe", b"135790", b"", b"a" * 64])
def test_a_forged_cookie_opens_nothing(cookie: bytes) -> None:
    answer = Room().browser.get("/events", headers={b"Cookie": b"dicetray=" + cookie})
    assert answer.status_code == 403


def test_five_wrong_pins_make_an_address_wait_a_minute_even_if_it_knows_it() -> None:
    room = Room()
    for n in range(MAX_TRIES_PER_ADDRESS):
        assert room.enter(f"00000{n}") == 403
    assert room.enter("000009") == 429
    assert room.enter("135790") == 429
    room.now_s += LOCKOUT_S - 1
    assert room.enter("135790") == 429
    room.now_s += 2
    assert room.enter("135790") == 204


def test_wrong_pins_of_many_addresses_make_all_wait() -> None:
    now_s = 0.0
    app = score_app(PinGate(SECRET, lambda: now_s), Channel(), 8080)

    def enter(place: int, pin: str) -> int:
        browser = TestClient(app, base_url=OWN, client=(f"10.0.0.{place}", 40_000))
        return browser.post("/pin", content=pin, headers=ORIGIN).status_code

    for n in range(MAX_TRIES):
        assert enter(9, "135790") == 204, "other addresses do not wait yet"
        assert enter(n // MAX_TRIES_PER_ADDRESS, f"00000{n % 10}") == 403
    assert enter(9, "135790") == 429
    now_s += LOCKOUT_S + 1
    assert enter(9, "135790") == 204


def test_wrong_pins_now_and_then_lock_nobody_out() -> None:
    room = Room()
    for _ in range(3 * MAX_TRIES_PER_ADDRESS):
        assert room.enter("000000") == 403
        room.now_s += LOCKOUT_S / 4
    assert room.enter("135790") == 204


@pytest.mark.parametrize("pin", ["", "13579", "1357900", "１３５７９０", SECRET, b"\xff" * 6])
def test_what_is_nearly_the_pin_is_wrong(pin: str | bytes) -> None:
    assert Room().enter(pin) == 403


def test_a_long_body_is_not_read_and_counts_as_no_try() -> None:
    room = Room()
    for _ in range(2 * MAX_TRIES_PER_ADDRESS):
        assert room.enter("1" * (MAX_BODY_BYTES + 1)) == 413
    assert room.enter("135790") == 204


@pytest.mark.parametrize("origin", [None, "null", "http://evil.example", "https://127.0.0.1:8080"])
def test_another_site_cannot_try_pins(origin: str | None) -> None:
    headers = {} if origin is None else {"Origin": origin}
    answer = Room().browser.post("/pin", content="135790", headers=headers)
    assert (answer.status_code, "Set-Cookie" in answer.headers) == (403, False)


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "MKCOL"])
def test_no_other_method_does_anything(method: str) -> None:
    room = Room()
    room.enter("135790")
    for path in ("/", "/score.js", "/events", "/records", "/shared/style.css", "/nothing"):
        assert room.browser.request(method, path, headers=ORIGIN).status_code in (404, 405)
    if method != "POST":
        assert room.browser.request(method, "/pin", headers=ORIGIN).status_code == 405


def test_head_has_no_body_and_ends() -> None:
    room = Room()
    assert room.browser.head("/events").status_code == 403
    room.enter("135790")
    for path in ("/", "/score.js", "/events", "/records"):
        answer = room.browser.head(path)
        assert (answer.status_code, answer.content) == (200, b"")


@pytest.mark.parametrize(
    "path", ["/../score.py", "/%2e%2e/%2e%2e/score.py", "//etc/passwd", "/shared/../../serving.py"]
)
def test_no_path_leads_out_of_the_pages(path: str) -> None:
    assert Room().browser.get(path).status_code == 404


@pytest.mark.parametrize(
    ("host", "own"),
    [
        ("127.0.0.1:8080", True),
        ("localhost:8080", True),
        ("tray:8080", True),
        ("Tray.local:8080", True),
        ("tray.local", False),
        ("tray.local:80", False),
        ("tray.local.evil.example:8080", False),
        ("evil.example:8080", False),
        ("0.0.0.0:8080", False),
        ("192.0.2.1:8080", False),
        ("127.0.0.1.evil.example:8080", False),
        ("2130706433:8080", False),
        ("[::1]:8080", False),
        (":8080", False),
        ("", False),
    ],
)
def test_the_host_is_an_own_name_or_address(host: str, own: bool) -> None:
    assert is_own_host(host, 8080, "Tray") is own


@contextmanager
def served() -> Iterator[int]:
    listening = socket.create_server(("127.0.0.1", 0))
    port, channel = listening.getsockname()[1], Channel()
    with closing(Server(score_app(PinGate(SECRET), channel, port), listening, channel)):
        yield port


def until_closed(end: socket.socket) -> bytes:
    end.settimeout(120)
    said = b""
    with suppress(ConnectionResetError):
        while part := end.recv(65536):
            said += part
    return said


@pytest.mark.parametrize("begun", [b"", b"GET / HTTP/1.1\r\nHost: 127.0", b"G"])
def test_whoever_is_slow_with_a_request_is_hung_up_on(
    begun: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "REQUEST_TIMEOUT_S", 0.05)
    with served() as port, socket.create_connection(("127.0.0.1", port)) as end:
        end.sendall(begun)
        assert until_closed(end) == b""


def test_whoever_is_slow_with_a_second_request_is_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "REQUEST_TIMEOUT_S", 0.05)
    with served() as port, socket.create_connection(("127.0.0.1", port)) as end:
        host = f"Host: 127.0.0.1:{port}\r\n\r\n".encode()
        end.sendall(b"HEAD / HTTP/1.1\r\n" + host + b"GET / HT")
        assert until_closed(end).startswith(b"HTTP/1.1 200")


def test_huge_headers_and_nonsense_are_refused() -> None:
    with served() as port:
        for sent in (
            b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 20_000,
            b"\x16\x03\x01 nonsense\r\n\r\n",
        ):
            with socket.create_connection(("127.0.0.1", port)) as end:
                with suppress(ConnectionError):
                    end.sendall(sent)
                assert until_closed(end).split(b"\r\n")[0] in (b"HTTP/1.1 400 Bad Request", b"")
        connection = http.client.HTTPConnection("127.0.0.1", port)
        connection.request("GET", "/")
        assert connection.getresponse().status == 200
        connection.close()


@pytest.mark.parametrize("sent", ["/?" + 60_000 * "x", "/"])
def test_a_head_of_60_000_bytes_is_refused_although_it_comes_at_once(sent: str) -> None:
    long = {"X": 60_000 * "y"} if sent == "/" else {}
    assert Room().browser.get(sent, headers=long).status_code == 431
    just_right = {"X": (MAX_HEADER_BYTES - 500) * "y"}
    assert Room().browser.get("/", headers=just_right).status_code == 200


def test_nonsense_from_the_network_does_not_fill_the_log(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "MAX_CONNECTIONS", 1)
    with served() as port:
        for sent in (b"nonsense\r\n\r\n", b"GET / HTTP/1.1\r\nUpgrade: websocket\r\n\r\n"):
            with socket.create_connection(("127.0.0.1", port)) as end:
                end.sendall(sent)
                assert until_closed(end)
        with ExitStack() as stack:
            for _ in range(3):
                end = stack.enter_context(socket.create_connection(("127.0.0.1", port)))
                end.sendall(f"HEAD / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
                assert end.recv(10).startswith(b"HTTP/1.1")
    assert caplog.messages == []


def told(kind: str, what: object) -> bytes:
    return json.dumps({"v": 1, kind: what}).encode() + b"\n"


class Teller:
    """Stands in for the appliance at its socket."""

    def __init__(self, folder: Path, port: int, secret: str = SECRET) -> None:
        hello = told("hello", {"pin": secret, "host": "127.0.0.1", "port": port})
        lines = [hello, told("snapshot", {"game": 1}), told("event", {"number": 1})]
        self.broadcast = Broadcast(folder / SOCKET_FILE, lambda _: lines)
        (folder / PAGE_WANTED_FILE).touch()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


def lines_until(answer: http.client.HTTPResponse, wanted: str) -> list[str]:
    lines = list[str]()
    while not lines or wanted not in lines[-1]:
        lines.append(answer.readline().decode())
    return lines


def test_the_page_is_there_while_it_is_wanted_and_goes_on_after_a_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(score, "RECONNECT_AFTER_S", 0.01)
    port = free_port()
    teller = Teller(tmp_path, port)
    page = threading.Thread(target=serve, args=[tmp_path])
    page.start()
    going = threading.Event()

    def go_on() -> None:
        while not going.wait(0.005):
            with suppress(OSError):  # It is closed at the moment.
                teller.broadcast.serve()

    rounds = threading.Thread(target=go_on)
    rounds.start()
    own = {"Origin": f"http://127.0.0.1:{port}"}
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    while True:
        try:
            connection.connect()
            break
        except ConnectionRefusedError:
            continue
    connection.request("POST", "/pin", "135790", own)
    answer = connection.getresponse()
    cookie = {"Cookie": str(answer.headers["Set-Cookie"]).split(";")[0]}
    answer.read()
    connection.request("GET", "/events", headers=cookie)
    stream = connection.getresponse()
    said = "".join(lines_until(stream, '"number": 1'))
    assert "event: event-1" in said
    assert '{"game": 1}' in said
    assert SECRET[:6] not in said
    teller.broadcast.close()
    lines_until(stream, "event: lost")
    teller = Teller(tmp_path, port)
    lines_until(stream, "event: hello")
    teller.broadcast.close()
    (tmp_path / PAGE_WANTED_FILE).unlink()
    page.join(120)
    going.set()
    rounds.join()
    assert not page.is_alive()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port))
    connection.close()


def test_another_pin_ends_the_process_so_that_all_enter_it_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [
        {"hello": {"pin": pin + 32 * "a", "host": "127.0.0.1", "port": free_port()}}
        for pin in ("111111", "222222")
    ]
    (tmp_path / PAGE_WANTED_FILE).touch()
    monkeypatch.setattr(score, "listen", lambda _: iter(lines))
    serve(tmp_path)
    assert (tmp_path / PAGE_WANTED_FILE).exists()


def test_who_comes_later_sees_the_newest_lights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[dict[str, Any]] = [
        {"hello": {"pin": "", "host": "127.0.0.1", "port": 1}},
        {"snapshot": {"game": 1, "board": "00"}},
        {"board": "11"},
        {"snapshot": {"game": 2, "board": "22"}},
    ]
    newest = dict[str, object]()
    monkeypatch.setattr(Channel, "publish", lambda _, kind, value: newest.update({kind: value}))
    monkeypatch.setattr(score, "RECONNECT_AFTER_S", 0.0)

    def lines(_: Path) -> Iterator[dict[str, Any]]:
        (tmp_path / PAGE_WANTED_FILE).unlink()
        yield from told

    (tmp_path / PAGE_WANTED_FILE).touch()
    monkeypatch.setattr(score, "listen", lines)
    serve(tmp_path)
    board = newest["board"]
    assert isinstance(board, dict)
    assert (board["loop"], newest["snapshot"]) == ([("22", 1.0)], {"game": 2})


@pytest.mark.parametrize(
    "hello",
    [
        {"pin": "1"},
        {"pin": 1, "host": "127.0.0.1", "port": 1},
        {"pin": "1", "host": "", "port": "1"},
    ],
)
def test_a_hello_that_says_no_place_is_said_and_waited_over(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    hello: dict[str, Any],
) -> None:
    def lines(_: Path) -> Iterator[dict[str, Any]]:
        (tmp_path / PAGE_WANTED_FILE).unlink()
        yield {"hello": hello}

    (tmp_path / PAGE_WANTED_FILE).touch()
    monkeypatch.setattr(score, "listen", lines)
    monkeypatch.setattr(score, "RECONNECT_AFTER_S", 0.0)
    serve(tmp_path)
    assert "expected a hello with host, port, pin" in caplog.text


def test_what_a_page_does_not_know_is_not_told_to_it() -> None:
    channel = Channel()
    board = BoardPattern(channel)
    strange = {"v": 1, "later\nevent: hello": 1, "ended": {"game": 1}, "board": "00"}
    publish_line(strange, channel, board)
    forged = {"game": 1, "line": "A\n\nevent: hello\n", "board": None}
    publish_line({"snapshot": forged}, channel, board)
    channel.publish("end", 1)

    async def told() -> bytes:
        async with aclosing(channel.events()) as events:  # type: ignore[type-var]
            return await anext(events) + await anext(events)

    kinds = re.findall(rb"^event: (.*)$", asyncio.run(told()), re.MULTILINE)
    assert kinds == [b"clock", b"board", b"snapshot", b"end"]


def test_a_port_that_is_taken_is_said_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    tries = iter(range(4))

    def lines(_: Path) -> Iterator[dict[str, object]]:
        if next(tries) == 3:
            (tmp_path / PAGE_WANTED_FILE).unlink()
        yield {"hello": {"pin": SECRET, "host": "127.0.0.1", "port": port}}

    (tmp_path / PAGE_WANTED_FILE).touch()
    monkeypatch.setattr(score, "listen", lines)
    monkeypatch.setattr(score, "RECONNECT_AFTER_S", 0.0)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        serve(tmp_path)
    assert [record.message.count("in use") for record in caplog.records] == [1]


def test_the_page_asks_nobody_else_and_has_no_code_inline() -> None:
    for folder in ("score", "shared"):
        for file in (Path(score.__file__).parent / "pages" / folder).iterdir():
            text = file.read_text()
            assert not re.search(r"https?://(?!www\.w3\.org/)", text), file
            assert not re.search(r"innerHTML| style=| on\w+=|<script>|<style>|eval\(", text), file


def test_with_nothing_to_serve_it_says_what_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.delenv("RUNTIME_DIRECTORY", raising=False)
    for arguments, status in (((), 2), (("--folder", str(tmp_path)), 0)):
        assert main(["web", *arguments]) == status
        said = capsys.readouterr().err
        assert "no running dicetray offers a score page" in said
        assert said.count("\n") == 1
