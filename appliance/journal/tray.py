"""Which tray this is: an identity for ever, which no image and no copy of a card brings along.

It is made when the first game begins, or one of another tray comes, or taken from a stick. A card
in another machine is another tray's, with the games of the one it was. Each game names its tray,
too: if the file is lost, or not written yet, the game opened last says which one this is.
"""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from secrets import token_hex

from appliance.errors import JournalError
from appliance.journal.files import Files
from appliance.journal.going import games_going, read_going
from appliance.journal.kept import read_kept, write_kept
from appliance.journal.saved_game import saved_game
from vision.files.ordinary import open_to_read

TRAY = "tray"

_SERIAL_NUMBER = Path("/sys/firmware/devicetree/base/serial-number")
"""Set by a Pi's firmware, other on each board; /proc/device-tree, which services without a view of
/proc lack, is a link to that folder:
https://www.raspberrypi.com/documentation/computers/configuration.html#device-tree."""


@dataclass(frozen=True, slots=True)
class Tray:
    """Which tray this is.

    Attributes:
        identity: 16 hexadecimal digits; empty if nobody knows yet.
        machine: tells the board apart from others; empty where it has no number.
        former: what trays these games were played on before.
    """

    identity: str = ""
    machine: str = ""
    former: tuple[str, ...] = ()

    @property
    def all(self) -> frozenset[str]:
        """The identities whose games are this family's."""
        return frozenset((self.identity, *self.former)) - {""}


def this_machine() -> str:
    """Tells this board apart from others, without giving away its number; empty if it has none."""
    try:
        with open_to_read(_SERIAL_NUMBER) as file:
            return sha256(file.read(100)).hexdigest()[:16]
    except OSError:
        return ""


def tray_of(texts: Iterable[str]) -> Tray:
    """Which tray these lines of a file name."""
    found: dict[str, list[str]] = {"tray": [""], "machine": [""], "former": []}
    for text in texts:
        name, _, value = text.partition(" ")
        if name == "former":
            found[name].append(value)
        elif name in found:
            found[name] = [value]
    return Tray(found["tray"][0], found["machine"][0], tuple(found["former"]))


def tray_texts(tray: Tray) -> tuple[str, ...]:
    """The lines that name a tray."""
    former = (f"former {identity}" for identity in tray.former)
    return f"tray {tray.identity}", f"machine {tray.machine}", *former


def written_tray(files: Files) -> Tray:
    """Which tray this is, by its own file; raises OSError if the disk fails."""
    return tray_of(read_kept(files, TRAY).texts)


def read_tray(files: Files) -> Tray:
    """Which tray this is, by its own file, or else by the game opened last.

    Raises:
        OSError: the disk fails.
    """
    tray = written_tray(files)
    return tray if tray.identity else Tray(_tray_of_games(files))


def _tray_of_games(files: Files) -> str:
    for going in reversed(games_going(files)):
        # Those that were brought in may be of another tray.
        if going.opened and not going.deleted:
            with suppress(JournalError, FileNotFoundError):
                return saved_game(going.number, read_going(files, going)).tray
    return ""


def new_identity() -> str:
    """The identity of a tray that has none."""
    return token_hex(8)


def write_tray(files: Files, tray: Tray) -> None:
    """Writes down which tray this is; raises OSError if the disk refuses."""
    write_kept(files, TRAY, tray_texts(tray))


def tray_here(files: Files, machine: str) -> Tray:
    """Which tray this is; one without an identity if the card was in another machine."""
    tray = read_tray(files)
    if tray.identity and machine and tray.machine and tray.machine != machine:
        return Tray("", machine, (*tray.former, tray.identity))
    return replace(tray, machine=machine or tray.machine)


def known_tray(files: Files, machine: str) -> Tray:
    """Which tray this is, made now if nobody knows, or if the card is in another machine."""
    tray = tray_here(files, machine)
    tray = replace(tray, identity=tray.identity or new_identity())
    if tray != written_tray(files):
        write_tray(files, tray)
    return tray
