"""A scoreboard without a link, for tests that look at the board."""

from appliance.devices.scoreboard import LinkState, Status
from appliance.devices.scoreboard.base import checked_level
from appliance.picture import Picture


class MemoryScoreboard:
    """A scoreboard that remembers what it was told to show.

    Attributes:
        pictures: all pictures in order.
        brightness: the last level set; None before.
        tried: all layouts to try, in order.
        stored: all layouts to store, in order.
        parted: whether it was told farewell.
        closed: whether it was closed.
    """

    def __init__(self) -> None:
        self.pictures: list[Picture] = []
        self.brightness: int | None = None
        self.tried: list[bytes | None] = []
        self.stored: list[bytes] = []
        self.parted = False
        self.closed = False

    @property
    def picture(self) -> Picture:
        """The picture it shows now; dark before the first."""
        return self.pictures[-1] if self.pictures else Picture()

    def show(self, picture: Picture) -> None:
        """Remembers the picture."""
        self.pictures.append(picture)

    def set_brightness(self, level: int) -> None:
        """Remembers the level."""
        self.brightness = checked_level(level)

    def try_layout(self, layout: bytes | None) -> None:
        """Remembers the layout."""
        self.tried.append(layout)

    def store_layout(self, layout: bytes) -> None:
        """Remembers the layout."""
        self.stored.append(layout)

    def say_farewell(self) -> None:
        """Remembers that it was told."""
        self.parted = True

    @property
    def status(self) -> Status:
        """Linked until it is closed."""
        count = len(self.pictures)
        state = LinkState.CLOSED if self.closed else LinkState.LINKED
        return Status(state=state, brightness=self.brightness, sent=count, shown=count)

    def close(self) -> None:
        """Remembers that it was closed."""
        self.closed = True
