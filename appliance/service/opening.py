"""Opens what the appliance cannot do without; until it can, the board says what is wrong."""

import logging
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

from appliance.errors import (
    ConfigError,
    JournalError,
    NoHeaderError,
    PinsError,
    PowerError,
    StrangeJournal,
)
from appliance.inputs import SHUT_DOWN
from appliance.journal.journal import Journal
from appliance.journal.mending import open_and_mend
from appliance.screens.drawing import two_lines
from appliance.service.phase import LIMIT_S
from appliance.service.phases import Phases
from appliance.service.ports import Keys, PictureBoard, Power
from appliance.words import say

log = logging.getLogger(__name__)

T = TypeVar("T")

RETRY_AFTER_S = 2.0


class SwitchedOff(Exception):
    """The players switched the appliance off before there was a game."""


def open_games(
    path: Path,
    board: PictureBoard,
    phases: Phases,
    wait: Callable[[float], None] | None = None,
    *,
    keys: Keys | None = None,
    power: Power | None = None,
) -> Journal:
    """The journal to play with; a damaged one is mended, and games of an earlier version taken in.

    Under systemd nobody reads an error: the board shows what is wrong with the disk, and opening
    is retried until it succeeds or the players switch off. The other arguments are those of
    `retry_until_done`.

    Raises:
        SwitchedOff: the players hold LEFT and RIGHT while it cannot be opened.
        JournalError: it cannot be opened, and the program was not started by systemd.
    """
    progress = partial(_tell_progress, board, phases)
    journal, _ = retry_until_done(
        lambda: open_and_mend(path, progress=progress), board, phases, wait, keys=keys, power=power
    )
    return journal


def _tell_progress(board: PictureBoard, phases: Phases, done: int, total: int) -> None:
    """Says how many games of an earlier version are taken in, also to systemd."""
    phases.notifier.status(f"takes in games of an earlier version: {done} of {total}")
    phases.notifier.extend(LIMIT_S)
    board.show(two_lines(say("OLD GAMES"), say("{done} OF {total}", done=done, total=total)))


def retry_until_done(
    what: Callable[[], T],
    board: PictureBoard,
    phases: Phases,
    wait: Callable[[float], None] | None = None,
    *,
    keys: Keys | None = None,
    power: Power | None = None,
) -> T:
    """Does what the appliance cannot do without; while that fails, the board says what is wrong.

    Args:
        what: does it.
        board: shows what is wrong.
        phases: those of the start, which tell systemd.
        wait: waits a number of seconds; None sleeps.
        keys: the buttons; None if there are none.
        power: switches the machine off; None only ends the program.

    Raises:
        SwitchedOff: the players hold LEFT and RIGHT meanwhile.
        ConfigError, JournalError, PinsError: the program was not started by systemd.
    """
    said = ""
    while True:
        try:
            return what()
        except (ConfigError, JournalError, PinsError) as error:
            if not phases.notifier.listened_to:
                raise
            if str(error) != said:
                said = str(error)
                log.error("%s", error)
            board.show(two_lines(*map(say, error.alert.lines)))
            # An installer rolls back to the previous version if this one is never ready; with a
            # failing disk, or on a PC, that would do no better.
            hopeless = isinstance(error, JournalError | NoHeaderError)
            ready = hopeless and not isinstance(error, StrangeJournal)
            phases.name_fault(error.alert.sentence, ready=ready)
            if keys is not None and SHUT_DOWN in keys.poll():
                _switch_off(board, power)
            (wait or time.sleep)(RETRY_AFTER_S)
            phases.try_again()


def _switch_off(board: PictureBoard, power: Power | None) -> None:
    board.show(two_lines(say("GOODBYE"), say("SHUTS DOWN")))
    try:
        if power is not None:
            power.off()
    except PowerError as error:
        log.error("%s", error)
        board.show(two_lines(say("CANNOT"), say("SHUT DOWN")))
        return
    raise SwitchedOff
