"""Texts in other languages: whole texts, texts composed of phrases, placeholders filled in."""

from pathlib import Path

import pytest

from appliance import words
from appliance.errors import ConfigError
from appliance.words import Language, Verbatim, languages, read_language, say
from tests.rigs.spoken import spoken

PIRATE = """
name = "PIRATE"
[any]
"DIE" = "BONE"
"RED DIE" = "BLOODY BONE"
"3 ALIKE" = "THREE OF A CREW"
"... 3 ALIKE" = "3 OF CREW"
"THROW {dice}" = "CAST {dice}, YE DOGS"
"""


@pytest.fixture
def pirate(tmp_path: Path) -> Language:
    file = tmp_path / "pirate.toml"
    file.write_text(PIRATE)
    return read_language(file)


def test_english_needs_no_catalogue() -> None:
    assert say("THROW {dice}", dice="5 DICE") == "THROW 5 DICE"
    assert say("3 ALIKE") == "3 ALIKE"
    assert languages()["en"] == "ENGLISH"


def test_a_broken_catalogue_is_in_the_way_of_no_other_language(
    tmp_path: Path,
    pirate: Language,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    (tmp_path / "de.toml").write_text('name = "DEUTSCH"\n"DIE" = 3')
    monkeypatch.setattr(words, "CATALOGUES", tmp_path)
    assert languages.__wrapped__() == {"en": "ENGLISH", "pirate": pirate.name}
    assert "de.toml: this is not a catalogue of texts" in caplog.text


def test_a_text_is_said_whole_or_by_its_longest_phrases(pirate: Language) -> None:
    with spoken(pirate):
        assert say("3 ALIKE") == "THREE OF A CREW"
        assert say("RED DIE 2") == "BLOODY BONE 2"
        assert say("DIE 2 SET?") == "BONE 2 SET?"
        assert say("DIE?") == "BONE?"
        assert say("C1 3 ALIKE") == "C1 3 OF CREW"
        assert say("THROW {dice}", dice=say("RED DIE")) == "CAST BLOODY BONE, YE DOGS"
        assert say("NOT THERE {x}", x=1) == "NOT THERE 1"
    assert say("DIE") == "DIE"


def test_a_name_is_never_translated(pirate: Language) -> None:
    with spoken(pirate):
        assert say(Verbatim("DIE")) == "DIE"


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("name = ", "end of document"),
        ('"DIE" = "BONE"', "'name'"),
        ('name = "X"\n"DIE" = 3', "'DIE'"),
        ('name = "X"\n"DIE" = ""', "'DIE'"),
        ('name = "X"\n"THROW {dice}" = "CAST"', "'THROW {dice}'"),
        ('name = "X"\n"DIE" = "{bone}"', "'DIE'"),
        ('name = "X"\n"DIE" = "{"', "Single"),
    ],
)
def test_what_is_wrong_with_a_catalogue_is_said(tmp_path: Path, text: str, wrong: str) -> None:
    file = tmp_path / "x.toml"
    file.write_text(text)
    with pytest.raises(ConfigError, match=wrong):
        read_language(file)


def test_a_catalogue_that_is_not_there_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="No such file"):
        read_language(tmp_path / "none.toml")
