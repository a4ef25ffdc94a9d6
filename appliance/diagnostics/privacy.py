"""Takes out of texts what tells of a household: hosts, addresses, serials, users, remarks."""

import re
from ipaddress import ip_address

COMMON_HOSTS = frozenset({"localhost", "raspberrypi", "dicetray", "debian"})
"""Names of machines that tell nothing of their owners, and may be words of the log."""

_COMMENT = re.compile(
    r'("""(?:\\.|[^\\])*?"""|\'\'\'.*?\'\'\'|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\')|[ \t]*#[^\n]*',
    re.DOTALL,
)
"""A text of TOML's, or a remark."""

_ADDRESS = re.compile(r"(?<![\w.:])[0-9A-Fa-f]*[:.][0-9A-Fa-f:.]*[0-9A-Fa-f:](?![\w:])")
_MAC = re.compile(r"(?<![\w:])[0-9A-Fa-f]{2}(?:[:-][0-9A-Fa-f]{2}){5}(?![\w:])")
_SERIAL = re.compile(r"(?<![0-9A-Za-z])(?=[0-9A-Fa-f]*\d)[0-9A-Fa-f]{12,32}(?![0-9A-Za-z])")
"""Of a Pico or a Pi, or a machine's id; a commit's is longer."""

_HOME = re.compile(r"(?<=/home/)[^/\s:'\"]+")


def without_remarks(toml: str) -> str:
    """A configuration without the comments in it, whole or not."""
    return _COMMENT.sub(lambda found: found[1] or "", toml)


def without_marks(text: str, host: str) -> str:
    """A report, log or configuration without what is unique to one machine (`host`) or network."""
    if host and host.lower() not in COMMON_HOSTS:
        text = re.sub(rf"(?<!\w){re.escape(host)}(?!\w)", "<host>", text, flags=re.IGNORECASE)
    text = _MAC.sub("<address>", text)
    text = _ADDRESS.sub(lambda found: _address(found[0]), text)
    return _HOME.sub("<user>", _SERIAL.sub("<serial>", text))


def _address(text: str) -> str:
    try:
        address = ip_address(text.rstrip(".:") if "::" not in text else text.rstrip("."))
    except ValueError:
        return text
    return text if address.is_loopback or address.is_unspecified else "<address>"
