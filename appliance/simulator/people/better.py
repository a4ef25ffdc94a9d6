"""How the simulated players play a game of bets: the bag, the cups and the bets."""

from collections.abc import Sequence

from appliance.inputs import HOLD_BUTTONS, Button
from appliance.simulator.people.cups import Bag
from appliance.simulator.people.ports import Presser
from appliance.simulator.people.roller import Intent, Roller
from appliance.table.prompts import betting
from appliance.table.prompts.prompt import Prompt

STAY_PROBABILITY = 0.8
"""Probability of skipping FOLD."""


class Better:
    """Deals, bets and shows pocket dice.

    Args:
        hands: throw the dice.
        buttons: to be pressed.
        bag: what dice are drawn from.
        intent: what the player is about to do.
        players: named in seat order.
        shared: how many dice are thrown for all; the slots of a player's own come after theirs.
    """

    def __init__(
        self,
        hands: Roller,
        buttons: Presser,
        bag: Bag,
        intent: Intent,
        players: Sequence[str],
        shared: int,
    ) -> None:
        self._shared = shared
        self._hands = hands
        self._buttons = buttons
        self._bag = bag
        self._intent = intent
        self._players = players

    def answers(self, prompt: Prompt) -> bool:
        """Does the next thing that a game of bets asks for; False if it asks for nothing."""
        match prompt:
            case betting.DealPrompt():
                self._throw_for_all(prompt)
            case betting.ShowPrompt():
                self._show_pocket(prompt.player)
            case betting.BetPrompt():
                self.bet(prompt)
            case betting.HandPrompt():
                self._intent.choose(prompt.label, self._hands, self._buttons)
            case betting.PotPrompt():
                self._bag.deal(self._players)
                self._intent.choose("TAKE POT", self._hands, self._buttons)
            case _:
                return False
        return True

    def _throw_for_all(self, prompt: betting.DealPrompt) -> None:
        hands = self._hands
        if prompt.surplus:
            hands.tray.pick_up(list(hands.tray.lying()))
            return
        self._deal_unless_dealt()
        if not hands.pending:
            hands.asked = self._bag.throw_for_all(prompt.purpose, prompt.count)
            hands.first_slot = len(prompt.dice)
        hands.throw(hands.asked)

    def _deal_unless_dealt(self) -> None:
        """Draws for all, if nobody has yet, as among computers, or if the cups were put away."""
        if not self._bag.dealt:
            self._bag.deal(self._players)

    def _show_pocket(self, player: str) -> None:
        """Lays the pocket dice into the tray; dice already there may stay or be picked up."""
        hands = self._hands
        self._deal_unless_dealt()
        lying = list(hands.tray.lying())
        others = [b for cup in self._bag.cups.values() for b in cup if b in lying]
        if others and float(hands.rng.random()) < 0.7:
            hands.tray.pick_up(others)
        elif lying and float(hands.rng.random()) < 0.2:
            hands.tray.pick_up(lying)
        hands.asked = self._bag.cups[player]
        hands.first_slot = self._shared
        for die in hands.asked:
            if die not in hands.pending:
                hands.faces[die] = int(hands.rng.integers(6)) + 1
        hands.pending.update(hands.asked)
        hands.waits = True
        hands.throw_to_show({die: hands.faces[die] for die in hands.asked}, well=True)

    def bet(self, prompt: betting.BetPrompt) -> None:
        """Takes an action, or looks at the next."""
        hands, intent = self._hands, self._intent
        self._deal_unless_dealt()
        for slot, die in enumerate(prompt.dice):
            body = hands.bodies.get(slot, -1)
            claimed = die.face, die.kind.value
            if body in hands.faces and claimed != (hands.faces[body], hands.tray.kind(body).value):
                intent.puts_right = slot
                self._buttons.hold(HOLD_BUTTONS[slot])
                return
        if prompt.confirm and intent.slipped:
            # The board asks whether it was meant; it was not.
            intent.slipped = False
            self._buttons.press(Button.BACK)
            return
        if prompt.confirm:
            intent.choose(prompt.label, hands, self._buttons)
            return
        if not prompt.possible:
            self._buttons.press(Button.RIGHT)
            return
        if intent.looks is None:
            intent.looks = int(hands.rng.integers(prompt.count))
        folds = prompt.label == "FOLD" and float(hands.rng.random()) < STAY_PROBABILITY
        if intent.looks or folds:
            intent.looks = max(0, intent.looks - 1)
            self._buttons.press(Button.RIGHT)
            return
        asks_again = prompt.label == "FOLD"
        intent.choose(prompt.label, hands, self._buttons, asks_again=asks_again)
