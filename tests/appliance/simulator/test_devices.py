"""The devices of a simulated appliance."""

from contextlib import ExitStack
from pathlib import Path

import pytest

from appliance.errors import ScoreboardError
from appliance.simulator.devices import start_board
from simulator.pico import micropython


def test_a_pico_that_does_not_start_is_a_scoreboards_trouble(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    missing = micropython.Interpreter(tmp_path / "missing", True, "nothing at all")
    monkeypatch.setattr(micropython, "find_interpreter", lambda: missing)
    with ExitStack() as stack, pytest.raises(ScoreboardError, match="found nothing at all"):
        start_board(stack)
