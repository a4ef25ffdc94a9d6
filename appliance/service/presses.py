"""The purpose of each press: to wake the board, to hurry the computer, an activity, or the game."""

from appliance.alerts import Alert
from appliance.inputs import HOLD_BUTTONS, Button, Chord, Pressed
from appliance.service.computer_turn import computer_decision, deciding_session
from appliance.service.display import Display, only_looks
from appliance.service.ports import Keys
from appliance.service.presenter import Presenter
from appliance.service.rest import Rest
from appliance.service.steady import SteadyButtons
from appliance.service.tray_watch import TrayWatch
from appliance.table.menu.console import Console
from appliance.table.menu.step import Happening
from appliance.table.session.session import Session

OPEN_MENU = Pressed(Button.OK, long=True)
"""Opens the menu over the game."""

REPEAT = Pressed(Button.HINT, long=True)
"""Has the voice say once more what it said last, and all else that is shown."""

DICE_OR_LIST = frozenset({*HOLD_BUTTONS, Button.LEFT, Button.RIGHT})
"""The buttons that an alert or news over a prompt does not take: nobody acknowledges those by
holding a die."""


class Presses:
    """Passes each press on to what it is for.

    Args:
        keys: the buttons; None if there are none.
        guided: whether a line beside the board tells what each button does now.
    """

    def __init__(
        self,
        keys: Keys | None,
        presenter: Presenter,
        rest: Rest,
        display: Display,
        tray: TrayWatch,
        guided: bool = False,
    ) -> None:
        self._keys = keys
        self._guided = guided
        self._presenter = presenter
        self._rest = rest
        self._display = display
        self._tray = tray
        self._steady = SteadyButtons()

    @property
    def stuck(self) -> frozenset[Alert]:
        """The alert for a button that does what no finger can, such as bounce or never open."""
        stuck = self._steady.stuck or (self._keys is not None and self._keys.stuck())
        return frozenset({Alert.BUTTON_STUCK} if stuck else ())

    def is_stuck(self, button: Button) -> bool:
        """True if this button does what no finger can."""
        return button in self._steady.stuck or (
            self._keys is not None and button in self._keys.stuck()
        )

    def for_the_game(self, console: Console, time_s: float) -> list[Happening]:
        """Presses since the last call, as menu and game are to take them, oldest first."""
        presses = () if self._keys is None else self._keys.poll()
        steady = self._steady.debounce(presses, time_s)
        meant = (self._meaning(console, press, time_s) for press in steady)
        return [happening for happening in meant if happening is not None]

    def _meaning(self, console: Console, press: Pressed | Chord, time_s: float) -> Happening | None:
        """The meaning of a press for menu and game; None if it only changes what the board shows.

        It acts on the page that is up. One that is not taken makes a sound, and so do those that
        follow it too soon to have been meant for what it brought up.
        """
        self._display.hush()
        if press == REPEAT and console.equipment.speaks and self._tray.activity is None:
            self._rest.wake(time_s)
            self._display.repeat()
            return None
        asleep, familiar = self._rest.dark, self._presenter.familiar
        opens = self._opens_menu(console, press) or self._asks_to_undo_news(console, press)
        covered = self._presenter.answer_press(time_s) and not opens
        self._rest.wake(time_s)
        if isinstance(press, Chord):
            # Shutting down is possible whatever is going on.
            self._tray.activity = None
            return press
        asked = self._display.asked(console)
        for_dice = press.button in DICE_OR_LIST and familiar.knows(press.button, asked)
        activity = self._tray.activity
        unseen = asleep or (covered and (activity is not None or not for_dice))
        if activity is not None and not unseen:
            activity.press(press)
            return None
        unseen = unseen or (not opens and self._presenter.pauses(press.button, asked, time_s))
        if not unseen and (session := self._session_to_hurry(console, press)) is not None:
            return computer_decision(session)
        # A voice, or a line beside the board, tells what all its pages say.
        told = covered or self._guided or console.equipment.speaks or only_looks(console, press)
        if not (unseen or told or self._presenter.is_offered(press.button)):
            self._presenter.turn_to(press.button, time_s)
            unseen = True
        if unseen:
            self._presenter.refuse_press(time_s)
            self._display.say_again()
            return None
        if console.notice is not None:
            # What a notice covers is not up yet, either.
            self._presenter.begin_pause(time_s)
        return press

    def _opens_menu(self, console: Console, press: Pressed | Chord) -> bool:
        """True if it opens the menu, over whatever is shown, and acts on nothing."""
        return press == OPEN_MENU and self._tray.activity is None and console.page is None

    def _asks_to_undo_news(self, console: Console, press: Pressed | Chord) -> bool:
        """True if it asks to take back what is shown as news, which acts on nothing yet."""
        undoes = isinstance(press, Pressed) and press.button is Button.BACK
        return undoes and self._presenter.shows_news and console.page is None

    def _session_to_hurry(self, console: Console, press: Pressed | Chord) -> Session | None:
        """The session in which a player does not want to wait for the computer; None if none."""
        if press != Pressed(Button.OK) or not self._display.is_up_to_date(console):
            return None
        return deciding_session(console)
