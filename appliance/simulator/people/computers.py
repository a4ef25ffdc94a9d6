"""What the simulated table needs to know of computer players: they press nothing, but throw."""

from appliance.rules.computers import strength_of
from appliance.table.menu.prompting import ConsolePrompt, RollOffPrompt
from appliance.table.prompts import DicePrompt, ThinkingPrompt, ThrowPrompt
from appliance.table.session.holdem_prompts import DealPrompt, HandPrompt


def is_computers(prompt: ConsolePrompt) -> bool:
    """Whether the board asks a computer."""
    asks = ThrowPrompt | DealPrompt | RollOffPrompt | DicePrompt | ThinkingPrompt | HandPrompt
    return isinstance(prompt, asks) and strength_of(prompt.player) is not None


def throws(prompt: ConsolePrompt) -> bool:
    """Whether it is to throw dice now."""
    waits = isinstance(prompt, ThinkingPrompt | HandPrompt)
    waits = waits or (isinstance(prompt, DicePrompt) and not prompt.decided)
    return is_computers(prompt) and not waits
