"""The keys that texts name, and that a line of help is in words."""

import re
from collections.abc import Iterator

import pytest

from appliance.guidance import KEY_BY_NAME, Guidance
from appliance.service.guide import wizard_guidance
from appliance.words import Label, language_codes, write
from games.registry import GAMES
from tests.paths import ROOT
from tests.rigs.gallery import SITUATIONS
from tests.rigs.gallery.calibrating import SCREENS
from tests.rigs.spoken import spoken
from tests.rigs.wanderer import wander

PLAYERS = ("ANNA", "BOB", "CLEO")
ALSO = ("DORA", "EMIL", "FRIDA", "ROBO", "JÜR", "ŁUKASZ", "ÅSE-MARIE", "ÇİĞDEM", "GRÜNDLICHERR")
KNOWN = {*PLAYERS, *ALSO, "YOU", "DU", "OK", "PIN", "USB", "WLAN", "MB", "GB", "RAM", "MQTT"}
"""What is written in capitals everywhere: names, what buttons say, and what has no small form."""
CUT = re.compile(r"\b(Str|Sm|Lg|Kl|Gr|[345]er|[345]erpasch|H|Würf)\b|\b(C[1-3]|[1-6][ABC]) ")
"""What the board writes where it has no room for the word, or where a card lies."""
STEPS = 80


def shown_in(game: str) -> Iterator[Guidance]:
    """The guidance of all that is met in a game, in the chosen language, for hands and buttons."""
    for shown in wander(game, PLAYERS[: GAMES[game].max_players], STEPS).shown:
        yield from (shown.can_do(hands) for hands in (True, False))


def texts_of(found: Iterator[Guidance]) -> set[str]:
    """All that people read of them but the names of keys."""
    return {text for each in found for text in (each.says, *texts_of_keys(each))}


def texts_of_keys(found: Guidance) -> Iterator[str]:
    """What keys do, and what the buttons that do it say."""
    for key in found.keys:
        yield from (key.does, key.label)


def faults(texts: set[str]) -> list[str]:
    """Those with a run of capitals that is no name, or an abbreviation of the board."""

    def has_fault(text: str) -> bool:
        runs = re.findall(r"[A-ZÄÖÜ][-A-ZÄÖÜ]+(?:'[A-ZÄÖÜ]+)?|\w*[ŁÅÇİĞ][-\w]*", text)
        return bool(CUT.search(text) or [run for run in runs if run not in KNOWN])

    return sorted(filter(has_fault, texts))


@pytest.mark.parametrize("language", language_codes())
@pytest.mark.parametrize("game", GAMES)
def test_guidance_in_a_game_is_in_words(game: str, language: str) -> None:
    with spoken(language):
        texts = texts_of(shown_in(game))
    assert len(texts) > 20
    assert faults(texts) == []


@pytest.mark.parametrize("language", language_codes())
def test_guidance_in_menus_and_calibrations_is_in_words(language: str) -> None:
    scenes = [scene.prompt for situation in SITUATIONS for scene in situation.scenes]
    with spoken(language):
        texts = texts_of(shown.can_do(hands) for shown in scenes for hands in (True, False))
        texts |= texts_of(wizard_guidance(shown) for shown in SCREENS.values())
    assert len(texts) > 100
    assert faults(texts) == []


def test_faults_are_found() -> None:
    wrong = {
        "ANNA: really X KL STR?",
        "Take CHECK",
        "POT NEHMEN",
        "Take Lg straight",
        "Take C1 fours",
    }
    assert faults({*wrong, "ANNA: throw 5 dice", "OK"}) == sorted(wrong)


@pytest.mark.parametrize(
    ("text", "german"),
    [
        (Label("other-choices"), "Mehr Auswahl"),
        (Label("best-known"), "Das Beste"),
        ("ALL OPEN BUT", "Alle frei außer"),
        ("NOTHING NEW", "Nichts Neues"),
    ],
)
def test_nouns_and_an_eszett_are_as_german_has_them(text: str, german: str) -> None:
    with spoken("de"):
        assert write(text) == german


def test_every_key_that_a_text_names_is_known() -> None:
    texts = set[str]()
    for file in (ROOT / "appliance").rglob("*.py"):
        source = file.read_text("utf-8")
        if re.search(r"import .*\bguidance\b|^def guidance", source, re.M):
            texts |= set(re.findall(r'"([^"\n|]+)\|[^"\n]*"', source))
    assert len(texts) > 10
    # To throw real dice is no key.
    assert texts - KEY_BY_NAME.keys() == {"throw"}
