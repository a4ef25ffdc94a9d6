"""Which scoreboard a command shows its pictures on."""

import sys
from contextlib import ExitStack, closing
from typing import TextIO

from appliance.config import Config
from appliance.devices.scoreboard import NullScoreboard, Scoreboard, SerialScoreboard
from appliance.picture import Picture


class TextBoard(NullScoreboard):
    """Prints every new screen as rows of half blocks.

    Args:
        out: where to print.
    """

    def __init__(self, out: TextIO = sys.stdout) -> None:
        self._out = out

    def show(self, picture: Picture) -> None:
        """Prints the screen."""
        from appliance.terminal.screen import board_lines

        for line in board_lines(picture):
            print(f"    |{line}|", file=self._out)
        self._out.flush()


def open_board(name: str, config: Config, stack: ExitStack) -> Scoreboard:
    """The board that a command line names; what it needs is closed with the stack.

    Args:
        name: `text`, `none`, `terminal`, `sim`, a serial port, or empty for the configured port.
        config: the configuration.
        stack: closes what was opened.

    Raises:
        ScoreboardError: the simulated board does not start.
    """
    if name == "text" or (name == "terminal" and not sys.stdout.isatty()):
        return TextBoard()
    if name in ("none", "terminal"):
        # What is drawn in a terminal is more than the board's pictures.
        return NullScoreboard()

    port = name or config.scoreboard.port
    if name == "sim":
        from appliance.simulator.pico.board import SimulatedBoard

        simulated = stack.enter_context(SimulatedBoard())
        print(simulated.interpreter.sentence, file=sys.stderr)
        port = simulated.device
    return stack.enter_context(
        closing(SerialScoreboard(port, brightness=config.scoreboard.brightness))
    )
