"""By ear alone, with a plan: whole games are as good as by eye, and all that is shown is said."""

import ast
from pathlib import Path

import pytest

from appliance.table.prompts.turn import OverPrompt
from games.registry import GAMES
from tests.paths import ROOT
from tests.rigs.by_ear import play_by_ear, play_by_eye

RECORDS = Path(__file__).parent / "spoken"
WITHIN = 0.03
"""The part of the points that one who listens may miss or gain."""
TIMES_AS_LONG = 2.0


@pytest.mark.parametrize("game", GAMES)
def test_one_who_listens_plays_as_well_as_one_who_sees_in_at_most_twice_the_time(game: str) -> None:
    heard, seen = play_by_ear(game), play_by_eye(game)
    assert isinstance(heard.table.appliance.prompt, OverPrompt)
    for mine, theirs in zip(heard.points, seen.points, strict=True):
        assert abs(mine - theirs) <= WITHIN * theirs
    assert heard.turn_s <= TIMES_AS_LONG * seen.turn_s
    record = "".join(f"{' '.join(said)}\n" for said in heard.ear.heard)
    path = RECORDS / f"{game}.txt"
    assert record == path.read_text(), "what is said has changed: look at it, then store it"


def test_one_who_listens_knows_only_words_and_buttons() -> None:
    allowed = {
        "listener.py": {
            "re",
            "collections.abc",
            "dataclasses",
            "appliance.inputs",
            "tests.rigs.plan",
        },
        "plan.py": {"collections.abc", "dataclasses"},
    }
    for name, modules in allowed.items():
        tree = ast.parse((ROOT / "tests/rigs" / name).read_text())
        imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        imported |= {a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names}
        assert imported <= modules
