"""Answers while dice may be rolling: they wait until it is known which dice they were meant for.

Only what makes something count waits, such as the OK that takes a box: lists open and dice are held
at once. If the tray comes to rest with the same question as before, as after a shadow or a hand
that took dice out, what was pressed counts a moment later. If dice were thrown, it was meant for
those that lay there before: it does nothing, and the board says so.
"""

from collections.abc import Callable

from appliance.inputs import Button, Picked, Pressed
from appliance.table.menu.asking import Asked, Question
from appliance.table.menu.at_table import Leaving
from appliance.table.menu.console import Console
from appliance.table.menu.roll_off import RollOff
from appliance.table.menu.step import Happening
from appliance.table.session.by_hand import enters_throw
from appliance.table.session.modes import Answerable, EnteringThrow, mode_behind_hint
from appliance.table.session.session import Decided
from appliance.table.session.throws import may_roll_again
from games.values import Choose, Reveal, Throw
from vision.reading import TrayState

ROLLING_AT_MOST_S = 5.0
"""Dice are read sooner: whatever moves on is something else.

A simulated throw rolls for 1.3 s, and the watcher looks at doubtful dice for a second more.
"""

HAND_LETS_GO_S = 0.5
"""How long a press with a hand in the tray waits: one that throws has let go by then, and the dice
are seen to roll. The hand of whoever gathers dice may stay for longer."""

PRESS_AGAIN = "PRESS AGAIN"
"""The remark on what was pressed for dice that do not lie there any more."""


class PressGate:
    """Passes presses on once they can be meant for nothing but what is asked.

    Args:
        asked: what a console asks.
    """

    def __init__(self, asked: Callable[[Console], Asked]) -> None:
        self._asked = asked
        self._waiting: list[Happening] = []
        self._meant_for: Question | None = None
        self._pressed_s = 0.0
        self._tray = TrayState.EMPTY
        self._moves_since_s = 0.0
        self._has_moved = False  # something other than a hand, since the tray was last at rest
        self._shown: Question | None = None

    def rolls(self, console: Console, time_s: float) -> bool:
        """True while dice may be rolling that are to take the place of those that are on record."""
        if not _may_be_thrown(console):
            return False
        return console.tray.state.moves and not self._has_moved_for_long(time_s)

    def _has_moved_for_long(self, time_s: float) -> bool:
        return self._tray.moves and time_s - self._moves_since_s >= ROLLING_AT_MOST_S

    def pass_on(
        self, console: Console, press: Happening | None, time_s: float
    ) -> tuple[list[Happening], bool]:
        """The presses that count now, oldest first, and whether one came too late to count.

        To be called with each press, and without one in rounds that have none.
        """
        asked = self._asked(console).question
        was_busy = self._tray.is_busy
        state = console.tray.state
        if state is not self._tray:
            if not (state.moves and self._tray.moves):
                self._moves_since_s = time_s
            self._tray = state
            self._has_moved = (self._has_moved or state.moves) and state.is_busy
        if press is not None and not _makes_count(press, console):
            return [press], False
        if press is not None:
            if not self._waiting:
                # Whoever pressed has not seen what has just come to rest.
                self._meant_for = self._shown if was_busy else asked
                self._pressed_s = time_s
            self._waiting.append(press)
        if not self._waiting or self._waits(console, time_s):
            return [], False
        waiting, self._waiting = self._waiting, []
        late = self._meant_for != asked
        return [] if late else waiting, late

    def note_shown(self, console: Console) -> None:
        """Notes what is shown from now on, until the next round."""
        self._shown = self._asked(console).question

    def _waits(self, console: Console, time_s: float) -> bool:
        if not _may_be_thrown(console):
            return False
        if console.tray.state is TrayState.HAND:
            # Over dice that have rolled it may stay, and they are not read before it leaves.
            limit_s = ROLLING_AT_MOST_S if self._has_moved else HAND_LETS_GO_S
            return time_s - self._pressed_s < limit_s
        return self.rolls(console, time_s)


def _may_be_thrown(console: Console) -> bool:
    """True if a throw that the camera sees now would count, or replace one that is asked about."""
    session, page = console.session, console.page
    if isinstance(page, RollOff):
        return not console.tray.blind
    if session is None or session.tray.blind or not isinstance(page, Leaving | None):
        return False
    mode = mode_behind_hint(session.mode)
    if enters_throw(session) and not (isinstance(mode, EnteringThrow) and mode.sight):
        return False
    ask = session.record.ask
    return isinstance(ask, Throw | Reveal) or (isinstance(ask, Choose) and may_roll_again(session))


def _makes_count(press: Happening, console: Console) -> bool:
    """True if a press may make dice count, or take back what did; others only show something."""
    if isinstance(press, Picked | Decided):
        return True
    if not isinstance(press, Pressed) or press.button not in (Button.OK, Button.BACK):
        return False
    if console.notice is not None:
        # It only takes the notice away, which may be gone by itself in a moment.
        return False
    if console.page is not None:
        return isinstance(console.page, RollOff | Leaving)
    return console.session is not None and isinstance(console.session.mode, Answerable)
