"""Counts the dice that were read wrongly, by what players put right."""

from collections.abc import Callable

from appliance.service.ports import Happened
from appliance.table.session.session import faces_on_record
from vision.events import Roll


class CorrectionCount:
    """Listens to what happens in a game and reports wrong dice, a throw at a time.

    What was put right counts when the next throw comes: until then it may be taken back.

    Args:
        report: gets how many dice of a throw were wrong.
    """

    def __init__(self, report: Callable[[int], None]) -> None:
        self._report = report
        self._wrong = 0

    def forget(self) -> None:
        """What was counted so far belongs to a calibration that is over."""
        self._wrong = 0

    def __call__(self, happened: Happened) -> None:
        """Looks at what players put right."""
        if isinstance(happened.input, Roll):
            self.finish()
        if happened.session is None:
            return
        shown = faces_on_record(happened.session).values()
        self._wrong = sum(d.reading.sure and d.reading.value != face for d, face in shown)

    def finish(self) -> None:
        """Counts what the last throw has shown."""
        wrong, self._wrong = self._wrong, 0
        if wrong:
            self._report(wrong)
