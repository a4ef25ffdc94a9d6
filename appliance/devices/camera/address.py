"""The address of a network camera as text: what may be said of it, and where its passwords go.

A password stands in the address as `{password}`, a second one as `{password2}`; a file that only
its owner may read has them, one a line.
"""

import re
from urllib.parse import quote, unquote, unquote_plus

from appliance.errors import LOCAL_KINDS, CameraError, without_user_and_query

MOVE_PASSWORD = "move it into a file of its own: dicetray config move-password"
"""The advice about a password that stands in the configuration."""

_SCHEMES = frozenset({"http", "https", "rtsp", "rtsps"})
_PLACE = re.compile(r"\{password([2-9]?)\}")
_USER = re.compile(r"(?<=://)([^:/?#@]*):([^/?#]+)@")
_PARAMETER = re.compile(r"(?<=[?&])([^=&#]+)=([^&#]+)")
_USUAL_PARAMETERS = frozenset(
    {
        *("auth", "key", "apikey", "api_key", "loginpas", "pass", "passwd", "password", "psw"),
        *("pw", "pwd", "secret", "token", "access_token"),
    }
)
"""The usual names of a password in a camera's address; only for the hint to move it away."""


def spoken(text: str) -> str:
    """A camera's name for messages: an address as scheme, host and port, anything else as it is.

    Three dots stand for what may have a password in it.
    """
    kind, colon, rest = text.partition(":")
    if "@" not in kind and rest.startswith("//"):
        where = re.split(r"[/?#]", without_user_and_query(rest[2:]), maxsplit=1)
        return f"{kind}://{where[0]}{'/...' if where[1:] and where[1] else ''}"
    if "@" not in text or text.startswith(LOCAL_KINDS):
        return text
    # A scheme without slashes may still be followed by a password.
    return f"{kind}{colon}..." if kind.lower() in _SCHEMES else "..."


def places_in(text: str) -> int:
    """How many passwords have a place in this address, which a file has to fill."""
    return max((int(n or 1) for n in _PLACE.findall(text)), default=0) if "://" in text else 0


def lines_of(passwords: str) -> list[str]:
    """The passwords in a file's text; other signs that end lines may be part of one."""
    return [line.removesuffix("\r") for line in passwords.rstrip("\r\n").split("\n")]


def with_passwords(text: str, passwords: str | None) -> str:
    """The address with the passwords, one a line, in their places.

    Raises:
        CameraError: there are fewer passwords than places.
    """
    lines = lines_of(passwords or "")

    def put(found: re.Match[str]) -> str:
        number = int(found[1] or 1)
        if number > len(lines) or not lines[number - 1]:
            raise CameraError(
                f"{spoken(text)}: expected a password for {found[0]}, found none",
                "put it into a file that only you can read (chmod 600), and name that as "
                "password_file under [camera]",
            )
        return quote(lines[number - 1], safe="")

    return _PLACE.sub(put, text) if places_in(text) else text


def passwords_in(text: str) -> tuple[str, tuple[str, ...]]:
    """The address with places for the passwords that stand in it, and these passwords.

    Passwords that a file has already stay the first ones.
    """
    if "://" not in text:
        return text, ()
    before = 1 + places_in(text)
    found: list[str] = []

    def place(password: str) -> str:
        if _PLACE.fullmatch(password):
            return password
        if password not in found:
            found.append(password)
        number = before + found.index(password)
        return f"{{password{number if number > 1 else ''}}}"

    def of_user(match: re.Match[str]) -> str:
        return f"{match[1]}:{place(unquote(match[2]))}@"

    def of_parameter(match: re.Match[str]) -> str:
        secret = match[1].lower() in _USUAL_PARAMETERS
        return f"{match[1]}={place(unquote_plus(match[2]))}" if secret else match[0]

    moved = _PARAMETER.sub(of_parameter, _USER.sub(of_user, text))
    return moved, tuple(found)
