"""The page of decisions that surprise people: each is what the solver says."""

import re
from collections.abc import Mapping

import pytest

from games.notation.events import POWER_WORDS
from games.record import position_from_text
from games.registry import find_game
from games.strategy import advice
from games.values import Choice, Face, Keep, Rolled
from tests.paths import ROOT

PAGE = (ROOT / "docs/rules/decisions.md").read_text(encoding="utf-8")
ROLLS = {"First": 1, "Last": 3}
DECISION = re.compile(
    r"^\d+\. \*\*(First|Last) roll ([^*]+)\*\*: `([^`]+)` \(([\d.]+)\), not `([^`]+)` \(([\d.]+)\)"
    r": `([^`]+)`\.",
    re.MULTILINE,
)
FOUND = [
    (game.split("\n")[0].lower(), *found)
    for game in PAGE.split("\n## ")[1:]
    for found in DECISION.findall(game)
]


def named(worth: Mapping[Choice, float], dice: tuple[Face | None, ...]) -> dict[str, float]:
    """The choices as the page names them; holds by the faces that are kept."""
    found = dict[str, float]()
    for choice, value in worth.items():
        name = choice.key
        if isinstance(choice, Keep):
            kept = sorted((dice[slot] for slot in choice.slots), key=lambda face: str(face))
            name = " ".join(("keep", *map(str, kept)))
        found.setdefault(name, value)
    return found


def test_there_are_ten() -> None:
    assert len(FOUND) == 9
    assert [int(n) for n in re.findall(r"^(\d+)\. ", PAGE, re.MULTILINE)] == [*range(1, 11)]


@pytest.mark.parametrize(
    ("game", "when", "dice", "best", "worth", "other", "less", "reason"), FOUND
)
def test_the_solver_decides_so(
    game: str, when: str, dice: str, best: str, worth: str, other: str, less: str, reason: str
) -> None:
    rules = find_game(game)
    faces: tuple[Face, ...] = tuple(
        int(word) if word.isdigit() else POWER_WORDS.get(word, word) for word in dice.split()
    )
    state = rules.start(["ANNA"], {})
    for number in range(ROLLS[when]):
        state = rules.apply(state if not number else rules.apply(state, Keep(())), Rolled(faces))
    found = named(advice.weigh(rules, state)[0], rules.dice(state))
    assert max(found, key=lambda name: found[name]) == best
    assert f"{found[best]:.1f}" == worth
    assert f"{found[other]:.1f}" == less
    hint = advice.hint(rules, state)
    assert hint is not None
    assert hint.reason == reason


def test_the_lower_chance_bets_and_the_higher_checks() -> None:
    line = next(line.strip() for line in PAGE.split("\n") if line.strip().startswith("holdem "))
    game, state = position_from_text(line)
    hint = advice.hint(game, state)
    assert hint is not None
    rows = {row.key: row for row in hint.odds}
    lower, higher = rows["one-colour"], rows["pair-of 2"]
    assert lower.advice.startswith("bet")
    assert higher.advice == "check"
    assert f"`one-colour` ({100 * lower.win:.1f} %)" in PAGE
    assert f"`pair-of 2` ({100 * higher.win:.1f} %)" in PAGE
    assert lower.win < higher.win
    assert f"check: `{hint.reason}`" in PAGE
