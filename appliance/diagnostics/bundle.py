"""The support archive: what somebody helping remotely needs, and nothing private unasked.

It is made of what may go in: versions of known packages, settings listed key by key, the program's
own sentences, games written anew from their events. Everything else is `(set)`.
"""

import io
import json
import platform
import re
import subprocess
import tarfile
from collections.abc import Callable, Container, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import distributions, requires
from pathlib import Path
from typing import Any

from appliance.config import Config
from appliance.config.parsing import config_text
from appliance.config.paths import DEFAULT_FILE, journal_path
from appliance.dataset.index import INDEX, PIPS, read_index
from appliance.diagnostics.own_words import SET, OwnWords
from appliance.diagnostics.shared_games import names_in, shared_games
from appliance.diagnostics.shared_settings import shared_settings
from appliance.errors import ApplianceError, ConfigError
from appliance.journal.reading import files_of, has_games
from appliance.service.corrections import CORRECTION_SOURCE
from games.notation.events import POWER_WORDS
from vision.files.bounded import read_bounded
from vision.files.ordinary import check_distinct, open_to_read, open_to_write
from vision.reading import Kind

MAX_LOG_LINES = 2000
"""How many lines of the service's log are included."""

_MAX_PICTURES_BYTES = 50_000_000
_MAX_MODEL_BYTES = 200


@dataclass(frozen=True, slots=True)
class Asked:
    """Which private things the owner wants in the archive: players' names, games, pictures."""

    names: bool = False
    games: bool = False
    pictures: bool = False


class BundleError(ApplianceError, OSError):
    """The archive cannot be written."""


def write_bundle(
    target: Path,
    report: str,
    config_file: Path | None,
    config: Config,
    asked: Asked,
    service_log: Callable[[], str] | None = None,
) -> list[str]:
    """Writes the archive, tar with gzip, replacing an existing one; returns its members' names.

    Args:
        target: the archive's file.
        report: the output of `dicetray doctor`.
        config_file: the configuration's file; None for the usual one.
        config: the configuration in use.
        asked: which private things to include.
        service_log: returns the service's log; None reads it from systemd's journal.

    Raises:
        BundleError: it cannot be written.
    """
    journal, file = journal_path(config), config_file or DEFAULT_FILE
    given = dict.fromkeys((*names_in(journal), *config.games.players))
    names = {name: name if asked.names else f"NAME {n}" for n, name in enumerate(given, start=1)}
    words = OwnWords(names)
    texts = {
        "report.txt": shared_report(report, words),
        "versions.txt": versions(),
        "configuration.toml": _shared_config(file, asked.names),
        "log.txt": shared_log((service_log or last_log)(), words),
    }
    members = {name: text.encode() for name, text in texts.items()}
    files: dict[str, Path] = {}
    try:
        if asked.pictures:
            folder = journal.parent / "corrections"
            files |= {f"pictures/{path.name}": path for path in _pictures_in(folder)}
            members[f"pictures/{INDEX}"] = _shared_index(folder)
        if asked.games and has_games(journal):
            games = shared_games(journal, names)
            members |= {f"games/{name}": data for name, data in games.items()}
        check_distinct(target, (*files_of(journal), file, *files.values()))
        with open_to_write(target) as out, tarfile.open(fileobj=out, mode="w:gz") as archive:
            for name, data in members.items():
                entry = tarfile.TarInfo(f"dicetray/{name}")
                entry.size = len(data)
                archive.addfile(entry, io.BytesIO(data))
            for name, path in files.items():
                with open_to_read(path) as picture:
                    # Neither the owner nor the time, which the system's own entry would have.
                    entry = tarfile.TarInfo(f"dicetray/{name}")
                    entry.size = path.stat().st_size
                    archive.addfile(entry, picture)
    except OSError as error:
        raise BundleError(f"{target}: cannot be written: {error.strerror or error}") from error
    return [*members, *files]


_FINDING = re.compile(r"(OK|NOTE|WRONG) +(.*?): (.*)")
_ADVICE = re.compile(r" {7}-> (.*)")
_DRAWING = re.compile(r" {10}[ .:=+*#%@-]*")
"""A line that `own_dice.in_letters` draws."""


def shared_report(report: str, words: OwnWords) -> str:
    """The lines of the doctor's report, as far as they are the program's own."""
    return "".join(f"{_shared_finding(line, words)}\n" for line in report.splitlines())


def _shared_finding(line: str, words: OwnWords) -> str:
    if found := _FINDING.fullmatch(line):
        return f"{found[1]:<5}  {words.label(found[2])}: {words.shared(found[3])}"
    if found := _ADVICE.fullmatch(line):
        return f"       -> {words.shared(found[1])}"
    return line if _DRAWING.fullmatch(line) else words.shared(line)


_LOG_LINE = re.compile(
    r"([A-Z][a-z]{2} [ \d]\d(?: \d\d:\d\d:\d\d)?) (dicetray|python\d?|systemd)(\[\d{1,8}\])?: (.*)"
)
"""A line of `journalctl --no-hostname`: the time, who says it, and what."""


def shared_log(log: str, words: OwnWords) -> str:
    """The lines of the service's log, as far as they are the program's own."""
    return "".join(f"{_shared_log_line(line, words)}\n" for line in log.splitlines())


def _shared_log_line(line: str, words: OwnWords) -> str:
    if found := _LOG_LINE.fullmatch(line):
        return f"{found[1]} {found[2]}{found[3] or ''}: {words.shared(found[4])}"
    return words.shared(line)


def last_log() -> str:
    """The last lines of the service's log from systemd's journal; a remark where there are none."""
    command = [
        "journalctl",
        "-u",
        "dicetray",
        "-n",
        str(MAX_LOG_LINES),
        "--no-pager",
        "--no-hostname",
    ]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=True)
    except (OSError, subprocess.SubprocessError) as error:
        return f"there is no log: {getattr(error, 'strerror', None) or error}\n"
    return done.stdout


def _shared_config(file: Path, names: bool) -> str:
    try:
        return shared_settings(config_text(file), names=names)
    except ConfigError as error:
        return f"# {OwnWords().shared(error.found)}\n"


_SYSTEM_PACKAGES = ("picamera2", "lgpio", "gpiozero", "simplejpeg")
"""The packages that come from the system, if they are there."""

_NAME = re.compile(r"[A-Za-z0-9._-]+")
_VERSION = re.compile(r"\d{1,8}(?:\.\d{1,8}){0,4}(?:\.?(?:a|b|rc|post|dev)\d{1,6})?")
_RELEASE = re.compile(r"\d{1,3}(?:\.\d{1,3}){1,3}")
_MODEL = re.compile(r"Raspberry Pi [A-Za-z0-9 .]{1,40}")
_MACHINES = ("aarch64", "armv7l", "armv6l", "x86_64", "arm64", "AMD64")
_RELEASE_OF_SYSTEM = re.compile(r"\d{1,3}(?:\.\d{1,3})?")
_DISTRIBUTIONS = ("debian", "raspbian", "ubuntu", "fedora", "arch")


def versions() -> str:
    """Versions of Python, the system, the program and the packages that it builds on."""
    installed = {_normal(d.metadata["Name"]): d.version for d in distributions()}
    known = (_needed(installed) | set(_SYSTEM_PACKAGES)) & set(installed)
    lines = [
        f"python {platform.python_version()}",
        f"{platform.system()} {_shared_part(_RELEASE, platform.release())}",
        platform.machine() if platform.machine() in _MACHINES else SET,
        _distribution(),
        _shared_part(_MODEL, _model()),
        *(f"{name}=={_shared_part(_VERSION, installed[name])}" for name in sorted(known)),
        f"and {len(installed) - len(known)} other packages",
    ]
    return "".join(f"{line}\n" for line in lines)


def _shared_part(pattern: re.Pattern[str], text: str) -> str:
    """The text if it has this form; else what it begins with, and that there is more."""
    found = pattern.match(text)
    if found is None:
        return SET
    return found[0] if found.end() == len(text) else f"{found[0]} {SET}"


def _needed(installed: Container[str]) -> set[str]:
    """This package with all its extras, and what they need."""
    found, waiting = set[str](), ["dicetray"]
    while waiting:
        name = waiting.pop()
        if name in found or name not in installed:
            continue
        found.add(name)
        for needed in requires(name) or ():
            if (match := _NAME.match(needed)) and ("extra ==" not in needed or name == "dicetray"):
                waiting.append(_normal(match[0]))
    return found


def _normal(name: str) -> str:
    """A package's name as all tools compare it (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _distribution() -> str:
    with suppress(OSError):
        found = platform.freedesktop_os_release()
        name = found["ID"] if found["ID"] in _DISTRIBUTIONS else SET
        return f"{name} {_shared_part(_RELEASE_OF_SYSTEM, found.get('VERSION_ID', ''))}"
    return SET


def _model() -> str:
    with suppress(OSError):
        text = read_bounded(Path("/proc/device-tree/model"), _MAX_MODEL_BYTES)
        return text.decode(errors="replace").strip("\0\n")
    return ""


_PICTURE = re.compile(r"told_\d{6}\.jpg")
"""The names that `service.corrections` gives the pictures that it keeps."""


def _pictures_in(folder: Path) -> Iterator[Path]:
    total = 0
    for path in sorted(folder.glob("*"), reverse=True):
        if not _PICTURE.fullmatch(path.name):
            continue
        total += path.stat().st_size
        if total > _MAX_PICTURES_BYTES:
            return
        yield path


_INDEX_WORDS = frozenset(
    {"top", "ok", "leaning", CORRECTION_SOURCE, *Kind, *PIPS.values(), *POWER_WORDS.values()}
)
_INDEX_KEYS = ("x", "y", "w", "h", "value", "body", "pips", "state")
_MAX_PIXELS = 10_000


def _shared_index(folder: Path) -> bytes:
    """The index of the pictures, as far as it is numbers and words of ours."""
    try:
        entries = read_index(folder)
    except ApplianceError:
        entries = []
    lines = [json.dumps(_shared_entry(raw)) for raw in entries if _PICTURE.fullmatch(raw["file"])]
    return "".join(f"{line}\n" for line in lines).encode()


def _shared_entry(raw: Mapping[str, Any]) -> dict[str, Any]:
    dice = raw.get("dice")
    return {
        "file": raw["file"],
        **{key: _shared_word(raw.get(key)) for key in ("source", "view", "partial")},
        "dice": [
            {key: _shared_word(value) for key, value in die.items() if key in _INDEX_KEYS}
            for die in (dice if isinstance(dice, list) else ())
            if isinstance(die, dict)
        ],
    }


def _shared_word(value: object) -> object:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        return value if abs(value) <= _MAX_PIXELS else SET
    return value if isinstance(value, str) and value in _INDEX_WORDS else SET
