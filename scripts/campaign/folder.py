"""Folders of training data: each holds the output of one command only, never a mix."""

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from scripts.campaign.results import CampaignError

ROOT = Path(__file__).parents[2]
NAME = "settings.json"


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


def opened(folder: Path, settings: dict[str, Any], made: str = "*.npz") -> None:
    """Creates a folder for the output of some settings, or resumes one.

    Args:
        folder: the folder; it need not exist.
        settings: named values, to be written as JSON.
        made: pattern of the files that only these settings may have made.

    Raises:
        CampaignError: it holds the output of other settings, or its settings cannot be read.
    """
    folder.mkdir(parents=True, exist_ok=True)
    before = settings_of(folder)
    if before is None:
        if any(folder.glob(made)):
            raise CampaignError(
                f"{folder}: expected an empty folder, found files made with unknown settings; "
                "take another folder"
            )
        (folder / NAME).write_text(json.dumps(settings, indent=1) + "\n", "utf-8")
    elif before != settings:
        other = ", ".join(
            f"{name} {before.get(name)!r}"
            for name in sorted({*before, *settings})
            if before.get(name) != settings.get(name)
        )
        raise CampaignError(
            f"{folder}: expected what {settings} makes, found it made with {other}; take another "
            "folder, or the settings it was begun with"
        )


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """Opens a file that replaces `path` once it is complete, so `path` is never half written."""
    # Must not match `*.npz`, which is what later steps read.
    beside = path.with_name(f"{path.name}.begun")
    with beside.open("wb") as file:
        yield file
    beside.replace(path)
