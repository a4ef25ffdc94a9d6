"""The firmware as one checked package: files, their hashes, a build that identifies them."""

import errno
import hashlib
import lzma
import re
import struct
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Self

import firmware
from appliance.devices.flash import layouts
from appliance.errors import FirmwareError
from vision.files.bounded import read_bounded

SUMS_FILE = "SHA256SUMS"
"""The list of hashes inside the zip file, in the format that sha256sum writes and checks."""

START_FILE = "main.py"
"""The file that makes a Pico a scoreboard; it is written last."""

SHIPPED_PACKAGE = "package.zip"
"""The package in an installed program, beside the sources that it was made from; setup.py puts
it there."""

MAX_PACKAGE_BYTES = 1_000_000
"""Of a package, and of everything in it: a Pico has no room for more."""

MAX_LOCAL_CONFIG_BYTES = 16_384
"""Of local_config.py, which the Pico compiles at every start."""

SOURCE = Path(firmware.__file__).parent
LOCAL_CONFIG_FILE = "local_config.py"
"""The owner's own settings for one Pico."""

# Not for every Pico: CPython's package marker, and settings for one Pico.
_NOT_SHIPPED = ("__init__.py", layouts.LAYOUT_FILE, LOCAL_CONFIG_FILE)
_VERSION_FILE = "version.py"
_VERSION = re.compile(rb"^VERSION = \((\d+), (\d+), (\d+)\)", re.MULTILINE)
_BUILD = re.compile(rb'^BUILD = b"([ -!#-~]{0,8})"', re.MULTILINE)
# The earliest time that a zip file can store: the same files always give the same package.
_ZIP_TIME = (1980, 1, 1, 0, 0, 0)

_DAMAGED = (OSError, EOFError, RuntimeError, ValueError, struct.error, zipfile.BadZipFile)
_DAMAGED_WITHIN = (zlib.error, lzma.LZMAError)
"""The errors that `zipfile` and its decompressors raise for a file that is damaged anywhere."""


@dataclass(frozen=True, slots=True)
class Package:
    """The files that go onto a Pico.

    Attributes:
        version: such as "0.1.0".
        build: eight hexadecimal digits that identify the content of all files.
        files: content by name, `main.py` last.
    """

    version: str
    build: str
    files: Mapping[str, bytes]

    @classmethod
    def shipped(cls, folder: Path = SOURCE) -> Self:
        """The package that belongs to this program: the installed one, or a checkout's sources.

        Raises:
            FirmwareError: it is damaged.
        """
        path = folder / SHIPPED_PACKAGE
        return cls.from_zip(path) if path.exists() else cls.from_folder(folder)

    @classmethod
    def from_folder(cls, folder: Path = SOURCE) -> Self:
        """The package of a folder of sources; the build is written into `version.py`.

        Raises:
            FirmwareError: the folder holds no firmware.
        """
        try:
            names = {path.name for path in folder.glob("*.py")} - set(_NOT_SHIPPED)
            sources = {name: (folder / name).read_bytes() for name in _start_file_last(names)}
        except OSError as error:
            raise FirmwareError(
                f"{folder}: the firmware's files cannot be read: {error.strerror}"
            ) from error
        text = _version_file(sources, str(folder))
        if not _BUILD.search(text):
            raise FirmwareError(f'{folder}: expected a line BUILD = b"..." in {_VERSION_FILE}')
        sources[_VERSION_FILE] = _BUILD.sub(b'BUILD = b"dev"', text)
        build = _hash_of_list(sources)[:8]
        stamped = _BUILD.sub(f'BUILD = b"{build}"'.encode(), text)
        return cls._from_files({**sources, _VERSION_FILE: stamped}, str(folder))

    @classmethod
    def from_zip(cls, path: Path) -> Self:
        """The package in a zip file, every byte checked.

        Raises:
            FirmwareError: it cannot be read, is incomplete, or its hashes do not match.
        """
        try:
            content = read_bounded(path, MAX_PACKAGE_BYTES)
        except OSError as error:
            raise FirmwareError(f"{path}: cannot be read: {error.strerror}") from error
        try:
            with zipfile.ZipFile(BytesIO(content)) as archive:
                if sum(entry.file_size for entry in archive.infolist()) > MAX_PACKAGE_BYTES:
                    raise ValueError(f"its files are larger than {MAX_PACKAGE_BYTES} bytes")
                found = {name: archive.read(name) for name in archive.namelist()}
        except (*_DAMAGED, *_DAMAGED_WITHIN) as error:
            text = f"{path}: this is not a whole firmware package: {error}; fetch it again"
            raise FirmwareError(text) from error
        listed = found.pop(SUMS_FILE, None)
        if listed is None:
            raise FirmwareError(f"{path}: this is not a firmware package, {SUMS_FILE} is missing")
        if listed != _list_of_hashes(found):
            raise FirmwareError(
                f"{path}: its files are not those that its {SUMS_FILE} lists; fetch it again"
            )
        package = cls._from_files(
            {name: found[name] for name in _start_file_last(found)}, str(path)
        )
        sources = dict(package.files)
        sources[_VERSION_FILE] = _BUILD.sub(b'BUILD = b"dev"', sources[_VERSION_FILE])
        if package.build != _hash_of_list(sources)[:8]:
            raise FirmwareError(
                f"{path}: the build {package.build} does not stand for its files; fetch it again"
            )
        return package

    def write_zip(self, path: Path) -> None:
        """Writes the package; the same files always give the same bytes.

        Raises:
            OSError: it cannot be written.
        """
        with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
            for name, content in {**self.files, SUMS_FILE: _list_of_hashes(self.files)}.items():
                entry = zipfile.ZipInfo(name, _ZIP_TIME)
                entry.external_attr = 0o644 << 16
                entry.create_system = 3
                archive.writestr(entry, content)

    def hashes(self) -> dict[str, str]:
        """SHA-256 of every file, hexadecimal."""
        return {name: hashlib.sha256(content).hexdigest() for name, content in self.files.items()}

    @classmethod
    def _from_files(cls, files: dict[str, bytes], where: str) -> Self:
        if START_FILE not in files:
            raise FirmwareError(f"{where}: this is not the firmware, {START_FILE} is missing")
        text = _version_file(files, where)
        version, build = _VERSION.search(text), _BUILD.search(text)
        if not version or not build:
            raise FirmwareError(f"{where}: expected VERSION and BUILD in {_VERSION_FILE}")
        number = ".".join(part.decode() for part in version.groups())
        return cls(number, build.group(1).decode(), files)


def local_config(path: Path) -> bytes:
    """The content of a file that is to become local_config.py.

    Raises:
        FirmwareError: it cannot be read or is no Python.
    """
    expected = f"{path}: expected settings of the firmware such as ROTATION = 180"
    try:
        content = read_bounded(path, MAX_LOCAL_CONFIG_BYTES)
        compile(content, str(path), "exec", dont_inherit=True)
    except OSError as error:
        if error.errno == errno.EFBIG:
            raise FirmwareError(f"{expected}, found: {error.strerror}") from error
        raise FirmwareError(f"{path}: cannot be read: {error.strerror}") from error
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise FirmwareError(f"{expected}, {error}") from error
    return content


def _start_file_last(names: "set[str] | Mapping[str, bytes]") -> list[str]:
    return sorted(names, key=lambda name: (name == START_FILE, name))


def _version_file(files: Mapping[str, bytes], where: str) -> bytes:
    if _VERSION_FILE not in files:
        raise FirmwareError(f"{where}: this is not the firmware, {_VERSION_FILE} is missing")
    return files[_VERSION_FILE]


def _hash_of_list(files: Mapping[str, bytes]) -> str:
    return hashlib.sha256(_list_of_hashes(files)).hexdigest()


def _list_of_hashes(files: Mapping[str, bytes]) -> bytes:
    lines = [f"{hashlib.sha256(files[name]).hexdigest()}  {name}\n" for name in sorted(files)]
    return "".join(lines).encode()
