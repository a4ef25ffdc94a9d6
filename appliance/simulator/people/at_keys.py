"""Somebody at the keys of a terminal or a page: what they type, and what hands do for them."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from appliance.guidance import guidance
from appliance.inputs import HOLD_BUTTONS, SHUT_DOWN, Button, Pressed
from appliance.service.appliance import Appliance
from appliance.service.ports import Happened
from appliance.service.view import View, Viewer
from appliance.simulator.people.mock_buttons import MockButtons
from appliance.simulator.people.person import Person
from appliance.simulator.people.player import SimulatedPlayer, must_throw_for_computer
from appliance.table.menu.console import Console, Waited
from appliance.table.prompts.turn import DicePrompt
from appliance.table.session.session import Session
from appliance.terminal import keyboard
from appliance.words import Verbatim, say
from calibration.wizard.state import Wizard
from games.values import Keep, Rolled
from simulator.motion.watched_tray import WatchedTray
from vision.events import Roll

MESSAGE_DURATION_S = 3.0
"""How long a sentence for the person at the keyboard usually stays, simulated seconds."""
COMPUTER_THROWS_AFTER_S = 0.4
"""Seconds that the board asks for a computer's throw before the computer throws by itself."""
LOOK_AWAY_WARNING_S = 1.0
"""Seconds that everybody else has to look away before a player looks at their own dice."""

TRAY_IS_NOT_DRAWN = "The tray is still being drawn. What you pressed comes right after."
"""While what is to be learnt of the simulated tray is drawn: at the very first start."""
TRAY_IS_BUSY = "A hand is in the tray, or the dice are still rolling."
PRESSED_TOO_LATE = "Something happened meanwhile. Look at the dice, and press again."
"""The answer to a press that was meant for what was shown before."""

_ACTIONS_ABOUT_DICE = frozenset(
    {
        keyboard.THROW_ACTION,
        keyboard.SHOW_ACTION,
        keyboard.COLLECT_ACTION,
        keyboard.PEEK_ACTION,
        keyboard.PEEK_HELD_ACTION,
    }
)
_BACK_ACTIONS = (Button.BACK, keyboard.LONG_PREFIX + Button.BACK)
_MENU_ACTION = keyboard.LONG_PREFIX + Button.OK


class Room(Protocol):
    """The simulated appliance, and what is around it."""

    appliance: Appliance
    tray: WatchedTray
    player: Person | SimulatedPlayer
    viewer: Viewer

    @property
    def mock_buttons(self) -> MockButtons:
        """Presses the buttons."""

    @property
    def time_s(self) -> float:
        """Simulated seconds since the start."""

    @property
    def is_ready(self) -> bool:
        """True once throws can be read."""

    @property
    def wizard(self) -> Wizard | None:
        """The calibration in progress; None if there is none."""

    def lay_out(self) -> None:
        """Lays out what the calibration asks for."""


class AtKeys:
    """Somebody at the keys: actions in, presses and throws out, and a sentence as the answer.

    Where a simulated player plays, somebody may still leave.
    """

    def __init__(self, room: Room) -> None:
        self._room = room
        self._message = ""
        self._message_until_s = 0.0
        self._waiting_action = ""
        # From a throw by a key until its dice are read.
        self._thrown = False
        self._computer_throws_at_s = 0.0
        self._held_after = (0, 0)
        self._peeking_player = ""
        self._peek_from_s = 0.0

    @property
    def throws(self) -> bool:
        """True while dice are being thrown by a key, and were not read yet."""
        return self._room.wizard is None and (self._thrown or bool(self._waiting_action))

    @property
    def _tray_is_busy(self) -> bool:
        """True if dice or a hand move in the tray, or were seen to."""
        return self._room.tray.busy or self._room.appliance.console.tray.state.is_busy

    def hear(self, happened: Happened) -> None:
        """Takes note of what happens: dice that were read are thrown no longer."""
        if isinstance(happened.input, Roll) and not self._room.tray.rolling:
            self._thrown = False

    def begin_frame(self) -> None:
        """Ends what was shown for a while only."""
        if self._peeking_player and self._room.time_s >= self._message_until_s:
            self._end_peek()

    def end_frame(self) -> None:
        """Does what hands do by themselves, once the appliance has seen the tray."""
        room = self._room
        session = room.appliance.console.session
        by_person = isinstance(room.player, Person)
        if by_person and session is not None:
            self._hold_kept_dice(session)
        if self._waiting_action and room.is_ready and not self._tray_is_busy:
            self._obey_about_dice(self._waiting_action)
        if by_person and room.wizard is None:
            self._throw_for_computer()
        self._thrown = self._thrown and self._tray_is_busy

    @property
    def hastens(self) -> bool:
        """True while a person only watches what a computer does."""
        prompt = self._room.appliance.prompt
        if not isinstance(self._room.player, Person) or self._room.wizard is not None:
            return False
        if isinstance(prompt, DicePrompt):
            return prompt.decided is not None
        return self._room.tray.busy and must_throw_for_computer(prompt)

    def _hold_kept_dice(self, session: Session) -> None:
        """Holds dice kept out of the last throw for the next one too, until they are let go.

        At a real tray they lie aside, and nobody takes them for the others.
        """
        thrown = session.record.serial, len(session.record.events)
        if thrown == self._held_after:
            return
        self._held_after = thrown
        prompt = self._room.appliance.prompt
        if not isinstance(prompt, DicePrompt) or not prompt.may_roll or prompt.decided is not None:
            return
        match session.record.events[-2:]:
            case (Keep(slots), Rolled()) if len(slots) < len(prompt.dice):
                for slot in slots:
                    if slot not in prompt.held:
                        self._room.mock_buttons.press(HOLD_BUTTONS[slot])

    def _throw_for_computer(self) -> None:
        """A computer throws its dice itself, once the board has asked for them for a while."""
        asked = must_throw_for_computer(self._room.appliance.prompt)
        if not asked or not self._room.is_ready or self._tray_is_busy:
            self._computer_throws_at_s = self._room.time_s + COMPUTER_THROWS_AFTER_S
        elif self._room.time_s >= self._computer_throws_at_s:
            self._handle_dice_action(keyboard.THROW_ACTION)

    def view(self) -> View:
        """The view to draw, with the answer to the last key."""
        room = self._room
        said = self._message if room.time_s < self._message_until_s else ""
        secret = ""
        if said and self._peeking_player and room.time_s < self._peek_from_s:
            said = "{player} wants to look at their own dice. All others, look away!"
            said = Verbatim(say(said, player=self._peeking_player))
        elif self._peeking_player:
            secret = said
            said = ""
        shown = room.viewer.view(room.appliance, said, secret)
        if not self.throws:
            return shown
        can = shown.guidance
        if not must_throw_for_computer(room.appliance.prompt):
            can = guidance(said or "The dice are thrown …", "b|takes the throw back")
        table = shown.table and replace(shown.table, busy=True)
        return replace(shown, guidance=can, table=table, thrown=True)

    def obey(self, actions: Sequence[str], seen: int | None = None) -> bool:
        """Does what a person typed; False if they want to leave.

        Actions count at the `View.occasion` that they name, or else at the one `seen`: what was
        pressed when that was over is answered, and does nothing.
        """
        for action in actions:
            at = action.seen if isinstance(action, keyboard.SeenAction) else seen
            self._end_peek()
            self._message = ""
            if action == keyboard.QUIT_ACTION:
                return False
            if not _acts(action):
                self._obey_aside(action)
            elif at is not None and not self.throws and at < self._counts_since(action):
                self.say_for_a_while(PRESSED_TOO_LATE)
            elif self.throws and self._answers_during_throw(action):
                continue
            elif action in _ACTIONS_ABOUT_DICE:
                # It answers what the board asks after what was typed before it.
                self._room.appliance.presses()
                self._obey_about_dice(action)
            else:
                self._press(action)
        self._room.appliance.presses()
        return True

    def _obey_aside(self, action: str) -> None:
        """Does what is possible at any time."""
        if action == keyboard.SHUT_DOWN_ACTION:
            self._room.mock_buttons.hold(*SHUT_DOWN.buttons)
        elif action.startswith(keyboard.TYPED_PREFIX):
            self._room.appliance.type(action.removeprefix(keyboard.TYPED_PREFIX))

    def _press(self, action: str) -> None:
        if (pick := keyboard.pick_of(action)) is not None:
            self._room.appliance.pick(pick)
        elif action.startswith(keyboard.LONG_PREFIX):
            self._room.mock_buttons.hold(Button(action.removeprefix(keyboard.LONG_PREFIX)))
        else:
            self._room.mock_buttons.press(Button(action))

    def _answers_during_throw(self, action: str) -> bool:
        """Takes the throw back, or says why not; False if the action does something besides.

        A computer would throw again at once: who presses BACK then wants to undo.
        """
        computers = must_throw_for_computer(self._room.appliance.prompt)
        if action not in _BACK_ACTIONS and not (computers and action == _MENU_ACTION):
            self.say_for_a_while(TRAY_IS_BUSY)
            return True
        self._waiting_action = ""
        if self._thrown:
            self._thrown = False
            self._room.tray.take_back(self._room.player.hands.thrown)
            self._room.player.hands.take_back()
        return not computers

    def _counts_since(self, action: str) -> int:
        """Since which `View.occasion` an action may have been meant for what is asked now.

        Dice are thrown for whoever is next, also by somebody who has just chosen.
        """
        viewer = self._room.viewer
        return viewer.read_at if action in _ACTIONS_ABOUT_DICE else viewer.occasion

    def _end_peek(self) -> None:
        """Lets the board stop asking the others to look away."""
        if self._peeking_player:
            self._peeking_player = ""
            self._room.appliance.happen(Waited())

    def say_for_a_while(self, message: str) -> None:
        """Answers with a sentence."""
        self._message = message
        self._message_until_s = max(self._room.time_s, self._peek_from_s) + MESSAGE_DURATION_S

    def _obey_about_dice(self, action: str) -> None:
        """Does something with dice, and says what came of it."""
        self._waiting_action = ""
        self.say_for_a_while(self._handle_dice_action(action))
        lasts = action == keyboard.PEEK_HELD_ACTION and self._peeking_player
        if lasts or self._waiting_action:
            self._message_until_s = math.inf

    def _handle_dice_action(self, action: str) -> str:
        """Does something with dice; returns what to say about it."""
        person, console = self._room.player, self._room.appliance.console
        if not isinstance(person, Person):
            return ""
        if action in (keyboard.PEEK_ACTION, keyboard.PEEK_HELD_ACTION):
            return self._peek(person, console)
        if not self._room.is_ready:
            # Whoever pressed it has seen that it was asked for.
            self._waiting_action = action
            return TRAY_IS_NOT_DRAWN
        # Dice that lie still are not thrown again before the appliance has seen what they show.
        if self._tray_is_busy:
            return TRAY_IS_BUSY
        if self._room.wizard is not None:
            if action == keyboard.THROW_ACTION:
                self._room.lay_out()
            return ""
        if action == keyboard.COLLECT_ACTION:
            return person.collect()
        act = person.throw if action == keyboard.THROW_ACTION else person.show
        said = act(self._room.appliance.prompt, console)
        self._thrown = self._room.tray.busy
        return said

    def _peek(self, person: Person, console: Console) -> str:
        """Shows a player their own dice, once the others look away; returns what to say."""
        player, said = person.peek(console)
        if player:
            self._peeking_player = player
            self._peek_from_s = self._room.time_s + LOOK_AWAY_WARNING_S
            others = Verbatim(say("ALL BUT {player}", player=player))
            one = Verbatim(say("ONLY {player}", player=player))
            self._room.appliance.say((others, "LOOK AWAY"), (one, "LOOKS"))
        return said


def _acts(action: str) -> bool:
    """True if an action is about the game: a press, a choice, or something with dice."""
    pressed = isinstance(keyboard.press_of(action), Pressed)
    return pressed or action in _ACTIONS_ABOUT_DICE or keyboard.pick_of(action) is not None
