"""Folders of training data: each holds the output of one command only, never a mix."""

import hashlib
import json
import os
import socket
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from scripts.campaign.results import CampaignError

ROOT = Path(__file__).parents[2]
NAME = "settings.json"
FILES = "files"
"""The setting that lists the files a folder is to have."""


def code_hash(*parts: str) -> str:
    """Hashes project files and folders, so that output of two versions is never mixed."""
    places = [ROOT / part for part in parts]
    files = [p for one in places for p in ([one] if one.is_file() else sorted(one.rglob("*")))]
    read = [p.read_bytes() for p in files if p.suffix in (".py", ".onnx")]
    return hashlib.sha256(b"".join(read)).hexdigest()[:16]


def settings_of(folder: Path) -> dict[str, Any] | None:
    """The settings that a folder's files were made with; None where they are not known."""
    path = folder / NAME
    try:
        found = json.loads(path.read_text("utf-8")) if path.exists() else None
    except (OSError, ValueError) as error:
        raise CampaignError(
            f"{path}: expected the settings of what is in the folder, cannot read them: {error}; "
            "take another folder"
        ) from error
    return found if isinstance(found, dict) else None


def opened(
    folder: Path, settings: dict[str, Any], made: str = "*.npz", files: Iterable[str] = ()
) -> None:
    """Creates a folder for the output of some settings, or resumes one.

    Several machines may do so at once, each for its part of the files.

    Args:
        folder: the folder; it need not exist.
        settings: named values, to be written as JSON.
        made: pattern of the files that only these settings may have made.
        files: names of all files it is to have once every part is done, for `files_of`.

    Raises:
        CampaignError: it holds the output of other settings, or its settings cannot be read.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if names := sorted(files):
        settings = {**settings, FILES: names}
    before = settings_of(folder)
    if before is None:
        if any(folder.glob(made)):
            raise CampaignError(
                f"{folder}: expected an empty folder, found files made with unknown settings; "
                "take another folder"
            )
        with whole_file(folder / NAME) as file:
            file.write(json.dumps(settings, indent=1).encode() + b"\n")
    elif before != settings:
        other = ", ".join(
            _told(name, before.get(name))
            for name in sorted({*before, *settings})
            if before.get(name) != settings.get(name)
        )
        wanted = {name: value for name, value in settings.items() if name != FILES}
        raise CampaignError(
            f"{folder}: expected what {wanted} makes, found it made with {other}; take another "
            "folder, or the settings it was begun with"
        )


def _told(name: str, value: Any) -> str:
    """A setting in words; of the files only how many they are."""
    return f"{len(value or ())} files" if name == FILES else f"{name} {value!r}"


def files_of(folder: Path) -> list[Path]:
    """All files of a folder that `opened` began, in order, once every part of them is done.

    Raises:
        CampaignError: there are none, or some that it is to have are missing.
    """
    found = sorted(folder.glob("*.npz"))
    wanted = (settings_of(folder) or {}).get(FILES, ())
    if missing := sorted({*wanted} - {path.name for path in found}):
        raise CampaignError(
            f"{folder}: expected {len(wanted)} files, found {len(wanted) - len(missing)}; run the "
            f"command that makes them again, for these: {', '.join(missing)}"
        )
    if not found:
        raise CampaignError(f"{folder}: expected files *.npz, found none; make some first")
    return found


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """Opens a file that replaces `path` once it is complete, so `path` is never half written.

    Two machines may do so at once, as when one was given up that goes on: the last one's stays.
    """
    # Must not match `*.npz`, which is what later steps read.
    beside = path.with_name(f"{path.name}.{socket.gethostname()}-{os.getpid()}.begun")
    try:
        with beside.open("wb") as file:
            yield file
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
