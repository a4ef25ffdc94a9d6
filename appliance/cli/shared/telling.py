"""Tells what happens in a game, line by line."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from appliance.service.event_text import to_json, to_text
from appliance.service.ports import Happened

if TYPE_CHECKING:
    from appliance.cli.shared.terminal import GameTerminal


def tell_events(terminal: "GameTerminal | None", as_json: bool) -> Callable[[Happened], None]:
    """A listener that tells what happens.

    It goes to the log of the terminal where one is drawn on, else to the output; as JSON, where
    that is wanted, to the output in any case.
    """

    def hear(happened: Happened) -> None:
        drawn = terminal is not None and terminal.draws
        if terminal is not None and drawn:
            terminal.write(to_text(happened))
        if as_json:
            print(to_json(happened), flush=True)
        elif not drawn:
            print(to_text(happened), flush=True)

    return hear
