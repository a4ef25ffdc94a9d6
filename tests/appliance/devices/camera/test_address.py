"""Addresses of network cameras: what is said of them, and where passwords go."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from appliance.devices.camera.address import passwords_in, spoken, with_passwords
from appliance.devices.camera.naming import parse_spec
from appliance.errors import CameraError, printable, without_passwords

SECRETS = ("anna", "pw1", "tok1", "folder1")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("http://anna:pw1@cam:8080/folder1?t=tok1#view=70", "http://cam:8080/..."),
        ("rtsp://anna:p/w@1@cam/live", "rtsp://..."),
        ("rtsp://me@home:pw1@cam/live", "rtsp://cam/..."),
        ("http://cam/x?user=me@home&pwd=pw1", "http://..."),
        ("http://cam/x?pwd=pw@1", "http://..."),
        ("http://cam/folder1@tok1/x", "http://..."),
        ("RTSP:anna:pw1@cam", "RTSP:..."),
        ("anna:pw1@cam/x", "..."),
        ("rtsp//anna:pw1@cam/x", "..."),
        ("pi:/base/i2c@1/imx708@1a", "pi:/base/i2c@1/imx708@1a"),
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
        "RTSP:anna:pw1@cam",
        "anna:pw1@cam",
        "rtsp//anna:pw1@cam",
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
    assert printable("http://cam/user=a&password=tok1") == "http://cam/user=..."
    assert printable("--camera anna:pw1@cam/x is gone") == "--camera ... is gone"


@pytest.mark.parametrize(
    "text",
    [
        "expected http://..., rtsp://... or phone, found 'dir:a@b'",
        "rtsp://...: expected rights 0600, found /home/anna@home/pw with rights 0640",
        "file:/home/anna@home/x.mp4: no such file",
        "12:30 anna@home is back",
    ],
)
def test_any_message_keeps_what_is_no_address(text: str) -> None:
    assert printable(text) == text


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
    "text",
    [
        "http://cam:8080/x@y?size=5",
        "http://anna@cam/",
        "rtsp://anna:@cam/",
        "v4l2:0?view=78",
        "pi",
        "sim",
    ],
)
def test_where_no_password_is_none_is_found(text: str) -> None:
    assert passwords_in(text) == (text, ())


def test_a_place_without_a_password_is_said_without_the_address() -> None:
    for passwords in (None, "", "one"):
        with pytest.raises(CameraError, match=r"http://cam/\.\.\.: expected a password for") as no:
            with_passwords("http://anna:{password}@cam/?pwd={password2}", passwords)
        assert "password_file under" in no.value.advice


@pytest.mark.parametrize("before", ["", "cam:", '{"url":"', "cam:http://cam/live cam:"])
@pytest.mark.parametrize("only_scheme", [False, True])
def test_a_password_with_a_space_is_not_said_behind_a_colon(before: str, only_scheme: bool) -> None:
    text = f"{before}rtsp://anna:g@ geheim@cam/live"
    assert "geheim" not in without_passwords(text, only_scheme=only_scheme)


_PARTS = st.lists(st.sampled_from(["@", "a", ":", "/", "://", "?", "&", "=", "#", "%40", "'", "ü"]))
_FORMS = (
    "{scheme}://{user}:{password}@{host}/live{more}",
    "{scheme}://{host}/live?user={user}&pwd={password}{more}",
    "{scheme}://{host}/user={user}&password={password}{more}",
    "{scheme}:{user}:{password}@{host}",
)


@pytest.mark.slow
@given(
    st.sampled_from(_FORMS),
    st.sampled_from(["http", "https", "rtsp", "RTSP"]),
    st.sampled_from(["anna", "me@home", "me%40home", ""]),
    st.tuples(*[_PARTS.map("".join)] * 3),
    st.sampled_from(["cam", "192.168.1.5:554", "[fe80::1]:80"]),
)
@example("{scheme}:{user}:{password}@{host}", "http", "anna", ("", "://", ""), "cam")
@example("{scheme}:{user}:{password}@{host}", "http", "", ("", "", ":http://"), "cam")
def test_no_address_says_its_password(
    form: str, scheme: str, user: str, around: tuple[str, str, str], host: str
) -> None:
    """Wherever an @ or another sign with a meaning comes, in the password and behind it."""
    password = f"{around[0].lstrip('/')}geheim{around[1]}"
    text = form.format(scheme=scheme, user=user, password=password, host=host, more=around[2])
    camera = f"camera {text} is gone; look at its cable"
    report = without_passwords(f"run --camera {text} --board none", only_scheme=True)
    said = [spoken(text), printable(camera), report]
    try:
        parse_spec(text)
    except CameraError as error:
        said.append(str(error))
    assert not [words for words in said if "geheim" in words]
    assert said[1].endswith(" is gone; look at its cable")


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
