"""What people see and hear: the film of the prompt, an alert alternating with it, sounds.

A sound marks a roll that was read, a question, a press that does not count, an alert, and what is
announced: that the end is near, a card that was banked, the end.
"""

import math
from dataclasses import replace

from appliance.alerts import Alert
from appliance.devices.buzzer import Sound, Sounds
from appliance.picture import Picture
from appliance.rules.game import Rolled, Shown
from appliance.screens.draw import film
from appliance.screens.drawing import Film, two_lines
from appliance.service.ports import PictureBoard
from appliance.table.menu.prompting import ConsolePrompt, NoticePrompt
from appliance.table.prompts import ThrowPrompt
from appliance.table.session.modes import Clashing, EnteringColour, EnteringFace, Miscounted, Turned
from appliance.table.session.session import Session
from appliance.table.session.standing import announcement
from appliance.words import say
from vision.reading import TrayState

# An alert and the prompt under it are shown in turn.
ALERT_TURN_S = 2.4
PROMPT_TURN_S = 1.6
NO_ALERT_AFTER_PRESS_S = 8.0


class Presenter:
    """Draws each prompt once and shows its pictures as time goes by; plays sounds.

    The board is given a `picture` only when it differs from the one before (None before the first).
    While it `shows_news` in place of the prompt, a press only uncovers the prompt.
    """

    def __init__(self, board: PictureBoard, sounds: Sounds) -> None:
        self._board = board
        self._sounds = sounds
        self._prompt: ConsolePrompt | None = None
        self._drawn: Film | None = None
        self._film: Film | None = None  # the same, without an opening that was told or ended
        self._told_of: ConsolePrompt | None = None
        self._since_s = 0.0
        self._alert_s = 0.0
        self._quiet_until_s = -math.inf
        self._covered = False
        self.shows_news = False
        self.picture: Picture | None = None

    def take_prompt(self, prompt: ConsolePrompt, time_s: float) -> None:
        """Takes the prompt to show from now on."""
        if prompt == self._prompt:
            return
        self._prompt = prompt
        drawn = film(prompt)
        # What looks the same continues: a page is not cut short by changes that it does not show.
        if drawn != self._drawn:
            if self._film is not None and self._film.is_opening_at(time_s - self._since_s):
                # Cut short: it was not told.
                self._told_of = None
            self._drawn = self._film = drawn
            self._since_s = time_s
            asked = _what_is_asked(prompt)
            if drawn.opening and asked == self._told_of:
                # A hand or dice moved meanwhile: the news are no news any more.
                self._film = replace(drawn, opening=())
            elif drawn.opening or asked != self._told_of:
                self._told_of = asked if drawn.opening else None

    def begin_alert(self, time_s: float, sound: Sound | None = None) -> None:
        """Starts the alternation afresh, with the alert first."""
        self._alert_s = time_s
        self._quiet_until_s = -math.inf
        if sound is not None:
            self._sounds.play(sound, time_s)

    def play_sound(self, before: Session | None, after: Session | None, time_s: float) -> None:
        """Plays the sound that belongs to a step of the session, if any."""
        if (sound := _sound_of(before, after)) is not None:
            self._sounds.play(sound, time_s)

    def answer_press(self, time_s: float) -> bool:
        """Shows the prompt: whoever presses wants to see what it does, whatever is wrong.

        Returns whether the board showed something else, an alert or news, in place of the prompt:
        then nobody could see what the press would have done, and it does nothing else.
        """
        covered, self._covered = self._covered, False
        self._alert_s = self._quiet_until_s = time_s + NO_ALERT_AFTER_PRESS_S
        film = self._film
        if film is not None and film.hides and film.is_opening_at(time_s - self._since_s):
            self._film = replace(film, opening=())
            self._since_s = time_s
        return covered

    def notice_is_over(self, time_s: float) -> bool:
        """Whether a notice that passes by itself was shown for long enough."""
        shown = self._prompt
        return isinstance(shown, NoticePrompt) and shown.passing and self.was_shown(time_s)

    def was_shown(self, time_s: float) -> bool:
        """Whether everything in the present film was shown once."""
        shown = () if self._film is None else (*self._film.opening, *self._film.loop)
        return bool(shown) and time_s - self._since_s >= sum(still.seconds for still in shown)

    def show(self, time_s: float, alert: Alert | None, instead: Picture | None = None) -> None:
        """Shows what is due now: an alert in its turn, a picture `instead`, or else the prompt."""
        in_turn = (time_s - self._alert_s) % (ALERT_TURN_S + PROMPT_TURN_S) < ALERT_TURN_S
        film = self._film
        shown_s = time_s - self._since_s
        self._covered = self.shows_news = False
        if alert is not None and in_turn and time_s >= self._quiet_until_s:
            self._covered = True
            self._show_if_new(two_lines(*map(say, alert.lines)))
        elif instead is not None:
            self._show_if_new(instead)
        elif film is not None:
            self._covered = self.shows_news = film.hides and film.is_opening_at(shown_s)
            self._show_if_new(film.picture_at(shown_s))

    def _show_if_new(self, picture: Picture) -> None:
        if picture != self.picture:
            self.picture = picture
            self._board.show(picture)


def _what_is_asked(prompt: ConsolePrompt) -> ConsolePrompt:
    """A prompt without what changes while the players do what it asks: the tray, what was news."""
    if isinstance(prompt, ThrowPrompt):
        return replace(prompt, tray=TrayState.STILL, take=False, scored=None, scorer="")
    return prompt


_MODES_THAT_ASK = (EnteringFace, EnteringColour, Turned, Miscounted, Clashing)


def _sound_of(before: Session | None, after: Session | None) -> Sound | None:
    """The sound that belongs to a step of the session; None for most."""
    if before is None or after is None or before.serial != after.serial:
        return None
    if isinstance(after.mode, _MODES_THAT_ASK) and type(after.mode) is not type(before.mode):
        return Sound.NEED
    new = after.events[len(before.events) :]
    if any(isinstance(event, Rolled | Shown) for event in new):
        return Sound.READ
    if new and _is_announced(before, after):
        return Sound.NEWS
    if after.remark and after.remark != before.remark:
        return Sound.WRONG
    return None


def _is_announced(before: Session, after: Session) -> bool:
    """Whether a step has brought news for all: the end or, as a turn begins, that it is near."""
    rules = after.rules
    was, now = rules.ask(before.state), rules.ask(after.state)
    if was is None or now is None:
        return was is not now
    closing, banked = announcement(after)
    begins = (rules.turn(before.state), was.seat) != (rules.turn(after.state), now.seat)
    return bool(banked) or (begins and bool(closing))
