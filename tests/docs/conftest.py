"""The games of the developer's guide, as if they were installed."""

import sys
from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

from appliance import words
from games import registry

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def game() -> Any:
    spec = spec_from_file_location("high_dice", HERE / "high_dice.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    # Dataclasses look up their module.
    sys.modules["high_dice"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def registered(game: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The game as if another package had brought it."""
    monkeypatch.setitem(registry._GAMES._others, game.GAME.name, game.GAME)
    forget_labels()
    yield game.GAME
    monkeypatch.undo()
    forget_labels()


def forget_labels() -> None:
    """Labels are looked up anew, as games have come or gone."""
    words._english_label.cache_clear()
    words._english.cache_clear()
