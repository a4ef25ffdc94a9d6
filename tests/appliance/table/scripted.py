"""A watcher and buttons that report what a test puts into them, and record what they are given."""

from appliance.inputs import Button, Chord, Pressed
from vision.errors import Unreadable
from vision.events import TrayEvent
from vision.frame import Frame


class ScriptedWatcher:
    """Reports `events` with the next frame; sees nothing else.

    Attributes:
        events: what it reports next.
        frames: how many it was shown.
        expected: how many dice it was asked to expect; -1 before that.
        unread: why it cannot read.
    """

    def __init__(self, *events: TrayEvent) -> None:
        self.events = list(events)
        self.frames = 0
        self.expected: int | None = -1
        self.unread: Unreadable | None = None

    def feed(self, frame: Frame) -> tuple[TrayEvent, ...]:
        """The scripted events, whatever the frame shows."""
        self.frames += 1
        return self._pop()

    def finish(self) -> tuple[TrayEvent, ...]:
        """The events at the end."""
        return self._pop()

    def expect(self, count: int | None) -> None:
        """Records it."""
        self.expected = count

    def _pop(self) -> tuple[TrayEvent, ...]:
        events, self.events = tuple(self.events), []
        return events


class ScriptedKeys:
    """Buttons pressed as `presses` says.

    Attributes:
        presses: what the next poll returns.
        lit: the slots whose lights are on.
        closed: the buttons that are stuck.
    """

    def __init__(self) -> None:
        self.presses: list[Pressed | Chord] = []
        self.lit: frozenset[int] = frozenset()
        self.closed: frozenset[Button] = frozenset()

    def poll(self) -> tuple[Pressed | Chord, ...]:
        """The presses since the last call."""
        presses, self.presses = tuple(self.presses), []
        return presses

    def stuck(self) -> frozenset[Button]:
        """Those that a test says are."""
        return self.closed

    def light(self, slots: frozenset[int]) -> None:
        """Records it."""
        self.lit = slots
