import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.table.menu.name_entry import (
    LETTER_RING,
    NAME_END,
    Entry,
    accents_of,
    add_typed_letters,
    erase_letter,
    next_accent,
    take_letter,
    turn_ring,
)
from appliance.table.menu.settings import MAX_NAMES, Settings, from_text
from appliance.table.names import MAX_NAME_LETTERS, NAME_LETTERS
from appliance.table.session.session import Setup
from games.registry import GAMES
from tests.rigs.spoken import spoken

ANY_NAME = st.text(NAME_LETTERS, min_size=1, max_size=MAX_NAME_LETTERS)
NAMES = ANY_NAME.filter(lambda n: n == n.strip())
SHOWDOWN = Setup("showdown", ("ANNA", "BOB"), (("first", 1), ("showdown_raise_continues", True)))


def test_names_that_nobody_chose_are_in_the_language_of_the_board() -> None:
    pair = Setup("classic", ("PLAYER 2", "ANNA"))
    settings = Settings(("PLAYER 1", "PLAYER 2", "ANNA"), (pair,))
    assert settings.with_spoken_names() == settings
    with spoken("de"):
        said = settings.with_spoken_names()
        assert said.names == ("SPIELER 1", "SPIELER 2", "ANNA")
        assert said.last_setup() == Setup("classic", ("SPIELER 2", "ANNA"))
        assert said.given_names == ("ANNA",)
    # Back again: never PLAYER 1 beside SPIELER 1.
    assert said.with_spoken_names() == settings


def test_settings_come_back_from_their_text() -> None:
    settings = (
        Settings(("CLEO",), brightness=7)
        .with_game_begun(SHOWDOWN)
        .with_game_begun(Setup("classic", ("EVE",)))
    )
    found = from_text(settings.text)
    assert found.names == ("EVE", "ANNA", "BOB", "CLEO")
    assert found.brightness == 7
    assert [s.game for s in found.setups] == ["classic", "showdown"]
    # Who begins is asked anew each time.
    assert found.setups[1].options == (("showdown_raise_continues", True),)


@given(st.lists(NAMES, min_size=1, max_size=40, unique=True), st.integers(0, 15))
def test_names_are_kept_the_latest_first(names: list[str], level: int) -> None:
    settings = Settings(brightness=level)
    for name in names:
        settings = settings.with_game_begun(Setup("classic", (name,)))
    assert settings.names == tuple(reversed(names))[:MAX_NAMES]
    assert from_text(settings.text) == settings


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no JSON",
        "[]",
        '{"names": 5, "setups": 5, "brightness": true}',
        '{"setups": [5, {}, {"game": "chess"}, {"game": "classic", "players": 3}]}',
        '{"names": ["toolongname", "small", " A", "", null]}',
    ],
)
def test_what_cannot_be_used_is_left_out(text: str) -> None:
    found = from_text(text)
    assert (found.names, found.brightness) == ((), None)
    assert all(s == Setup("classic", ()) for s in found.setups)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=9),
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(
                st.sampled_from(
                    ["names", "setups", "brightness", "game", "players", "options", "deck"]
                ),
                inner,
                max_size=5,
            )
        ),
        max_leaves=20,
    )
)
def test_no_text_does_harm(found: object) -> None:
    settings = from_text(json.dumps(found))
    assert from_text(settings.text) == settings
    for game, rules in GAMES.items():
        for name in rules.options:
            settings.option(game, name)


def test_options_for_the_next_game_are_kept_by_game() -> None:
    settings = Settings().with_option("holdem", "stack", 500).with_option("holdem", "stack", 100)
    settings = settings.with_option("free-for-all", "deck", "table")
    assert settings.option("holdem", "stack") == 100
    assert settings.option("holdem", "flop_again") == "always"
    assert settings.option("free-for-all", "deck") == "table"
    assert from_text(settings.text) == settings
    bad = settings.text.replace("100", "101").replace('"table"', "false")
    assert from_text(bad).option("holdem", "stack") == 300
    assert from_text(bad).option("free-for-all", "deck") == "virtual"


@given(NAMES, st.integers(-100, 100))
def test_every_name_can_be_entered_and_taken_back(name: str, steps: int) -> None:
    entry = Entry()
    for letter in name:
        there, here = (LETTER_RING.index(accents_of(c)[0]) for c in (letter, entry.letter))
        way = there - here
        entry = turn_ring(entry, way)
        for _ in range(accents_of(letter).index(letter)):
            entry = next_accent(entry)
        assert entry.letter == letter
        entry = take_letter(entry)
    assert entry.name == name
    assert entry.full == (len(name) == MAX_NAME_LETTERS)
    assert turn_ring(turn_ring(entry, steps), -steps).text == name
    for length in range(len(name) - 1, -1, -1):
        entry = erase_letter(entry)
        assert (entry.text, entry.letter) == (name[:length], name[length])
    assert erase_letter(entry) == entry


def test_a_full_name_has_only_its_end_left_and_a_blank_begins_none() -> None:
    full = Entry("ABCDEFGHIJKL", NAME_END)
    assert turn_ring(full, 5) == full == take_letter(full)
    assert take_letter(Entry("", " ")) == Entry("", " ")
    assert take_letter(Entry("ABCDEFGHIJK", "L")) == full


def test_the_ring_goes_on_from_the_last_letter() -> None:
    entry = take_letter(turn_ring(Entry(), 18))
    assert (entry.text, entry.letter) == ("S", "S")
    assert turn_ring(entry, 1).letter == "T"


def test_a_hold_button_goes_through_the_accents_of_a_letter() -> None:
    entry = Entry("J", "U")
    seen = [entry.letter]
    while (entry := next_accent(entry)).letter != "U":
        seen.append(entry.letter)
    assert seen[:4] == ["U", "Ü", "Ú", "Ù"]
    assert sorted(seen) == sorted("UÜÚÙÛŨŪŬŮŰŲ")
    assert next_accent(Entry("J", "7")).letter == "7"
    assert next_accent(Entry("J", NAME_END)).letter == NAME_END
    # The ring stands at the plain letter, whatever its accent.
    assert turn_ring(Entry("J", "Ü"), 1).letter == "V"
    assert take_letter(Entry("J", "Ü")) == Entry("JÜ", "U")


def test_typed_letters_stand_behind_the_name() -> None:
    assert add_typed_letters(Entry("J", "A"), "ÜR") == Entry("JÜR", "R")
    assert add_typed_letters(Entry(), " *") == Entry("", " ")
    assert add_typed_letters(Entry(), "ABCDEFGHIJKLMNOP").text == "ABCDEFGHIJKL"


@pytest.mark.parametrize(
    "text", ["[" * 100_000, "9" * 5000, '{"setups": [{"game": [1]}, {"game": {}}, 7]}']
)
def test_settings_that_are_none_keep_nobody_from_playing(text: str) -> None:
    assert from_text(text) == Settings()
