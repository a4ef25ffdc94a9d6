"""What reads files that somebody may have brought: on a stick, from a download, of a camera."""

import struct
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from io import BytesIO
from pathlib import Path

from appliance.devices.flash.package import Package
from appliance.errors import FirmwareError, JournalError
from appliance.journal.old_journal import OldJournal
from appliance.journal.packs import Pack, PackedGame
from appliance.journal.saved_game import SavedGame
from appliance.journal.sums import encode
from calibration import store
from calibration.errors import StoreError
from tests.calibration.test_store import calibration
from tests.rigs.grown_journal import played
from tests.rigs.old_journals import write_old
from vision.image.extent import Truncated, Undecodable
from vision.image.formats import extent_of, format_of

IDENTITY = 32 * "5"


def _games() -> Iterator[SavedGame]:
    for number, saved in enumerate(played(3), 1):
        yield SavedGame(
            number,
            saved.game,
            saved.edition,
            saved.players,
            (("names", "short"),),
            saved.version,
            True,
            saved.lines[:20],
            identity=IDENTITY,
        )


def read_a_pack(data: bytes) -> None:
    """Ended games in two places: the first half of the bytes is the first place.

    What is mended once is whole, and mending it again changes nothing.
    """
    middle = len(data) // 2
    pack = Pack.of("packs/000001.pack", data[:middle], data[middle:])
    for game in pack.games:
        with suppress(JournalError):
            assert game.saved.id == game.number
        mended = game.mended
        again = Pack.of(pack.name, mended.data, mended.data)
        assert [one.data for one in again.games] == [mended.data]


def seeds_of_packs() -> Iterator[bytes]:
    games = [PackedGame.of(saved, saved.id) for saved in _games()]
    data = b"".join(game.data for game in games)
    yield data + data
    yield games[0].data + games[0].data.replace(b"roll", b"rool", 1)
    texts, size = games[0].lines.texts, len(games[0].first)
    former = f"== game 1 opened 1 bytes {size} identity {IDENTITY}"
    lines = encode((former,))[0] + encode(texts)[0]
    yield 2 * (b"dicetray pack 1 of November 2026\n" + lines)


def read_old_games(data: bytes, as_file: Callable[[bytes, str], Path]) -> None:
    """The games of an earlier version on a stick: SQLite, which anybody may have written."""
    with suppress(JournalError), OldJournal(as_file(data, "old.sqlite3"), alone=True) as old:
        if not old.is_index:
            old.check()
            old.settings()
            for opened, saved in old.games():
                assert (type(opened), type(saved.id)) == (int, int)
                assert all("\n" not in line for line in saved.lines) or b"\n" in data


def seeds_of_old_games(scratch: Callable[[], Path]) -> Iterator[bytes]:
    for version in (1, 2, 3):
        path = scratch() / f"seed-{version}.sqlite3"
        path.unlink(missing_ok=True)
        yield write_old(path, _games(), {"players": '["ANN"]'}, version=version).read_bytes()


def read_a_calibration(data: bytes) -> None:
    """A profile of a tray that is read is written so that it reads the same."""
    with suppress(StoreError):
        written = store.encode(store.decode(data))
        assert store.encode(store.decode(written)) == written


def read_values_of_a_calibration(data: bytes) -> None:
    """The values of a profile with their checksum, which chance never meets."""
    checksum = store._checksum(store.FORMAT_VERSION, data)
    head = f"dicetray-profile {store.FORMAT_VERSION} sha256={checksum} bytes={len(data)}\n"
    read_a_calibration(head.encode() + data)


def seeds_of_calibrations() -> Iterator[bytes]:
    _, _, body = store.encode(calibration()).partition(b"\n")
    yield body


def read_a_package(data: bytes, as_file: Callable[[bytes, str], Path]) -> None:
    """A zip of the scoreboard's firmware, as `dicetray flash --package` takes it."""
    with suppress(FirmwareError):
        package = Package.from_zip(as_file(data, "package.zip"))
        assert package.files


def seeds_of_packages() -> Iterator[bytes]:
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
        made = BytesIO()
        with zipfile.ZipFile(made, "w", method) as archive:
            archive.writestr("main.py", b"import board\n")
            archive.writestr("version.py", b'VERSION = (1, 0, 0)\nBUILD = b"01234567"\n')
        yield made.getvalue()


def measure_a_picture(data: bytes) -> None:
    """The size that a file claims is known, or refused, without decoding it."""
    if kind := format_of(data):
        with suppress(Truncated, Undecodable):
            extent = extent_of(data, kind)
            assert extent.width >= 0
            assert extent.height >= 0
            assert 0 <= extent.pictures <= len(data)


def seeds_of_sizes() -> Iterator[bytes]:
    head = struct.pack("<2sHIHHHII", b"II", 42, 8, 2, 256, 4, 1, 640)
    yield head + struct.pack("<HHIII", 257, 4, 1, 480, 0)
    yield struct.pack("<4sI4s4sI4x6s", b"RIFF", 30, b"WEBP", b"VP8X", 10, bytes(6))
    yield struct.pack("<2sIIIIii", b"BM", 54, 0, 54, 40, 640, -480)
