"""Opens the games on disk, whatever state the disk is in."""

import logging
import time
from collections.abc import Callable
from pathlib import Path

from appliance.errors import JournalError, PowerError, StrangeJournal
from appliance.inputs import SHUT_DOWN
from appliance.journal.database import Journal
from appliance.journal.recovery import Salvage, open_or_salvage
from appliance.screens.drawing.layout import two_lines
from appliance.service.ports import Keys, PictureBoard, Power
from appliance.service.systemd import Notifier

log = logging.getLogger(__name__)

RETRY_S = 2.0
"""Seconds between tries."""


class SwitchedOff(Exception):
    """The players have switched the appliance off before there was a game."""


def open_games(
    path: Path | str,
    board: PictureBoard,
    notifier: Notifier,
    wait: Callable[[float], None] = time.sleep,
    *,
    keys: Keys | None = None,
    power: Power | None = None,
) -> tuple[Journal, Salvage | None]:
    """The journal to play with; a damaged one is salvaged.

    Under systemd nobody reads an error: the board shows what is wrong with the disk, and it is
    tried again until it can be opened or the players switch off.

    Args:
        path: the file, or ":memory:".
        board: shows what is wrong.
        notifier: informs systemd.
        wait: waits a number of seconds.
        keys: the buttons; None without.
        power: switches the machine off; None ends the program only.

    Raises:
        SwitchedOff: the players hold LEFT and RIGHT while it cannot be opened.
        JournalError: it cannot be opened, and the program was not started by systemd.
    """
    if str(path) == ":memory:":
        return Journal(path), None
    said = ""
    while True:
        try:
            return open_or_salvage(Path(path))
        except JournalError as error:
            if not notifier.listened_to:
                raise
            if str(error) != said:
                said = str(error)
                log.error("%s", error)
            board.show(two_lines(*error.alert.lines))
            if not isinstance(error, StrangeJournal):
                # An installer goes back to the version before if this one is never ready.
                notifier.ready()
            notifier.status(error.alert.sentence)
            notifier.alive()
            if keys is not None and SHUT_DOWN in keys.poll():
                _switch_off(board, power)
            wait(RETRY_S)


def _switch_off(board: PictureBoard, power: Power | None) -> None:
    board.show(two_lines("GOOD BYE", "SHUTS DOWN"))
    try:
        if power is not None:
            power.off()
    except PowerError as error:
        log.error("%s", error)
        board.show(two_lines("CANNOT", "SHUT DOWN"))
        return
    raise SwitchedOff
