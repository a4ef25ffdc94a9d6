"""The port that every source of frames implements."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from vision.frame import Frame


class Camera(Protocol):
    """A source of frames."""

    @property
    def name(self) -> str:
        """The name of the source in messages."""

    def frames(self) -> Iterator["Frame"]:
        """Frames in order of time, until the source ends or is closed.

        Raises:
            CameraError: the source has stopped delivering.
        """

    def close(self) -> None:
        """Releases the source; calling it twice is fine."""
