"""Somebody who plays whole games and looks at everything on the way: what was shown and said."""

from dataclasses import dataclass, field
from random import Random

from appliance.inputs import HOLD_BUTTONS, Button, Pressed
from appliance.service.environment import Environment
from appliance.table.menu.options import seat_option
from appliance.table.prompts.prompt import Prompt
from appliance.table.session.session import Setup
from tests.rigs.at_table import AtTable
from tests.rigs.by_ear import Ear

_LOOKS = (Button.RIGHT, Button.LEFT, Button.OK)


@dataclass
class Wander:
    """What was met.

    Attributes:
        shown: every prompt, once each, in the order in which they came up.
        said: with each speech the prompt that was up then.
    """

    shown: dict[Prompt, None] = field(default_factory=dict)
    said: list[tuple[Prompt, tuple[str, ...]]] = field(default_factory=list)


def wander(game: str, names: tuple[str, ...], steps: int, seed: int = 3) -> Wander:
    """A game with its list, sheets, tables, hints and undos looked at by chance."""
    ear, random, met = Ear(), Random(seed), Wander()
    stack = (("stack", 50),) if game == "holdem" else ()
    setup = Setup(game, names, tuple(sorted(((seat_option(game), 0), *stack))))
    table = AtTable(":memory:", setup, seed, Environment(speaks=True), voice=ear)

    def note() -> None:
        shown = table.appliance.prompt
        met.shown[shown] = None
        for said in ear.heard:
            met.said.append((shown, said))
        ear.heard.clear()

    def press(*presses: Pressed) -> None:
        for press in presses:
            table.wait()
            table.press(press.button, long=press.long)
            note()

    note()
    for _ in range(steps):
        press(*_looks(random))
        while table.appliance.console.page is not None:
            press(_BACK)
        going = table.go_on()
        note()
        if not going:
            break
    return met


_BACK = Pressed(Button.BACK)


def _looks(random: Random) -> tuple[Pressed, ...]:
    """Presses that look at something, or hold dice; none most of the time."""
    match random.randrange(12):
        case 0:
            return (*map(Pressed, random.choices(_LOOKS[:2], k=4)), _BACK)
        case 1:
            # The scores stand second in the menu.
            scores = Pressed(Button.OK, long=True), Pressed(Button.RIGHT), Pressed(Button.OK)
            return (*scores, *map(Pressed, random.choices(_LOOKS, k=8)), _BACK)
        case 2 | 3:
            return tuple(map(Pressed, random.choices(HOLD_BUTTONS[:5], k=2)))
        case 4:
            return Pressed(Button.HINT), _BACK
        case 5:
            return _BACK, Pressed(Button.LEFT), _BACK
    return ()
