"""Who gets the frames of the tray: the watcher, or an activity that has taken over."""

from collections.abc import Callable, Sequence

from appliance.service.ports import Activity
from appliance.table.menu.console import Console
from appliance.table.menu.lesson import Lesson
from appliance.table.menu.own_die import OwnDie
from appliance.table.menu.roll_off import RollOff
from appliance.table.session.session import dice_needed
from vision.events import TrayEvent
from vision.frame import Frame
from vision.watch.watching import Watching


class TrayWatch:
    """Watches the tray for the game, which says how many dice it expects there.

    Args:
        make_watcher: makes a new watcher, with the present calibration; None keeps the first.

    Attributes:
        watcher: reports what happens in the tray.
        activity: gets all frames and presses, such as the calibration; None while the game does.
    """

    def __init__(self, watcher: Watching, make_watcher: Callable[[], Watching] | None) -> None:
        self.watcher = watcher
        self._make_watcher = make_watcher
        self.activity: Activity | None = None

    def feed(self, frame: Frame) -> Sequence[TrayEvent]:
        """The new events in the tray; none while an activity gets the frames."""
        if self.activity is not None:
            self.activity.feed(frame)
            return ()
        return self.watcher.feed(frame)

    def expect_dice(self, console: Console) -> None:
        """Tells the watcher how many dice the game needs next."""
        self.watcher.expect(_dice_expected(console))

    def renew_watcher(self, console: Console) -> None:
        """Goes on with a new watcher, which has seen nothing yet."""
        if self._make_watcher is not None:
            self.watcher = self._make_watcher()
            self.expect_dice(console)

    def end_finished_activity(self, console: Console) -> None:
        """Returns to the game, with the new calibration, when an activity is done."""
        if self.activity is not None and self.activity.done:
            self.activity = None
            self.renew_watcher(console)


def _dice_expected(console: Console) -> int | None:
    """How many dice should lie in the tray after the next throw; None if it does not matter."""
    if isinstance(console.page, Lesson):
        return dice_needed(console.page.session)
    if console.session is None or isinstance(console.page, RollOff | OwnDie):
        return None
    return dice_needed(console.session)
