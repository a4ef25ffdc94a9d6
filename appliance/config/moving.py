"""Moves the camera's passwords out of the configuration, into a file that only its owner may read.

The new file is on the disk before the old address is gone, so a power cut loses neither.
"""

import json
import os
import re
import stat
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import quote, unquote_to_bytes

from appliance.config.parsing import config_text, parse_text
from appliance.config.password import MAX_PASSWORD_BYTES
from appliance.config.paths import DEFAULT_FILE
from appliance.config.settings import Config
from appliance.errors import CameraError, ConfigError
from games.toml_lines import lines_of_toml
from vision.files.atomic import write_atomically
from vision.files.bounded import read_bounded

CREDENTIALS = Path("/etc/credstore")
"""Where systemd looks for what a unit names as LoadCredential= (systemd.exec(5))."""

PASSWORD_FILE = "camera-password"
_BY_HAND = "move it by hand: docs/laptop.md"
_STRING = re.compile(
    r"""(\s*[^=]*=\s*)(?:\"{3}.*?\"{3}|'{3}.*?'{3}|"(?:[^"\\]|\\.)*"|'[^']*')(.*)""", re.DOTALL
)
"""A line with a key and a string, for what comes before the string, and after it."""


@dataclass(frozen=True, slots=True)
class Moved:
    """Where the passwords are now, and the lines of the configuration that still have one."""

    file: Path
    left_in_lines: tuple[int, ...]


def move_passwords(path: Path, credentials: Path = CREDENTIALS) -> Moved:
    """Moves the passwords in the camera's address; the configuration stays as it is otherwise.

    Args:
        path: the configuration.
        credentials: where the file goes for the installed service; else beside the configuration.

    Raises:
        ConfigError: there is none in the address, or the configuration is written in a way that
            only people can change, or a password would not come back the same from a file;
            nothing is changed.
        OSError: a file cannot be written.
    """
    from appliance.devices.camera.address import lines_of, passwords_in, places_in

    text = config_text(path)
    config = parse_text(text, str(path))
    address, found = passwords_in(config.camera.source)
    if not found:
        raise ConfigError(f"{path}: [camera] source: expected a password in an address, found none")
    is_default = path.resolve() == DEFAULT_FILE.resolve()
    folder = credentials if is_default else path.absolute().parent
    file = Path(config.camera.password_file or folder / PASSWORD_FILE)
    places = places_in(config.camera.source)
    kept = list[str]()
    if file.exists():
        kept = lines_of(_text_of(file))
    wanted = [*kept[:places], *found]
    # One that has been moved already, but no further, may be there from a first try.
    if len(kept) < places or kept not in ([], wanted, wanted[:places]):
        raise ConfigError(
            f"{file}: expected {places} lines with the passwords of [camera] source, found others",
            "name another password_file under [camera], or delete this one",
        )
    secrets = "".join(f"{password}\n" for password in wanted)
    if not _opens_the_same(config.camera.source, kept[:places], address, secrets):
        raise ConfigError(
            f"{path}: [camera] source: expected the same address after the move, found another",
            _BY_HAND,
        )
    camera = replace(config.camera, source=address, password_file=str(file))
    changed, others = _with_camera(text, path, replace(config, camera=camera))
    _write_for_owner(file, secrets)
    rights = stat.S_IMODE(path.stat().st_mode)
    write_atomically(path, changed.encode())
    path.chmod(rights)
    written = {*found, *map(quote, found)}
    lines = enumerate(others, start=1)
    return Moved(file, tuple(n for n, line in lines if any(secret in line for secret in written)))


def _opens_the_same(source: str, kept: list[str], address: str, secrets: str) -> bool:
    """True if the moved address is, byte for byte, what was opened before."""
    from appliance.devices.camera.address import with_passwords

    if len(secrets.encode()) > MAX_PASSWORD_BYTES:
        return False
    try:
        before, now = with_passwords(source, "\n".join(kept)), with_passwords(address, secrets)
    except CameraError:
        return False
    return unquote_to_bytes(now) == unquote_to_bytes(before)


def _with_camera(text: str, path: Path, wanted: Config) -> tuple[str, list[str]]:
    """The text with the wanted camera's address and password file; all else as it is.

    Also its lines without these two values, to look for what people have left in them.
    """
    lines = text.splitlines(keepends=True)
    at = lines_of_toml(text)
    others = list(lines)
    new = {"source": wanted.camera.source, "password_file": wanted.camera.password_file}
    for key, value in new.items():
        number = at.get(("camera", key), 0) - 1
        found = _STRING.fullmatch(lines[number]) if number >= 0 else None
        if found:
            lines[number] = f"{found[1]}{json.dumps(value)}{found[2]}"
            others[number] = found[2]
    if ("camera", "password_file") not in at and ("camera", "source") in at:
        number = at["camera", "source"]
        line = lines[number - 1]
        end = "\r\n" if line.endswith("\r\n") else "\n"
        lines[number - 1] = line.rstrip("\r\n") + end
        lines.insert(number, f"password_file = {json.dumps(wanted.camera.password_file)}{end}")
        others.insert(number, "")
    changed = "".join(lines)
    try:
        same = parse_text(changed, str(path)) == wanted
    except ConfigError:
        same = False
    if not same:
        raise ConfigError(f"{path}: expected [camera] source on a line of its own", _BY_HAND)
    return changed, others


def _write_for_owner(file: Path, text: str) -> None:
    """Writes a file that nobody else can read at any moment."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    before = os.umask(0o077)
    try:
        write_atomically(file, text.encode())
    finally:
        os.umask(before)


def _text_of(file: Path) -> str:
    try:
        return read_bounded(file, MAX_PASSWORD_BYTES).decode()
    except UnicodeDecodeError as error:
        raise ConfigError(f"{file}: this is not UTF-8 text") from error
