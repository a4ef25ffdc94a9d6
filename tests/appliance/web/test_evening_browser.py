"""People who press in haste play on the page, and nothing counts that they did not mean."""

from pathlib import Path
from typing import Any

import pytest

from appliance.cli.shared.simulated_game import SimulatedGame
from appliance.table.session.session import Setup
from tests.rigs.browser import IN_BROWSER, chromium
from tests.rigs.by_hand.evening import PEOPLE, Person, play_evening

__all__ = ("chromium",)

pytestmark = [*IN_BROWSER]


@pytest.mark.parametrize("person", PEOPLE[:6], ids=lambda person: person.name)
def test_nothing_is_scored_that_nobody_meant(chromium: Any, person: Person, tmp_path: Path) -> None:
    setup = Setup("classic", ("ANNA", "BEN"))
    evening = play_evening(chromium, person, setup, 7, tmp_path, most=60)
    assert evening.faults == []
    assert evening.throws >= 2
    assert evening.counted >= 1


def test_a_game_that_ended_before_its_time_is_told(
    chromium: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SimulatedGame, "run", lambda game, _: game._show())
    setup = Setup("classic", ("ANNA", "BEN"))
    evening = play_evening(chromium, PEOPLE[0], setup, 7, tmp_path)
    assert not evening.ended
    assert [fault.partition(":")[0] for fault in evening.faults] == [
        "the program was left or switched off"
    ]
