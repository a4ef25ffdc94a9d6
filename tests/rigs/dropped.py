"""What a test leaves as a program does that is killed: the system closes what it had open."""

import weakref
from collections.abc import Mapping
from typing import BinaryIO, TypeVar

from appliance.journal.files import Files

AnyFiles = TypeVar("AnyFiles", bound=Files)


def closed_when_dropped(files: AnyFiles) -> AnyFiles:
    """The files, which are closed once nothing refers to them."""
    weakref.finalize(files, _close_all, files._open)
    return files


def _close_all(opened: Mapping[str, BinaryIO]) -> None:
    for file in opened.values():
        file.close()
