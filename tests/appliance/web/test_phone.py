"""The page of a phone that is the camera: who is let in, what is taken, what is refused."""

import asyncio
import http.client
import shutil
import socket
import ssl
import stat
import subprocess
import time
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from appliance.devices.camera.phone import GONE_AFTER_S, Away, Invitation, PhoneLink
from appliance.errors import CameraError
from appliance.web import certificate, phone, serving
from appliance.web.certificate import VALID_DAYS, own_certificate
from appliance.web.phone import MAX_PICTURE_BYTES, PhonePage, phone_app
from appliance.web.score import MAX_TRIES_PER_ADDRESS, PinGate
from tests.rigs.programs import answer, answers, path_with, stand_in

SECRET = "135790" + 32 * "a"
OWN = "https://192.168.1.5:8443"
JPEG = b"\xff\xd8\xff picture"


class Room:
    """A link, the page's server, and a browser that has not entered the PIN."""

    def __init__(self, own: str = OWN) -> None:
        self.now_s = 100.0
        self.link = PhoneLink(Invitation(OWN, "135790", ""), lambda: self.now_s)
        gate = PinGate(SECRET, lambda: self.now_s, "dicetray-phone", secure=True)
        allowed = {"192.168.1.5:8443"}
        self.app = phone_app(self.link, gate, allowed.__contains__, self.clock)
        self.browser = TestClient(self.app, base_url=own)

    def clock(self) -> float:
        # Handling a picture takes as long as the pause between two, so that nobody waits.
        self.now_s += phone.MIN_INTERVAL_S
        return self.now_s

    def enter(self, pin: str = "135790") -> int:
        return self.post("/pin", pin.encode())

    def post(self, path: str, data: bytes = JPEG, origin: str = OWN) -> int:
        answer = self.browser.post(path, content=data, headers={"Origin": origin})
        return answer.status_code


def test_nothing_is_taken_without_the_pin() -> None:
    room = Room()
    assert room.post("/picture?page=a") == 403
    assert room.post("/away?page=a", b"left") == 403
    assert room.browser.get("/known").status_code == 403
    assert room.link.take(0) is None
    assert [room.enter("000000") for _ in range(MAX_TRIES_PER_ADDRESS)] == [403] * 5
    assert room.enter() == 429
    assert room.browser.get("/").status_code == 200


def test_the_cookie_is_of_this_page_and_goes_over_tls_only() -> None:
    room = Room()
    answer = room.browser.post("/pin", content=b"135790", headers={"Origin": OWN})
    cookie = answer.headers["Set-Cookie"]
    assert cookie.startswith("dicetray-phone=")
    assert {"Secure", "HttpOnly", "SameSite=strict"} <= set(cookie.split("; "))


def test_a_picture_has_the_time_at_which_it_was_taken_and_is_answered_with_advice() -> None:
    room = Room()
    room.enter()
    room.link.advice = "TOO FAR"
    before_s = room.now_s + phone.MIN_INTERVAL_S
    answer = room.browser.post(
        "/picture?page=a&age=120&exposure=1&focus=0&front=1&turned=1",
        content=JPEG,
        headers={"Origin": OWN},
    )
    assert answer.json()["advice"] == "TOO FAR"
    sent = room.link.take(0)
    assert sent is not None
    assert (sent.data, sent.exposure_locked, sent.focus_locked) == (JPEG, True, False)
    assert sent.front
    assert sent.turned
    assert sent.time_s == pytest.approx(before_s - 0.12)
    assert answer.json()["late"] == sent.late_s == pytest.approx(0.12 + phone.MIN_INTERVAL_S)


@pytest.mark.parametrize("age", ["", "-5", "nan", "1e9", "x", "99999999", "²"])
def test_an_age_that_cannot_be_is_limited(age: str) -> None:
    room = Room()
    room.enter()
    before_s = room.now_s + phone.MIN_INTERVAL_S
    assert room.post(f"/picture?page=a&age={age}") == 200
    sent = room.link.take(0)
    assert sent is not None
    assert before_s - 1.0 <= sent.time_s <= before_s


def test_a_phone_that_is_not_the_camera_is_told_so_and_may_take_over() -> None:
    room = Room()
    room.enter()
    assert room.post("/picture?page=a") == 200
    assert room.post("/picture?page=b") == 409
    assert room.post("/picture?page=b&takes=over") == 200
    assert room.post("/picture?page=a") == 409
    room.now_s += GONE_AFTER_S
    assert room.post("/away?page=b", b"left") == 204
    assert room.post("/picture?page=a") == 409
    assert room.post("/picture?page=a&takes=over") == 200


def test_a_page_says_why_it_sends_nothing() -> None:
    room = Room()
    room.enter()
    room.post("/picture?page=a")
    assert room.post("/away?page=a", b"nonsense") == 204
    assert room.post("/away?page=b", b"left") == 204
    assert room.link.take(0) is not None
    assert room.post("/away?page=a", b"hidden") == 204
    assert room.link.sentence == Away.HIDDEN.value


def test_what_overtakes_on_the_way_is_put_in_order() -> None:
    room = Room()
    room.enter()
    room.post("/picture?page=a&load=first&count=4")
    assert room.post("/away?page=a&load=first&count=7", b"left") == 204
    # Sent before the page was closed, these come behind.
    assert room.post("/picture?page=a&load=first&count=5") == 200
    assert room.post("/away?page=a&load=first&count=6", b"hidden") == 204
    # A picture that was being made meanwhile is counted after it.
    assert room.post("/picture?page=a&load=first&count=8") == 200
    assert room.post("/away?page=a&load=first&count=9", b"no camera") == 204
    assert room.link.take(0) is None
    assert room.link.trouble == Away.LEFT.value
    # Opened again: a new count.
    assert room.post("/picture?page=a&load=second&count=1") == 200
    assert room.link.take(0) is not None
    assert room.link.trouble == ""


def test_a_page_that_wakes_up_goes_on_with_its_count() -> None:
    room = Room()
    room.enter()
    room.post("/picture?page=a&load=first&count=1")
    room.post("/away?page=a&load=first&count=2", b"hidden")
    assert room.post("/picture?page=a&load=first&count=3") == 200
    assert room.link.take(0) is not None
    assert room.link.trouble == ""


def test_pictures_are_limited_in_size() -> None:
    room = Room()
    room.enter()
    assert room.post("/picture?page=a", bytes(MAX_PICTURE_BYTES)) == 200
    assert room.post("/picture?page=a", bytes(MAX_PICTURE_BYTES + 1)) == 413


@pytest.mark.parametrize("origin", ["http://192.168.1.5:8443", "https://evil.example", "null"])
def test_another_page_cannot_send_pictures(origin: str) -> None:
    room = Room()
    room.enter()
    assert room.post("/picture?page=a", origin=origin) == 403


def test_a_foreign_name_is_refused() -> None:
    assert Room("https://evil.example:8443").browser.get("/").status_code == 421


def test_without_tls_a_page_is_found_with_it_and_nothing_else_is_done() -> None:
    room = Room("http://192.168.1.5:8443")
    answer = room.browser.get("/", follow_redirects=False)
    assert (answer.status_code, answer.headers["Location"]) == (307, f"{OWN}/")
    assert room.post("/pin", b"135790", origin="http://192.168.1.5:8443") == 403
    assert Room("http://evil.example:8443").browser.get("/").status_code == 421


def test_the_answer_waits_until_the_next_picture_is_due(monkeypatch: pytest.MonkeyPatch) -> None:
    waited = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    room = Room()
    room.enter()
    monkeypatch.setattr(phone, "MIN_INTERVAL_S", 1.0)
    clock = iter((0.0, 0.3, 0.4))
    app = phone_app(
        room.link,
        PinGate(SECRET, lambda: 0.0, "dicetray-phone", secure=True),
        {"192.168.1.5:8443"}.__contains__,
        lambda: next(clock),
    )
    other = TestClient(app, base_url=OWN, cookies=dict(room.browser.cookies))
    other.post("/picture?page=a", content=JPEG, headers={"Origin": OWN})
    assert waited == pytest.approx([0.6])


@pytest.mark.slow
@pytest.mark.parametrize("said", [b"", b"\x16", b"\x16\x03\x01\xff\xff", b"\0junk\r\n\r\n"])
def test_connections_that_say_nothing_keep_nobody_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: bytes
) -> None:
    monkeypatch.setattr(serving, "REQUEST_TIMEOUT_S", 600.0)
    with closing(PhonePage(tmp_path / "phone", port=0)) as page, ExitStack() as opened:
        port = int(page.link.invitation.address.rpartition(":")[2])
        for _ in range(serving.MAX_CONNECTIONS + 10):
            silent = opened.enter_context(socket.create_connection(("localhost", port)))
            silent.sendall(said)
        trusting = ssl.create_default_context(cafile=tmp_path / "phone" / "certificate.pem")
        connection = http.client.HTTPSConnection("localhost", port, context=trusting, timeout=20)
        connection.request("GET", "/")
        assert connection.getresponse().status == 200
        connection.close()


@pytest.mark.slow
def test_the_page_is_served_with_a_certificate_that_stays(tmp_path: Path) -> None:
    folder, pins = tmp_path / "phone", set()
    for _ in range(2):
        page = PhonePage(folder, port=0)
        with closing(page):
            invitation = page.link.invitation
            port = int(invitation.address.rpartition(":")[2])
            trusting = ssl.create_default_context(cafile=folder / "certificate.pem")
            connection = http.client.HTTPSConnection("localhost", port, context=trusting)
            connection.request("GET", "/")
            assert b"phone.js" in connection.getresponse().read()
            connection.close()
            plain = http.client.HTTPConnection("localhost", port, timeout=20)
            plain.request("GET", "/")
            assert plain.getresponse().headers["Location"] == f"https://localhost:{port}/"
            plain.close()
        pins.add((invitation.pin, (folder / "certificate.pem").read_bytes()))
        assert invitation.link == f"{invitation.address}/#{invitation.pin}"
        assert invitation.pin.isdecimal()
        assert len(invitation.pin) == 6
    assert len(pins) == 1
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    for name in ("key.pem", "secret"):
        assert stat.S_IMODE((folder / name).stat().st_mode) == 0o600


@pytest.mark.slow
def test_a_certificate_is_what_apple_asks_for_and_renewed_in_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, _ = own_certificate(tmp_path, ("192.168.1.5",))
    told = subprocess.run(
        ["openssl", "x509", "-in", file, "-noout", "-text"], capture_output=True, text=True
    ).stdout
    assert "IP Address:192.168.1.5" in told
    assert "DNS:localhost" in told
    assert "TLS Web Server Authentication" in told
    assert VALID_DAYS < 825
    first = file.read_bytes()
    assert own_certificate(tmp_path)[0].read_bytes() == first
    monkeypatch.setattr(certificate, "RENEWED_BEFORE_S", VALID_DAYS * 86400 + 60)
    assert own_certificate(tmp_path)[0].read_bytes() != first


@pytest.mark.slow
def test_a_certificate_of_a_clock_that_was_ahead_is_made_anew_once_it_is_right(
    tmp_path: Path,
) -> None:
    """Else a phone says that it is not valid yet, until then."""
    file, _ = own_certificate(tmp_path)
    ahead, now_s = file.read_bytes(), time.time()
    assert own_certificate(tmp_path, now_s=now_s - 30.0)[0].read_bytes() == ahead
    assert own_certificate(tmp_path, now_s=now_s - 40 * 86400.0)[0].read_bytes() != ahead
    file.write_text("damaged")
    assert "CERTIFICATE" in own_certificate(tmp_path)[0].read_text()


@pytest.mark.parametrize("wrote", ["", "-----BEGIN CERTIFICATE-----\nMIIC"])
def test_a_full_disk_leaves_no_half_of_a_certificate(
    wrote: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """openssl ends with status 0 all the same; what it wrote would be taken for a certificate."""
    monkeypatch.setenv("PATH", path_with(tmp_path / "bin"))
    folder = tmp_path / "own"
    full = f"echo '{wrote}' | tee {folder}/key.pem >{folder}/certificate.pem"
    for said in answers("openssl", "disk full"):
        no = answer("openssl", "no certificate")
        stand_in(tmp_path / "bin", "openssl", {"req*": (full, said), "x509*": no})
        with pytest.raises(CameraError, match="is the disk full that holds"):
            own_certificate(folder)
        assert [file.name for file in folder.iterdir()] == ["request.cnf"]


def test_without_openssl_it_is_said_what_helps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with pytest.raises(CameraError, match=r"openssl is not installed.*install openssl, or"):
        own_certificate(tmp_path)


def test_where_there_is_no_network_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError("Address family not supported by protocol")

    monkeypatch.setattr(socket, "create_server", refuse)
    with pytest.raises(CameraError, match="there is no network that a phone can reach"):
        PhonePage(tmp_path)
