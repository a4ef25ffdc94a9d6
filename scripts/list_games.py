#!/usr/bin/env python3
"""Writes the lists and counts of games in documents and in files for owners.

    .venv/bin/python scripts/list_games.py

A game says in its English `Wording` why to play it and what it is played with.
"""

import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import fill
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from games.game import Game
from games.registry import OWN_GAMES, find_game

ROOT = Path(__file__).parents[1]
BEGIN_MARK = "<!-- games: made by scripts/list_games.py -->"
END_MARK = "<!-- end of games -->"
GAMES: Sequence[Game[Any]] = [find_game(name) for name in OWN_GAMES]
COLUMNS = 78
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
COUNTED = re.compile(
    rf"\b({'|'.join(NUMBERS[2:])})( more|)((?: dice)?(?:\s+games\b| are built in\b))", re.I
)
"""A phrase that counts the games, all of them or those beside one."""
COUNTING = (
    *("README.md", "CHANGELOG.md", "pyproject.toml", "mkdocs.yml", "systemd/package/control"),
    *("scripts/make_imager_list.py", "docs/**/*.md"),
)
"""The files with such phrases."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A list of games in a file: between two texts, the first ones of their kind there."""

    file: Path
    before: str
    after: str
    text: str

    def of(self, whole: str) -> str:
        """The text of the file with its list made anew."""
        head, found, rest = whole.partition(self.before)
        _, end, tail = rest.partition(self.after)
        if not found or not end:
            raise ValueError(f"{self.file}: expected {self.before!r}, then {self.after!r}")
        return f"{head}{found}{self.text}{end}{tail}"


def titles(games: Sequence[Game[Any]]) -> str:
    """Names for people, as in a sentence."""
    return _in_a_row([game.title for game in games])


def _in_a_row(names: Sequence[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} or {last}" if most else last


def rules(folder: str, game: Game[Any]) -> str:
    """A link to the page of a game."""
    return f"[{game.title}]({folder}{game.name}.md)"


def lists() -> Iterator[Listed]:
    """All lists."""
    said = {game.name: game.wording["en"] for game in GAMES}
    pitches = [f"- {rules('docs/rules/', game)}: {said[game.name].pitch}\n" for game in GAMES]
    yield _marked("README.md", pitches)
    index = [f"- {rules('', game)}: {said[game.name].played}\n" for game in GAMES]
    yield _marked("docs/rules/index.md", index)
    late = [game for game in GAMES if game.latecomers]
    joining = "in the first round of "
    yield Listed(Path("docs/rules/index.md"), joining, " a player may join", titles(late))
    yield from _in_guide()
    pages = "".join(f"      - rules/{game.name}.md\n" for game in GAMES)
    first, last = "      - rules/index.md\n", "      - rules/decisions.md\n"
    yield Listed(Path("mkdocs.yml"), first, last, pages)
    default = Path("appliance/config/default.toml")
    offered = f"# What a fresh appliance offers first: {_in_a_row([game.name for game in GAMES])}."
    wrapped = fill(offered, 96, subsequent_indent="# ", break_on_hyphens=False)
    yield Listed(
        default, "# What a fresh appliance ", "\ngame = ", wrapped.partition(" appliance ")[2]
    )
    decks = titles([game for game in GAMES if game.deck is not None])
    yield Listed(default, "# A deck file for ", ", in place of", decks)
    names = fill(titles(GAMES), COLUMNS, initial_indent=" ", subsequent_indent=" ")
    package = Path("systemd/package/control")
    yield Listed(package, "the rules of\n", "\n score it", names)


def _in_guide() -> Iterator[Listed]:
    """The lists of the owner's guide: games without a chapter of their own, and who may join."""
    guide = Path("docs/owner.md")
    written = (ROOT / guide).read_text("utf-8")
    others = [game for game in GAMES if f"[The rules](rules/{game.name}.md)" not in written]
    lines = [f"- {rules('rules/', game)}: {game.wording['en'].pitch}\n" for game in others]
    yield _marked(str(guide), ["## More games\n\n", *lines] if lines else [])
    late = titles([game for game in GAMES if game.latecomers])
    yield Listed(guide, "round of ", " ([the rules]", late)


def _marked(file: str, lines: Sequence[str]) -> Listed:
    inside = f"\n\n{''.join(lines)}\n" if lines else "\n"
    return Listed(Path(file), BEGIN_MARK, END_MARK, inside)


def counted(text: str) -> str:
    """A text with the games counted anew."""

    def anew(found: re.Match[str]) -> str:
        number = NUMBERS[len(GAMES) - bool(found[2])]
        shown = number.capitalize() if found[1][0].isupper() else number
        return f"{shown}{found[2]}{found[3]}"

    return COUNTED.sub(anew, text)


def made() -> dict[Path, str]:
    """The files that have lists or counts, with these made anew."""
    found: dict[Path, str] = {}
    for each in lists():
        whole = found.get(each.file) or (ROOT / each.file).read_text("utf-8")
        found[each.file] = each.of(whole)
    for pattern in COUNTING:
        for path in sorted(ROOT.glob(pattern)):
            file = path.relative_to(ROOT)
            before = found.get(file) or path.read_text("utf-8")
            if file in found or COUNTED.search(before):
                found[file] = counted(before)
    return found


def main() -> int:
    """Writes them."""
    for file, text in made().items():
        (ROOT / file).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
