"""Games, players and dice are counted in the documents as the registry has them."""

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from appliance.words import Label
from calibration.self_calibration.scale import SHARES_OF_SIZES
from games.game import Game
from games.registry import GAMES, OWN_GAMES, find_game
from games.values import DieKind
from tests.docs.reading import documents
from tests.paths import ROOT

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
DOCUMENTS = [
    *documents(),
    *(ROOT / name for name in ("pyproject.toml", "systemd/package/control")),
    *(ROOT / name for name in ("scripts/make_imager_list.py", "mkdocs.yml")),
]
FIRST_LINES = ("README.md", "pyproject.toml", "systemd/package/control", "docs/faq.md")
"""Where those who don't know the games yet read how many there are."""
_COUNTED = re.compile(
    rf"\b({'|'.join(NUMBERS[2:])})( more|)(?: dice)?(?: games\b| are built in\b)", re.I
)


def word(number: int) -> str:
    """A number as it is written in a sentence."""
    return "twenty" if number == 20 else NUMBERS[number]


def counts(path: Path) -> list[int]:
    """How many games there are, by each phrase of a document that counts them."""
    text = re.sub(r"\s+", " ", path.read_text("utf-8"))
    return [NUMBERS.index(n.lower()) + bool(more) for n, more in _COUNTED.findall(text)]


def test_every_document_that_counts_the_games_counts_them_all() -> None:
    wrong = {path.name: counts(path) for path in DOCUMENTS if {*counts(path)} - {len(OWN_GAMES)}}
    assert wrong == {}
    for name in FIRST_LINES:
        assert counts(ROOT / name), (
            f"{name}: nothing is counted, or in words that are not known here"
        )


def test_the_package_names_every_game() -> None:
    text = re.sub(r"\s+", " ", (ROOT / "systemd/package/control").read_text("utf-8")).upper()
    for name in OWN_GAMES:
        assert Label(name) in text


def test_the_room_that_the_installer_asks_for_is_said() -> None:
    (need_mb,) = re.findall(r"^NEED_MB=(\d+)$", (ROOT / "systemd/install.sh").read_text(), re.M)
    assert f"\nIt needs {need_mb} MB, " in (ROOT / "docs/installing.md").read_text("utf-8")


def dice_of(game: Game[Any]) -> str:
    """The dice of a game in a few words."""
    dice = Counter(game.dice_kinds)
    if len(dice) == 4:
        return f"{word(dice.total())} dice in {word(len(dice))} colours"
    more = {(): "", (DieKind.RED,): " and a red one", (DieKind.POWER,): " and the Power die"}
    return f"{word(dice.pop(DieKind.BLACK))} dice{more[tuple(dice)]}"


@pytest.mark.parametrize("name", GAMES)
def test_the_list_of_games_has_the_players_and_dice_of_each(name: str) -> None:
    game = GAMES[name]
    players = f"{word(game.min_players)} to {word(game.max_players)} players"
    index = (ROOT / "docs/rules/index.md").read_text("utf-8")
    (line,) = (line for line in index.splitlines() if f"]({name}.md): " in line)
    assert players in line
    assert dice_of(game) in line
    # Its own page begins with the same.
    head = (ROOT / f"docs/rules/{name}.md").read_text("utf-8").split("\n## ")[0].lower()
    assert players in head
    for kind, many in Counter(game.dice_kinds).items():
        assert (kind.lower() if many == 1 else word(many)) in head


def test_the_front_page_knows_how_many_can_play() -> None:
    most = max(find_game(name).max_players for name in OWN_GAMES)
    assert f"Up to {word(most)} people can play" in (ROOT / "README.md").read_text("utf-8")


def test_which_dice_may_be_used_is_said_once_and_as_the_program_has_it() -> None:
    owner = (ROOT / "docs/owner.md").read_text("utf-8")
    dice = owner.partition("\n## Which dice")[2].partition("\n## ")[0]
    sizes = f"between {min(SHARES_OF_SIZES):g} and {max(SHARES_OF_SIZES):g} mm"
    faq = (ROOT / "docs/faq.md").read_text("utf-8").split("**Which dice can I use?**")[1]
    for text in (dice, faq.split("\n\n")[0]):
        assert sizes in text
        assert "any colours" in text
    for page in ("faq", "building"):
        assert "](owner.md#which-dice)" in (ROOT / f"docs/{page}.md").read_text("utf-8")
    # Each game that needs other dice than any five is named with them.
    named = {name for name in OWN_GAMES if f"**{Label(name)}**" in dice.upper()}
    assert named == {name for name in OWN_GAMES if len(find_game(name).dice_kinds) != 5}
    bag = Counter(GAMES["holdem"].dice_kinds)
    each, *_ = {*bag.values()}
    *kinds, last = bag
    assert f"{word(each)} dice each of {', '.join(kinds)} and {last}" in dice
