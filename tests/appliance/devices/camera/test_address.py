"""Addresses of network cameras: what is said of them, and where passwords go."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.devices.camera.address import passwords_in, spoken, with_passwords
from appliance.devices.camera.naming import parse_spec
from appliance.errors import CameraError, printable

SECRETS = ("anna", "pw1", "tok1", "folder1")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("http://anna:pw1@cam:8080/folder1?t=tok1#view=70", "http://cam:8080/..."),
        ("rtsp://anna:p/w@1@cam/live", "rtsp://cam/..."),
        ("rtsp://anna@cam", "rtsp://cam"),
        ("http://[fe80::1]:80/", "http://[fe80::1]:80"),
        ("htp://anna:pw1@cam/", "htp://cam"),
        ("http:anna:pw1@cam", "http:..."),
        ("v4l2:/dev/v4l/by-id/usb-C920", "v4l2:/dev/v4l/by-id/usb-C920"),
        ("file:/home/anna@home//x.mp4", "file:/home/anna@home//x.mp4"),
    ],
)
def test_messages_name_an_address_by_scheme_host_and_port(text: str, said: str) -> None:
    assert spoken(text) == said


@pytest.mark.parametrize(
    "text",
    [
        "htp://anna:pw1@cam/folder1?t=tok1",
        "http:anna:pw1@cam",
        "http://anna:pw1@/folder1?t=tok1",
        "http://anna:pw1@cam/folder1?t=tok1#view=wide",
    ],
)
def test_what_is_no_camera_is_refused_without_its_password(text: str) -> None:
    with pytest.raises(CameraError) as caught:
        parse_spec(text)
    assert not [secret for secret in SECRETS if secret in str(caught.value)]


def test_any_message_loses_what_an_address_in_it_holds() -> None:
    said = printable("camera 'http://anna:p w'1@cam:80/x?t=tok1' is gone; http://other/ is not")
    assert "anna" not in said
    assert printable("at http://cam:80/x?t=tok1 now") == "at http://cam:80/x?... now"
    assert printable("http://localhost:8080/ shows it") == "http://localhost:8080/ shows it"


def test_passwords_are_moved_and_put_back() -> None:
    address, found = passwords_in("rtsp://anna:ge%20heim@cam/live?x=1&TOKEN=t%2Bk#view=70")
    assert address == "rtsp://anna:{password}@cam/live?x=1&TOKEN={password2}#view=70"
    assert found == ("ge heim", "t+k")
    whole = with_passwords(address, "ge heim\nt+k\n")
    assert whole == "rtsp://anna:ge%20heim@cam/live?x=1&TOKEN=t%2Bk#view=70"
    assert passwords_in(address) == (address, ())


def test_a_password_that_comes_later_is_the_next_one() -> None:
    address, found = passwords_in("http://anna:{password}@cam/?pwd=b")
    assert (address, found) == ("http://anna:{password}@cam/?pwd={password2}", ("b",))


@pytest.mark.parametrize(
    "text", ["http://cam:8080/x@y?size=5", "http://anna@cam/", "v4l2:0?view=78", "pi", "sim"]
)
def test_where_no_password_is_none_is_found(text: str) -> None:
    assert passwords_in(text) == (text, ())


def test_a_place_without_a_password_is_said_without_the_address() -> None:
    for passwords in (None, "", "one"):
        with pytest.raises(CameraError, match=r"http://cam/\.\.\.: expected a password for") as no:
            with_passwords("http://anna:{password}@cam/?pwd={password2}", passwords)
        assert "password_file under" in no.value.advice


@pytest.mark.slow
@given(st.text(st.characters(codec="utf-8", exclude_characters="\r\n"), min_size=1))
def test_any_password_comes_back_from_the_address(password: str) -> None:
    whole = with_passwords("http://anna:{password}@cam/?pwd={password2}", f"{password}\n{password}")
    address, found = passwords_in(whole)
    if "{password" not in password:
        assert address == "http://anna:{password}@cam/?pwd={password}"
        assert found == (password,)
    assert password not in spoken(whole) or password in "http://cam/..."
    assert printable(whole).startswith("http://cam/")
