"""Deck files: the one that ships, and bad ones, which are refused with line and field."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.config.parsing import MOST_BYTES, default_deck_text, read_deck
from appliance.errors import ConfigError
from games import free_for_all as ffa
from games.free_for_all import Card, Kind
from games.free_for_all.deck import (
    DEFAULT_DECK,
    DeckError,
    deck_from_text,
    deck_from_toml,
)

TEXT = default_deck_text()


def line_of(start: str) -> int:
    """The number of the line in the default file that starts with this text."""
    return next(n for n, line in enumerate(TEXT.splitlines(), 1) if line.startswith(start))


def test_free_for_all_2_the_file_that_ships_is_the_default() -> None:
    assert deck_from_toml(TEXT) == DEFAULT_DECK


def test_free_for_all_2_an_edited_file_is_played_with(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(TEXT.replace("points = 8", "points = 12"))
    [(option, text)] = read_deck(path).items()
    deck = deck_from_text(text)
    assert [card.points for card in deck.cards if card.kind is Kind.LARGE_STRAIGHT] == [12, 12]
    state = ffa.GAME.start(["A", "B"], {option: text})
    assert state.deck == deck.cards
    assert "large-straight 12" in [choice.key for choice in ffa.GAME.choices(state)]


def test_free_for_all_2_copies_may_differ_in_points() -> None:
    deck = deck_from_toml(TEXT.replace("points = 4 }", "points = [4, 6, 4] }", 1))
    fours = [card for card in deck.cards if card.kind is Kind.FOURS]
    assert fours == [Card(Kind.FOURS, 4), Card(Kind.FOURS, 4), Card(Kind.FOURS, 6)]
    assert deck_from_text(deck.text) == deck


@pytest.mark.parametrize("points", ["0", "4", "[]"])
def test_free_for_all_2_there_may_be_no_copies_of_a_card(points: str) -> None:
    line = "fours          = { copies = 3, points = 4 }"
    none = f"fours = {{ copies = 0, points = {points} }}"
    deck = deck_from_toml(TEXT.replace(line, none).replace("size = 30", "size = 27"))
    assert not [card for card in deck.cards if card.kind is Kind.FOURS]


def test_free_for_all_2_tables_may_be_written_out() -> None:
    line = "fours          = { copies = 3, points = 4 }"
    assert line in TEXT
    text = TEXT.replace(line, "") + "\n[cards.fours]\ncopies = 3\npoints = 4\n"
    assert deck_from_toml(text) == DEFAULT_DECK
    with pytest.raises(DeckError) as error:
        deck_from_toml(text.replace("points = 4\n", "points = -4\n"))
    assert (error.value.line, error.value.field) == (len(text.splitlines()), "cards.fours.points")


@pytest.mark.parametrize(
    ("old", "new", "line", "field", "expected"),
    [
        ("size = 30", "size = 31", "size", "size", "31 cards, the copies of all cards added up"),
        ("size = 30", "size = 2", "size", "size", "a whole number from 3 to 999, found 2"),
        ("size = 30", "size = true", "size", "size", "a whole number from 3 to 999, found True"),
        ("size = 30", "", "", "size", "a value, found none"),
        ("[cards]", "[card]", "[cards]", "card", "one of size, cards, apart"),
        ("copies = 3, points = 4", "copies = 4, points = 4", "size", "size", "found 31"),
        ("copies = 3, points = 4", "copies = 3, points = 100", "fours", "cards.fours.points", "99"),
        ("copies = 3, points = 4", "copies = -1, points = 4", "fours", "cards.fours.copies", "99"),
        ("copies = 3, points = 4", "copies = 3.0, points = 4", "fours", "cards.fours.copies", "99"),
        (
            "copies = 3, points = 4",
            'copies = 3, points = "4"',
            "fours",
            "cards.fours.points",
            "'4'",
        ),
        ("copies = 3, points = 4", "copies = 3", "fours", "cards.fours.points", "a value"),
        (
            "copies = 3, points = 4",
            "copies = 0, points = 'x'",
            "fours",
            "cards.fours.points",
            "'x'",
        ),
        (
            "copies = 3, points = 4",
            "copies = 3, points = [4, 4]",
            "fours",
            "cards.fours.points",
            "a list of 3 for 3 copies, found [4, 4]",
        ),
        (
            "copies = 3, points = 4",
            "copies = 3, points = [4, 4, 'x']",
            "fours",
            "cards.fours.points",
            "found 'x'",
        ),
        (
            "copies = 3, points = 4",
            "copies = 3, points = 4, colour = 1",
            "fours",
            "cards.fours.colour",
            "one of copies, points, found 'colour'",
        ),
        ("fours          =", "foors          =", "fours", "cards.foors", "one of ones, twos"),
        (
            "fours          = {",
            "fours = 3 #",
            "fours",
            "cards.fours",
            "a table with copies, points",
        ),
        ("five-alike     =", "five           =", "five-alike", "apart.five", "one of five-alike"),
        ("copies = 6", "copies = 100", "five-alike", "apart.five-alike.copies", "found 100"),
        ("fours          = {", "fours          = ", "fours", "", "TOML, found"),
        ("fours          =", "twos           =", "fours", "", "TOML, found"),
    ],
)
def test_free_for_all_2_a_bad_file_is_refused_with_line_and_field(
    old: str, new: str, line: str, field: str, expected: str
) -> None:
    assert old in TEXT
    with pytest.raises(DeckError) as error:
        deck_from_toml(TEXT.replace(old, new, 1))
    assert (error.value.line, error.value.field) == (line_of(line) if line else 1, field)
    assert expected in str(error.value)
    assert str(error.value).startswith(f"line {error.value.line}")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "size",
        "x = " + "[" * 5000,
        "size = " + "9" * 5000,
        "size = 0x" + "f" * 5000,
        "size = 1e999",
        "cards = 3",
        "[cards]",
        "[[cards]]\n[[cards]]",
        '"" = 1',
        "size = 30\ncards = {}\napart = {}",
    ],
)
def test_no_text_makes_a_traceback(text: str) -> None:
    with pytest.raises(DeckError) as error:
        deck_from_toml(text)
    assert error.value.line >= 1
    assert len(str(error.value)) < 300


@given(st.data())
def test_no_edit_of_the_file_makes_a_traceback(data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(TEXT)))
    until = data.draw(st.integers(at, min(len(TEXT), at + 40)))
    text = TEXT[:at] + data.draw(st.text(max_size=8)) + TEXT[until:]
    try:
        deck = deck_from_toml(text)
    except DeckError as error:
        assert error.line >= 1
    else:
        assert deck_from_text(deck.text) == deck


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    bad = {
        "missing.toml": (None, "expected a file to read"),
        "bytes.toml": (b"\xff\xfe", "this is not UTF-8 text"),
        "large.toml": (b"#" * (MOST_BYTES + 1), "bytes at most"),
        "wrong.toml": (TEXT.replace("size = 30", "size = 29").encode(), "size: expected 29 cards"),
    }
    for name, (data, expected) in bad.items():
        path = tmp_path / name
        if data is not None:
            path.write_bytes(data)
        with pytest.raises(ConfigError) as error:
            read_deck(path)
        assert str(path) in str(error.value)
        assert expected in str(error.value)
    with pytest.raises(ConfigError, match="expected a file to read"):
        read_deck(tmp_path)
