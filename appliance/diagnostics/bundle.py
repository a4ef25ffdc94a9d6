"""The support archive: what somebody helping remotely needs, and nothing private unasked.

A household's private details are removed from texts: hosts, addresses, serials, users, comments.
"""

import io
import json
import platform
import re
import subprocess
import tarfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib.metadata import distributions
from ipaddress import ip_address
from pathlib import Path
from tempfile import TemporaryDirectory

from appliance.config import Config
from appliance.config.paths import DEFAULT_FILE, journal_path
from appliance.errors import ApplianceError, JournalError
from appliance.journal.database import Journal
from appliance.journal.library import SETTINGS
from appliance.journal.log import blank_seeds
from appliance.journal.recovery import reading
from vision.bounded import read_bounded
from vision.ordinary import check_distinct, open_to_read, open_to_write, read_all

MAX_LOG_LINES = 2000
"""How many lines of the service's log are included."""

_MAX_TEXT_BYTES = 1_000_000
_MAX_PICTURES_BYTES = 50_000_000


@dataclass(frozen=True, slots=True)
class Asked:
    """Which private things the owner wants in the archive.

    `names` are those of players, hosts and users, and addresses, serial numbers and comments.
    """

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
    journal = journal_path(config)
    names = () if asked.names else _names_to_replace(journal, config)
    file = config_file or DEFAULT_FILE
    texts = {
        "report.txt": report,
        "versions.txt": versions(),
        "configuration.toml": _read_or_reason(file),
        "log.txt": (service_log or last_log)(),
    }
    if not asked.names:
        texts["configuration.toml"] = without_remarks(texts["configuration.toml"])
        for name in ("report.txt", "configuration.toml", "log.txt"):
            texts[name] = without_marks(texts[name], platform.node())
    members = {name: replace_names(text, names).encode() for name, text in texts.items()}
    files: dict[str, Path] = {}
    if asked.pictures:
        files |= {f"pictures/{path.name}": path for path in _pictures_in(journal.parent)}
    try:
        if asked.games and journal.is_file():
            members["games.sqlite3"] = _copied_journal(journal, names)
        check_distinct(target, (journal, file, *files.values()))
        with open_to_write(target) as out, tarfile.open(fileobj=out, mode="w:gz") as archive:
            for name, data in members.items():
                entry = tarfile.TarInfo(f"dicetray/{name}")
                entry.size = len(data)
                archive.addfile(entry, io.BytesIO(data))
            for name, path in files.items():
                with open_to_read(path) as picture:
                    entry = archive.gettarinfo(arcname=f"dicetray/{name}", fileobj=picture)
                    archive.addfile(entry, picture)
    except OSError as error:
        raise BundleError(f"{target}: cannot be written: {error.strerror or error}") from error
    return [*members, *files]


def versions() -> str:
    """Versions of the program, Python, the system and every installed package."""
    packages = sorted({f"{d.metadata['Name']}=={d.version}" for d in distributions()})
    model = _read_or_reason(Path("/proc/device-tree/model")).strip("\0\n") or platform.machine()
    head = [f"python {platform.python_version()}", platform.platform(), model]
    return "\n".join([*head, *packages, ""])


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
        return f"no log: {error}\n"
    return done.stdout


def replace_names(text: str, names: Iterable[str]) -> str:
    """The text with each name replaced by a numbered stand-in, whatever the case of its letters."""
    longest_first = sorted(set(names), key=lambda name: (-len(name), name))
    for number, name in enumerate(longest_first, start=1):
        # JSON may write accented letters as escapes.
        either = f"(?:{re.escape(name)}|{re.escape(json.dumps(name)[1:-1])})"
        pattern = rf"(?<![A-Za-z0-9]){either}(?![A-Za-z0-9])"
        text = re.sub(pattern, f"<name {number}>", text, flags=re.IGNORECASE)
    return text


def _names_to_replace(journal: Path, config: Config) -> tuple[str, ...]:
    found = set(config.games.players)
    # A journal or game that cannot be read yields no names; the log mentions only those in them.
    if journal.is_file():
        with suppress(JournalError), reading(journal) as (games, _):
            for entry in games.entries():
                with suppress(JournalError):
                    found.update(games.load(entry.id).players)
    return tuple(found - {f"PLAYER {n}" for n in range(1, 7)})


def _copied_journal(journal: Path, names: Sequence[str]) -> bytes:
    """All games, those in SQLite's log too; a damaged file with its damage: that matters."""
    with TemporaryDirectory() as folder, suppress(JournalError):
        copy = Path(folder) / "games.sqlite3"
        with reading(journal) as (games, salvage):
            if salvage is None:
                return _game_with_names_replaced(games, names, copy)
    content = read_all(journal)
    for name in names:
        # As long as before, or the file would be damaged further.
        quoted = json.dumps(name).encode()
        content = content.replace(quoted, b'"' + b"X" * (len(quoted) - 2) + b'"')
    return blank_seeds(content.decode("latin-1")).encode("latin-1")


def _game_with_names_replaced(games: Journal, names: Sequence[str], copy: Path) -> bytes:
    """The readable games, with other names; unfinished ones without their seeds."""
    found = []
    for entry in sorted(games.entries(), key=lambda entry: entry.opened):
        with suppress(JournalError):
            saved = games.load(entry.id)
            players = tuple(replace_names(player, names) for player in saved.players)
            lines = saved.lines if saved.ended else tuple(map(blank_seeds, saved.lines))
            found.append(replace(saved, players=players, lines=lines))
    settings = games.remembered(SETTINGS)
    with Journal(copy) as renamed:
        renamed.restore(
            found, {} if settings is None else {SETTINGS: replace_names(settings, names)}
        )
    return read_all(copy)


def _pictures_in(folder: Path) -> Iterator[Path]:
    total = 0
    for path in sorted((folder / "corrections").glob("*"), reverse=True):
        total += path.stat().st_size
        if total > _MAX_PICTURES_BYTES:
            return
        yield path


def _read_or_reason(path: Path) -> str:
    try:
        return read_bounded(path, _MAX_TEXT_BYTES).decode(errors="replace")
    except OSError as error:
        return f"{path}: {error.strerror}\n"


COMMON_HOSTS = frozenset({"localhost", "raspberrypi", "dicetray", "debian"})
"""Host names that say nothing about their owners, and may be ordinary words in the log."""

_STRING_OR_COMMENT = re.compile(
    r'("""(?:\\.|[^\\])*?"""|\'\'\'.*?\'\'\'|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\')|[ \t]*#[^\n]*',
    re.DOTALL,
)
"""A TOML string, or a comment."""

_IP_ADDRESS = re.compile(r"(?<![\w.:])[0-9A-Fa-f]*[:.][0-9A-Fa-f:.]*[0-9A-Fa-f:](?![\w:])")
_MAC_ADDRESS = re.compile(r"(?<![\w:])[0-9A-Fa-f]{2}(?:[:-][0-9A-Fa-f]{2}){5}(?![\w:])")
_SERIAL_NUMBER = re.compile(r"(?<![0-9A-Za-z])(?=[0-9A-Fa-f]*\d)[0-9A-Fa-f]{12,32}(?![0-9A-Za-z])")
"""Serial number of a Pico or a Pi, or a machine id; a commit's hash is longer."""

_USER_IN_HOME = re.compile(r"(?<=/home/)[^/\s:'\"]+")


def without_remarks(toml: str) -> str:
    """A configuration, complete or not, without its comments."""
    return _STRING_OR_COMMENT.sub(lambda found: found[1] or "", toml)


def without_marks(text: str, host: str) -> str:
    """A report, log or configuration without what is unique to one machine (`host`) or network."""
    if host and host.lower() not in COMMON_HOSTS:
        text = re.sub(rf"(?<!\w){re.escape(host)}(?!\w)", "<host>", text, flags=re.IGNORECASE)
    text = _MAC_ADDRESS.sub("<address>", text)
    text = _IP_ADDRESS.sub(lambda found: _without_address(found[0]), text)
    return _USER_IN_HOME.sub("<user>", _SERIAL_NUMBER.sub("<serial>", text))


def _without_address(text: str) -> str:
    try:
        address = ip_address(text.rstrip(".:") if "::" not in text else text.rstrip("."))
    except ValueError:
        return text
    return text if address.is_loopback or address.is_unspecified else "<address>"
