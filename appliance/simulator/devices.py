"""The devices of a simulated appliance: a Pico on a pty or a drawn board, and mock pins."""

import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gpiozero.pins.mock import MockFactory

from appliance.devices.buttons import Buttons
from appliance.devices.scoreboard import Scoreboard, SerialScoreboard
from appliance.errors import ScoreboardError
from appliance.inputs import Button
from appliance.picture import Picture
from appliance.service.devices import Devices
from appliance.simulator.drawn_board import SENTENCE as DRAWN_SENTENCE
from appliance.simulator.drawn_board import DrawnBoard
from appliance.simulator.people.mock_buttons import MockButtons

if TYPE_CHECKING:
    from simulator.pico.board import SimulatedBoard


@dataclass(frozen=True, slots=True)
class OpenBoard:
    """A scoreboard, and what can be seen of it.

    Attributes:
        board: as the appliance has it.
        lights: what its lights show, decoded from what came over the SPI pins.
        firmware: what runs its firmware, in a sentence.
        pico: the simulated Pico; None but on Linux.
    """

    board: Scoreboard
    lights: Callable[[], Picture]
    firmware: str
    pico: "SimulatedBoard | None" = None


def open_board(stack: ExitStack) -> OpenBoard:
    """Opens a simulated scoreboard, until the stack ends."""
    if sys.platform != "linux":
        drawn = DrawnBoard()
        return OpenBoard(drawn, lambda: drawn.picture, DRAWN_SENTENCE)
    pico = start_board(stack)
    board = stack.enter_context(closing(SerialScoreboard(pico.device)))
    return OpenBoard(board, lambda: Picture(pico.lights().data), pico.interpreter.sentence, pico)


def start_board(stack: ExitStack) -> "SimulatedBoard":
    """Starts a simulated Pico, until the stack ends; ScoreboardError if it does not start."""
    # It needs what only Linux has.
    from simulator.pico.board import BoardError, SimulatedBoard

    try:
        return stack.enter_context(SimulatedBoard())
    except BoardError as error:
        raise ScoreboardError(str(error)) from error


def open_devices(
    stack: ExitStack, board: Scoreboard, pins: Mapping[Button, int], lights: Sequence[int]
) -> tuple[Devices, MockButtons]:
    """The devices with this board, and what presses their buttons, until the stack ends.

    Args:
        stack: closes them.
        board: shows the pictures.
        pins: BCM pin of each button.
        lights: BCM pins of the lights beside the hold buttons.
    """
    factory = MockFactory()
    keys = stack.enter_context(Buttons(pins, lights, pin_factory=factory, bounce_s=None))
    stack.callback(factory.reset)
    return Devices(board, keys, dim=board.set_brightness), MockButtons(factory, pins)
