"""What pages make of the board's labels, in a real browser: words in small letters, none cut."""

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from appliance.web.page import BrowserPage
from appliance.words import ENGLISH, Label, say, write
from games.registry import GAMES
from tests.appliance.screens.test_fit import LABELS
from tests.rigs.browser import IN_BROWSER, chromium, language, tab
from tests.rigs.spoken import spoken

__all__ = ("chromium", "language", "tab")

pytestmark = [*IN_BROWSER]
NOUNS = {"Figur", "Flush", "House", "Karte", "Paare", "Pots", "Straße"}
"""German words that have a capital wherever they stand; all others only where a phrase begins."""
NAMES = {"Free for All"}
CUT = {"3erpasch", "4erpasch", "Gr", "H", "Kl", "Lg", "Sm", "Str"}
"""What the board writes where it has no room for the word."""


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    with closing(BrowserPage(tmp_path / "browser")) as page:
        yield page.address


def labels() -> list[Label]:
    """All labels of choices, of the rows of sheets, and of games."""
    found = {str(label): label for label in (*LABELS, *map(Label, ("bet 0", "call 0")))}
    for name, game in GAMES.items():
        rows = game.sheet(game.start(("ANNA", "BEN"), {}), 0).rows
        found |= {str(Label(key)): Label(key) for key in (name, *(row.key for row in rows))}
    return [found[label] for label in sorted(found)]


def faults(label: str, said: str, code: str) -> list[str]:
    """What is wrong with a label in words; empty where nothing is."""
    found = [f"{label}: {word} of {said}" for word in said.split() if word in CUT]
    if said in NAMES:
        return found
    # After a colon another phrase begins, as after a number at its beginning.
    for phrase in re.split(r": |(?<=^\d\.) ", said):
        first, *others = phrase.split()
        if not re.match(r"[A-ZÄÖÜ0-9]", first):
            found.append(f"{label}: {phrase} begins small")
        nouns = NOUNS if code != ENGLISH else set()
        found += [
            f"{label}: {word} of {said}" for word in others if word[0].isupper() ^ (word in nouns)
        ]
    return found


def test_labels_are_words_and_no_capitals_of_the_board(
    tab: Any, address: str, language: str
) -> None:
    tab.goto(address)
    all_of_them = labels()
    made = tab.evaluate(
        """async (all) => {
            const { inWords } = await import("/shared/texts.js");
            return all.map(inWords);
        }""",
        [str(label) for label in all_of_them],
    )
    with spoken(language):
        assert made == [write(label) for label in all_of_them]
    assert len(made) > 100
    wrong = [one for pair in zip(all_of_them, made, strict=True) for one in faults(*pair, language)]
    assert wrong == [], wrong


def test_one_point_is_told_as_one_and_others_as_many(tab: Any, address: str, language: str) -> None:
    tab.goto(address)
    made = tab.evaluate(
        """async (all) => {
            const { TEXTS } = await import("./texts.js");
            return all.map(TEXTS.points);
        }""",
        [0, 1, 12],
    )
    several = [say("{points} points", points=points) for points in (0, 12)]
    assert made == [several[0], say("1 point"), several[1]]
