"""Moves the camera's passwords out of the configuration, into a file that only its owner may read.

The new file is on the disk before the old address is gone, so a power cut loses neither.
"""

import json
import os
import re
import stat
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import quote

from appliance.config.parsing import config_text, parse_text
from appliance.config.password import MAX_PASSWORD_BYTES
from appliance.config.paths import DEFAULT_FILE
from appliance.config.settings import Config
from appliance.errors import ConfigError
from appliance.rules.free_for_all import lines_of_toml
from vision.atomic import write_atomically
from vision.bounded import read_bounded

CREDENTIALS = Path("/etc/credstore")
"""Where systemd looks for what a unit names as LoadCredential= (systemd.exec(5))."""

PASSWORD_FILE = "camera-password"
_BY_HAND = "move it by hand: docs/laptop.md"


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
            only people can change; nothing is changed.
        OSError: a file cannot be written.
    """
    from appliance.devices.camera.address import lines_of, passwords_in, places_in

    text = config_text(path)
    config = parse_text(text, str(path))
    address, found = passwords_in(config.camera.source)
    if not found:
        raise ConfigError(f"{path}: [camera] source: expected a password in an address, found none")
    folder = credentials if path == DEFAULT_FILE else path.absolute().parent
    file = Path(config.camera.password_file or folder / PASSWORD_FILE)
    places = places_in(config.camera.source)
    kept = list[str]()
    if file.exists():
        kept = lines_of(read_bounded(file, MAX_PASSWORD_BYTES).decode())
    wanted = [*kept[:places], *found]
    # One that has been moved already, but no further, may be there from a first try.
    if len(kept) < places or kept not in ([], wanted, wanted[:places]):
        raise ConfigError(
            f"{file}: expected {places} lines with the passwords of [camera] source, found others",
            "name another password_file under [camera], or delete this one",
        )
    camera = replace(config.camera, source=address, password_file=str(file))
    changed = _with_camera(text, path, replace(config, camera=camera))
    _write_for_owner(file, "".join(f"{password}\n" for password in wanted))
    rights = stat.S_IMODE(path.stat().st_mode)
    write_atomically(path, changed.encode())
    path.chmod(rights)
    written = {*found, *map(quote, found)}
    lines = enumerate(changed.splitlines(), start=1)
    return Moved(file, tuple(n for n, line in lines if any(secret in line for secret in written)))


def _with_camera(text: str, path: Path, wanted: Config) -> str:
    """The text with the wanted camera's address and password file; all else as it is."""
    lines = text.splitlines(keepends=True)
    at = lines_of_toml(text)
    camera = wanted.camera
    if ("camera", "source") not in at:
        raise ConfigError(f"{path}: expected [camera] source on a line of its own", _BY_HAND)
    new = f"password_file = {json.dumps(camera.password_file)}\n"
    if number := at.get(("camera", "password_file")):
        lines[number - 1] = new
        new = ""
    number = at["camera", "source"] - 1
    indent, remark = re.match(r"\s*", lines[number]), re.search(r"\s#[^\"']*$", lines[number])
    source = f"{indent and indent[0]}source = {json.dumps(camera.source)}"
    lines[number] = f"{source}{remark[0].rstrip() if remark else ''}\n{new}"
    changed = "".join(lines)
    try:
        same = parse_text(changed, str(path)) == wanted
    except ConfigError:
        same = False
    if not same:
        raise ConfigError(f"{path}: expected [camera] source on a line of its own", _BY_HAND)
    return changed


def _write_for_owner(file: Path, text: str) -> None:
    """Writes a file that nobody else can read at any moment."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    before = os.umask(0o077)
    try:
        write_atomically(file, text.encode())
    finally:
        os.umask(before)
