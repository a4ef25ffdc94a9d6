"""What the simulated player is about to do in a game, shared by the parts of the player."""

from dataclasses import dataclass

from appliance.inputs import Button
from appliance.simulator.people.ports import Presser
from appliance.simulator.people.roller import Roller


@dataclass(slots=True)
class Intent:
    """What is meant from one press to the next; a new one for each game.

    Attributes:
        keeps: slots of the dice to keep for the next throw; None while nothing is planned.
        looks: entries of a list still to be looked at; None before the list is up.
        label: the choice that was meant; None where it was a slip.
        slipped: whether a wrong choice was pressed that is not on record yet.
        regrets: whether the last choice was wrong and is about to be taken back.
        puts_right: slot of a die that the board has wrong; None where it has none.
    """

    keeps: tuple[int, ...] | None = None
    looks: int | None = None
    label: str | None = None
    slipped: bool = False
    regrets: bool = False
    puts_right: int | None = None

    def choose(
        self, label: str, hands: Roller, buttons: Presser, *, asks_again: bool = False
    ) -> None:
        """Presses OK at a choice, meaning it or by a slip; the board may ask again about it."""
        self.slipped = hands.slip("wrong choice", 0.3)
        if self.slipped:
            self.label = None
        elif not asks_again:
            self.label = label
        buttons.press(Button.OK)
