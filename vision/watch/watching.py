"""The interface of what follows a tray's frames: the watcher, or its stand-in while it cannot."""

from collections.abc import Sequence
from typing import Protocol

from vision.errors import Unreadable
from vision.events import TrayEvent
from vision.frame import Frame


class Watching(Protocol):
    """Follows the frames of a tray, and reports what is new."""

    def feed(self, frame: Frame) -> Sequence[TrayEvent]:
        """The events in the tray that are new with this frame."""

    def finish(self) -> Sequence[TrayEvent]:
        """The events that can still be reported when no frame follows, as at the end of a film."""

    def expect(self, count: int | None) -> None:
        """How many dice the game needs in the tray; None if it does not matter."""


class ReadingWatcher(Watching, Protocol):
    """A watcher that says when it cannot read."""

    @property
    def unread(self) -> Unreadable | None:
        """Why nothing can be claimed about the tray as it is; None if it can be read."""
