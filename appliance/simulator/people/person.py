"""A person who plays at the keyboard, and simulated hands that throw the dice for them.

The person makes all decisions by pressing keys, and nothing checks them: the only account of the
game is the appliance's own.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from appliance.service.ports import Happened
from appliance.simulator.people.cups import DealtHand
from appliance.simulator.people.ports import Tray, kinds_of_dice_in
from appliance.simulator.people.roller import Roller, count_throws_on_record
from appliance.table.menu.console import Console
from appliance.table.menu.lesson import Lesson
from appliance.table.menu.own_die import OwnDie
from appliance.table.menu.roll_off import RollOff
from appliance.table.prompts.betting import ColourPrompt, DealPrompt, ShowPrompt
from appliance.table.prompts.prompt import Prompt
from appliance.table.prompts.trouble import ClashPrompt, CountPrompt, FacePrompt
from appliance.table.prompts.turn import DicePrompt, ThrowPrompt
from appliance.table.session.modes import EnteringFace, Playing, mode_behind_hint
from appliance.table.session.prompting import prompt as prompt_of
from appliance.table.session.session import Session, held_slots
from appliance.words import Verbatim, say
from games.computers import strength_of
from games.values import Choose, Reveal, Throw
from vision.events import Found, Roll
from vision.reading import DieState

NOTHING_TO_THROW = "There is nothing to throw now."
NOTHING_TO_SHOW = "Nobody has to show dice now."
NO_CUP = "Nobody has hidden dice now."
ALL_HELD = "All dice are held: let go of some to throw, or press Enter."
NO_DICE = "There are no dice in the tray."
NO_THROW_LEFT = "No throws left: press Enter to score."


class Person:
    """Throws, shows and collects dice when a person presses the key for it.

    Most of these return a sentence for the person if there is nothing to do, else an empty string.

    Args:
        tray: the dice.
        rng: decides what the dice will show.
        clumsy: share of throws in which something goes wrong.

    Attributes:
        hands: throw the dice.
    """

    def __init__(self, tray: Tray, rng: np.random.Generator, *, clumsy: float = 0.0) -> None:
        self.hands = Roller(tray, rng, clumsy=clumsy)
        # By the number of the hand, so that a hand that undo returns to has the same dice.
        self._dealt_hands: dict[int, DealtHand] = {}

    def notice(self, happened: Happened) -> None:
        """Notes which die the board means by each slot, and when a throw was counted."""
        session = happened.session
        if session is None:
            return
        self._begin_if_new(session)
        if isinstance(happened.input, Roll | Found):
            self.hands.match_bodies_to_slots(
                happened.input.dice, session, by_colour=bool(self._dealt_hands)
            )
        self._follow_game(session)

    def _begin_if_new(self, session: Session) -> None:
        if session.record.serial != self.hands.serial:
            self.hands.begin(session)
            self._dealt_hands.clear()

    def _follow_game(self, session: Session) -> None:
        self._begin_if_new(session)
        counted = count_throws_on_record(session)
        if counted != self.hands.counted:
            self.hands.counted = counted
            self.hands.pending.clear()
        self._dealt_hand(session)

    def _dealt_hand(self, session: Session) -> DealtHand | None:
        """The present hand of a game of bets, dealt if it is new; None if there is none."""
        bets = session.record.rules.bets(session.record.state)
        if bets is None or not bets.hand:
            return None
        dealt = self._dealt_hands.get(bets.hand)
        if dealt is None:
            kinds = kinds_of_dice_in(session.record.setup.game)
            dealt = self._dealt_hands[bets.hand] = DealtHand(self.hands.rng, bets, kinds)
            if bets.acts and not bets.community and self.hands.tray.lying():
                # The dice of the hand before go back into the bag.
                self.hands.tray.pick_up(list(self.hands.tray.lying()))
            self.hands.pending.clear()
            self.hands.asked = ()
        dealt.follow(bets, self.hands.asked)
        return dealt

    def throw(self, prompt: Prompt, console: Console) -> str:
        """Throws what the board asks for, or the dice that are not held."""
        self.hands.remember()
        session = console.session
        if isinstance(console.page, RollOff | OwnDie):
            return self._throw_for_roll_off()
        if isinstance(console.page, Lesson):
            # It knows its dice only from what the lesson has seen.
            session = console.page.session
            prompt = prompt_of(session)
            self._follow_game(session)
            self.hands.match_bodies_to_slots(session.tracked.seen, session)
        if session is None:
            return NOTHING_TO_THROW
        self._follow_game(session)
        match _pending_question(prompt, session):
            case ThrowPrompt(slots=slots):
                self.hands.throw_first(slots)
                return ""
            case DicePrompt(dice=dice, held=held, may_roll=may_roll):
                free = [slot for slot in range(len(dice)) if slot not in held]
                if not may_roll:
                    return NO_THROW_LEFT
                return self._throw_dice_not_held(free, held) if free else ALL_HELD
            case DealPrompt() | ShowPrompt():
                return self._throw_coloured(session)
            case FacePrompt(state=DieState()):
                return self._throw_die_again(session)
            case ClashPrompt(idle=True):
                return self._throw_dice_not_held(
                    _slots_not_held(session), sorted(held_slots(session))
                )
            case CountPrompt() | ClashPrompt():
                return self._throw_again(session)
            case ColourPrompt(pending=True):
                return self._throw_again(session)
            case _:
                return NOTHING_TO_THROW

    def show(self, prompt: Prompt, console: Console) -> str:
        """Lays into the tray the two dice of the player who has to show them."""
        self.hands.remember()
        session = console.session
        if session is None or not isinstance(_pending_question(prompt, session), ShowPrompt):
            return NOTHING_TO_SHOW
        self._follow_game(session)
        return self._throw_coloured(session)

    def collect(self) -> str:
        """Takes all dice out of the tray."""
        lying = list(self.hands.tray.lying())
        if not lying:
            return NO_DICE
        self.hands.tray.pick_up(lying)
        return ""

    def peek(self, console: Console) -> tuple[str, str]:
        """Who looks at their own two dice, empty if nobody can; and the sentence for them."""
        session = console.session
        if session is None:
            return "", NO_CUP
        self._follow_game(session)
        dealt, ask = self._dealt_hand(session), session.record.ask
        bets = session.record.rules.bets(session.record.state)
        if dealt is None or ask is None or bets is None or bets.pots:
            return "", NO_CUP
        player = session.record.setup.players[ask.seat]
        if strength_of(player) is not None:
            return "", f"{player} shows nobody its dice."
        if ask.seat not in bets.in_hand:
            return "", Verbatim(say("{player} has folded and holds no dice.", player=player))
        kinds = kinds_of_dice_in(session.record.setup.game)
        one, two = (f"{say(kinds[die].value)} {dealt.faces[die]}" for die in dealt.cups[ask.seat])
        said = say("For {player} alone: {one} and {two}.", player=player, one=one, two=two)
        return player, Verbatim(said)

    def _throw_for_roll_off(self) -> str:
        """Throws one die alone, after taking out the dice of whatever game was played before."""
        others = [die for die in self.hands.tray.lying() if die]
        if others:
            self.hands.tray.pick_up(others)
        self.hands.throw((0,))
        return ""

    def _throw_dice_not_held(self, slots: Sequence[int], held: Sequence[int]) -> str:
        bodies = {self.hands.body_of_slot(slot) for slot in slots}
        bodies |= self._collected_dice() - {self.hands.body_of_slot(slot) for slot in held}
        self.hands.throw(sorted(bodies & self.hands.kinds.keys()))
        return ""

    def _collected_dice(self) -> set[int]:
        """Dice of this throw that lie nowhere: collected and not thrown since."""
        hands = self.hands
        return {*(hands.asked or hands.faces)} - hands.tray.lying().keys() - hands.saved

    def _throw_again(self, session: Session) -> str:
        """Throws the dice of the throw that did not count, or of the last one."""
        if self._dealt_hand(session) is not None:
            return self._throw_coloured(session)
        hands = self.hands
        asked = _games_question(session)
        if isinstance(asked, ThrowPrompt) and {*asked.slots} != {*hands.asked}:
            # What lies there was thrown for a question that is settled.
            hands.throw_first(asked.slots)
            return ""
        lying = hands.tray.lying()
        if foreign := [die for die in lying if die not in hands.kinds]:
            hands.tray.pick_up(foreign)
        dice = {*(hands.pending or (lying.keys() & hands.kinds.keys())), *self._collected_dice()}
        if isinstance(session.record.ask, Choose):
            # Dice that were to be thrown and were not.
            left = {hands.body_of_slot(slot) for slot in _slots_not_held(session)}
            dice |= left & hands.kinds.keys()
        hands.throw(sorted(dice))
        return "" if dice else NO_DICE

    def _throw_die_again(self, session: Session) -> str:
        """Throws the one die that the board asks about."""
        hands, mode = self.hands, mode_behind_hint(session.mode)
        dealt = self._dealt_hand(session)
        if not isinstance(mode, EnteringFace):
            return self._throw_again(session)
        die = hands.body_of_slot(mode.slot)
        if dealt is None:
            hands.throw([die])
        elif die in hands.asked and isinstance(session.record.ask, Throw):
            hands.throw([die])
            dealt.faces[die] = hands.faces[die]
        else:
            # Nobody may throw their own two dice again.
            return self._throw_coloured(session)
        return ""

    def _throw_coloured(self, session: Session) -> str:
        """Throws community dice from the bag, or lays down those of a cup as they are."""
        hands = self.hands
        dealt, ask = self._dealt_hand(session), session.record.ask
        if dealt is None or not isinstance(ask, Throw | Reveal):
            return NOTHING_TO_THROW
        if isinstance(ask, Reveal):
            hands.asked = dealt.cups[ask.seat]
        elif ask.purpose == "flop-again":
            hands.asked = tuple(dealt.common)
        else:
            hands.asked = dealt.next_from_bag(len(ask.dice))
        hands.first_slot = ask.dice[0].slot
        belongs = {*hands.asked, *dealt.common}
        if foreign := [die for die in hands.tray.lying() if die not in belongs]:
            hands.tray.pick_up(foreign)
        if isinstance(ask, Throw):
            hands.throw(hands.asked)
            dealt.faces.update((die, hands.faces[die]) for die in hands.asked)
        else:
            hands.faces.update((die, dealt.faces[die]) for die in hands.asked)
            hands.pending.update(hands.asked)
            hands.throw_to_show({die: dealt.faces[die] for die in hands.asked}, well=True)
        return ""


def _slots_not_held(session: Session) -> list[int]:
    held = held_slots(session)
    return [slot for slot in range(len(session.record.dice)) if slot not in held]


def _pending_question(prompt: Prompt, session: Session) -> Prompt:
    """The game's question, behind whatever is being looked at."""
    return _games_question(session) if prompt.only_looked_at else prompt


def _games_question(session: Session) -> Prompt:
    """The game's next question, whatever is asked about dice meanwhile."""
    return prompt_of(replace(session, mode=Playing()))
