"""A watcher to which nothing happens."""

from vision.events import TrayEvent
from vision.frame import Frame


class Quiet:
    """Never sees anything."""

    def feed(self, frame: Frame) -> tuple[TrayEvent, ...]:
        return ()

    def finish(self) -> tuple[TrayEvent, ...]:
        return ()

    def expect(self, count: int | None) -> None:
        pass
