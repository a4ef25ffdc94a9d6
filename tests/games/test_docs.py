"""The examples in the pages about the rules are real."""

import pytest

from appliance.words import Label
from games import classic
from games.classic import Box
from games.notation.events import COMMON_VERBS, event_to_text
from games.record import (
    position_from_text,
    position_to_text,
    read_record,
    replay,
    write_record,
)
from tests.paths import ROOT
from tests.rigs.event_texts import event_from_text

DOCS = ROOT / "docs" / "rules"


def page(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def indented(text: str) -> str:
    """The first indented block."""
    lines = text.splitlines()
    start = next(n for n, line in enumerate(lines) if line.startswith("    "))
    block = []
    for line in lines[start:]:
        if line and not line.startswith("    "):
            break
        block.append(line.removeprefix("    "))
    return "\n".join(block).strip() + "\n"


def test_the_record_in_the_page_replays() -> None:
    text = indented(page("../formats.md").partition("\n## The record of a game\n")[2])
    record = read_record(text)
    assert write_record(record) == text
    assert classic.GAME.scores(replay(record)) == (0, 50)


@pytest.mark.parametrize("name", ["classic", "yatzy"])
def test_the_position_in_the_page(name: str) -> None:
    text = indented(page(f"{name}.md")).strip()
    game, state = position_from_text(text)
    assert position_to_text(game, state) == text


def test_the_page_of_classic_names_every_box() -> None:
    text = page("classic.md")
    for box in Box:
        assert Label(box.word) in text or box.word in ("twos", "threes", "fours", "fives")
    assert set(classic.GAME.options) == {"first"}
    assert "`first`" in text


@pytest.mark.parametrize("verb", [verb.word for verb in COMMON_VERBS])
def test_the_page_of_records_has_every_common_verb(verb: str) -> None:
    rows = [line for line in page("../formats.md").splitlines() if line.startswith("- `")]
    texts = [line.split("`")[1] for line in rows]
    example = next(text for text in texts if text.split()[0] == verb)
    assert event_to_text(classic.GAME, event_from_text(classic.GAME, example)) == example
