"""The port that every source of frames implements."""

from collections.abc import Iterator
from typing import Protocol, runtime_checkable

from vision.frame import Frame


class Camera(Protocol):
    """A source of frames."""

    @property
    def name(self) -> str:
        """What the source is called in messages."""

    def frames(self) -> Iterator[Frame]:
        """Frames in order of time, until the source ends or is closed.

        Raises:
            CameraError: the source has stopped delivering.
        """

    def close(self) -> None:
        """Releases the source; calling it twice is fine."""


@runtime_checkable
class NamesLens(Protocol):
    """The port to a camera that can say what lens it has."""

    @property
    def module_3(self) -> bool:
        """Whether it is a standard Camera Module 3 that shows all it sees; known once open."""
